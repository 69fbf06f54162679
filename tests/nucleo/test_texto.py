"""Folding, roots, cleaning and queries of Spanish text."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from nucleo.texto import TERMINOS_MAXIMOS, consulta_fts, limpiar, plegar, raices

PLURALES = [
    ("servicio", "servicios"),
    ("luz", "luces"),
    ("voz", "voces"),
    ("vez", "veces"),
    ("construcción", "construcciones"),
    ("jardín", "jardines"),
    ("autobús", "autobuses"),
    ("bus", "buses"),
    ("mes", "meses"),
    ("país", "países"),
    ("interés", "intereses"),
    ("red", "redes"),
    ("ley", "leyes"),
    ("vial", "viales"),
    ("base", "bases"),
    ("envase", "envases"),
    ("parque", "parques"),
    ("índice", "índices"),
    ("menú", "menús"),
    ("rubí", "rubíes"),
    ("club", "clubes"),
    ("club", "clubs"),
    ("imagen", "imágenes"),
    ("régimen", "regímenes"),
    ("carácter", "caracteres"),
    ("eje", "ejes"),
    ("llave", "llaves"),
    ("español", "españoles"),
    ("análisis", "analisis"),
    ("construcció", "construccions"),
    ("servei", "serveis"),
    ("praza", "prazas"),
    ("servizo", "servizos"),
    ("estación", "estacións"),
    ("estación", "estació"),
    ("software", "softwares"),
]


@pytest.mark.parametrize(("singular", "plural"), PLURALES)
def test_el_plural_tiene_la_raiz_del_singular(singular: str, plural: str) -> None:
    assert raices(singular) == raices(plural)


@pytest.mark.parametrize(
    ("una", "otra"),
    [
        ("obra", "obrero"),
        ("plaza", "placa"),
        ("mesa", "mes"),
        ("gas", "gasa"),
        ("caso", "casa"),
        ("lote", "loto"),
        ("servicio", "servidor"),
        ("2025", "202"),
    ],
)
def test_palabras_distintas_no_comparten_raiz(una: str, otra: str) -> None:
    assert raices(una) != raices(otra)


@pytest.mark.parametrize(
    ("texto", "plegado"),
    [
        ("Año ÑANDÚ", "ano nandu"),
        ("Façana i col·lecció", "facana i colleccio"),
        ("coŀlegi", "collegi"),
        ("INSTAL.LACIÓ i intel.ligència, S.L.L.", "installacio i intelligencia s l l"),
        ("  Obras:\tfase\n2ª (lote 1º) ", "obras fase 2 lote 1"),
        ("Pingüino — «Straße»", "pinguino strasse"),
        ("S-05669-2025", "s 05669 2025"),
        ("12 m² a 3,5 €", "12 m2 a 3 5"),
        ("l’Ajuntament", "l ajuntament"),
        ("\xa0", ""),
    ],
)
def test_plegar_quita_acentos_mayusculas_y_signos(texto: str, plegado: str) -> None:
    assert plegar(texto) == plegado


def test_los_codigos_no_pierden_cifras_ni_letras() -> None:
    assert raices("2025/159") == "2025 159"
    assert raices("S-05669-2025") == "s 05669 2025"
    assert raices("EXP1234AS") == "exp1234as"


@given(st.text())
def test_plegar_dos_veces_es_plegar_una(texto: str) -> None:
    assert plegar(plegar(texto)) == plegar(texto)


@given(st.text())
@example("interés mases ions")
def test_raices_de_raices_son_las_mismas(texto: str) -> None:
    assert raices(raices(texto)) == raices(texto)


@given(st.text(), st.text())
def test_raices_va_palabra_a_palabra(una: str, otra: str) -> None:
    assert raices(f"{una} {otra}").split() == raices(una).split() + raices(otra).split()


@given(st.text())
def test_raices_no_depende_de_como_se_acentua_ni_del_signo(texto: str) -> None:
    assert raices(texto) == raices(plegar(texto))


@pytest.mark.parametrize(
    ("crudo", "limpio"),
    [
        ("Sin nada  que\xa0limpiar\r\n", "Sin nada que limpiar"),
        ("Servicio &amp;lt;br /&amp;gt;de limpieza&amp;amp;#160;viaria", "Servicio de limpieza viaria"),
        ("&#34;Zona norte&#34;", '"Zona norte"'),
        ("<p>Uno</p><!-- nada -->dos", "Uno dos"),
        ("importe < 5.000 y > 3", "importe < 5.000 y > 3"),
        ("R&D, AT&T e I&notas", "R&D, AT&T e I&notas"),
        ("&#xD;línea", "línea"),
        ("Obras ¿ fase 2", "Obras ¿ fase 2"),
    ],
)
def test_limpiar_resuelve_lo_escapado_y_respeta_lo_escrito(crudo: str, limpio: str) -> None:
    assert limpiar(crudo) == limpio


@given(st.text(alphabet="abc &;<>/#12lgtamp\xa0"))
def test_limpiar_nunca_falla_ni_deja_blancos_dobles(texto: str) -> None:
    limpio = limpiar(texto)
    assert limpio == " ".join(limpio.split())


@pytest.fixture(scope="module")
def indice() -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:")) as con:
        con.execute('CREATE VIRTUAL TABLE t USING fts5(a, b, tokenize="unicode61 remove_diacritics 2")')
        filas = [
            ("Servicio de mantenimiento de jardines y zonas verdes", "Ayuntamiento Ficticio 2025/159"),
            ("Obras de construcción de plaza", "Diputación Ficticia S-05669-2025"),
            ("Suministro de luz", "Servicio de Salud Ficticio 159/2025"),
            ("Limpieza de edificios", "Delegación Ficticia"),
        ]
        con.executemany("INSERT INTO t(a, b) VALUES (?, ?)", [(raices(a), raices(b)) for a, b in filas])
        yield con


def _buscar(con: sqlite3.Connection, texto: str) -> list[int]:
    filas = con.execute("SELECT rowid FROM t WHERE t MATCH ? ORDER BY rowid", (consulta_fts(texto),))
    return [int(f[0]) for f in filas]


@pytest.mark.parametrize(
    ("texto", "hallados"),
    [
        ("jardin", [1]),
        ("JARDÍNES", [1]),
        ("los servicios", [1, 3]),
        ("construccion", [2]),
        ("construcciones", [2]),
        ("construccione", [2]),
        ("constru", [2]),
        ("co", []),
        ("plaz", [2]),
        ("limpiez", [4]),
        ("limpiez ", []),
        ("luces", [3]),
        ("dele", [4]),
        ("2025/159", [1]),
        ("s-05669-2025", [2]),
        ("5669", []),
        ("mantenimiento verde", [1]),
        ('"zonas verdes"', [1]),
        ('"verdes zonas"', []),
        ("«mantenimiento de jardines", [1]),
        ("mantenimiento luz", []),
        ("ficticio salud", [3]),
        ("NOT jardin OR", []),
        ("de", [1, 2, 3, 4]),
    ],
)
def test_la_consulta_encuentra_lo_que_una_persona_espera(
    indice: sqlite3.Connection, texto: str, hallados: list[int]
) -> None:
    assert _buscar(indice, texto) == hallados


@pytest.mark.parametrize("texto", ["", "   ", '"', "«»", "***", "()", "…"])
def test_una_consulta_sin_palabras_no_es_consulta(texto: str) -> None:
    assert consulta_fts(texto) is None


@given(st.text() | st.text(alphabet="ab1ñ \"«»()*:^+-{}'/.,NEARORAND\x00\ud800"))
@example("ªab")
@example('a:b* NEAR(c, 2) OR "')
def test_ninguna_entrada_es_un_error_de_sintaxis(indice: sqlite3.Connection, texto: str) -> None:
    expresion = consulta_fts(texto)
    if expresion is not None:
        indice.execute("SELECT count(*) FROM t WHERE t MATCH ?", (expresion,)).fetchone()


@given(st.lists(st.sampled_from(["servicio", "jardín", "2025/159", '"zonas verdes"', "luces"]), min_size=1))
def test_lo_guardado_se_encuentra_por_cualquiera_de_sus_palabras(palabras: list[str]) -> None:
    with closing(sqlite3.connect(":memory:")) as con:
        con.execute('CREATE VIRTUAL TABLE t USING fts5(a, b, tokenize="unicode61 remove_diacritics 2")')
        con.execute("INSERT INTO t(a, b) VALUES (?, '')", (raices(" ".join(palabras)),))
        for palabra in palabras:
            assert _buscar(con, palabra) == [1]


def test_una_consulta_enorme_se_acorta() -> None:
    expresion = consulta_fts(" ".join(f"palabra{n}" for n in range(1000)))
    assert expresion is not None
    assert expresion.count(" AND ") == TERMINOS_MAXIMOS - 1


def test_la_ultima_palabra_de_una_frase_cerrada_no_es_prefijo() -> None:
    assert consulta_fts('"zonas verdes"') == '"zona verd"'
    assert consulta_fts("zonas 2025") == '"zona" AND "2025"'
