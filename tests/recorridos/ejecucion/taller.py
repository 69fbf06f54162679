"""A house of working functions, a plan that uses them, and the folder where they leave their traces."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from nucleo.errores import ErrorEntrada, ErrorRed
from nucleo.recorridos.casa import Casa, EncargoPaso, Funcion, ResultadoPaso
from nucleo.recorridos.comandos import Actor, ClaseActor
from nucleo.recorridos.plan import Clase, Ejecutor, Paso, Plan, Puerto, Tipo

PERSONA = Actor(clase=ClaseActor.PERSONA, nombre="Persona de prueba", rol="admin")
REDACTOR = Actor(clase=ClaseActor.AGENTE, nombre="oferta")
TROPIEZOS = 1
"""Times that the clumsy function fails as the network does."""


def rastro(encargo: EncargoPaso, que: str) -> Path:
    """Where that attempt's `que` is left: written again by the same attempt, it is the same file."""
    carpeta = encargo.datos / "rastros"
    carpeta.mkdir(exist_ok=True)
    return carpeta / f"{encargo.paso}-{encargo.intento}.{que}"


def _anotar(encargo: EncargoPaso) -> ResultadoPaso:
    with rastro(encargo, "veces").open("a") as veces:
        veces.write("x")
    return ResultadoPaso(salidas={"dicho": f"{encargo.paso} {encargo.intento}"}, mensaje="Anotado.")


def _lento(encargo: EncargoPaso) -> ResultadoPaso:
    rastro(encargo, "empezado").touch()
    suelta = encargo.datos / "adelante"
    while not suelta.exists():  # the test lets it go on
        time.sleep(0.02)
    return _anotar(encargo)


def _torpe(encargo: EncargoPaso) -> ResultadoPaso:
    resultado = _anotar(encargo)
    if len(rastro(encargo, "veces").read_text()) <= TROPIEZOS:
        raise ErrorRed("No contesta: se prueba otra vez.")
    return resultado


def _imposible(_: EncargoPaso) -> ResultadoPaso:
    raise ErrorEntrada("Al expediente le falta el pliego: súbelo y reintenta.")


def _roto(_: EncargoPaso) -> ResultadoPaso:
    raise ZeroDivisionError


def _mal_dicho(_: EncargoPaso) -> ResultadoPaso:
    return ResultadoPaso(salidas={"dicho": 3}, mensaje="Un número donde va un texto.")


FUNCIONES: dict[str, Callable[[EncargoPaso], ResultadoPaso]] = {
    "anotar": _anotar,
    "lento": _lento,
    "torpe": _torpe,
    "imposible": _imposible,
    "roto": _roto,
    "mal_dicho": _mal_dicho,
}


def casa_de_pruebas(_: Path | None = None) -> Casa:
    """Every function, and the connectors of the installation's own runs and of the agent `oferta`."""
    conectores = {"sistema": "prefect", "oferta": "hermes"}
    return Casa(
        funciones={n: Funcion(nombre=n, ejecutar=f, abierta=True) for n, f in FUNCIONES.items()},
        conector=conectores.get,
    )


def plan_de(*pasos: Paso) -> Plan:
    """Those steps one after another, between a beginning and an end."""
    todos, previo = [Paso(id="inicio", titulo="Inicio", clase=Clase.INICIO)], "inicio"
    for paso in pasos:
        todos.append(paso.model_copy(update={"dependencias": (previo,)}))
        previo = paso.id
    fin = Paso(id="fin", titulo="Fin", clase=Clase.FIN, dependencias=(previo,))
    return Plan(titulo="De prueba", pasos=(*todos, fin))


def maquinal(nombre: str, funcion: str, repetible: bool = False) -> Paso:
    """A step of ours."""
    return Paso(
        id=nombre,
        titulo=nombre.capitalize(),
        clase=Clase.CODIGO,
        salidas=(Puerto(nombre="dicho", tipo=Tipo.TEXTO, requerido=True),),
        ejecutor=Ejecutor(funcion=funcion, repetible=repetible, arriendo_s=60),
    )


def de_agente(nombre: str) -> Paso:
    """A step of the Hermes profile `oferta`."""
    return Paso(
        id=nombre,
        titulo=nombre.capitalize(),
        clase=Clase.AGENTE,
        salidas=(Puerto(nombre="dicho", tipo=Tipo.TEXTO, requerido=True),),
        ejecutor=Ejecutor(perfil="oferta", arriendo_s=60),
    )


def humano(nombre: str) -> Paso:
    """A question without answer to write."""
    return Paso(id=nombre, titulo=nombre.capitalize(), clase=Clase.MANUAL)
