"""Reading again what is stored: the derived part follows the rules of now, and the quarantine gets another chance."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from dominios.licitaciones.radar import procesar
from dominios.licitaciones.radar.apartado.almacen import listar_cuarentena
from dominios.licitaciones.radar.codice import mapear
from dominios.licitaciones.radar.importar import importar_ficheros
from dominios.licitaciones.radar.muestra import carpeta as carpeta_muestra
from dominios.licitaciones.radar.relectura.remapear import remapear
from nucleo.errores import ErrorEntrada
from nucleo.reloj import reloj_fijo
from tests.radar.caja import Caja
from tests.radar.constructor import entrada, pagina
from tests.radar.volcado import volcar

RELOJ = reloj_fijo(datetime(2026, 3, 2, 9, 0, tzinfo=UTC))


def callar(_: str) -> None:
    """Progress is not what these tests are about."""


def test_remapear_sin_cambiar_las_reglas_no_cambia_nada(caja: Caja) -> None:
    importar_ficheros(caja.con, sorted(carpeta_muestra().rglob("*.atom")), None, RELOJ, callar)
    antes = volcar(caja.con)
    eventos = caja.con.execute("SELECT count(*) FROM evento").fetchone()
    resumen = remapear(caja.con, RELOJ, callar)
    assert resumen.versiones > 0
    assert (resumen.ilegibles, resumen.recuperadas) == (0, 0)
    assert volcar(caja.con) == antes
    assert caja.con.execute("SELECT count(*) FROM evento").fetchone() == eventos


def test_remapear_repara_lo_derivado(caja: Caja) -> None:
    importar_ficheros(caja.con, sorted(carpeta_muestra().rglob("*.atom")), None, RELOJ, callar)
    antes = volcar(caja.con)
    caja.con.execute("UPDATE licitacion SET objeto = 'x', importe = 1, desenlace = 'x', texto_huella = x'00'")
    caja.con.execute("UPDATE version SET material = ''")
    caja.con.execute("DELETE FROM licitacion_cpv")
    caja.con.execute("UPDATE licitacion_texto SET objeto = 'x'")
    assert volcar(caja.con) != antes
    remapear(caja.con, RELOJ, callar)
    assert volcar(caja.con) == antes


def test_lo_apartado_entra_cuando_el_lector_aprende(
    caja: Caja, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def torpe(elemento: object) -> object:
        licitacion = mapear(elemento)  # type: ignore[arg-type]
        if licitacion.id.endswith("/2"):
            raise ErrorEntrada("todavía no sabe leerla", codigo="torpe")
        return licitacion

    fichero = tmp_path / "p.atom"
    fichero.write_bytes(pagina(entrada(1), entrada(2)))
    with monkeypatch.context() as parche:
        parche.setattr(procesar, "mapear", torpe)
        importar_ficheros(caja.con, [fichero], None, RELOJ, callar)
        assert [a.codigo for a in listar_cuarentena(caja.con)] == ["torpe"]
        assert remapear(caja.con, RELOJ, callar).recuperadas == 0
    resumen = remapear(caja.con, RELOJ, callar)
    assert (resumen.recuperadas, resumen.cuarentena) == (1, 0)
    assert caja.ver(2)["entrada"]["id"].endswith("/2")


def test_una_pagina_con_algo_apartado_se_vuelve_a_leer_al_importarla(caja: Caja, tmp_path: Path) -> None:
    fichero = tmp_path / "p.atom"
    fichero.write_bytes(pagina(entrada(1), "<entry><id>urn:x</id><updated>no</updated></entry>"))
    primera = importar_ficheros(caja.con, [fichero], None, RELOJ, callar)
    segunda = importar_ficheros(caja.con, [fichero], None, RELOJ, callar)
    assert (primera.cuarentena, segunda.cuarentena) == (1, 1)
    assert len(listar_cuarentena(caja.con)) == 1
