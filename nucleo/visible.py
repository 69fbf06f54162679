"""Text that others wrote, without the characters that act on a terminal or turn a line around."""

from __future__ import annotations

import re

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_SENTIDO = re.compile(r"[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def visible(texto: str) -> str:
    """In one line: control characters (escape sequences with them) become blanks, marks of direction go."""
    return " ".join(_SENTIDO.sub("", _CONTROL.sub(" ", texto)).split())
