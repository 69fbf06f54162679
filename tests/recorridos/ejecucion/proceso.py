"""A process that advances a run with the test house until it may not, to be killed: `… proceso RECORRIDO`."""

from __future__ import annotations

import asyncio
import sys

from tests.recorridos.ejecucion.taller import casa_de_pruebas

if __name__ == "__main__":
    from flows.recorrido import avanzar_recorrido
    from tasks import recorrido

    recorrido.casa = casa_de_pruebas  # type: ignore[assignment]
    asyncio.run(avanzar_recorrido(sys.argv[1]))  # type: ignore[arg-type]
