"""The demonstration's folder: never somebody's data, never two origins in one list."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.demo.carpeta import es_demostracion, rechazar_ajena, reclamar
from app.demo.origen import Origen
from dominios.licitaciones import registro
from nucleo.errores import ErrorEntrada


def test_la_misma_demostracion_se_conserva_y_otra_empieza_de_cero(tmp_path: Path) -> None:
    datos = tmp_path / "demo"
    rechazar_ajena(datos)
    assert reclamar(datos, "la muestra incluida") is False
    registro.preparar(datos)
    assert es_demostracion(datos)
    assert reclamar(datos, "la muestra incluida") is False
    assert (datos / "licitaciones.db").is_file()
    assert reclamar(datos, "https://example.invalid/otra.atom") is True
    assert not list(datos.glob("*.db*"))
    assert es_demostracion(datos)


def test_los_datos_de_verdad_no_se_tocan(tmp_path: Path) -> None:
    registro.preparar(tmp_path)
    with pytest.raises(ErrorEntrada, match="datos de verdad"):
        rechazar_ajena(tmp_path)
    assert (tmp_path / "licitaciones.db").is_file()


def test_cada_origen_se_distingue(tmp_path: Path) -> None:
    paginas = tuple(tmp_path / f"{n}.atom" for n in range(2))
    nombres = {
        Origen(clase="muestra").nombre,
        Origen(clase="url", url="http://127.0.0.1/a.atom").nombre,
        Origen(clase="carpeta", ficheros=paginas).nombre,
        Origen(clase="carpeta", ficheros=paginas[:1]).nombre,
    }
    assert len(nombres) == 4
