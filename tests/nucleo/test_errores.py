"""The tree of errors: each has its code, its sentence and says whether trying again can help."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from nucleo import errores
from nucleo.errores import DestinoProhibido, ErrorBaseDatos, ErrorRed, ErrorSobre


def _arbol(raiz: type[ErrorSobre]) -> Iterator[type[ErrorSobre]]:
    yield raiz
    for rama in raiz.__subclasses__():
        if rama.__module__ == errores.__name__:
            yield from _arbol(rama)


def test_cada_error_tiene_su_codigo() -> None:
    codigos = [clase.codigo for clase in _arbol(ErrorSobre)]
    assert len(codigos) == len(set(codigos)) > 5


@pytest.mark.parametrize("clase", list(_arbol(ErrorSobre)))
def test_el_mensaje_es_lo_que_se_ve(clase: type[ErrorSobre]) -> None:
    error = clase("No hay página. Vuelve a intentarlo.")
    assert str(error) == error.mensaje == "No hay página. Vuelve a intentarlo."
    assert (error.codigo, error.reintentable) == (clase.codigo, clase.reintentable)


def test_solo_la_red_merece_otro_intento_y_no_siempre() -> None:
    assert [c.__name__ for c in _arbol(ErrorSobre) if c.reintentable] == ["ErrorRed", "FuenteIlegible"]
    assert issubclass(DestinoProhibido, ErrorRed)


def test_un_caso_puede_precisar_codigo_y_reintento() -> None:
    error = ErrorBaseDatos("Ocupada.", codigo="bd_ocupada", reintentable=True)
    assert (error.codigo, error.reintentable) == ("bd_ocupada", True)
    assert (ErrorBaseDatos.codigo, ErrorBaseDatos.reintentable) == ("base_datos", False)
