"""The process that serves the queue, killed again and again: nothing is lost and nothing is run twice."""

from __future__ import annotations

import asyncio
import os
import random
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from app.hermes.agente import leer_marca
from app.hermes.curso import Curso
from app.hermes.memoria import Contrato
from nucleo import registro
from nucleo.bd import conectar
from nucleo.cola import almacen, servicio
from nucleo.cola.modelo import EstadoTrabajo
from nucleo.reloj import reloj_del_sistema
from tests.cola.proceso import A_LA_VEZ, tipos
from tests.hermes.doble import Doble

RAIZ = Path(__file__).resolve().parents[2]
TRABAJOS = 8


@dataclass
class Agente:
    """Leaves its result under its attempt's nonce; knows how many of them worked at once."""

    carpeta: Path
    a_la_vez: int = 0
    maximo: int = 0
    dobles: list[int] = field(default_factory=list)

    async def __call__(self, curso: Curso) -> str:
        self.a_la_vez += 1
        self.maximo = max(self.maximo, self.a_la_vez)
        try:
            await asyncio.sleep(random.uniform(0.05, 0.4))
            marca = leer_marca(curso.encargo.instrucciones)
            assert marca is not None
            with closing(conectar(self.carpeta / registro.FICHERO)) as con:
                if servicio.intento_abierto(con, marca.nonce) is None:
                    return "Rechazado."
            fichero = self.carpeta / f"resultado-{marca.trabajo}"
            if fichero.exists():
                self.dobles.append(marca.trabajo)
            fichero.write_text(marca.nonce)
            return "Hecho."
        finally:
            self.a_la_vez -= 1


def lanzar(carpeta: Path, url: str) -> subprocess.Popen[str]:
    entorno = {**os.environ, "PYTHONPATH": str(RAIZ)}
    orden = [sys.executable, "-m", "tests.cola.proceso", "corredor", str(carpeta), url]
    return subprocess.Popen(orden, cwd=RAIZ, env=entorno, stdout=subprocess.PIPE, text=True)


def matar_muchas_veces(carpeta: Path, contrato: Contrato, veces: int, semilla: int) -> None:
    azar = random.Random(semilla)
    agente = Agente(carpeta)
    doble = Doble(contrato, agente)
    with closing(conectar(registro.preparar(carpeta))) as con:
        for numero in range(TRABAJOS):
            servicio.encolar(
                con, tipos(carpeta), "criba", f"licitacion-{numero}", "{}", None, reloj_del_sistema()
            )
    with doble.en_marcha() as url:
        for _ in range(veces):
            with lanzar(carpeta, url) as proceso:
                assert proceso.stdout is not None
                assert proceso.stdout.readline() == "listo\n"
                time.sleep(azar.expovariate(6.0))  # the moment of the kill, not a wait for something
                proceso.kill()
        with lanzar(carpeta, url) as ultimo:
            assert ultimo.wait(60) == 0
    with closing(conectar(carpeta / registro.FICHERO)) as con:
        trabajos = almacen.listar(con, list(EstadoTrabajo), 100)
        assert [t.estado for t in trabajos] == [EstadoTrabajo.HECHO] * TRABAJOS
        assert [(t.intentos, t.gastados) for t in trabajos] == [(1, 0)] * TRABAJOS
        assert servicio.por_conciliar(con) == ()
    assert sorted(set(doble.lanzados)) == sorted(doble.lanzados), "un intento se ha lanzado dos veces"
    assert len(doble.lanzados) == TRABAJOS
    assert agente.dobles == []
    assert agente.maximo <= A_LA_VEZ


@pytest.mark.muerte
@pytest.mark.parametrize("contrato", list(Contrato))
def test_matar_el_proceso_no_pierde_ni_repite_nada(tmp_path: Path, contrato: Contrato, vez: int) -> None:
    matar_muchas_veces(tmp_path, contrato, 8, 2026 + vez)


@pytest.mark.nocturno
@pytest.mark.parametrize("contrato", list(Contrato))
@pytest.mark.parametrize("semilla", range(10))
def test_matarlo_cien_veces(tmp_path: Path, contrato: Contrato, semilla: int) -> None:
    matar_muchas_veces(tmp_path, contrato, 10, semilla)
