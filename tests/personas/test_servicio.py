"""Accounts and sessions over a real database."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from nucleo import registro
from nucleo.bd import conectar
from nucleo.errores import ErrorEntrada, NoEncontrado
from nucleo.personas import administrar, almacen, auditoria, claves, intentos, servicio
from nucleo.personas.auditoria import Busqueda
from nucleo.personas.claves import Coste
from nucleo.personas.errores import ErrorAcceso
from nucleo.personas.modelo import AltaUsuario, CambioClave, Guardada, Procedencia, Rol

AHORA = datetime(2026, 5, 4, 9, 0, tzinfo=UTC)
CLAVE, OTRA = "una-clave-bastante-larga", "otra-clave-bastante-larga"
GUARDADA = Guardada(claves.guardar(CLAVE, Coste(4, 1, 1)), False)
CASA, FUERA = Procedencia("127.0.0.1", "pruebas"), Procedencia("192.0.2.7", "pruebas")


@pytest.fixture
def con(datos: Path) -> Iterator[sqlite3.Connection]:
    """An installation with an administrator and an editor."""
    with closing(conectar(registro.preparar(datos))) as abierta:
        for nombre, rol in (("jefa", Rol.ADMIN), ("ana", Rol.EDITOR)):
            almacen.crear(abierta, AltaUsuario(usuario=nombre, nombre=nombre, rol=rol), GUARDADA, AHORA)
        yield abierta


def test_la_sesion_dura_doce_horas_sin_uso_y_siete_dias_como_mucho(con: sqlite3.Connection) -> None:
    token, sesion = servicio.entrar(con, " ANA ", CLAVE, CASA, AHORA)
    assert (sesion.usuario.usuario, sesion.caduca) == ("ana", AHORA + timedelta(hours=12))
    assert servicio.sesion_de(con, token, AHORA + timedelta(hours=12, seconds=-1)) is not None
    assert servicio.sesion_de(con, token, AHORA + timedelta(hours=12)) is None
    servicio.tocar(con, sesion.huella, AHORA + timedelta(hours=12))
    assert servicio.sesion_de(con, token, AHORA + timedelta(hours=12)) is None
    ahora = AHORA
    while ahora < AHORA + timedelta(days=7):
        assert servicio.sesion_de(con, token, ahora) is not None
        servicio.tocar(con, sesion.huella, ahora)
        ahora += timedelta(hours=11)
    assert servicio.sesion_de(con, token, ahora) is None
    servicio.tocar(con, sesion.huella, ahora)  # using one that has ended does not bring it back
    assert servicio.sesion_de(con, token, ahora) is None


def test_solo_se_guarda_la_huella_del_token_y_nada_de_la_clave(con: sqlite3.Connection) -> None:
    token = servicio.entrar(con, "ana", CLAVE, CASA, AHORA).token
    with pytest.raises(ErrorAcceso):
        servicio.entrar(con, "ana", "secreto-que-no-es-de-nadie", CASA, AHORA)
    de_un_uso = administrar.restablecer(con, "jefa", "pruebas", AHORA)
    volcado = "\n".join(con.iterdump())
    for secreto in (token, CLAVE, "secreto-que-no-es-de-nadie", de_un_uso):
        assert secreto not in volcado


@pytest.mark.parametrize("como", ["rol", "desactivar", "clave", "restablecer", "cerrar", "salir"])
def test_lo_que_cambia_a_la_persona_cierra_sus_sesiones(con: sqlite3.Connection, como: str) -> None:
    una, otra = (servicio.entrar(con, "ana", CLAVE, CASA, AHORA) for _ in range(2))
    ajena = servicio.entrar(con, "jefa", CLAVE, CASA, AHORA)
    match como:
        case "rol":
            administrar.cambiar_rol(con, "ana", Rol.LECTOR, "jefa", AHORA)
        case "desactivar":
            administrar.desactivar(con, "ana", "jefa", AHORA)
        case "clave":
            nueva = servicio.cambiar_clave(con, "ana", CambioClave(CLAVE, OTRA), CASA, AHORA)
            assert servicio.sesion_de(con, nueva.token, AHORA) is not None
        case "restablecer":
            administrar.restablecer(con, "ana", "jefa", AHORA)
        case "cerrar":
            assert set(administrar.revocar_todas(con, "ana", "jefa", AHORA)) == {
                una.sesion.huella,
                otra.sesion.huella,
            }
        case _:
            servicio.salir(con, una.sesion.huella, AHORA)
    assert servicio.sesion_de(con, una.token, AHORA) is None
    assert (servicio.sesion_de(con, otra.token, AHORA) is None) is (como != "salir")
    assert servicio.sesion_de(con, ajena.token, AHORA) is not None


def test_una_cuenta_desactivada_no_entra_y_se_dice_como_todo_lo_demas(con: sqlite3.Connection) -> None:
    administrar.desactivar(con, "ana", "jefa", AHORA)
    dichos = set()
    for usuario, clave in (("ana", CLAVE), ("nadie", CLAVE), ("jefa", OTRA)):
        with pytest.raises(ErrorAcceso) as fallo:
            servicio.entrar(con, usuario, clave, CASA, AHORA)
        dichos.add((fallo.value.codigo, fallo.value.mensaje, fallo.value.espera_s))
    assert len(dichos) == 1
    administrar.activar(con, "ana", "jefa", AHORA)
    assert servicio.entrar(con, "ana", CLAVE, CASA, AHORA).sesion.usuario.usuario == "ana"


def test_siempre_queda_quien_administre(con: sqlite3.Connection) -> None:
    for quitar in (
        lambda: administrar.desactivar(con, "jefa", "jefa", AHORA),
        lambda: administrar.cambiar_rol(con, "jefa", Rol.EDITOR, "jefa", AHORA),
    ):
        with pytest.raises(ErrorEntrada) as fallo:
            quitar()
        assert fallo.value.codigo == "ultimo_admin"
    administrar.cambiar_rol(con, "ana", Rol.ADMIN, "jefa", AHORA)
    administrar.desactivar(con, "jefa", "ana", AHORA)
    with pytest.raises(ErrorEntrada):
        administrar.desactivar(con, "ana", "ana", AHORA)


def test_los_fallos_de_una_cuenta_hacen_esperar_venga_de_donde_venga(con: sqlite3.Connection) -> None:
    for _ in range(5):
        with pytest.raises(ErrorAcceso) as fallo:
            servicio.entrar(con, "ana", OTRA, FUERA, AHORA)
        assert fallo.value.espera_s is None
    with pytest.raises(ErrorAcceso) as fallo:
        servicio.entrar(con, "ana", CLAVE, CASA, AHORA)
    assert (fallo.value.codigo, fallo.value.espera_s) == ("espera", 30)
    assert servicio.entrar(con, "jefa", CLAVE, FUERA, AHORA)  # the others go on
    assert servicio.entrar(con, "ana", CLAVE, CASA, AHORA + timedelta(seconds=30))


def test_los_fallos_de_una_direccion_hacen_esperar_sea_cual_sea_la_cuenta(con: sqlite3.Connection) -> None:
    for numero in range(intentos.GRATIS_DIRECCION):
        ahora = AHORA + timedelta(seconds=30 * numero)
        servicio.exigir_turno(con, "ana", FUERA, ahora)
        almacen.anotar_intento(con, f"n{numero}", FUERA.ip, False, ahora)
    with pytest.raises(ErrorAcceso) as fallo:
        servicio.exigir_turno(con, "ana", FUERA, ahora)
    assert fallo.value.espera_s == 30  # from the last one, however far apart they were
    servicio.exigir_turno(con, "ana", CASA, ahora)
    servicio.exigir_turno(con, "ana", FUERA, ahora + timedelta(seconds=30))


def test_tampoco_se_prueban_claves_al_cambiarla(con: sqlite3.Connection) -> None:
    for _ in range(intentos.GRATIS):
        with pytest.raises(ErrorAcceso) as fallo:
            servicio.cambiar_clave(con, "ana", CambioClave(OTRA, OTRA), CASA, AHORA)
        assert fallo.value.codigo == "credenciales"
    with pytest.raises(ErrorAcceso) as fallo:
        servicio.cambiar_clave(con, "ana", CambioClave(CLAVE, OTRA), CASA, AHORA)
    assert fallo.value.codigo == "espera"
    anotados = auditoria.buscar(con, Busqueda(texto="cambio_de_clave_fallido"))
    assert [h.quien for h in anotados] == ["ana"] * intentos.GRATIS


def test_la_clave_escrita_en_el_sitio_del_nombre_no_queda_anotada(con: sqlite3.Connection) -> None:
    for nombre in ("mi-clave-de-siempre", "ANA"):
        with pytest.raises(ErrorAcceso):
            servicio.entrar(con, nombre, OTRA, FUERA, AHORA)
    hechos = auditoria.buscar(con, Busqueda(texto="entrada_fallida"))
    assert [h.quien for h in hechos] == ["ana", servicio.NADIE]
    assert "mi-clave-de-siempre" not in "".join(h.model_dump_json() for h in hechos)


def test_el_freno_de_todos_no_alcanza_a_quien_entro_hace_poco(con: sqlite3.Connection) -> None:
    servicio.entrar(con, "jefa", CLAVE, CASA, AHORA - timedelta(hours=1))
    for numero in range(100):
        almacen.anotar_intento(con, f"n{numero}", f"192.0.2.{numero}", False, AHORA)
    assert servicio.entrar(con, "ana", CLAVE, CASA, AHORA)
    with pytest.raises(ErrorAcceso) as fallo:
        servicio.entrar(con, "ana", CLAVE, FUERA, AHORA)
    assert fallo.value.codigo == "espera"


def test_una_clave_guardada_con_menos_esfuerzo_se_rehace_al_entrar(con: sqlite3.Connection) -> None:
    ana = next(u for u in administrar.listar(con) if u.usuario == "ana")
    almacen.poner_clave(con, ana.id, claves.guardar(CLAVE, Coste(10, 8, 1)), False)
    servicio.entrar(con, "ana", CLAVE, CASA, AHORA)
    assert not claves.es_floja(almacen.clave_de(con, ana.id))
    assert servicio.entrar(con, "ana", CLAVE, CASA, AHORA)


def test_cambiar_la_clave_pide_la_de_ahora_y_otra_que_valga(con: sqlite3.Connection) -> None:
    with pytest.raises(ErrorAcceso):
        servicio.cambiar_clave(con, "ana", CambioClave(OTRA, OTRA), CASA, AHORA)
    for nueva, codigo in (
        (CLAVE, "clave_repetida"),
        ("corta", "clave_debil"),
        ("aaaaaaaaaaaaaaa", "clave_debil"),
    ):
        with pytest.raises(ErrorEntrada) as fallo:
            servicio.cambiar_clave(con, "ana", CambioClave(CLAVE, nueva), CASA, AHORA)
        assert fallo.value.codigo == codigo
    assert servicio.entrar(con, "ana", CLAVE, CASA, AHORA)


def test_lo_que_no_existe_y_lo_repetido_se_dicen(con: sqlite3.Connection) -> None:
    with pytest.raises(NoEncontrado):
        administrar.restablecer(con, "nadie", "jefa", AHORA)
    with pytest.raises(ErrorEntrada) as fallo:
        administrar.invitar(con, AltaUsuario(usuario="ana", nombre="x", rol=Rol.LECTOR), "jefa", AHORA)
    assert fallo.value.codigo == "usuario_existe"


def test_todo_queda_anotado_con_lo_de_antes_y_se_encuentra(con: sqlite3.Connection) -> None:
    servicio.entrar(con, "ana", CLAVE, FUERA, AHORA)
    administrar.cambiar_rol(con, "ana", Rol.LECTOR, "jefa", AHORA)
    (cambio,) = auditoria.buscar(con, Busqueda(texto="CAMBIAR_ROL"))
    assert (cambio.quien, cambio.objeto, cambio.antes, cambio.despues) == ("jefa", "ana", "editor", "lector")
    (entrada,) = auditoria.buscar(con, Busqueda(texto="entrar"))
    assert (entrada.quien, entrada.desde, entrada.cuando) == ("ana", FUERA.ip, AHORA)
    assert len(auditoria.buscar(con, Busqueda(limite=1))) == 1
