"""Which commands must be accepted: the rules of a run said a second time, apart from the engine.

Each rule gives the code of a refusal. A command must be accepted exactly when no rule speaks, and a refusal must give
the code of one that does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from nucleo.recorridos.comandos import Actor, Comando
from nucleo.recorridos.errores import PlanInvalido
from nucleo.recorridos.estado import EstadoPaso, Recorrido
from nucleo.recorridos.plan import Paso, Plan, Salida
from nucleo.recorridos.validar import validar
from tests.recorridos.historia import Historia
from tests.recorridos.invariantes import clase_de, por_venir, salidas_buenas, tipado
from tests.recorridos.planes import CASA, PROHIBIDO

DEL_RECORRIDO = {
    "pausar",
    "reanudar",
    "cancelar",
    "proponer_plan",
    "aceptar_plan",
    "descartar_plan",
    "archivar",
    "desarchivar",
}
HUMANOS = (DEL_RECORRIDO - {"proponer_plan"}) | {"responder", "aprobar", "rechazar", "dispensar"}
INFORMES = {"latido", "anotar", "completar", "fallar"}
EN_PAUSA = INFORMES | {"vencer", "reanudar", "cancelar", "aceptar_plan", "descartar_plan"}
SITUACION = {
    "iniciar": ({"listo"}, "NO_LISTO"),
    "latido": ({"en_curso"}, "NO_EN_CURSO"),
    "anotar": ({"en_curso"}, "NO_EN_CURSO"),
    "completar": ({"en_curso", "dudoso"}, "NO_EN_CURSO"),
    "fallar": ({"en_curso", "dudoso"}, "NO_EN_CURSO"),
    "vencer": ({"en_curso"}, "NO_EN_CURSO"),
    "reintentar": ({"fallido", "dudoso"}, "NO_FALLIDO"),
    "responder": ({"esperando"}, "NO_ESPERA"),
    "aprobar": ({"esperando"}, "NO_ESPERA"),
    "rechazar": ({"esperando"}, "NO_ESPERA"),
    "dispensar": ({"listo", "esperando", "fallido"}, "NO_DISPENSABLE"),
}
CLASES = {
    "responder": {"manual"},
    "aprobar": {"aprobacion"},
    "rechazar": {"aprobacion"},
    "dispensar": {"manual", "agente", "codigo"},
}
LLEVAN = {
    "salidas": {"completar", "responder", "aprobar"},
    "traza": {"anotar", "completar", "fallar"},
    "plan": {"proponer_plan"},
    "reconciliado": {"reintentar"},
    "trabajador": {"iniciar"},
    "ref": {"iniciar"},
}


@dataclass(frozen=True)
class Caso:
    """A command in its circumstances."""

    historia: Historia
    comando: Comando
    actor: Actor
    ahora: datetime

    @property
    def tipo(self) -> str:
        """What is asked."""
        return str(self.comando.tipo)

    @property
    def foto(self) -> Recorrido:
        """The run before it."""
        return self.historia.foto

    @property
    def paso(self) -> Paso:
        """The step, if there is one."""
        return next(p for p in self.historia.plan.pasos if p.id == self.comando.paso)

    @property
    def estado(self) -> EstadoPaso:
        """Its state."""
        return self.foto.pasos[self.paso.id]

    @property
    def persona(self) -> bool:
        """Whether somebody of flesh and blood asks."""
        return str(self.actor.clase) == "persona"

    @property
    def coordina(self) -> bool:
        """Whether who asks leads the run."""
        if str(self.actor.clase) == "ejecutor":
            return self.foto.coordinador == "sistema"
        return str(self.actor.clase) == "agente" and self.actor.nombre == self.foto.coordinador != "sistema"


def motivos(caso: Caso) -> set[str]:
    """Codes with which the command may be refused; none when it must be accepted."""
    de_todo = set(_forma(caso)) | set(_identidad(caso)) | set(_del_recorrido(caso))
    if caso.tipo in DEL_RECORRIDO:
        return de_todo | set(_de_pantalla(caso)) | set(_de_plan(caso))
    if caso.comando.paso not in caso.foto.pasos:
        return de_todo | {"NO_EXISTE"}
    return de_todo | set(_del_paso(caso)) | set(_de_lo_que_lleva(caso))


def _forma(caso: Caso) -> Iterator[str]:
    c = caso.comando
    for campo, tipos in LLEVAN.items():
        if getattr(c, campo) not in (None, False) and caso.tipo not in tipos:
            yield "COMANDO_INVALIDO"
    if caso.tipo in DEL_RECORRIDO and (c.paso is not None or c.intento is not None):
        yield "COMANDO_INVALIDO"
    if caso.tipo not in DEL_RECORRIDO and c.paso is None:
        yield "COMANDO_INVALIDO"
    if caso.tipo in INFORMES and c.intento is None:
        yield "COMANDO_INVALIDO"


def _identidad(caso: Caso) -> Iterator[str]:
    clase = str(caso.actor.clase)
    if caso.persona:
        if caso.actor.rol not in ("admin", "editor") or caso.tipo not in HUMANOS | {"reintentar"}:
            yield "PROHIBIDO"
    elif caso.tipo in HUMANOS or (caso.tipo == "vencer") != (clase == "reloj"):
        yield "PROHIBIDO"
    if caso.tipo == "proponer_plan" and not caso.coordina:
        yield "PROHIBIDO"


def _del_recorrido(caso: Caso) -> Iterator[str]:
    foto, estado = caso.foto, str(caso.foto.estado)
    if caso.tipo in {"archivar", "desarchivar"}:
        if estado in {"activo", "pausado"} or (foto.archivado is None) != (caso.tipo == "archivar"):
            yield "ESTADO"
        return
    if estado in {"completado", "rechazado", "cancelado"}:
        yield "TERMINADO"
    if estado == "pausado" and caso.tipo not in EN_PAUSA:
        yield "PROPUESTA_ABIERTA" if foto.propuesta and caso.tipo == "proponer_plan" else "PAUSADO"
    if caso.tipo == "reanudar" and estado == "activo":
        yield "ESTADO"
    if caso.tipo == "reanudar" and foto.propuesta:
        yield "PROPUESTA_ABIERTA"
    if caso.tipo in {"aceptar_plan", "descartar_plan"} and not foto.propuesta:
        yield "SIN_PROPUESTA"


def _de_pantalla(caso: Caso) -> Iterator[str]:
    if caso.tipo in {"reanudar", "aceptar_plan", "descartar_plan", "proponer_plan"}:
        if caso.comando.revision is None:
            yield "REVISION_REQUERIDA"
        elif caso.comando.revision != caso.foto.revision:
            yield "REVISION_DESFASADA"


def _del_paso(caso: Caso) -> Iterator[str]:
    yield from _quien(caso)
    if caso.persona:
        vista = caso.comando.revision
        if vista is None:
            yield "REVISION_REQUERIDA"
        elif not caso.historia.base_intacta(caso.paso.id, vista):
            yield "REVISION_DESFASADA"  # I23
    if str(caso.paso.clase) not in CLASES.get(caso.tipo, {"agente", "codigo"}):
        yield "CLASE"
    intento = caso.comando.intento
    if clase_de(caso.paso) == "maquina" and intento is not None and intento != caso.estado.intento:
        yield "INTENTO_VIEJO"  # I27
    estados, codigo = SITUACION[caso.tipo]
    if str(caso.estado.estado) not in estados:
        yield codigo


def _quien(caso: Caso) -> Iterator[str]:
    """I28: the matrix of roles."""
    paso, ultimo, nombre = caso.paso, caso.estado.ultimo, caso.actor.nombre
    instalacion = str(caso.actor.clase) == "ejecutor"
    agente = str(caso.actor.clase) == "agente" and nombre not in ("sistema", "reloj")
    if caso.persona:
        if paso.rol == "admin" and caso.actor.rol != "admin":
            yield "PROHIBIDO"
    elif caso.tipo == "iniciar":
        if not (instalacion if paso.ejecutor else caso.coordina):
            yield "PROHIBIDO"
        if not instalacion and (caso.comando.trabajador or caso.comando.ref):
            yield "PROHIBIDO"
    elif caso.tipo in INFORMES:
        suyo = agente and (ultimo.trabajador == nombre if ultimo else caso.coordina)
        de_casa = instalacion and bool(paso.ejecutor or caso.coordina)
        if not (suyo or de_casa):
            yield "PROHIBIDO"
    elif caso.tipo == "reintentar":
        concilia = instalacion and bool(paso.ejecutor) and str(caso.estado.estado) == "dudoso"
        if not (caso.coordina or concilia):
            yield "PROHIBIDO"


def _de_lo_que_lleva(caso: Caso) -> Iterator[str]:
    c, paso, estado = caso.comando, caso.paso, caso.estado
    dicho = bool(c.mensaje.strip())
    if caso.tipo in {"anotar", "completar", "fallar"} and not dicho:
        yield "FALTA_EVIDENCIA"
    if caso.tipo in {"rechazar", "dispensar"} and not dicho:
        yield "FALTA_MOTIVO"
    if caso.tipo in LLEVAN["salidas"] and not salidas_buenas(paso, c.salidas):
        yield "SALIDA_INVALIDA"
    con_regla = caso.historia.plan.plantilla is not None and paso.id == "alcance"
    if caso.tipo == "responder" and con_regla and (c.salidas or {}).get("nota") == PROHIBIDO:
        yield "SALIDA_INVALIDA"
    if caso.tipo == "vencer" and estado.ultimo and caso.ahora < estado.ultimo.vence:
        yield "VIGENTE"
    if caso.tipo == "reintentar" and str(estado.estado) == "dudoso":
        yield from _conciliacion(caso, dicho)
    if caso.tipo == "rechazar" and paso.rehacer_desde and estado.rehechos >= paso.max_rehechos:
        yield "REHECHOS_AGOTADOS"
    if caso.tipo == "dispensar" and _hace_falta(caso.historia.plan, caso.foto, paso.id):
        yield "SALIDA_NECESARIA"


def _conciliacion(caso: Caso, dicho: bool) -> Iterator[str]:
    """I29."""
    repetible = caso.paso.ejecutor is not None and caso.paso.ejecutor.repetible
    puede = caso.persona or (str(caso.actor.clase) == "ejecutor" and repetible)
    if not (puede and caso.comando.reconciliado and dicho):
        yield "FALTA_RECONCILIAR"
    if not caso.persona and caso.comando.intento is None:
        yield "COMANDO_INVALIDO"


def _hace_falta(plan: Plan, foto: Recorrido, i: str) -> bool:
    return any(
        e.requerido and isinstance(e.origen, Salida) and e.origen.paso == i
        for p in plan.pasos
        if str(foto.pasos[p.id].estado) != "omitido"
        for e in p.entradas
    )


def _de_plan(caso: Caso) -> Iterator[str]:
    if caso.tipo != "proponer_plan":
        return
    foto, nuevo, viejo = caso.foto, caso.comando.plan, caso.historia.plan
    if not caso.comando.mensaje.strip():
        yield "FALTA_MOTIVO"
    if any(str(p.estado) in {"en_curso", "dudoso"} for p in foto.pasos.values()):
        yield "TRABAJO_EN_CURSO"  # I31
    if nuevo is None or nuevo.model_dump_json() == viejo.model_dump_json():
        yield "COMANDO_INVALIDO"
        return
    try:
        validar(nuevo, CASA)
    except PlanInvalido:
        yield "PLAN_INVALIDO"  # I38
        return
    if _altera(viejo, nuevo, foto):
        yield "PASADO_ALTERADO"  # I30
    dispensados = {i for i, p in foto.pasos.items() if str(p.estado) == "dispensado"}
    if any(
        e.requerido and isinstance(e.origen, Salida) and e.origen.paso in dispensados
        for p in nuevo.pasos
        if p.id not in foto.pasos or str(foto.pasos[p.id].estado) != "omitido"
        for e in p.entradas
    ):
        yield "SALIDA_NECESARIA"


def _altera(viejo: Plan, nuevo: Plan, foto: Recorrido) -> bool:
    if any(not tipado(getattr(viejo, c), getattr(nuevo, c)) for c in ("plantilla", "peticion", "contexto")):
        return True
    nuevos = {p.id: p.model_dump_json() for p in nuevo.pasos}
    return any(
        nuevos.get(p.id) != p.model_dump_json() for p in viejo.pasos if not por_venir(foto.pasos[p.id])
    )
