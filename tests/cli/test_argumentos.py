"""Whatever is written after a command of the agents' part: one Spanish line, and nothing half written."""

from __future__ import annotations

import shutil
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from importlib import import_module
from pathlib import Path

import click
import pytest

from app.cli import COMANDOS, principal
from dominios.licitaciones import registro as registro_licitaciones
from nucleo import registro

GRUPOS = ("agente", "cola", "criba", "evaluar", "perfil")
NUMEROS = ("0", "-1", str(2**63), str(10**40), "1.5", "١", "")
TEXTOS = (
    "",
    " ",
    "x" * 5000,
    "a\x1b[2Jb",
    "\udcff",
    "'; DROP TABLE cola_trabajo; --",
    "../../etc/passwd",
    "ñ\u202eabc",
)
Orden = tuple[str, ...]


def hojas(orden: click.Command, camino: Orden) -> Iterator[tuple[Orden, click.Command]]:
    if isinstance(orden, click.Group):
        for nombre, hija in orden.commands.items():
            yield from hojas(hija, (*camino, nombre))
    else:
        yield camino, orden


def de(nombre: str) -> list[tuple[Orden, click.Command]]:
    modulo, atributo = COMANDOS[nombre].split(":")
    return list(hojas(getattr(import_module(modulo), atributo), (nombre,)))


TODAS = [hoja for nombre in COMANDOS for hoja in de(nombre)]
MIAS = [hoja for nombre in GRUPOS for hoja in de(nombre)]


def bueno(parametro: click.Parameter) -> str:
    if isinstance(parametro.type, click.Choice):
        return str(parametro.type.choices[0])
    return "1" if isinstance(parametro.type, click.types.IntParamType) else "leer:licitaciones"


def con(camino: Orden, orden: click.Command, malo: click.Parameter, valor: str) -> Orden:
    """The order with that value in one place and good ones in the others that it needs."""
    opciones: list[str] = []
    sueltos: list[str] = []
    for parametro in orden.params:
        dicho = valor if parametro is malo else bueno(parametro)
        if isinstance(parametro, click.Argument):
            sueltos.append(dicho)
        elif parametro is malo or parametro.required:
            opciones.append(f"{parametro.opts[-1]}={dicho}")
    return (*camino, *opciones, "--", *sueltos)


def probar() -> Iterator[tuple[Orden, str]]:
    for camino, orden in MIAS:
        for parametro in orden.params:
            if isinstance(parametro, click.Option) and parametro.is_flag:
                continue
            entero = isinstance(parametro.type, click.types.IntParamType)
            for valor in NUMEROS if entero else TEXTOS:
                yield con(camino, orden, parametro, valor), f"{' '.join(camino)} {parametro.name}"


CASOS = list(probar())


@pytest.fixture(scope="module")
def vacia(tmp_path_factory: pytest.TempPathFactory) -> Path:
    carpeta = tmp_path_factory.mktemp("vacia")
    registro.preparar(carpeta)
    registro_licitaciones.preparar(carpeta)
    return carpeta


def filas(carpeta: Path) -> dict[str, int]:
    cuentas: dict[str, int] = {}
    for fichero in carpeta.glob("*.db"):
        with closing(sqlite3.connect(fichero)) as con:
            tablas = [t for (t,) in con.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            cuentas |= {t: con.execute(f"SELECT count(*) FROM [{t}]").fetchone()[0] for t in tablas}
    return cuentas


@pytest.mark.parametrize("nombre", GRUPOS)
def test_ningun_argumento_rompe_una_orden(
    nombre: str,
    vacia: Path,
    datos: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    shutil.copytree(vacia, datos, dirs_exist_ok=True)
    monkeypatch.chdir(datos)
    for orden, donde in (caso for caso in CASOS if caso[0][0] == nombre):
        antes = filas(datos)
        monkeypatch.setattr(sys, "argv", ["sobre", *orden])
        codigo: object = 0
        try:
            principal()
        except SystemExit as salida:
            codigo = salida.code
        dicho = capsys.readouterr()
        assert codigo in (0, 1, 2, None), (donde, orden)
        assert "Fallo del programa" not in dicho.err, (donde, orden, dicho.err)
        assert "\x1b" not in dicho.out + dicho.err, (donde, orden)
        if codigo:
            assert dicho.out == "", (donde, orden)
            assert dicho.err.count("\n") == 1, (donde, orden, dicho.err)
            assert filas(datos) == antes, (donde, orden)


def test_todo_numero_tiene_limites() -> None:
    """SQLite's integers have 64 bits; Python's have no end."""
    sin_limites = [
        f"{' '.join(camino)}: {parametro.name}"
        for camino, orden in TODAS
        for parametro in orden.params
        if isinstance(parametro.type, click.types.IntParamType)
        and not (
            isinstance(parametro.type, click.IntRange)
            and parametro.type.min is not None
            and parametro.type.max is not None
            and parametro.type.max < 2**63
        )
    ]
    assert sin_limites == []
