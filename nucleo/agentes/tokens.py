"""Agents' tokens: 256 random bits with a prefix that secret scanners can find; only their sha256 is ever kept."""

from __future__ import annotations

import hashlib
import re
import secrets

PREFIJO = "sobre_"
LARGO_MAX = 256
"""Characters beyond which a token is not even hashed: ours have 49."""

FORMA = re.compile(rf"\b{PREFIJO}[A-Za-z0-9_-]{{43}}")
"""Where a token of ours appears in a text."""


def nuevo() -> str:
    """A token that nobody can guess."""
    return PREFIJO + secrets.token_urlsafe(32)


def huella(token: str) -> bytes:
    """What is kept of it. Too random to need salt or stretching."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()
