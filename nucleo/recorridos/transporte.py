"""How a request gets to the API and its answer back: over HTTP, or called inside this process."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import httpx

from nucleo.errores import ErrorRed
from nucleo.recorridos.api.despacho import Api, Entorno
from nucleo.recorridos.api.mensajes import Identidad, Peticion, Respuesta

PLAZO_S = 15.0
"""Seconds for an answer, besides what is asked to wait."""


class SinRespuesta(ErrorRed):
    """It was sent, and whether it was done is not known: repeat the same."""

    codigo = "sin_respuesta"


class SinServidor(ErrorRed):
    """Nobody answers at that address."""

    codigo = "sin_servidor"


class Transporte(Protocol):
    """Carries one request."""

    def pedir(self, peticion: Peticion, espera_s: float = 0.0) -> Respuesta:
        """The answer, whatever it says; `espera_s` is what it may take by itself. Raises SinRespuesta, SinServidor."""


class TransporteHttp:
    """To a running server. `http` has its address and the caller's token; whoever made it closes it."""

    def __init__(self, http: httpx.Client) -> None:
        self._http = http

    def pedir(self, peticion: Peticion, espera_s: float = 0.0) -> Respuesta:
        """Raises SinServidor when there is no connection, SinRespuesta when it was lost after being made."""
        try:
            respuesta = self._http.request(
                peticion.metodo,
                peticion.ruta,
                params=dict(peticion.consulta),
                content=peticion.cuerpo or None,
                headers={"Content-Type": peticion.tipo} if peticion.tipo else None,
                timeout=PLAZO_S + espera_s,
            )
        except (httpx.ConnectError, httpx.ConnectTimeout, httpx.UnsupportedProtocol) as error:
            raise SinServidor(
                f"No hay nadie en {self._http.base_url}: arranca el servidor con «make up» o di otro con --url."
            ) from error
        except httpx.HTTPError as error:
            raise SinRespuesta("Se ha perdido la respuesta del servidor: repite la misma orden.") from error
        return Respuesta(
            respuesta.status_code,
            respuesta.content,
            respuesta.headers.get("content-type", ""),
            dict(respuesta.headers),
        )


class TransporteInterno:
    """Inside this process, as somebody whom the process itself knows; `entorno` is asked for at each request."""

    def __init__(self, api: Api, entorno: Callable[[], Entorno], identidad: Identidad) -> None:
        self._api = api
        self._entorno = entorno
        self._identidad = identidad

    def pedir(self, peticion: Peticion, espera_s: float = 0.0) -> Respuesta:
        """The answer now: it never waits."""
        return self._api.atender(self._entorno(), peticion, self._identidad)
