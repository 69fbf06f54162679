"""What an agent sends to the tools of the runs. Objects and numbers written as text are taken too: models do that."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from nucleo.modelo import Modelo
from nucleo.recorridos.api.cuerpo import leer_json
from nucleo.recorridos.artefactos.modelo import NombreFichero
from nucleo.recorridos.comandos import ComandoId, Traza
from nucleo.recorridos.continuaciones.modelo import TextoContinuacion
from nucleo.recorridos.errores import ErrorRecorrido
from nucleo.recorridos.estado import EstadoRecorrido
from nucleo.recorridos.lectura.modelo import Limite
from nucleo.recorridos.peticiones import RecorridoId
from nucleo.recorridos.plan import Ident, Plan, Titulo, Valores

ESPERA_MAX_S = 20
BASE64_MAX = 900_000
"""Characters: the whole request of a tool is at most a million bytes."""


def _objeto(valor: object) -> object:
    """`{…}` written as text is that object."""
    if isinstance(valor, str) and valor.lstrip().startswith("{"):
        try:
            return leer_json(valor.encode("utf-8", "replace"))
        except ErrorRecorrido:
            return valor
    return valor


def _numero(valor: object) -> object:
    return (
        int(valor)
        if isinstance(valor, str) and valor.isascii() and valor.isdecimal() and len(valor) < 16
        else valor
    )


Clave = Annotated[
    ComandoId,
    Field(
        description="Identificador que pones tú a esta orden: distinto en cada una, el mismo si la repites"
    ),
]
Cual = Annotated[RecorridoId, Field(description="Identificador del recorrido, rec_…")]


class _SeAnunciaComoPlan:
    """Told to agents as a plan, and read as one afterwards, so that all that is wrong with it is told step by step."""

    def __get_pydantic_json_schema__(self, _: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return handler(Plan.__pydantic_core_schema__)


ValoresSueltos = Annotated[Valores, BeforeValidator(_objeto)]
Numero = Annotated[int, BeforeValidator(_numero)]


class Crear(Modelo):
    """A new run."""

    comando_id: Clave
    plan: Annotated[
        ValoresSueltos,
        _SeAnunciaComoPlan(),
        Field(description="El plan entero: pasos con sus puertos, compuertas y trabajos"),
    ]
    titulo: Annotated[Titulo | None, Field(description="En vez del título del plan")] = None
    dominio: Annotated[Ident, Field(description="De qué trata")] = "general"
    objeto_id: Annotated[str, Field(max_length=200, description="Sobre qué objeto de ese dominio")] = ""
    contexto: Annotated[
        ValoresSueltos, Field(default_factory=dict, description="Valores que se añaden al contexto del plan")
    ]
    padre: Annotated[RecorridoId | None, Field(description="El recorrido del que viene")] = None
    motivo: Annotated[str, Field(max_length=1_000, description="Por qué viene de ese")] = ""


class Listar(Modelo):
    """Which runs."""

    estados: Annotated[tuple[EstadoRecorrido, ...], Field(description="Solo los que están así")] = ()
    dominio: Annotated[Ident | None, Field(description="Solo los de ese dominio")] = None
    objeto_id: Annotated[str | None, Field(description="Solo los de ese objeto")] = None
    coordinador: Annotated[str | None, Field(description="Solo los que coordina ese agente")] = None
    texto: Annotated[str, Field(max_length=160, description="Parte del título")] = ""
    antes: Annotated[RecorridoId | None, Field(description="`siguiente` de la página anterior")] = None
    limite: Annotated[Limite, BeforeValidator(_numero), Field(description="Cuántos")] = 50


class Leer(Modelo):
    """Which run."""

    recorrido: Cual


class Paso(Modelo):
    """What is done with a step."""

    comando_id: Clave
    recorrido: Cual
    accion: Annotated[
        Literal["iniciar", "anotar", "latido", "completar", "fallar", "reintentar"],
        Field(
            description="iniciar da el número de intento; con él se anota, se da un latido, se completa o se falla"
        ),
    ]
    paso: Annotated[Ident, Field(description="El paso")]
    intento: Annotated[
        Annotated[int, Field(ge=1)] | None,
        BeforeValidator(_numero),
        Field(description="El que dio iniciar; en iniciar y reintentar no hace falta"),
    ] = None
    salidas: Annotated[
        Valores | None,
        BeforeValidator(_objeto),
        Field(description="Al completar: un valor por cada salida del paso, de su tipo"),
    ] = None
    mensaje: Annotated[
        str,
        Field(max_length=4_000, description="En qué te basas al completar, qué falta al fallar, o la nota"),
    ] = ""
    traza: Annotated[Traza | None, Field(description="Al anotar: de qué clase es la nota")] = None


class ProponerPlan(Modelo):
    """Another plan for what is left."""

    comando_id: Clave
    recorrido: Cual
    revision: Annotated[Numero, Field(ge=1, description="La revisión que has leído")]
    motivo: Annotated[str, Field(min_length=1, max_length=4_000, description="Por qué hay que cambiarlo")]
    plan: Annotated[
        ValoresSueltos,
        Field(description="El plan entero, como en recorrido_crear; lo ya hecho o preguntado, tal cual está"),
    ]


class Esperar(Modelo):
    """Until when."""

    recorrido: Cual
    tras_revision: Annotated[Numero, Field(ge=0, description="La revisión que ya conoces")]
    segundos: Annotated[
        Annotated[int, Field(ge=0, le=ESPERA_MAX_S)],
        BeforeValidator(_numero),
        Field(description="Cuánto, como mucho"),
    ] = ESPERA_MAX_S


class Artefacto(Modelo):
    """A file that a step leaves: one of `texto` and `base64`."""

    comando_id: Clave
    recorrido: Cual
    paso: Annotated[Ident, Field(description="El paso que lo deja")]
    intento: Annotated[Numero, Field(ge=1, description="Tu intento de ese paso")]
    nombre: Annotated[NombreFichero, Field(description="Nombre del fichero, sin carpetas")]
    tipo_medio: Annotated[
        str, Field(max_length=100, description="text/markdown, text/html, application/pdf…")
    ]
    texto: Annotated[str | None, Field(max_length=BASE64_MAX, description="El contenido, si es texto")] = None
    base64: Annotated[
        str | None, Field(max_length=BASE64_MAX, description="El contenido en base64, si no lo es")
    ] = None


class Continuar(Modelo):
    """A text for who coordinates."""

    comando_id: Clave
    recorrido: Cual
    texto: Annotated[
        TextoContinuacion, Field(description="Qué habría que hacer después; lo envía una persona")
    ]
