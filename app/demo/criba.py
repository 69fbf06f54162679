"""The demonstration's criba: the real flows and queue, the stand-in in the model's place, and one word of a person."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from datetime import datetime
from pathlib import Path

import click
from prefect import get_client

from app.demo.agente import agente_simulado
from app.demo.carpeta import ORDEN
from app.motor.preparar import poner_limites
from dominios.licitaciones import registro
from dominios.licitaciones.criba.consulta import Cribada, cribadas, decidir
from dominios.licitaciones.criba.modelo import Palabra, Situacion, Veredicto
from dominios.licitaciones.criba.servicio import Lanzamiento
from dominios.licitaciones.prefiltro.perfil import leer_perfil
from flows.cola import InformeCola, atender_cola
from flows.criba import criba
from nucleo import registro as registro_nucleo
from nucleo.bd import conectar
from nucleo.configuracion import Configuracion
from nucleo.empresa import servicio as empresa
from nucleo.empresa.yaml import importar
from nucleo.errores import ErrorSobre
from nucleo.reloj import reloj_del_sistema

AUTOR = "la demostración"
PERSONA = "persona de la demostración"
MOTIVO = "Decisión de ejemplo: la toma la demostración, no una persona de verdad."
EMPRESA = Path(__file__).with_name("empresa.yaml")
SE_MUESTRAN = 2
"""Of each verdict."""
SANGRIA = " " * 18
ORDEN_DE_INTERES = (Situacion.DUDA, Situacion.ENCAJA, Situacion.NO_ENCAJA, Situacion.SIN_VEREDICTO)
"""What a person may like to look at first."""
ROTULO = {
    Situacion.ENCAJA: "encaja",
    Situacion.DUDA: "duda",
    Situacion.NO_ENCAJA: "no encaja",
    Situacion.SIN_VEREDICTO: "sin veredicto",
    Situacion.PENDIENTE: "pendiente",
}


def cribar(conf: Configuracion) -> None:
    """From the company's profile to the first decision. Raises ErrorSobre when the agent leaves something undone."""
    inicio = reloj_del_sistema()
    click.echo(f"5 Empresa         {_importar_empresa(conf.datos)}")
    lanzada = asyncio.run(_lanzar())
    if lanzada.tandas:
        _preguntar(conf, lanzada)
    else:
        click.echo("6 Criba           no hay nada nuevo que preguntar")
    _contar(_leer(conf), inicio)
    _decidir(conf)


def _importar_empresa(datos: Path) -> str:
    """Import the invented company, unless somebody put another in its place."""
    with closing(conectar(registro_nucleo.preparar(datos))) as con:
        if not empresa.versiones(con):
            inventada = importar(EMPRESA.read_text("utf-8"), EMPRESA.name)
            empresa.guardar(con, inventada, AUTOR, "empresa inventada", reloj_del_sistema())
        vigente = empresa.vigente(con)
    cabecera = vigente.cabecera
    nota = f" ({cabecera.nota})" if cabecera.nota else ""
    return f"perfil de «{vigente.empresa.nombre}»{nota}, versión {cabecera.version}, de {cabecera.autor}"


async def _lanzar() -> Lanzamiento:
    """The real flow. Raises ErrorSobre when it lacks something."""
    async with get_client() as cliente:
        await poner_limites(cliente)
    hecho = await criba()
    if hecho is None:
        raise ErrorSobre("falta el perfil del prefiltro o el de la empresa: «sobre perfil ver» lo dice.")
    return hecho


def _preguntar(conf: Configuracion, lanzada: Lanzamiento) -> None:
    click.echo(
        f"6 Criba           {lanzada.preguntadas} licitaciones por juzgar; tandas en la cola: {lanzada.tandas}"
    )
    if conf.hermes is None:
        raise ErrorSobre("esta parte se representa con «sobre demo», que prepara el sustituto de Hermes.")
    with agente_simulado(conf.datos, conf.hermes) as donde:
        click.echo(
            f"7 Agente          Hermes SIMULADO en {donde.hermes}: sigue reglas sencillas, no hay ningún modelo.\n"
            f"{SANGRIA}Entra en {donde.mcp}, nuestro servidor MCP, con un token que se revoca al acabar"
        )
        informe = asyncio.run(_atender())
    if informe.fallos or set(informe.trabajos) != {"hecho"}:
        raise ErrorSobre("la criba se ha quedado a medias: «sobre cola ver» dice por qué.")


async def _atender() -> InformeCola:
    informe: InformeCola = await atender_cola()  # type: ignore[assignment]
    return informe


def _leer(conf: Configuracion) -> tuple[Cribada, ...]:
    perfil = leer_perfil(conf.fichero_perfil)
    with closing(conectar(conf.datos / registro.FICHERO)) as con:
        return cribadas(con, perfil.huella, reloj_del_sistema())


def _contar(todas: Sequence[Cribada], inicio: datetime) -> None:
    nuevos = sum(1 for c in todas if c.juzgada and c.juzgada.instante and c.juzgada.instante >= inicio)
    recuento = Counter(c.situacion for c in todas)
    cuentas = ", ".join(f"{recuento[s]} {ROTULO[s]}" for s in Situacion)
    click.echo(f"{SANGRIA}Veredictos nuevos: {nuevos}. De {len(todas)}: {cuentas}")
    for situacion in ORDEN_DE_INTERES:
        for una in [c for c in todas if c.juzgada and c.juzgada.situacion is situacion][:SE_MUESTRAN]:
            click.echo(f"{SANGRIA}· {_acortar(una.candidata.objeto, 80)}\n{SANGRIA}  {_propuesta(una)}")


def _propuesta(una: Cribada) -> str:
    if una.juzgada is None:
        return "Nadie la ha juzgado."
    apoyo = f" ({', '.join(una.juzgada.lineas)})" if una.juzgada.lineas else ""
    return f"El agente propone «{ROTULO[una.juzgada.situacion]}»{apoyo}. {una.juzgada.motivo}"


def _interes(una: Cribada) -> int:
    return ORDEN_DE_INTERES.index(una.situacion) if una.situacion in ORDEN_DE_INTERES else len(Situacion)


def _decidir(conf: Configuracion) -> None:
    """Record one decision, once, by the same service as `sobre criba decidir`; say how to take another."""
    todas = _leer(conf)
    libres = sorted((c for c in todas if c.palabra is None), key=_interes)
    ya = next((c for c in todas if c.palabra and c.palabra.persona == PERSONA), None)
    if ya is None and libres:
        ya = libres.pop(0)
        palabra = Palabra(
            veredicto=Veredicto.ENCAJA, motivo=MOTIVO, persona=PERSONA, creada=reloj_del_sistema()
        )
        with closing(conectar(conf.datos / registro.FICHERO)) as con:
            decidir(con, ya.candidata.licitacion_id, palabra)
        click.echo(f"8 Persona         «{PERSONA}» dice que encaja: {_acortar(ya.candidata.objeto, 70)}")
    elif ya is not None:
        click.echo(f"8 Persona         «{PERSONA}» ya decidió: {_acortar(ya.candidata.objeto, 70)}")
    if libres:
        click.echo(
            f"{SANGRIA}Lo que dice una persona gana. La siguiente la decides tú:\n"
            f"{SANGRIA}SOBRE_DATOS={conf.datos} {ORDEN} criba decidir {libres[0].candidata.entrada_id} encaja"
        )


def _acortar(texto: str, largo: int) -> str:
    return texto if len(texto) <= largo else f"{texto[: largo - 1]}…"
