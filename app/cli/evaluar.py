"""`sobre evaluar`: how well agents judge, on sets of tenders that people labelled."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from app.cli.comun import base_licitaciones, base_nucleo, escribir_json, opcion_json
from dominios.licitaciones.criba.evaluacion import servicio
from dominios.licitaciones.criba.evaluacion.modelo import Fila
from nucleo.configuracion import configuracion
from nucleo.empresa.servicio import vigente
from nucleo.reloj import reloj_del_sistema
from tasks.tipos import tipos_de_trabajo

fichero_conjunto = click.argument("fichero", type=click.Path(path_type=Path))
CABECERA = (
    "modelo", "instrucciones", "casos", "precisión", "exhaustividad", "a la vista", "perdidas", "dudas",
    "sin veredicto", "intentos", "coste",
)  # fmt: skip


@click.group(help="Cuánto aciertan los agentes, sobre conjuntos congelados con lo que dicen las personas.")
def evaluar() -> None:
    """Group of the evaluation's commands."""


@evaluar.command(
    help="Congela en un fichero las licitaciones cribadas sobre las que ha decidido una persona."
)
@fichero_conjunto
@click.option("--nombre", help="Cómo llamarlo (por defecto, el nombre del fichero).")
def congelar(fichero: Path, nombre: str | None) -> None:
    """With the company's profile in force, without personal data. It never overwrites."""
    if fichero.exists():
        raise click.UsageError(f"{fichero} ya existe: bórralo o di otro nombre.")
    with base_licitaciones() as con, base_nucleo() as cola:
        conjunto = servicio.congelar(con, nombre or fichero.stem, vigente(cola))
    with fichero.open("x", encoding="utf-8") as nuevo:
        nuevo.write(conjunto.model_dump_json(indent=1))
    click.echo(f"{len(conjunto.casos)} casos en {fichero}.")


@evaluar.command(help="Compara modelos y versiones de las instrucciones sobre un conjunto congelado.")
@fichero_conjunto
@click.option(
    "--lanzar", is_flag=True, help="Pregunta antes el conjunto al modelo que tiene ahora el perfil."
)
@opcion_json
def criba(fichero: Path, lanzar: bool, en_json: bool) -> None:
    """The answers come when the queue has served its jobs: asking for the table again shows them."""
    conjunto = servicio.leer(fichero)
    with base_licitaciones() as con, base_nucleo() as cola:
        if lanzar:
            tipos = tipos_de_trabajo(configuracion().datos)
            servicio.preguntar(con, cola, tipos, conjunto, reloj_del_sistema())
        filas = servicio.comparar(con, cola, conjunto)
        esperan = servicio.esperan(con, conjunto)
    if en_json:
        documento = [f.model_dump(mode="json") for f in filas]
        escribir_json(
            {"nombre": conjunto.nombre, "casos": len(conjunto.casos), "esperan": esperan, "filas": documento}
        )
        return
    click.echo("\n".join(_tabla([CABECERA, *map(_celdas, filas)])))
    if esperan:
        click.echo(f"{esperan} tandas esperan a un agente.")
    elif not filas:
        click.echo("Nadie ha contestado todavía: añade --lanzar para preguntarlo.")


def _celdas(fila: Fila) -> tuple[str, ...]:
    medida = fila.medida
    coste = "—" if fila.coste is None else f"{fila.coste:.4f}" + (" *" if fila.sin_coste else "")
    return (
        fila.modelo, fila.instrucciones, str(medida.casos), _por_ciento(medida.precision),
        _por_ciento(medida.exhaustividad), _por_ciento(medida.a_la_vista), str(medida.perdidas), str(medida.dudas),
        str(medida.sin_veredicto), str(fila.intentos), coste,
    )  # fmt: skip


def _por_ciento(razon: float | None) -> str:
    return "—" if razon is None else f"{100 * razon:.1f} %"


def _tabla(filas: Sequence[Sequence[str]]) -> list[str]:
    """Columns as wide as their widest cell."""
    anchos = [max(map(len, columna)) for columna in zip(*filas, strict=True)]
    return ["  ".join(c.ljust(a) for c, a in zip(f, anchos, strict=True)).rstrip() for f in filas]
