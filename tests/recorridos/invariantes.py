"""What must always hold of a run, worked out apart from the engine: no constant of its own is used here.

`de_foto` looks at one snapshot; `Historia` at what came before it: every revision, event and attempt.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Any

from pydantic import JsonValue

from nucleo.recorridos.estado import EstadoPaso, Recorrido
from nucleo.recorridos.plan import (
    Compuerta,
    Condicion,
    Contexto,
    Entrada,
    Literal_,
    Paso,
    Plan,
    Puerto,
    Salida,
    Tipo,
)
from tests.recorridos.planes import valores_de

PERSONAS = {"manual", "aprobacion"}
MAQUINAS = {"agente", "codigo"}
RESUELTOS = {"completado", "omitido", "dispensado"}
ACTIVADOS = {"completado", "dispensado"}
FINALES = {"completado", "rechazado", "cancelado"}
ABIERTOS = {"en_curso", "dudoso"}
NO_MUEVEN = {"latido", "anotar"}

ESTADOS_DE = {
    "estructura": {"bloqueado", "completado", "omitido"},
    "persona": {"bloqueado", "esperando", "completado", "rechazado", "omitido", "dispensado"},
    "maquina": {
        "bloqueado",
        "listo",
        "en_curso",
        "dudoso",
        "fallido",
        "completado",
        "omitido",
        "dispensado",
    },
}
PASOS_DE_ESTADO = {
    ("bloqueado", "listo"),
    ("bloqueado", "esperando"),
    ("bloqueado", "completado"),
    ("bloqueado", "omitido"),
    ("listo", "en_curso"),
    ("listo", "dispensado"),
    ("en_curso", "completado"),
    ("en_curso", "fallido"),
    ("en_curso", "dudoso"),
    ("dudoso", "completado"),
    ("dudoso", "fallido"),
    ("dudoso", "listo"),
    ("fallido", "listo"),
    ("fallido", "dispensado"),
    ("esperando", "completado"),
    ("esperando", "rechazado"),
    ("esperando", "dispensado"),
}
"""What one command may do to a step outside a redo and a change of plan."""

INTENTOS = {
    ("en_curso", "en_curso"),
    ("en_curso", "completado"),
    ("en_curso", "fallido"),
    ("en_curso", "dudoso"),
    ("dudoso", "completado"),
    ("dudoso", "fallido"),
    ("dudoso", "abandonado"),
}


def tipado(a: object, b: object) -> bool:
    """Same value and same type, all the way down."""
    if type(a) is not type(b):
        return False
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(tipado(x, y) for x, y in zip(a, b, strict=True))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(tipado(v, b[k]) for k, v in a.items())
    return a == b


def clase_de(paso: Paso) -> str:
    """Structure, person or machine."""
    if str(paso.clase) in PERSONAS:
        return "persona"
    return "maquina" if str(paso.clase) in MAQUINAS else "estructura"


def es_buena(puerto: Puerto, valor: JsonValue) -> bool:
    """Whether the value is one of those that the generator knows to be good."""
    return any(tipado(valor, bueno) for bueno in valores_de(puerto))


def salidas_buenas(paso: Paso, salidas: Mapping[str, JsonValue] | None) -> bool:
    """Only declared outputs, all the required ones, all of them good."""
    puertos = {p.nombre: p for p in paso.salidas}
    dadas = salidas or {}
    if any(nombre not in puertos for nombre in dadas):
        return False
    return all(
        es_buena(p, dadas[nombre]) if nombre in dadas else not p.requerido for nombre, p in puertos.items()
    )


def region(pasos: Mapping[str, Paso], aprobacion: Paso) -> list[str]:
    """Steps that a rejection makes again."""
    atras = [aprobacion.dependencias[0]]
    while atras[-1] != aprobacion.rehacer_desde:
        atras.append(pasos[atras[-1]].dependencias[0])
    return atras


def entradas_esperadas(plan: Plan, paso: Paso, estados: Mapping[str, EstadoPaso]) -> dict[str, JsonValue]:
    """The inputs of a step, read again from their origins."""
    return {e.nombre: valor[0] for e in paso.entradas if (valor := _valor(plan, e, estados))}


def _valor(plan: Plan, entrada: Entrada, estados: Mapping[str, EstadoPaso]) -> list[JsonValue]:
    match entrada.origen:
        case Literal_(valor=v):
            return [v]
        case Contexto(clave=c):
            return [plan.contexto[c]] if c in plan.contexto else []
        case Salida(paso=p, salida=s):
            salidas = estados[p].salidas or {}
            return [salidas[s]] if s in salidas else []
    return []


def ramas_esperadas(
    compuerta: Compuerta, pasos: Mapping[str, Paso], estados: Mapping[str, EstadoPaso]
) -> set[str]:
    """The branches that a gate must have chosen, from the outputs there are."""
    tipo = str(compuerta.tipo)
    if tipo == "paralela":
        return {r.destino for r in compuerta.rutas}
    ciertas = [r.destino for r in compuerta.rutas if r.cuando and _se_cumple(r.cuando, pasos, estados)]
    if not ciertas:
        return {str(compuerta.por_defecto)}
    return set(ciertas[:1] if tipo == "exclusiva" else ciertas)


def _se_cumple(condicion: Condicion, pasos: Mapping[str, Paso], estados: Mapping[str, EstadoPaso]) -> bool:
    salidas = estados[condicion.paso].salidas or {}
    if condicion.salida not in salidas:
        return False
    tipo = next(p.tipo for p in pasos[condicion.paso].salidas if p.nombre == condicion.salida)
    tiene, op = _medida(tipo, salidas[condicion.salida]), str(condicion.op)
    if op == "existe":
        return True
    if op == "en":
        assert isinstance(condicion.valor, list)
        return tiene in [_medida(tipo, v) for v in condicion.valor]
    dado = _medida(tipo, condicion.valor)
    return bool({"igual": tiene == dado, "distinto": tiene != dado}.get(op) or _orden(op, tiene, dado))


def _orden(op: str, tiene: Any, dado: Any) -> bool:
    if op not in ("mayor", "menor"):
        return False
    return bool(tiene > dado if op == "mayor" else tiene < dado)


def _medida(tipo: Tipo, valor: JsonValue) -> Any:
    if tipo is Tipo.IMPORTE:
        return Decimal(str(valor))
    if tipo is Tipo.FECHA:
        return date.fromisoformat(str(valor))
    return (type(valor).__name__ if isinstance(valor, bool | str) else "numero", valor)


def de_foto(plan: Plan, r: Recorrido) -> None:
    """I1-I6, I8-I13, I36, I37 and I43 of one snapshot."""
    pasos = {p.id: p for p in plan.pasos}
    assert set(r.pasos) == set(pasos), "the snapshot has the steps of its plan"
    for i, paso in pasos.items():
        _de_paso(plan, pasos, r.pasos, paso)
        assert r.pasos[i].rev_base <= r.revision
    todo = all(str(p.estado) in RESUELTOS for p in r.pasos.values())
    if str(r.estado) == "completado":
        assert todo, "I11"
    if str(r.estado) == "activo":
        assert not todo, "I11"
        _punto_fijo(pasos, r.pasos)
        assert any(
            str(p.estado) in {"listo", "esperando", "en_curso", "dudoso", "fallido"} for p in r.pasos.values()
        ), "I13 nobody can act"
    rechazados = [i for i, p in r.pasos.items() if str(p.estado) == "rechazado"]
    assert bool(rechazados) == (str(r.estado) == "rechazado"), "I36"
    assert (r.propuesta is None) or str(r.estado) == "pausado"
    assert (r.archivado is None) or str(r.estado) in FINALES


def _punto_fijo(pasos: Mapping[str, Paso], estados: Mapping[str, EstadoPaso]) -> None:
    for i, paso in pasos.items():
        if str(estados[i].estado) == "bloqueado":
            assert any(str(estados[d].estado) not in RESUELTOS for d in paso.dependencias), ("I12", i)


def _de_paso(plan: Plan, pasos: Mapping[str, Paso], estados: Mapping[str, EstadoPaso], paso: Paso) -> None:
    i, p = paso.id, estados[paso.id]
    estado, clase = str(p.estado), clase_de(paso)
    assert estado in ESTADOS_DE[clase], ("I9", i, estado)
    if estado != "bloqueado":
        _camino(pasos, estados, paso)
    if clase != "maquina":
        assert p.intento == 0 and p.ultimo is None, ("I9", i)
    if estado == "omitido":
        assert p.intento == 0 and p.salidas is None and p.entradas is None, ("I4", i)
    if estado == "completado" and clase != "estructura":
        assert p.salidas is not None and salidas_buenas(paso, p.salidas), ("I5", i)
    else:
        assert p.salidas is None, ("I5", i)
    if (
        estado in {"listo", "esperando", "en_curso", "dudoso", "fallido", "completado"}
        and clase != "estructura"
    ):
        assert tipado(p.entradas, entradas_esperadas(plan, paso, estados)), ("I6", i)
    assert (p.ultimo is not None) == (p.intento > 0), ("I7", i)
    if p.ultimo is not None:
        assert p.ultimo.n == p.intento and p.ultimo.paso == i, ("I7", i)
        assert (str(p.ultimo.estado) in ABIERTOS) == (estado in ABIERTOS), ("I8", i)
        assert estado not in ABIERTOS or str(p.ultimo.estado) == estado, ("I8", i)
    _ramas(pasos, estados, paso)
    if estado == "dispensado":
        _prescindible(pasos, estados, i)
    assert p.rehechos <= (paso.max_rehechos if paso.rehacer_desde else 0), ("I43", i)


def _camino(pasos: Mapping[str, Paso], estados: Mapping[str, EstadoPaso], paso: Paso) -> None:
    """I1, I2 and I3: what it depends on is resolved, and it was skipped exactly when nothing reaches it."""
    i, dependencias = paso.id, paso.dependencias
    assert all(str(estados[d].estado) in RESUELTOS for d in dependencias), ("I1", i)
    if not dependencias:
        return
    llegan = [
        str(estados[d].estado) in ACTIVADOS and (estados[d].ramas is None or i in (estados[d].ramas or ()))
        for d in dependencias
    ]
    cierra = paso.compuerta is not None and paso.compuerta.sentido == "cierra"
    activo = any(llegan) if cierra else all(llegan)
    assert (str(estados[i].estado) == "omitido") == (not activo), ("I2", i)
    if cierra and activo:
        apertura = str(paso.compuerta and paso.compuerta.abre)
        assert str(estados[apertura].estado) == "completado", ("I3", i)
        vivas = [d for d in dependencias if str(estados[d].estado) != "omitido"]
        assert len(vivas) == len(estados[apertura].ramas or ()), ("I3", i)


def _ramas(pasos: Mapping[str, Paso], estados: Mapping[str, EstadoPaso], paso: Paso) -> None:
    p = estados[paso.id]
    abre = paso.compuerta is not None and paso.compuerta.sentido == "abre"
    assert (p.ramas is not None) == (abre and str(p.estado) == "completado"), ("I10", paso.id)
    if p.ramas is not None and paso.compuerta is not None:
        assert set(p.ramas) == ramas_esperadas(paso.compuerta, pasos, estados), ("I10", paso.id)
        assert len(set(p.ramas)) == len(p.ramas)


def _prescindible(pasos: Mapping[str, Paso], estados: Mapping[str, EstadoPaso], i: str) -> None:
    for otro in pasos.values():
        for e in otro.entradas:
            if e.requerido and isinstance(e.origen, Salida) and e.origen.paso == i:
                assert str(estados[otro.id].estado) == "omitido", ("I37", i, otro.id)


def por_venir(estado: EstadoPaso) -> bool:
    """Whether nobody has taken the step nor been asked about it."""
    return str(estado.estado) in {"bloqueado", "listo"} and not estado.intento and not estado.rehechos


def sin_arriendos(r: Recorrido) -> Recorrido:
    """The snapshot without the instants of the leases, which leave no event."""
    pasos = {
        i: p.model_copy(update={"ultimo": p.ultimo.model_copy(update={"vence": r.creado})}) if p.ultimo else p
        for i, p in r.pasos.items()
    }
    return r.model_copy(update={"pasos": pasos})
