"""The picture of a run: every state and way told apart by text, and no word of a plan ever becomes syntax."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.piezas.grafo import LARGO_DE_TITULO, etiqueta, etiqueta_de_flecha, flecha, mermaid
from app.piezas.pasos import CAMINOS, camino, linea_de_paso
from app.piezas.situaciones import PASOS
from nucleo.recorridos.casa import Casa
from nucleo.recorridos.estado import EstadoPaso, Situacion
from nucleo.recorridos.plan import Plan
from nucleo.recorridos.validar import validar
from tests.app.hostil import TEXTOS
from tests.app.planes import de_todo, guia, hostil, leer, paso

LINEA = re.compile(
    r'  n\d+(\(\["|\{"|\["|\[\["|\[/"|\{\{")[\w #;]+<br/>[\w #;]+("\]\)|"\}|"\]|"\]\]|"/\]|"\}\}):::[a-z_]+'
    r'|  n\d+ (==>|-->|-\.->)(\|"[\w ,–]+"\|)? n\d+'
    r"|  classDef [a-z_]+ [a-z0-9#:, -]+"
    r"|flowchart TD"
)
MANTAS = (
    '"] --> x',
    "%%{init: {'securityLevel':'loose'}}%%",
    "`**x**`",
    'end\nclick n0 "javascript:alert(1)"',
    "---\nconfig:\n---",
    "1. uno",
    "- uno",
    "<img src=x onerror=alert(1)>",
    "#quot;#35;&lt;",
    ":::malo",
)


def estados(plan: Plan, **puestos: EstadoPaso) -> dict[str, EstadoPaso]:
    return {p.id: puestos.get(p.id, EstadoPaso()) for p in plan.pasos}


@pytest.mark.parametrize("plan", [guia(), de_todo(), hostil(TEXTOS)], ids=["guia", "de_todo", "hostil"])
def test_cada_linea_es_de_las_que_escribimos_nosotros(plan: Plan) -> None:
    validar(plan, Casa())
    for linea in mermaid(plan, estados(plan)).splitlines():
        assert LINEA.fullmatch(linea), linea


@given(st.text(max_size=120) | st.sampled_from(MANTAS))
def test_ningun_titulo_se_sale_de_su_caja(titulo: str) -> None:
    assert re.fullmatch(r"(\w| |#\d+;)*", etiqueta(titulo))
    assert re.fullmatch(r"[\w ,–]*", etiqueta_de_flecha(titulo))


def test_un_titulo_largo_se_corta_y_un_plan_entero_cabe_en_lo_que_mermaid_lee() -> None:
    pasos = [paso("p0", "inicio", titulo="@" * 160)]
    pasos += [paso(f"p{n}", "agente", f"p{n - 1}", titulo="@" * 160) for n in range(1, 100)]
    texto = mermaid(leer("x", pasos), {})
    assert len(texto) < 50_000
    assert etiqueta("a" * 160) == "a" * (LARGO_DE_TITULO - 1) + f"#{ord('…')};"


def test_cada_situacion_tiene_su_signo_su_palabra_y_su_clase() -> None:
    assert (
        len({r.signo for r in PASOS.values()}) == len({r.palabra for r in PASOS.values()}) == len(Situacion)
    )
    plan = leer("x", [paso(f"p{n}", "agente", titulo="x") for n in range(len(Situacion))])
    puestos = {f"p{n}": EstadoPaso(estado=s) for n, s in enumerate(Situacion)}
    texto = mermaid(plan, puestos)
    for situacion in Situacion:
        assert f":::{situacion.value}" in texto and f"classDef {situacion.value} " in texto
        assert etiqueta(PASOS[situacion].palabra) in texto


def test_lo_andado_lo_que_falta_y_lo_no_elegido_se_distinguen_sin_color() -> None:
    plan = guia()
    hecho = EstadoPaso(estado=Situacion.COMPLETADO)
    puestos = estados(
        plan,
        inicio=hecho,
        elegir=hecho,
        segun=EstadoPaso(estado=Situacion.COMPLETADO, ramas=("borrador",)),
        avisar=EstadoPaso(estado=Situacion.OMITIDO),
        borrador=EstadoPaso(estado=Situacion.DUDOSO),
    )
    por_id = {p.id: p for p in plan.pasos}
    assert flecha(por_id["segun"], por_id["borrador"], puestos) == "==>"
    assert flecha(por_id["segun"], por_id["avisar"], puestos) == "-.->"
    assert flecha(por_id["avisar"], por_id["juntar"], puestos) == "-.->"
    assert flecha(por_id["borrador"], por_id["revisar"], puestos) == "-->"
    texto = mermaid(plan, puestos)
    assert '-.->|"Visitas – no elegida"|' in texto and '==>|"Plantilla"|' in texto


def test_la_lista_dice_lo_mismo_que_las_flechas() -> None:
    plan = guia()
    puestos = estados(
        plan,
        segun=EstadoPaso(estado=Situacion.COMPLETADO, ramas=("borrador",)),
        avisar=EstadoPaso(estado=Situacion.OMITIDO),
    )
    por_id = {p.id: p for p in plan.pasos}
    for uno in plan.pasos:
        dicho = camino(uno, plan, puestos)
        for de in uno.dependencias:
            assert f"({CAMINOS[flecha(por_id[de], uno, puestos)]})" in dicho
        assert PASOS[puestos[uno.id].estado].palabra in linea_de_paso(uno, puestos, {})
    assert "viene de 3 por «Visitas» (no elegido)" in camino(por_id["avisar"], plan, puestos)
