"""A run in which every text that somebody else writes is an attack on whoever reads it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from nucleo.recorridos.artefactos.modelo import Artefacto
from nucleo.recorridos.casa import Casa
from nucleo.recorridos.comandos import Actor, ClaseActor, Comando, RefExterna, TipoComando, Traza
from nucleo.recorridos.continuaciones.modelo import Continuacion, EstadoContinuacion
from nucleo.recorridos.enlaces.modelo import Enlace
from nucleo.recorridos.entregas.modelo import Entrega, EstadoEntrega
from nucleo.recorridos.estado import Evento, Intento, MotivoEntrega
from nucleo.recorridos.exportar.modelo import Evidencia, PlanDe
from nucleo.recorridos.lectura.modelo import Rechazo
from nucleo.recorridos.motor import Nuevo, aplicar, crear
from nucleo.recorridos.plan import Clase, Formulario, Interaccion, Paso, Plan, Puerto, Salida, Tipo, Trabajo
from nucleo.recorridos.plan import Entrada as EntradaPaso
from nucleo.recorridos.validar import validar

AHORA = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
MARCA = "MARCA"
ATAQUE = (
    "\"'></td></style></title><script>document.title='mal'</script>"
    f"<img src=x onerror=\"document.title='mal'\"><a href='javascript:alert(1)'>{MARCA}</a><!-- &lt;\u202eotxet"
)
"""Quotes, closings, script, handlers, a link, a comment, an entity and a character that turns the text round."""
CORTO = "<b onclick=x>" + MARCA
PERSONA = Actor(clase=ClaseActor.PERSONA, nombre=f"persona {CORTO}", rol="admin")
AGENTE = Actor(clase=ClaseActor.AGENTE, nombre=f"agente {CORTO}")
SHA = "ab" * 32


def _plan(titulo: str) -> Plan:
    texto = Puerto(
        nombre="texto",
        tipo=Tipo.TEXTO,
        requerido=True,
        descripcion=ATAQUE,
        formulario=Formulario(etiqueta=CORTO, ayuda=CORTO),
    )
    objeto = Puerto(nombre="objeto", tipo=Tipo.OBJETO)
    lista = Puerto(nombre="lista", tipo=Tipo.LISTA)
    return Plan(
        titulo=titulo,
        peticion=ATAQUE,
        descripcion=ATAQUE,
        contexto={"clave": ATAQUE, CORTO: [ATAQUE]},
        trabajos=(Trabajo(id="trabajo", titulo=CORTO, descripcion=ATAQUE),),
        pasos=(
            Paso(id="inicio", titulo="Inicio", clase=Clase.INICIO),
            Paso(
                id="escribir",
                titulo=CORTO,
                clase=Clase.AGENTE,
                descripcion=ATAQUE,
                trabajo="trabajo",
                dependencias=("inicio",),
                salidas=(texto, objeto, lista),
            ),
            Paso(
                id="aprobar",
                titulo=CORTO,
                clase=Clase.APROBACION,
                trabajo="trabajo",
                dependencias=("escribir",),
                entradas=(
                    EntradaPaso(
                        nombre="texto",
                        tipo=Tipo.TEXTO,
                        requerido=True,
                        formulario=Formulario(etiqueta=CORTO),
                        origen=Salida(paso="escribir", salida="texto"),
                    ),
                ),
                salidas=(texto,),
                interaccion=Interaccion(pregunta=ATAQUE, contexto=ATAQUE, despues=ATAQUE),
                rehacer_desde="escribir",
            ),
            Paso(id="fin", titulo="Fin", clase=Clase.FIN, dependencias=("aprobar",)),
        ),
    )


def _ordenes(plan: Plan) -> list[tuple[TipoComando, Actor, dict[str, object]]]:
    """Written twice because the first time it is rejected; between them a plan is discarded and another accepted."""
    otro = plan.model_copy(update={"descripcion": f"otra {ATAQUE}"})
    escribir = [
        (TipoComando.INICIAR, AGENTE, {"paso": "escribir"}),
        (
            TipoComando.ANOTAR,
            AGENTE,
            {"paso": "escribir", "mensaje": ATAQUE, "traza": Traza(clase="accion", herramienta=CORTO)},
        ),
        (
            TipoComando.COMPLETAR,
            AGENTE,
            {
                "paso": "escribir",
                "mensaje": ATAQUE,
                "salidas": {"texto": ATAQUE, "objeto": {CORTO: [ATAQUE]}, "lista": [CORTO, ATAQUE]},
            },
        ),
    ]
    return [
        (TipoComando.PROPONER_PLAN, AGENTE, {"plan": otro, "mensaje": ATAQUE}),
        (TipoComando.DESCARTAR_PLAN, PERSONA, {"mensaje": ATAQUE}),
        (TipoComando.PROPONER_PLAN, AGENTE, {"plan": otro, "mensaje": ATAQUE}),
        (TipoComando.ACEPTAR_PLAN, PERSONA, {"mensaje": ATAQUE}),
        *escribir,
        (TipoComando.RECHAZAR, PERSONA, {"paso": "aprobar", "mensaje": ATAQUE}),
        *escribir,
        (TipoComando.APROBAR, PERSONA, {"paso": "aprobar", "salidas": {"texto": ATAQUE}, "mensaje": ATAQUE}),
    ]


def evidencia_hostil() -> Evidencia:
    """The whole evidence of that run, carried out by the engine, with something in every list."""
    casa, plan = Casa(), _plan(CORTO)
    nuevo = Nuevo(id="rec_1", objeto_id=ATAQUE, coordinador=AGENTE.nombre)
    valido = validar(plan, casa)
    cambio = crear(valido, nuevo, AGENTE, AHORA)
    eventos: list[Evento] = [*cambio.eventos]
    intentos: dict[tuple[str, int], Intento] = {}
    planes = [_version(1, plan, 1)]
    for n, (tipo, actor, datos) in enumerate(_ordenes(plan), start=1):
        recorrido = cambio.recorrido
        if tipo in (TipoComando.ANOTAR, TipoComando.COMPLETAR):
            datos["intento"] = recorrido.pasos["escribir"].intento
        comando = Comando(comando_id=f"c{n}", tipo=tipo, revision=recorrido.revision, **datos)
        cambio = aplicar(valido, recorrido, comando, actor, casa, AHORA + timedelta(minutes=n))
        if cambio.plan_nuevo is not None:
            valido = validar(cambio.plan_nuevo, casa)
            planes.append(_version(2, cambio.plan_nuevo, cambio.recorrido.revision))
        eventos += cambio.eventos
        intentos |= {(i.paso, i.n): i for i in cambio.intentos}
    ref = RefExterna(prefect_run=CORTO, hermes_run=CORTO, trabajo=7)
    return Evidencia(
        recorrido=cambio.recorrido,
        planes=tuple(planes),
        eventos=tuple(eventos),
        intentos=tuple(i.model_copy(update={"ref": ref}) for i in intentos.values()),
        artefactos=(_artefacto(),),
        padre=Enlace(padre="rec_0", hijo="rec_1", motivo=ATAQUE, autor=AGENTE, creado=AHORA),
        hijos=(Enlace(padre="rec_1", hijo="rec_2", motivo=ATAQUE, autor=AGENTE, creado=AHORA),),
        entregas=(_entrega(),),
        continuaciones=(
            Continuacion(
                id="con_1",
                recorrido="rec_1",
                texto=ATAQUE,
                autor=AGENTE,
                estado=EstadoContinuacion.ENTREGADA,
                entrega="ent_1",
                creada=AHORA,
            ),
        ),
        rechazos=(
            Rechazo(
                id=1,
                codigo="INTENTO_VIEJO",
                mensaje=ATAQUE,
                actor=AGENTE,
                comando=None,
                texto=ATAQUE,
                revision=3,
                en=AHORA,
            ),
        ),
    )


def _version(numero: int, plan: Plan, revision: int) -> PlanDe:
    return PlanDe(
        version=numero,
        plan=plan,
        motivo=ATAQUE,
        autor=AGENTE,
        aceptado_por=PERSONA if numero > 1 else None,
        revision=revision,
        creado=AHORA,
    )


def _artefacto() -> Artefacto:
    return Artefacto(
        id="art_" + "0" * 26,
        recorrido="rec_1",
        paso="escribir",
        intento=1,
        nombre=f"informe ' & {MARCA}.html",
        tipo_medio=CORTO,
        bytes=12,
        sha256=SHA,
        actor=AGENTE,
        creado=AHORA,
    )


def _entrega() -> Entrega:
    return Entrega(
        id="ent_1",
        recorrido="rec_1",
        revision=2,
        motivo=MotivoEntrega.RESPUESTA,
        conector=CORTO,
        estado=EstadoEntrega.CONFIRMADA,
        arriendo=None,
        vence=None,
        veces=1,
        no_antes=AHORA,
        creada=AHORA,
        cerrada=AHORA,
        nota=ATAQUE,
    )
