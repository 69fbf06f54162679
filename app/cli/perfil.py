"""`sobre perfil`: the company's profile, from a file to versions and back, and what it still lacks."""

from __future__ import annotations

import getpass
from pathlib import Path

import click

from app.cli.comun import NUMERO, base_nucleo, escribir_json, opcion_json
from nucleo.empresa import servicio
from nucleo.empresa.almacen import PerfilGuardado, VersionPerfil
from nucleo.empresa.faltas import Falta, faltas
from nucleo.empresa.yaml import exportar as en_yaml
from nucleo.empresa.yaml import importar as de_yaml
from nucleo.errores import NoEncontrado
from nucleo.perfil_yaml import leer_texto
from nucleo.reloj import MADRID, reloj_del_sistema

opcion_version = click.option("--version", type=NUMERO, help="Una versión anterior, por su número.")


@click.group(help="El perfil de la empresa: qué es, qué hace, qué no hace y qué puede acreditar.")
def perfil() -> None:
    """Group of the profile's commands."""


@perfil.command(help="Lee un fichero YAML y lo deja como versión nueva; si no cambia nada, no la crea.")
@click.argument("fichero", type=click.Path(path_type=Path))
@click.option("--autor", help="Quién lo cambia (por defecto, el usuario del sistema).")
@click.option("--nota", default="", help="Por qué cambia.")
@opcion_json
def importar(fichero: Path, autor: str | None, nota: str, en_json: bool) -> None:
    """Raises PerfilNoValido with the line of everything that is wrong; then nothing is kept."""
    if not fichero.is_file():
        raise NoEncontrado(f"No hay ningún fichero {fichero}: copia deploy/empresa.ejemplo.yaml y adáptalo.")
    empresa = de_yaml(leer_texto(fichero), fichero.name)
    ahora = reloj_del_sistema()
    with base_nucleo() as con:
        guardado, nueva = servicio.guardar(con, empresa, autor or getpass.getuser(), nota, ahora)
    pendientes = faltas(guardado.empresa, ahora.astimezone(MADRID).date())
    numero = guardado.cabecera.version
    if en_json:
        escribir_json({"version": numero, "nueva": nueva, "faltas": _faltas(pendientes)})
        return
    click.echo(f"Versión {numero} del perfil." if nueva else f"Nada cambia: sigue la versión {numero}.")
    click.echo(f"Faltan o han caducado {len(pendientes)} cosas: «sobre perfil ver» las dice.")


@perfil.command(help="Escribe el perfil en YAML, en un fichero o en la salida.")
@click.argument("fichero", type=click.Path(path_type=Path), required=False)
@opcion_version
def exportar(fichero: Path | None, version: int | None) -> None:
    """What is written is read back as it was. It holds personal data: the file is for its owner alone."""
    texto = en_yaml(_leer(version).empresa)
    if fichero is None:
        click.echo(texto, nl=False)
        return
    if fichero.exists():
        raise click.UsageError(f"{fichero} ya existe: bórralo o di otro nombre.")
    fichero.touch(mode=0o600)
    fichero.write_text(texto, encoding="utf-8")
    click.echo(f"Escrito en {fichero}.")


@perfil.command(help="Muestra el perfil y qué le falta, con las comprobaciones a las que afecta.")
@opcion_version
@opcion_json
def ver(version: int | None, en_json: bool) -> None:
    """The whole profile: this is for people."""
    guardado = _leer(version)
    pendientes = faltas(guardado.empresa, reloj_del_sistema().astimezone(MADRID).date())
    if en_json:
        documento = {
            **_cabecera(guardado.cabecera),
            "empresa": guardado.empresa.model_dump(mode="json"),
            "faltas": _faltas(pendientes),
        }
        escribir_json(documento)
        return
    click.echo(f"Versión {_linea(guardado.cabecera)}\n")
    click.echo(en_yaml(guardado.empresa))
    click.echo("Qué falta:" if pendientes else "No falta nada.")
    for falta in pendientes:
        click.echo(f"  {falta.campo}: {falta.mensaje} [{falta.comprobacion}]")


@perfil.command(help="Lista las versiones del perfil, de la más nueva a la más vieja.")
@opcion_json
def versiones(en_json: bool) -> None:
    """Nothing is ever overwritten."""
    with base_nucleo() as con:
        todas = servicio.versiones(con)
    if en_json:
        escribir_json([_cabecera(v) for v in todas])
        return
    for cabecera in todas:
        click.echo(_linea(cabecera))
    if not todas:
        click.echo("Aún no hay ninguna: «sobre perfil importar FICHERO» deja la primera.")


def _leer(version: int | None) -> PerfilGuardado:
    with base_nucleo() as con:
        return servicio.vigente(con) if version is None else servicio.version(con, version)


def _linea(cabecera: VersionPerfil) -> str:
    nota = f" — {cabecera.nota}" if cabecera.nota else ""
    return f"{cabecera.version}, del {cabecera.creado.astimezone(MADRID):%d/%m/%Y %H:%M}, de {cabecera.autor}{nota}"


def _cabecera(cabecera: VersionPerfil) -> dict[str, object]:
    return cabecera.model_dump(mode="json")


def _faltas(pendientes: tuple[Falta, ...]) -> list[dict[str, object]]:
    return [f.model_dump() for f in pendientes]
