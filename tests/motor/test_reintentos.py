"""What deserves another attempt, asked by Prefect itself."""

from __future__ import annotations

import pytest
from prefect import flow, task
from prefect.cache_policies import NO_CACHE

from nucleo.errores import DestinoProhibido, ErrorEntrada, ErrorRed, FuenteIlegible
from tasks.reintentos import reintentable
from tests.motor.servidor import FLOW_EN_PROCESO

pytestmark = FLOW_EN_PROCESO


@pytest.mark.parametrize(
    ("error", "veces"),
    [
        (ErrorRed("No contesta."), 3),
        (FuenteIlegible("Es una página HTML."), 3),
        (ErrorRed("Contesta 403.", reintentable=False), 1),
        (DestinoProhibido("Otro sitio."), 1),
        (ErrorEntrada("No vale."), 1),
        (RuntimeError("algo que no conocemos"), 3),
    ],
    ids=lambda v: type(v).__name__ if isinstance(v, Exception) else str(v),
)
async def test_solo_se_repite_lo_que_puede_salir_bien(error: Exception, veces: int) -> None:
    llamadas = 0

    @task(retries=2, retry_delay_seconds=0, retry_condition_fn=reintentable, cache_policy=NO_CACHE)
    async def falla() -> None:
        nonlocal llamadas
        llamadas += 1
        raise error

    @flow
    async def prueba() -> None:
        await falla()

    with pytest.raises(type(error)):
        await prueba()
    assert llamadas == veces
