"""The fields that only a prefilter's profile has: search terms, and official codes by number or by name."""

from __future__ import annotations

from typing import Annotated

from nucleo.campos import LISTA, cada, entero
from nucleo.codigos.listas import codigos_de
from nucleo.configuracion import FUENTES
from nucleo.texto import PREFIJO_MINIMO, plegar, raices

TIPOS_REGISTRO = ("licitacion", "menor", "encargo", "consulta")


def _termino(valor: str) -> str:
    if not raices(valor):
        raise ValueError(f"«{valor}» no contiene ninguna palabra")
    if any(t.endswith("*") and len(plegar(t)) < PREFIJO_MINIMO for t in valor.split()):
        raise ValueError(f"«{valor}»: antes del asterisco hacen falta {PREFIJO_MINIMO} letras")
    return " ".join(valor.split())


def _tipo_registro(valor: str) -> str:
    return _uno_de(valor, TIPOS_REGISTRO)


def _fuente(valor: str) -> str:
    return _uno_de(valor, FUENTES)


def _uno_de(valor: str, posibles: tuple[str, ...]) -> str:
    if valor not in posibles:
        raise ValueError(f"«{valor}» no vale: escribe {', '.join(posibles[:-1])} o {posibles[-1]}")
    return valor


def _tipo(valor: str) -> str:
    return _de_lista(valor, codigos_de("SyndicationContractCode") | codigos_de("ContractCode"))


def _procedimiento(valor: str) -> str:
    return _de_lista(valor, codigos_de("SyndicationTenderingProcessCode"))


def _de_lista(valor: str, codigos: dict[str, str]) -> str:
    """An official code, given by itself or by its label."""
    por_etiqueta = {plegar(etiqueta): codigo for codigo, etiqueta in codigos.items()}
    codigo = valor if valor in codigos else por_etiqueta.get(plegar(valor))
    if codigo is None:
        raise ValueError(f"«{valor}» no vale: escribe uno de estos: {', '.join(codigos.values())}")
    return codigo


Dias = Annotated[int, entero(0, 999)]
Terminos = Annotated[tuple[Annotated[str, cada(_termino)], ...], LISTA]
Tipos = Annotated[tuple[Annotated[str, cada(_tipo)], ...], LISTA]
Procedimientos = Annotated[tuple[Annotated[str, cada(_procedimiento)], ...], LISTA]
TiposRegistro = Annotated[tuple[Annotated[str, cada(_tipo_registro)], ...], LISTA]
Fuentes = Annotated[tuple[Annotated[str, cada(_fuente)], ...], LISTA]
