"""The catalogue is closed: who has not the permission has not the tool, and no tool decides anything."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.mcp.herramientas import CATALOGO as DE_VERDAD
from nucleo.agentes.herramientas import Catalogo
from nucleo.agentes.modelo import Agente
from tests.agentes.casa import CATALOGO, Hecho, hacer
from tests.conftest import AHORA

PERMISOS = ("leer:notas", "proponer:notas", "leer:otro", "proponer:otro", "personal")


def agente(*permisos: str) -> Agente:
    return Agente(nombre="alguien", permisos=frozenset(permisos), creado=AHORA)


@given(st.sets(st.sampled_from(PERMISOS)))
def test_cada_uno_ve_las_de_sus_permisos_y_ninguna_mas(permisos: set[str]) -> None:
    vistas = {h.nombre for h in CATALOGO.de(agente(*permisos))}
    assert vistas == {h.nombre for h in CATALOGO.todas() if h.permiso in permisos}


def test_un_revocado_no_ve_ninguna() -> None:
    revocado = agente(*PERMISOS).model_copy(update={"revocado": AHORA})
    assert CATALOGO.de(revocado) == ()


@pytest.mark.parametrize(
    "permiso", ["", "*", "leer", "leer:", "leer:Notas", "aprobar:notas", "leer:notas,personal"]
)
def test_sin_un_permiso_bien_escrito_no_hay_herramienta(permiso: str) -> None:
    with pytest.raises(ValueError, match=r"permiso|pattern"):
        Catalogo([hacer("mirar", permiso, lambda _, __: Hecho(dicho=""))])


@pytest.mark.parametrize(
    "nombre",
    ["aprobar_oferta", "oferta_presentar", "decidir", "firmar_deuc", "Mirar", "mirar todo", "", "a" * 61],
)
def test_un_nombre_que_decide_o_mal_escrito_no_entra(nombre: str) -> None:
    with pytest.raises(ValueError, match=r"nombre|decisi"):
        Catalogo([hacer(nombre, "leer:notas", lambda _, __: Hecho(dicho=""))])


def test_dos_herramientas_no_comparten_nombre() -> None:
    una = hacer("mirar", "leer:notas", lambda _, __: Hecho(dicho=""))
    with pytest.raises(ValueError, match="dos herramientas"):
        Catalogo([una, una])


def test_las_de_verdad_explican_cada_argumento_en_su_esquema() -> None:
    assert len(DE_VERDAD.todas()) >= 4
    for herramienta in DE_VERDAD.todas():
        esquema = herramienta.esquema()
        assert "description" not in esquema
        assert '"title"' not in str(esquema).replace("'", '"')
        campos = esquema["properties"]
        assert isinstance(campos, dict)
        assert all("description" in campo for campo in campos.values()), herramienta.nombre
