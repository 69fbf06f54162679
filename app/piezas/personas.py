"""Tax numbers on screen: those of people are masked, those of firms are shown."""

from __future__ import annotations

import re

from app.piezas.texto import neutralizar
from nucleo.codigos.nif import es_enmascarado, es_persona_fisica, normalizar_nif

_PARECE_DE_PERSONA = re.compile(r"\d{7,8}[A-Z]?|[XYZKLM]\d{7}[A-Z]?")


def nif_visible(publicado: str) -> str:
    """The number as Markdown; of a person, four middle digits only (as the data protection agency advises).

    A number that fails its control but has a person's form is masked too: a slip does not make it public.
    """
    normalizado = normalizar_nif(publicado)
    if normalizado is not None and not es_persona_fisica(normalizado):
        return neutralizar(normalizado)
    compacto = re.sub(r"[^0-9A-Z]", "", publicado.upper())
    if normalizado is None and (es_enmascarado(publicado) or not _PARECE_DE_PERSONA.fullmatch(compacto)):
        return neutralizar(publicado, 40)
    cifras = re.sub(r"\D", "", normalizado or compacto)
    return neutralizar(f"***{cifras[3:7]}**")
