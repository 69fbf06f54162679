"""A pass to see one artefact for a while: an address that a page of ours can embed, since a frame sends no token."""

from __future__ import annotations

import hashlib
import hmac
import re
from datetime import datetime, timedelta
from pathlib import Path

from app import llave

VIGENCIA = timedelta(minutes=10)
_RUTA = re.compile(r"/api/artefactos/([^/]+)(/vista)?")
_FORMA = re.compile(r"([0-9]{1,12})\.([0-9a-f]{64})")


def direccion_de_vista(datos: Path, artefacto: str, ahora: datetime) -> str:
    """Path with pass of the inert view of that artefact. Raises ErrorConfiguracion when there is no key."""
    return f"/api/artefactos/{artefacto}/vista?pase={emitir(llave.leer_o_crear(datos), artefacto, ahora)}"


def artefacto_de(ruta: str) -> str | None:
    """The artefact that a path is about: the only thing that a pass opens."""
    hallada = _RUTA.fullmatch(ruta)
    return hallada[1] if hallada else None


def emitir(secreto: str, artefacto: str, ahora: datetime) -> str:
    """The pass. It says until when (seconds since 1970) and proves that the key's owner gave it."""
    hasta = int((ahora + VIGENCIA).timestamp())
    return f"{hasta}.{_firma(secreto, artefacto, hasta)}"


def vale(secreto: str, pase: str, artefacto: str, ahora: datetime) -> bool:
    """Whether it is a pass for that very artefact and its time has not passed."""
    partes = _FORMA.fullmatch(pase)
    if partes is None or not int(partes[1]) > ahora.timestamp():
        return False
    return hmac.compare_digest(_firma(secreto, artefacto, int(partes[1])), partes[2])


def _firma(secreto: str, artefacto: str, hasta: int) -> str:
    return hmac.new(secreto.encode(), f"vista|{artefacto}|{hasta}".encode(), hashlib.sha256).hexdigest()
