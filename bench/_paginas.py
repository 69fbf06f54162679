"""Pages to measure with: the real ones when they are at hand, else the bundled sample repeated with new ids."""

from __future__ import annotations

import copy
import os
import zipfile
from pathlib import Path

from lxml import etree

from dominios.licitaciones.radar.codice import ATOM
from dominios.licitaciones.radar.muestra import carpeta

ENTRADAS_POR_PAGINA = 500


def hay_reales() -> bool:
    """Whether SOBRE_DATOS_REALES points to the real feeds."""
    return (_reales() / "1044_agregadas").is_dir()


def origen() -> str:
    """What the pages are, for the table."""
    return "páginas reales" if hay_reales() else "la muestra, repetida"


def paginas_1044(vueltas: int) -> list[bytes]:
    """`vueltas` times the pages of 1044, each time with other ids."""
    if hay_reales():
        base = [
            archivo.read(nombre)
            for ruta in sorted((_reales() / "1044_agregadas").glob("*.zip"))
            for archivo in [zipfile.ZipFile(ruta)]
            for nombre in archivo.namelist()
        ]
    else:
        base = [
            _repetir((carpeta() / "1044").glob("*.atom"), ENTRADAS_POR_PAGINA, vuelta) for vuelta in range(8)
        ]
    marca = b"/PlataformasAgregadasSinMenores/"
    return [p.replace(marca, marca + str(v).encode()) for v in range(vueltas) for p in base]


def paginas_643(cuantas: int) -> list[bytes]:
    """Pages like those of 643: five hundred entries each, derived from single ones with new ids."""
    if hay_reales():
        ficheros = sorted((_reales() / "643_versiones").rglob("*.atom"))
    else:
        ficheros = sorted((carpeta() / "643").glob("*.atom"))
    return [_repetir(ficheros, ENTRADAS_POR_PAGINA, numero) for numero in range(cuantas)]


def en_zip(ruta: Path, paginas: list[bytes]) -> Path:
    """A ZIP with those pages."""
    with zipfile.ZipFile(ruta, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archivo:
        for numero, cuerpo in enumerate(paginas):
            archivo.writestr(f"pagina_{numero:04}.atom", cuerpo)
    return ruta


def _reales() -> Path:
    return Path(os.environ.get("SOBRE_DATOS_REALES", "")) / "placsp"


def _repetir(ficheros: object, cuantas: int, serie: int) -> bytes:
    raices = [etree.parse(f).getroot() for f in ficheros]  # type: ignore[attr-defined]
    entradas = [e for raiz in raices for e in raiz.iterfind(f"{ATOM}entry")]
    pagina = copy.deepcopy(raices[0])
    for hijo in list(pagina):
        if hijo.tag not in {f"{ATOM}id", f"{ATOM}title", f"{ATOM}updated"}:
            pagina.remove(hijo)
    for numero in range(cuantas):
        entrada = copy.deepcopy(entradas[numero % len(entradas)])
        identificador = entrada.find(f"{ATOM}id")
        identificador.text = f"{identificador.text}{serie:03}{numero:04}"
        pagina.append(entrada)
    return etree.tostring(pagina, xml_declaration=True, encoding="UTF-8")
