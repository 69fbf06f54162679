"""Who may what, in one table: what is not in it does not exist for anybody. A test compares it with the server."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from app.piezas import enlaces
from nucleo.personas.modelo import Rol


class Entrada(StrEnum):
    """What a route asks of whoever comes, before it does anything."""

    TODOS = "todos"  # the door itself and the program's own files
    SESION = "sesion"  # a person
    CREDENCIAL = (
        "credencial"  # a person's session, an agent's token or the local key: the route itself decides
    )
    TOKEN = "token"  # noqa: S105 - an agent


RUTAS: dict[str, Entrada] = {
    "/api/salud": Entrada.TODOS,
    "/entrar": Entrada.TODOS,
    "/entrar/clave": Entrada.TODOS,  # without a session it leads to /entrar
    "/salir": Entrada.TODOS,
    "/api/{resto:path}": Entrada.CREDENCIAL,
    "/mcp": Entrada.TOKEN,
    "/mcp/": Entrada.TOKEN,
    "/_stcore/health": Entrada.TODOS,
    "/static/": Entrada.TODOS,
}
"""Everything else (the pages, their socket, their files) is Entrada.SESION."""


PAGINAS: dict[str | None, Rol] = {
    None: Rol.LECTOR,
    enlaces.LICITACION: Rol.LECTOR,
    enlaces.PERFIL: Rol.LECTOR,
    enlaces.AGENTES: Rol.EDITOR,
    enlaces.COLA: Rol.LECTOR,
    enlaces.BANDEJA: Rol.LECTOR,
    enlaces.RECORRIDOS: Rol.LECTOR,
    enlaces.RECORRIDO: Rol.LECTOR,
    enlaces.USUARIOS: Rol.ADMIN,
}
"""The least role that sees each view."""


class Accion(StrEnum):
    """What a person can change from a page."""

    DECIDIR_CRIBA = "decidir_criba"
    ATENDER_FALLO = "atender_fallo"
    GUARDAR_EMPRESA = "guardar_empresa"
    MANDAR_EN_LA_COLA = "mandar_en_la_cola"
    ADMINISTRAR_USUARIOS = "administrar_usuarios"


ACCIONES: dict[Accion, Rol] = {
    Accion.DECIDIR_CRIBA: Rol.EDITOR,
    Accion.ATENDER_FALLO: Rol.EDITOR,
    Accion.GUARDAR_EMPRESA: Rol.EDITOR,
    Accion.MANDAR_EN_LA_COLA: Rol.EDITOR,
    Accion.ADMINISTRAR_USUARIOS: Rol.ADMIN,
}
"""The least role that may do each. Guided runs have their own rules, the same over HTTP and on their pages."""


class Permiso(NamedTuple):
    """A row of the table, for documents and tests."""

    que: str
    minimo: str


def tabla() -> tuple[Permiso, ...]:
    """The whole table."""
    return (
        *(Permiso(f"ruta {ruta}", quien) for ruta, quien in RUTAS.items()),
        *(Permiso(f"página {vista or 'oportunidades'}", rol) for vista, rol in PAGINAS.items()),
        *(Permiso(f"acción {accion}", rol) for accion, rol in ACCIONES.items()),
    )
