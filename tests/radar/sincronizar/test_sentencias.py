"""A pass that dies before each of its SQL statements, one by one: wherever it is cut, the next one completes it."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import Any

from dominios.licitaciones.radar.sincronizar.fuentes import Canal as CanalLeido
from dominios.licitaciones.radar.sincronizar.fuentes import politica
from dominios.licitaciones.radar.sincronizar.medios import Medios
from dominios.licitaciones.radar.sincronizar.modelo import HORA, Reglas
from dominios.licitaciones.radar.sincronizar.pasada import pasar
from nucleo.bd import conectar
from nucleo.red.cliente import Condicion, Respuesta
from tests.conftest import AHORA
from tests.radar.sincronizar.almacen_visto import AlmacenVisto, ver_almacen
from tests.reproductor.canal import Canal
from tests.reproductor.paginas import Anotacion, LapidaMuestra

HOST = "https://contrataciondelestado.es"


class Muerte(BaseException):
    """Not an Exception: nobody may catch it and go on."""


class Mortal(sqlite3.Connection):
    """Dies before the statement number `vida`; afterwards only a ROLLBACK passes, as when the process is gone."""

    vida = 10**9

    def execute(self, sql: str, parameters: Any = ()) -> sqlite3.Cursor:
        """One statement of its life less."""
        self._gastar(sql)
        return super().execute(sql, parameters)

    def executemany(self, sql: str, parameters: Iterable[Any]) -> sqlite3.Cursor:
        """One statement of its life less."""
        self._gastar(sql)
        return super().executemany(sql, parameters)

    def _gastar(self, sql: str) -> None:
        self.vida -= 1
        if self.vida < 0 and sql != "ROLLBACK":
            raise Muerte


class Estanteria:
    """Pages by path, served without a network."""

    def __init__(self) -> None:
        self.paginas: dict[str, bytes] = {}

    def poner(self, ruta: str, cuerpo: bytes, tipo: str | None = None) -> None:
        """Publish."""
        self.paginas[ruta] = cuerpo

    def quitar(self, ruta: str) -> None:
        """Take down."""
        self.paginas.pop(ruta, None)

    async def obtener(self, url: str, condicion: Condicion | None = None) -> Respuesta:
        """As the client would."""
        cuerpo = self.paginas.get(url.removeprefix(HOST))
        if cuerpo is None:
            return Respuesta(404, url)
        etag = f'"{hash(cuerpo)}"'
        if condicion is not None and condicion.etag == etag:
            return Respuesta(304, url, etag=etag)
        return Respuesta(200, url, cuerpo, etag)


def _publicar(estanteria: Estanteria, canal: Canal, desde: int, hasta: int) -> None:
    for i in range(desde, hasta):
        cuando = AHORA - timedelta(hours=20 * (40 - i))
        cosa = LapidaMuestra(i % 5, cuando) if i % 6 == 5 else Anotacion(i % 11, cuando, f"Suministro {i}")
        canal.anotar([cosa], cuando)


async def _pasar(con: sqlite3.Connection, estanteria: Estanteria, canal: Canal) -> None:
    leido = CanalLeido("643", f"{HOST}{canal.ruta}", politica(), 10**6 * HORA)
    await pasar(con, leido, Medios(estanteria.obtener, lambda: AHORA), Reglas())


def _abrir(fichero: Path, vida: int) -> Mortal:
    con = sqlite3.connect(fichero, isolation_level=None, factory=Mortal)
    con.vida = vida
    return con


async def _morir_en(
    vida: int, fichero: Path, estanteria: Estanteria, canal: Canal
) -> tuple[bool, AlmacenVisto]:
    """Whether it died at all, and the store after the pass that follows."""
    muerta = False
    with closing(_abrir(fichero, vida)) as con:
        try:
            await _pasar(con, estanteria, canal)
        except Muerte:
            muerta = True
    with closing(conectar(fichero)) as con:
        await _pasar(con, estanteria, canal)
        return muerta, ver_almacen(con)


async def test_morir_antes_de_cualquier_sentencia_no_pierde_ni_dobla(
    fichero_bd: Path, tmp_path: Path
) -> None:
    estanteria = Estanteria()
    canal = Canal(estanteria, por_pagina=4)
    _publicar(estanteria, canal, 0, 14)
    copia = tmp_path / "copia.db"
    # First a first pass cut everywhere, then one that finds news over what it knew.
    for hasta in (14, 22):
        _publicar(estanteria, canal, 14, hasta)
        shutil.copyfile(fichero_bd, copia)
        _, esperado = await _morir_en(10**9, copia, estanteria, canal)
        for vida in count():
            shutil.copyfile(fichero_bd, copia)
            muerta, visto = await _morir_en(vida, copia, estanteria, canal)
            assert visto == esperado, f"muerta antes de la sentencia {vida}"
            if not muerta:
                break
        assert vida > 60
        with closing(conectar(fichero_bd)) as con:
            await _pasar(con, estanteria, canal)
            con.execute("PRAGMA wal_checkpoint(TRUNCATE)")
