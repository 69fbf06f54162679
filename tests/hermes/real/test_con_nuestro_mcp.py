"""The real hermes-agent against our own MCP server: its token, its tools, and refusals that do not knock it out."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from nucleo.agentes import servicio
from nucleo.agentes.modelo import Desenlace as DesenlaceDeLlamada
from nucleo.bd import conectar
from nucleo.hermes.desenlace import Desenlace, clasificar, sin_herramientas
from nucleo.hermes.vigia import herramientas_vistas, observar
from nucleo.reloj import reloj_del_sistema
from tests.agentes.casa import abrir_casa
from tests.hermes.real.proceso import instalacion, puertos_libres
from tests.hermes.real.proveedor import Falla, Habla, Turno, proveedor
from tests.hermes.real.test_real import acabar, cliente

pytestmark = pytest.mark.hermes_real
PROPONER = "mcp__sobre__proponer_nota"
MALAS = 4
"""One more than the failures after which Hermes gives a server up for a minute, in every run of the process."""


def insistir(encargo: dict[str, object]) -> Callable[[Turno], Habla | Falla]:
    """Wrong arguments again and again, and then right ones."""

    def hablar(turno: Turno) -> Habla | Falla:
        if turno.paso > MALAS:
            return Habla("Guardada." if '"ok":true' in turno.ultimo_resultado.replace("\\", "") else "No.")
        puntos = 900 + turno.paso if turno.paso < MALAS else 80
        return Habla(herramienta=PROPONER, argumentos=encargo | {"texto": "Encaja.", "puntos": puntos})

    return hablar


async def test_varias_propuestas_malas_seguidas_no_dejan_a_hermes_sin_herramientas(
    hermes_python: Path, tmp_path: Path
) -> None:
    with (
        abrir_casa(tmp_path) as casa,
        proveedor(insistir(encargo := casa.encargo("licitaciones"))) as modelo,
        instalacion(hermes_python, tmp_path / "hermes") as donde,
    ):
        token = casa.agente("licitaciones", "proponer:notas")
        donde.hogar.mkdir()
        donde.instalar(casa.url, modelo.base_url, {"licitaciones": token}, puertos_libres(3))
        donde.arrancar("licitaciones")
        async with cliente(donde, "licitaciones") as hermes:
            ahora = reloj_del_sistema()
            proceso = observar(None, (await hermes.salud()).pid, ahora)
            with closing(conectar(casa.fichero)) as con:
                assert herramientas_vistas(proceso, servicio.visto(con, "licitaciones"), ahora)
            lanzado = await hermes.lanzar("x", "Propón una nota.", "so-5-1-ffffffff", "so-5-1-ffffffff")
            estado = await acabar(hermes, lanzado.run_id)
            resultados = await hermes.resultados("so-5-1-ffffffff")

        assert modelo.turnos[0].herramientas == (PROPONER,)
        assert estado is not None
        assert (clasificar(estado), estado.salida) == (Desenlace.TERMINADO, "Guardada.")
        assert not sin_herramientas(resultados)
        assert casa.notas() == ([(encargo["nonce"], "Encaja.")], [(encargo["nonce"], 80)])
        assert [c.desenlace for c in casa.llamadas()].count(DesenlaceDeLlamada.BIEN) == 1
        assert len(casa.llamadas()) == MALAS + 1
