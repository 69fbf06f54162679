"""The process that sends commands, killed again and again: each one took effect exactly once."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections import Counter
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest

from nucleo import registro
from nucleo.bd import conectar
from nucleo.recorridos import lectura
from nucleo.recorridos.artefactos import servicio as artefactos
from nucleo.recorridos.estado import EstadoRecorrido
from nucleo.recorridos.lectura.modelo import FiltroRecorridos
from tests.recorridos.almacen.proceso import NOTAS, RECORRIDOS

RAIZ = Path(__file__).resolve().parents[3]


def lanzar(carpeta: Path) -> subprocess.Popen[str]:
    entorno = {**os.environ, "PYTHONPATH": str(RAIZ)}
    orden = [sys.executable, "-m", "tests.recorridos.almacen.proceso", str(carpeta)]
    return subprocess.Popen(orden, cwd=RAIZ, env=entorno, stdout=subprocess.PIPE, text=True)


def matar_muchas_veces(carpeta: Path, veces: int, semilla: int) -> None:
    azar = random.Random(semilla)
    for _ in range(veces):
        with lanzar(carpeta) as proceso:
            assert proceso.stdout is not None
            assert proceso.stdout.readline() == "listo\n"
            time.sleep(azar.expovariate(15.0))  # the moment of the kill, not a wait for something
            proceso.kill()
    with lanzar(carpeta) as ultimo:
        assert ultimo.wait(120) == 0
    with closing(conectar(carpeta / registro.FICHERO)) as con:
        recorridos = lectura.listar(con, FiltroRecorridos(limite=500))
        assert [r.estado for r in recorridos] == [EstadoRecorrido.COMPLETADO] * RECORRIDOS
        contenidos = set()
        for uno in recorridos:
            eventos = lectura.eventos(con, uno.id)
            assert [e.n for e in eventos] == list(range(1, len(eventos) + 1))
            dados = Counter(e.comando.comando_id for e in eventos if e.comando)
            notas = {f"nota-{n}": 1 for n in range(NOTAS)}
            assert dados == {"toma": 1, **notas, "acaba": 1, "contesta": 1}
            (intento,) = lectura.intentos(con, uno.id, "redactar")
            assert intento.estado == "completado"
            (fichero,) = lectura.artefactos(con, uno.id)
            contenido = artefactos.abrir(con, carpeta, fichero.id).contenido
            assert sha256(contenido).hexdigest() == fichero.sha256
            contenidos.add(contenido)
            assert lectura.rechazos(con, uno.id) == ()
            assert {e.estado for e in lectura.entregas(con, uno.id)} <= {"anulada"}
        assert contenidos == {f"memoria {n}".encode() for n in range(RECORRIDOS)}


def test_matar_el_proceso_no_pierde_ni_repite_nada(tmp_path: Path) -> None:
    matar_muchas_veces(tmp_path, 3, 2026)


@pytest.mark.nocturno
@pytest.mark.parametrize("semilla", range(10))
def test_matarlo_doscientas_veces(tmp_path: Path, semilla: int) -> None:
    matar_muchas_veces(tmp_path, 20, semilla)
