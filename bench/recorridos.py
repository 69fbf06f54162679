"""What a command on a guided run costs, at its beginning and after ten thousand; and what reading runs costs."""

from __future__ import annotations

import sqlite3
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from itertools import count
from pathlib import Path
from statistics import median

from bench.tabla import Fila, como_mucho
from nucleo import registro
from nucleo.bd import conectar
from nucleo.recorridos import lectura, servicio
from nucleo.recorridos.casa import Casa
from nucleo.recorridos.comandos import Actor, ClaseActor, Comando, TipoComando
from nucleo.recorridos.lectura.modelo import FiltroBandeja, FiltroRecorridos
from nucleo.recorridos.peticiones import PeticionCrear
from nucleo.recorridos.plan import Clase, Interaccion, Paso, Plan
from nucleo.reloj import reloj_del_sistema

ANTES, DESPUES = 10, 10_000
"""Commands that the run has had when it is measured."""
PASOS = 40
MUESTRAS = 400
OTROS = 1_000
"""Runs with something that waits for a person, for the lists."""
AGENTE = Actor(clase=ClaseActor.AGENTE, nombre="agente")
CASA = Casa(conector=lambda _: "prueba")


def medir() -> list[Fila]:
    """Two rows of commands and two of reads; WAL with synchronous=NORMAL, as the program has it."""
    with tempfile.TemporaryDirectory() as carpeta, closing(conectar(registro.preparar(Path(carpeta)))) as con:
        pronto, tarde, viejo = _comandos(con)
        todo = _ciclos(con)
        lista, bandeja, uno = _lecturas(con, viejo)
    return [
        como_mucho(
            f"recorridos: comando tras {DESPUES} frente a tras {ANTES}",
            tarde / pronto,
            1.2,
            "×",
            f"dos recorridos iguales de {PASOS} pasos: {pronto:.2f} y {tarde:.2f} ms de mediana",
        ),
        como_mucho(
            "recorridos: comando, mediana",
            todo,
            5.0,
            "ms",
            f"iniciar, anotar y completar, plan de {PASOS} pasos",
        ),
        como_mucho("recorridos: leer uno, mediana", uno, 20.0, "ms", f"el de {DESPUES} comandos"),
        como_mucho(
            f"recorridos: bandeja con {OTROS} preguntas, mediana",
            bandeja,
            50.0,
            "ms",
            f"sus 100 primeras; la lista de 50 recorridos, {lista:.1f} ms",
        ),
    ]


def _cadena(pasos: int) -> Plan:
    """Agent's tasks one after another, and a person's question at the end."""
    todos = [Paso(id="ini", titulo="Inicio", clase=Clase.INICIO)]
    for n in range(pasos - 3):
        todos.append(Paso(id=f"t{n}", titulo=f"Tarea {n}", clase=Clase.AGENTE, dependencias=(todos[-1].id,)))
    todos.append(
        Paso(
            id="pregunta",
            titulo="Pregunta",
            clase=Clase.MANUAL,
            dependencias=(todos[-1].id,),
            interaccion=Interaccion(pregunta="¿Seguimos?"),
        )
    )
    todos.append(Paso(id="fin", titulo="Fin", clase=Clase.FIN, dependencias=("pregunta",)))
    return Plan(titulo="Cadena", contexto={}, pasos=tuple(todos))


class _Recorrido:
    """One run, commanded with identifiers of its own."""

    def __init__(self, con: sqlite3.Connection, clave: str, pasos: int) -> None:
        self._con = con
        self._numeros = count()
        peticion = PeticionCrear(comando_id=clave, plan=_cadena(pasos), contexto={})
        self.rid = servicio.crear(con, CASA, peticion, AGENTE, reloj_del_sistema()).id

    def mandar(self, tipo: TipoComando, paso: str, intento: int | None = 1) -> float:
        """Milliseconds that the command takes."""
        mensaje = "" if tipo is TipoComando.INICIAR else "Esto es lo que ha pasado en este paso."
        comando = Comando(
            comando_id=f"c{next(self._numeros)}",
            tipo=tipo,
            paso=paso,
            intento=None if tipo is TipoComando.INICIAR else intento,
            mensaje=mensaje,
        )
        inicio = time.perf_counter()
        servicio.mandar(self._con, CASA, self.rid, comando, AGENTE, reloj_del_sistema())
        return 1000 * (time.perf_counter() - inicio)


def _comandos(con: sqlite3.Connection) -> tuple[float, float, str]:
    """Medians of the same command on a young run and on an old one, and which the old one is.

    They take turns, so that whatever else the machine does falls on both.
    """
    viejo, nuevo = (_Recorrido(con, clave, PASOS) for clave in ("viejo", "nuevo"))
    for uno, cuantos in ((viejo, DESPUES), (nuevo, ANTES)):
        uno.mandar(TipoComando.INICIAR, "t0")
        for _ in range(cuantos):
            uno.mandar(TipoComando.ANOTAR, "t0")
    pronto, tarde = [], []
    for _ in range(MUESTRAS):
        pronto.append(nuevo.mandar(TipoComando.ANOTAR, "t0"))
        tarde.append(viejo.mandar(TipoComando.ANOTAR, "t0"))
    return median(pronto), median(tarde), viejo.rid


def _ciclos(con: sqlite3.Connection) -> float:
    """Median of the commands of whole steps, which do move the run."""
    recorrido = _Recorrido(con, "ciclos", PASOS)
    tipos = (TipoComando.INICIAR, TipoComando.ANOTAR, TipoComando.COMPLETAR)
    return median(recorrido.mandar(tipo, f"t{n}") for n in range(PASOS - 3) for tipo in tipos)


def _lecturas(con: sqlite3.Connection, viejo: str) -> tuple[float, float, float]:
    """Medians of the list, the inbox and one run, in milliseconds."""
    for n in range(OTROS):
        _Recorrido(con, f"otro-{n}", 3)
    return (
        _mediana(lambda: lectura.listar(con, FiltroRecorridos())),
        _mediana(lambda: lectura.bandeja(con, FiltroBandeja())),
        _mediana(lambda: lectura.leer(con, CASA, viejo)),
    )


def _mediana(hacer: Callable[[], object]) -> float:
    muestras = []
    for _ in range(30):
        inicio = time.perf_counter()
        hacer()
        muestras.append(1000 * (time.perf_counter() - inicio))
    return median(muestras)
