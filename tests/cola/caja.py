"""A queue on a real file, an agent that may leave its result in it, and a clock that moves when somebody waits."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path

from pydantic import SecretStr

from app.hermes.agente import leer_marca
from app.hermes.curso import Curso
from nucleo import registro
from nucleo.bd import conectar
from nucleo.cola import servicio
from nucleo.cola.corredor import Corredor, Ritmo
from nucleo.cola.modelo import Comprobacion, Instrucciones, Intento, Reclamado, TipoTrabajo, Trabajo
from nucleo.cola.perfiles import Perfiles
from nucleo.hermes.perfiles import Hermes, Perfil
from nucleo.hermes.precios import Precio
from tests.cola.fabrica import contexto
from tests.conftest import AHORA
from tests.hermes.doble import CLAVE

PRECIOS = (
    Precio(proveedor="proveedor-licitaciones", modelo="simulado", entrada=Decimal("1"), salida=Decimal("5")),
)


@dataclass
class Caja:
    """`resultados`: job → nonce under which its result was taken. `rechazadas`: nonces that came too late."""

    fichero: Path
    ahora: datetime = AHORA
    resultados: dict[int, str] = field(default_factory=dict)
    rechazadas: list[str] = field(default_factory=list)
    instruir: Callable[[Trabajo, Intento], Instrucciones] | None = None

    def reloj(self) -> datetime:
        return self.ahora

    async def dormir(self, segundos: float) -> None:
        """The clock moves by that, the test hardly waits."""
        self.ahora += timedelta(seconds=segundos)
        await asyncio.sleep(0.002)

    def tipo(self) -> TipoTrabajo:
        return TipoTrabajo(
            nombre="criba",
            perfil="licitaciones",
            clase=2,
            instruir=self.instruir or self._instruir,
            comprobar=self._comprobar,
        )

    @staticmethod
    def _instruir(trabajo: Trabajo, intento: Intento) -> Instrucciones:
        return Instrucciones(version="7", texto=f"Criba {trabajo.objeto}.", entrada="El lote.")

    def _comprobar(self, trabajo: Trabajo, intento: Intento) -> Comprobacion:
        hecho = trabajo.id in self.resultados
        return Comprobacion(hecho=hecho, detalle="" if hecho else "No ha dejado su resultado.")

    def proponer(self, curso: Curso) -> bool:
        """What our server does with a proposal: it takes it only from an attempt that is open."""
        marca = leer_marca(curso.encargo.instrucciones)
        assert marca is not None
        with closing(conectar(self.fichero)) as con:
            admitido = servicio.intento_abierto(con, marca.nonce)
        if admitido is None or admitido.trabajo_id != marca.trabajo:
            self.rechazadas.append(marca.nonce)
            return False
        self.resultados[marca.trabajo] = marca.nonce
        curso.herramienta('{"ok": true}')
        return True

    def encolar(self, con: sqlite3.Connection, objeto: str = "licitacion-1") -> Trabajo:
        tipos = {"criba": self.tipo()}
        return servicio.encolar(con, tipos, "criba", objeto, "{}", None, self.ahora)

    def reclamar(self, con: sqlite3.Connection) -> Reclamado | None:
        return servicio.reclamar(con, {"criba": self.tipo()}, contexto(), self.ahora)

    @asynccontextmanager
    async def corredor(self, con: sqlite3.Connection, url: str) -> AsyncIterator[Corredor]:
        perfil = Perfil(
            nombre="licitaciones", url=url, clave=SecretStr(CLAVE), proveedor="proveedor-licitaciones"
        )
        hermes = Hermes(perfiles=(perfil,), precios=PRECIOS)
        async with Perfiles(hermes, lambda _con, _nombre: self.ahora, self.dormir) as perfiles:
            yield Corredor(
                con=con,
                tipos={"criba": self.tipo()},
                perfiles=perfiles,
                reloj=self.reloj,
                dormir=self.dormir,
                ritmo=Ritmo(primero_s=1.0, ultimo_s=10.0),
            )


def nueva(carpeta: Path) -> Caja:
    return Caja(registro.preparar(carpeta))
