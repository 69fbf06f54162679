"""What a plan is made of: typed ports, steps, gates and jobs. It says what may happen, never what did."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, JsonValue, StringConstraints

from nucleo.modelo import Modelo
from nucleo.recorridos.llano import exigir_llano

Ident = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_-]{0,63}$")]
Titulo = Annotated[str, StringConstraints(min_length=1, max_length=160)]
Texto = Annotated[str, StringConstraints(max_length=4_000)]
Valor = Annotated[JsonValue, AfterValidator(exigir_llano)]
Valores = Annotated[dict[str, JsonValue], AfterValidator(exigir_llano)]
"""Values of ports by name: what a step receives or leaves."""


class Tipo(StrEnum):
    """Type of a port. `importe` is a decimal string, `fecha` an ISO date, `artefacto` an identifier `art_…`."""

    TEXTO = "texto"
    NUMERO = "numero"
    ENTERO = "entero"
    BOOLEANO = "booleano"
    OBJETO = "objeto"
    LISTA = "lista"
    OPCION = "opcion"
    FECHA = "fecha"
    IMPORTE = "importe"
    ARTEFACTO = "artefacto"


class Formulario(Modelo):
    """How a person is asked for the value."""

    etiqueta: Annotated[str, Field(max_length=160)] = ""
    ayuda: Annotated[str, Field(max_length=240)] = ""
    ejemplo: Annotated[str, Field(max_length=160)] = ""
    si: Annotated[str, Field(max_length=60)] = "Sí"
    no: Annotated[str, Field(max_length=60)] = "No"


class Puerto(Modelo):
    """A typed value that a step leaves; `esquema` names a model that the host registered for what is inside."""

    nombre: Ident
    tipo: Tipo
    requerido: bool = False
    opciones: Annotated[tuple[Annotated[str, Field(max_length=160)], ...], Field(max_length=50)] = ()
    esquema: Ident | None = None
    descripcion: Annotated[str, Field(max_length=1_000)] = ""
    formulario: Formulario | None = None


class _De(Modelo):
    """Of which kind an origin is, is always said: without it, nobody could read it back."""

    def model_post_init(self, _: object) -> None:
        """A document that leaves out what was not given keeps it too."""
        self.__pydantic_fields_set__.add("de")


class Literal_(_De):  # noqa: N801 - `Literal` is taken by typing
    """The value itself."""

    de: Literal["literal"] = "literal"
    valor: Valor


class Contexto(_De):
    """A value of the plan's context."""

    de: Literal["contexto"] = "contexto"
    clave: Ident


class Salida(_De):
    """What an earlier step left."""

    de: Literal["paso"] = "paso"
    paso: Ident
    salida: Ident


Origen = Annotated[Literal_ | Contexto | Salida, Field(discriminator="de")]


class Entrada(Puerto):
    """A typed value that a step receives."""

    origen: Origen | None = None


class Operador(StrEnum):
    """How a gate compares. Never an expression: a plan is data, and nothing of it is ever run."""

    IGUAL = "igual"
    DISTINTO = "distinto"
    EN = "en"
    MAYOR = "mayor"
    MENOR = "menor"
    EXISTE = "existe"


class Condicion(Modelo):
    """A comparison of an earlier step's output; without that output (optional, waived) it is false."""

    paso: Ident
    salida: Ident
    op: Operador = Operador.IGUAL
    valor: Valor = None


class Ruta(Modelo):
    """A way out of a gate."""

    destino: Ident
    cuando: Condicion | None = None
    etiqueta: Annotated[str, Field(max_length=80)] = ""


class TipoCompuerta(StrEnum):
    """How many ways out are taken: all, the first that holds, or all that hold."""

    PARALELA = "paralela"
    EXCLUSIVA = "exclusiva"
    INCLUSIVA = "inclusiva"


class Compuerta(Modelo):
    """The opening or the closing of a block. The closing names its opening in `abre` and has no routes."""

    tipo: TipoCompuerta
    sentido: Literal["abre", "cierra"]
    rutas: Annotated[tuple[Ruta, ...], Field(max_length=20)] = ()
    por_defecto: Ident | None = None
    abre: Ident | None = None


class Clase(StrEnum):
    """Who takes a step: nobody (structure), an agent, our code, or a person."""

    INICIO = "inicio"
    FIN = "fin"
    COMPUERTA = "compuerta"
    AGENTE = "agente"
    CODIGO = "codigo"
    MANUAL = "manual"
    APROBACION = "aprobacion"


ESTRUCTURA = frozenset((Clase.INICIO, Clase.FIN, Clase.COMPUERTA))
MAQUINA = frozenset((Clase.AGENTE, Clase.CODIGO))
HUMANO = frozenset((Clase.MANUAL, Clase.APROBACION))


class Interaccion(Modelo):
    """What a person reads before deciding: the question, what it rests on, and what comes after."""

    pregunta: Annotated[str, Field(max_length=500)]
    contexto: Annotated[str, Field(max_length=1_000)] = ""
    despues: Annotated[str, Field(max_length=1_000)] = ""


class Ejecutor(Modelo):
    """Who takes a machine step for the installation: a function of ours (`codigo`) or a Hermes profile (`agente`).

    Without it, the run's coordinator takes the step itself. `arriendo_s`: seconds without a sign of life after which
    the attempt is doubtful. `repetible`: repeating it does no harm, so that a doubtful attempt may be tried again
    once the reconciler knows that nobody works on it.
    """

    funcion: Ident | None = None
    perfil: Ident | None = None
    repetible: bool = False
    arriendo_s: Annotated[int, Field(ge=5, le=86_400)] = 900


class Paso(Modelo):
    """One step. `rol`: the least role of a person that may answer it."""

    id: Ident
    titulo: Titulo
    clase: Clase
    descripcion: Texto = ""
    trabajo: Ident | None = None
    dependencias: Annotated[tuple[Ident, ...], Field(max_length=100)] = ()
    entradas: Annotated[tuple[Entrada, ...], Field(max_length=30)] = ()
    salidas: Annotated[tuple[Puerto, ...], Field(max_length=30)] = ()
    compuerta: Compuerta | None = None
    interaccion: Interaccion | None = None
    ejecutor: Ejecutor | None = None
    rol: Literal["admin", "editor"] = "editor"
    rehacer_desde: Ident | None = None
    max_rehechos: Annotated[int, Field(ge=1, le=20)] = 3


class Trabajo(Modelo):
    """A group of steps with a name, for people."""

    id: Ident
    titulo: Titulo
    descripcion: Texto = ""


class Plan(Modelo):
    """A whole plan. `plantilla` («oferta@1») binds it to the rules of the domain that registered it."""

    titulo: Titulo
    plantilla: Annotated[str | None, Field(pattern=r"^[a-z][a-z0-9_-]{0,63}@[1-9][0-9]{0,3}$")] = None
    peticion: Annotated[str, Field(max_length=8_000)] = ""
    descripcion: Texto = ""
    contexto: Valores = Field(default_factory=dict)
    trabajos: Annotated[tuple[Trabajo, ...], Field(max_length=30)] = ()
    pasos: Annotated[tuple[Paso, ...], Field(min_length=1, max_length=100)]
