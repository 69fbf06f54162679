"""The MCP endpoint with twenty agents at once, without a pause and thinking as agents do."""

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
from bench._carga_mcp import Encargo
from bench.tabla import Fila, como_mucho
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
LLAMADAS, LLAMADAS_PENSANDO = 150, 30
"""Calls of each agent."""


def medir() -> list[Fila]:
    """Agents that never pause, with a client that spends little; and thinking ones, with the official client."""
    with tempfile.TemporaryDirectory() as carpeta:
        datos = Path(carpeta)
        ids = _importar(datos)
        tokens = _agentes(datos)
        with servir(aplicacion_sola(datos, CATALOGO)) as base:
            encargo = Encargo(url=f"{base}/mcp", pausa_s=0, llamadas=LLAMADAS, tokens=tokens, ids=ids)
            sin_pausa = _clientes("bench._cliente_mcp", encargo)
            pensando = encargo.model_copy(update={"pausa_s": PAUSA_S, "llamadas": LLAMADAS_PENSANDO})
            oficial = _clientes("bench._cliente_oficial", pensando)
    nombre = f"MCP: lectura con {AGENTES} agentes"
    con_oficial = f"{nombre}, una llamada por segundo cada uno, cliente oficial, p95"
    return [
        como_mucho(
            f"{nombre} sin pausa, p95", _percentil(sin_pausa, 95), OBJETIVO_MS, "ms", _ritmo(sin_pausa)
        ),
        como_mucho(con_oficial, _percentil(oficial, 95), OBJETIVO_MS, "ms", _resumen(oficial)),
    ]


def _importar(datos: Path) -> tuple[str, ...]:
    with closing(conectar(registro.preparar(datos))) as con:
        importar_ficheros(con, sorted(muestra().rglob("*.atom")), None, reloj_del_sistema, lambda _: None)
        return tuple(fila[0] for fila in con.execute("SELECT entrada_id FROM licitacion ORDER BY id"))


def _agentes(datos: Path) -> tuple[str, ...]:
    with closing(conectar(comun.preparar(datos))) as con:
        return tuple(
            servicio.crear(con, f"agente-{n}", ["leer:licitaciones"], reloj_del_sistema()).token
            for n in range(AGENTES)
        )


def _clientes(modulo: str, encargo: Encargo) -> list[float]:
    """Milliseconds of every call, in order."""
    salida = subprocess.run(
        [sys.executable, "-m", modulo],
        input=encargo.model_dump_json(),
        capture_output=True,
        text=True,
        check=True,
    )
    muestras: list[list[float]] = json.loads(salida.stdout)
    return sorted(ms for muestra in muestras for ms in muestra)


def _ritmo(tiempos: list[float]) -> str:
    por_segundo = 1000 * AGENTES * len(tiempos) / sum(tiempos)
    return f"{por_segundo:.0f} llamadas/s; {_resumen(tiempos)}"


def _percentil(tiempos: list[float], cual: int) -> float:
    return tiempos[len(tiempos) * cual // 100]


def _resumen(tiempos: list[float]) -> str:
    cifras = ", ".join(f"p{p} {_percentil(tiempos, p):.0f} ms" for p in (50, 95, 99))
    return f"{len(tiempos)} llamadas: {cifras}, máx {tiempos[-1]:.0f} ms"
