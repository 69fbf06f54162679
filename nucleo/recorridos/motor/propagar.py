"""How the run goes on by itself: steps open, gates choose, branches that nobody chose are skipped.

Each step has a final word once those it depends on have theirs, so that one pass in the plan's order is enough.
"""

from __future__ import annotations

from nucleo.recorridos.estado import RESUELTAS, EstadoRecorrido, Situacion
from nucleo.recorridos.motor.borrador import Borrador
from nucleo.recorridos.motor.datos import entradas_de
from nucleo.recorridos.plan import ESTRUCTURA, HUMANO, Compuerta, Condicion, Paso, TipoCompuerta
from nucleo.recorridos.valores import compara


def propagar(borrador: Borrador) -> None:
    """Open whatever can be opened; nothing while the run is not active."""
    if borrador.estado is not EstadoRecorrido.ACTIVO:
        return
    for i in borrador.plan.orden:
        if borrador.pasos[i].estado is Situacion.BLOQUEADO:
            _abrir(borrador, borrador.plan.pasos[i])
    if all(p.estado in RESUELTAS for p in borrador.pasos.values()):
        borrador.fin()


def _abrir(borrador: Borrador, paso: Paso) -> None:
    if any(borrador.pasos[d].estado not in RESUELTAS for d in paso.dependencias):
        return
    if not _activado(borrador, paso):
        borrador.poner(paso.id, Situacion.OMITIDO)
        borrador.ruta(paso.id, "omitido")
    elif paso.clase in ESTRUCTURA:
        _pasar(borrador, paso)
    else:
        entradas = entradas_de(borrador.plan, paso, borrador.pasos)
        situacion = Situacion.ESPERANDO if paso.clase in HUMANO else Situacion.LISTO
        borrador.poner(paso.id, situacion, entradas=entradas)
        borrador.ruta(paso.id, situacion)


def _activado(borrador: Borrador, paso: Paso) -> bool:
    """Whether the flow reaches it: through every dependency, or through one of them if it closes a block."""
    llegan = [_deja_pasar(borrador, d, paso.id) for d in paso.dependencias]
    if paso.compuerta is not None and paso.compuerta.sentido == "cierra":
        return any(llegan)
    return all(llegan)


def _deja_pasar(borrador: Borrador, dependencia: str, hacia: str) -> bool:
    estado = borrador.pasos[dependencia]
    if estado.estado is Situacion.OMITIDO:
        return False
    return estado.ramas is None or hacia in estado.ramas


def _pasar(borrador: Borrador, paso: Paso) -> None:
    ramas = None
    if paso.compuerta is not None and paso.compuerta.sentido == "abre":
        ramas = _elegir(borrador, paso.compuerta)
    borrador.poner(paso.id, Situacion.COMPLETADO, ramas=ramas)
    borrador.ruta(paso.id, "completado" if ramas is None else f"elige {', '.join(ramas)}")


def _elegir(borrador: Borrador, compuerta: Compuerta) -> tuple[str, ...]:
    """The routes taken, by their first step; decided once and never again."""
    if compuerta.tipo is TipoCompuerta.PARALELA:
        return tuple(r.destino for r in compuerta.rutas)
    ciertas = tuple(r.destino for r in compuerta.rutas if r.cuando and _se_cumple(borrador, r.cuando))
    if compuerta.tipo is TipoCompuerta.EXCLUSIVA:
        ciertas = ciertas[:1]
    if not ciertas and compuerta.por_defecto is not None:
        return (compuerta.por_defecto,)
    return ciertas


def _se_cumple(borrador: Borrador, condicion: Condicion) -> bool:
    """Without that output (optional, skipped or waived) it does not hold."""
    salidas = borrador.pasos[condicion.paso].salidas or {}
    if condicion.salida not in salidas:
        return False
    puerto = next(p for p in borrador.plan.pasos[condicion.paso].salidas if p.nombre == condicion.salida)
    return compara(puerto.tipo, condicion.op, salidas[condicion.salida], condicion.valor)
