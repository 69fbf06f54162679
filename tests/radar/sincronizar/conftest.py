"""A channel on a local server, a database, and passes over both."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from dominios.licitaciones.radar.historico.plan import Zip
from dominios.licitaciones.radar.sincronizar.fuentes import Canal as CanalLeido
from dominios.licitaciones.radar.sincronizar.fuentes import politica
from dominios.licitaciones.radar.sincronizar.medios import Medios
from dominios.licitaciones.radar.sincronizar.modelo import HORA, Reglas
from dominios.licitaciones.radar.sincronizar.pasada import ResumenPasada, pasar
from nucleo.bd import conectar
from nucleo.red.cliente import ClienteSeguro, Entorno
from tests.conftest import AHORA
from tests.radar.sincronizar.almacen_visto import ver_almacen
from tests.reproductor.canal import Canal
from tests.reproductor.paginas import Anotacion, Cosa
from tests.reproductor.servidor import Reproductor


async def _sin_dormir(_: float) -> None:
    """Backoff without waiting."""


@dataclass
class Banco:
    """Server, channel, database and clock of a test. `ahora` moves only when the test moves it."""

    servidor: Reproductor
    canal: Canal
    con: sqlite3.Connection
    carpeta: Path
    ahora: datetime = AHORA
    reglas: Reglas = field(default_factory=Reglas)
    serie: int = 0

    def crecer(self, cuantas: int, cada: timedelta = timedelta(hours=5)) -> None:
        """New tenders, one every `cada`."""
        for _ in range(cuantas):
            self.ahora += cada
            self.serie += 1
            self.canal.anotar([Anotacion(self.serie, self.ahora)], self.ahora)

    async def pasar(self, url: str | None = None) -> ResumenPasada:
        """One pass with a real client."""
        cabecera = url or self.servidor.url(self.canal.ruta)
        leido = CanalLeido("643", cabecera, politica(cabecera), 36 * HORA)
        async with ClienteSeguro(leido.politica, 0, Entorno(dormir=_sin_dormir)) as cliente:

            async def descargar(fichero: Zip) -> Path | None:
                ruta = self.carpeta / fichero.nombre
                return ruta if (await cliente.descargar(fichero.url, ruta)).estado == 200 else None

            medios = Medios(cliente.obtener, lambda: self.ahora, descargar=descargar)
            return await pasar(self.con, leido, medios, self.reglas)

    @property
    def guardadas(self) -> set[tuple[str, datetime]]:
        """(id, updated) of every version stored."""
        return {(v[0], datetime.fromisoformat(v[1])) for v in ver_almacen(self.con).versiones}

    @property
    def publicadas(self) -> set[tuple[str, datetime]]:
        """(id, updated) of every entry that the channel publishes."""
        return {(c.id, c.instante) for c in self.canal.cosas if isinstance(c, Anotacion)}

    def anotar(self, *cosas: Cosa) -> None:
        """These, now."""
        self.canal.anotar(cosas, self.ahora)


@pytest.fixture
def banco(fichero_bd: Path, tmp_path: Path) -> Iterator[Banco]:
    with Reproductor() as servidor, closing(conectar(fichero_bd)) as con:
        yield Banco(servidor, Canal(servidor), con, tmp_path)
