"""Frozen sets: what people labelled, asked again, and how each model and version of the instructions did."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dominios.licitaciones.criba.evaluacion import servicio
from dominios.licitaciones.criba.evaluacion.modelo import Conjunto
from dominios.licitaciones.criba.evaluacion.reglas import medir
from dominios.licitaciones.criba.modelo import Situacion, Veredicto
from dominios.licitaciones.criba.trabajo import instrucciones
from nucleo.empresa import servicio as empresa
from nucleo.errores import ErrorEntrada, NoEncontrado
from nucleo.reloj import reloj_del_sistema
from tasks.tipos import tipos_de_trabajo
from tests.criba.taller import Taller, juicio

E, N, D = Veredicto.ENCAJA, Veredicto.NO_ENCAJA, Veredicto.DUDA
SE, SN, SD, SS = Situacion.ENCAJA, Situacion.NO_ENCAJA, Situacion.DUDA, Situacion.SIN_VEREDICTO


def test_las_cuentas_a_mano() -> None:
    medida = medir([(E, SE), (E, SE), (E, SD), (E, SN), (E, SS), (N, SE), (N, SN), (N, SN), (D, SE), (D, SD)])
    assert (medida.casos, medida.aciertos, medida.dudas, medida.sin_veredicto, medida.perdidas) == (
        10,
        5,
        2,
        1,
        1,
    )
    assert medida.precision == pytest.approx(2 / 3, abs=1e-4)
    assert medida.exhaustividad == 0.4
    assert medida.a_la_vista == 0.8


def test_sin_nada_que_dividir_no_hay_razon() -> None:
    medida = medir([(N, SN)])
    assert (medida.precision, medida.exhaustividad, medida.a_la_vista) == (None, None, None)


@given(st.lists(st.tuples(st.sampled_from(Veredicto), st.sampled_from([SE, SN, SD, SS])), max_size=40))
def test_lo_que_se_dice_que_encaja_esta_a_la_vista(pares: list[tuple[Veredicto, Situacion]]) -> None:
    medida = medir(pares)
    for razon in (medida.precision, medida.exhaustividad, medida.a_la_vista):
        assert razon is None or 0 <= razon <= 1
    if medida.exhaustividad is not None and medida.a_la_vista is not None:
        assert medida.exhaustividad <= medida.a_la_vista


def etiquetar(taller: Taller, *etiquetas: str) -> Conjunto:
    """A live batch judged by an agent and labelled by a person, frozen."""
    taller.publicar(*range(1, len(etiquetas) + 1))
    taller.formar()
    reclamado = taller.turno()
    numeros = [v["numero"] for v in taller.lote(reclamado)["licitaciones"]]
    taller.proponer(reclamado, *map(juicio, numeros))
    taller.acabar(reclamado)
    for numero, etiqueta in zip(numeros, etiquetas, strict=True):
        taller.decidir(numero, etiqueta)
    return servicio.congelar(taller.con, "prueba", empresa.vigente(taller.cola))


def preguntar(taller: Taller, conjunto: Conjunto) -> int:
    return servicio.preguntar(taller.con, taller.cola, tipos_de_trabajo(taller.datos), conjunto, taller.ahora)


def test_congelar_preguntar_y_comparar(taller: Taller) -> None:
    conjunto = etiquetar(taller, "encaja", "encaja", "no_encaja")
    vivas = taller.situaciones()
    assert preguntar(taller, conjunto) == 1
    with pytest.raises(ErrorEntrada, match="esperan 1 tandas"):
        preguntar(taller, conjunto)
    for veredictos, coste in (
        (("encaja", "no_encaja", "encaja"), "0.25"),
        (("encaja", "duda", "no_encaja"), None),
    ):
        if coste is None:
            preguntar(taller, conjunto)
        reclamado = taller.turno()
        recibidas = taller.lote(reclamado)["licitaciones"]
        assert [v["numero"] for v in recibidas] == [1, 2, 3], "los números no dicen qué licitación es"
        taller.proponer(reclamado, *(juicio(n, v) for n, v in enumerate(veredictos, 1)))
        taller.acabar(reclamado, coste)
    (fila,) = servicio.comparar(taller.con, taller.cola, conjunto)
    assert (fila.modelo, fila.instrucciones, fila.intentos) == ("modelo-a", instrucciones()[0], 2)
    assert (fila.coste, fila.sin_coste) == (Decimal("0.25"), 1)
    assert (fila.medida.casos, fila.medida.perdidas) == (6, 1)
    assert fila.medida.precision == pytest.approx(2 / 3, abs=1e-4)
    assert (fila.medida.exhaustividad, fila.medida.a_la_vista) == (0.5, 0.75)
    assert taller.situaciones() == vivas, "evaluar no toca lo vivo"
    assert taller.formar().tandas == ()


def test_sin_palabras_de_nadie_no_hay_conjunto(taller: Taller) -> None:
    with pytest.raises(NoEncontrado):
        servicio.congelar(taller.con, "vacío", empresa.vigente(taller.cola))


def test_un_fichero_que_no_es_un_conjunto_se_rechaza(tmp_path: Path) -> None:
    fichero = tmp_path / "malo.json"
    for contenido in ("", "{}", "[]", '{"nombre": "x", "perfil_version": 1, "perfil": [], "casos": []}'):
        fichero.write_text(contenido)
        with pytest.raises(ErrorEntrada, match=r"malo\.json no es un conjunto"):
            servicio.leer(fichero)


def test_la_tabla_por_la_linea_de_ordenes(taller: Taller, tmp_path: Path) -> None:
    etiquetar(taller, "encaja", "no_encaja")
    fichero = tmp_path / "conjunto.json"

    def sobre(*partes: str) -> str:
        orden = [sys.executable, "-c", "from app.cli import principal; principal()", "evaluar", *partes]
        return subprocess.run(
            orden, capture_output=True, text=True, check=True, timeout=60, env=os.environ
        ).stdout

    assert "2 casos" in sobre("congelar", str(fichero))
    assert "12345674" not in fichero.read_text()
    assert "--lanzar" in sobre("criba", str(fichero))
    assert "1 tandas esperan" in sobre("criba", str(fichero), "--lanzar")
    taller.ahora = reloj_del_sistema()  # the command's, which put the job in
    reclamado = taller.turno()
    taller.proponer(reclamado, juicio(1), juicio(2, "no_encaja"))
    taller.acabar(reclamado, "0.5")
    lineas = sobre("criba", str(fichero)).splitlines()
    assert lineas[0].split()[:3] == ["modelo", "instrucciones", "casos"]
    assert lineas[1].split()[:3] == ["modelo-a", instrucciones()[0], "2"]
    assert "100.0 %" in lineas[1]
    assert "0.5000" in lineas[1]
    documento = json.loads(sobre("criba", str(fichero), "--json"))
    assert (documento["esperan"], documento["filas"][0]["medida"]["precision"]) == (0, 1.0)
