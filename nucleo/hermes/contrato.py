"""Hermes's JSON as it travels, read into our models; fields that we do not use are left aside, wrong types are not.

Checked against hermes-agent 0.19.0 and the sources of its later releases: what only one of them sends is optional.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Annotated, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from nucleo.hermes.errores import ContratoRoto
from nucleo.hermes.modelo import (
    Capacidades,
    EstadoRun,
    Idempotencia,
    Lanzado,
    MetricasSesion,
    SaludHermes,
)
from nucleo.reloj import EPOCA

M = TypeVar("M", bound=BaseModel)
Cuenta = Annotated[int, BeforeValidator(lambda v: 0 if v is None else v), Field(ge=0)]
"""A counter that Hermes leaves null until there is something to count."""
Texto = Annotated[str, BeforeValidator(lambda v: "" if v is None else v)]
Segundos = Annotated[float, Field(ge=0, le=4_102_444_800)]
"""Seconds since 1970; before the year 2100."""


class _Json(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True, extra="ignore")


class _IdempotenciaJson(_Json):
    supported: bool = False
    durable: bool = False


class _Rasgos(_Json):
    run_submission: bool = False
    run_status: bool = False
    run_stop: bool = False
    run_approval_response: bool = False
    session_resources: bool = False
    runs_idempotency: _IdempotenciaJson = _IdempotenciaJson()


class _CapacidadesJson(_Json):
    features: _Rasgos


class _LanzadoJson(_Json):
    run_id: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,128}$")]
    replayed: bool = False


class _RunJson(_Json):
    run_id: str
    status: str
    session_id: str | None = None
    created_at: Segundos | None = None
    updated_at: Segundos | None = None
    last_event: str | None = None
    output: Texto = ""
    error: Texto = ""
    turn_exit_reason: Texto = ""
    partial: bool = False


class _SesionFila(_Json):
    id: str
    model: str | None = None
    input_tokens: Cuenta = 0
    output_tokens: Cuenta = 0
    cache_read_tokens: Cuenta = 0
    cache_write_tokens: Cuenta = 0
    reasoning_tokens: Cuenta = 0
    api_call_count: Cuenta = 0
    tool_call_count: Cuenta = 0
    message_count: Cuenta = 0
    started_at: Segundos | None = None
    last_active: Segundos | None = None
    end_reason: str | None = None


class _SesionJson(_Json):
    session: _SesionFila


class _SaludJson(_Json):
    status: str
    version: Texto = ""
    pid: int | None = None


class _Mensaje(_Json):
    role: str
    content: object = None


class _MensajesJson(_Json):
    data: list[_Mensaje]


class _ErrorDetalle(_Json):
    message: Texto = ""
    code: str | None = None


class _ErrorJson(_Json):
    error: _ErrorDetalle | str


def leer_capacidades(cuerpo: bytes) -> Capacidades:
    """Raises ContratoRoto, as all of these do."""
    rasgos = _leer(_CapacidadesJson, cuerpo, "sus capacidades").features
    clave = rasgos.runs_idempotency
    duracion = Idempotencia.DURADERA if clave.durable else Idempotencia.MEMORIA
    return Capacidades(
        idempotencia=duracion if clave.supported else Idempotencia.NINGUNA,
        runs=rasgos.run_submission and rasgos.run_status,
        parar=rasgos.run_stop,
        aprobar=rasgos.run_approval_response,
        sesiones=rasgos.session_resources,
    )


def leer_lanzado(cuerpo: bytes, repetido: bool) -> Lanzado:
    """`repetido` is what the header `Idempotency-Replayed` says."""
    dicho = _leer(_LanzadoJson, cuerpo, "el lanzamiento")
    return Lanzado(run_id=dicho.run_id, repetido=repetido or dicho.replayed)


def leer_run(cuerpo: bytes) -> EstadoRun:
    """A run's status document."""
    run = _leer(_RunJson, cuerpo, "el estado de un trabajo")
    return EstadoRun(
        run_id=run.run_id,
        estado=run.status,
        sesion_id=run.session_id,
        creado=_instante(run.created_at),
        actualizado=_instante(run.updated_at),
        ultimo_evento=run.last_event,
        salida=run.output,
        error=run.error,
        motivo_fin=run.turn_exit_reason,
        parcial=run.partial,
    )


def leer_sesion(cuerpo: bytes) -> MetricasSesion:
    """A session's row."""
    fila = _leer(_SesionJson, cuerpo, "una sesión").session
    return MetricasSesion(
        sesion_id=fila.id,
        modelo=fila.model,
        entrada=fila.input_tokens,
        salida=fila.output_tokens,
        cache_leida=fila.cache_read_tokens,
        cache_escrita=fila.cache_write_tokens,
        razonamiento=fila.reasoning_tokens,
        llamadas=fila.api_call_count,
        herramientas=fila.tool_call_count,
        mensajes=fila.message_count,
        inicio=_instante(fila.started_at),
        ultima_actividad=_instante(fila.last_active),
        partida="compression" in (fila.end_reason or ""),
    )


def leer_salud(cuerpo: bytes) -> SaludHermes:
    """/health/detailed (with pid)."""
    salud = _leer(_SaludJson, cuerpo, "su salud")
    return SaludHermes(pid=salud.pid, version=salud.version, lista=salud.status == "ok")


def leer_resultados(cuerpo: bytes) -> tuple[str, ...]:
    """The tool results among a session's messages, oldest first; text only."""
    mensajes = _leer(_MensajesJson, cuerpo, "los mensajes de una sesión").data
    return tuple(m.content for m in mensajes if m.role == "tool" and isinstance(m.content, str))


def leer_error(cuerpo: bytes) -> tuple[str, str]:
    """(code, message) of an error answer; empty when it is not one of Hermes's."""
    try:
        error = _ErrorJson.model_validate_json(cuerpo).error
    except ValidationError:
        return "", ""
    return ("", error) if isinstance(error, str) else (error.code or "", error.message)


def _leer(modelo: type[M], cuerpo: bytes, que: str) -> M:
    try:
        return modelo.model_validate_json(cuerpo)
    except ValidationError as error:
        donde = ".".join(str(p) for p in error.errors()[0]["loc"]) or "el documento entero"
        raise ContratoRoto(f"Hermes no cuenta {que} como se espera (falla {donde}).") from error


def _instante(segundos: float | None) -> datetime | None:
    return None if segundos is None else EPOCA + timedelta(seconds=segundos)
