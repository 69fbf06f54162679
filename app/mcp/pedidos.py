"""Which requests are an ordinary `tools/call`, read from the bytes; anything out of the ordinary is not one."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from mcp import types
from mcp.shared.inbound import ERROR_CODE_HTTP_STATUS, InboundModernRoute, classify_inbound_request
from mcp_types import methods
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS
from pydantic import ValidationError
from pydantic_core import from_json, to_json

METODO: Final = "tools/call"
SIN_VERSION: Final = types.DEFAULT_NEGOTIATED_VERSION
"""What the specification says of a client that names no version."""
_SOBRE = frozenset(("jsonrpc", "id", "method", "params"))
_PARAMETROS = frozenset(("name", "arguments", "_meta"))
_ENTERO_MAX = 2**53


class Pedido(NamedTuple):
    """A call to a tool. `moderno`: of a version without handshake, whose answers say who answers."""

    id: int | str
    nombre: str
    argumentos: dict[str, Any] | None
    moderno: bool


def reconocer(cabeceras: dict[str, str], cuerpo: bytes) -> Pedido | None:
    """The call, or None when it is anything else or anything in it is unusual: then the SDK says what it is.

    `cabeceras` with their names in lower case, none of them repeated.
    """
    try:
        mensaje = from_json(cuerpo, allow_inf_nan=False)
    except ValueError:
        return None
    if not isinstance(mensaje, dict) or mensaje.keys() != _SOBRE:
        return None
    identificador, parametros = mensaje["id"], mensaje["params"]
    if mensaje["jsonrpc"] != "2.0" or mensaje["method"] != METODO or not isinstance(parametros, dict):
        return None
    if not _es_id(identificador) or not parametros.keys() <= _PARAMETROS:
        return None
    moderno = _era(cabeceras, mensaje)
    if moderno is None:
        return None
    return Pedido(identificador, parametros["name"], parametros.get("arguments"), moderno)


def _es_id(valor: object) -> bool:
    return isinstance(valor, str) or (type(valor) is int and abs(valor) < _ENTERO_MAX)


def _era(cabeceras: dict[str, str], mensaje: dict[str, Any]) -> bool | None:
    """Whether it is of a version without handshake, once the SDK's own models take it; None when they do not."""
    version = cabeceras.get("mcp-protocol-version", SIN_VERSION)
    moderno = version in MODERN_PROTOCOL_VERSIONS
    if not moderno and version not in HANDSHAKE_PROTOCOL_VERSIONS:
        return None
    if moderno and not isinstance(classify_inbound_request(mensaje, headers=cabeceras), InboundModernRoute):
        return None
    try:
        methods.validate_client_request(METODO, version, mensaje["params"])
    except ValidationError:
        return None
    return moderno


def con_resultado(pedido: Pedido, texto: str, servidor: dict[str, object]) -> bytes:
    """The answer. Text only: a client that also got it structured would read (and pay for) everything twice."""
    resultado: dict[str, object] = {"content": [{"type": "text", "text": texto}], "isError": False}
    if pedido.moderno:
        resultado |= {"resultType": "complete", "_meta": {types.SERVER_INFO_META_KEY: servidor}}
    return to_json({"jsonrpc": "2.0", "id": pedido.id, "result": resultado})


def con_error(pedido: Pedido, error: types.ErrorData) -> tuple[bytes, int]:
    """The answer and its status: the versions without handshake tell errors in both."""
    estado = ERROR_CODE_HTTP_STATUS.get(error.code, 200) if pedido.moderno else 200
    cuerpo = {"jsonrpc": "2.0", "id": pedido.id, "error": error.model_dump(mode="json", exclude_none=True)}
    return to_json(cuerpo), estado
