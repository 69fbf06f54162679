"""A tenders' store on a real SQLite file, fed page by page and read through the radar's public functions."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from dominios.licitaciones.radar.almacen import Recuento, guardar_pagina
from dominios.licitaciones.radar.consulta import localizar, ver, versiones
from dominios.licitaciones.radar.procesar import procesar_pagina
from nucleo.bd import conectar, transaccion
from nucleo.reloj import MADRID, reloj_fijo
from tests.radar.constructor import ident

AHORA = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


def madrid(texto: str) -> datetime:
    """An instant written as local time in Madrid."""
    return datetime.fromisoformat(texto).replace(tzinfo=MADRID)


class Caja:
    """`ver` answers what `sobre licitacion ver --json` would print, as plain JSON values."""

    def __init__(self, fichero: Path) -> None:
        self.con = conectar(fichero)
        self.recuentos: list[Recuento] = []

    def guardar(self, *paginas: bytes) -> list[Recuento]:
        recuentos = [self._guardar_una(cuerpo, f"prueba-{n}.atom") for n, cuerpo in enumerate(paginas)]
        self.recuentos += recuentos
        return recuentos

    def _guardar_una(self, cuerpo: bytes, origen: str) -> Recuento:
        pagina = procesar_pagina(cuerpo, origen)
        with transaccion(self.con):
            return guardar_pagina(self.con, pagina, AHORA)

    def id(self, n: int = 1, fuente: str = "643") -> int:
        return localizar(self.con, ident(n, fuente))

    def ver(self, n: int = 1, *, ahora: datetime = AHORA, fuente: str = "643") -> dict[str, Any]:
        documento = ver(self.con, self.id(n, fuente), reloj_fijo(ahora))
        return {
            "entrada": dict(documento.entrada),
            "derivado": documento.derivado.model_dump(mode="json"),
            "detalle": documento.detalle.model_dump(mode="json"),
        }

    def derivado(self, n: int = 1, *, ahora: datetime = AHORA, fuente: str = "643") -> dict[str, Any]:
        return self.ver(n, ahora=ahora, fuente=fuente)["derivado"]

    def entrada(self, n: int = 1, *, fuente: str = "643") -> dict[str, Any]:
        return self.ver(n, fuente=fuente)["entrada"]

    def cambios(self, n: int = 1, *, fuente: str = "643") -> list[list[str]]:
        """Fields changed by each version, newest first."""
        return [
            [cambio.campo for cambio in version.cambios]
            for version in versiones(self.con, self.id(n, fuente))
        ]

    def filas(self, sql: str, *valores: object) -> list[tuple[Any, ...]]:
        return self.con.execute(sql, valores).fetchall()

    def fila(self, n: int, *columnas: str, fuente: str = "643") -> tuple[Any, ...]:
        """Columns of the current view."""
        return self.filas(f"SELECT {', '.join(columnas)} FROM licitacion WHERE id = ?", self.id(n, fuente))[0]
