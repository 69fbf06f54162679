"""Spanish text as people search it: folded, cut to light roots, cleaned of markup, safe to ask of FTS5."""

from __future__ import annotations

import html
import re
import unicodedata

PREFIJO_MINIMO = 3
"""Letters a half-typed word must have before it is also tried as a prefix."""

TERMINOS_MAXIMOS = 32
"""Terms of one query that count; FTS5 limits the depth of an expression, a person's query never gets near."""

_VACIAS = (
    "a al amb ao as con d da de del do dos e el els en i l la las les lo los o os para per pel por un una y"
)
VACIAS = frozenset(_VACIAS.split())
"""Function words (Spanish, Catalan, Galician) left out of a query, unless it has no others."""

_ELE_GEMINADA = re.compile(
    r"(?<=[lL])[·•‧∙](?=[lL])"
    r"|(?<=[aeiou]l)\.(?=l[aeiouàèéíòóú])|(?<=[AEIOU]L)\.(?=L[AEIOUÀÈÉÍÒÓÚ])"
)
_ENTIDAD = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_ETIQUETA = re.compile(r"<(?:[A-Za-z/][^<>]*|!--.*?--)>", re.DOTALL)
RAICES_GUARDADAS = 1 << 12

_FRASE = re.compile(r'["«»“”„]')
_ESPECIALES = {"º": "", "ª": "", "ŀ": "l", "Ŀ": "l"}


class _Pliegue(dict[int, str]):
    """Character → folded characters, worked out the first time each is met (for str.translate)."""

    def __missing__(self, codigo: int) -> str:
        plegado = _plegar_caracter(chr(codigo))
        self[codigo] = plegado
        return plegado


def _plegar_caracter(caracter: str) -> str:
    if caracter in _ESPECIALES:
        return _ESPECIALES[caracter]
    anterior, actual = "", caracter
    while actual != anterior:
        anterior = actual
        piezas = unicodedata.normalize("NFKD", actual.casefold())
        actual = "".join(
            p if p.isalnum() else "" if unicodedata.category(p).startswith("M") else " " for p in piezas
        )
    return actual


_PLIEGUE = _Pliegue()
_LARGO = 0
"""Stands in _TABLA for the few characters that fold to several, or to one out of Latin-1 (ß, ½, µ); NUL among them."""
_LATINOS = [_plegar_caracter(chr(codigo)) for codigo in range(256)]
_TABLA = bytes(ord(p) if len(p) == 1 and ord(p) < 256 else _LARGO for p in _LATINOS)
_BORRADOS = bytes(codigo for codigo, plegado in enumerate(_LATINOS) if not plegado)


def plegar(texto: str) -> str:
    """Lower case, no accents (ñ → n, ç → c, l·l and l.l → ll), punctuation as one blank, º and ª dropped.

    Folding ñ lets a keyboard without it find "año"; that "ano" comes along does no harm in a search.
    Idempotent.
    """
    return " ".join(_palabras(texto))


def _palabras(texto: str) -> list[str]:
    if _hay_ele(texto):
        texto = _ELE_GEMINADA.sub("", texto)
    return _traducir(texto).split()


def _traducir(texto: str) -> str:
    """Each character folded. Bytes go by a table, ten times as quick as characters by a dict."""
    try:
        crudo = texto.encode("latin-1").translate(_TABLA, _BORRADOS)
    except UnicodeEncodeError:
        return texto.translate(_PLIEGUE)
    return texto.translate(_PLIEGUE) if _LARGO in crudo else crudo.decode("latin-1")


def _hay_ele(texto: str) -> bool:
    """False when _ELE_GEMINADA would find nothing, in a tenth of the time."""
    if "." in texto and ("l.l" in texto or "L.L" in texto):
        return True
    return not texto.isascii() and ("·" in texto or "•" in texto or "‧" in texto or "∙" in texto)


def raices(texto: str) -> str:
    """The folded words of `texto`, each cut to its root, joined by blanks; for storing and for asking alike.

    The root makes singular and plural one: -s and -es go, z and c at the end are one (luz, luces), and so are
    -ión, -iones and the Catalan -ió, -ions. Words with digits stay whole, so a code splits only at its
    punctuation. Idempotent.
    """
    return " ".join(map(_RAICES.__getitem__, _palabras(texto)))


class _Raices(dict[str, str]):
    """Word → root, worked out when met. Only the usual words: more would not stay in the processor's caches."""

    def __missing__(self, palabra: str) -> str:
        if len(self) >= RAICES_GUARDADAS:
            self.clear()
        raiz = self[palabra] = _raiz(palabra)
        return raiz


_RAICES = _Raices()


def _raiz(palabra: str) -> str:
    """Strips one letter at a time until nothing applies: a half-typed ending reaches the same root."""
    if not palabra.isalpha():
        return palabra
    while True:
        if (len(palabra) > 3 and palabra[-1] in "se") or (len(palabra) > 4 and palabra.endswith("ion")):
            palabra = palabra[:-1]
        elif len(palabra) > 2 and palabra[-1] == "z":
            return palabra[:-1] + "c"
        else:
            return palabra


def limpiar(texto: str) -> str:
    """Published text fit to be shown: entities resolved (escaped up to four times), tags out, blanks collapsed.

    Only entities closed by ";" count: "I&notas" is what the buyer wrote. Comparisons such as "< 5.000" stay.
    """
    if "&" in texto or "<" in texto:
        for _ in range(4):
            resuelto = _ENTIDAD.sub(_resolver, texto)
            if resuelto == texto:
                break
            texto = resuelto
        texto = _ETIQUETA.sub(" ", texto)
    return " ".join(texto.split())


def _resolver(entidad: re.Match[str]) -> str:
    return html.unescape(entidad.group())


def consulta_fts(texto: str) -> str | None:
    """A person's query as an FTS5 MATCH expression over text stored with `raices`; None when it has no words.

    - Every word must be there, in any column; function words are left out.
    - Words between quotes («…», “…”, "…") must be there in that order; an unclosed quote closes at the end.
    - A code such as 2025/159 is asked as a phrase too.
    - A query that ends in a letter is still being typed: its last word also counts as a prefix.

    Every term goes quoted, so no input can be a syntax error nor reach FTS5's operators.
    """
    terminos = _terminos(texto, VACIAS) or _terminos(texto, frozenset())
    if not terminos:
        return None
    ultima = _palabra_a_medias(texto)
    if ultima and len(terminos) <= TERMINOS_MAXIMOS:
        terminos[-1] = f'("{ultima}" * OR {terminos[-1]})'
    return " AND ".join(terminos[:TERMINOS_MAXIMOS])


def _terminos(texto: str, vacias: frozenset[str]) -> list[str]:
    terminos: list[str] = []
    for numero, tramo in enumerate(_FRASE.split(texto)):
        entre_comillas = numero % 2 == 1
        for trozo in [tramo] if entre_comillas else tramo.split():
            palabras = [p for p in plegar(trozo).split() if entre_comillas or p not in vacias]
            junto = entre_comillas or any(not p.isalpha() for p in palabras)
            frases = [" ".join(palabras)] if junto else palabras
            terminos += [f'"{raices(f)}"' for f in frases if f]
    return terminos


def _palabra_a_medias(texto: str) -> str | None:
    """The folded, uncut last word when the query ends in a letter outside quotes, is plain and long enough."""
    if not texto or not texto[-1].isalpha() or len(_FRASE.findall(texto)) % 2:
        return None
    ultimo = _FRASE.split(texto)[-1].split()[-1]
    plegado = plegar(ultimo).split()
    if not plegado or not all(p.isalpha() for p in plegado) or plegado[-1] in VACIAS:
        return None
    return plegado[-1] if len(plegado[-1]) >= PREFIJO_MINIMO else None
