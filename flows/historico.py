"""The past: years from their ZIPs, and each week a second look at the last two months."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from prefect import flow
from prefect.client.schemas.objects import State
from prefect.states import Completed, Failed

from dominios.licitaciones.radar.historico.plan import Zip, de_los_meses, del_anyo, puede_cambiar, recientes
from dominios.licitaciones.radar.importar import ResumenImportacion
from dominios.licitaciones.radar.modelo import Modelo
from dominios.licitaciones.radar.sincronizar.fuentes import Canal, canal
from nucleo.configuracion import configuracion
from nucleo.errores import ErrorSobre
from nucleo.reloj import MADRID, reloj_del_sistema
from tasks.importar import esta_cargado, importar_zip
from tasks.informe import Celda, publicar_alarmas, publicar_tabla
from tasks.placsp import conexion_placsp, descargar_zip

AUSENTE = "PLACSP no lo tiene"


class Carga(Modelo):
    """What became of a ZIP; `resumen` is None when it was not imported now, and `nota` says why."""

    fichero: Zip
    resumen: ResumenImportacion | None
    nota: str
    fallo: bool = False


@flow(description="Carga años pasados desde los ZIP de PLACSP; si se corta, continúa donde iba.")
async def historico(
    anyos: list[int], fuentes: list[str] | None = None, cabeceras: dict[str, str] | None = None
) -> State[list[Carga]]:
    """The yearly file; where there is none, the months. A closed period that is in is not read again.

    `cabeceras`: another head for some sources, on this machine; the ZIPs are looked for beside it.
    """
    cargas: list[Carga] = []
    for cada in _canales(fuentes, cabeceras):
        async with conexion_placsp(cada.politica):
            for anyo in anyos:
                cargas += await _cargar_anyo(cada, anyo, _hoy())
    return await _terminar("historico", cargas)


@flow(description="Repasa los ZIP del mes en curso y del anterior, por si la lectura continua se dejó algo.")
async def reconciliacion(
    fuentes: list[str] | None = None, cabeceras: dict[str, str] | None = None
) -> State[list[Carga]]:
    """Always read again: these files are made anew each day. Pages already in cost only their hash."""
    cargas: list[Carga] = []
    for cada in _canales(fuentes, cabeceras):
        async with conexion_placsp(cada.politica):
            cargas += [await _cargar(z) for z in recientes(cada.fuente, cada.url, _hoy())]
    return await _terminar("reconciliacion", cargas)


def _canales(fuentes: list[str] | None, cabeceras: dict[str, str] | None) -> list[Canal]:
    conf = configuracion()
    return [canal(f, (cabeceras or {}).get(f), conf) for f in fuentes or conf.fuentes]


async def _cargar_anyo(de: Canal, anyo: int, hoy: date) -> list[Carga]:
    anual = await _cargar_si_falta(del_anyo(de.fuente, de.url, anyo, hoy), hoy)
    if anual.nota != AUSENTE:
        return [anual]
    return [
        anual,
        *[await _cargar_si_falta(z, hoy) for z in de_los_meses(de.fuente, de.url, anyo, hoy)],
    ]


async def _cargar_si_falta(fichero: Zip, hoy: date) -> Carga:
    if not puede_cambiar(fichero, hoy) and await esta_cargado(fichero):
        return Carga(fichero=fichero, resumen=None, nota="ya estaba cargado")
    return await _cargar(fichero)


async def _cargar(fichero: Zip) -> Carga:
    """One ZIP that fails does not stop the others."""
    try:
        ruta = await descargar_zip(fichero)
        if ruta is None:
            return Carga(fichero=fichero, resumen=None, nota=AUSENTE)
        resumen = await importar_zip(fichero, ruta)
    except ErrorSobre as error:
        return Carga(fichero=fichero, resumen=None, nota=error.mensaje, fallo=True)
    return Carga(fichero=fichero, resumen=resumen, nota="cargado")


async def _terminar(clave: str, cargas: Sequence[Carga]) -> State[list[Carga]]:
    await publicar_tabla(f"{clave}-recuento", "Lo cargado de cada ZIP", [_fila(c) for c in cargas])
    fallos = [f"{c.fichero.nombre}: {c.nota}" for c in cargas if c.fallo]
    await publicar_alarmas(f"{clave}-alarmas", fallos)
    if fallos and len(fallos) == len(cargas):
        return Failed(message=fallos[0])
    nombre = "ConAlarmas" if fallos else "Completed"
    return Completed(
        name=nombre, message=f"{len(fallos)} ZIP sin cargar" if fallos else None, data=list(cargas)
    )


def _fila(carga: Carga) -> dict[str, Celda]:
    fila: dict[str, Celda] = {"ZIP": carga.fichero.nombre, "qué": carga.nota}
    if carga.resumen is not None:
        fila |= {
            "entradas": carga.resumen.entradas,
            "versiones nuevas": carga.resumen.versiones_nuevas,
            "en cuarentena": carga.resumen.cuarentena,
            "segundos": carga.resumen.segundos,
        }
    return fila


def _hoy() -> date:
    return reloj_del_sistema().astimezone(MADRID).date()
