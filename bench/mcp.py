"""The MCP endpoint with twenty agents at once, thinking as agents do and without a pause."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path

from app.hermes.servir import servir
from app.mcp.herramientas import CATALOGO
from app.mcp.montaje import aplicacion_sola
from bench.tabla import Fila, como_mucho, numero
from dominios.licitaciones import registro
from dominios.licitaciones.radar.importar import importar_ficheros
from dominios.licitaciones.radar.muestra import carpeta as muestra
from nucleo import registro as comun
from nucleo.agentes import servicio
from nucleo.bd import conectar
from nucleo.reloj import reloj_del_sistema

AGENTES = 20
OBJETIVO_MS = 50.0
PAUSA_S = 1.0
"""An agent calls, reads and thinks: a call per second is already a quick one."""


def medir() -> list[Fila]:
    """Agents that think between calls, which is the target; and with no pause at all, to know how far it goes."""
    with tempfile.TemporaryDirectory() as carpeta:
        datos = Path(carpeta)
        ids = _importar(datos)
        tokens = _agentes(datos)
        with servir(aplicacion_sola(datos, CATALOGO)) as base:
            url = f"{base}/mcp"
            return [
                _pensando(_clientes(url, PAUSA_S, tokens, ids)),
                _sin_pausa(_clientes(url, 0.0, tokens, ids)),
            ]


def _importar(datos: Path) -> list[str]:
    with closing(conectar(registro.preparar(datos))) as con:
        importar_ficheros(con, sorted(muestra().rglob("*.atom")), None, reloj_del_sistema, lambda _: None)
        return [fila[0] for fila in con.execute("SELECT entrada_id FROM licitacion ORDER BY id")]


def _agentes(datos: Path) -> list[str]:
    with closing(conectar(comun.preparar(datos))) as con:
        return [
            servicio.crear(con, f"agente-{n}", ["leer:licitaciones"], reloj_del_sistema()).token
            for n in range(AGENTES)
        ]


def _clientes(url: str, pausa_s: float, tokens: list[str], ids: list[str]) -> list[float]:
    """Milliseconds of every call, in order."""
    pedido = json.dumps({"url": url, "pausa_s": pausa_s, "tokens": tokens, "ids": ids})
    salida = subprocess.run(
        [sys.executable, "-m", "bench._cliente_mcp"], input=pedido, capture_output=True, text=True, check=True
    )
    muestras: list[list[float]] = json.loads(salida.stdout)
    return sorted(ms for muestra in muestras for ms in muestra)


def _pensando(tiempos: list[float]) -> Fila:
    nombre = f"MCP: lectura con {AGENTES} agentes, una llamada por segundo cada uno, p95"
    return como_mucho(nombre, _percentil(tiempos, 95), OBJETIVO_MS, "ms", _resumen(tiempos))


def _sin_pausa(tiempos: list[float]) -> Fila:
    por_segundo = 1000 * AGENTES / (sum(tiempos) / len(tiempos))
    nombre = f"MCP: lecturas con {AGENTES} agentes sin pausa"
    return Fila(nombre, numero(por_segundo, "llamadas/s"), detalle=_resumen(tiempos))


def _percentil(tiempos: list[float], cual: int) -> float:
    return tiempos[len(tiempos) * cual // 100]


def _resumen(tiempos: list[float]) -> str:
    cifras = ", ".join(f"p{p} {_percentil(tiempos, p):.0f} ms" for p in (50, 95, 99))
    return f"{len(tiempos)} llamadas: {cifras}, máx {tiempos[-1]:.0f} ms"
