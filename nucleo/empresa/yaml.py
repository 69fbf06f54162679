"""The profile to and from YAML: what is exported is read back as it was."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import date
from decimal import Decimal

import yaml

from nucleo.empresa.modelo import Empresa
from nucleo.perfil_yaml import Incoherencia, interpretar
from nucleo.yaml_marcado import Lugar

CABECERA = (
    "# Perfil de la empresa. Lo que no se escribe no se sabe: no se supone. La guía está en docs/perfil.md.\n"
)


def importar(texto: str, nombre: str = "empresa.yaml") -> Empresa:
    """The profile that the text says. Raises PerfilNoValido with line, field and remedy."""
    return interpretar(texto, nombre, Empresa, _incoherencias)


def interpretar_datos(datos: Mapping[str, object], nombre: str) -> Empresa:
    """The profile that those fields say, under the same rules as a file. Raises PerfilNoValido (lines mean nothing)."""
    return importar(yaml.safe_dump(_escribible(dict(datos)), allow_unicode=True, sort_keys=False), nombre)


def exportar(empresa: Empresa) -> str:
    """YAML with only what is written, in the order of the model."""
    documento = _escribible(empresa.model_dump(exclude_defaults=True))
    return CABECERA + yaml.safe_dump(documento, allow_unicode=True, sort_keys=False, width=110)


def _escribible(valor: object) -> object:
    match valor:
        case dict():
            return {clave: _escribible(dentro) for clave, dentro in valor.items()}
        case list() | tuple():
            return [_escribible(dentro) for dentro in valor]
        case bool():
            return valor
        case Decimal():
            return int(valor) if valor == int(valor) else str(valor)
        case date() | int():
            return valor
        case _:
            return str(valor)


def _incoherencias(empresa: Empresa) -> list[Incoherencia]:
    return [
        *_repetidos("negocio", "ejercicio", [n.ejercicio for n in empresa.negocio]),
        *_repetidos("firmantes", "nif", [f.nif for f in empresa.firmantes if f.nif]),
        *_repetidos("rivales", "nif", [r.nif for r in empresa.rivales]),
        *_imposibles(empresa),
    ]


def _repetidos(lista: str, campo: str, valores: Iterable[object]) -> list[Incoherencia]:
    return [
        Incoherencia((lista,), f"{campo} {valor} está repetido")
        for valor, veces in Counter(valores).items()
        if veces > 1
    ]


def _imposibles(empresa: Empresa) -> list[Incoherencia]:
    importes, plantilla = empresa.importes, empresa.plantilla
    del_reves: list[tuple[Lugar, bool, str]] = [
        (
            ("importes", "maximo"),
            None not in (importes.minimo, importes.maximo)
            and (importes.minimo or 0) > (importes.maximo or 0),
            "es menor que el mínimo",
        ),
        (
            ("plantilla", "discapacidad"),
            plantilla.media is not None and (plantilla.discapacidad or 0) > plantilla.media,
            "son más que la plantilla media",
        ),
        (("rivales",), empresa.nif in {r.nif for r in empresa.rivales}, "la propia empresa no es su rival"),
    ]
    del_reves += [
        (
            ("obras", n, "fin"),
            o.inicio is not None and o.fin is not None and o.fin < o.inicio,
            "es anterior al inicio",
        )
        for n, o in enumerate(empresa.obras)
    ]
    return [Incoherencia(lugar, mensaje) for lugar, mal, mensaje in del_reves if mal]
