"""Labels of the code lists that CODICE documents cite (listas.csv says where each row comes from)."""

from __future__ import annotations

from functools import lru_cache

from nucleo.codigos.tabla import leer_tabla


@lru_cache(maxsize=1)
def _listas() -> dict[str, dict[str, dict[str, str]]]:
    """List → version, oldest first → code → label."""
    listas: dict[str, dict[str, dict[str, str]]] = {}
    for lista, version, codigo, etiqueta_es, _fuente in leer_tabla("listas.csv"):
        listas.setdefault(lista, {}).setdefault(version, {})[codigo] = etiqueta_es
    return {lista: dict(sorted(v.items(), key=_por_version)) for lista, v in listas.items()}


def _por_version(par: tuple[str, dict[str, str]]) -> list[int]:
    return [int(n) for n in par[0].split(".")]


def etiqueta(lista: str, codigo: str, version: str | None = None) -> str | None:
    """Spanish label of `codigo`, or None when unknown: then the caller shows the code as published.

    With `version`, that version's label if we hold it; otherwise the newest version that has the code.
    `lista` is its short name, such as "TenderResultCode".
    """
    versiones = _listas().get(lista, {})
    if version is not None and codigo in versiones.get(version, {}):
        return versiones[version][codigo]
    for codigos in reversed(versiones.values()):
        if codigo in codigos:
            return codigos[codigo]
    return None


def etiqueta_por_uri(uri: str, codigo: str) -> str | None:
    """As `etiqueta`, from the listURI of the document (…/codice/cl/2.09/TenderResultCode-2.09.gc)."""
    lista, _, version = uri.rsplit("/", 1)[-1].removesuffix(".gc").rpartition("-")
    return etiqueta(lista, codigo, version)


def codigos_de(lista: str) -> dict[str, str]:
    """Code → label of a list, all its versions together, the newest label winning; {} for an unknown list."""
    juntos: dict[str, str] = {}
    for codigos in _listas().get(lista, {}).values():
        juntos |= codigos
    return juntos
