"""What a run refuses, with the codes that its callers act on and the HTTP status that each one answers with."""

from __future__ import annotations

from nucleo.errores import ErrorSobre
from nucleo.modelo import Modelo

ESTADOS_HTTP = {
    "PLAN_INVALIDO": 400,
    "ENTRADA_INVALIDA": 400,
    "SALIDA_INVALIDA": 400,
    "COMANDO_INVALIDO": 400,
    "REVISION_REQUERIDA": 400,
    "FALTA_EVIDENCIA": 400,
    "FALTA_MOTIVO": 400,
    "ENLACE_CIRCULAR": 400,
    "SIN_IDENTIDAD": 401,
    "PROHIBIDO": 403,
    "NO_EXISTE": 404,
    "CLAVE_REUTILIZADA": 409,
    "TERMINADO": 409,
    "PAUSADO": 409,
    "ESTADO": 409,
    "CLASE": 409,
    "REVISION_DESFASADA": 409,
    "NO_LISTO": 409,
    "NO_EN_CURSO": 409,
    "NO_ESPERA": 409,
    "NO_FALLIDO": 409,
    "NO_DISPENSABLE": 409,
    "INTENTO_VIEJO": 409,
    "VIGENTE": 409,
    "FALTA_RECONCILIAR": 409,
    "SALIDA_NECESARIA": 409,
    "REHECHOS_AGOTADOS": 409,
    "TRABAJO_EN_CURSO": 409,
    "PASADO_ALTERADO": 409,
    "PROPUESTA_ABIERTA": 409,
    "SIN_PROPUESTA": 409,
    "ARRIENDO_PERDIDO": 409,
    "PADRE_ARCHIVADO": 409,
    "SIN_CONECTOR": 409,
    "DEMASIADO_GRANDE": 413,
    "TIPO_NO_ADMITIDO": 415,
    "OCUPADO": 503,
}
"""Every code a run can refuse with. A code that is not here is a fault of ours (a test checks every one used)."""


class Problema(Modelo):
    """One thing wrong with a plan; `paso` is where, None when it is the whole."""

    paso: str | None
    mensaje: str


class ErrorRecorrido(ErrorSobre):
    """A refusal: nothing was changed and the command's identifier was not used up."""

    def __init__(self, codigo: str, mensaje: str, *, revision: int | None = None) -> None:
        """`revision`: the present one, when knowing it is what the caller needs. Raises KeyError for a wrong code."""
        super().__init__(mensaje, codigo=codigo, reintentable=codigo == "OCUPADO")
        self.http = ESTADOS_HTTP[codigo]
        self.revision = revision


class PlanInvalido(ErrorRecorrido):
    """A plan with all its problems at once."""

    def __init__(self, problemas: tuple[Problema, ...]) -> None:
        lineas = "; ".join(f"{p.paso}: {p.mensaje}" if p.paso else p.mensaje for p in problemas)
        super().__init__("PLAN_INVALIDO", f"El plan no vale: {lineas}.")
        self.problemas = problemas
