"""The plan that a run follows, checked and ready for the engine: worked out once for each text of plan."""

from __future__ import annotations

import sqlite3
from collections import OrderedDict
from dataclasses import replace
from threading import Lock
from typing import NoReturn

from pydantic import ConfigDict

from nucleo.modelo import Modelo
from nucleo.recorridos import almacen
from nucleo.recorridos.almacen import Guardado
from nucleo.recorridos.casa import Casa, EncargoPaso, Funcion, Plantilla
from nucleo.recorridos.errores import ErrorRecorrido
from nucleo.recorridos.plan import Plan
from nucleo.recorridos.validar import PlanValido, validar
from nucleo.recorridos.valores import Esquemas, huella

GUARDADOS = 256
"""Plans kept ready in a process."""


class Cualquiera(Modelo):
    """Stands for a schema while a plan that was checked once is read again: whatever it says was good then."""

    model_config = ConfigDict(extra="allow")


class Ausente(Modelo):
    """Stands for a schema that the installation no longer has: nothing with something in it fits."""


def huella_de(plan: Plan) -> str:
    """Fingerprint of a plan's content."""
    return huella(plan.model_dump(mode="json"))


def plan_de(con: sqlite3.Connection, casa: Casa, guardado: Guardado) -> PlanValido:
    """The present plan of a stored run.

    It was checked when it was stored, and the installation may have lost or tightened something since. Whoever is in
    the middle of it can still be told, paused or cancelled: what is missing refuses when it is used.
    """
    clave = (guardado.plan_huella, frozenset(casa.esquemas.items()))
    if (listo := _LISTOS.buscar(clave)) is not None:
        return listo
    plan = almacen.plan(con, guardado.recorrido.id, guardado.recorrido.plan_version)
    entonces = validar(plan, _casa_de_entonces(plan))
    ahora = {nombre: casa.esquemas.get(nombre, Ausente) for nombre in entonces.esquemas}
    return _LISTOS.guardar(clave, replace(entonces, esquemas=ahora))


_Clave = tuple[str, frozenset[tuple[str, type[Modelo]]]]


class _Listos:
    """The plans used last; shared by the threads of the process."""

    def __init__(self) -> None:
        self._planes: OrderedDict[_Clave, PlanValido] = OrderedDict()
        self._turno = Lock()

    def buscar(self, clave: _Clave) -> PlanValido | None:
        with self._turno:
            listo = self._planes.get(clave)
            if listo is not None:
                self._planes.move_to_end(clave)
            return listo

    def guardar(self, clave: _Clave, plan: PlanValido) -> PlanValido:
        with self._turno:
            self._planes[clave] = plan
            if len(self._planes) > GUARDADOS:
                self._planes.popitem(last=False)
        return plan


_LISTOS = _Listos()


def _casa_de_entonces(plan: Plan) -> Casa:
    """A house where all that the plan names exists: as when it was checked."""
    nombres = {p.ejecutor.funcion for p in plan.pasos if p.ejecutor and p.ejecutor.funcion}
    funciones = {n: Funcion(nombre=n, ejecutar=_ausente, abierta=True) for n in nombres}
    plantillas = {}
    if plan.plantilla is not None:
        plantillas[plan.plantilla] = Plantilla(
            nombre=plan.plantilla, plan=plan, politica=lambda _: (), respuesta=lambda *_: ()
        )
    return Casa(plantillas=plantillas, funciones=funciones, esquemas=_esquemas(plan))


def _esquemas(plan: Plan) -> Esquemas:
    puertos = (p for paso in plan.pasos for p in (*paso.entradas, *paso.salidas))
    return {p.esquema: Cualquiera for p in puertos if p.esquema}


def _ausente(_: EncargoPaso) -> NoReturn:
    raise ErrorRecorrido("NO_EXISTE", "Esta instalación ya no tiene esa función.")
