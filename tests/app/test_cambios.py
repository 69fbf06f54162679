"""A material change is told in words."""

from __future__ import annotations

from app.paginas.cambios import TOPE, cambio_en_palabras
from dominios.licitaciones.radar.material import Cambio


def en_palabras(campo: str, antes: object, despues: object) -> tuple[str, str, str]:
    nombre, previo, nuevo = cambio_en_palabras(
        Cambio(campo=campo, antes=antes, despues=despues), "licitacion"
    )
    return nombre, previo.replace("\\", ""), nuevo.replace("\\", "").replace("\N{NO-BREAK SPACE}", " ")


def test_un_estado_por_su_nombre_y_el_desconocido_por_su_codigo() -> None:
    assert en_palabras("estado", "PUB", "ZZZ") == ("Estado", "En plazo", "estado ZZZ")


def test_un_importe_con_su_formato_y_el_ilegible_como_vino() -> None:
    assert en_palabras("valor_estimado", None, "1000.5")[1:] == (":gray[no consta]", "1.000,50 €")
    assert en_palabras("presupuesto_con_iva", "diez", "0")[1:] == ("diez", "0,00 €")


def test_de_dos_listas_solo_lo_que_cambia() -> None:
    igual, viejo, nuevo = ["pcap", "PCAP.pdf", "a"], ["anexo", "A.pdf", "b"], ["anexo", "A.pdf", "c"]
    assert en_palabras("documentos", [igual, viejo], [igual, nuevo])[1:] == ("Anexo: A.pdf", "Anexo: A.pdf")
    assert en_palabras("resultados", None, [["1", "8", "5000", ["Empresa Ficticia, S.L."]]])[1:] == (
        "—",
        "Lote 1: Adjudicado, 5.000,00 €, Empresa Ficticia, S.L.",
    )
    assert en_palabras("criterios", [["OBJ", "1", None, "60"]], [])[1] == "Automático (60)"
    assert en_palabras("lotes", [], [["1", "Obra", "10", None, [], []]])[2] == "Lote 1: Obra, 10,00 € sin IVA"


def test_de_una_lista_larga_se_dicen_unos_cuantos_y_se_cuentan_los_demas() -> None:
    muchos = [["anexo", f"{n}.pdf", str(n)] for n in range(TOPE + 3)]
    assert en_palabras("documentos", [], muchos)[2].endswith("y 3 más")
