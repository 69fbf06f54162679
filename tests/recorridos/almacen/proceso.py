"""A process that drives runs to their end and files what they leave, to be killed: `python -m … CARPETA`.

Whatever it does carries the identifier that it would carry if it were done again: it begins each time from the start.
"""

from __future__ import annotations

import sys
from contextlib import closing
from pathlib import Path

from nucleo import registro
from nucleo.bd import conectar
from nucleo.recorridos import servicio
from nucleo.recorridos.artefactos import servicio as artefactos
from nucleo.recorridos.artefactos.modelo import NuevoArtefacto
from nucleo.recorridos.comandos import Actor, Comando, TipoComando
from nucleo.recorridos.peticiones import PeticionCrear
from nucleo.reloj import reloj_del_sistema
from tests.recorridos.almacen.sencillo import CON_CONECTOR, PLAN
from tests.recorridos.secuencias import ANA, HERMES

RECORRIDOS = 12
NOTAS = 6


def principal(carpeta: Path) -> None:
    """Each run: taken, noted some times, filed, reported and answered."""
    with closing(conectar(registro.preparar(carpeta))) as con:
        print("listo", flush=True)  # noqa: T201 - the parent waits for it
        for numero in range(RECORRIDOS):
            peticion = PeticionCrear(comando_id=f"nace-{numero}", plan=PLAN, contexto={})
            rid = servicio.crear(con, CON_CONECTOR, peticion, HERMES, reloj_del_sistema()).id

            def mandar(comando_id: str, tipo: TipoComando, actor: Actor, **partes: object) -> None:
                comando = Comando.model_validate({"comando_id": comando_id, "tipo": tipo, **partes})
                servicio.mandar(con, CON_CONECTOR, rid, comando, actor, reloj_del_sistema())  # noqa: B023 - called at once

            mandar("toma", TipoComando.INICIAR, HERMES, paso="redactar")
            suyo = {"paso": "redactar", "intento": 1, "mensaje": "voy"}
            for nota in range(NOTAS):
                mandar(f"nota-{nota}", TipoComando.ANOTAR, HERMES, **suyo)
            nuevo = NuevoArtefacto(
                comando_id="archiva", paso="redactar", intento=1, nombre="a.txt", tipo_medio="text/plain"
            )
            fichero = artefactos.registrar(
                con, carpeta, rid, nuevo, f"memoria {numero}".encode(), HERMES, reloj_del_sistema()
            ).artefacto
            mandar("acaba", TipoComando.COMPLETAR, HERMES, **suyo, salidas={"documento": fichero.id})
            mandar("contesta", TipoComando.RESPONDER, ANA, paso="revisar", revision=3)
        print("acabado", flush=True)  # noqa: T201 - the parent waits for it


if __name__ == "__main__":
    principal(Path(sys.argv[1]))
