"""What became of a run, as pure rules over what Hermes says.

`completed` is not success: an empty answer, an exhausted budget or a missing tool end that way too. The only proof
of success is what the agent left behind, which the job type checks; it is worth checking after every other end as well.
"""

from __future__ import annotations

import re
from enum import StrEnum

from nucleo.hermes.modelo import EstadoRun
from nucleo.visible import visible


class Desenlace(StrEnum):
    """Where a run stands. All but the first two are final."""

    EN_CURSO = "en_curso"
    ESPERA_APROBACION = "espera_aprobacion"
    TERMINADO = "terminado"
    SIN_RESPUESTA = "sin_respuesta"
    TOPE_ITERACIONES = "tope_iteraciones"
    FALLO_PROVEEDOR_429 = "fallo_proveedor_429"
    FALLO_CREDENCIAL = "fallo_credencial"
    FALLO = "fallo"
    CANCELADO = "cancelado"
    PERDIDO = "perdido"

    @property
    def final(self) -> bool:
        """Whether Hermes will do nothing more with the run."""
        return self not in (Desenlace.EN_CURSO, Desenlace.ESPERA_APROBACION)


_FRASES = {
    Desenlace.EN_CURSO: "El agente sigue trabajando.",
    Desenlace.ESPERA_APROBACION: "El agente pide permiso para algo que no debe hacer: se le deniega.",
    Desenlace.TERMINADO: "El agente ha terminado.",
    Desenlace.SIN_RESPUESTA: "El modelo no ha contestado nada.",
    Desenlace.TOPE_ITERACIONES: "El agente ha agotado sus pasos sin acabar.",
    Desenlace.FALLO_PROVEEDOR_429: "El proveedor del modelo ha llegado a su límite (429).",
    Desenlace.FALLO_CREDENCIAL: "El proveedor del modelo rechaza la credencial o el pago: revisa el perfil de Hermes.",
    Desenlace.FALLO: "El agente ha fallado.",
    Desenlace.CANCELADO: "El trabajo del agente se ha parado.",
    Desenlace.PERDIDO: "Hermes se ha reiniciado y ha olvidado este trabajo.",
}
_EN_CURSO = frozenset({"queued", "running", "stopping", "started"})
_HTTP = re.compile(r"\b(?:HTTP|Error code:) (\d{3})\b")
_SIN_RESPUESTA = "⚠️ No reply:"
_TOPE = re.compile(r"max_iterations_reached|maximum tool-iteration limit|iteration/cost budget was exhausted")
_TOPE_DICHO = re.compile(
    r"^I reached the (?:iteration limit and couldn't|maximum iterations \(\d+\) but couldn't)"
)
_LIMITE = re.compile(r"rate limit|provider errors / rate limits|insufficient_quota", re.IGNORECASE)
_CREDENCIAL = re.compile(r"Provider authentication failed", re.IGNORECASE)
_ENVOLTORIO = r"(?:<untrusted_tool_result [^>\n]*>\n[^\n]*\n\n)?"
"""What Hermes puts before the result of an MCP tool, where its own refusals also come."""
_SIN_HERRAMIENTA = re.compile(
    rf"{_ENVOLTORIO}(?:"
    r"Tool '[^\n]*' does not exist\. Available tools: (?![^\n]*\bmcp__)"
    r"|Unknown tool: |\{\"error\":\s*\"(?:Unknown tool: |MCP server '[^']*' is (?:unreachable|not connected)))"
)
"""Hermes's own words, which begin a result: what our tools answer is JSON, with foreign texts inside it."""
ERROR_MAXIMO = 300


def clasificar(estado: EstadoRun | None) -> Desenlace:
    """None is Hermes's «no such run» (404): it restarted, or the run ended more than an hour ago.

    A status that we do not know counts as under way, so that the limits of time decide.
    """
    if estado is None or estado.estado == "interrupted":
        return Desenlace.PERDIDO
    match estado.estado:
        case "completed":
            return _de_terminado(estado)
        case "failed":
            return _de_fallo(estado)
        case "cancelled":
            return Desenlace.CANCELADO
        case "waiting_for_approval":
            return Desenlace.ESPERA_APROBACION
    return Desenlace.EN_CURSO


def _de_terminado(estado: EstadoRun) -> Desenlace:
    salida = estado.salida.strip()
    _, aviso, motivo = salida.rpartition(_SIN_RESPUESTA)
    agotado = _TOPE.search(estado.motivo_fin) or _TOPE_DICHO.search(salida)
    if agotado or (aviso and _TOPE.search(motivo)):
        return Desenlace.TOPE_ITERACIONES
    if not salida or salida.startswith(_SIN_RESPUESTA):
        return Desenlace.SIN_RESPUESTA
    return Desenlace.TERMINADO


def _de_fallo(estado: EstadoRun) -> Desenlace:
    if _TOPE.search(estado.motivo_fin) or _TOPE.search(estado.error):
        return Desenlace.TOPE_ITERACIONES
    codigo = _HTTP.search(estado.error)
    if codigo is not None:
        return _de_codigo(codigo[1])
    if _CREDENCIAL.search(estado.error):
        return Desenlace.FALLO_CREDENCIAL
    return Desenlace.FALLO_PROVEEDOR_429 if _LIMITE.search(estado.error) else Desenlace.FALLO


def _de_codigo(codigo: str) -> Desenlace:
    if codigo == "429":
        return Desenlace.FALLO_PROVEEDOR_429
    return Desenlace.FALLO_CREDENCIAL if codigo in ("401", "402", "403") else Desenlace.FALLO


def explicar(estado: EstadoRun | None) -> str:
    """A sentence for people, with what the provider said when the run failed (foreign text, cut short)."""
    frase = _FRASES[clasificar(estado)]
    if estado is None or not estado.error:
        return frase
    dicho = visible(estado.error)
    return f"{frase} Dice: «{dicho[:ERROR_MAXIMO]}»."


def sin_herramientas(resultados: tuple[str, ...]) -> bool:
    """Whether the tool results of a session show that the profile's process has lost our tools.

    A wrong name is the model's mistake, not that, while Hermes offers it some tool of an MCP server. The same words
    inside what a tool answered are foreign text: a tender that says them must not stop a profile.
    """
    return any(_SIN_HERRAMIENTA.match(texto) for texto in resultados)
