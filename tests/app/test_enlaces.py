"""Only trusted sites become links, and a list fits in a link and comes back the same."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.paginas import filtros
from app.piezas.enlaces import direccion_segura, enlace_externo
from dominios.licitaciones.criba.modelo import Situacion
from dominios.licitaciones.oportunidades.modelos import Filtro, Orden

BUENA = "https://contrataciondelestado.es/wps/poc?uri=deeplink:detalle_licitacion&idEvl=a%2Bb%3D%3D"


def test_el_enlace_a_la_plataforma_conserva_su_direccion() -> None:
    assert enlace_externo("Abrir", BUENA) == f"[Abrir]({BUENA})"


def test_un_nombre_de_fichero_con_espacios_se_codifica_y_se_enlaza() -> None:
    publicada = "https://contrataciondelestado.es/FileSystem/servlet/Ver?fichero=Estudio de seguridad.pdf "
    assert enlace_externo("Abrir", publicada) == (
        "[Abrir](https://contrataciondelestado.es/FileSystem/servlet/Ver?fichero=Estudio%20de%20seguridad.pdf)"
    )


@pytest.mark.parametrize(
    "url",
    [
        "http://contrataciondelestado.es/a",
        "https://contrataciondelestado.es.fuera.invalid/a",
        "https://contrataciondelestado.es@fuera.invalid/a",
        "https://fuera.invalid/a",
        "javascript:alert(1)",
        "data:text/html,x",
        "//contrataciondelestado.es/a",
        "https://contrataciondelestado.es:8443/a",
    ],
)
def test_lo_demas_se_escribe_pero_no_se_enlaza(url: str) -> None:
    assert direccion_segura(url) is None
    assert "](" not in enlace_externo("Abrir", url).replace("\\]\\(", "")


@given(st.text("()[]<>!\"' |\\\nab%/", max_size=30))
def test_ninguna_direccion_se_sale_de_su_enlace(cola: str) -> None:
    markdown = enlace_externo("Abrir", f"https://contrataciondelestado.es/{cola}")
    if markdown.startswith("["):
        destino = markdown.removeprefix("[Abrir](").removesuffix(")")
        assert not set('()[]<>| \n\\"') & set(destino)


listas = st.lists(st.sampled_from(["1", "2", "PUB", "ES3"]), max_size=3, unique=True).map(tuple)
FILTROS = st.builds(
    Filtro,
    texto=st.text(max_size=40),
    cpv=st.lists(st.sampled_from(["72", "4521", "30"]), max_size=2, unique=True).map(tuple),
    nuts=st.lists(st.sampled_from(["ES", "ES61"]), max_size=2, unique=True).map(tuple),
    importe_min=st.none() | st.decimals(0, 1000, places=2),
    importe_max=st.none() | st.decimals(1000, 10**9, places=2),
    estado=listas,
    tipo=listas,
    procedimiento=listas,
    fuente=listas,
    solo_abiertas=st.booleans(),
    con_avisos=st.booleans(),
    criba=st.lists(st.sampled_from(Situacion), max_size=3, unique=True).map(tuple),
    decididas=st.booleans(),
    cierra_en_dias=st.none() | st.integers(1, 90),
)


@given(filtro=FILTROS, orden=st.sampled_from(Orden))
def test_un_filtro_va_al_enlace_y_vuelve_igual(filtro: Filtro, orden: Orden) -> None:
    parametros = filtros.escribir_filtro(filtro, orden)
    assert filtros.leer_filtro(parametros) == (filtro, ())
    assert filtros.leer_orden(parametros) is orden


def test_lo_que_no_se_entiende_se_dice_y_se_deja_fuera() -> None:
    parametros = {
        "q": "obra",
        "cpv": "xx",
        "cierra_en_dias": "muchos",
        "importe_min": "NaN",
        "criba": "x",
        "otra": "cosa",
    }
    filtro, malos = filtros.leer_filtro(parametros)
    assert filtro == Filtro(texto="obra")
    assert set(malos) == {"cpv", "cierra_en_dias", "importe_min", "criba"}


@pytest.mark.parametrize("campo", ["cpv", "nuts", "estado", "tipo"])
def test_un_campo_con_miles_de_valores_se_deja_fuera(campo: str) -> None:
    valor = {"cpv": "72", "nuts": "ES3"}.get(campo, "PUB")
    filtro, malos = filtros.leer_filtro({"q": "obra", campo: ",".join([valor] * 3000)})
    assert (filtro, malos) == (Filtro(texto="obra"), (campo,))


def test_dos_importes_que_se_contradicen_no_se_aplican() -> None:
    filtro, malos = filtros.leer_filtro({"importe_min": "10", "importe_max": "5", "fuente": "643"})
    assert filtro == Filtro(fuente=("643",))
    assert malos == ("importe_min", "importe_max")
    assert filtros.leer_filtro({"importe_min": "10"})[0].importe_min == Decimal(10)
