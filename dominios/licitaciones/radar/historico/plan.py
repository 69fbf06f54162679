"""Which ZIP files hold a year of a dataset, and which are worth another look each week: pure rules over names.

PLACSP publishes beside each head `<head>_YYYY.zip` for closed years (sometimes for the running one) and
`<head>_YYYYMM.zip` by month; encargos (1383) and consultas (1403) by year only. The current month is made again daily.
"""

from __future__ import annotations

from datetime import date

from dominios.licitaciones.radar.modelo import Modelo
from nucleo.errores import ErrorEntrada

SOLO_ANUALES = frozenset({"1383", "1403"})
PRIMER_ANYO = 2012


class Zip(Modelo):
    """A ZIP of pages. `periodo` is YYYY or YYYYMM."""

    fuente: str
    periodo: str
    url: str

    @property
    def nombre(self) -> str:
        """A file name of our own, safe whatever the URL says."""
        return f"{self.fuente}_{self.periodo}.zip"


def del_anyo(fuente: str, cabecera: str, anyo: int, hoy: date) -> Zip:
    """The yearly file. Raises ErrorEntrada for a year that cannot have been published."""
    if not PRIMER_ANYO <= anyo <= hoy.year:
        raise ErrorEntrada(f"No hay datos del año {anyo}: elige entre {PRIMER_ANYO} y {hoy.year}.")
    return _zip(fuente, cabecera, str(anyo))


def de_los_meses(fuente: str, cabecera: str, anyo: int, hoy: date) -> tuple[Zip, ...]:
    """The monthly files of a year, for when there is no yearly one; none for datasets published by year only."""
    if fuente in SOLO_ANUALES:
        return ()
    ultimo = hoy.month if anyo == hoy.year else 12
    return tuple(_zip(fuente, cabecera, f"{anyo}{mes:02d}") for mes in range(1, ultimo + 1))


def recientes(fuente: str, cabecera: str, hoy: date) -> tuple[Zip, ...]:
    """The files that may still change: previous and current month, or the years these fall in."""
    anterior = (hoy.year, hoy.month - 1) if hoy.month > 1 else (hoy.year - 1, 12)
    if fuente in SOLO_ANUALES:
        return tuple(_zip(fuente, cabecera, str(a)) for a in sorted({anterior[0], hoy.year}))
    return tuple(_zip(fuente, cabecera, f"{a}{m:02d}") for a, m in (anterior, (hoy.year, hoy.month)))


def que_cubren(fuente: str, cabecera: str, desde: date, hasta: date) -> tuple[Zip, ...]:
    """The files that hold everything published between two days, both included; oldest first."""
    if fuente in SOLO_ANUALES:
        return tuple(_zip(fuente, cabecera, str(a)) for a in range(desde.year, hasta.year + 1))
    meses = range(desde.year * 12 + desde.month - 1, hasta.year * 12 + hasta.month)
    return tuple(_zip(fuente, cabecera, f"{m // 12}{m % 12 + 1:02d}") for m in meses)


def puede_cambiar(fichero: Zip, hoy: date) -> bool:
    """Whether its period is not over yet, so that having read it once is not having read it."""
    return fichero.periodo in (f"{hoy.year}", f"{hoy.year}{hoy.month:02d}")


def _zip(fuente: str, cabecera: str, periodo: str) -> Zip:
    return Zip(fuente=fuente, periodo=periodo, url=f"{cabecera.removesuffix('.atom')}_{periodo}.zip")
