"""Every job type of this installation, as each domain declares its own: the queue knows none by itself."""

from __future__ import annotations

from pathlib import Path

from dominios.licitaciones import registro as licitaciones
from nucleo.cola.modelo import Tipos


def tipos_de_trabajo(datos: Path) -> Tipos:
    """By name. Raises ValueError when two domains give two types the same name: a fault of ours."""
    declarados = [*licitaciones.tipos_de_trabajo(datos)]
    tipos = {t.nombre: t for t in declarados}
    if len(tipos) < len(declarados):
        raise ValueError("dos tipos de trabajo se llaman igual")
    return tipos
