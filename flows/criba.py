"""The criba: what passed the prefilter and changed goes to an agent in batches; the queue does the rest."""

from __future__ import annotations

from prefect import flow
from prefect.client.schemas.objects import State
from prefect.states import Completed

from dominios.licitaciones.criba.servicio import Lanzamiento
from nucleo.errores import NoEncontrado
from tasks.criba import buscar_fallos_criba, lanzar_criba
from tasks.informe import publicar_tabla


@flow(
    name="criba",
    description="Prepara las tandas de la criba con lo que ha pasado el prefiltro y las pone en la cola.",
)
async def criba() -> State[Lanzamiento | None]:
    """It ends when the batches are in the queue: it waits for no agent. Without profiles there is nothing to do."""
    try:
        hecho = await lanzar_criba()
        fallos = await buscar_fallos_criba()
    except NoEncontrado as error:
        return Completed(name="SinPerfil", message=error.mensaje, data=None)
    await publicar_tabla(
        "criba-recuento",
        "Lo que se ha preguntado en esta pasada",
        [{"qué": campo, "cuántas": valor} for campo, valor in hecho.model_dump().items()],
    )
    if fallos.nuevos:
        aviso = f"{fallos.nuevos} contratos que se habían descartado los ha ganado alguien a quien sigues."
        return Completed(name="ConFallos", message=f"{aviso} Míralos con «sobre criba fallos».", data=hecho)
    return Completed(data=hecho)
