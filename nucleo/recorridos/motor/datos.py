"""Values that go in and out of a step, checked against its ports."""

from __future__ import annotations

from collections.abc import Mapping

from nucleo.recorridos.errores import ErrorRecorrido
from nucleo.recorridos.estado import EstadoPaso
from nucleo.recorridos.plan import Contexto, Entrada, Literal_, Paso, Salida, Valores
from nucleo.recorridos.validar import PlanValido
from nucleo.recorridos.valores import SALIDAS_MAXIMO, Esquemas, problema_de, tamano


def entradas_de(plan: PlanValido, paso: Paso, pasos: Mapping[str, EstadoPaso]) -> Valores:
    """The inputs of a step whose dependencies are resolved; an optional one without value is left out.

    Raises ErrorRecorrido ENTRADA_INVALIDA: a fault of ours, since the plan was checked.
    """
    entradas: Valores = {}
    for entrada in paso.entradas:
        valores, clave = _donde(plan, entrada, pasos)
        if clave not in valores:
            if entrada.requerido:
                raise _invalida(paso, f"falta «{entrada.nombre}»")
            continue
        if problema := problema_de(entrada, valores[clave], plan.esquemas):
            raise _invalida(paso, problema)
        entradas[entrada.nombre] = valores[clave]
    return entradas


def _donde(plan: PlanValido, entrada: Entrada, pasos: Mapping[str, EstadoPaso]) -> tuple[Valores, str]:
    match entrada.origen:
        case Literal_(valor=valor):
            return {"valor": valor}, "valor"
        case Contexto(clave=clave):
            return plan.plan.contexto, clave
        case Salida(paso=de, salida=salida):
            return pasos[de].salidas or {}, salida
        case None:
            return {}, ""


def salidas_de(paso: Paso, valores: Valores | None, esquemas: Esquemas) -> Valores:
    """The outputs, if they are what the step promises. Raises ErrorRecorrido SALIDA_INVALIDA with all the problems."""
    salidas = dict(valores or {})
    puertos = {p.nombre: p for p in paso.salidas}
    problemas = [f"«{nombre}» no es una salida de este paso" for nombre in salidas if nombre not in puertos]
    for nombre, puerto in puertos.items():
        if nombre in salidas:
            problema = problema_de(puerto, salidas[nombre], esquemas)
            problemas += [problema] if problema else []
        elif puerto.requerido:
            problemas.append(f"falta «{nombre}»")
    if not problemas and tamano(salidas) > SALIDAS_MAXIMO:
        problemas.append("pasan de 32 KiB: guarda el documento como artefacto y deja aquí su identificador")
    if problemas:
        raise salida_invalida(paso, problemas)
    return salidas


def salida_invalida(paso: Paso, problemas: list[str]) -> ErrorRecorrido:
    """The refusal of some outputs or of an answer."""
    return ErrorRecorrido("SALIDA_INVALIDA", f"No vale lo que deja «{paso.titulo}»: {'; '.join(problemas)}.")


def _invalida(paso: Paso, problema: str) -> ErrorRecorrido:
    return ErrorRecorrido("ENTRADA_INVALIDA", f"No se puede abrir «{paso.titulo}»: {problema}.")
