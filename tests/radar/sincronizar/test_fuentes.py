"""Heads, hosts and ages of the five datasets, and the alarm of a head that stands still."""

from __future__ import annotations

import pytest

from dominios.licitaciones.radar.conjuntos import fuente_de
from dominios.licitaciones.radar.sincronizar import frescura
from dominios.licitaciones.radar.sincronizar.fuentes import (
    CONJUNTOS,
    HOSTS,
    cabecera,
    canal,
    politica,
    reglas,
)
from dominios.licitaciones.radar.sincronizar.modelo import DIA, HORA
from nucleo.configuracion import FUENTES, Configuracion
from nucleo.errores import DestinoProhibido, ErrorEntrada
from nucleo.red.destinos import examinar, seguir


def test_estan_las_cinco_y_sus_cabeceras_se_pueden_pedir() -> None:
    assert tuple(CONJUNTOS) == FUENTES
    for fuente in CONJUNTOS:
        url = cabecera(fuente)
        assert examinar(url, politica()).url == url
        assert fuente_de(f"{url}/") == fuente


def test_los_dos_sitios_de_placsp_son_la_misma_fuente() -> None:
    nuevo, viejo = (f"https://{host}/a.atom" for host in HOSTS)
    assert seguir(nuevo, viejo, politica()).url == viejo
    assert seguir(viejo, nuevo, politica()).url == nuevo


def test_una_plataforma_configurada_se_puede_leer_pero_no_es_placsp() -> None:
    permitida = politica(plataformas=("plataforma.example.org",))
    assert examinar("https://plataforma.example.org/x", permitida)
    with pytest.raises(DestinoProhibido):
        seguir(cabecera("643"), "https://plataforma.example.org/x", permitida)


def test_una_fuente_desconocida_se_dice() -> None:
    with pytest.raises(ErrorEntrada, match="643, 1044"):
        cabecera("999")


@pytest.mark.parametrize("url", ["", "nada", "http://10.0.0.1/x", "https://usuario@sitio.example/x"])
def test_una_url_que_no_lo_es_se_rechaza_antes_de_pedirla(url: str) -> None:
    with pytest.raises(DestinoProhibido):
        canal("643", url, Configuracion())


def test_los_ajustes_llegan_a_las_reglas_y_a_la_frescura(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOBRE_RADAR_FRESCURA_HORAS", "643=5, 1044=9")
    monkeypatch.setenv("SOBRE_RADAR_MARGEN_HORAS", "72")
    monkeypatch.setenv("SOBRE_RADAR_PRIMERA_PASADA_DIAS", "3")
    conf = Configuracion()
    assert (canal("643", None, conf).frescura, canal("1143", None, conf).frescura) == (5 * HORA, 48 * HORA)
    assert (reglas(conf).margen, reglas(conf).primera) == (72 * HORA, 3 * DIA)


def test_una_cabecera_quieta_mas_de_lo_debido_es_alarma() -> None:
    assert frescura.comprobar(0, 36 * HORA, 36 * HORA) is None
    alarma = frescura.comprobar(0, 72 * HORA, 36 * HORA)
    assert alarma is not None
    assert "72 h" in alarma.mensaje
    assert frescura.comprobar(None, 0, HORA) is not None
