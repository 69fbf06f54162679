"""The one exception tree: every error has a code, a Spanish sentence and says whether trying again can help.

ErrorSobre
├── ErrorConfiguracion      a setting or a profile file is wrong
├── ErrorEntrada            what came from outside does not have the form it must have
├── ErrorRed                the network said no
│   ├── DestinoProhibido    host, scheme, port or address that was not configured
│   └── FuenteIlegible      an answer came, but it is not what the source publishes
├── ErrorBaseDatos          the store cannot be used as it is
├── NoEncontrado            nothing under that name
└── Ocupado                 somebody else is doing that very thing now
"""

from __future__ import annotations


class ErrorSobre(Exception):
    """Base of all our errors. `mensaje` is for people: what happened and what to do next."""

    codigo = "error"
    reintentable = False

    def __init__(self, mensaje: str, *, codigo: str | None = None, reintentable: bool | None = None) -> None:
        super().__init__(mensaje)
        self.mensaje = mensaje
        if codigo is not None:
            self.codigo = codigo
        if reintentable is not None:
            self.reintentable = reintentable

    def __str__(self) -> str:
        return self.mensaje


class ErrorConfiguracion(ErrorSobre):
    """A setting or a file that a person writes is wrong."""

    codigo = "configuracion"


class ErrorEntrada(ErrorSobre):
    """Data from outside (feed, file, argument) is not valid."""

    codigo = "entrada_no_valida"


class ErrorRed(ErrorSobre):
    """The network or the other side failed; usually worth another try."""

    codigo = "red"
    reintentable = True


class DestinoProhibido(ErrorRed):
    """The address is not among those configured; trying again cannot help."""

    codigo = "destino_prohibido"
    reintentable = False


class FuenteIlegible(ErrorRed):
    """The source answered with something that is not a feed page (HTML, truncated, another root)."""

    codigo = "fuente_ilegible"


class ErrorBaseDatos(ErrorSobre):
    """The database file cannot be used (newer schema, damaged, not writable)."""

    codigo = "base_datos"


class NoEncontrado(ErrorSobre):
    """Nothing is stored under that name."""

    codigo = "no_encontrado"


class Ocupado(ErrorSobre):
    """The same work is already being done by another process."""

    codigo = "ocupado"
