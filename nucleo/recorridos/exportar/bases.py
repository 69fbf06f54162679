"""What each person had in front when deciding: the inputs of the step, worked out from what had happened until then."""

from __future__ import annotations

from nucleo.recorridos.comandos import TipoComando
from nucleo.recorridos.exportar.modelo import Evidencia, PlanDe
from nucleo.recorridos.plan import Contexto, Entrada, Literal_, Paso, Plan, Salida, Valores

_DEJAN = frozenset((TipoComando.COMPLETAR, TipoComando.RESPONDER, TipoComando.APROBAR))
_DECIDEN = frozenset((*_DEJAN - {TipoComando.COMPLETAR}, TipoComando.RECHAZAR, TipoComando.DISPENSAR))


def bases(evidencia: Evidencia) -> dict[int, Valores]:
    """Number of the event of a decision on a step → that step's inputs then, also when it was made again later."""
    vistas: dict[int, Valores] = {}
    dejado: dict[str, Valores] = {}
    for evento in evidencia.eventos:
        comando = evento.comando
        if comando is None or comando.paso is None:
            continue
        plan = plan_en(evidencia, evento.revision).plan
        paso = next((p for p in plan.pasos if p.id == comando.paso), None)
        if paso is not None and comando.tipo in _DECIDEN:
            vistas[evento.n] = _entradas(plan, paso, dejado)
        if comando.tipo in _DEJAN:
            dejado[comando.paso] = comando.salidas or {}
    return vistas


def plan_en(evidencia: Evidencia, revision: int) -> PlanDe:
    """The version that was current at that revision."""
    return next((p for p in reversed(evidencia.planes) if p.revision <= revision), evidencia.planes[0])


def _entradas(plan: Plan, paso: Paso, dejado: dict[str, Valores]) -> Valores:
    entradas: Valores = {}
    for entrada in paso.entradas:
        fuente, clave = _fuente(plan, entrada, dejado)
        if clave in fuente:
            entradas[entrada.nombre] = fuente[clave]
    return entradas


def _fuente(plan: Plan, entrada: Entrada, dejado: dict[str, Valores]) -> tuple[Valores, str]:
    match entrada.origen:
        case Literal_(valor=valor):
            return {"valor": valor}, "valor"
        case Contexto(clave=clave):
            return plan.contexto, clave
        case Salida(paso=de, salida=salida):
            return dejado.get(de, {}), salida
        case None:
            return {}, ""
