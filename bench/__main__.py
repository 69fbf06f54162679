"""Run every benchmark module, or those named, and print one table: `python -m bench [module…] [--escribir]`."""

from __future__ import annotations

import argparse
import sys
import time
from importlib import import_module
from pathlib import Path

from bench.tabla import Fila, en_markdown, insertar, maquina

AQUI = Path(__file__).parent
DOCUMENTO = AQUI.parent / "docs" / "rendimiento.md"


def modulos() -> list[str]:
    """Names of the modules of this folder that define `medir`."""
    candidatos = sorted(p.stem for p in AQUI.glob("*.py") if not p.stem.startswith("_") and p.stem != "tabla")
    return [nombre for nombre in candidatos if hasattr(import_module(f"bench.{nombre}"), "medir")]


def ejecutar(nombres: list[str]) -> list[Fila]:
    """The rows of every module in turn, one at a time so that they do not disturb each other."""
    filas: list[Fila] = []
    for nombre in nombres:
        inicio = time.perf_counter()
        print(f"bench: {nombre}…", file=sys.stderr, flush=True)
        filas += import_module(f"bench.{nombre}").medir()
        print(f"bench: {nombre}, {time.perf_counter() - inicio:.0f} s", file=sys.stderr, flush=True)
    return filas


def principal() -> int:
    """0 when everything was measured; with --exigir, 1 when a target is missed (shared machines are noisy)."""
    opciones = argparse.ArgumentParser(prog="python -m bench", description="Tabla de rendimiento")
    opciones.add_argument("modulos", nargs="*", help=f"cuáles (por defecto, todos: {', '.join(modulos())})")
    opciones.add_argument("--escribir", action="store_true", help="guarda la tabla en docs/rendimiento.md")
    opciones.add_argument("--exigir", action="store_true", help="falla si algún objetivo no se cumple")
    pedido = opciones.parse_args()
    filas = ejecutar(pedido.modulos or modulos())
    tabla = f"{en_markdown(filas)}\n\n{maquina()}."
    print(tabla)
    if pedido.escribir:
        DOCUMENTO.write_text(insertar(DOCUMENTO.read_text("utf-8"), tabla), "utf-8")
    return 1 if pedido.exigir and any(fila.cumple is False for fila in filas) else 0


if __name__ == "__main__":
    sys.exit(principal())
