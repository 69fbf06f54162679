"""Foreign text made harmless for Markdown: shown to the letter, it never becomes a link, an image or a directive."""

from __future__ import annotations

import re
import unicodedata

_SEPARADOR = "\N{WORD JOINER}"
_PUNTUACION = re.compile(r"([\\`*_{}\[\]()#+\-.!|<>~$:&\"'=^])")
_INVISIBLES = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}

# What the renderer recognises in text after escapes are resolved, so that only a broken word stops it: addresses and
# icons or emojis (":" before a letter or slash), "www.", e-mails, and arrows or dashes made of signs.
_RECONOCIBLES = re.compile(
    r"(?<=:)(?=[\w/+\-])|(?<=www)(?=\.)|(?<=@)(?=\w)|(?<=[-<=~>])(?=[-<=~>])", re.IGNORECASE
)


def plano(texto: str) -> str:
    """One line without control characters or marks that turn the direction of writing (they disguise text)."""
    visibles = "".join(
        " " if c in "\r\n\t" else c
        for c in texto
        if c in "\r\n\t" or unicodedata.category(c) not in _INVISIBLES
    )
    return " ".join(visibles.split())


def neutralizar(texto: str, largo: int | None = None) -> str:
    """Markdown that shows `texto` as it is, on one line; with `largo`, cut to so many characters."""
    limpio = plano(texto)
    if largo is not None and len(limpio) > largo:
        limpio = limpio[: largo - 1].rstrip() + "…"
    return _PUNTUACION.sub(r"\\\1", _RECONOCIBLES.sub(_SEPARADOR, limpio))
