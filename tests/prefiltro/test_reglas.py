"""Each rule of the prefilter, alone, and how they add up."""

from __future__ import annotations

from decimal import Decimal

import pytest

from dominios.licitaciones.prefiltro.evaluar import evaluar
from dominios.licitaciones.prefiltro.modelo import DatosPrefiltro, Decision
from nucleo.texto import raices
from tests.prefiltro.fabrica import AHORA, DATOS, detalle, efecto, perfil


def juzgar(yaml: str, **cambios: object) -> Decision:
    datos = DatosPrefiltro.model_validate(DATOS.model_dump() | cambios)
    return evaluar(perfil(yaml), datos, AHORA)


@pytest.mark.parametrize("rama", ["72", "72000000-5", "7226", "72267000"])
def test_un_cpv_de_la_rama_entra(rama: str) -> None:
    decision = juzgar(f"cpv: {{incluir: [{rama}]}}")
    assert decision.dentro
    assert "72267000" in detalle(decision, "cpv")


def test_basta_el_cpv_de_un_lote() -> None:
    assert juzgar("cpv: {incluir: [48]}", cpv=("90911200", "48900000")).dentro


def test_otro_cpv_no_entra_y_lo_dice() -> None:
    decision = juzgar("cpv: {incluir: [48]}")
    assert not decision.dentro
    assert efecto(decision, "sin_criterio") == "fuera"


@pytest.mark.parametrize("cpv", [(), ("00000001",)])
def test_sin_cpv_reconocible_entra(cpv: tuple[str, ...]) -> None:
    decision = juzgar("cpv: {incluir: [48]}", cpv=cpv)
    assert decision.dentro
    assert efecto(decision, "sin_cpv") == "entra"


def test_manda_la_rama_mas_larga() -> None:
    yaml = "cpv: {incluir: [72, 72267], excluir: [7226]}"
    assert juzgar(yaml, cpv=("72200000",)).dentro
    assert juzgar(yaml, cpv=("72267000",)).dentro
    assert efecto(juzgar(yaml, cpv=("72261000",)), "cpv_excluido") == "fuera"
    assert juzgar(yaml, cpv=("72261000", "72253000")).dentro


@pytest.mark.parametrize(
    "palabra",
    [
        "mantenimientos",
        "INFORMÁTICO",
        "equipo mantenimiento",
        "«equipos informáticos»",
        "informátic*",
        "servicios*",
        "mantenimiento de los equipos",
        "villaficticia",
    ],
)
def test_una_palabra_entra(palabra: str) -> None:
    decision = juzgar(f"palabras: ['{palabra}']")
    assert decision.dentro
    assert palabra in detalle(decision, "palabras")


@pytest.mark.parametrize(
    "palabra", ["informática", "«informáticos equipos»", "limpieza equipos", "form*", "equip"]
)
def test_otra_palabra_no_entra(palabra: str) -> None:
    assert not juzgar(f"palabras: ['{palabra}']").dentro


def test_la_palabra_se_busca_en_los_lotes() -> None:
    decision = juzgar("palabras: [impresora]", lotes=raices("Impresoras y tóner"))
    assert decision.dentro
    assert "los lotes" in detalle(decision, "palabras")


def test_una_marca_entra() -> None:
    decision = juzgar("marcas: [Ofimatrix]", objeto=raices("Licencias OFIMATRIX"))
    assert efecto(decision, "marcas") == "entra"


@pytest.mark.parametrize("organo", ["Ayuntamiento Villaficticia", "P-1234567-D"])
def test_un_organo_seguido_entra_aunque_compre_otra_cosa(organo: str) -> None:
    assert juzgar(f"cpv: {{incluir: [48]}}\norganos: {{seguir: [{organo}]}}").dentro


@pytest.mark.parametrize("organo", ["Villaficticia", "P1234567D"])
def test_un_organo_excluido_no_entra(organo: str) -> None:
    decision = juzgar(f"cpv: {{incluir: [72]}}\norganos: {{excluir: [{organo}]}}")
    assert efecto(decision, "organos_excluidos") == "fuera"
    assert not decision.dentro


def test_un_nif_no_se_busca_como_palabra() -> None:
    assert juzgar("cpv: {incluir: [72]}\norganos: {excluir: [B12345674]}", organo_nif=None).dentro


def test_una_palabra_excluida_vence_a_una_palabra_y_cede_ante_el_cpv() -> None:
    excluida = "palabras: [mantenimiento]\npalabras_excluidas: [equipos]"
    assert not juzgar(excluida).dentro
    con_cpv = juzgar(f"cpv: {{incluir: [72]}}\n{excluida}")
    assert con_cpv.dentro
    assert efecto(con_cpv, "palabras_excluidas") == "neutral"
    assert "pesa más" in detalle(con_cpv, "palabras_excluidas")
    assert not juzgar(f"cpv: {{incluir: [72]}}\nestricta: sí\n{excluida}").dentro


def test_una_palabra_excluida_en_un_lote_no_estropea_los_demas() -> None:
    yaml = "palabras: [mantenimiento]\npalabras_excluidas: [limpieza]"
    assert juzgar(yaml, lotes=raices("Limpieza de oficinas")).dentro


def test_un_cpv_excluido_vence_a_una_palabra_y_cede_ante_una_marca() -> None:
    yaml = "cpv: {excluir: [72]}\npalabras: [mantenimiento]"
    assert not juzgar(yaml).dentro
    assert juzgar(f"{yaml}\nmarcas: [equipos]").dentro


@pytest.mark.parametrize(
    ("importe", "n_lotes", "dentro"),
    [
        ("9999.99", 0, False),
        ("10000", 0, True),
        ("60000", 0, True),
        ("60000.01", 0, False),
        ("60000.01", 1, False),
        ("900000", 3, True),
        ("9000", 3, False),
        (None, 0, True),
    ],
)
def test_los_importes_tienen_limites(importe: str | None, n_lotes: int, dentro: bool) -> None:
    yaml = "cpv: {incluir: [72]}\nimportes: {minimo: 10000, maximo: 60000}"
    decision = juzgar(yaml, importe=Decimal(importe) if importe else None, n_lotes=n_lotes)
    assert decision.dentro is dentro


def test_el_importe_se_escribe_a_la_espanola() -> None:
    decision = juzgar("cpv: {incluir: [72]}\nimportes: {maximo: 1000000}", importe=Decimal("1234567.5"))
    assert detalle(decision, "importes") == "1.234.567,50 €, más del máximo de 1.000.000,00 €."


@pytest.mark.parametrize(
    ("nuts", "dentro"),
    [
        (("ES617",), True),
        (("ES61",), True),
        (("ES",), True),
        (("ES300", "ES612"), True),
        (("ES300",), False),
        ((), True),
        (("XX999",), True),
        (("ESZZZ",), True),
    ],
)
def test_la_region_coincide_si_una_contiene_a_otra(nuts: tuple[str, ...], dentro: bool) -> None:
    assert juzgar("cpv: {incluir: [72]}\nregiones: [ES61]", nuts=nuts).dentro is dentro


@pytest.mark.parametrize(
    ("tipo", "dentro"), [("2", True), ("3", False), (None, True), ("999", True), ("77", True)]
)
def test_el_tipo_de_contrato(tipo: str | None, dentro: bool) -> None:
    assert juzgar("cpv: {incluir: [72]}\ntipos: [servicios, Suministros]", tipo=tipo).dentro is dentro


@pytest.mark.parametrize(
    ("procedimiento", "dentro"), [("1", True), ("3", False), (None, True), ("999", True)]
)
def test_el_procedimiento(procedimiento: str | None, dentro: bool) -> None:
    yaml = "cpv: {incluir: [72]}\nprocedimientos: [Abierto, 9]"
    assert juzgar(yaml, procedimiento=procedimiento).dentro is dentro


@pytest.mark.parametrize(
    ("registro", "dentro"), [("licitacion", True), ("menor", True), ("consulta", True), ("encargo", False)]
)
def test_los_encargos_no_se_miran_si_no_se_piden(registro: str, dentro: bool) -> None:
    assert juzgar("cpv: {incluir: [72]}", tipo_registro=registro).dentro is dentro
    assert (
        juzgar("cpv: {incluir: [72]}\ntipos_registro: [encargo]", tipo_registro=registro).dentro is not dentro
    )


def test_las_fuentes() -> None:
    assert juzgar("cpv: {incluir: [72]}\nfuentes: [643]").dentro
    assert not juzgar("cpv: {incluir: [72]}\nfuentes: [1044]").dentro


@pytest.mark.parametrize(("dias", "dentro"), [(0, True), (18, True), (19, False)])
def test_el_plazo_minimo(dias: int, dentro: bool) -> None:
    decision = juzgar(f"cpv: {{incluir: [72]}}\nplazo_minimo_dias: {dias}")
    assert decision.dentro is dentro


def test_sin_plazo_publicado_no_se_descarta() -> None:
    assert juzgar("cpv: {incluir: [72]}\nplazo_minimo_dias: 30", plazo=None).dentro


def test_un_motivo_para_quedar_fuera_vale_mas_que_muchos_para_entrar() -> None:
    decision = juzgar("cpv: {incluir: [72]}\npalabras: [equipos]\nmarcas: [equipos]\nregiones: [ES300]")
    assert not decision.dentro
    assert {r.nombre for r in decision.reglas if r.efecto == "entra"} == {"cpv", "palabras", "marcas"}
