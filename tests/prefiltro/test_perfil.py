"""The profile file: what is accepted, and what is said of what is not, with its line."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dominios.licitaciones.prefiltro.perfil import interpretar_perfil, leer_perfil
from nucleo.errores import ErrorConfiguracion, NoEncontrado
from nucleo.perfil_yaml import PerfilNoValido

EJEMPLO = Path(__file__).parents[2] / "deploy" / "perfil.ejemplo.yaml"


def rechazo(texto: str) -> PerfilNoValido:
    with pytest.raises(PerfilNoValido) as error:
        interpretar_perfil(texto)
    return error.value


def test_el_ejemplo_es_valido_y_usa_casi_todo() -> None:
    perfil = leer_perfil(EJEMPLO)
    assert perfil.cpv.incluir[:2] == ("72", "48")
    assert perfil.cpv.excluir == ("724",)
    assert perfil.tipos == ("2", "1")
    assert perfil.importes.minimo == Decimal(5000)
    assert perfil.plazo_minimo_dias == 3
    assert not perfil.estricta


def test_lo_que_yaml_adivinaria_mal_se_lee_como_esta_escrito() -> None:
    perfil = interpretar_perfil(
        "nombre: NO\n"
        "cpv:\n  incluir: [03100000, 09, 72000000-5]\n"
        "importes: {minimo: '15000,5', maximo: 1000000.25}\n"
        "estricta: sí\n"
    )
    assert perfil.nombre == "NO"
    assert perfil.cpv.incluir == ("031", "09", "72")
    assert (perfil.importes.minimo, perfil.importes.maximo) == (Decimal("15000.5"), Decimal("1000000.25"))
    assert perfil.estricta


def test_un_campo_vacio_es_como_no_escribirlo() -> None:
    perfil = interpretar_perfil("nombre: Empresa Ficticia\ncpv: {incluir: [72]}\npalabras:\nregiones: []\n")
    assert perfil == interpretar_perfil("nombre: Empresa Ficticia\ncpv: {incluir: [72]}")


def test_lo_repetido_cuenta_una_vez() -> None:
    assert interpretar_perfil("nombre: E\npalabras: [luz, luz]\nregiones: [es61, ES61]").palabras == ("luz",)


BASE = "nombre: Empresa Ficticia\npalabras: [luz]\n"


@pytest.mark.parametrize(
    ("texto", "linea", "campo", "frase"),
    [
        (BASE + "palabra: [sol]", 3, "palabra", "¿quisiste decir «palabras»?"),
        (BASE + "color: azul", 3, "color", "los que hay son nombre, cpv"),
        (BASE + "importes:\n  minimo: 1\n  maxmo: 2", 5, "importes.maxmo", "¿quisiste decir «maximo»?"),
        (BASE + "regiones:\n  - ES61\n  - Málaga", 5, "regiones[2]", "ES617 (Málaga)"),
        (BASE + "regiones: [Marte]", 3, "regiones[1]", "escribe por ejemplo ES61"),
        (BASE + "regiones: ES61", 3, "regiones", "escribe una lista"),
        (BASE + "cpv:\n  incluir:\n    - 72\n    - informática", 6, "cpv.incluir[2]", "de 2 a 8 cifras"),
        (BASE + "cpv: {incluir: [72000000-4]}", 3, "cpv.incluir[1]", "dígito de control"),
        (BASE + "cpv: {incluir: [99]}", 3, "cpv.incluir[1]", "ningún código empieza por 99"),
        (BASE + "cpv: [72]", 3, "cpv", "sus propios campos"),
        (BASE + "\ncpv:\n  incluir: [72]\n  excluir: [72000000]", 6, "cpv.excluir", "también en cpv.incluir"),
        (BASE + "importes:\n  minimo: 15.000", 4, "importes.minimo", "sin separador de miles"),
        (BASE + "importes:\n  minimo: -1", 4, "importes.minimo", "por ejemplo 15000"),
        (BASE + "importes:\n  minimo: 20\n  maximo: 10", 5, "importes.maximo", "menor que el mínimo"),
        (BASE + "tipos: [Sevicios]", 3, "tipos[1]", "Suministros"),
        (BASE + "procedimientos: [1, raro]", 3, "procedimientos[2]", "Abierto simplificado"),
        (BASE + "tipos_registro: [subasta]", 3, "tipos_registro[1]", "licitacion, menor, encargo o consulta"),
        (BASE + "fuentes: [644]", 3, "fuentes[1]", "643"),
        (BASE + "plazo_minimo_dias: pocos", 3, "plazo_minimo_dias", "entero de 0 a 999"),
        (BASE + "estricta: quizá", 3, "estricta", "sí o no"),
        (BASE + "marcas: ['***']", 3, "marcas[1]", "ninguna palabra"),
        (BASE + "marcas: ['ab*']", 3, "marcas[1]", "3 letras"),
        (BASE + "marcas: [[uno, dos]]", 3, "marcas[1]", "tiene que ser un texto"),
        (BASE + "marcas: {uno: dos}", 3, "marcas", "tiene que ser una lista"),
        (BASE + "palabras: [sol]", 3, "palabras", "está repetido"),
        (BASE + "marcas: *otra", 3, "", "es una referencia"),
        (BASE + "marcas: !!python/object:os.system [x]", 3, "marcas", "no admite esa forma"),
        (BASE + "marcas: [uno", 3, "", "no se entiende"),
        (BASE + "marcas: \x00", 1, "", "caracteres que YAML no admite"),
        ("palabras: [luz]", 1, "nombre", "falta"),
        ("nombre: Empresa Ficticia", 1, "", "no busca nada"),
        ("nombre: Empresa Ficticia\ncpv: {excluir: [72]}", 1, "", "no busca nada"),
        ("- suelto", 1, "", "lista de campos"),
        ("", 1, "nombre", "falta"),
    ],
)
def test_un_error_dice_linea_campo_y_remedio(texto: str, linea: int, campo: str, frase: str) -> None:
    error = rechazo(texto)
    (problema,) = error.problemas
    assert (problema.linea, problema.campo) == (linea, campo)
    assert frase in problema.mensaje
    assert f"línea {linea}" in error.mensaje
    assert "\n" not in error.mensaje


def test_se_dicen_todos_los_problemas_por_orden() -> None:
    error = rechazo("nombre: E\nfuentes: [1]\npalabras: [luz]\nestricta: a\nregiones: [Z]\n")
    assert [p.linea for p in error.problemas] == [2, 4, 5]


def test_demasiados_niveles_se_rechazan() -> None:
    assert "niveles" in rechazo("nombre: E\nmarcas: " + "[" * 40 + "]" * 40).mensaje


def test_sin_fichero_se_dice_que_hacer(tmp_path: Path) -> None:
    with pytest.raises(NoEncontrado, match=r"perfil\.ejemplo\.yaml"):
        leer_perfil(tmp_path / "perfil.yaml")


def test_un_fichero_que_no_es_utf8_o_es_enorme_se_rechaza(tmp_path: Path) -> None:
    fichero = tmp_path / "mio.yaml"
    fichero.write_bytes("nombre: E\nmarcas: [Señal]".encode("latin-1"))
    with pytest.raises(PerfilNoValido, match=r"mio\.yaml .*línea 2: no está guardado en UTF-8"):
        leer_perfil(fichero)
    fichero.write_bytes(b"#" * 1_000_001)
    with pytest.raises(PerfilNoValido, match="demasiado grande"):
        leer_perfil(fichero)


@given(st.text() | st.text(alphabet="nombre: cpvpalabras[]{}-*&!\n \t'\"72,"))
def test_cualquier_texto_es_un_perfil_o_un_error_nuestro(texto: str) -> None:
    try:
        perfil = interpretar_perfil(texto)
    except ErrorConfiguracion as error:
        assert isinstance(error, PerfilNoValido)
        assert all(1 <= p.linea <= texto.count("\n") + texto.count("\r") + 2 for p in error.problemas)
    else:
        assert perfil.busca_algo
