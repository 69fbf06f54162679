"""Leases that passed, deliveries that nobody confirmed, agents' steps that ended, runs that may go on; and tidying.

The watch does all but the tidying each minute (app/motor/aviso_recorridos.py); this is the net below it.
"""

from __future__ import annotations

from prefect import flow
from prefect.client.schemas.objects import State
from prefect.states import Completed

from nucleo.modelo import Modelo
from tasks.barrido import barrer_ficheros, conciliar_intentos, refrescar_plazos, vencer_arriendos
from tasks.entregas import conciliar_entregas, despertar_recorridos, repartir_entregas
from tasks.informe import publicar_tabla


class InformeBarrido(Modelo):
    """How many of each."""

    vencidos: int
    conciliados: int
    entregas_conciliadas: int
    entregadas: int
    despertados: int
    plazos: int
    ficheros: int


@flow(
    name="barrido",
    description="Repasa los recorridos: arriendos, entregas, pasos de agentes, y lo que puede seguir.",
)
async def barrer() -> State[InformeBarrido]:
    """Every part is idempotent; the order lets what one frees be seen by the next."""
    informe = InformeBarrido(
        vencidos=await vencer_arriendos(),
        conciliados=await conciliar_intentos(),
        entregas_conciliadas=await conciliar_entregas(),
        entregadas=await repartir_entregas(),
        despertados=await despertar_recorridos(),
        plazos=await refrescar_plazos(),
        ficheros=await barrer_ficheros(),
    )
    if any(informe.model_dump().values()):
        filas = [{"qué": campo, "cuántos": n} for campo, n in informe.model_dump().items()]
        await publicar_tabla("recorridos-barrido", "Lo que se ha repasado", filas)
    return Completed(data=informe)
