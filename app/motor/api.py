"""Our few questions and orders to the Prefect server, over its REST API (no Prefect import: quick and small)."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Literal, TypeVar
from uuid import UUID

import httpx
from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from nucleo.errores import ErrorRed

PLAZO_S = 15.0
ESPERAS_S = (0.5, 1.0, 2.0)
"""Before each new try: with 503 Prefect says that its database was busy and nothing was done."""
T = TypeVar("T")
Final = Literal["CRASHED", "CANCELLED"]
ACTIVOS = ("PENDING", "RUNNING", "CANCELLING")
"""State types that hold a slot of their deployment."""


class _Respuesta(BaseModel):
    """What we read of an answer; Prefect may say more."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class Estado(_Respuesta):
    """State of a run and since when."""

    tipo: Annotated[str, Field(alias="type")]
    nombre: Annotated[str, Field(alias="name")]
    desde: Annotated[AwareDatetime, Field(alias="timestamp")]


class Ejecucion(_Respuesta):
    """A flow run."""

    id: UUID
    nombre: Annotated[str, Field(alias="name")]
    deployment_id: UUID | None
    estado: Annotated[Estado, Field(alias="state")]


class Turno(_Respuesta):
    """The slots of a deployment's concurrency limit."""

    nombre: Annotated[str, Field(alias="name")]
    ocupados: Annotated[int, Field(alias="active_slots")]


class DespliegueActivo(_Respuesta):
    """A deployment as the server has it."""

    id: UUID
    nombre: Annotated[str, Field(alias="name")]
    turno: Annotated[Turno | None, Field(alias="global_concurrency_limit")] = None


class Trabajador(_Respuesta):
    """A worker that has polled the pool."""

    nombre: Annotated[str, Field(alias="name")]
    visto: Annotated[AwareDatetime | None, Field(alias="last_heartbeat_time")]


class _Latido(_Respuesta):
    ocurrido: Annotated[AwareDatetime, Field(alias="occurred")]


class _Pagina(_Respuesta):
    eventos: Annotated[list[_Latido], Field(alias="events")]


_EJECUCIONES = TypeAdapter(list[Ejecucion])
_DESPLIEGUES = TypeAdapter(list[DespliegueActivo])
_TRABAJADORES = TypeAdapter(list[Trabajador])


class Motor:
    """Client of one Prefect server. Every method raises ErrorRed when it cannot be reached or refuses."""

    def __init__(self, url: str, credencial: str | None = None) -> None:
        self._http = httpx.Client(
            base_url=url, timeout=PLAZO_S, trust_env=False, auth=_basica(credencial), follow_redirects=False
        )

    def cerrar(self) -> None:
        """Close the connections."""
        self._http.close()

    def ejecuciones_activas(self, pozo: str) -> list[Ejecucion]:
        """Runs of the pool's deployments that hold a slot, oldest first."""
        return self._ejecuciones(
            {
                "flow_runs": {"state": {"type": {"any_": list(ACTIVOS)}}},
                "work_pools": {"name": {"any_": [pozo]}},
                "sort": "START_TIME_ASC",
            }
        )

    def activas_de(self, despliegue: UUID) -> list[Ejecucion]:
        """Runs of that deployment that hold a slot."""
        return self._ejecuciones(
            {
                "flow_runs": {
                    "state": {"type": {"any_": list(ACTIVOS)}},
                    "deployment_id": {"any_": [str(despliegue)]},
                }
            }
        )

    def ejecucion(self, identificador: UUID) -> Ejecucion:
        """That run, as it is now."""
        return _validar(TypeAdapter(Ejecucion), self._pedir("GET", f"/flow_runs/{identificador}"))

    def despliegues(self, pozo: str) -> list[DespliegueActivo]:
        """Deployments of the pool."""
        cuerpo = {"work_pools": {"name": {"any_": [pozo]}}}
        return _validar(_DESPLIEGUES, self._pedir("POST", "/deployments/filter", cuerpo))

    def despliegue(self, nombre_completo: str) -> DespliegueActivo:
        """The deployment `flow/name`."""
        return _validar(
            TypeAdapter(DespliegueActivo), self._pedir("GET", f"/deployments/name/{nombre_completo}")
        )

    def trabajadores(self, pozo: str) -> list[Trabajador]:
        """Workers that have ever polled the pool."""
        return _validar(_TRABAJADORES, self._pedir("POST", f"/work_pools/{pozo}/workers/filter", {}))

    def ultimo_latido(self, ejecucion: UUID, desde: datetime) -> datetime | None:
        """The newest heartbeat of the run after `desde`, or None."""
        cuerpo = {
            "filter": {
                "occurred": {"since": desde.isoformat()},
                "event": {"name": ["prefect.flow-run.heartbeat"]},
                "resource": {"id": [f"prefect.flow-run.{ejecucion}"]},
                "order": "DESC",
            },
            "limit": 1,
        }
        eventos = _validar(TypeAdapter(_Pagina), self._pedir("POST", "/events/filter", cuerpo)).eventos
        return eventos[0].ocurrido if eventos else None

    def imponer(self, ejecucion: UUID, tipo: Final, mensaje: str) -> None:
        """Force a final state, whatever the rules of transition say; it frees the run's slot."""
        estado = {"type": tipo, "message": mensaje}
        self._pedir("POST", f"/flow_runs/{ejecucion}/set_state", {"state": estado, "force": True})

    def turno(self, nombre: str) -> Turno:
        """That global concurrency limit."""
        return _validar(TypeAdapter(Turno), self._pedir("GET", f"/v2/concurrency_limits/{nombre}"))

    def vaciar_turno(self, turno: str) -> None:
        """Set the slots in use of a concurrency limit to none."""
        self._pedir("PATCH", f"/v2/concurrency_limits/{turno}", {"active_slots": 0})

    def lanzar(self, despliegue: UUID, parametros: Mapping[str, object], clave: str) -> Ejecucion:
        """Ask for a run now; the same `clave` twice is the same run."""
        cuerpo = {
            "parameters": dict(parametros),
            "idempotency_key": clave,
            "state": {"type": "SCHEDULED", "name": "Scheduled", "message": "Pedida por la vigilancia"},
        }
        return _validar(
            TypeAdapter(Ejecucion), self._pedir("POST", f"/deployments/{despliegue}/create_flow_run", cuerpo)
        )

    def _ejecuciones(self, cuerpo: Mapping[str, object]) -> list[Ejecucion]:
        return _validar(_EJECUCIONES, self._pedir("POST", "/flow_runs/filter", cuerpo))

    def _pedir(self, metodo: str, ruta: str, cuerpo: Mapping[str, object] | None = None) -> bytes:
        try:
            respuesta = self._http.request(metodo, ruta, json=cuerpo)
            for espera in ESPERAS_S:
                if respuesta.status_code != httpx.codes.SERVICE_UNAVAILABLE:
                    break
                time.sleep(espera)
                respuesta = self._http.request(metodo, ruta, json=cuerpo)
            respuesta.raise_for_status()
        except httpx.HTTPStatusError as error:
            raise ErrorRed(f"El motor responde {error.response.status_code} a {metodo} {ruta}.") from error
        except httpx.HTTPError as error:
            raise ErrorRed(
                f"El motor no responde en {self._http.base_url} ({type(error).__name__})."
            ) from error
        return respuesta.content


def motor_del_entorno(puerto: int) -> Motor:
    """The server of PREFECT_API_URL, or else that port of this machine."""
    url = os.environ.get("PREFECT_API_URL") or f"http://127.0.0.1:{puerto}/api"
    return Motor(url, os.environ.get("PREFECT_API_AUTH_STRING"))


def _basica(credencial: str | None) -> httpx.BasicAuth | None:
    if not credencial:
        return None
    usuario, _, clave = credencial.partition(":")
    return httpx.BasicAuth(usuario, clave)


def _validar(forma: TypeAdapter[T], contenido: bytes) -> T:
    try:
        return forma.validate_json(contenido)
    except ValidationError as error:
        raise ErrorRed(f"El motor responde algo que no se entiende: {error.errors()[0]['msg']}.") from error
