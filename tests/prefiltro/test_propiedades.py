"""What must be true of the prefilter whatever the profile and the tender."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from dominios.licitaciones.prefiltro.evaluar import CRITERIOS, decidir, evaluar
from dominios.licitaciones.prefiltro.modelo import DatosPrefiltro, Importes, Organos, Perfil, RamasCpv
from nucleo.texto import raices
from tests.prefiltro.fabrica import AHORA

PALABRAS = ["jardín", "obra", "software", "limpieza", "luz", "informátic*", "«obra nueva»", "obra software"]
RAMAS = ["72", "722", "7226", "45", "4521", "09"]
CODIGOS = ["72260000", "72267000", "45210000", "09310000", "90911200", "00000001"]


def listas(valores: list[str]) -> st.SearchStrategy[tuple[str, ...]]:
    return st.lists(st.sampled_from(valores), max_size=3, unique=True).map(tuple)


@st.composite
def perfiles(draw: st.DrawFn) -> Perfil:
    incluir = draw(listas(RAMAS))
    importes = st.none() | st.sampled_from([Decimal(100), Decimal(1000)])
    return Perfil(
        nombre="Empresa Ficticia, S.L.",
        cpv=RamasCpv(incluir=incluir, excluir=tuple(set(draw(listas(RAMAS))) - set(incluir))),
        palabras=draw(listas(PALABRAS)),
        marcas=draw(listas(PALABRAS)),
        palabras_excluidas=draw(listas(PALABRAS)),
        estricta=draw(st.booleans()),
        organos=Organos(seguir=draw(listas(PALABRAS)), excluir=draw(listas(PALABRAS))),
        importes=Importes(minimo=draw(importes), maximo=draw(importes)),
        regiones=draw(listas(["ES", "ES61", "ES300"])),
        tipos=draw(listas(["1", "2", "3"])),
        procedimientos=draw(listas(["1", "9"])),
        plazo_minimo_dias=draw(st.sampled_from([0, 5])),
    )


@st.composite
def licitaciones(draw: st.DrawFn) -> DatosPrefiltro:
    texto = st.lists(st.sampled_from([*PALABRAS, "informática", "nueva"]), max_size=4).map(
        lambda p: raices(" ".join(p))
    )
    return DatosPrefiltro(
        fuente="643",
        tipo_registro="licitacion",
        tipo=draw(st.sampled_from([None, "1", "2", "999"])),
        procedimiento=draw(st.sampled_from([None, "1", "6"])),
        importe=draw(st.none() | st.sampled_from([Decimal(50), Decimal(500), Decimal(5000)])),
        n_lotes=draw(st.integers(0, 3)),
        cpv=draw(listas(CODIGOS)),
        nuts=draw(listas(["ES", "ES612", "ES300", "ES7"])),
        plazo=draw(st.none() | st.integers(0, 10).map(lambda d: AHORA + timedelta(days=d))),
        objeto=draw(texto),
        lotes=draw(texto),
        organo=draw(texto),
        organo_nif=None,
    )


@given(perfiles(), licitaciones(), st.sampled_from(PALABRAS), st.sampled_from(["palabras", "marcas"]))
def test_anadir_una_palabra_no_quita_ninguna(
    perfil: Perfil, datos: DatosPrefiltro, palabra: str, lista: str
) -> None:
    mayor = perfil.model_copy(update={lista: (*getattr(perfil, lista), palabra)})
    assert evaluar(perfil, datos, AHORA).dentro <= evaluar(mayor, datos, AHORA).dentro


@given(perfiles(), licitaciones(), st.sampled_from(RAMAS))
def test_anadir_una_rama_no_quita_ninguna(perfil: Perfil, datos: DatosPrefiltro, rama: str) -> None:
    ramas = RamasCpv(
        incluir=(*perfil.cpv.incluir, rama), excluir=tuple(r for r in perfil.cpv.excluir if r != rama)
    )
    mayor = perfil.model_copy(update={"cpv": ramas})
    assert evaluar(perfil, datos, AHORA).dentro <= evaluar(mayor, datos, AHORA).dentro


@given(perfiles(), licitaciones(), st.sampled_from(PALABRAS))
def test_seguir_a_un_organo_no_quita_ninguna(perfil: Perfil, datos: DatosPrefiltro, organo: str) -> None:
    organos = Organos(seguir=(*perfil.organos.seguir, organo), excluir=perfil.organos.excluir)
    mayor = perfil.model_copy(update={"organos": organos})
    assert evaluar(perfil, datos, AHORA).dentro <= evaluar(mayor, datos, AHORA).dentro


@given(perfiles(), licitaciones(), st.sampled_from(["importe", "nuts", "tipo", "procedimiento", "plazo"]))
def test_callar_un_dato_no_descarta(perfil: Perfil, datos: DatosPrefiltro, campo: str) -> None:
    callada = datos.model_copy(update={campo: () if campo == "nuts" else None})
    assert evaluar(perfil, datos, AHORA).dentro <= evaluar(perfil, callada, AHORA).dentro


@given(perfiles(), licitaciones())
def test_callar_el_cpv_no_descarta_lo_que_entraba_por_el(perfil: Perfil, datos: DatosPrefiltro) -> None:
    laxo = perfil.model_copy(update={"palabras_excluidas": ()})
    callada = datos.model_copy(update={"cpv": ()})
    assert evaluar(laxo, datos, AHORA).dentro <= evaluar(laxo, callada, AHORA).dentro


@given(perfiles(), licitaciones(), st.randoms(use_true_random=False))
def test_el_orden_de_las_reglas_es_indiferente(perfil: Perfil, datos: DatosPrefiltro, azar: object) -> None:
    reglas = [r for c in CRITERIOS if (r := c(perfil, datos, AHORA)) is not None]
    barajadas = list(reglas)
    azar.shuffle(barajadas)  # type: ignore[attr-defined]
    una, otra = decidir(reglas, estricta=perfil.estricta), decidir(barajadas, estricta=perfil.estricta)
    assert una.dentro is otra.dentro
    assert sorted(r.model_dump_json() for r in una.reglas) == sorted(r.model_dump_json() for r in otra.reglas)


@given(perfiles(), licitaciones())
def test_siempre_se_explica(perfil: Perfil, datos: DatosPrefiltro) -> None:
    decision = evaluar(perfil, datos, AHORA)
    efectos = [r.efecto for r in decision.reglas]
    assert ("entra" in efectos and "fuera" not in efectos) is decision.dentro
    assert decision.dentro or "fuera" in efectos
    assert all(r.detalle.endswith(".") for r in decision.reglas)


@given(perfiles(), perfiles())
def test_la_huella_distingue_perfiles_y_no_mira_el_nombre(uno: Perfil, otro: Perfil) -> None:
    assert (uno.huella == otro.huella) is (uno == otro)
    assert uno.huella == uno.model_copy(update={"nombre": "Otra Empresa Ficticia"}).huella
