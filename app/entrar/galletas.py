"""The cookies of the door: which names they have and how they are set, read and taken away."""

from __future__ import annotations

from starlette.requests import HTTPConnection
from starlette.responses import Response

NOMBRE = "sobre_sesion"
NOMBRE_SEGURO = f"__Host-{NOMBRE}"
"""Over https: browsers accept this name only with Secure, for the whole path and from this very host (RFC 6265bis)."""
PREVIA = "sobre_previa"
"""Of whoever looks at the form: its token proves that what comes back was sent from it."""
RUTA_PREVIA = "/entrar"
PREVIA_S = 3600
SESION_S = 7 * 24 * 3600
"""Seconds. The server decides before that; the cookie only has to last as long as the longest session."""


def leer(peticion: HTTPConnection) -> str | None:
    """The session's token that a request or a socket brings, as it came."""
    return peticion.cookies.get(_nombre(peticion)) or None


def leer_previa(peticion: HTTPConnection) -> str:
    """The token of the form's cookie, empty when there is none."""
    return peticion.cookies.get(PREVIA, "")


def poner(respuesta: Response, peticion: HTTPConnection, token: str) -> None:
    """The session's cookie: no script reads it and no other site's request carries it, but following a link does."""
    respuesta.set_cookie(
        _nombre(peticion),
        token,
        max_age=SESION_S,
        path="/",
        httponly=True,
        samesite="lax",
        secure=es_segura(peticion),
    )


def quitar(respuesta: Response, peticion: HTTPConnection) -> None:
    """The session's cookie, away."""
    respuesta.delete_cookie(
        _nombre(peticion), path="/", httponly=True, samesite="lax", secure=es_segura(peticion)
    )


def poner_previa(respuesta: Response, peticion: HTTPConnection, token: str) -> None:
    """The form's cookie."""
    respuesta.set_cookie(
        PREVIA,
        token,
        max_age=PREVIA_S,
        path=RUTA_PREVIA,
        httponly=True,
        samesite="strict",
        secure=es_segura(peticion),
    )


def es_segura(peticion: HTTPConnection) -> bool:
    """Whether it came over https, by what the server (or the proxy it trusts) says."""
    return peticion.url.scheme in {"https", "wss"}


def _nombre(peticion: HTTPConnection) -> str:
    return NOMBRE_SEGURO if es_segura(peticion) else NOMBRE
