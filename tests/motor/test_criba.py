"""The criba's flow, on a real Prefect server: it puts batches in the queue and waits for nobody."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from flows.criba import criba
from nucleo.cola.almacen import listar
from tests.criba.taller import abrir, cerrar
from tests.motor.servidor import FLOW_EN_PROCESO, ServidorPrefect
from tests.radar.constructor import entrada, proceso, proyecto

pytestmark = FLOW_EN_PROCESO
AHORA = datetime.now(UTC)  # noqa: TID251 - the flow has the real clock


async def test_la_criba_pone_sus_tandas_en_la_cola_una_vez(
    datos: Path, servidor_prefect: ServidorPrefect
) -> None:
    taller = abrir(datos)
    taller.ahora = AHORA
    try:
        sin_perfil = await criba(return_state=True)
        assert sin_perfil.name == "SinPerfil"
        (datos / "perfil.yaml").write_text("nombre: Empresa Ficticia, S.L.\ncpv: {incluir: [72]}\n")
        taller.perfilar()
        hasta = (AHORA + timedelta(days=20)).date().isoformat()
        taller.guardar(
            *(
                entrada(n, f"{AHORA:%Y-%m-%d}T00:00:00.000+01:00", proyecto(), proceso(hasta))
                for n in range(1, 23)
            )
        )
        primera = await criba()
        assert primera is not None
        assert (primera.preguntadas, primera.tandas) == (22, 2)
        segunda = await criba()
        assert segunda is not None
        assert (segunda.preguntadas, segunda.tandas) == (0, 2)
        assert len(listar(taller.cola, ("pendiente",), 10)) == 2
    finally:
        cerrar(taller)
