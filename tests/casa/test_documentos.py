"""What the documents say is so: settings, dependencies, targets and commands exist, and the other way round."""

from __future__ import annotations

import re
import tomllib

import click
import pytest

from app.cli import sobre
from app.motor.despliegues import leer_despliegues, prefect_yaml
from nucleo.configuracion import variables
from tests.casa.repositorio import RAIZ, ficheros, leer

PROYECTO = tomllib.loads(leer("pyproject.toml"))["project"]
DIRECTAS = [
    re.split(r"[\[<>=~! ]", linea)[0].lower()
    for linea in [*PROYECTO["dependencies"], *PROYECTO["optional-dependencies"]["dev"]]
]
OBJETIVOS = {"demo", "up", "test", "lint", "bench", "setup", "nocturno", "muertes", "limpiar", "help"}
DOCUMENTOS = [
    n for n in ficheros() if n.endswith(".md") and not n.startswith("tests/") and "CHANGELOG" not in n
]


def filas(documento: str) -> set[str]:
    """First cell of each row of the tables of a document."""
    celdas = (linea.split("|")[1].strip() for linea in leer(documento).splitlines() if linea.startswith("| "))
    return {celda.strip("`") for celda in celdas}


def test_la_tabla_de_ajustes_esta_completa() -> None:
    assert {f for f in filas("docs/configuracion.md") if f.startswith("SOBRE_")} == set(variables())


def test_la_tabla_de_despliegues_esta_completa() -> None:
    # A flow is called as its deployment.
    esperados = {f"{d.name}/{d.name}" for d in leer_despliegues(prefect_yaml())}
    assert {f for f in filas("docs/operacion.md") if "/" in f} == esperados


def test_ningun_fichero_lee_un_ajuste_sin_declarar() -> None:
    declarados = {*variables(), "SOBRE_ADMIN_CLAVE"}
    leidos = {
        (nombre, variable)
        for nombre in ficheros()
        if nombre.startswith(
            ("nucleo/", "dominios/", "tasks/", "flows/", "app/", "bench/", "deploy/", ".ci/")
        )
        or nombre in ("Makefile", "docker-compose.yml", "tests/conftest.py")
        if not nombre.endswith((".gz", ".zip", ".png"))
        for variable in re.findall(r"\bSOBRE_[A-Z0-9_]*[A-Z0-9]\b", leer(nombre))
        if variable not in declarados
    }
    assert leidos == set()


@pytest.mark.parametrize("paquete", DIRECTAS)
def test_cada_dependencia_tiene_motivo_y_version_fija(paquete: str) -> None:
    assert paquete in {fila.lower() for fila in filas("docs/dependencias.md")}
    assert re.search(rf"(?im)^{re.escape(paquete)}==\S+$", leer("deploy/restricciones.txt").replace("_", "-"))


def test_las_restricciones_fijan_una_version_de_cada_cosa() -> None:
    lineas = [linea for linea in leer("deploy/restricciones.txt").splitlines() if linea and linea[0] != "#"]
    assert [linea for linea in lineas if not re.fullmatch(r"[\w.-]+==[\w.+!-]+", linea)] == []
    nombres = [re.sub(r"[-_.]+", "-", linea.split("==")[0]).lower() for linea in lineas]
    assert [n for n in set(nombres) if nombres.count(n) > 1] == []


def test_el_makefile_tiene_sus_objetivos_y_los_explica() -> None:
    assert set(re.findall(r"^([a-z]+):.* ## \S", leer("Makefile"), re.MULTILINE)) == OBJETIVOS


@pytest.mark.parametrize("documento", DOCUMENTOS)
def test_las_ordenes_que_se_citan_existen(documento: str) -> None:
    texto = leer(documento)
    objetivos = set(re.findall(r"`?make ([a-z]+)", texto)) - {"sure", "it", "them", "a"}
    assert objetivos <= OBJETIVOS
    for cita in re.findall(r"`(?:\.venv/bin/)?sobre ([a-z][^`]*)`", texto):
        _exigir_orden(cita.split())


def _exigir_orden(partes: list[str]) -> None:
    """Walks down the groups; what follows a command is its arguments, whose options must exist."""
    orden: click.Command = sobre
    while isinstance(orden, click.Group) and partes and re.fullmatch(r"[a-z-]+", partes[0]):
        siguiente = orden.get_command(click.Context(orden), partes[0])
        assert siguiente is not None, f"no existe «{' '.join(partes)}»"
        orden, partes = siguiente, partes[1:]
    opciones = {opcion for parametro in orden.params for opcion in parametro.opts}
    citadas = {p.strip("[]").split("=")[0] for p in partes if p.lstrip("[").startswith("--")}
    assert citadas <= opciones | {"--help"}


def test_los_nombres_del_glosario_existen_en_el_codigo() -> None:
    codigo = "\n".join(
        leer(n) for n in ficheros() if n.startswith(("nucleo/", "dominios/", "app/")) and n.endswith(".py")
    )
    palabras = set(re.findall(r"\w+", codigo)) | {n.removesuffix(".py") for n in ficheros()}
    tablas = [
        linea.strip().strip("|").split("|")
        for linea in leer("docs/glosario.md").splitlines()
        if linea.startswith("| ")
    ]
    citados = {nombre for celdas in tablas for nombre in re.findall(r"`([\w/]+)`", celdas[-1])}
    assert len(citados) > 50
    assert {n for n in citados if n.split("/")[-1] not in palabras} == set()


@pytest.mark.parametrize("documento", DOCUMENTOS)
def test_los_enlaces_entre_documentos_llevan_a_algo(documento: str) -> None:
    carpeta = (RAIZ / documento).parent
    enlaces = re.findall(r"\]\((?!https?:|#)([^)#\s]+)", leer(documento))
    assert [enlace for enlace in enlaces if not (carpeta / enlace).exists()] == []


def test_los_dos_readme_dicen_lo_mismo() -> None:
    ingles, espanol = leer("README.md"), leer("README.es.md")
    for marca in (r"^## ", r"^\| ", r"^[0-9]\. ", r"SOBRE_[A-Z_]+", r"\bmake [a-z]+  "):
        assert len(re.findall(marca, ingles, re.MULTILINE)) == len(
            re.findall(marca, espanol, re.MULTILINE)
        ), marca
