"""A process that serves a queue until nothing is due, to be killed: `python -m tests.cola.proceso MODO CARPETA URL`."""

from __future__ import annotations

import asyncio
import os
import sys
from contextlib import closing
from pathlib import Path

from pydantic import SecretStr

from nucleo import registro
from nucleo.bd import conectar
from nucleo.cola import almacen, servicio
from nucleo.cola.corredor import Corredor, Ritmo
from nucleo.cola.modelo import Comprobacion, Instrucciones, Intento, TipoTrabajo, Trabajo
from nucleo.cola.perfiles import Perfiles
from nucleo.cola.reglas import Contexto, EstadoPerfil
from nucleo.hermes.perfiles import Hermes, Perfil
from nucleo.reloj import reloj_del_sistema
from tests.hermes.doble import CLAVE

A_LA_VEZ = 2
CONTEXTO = Contexto(a_la_vez=A_LA_VEZ, perfiles=(EstadoPerfil(nombre="licitaciones", proveedor="proveedor"),))


def tipos(carpeta: Path) -> dict[str, TipoTrabajo]:
    """One type whose result is a file: what the agent left is there for any process to see."""

    def instruir(trabajo: Trabajo, intento: Intento) -> Instrucciones:
        return Instrucciones(version="1", texto=f"Criba {trabajo.objeto}.", entrada="El lote.")

    def comprobar(trabajo: Trabajo, intento: Intento) -> Comprobacion:
        return Comprobacion(hecho=(carpeta / f"resultado-{trabajo.id}").exists(), detalle="")

    return {"criba": TipoTrabajo("criba", "licitaciones", 2, instruir, comprobar)}


async def deprisa(segundos: float) -> None:
    """Waits of Hermes's client and of the runner, a hundred times shorter."""
    await asyncio.sleep(segundos / 100)


async def atender(carpeta: Path, url: str) -> None:
    """The flow's work without the engine."""
    perfil = Perfil(nombre="licitaciones", url=url, clave=SecretStr(CLAVE), proveedor="proveedor")
    hermes = Hermes(perfiles=(perfil,))
    with closing(conectar(registro.preparar(carpeta))) as con:
        almacen.asegurar_disco(con)
        async with Perfiles(hermes, lambda _con, _nombre: None, deprisa) as perfiles:
            corredor = Corredor(
                con, tipos(carpeta), perfiles, reloj_del_sistema, dormir=deprisa, ritmo=Ritmo(1.0, 4.0)
            )
            print("listo", flush=True)  # noqa: T201 - the parent waits for it
            tareas = {asyncio.create_task(corredor.seguir(r.intento.id)) for r in servicio.por_conciliar(con)}
            while True:
                while dado := servicio.reclamar(con, corredor.tipos, CONTEXTO, reloj_del_sistema()):
                    tareas.add(asyncio.create_task(corredor.seguir(dado.intento.id)))
                if not tareas:
                    return
                hechas, tareas = await asyncio.wait(tareas, return_when=asyncio.FIRST_COMPLETED)
                for hecha in hechas:
                    hecha.result()


def con_el_motor(carpeta: Path) -> None:
    """The flow itself, with this module's type."""
    from flows.cola import atender_cola  # noqa: PLC0415 - the engine takes seconds to import
    from tasks import hermes  # noqa: PLC0415 - the same

    hermes.tipos_de_trabajo = lambda _datos: tipos(carpeta)  # type: ignore[assignment]
    print("listo", flush=True)  # noqa: T201 - the parent waits for it
    asyncio.run(atender_cola())  # type: ignore[arg-type]


if __name__ == "__main__":
    modo, donde, direccion = sys.argv[1:]
    if modo == "motor":
        con_el_motor(Path(donde))
    else:
        asyncio.run(atender(Path(donde), direccion))
    os._exit(0)
