"""Packing entries: what goes in comes out, also when several threads read at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from dominios.licitaciones.radar.compresion import compresor, descomprimir, entrenar

ENTRADAS = [
    (f"<entry><id>{n}</id>" + f"<cbc:Name>Suministro número {n * 7919}</cbc:Name>" * (n % 90)).encode()
    for n in range(1500)
]


@pytest.mark.parametrize("con_diccionario", [False, True])
def test_varios_hilos_a_la_vez_no_se_estropean_los_datos(con_diccionario: bool) -> None:
    diccionario = entrenar(ENTRADAS) if con_diccionario else None

    def ida_y_vuelta(entrada: bytes) -> bytes:
        return descomprimir(compresor(diccionario).compress(entrada), diccionario)

    with ThreadPoolExecutor(8) as hilos:
        assert list(hilos.map(ida_y_vuelta, ENTRADAS * 2)) == ENTRADAS * 2
