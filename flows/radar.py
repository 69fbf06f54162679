"""The radar: every enabled source one after the other, then the company's profile over what changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from prefect import flow
from prefect.client.schemas.objects import State
from prefect.states import Completed, Failed

from dominios.licitaciones.prefiltro.servicio import ResumenPrefiltro
from dominios.licitaciones.radar.modelo import Modelo
from dominios.licitaciones.radar.sincronizar.pasada import ResumenPasada
from nucleo.configuracion import configuracion
from nucleo.errores import ErrorSobre
from tasks.fuente import leer_fuente
from tasks.informe import Celda, publicar_alarmas, publicar_tabla
from tasks.prefiltro import pasar_prefiltro


class Lectura(Modelo):
    """What one source gave: `pasada`, or the sentence of why it could not be read."""

    fuente: str
    pasada: ResumenPasada | None
    error: str | None


class InformeRadar(Modelo):
    """Everything of one run; `prefiltro` is None without a profile (or with a wrong one: see the alarms)."""

    lecturas: tuple[Lectura, ...]
    prefiltro: ResumenPrefiltro | None
    alarmas: tuple[str, ...]


@flow(description="Lee lo nuevo de cada conjunto de PLACSP y pasa el prefiltro.")
async def radar(
    fuentes: Sequence[str] | None = None, cabeceras: Mapping[str, str] | None = None
) -> State[InformeRadar]:
    """`cabeceras`: another head for some sources, on this machine (tests, demonstration).

    One source that fails never stops the others; the run fails only when none could be read.
    """
    lecturas = [await _leer(f, (cabeceras or {}).get(f)) for f in fuentes or configuracion().fuentes]
    alarmas = [a for lectura in lecturas for a in _alarmas(lectura)]
    prefiltro = None
    try:
        prefiltro = await pasar_prefiltro()
    except ErrorSobre as error:
        alarmas.append(f"Prefiltro: {error.mensaje}")
    informe = InformeRadar(lecturas=tuple(lecturas), prefiltro=prefiltro, alarmas=tuple(alarmas))
    await publicar_tabla("radar-recuento", "Lo leído de cada conjunto", [_fila(x) for x in lecturas])
    await publicar_alarmas("radar-alarmas", alarmas)
    return _estado(informe)


async def _leer(fuente: str, url: str | None) -> Lectura:
    try:
        return Lectura(fuente=fuente, pasada=await leer_fuente(fuente, url), error=None)
    except ErrorSobre as error:
        return Lectura(fuente=fuente, pasada=None, error=error.mensaje)


def _alarmas(lectura: Lectura) -> list[str]:
    if lectura.pasada is None:
        return [f"{lectura.fuente}: {lectura.error}"]
    return [f"{lectura.fuente}: {alarma.mensaje}" for alarma in lectura.pasada.alarmas]


def _fila(lectura: Lectura) -> dict[str, Celda]:
    if lectura.pasada is None:
        return {"conjunto": lectura.fuente, "resultado": lectura.error}
    p = lectura.pasada
    return {
        "conjunto": lectura.fuente,
        "resultado": "leído" if p.zona_conocida_alcanzada else "leído en parte; la próxima pasada sigue",
        "páginas": p.paginas,
        "entradas": p.entradas,
        "bajas": p.lapidas,
        "versiones nuevas": p.versiones_nuevas,
        "sin cambios": p.sin_cambios,
        "en cuarentena": p.cuarentena,
    }


def _estado(informe: InformeRadar) -> State[InformeRadar]:
    if all(lectura.pasada is None for lectura in informe.lecturas):
        return Failed(message=f"No se ha podido leer ningún conjunto. {informe.alarmas[0]}", data=informe)
    if informe.alarmas:
        return Completed(name="ConAlarmas", message=" ".join(informe.alarmas), data=informe)
    return Completed(data=informe)
