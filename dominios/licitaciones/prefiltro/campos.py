"""The fields of a profile: what a person may write in each, and the sentence that says so when it is something else."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from typing import Annotated

from pydantic import BeforeValidator

from nucleo.codigos.cpv import codigos_cpv, prefijo_de_arbol
from nucleo.codigos.listas import codigos_de
from nucleo.codigos.nuts import buscar_region, region
from nucleo.configuracion import FUENTES
from nucleo.errores import ErrorEntrada
from nucleo.texto import PREFIJO_MINIMO, plegar, raices

TIPOS_REGISTRO = ("licitacion", "menor", "encargo", "consulta")

_EUROS = re.compile(r"([0-9]{1,12})(?:[.,]([0-9]{1,2}))?")
_SI_NO = {"si": True, "true": True, "no": False, "false": False}


def _texto(valor: object) -> str:
    if not isinstance(valor, str) or not valor.strip():
        raise ValueError("escribe un texto")
    return " ".join(valor.split())


def _booleano(valor: object) -> bool:
    conocido = _SI_NO.get(plegar(valor)) if isinstance(valor, str) else valor
    if not isinstance(conocido, bool):
        raise ValueError("escribe sí o no")  # noqa: TRY004 - pydantic reports ValueError only
    return conocido


def _euros(valor: object) -> Decimal:
    encaje = _EUROS.fullmatch(valor.strip()) if isinstance(valor, str) else None
    if isinstance(valor, Decimal):
        return valor
    if encaje is None:
        raise ValueError(
            f"«{valor}» no es un importe: escribe los euros sin separador de miles, por ejemplo 15000"
        )
    return Decimal(f"{encaje[1]}.{encaje[2] or '0'}")


def _dias(valor: object) -> int:
    if isinstance(valor, int):
        return valor
    if not isinstance(valor, str) or re.fullmatch(r"[0-9]{1,3}", valor.strip()) is None:
        raise ValueError(f"«{valor}» no es un número de días: escribe un entero de 0 a 999, por ejemplo 5")
    return int(valor)


def _rama(valor: str) -> str:
    try:
        prefijo = prefijo_de_arbol(valor)
    except ErrorEntrada as error:
        raise ValueError(error.mensaje) from error
    if not any(c.startswith(prefijo) for c in codigos_cpv()):
        raise ValueError(f"«{valor}» no es una rama de CPV 2008: ningún código empieza por {prefijo}")
    return prefijo


def _region(valor: str) -> str:
    codigo = valor.strip().upper()
    if region(codigo) is None:
        parecidas = [f"{r.codigo} ({r.etiqueta})" for r in buscar_region(valor)][:4]
        consejo = (
            f"¿quisiste decir {' o '.join(parecidas)}?"
            if parecidas
            else "escribe por ejemplo ES61 (Andalucía)"
        )
        raise ValueError(f"«{valor}» no es un código NUTS de España: {consejo}")
    return codigo


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


def _cada(convertir: Callable[[str], str]) -> Callable[[object], object]:
    """Each element through `convertir`; what is not text is left for the strict check to refuse."""

    def elemento(valor: object) -> object:
        return convertir(valor) if isinstance(valor, str) else valor

    return elemento


def _a_tupla(valor: object) -> object:
    if isinstance(valor, str):
        raise ValueError(f"escribe una lista, aunque tenga un solo elemento: [{valor}]")  # noqa: TRY004 - as above
    if not isinstance(valor, list):
        return valor
    return tuple(dict.fromkeys(valor)) if all(isinstance(v, str) for v in valor) else tuple(valor)


Texto = Annotated[str, BeforeValidator(_texto)]
Booleano = Annotated[bool, BeforeValidator(_booleano)]
Euros = Annotated[Decimal, BeforeValidator(_euros)]
Dias = Annotated[int, BeforeValidator(_dias)]
_Lista = BeforeValidator(_a_tupla)
Ramas = Annotated[tuple[Annotated[str, BeforeValidator(_cada(_rama))], ...], _Lista]
Regiones = Annotated[tuple[Annotated[str, BeforeValidator(_cada(_region))], ...], _Lista]
Terminos = Annotated[tuple[Annotated[str, BeforeValidator(_cada(_termino))], ...], _Lista]
Tipos = Annotated[tuple[Annotated[str, BeforeValidator(_cada(_tipo))], ...], _Lista]
Procedimientos = Annotated[tuple[Annotated[str, BeforeValidator(_cada(_procedimiento))], ...], _Lista]
TiposRegistro = Annotated[tuple[Annotated[str, BeforeValidator(_cada(_tipo_registro))], ...], _Lista]
Fuentes = Annotated[tuple[Annotated[str, BeforeValidator(_cada(_fuente))], ...], _Lista]
