"""The contract of the runs' surfaces: who orders what, after what, and how it ends. The same through every surface."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

PLAN: dict[str, Any] = {
    "titulo": "Guía de bienvenida",
    "contexto": {"paginas": 4},
    "pasos": [
        {"id": "inicio", "titulo": "Inicio", "clase": "inicio"},
        {
            "id": "publico",
            "titulo": "Elegir el público",
            "clase": "manual",
            "dependencias": ["inicio"],
            "salidas": [
                {"nombre": "publico", "tipo": "opcion", "requerido": True, "opciones": ["técnicos", "ventas"]}
            ],
            "interaccion": {"pregunta": "¿Para quién es?"},
        },
        {
            "id": "redactar",
            "titulo": "Redactar",
            "clase": "agente",
            "dependencias": ["publico"],
            "salidas": [{"nombre": "borrador", "tipo": "texto", "requerido": True}],
        },
        {
            "id": "revisar",
            "titulo": "Revisar",
            "clase": "aprobacion",
            "dependencias": ["redactar"],
            "interaccion": {"pregunta": "¿Vale?"},
        },
        {"id": "fin", "titulo": "Fin", "clase": "fin", "dependencias": ["revisar"]},
    ],
}
"""An agent, `guia`, leads it: a person answers, the agent writes, a person approves."""
OTRO_PLAN = PLAN | {
    "pasos": [*(p | ({"titulo": "Revisar bien"} if p["id"] == "revisar" else {}) for p in PLAN["pasos"])]
}
SIN_FIN = PLAN | {"pasos": PLAN["pasos"][:-1]}
PARA_OTRO = PLAN | {
    "pasos": [
        p | ({"ejecutor": {"perfil": "critico"}} if p["id"] == "redactar" else {}) for p in PLAN["pasos"]
    ]
}
"""The profile comes with the program, and is not the agent's."""
CREAR = "crear"


@dataclass(frozen=True)
class Orden:
    """Without `clave`, a new one; `tipo` is `crear` or that of a command."""

    quien: str
    tipo: str
    campos: Mapping[str, Any]
    clave: str | None = None


@dataclass(frozen=True)
class Caso:
    """After `antes` (all accepted), `orden` is refused with `codigo`, or leaves the run at that state and revision.

    `existe` False: the order goes to a run that is not there.
    """

    nombre: str
    antes: tuple[Orden, ...]
    orden: Orden
    codigo: str | None = None
    estado: str = "activo"
    revision: int = 0
    repetido: bool = False
    existe: bool = True


def de(quien: str, tipo: str, clave: str | None = None, **campos: Any) -> Orden:
    """An order."""
    return Orden(quien, tipo, campos, clave)


NACE = de("guia", CREAR, plan=PLAN)
RESPONDE = de("persona", "responder", paso="publico", revision=1, salidas={"publico": "ventas"})
INICIA = de("guia", "iniciar", paso="redactar")
BIEN = {"paso": "redactar", "intento": 1, "salidas": {"borrador": "hola"}, "mensaje": "según lo elegido"}
COMPLETA = de("guia", "completar", "fin-1", **BIEN)
CANCELA = de("persona", "cancelar", mensaje="ya no hace falta")
EN_CURSO = (NACE, RESPONDE, INICIA)


def niega(nombre: str, codigo: str, antes: tuple[Orden, ...], orden: Orden, **mas: Any) -> Caso:
    """A case that is refused."""
    return Caso(nombre, antes, orden, codigo, **mas)


CASOS = (
    Caso("crear un agente", (), NACE, revision=1),
    Caso("crear una persona", (), de("persona", CREAR, plan=PLAN, coordinador="guia"), revision=1),
    Caso(
        "crear repetido",
        (de("guia", CREAR, "c-1", plan=PLAN),),
        de("guia", CREAR, "c-1", plan=PLAN),
        revision=1,
        repetido=True,
    ),
    niega(
        "crear otra cosa con la misma clave",
        "CLAVE_REUTILIZADA",
        (de("guia", CREAR, "c-2", plan=PLAN),),
        de("guia", CREAR, "c-2", plan=OTRO_PLAN),
    ),
    niega(
        "crear lo mismo otro con la misma clave",
        "CLAVE_REUTILIZADA",
        (de("guia", CREAR, "c-3", plan=PLAN),),
        de("otro", CREAR, "c-3", plan=PLAN),
    ),
    niega("crear con un plan sin fin", "PLAN_INVALIDO", (), de("guia", CREAR, plan=SIN_FIN)),
    niega("crear lo que no haría nadie", "PLAN_INVALIDO", (), de("persona", CREAR, plan=PLAN)),
    niega("crear dando órdenes a otro agente", "PLAN_INVALIDO", (), de("guia", CREAR, plan=PARA_OTRO)),
    niega("crear quien solo lee", "PROHIBIDO", (), de("lector", CREAR, plan=PLAN)),
    niega("crear quien no tiene que ver", "PROHIBIDO", (), de("ajeno", CREAR, plan=PLAN)),
    niega("crear un revocado", "SIN_IDENTIDAD", (), de("revocado", CREAR, plan=PLAN)),
    niega("crear nadie", "SIN_IDENTIDAD", (), de("nadie", CREAR, plan=PLAN)),
    Caso("responder una persona", (NACE,), RESPONDE, revision=2),
    niega(
        "responder sin revisión",
        "REVISION_REQUERIDA",
        (NACE,),
        de("persona", "responder", paso="publico", salidas={"publico": "ventas"}),
    ),
    niega(
        "responder a una revisión que no existe aún",
        "REVISION_DESFASADA",
        (NACE,),
        de("persona", "responder", paso="publico", revision=9, salidas={"publico": "ventas"}),
    ),
    niega(
        "responder lo que no es una opción",
        "SALIDA_INVALIDA",
        (NACE,),
        de("persona", "responder", paso="publico", revision=1, salidas={"publico": "nadie"}),
    ),
    niega(
        "responder dos veces",
        "NO_ESPERA",
        (NACE, RESPONDE),
        de("persona", "responder", paso="publico", revision=2, salidas={"publico": "ventas"}),
    ),
    niega(
        "responder un agente",
        "PROHIBIDO",
        (NACE,),
        de("guia", "responder", paso="publico", revision=1, salidas={"publico": "ventas"}),
    ),
    niega(
        "responder quien solo lee",
        "PROHIBIDO",
        (NACE,),
        de("lector", "responder", paso="publico", revision=1, salidas={"publico": "ventas"}),
    ),
    niega(
        "aprobar un agente",
        "PROHIBIDO",
        (*EN_CURSO, COMPLETA),
        de("guia", "aprobar", paso="revisar", revision=4),
    ),
    Caso(
        "aprobar una persona",
        (*EN_CURSO, COMPLETA),
        de("persona", "aprobar", paso="revisar", revision=4),
        estado="completado",
        revision=5,
    ),
    Caso(
        "rechazar una persona",
        (*EN_CURSO, COMPLETA),
        de("persona", "rechazar", paso="revisar", revision=4, mensaje="no se entiende"),
        estado="rechazado",
        revision=5,
    ),
    niega(
        "rechazar sin motivo",
        "FALTA_MOTIVO",
        (*EN_CURSO, COMPLETA),
        de("persona", "rechazar", paso="revisar", revision=4),
    ),
    Caso("iniciar quien coordina", (NACE, RESPONDE), INICIA, revision=3),
    niega("iniciar otro agente", "PROHIBIDO", (NACE, RESPONDE), de("otro", "iniciar", paso="redactar")),
    niega(
        "iniciar quien se llama como nosotros",
        "PROHIBIDO",
        (NACE, RESPONDE),
        de("sistema", "iniciar", paso="redactar"),
    ),
    niega("iniciar una persona", "PROHIBIDO", (NACE, RESPONDE), de("persona", "iniciar", paso="redactar")),
    niega("iniciar antes de tiempo", "NO_LISTO", (NACE,), INICIA),
    niega("iniciar un paso de persona", "CLASE", (NACE,), de("guia", "iniciar", paso="publico")),
    niega("iniciar un paso que no hay", "NO_EXISTE", (NACE,), de("guia", "iniciar", paso="nada")),
    Caso("completar", EN_CURSO, COMPLETA, revision=4),
    Caso("completar repetido", (*EN_CURSO, COMPLETA), COMPLETA, revision=4, repetido=True),
    niega("completar otro agente", "PROHIBIDO", EN_CURSO, de("otro", "completar", **BIEN)),
    niega(
        "completar sin evidencia",
        "FALTA_EVIDENCIA",
        EN_CURSO,
        de("guia", "completar", **(BIEN | {"mensaje": ""})),
    ),
    niega(
        "completar sin lo requerido",
        "SALIDA_INVALIDA",
        EN_CURSO,
        de("guia", "completar", **(BIEN | {"salidas": {}})),
    ),
    niega(
        "completar con otro tipo",
        "SALIDA_INVALIDA",
        EN_CURSO,
        de("guia", "completar", **(BIEN | {"salidas": {"borrador": 7}})),
    ),
    niega(
        "completar otro intento",
        "INTENTO_VIEJO",
        EN_CURSO,
        de("guia", "completar", **(BIEN | {"intento": 2})),
    ),
    Caso(
        "fallar",
        EN_CURSO,
        de("guia", "fallar", paso="redactar", intento=1, mensaje="falta el logo"),
        revision=4,
    ),
    Caso("anotar", EN_CURSO, de("guia", "anotar", paso="redactar", intento=1, mensaje="voy"), revision=3),
    Caso("latido", EN_CURSO, de("guia", "latido", paso="redactar", intento=1), revision=3),
    Caso("pausar una persona", (NACE,), de("persona", "pausar"), estado="pausado", revision=2),
    niega("pausar un agente", "PROHIBIDO", (NACE,), de("guia", "pausar")),
    niega("cancelar un agente", "PROHIBIDO", (NACE,), de("guia", "cancelar", mensaje="x")),
    niega("vencer un agente", "PROHIBIDO", EN_CURSO, de("guia", "vencer", paso="redactar", intento=1)),
    niega("vencer una persona", "PROHIBIDO", EN_CURSO, de("persona", "vencer", paso="redactar", intento=1)),
    Caso(
        "proponer otro plan",
        (NACE,),
        de("guia", "proponer_plan", revision=1, mensaje="hay que mirar más", plan=OTRO_PLAN),
        estado="pausado",
        revision=2,
    ),
    niega(
        "proponer otro plan quien no coordina",
        "PROHIBIDO",
        (NACE,),
        de("otro", "proponer_plan", revision=1, mensaje="mejor así", plan=OTRO_PLAN),
    ),
    niega(
        "proponer otro plan a medias",
        "TRABAJO_EN_CURSO",
        EN_CURSO,
        de("guia", "proponer_plan", revision=3, mensaje="hay que mirar más", plan=OTRO_PLAN),
    ),
    niega("tras cancelar", "TERMINADO", (NACE, CANCELA), RESPONDE),
    Caso("repetir tras cancelar", (*EN_CURSO, COMPLETA, CANCELA), COMPLETA, revision=4, repetido=True),
    niega("un recorrido que no hay", "NO_EXISTE", (), INICIA, existe=False),
    niega("nadie responde", "SIN_IDENTIDAD", (NACE,), de("nadie", "responder", paso="publico", revision=1)),
)
