"""The HTTP face of the stand-in: the part of Hermes's API that a queue uses, in either contract."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from itertools import count
from typing import NamedTuple

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from app.hermes.curso import Agente, Curso, Encargo, correr
from app.hermes.memoria import FINALES, Contrato, Json, Memoria

Manejador = Callable[[Request], Awaitable[Response]]
Fondo = Callable[[], Coroutine[None, None, None]]
"""What the process does by itself while it lives; it is cancelled at its end."""
MODELO = "simulado"
CUERPO_MAXIMO = 10 * 2**20
_PIDS = count(40_001)


async def _nada() -> None:
    return


class Ajustes(NamedTuple):
    """How this process behaves. `limite` 0 means as many runs at once as asked for."""

    contrato: Contrato = Contrato.V019
    limite: int = 10
    fondo: Fondo = _nada


class ApiSimulada:
    """One process of Hermes, as far as a client can tell. `app` is the ASGI application."""

    def __init__(
        self, clave: str, agente: Agente, ajustes: Ajustes | None = None, memoria: Memoria | None = None
    ) -> None:
        self._ajustes = ajustes or Ajustes()
        self.contrato = self._ajustes.contrato
        self.memoria = memoria or Memoria()
        self.pid = next(_PIDS)
        self._clave = clave.encode()
        self._agente = agente
        self._cursos: dict[str, tuple[Curso, asyncio.Task[None]]] = {}
        self.app = Starlette(routes=self._rutas(), lifespan=self._vida)

    def _rutas(self) -> list[Route]:
        con_clave: list[tuple[str, str, Manejador]] = [
            ("GET", "/health/detailed", self._salud_detallada),
            ("GET", "/v1/capabilities", self._capacidades),
            ("GET", "/v1/models", self._modelos),
            ("POST", "/v1/runs", self._lanzar),
            ("GET", "/v1/runs/{run}", self._consultar),
            ("POST", "/v1/runs/{run}/stop", self._parar),
            ("POST", "/v1/runs/{run}/approval", self._responder),
            ("GET", "/api/sessions/{sesion}", self._sesion),
            ("GET", "/api/sessions/{sesion}/messages", self._mensajes),
        ]
        guardadas = [Route(r, self._con_clave(m), methods=[v]) for v, r, m in con_clave]
        return [Route("/health", self._salud), *guardadas]

    def _con_clave(self, manejador: Manejador) -> Manejador:
        async def guardado(peticion: Request) -> Response:
            dada = peticion.headers.get("authorization", "").removeprefix("Bearer ").encode()
            if not hmac.compare_digest(dada, self._clave):
                return _error(401, "Invalid API key", "invalid_api_key")
            return await manejador(peticion)

        return guardado

    @asynccontextmanager
    async def _vida(self, _app: Starlette) -> AsyncIterator[None]:
        """A process that dies takes its runs with it, and writes nothing more about them."""
        fondo = asyncio.create_task(self._ajustes.fondo())
        yield
        for curso, _ in self._cursos.values():
            curso.abandonar()
        tareas = [fondo, *(tarea for _, tarea in self._cursos.values())]
        for tarea in tareas:
            tarea.cancel()
        await asyncio.gather(*tareas, return_exceptions=True)

    @property
    def activos(self) -> int:
        """Runs that have not ended."""
        return sum(not tarea.done() for _, tarea in self._cursos.values())

    async def _salud(self, _peticion: Request) -> Response:
        return JSONResponse({"status": "ok", "platform": "hermes-agent", "version": self._version})

    async def _salud_detallada(self, peticion: Request) -> Response:
        return JSONResponse(
            {
                "status": "ok",
                "readiness": {"status": "ok", "checks": {}},
                "platform": "hermes-agent",
                "version": self._version,
                "active_agents": self.activos,
                "pid": self.pid,
            }
        )

    @property
    def _version(self) -> str:
        return f"{self.contrato.value}.0-simulado"

    async def _capacidades(self, peticion: Request) -> Response:
        rasgos: Json = dict.fromkeys(_RASGOS, True)
        if self.contrato is Contrato.V021:
            rasgos["runs_idempotency"] = {"supported": True, "durable": True, "retention_seconds": 86400}
        return JSONResponse(
            {
                "object": "hermes.api_server.capabilities",
                "platform": "hermes-agent",
                "model": MODELO,
                "auth": {"type": "bearer", "required": True},
                "features": rasgos,
            }
        )

    async def _modelos(self, peticion: Request) -> Response:
        return JSONResponse({"object": "list", "data": [{"id": MODELO, "object": "model"}]})

    async def _lanzar(self, peticion: Request) -> Response:
        crudo = await peticion.body()
        if len(crudo) > CUERPO_MAXIMO:
            return _error(413, "Request body too large", "body_too_large")
        cuerpo = _objeto(crudo)
        if cuerpo is None:
            return _error(400, "Invalid JSON")
        if not isinstance(cuerpo.get("input"), str) or not cuerpo["input"]:
            return _error(400, "Missing 'input' field")
        clave = peticion.headers.get("idempotency-key", "") if self.contrato is Contrato.V021 else ""
        huella = hashlib.sha256(json.dumps(cuerpo, sort_keys=True).encode()).digest()
        if clave in self.memoria.claves:
            return self._repetir(clave, huella)
        limite = self._ajustes.limite
        if limite and self.activos >= limite:
            return _ocupado(limite)
        return self._aceptar(cuerpo, clave, huella)

    def _repetir(self, clave: str, huella: bytes) -> Response:
        """Before the limit of runs: the original may be holding the last place."""
        conocida, run_id = self.memoria.claves[clave]
        if conocida != huella:
            mensaje = "Idempotency-Key was already used with a different request payload"
            return _error(409, mensaje, "idempotency_key_conflict")
        return JSONResponse(
            {"run_id": run_id, "status": self.memoria.runs[run_id]["status"], "replayed": True},
            202,
            {"Idempotency-Replayed": "true"},
        )

    def _aceptar(self, cuerpo: Json, clave: str, huella: bytes) -> Response:
        sesion = cuerpo.get("session_id")
        run = self.memoria.nuevo_run(str(sesion) if sesion else None, str(cuerpo.get("model") or MODELO))
        run_id, sesion_id = str(run["run_id"]), str(run["session_id"])
        if clave:
            self.memoria.claves[clave] = (huella, run_id)
        encargo = Encargo(str(cuerpo.get("instructions") or ""), str(cuerpo["input"]), sesion_id)
        self.memoria.abrir_sesion(sesion_id, MODELO, encargo.entrada)
        curso = Curso(self.memoria, run, encargo)
        self._cursos[run_id] = (curso, asyncio.get_running_loop().create_task(correr(curso, self._agente)))
        aceptado: Json = {"run_id": run_id, "status": "started"}
        return JSONResponse(
            aceptado if self.contrato is Contrato.V019 else aceptado | {"replayed": False}, 202
        )

    async def _consultar(self, peticion: Request) -> Response:
        run = self.memoria.runs.get(peticion.path_params["run"])
        return _sin_run() if run is None else JSONResponse(run)

    async def _parar(self, peticion: Request) -> Response:
        run_id = peticion.path_params["run"]
        run, vivo = self.memoria.runs.get(run_id), self._cursos.get(run_id)
        if run is not None and run["status"] in FINALES and self.contrato is Contrato.V021:
            return JSONResponse(run)
        if run is None or vivo is None or vivo[1].done():
            return _sin_run()
        vivo[0].pasar("stopping", last_event="run.stopping")
        vivo[1].cancel()
        return JSONResponse({"run_id": run_id, "status": "stopping"})

    async def _responder(self, peticion: Request) -> Response:
        run_id = peticion.path_params["run"]
        if run_id not in self.memoria.runs:
            return _sin_run()
        eleccion = str((_objeto(await peticion.body()) or {}).get("choice", ""))
        if eleccion not in ("once", "session", "always", "deny"):
            return _error(400, "Invalid approval choice", "invalid_approval_choice")
        vivo = self._cursos.get(run_id)
        if vivo is None or not vivo[0].responder(eleccion):
            return _error(409, f"Run has no pending approval: {run_id}", "approval_not_pending")
        return JSONResponse(
            {"object": "hermes.run.approval_response", "run_id": run_id, "choice": eleccion, "resolved": 1}
        )

    async def _sesion(self, peticion: Request) -> Response:
        fila = self.memoria.sesiones.get(peticion.path_params["sesion"])
        return _sin_sesion() if fila is None else JSONResponse({"object": "hermes.session", "session": fila})

    async def _mensajes(self, peticion: Request) -> Response:
        sesion = peticion.path_params["sesion"]
        if sesion not in self.memoria.sesiones:
            return _sin_sesion()
        return JSONResponse(
            {"object": "list", "session_id": sesion, "data": self.memoria.mensajes.get(sesion, [])}
        )


_RASGOS = (
    "run_submission",
    "run_status",
    "run_stop",
    "run_approval_response",
    "session_resources",
)


def _objeto(crudo: bytes) -> Json | None:
    try:
        leido = json.loads(crudo)
    except (ValueError, RecursionError):
        return None
    return leido if isinstance(leido, dict) else None


def _error(estado: int, mensaje: str, codigo: str | None = None) -> Response:
    cuerpo = {"message": mensaje, "type": "invalid_request_error", "param": None, "code": codigo}
    return JSONResponse({"error": cuerpo}, estado)


def _ocupado(limite: int) -> Response:
    respuesta = _error(429, f"Too many concurrent runs (max {limite})", "rate_limit_exceeded")
    respuesta.headers["Retry-After"] = "1"
    return respuesta


def _sin_run() -> Response:
    return _error(404, "Run not found", "run_not_found")


def _sin_sesion() -> Response:
    return _error(404, "Session not found", "session_not_found")
