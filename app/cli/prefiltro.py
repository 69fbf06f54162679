"""`sobre prefiltro`: which open tenders the profile lets in, and which rules say so."""

from __future__ import annotations

import sqlite3
from datetime import date, datetime
from pathlib import Path

import click

from app.cli.comun import base_licitaciones, escribir_json, opcion_json
from dominios.licitaciones.prefiltro import almacen
from dominios.licitaciones.prefiltro.almacen import Candidata, Volumen
from dominios.licitaciones.prefiltro.modelo import Perfil, Regla
from dominios.licitaciones.prefiltro.perfil import leer_perfil
from dominios.licitaciones.prefiltro.servicio import ResumenPrefiltro, prefiltrar, reevaluar
from nucleo.configuracion import configuracion
from nucleo.reloj import MADRID, reloj_del_sistema

SIGNOS = {"entra": "+", "fuera": "-", "neutral": "·"}


@click.command(help="Pasa el perfil por las licitaciones abiertas y dice qué reglas las hacen entrar.")
@opcion_json
@click.option(
    "--perfil",
    "ruta",
    type=click.Path(path_type=Path),
    help="Fichero del perfil (por defecto, SOBRE_PERFIL o perfil.yaml en la carpeta de datos).",
)
@click.option("--todas", is_flag=True, help="Lista también las que quedan fuera, con su motivo.")
@click.option("--dia", type=click.DateTime(["%Y-%m-%d"]), help="Solo las publicadas ese día (AAAA-MM-DD).")
@click.option("--reevaluar", "de_nuevo", is_flag=True, help="Vuelve a juzgar también las que ya lo estaban.")
def prefiltro(en_json: bool, ruta: Path | None, todas: bool, dia: datetime | None, de_nuevo: bool) -> None:
    """Judges what is new and lists what stands."""
    perfil = leer_perfil(ruta or configuracion().fichero_perfil)
    with base_licitaciones() as con:
        ejecutar = reevaluar if de_nuevo else prefiltrar
        resumen = ejecutar(con, perfil, reloj_del_sistema, _avisar)
        lista = _listar(con, perfil, todas=todas, dia=dia.date() if dia else None)
        por_dia = almacen.conteo_diario(con, perfil.huella)
    if en_json:
        escribir_json(_documento(resumen, por_dia, lista))
    else:
        click.echo("\n".join(_lineas(resumen, por_dia, lista)))


def _avisar(hechas: int, total: int) -> None:
    click.echo(f"Juzgadas {hechas} de {total}", err=True)


def _listar(con: sqlite3.Connection, perfil: Perfil, *, todas: bool, dia: date | None) -> list[Candidata]:
    ahora = reloj_del_sistema()
    lista = almacen.candidatas(con, perfil.huella, ahora, dentro=True)
    if todas:
        lista += almacen.candidatas(con, perfil.huella, ahora, dentro=False)
    return [c for c in lista if dia is None or c.dia == dia.isoformat()]


def _documento(
    resumen: ResumenPrefiltro, por_dia: dict[str, Volumen], lista: list[Candidata]
) -> dict[str, object]:
    return {
        "perfil": resumen.perfil,
        "evaluadas": resumen.dentro + resumen.fuera,
        "dentro": resumen.dentro,
        "fuera": resumen.fuera,
        "evaluadas_ahora": resumen.evaluadas_ahora,
        "por_dia": {dia: volumen.model_dump() for dia, volumen in por_dia.items()},
        "licitaciones": [_fila(c) for c in lista],
    }


def _fila(candidata: Candidata) -> dict[str, object]:
    return {
        "id": candidata.entrada_id,
        "titulo": candidata.objeto,
        "organo": candidata.organo,
        "importe": None if candidata.importe is None else f"{candidata.importe:.2f}",
        "plazo": candidata.plazo.astimezone(MADRID).isoformat() if candidata.plazo else None,
        "dentro": candidata.decision.dentro,
        "reglas": [r.model_dump() for r in candidata.decision.reglas],
    }


def _lineas(resumen: ResumenPrefiltro, por_dia: dict[str, Volumen], lista: list[Candidata]) -> list[str]:
    lineas = [linea for candidata in lista for linea in _ficha(candidata)]
    for dia, volumen in list(por_dia.items())[:7]:
        lineas.append(f"{dia}: {volumen.dentro} dentro, {volumen.fuera} fuera")
    lineas.append(
        f"«{resumen.perfil}»: {resumen.dentro} dentro y {resumen.fuera} fuera de las abiertas"
        f" ({resumen.evaluadas_ahora} juzgadas ahora)."
    )
    return lineas


def _ficha(candidata: Candidata) -> list[str]:
    plazo = (
        f"{candidata.plazo.astimezone(MADRID):%d/%m/%Y %H:%M}" if candidata.plazo else "sin plazo publicado"
    )
    importe = "sin importe" if candidata.importe is None else f"{candidata.importe:.2f} €"
    marca = "" if candidata.decision.dentro else "[fuera] "
    return [
        f"{marca}{candidata.objeto}",
        f"  {candidata.organo or 'Órgano sin nombre'} — {importe} — {plazo}",
        f"  {candidata.entrada_id}",
        *map(_linea_regla, candidata.decision.reglas),
        "",
    ]


def _linea_regla(regla: Regla) -> str:
    return f"  {SIGNOS[regla.efecto]} {regla.nombre}: {regla.detalle}"
