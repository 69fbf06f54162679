"""Other plans for a run that is under way: good changes of what is to come, and bad ones of every kind."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from pydantic import JsonValue

from nucleo.recorridos.estado import Recorrido
from nucleo.recorridos.plan import Clase, Ejecutor, Entrada, Literal_, Paso, Plan, Puerto, Salida, Tipo
from tests.recorridos.invariantes import por_venir

Cambio = Callable[[Random, Plan, Recorrido], Plan | None]


def otro_plan(azar: Random, plan: Plan, foto: Recorrido) -> Plan:
    """A change of some kind, good two times of three; the same plan when that kind has nothing to change."""
    cambio = azar.choice(BUENOS * 4 + MALOS * 2)
    if azar.random() < 0.25 and (exigente := _exigir_dispensado(azar, plan, foto)):
        return exigente
    return cambio(azar, plan, foto) or plan


def _con(plan: Plan, *cambiados: Paso, fuera: str = "", nuevos: tuple[Paso, ...] = ()) -> Plan:
    """The plan with those steps in place of the ones with their names."""
    por_id = {p.id: p for p in cambiados}
    pasos = [por_id.get(p.id, p) for p in plan.pasos if p.id != fuera]
    return plan.model_copy(update={"pasos": (*pasos, *nuevos)})


def _futuros(plan: Plan, foto: Recorrido) -> list[Paso]:
    return [p for p in plan.pasos if por_venir(foto.pasos[p.id])]


def _pasados(plan: Plan, foto: Recorrido) -> list[Paso]:
    return [p for p in plan.pasos if not por_venir(foto.pasos[p.id])]


def _insertar(azar: Random, plan: Plan, foto: Recorrido) -> Plan | None:
    """A new task between a step to come and one of those before it."""
    aperturas = {p.id for p in plan.pasos if p.compuerta and p.compuerta.sentido == "abre"}
    sitios = [(p, d) for p in _futuros(plan, foto) for d in p.dependencias if d not in aperturas]
    if not sitios:
        return None
    paso, antes = azar.choice(sitios)
    nombre = f"n{foto.revision}"
    nuevo = Paso(
        id=nombre,
        titulo="Tarea nueva",
        clase=azar.choice([Clase.AGENTE, Clase.CODIGO, Clase.MANUAL]),
        dependencias=(antes,),
        trabajo=paso.trabajo,
        salidas=(Puerto(nombre="x", tipo=Tipo.ENTERO, requerido=True),),
    )
    dependencias = tuple(nombre if d == antes else d for d in paso.dependencias)
    return _con(plan, paso.model_copy(update={"dependencias": dependencias}), nuevos=(nuevo,))


def _retocar(azar: Random, plan: Plan, foto: Recorrido) -> Plan | None:
    """Another title, inputs or executor of a step to come."""
    futuros = [
        p for p in _futuros(plan, foto) if not p.compuerta and p.clase not in (Clase.INICIO, Clase.FIN)
    ]
    if not futuros:
        return None
    paso = azar.choice(futuros)
    entrada = Entrada(nombre="extra", tipo=Tipo.ENTERO, requerido=True, origen=Literal_(valor=1))
    entradas = tuple(e for e in paso.entradas if e.nombre != "extra")
    retoques: list[dict[str, object]] = [
        {"titulo": f"Retocado {foto.revision}"},
        {"entradas": (*entradas, entrada)},
        {"entradas": ()},
    ]
    if paso.clase is Clase.CODIGO:
        retoques.append({"ejecutor": Ejecutor(funcion="contar", arriendo_s=60)})
    return _con(plan, paso.model_copy(update=azar.choice(retoques)))


def _quitar(azar: Random, plan: Plan, foto: Recorrido) -> Plan | None:
    """One step less, sewing what follows to what went before."""
    tareas = [p for p in _futuros(plan, foto) if len(p.dependencias) == 1 and not p.compuerta]
    tareas = [p for p in tareas if p.clase is not Clase.FIN]
    if not tareas:
        return None
    paso = azar.choice(tareas)
    siguiente = next(p for p in plan.pasos if paso.id in p.dependencias)
    dependencias = tuple(paso.dependencias[0] if d == paso.id else d for d in siguiente.dependencias)
    return _con(plan, siguiente.model_copy(update={"dependencias": dependencias}), fuera=paso.id)


def _renombrar(_: Random, plan: Plan, foto: Recorrido) -> Plan:
    return plan.model_copy(update={"titulo": f"Otro título {foto.revision}"})


def _falsificar(azar: Random, plan: Plan, foto: Recorrido) -> Plan | None:
    """The past told otherwise, sometimes only in the type of a value."""
    pasados = [p for p in _pasados(plan, foto) if p.id != "alcance"]
    con_uno = [p for p in pasados for e in p.entradas if e.nombre == "extra"]
    if con_uno and azar.random() < 0.5:
        paso = azar.choice(con_uno)
        entradas = tuple(
            Entrada(nombre="extra", tipo=Tipo.BOOLEANO, requerido=True, origen=Literal_(valor=True))
            if e.nombre == "extra"
            else e
            for e in paso.entradas
        )
        return _con(plan, paso.model_copy(update={"entradas": entradas}))
    if not pasados:
        return None
    paso = azar.choice(pasados)
    return _con(plan, paso.model_copy(update={"titulo": "Nunca fue así"}))


def _olvidar(azar: Random, plan: Plan, foto: Recorrido) -> Plan | None:
    """A past task that was never there."""
    pasados = [p for p in _pasados(plan, foto) if not p.compuerta and p.clase is not Clase.INICIO]
    if not pasados:
        return None
    paso = azar.choice(pasados)
    siguiente = next((p for p in plan.pasos if paso.id in p.dependencias), None)
    if siguiente is None:
        return None
    dependencias = tuple(paso.dependencias[0] if d == paso.id else d for d in siguiente.dependencias)
    return _con(plan, siguiente.model_copy(update={"dependencias": dependencias}), fuera=paso.id)


def _otra_peticion(azar: Random, plan: Plan, _: Recorrido) -> Plan:
    veces: JsonValue = azar.choice([True, 1.0, 2])
    cambios: list[dict[str, object]] = [
        {"peticion": "otra cosa"},
        {"contexto": {**plan.contexto, "veces": veces}},
        {"contexto": {**plan.contexto, "mas": 1}},
        {"plantilla": None if plan.plantilla else "prueba@1"},
    ]
    return plan.model_copy(update=azar.choice(cambios))


def _invalido(azar: Random, plan: Plan, _: Recorrido) -> Plan:
    """Something that no plan may be."""
    fin = next(p for p in plan.pasos if p.clase is Clase.FIN)
    paso = next(p for p in plan.pasos if p.id == "alcance")
    malos = [
        _con(plan, fin.model_copy(update={"dependencias": ("no-existe",)})),
        _con(plan, fuera=fin.id),
        _con(plan, paso.model_copy(update={"clase": Clase.CODIGO}))
        if plan.plantilla
        else _con(plan, fuera=fin.id),
    ]
    return azar.choice(malos)


def _exigir_dispensado(azar: Random, plan: Plan, foto: Recorrido) -> Plan | None:
    """A step to come that needs what a waived one would have left."""
    futuros = [p for p in _futuros(plan, foto) if str(p.clase) in ("agente", "codigo", "manual")]
    sitios = [
        (q, p, s)
        for q in plan.pasos
        if str(foto.pasos[q.id].estado) == "dispensado"
        for s in q.salidas
        if s.requerido
        for p in futuros
    ]
    if not sitios:
        return None
    de, paso, salida = azar.choice(sitios)
    entrada = Entrada(
        nombre="extra",
        tipo=salida.tipo,
        opciones=salida.opciones,
        requerido=True,
        origen=Salida(paso=de.id, salida=salida.nombre),
    )
    entradas = tuple(e for e in paso.entradas if e.nombre != "extra")
    return _con(plan, paso.model_copy(update={"entradas": (*entradas, entrada)}))


BUENOS: list[Cambio] = [_insertar, _insertar, _retocar, _retocar, _quitar, _renombrar]
MALOS: list[Cambio] = [_falsificar, _falsificar, _olvidar, _otra_peticion, _invalido, _exigir_dispensado]
