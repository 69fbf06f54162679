"""Search and filtered lists over 300,000 made-up tenders, through the service that the pages use."""

from __future__ import annotations

import random
import sqlite3
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from decimal import Decimal
from pathlib import Path

from bench._sintetica import AHORA, construir
from bench.tabla import Fila, como_mucho
from dominios.licitaciones.criba.consulta import resumenes
from dominios.licitaciones.criba.modelo import Situacion
from dominios.licitaciones.oportunidades import servicio
from dominios.licitaciones.oportunidades.modelos import Filtro, Orden, Pagina
from nucleo.bd import conectar_lectura

CUANTAS = 300_000
OBJETIVO_MS = 150.0
REPETICIONES = 6

TEXTOS = {
    "sin texto": "",
    "palabra rara": "",  # filled with one of the vocabulary's tail, see `_palabra_rara`
    "palabra muy común": "servicio",
    "dos palabras": "mantenimiento hospital",
    "prefijo": "urban",
    "con tilde y plural": "informáticos",
}
FILTROS: tuple[dict[str, object], ...] = (
    {},
    {"solo_abiertas": True},
    {"solo_abiertas": True, "cierra_en_dias": 7},
    {"cpv": ("72", "48")},
    {"cpv": ("4521",)},
    {"nuts": ("ES6",)},
    {"importe_min": Decimal(100_000), "importe_max": Decimal(500_000)},
    {"importe_min": Decimal(20_000_000)},
    {"estado": ("PUB", "EV"), "tipo": ("2",)},
    {"tipo": ("31",), "procedimiento": ("2",)},
    {"fuente": ("1403",)},
    {"con_avisos": True},
    {"solo_abiertas": True, "cpv": ("72",), "importe_min": Decimal(50_000), "nuts": ("ES3",)},
    {"estado": ("ADJ",), "procedimiento": ("9",), "fuente": ("643",), "importe_max": Decimal(60_000)},
)


CON_CRIBA: tuple[dict[str, object], ...] = (
    *(dict[str, object](criba=(situacion,)) for situacion in Situacion),
    {"criba": (Situacion.ENCAJA, Situacion.DUDA)},
    {"criba": (Situacion.ENCAJA,), "solo_abiertas": True},
    {"criba": (Situacion.NO_ENCAJA,), "cpv": ("72", "48")},
    {"criba": (Situacion.NO_ENCAJA,), "estado": ("PUB", "EV"), "tipo": ("2",)},
    {"decididas": True},
    {"decididas": True, "criba": (Situacion.ENCAJA,)},
    {"decididas": True, "importe_min": Decimal(100_000), "importe_max": Decimal(500_000)},
)


def medir() -> list[Fila]:
    """Two rows of each mix: the page alone and the page with its count, as the first view of a search asks for both."""
    with tempfile.TemporaryDirectory() as carpeta:
        fichero = construir(Path(carpeta), CUANTAS)
        return [
            *_filas("lista de 300.000", FILTROS, medir_mezcla(fichero, FILTROS)),
            *_filas("lista de 300.000 por criba", CON_CRIBA, medir_mezcla(fichero, CON_CRIBA)),
        ]


def _filas(
    nombre: str, filtros: Sequence[object], muestras: list[tuple[str, float, float]]
) -> tuple[Fila, Fila]:
    pagina = sorted(p for _, p, _ in muestras)
    juntas = sorted(p + c for _, p, c in muestras)
    detalle = (
        f"{len(muestras)} consultas: {len(TEXTOS)} textos × {len(filtros)} filtros × {len(Orden)} órdenes"
    )
    return (
        como_mucho(f"{nombre}: página, p95", _percentil(pagina, 95), OBJETIVO_MS, "ms", _resumen(pagina)),
        como_mucho(f"{nombre}: página y recuento, p95", _percentil(juntas, 95), OBJETIVO_MS, "ms", detalle),
    )


def medir_mezcla(
    fichero: Path, filtros: Sequence[dict[str, object]], semilla: int = 3
) -> list[tuple[str, float, float]]:
    """(what was asked, ms of the page, ms of the count) in random order; a third of them ask for a second page.

    The page includes where each of its tenders stands in the criba and why, as the web shows it.
    """
    pedidos = [(t, f, o) for t in TEXTOS for f in filtros for o in Orden]
    random.Random(semilla).shuffle(pedidos)
    rara = _palabra_rara(fichero)
    muestras = []
    for numero, (texto, campos, orden) in enumerate(pedidos):
        filtro = Filtro.model_validate(
            {"texto": rara if texto == "palabra rara" else TEXTOS[texto], **campos}
        )
        with closing(conectar_lectura(fichero)) as con:
            pagina = _segunda(con, filtro, orden) if numero % 3 == 0 else Pagina()
        inicio = time.perf_counter()
        with closing(conectar_lectura(fichero)) as con:
            resultados = servicio.buscar(con, filtro, orden, pagina, AHORA)
            resumenes(con, [fila.id for fila in resultados.filas])
            mitad = time.perf_counter()
            if servicio.recuento_de(resultados) is None:
                servicio.contar(con, filtro, AHORA)
        fin = time.perf_counter()
        muestras.append((f"{texto} {campos} {orden}", 1000 * (mitad - inicio), 1000 * (fin - mitad)))
    return muestras


def _segunda(con: sqlite3.Connection, filtro: Filtro, orden: Orden) -> Pagina:
    """The page after the first, or the first when there is no other."""
    return Pagina(cursor=servicio.buscar(con, filtro, orden, Pagina(), AHORA).siguiente)


def _palabra_rara(fichero: Path) -> str:
    """The word of some early rows that fewest tenders have."""
    with closing(conectar_lectura(fichero)) as con:
        textos = con.execute("SELECT objeto FROM licitacion_texto WHERE rowid <= 20").fetchall()
        cuenta = "SELECT count(*) FROM licitacion_texto WHERE licitacion_texto MATCH ?"
        palabras = sorted({palabra for (texto,) in textos for palabra in texto.split()})
        return min(palabras, key=lambda palabra: int(con.execute(cuenta, (f'"{palabra}"',)).fetchone()[0]))


def _percentil(ordenadas: list[float], p: int) -> float:
    return ordenadas[min(len(ordenadas) - 1, len(ordenadas) * p // 100)]


def _resumen(ordenadas: list[float]) -> str:
    return (
        ", ".join(f"p{p} {_percentil(ordenadas, p):.0f} ms" for p in (50, 95, 99))
        + f", máx {ordenadas[-1]:.0f} ms"
    )
