"""`sobre salud`: is this installation well? Exit code 0 when nothing must be repaired, 1 when something must."""

from __future__ import annotations

import sys

import click

from app.cli.comun import escribir_json, opcion_json
from dominios.licitaciones import registro
from dominios.licitaciones.radar.salud.modelo import Salud, SaludFuente
from nucleo import registro as registro_nucleo
from nucleo.cola.salud import SaludAgentes
from nucleo.configuracion import configuracion
from nucleo.reloj import reloj_del_sistema
from tasks.tipos import tipos_de_trabajo

SIGNO = {"bien": "Todo bien", "avisos": "Funciona, con avisos", "mal": "Hay que arreglar algo"}


@click.command(
    help="Dice si la instalación está bien: bases de datos, edad de las fuentes, cuarentena, agentes y disco."
)
@opcion_json
def salud(en_json: bool) -> None:
    """Looks, and changes nothing."""
    conf = configuracion()
    estado = registro.salud_a_fondo(conf, reloj_del_sistema)
    agentes = registro_nucleo.salud_agentes(conf, tipos_de_trabajo(conf.datos))
    junto = _juntar(estado, agentes)
    if en_json:
        escribir_json(junto.model_dump(mode="json") | {"agentes": agentes.model_dump(mode="json")})
    else:
        click.echo("\n".join([*_lineas(junto), _linea_agentes(agentes)]))
    sys.exit(1 if junto.problemas else 0)


def _juntar(estado: Salud, agentes: SaludAgentes) -> Salud:
    """The tenders' part with what is wrong of the agents' too."""
    problemas, avisos = (*estado.problemas, *agentes.problemas), (*estado.avisos, *agentes.avisos)
    return estado.model_copy(
        update={
            "estado": "mal" if problemas else "avisos" if avisos else "bien",
            "problemas": problemas,
            "avisos": avisos,
        }
    )


def _linea_agentes(agentes: SaludAgentes) -> str:
    hermes = ", ".join(agentes.perfiles) or "ninguno configurado (SOBRE_HERMES)"
    return f"Agentes: {agentes.esperan} trabajos esperan. Hermes: {hermes}"


def _lineas(estado: Salud) -> list[str]:
    pendiente = estado.pendiente
    return [
        f"{SIGNO[estado.estado]}.",
        *(f"  ✗ {problema}" for problema in estado.problemas),
        *(f"  ! {aviso}" for aviso in estado.avisos),
        f"Base: {estado.base.fichero}, {estado.base.bytes / 1e6:.1f} MB,"
        f" esquema {estado.base.esquema[-1] if estado.base.esquema else '—'}",
        *(_linea_fuente(f) for f in estado.fuentes),
        *(
            [f"Cuarentena: {pendiente.cuarentena}. Incidencias: {pendiente.incidencias}."]
            if pendiente
            else []
        ),
        f"Disco libre: {estado.disco_libre / 1e9:.1f} GB",
    ]


def _linea_fuente(fuente: SaludFuente) -> str:
    if fuente.publicada is None:
        return f"Fuente {fuente.fuente}: aún no se ha leído en vivo"
    return f"Fuente {fuente.fuente}: publicada hace {fuente.edad_h} h"
