"""`sobre cola`: what the agents' jobs are doing, and what a person may do about it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from datetime import datetime, timedelta

import click

from app.cli.comun import NUMERO, base_nucleo, escribir_json, opcion_json
from nucleo.cola import servicio, vista
from nucleo.cola.ajustes import contexto_configurado
from nucleo.cola.gasto import almacen as gasto
from nucleo.cola.gasto.almacen import Por, Suma
from nucleo.cola.modelo import Ambito, Intento, Trabajo
from nucleo.cola.reglas import inicio_del_dia
from nucleo.cola.vista import EstadoCola, Ficha
from nucleo.configuracion import configuracion
from nucleo.errores import ErrorEntrada
from nucleo.hermes.perfiles import leer_hermes
from nucleo.reloj import MADRID, reloj_del_sistema
from tasks.tipos import tipos_de_trabajo

numero = click.argument("identificador", metavar="ID", type=NUMERO)
SIMULADO_DICHO = "Hay trabajos hechos por el sustituto de Hermes: son simulados, sin ningún modelo."
Cambio = Callable[[sqlite3.Connection], Trabajo]


@click.group(help="Los trabajos de los agentes: verlos, pararlos, repetirlos, ordenarlos y lo que cuestan.")
def cola() -> None:
    """Root of the commands about the queue."""


@cola.command(help="Qué está en marcha, qué espera y por qué; con ID, un trabajo y todos sus intentos.")
@click.argument("identificador", metavar="[ID]", type=NUMERO, required=False)
@opcion_json
def ver(identificador: int | None, en_json: bool) -> None:
    """It asks no Hermes: whether one is up is found out when the queue is served."""
    conf, ahora = configuracion(), reloj_del_sistema()
    tipos, contexto = tipos_de_trabajo(conf.datos), contexto_configurado(conf)
    with base_nucleo() as con:
        if identificador is None:
            visto = vista.estado(con, tipos, contexto, ahora)
            _mostrar(visto.model_dump(mode="json"), _lineas_estado(visto), en_json)
        else:
            ficha = vista.ficha(con, tipos, contexto, identificador, ahora)
            _mostrar(ficha.model_dump(mode="json"), _lineas_ficha(ficha), en_json)


@cola.command(help="Vuelve a intentar un trabajo fallido, cancelado o que espera, con todos sus intentos.")
@numero
@opcion_json
def reintentar(identificador: int, en_json: bool) -> None:
    """A brake of its type still holds."""
    _cambiar(lambda con: servicio.reintentar(con, identificador, reloj_del_sistema()), en_json)


@cola.command(help="Cancela un trabajo; si está en marcha, se para y lo que proponga ya no se admite.")
@numero
@opcion_json
def cancelar(identificador: int, en_json: bool) -> None:
    """Its run is stopped by whoever serves the queue, in seconds."""
    _cambiar(lambda con: servicio.cancelar(con, identificador, reloj_del_sistema()), en_json)


@cola.command(help="Cambia la clase de un trabajo que espera: cuanto menor, antes va.")
@numero
@click.option("--clase", type=click.IntRange(-100, 100), default=0, show_default=True)
@opcion_json
def priorizar(identificador: int, clase: int, en_json: bool) -> None:
    """Age still counts, so the others are not starved."""
    _cambiar(lambda con: servicio.priorizar(con, identificador, clase), en_json)


def _ambito(tipo: str | None, perfil: str | None, proveedor: str | None) -> tuple[Ambito, str]:
    dichos = [
        (ambito, nombre)
        for ambito, nombre in (
            (Ambito.TIPO, tipo),
            (Ambito.PERFIL, perfil),
            (Ambito.PROVEEDOR, proveedor),
        )
        if nombre is not None
    ]
    if len(dichos) > 1:
        raise click.UsageError("Di solo una cosa: --tipo, --perfil o --proveedor.")
    if tipo is not None:
        _exigir_tipo(tipo)
    return dichos[0] if dichos else (Ambito.COLA, "")


def _exigir_tipo(tipo: str) -> None:
    tipos = tipos_de_trabajo(configuracion().datos)
    if tipo not in tipos:
        raise ErrorEntrada(f"No hay trabajos de tipo «{tipo}»: los que hay son {', '.join(sorted(tipos))}.")


_QUE = [
    click.option("--tipo", metavar="TIPO", help="Solo los trabajos de ese tipo."),
    click.option("--perfil", metavar="PERFIL", help="Solo los de ese perfil de Hermes."),
    click.option("--proveedor", metavar="PROVEEDOR", help="Solo los de los perfiles de ese proveedor."),
]


def _que(orden: Callable[..., None]) -> Callable[..., None]:
    for opcion in reversed(_QUE):
        orden = opcion(orden)
    return orden


@cola.command(
    help="No empieza ningún trabajo más, o ninguno de los que se digan; los que están en marcha acaban."
)
@_que
@opcion_json
def pausar(tipo: str | None, perfil: str | None, proveedor: str | None, en_json: bool) -> None:
    """Until `reanudar`."""
    ambito, nombre = _ambito(tipo, perfil, proveedor)
    with base_nucleo() as con:
        servicio.pausar(con, ambito, nombre, reloj_del_sistema())
    _mostrar(
        {"ambito": ambito, "nombre": nombre, "pausado": True}, [f"Pausado: {nombre or ambito}."], en_json
    )


@cola.command(help="Levanta la pausa o el freno de la cola, o de lo que se diga.")
@_que
@opcion_json
def reanudar(tipo: str | None, perfil: str | None, proveedor: str | None, en_json: bool) -> None:
    """What a rule put is lifted too."""
    ambito, nombre = _ambito(tipo, perfil, proveedor)
    with base_nucleo() as con:
        cuantos = servicio.reanudar(con, ambito, nombre, reloj_del_sistema())
    frase = f"Reanudado: {nombre or ambito}." if cuantos else f"No había nada que parase {nombre or ambito}."
    _mostrar({"ambito": ambito, "nombre": nombre, "levantados": cuantos}, [frase], en_json)


@cola.command(help="Lo que han usado y costado los trabajos de los últimos días.")
@click.option("--por", type=click.Choice([p.value for p in Por]), default=Por.TIPO.value, show_default=True)
@click.option("--dias", type=click.IntRange(1, 3660), default=30, show_default=True, help="Hoy incluido.")
@opcion_json
def gastos(por: str, dias: int, en_json: bool) -> None:
    """Grouped by type, by object (tender) or by model; the dearest first."""
    ahora = reloj_del_sistema()
    desde = inicio_del_dia(ahora) - timedelta(days=dias - 1)
    with base_nucleo() as con:
        sumas = gasto.sumar(con, Por(por), desde, ahora + timedelta(days=1), 200)
    _mostrar_sumas(sumas, en_json)


@cola.command(help="Compara modelos en un tipo de trabajo, sobre los objetos que todos ellos han hecho.")
@click.argument("tipo")
@click.option("--modelo", "modelos", multiple=True, help="Cuáles (por defecto, todos los que lo han hecho).")
@opcion_json
def comparar(tipo: str, modelos: tuple[str, ...], en_json: bool) -> None:
    """Same objects, so that the sums mean something side by side."""
    _exigir_tipo(tipo)
    with base_nucleo() as con:
        sumas = gasto.comparar_modelos(con, tipo, modelos or tuple(gasto.modelos_de(con, tipo)))
    _mostrar_sumas(sumas, en_json)


def _cambiar(cambio: Cambio, en_json: bool) -> None:
    with base_nucleo() as con:
        trabajo = cambio(con)
    _mostrar(trabajo.model_dump(mode="json"), [_linea(trabajo)], en_json)


def _mostrar(documento: object, lineas: list[str], en_json: bool) -> None:
    if en_json:
        escribir_json(documento)
    else:
        click.echo("\n".join(lineas))


def _mostrar_sumas(sumas: list[Suma], en_json: bool) -> None:
    moneda = leer_hermes(configuracion().hermes).moneda
    lineas = [
        f"{s.grupo or 'modelo desconocido'}: {s.coste:.4f} {moneda}"
        f" — {s.hechos} de {s.intentos} intentos con resultado, {s.entrada + s.cache_leida} + {s.salida} tokens,"
        f" {s.llamadas} llamadas, {s.segundos:.0f} s"
        + (f"; {s.sin_coste} sin coste conocido" if s.sin_coste else "")
        + (f"; {s.incompletas} con métricas incompletas" if s.incompletas else "")
        for s in sumas
    ]
    documento = {"moneda": moneda, "grupos": [s.model_dump(mode="json") for s in sumas]}
    _mostrar(documento, lineas or ["Aún no hay nada que contar."], en_json)


def _lineas_estado(visto: EstadoCola) -> list[str]:
    lineas = [
        f"{tipo}: " + ", ".join(f"{n} {estado}" for estado, n in cuentas.items()).replace("_", " ")
        for tipo, cuentas in visto.cuentas.items()
    ] or ["La cola está vacía."]
    for freno in visto.frenos:
        hasta = f", hasta {_hora(freno.hasta)}" if freno.hasta else ""
        lineas.append(f"Parado [{freno.nombre or freno.ambito}]: {freno.motivo}{hasta}")
    lineas += [
        f"En marcha: {_linea(m.trabajo)} intento {m.intento}, {m.segundos:.0f} s" for m in visto.en_marcha
    ]
    lineas += [f"Espera: {_linea(e.trabajo)} — {e.motivo or 'le toca enseguida.'}" for e in visto.esperan]
    lineas += [f"Fallido: {_linea(t)}" for t in visto.fallidos]
    lineas.append(f"Gasto de hoy {visto.gasto.dia:.4f} y del mes {visto.gasto.mes:.4f}.")
    if visto.aviso_gasto:
        lineas.append(visto.aviso_gasto)
    return [*lineas, SIMULADO_DICHO] if visto.simulado else lineas


def _lineas_ficha(ficha: Ficha) -> list[str]:
    lineas = [_linea(ficha.trabajo)]
    if ficha.motivo:
        lineas.append(f"  Espera: {ficha.motivo}")
    return lineas + [_linea_intento(*par) for par in zip(ficha.intentos, ficha.modelos, strict=True)]


def _linea(trabajo: Trabajo) -> str:
    motivo = f" ({trabajo.motivo})" if trabajo.motivo else ""
    return f"{trabajo.id} {trabajo.tipo} {trabajo.objeto}: {trabajo.estado.replace('_', ' ')}{motivo}"


def _linea_intento(intento: Intento, modelo: str | None) -> str:
    quien = f" ({modelo})" if modelo else ""
    causa = f", {intento.causa.replace('_', ' ')}" if intento.causa else ""
    detalle = f": {intento.detalle}" if intento.detalle else ""
    return f"  intento {intento.numero} [{_hora(intento.reservado)}] {intento.estado}{quien}{causa}{detalle}"


def _hora(instante: datetime) -> str:
    return f"{instante.astimezone(MADRID):%d/%m/%Y %H:%M}"
