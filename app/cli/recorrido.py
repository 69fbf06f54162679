"""`sobre recorrido`: guided runs from the command line, through the API of the running server."""

from __future__ import annotations

from collections.abc import Mapping
from io import BufferedIOBase
from pathlib import Path
from typing import Literal

import click

from app.cli.comun import CUENTA, opcion_json
from app.cli.recorrido_texto import (
    mostrar_espera,
    mostrar_pendientes,
    mostrar_proyeccion,
    mostrar_recibo,
    mostrar_recorridos,
)
from app.cli.servidor import cliente_de, opcion_url
from nucleo.recorridos.api.cuerpo import a_modelo, leer_json
from nucleo.recorridos.api.documentos import ESPERA_MAX_S, Espera
from nucleo.recorridos.cliente import Cliente, nueva_clave
from nucleo.recorridos.comandos import Comando, TipoComando
from nucleo.recorridos.estado import EstadoRecorrido
from nucleo.recorridos.lectura.modelo import FiltroBandeja, FiltroRecorridos
from nucleo.recorridos.peticiones import PeticionCrear

argumento_rid = click.argument("rid", metavar="RECORRIDO")
opcion_clave = click.option(
    "--clave", metavar="ID", help="comando_id: la misma orden con la misma clave no se hace dos veces."
)
opcion_limite = click.option(
    "--limite", type=click.IntRange(1, 500), default=50, show_default=True, help="Cuántos."
)


@click.group(
    help="Los recorridos: planes de pasos que hacen, por turnos, el programa, los agentes y las personas."
)
def recorrido() -> None:
    """Root of the commands about runs."""


@recorrido.command(
    help="Crea un recorrido: de un plan en JSON (fichero, o - para la entrada) o de una plantilla."
)
@click.option("--plan", type=click.File("rb"), metavar="FICHERO", help="Plan en JSON.")
@click.option("--plantilla", metavar="NOMBRE", help="Plantilla registrada, como «oferta@1».")
@click.option("--titulo", metavar="TEXTO", help="En vez del título del plan.")
@click.option("--dominio", metavar="DOMINIO", help="De qué trata; si no se dice, «general».")
@click.option("--objeto", "objeto_id", metavar="ID", help="Sobre qué objeto de ese dominio.")
@click.option("--contexto", metavar="JSON", help="Valores que se añaden al contexto del plan.")
@click.option("--coordinador", metavar="AGENTE", help="Quién lo coordina; si no se dice, la instalación.")
@click.option("--padre", metavar="RECORRIDO", help="De qué recorrido viene.")
@click.option("--motivo", metavar="TEXTO", help="Por qué viene de ese.")
@opcion_clave
@opcion_url
@opcion_json
def crear(clave: str | None, url: str | None, en_json: bool, **dicho: str | BufferedIOBase | None) -> None:
    """Everything wrong with the plan is told at once."""
    peticion = {"comando_id": clave or nueva_clave()} | _como_json(dicho)
    with cliente_de(url) as cliente:
        recibo = cliente.crear(a_modelo(PeticionCrear, peticion))
    mostrar_recibo(recibo, en_json)


@recorrido.command(help="Enseña un recorrido: su estado, sus pasos y a quién le toca.")
@argumento_rid
@opcion_url
@opcion_json
def ver(rid: str, url: str | None, en_json: bool) -> None:
    """With --json, all that the API tells."""
    with cliente_de(url) as cliente:
        mostrar_proyeccion(cliente.leer(rid), en_json)


@recorrido.command(help=f"Manda un comando a un recorrido. COMANDO es {', '.join(TipoComando)}.")
@argumento_rid
@click.argument("tipo", metavar="COMANDO", type=click.Choice([t.value for t in TipoComando]))
@click.option("--paso", metavar="PASO", help="Sobre qué paso.")
@click.option("--intento", type=CUENTA, metavar="N", help="De qué intento del paso se informa.")
@click.option("--revision", type=CUENTA, metavar="N", help="La revisión que has visto al decidir.")
@click.option("--salidas", metavar="JSON", help="Lo que deja el paso, o lo que se responde.")
@click.option("--mensaje", metavar="TEXTO", help="Motivo o evidencia.")
@click.option("--plan", type=click.File("rb"), metavar="FICHERO", help="Plan en JSON, para proponer_plan.")
@click.option(
    "--reconciliado", is_flag=True, default=None, help="Se ha comprobado qué pasó con el paso dudoso."
)
@opcion_clave
@opcion_url
@opcion_json
def comando(
    rid: str,
    tipo: str,
    clave: str | None,
    url: str | None,
    en_json: bool,
    **dicho: str | int | BufferedIOBase | None,
) -> None:
    """Whoever gives the order is the actor; there is no option to say another."""
    orden = {"comando_id": clave or nueva_clave(), "tipo": tipo} | _como_json(dicho)
    with cliente_de(url) as cliente:
        recibo = cliente.mandar(rid, a_modelo(Comando, orden))
    mostrar_recibo(recibo, en_json)


@recorrido.command(help="Espera a que un recorrido cambie de revisión, y lo enseña.")
@argumento_rid
@click.option("--tras", type=CUENTA, metavar="N", help="Revisión conocida; si no se dice, la de ahora.")
@click.option(
    "--segundos",
    type=click.IntRange(0, 86_400),
    default=ESPERA_MAX_S,
    show_default=True,
    help="Cuánto, como mucho.",
)
@opcion_url
@opcion_json
def esperar(rid: str, tras: int | None, segundos: int, url: str | None, en_json: bool) -> None:
    """If it does not change, it says so and ends well: nothing failed."""
    with cliente_de(url) as cliente:
        conocida = tras if tras is not None else cliente.leer(rid).recorrido.revision
        mostrar_espera(_esperar(cliente, rid, conocida, segundos), en_json)


@recorrido.command(help="Escribe el expediente de un recorrido: en HTML para leerlo o en JSON para tratarlo.")
@argumento_rid
@click.option("--formato", type=click.Choice(["html", "json"]), default="html", show_default=True)
@click.option("--salida", type=click.Path(dir_okay=False, path_type=Path), help="Fichero; si no, la salida.")
@opcion_url
def exportar(rid: str, formato: Literal["html", "json"], salida: Path | None, url: str | None) -> None:
    """Who decided what and when, with what each step received and left."""
    with cliente_de(url) as cliente:
        expediente = cliente.exportar(rid, formato)
    if salida is None:
        click.echo(expediente, nl=False)
    else:
        salida.write_bytes(expediente)


@recorrido.command(help="Lista los recorridos, los últimos primero.")
@click.option("--estado", "estados", multiple=True, type=click.Choice([e.value for e in EstadoRecorrido]))
@click.option("--texto", default="", metavar="TEXTO", help="Que lo tengan en el título.")
@click.option("--dominio", metavar="DOMINIO", help="Solo los de ese dominio.")
@click.option("--objeto", "objeto_id", metavar="ID", help="Solo los de ese objeto.")
@click.option("--archivados", is_flag=True, help="Los archivados, en vez de los que están a la vista.")
@click.option("--antes", metavar="RECORRIDO", help="A partir de ese, para seguir leyendo.")
@opcion_limite
@opcion_url
@opcion_json
def listar(url: str | None, en_json: bool, **dicho: str | int | bool | tuple[str, ...] | None) -> None:
    """A line each."""
    filtro = a_modelo(FiltroRecorridos, _dicho(dicho))
    with cliente_de(url) as cliente:
        mostrar_recorridos(cliente.listar(filtro), en_json)


@recorrido.command(help="Lo que espera a una persona en todos los recorridos, por plazo.")
@click.option("--dominio", metavar="DOMINIO", help="Solo lo de ese dominio.")
@opcion_limite
@opcion_url
@opcion_json
def bandeja(dominio: str | None, limite: int, url: str | None, en_json: bool) -> None:
    """The nearest deadline first."""
    filtro = a_modelo(FiltroBandeja, _dicho({"dominio": dominio, "limite": limite}))
    with cliente_de(url) as cliente:
        mostrar_pendientes(cliente.bandeja(filtro), en_json)


def _esperar(cliente: Cliente, rid: str, conocida: int, segundos: int) -> Espera:
    """As many requests as it takes: each one waits less than a minute."""
    while True:
        esta = min(segundos, ESPERA_MAX_S)
        espera = cliente.esperar(rid, conocida, esta)
        segundos -= esta
        if espera.cambio or segundos <= 0:
            return espera


def _dicho(valores: Mapping[str, object]) -> dict[str, object]:
    """The options that were given."""
    return {
        clave: list(valor) if isinstance(valor, tuple) else valor
        for clave, valor in valores.items()
        if valor is not None
    }


def _como_json(valores: Mapping[str, object]) -> dict[str, object]:
    """The options that were given; those that carry JSON, read as strictly as the server would."""
    dicho = _dicho(valores)
    for clave, valor in dicho.items():
        if clave in {"contexto", "salidas"}:
            dicho[clave] = leer_json(str(valor).encode())
        elif isinstance(valor, BufferedIOBase):
            dicho[clave] = leer_json(valor.read())
    return dicho
