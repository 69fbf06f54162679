"""A folder of pages and ZIPs into the store, and what the company's profile makes of it."""

from __future__ import annotations

from pathlib import Path

from prefect import flow

from dominios.licitaciones.prefiltro.servicio import ResumenPrefiltro
from dominios.licitaciones.radar.importar import ResumenImportacion
from dominios.licitaciones.radar.modelo import Modelo
from tasks.importar import importar
from tasks.informe import publicar_tabla
from tasks.prefiltro import pasar_prefiltro


class InformeCarpeta(Modelo):
    """What came in, and what the profile says of it (None without a profile)."""

    importacion: ResumenImportacion
    prefiltro: ResumenPrefiltro | None


@flow(
    name="carpeta",
    description="Importa páginas y ZIP de una carpeta, en cualquier orden, y pasa el prefiltro.",
)
async def carpeta(ficheros: tuple[Path, ...]) -> InformeCarpeta:
    """Idempotent: pages already in are known by their hash."""
    importacion = await importar(f"{len(ficheros)} ficheros", ficheros)
    prefiltro = await pasar_prefiltro()
    await publicar_tabla(
        "importacion",
        "Lo importado de la carpeta",
        [{"qué": campo, "cuántas": valor} for campo, valor in importacion.model_dump().items()],
    )
    return InformeCarpeta(importacion=importacion, prefiltro=prefiltro)
