"""Plans spoiled at a gate."""

from __future__ import annotations

from random import Random

from nucleo.recorridos.plan import (
    Compuerta,
    Condicion,
    Operador,
    Paso,
    Plan,
    Ruta,
    TipoCompuerta,
)
from tests.recorridos.roturas import Corrompido, con


def _apertura(azar: Random, plan: Plan, *tipos: TipoCompuerta) -> tuple[Paso, Compuerta] | None:
    abren = [
        (p, p.compuerta)
        for p in plan.pasos
        if p.compuerta and p.compuerta.sentido == "abre" and p.compuerta.tipo in tipos
    ]
    return azar.choice(abren) if abren else None


CONDICIONALES = (TipoCompuerta.EXCLUSIVA, TipoCompuerta.INCLUSIVA)


def condicion_que_no_va(azar: Random, plan: Plan) -> Corrompido | None:
    """Of another type, of nobody, of an operator that does not compare that."""
    if (abre := _apertura(azar, plan, *CONDICIONALES)) is None:
        return None
    paso, compuerta = abre
    condicion = azar.choice(
        [
            Condicion(paso="alcance", salida="ok", valor=1),
            Condicion(paso="alcance", salida="cuantos", valor=True),
            Condicion(paso="alcance", salida="cuantos", op=Operador.EN, valor=[]),
            Condicion(paso="alcance", salida="cuantos", op=Operador.EN, valor=[1, True]),
            Condicion(paso="alcance", salida="cuantos", op=Operador.EN, valor=1),
            Condicion(paso="alcance", salida="ok", op=Operador.MAYOR, valor=False),
            Condicion(paso="alcance", salida="nota", op=Operador.MENOR, valor="x"),
            Condicion(paso="alcance", salida="ok", op=Operador.EXISTE, valor=1),
            Condicion(paso="alcance", salida="ok", op=Operador.EXISTE, valor=False),
            Condicion(paso="alcance", salida="nadie", valor=True),
            Condicion(paso="fin", salida="ok", valor=True),
        ]
    )
    rutas = tuple(r.model_copy(update={"cuando": condicion}) if r.cuando else r for r in compuerta.rutas)
    return _con_compuerta(plan, paso, compuerta.model_copy(update={"rutas": rutas}))


def _con_compuerta(plan: Plan, paso: Paso, compuerta: Compuerta) -> Corrompido:
    return con(plan, paso.model_copy(update={"compuerta": compuerta})), paso.id


def defecto_que_no_va(azar: Random, plan: Plan) -> Corrompido | None:
    """Without default, with one that is not a route, or with two."""
    if (abre := _apertura(azar, plan, *CONDICIONALES)) is None:
        return None
    paso, compuerta = abre
    sin = tuple(r.model_copy(update={"cuando": None}) for r in compuerta.rutas)
    cambios: dict[str, object] = azar.choice([{"por_defecto": None}, {"por_defecto": "fin"}, {"rutas": sin}])
    return _con_compuerta(plan, paso, compuerta.model_copy(update=cambios))


def paralela_que_elige(azar: Random, plan: Plan) -> Corrompido | None:
    if (abre := _apertura(azar, plan, TipoCompuerta.PARALELA)) is None:
        return None
    paso, compuerta = abre
    condicion = Condicion(paso="alcance", salida="ok", valor=True)
    rutas = (compuerta.rutas[0].model_copy(update={"cuando": condicion}), *compuerta.rutas[1:])
    cambios: dict[str, object] = azar.choice([{"rutas": rutas}, {"por_defecto": compuerta.rutas[0].destino}])
    return _con_compuerta(plan, paso, compuerta.model_copy(update=cambios))


def rutas_que_no_van(azar: Random, plan: Plan) -> Corrompido | None:
    if (abre := _apertura(azar, plan, *TipoCompuerta)) is None:
        return None
    paso, compuerta = abre
    ultima = compuerta.rutas[-1]
    rutas = azar.choice(
        [
            compuerta.rutas[:1],
            (*compuerta.rutas, ultima),
            (*compuerta.rutas[:-1], ultima.model_copy(update={"destino": "fin"})),
        ]
    )
    return _con_compuerta(plan, paso, compuerta.model_copy(update={"rutas": rutas}))


def _cierre(azar: Random, plan: Plan) -> tuple[Paso, Compuerta] | None:
    cierran = [(p, p.compuerta) for p in plan.pasos if p.compuerta and p.compuerta.sentido == "cierra"]
    return azar.choice(cierran) if cierran else None


def cierre_que_no_va(azar: Random, plan: Plan) -> Corrompido | None:
    """Of another type, of nobody, or with routes of its own."""
    if (cierra := _cierre(azar, plan)) is None:
        return None
    paso, compuerta = cierra
    otro = azar.choice([t for t in TipoCompuerta if t is not compuerta.tipo])
    cambios: dict[str, object] = azar.choice(
        [
            {"tipo": otro},
            {"abre": None},
            {"abre": "alcance"},
            {"abre": paso.id},
            {"rutas": (Ruta(destino="fin"),)},
        ]
    )
    return _con_compuerta(plan, paso, compuerta.model_copy(update=cambios))


def rama_vacia(azar: Random, plan: Plan) -> Corrompido | None:
    """A way from the opening straight to its closing."""
    if (cierra := _cierre(azar, plan)) is None:
        return None
    cierre, compuerta = cierra
    apertura = next(p for p in plan.pasos if p.id == compuerta.abre)
    if apertura.compuerta is None or apertura.compuerta.tipo is not TipoCompuerta.PARALELA:
        return None
    rutas = (*apertura.compuerta.rutas, Ruta(destino=cierre.id))
    plan = con(plan, cierre.model_copy(update={"dependencias": (*cierre.dependencias, apertura.id)}))
    return _con_compuerta(plan, apertura, apertura.compuerta.model_copy(update={"rutas": rutas}))
