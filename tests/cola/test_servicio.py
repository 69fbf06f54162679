"""The queue over a real file: brakes, pauses, money, people, and what adds up."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from random import Random

import pytest

from nucleo import registro
from nucleo.bd import conectar
from nucleo.cola import almacen, intentos, servicio, vista
from nucleo.cola.frenos import almacen as frenos
from nucleo.cola.gasto import almacen as gasto
from nucleo.cola.gasto.almacen import Por
from nucleo.cola.modelo import (
    Ambito,
    Causa,
    Comprobacion,
    EstadoTrabajo,
    Instrucciones,
    Metricas,
    Reclamado,
    Trabajo,
)
from nucleo.cola.reglas import EDAD, EstadoPerfil, Topes, orden
from nucleo.cola.situacion import gasto_actual
from nucleo.errores import ErrorEntrada, NoEncontrado
from nucleo.reloj import EPOCA
from tests.cola.fabrica import TIPOS, contexto, metricas
from tests.conftest import AHORA

MINUTO = timedelta(minutes=1)
HORA = timedelta(hours=1)
PERFIL = EstadoPerfil(nombre="licitaciones", proveedor="proveedor-licitaciones")


@pytest.fixture
def fichero(tmp_path: Path) -> Path:
    return registro.preparar(tmp_path)


@pytest.fixture
def con(fichero: Path) -> Iterator[sqlite3.Connection]:
    with closing(conectar(fichero)) as abierta:
        yield abierta


def encolar(con: sqlite3.Connection, objeto: str, tipo: str = "criba", clave: str = "") -> Trabajo:
    return servicio.encolar(con, TIPOS, tipo, objeto, "{}", None, AHORA, clave)


def acabar(
    con: sqlite3.Connection,
    dado: Reclamado,
    *,
    hecho: bool,
    causa: Causa = Causa.TERMINADO,
    cuentas: Metricas | None = None,
    minuto: int = 0,
) -> Trabajo:
    ahora = AHORA + minuto * MINUTO
    intentos.arrancar(con, dado.intento.id, "run_1", ahora)
    intentos.empezar_cierre(con, dado.intento.id, causa, "")
    intentos.frenar_por(con, causa, PERFIL, False, ahora)
    return intentos.cerrar(
        con, dado.intento.id, Comprobacion(hecho=hecho, detalle=""), cuentas or metricas(), ahora
    )


def turno(
    con: sqlite3.Connection, minuto: int = 0, topes: Topes | None = None, **motivos: str | None
) -> Reclamado:
    dado = servicio.reclamar(con, TIPOS, contexto(5, topes, **motivos), AHORA + minuto * MINUTO)
    assert dado is not None
    return dado


def nadie(con: sqlite3.Connection, minuto: int = 0, topes: Topes | None = None) -> bool:
    return servicio.reclamar(con, TIPOS, contexto(5, topes), AHORA + minuto * MINUTO) is None


def test_encolar_lo_mismo_dos_veces_es_un_trabajo_y_otra_clave_es_otro(con: sqlite3.Connection) -> None:
    uno = encolar(con, "a")
    assert encolar(con, "a") == uno
    assert encolar(con, "a", clave="segunda opinión").id != uno.id
    acabar(con, turno(con), hecho=True)
    assert encolar(con, "a").estado is EstadoTrabajo.HECHO, "lo hecho no se repite por encolarlo"


@pytest.mark.parametrize("datos", ["", "{", "x" * 1_000_001, "[" * 200_000])
def test_lo_que_no_es_json_no_entra(con: sqlite3.Connection, datos: str) -> None:
    with pytest.raises(ErrorEntrada):
        servicio.encolar(con, TIPOS, "criba", "a", datos, None, AHORA)
    with pytest.raises(ErrorEntrada, match="nadie"):
        servicio.encolar(con, TIPOS, "nadie", "a", "{}", None, AHORA)
    assert almacen.contar(con) == {}


def test_tres_trabajos_que_fallan_frenan_su_tipo_seis_horas_y_solo_el_suyo(con: sqlite3.Connection) -> None:
    for objeto in "abcd":
        encolar(con, objeto)
    for _ in range(3):
        acabar(con, turno(con), hecho=False)
    assert nadie(con, minuto=359)
    encolar(con, "e", tipo="ficha")
    assert turno(con, minuto=5).trabajo.tipo == "ficha", "los demás tipos siguen"
    assert turno(con, minuto=360).trabajo.tipo == "criba"


def test_lo_que_se_pierde_al_reiniciarse_hermes_no_frena_a_su_tipo(con: sqlite3.Connection) -> None:
    for objeto in "abcd":
        encolar(con, objeto)
    for _ in range(3):
        perdido = acabar(con, turno(con), hecho=False, causa=Causa.PERDIDO)
        assert (perdido.estado, perdido.gastados) == (EstadoTrabajo.PENDIENTE, 1)
    assert frenos.todos(con) == ()
    assert not nadie(con)


def test_un_exito_entre_medias_no_deja_que_se_frene(con: sqlite3.Connection) -> None:
    for minuto, (objeto, hecho) in enumerate(zip("abcde", (False, False, True, False, False), strict=True)):
        encolar(con, objeto)
        acabar(con, turno(con, minuto), hecho=hecho, minuto=minuto)
    assert frenos.todos(con) == ()


def test_levantado_el_freno_se_cuenta_desde_cero(con: sqlite3.Connection) -> None:
    for objeto in "abcdef":
        encolar(con, objeto)
    for _ in range(3):
        acabar(con, turno(con), hecho=False)
    assert servicio.reanudar(con, Ambito.TIPO, "criba", AHORA + MINUTO) == 1
    acabar(con, turno(con, 1), hecho=False, minuto=1)
    acabar(con, turno(con, 1), hecho=False, minuto=1)
    assert not nadie(con, minuto=1), "dos fallos nuevos no bastan"


def test_una_version_nueva_levanta_los_frenos_y_no_las_pausas_de_las_personas(
    con: sqlite3.Connection,
) -> None:
    assert not servicio.estrenar_version(con, "1.0", AHORA), "la primera no levanta nada"
    encolar(con, "a")
    acabar(con, turno(con), hecho=False, causa=Causa.LIMITE_PROVEEDOR)
    assert nadie(con, minuto=1)
    assert not servicio.estrenar_version(con, "1.0", AHORA + MINUTO)
    assert servicio.estrenar_version(con, "1.1", AHORA + MINUTO)
    servicio.pausar(con, Ambito.COLA, "", AHORA + MINUTO)
    assert servicio.estrenar_version(con, "1.2", AHORA + 2 * MINUTO)
    assert nadie(con, minuto=2)
    servicio.reanudar(con, Ambito.COLA, "", AHORA + 2 * MINUTO)
    assert turno(con, 2).trabajo.gastados == 0


def test_el_429_de_un_proveedor_no_para_a_los_demas(con: sqlite3.Connection) -> None:
    encolar(con, "a")
    acabar(con, turno(con), hecho=False, causa=Causa.LIMITE_PROVEEDOR)
    encolar(con, "b", tipo="critica")
    assert turno(con, 1).trabajo.tipo == "critica"
    assert nadie(con, minuto=29)
    assert turno(con, 30).trabajo.tipo == "criba"


def test_el_freno_mas_largo_no_lo_acorta_otro(con: sqlite3.Connection) -> None:
    intentos.frenar_por(con, Causa.CREDENCIAL, PERFIL, False, AHORA)
    intentos.frenar_por(con, Causa.SIN_HERRAMIENTAS, PERFIL, False, AHORA)
    assert frenos.todos(con)[0].hasta == AHORA + 30 * MINUTO


def test_quien_espera_no_gasta_ni_estorba(con: sqlite3.Connection) -> None:
    encolar(con, "a", tipo="critica")
    encolar(con, "b", tipo="criba")
    assert turno(con, critico="No está en marcha.").trabajo.tipo == "criba"
    espera = servicio.trabajo(con, 1)
    assert (espera.intentos, espera.gastados, espera.estado) == (0, 0, EstadoTrabajo.PENDIENTE)


def test_los_reintentos_llegan_a_los_dos_cuatro_y_ocho_minutos(con: sqlite3.Connection) -> None:
    encolar(con, "a")
    minuto, esperas = 0, []
    for _ in range(4):
        fallido = acabar(con, turno(con, minuto), hecho=False, minuto=minuto)
        espera = (fallido.no_antes - AHORA) // MINUTO - minuto
        esperas.append(espera)
        if espera:
            assert nadie(con, minuto + espera - 1)
        minuto += espera
    assert esperas == [2, 4, 8, 0]
    assert fallido.estado is EstadoTrabajo.FALLIDO
    de_nuevo = servicio.reintentar(con, 1, AHORA + HORA)
    assert (de_nuevo.estado, de_nuevo.gastados) == (EstadoTrabajo.PENDIENTE, 0)
    assert turno(con, 60).intento.numero == 5


def test_el_tope_del_dia_para_y_al_dia_siguiente_sigue(con: sqlite3.Connection) -> None:
    topes = Topes(dia=Decimal("0.25"))
    for objeto in "abcd":
        encolar(con, objeto)
    acabar(con, turno(con, topes=topes), hecho=True)
    acabar(con, turno(con, topes=topes), hecho=True)
    assert nadie(con, topes=topes), "con 0,20 gastados otro de 0,10 no cabe en 0,25"
    assert not nadie(con, minuto=24 * 60, topes=topes)


def test_lo_que_esta_en_marcha_cuenta_para_el_tope(con: sqlite3.Connection) -> None:
    for objeto in "abc":
        encolar(con, objeto)
    acabar(con, turno(con), hecho=True)
    turno(con, topes=Topes(mes=Decimal("0.25")))
    assert nadie(con, topes=Topes(mes=Decimal("0.25")))


def test_un_coste_desconocido_no_cuenta_como_gratis(con: sqlite3.Connection) -> None:
    for objeto in "abc":
        encolar(con, objeto)
    acabar(con, turno(con), hecho=True, cuentas=metricas("0.40"))
    acabar(con, turno(con), hecho=True, cuentas=metricas(None))
    assert gasto.contado_desde(con, EPOCA) == Decimal("0.80")
    (suma,) = gasto.sumar(con, Por.TIPO, EPOCA, AHORA + HORA, 9)
    assert (suma.coste, suma.sin_coste, suma.incompletas) == (Decimal("0.40"), 1, 1)


SIN_PRECIO = metricas(None).model_copy(update={"incompletas": False})
SIN_LANZAR = SIN_PRECIO.model_copy(update={"entrada": 0, "salida": 0})


def test_un_modelo_sin_precio_pesa_lo_que_se_espera_de_su_tipo(con: sqlite3.Connection) -> None:
    for objeto in "abc":
        encolar(con, objeto)
    acabar(con, turno(con), hecho=True, cuentas=metricas("0.40"))
    acabar(con, turno(con), hecho=True, cuentas=SIN_PRECIO)
    acabar(con, turno(con), hecho=True, cuentas=SIN_LANZAR)
    assert gasto.contado_desde(con, EPOCA) == Decimal("0.80")
    assert gasto_actual(con, tuple(TIPOS), AHORA).sin_peso == 0


def test_si_ningun_coste_se_sabe_el_tope_dice_que_no_puede_contar(con: sqlite3.Connection) -> None:
    topes = Topes(dia=Decimal("0.25"))
    for objeto in "ab":
        encolar(con, objeto)
    acabar(con, turno(con), hecho=True, cuentas=SIN_PRECIO)
    acabar(con, turno(con, topes=topes), hecho=True, cuentas=SIN_LANZAR)
    assert "no cuenta 1 intentos" in (
        vista.estado(con, TIPOS, contexto(topes=topes), AHORA).aviso_gasto or ""
    )
    assert vista.estado(con, TIPOS, contexto(), AHORA).aviso_gasto is None


def test_las_personas_cambian_el_orden_cancelan_y_lo_que_no_puede_ser_se_dice(
    con: sqlite3.Connection,
) -> None:
    encolar(con, "a")
    urgente = encolar(con, "b")
    servicio.priorizar(con, urgente.id, -1)
    assert turno(con).trabajo.id == urgente.id
    assert servicio.cancelar(con, urgente.id, AHORA).estado is EstadoTrabajo.CANCELANDO
    assert servicio.cancelar(con, 1, AHORA).estado is EstadoTrabajo.CANCELADO
    with pytest.raises(ErrorEntrada):
        servicio.priorizar(con, 1, 3)
    with pytest.raises(NoEncontrado):
        servicio.reintentar(con, 99, AHORA)
    assert servicio.reintentar(con, 1, AHORA).estado is EstadoTrabajo.PENDIENTE


def test_el_gasto_se_suma_por_objeto_y_se_comparan_modelos_sobre_lo_mismo(con: sqlite3.Connection) -> None:
    hechos = [
        ("a", "m1", "0.10"),
        ("a", "m2", "0.30"),
        ("b", "m1", "0.20"),
        ("b", "m2", "0.50"),
        ("c", "m1", "9"),
    ]
    for objeto, modelo, coste in hechos:
        encolar(con, objeto, clave=modelo)
        cuentas = metricas(coste).model_copy(update={"modelo": modelo})
        acabar(con, turno(con), hecho=True, cuentas=cuentas)
    assert {s.grupo: s.coste for s in gasto.sumar(con, Por.OBJETO, EPOCA, AHORA + HORA, 9)} == {
        "a": Decimal("0.40"),
        "b": Decimal("0.70"),
        "c": Decimal(9),
    }
    comparados = gasto.comparar_modelos(con, "criba", gasto.modelos_de(con, "criba"))
    assert {s.grupo: (s.coste, s.intentos) for s in comparados} == {
        "m1": (Decimal("0.30"), 2),
        "m2": (Decimal("0.80"), 2),
    }
    assert gasto.sumar_objeto(con, "b")[0].coste == Decimal("0.70")


def test_lo_que_espera_se_ensena_en_el_orden_en_que_ira_tambien_si_no_cabe_todo(
    con: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    azar = Random(7)
    for numero in range(60):
        desde = AHORA - azar.randint(0, 8) * EDAD / 2 - azar.randint(0, 3) * MINUTO
        vence = azar.choice([None, AHORA + azar.randint(-5, 5) * HORA])
        servicio.encolar(con, TIPOS, "criba", str(numero), "{}", vence, desde)
        servicio.priorizar(con, numero + 1, azar.randint(-2, 2))
    turnos = almacen.turnos(con, ["criba"], AHORA)
    esperado = [t.id for t in sorted(turnos, key=lambda t: orden(t, AHORA))]
    monkeypatch.setattr(vista, "LISTA", 20)
    visto = vista.estado(con, TIPOS, contexto(), AHORA)
    assert [e.trabajo.id for e in visto.esperan] == esperado[:20]


def test_lo_que_hizo_el_sustituto_se_dice(con: sqlite3.Connection) -> None:
    encolar(con, "a")
    encolar(con, "b")
    primero = acabar(con, turno(con), hecho=True)
    assert not vista.estado(con, TIPOS, contexto(), AHORA).simulado
    de_mentira = metricas().model_copy(update={"modelo": "simulado"})
    segundo = acabar(con, turno(con), hecho=True, cuentas=de_mentira)
    assert vista.estado(con, TIPOS, contexto(), AHORA).simulado
    modelos = [vista.ficha(con, TIPOS, contexto(), t.id, AHORA).modelos for t in (primero, segundo)]
    assert modelos == [("modelo-a",), ("simulado",)]


def test_la_vista_dice_que_pasa_y_por_que_y_no_ensena_las_claves(con: sqlite3.Connection) -> None:
    encolar(con, "a")
    encolar(con, "b", tipo="critica")
    dado = turno(con, critico="No está.")
    visto = vista.estado(con, TIPOS, contexto(critico="No está."), AHORA + MINUTO)
    assert [(e.trabajo.objeto, e.motivo) for e in visto.esperan] == [("b", "No está.")]
    assert [m.trabajo.objeto for m in visto.en_marcha] == ["a"]
    assert visto.cuentas == {"criba": {"en_curso": 1}, "critica": {"pendiente": 1}}
    ficha = vista.ficha(con, TIPOS, contexto(), 1, AHORA)
    assert dado.intento.nonce not in visto.model_dump_json() + ficha.model_dump_json()


def test_varios_que_reclaman_a_la_vez_no_pasan_del_limite(fichero: Path) -> None:
    with closing(conectar(fichero)) as con:
        for numero in range(30):
            encolar(con, f"o{numero}")

    def reclamar(_: int) -> int | None:
        with closing(conectar(fichero)) as propia:
            dado = servicio.reclamar(propia, TIPOS, contexto(5), AHORA)
            return dado.trabajo.id if dado else None

    with ThreadPoolExecutor(8) as hilos:
        dados = [d for d in hilos.map(reclamar, range(24)) if d is not None]
    assert len(dados) == len(set(dados)) == 5


def test_lo_que_viaja_se_congela_una_vez(con: sqlite3.Connection) -> None:
    encolar(con, "a")
    numero = turno(con).intento.id
    primero = Instrucciones(version="1", texto="Haz.", entrada="Esto.")
    intentos.congelar(con, numero, primero)
    otro = intentos.congelar(con, numero, primero.model_copy(update={"version": "2", "texto": "Deshaz."}))
    assert (otro.intento.version, otro.intento.texto) == ("1", "Haz.")
