"""What the installation registers for offers: functions that refuse, schemas that exist, and the tender's deadline."""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from dominios.licitaciones.oferta.funciones import CONSTANCIA
from dominios.licitaciones.oferta.plantilla import NOMBRE, OFERTA
from dominios.licitaciones.radar.almacen import guardar_pagina
from dominios.licitaciones.radar.procesar import procesar_pagina
from nucleo.bd import conectar, transaccion
from nucleo.errores import ErrorSobre
from nucleo.recorridos.casa import EncargoPaso
from nucleo.recorridos.errores import ErrorRecorrido
from nucleo.recorridos.estado import EstadoRecorrido
from nucleo.recorridos.plan_guardado import huella_de
from nucleo.recorridos.validar import validar
from tasks.casa import casa
from tests.oferta.taller import AHORA, Caso, EnMemoria, recorrer
from tests.radar.constructor import T0, entrada, ident, pagina, proceso, proyecto

FUNCIONES = {p.id: f for p in OFERTA.pasos if p.ejecutor and (f := p.ejecutor.funcion)}


def encargo(paso: str) -> EncargoPaso:
    """That step of a run."""
    return EncargoPaso(
        recorrido="rec_1",
        dominio="licitaciones",
        objeto_id="1",
        paso=paso,
        intento=1,
        datos=Path("no-existe"),
        entradas={"motivo": "No cumplimos la solvencia"},
        contexto={},
    )


def test_la_instalacion_conoce_la_plantilla_y_todo_lo_que_nombra(datos: Path) -> None:
    instalada = casa(datos)
    assert set(FUNCIONES.values()) == set(instalada.funciones)
    validar(instalada.plantillas[NOMBRE].plan, instalada)
    assert casa(datos) is instalada


def test_la_plantilla_con_este_nombre_es_siempre_la_misma() -> None:
    """What people have been asked does not change under a run: another text, port or step is another version.

    Until the first release it may change here; from then on, a new template («oferta@2») beside this one.
    """
    assert huella_de(OFERTA) == "619e0b39e1443471666f9a6af286dd0af10ffe6b8d4f9cabe2b41987debc45d9"


def test_ninguna_funcion_de_la_oferta_es_para_otros_planes(datos: Path) -> None:
    assert [f.nombre for f in casa(datos).funciones.values() if f.abierta] == []


@pytest.mark.parametrize("paso", [p for p, f in FUNCIONES.items() if f not in CONSTANCIA])
def test_lo_que_aun_no_existe_se_niega_y_dice_que_hacer(datos: Path, paso: str) -> None:
    with pytest.raises(ErrorSobre, match="todavía no existe") as hallado:
        casa(datos).funciones[FUNCIONES[paso]].ejecutar(encargo(paso))
    titulo = next(p.titulo for p in OFERTA.pasos if p.id == paso)
    assert (hallado.value.codigo, hallado.value.reintentable) == ("pieza_pendiente", False)
    assert titulo in hallado.value.mensaje


def test_en_una_instalacion_no_pasa_del_primer_paso(datos: Path) -> None:
    caso = Caso("presentar", memoria=False, deuc=False, garantia=False, ute=False, rechazos=0)
    marcha = EnMemoria(casa(datos))
    with pytest.raises(ErrorSobre, match="Descargar los pliegos"):
        recorrer(marcha, caso)
    assert marcha.ver().estado is EstadoRecorrido.ACTIVO


def test_lo_que_solo_deja_constancia_lo_hace(datos: Path) -> None:
    hecho = casa(datos).funciones["oferta_registrar_descarte"].ejecutar(encargo("registrar_descarte"))
    assert "No cumplimos la solvencia" in hecho.mensaje


@pytest.fixture
def publicada(fichero_bd: Path) -> str:
    """A tender in the store whose deadline is 20 March, 14:00 in Madrid; its Atom id."""
    cuerpo = pagina(entrada(1234567, T0, proyecto(), proceso("2026-03-20", "14:00:00")))
    with closing(conectar(fichero_bd)) as con, transaccion(con):
        guardar_pagina(con, procesar_pagina(cuerpo, "prueba.atom"), AHORA)
    return ident(1234567)


def test_el_plazo_es_el_de_la_licitacion(datos: Path, publicada: str) -> None:
    esperado = datetime(2026, 3, 20, 13, 0, tzinfo=UTC)
    assert casa(datos).plazo("licitaciones", publicada) == esperado
    assert casa(datos).plazo("licitaciones", publicada.rsplit("/", 1)[-1]) == esperado


def test_sin_objeto_o_de_otro_dominio_no_hay_plazo(datos: Path) -> None:
    assert casa(datos).plazo("licitaciones", "") is None
    assert casa(datos).plazo("general", "1") is None


def test_de_una_licitacion_que_no_esta_se_dice(datos: Path, publicada: str) -> None:
    with pytest.raises(ErrorRecorrido, match="99") as hallado:
        casa(datos).plazo("licitaciones", "99")
    assert hallado.value.http == 404


def test_sin_base_de_datos_se_dice(datos: Path) -> None:
    with pytest.raises(ErrorRecorrido, match="Aún no hay datos"):
        casa(datos).plazo("licitaciones", "1")
