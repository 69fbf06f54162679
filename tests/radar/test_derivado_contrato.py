"""Every key of `derivado` in `sobre licitacion ver --json`, by its rule."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.radar.caja import AHORA, Caja
from tests.radar.constructor import (
    T0,
    T1,
    anuncio,
    consulta,
    entrada,
    ganador,
    lapida,
    lote,
    pagina,
    proceso,
    proyecto,
    resultado,
)

CLAVES = {
    "vigente",
    "baja",
    "tipo_baja",
    "ultimo_estado",
    "n_versiones",
    "tipo_registro",
    "fecha_publicacion",
    "es_oportunidad_abierta",
    "presupuesto_efectivo",
    "importe_para_filtro",
    "desenlace",
    "adjudicado_sin_iva_total",
    "lotes_sin_adjudicar",
    "lotes_deducidos",
    "adjudicatarios",
    "avisos",
}


def test_las_claves_son_las_del_contrato(caja: Caja) -> None:
    """Outside programs read them by name: none may go missing."""
    caja.guardar(pagina(entrada()))
    documento = caja.ver()
    assert set(documento) >= {"entrada", "derivado"}
    assert set(documento["derivado"]) >= CLAVES


def test_vigencia_y_baja(caja: Caja) -> None:
    caja.guardar(pagina(lapida(2, T1, "CERRADA"), entrada(1, T0), entrada(2, T0, estado="EV")))
    viva, oculta = caja.derivado(1), caja.derivado(2)
    assert (viva["vigente"], viva["baja"], viva["tipo_baja"]) == (True, None, None)
    assert (oculta["vigente"], oculta["baja"], oculta["tipo_baja"]) == (False, T1, "CERRADA")
    assert oculta["ultimo_estado"] == "EV"


def test_una_lapida_superada_no_deja_rastro_en_la_baja(caja: Caja) -> None:
    caja.guardar(pagina(lapida(1, T0, "CERRADA"), entrada(1, T1)))
    derivado = caja.derivado()
    assert (derivado["vigente"], derivado["baja"], derivado["tipo_baja"]) == (True, None, None)


def test_numero_de_versiones_cuenta_contenidos_distintos(caja: Caja) -> None:
    caja.guardar(pagina(entrada(1, T0), entrada(1, T1)), pagina(entrada(1, T0)))
    assert caja.derivado()["n_versiones"] == 2


def test_tipo_de_registro(caja: Caja) -> None:
    caja.guardar(
        pagina(entrada(1, T0)),
        pagina(entrada(1, T0, fuente="1044"), fuente="1044"),
        pagina(entrada(1, T0, fuente="1143"), fuente="1143"),
        pagina(entrada(1, T0, resultado("11"), fuente="1383"), fuente="1383"),
        pagina(consulta(1), fuente="1403"),
    )
    tipos = [caja.derivado(1, fuente=f)["tipo_registro"] for f in ("643", "1044", "1143", "1383", "1403")]
    assert tipos == ["licitacion", "licitacion", "menor", "encargo", "consulta"]


@pytest.mark.parametrize(
    ("estado", "anuncios", "fecha"),
    [
        (
            "PUB",
            (anuncio("DOC_CN", "2026-02-18"), anuncio("DOC_CN", "2026-02-17", medio="DOUE")),
            "2026-02-17",
        ),
        ("PUB", (anuncio("DOC_PIN", "2026-01-10"), anuncio("DOC_CN", "2026-02-18")), "2026-02-18"),
        ("PUB", (anuncio("DOC_CD", "2026-02-10"),), None),
        ("PRE", (anuncio("DOC_PIN", "2026-01-12", "2026-01-10"),), "2026-01-10"),
        ("RES", (anuncio("DOC_FORM", "2026-03-01"), anuncio("DOC_CN", "2026-02-18+01:00")), "2026-02-18"),
        ("PUB", (), None),
    ],
    ids=["la-primera", "no-el-previo", "no-los-pliegos", "previo", "con-desfase", "ninguna"],
)
def test_fecha_de_publicacion(caja: Caja, estado: str, anuncios: tuple[str, ...], fecha: str | None) -> None:
    caja.guardar(pagina(entrada(1, T0, *anuncios, estado=estado)))
    assert caja.derivado()["fecha_publicacion"] == fecha


@pytest.mark.parametrize("estado", ["PUB", "EV"])
@pytest.mark.parametrize(
    ("partes", "abierta"),
    [
        ((), True),
        ((resultado("10"),), True),
        ((resultado("4"),), False),
        ((resultado("3"),), False),
        ((resultado("8", sin_iva="1"),), False),
        ((lote("1"), lote("2"), resultado("5", lote="1")), True),
        ((lote("1"), lote("2"), resultado("5", lote="1"), resultado("3", lote="2")), False),
        ((resultado("8", lote="1", sin_iva="1"),), True),
    ],
)
def test_decidido_todo_nadie_puede_presentarse_aunque_el_plazo_siga(
    caja: Caja, estado: str, partes: tuple[str, ...], abierta: bool
) -> None:
    """Lots known only from the results may be more than those: that one is decided says nothing of the others."""
    caja.guardar(pagina(entrada(1, T0, *partes, proceso("2026-03-20"), estado=estado)))
    assert caja.derivado(ahora=AHORA)["es_oportunidad_abierta"] is abierta


def test_oportunidad_abierta_depende_del_reloj(caja: Caja) -> None:
    caja.guardar(pagina(entrada(1, T0, proceso("2026-03-20", "14:00:00"))))
    assert caja.derivado(ahora=AHORA)["es_oportunidad_abierta"] is True
    assert caja.derivado(ahora=AHORA + timedelta(days=30))["es_oportunidad_abierta"] is False


@pytest.mark.parametrize(
    ("fuente", "estado", "partes"),
    [
        ("643", "PRE", ()),
        ("643", "ADJ", (resultado("8"),)),
        ("643", "RES", (resultado("9"),)),
        ("643", "ANUL", ()),
        ("1143", "RES", (resultado("8"),)),
        ("1143", "PUB", (resultado("8"),)),
        ("1383", "PUB", (resultado("11"),)),
        ("1383", "PUB", ()),
    ],
)
def test_no_es_oportunidad(caja: Caja, fuente: str, estado: str, partes: tuple[str, ...]) -> None:
    """Even with a deadline ahead: prior notice, awarded, annulled, awarded minor contract, in-house order."""
    pieza = entrada(1, T0, *partes, proceso("2026-03-20", "14:00:00"), estado=estado, fuente=fuente)
    caja.guardar(pagina(pieza, fuente=fuente))
    derivado = caja.derivado(1, fuente=fuente)
    assert derivado["es_oportunidad_abierta"] is False
    assert derivado["desenlace"] != "abierta"


def test_un_menor_abierto_si_es_oportunidad(caja: Caja) -> None:
    caja.guardar(
        pagina(entrada(1, T0, proceso("2026-03-20", procedimiento="6"), fuente="1143"), fuente="1143")
    )
    assert caja.derivado(1, fuente="1143")["es_oportunidad_abierta"] is True


def test_lo_que_oculta_una_lapida_no_es_oportunidad(caja: Caja) -> None:
    caja.guardar(pagina(lapida(1, T1), entrada(1, T0, proceso())))
    assert caja.derivado()["es_oportunidad_abierta"] is False


@pytest.mark.parametrize(
    ("sin_iva", "estimado", "efectivo", "filtro"),
    [
        ("10000.50", "20000", "10000.50", "10000.50"),
        ("0", "20000", None, "20000"),
        (None, "20000", None, "20000"),
        ("0.00", "0", None, None),
        (None, None, None, None),
    ],
)
def test_presupuesto_efectivo_e_importe_para_filtro(
    caja: Caja, sin_iva: str | None, estimado: str | None, efectivo: str | None, filtro: str | None
) -> None:
    caja.guardar(pagina(entrada(1, T0, proyecto(sin_iva=sin_iva, estimado=estimado))))
    derivado = caja.derivado()
    assert (derivado["presupuesto_efectivo"], derivado["importe_para_filtro"]) == (efectivo, filtro)


_L12 = (lote("1"), lote("2"))


@pytest.mark.parametrize(
    ("estado", "partes", "desenlace", "sin_adjudicar"),
    [
        ("PUB", (), "abierta", []),
        ("EV", (), "pendiente", []),
        ("PRE", (), "pendiente", []),
        ("ADJ", (resultado("8", sin_iva="1"),), "adjudicada", []),
        ("ADJ", (resultado("1", sin_iva="1"),), "adjudicada", []),
        ("ADJ", (resultado("10"),), "pendiente", []),
        ("RES", (resultado("9", sin_iva="1"),), "formalizada", []),
        ("RES", (resultado("3"),), "desierta", []),
        ("RES", (resultado("4"),), "desistida", []),
        ("RES", (resultado("5"),), "renuncia", []),
        ("ANUL", (), "anulada", []),
        ("ADJ", (*_L12, resultado("8", lote="1"), resultado("8", lote="2")), "adjudicada", []),
        ("RES", (*_L12, resultado("9", lote="1"), resultado("9", lote="2")), "formalizada", []),
        ("ADJ", (*_L12, resultado("9", lote="1"), resultado("8", lote="2")), "adjudicada", []),
        ("RES", (*_L12, resultado("9", lote="1"), resultado("3", lote="2")), "adjudicada_parcial", ["2"]),
        ("ADJ", (*_L12, resultado("8", lote="1")), "adjudicada_parcial", []),
        ("EV", (*_L12, resultado("3", lote="1")), "pendiente", ["1"]),
        ("RES", (*_L12, resultado("3", lote="1"), resultado("3", lote="2")), "desierta", ["1", "2"]),
        ("RES", (*_L12, resultado("4", lote="1"), resultado("4", lote="2")), "desistida", ["1", "2"]),
        ("RES", (*_L12, resultado("4")), "desistida", ["1", "2"]),
        ("RES", (*_L12, resultado("3")), "desierta", ["1", "2"]),
        ("RES", (*_L12, resultado("9", sin_iva="1")), "formalizada", []),
        ("RES", (resultado("9", lote="1"), resultado("3", lote="2")), "adjudicada_parcial", ["2"]),
    ],
)
def test_desenlace_por_lotes(
    caja: Caja, estado: str, partes: tuple[str, ...], desenlace: str, sin_adjudicar: list[str]
) -> None:
    """From the result codes of the lots; a result that names no lot speaks of all of them."""
    caja.guardar(pagina(entrada(1, T0, *partes, proceso("2026-03-20"), estado=estado)))
    derivado = caja.derivado(ahora=AHORA if estado == "PUB" else AHORA + timedelta(days=60))
    assert derivado["desenlace"] == desenlace
    assert derivado["lotes_sin_adjudicar"] == sin_adjudicar


@pytest.mark.parametrize(
    ("importes", "total"),
    [
        (["100.10", "200"], "300.10"),
        (["100", None], None),
        (["0", "0"], None),
        (["100", "0"], None),
        ([], None),
    ],
)
def test_total_adjudicado(caja: Caja, importes: list[str | None], total: str | None) -> None:
    """Null as soon as one award is unknown: a partial sum would be taken for the whole."""
    resultados = [resultado("8", lote=str(n), sin_iva=i) for n, i in enumerate(importes, 1)]
    caja.guardar(pagina(entrada(1, T0, *resultados, estado="ADJ")))
    assert caja.derivado()["adjudicado_sin_iva_total"] == total


def test_los_lotes_desiertos_no_impiden_sumar(caja: Caja) -> None:
    resultados = (resultado("8", lote="1", sin_iva="100"), resultado("3", lote="2"))
    caja.guardar(pagina(entrada(1, T0, *resultados, estado="RES")))
    assert caja.derivado()["adjudicado_sin_iva_total"] == "100"


def test_lotes_deducidos_solo_los_no_declarados(caja: Caja) -> None:
    caja.guardar(
        pagina(entrada(1, T0, lote("1"), resultado("8", lote="1"), resultado("8", lote="2"), estado="ADJ"))
    )
    assert caja.derivado()["lotes_deducidos"] == ["2"]


def test_adjudicatarios_con_su_lote_nif_y_ute(caja: Caja) -> None:
    ganadores = [ganador("Uno Ficticia, S.L.; Dos Ficticia, S.L.", ("UTE", "u-00000018"))]
    caja.guardar(
        pagina(
            entrada(
                1,
                T0,
                resultado("8", lote="1", ganadores=ganadores),
                resultado("8", lote="2", ganadores=[ganador("Tres Ficticia, S.L.", ("NIF", "nada"))]),
                estado="ADJ",
            )
        )
    )
    assert caja.derivado()["adjudicatarios"] == [
        {
            "lote": "1",
            "nombre": "Uno Ficticia, S.L.; Dos Ficticia, S.L.",
            "nif": "U00000018",
            "es_ute": True,
            "miembros": ["Uno Ficticia, S.L.", "Dos Ficticia, S.L."],
        },
        {"lote": "2", "nombre": "Tres Ficticia, S.L.", "nif": None, "es_ute": False, "miembros": []},
    ]


@pytest.mark.parametrize(
    ("aviso", "partes"),
    [
        ("valor_estimado_con_impuestos", (proyecto(estimado="12100", sin_iva="10000", con_iva="12100"),)),
        ("plazo_anterior_a_publicacion", (proceso("2026-02-10"), anuncio("DOC_CN", "2026-02-16"))),
        ("plazo_sin_hora", (proceso("2026-03-20", None),)),
        ("nif_invalido", (resultado("8", ganadores=[ganador("X Ficticia", ("NIF", "B00000019"))]),)),
        ("cpv_desconocido", (proyecto(cpv=("99999999",)),)),
    ],
)
def test_avisos_del_contrato(caja: Caja, aviso: str, partes: tuple[str, ...]) -> None:
    caja.guardar(pagina(entrada(1, T0, *partes), entrada(2, T0, proceso())))
    assert aviso in caja.derivado(1)["avisos"]
    assert aviso not in caja.derivado(2)["avisos"]


def test_una_entrada_limpia_no_lleva_avisos(caja: Caja) -> None:
    caja.guardar(pagina(entrada(1, T0, proceso(), anuncio("DOC_CN", "2026-02-16"))))
    assert caja.derivado()["avisos"] == []
