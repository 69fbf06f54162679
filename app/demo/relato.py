"""How the demonstration tells what happened: counts of each stage, some tenders, and where to look."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

import click

from app.demo.carpeta import ORDEN
from dominios.licitaciones import registro
from dominios.licitaciones.prefiltro.almacen import Candidata, candidatas
from dominios.licitaciones.prefiltro.efectos import en_euros
from dominios.licitaciones.prefiltro.servicio import ResumenPrefiltro
from dominios.licitaciones.radar.importar import ResumenImportacion
from dominios.licitaciones.radar.sincronizar.fuentes import CONJUNTOS
from dominios.licitaciones.radar.vista.almacen import vigentes
from flows.carpeta import InformeCarpeta
from flows.radar import InformeRadar, Lectura
from nucleo.bd import conectar_lectura
from nucleo.configuracion import Configuracion
from nucleo.reloj import MADRID, reloj_del_sistema

SE_MUESTRAN = 5
SANGRIA = " " * 18


def contar(conf: Configuracion, informe: InformeRadar | InformeCarpeta) -> None:
    """What the radar and the prefilter did, once their flow has ended."""
    if isinstance(informe, InformeCarpeta):
        _decir([_importado(informe.importacion)])
    else:
        _decir(_leido(lectura) for lectura in informe.lecturas)
    _contar_prefiltro(conf.datos, informe.prefiltro)


def _leido(lectura: Lectura) -> str:
    nombre = f"{lectura.fuente:>4} {CONJUNTOS[lectura.fuente].nombre:42s}"
    if lectura.pasada is None:
        return f"{nombre} no se ha podido leer: {lectura.error}"
    p = lectura.pasada
    return (
        f"{nombre} páginas {p.paginas:2d}, entradas {p.entradas:3d}, bajas {p.lapidas:2d}:"
        f" nuevas {p.versiones_nuevas:3d}, sin cambios {p.sin_cambios:3d}, en cuarentena {p.cuarentena}"
    )


def _importado(r: ResumenImportacion) -> str:
    return (
        f"{r.ficheros} ficheros, {r.entradas} entradas, {r.lapidas} bajas: {r.versiones_nuevas} versiones nuevas,"
        f" {r.sin_cambios} sin cambios, {r.cuarentena} en cuarentena"
    )


def _contar_prefiltro(datos: Path, resumen: ResumenPrefiltro | None) -> None:
    with closing(conectar_lectura(datos / registro.FICHERO)) as con:
        click.echo(f"{SANGRIA}en la base, {vigentes(con)} licitaciones vigentes")
        if resumen is None:
            return
        click.echo(
            f"4 Prefiltro       perfil «{resumen.perfil}»: {resumen.dentro} abiertas encajan,"
            f" {resumen.fuera} quedan fuera ({resumen.evaluadas_ahora} miradas ahora)"
        )
        elegidas = candidatas(con, resumen.huella, reloj_del_sistema(), dentro=True)
    _decir(_candidata(c) for c in elegidas[:SE_MUESTRAN])


def _candidata(candidata: Candidata) -> str:
    importe = "sin importe" if candidata.importe is None else en_euros(candidata.importe)
    plazo = f"{candidata.plazo.astimezone(MADRID):%d/%m/%Y}" if candidata.plazo else "sin plazo"
    motivo = next((r.detalle for r in candidata.decision.reglas if r.efecto == "entra"), "")
    objeto = _acortar(candidata.objeto, 80)
    return f"· {objeto}\n{SANGRIA}  {importe}, hasta el {plazo}. Entra por: {_acortar(motivo, 90)}"


def _acortar(texto: str, largo: int) -> str:
    return texto if len(texto) <= largo else f"{texto[: largo - 1]}…"


def decir_donde(conf: Configuracion) -> None:
    """The end: what to run to look at it."""
    datos = f"SOBRE_DATOS={conf.datos}"
    click.echo(
        f"\nHecho. El resultado queda en {conf.datos}. Para verlo:\n"
        f"  {datos} make up            la web, en http://127.0.0.1:{conf.puerto}\n"
        f"  {datos} {ORDEN} prefiltro     qué encaja y por qué reglas\n"
        f"  {datos} {ORDEN} criba ver     qué propone el agente y qué decide cada persona\n"
        f"  {datos} {ORDEN} cola ver      los trabajos de los agentes\n"
        f"  {datos} {ORDEN} licitacion buscar informatica\n"
        "El agente era SIMULADO. «make up» no usa nunca el sustituto: sin un Hermes de verdad configurado con\n"
        "SOBRE_HERMES (docs/hermes.md), lo que se pida a los agentes espera en la cola."
    )


def _decir(lineas: Iterable[str]) -> None:
    for linea in lineas:
        click.echo(f"{SANGRIA}{linea}")
