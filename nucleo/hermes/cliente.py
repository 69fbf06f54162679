"""The client of one Hermes profile; what it does depends on what that Hermes says it can do, not on its version."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Self

from nucleo.errores import ErrorEntrada, ErrorSobre
from nucleo.hermes import contrato
from nucleo.hermes.errores import (
    ClaveRechazada,
    ClaveReutilizada,
    ContratoRoto,
    HermesCaido,
    HermesOcupado,
    RespuestaPerdida,
)
from nucleo.hermes.modelo import (
    Capacidades,
    EstadoRun,
    Huerfano,
    Lanzado,
    MetricasSesion,
    SaludHermes,
)
from nucleo.hermes.transporte import Respuesta, Transporte

ENTRADA_MAXIMA = 4 * 2**20
"""Bytes of a launch; Hermes refuses above 10 MB."""
REPETICIONES = 2
"""Times that a launch with a lost answer is sent again, where that is safe."""
ESPERAS_SESION_S = (5.0, 5.0, 10.0)
"""Looks for the session of a launch with a lost answer, 5, 10 and 20 s after: its row takes up to 2 s to appear."""
_SESION = re.compile(r"[A-Za-z0-9_-]{8,128}")
_CLAVE = re.compile(r"[\x21-\x7e]{1,255}")
_RUN = re.compile(r"[A-Za-z0-9_-]{1,128}")


class ClienteHermes:
    """Asynchronous context manager over one profile's API.

    Every call may raise HermesCaido, RespuestaPerdida, HermesOcupado, ClaveRechazada or ContratoRoto.
    """

    def __init__(
        self,
        base_url: str,
        clave: str,
        transporte: Transporte | None = None,
        dormir: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._transporte = transporte or Transporte(base_url, clave)
        self._dormir = dormir
        self._capacidades: Capacidades | None = None

    def __repr__(self) -> str:
        """Without the key."""
        return f"ClienteHermes({self._transporte.base_url!r})"

    async def __aenter__(self) -> Self:
        """Asks nothing yet."""
        return self

    async def __aexit__(
        self, tipo: type[BaseException] | None, error: BaseException | None, traza: TracebackType | None
    ) -> None:
        """Close every connection."""
        await self._transporte.__aexit__(tipo, error, traza)

    async def capacidades(self) -> Capacidades:
        """Asked again each time: another version may have started behind the same port."""
        respuesta = await self._pedir("GET", "/v1/capabilities")
        self._capacidades = contrato.leer_capacidades(self._bien(respuesta, 200).cuerpo)
        return self._capacidades

    async def salud(self) -> SaludHermes:
        """Who answers and whether it feels well; raises HermesCaido when nobody does."""
        return contrato.leer_salud(self._bien(await self._pedir("GET", "/health/detailed"), 200).cuerpo)

    async def lanzar(
        self, instrucciones: str, entrada: str, sesion_id: str, clave_idempotencia: str
    ) -> Lanzado:
        """Start a run, at most once.

        `sesion_id` must be new for each attempt and stored before the call, and so must everything else that travels.
        With durable idempotency a lost answer is asked for again; without it RespuestaPerdida is raised, and
        `retomar` finds out what happened. Raises HermesOcupado for Hermes's own limit (nothing started; not to be
        taken for the provider's 429, which comes later, in a failed run).
        """
        cuerpo = _cuerpo(instrucciones, entrada, sesion_id)
        if not _CLAVE.fullmatch(clave_idempotencia):
            raise ErrorEntrada("La clave de idempotencia va en ASCII visible, de 1 a 255 caracteres.")
        capacidades = self._capacidades or await self.capacidades()
        quedan = REPETICIONES if capacidades.repetible else 0
        perdida: RespuestaPerdida | None = None
        while True:
            try:
                return await self._lanzar_una_vez(cuerpo, clave_idempotencia)
            except RespuestaPerdida as error:
                if not quedan:
                    raise
                quedan -= 1
                perdida = error
            except ErrorSobre:
                # Nothing came of this sending; of the one before, nobody knows.
                if perdida is not None:
                    raise perdida from None
                raise

    async def retomar(
        self, instrucciones: str, entrada: str, sesion_id: str, clave_idempotencia: str
    ) -> Lanzado | Huerfano:
        """Go on with a launch that nobody knows whether it started, with the same data. Never starts it twice.

        Where launches can be repeated it repeats it; elsewhere it looks for the session, which only a run makes:
        if it is there the run did start (Huerfano), and if after 20 s it is not, it is launched.
        """
        if not (await self.capacidades()).repetible and await self._hay_sesion(sesion_id):
            return Huerfano(sesion_id=sesion_id)
        return await self.lanzar(instrucciones, entrada, sesion_id, clave_idempotencia)

    async def consultar(self, run_id: str) -> EstadoRun | None:
        """None when Hermes knows no such run (404): it restarted, or the run ended over an hour ago."""
        respuesta = await self._pedir("GET", f"/v1/runs/{_ruta(run_id)}")
        return None if respuesta.estado == 404 else contrato.leer_run(self._bien(respuesta, 200).cuerpo)

    async def parar(self, run_id: str) -> bool:
        """Ask the run to stop; False when it is not running any more. It may still end on its own meanwhile."""
        respuesta = await self._pedir("POST", f"/v1/runs/{_ruta(run_id)}/stop")
        if respuesta.estado in (404, 409):
            return False
        self._bien(respuesta, 200)
        return True

    async def denegar(self, run_id: str) -> bool:
        """Deny everything that the run asks leave for; False when it asks for nothing now."""
        cuerpo = json.dumps({"choice": "deny", "all": True}).encode()
        respuesta = await self._pedir("POST", f"/v1/runs/{_ruta(run_id)}/approval", cuerpo)
        if respuesta.estado in (404, 409):
            return False
        self._bien(respuesta, 200)
        return True

    async def sesion(self, sesion_id: str) -> MetricasSesion | None:
        """Tokens and calls of a session; None when there is none. It outlives restarts of Hermes."""
        respuesta = await self._pedir("GET", f"/api/sessions/{_ruta(sesion_id)}")
        return None if respuesta.estado == 404 else contrato.leer_sesion(self._bien(respuesta, 200).cuerpo)

    async def resultados(self, sesion_id: str) -> tuple[str, ...]:
        """What the tools answered in a session, oldest first (see `desenlace.sin_herramientas`)."""
        respuesta = await self._pedir("GET", f"/api/sessions/{_ruta(sesion_id)}/messages")
        if respuesta.estado == 404:
            return ()
        return contrato.leer_resultados(self._bien(respuesta, 200).cuerpo)

    async def _lanzar_una_vez(self, cuerpo: bytes, clave: str) -> Lanzado:
        respuesta = await self._pedir("POST", "/v1/runs", cuerpo, {"Idempotency-Key": clave})
        codigo, mensaje = ("", "") if respuesta.estado == 202 else contrato.leer_error(respuesta.cuerpo)
        match respuesta.estado:
            case 202:
                return _aceptado(respuesta)
            case 409 if codigo == "idempotency_key_conflict":
                raise ClaveReutilizada(
                    "Ese intento ya se lanzó con otras instrucciones: es un error nuestro."
                )
            case 429 | 503:
                raise HermesOcupado(
                    "Hermes no admite más trabajos por ahora.",
                    _espera(respuesta.cabeceras.get("retry-after")),
                )
            case 413 | 400:
                raise ErrorEntrada(f"Hermes no admite el encargo: «{self._transporte.tapar(mensaje)}».")
            case estado if estado >= 500:
                raise RespuestaPerdida(f"Hermes falló al recibir el encargo ({estado}).")
        raise self._inesperada(respuesta)

    async def _hay_sesion(self, sesion_id: str) -> bool:
        for pausa in ESPERAS_SESION_S:
            await self._dormir(pausa)
            if await self.sesion(sesion_id) is not None:
                return True
        return False

    async def _pedir(
        self, metodo: str, ruta: str, cuerpo: bytes | None = None, cabeceras: dict[str, str] | None = None
    ) -> Respuesta:
        respuesta = await self._transporte.pedir(metodo, ruta, cuerpo, cabeceras)
        if respuesta.estado in (401, 403):
            raise ClaveRechazada(
                f"Hermes ({self._transporte.base_url}) no admite la clave del perfil: revísala en los dos sitios."
            )
        return respuesta

    def _bien(self, respuesta: Respuesta, esperado: int) -> Respuesta:
        if respuesta.estado != esperado:
            raise self._inesperada(respuesta)
        return respuesta

    def _inesperada(self, respuesta: Respuesta) -> ContratoRoto:
        mensaje = self._transporte.tapar(contrato.leer_error(respuesta.cuerpo)[1])
        dicho = f": «{mensaje}»" if mensaje else ""
        return ContratoRoto(
            f"Hermes contesta {respuesta.estado}{dicho}.", reintentable=respuesta.estado >= 500
        )


async def mirar(cliente: ClienteHermes) -> SaludHermes | None:
    """Who is behind the port, or None when nobody is or it does not get to answer."""
    try:
        return await cliente.salud()
    except (HermesCaido, RespuestaPerdida):
        return None


def _aceptado(respuesta: Respuesta) -> Lanzado:
    """A 202 that does not say its run did start something: that is a lost answer, not a broken contract."""
    repetido = respuesta.cabeceras.get("idempotency-replayed", "").lower() == "true"
    try:
        return contrato.leer_lanzado(respuesta.cuerpo, repetido)
    except ContratoRoto as error:
        raise RespuestaPerdida("Hermes aceptó el encargo sin decir con qué número.") from error


def _cuerpo(instrucciones: str, entrada: str, sesion_id: str) -> bytes:
    """The same attempt always gives the same bytes: Hermes compares them when it is sent again."""
    if not entrada.strip():
        raise ErrorEntrada("El encargo para el agente está vacío.")
    if not _SESION.fullmatch(sesion_id):
        raise ErrorEntrada("El identificador de sesión va con letras, cifras, - y _, de 8 a 128.")
    try:
        cuerpo = json.dumps(
            {"input": entrada, "instructions": instrucciones, "session_id": sesion_id},
            ensure_ascii=False,
            sort_keys=True,
        ).encode()
    except UnicodeEncodeError as error:
        raise ErrorEntrada("El encargo para el agente tiene caracteres que no son texto.") from error
    if len(cuerpo) > ENTRADA_MAXIMA:
        raise ErrorEntrada("El encargo para el agente es demasiado grande.")
    return cuerpo


def _ruta(identificador: str) -> str:
    if not _RUN.fullmatch(identificador):
        raise ErrorEntrada("Ese identificador no es de Hermes.")
    return identificador


def _espera(retry_after: str | None) -> float:
    """Seconds asked for, between 1 and 60; a date or nonsense counts as 1."""
    return float(min(60, max(1, int(retry_after)))) if retry_after and retry_after.isdecimal() else 1.0
