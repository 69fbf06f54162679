"""Settings: defaults, what is refused and how it is said, and names that nothing reads."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from nucleo.configuracion import FUENTES, Configuracion, configuracion, desconocidas, variables
from nucleo.errores import ErrorConfiguracion


@pytest.fixture(autouse=True)
def limpia() -> Iterator[None]:
    configuracion.cache_clear()
    yield
    configuracion.cache_clear()


def test_sin_entorno_valen_los_defectos(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    ajustes = configuracion()
    assert (ajustes.datos, ajustes.puerto, ajustes.fuentes) == (tmp_path / "datos", 8080, FUENTES)


def test_una_carpeta_relativa_se_fija_al_leerla(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SOBRE_DATOS", "otra/datos")
    datos = configuracion().datos
    monkeypatch.chdir("/")
    assert datos == tmp_path / "otra" / "datos"


def test_las_fuentes_se_separan_con_comas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOBRE_FUENTES", "643, 1044,643")
    assert configuracion().fuentes == ("643", "1044")


@pytest.mark.parametrize(
    ("variable", "valor", "frase"),
    [
        ("SOBRE_PUERTO", "ochenta", "tiene que ser un número entero"),
        ("SOBRE_PUERTO", "0", "como mínimo, 1"),
        ("SOBRE_PUERTO", "70000", "como máximo, 65535"),
        ("SOBRE_FUENTES", "643,999", "los conjuntos de PLACSP son"),
        ("SOBRE_FUENTES", " , ", "los conjuntos de PLACSP son"),
    ],
)
def test_un_valor_malo_se_rechaza_nombrando_la_variable(
    monkeypatch: pytest.MonkeyPatch, variable: str, valor: str, frase: str
) -> None:
    monkeypatch.setenv(variable, valor)
    with pytest.raises(ErrorConfiguracion) as rechazo:
        configuracion()
    assert variable in rechazo.value.mensaje
    assert valor in rechazo.value.mensaje
    assert frase in rechazo.value.mensaje


def test_no_se_cambia_en_marcha() -> None:
    with pytest.raises(ValueError, match="frozen"):
        configuracion().puerto = 1  # type: ignore[misc]


def test_una_variable_que_nadie_lee_se_dice_con_la_mas_parecida() -> None:
    entorno = ["PATH", "SOBRE_PUERTO", "SOBRE_PUERT0", "SOBRE_ZZZZZZZZ"]
    assert desconocidas(entorno) == {"SOBRE_PUERT0": "SOBRE_PUERTO", "SOBRE_ZZZZZZZZ": None}


def test_toda_variable_tiene_descripcion() -> None:
    assert len(variables()) > len(Configuracion.model_fields)
    assert [nombre for nombre, descripcion in variables().items() if not descripcion] == []
