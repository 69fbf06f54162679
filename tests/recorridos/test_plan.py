"""A plan written briefly is read back the same."""

from __future__ import annotations

from dominios.licitaciones.oferta.plantilla import OFERTA
from nucleo.recorridos.plan import Contexto, Entrada, Literal_, Plan, Salida, Tipo


def test_lo_que_no_se_dijo_se_puede_callar_pero_no_de_donde_sale_una_entrada() -> None:
    for origen in (Literal_(valor=1), Contexto(clave="lotes"), Salida(paso="uno", salida="dos")):
        entrada = Entrada(nombre="entrada", tipo=Tipo.TEXTO, origen=origen)
        assert Entrada.model_validate_json(entrada.model_dump_json(exclude_unset=True)) == entrada
    assert Plan.model_validate_json(OFERTA.model_dump_json(exclude_unset=True)) == OFERTA
