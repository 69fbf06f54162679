"""Identifiers that sort by the instant in which they were made: `rec_`, `art_`, `ent_`, `con_` and 26 characters."""

from __future__ import annotations

import secrets
from datetime import datetime

from nucleo.reloj import a_micros

_ALFABETO = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's base 32: neither I, L, O nor U."""


def nuevo_id(prefijo: str, ahora: datetime) -> str:
    """`<prefijo>_` and a ULID: 48 bits of milliseconds since 1970, then 80 random ones. `ahora` is aware."""
    numero = (a_micros(ahora) // 1000) << 80 | secrets.randbits(80)
    cifras = [_ALFABETO[numero >> 5 * i & 31] for i in reversed(range(26))]
    return f"{prefijo}_{''.join(cifras)}"
