"""What a tool is, and the closed catalogue: a tool exists for an agent only if its permission says so."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

from pydantic import TypeAdapter

from nucleo.agentes.encargo import Abierto, Encargo, Puerta, cerrada
from nucleo.agentes.lecturas import Lecturas
from nucleo.agentes.modelo import PERSONAL, Agente, Permiso
from nucleo.bd import conectar
from nucleo.modelo import Modelo
from nucleo.reloj import Reloj

_NOMBRE = re.compile(r"^[a-z][a-z0-9]*(_[a-z0-9]+)*$")
_DE_PERSONAS = re.compile(
    r"(^|_)(aprobar|autorizar|decidir|firmar|presentar|enviar|adjudicar|borrar|pagar)(_|$)"
)
_PERMISO = TypeAdapter(Permiso)


@dataclass(frozen=True)
class Contexto:
    """Who calls, where this installation keeps its state, and the clock."""

    agente: Agente
    datos: Path
    reloj: Reloj
    lecturas: Lecturas = field(default_factory=Lecturas, repr=False)
    puerta: Puerta = field(default=cerrada, repr=False)
    """Which attempts may leave proposals; without a queue, none."""

    def leer(self, fichero: str) -> sqlite3.Connection:
        """A database of the data folder, read only; lent, not to be closed. Raises ErrorBaseDatos."""
        return self.lecturas.de(self.datos / fichero)


class ErrorCampo(Modelo):
    """Something wrong with an argument; `campo` is its path, empty when it is the whole call."""

    campo: str
    mensaje: str


class Respuesta(Modelo):
    """A refusal that a tool answers with (`rechazo` makes it); what goes well is a model of its own."""

    ok: bool = False
    codigo: str | None = None
    errores: tuple[ErrorCampo, ...] = ()


def rechazo(campo: str, mensaje: str, codigo: str = "entrada_no_valida") -> Respuesta:
    """The refusal of one argument, with what the agent may do instead."""
    return Respuesta(codigo=codigo, errores=(ErrorCampo(campo=campo, mensaje=mensaje),))


A = TypeVar("A", bound=Modelo)
E = TypeVar("E", bound=Encargo)


@dataclass(frozen=True)
class Herramienta(Generic[A]):
    """A tool. `descripcion` is Spanish and part of the agent's prompt; `argumentos` is validated before `ejecutar`.

    `ejecutar` returns a model (answered as `{"ok": true, …its fields}`) or a Respuesta, or raises ErrorSobre. It
    reads with `Contexto.leer`; to write anything it has to be a Proposicion or an Orden. `espera`: from the arguments
    as they came, how many seconds since it arrived the call would rather wait before being made; 0 when it need not.
    """

    nombre: str
    permiso: str
    descripcion: str
    argumentos: type[A]
    ejecutar: Callable[[Contexto, A], Modelo]
    espera: Callable[[Contexto, object], float] | None = None

    @property
    def es_personal(self) -> bool:
        """Whether it handles personal data, whose values are not kept in the record of calls."""
        return self.permiso == PERSONAL

    def esquema(self) -> dict[str, object]:
        """JSON Schema of the arguments, without titles nor our docstrings: every byte of it is read by the model."""
        esquema = self.argumentos.model_json_schema()
        for definicion in (esquema, *esquema.get("$defs", {}).values()):
            definicion.pop("description", None)
        sin_titulos = _sin_titulos(esquema)
        assert isinstance(sin_titulos, dict)  # noqa: S101 - a dict stays a dict
        return sin_titulos

    @property
    def solo_lee(self) -> bool:
        """Whether it changes nothing."""
        return not self.permiso.startswith("proponer:")


class Mesa(NamedTuple):
    """Where a proposal is written: `con` is inside a transaction, which `Proposicion` ends."""

    contexto: Contexto
    con: sqlite3.Connection
    abierto: Abierto


@dataclass(frozen=True)
class Proposicion(Generic[E]):
    """The `ejecutar` of a tool that proposes: no other is taken for one.

    `dejar` writes in `fichero` (a database of the data folder) for an open attempt of type `tipo`. What it writes stays
    only if it answers with a model of its own: a refusal or an error leaves nothing. The same content sent again by the
    same attempt must be answered the same again and kept once.
    """

    tipo: str
    fichero: str
    dejar: Callable[[Mesa, E], Modelo]

    def __call__(self, contexto: Contexto, pedido: E) -> Modelo:
        """Raises ErrorEntrada for an attempt that is not open, and whatever `dejar` raises.

        Its own database is waited for first, since an import may hold it; and it is committed before the gate opens, so
        that whoever closes the attempt afterwards sees what was kept.
        """
        with closing(conectar(contexto.datos / self.fichero)) as con:
            con.execute("BEGIN IMMEDIATE")
            try:
                with contexto.puerta(con, contexto, self.tipo, pedido) as abierto:
                    respuesta = self.dejar(Mesa(contexto, con, abierto), pedido)
                    con.execute("ROLLBACK" if isinstance(respuesta, Respuesta) else "COMMIT")
            except BaseException:
                if con.in_transaction:
                    con.execute("ROLLBACK")
                raise
        return respuesta


@dataclass(frozen=True)
class Orden(Generic[A]):
    """The `ejecutar` of a tool that changes what has rules of its own for who may and for repeating, as the runs have.

    It belongs to no job: `hacer` must do the same order once, however many times it comes.
    """

    hacer: Callable[[Contexto, A], Modelo]

    def __call__(self, contexto: Contexto, pedido: A) -> Modelo:
        """Raises whatever `hacer` raises."""
        return self.hacer(contexto, pedido)


UnaHerramienta: TypeAlias = Herramienta[Any]
"""A tool whatever its arguments: a catalogue holds tools of many models."""


class Catalogo:
    """The tools of this installation. It is closed: made once, checked when made."""

    def __init__(self, herramientas: Iterable[UnaHerramienta]) -> None:
        """Raises ValueError for a repeated name, a malformed permission, or a name that belongs to people."""
        self._por_nombre: dict[str, UnaHerramienta] = {}
        for herramienta in herramientas:
            _comprobar(herramienta)
            if herramienta.nombre in self._por_nombre:
                raise ValueError(f"hay dos herramientas «{herramienta.nombre}»")
            self._por_nombre[herramienta.nombre] = herramienta

    def todas(self) -> tuple[UnaHerramienta, ...]:
        """Every tool, in the order given: for documents, never for agents."""
        return tuple(self._por_nombre.values())

    def permisos(self) -> frozenset[str]:
        """The permissions that some tool asks for."""
        return frozenset(h.permiso for h in self._por_nombre.values())

    def de(self, agente: Agente) -> tuple[UnaHerramienta, ...]:
        """The tools that exist for that agent."""
        return tuple(h for h in self._por_nombre.values() if agente.puede(h.permiso))

    def declarada(self, nombre: str) -> UnaHerramienta | None:
        """The tool of that name, whoever asks."""
        return self._por_nombre.get(nombre)


def _sin_titulos(nodo: object) -> object:
    """A property may be called `title`: there its schema is not a text."""
    if isinstance(nodo, list):
        return [_sin_titulos(n) for n in nodo]
    if not isinstance(nodo, dict):
        return nodo
    return {c: _sin_titulos(v) for c, v in nodo.items() if not (c == "title" and isinstance(v, str))}


def _comprobar(herramienta: UnaHerramienta) -> None:
    if not _NOMBRE.match(herramienta.nombre) or len(herramienta.nombre) > 60:
        raise ValueError(f"nombre de herramienta mal escrito: «{herramienta.nombre}»")
    if _DE_PERSONAS.search(herramienta.nombre):
        raise ValueError(f"«{herramienta.nombre}» suena a decisión, y las decisiones son de las personas")
    _PERMISO.validate_python(herramienta.permiso)
    if herramienta.solo_lee == isinstance(herramienta.ejecutar, Proposicion | Orden):
        raise ValueError(
            f"«{herramienta.nombre}»: propone quien pide un permiso «proponer:», y solo con un encargo o reglas propias"
        )
    if not herramienta.descripcion.strip():
        raise ValueError(f"la herramienta «{herramienta.nombre}» no dice para qué sirve")
