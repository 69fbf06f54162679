"""`sobre radar`: bring tenders in, see what was set apart, read again what is stored."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path

import click

from app.cli.comun import base_licitaciones, escribir_json, opcion_json
from dominios.licitaciones.radar.apartado.almacen import listar_cuarentena
from dominios.licitaciones.radar.importar import aliviar_recolector, importar_ficheros, preparar_lector
from dominios.licitaciones.radar.relectura.remapear import remapear as releer
from nucleo.reloj import reloj_del_sistema

PEREZOSOS = {
    "sincronizar": "app.cli.radar_sincronizar:sincronizar",
    "vigilar": "app.cli.radar_vigilar:vigilar",
}
"""Commands whose modules bring the network along: imported only when asked for."""

MERECE_PROCESOS = 4 * 1024 * 1024
"""Bytes of files from which starting other processes pays (each takes a third of a second)."""


class GrupoRadar(click.Group):
    """The radar's commands; those in PEREZOSOS are imported when used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All names, the lazy ones included."""
        return sorted([*super().list_commands(ctx), *PEREZOSOS])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, imported now if it is a lazy one."""
        if cmd_name in PEREZOSOS:
            modulo, nombre = PEREZOSOS[cmd_name].split(":")
            comando: click.Command = getattr(import_module(modulo), nombre)
            return comando
        return super().get_command(ctx, cmd_name)


@click.group(cls=GrupoRadar, help="Trae licitaciones de PLACSP y cuida de que no se pierda ninguna.")
def radar() -> None:
    """Root of the radar's commands."""


@radar.command(help="Importa páginas Atom (.atom, .xml, .gz) o ZIP de páginas, en cualquier orden.")
@click.argument("ficheros", nargs=-1, required=True, type=click.Path(path_type=Path))
@opcion_json
def importar(ficheros: tuple[Path, ...], en_json: bool) -> None:
    """Import files, reading in other processes when there is enough to read."""
    planos = [f for dado in ficheros for f in (sorted(_dentro(dado)) if dado.is_dir() else [dado])]
    with _ejecutor(planos) as ejecutor, base_licitaciones() as con:
        resumen = importar_ficheros(
            con, planos, ejecutor, reloj_del_sistema, lambda linea: click.echo(linea, err=True)
        )
    if en_json:
        escribir_json(resumen.model_dump())
        return
    click.echo(
        f"{resumen.ficheros} ficheros: {resumen.entradas} entradas, {resumen.lapidas} lápidas;"
        f" {resumen.versiones_nuevas} versiones nuevas, {resumen.sin_cambios} sin cambios,"
        f" {resumen.cuarentena} en cuarentena. Vigentes: {resumen.vigentes}. {resumen.segundos} s."
    )


def _dentro(carpeta: Path) -> Iterator[Path]:
    return (f for f in carpeta.rglob("*") if f.suffix.lower() in {".atom", ".xml", ".gz", ".zip"})


@contextmanager
def _ejecutor(ficheros: list[Path]) -> Iterator[ProcessPoolExecutor | None]:
    """Other processes to read with. Forked at once: no threads yet, and no database open that they would share.

    They are born deaf to Ctrl-C, which every process of the terminal gets: this one hears it and ends them.
    """
    if sum(f.stat().st_size for f in ficheros if f.is_file()) * 8 < MERECE_PROCESOS or _nucleos() < 2:
        yield None
        return
    aliviar_recolector()
    with ProcessPoolExecutor(
        min(2, _nucleos()), mp_context=get_context("fork"), initializer=preparar_lector
    ) as ejecutor:
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        ejecutor.submit(int).result()
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        yield ejecutor


def _nucleos() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@radar.command(help="Lista lo que no se pudo leer, con el motivo y de dónde vino.")
@opcion_json
def cuarentena(en_json: bool) -> None:
    """The quarantine."""
    with base_licitaciones() as con:
        apartadas = listar_cuarentena(con)
    if en_json:
        escribir_json([a.model_dump() for a in apartadas])
        return
    for apartada in apartadas:
        click.echo(
            f"{apartada.id}  {apartada.nivel}  {apartada.origen}  [{apartada.codigo}] {apartada.motivo}"
        )
    click.echo(
        "Nada en cuarentena." if not apartadas else f"{len(apartadas)} en cuarentena.", err=bool(apartadas)
    )


@radar.command(help="Vuelve a leer lo guardado con las reglas de ahora y reintenta la cuarentena.")
@opcion_json
def remapear(en_json: bool) -> None:
    """Read again what is stored."""
    with base_licitaciones() as con:
        resumen = releer(con, reloj_del_sistema, lambda linea: click.echo(linea, err=True))
    if en_json:
        escribir_json(resumen.model_dump())
        return
    click.echo(
        f"{resumen.versiones} versiones leídas de nuevo ({resumen.ilegibles} ilegibles);"
        f" {resumen.recuperadas} recuperadas de la cuarentena, quedan {resumen.cuarentena}."
    )
