"""Rules about what is bought and who buys: the only ones that let a tender in, and the exclusions of content."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from dominios.licitaciones.prefiltro.efectos import Criterio, entra, fuera
from dominios.licitaciones.prefiltro.modelo import DatosPrefiltro, Perfil, Regla
from dominios.licitaciones.prefiltro.terminos import Texto, aparece, leer_termino, preparar
from nucleo.codigos.cpv import cpv_conocido, etiqueta_cpv
from nucleo.codigos.nif import normalizar_nif


def regla_cpv(perfil: Perfil, datos: DatosPrefiltro, _ahora: datetime) -> Regla | None:
    """A code in an included branch, or no usable code at all, lets the tender in."""
    if not perfil.cpv.incluir:
        return None
    for codigo in datos.cpv:
        if rama := _rama_que_incluye(codigo, perfil):
            nombre = etiqueta_cpv(codigo) or "código desconocido"
            return entra("cpv", f"CPV {codigo} ({nombre}), de la rama {_rama(rama)}.")
    if not any(map(cpv_conocido, datos.cpv)):
        return entra("sin_cpv", "No publica ningún CPV reconocible: no se descarta por eso.")
    return None


def regla_cpv_excluido(perfil: Perfil, datos: DatosPrefiltro, _ahora: datetime) -> Regla | None:
    """All its codes hang from excluded branches."""
    excluidas = [_rama_que_excluye(c, perfil) for c in datos.cpv]
    if not datos.cpv or not all(excluidas):
        return None
    return fuera(
        "cpv_excluido", f"Su CPV {datos.cpv[0]} está en la rama excluida {_rama(excluidas[0] or '')}."
    )


def regla_palabras(perfil: Perfil, datos: DatosPrefiltro, _ahora: datetime) -> Regla | None:
    """A word of the profile in the object, the lots or the buyer's name."""
    return _por_terminos("palabras", "Contiene", perfil.palabras, datos)


def regla_marcas(perfil: Perfil, datos: DatosPrefiltro, _ahora: datetime) -> Regla | None:
    """A brand that the company distributes."""
    return _por_terminos("marcas", "Cita la marca", perfil.marcas, datos)


def regla_palabras_excluidas(perfil: Perfil, datos: DatosPrefiltro, _ahora: datetime) -> Regla | None:
    """A word of what the company does not do, in the object: a lot with it does not spoil the others."""
    for escrito, lugar in _hallados(perfil.palabras_excluidas, _donde(datos)[:1]):
        return fuera("palabras_excluidas", f"Contiene la palabra excluida «{escrito}» en {lugar}.")
    return None


def regla_organos_seguidos(perfil: Perfil, datos: DatosPrefiltro, _ahora: datetime) -> Regla | None:
    """A followed buyer lets its tenders in, whatever they are about."""
    escrito = _organo(perfil.organos.seguir, datos)
    return entra("organos_seguidos", f"Lo convoca un órgano que sigues («{escrito}»).") if escrito else None


def regla_organos_excluidos(perfil: Perfil, datos: DatosPrefiltro, _ahora: datetime) -> Regla | None:
    """A buyer the company does not work with."""
    escrito = _organo(perfil.organos.excluir, datos)
    return fuera("organos_excluidos", f"Lo convoca un órgano excluido («{escrito}»).") if escrito else None


def _rama_que_incluye(codigo: str, perfil: Perfil) -> str | None:
    rama = _mas_larga(codigo, perfil.cpv.incluir)
    excluye = _mas_larga(codigo, perfil.cpv.excluir)
    return rama if rama and len(rama) >= len(excluye or "") else None


def _rama_que_excluye(codigo: str, perfil: Perfil) -> str | None:
    return None if _rama_que_incluye(codigo, perfil) else _mas_larga(codigo, perfil.cpv.excluir)


def _mas_larga(codigo: str, ramas: tuple[str, ...]) -> str | None:
    return max((r for r in ramas if codigo.startswith(r)), key=len, default=None)


def _donde(datos: DatosPrefiltro) -> tuple[tuple[str, Texto], ...]:
    return (
        ("el objeto", preparar(datos.objeto)),
        ("los lotes", preparar(datos.lotes)),
        ("el órgano", preparar(datos.organo)),
    )


def _hallados(escritos: tuple[str, ...], donde: tuple[tuple[str, Texto], ...]) -> Iterator[tuple[str, str]]:
    for escrito in escritos:
        termino = leer_termino(escrito)
        for lugar, texto in donde:
            if aparece(termino, texto):
                yield escrito, lugar
                break


def _por_terminos(nombre: str, verbo: str, escritos: tuple[str, ...], datos: DatosPrefiltro) -> Regla | None:
    if not escritos:
        return None
    hallados = [f"«{escrito}» en {lugar}" for escrito, lugar in _hallados(escritos, _donde(datos))]
    return entra(nombre, f"{verbo} {', '.join(hallados)}.") if hallados else None


def _organo(escritos: tuple[str, ...], datos: DatosPrefiltro) -> str | None:
    texto = preparar(datos.organo)
    for escrito in escritos:
        nif = normalizar_nif(escrito)
        if nif == datos.organo_nif if nif else aparece(leer_termino(escrito), texto):
            return escrito
    return None


def _rama(prefijo: str) -> str:
    codigo = prefijo.ljust(8, "0")
    return f"{codigo} ({nombre})" if (nombre := etiqueta_cpv(codigo)) else codigo


CONTENIDO: tuple[Criterio, ...] = (
    regla_cpv,
    regla_palabras,
    regla_marcas,
    regla_organos_seguidos,
    regla_cpv_excluido,
    regla_palabras_excluidas,
    regla_organos_excluidos,
)
