"""The sample as if it had been published these days: every date moved by whole weeks towards the given instant."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from dominios.licitaciones.radar.muestra import carpeta
from nucleo.reloj import MADRID

BASE = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
"""The «now» the files are written for: Monday 2 March 2026, 10:00 in Madrid (feed/updated of the newest head)."""

SEMANA = timedelta(weeks=1)

# Only years of our time move: the absurd ones (0202, 9999) stand for what the source really publishes.
_FECHA = re.compile(rb"\b(20[2-3]\d)-(\d\d)-(\d\d)(?=[T+<])")
_GENERACION = re.compile(r"_(20[2-3]\d)(\d\d)(\d\d)(?=_\d{6})")
_ACTUALIZADA = re.compile(rb"(?<=<updated>)[^<]+")


def paginas(ahora: datetime) -> dict[str, bytes]:
    """Path as in the source («sindicacion_643/….atom») → bytes of the page, with its dates moved near `ahora`.

    All dates move by the same whole number of weeks (weekdays, times, published offsets, names of the pages and
    the order of every instant stay), so that the newest entry is less than a week old. A head also says that it
    was generated within the last minute, as the source does. Raises ValueError for a naive `ahora`.
    """
    if ahora.tzinfo is None:
        raise ValueError("la muestra necesita un instante con zona horaria")
    salto = (ahora - BASE) // SEMANA * SEMANA
    return dict(_servir(f"{p.parent.name}/{p.name}", p.read_bytes(), salto, ahora) for p in _ficheros())


def _ficheros() -> list[Path]:
    return sorted(carpeta().glob("*/*.atom"))


def _servir(ruta: str, cuerpo: bytes, salto: timedelta, ahora: datetime) -> tuple[str, bytes]:
    fechada = _mover_nombres(ruta, salto)
    movido = _FECHA.sub(lambda m: _mover(m.group(), salto).encode(), cuerpo)
    movido = _mover_nombres(movido.decode(), salto).encode()
    if not _GENERACION.search(ruta):
        movido = _ACTUALIZADA.sub(_ahora(ahora).encode(), movido, count=1)
    return f"sindicacion_{fechada}", movido


def _mover(fecha: bytes, salto: timedelta) -> str:
    return (date.fromisoformat(fecha.decode()) + salto).isoformat()


def _mover_nombres(texto: str, salto: timedelta) -> str:
    def mover(m: re.Match[str]) -> str:
        anio, mes, dia = (int(g) for g in m.groups())
        return f"_{date(anio, mes, dia) + salto:%Y%m%d}"

    return _GENERACION.sub(mover, texto)


def _ahora(ahora: datetime) -> str:
    return ahora.astimezone(MADRID).replace(second=0, microsecond=0).isoformat(timespec="milliseconds")
