"""`sobre criba`: what agents and people say of the prefiltered tenders; a person's word is given here."""

from __future__ import annotations

import getpass
from collections import Counter

import click

from app.cli.comun import NUMERO, base_licitaciones, base_nucleo, escribir_json, opcion_json
from dominios.licitaciones.criba.consulta import Cribada, cribadas
from dominios.licitaciones.criba.consulta import decidir as decidir_una
from dominios.licitaciones.criba.fallos import servicio as fallos_servicio
from dominios.licitaciones.criba.fallos.modelo import Cambio, Fallo
from dominios.licitaciones.criba.modelo import Palabra, Situacion, Veredicto
from dominios.licitaciones.criba.servicio import lanzar as lanzar_criba
from dominios.licitaciones.criba.servicio import repetir as repetir_criba
from dominios.licitaciones.prefiltro.perfil import leer_perfil
from dominios.licitaciones.radar.consulta import localizar
from nucleo.configuracion import configuracion
from nucleo.reloj import MADRID, reloj_del_sistema
from tasks.tipos import tipos_de_trabajo

ROTULO = {
    Situacion.ENCAJA: "encaja",
    Situacion.DUDA: "duda",
    Situacion.NO_ENCAJA: "no encaja",
    Situacion.SIN_VEREDICTO: "sin veredicto",
    Situacion.PENDIENTE: "pendiente",
}


@click.group(help="La criba: qué dicen los agentes, y qué deciden las personas, de lo que pasa el prefiltro.")
def criba() -> None:
    """Group of the criba's commands."""


@criba.command(help="Pone en la cola lo que está por juzgar, sin esperar a la próxima pasada.")
@opcion_json
def lanzar(en_json: bool) -> None:
    """Raises NoEncontrado when the prefilter's profile or the company's is missing."""
    conf = configuracion()
    perfil = leer_perfil(conf.fichero_perfil)
    with base_licitaciones() as con, base_nucleo() as cola:
        hecho = lanzar_criba(con, cola, tipos_de_trabajo(conf.datos), perfil.huella, reloj_del_sistema)
    if en_json:
        escribir_json(hecho.model_dump())
        return
    click.echo(f"{hecho.preguntadas} licitaciones por juzgar; {hecho.tandas} tandas esperan a un agente.")
    if hecho.quedan:
        click.echo(f"{hecho.quedan} quedan para la próxima pasada.")
    if hecho.sin_veredicto:
        click.echo(f"{hecho.sin_veredicto} se quedan sin veredicto: su trabajo no ha salido.")
    if hecho.tandas and conf.hermes is None:
        click.echo(
            "No hay ningún Hermes configurado: esperarán hasta que lo haya (SOBRE_HERMES, docs/hermes.md)."
        )


@criba.command(
    help="Vuelve a preguntar lo que quedó sin veredicto, en la próxima pasada («lanzar» la da ya)."
)
@opcion_json
def repetir(en_json: bool) -> None:
    """For when what failed (a model, a key, a Hermes) has been mended."""
    with base_licitaciones() as con:
        cuantas = repetir_criba(con)
    if en_json:
        escribir_json({"repetidas": cuantas})
        return
    click.echo(
        f"{cuantas} licitaciones sin veredicto se volverán a preguntar: «sobre criba lanzar» lo hace ya."
    )


@criba.command(
    help="Lista todo lo que pasa el prefiltro, con su situación y por qué. Nada se quita de la lista."
)
@click.option(
    "--situacion",
    "elegidas",
    type=click.Choice([s.value for s in Situacion]),
    multiple=True,
    help="Solo las que están así. Se puede repetir.",
)
@opcion_json
def ver(elegidas: tuple[str, ...], en_json: bool) -> None:
    """The counts are of everything, whatever is chosen to be listed."""
    perfil = leer_perfil(configuracion().fichero_perfil)
    with base_licitaciones() as con:
        todas = cribadas(con, perfil.huella, reloj_del_sistema())
    recuento = Counter(c.situacion for c in todas)
    lista = [c for c in todas if not elegidas or c.situacion.value in elegidas]
    if en_json:
        cuenta = {s.value: recuento[s] for s in Situacion}
        escribir_json(
            {"total": len(todas), "recuento": cuenta, "licitaciones": [_documento(c) for c in lista]}
        )
        return
    for cribada in lista:
        click.echo("\n".join(_ficha(cribada)))
    click.echo(", ".join(f"{recuento[s]} {ROTULO[s]}" for s in Situacion) + f"; {len(todas)} en total.")


@criba.command(help="Deja la palabra de una persona sobre una licitación: gana a la de cualquier agente.")
@click.argument("identificador", metavar="ID")
@click.argument("veredicto", type=click.Choice([v.value for v in Veredicto]))
@click.option("--motivo", default="", help="Por qué.")
@click.option("--persona", help="Quién lo decide (por defecto, el usuario del sistema).")
@opcion_json
def decidir(identificador: str, veredicto: str, motivo: str, persona: str | None, en_json: bool) -> None:
    """What was said before is kept; the newest word counts."""
    palabra = Palabra(
        veredicto=Veredicto(veredicto),
        motivo=motivo,
        persona=persona or getpass.getuser(),
        creada=reloj_del_sistema(),
    )
    with base_licitaciones() as con:
        decidir_una(con, localizar(con, identificador), palabra)
    if en_json:
        escribir_json({"id": identificador, **palabra.model_dump(mode="json")})
        return
    click.echo(f"Anotado: {ROTULO[Situacion(veredicto)]}, según {palabra.persona}.")


@criba.command(
    help="Lo descartado que ha ganado la empresa o alguien a quien sigue, y el cambio que propone."
)
@opcion_json
def fallos(en_json: bool) -> None:
    """It changes no profile: that is for people."""
    with base_licitaciones() as con:
        todos = fallos_servicio.fallos(con)
    if en_json:
        escribir_json([f.model_dump(mode="json", exclude={"licitacion_id"}) for f in todos])
        return
    for fallo in todos:
        click.echo("\n".join(_ficha_fallo(fallo)))
    click.echo(f"{sum(f.atendido is None for f in todos)} sin atender, {len(todos)} en total.")


@criba.command(help="Da un fallo por atendido, se haya cambiado el perfil o no.")
@click.argument("numero", type=NUMERO)
@click.option("--persona", help="Quién lo atiende (por defecto, el usuario del sistema).")
def atender(numero: int, persona: str | None) -> None:
    """Raises NoEncontrado."""
    with base_licitaciones() as con:
        fallo = fallos_servicio.atender(con, numero, persona or getpass.getuser(), reloj_del_sistema())
    click.echo(f"Atendido el {fallo.id} por {fallo.persona}.")


def _documento(cribada: Cribada) -> dict[str, object]:
    candidata = cribada.candidata
    return {
        "id": candidata.entrada_id,
        "titulo": candidata.objeto,
        "organo": candidata.organo,
        "plazo": candidata.plazo.astimezone(MADRID).isoformat() if candidata.plazo else None,
        "situacion": cribada.situacion.value,
        "agente": cribada.juzgada.model_dump(mode="json") if cribada.juzgada else None,
        "persona": cribada.palabra.model_dump(mode="json") if cribada.palabra else None,
        "prefiltro": [r.model_dump() for r in candidata.decision.reglas],
    }


def _ficha(cribada: Cribada) -> list[str]:
    candidata = cribada.candidata
    lineas = [f"[{ROTULO[cribada.situacion]}] {candidata.objeto}", f"  {candidata.entrada_id}"]
    if cribada.palabra is not None:
        porque = f": {cribada.palabra.motivo}" if cribada.palabra.motivo else ""
        lineas.append(
            f"  {cribada.palabra.persona} dice «{ROTULO[Situacion(cribada.palabra.veredicto)]}»{porque}"
        )
    if cribada.juzgada is not None and cribada.juzgada.situacion is not Situacion.PENDIENTE:
        apoyo = f" ({', '.join(cribada.juzgada.lineas)})" if cribada.juzgada.lineas else ""
        lineas.append(f"  Agente: «{ROTULO[cribada.juzgada.situacion]}»{apoyo}. {cribada.juzgada.motivo}")
    return [*lineas, ""]


def _ficha_fallo(fallo: Fallo) -> list[str]:
    marca = f"atendido por {fallo.persona}" if fallo.atendido else "sin atender"
    return [
        f"{fallo.id} [{marca}] {fallo.objeto}",
        f"  {fallo.entrada_id}",
        f"  Lo ha ganado {fallo.ganador}, y lo descartó: {fallo.donde}.",
        *(f"  → {_linea_cambio(c)}" for c in fallo.cambios),
        "",
    ]


def _linea_cambio(cambio: Cambio) -> str:
    valor = f" «{cambio.valor}»" if cambio.valor else ""
    return f"perfil de {cambio.perfil}, {cambio.campo}: {cambio.accion}{valor} ({cambio.porque})"
