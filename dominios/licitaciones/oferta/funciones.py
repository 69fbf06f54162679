"""The functions of the template's code steps: those that only leave word of something, and those still to come.

What is still to come refuses, so that no run ever goes on over something that nobody did.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from dominios.licitaciones.oferta.plantilla import OFERTA
from nucleo.errores import ErrorSobre
from nucleo.recorridos.casa import EncargoPaso, Funcion, ResultadoPaso


class PiezaPendiente(ErrorSobre):
    """The step belongs to a part of the program that this version does not have."""

    codigo = "pieza_pendiente"


def _registrar_descarte(encargo: EncargoPaso) -> ResultadoPaso:
    return ResultadoPaso(salidas={}, mensaje=f"No se presenta oferta. Motivo: {encargo.entradas['motivo']}")


def _sin_anexos(_: EncargoPaso) -> ResultadoPaso:
    return ResultadoPaso(
        salidas={}, mensaje="La ficha no recoge DEUC, garantía provisional ni unión temporal."
    )


def _sin_memoria(_: EncargoPaso) -> ResultadoPaso:
    return ResultadoPaso(salidas={}, mensaje="La ficha no recoge ninguna memoria que se valore.")


CONSTANCIA = {
    "oferta_registrar_descarte": _registrar_descarte,
    "oferta_sin_anexos": _sin_anexos,
    "oferta_sin_memoria": _sin_memoria,
}
"""Their whole effect is the evidence that they leave in the run."""


def funciones() -> Mapping[str, Funcion]:
    """Every function that the template names, by name."""
    return {
        funcion: Funcion(nombre=funcion, ejecutar=CONSTANCIA.get(funcion) or _pendiente(paso.titulo))
        for paso in OFERTA.pasos
        if paso.ejecutor and (funcion := paso.ejecutor.funcion)
    }


def _pendiente(titulo: str) -> Callable[[EncargoPaso], ResultadoPaso]:
    def negarse(_: EncargoPaso) -> ResultadoPaso:
        raise PiezaPendiente(
            f"«{titulo}» todavía no existe en esta versión de Sobre Abierto y el recorrido no puede pasar de aquí. "
            "Actualiza el programa y reinténtalo, o cancela el recorrido."
        )

    return negarse
