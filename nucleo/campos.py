"""Fields that people write in a file: what each takes, and the sentence that says so when it is something else."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal
from typing import Annotated

from pydantic import BeforeValidator

from nucleo.codigos.cpv import codigos_cpv, prefijo_de_arbol
from nucleo.codigos.nif import normalizar_nif
from nucleo.codigos.nuts import buscar_region, region
from nucleo.errores import ErrorEntrada
from nucleo.texto import plegar

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


def _dia(valor: object) -> date:
    if isinstance(valor, date) and not isinstance(valor, datetime):
        return valor
    try:
        if isinstance(valor, str) and "/" in valor:
            return datetime.strptime(valor.strip(), "%d/%m/%Y").date()  # noqa: DTZ007 - a day has no zone
        return date.fromisoformat(str(valor).strip())
    except ValueError as error:
        raise ValueError(f"«{valor}» no es una fecha: escribe por ejemplo 2027-05-31 o 31/05/2027") from error


def _nif(valor: object) -> str:
    nif = normalizar_nif(valor) if isinstance(valor, str) else None
    if nif is None:
        raise ValueError(f"«{valor}» no es un NIF: revisa sus nueve caracteres y el de control")
    return nif


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


def entero(minimo: int, maximo: int) -> BeforeValidator:
    """A whole number between both, written with digits."""

    def convertir(valor: object) -> int:
        escrito = isinstance(valor, str) and re.fullmatch(r"[0-9]{1,9}", valor.strip())
        numero = int(valor) if escrito and isinstance(valor, str) else valor
        if not isinstance(numero, int) or isinstance(numero, bool) or not minimo <= numero <= maximo:
            raise ValueError(f"«{valor}» no vale: escribe un entero de {minimo} a {maximo}")
        return numero

    return BeforeValidator(convertir)


def cada(convertir: Callable[[str], str]) -> BeforeValidator:
    """Each element through `convertir`; what is not text is left for the strict check to refuse."""

    def elemento(valor: object) -> object:
        return convertir(valor) if isinstance(valor, str) else valor

    return BeforeValidator(elemento)


def _a_tupla(valor: object) -> object:
    if isinstance(valor, str):
        raise ValueError(f"escribe una lista, aunque tenga un solo elemento: [{valor}]")  # noqa: TRY004 - as above
    if not isinstance(valor, list):
        return valor
    return tuple(dict.fromkeys(valor)) if all(isinstance(v, str) for v in valor) else tuple(valor)


LISTA = BeforeValidator(_a_tupla)
"""A list as people write it; of what is repeated, once."""

Texto = Annotated[str, BeforeValidator(_texto)]
Booleano = Annotated[bool, BeforeValidator(_booleano)]
Euros = Annotated[Decimal, BeforeValidator(_euros)]
Dia = Annotated[date, BeforeValidator(_dia)]
Nif = Annotated[str, BeforeValidator(_nif)]
Textos = Annotated[tuple[Texto, ...], LISTA]
Ramas = Annotated[tuple[Annotated[str, cada(_rama)], ...], LISTA]
Regiones = Annotated[tuple[Annotated[str, cada(_region)], ...], LISTA]
