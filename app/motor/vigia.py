"""The watch: asks each source whether it moved, requests a pass when it did, and tidies after dead workers."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from hashlib import sha256

from app.arriba.procesos import POZO
from app.motor.api import Motor
from app.motor.reconciliador import reconciliar
from nucleo.errores import ErrorRed
from nucleo.reloj import Reloj

DESPLIEGUE = "radar/radar"
INSISTIR_S = 2.0
"""How soon a pass is asked for again while another one runs: that one may have read the head before it moved."""
REPASO_S = 60.0

Mirar = Callable[[str], Awaitable[str | None]]
"""Source → what identifies its new head when it moved since the last look, else None. Raises ErrorRed."""

Decir = Callable[[str], None]


class Vigia:
    """Runs until `parar`; no failure of the network, the source or the engine ends it."""

    def __init__(
        self, motor: Motor, mirar: Mirar, reloj: Reloj, decir: Decir, cabeceras: Mapping[str, str]
    ) -> None:
        self.parar = asyncio.Event()
        self._motor = motor
        self._mirar = mirar
        self._reloj = reloj
        self._decir = decir
        self._cabeceras = cabeceras
        self._movidas: dict[str, str] = {}
        self._dicho: dict[str, str] = {}

    async def vigilar(self, fuentes: Sequence[str], intervalo_s: float) -> None:
        """Look at every source each `intervalo_s` (0 = never) and do the rest at its own pace."""
        async with asyncio.TaskGroup() as grupo:
            tareas = [grupo.create_task(_cada(REPASO_S, self._repasar))]
            if intervalo_s > 0:
                tareas.append(grupo.create_task(_cada(INSISTIR_S, self._pedir)))
                tareas.append(grupo.create_task(_cada(intervalo_s, lambda: self._mirar_todas(fuentes))))
            await self.parar.wait()
            for tarea in tareas:
                tarea.cancel()

    async def _mirar_todas(self, fuentes: Sequence[str]) -> None:
        for fuente in fuentes:
            try:
                marca = await self._mirar(fuente)
            except ErrorRed as error:
                self._decir_una_vez(fuente, f"{fuente}: {error.mensaje}")
                continue
            self._dicho.pop(fuente, None)
            if marca is not None:
                self._decir(f"{fuente} se ha movido: pido una pasada")
                self._movidas[fuente] = marca

    async def _pedir(self) -> None:
        if not self._movidas:
            return
        pedidas = dict(self._movidas)
        try:
            lanzada = await asyncio.to_thread(pedir_pasada, self._motor, pedidas, self._cabeceras)
        except ErrorRed as error:
            self._decir_una_vez("motor", error.mensaje)
            return
        self._dicho.pop("motor", None)
        if lanzada:
            # A source that moved again meanwhile keeps its new mark.
            self._movidas = {f: m for f, m in self._movidas.items() if pedidas.get(f) != m}

    async def _repasar(self) -> None:
        try:
            ajustes = await asyncio.to_thread(reconciliar, self._motor, POZO, self._reloj)
        except ErrorRed as error:
            self._decir_una_vez("motor", error.mensaje)
            return
        self._dicho.pop("motor", None)
        for ajuste in ajustes:
            self._decir(f"{ajuste.que}: {ajuste.motivo}; liberada")

    def _decir_una_vez(self, asunto: str, linea: str) -> None:
        """A trouble that lasts is told when it begins, not each time."""
        if self._dicho.get(asunto) != linea:
            self._dicho[asunto] = linea
            self._decir(linea)


async def _cada(segundos: float, hacer: Callable[[], Awaitable[None]]) -> None:
    while True:
        await hacer()
        await asyncio.sleep(segundos)


def pedir_pasada(motor: Motor, movidas: Mapping[str, str], cabeceras: Mapping[str, str]) -> bool:
    """Ask for a radar pass over those sources; False when one runs now (ask again when it ends).

    `movidas`: source → mark of its new head; the same marks twice are the same run.
    `cabeceras`: source → head, for those that are not read at the official one.
    """
    despliegue = motor.despliegue(DESPLIEGUE)
    if motor.activas_de(despliegue.id):
        return False
    clave = sha256(repr(sorted(movidas.items())).encode()).hexdigest()[:32]
    parametros = {"fuentes": sorted(movidas), "cabeceras": dict(cabeceras) or None}
    motor.lanzar(despliegue.id, parametros, f"vigia-{clave}")
    return True
