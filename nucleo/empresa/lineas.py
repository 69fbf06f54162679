"""The profile as numbered lines without personal data: what an agent reads, and what it must cite."""

from __future__ import annotations

from collections.abc import Iterator

from nucleo.codigos.cpv import codigos_cpv, etiqueta_cpv
from nucleo.codigos.nuts import etiqueta_nuts
from nucleo.empresa.modelo import Empresa
from nucleo.modelo import Modelo

LARGO_MAX = 400
"""Characters of one line."""


class Linea(Modelo):
    """`clave` is stable within a version: `actividades.1`, `no_hace.3`, `importes.maximo`."""

    clave: str
    texto: str


def lineas(empresa: Empresa) -> tuple[Linea, ...]:
    """Every line that bears on whether a contract suits the company, in the order of the model.

    Signatories, competitors, NIFs and the address are left out: no judgement needs them.
    """
    return tuple(Linea(clave=clave, texto=texto[:LARGO_MAX]) for clave, texto in _pares(empresa))


def _pares(empresa: Empresa) -> Iterator[tuple[str, str]]:
    yield "nombre", empresa.nombre
    for campo, entrada in (
        ("actividades", "Hace: "),
        ("distribuye", "Distribuye: "),
        ("ademas", "Hace además: "),
        ("no_hace", "NO hace: "),
    ):
        for numero, texto in enumerate(getattr(empresa, campo), 1):
            yield f"{campo}.{numero}", entrada + texto
    for numero, rama in enumerate(empresa.cpv, 1):
        yield f"cpv.{numero}", f"CPV {rama}: {_rama(rama)}"
    for numero, codigo in enumerate(empresa.regiones, 1):
        yield f"regiones.{numero}", f"Trabaja en {etiqueta_nuts(codigo) or codigo}"
    if empresa.importes.minimo is not None:
        yield "importes.minimo", f"Contratos desde {empresa.importes.minimo} € sin IVA"
    if empresa.importes.maximo is not None:
        yield "importes.maximo", f"Contratos hasta {empresa.importes.maximo} € sin IVA"
    for numero, clasificacion in enumerate(empresa.clasificaciones, 1):
        yield f"clasificaciones.{numero}", f"Clasificación {clasificacion}"
    for numero, certificado in enumerate(empresa.certificados, 1):
        alcance = f" ({certificado.alcance})" if certificado.alcance else ""
        yield f"certificados.{numero}", f"Certificado {certificado.norma}{alcance}"
    for numero, obra in enumerate(empresa.obras, 1):
        yield f"obras.{numero}", f"Ha hecho: {obra.objeto} (para {obra.destinatario})"


def _rama(rama: str) -> str:
    """The label of the highest code of the branch."""
    etiqueta = etiqueta_cpv(rama.ljust(8, "0"))
    return etiqueta or etiqueta_cpv(min(c for c in codigos_cpv() if c.startswith(rama))) or ""
