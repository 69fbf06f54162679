"""Puts tenders straight into the current view, for tests that are not about how they get there."""

from __future__ import annotations

import sqlite3
from datetime import datetime, timedelta

from nucleo.reloj import a_micros
from nucleo.texto import raices
from tests.prefiltro.fabrica import AHORA

DENTRO_DE_UN_MES = AHORA + timedelta(days=30)


def insertar(
    con: sqlite3.Connection,
    numero: int,
    *,
    cpv: list[str] | None = None,
    nuts: list[str] | None = None,
    objeto: str = "Servicio de mantenimiento",
    importe: int | None = 5_000_000,
    plazo: datetime | None = DENTRO_DE_UN_MES,
    cierre: datetime | str | None = "plazo",
    instante: datetime = AHORA,
    vigente: int = 1,
) -> None:
    """One tender with id `numero`, version `numero`; `importe` in cents; it closes at `plazo` unless said otherwise."""
    fin = plazo if cierre == "plazo" else cierre
    fila: dict[str, object] = {
        "id": numero,
        "entrada_id": f"https://example.invalid/{numero}",
        "cola": str(numero),
        "fuente": "643",
        "version_id": numero,
        "instante": a_micros(instante),
        "pagina_instante": a_micros(instante),
        "huella": b"",
        "n_versiones": 1,
        "vigente": vigente,
        "tipo_registro": "licitacion",
        "objeto": objeto,
        "organo": "Ayuntamiento de Villaficticia",
        "organo_nif": "P-1234567-D",
        "tipo": "2",
        "procedimiento": "1",
        "importe": importe,
        "plazo": a_micros(plazo) if plazo else None,
        "cierre": a_micros(fin) if isinstance(fin, datetime) else None,
        "desenlace": "pendiente",
        "n_lotes": 0,
        "avisos": "[]",
        "texto_huella": b"",
    }
    columnas, huecos = ", ".join(fila), ", ".join("?" * len(fila))
    con.execute(f"INSERT INTO licitacion({columnas}) VALUES ({huecos})", list(fila.values()))
    con.execute(
        "INSERT INTO licitacion_texto(rowid, objeto, lotes, organo, expediente) VALUES (?, ?, '', ?, '')",
        (numero, raices(objeto), raices("Ayuntamiento de Villaficticia")),
    )
    _codigos(con, "cpv", numero, ["72267000"] if cpv is None else cpv)
    _codigos(con, "nuts", numero, nuts or [])


def republicar(con: sqlite3.Connection, numero: int, *, cpv: list[str]) -> None:
    """A new version with other CPV codes."""
    con.execute("UPDATE licitacion SET version_id = version_id + 1000000 WHERE id = ?", (numero,))
    con.execute("DELETE FROM licitacion_cpv WHERE licitacion_id = ?", (numero,))
    _codigos(con, "cpv", numero, cpv)


def _codigos(con: sqlite3.Connection, clase: str, numero: int, codigos: list[str]) -> None:
    con.executemany(
        f"INSERT INTO licitacion_{clase}({clase}, licitacion_id) VALUES (?, ?)",
        [(c, numero) for c in codigos],
    )
