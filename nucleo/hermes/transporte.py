"""One HTTP exchange with a Hermes on this machine: loopback only, no proxies, no redirects, capped in time and size.

The key travels in a header and appears nowhere else: what Hermes answers is cleared of it before it is told.
"""

from __future__ import annotations

import asyncio
from ipaddress import ip_address
from types import TracebackType
from typing import NamedTuple, Self
from urllib.parse import urlsplit

import httpx

from nucleo.errores import ErrorConfiguracion
from nucleo.hermes.errores import ContratoRoto, HermesCaido, RespuestaPerdida

CUERPO_MAXIMO = 8 * 2**20
"""Bytes of an answer: the longest output measured is far below."""


class Limites(NamedTuple):
    """Seconds. A launch is answered in 0.1 s on an idle machine; `total_s` holds however slowly bytes drip."""

    conexion_s: float = 3.0
    lectura_s: float = 20.0
    total_s: float = 40.0


class Respuesta(NamedTuple):
    """`cabeceras` keep httpx's case-insensitive look-up."""

    estado: int
    cuerpo: bytes
    cabeceras: httpx.Headers


def comprobar_url(url: str) -> str:
    """The base URL without final slash. Raises ErrorConfiguracion unless it is http://<this machine>[:port]."""
    try:
        partes = urlsplit(url)
        puerto = partes.port
        local = partes.hostname == "localhost" or ip_address(partes.hostname or "").is_loopback
    except ValueError:
        local, puerto = False, None
    limpia = local and not (partes.username or partes.query or partes.fragment or partes.path.strip("/"))
    if not limpia or partes.scheme != "http" or puerto == 0:
        raise ErrorConfiguracion(
            "La dirección de Hermes tiene que ser http://127.0.0.1:PUERTO: solo se habla con el de esta máquina."
        )
    anfitrion = "127.0.0.1" if partes.hostname == "localhost" else partes.hostname or ""
    return f"http://{f'[{anfitrion}]' if ':' in anfitrion else anfitrion}:{puerto or 80}"


class Transporte:
    """Asynchronous context manager over one base URL and key."""

    def __init__(self, base_url: str, clave: str, limites: Limites | None = None) -> None:
        self.base_url = comprobar_url(base_url)
        self._clave = clave
        self._limites = limites or Limites()
        self._http = httpx.AsyncClient(
            base_url=self.base_url,
            headers={"Authorization": f"Bearer {clave}", "Accept-Encoding": "identity"},
            timeout=httpx.Timeout(self._limites.lectura_s, connect=self._limites.conexion_s),
            limits=httpx.Limits(max_connections=8, max_keepalive_connections=4, keepalive_expiry=10.0),
            follow_redirects=False,
            trust_env=False,
        )

    def __repr__(self) -> str:
        """Without the key."""
        return f"Transporte({self.base_url!r})"

    async def __aenter__(self) -> Self:
        """Opens nothing yet."""
        return self

    async def __aexit__(
        self, tipo: type[BaseException] | None, error: BaseException | None, traza: TracebackType | None
    ) -> None:
        """Close every connection."""
        await self._http.aclose()

    async def pedir(
        self, metodo: str, ruta: str, cuerpo: bytes | None = None, cabeceras: dict[str, str] | None = None
    ) -> Respuesta:
        """Raises HermesCaido when nothing was sent, RespuestaPerdida when it was and the answer is not whole."""
        tipo = {"Content-Type": "application/json"} if cuerpo is not None else {}
        peticion = self._http.build_request(
            metodo, ruta, content=cuerpo, headers={**tipo, **(cabeceras or {})}
        )
        try:
            async with asyncio.timeout(self._limites.total_s):
                respuesta = await self._http.send(peticion, stream=True)
                try:
                    return Respuesta(respuesta.status_code, await _entero(respuesta), respuesta.headers)
                finally:
                    await respuesta.aclose()
        except (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout) as error:
            raise HermesCaido(f"Hermes no está en marcha en {self.base_url}.") from error
        except (TimeoutError, httpx.TransportError) as error:
            raise RespuestaPerdida(
                f"Hermes ({self.base_url}) recibió la petición y no llegó a contestar."
            ) from error

    def tapar(self, texto: str) -> str:
        """Foreign text fit for a message: without the key, in one line, short."""
        return " ".join(texto.replace(self._clave, "•••").split())[:300]


async def _entero(respuesta: httpx.Response) -> bytes:
    trozos = bytearray()
    async for trozo in respuesta.aiter_raw():
        trozos += trozo
        if len(trozos) > CUERPO_MAXIMO:
            raise ContratoRoto("Hermes contesta con un documento demasiado grande.")
    return bytes(trozos)
