"""`sobre licitacion buscar`: tenders whose object, lots, buyer or file number have all the words."""

from __future__ import annotations

from itertools import islice

import click

from app.cli.comun import base_licitaciones, escribir_json, opcion_json
from dominios.licitaciones.oportunidades.modelos import Filtro, Oportunidad, Orden, Recuento
from dominios.licitaciones.oportunidades.servicio import contar, recorrer
from nucleo.codigos.cpv import prefijo_de_arbol
from nucleo.reloj import MADRID, reloj_del_sistema

SIN_TOPE = 1_000_000_000


@click.command(
    help="Busca licitaciones: los acentos y los plurales no importan, y tienen que estar todas las palabras."
)
@click.argument("texto")
@click.option("--cpv", multiple=True, metavar="RAMA", help="Rama de CPV (72, 72260000…). Se puede repetir.")
@click.option(
    "--estado", multiple=True, metavar="CÓDIGO", help="Código de estado (PUB, EV, ADJ…). Se puede repetir."
)
@click.option("--abiertas", is_flag=True, help="Solo las que siguen en plazo.")
@click.option(
    "--orden", type=click.Choice([o.value for o in Orden]), default=Orden.CIERRE.value, show_default=True
)
@click.option(
    "--limite",
    metavar="N",
    type=click.IntRange(1, 10_000),
    default=50,
    show_default=True,
    help="Cuántas se listan.",
)
@opcion_json
def buscar(  # noqa: PLR0913, PLR0917 - one parameter per option of the command
    texto: str,
    cpv: tuple[str, ...],
    estado: tuple[str, ...],
    abiertas: bool,
    orden: str,
    limite: int,
    en_json: bool,
) -> None:
    """Searches and lists."""
    filtro = Filtro(
        texto=texto[:400], cpv=tuple(map(prefijo_de_arbol, cpv)), estado=estado, solo_abiertas=abiertas
    )
    ahora = reloj_del_sistema()
    with base_licitaciones() as con:
        recuento = contar(con, filtro, ahora, SIN_TOPE)
        filas = list(islice(recorrer(con, filtro, Orden(orden), ahora), limite))
    if en_json:
        escribir_json({"total": recuento.total, "resultados": [_en_json(f) for f in filas]})
    else:
        _mostrar(recuento, filas)


def _en_json(fila: Oportunidad) -> dict[str, object]:
    return {
        "id": fila.entrada_id,
        "expediente": fila.expediente,
        "titulo": fila.objeto,
        "organo": fila.organo,
        "estado": fila.estado,
        "cpv": fila.cpv,
        "importe": None if fila.importe is None else f"{fila.importe:.2f}",
        "plazo": None if fila.plazo is None else fila.plazo.astimezone(MADRID).isoformat(),
        "abierta": fila.abierta,
        "fuente": fila.fuente,
    }


def _mostrar(recuento: Recuento, filas: list[Oportunidad]) -> None:
    if not filas:
        click.echo(
            "Ninguna licitación tiene todas esas palabras. Prueba con menos, o con el principio de una."
        )
        return
    for fila in filas:
        plazo = f"{fila.plazo.astimezone(MADRID):%d/%m/%Y %H:%M}" if fila.plazo else "sin plazo"
        signo = "*" if fila.abierta else " "
        click.echo(f"{signo} {fila.cola}  {fila.estado or '—':4} {plazo:16}  {fila.objeto[:90]}")
        click.echo(f"    {fila.organo or 'no consta el órgano'} · {fila.expediente or 'sin expediente'}")
    click.echo(f"{len(filas)} de {recuento.total} (* admite ofertas)")
