"""The client that every read of the outside goes through: allowed, checked, capped, one at a time per host."""

from __future__ import annotations

import asyncio
import io
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import BinaryIO, NamedTuple, Self

import httpcore
import truststore

from nucleo.errores import DestinoProhibido, ErrorRed
from nucleo.red.conexion import ConexionComprobada, Resolver, resolver_del_sistema
from nucleo.red.cuerpo import volcar
from nucleo.red.destinos import Destino, Politica, examinar, seguir, sin_consulta
from nucleo.red.reintentos import ESPERAS_S, espera, merece_otro_intento
from nucleo.red.turnos import Turnos
from nucleo.reloj import Reloj, reloj_del_sistema

AGENTE = b"sobre-abierto/0.1 (lector de sindicacion; secuencial)"
SALTOS_MAXIMOS = 5
_REDIRECCIONES = frozenset({301, 302, 303, 307, 308})
_AUSENTES = frozenset({404, 410})


class Limites(NamedTuple):
    """Seconds and bytes of one request.

    `total_s` is the deadline of an attempt, however slowly bytes drip, and the time after which no other begins: a
    page that drips must not outlast the passes that come after.
    """

    conexion_s: float = 10.0
    lectura_s: float = 30.0
    total_s: float = 300.0
    bytes_maximos: int = 128 * 2**20


PAGINA = Limites()
"""A feed page: 15 MB on average, 17 MB the largest seen; the source gives about 0.6 MB/s."""

FICHERO = Limites(total_s=3600.0, bytes_maximos=400 * 2**20)
"""A monthly ZIP: 140 MB seen."""


class Condicion(NamedTuple):
    """What was kept of the last answer, to be told «304» when nothing changed."""

    etag: str | None = None
    last_modified: str | None = None


class Respuesta(NamedTuple):
    """`estado` is 200, 304 or, when there is nothing at that URL, 404 or 410. `url` is where it came from at last."""

    estado: int
    url: str
    cuerpo: bytes = b""
    etag: str | None = None
    last_modified: str | None = None


class Entorno(NamedTuple):
    """What a caller may replace. `tls` None means the system's trust store.

    `esperas_s`: seconds before each new attempt; empty where somebody else owns the retries.
    """

    resolver: Resolver = resolver_del_sistema
    dormir: Callable[[float], Awaitable[None]] = asyncio.sleep
    reloj: Reloj = reloj_del_sistema
    tls: ssl.SSLContext | None = None
    esperas_s: Sequence[float] = ESPERAS_S


class ClienteSeguro:
    """Asynchronous context manager; use one per process or flow run. Proxies of the environment are not used."""

    def __init__(self, politica: Politica, pausa_s: float = 0.2, entorno: Entorno | None = None) -> None:
        self._politica = politica
        self._entorno = entorno or Entorno()
        self._turnos = Turnos(pausa_s, self._entorno.dormir)
        self._conexiones = httpcore.AsyncConnectionPool(
            ssl_context=self._entorno.tls or truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT),
            max_connections=4,
            keepalive_expiry=15.0,
            network_backend=ConexionComprobada(politica, self._entorno.resolver),
        )

    async def __aenter__(self) -> Self:
        """Opens nothing yet."""
        return self

    async def __aexit__(
        self, tipo: type[BaseException] | None, error: BaseException | None, traza: TracebackType | None
    ) -> None:
        """Close every connection."""
        await self._conexiones.aclose()

    async def obtener(
        self, url: str, condicion: Condicion | None = None, limites: Limites = PAGINA
    ) -> Respuesta:
        """GET into memory. Raises DestinoProhibido or ErrorRed (after the last attempt, when trying again can help)."""
        salida = io.BytesIO()
        respuesta = await self._con_reintentos(url, condicion or Condicion(), limites, salida)
        return respuesta._replace(cuerpo=salida.getvalue()) if respuesta.estado == 200 else respuesta

    async def descargar(self, url: str, fichero: Path, limites: Limites = FICHERO) -> Respuesta:
        """GET into a file, which appears only when it is whole; errors as in `obtener`."""
        parcial = fichero.with_name(f".{fichero.name}.parcial")
        try:
            with parcial.open("wb") as salida:
                respuesta = await self._con_reintentos(url, Condicion(), limites, salida)
            if respuesta.estado == 200:
                parcial.replace(fichero)
        finally:
            parcial.unlink(missing_ok=True)
        return respuesta

    async def _con_reintentos(
        self, url: str, condicion: Condicion, limites: Limites, salida: BinaryIO
    ) -> Respuesta:
        destino = examinar(url, self._politica)
        respuesta = await self._por_turno(destino, condicion, limites, salida)
        if respuesta.estado == 304 and condicion == Condicion():
            raise ErrorRed(
                f"{_donde(destino)} contesta 304 a una petición sin condiciones.", codigo="http_304"
            )
        return respuesta

    async def _por_turno(
        self, destino: Destino, condicion: Condicion, limites: Limites, salida: BinaryIO
    ) -> Respuesta:
        async with self._turnos.de(destino.origen.host):
            intento, inicio = 0, monotonic()
            while True:
                salida.seek(0)
                salida.truncate()
                try:
                    return await self._saltar(destino, condicion, limites, salida)
                except _Fallo as fallo:
                    pausa = espera(intento, fallo.retry_after, self._entorno.reloj(), self._entorno.esperas_s)
                    agotado = monotonic() - inicio >= limites.total_s
                    if not fallo.error.reintentable or pausa is None or agotado:
                        raise fallo.error from fallo.__cause__
                    await self._entorno.dormir(pausa)
                intento += 1

    async def _saltar(
        self, destino: Destino, condicion: Condicion, limites: Limites, salida: BinaryIO
    ) -> Respuesta:
        """Follow redirects by hand: each one goes through the same rules as the first URL."""
        for _ in range(SALTOS_MAXIMOS + 1):
            try:
                async with (
                    asyncio.timeout(limites.total_s),
                    self._pedir(destino, condicion, limites) as cruda,
                ):
                    cabeceras = _cabeceras(cruda)
                    if cruda.status not in _REDIRECCIONES:
                        return await _recoger(cruda, cabeceras, destino, limites, salida)
            except TimeoutError as error:
                raise _Fallo(ErrorRed(f"{_donde(destino)} tarda demasiado.", codigo="lenta")) from error
            except ErrorRed as error:
                raise _Fallo(error) from error.__cause__
            destino = self._siguiente(destino, cabeceras.get("location", ""))
        raise DestinoProhibido(
            f"{_donde(destino)} encadena demasiadas redirecciones.", codigo="redirecciones"
        )

    def _siguiente(self, destino: Destino, location: str) -> Destino:
        if not location:
            raise ErrorRed(
                f"{_donde(destino)} redirige sin decir adónde.", codigo="redirecciones", reintentable=False
            )
        return seguir(destino.url, location, self._politica)

    @asynccontextmanager
    async def _pedir(
        self, destino: Destino, condicion: Condicion, limites: Limites
    ) -> AsyncIterator[httpcore.Response]:
        tiempos = {
            "connect": limites.conexion_s,
            "read": limites.lectura_s,
            "write": limites.lectura_s,
            "pool": limites.total_s,
        }
        try:
            async with self._conexiones.stream(
                "GET", destino.url, headers=_peticion(condicion), extensions={"timeout": tiempos}
            ) as cruda:
                yield cruda
        except httpcore.TimeoutException as error:
            raise ErrorRed(f"{_donde(destino)} no contesta a tiempo.", codigo="lenta") from error
        except httpcore.ProtocolError as error:
            raise ErrorRed(f"{_donde(destino)} cortó la respuesta.", codigo="truncada") from error
        except httpcore.NetworkError as error:
            raise _sin_conexion(destino, error) from error


class _Fallo(Exception):
    def __init__(self, error: ErrorRed, retry_after: str | None = None) -> None:
        super().__init__(error.mensaje)
        self.error = error
        self.retry_after = retry_after


async def _recoger(
    cruda: httpcore.Response, cabeceras: dict[str, str], destino: Destino, limites: Limites, salida: BinaryIO
) -> Respuesta:
    estado = cruda.status
    if merece_otro_intento(estado):
        error = ErrorRed(f"{_donde(destino)} contesta {estado}.", codigo=f"http_{estado}")
        raise _Fallo(error, cabeceras.get("retry-after"))
    if estado == 200:
        await volcar(
            cruda.aiter_stream(), cabeceras.get("content-encoding", ""), limites.bytes_maximos, salida
        )
    elif estado != 304 and estado not in _AUSENTES:
        raise ErrorRed(f"{_donde(destino)} contesta {estado}.", codigo=f"http_{estado}", reintentable=False)
    return Respuesta(
        estado, destino.url, etag=cabeceras.get("etag"), last_modified=cabeceras.get("last-modified")
    )


def _peticion(condicion: Condicion) -> list[tuple[bytes, bytes]]:
    cabeceras = [(b"User-Agent", AGENTE), (b"Accept", b"*/*"), (b"Accept-Encoding", b"gzip")]
    if condicion.etag:
        cabeceras.append((b"If-None-Match", condicion.etag.encode("latin-1", "ignore")))
    if condicion.last_modified:
        cabeceras.append((b"If-Modified-Since", condicion.last_modified.encode("latin-1", "ignore")))
    return cabeceras


def _cabeceras(cruda: httpcore.Response) -> dict[str, str]:
    return {nombre.decode("latin-1").lower(): valor.decode("latin-1") for nombre, valor in cruda.headers}


def _sin_conexion(destino: Destino, error: Exception) -> ErrorRed:
    causa: BaseException | None = error
    while causa is not None:
        if isinstance(causa, ssl.SSLCertVerificationError):
            return ErrorRed(
                f"El certificado de {destino.origen.host} no es de confianza para este sistema.",
                codigo="certificado",
                reintentable=False,
            )
        causa = causa.__cause__ or causa.__context__
    return ErrorRed(f"No hay conexión con {_donde(destino)}.", codigo="sin_conexion")


def _donde(destino: Destino) -> str:
    return sin_consulta(destino.url)
