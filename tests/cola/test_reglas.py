"""The queue's rules, each on its own, without a database."""

from __future__ import annotations

from datetime import datetime, timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nucleo.cola import reglas
from nucleo.cola.modelo import Ambito, Autor, Causa, Freno
from nucleo.cola.reglas import EstadoPerfil, Gasto, Situacion, Topes, Turno, orden
from nucleo.cola.transiciones import Suceso
from tests.cola.fabrica import TIPOS, contexto, intento, tipo, trabajo
from tests.conftest import AHORA

HORA = timedelta(hours=1)
LIBRE = Situacion(abiertos=0, frenos=())
PERFIL = EstadoPerfil(nombre="licitaciones", proveedor="proveedor-licitaciones")


def turno(numero: int, clase: int, vence: timedelta | None = None, espera: timedelta = HORA) -> Turno:
    return Turno(numero, clase, None if vence is None else AHORA + vence, AHORA - espera)


def primero(*turnos: Turno) -> int:
    return min(turnos, key=lambda t: orden(t, AHORA)).id


def test_manda_la_clase_y_dentro_de_ella_el_plazo_mas_cercano() -> None:
    assert primero(turno(1, 2, HORA), turno(2, 1, 90 * HORA)) == 2
    assert primero(turno(1, 1, 9 * HORA), turno(2, 1, 3 * HORA), turno(3, 1)) == 2


def test_un_plazo_que_ya_ha_pasado_no_adelanta_a_nadie() -> None:
    assert primero(turno(1, 1, -HORA), turno(2, 1, 900 * HORA)) == 2


def test_a_igualdad_va_el_mas_antiguo() -> None:
    assert primero(turno(1, 1, espera=HORA), turno(2, 1, espera=2 * HORA)) == 2
    assert primero(turno(2, 1), turno(1, 1)) == 1


@given(clase=st.integers(0, 50), otra=st.integers(0, 50), vence=st.integers(1, 10_000))
def test_quien_espera_lo_bastante_pasa_delante_de_cualquiera_que_llegue(
    clase: int, otra: int, vence: int
) -> None:
    """The wait that is enough depends only on the classes, not on how many others come."""
    basta = reglas.EDAD * (max(0, clase - otra) + 1)
    viejo = Turno(1, clase, None, AHORA - basta)
    nuevo = Turno(2, otra, AHORA + timedelta(minutes=vence), AHORA)
    assert primero(viejo, nuevo) == 1


def espera(situacion: Situacion = LIBRE, **cambios: object) -> str | None:
    return reglas.motivo_espera(trabajo(**cambios), TIPOS, contexto(), situacion, AHORA)


def test_nada_impide_empezar_a_un_trabajo_que_esta_listo() -> None:
    assert espera() is None


def test_cada_espera_dice_por_que() -> None:
    assert "10:02" in (espera(no_antes=AHORA + timedelta(minutes=2)) or "")
    assert "«otra»" in (espera(tipo="otra") or "")
    assert "caben" in (espera(Situacion(abiertos=2, frenos=())) or "")
    sin_perfil = reglas.motivo_espera(trabajo(), {"criba": tipo(perfil="ninguno")}, contexto(), LIBRE, AHORA)
    assert "SOBRE_HERMES" in (sin_perfil or "")
    caido = reglas.motivo_espera(trabajo(), TIPOS, contexto(licitaciones="No está en marcha."), LIBRE, AHORA)
    assert caido == "No está en marcha."


@pytest.mark.parametrize(
    ("ambito", "nombre", "criba", "critica"),
    [
        (Ambito.COLA, "", True, True),
        (Ambito.TIPO, "criba", True, False),
        (Ambito.PERFIL, "licitaciones", True, False),
        (Ambito.PROVEEDOR, "proveedor-critico", False, True),
    ],
)
def test_cada_freno_para_lo_suyo_y_nada_mas(ambito: Ambito, nombre: str, criba: bool, critica: bool) -> None:
    freno = Freno(
        ambito=ambito, nombre=nombre, autor=Autor.REGLA, desde=AHORA, hasta=AHORA + HORA, motivo="Para."
    )
    situacion = Situacion(abiertos=0, frenos=(freno,))
    assert (espera(situacion) is not None) == criba
    assert (espera(situacion, tipo="critica") is not None) == critica
    despues = reglas.motivo_espera(trabajo(), TIPOS, contexto(), situacion, AHORA + HORA)
    assert despues is None


def test_los_reintentos_esperan_dos_cuatro_y_ocho_minutos_y_luego_se_acaban() -> None:
    esperas = []
    for gastados in range(4):
        fin = reglas.cierre(Causa.TERMINADO, False, gastados, AHORA)
        esperas.append((fin.suceso, (fin.no_antes - AHORA) // timedelta(minutes=1)))
    assert esperas == [(Suceso.FALLAR, 2), (Suceso.FALLAR, 4), (Suceso.FALLAR, 8), (Suceso.AGOTAR, 0)]


@pytest.mark.parametrize("causa", list(Causa))
def test_un_resultado_que_esta_vale_acabe_como_acabe(causa: Causa) -> None:
    assert reglas.cierre(causa, True, 3, AHORA).suceso is Suceso.ACABAR


@pytest.mark.parametrize("causa", sorted(reglas.DEVUELVEN))
def test_lo_que_no_es_culpa_del_trabajo_no_gasta_intento(causa: Causa) -> None:
    assert reglas.cierre(causa, False, 3, AHORA).suceso is Suceso.DEVOLVER


def test_el_429_para_al_proveedor_media_hora_o_a_toda_la_cola() -> None:
    uno = reglas.freno_por_causa(Causa.LIMITE_PROVEEDOR, PERFIL, False, AHORA)
    toda = reglas.freno_por_causa(Causa.LIMITE_PROVEEDOR, PERFIL, True, AHORA)
    assert uno is not None
    assert toda is not None
    assert (uno.ambito, uno.nombre) == (Ambito.PROVEEDOR, "proveedor-licitaciones")
    assert (toda.ambito, toda.nombre) == (Ambito.COLA, "")
    assert uno.hasta == toda.hasta == AHORA + timedelta(minutes=30)
    assert reglas.freno_por_causa(Causa.TERMINADO, PERFIL, False, AHORA) is None


def test_tres_trabajos_seguidos_que_fallan_frenan_su_tipo_seis_horas() -> None:
    assert reglas.freno_por_fallos("criba", [1, 2], AHORA) is None
    assert reglas.freno_por_fallos("criba", [1, 1, 1, 1], AHORA) is None, "uno solo no frena a los demás"
    freno = reglas.freno_por_fallos("criba", [3, 1, 2], AHORA)
    assert freno is not None
    assert freno.hasta == AHORA + timedelta(hours=6)


def test_diez_minutos_sin_herramientas_matan_y_el_tipo_puede_decir_otra_cosa() -> None:
    callado = intento(actividad=AHORA - timedelta(seconds=600))
    assert reglas.motivo_de_muerte(callado, tipo(), AHORA) is Causa.SIN_ACTIVIDAD
    assert reglas.motivo_de_muerte(callado, tipo(), AHORA - timedelta(seconds=1)) is None
    largo = intento(lanzado=AHORA - timedelta(seconds=3600))
    assert reglas.motivo_de_muerte(largo, tipo(), AHORA) is Causa.TOPE_TIEMPO


def dinero(gastado: str, comprometido: str, esperado: str, dia: str | None, mes: str | None) -> str | None:
    situacion = Situacion(
        abiertos=0,
        frenos=(),
        gasto=Gasto(dia=Decimal(gastado), mes=Decimal(gastado), comprometido=Decimal(comprometido)),
        esperados={"criba": Decimal(esperado)},
    )
    topes = Topes(dia=None if dia is None else Decimal(dia), mes=None if mes is None else Decimal(mes))
    return reglas.motivo_tipo(TIPOS["criba"], contexto(topes=topes), situacion, AHORA)


def test_el_tope_de_gasto_se_mira_antes_de_lanzar() -> None:
    assert dinero("4.99", "0", "0", "5", None) is None
    assert "día" in (dinero("5", "0", "0", "5", "100") or "")
    assert "mes" in (dinero("5", "0", "0", "50", "5") or "")
    assert "día" in (dinero("4", "0.5", "0.6", "5", None) or ""), (
        "cuenta lo que está en marcha y lo que viene"
    )
    assert dinero("4", "0.4", "0.6", "5", None) is None, "justo hasta el tope cabe"
    assert dinero("9999", "0", "0", None, None) is None


@pytest.mark.parametrize(
    ("instante", "dia", "mes"),
    [
        ("2026-03-01T00:30+01:00", "2026-03-01T00:00+01:00", "2026-03-01T00:00+01:00"),
        ("2026-03-31T23:30+00:00", "2026-04-01T00:00+02:00", "2026-04-01T00:00+02:00"),
        ("2026-03-29T12:00+02:00", "2026-03-29T00:00+01:00", "2026-03-01T00:00+01:00"),
    ],
)
def test_el_dia_y_el_mes_son_los_de_madrid(instante: str, dia: str, mes: str) -> None:
    ahora = datetime.fromisoformat(instante)
    assert reglas.inicio_del_dia(ahora) == datetime.fromisoformat(dia)
    assert reglas.inicio_del_mes(ahora) == datetime.fromisoformat(mes)
