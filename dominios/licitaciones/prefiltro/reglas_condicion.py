"""Rules about the terms of the contract: they can only leave a tender out, and never for what is not published."""

from __future__ import annotations

from datetime import datetime, timedelta

from dominios.licitaciones.prefiltro.efectos import Criterio, en_euros, fuera, neutral
from dominios.licitaciones.prefiltro.modelo import DatosPrefiltro, Perfil, Regla
from nucleo.codigos.listas import etiqueta
from nucleo.codigos.nuts import coinciden, etiqueta_nuts, region
from nucleo.reloj import MADRID

OTROS = "999"
"""Contract type or procedure "Otros" says as little as nothing."""


def regla_importes(perfil: Perfil, datos: DatosPrefiltro, _ahora: datetime) -> Regla | None:
    """Below the minimum or above the maximum; a total above it may still have lots that fit."""
    minimo, maximo = perfil.importes.minimo, perfil.importes.maximo
    if minimo is None and maximo is None:
        return None
    if datos.importe is None:
        return neutral("importes", "No publica importe: no se descarta por eso.")
    if minimo is not None and datos.importe < minimo:
        return fuera("importes", f"{en_euros(datos.importe)}, menos del mínimo de {en_euros(minimo)}.")
    if maximo is None or datos.importe <= maximo:
        return neutral("importes", f"{en_euros(datos.importe)}, entre los límites.")
    if datos.n_lotes > 1:
        return neutral(
            "importes", f"{en_euros(datos.importe)} supera el máximo, pero tiene {datos.n_lotes} lotes."
        )
    return fuera("importes", f"{en_euros(datos.importe)}, más del máximo de {en_euros(maximo)}.")


def regla_regiones(perfil: Perfil, datos: DatosPrefiltro, _ahora: datetime) -> Regla | None:
    """None of its places coincides with the profile's; a place that contains a wanted one does coincide."""
    if not perfil.regiones:
        return None
    conocidos = [c for c in datos.nuts if (r := region(c)) and r.zona]
    if not conocidos:
        return neutral("regiones", "No publica un lugar de ejecución reconocible: no se descarta por eso.")
    for codigo in conocidos:
        if any(coinciden(codigo, r) for r in perfil.regiones):
            return neutral("regiones", f"Se ejecuta en {_lugar(codigo)}.")
    return fuera("regiones", f"Se ejecuta en {_lugar(conocidos[0])}, fuera de tus regiones.")


def regla_tipos(perfil: Perfil, datos: DatosPrefiltro, _ahora: datetime) -> Regla | None:
    """Its contract type is not wanted."""
    nombre = etiqueta("ContractCode", datos.tipo or "") or etiqueta(
        "SyndicationContractCode", datos.tipo or ""
    )
    return _por_codigo("tipos", "Contrato de tipo", datos.tipo, nombre, perfil.tipos)


def regla_procedimientos(perfil: Perfil, datos: DatosPrefiltro, _ahora: datetime) -> Regla | None:
    """Its procedure is not wanted."""
    nombre = etiqueta("SyndicationTenderingProcessCode", datos.procedimiento or "")
    return _por_codigo("procedimientos", "Procedimiento", datos.procedimiento, nombre, perfil.procedimientos)


def regla_tipos_registro(perfil: Perfil, datos: DatosPrefiltro, _ahora: datetime) -> Regla | None:
    """Not a kind of publication the profile looks at."""
    if not perfil.tipos_registro or datos.tipo_registro in perfil.tipos_registro:
        return None
    return fuera("tipos_registro", f"Es un registro de tipo «{datos.tipo_registro}», que el perfil no mira.")


def regla_fuentes(perfil: Perfil, datos: DatosPrefiltro, _ahora: datetime) -> Regla | None:
    """Not from a dataset the profile looks at."""
    if not perfil.fuentes or datos.fuente in perfil.fuentes:
        return None
    return fuera("fuentes", f"Viene del conjunto {datos.fuente}, que el perfil no mira.")


def regla_plazo(perfil: Perfil, datos: DatosPrefiltro, ahora: datetime) -> Regla | None:
    """Too little time left to prepare an offer."""
    if not perfil.plazo_minimo_dias:
        return None
    if datos.plazo is None:
        return neutral("plazo", "No publica el plazo de presentación: no se descarta por eso.")
    hasta = f"{datos.plazo.astimezone(MADRID):%d/%m/%Y %H:%M}"
    if datos.plazo - ahora < timedelta(days=perfil.plazo_minimo_dias):
        return fuera("plazo", f"Cierra el {hasta}: quedan menos de {perfil.plazo_minimo_dias} días.")
    return neutral("plazo", f"Cierra el {hasta}.")


def _por_codigo(
    nombre: str, sujeto: str, codigo: str | None, etiqueta_es: str | None, queridos: tuple[str, ...]
) -> Regla | None:
    if not queridos:
        return None
    if codigo is None or codigo == OTROS or etiqueta_es is None:
        return neutral(nombre, f"{sujeto} sin precisar: no se descarta por eso.")
    if codigo in queridos:
        return neutral(nombre, f"{sujeto} «{etiqueta_es}».")
    return fuera(nombre, f"{sujeto} «{etiqueta_es}», que no está entre los tuyos.")


def _lugar(codigo: str) -> str:
    return f"{etiqueta_nuts(codigo) or 'un lugar desconocido'} ({codigo})"


CONDICIONES: tuple[Criterio, ...] = (
    regla_importes,
    regla_regiones,
    regla_tipos,
    regla_procedimientos,
    regla_tipos_registro,
    regla_fuentes,
    regla_plazo,
)
