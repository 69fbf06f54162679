"""The company's profile: what is accepted, what comes out as it went in, its versions, and what an agent may read."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nucleo import registro
from nucleo.bd import conectar
from nucleo.empresa import servicio
from nucleo.empresa.faltas import CALIDAD, CRIBA, ECONOMICA, FIRMA, PROHIBICIONES, REGISTRO, faltas
from nucleo.empresa.lineas import lineas
from nucleo.empresa.modelo import Ejercicio, Empresa, Obra, Tamano
from nucleo.empresa.yaml import exportar, importar, interpretar_datos
from nucleo.errores import NoEncontrado
from nucleo.perfil_yaml import PerfilNoValido
from tests.conftest import AHORA

EJEMPLO = (Path(__file__).parents[2] / "deploy" / "empresa.ejemplo.yaml").read_text()
BASE = "nombre: Empresa Ficticia, S.L.\nnif: B12345674\n"
HOY = date(2026, 3, 2)


@pytest.fixture
def con(datos: Path) -> Iterator[sqlite3.Connection]:
    with closing(conectar(registro.preparar(datos))) as conexion:
        yield conexion


def test_el_ejemplo_es_valido_y_no_le_falta_nada() -> None:
    empresa = importar(EJEMPLO)
    assert empresa.tamano is Tamano.PEQUENA
    assert empresa.cpv == ("72", "48", "302", "50312", "80533")
    assert empresa.facturado(2024) == Decimal("1050000.50")
    assert empresa.obras[0].fin == date(2025, 1, 31)
    assert set(empresa.model_fields_set) == set(Empresa.model_fields), "el ejemplo enseña todos los campos"
    assert faltas(empresa, HOY) == ()


@pytest.mark.parametrize(
    ("texto", "linea", "campo", "frase"),
    [
        ("nombre: E\nnif: B12345678", 2, "nif", "no es un NIF"),
        ("nombre: E", 1, "nif", "falta"),
        (BASE + "nohace: [obras]", 3, "nohace", "¿quisiste decir «no_hace»?"),
        (BASE + "obras:\n  - objeto: A\n    destinatario: B\n    importes: 3", 6, "obras[1].importes", "«importe»"),
        (BASE + "obras:\n  - objeto: A\n    destinatario: B\n    fin: ayer", 6, "obras[1].fin", "31/05/2027"),
        (BASE + "obras:\n  - objeto: A\n", 4, "obras[1].destinatario", "falta"),
        (BASE + "plantilla:\n  media: muchas", 4, "plantilla.media", "entero de 0 a"),
        (BASE + "plantilla:\n  media: 3\n  discapacidad: 4", 5, "plantilla.discapacidad", "más que la plantilla"),
        (BASE + "clasificaciones: [V-3]", 3, "clasificaciones[1]", "V-2-3"),
        (BASE + "clasificaciones: [V-3-7]", 3, "clasificaciones[1]", "V-2-3"),
        (BASE + "negocio:\n  - {ejercicio: 2024, importe: 1}\n  - {ejercicio: 2024, importe: 2}", 3, "negocio", "2024"),
        (BASE + "rivales: [{nombre: R, nif: B12345674}]", 3, "rivales", "no es su rival"),
        (BASE + "importes:\n  minimo: 9\n  maximo: 8", 5, "importes.maximo", "menor que el mínimo"),
        (BASE + "tamano: enorme", 3, "tamano", "mediana"),
        (BASE + "obras: [{objeto: A, destinatario: B, inicio: 2025-01-02, fin: 2024-01-02}]", 3, "obras[1].fin", "ant"),
    ],
)  # fmt: skip
def test_un_error_dice_linea_campo_y_remedio(texto: str, linea: int, campo: str, frase: str) -> None:
    with pytest.raises(PerfilNoValido) as error:
        importar(texto)
    (problema,) = error.value.problemas
    assert (problema.linea, problema.campo) == (linea, campo)
    assert frase in problema.mensaje


TEXTO = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Cn", "Co"]), min_size=1).filter(
    lambda t: bool(t.split())
)
EUROS = st.decimals(0, 999_999_999_999, places=2)
DIAS = st.dates(date(1990, 1, 1), date(2090, 1, 1))


@given(
    st.lists(TEXTO, unique=True, max_size=4),
    st.lists(st.tuples(st.integers(1950, 2100), EUROS), unique_by=lambda n: n[0], max_size=3),
    st.lists(st.tuples(TEXTO, TEXTO, st.none() | EUROS, st.none() | DIAS, st.booleans()), max_size=3),
)
def test_lo_exportado_se_lee_como_era(
    textos: list[str],
    negocio: list[tuple[int, Decimal]],
    obras: list[tuple[str, str, Decimal | None, date | None, bool]],
) -> None:
    nuestros = tuple(dict.fromkeys(" ".join(t.split()) for t in textos))
    empresa = Empresa(
        nombre="NO",
        nif="B12345674",
        actividades=nuestros,
        no_hace=nuestros,
        negocio=tuple(Ejercicio(ejercicio=e, importe=i) for e, i in negocio),
        obras=tuple(
            Obra(objeto=o, destinatario=d, importe=i, fin=f, acreditada=a) for o, d, i, f, a in obras
        ),
    )
    assert importar(exportar(empresa)) == empresa


@given(st.text() | st.text(alphabet="nombre: if72obrasnegocio[]{}-*&!\n \t'\""))
def test_cualquier_texto_es_un_perfil_o_un_error_nuestro(texto: str) -> None:
    try:
        importar(texto)
    except PerfilNoValido as error:
        assert all(p.linea >= 1 for p in error.problemas)


def test_cada_cambio_es_una_version_y_lo_igual_no(con: sqlite3.Connection) -> None:
    with pytest.raises(NoEncontrado, match="sobre perfil importar"):
        servicio.vigente(con)
    primera, nueva = servicio.guardar(con, importar(BASE), "Persona Inventada", "", AHORA)
    assert (primera.cabecera.version, nueva) == (1, True)
    assert servicio.guardar(con, importar(BASE), "Otra", "", AHORA) == (primera, False)
    otra = importar(BASE + "no_hace: [obras]")
    segunda, _ = servicio.guardar(con, otra, "Otra", "por si acaso", AHORA + timedelta(days=1))
    assert (segunda.cabecera.version, servicio.vigente(con).empresa) == (2, otra)
    assert servicio.version(con, 1) == primera
    assert [v.version for v in servicio.versiones(con)] == [2, 1]
    with pytest.raises(NoEncontrado):
        servicio.version(con, 3)


def test_volver_a_lo_de_antes_es_una_version_mas(con: sqlite3.Connection) -> None:
    for texto in (BASE, BASE + "no_hace: [obras]", BASE):
        servicio.guardar(con, importar(texto), "P", "", AHORA)
    assert [v.version for v in servicio.versiones(con)] == [3, 2, 1]


def test_un_perfil_vacio_dice_todo_lo_que_falta() -> None:
    encontradas = faltas(importar(BASE), HOY)
    campos = {f.campo for f in encontradas}
    assert {"actividades", "no_hace", "distribuye", "ademas", "cpv", "regiones", "importes"} <= campos
    assert {"negocio", "seguros", "obras", "plantilla.media", "tamano", "rolece", "firmantes"} <= campos
    assert {f.comprobacion for f in encontradas} >= {CRIBA, ECONOMICA, CALIDAD, FIRMA, REGISTRO}
    anios = [f.mensaje for f in encontradas if f.campo == "negocio"]
    assert [a for a in anios for n in ("2025", "2024", "2023") if n in a] == anios


@pytest.mark.parametrize(
    ("cambio", "campo", "comprobacion"),
    [
        (("caduca: 2027-01-31", "caduca: 2026-03-01"), "seguros[1].caduca", ECONOMICA),
        (("caduca: 2028-06-30", "caduca: 2026-03-01"), "certificados[1].caduca", CALIDAD),
        (("media: 23", "media: 51"), "plantilla.discapacidad", PROHIBICIONES),
        (("rolece: 2028-12-31", "rolece: 2026-03-01"), "rolece", REGISTRO),
        (("ejercicio: 2024", "ejercicio: 2019"), "negocio", ECONOMICA),
        ((", poder: escritura ficticia 1/2020", ""), "firmantes[1]", FIRMA),
    ],
)
def test_lo_caducado_y_lo_que_no_llega_se_dice(
    cambio: tuple[str, str], campo: str, comprobacion: str
) -> None:
    assert cambio[0] in EJEMPLO
    (falta,) = faltas(importar(EJEMPLO.replace(*cambio)), HOY)
    assert (falta.campo, falta.comprobacion) == (campo, comprobacion)


def test_la_cuota_es_del_dos_por_ciento_desde_cincuenta() -> None:
    def falta(media: int, discapacidad: int) -> bool:
        texto = EJEMPLO.replace("media: 23", f"media: {media}").replace(
            "discapacidad: 0", f"discapacidad: {discapacidad}"
        )
        return bool(faltas(importar(texto), HOY))

    assert [falta(49, 0), falta(50, 0), falta(50, 1), falta(51, 1), falta(100, 2)] == [
        False,
        True,
        False,
        True,
        False,
    ]


def test_caduca_el_dia_siguiente_al_ultimo() -> None:
    empresa = importar(EJEMPLO)
    assert faltas(empresa, date(2026, 12, 31)) == ()
    assert "seguros[1].caduca" not in {f.campo for f in faltas(empresa, date(2027, 1, 31))}
    assert "seguros[1].caduca" in {f.campo for f in faltas(empresa, date(2027, 2, 1))}


def test_las_lineas_que_lee_un_agente_no_llevan_datos_de_nadie() -> None:
    empresa = importar(EJEMPLO)
    texto = "\n".join(f"{linea.clave} {linea.texto}" for linea in lineas(empresa))
    ocultos = [empresa.nif, empresa.domicilio]
    ocultos += [v for f in empresa.firmantes for v in (f.nombre, f.nif, f.poder)]
    ocultos += [v for r in empresa.rivales for v in (r.nombre, r.nif)]
    assert [o for o in ocultos if o and o in texto] == []
    claves = [linea.clave for linea in lineas(empresa)]
    assert len(claves) == len(set(claves))
    assert {"actividades.1", "distribuye.1", "ademas.2", "no_hace.3", "cpv.5", "importes.maximo"} <= set(
        claves
    )
    assert "no_hace.2 NO hace: Cableado eléctrico de edificios" in texto


def test_no_se_guarda_sobre_una_version_que_ya_no_es_la_ultima(con: sqlite3.Connection) -> None:
    primera, _ = servicio.guardar(con, importar(BASE), "Persona Inventada", "", AHORA, sobre=0)
    otra = primera.empresa.model_copy(update={"domicilio": "Calle Imaginaria, 2"})
    segunda, _ = servicio.guardar(con, otra, "Otra", "", AHORA, sobre=1)
    for vieja in (0, 1, 3):
        with pytest.raises(servicio.PerfilCambiado, match="se ha dejado la 2, de Otra"):
            servicio.guardar(con, primera.empresa, "Tercera", "", AHORA, sobre=vieja)
    assert servicio.vigente(con) == segunda


def test_los_campos_de_un_formulario_pasan_por_las_reglas_del_fichero() -> None:
    datos: dict[str, object] = {
        "nombre": "no",
        "nif": "B12345674",
        "cpv": ["72", "45"],
        "importes": {"minimo": Decimal("10.50")},
        "obras": [{"objeto": "1", "destinatario": "sí", "fin": date(2025, 1, 31), "acreditada": True}],
        "negocio": [{"ejercicio": 2025, "importe": Decimal(100)}],
    }
    empresa = interpretar_datos(datos, "El formulario")
    assert (empresa.nombre, empresa.importes.minimo) == ("no", Decimal("10.50"))
    assert empresa.obras == (Obra(objeto="1", destinatario="sí", fin=date(2025, 1, 31), acreditada=True),)
    with pytest.raises(PerfilNoValido, match="ejercicio 2025 está repetido") as rechazo:
        interpretar_datos(datos | {"negocio": [*[{"ejercicio": 2025, "importe": 1}] * 2]}, "El formulario")
    assert [p.campo for p in rechazo.value.problemas] == ["negocio"]
