"""The queue on a real file against a model, whatever happens and wherever the process dies."""

from __future__ import annotations

import shutil
import tempfile
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from datetime import timedelta
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from nucleo.bd import conectar, migrar
from nucleo.cola import almacen, intentos, reglas, servicio
from nucleo.cola.frenos import almacen as frenos
from nucleo.cola.migraciones import migraciones
from nucleo.cola.modelo import (
    Ambito,
    Causa,
    Comprobacion,
    EstadoIntento,
    EstadoTrabajo,
    Instrucciones,
    Intento,
    Reclamado,
    Trabajo,
)
from nucleo.cola.reglas import Topes
from nucleo.cola.situacion import mirar
from nucleo.cola.transiciones import ABIERTOS, ACEPTAN, TABLA, TERMINALES, TransicionImposible
from tests.cola.fabrica import TIPOS, contexto, metricas
from tests.cola.mortal import Caida, conectar_mortal
from tests.conftest import AHORA

T = TypeVar("T")
A_LA_VEZ = 2
MUERTE = st.none() | st.integers(0, 14)
"""Statements that the process still gets to do."""
PARES = {(p.trabajo, p.intento) for p in TABLA} | {
    (p.a_trabajo, p.a_intento if p.a_intento in ABIERTOS else None) for p in TABLA
}


@lru_cache(maxsize=1)
def plantilla() -> Path:
    fichero = Path(tempfile.mkdtemp()) / "plantilla.db"
    migrar(fichero, migraciones)
    with closing(conectar(fichero)) as con:
        con.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return fichero


@dataclass
class Run:
    """What Hermes has of a session."""

    trabajo_id: int
    vivo: bool = True
    causa: Causa = Causa.TERMINADO


@dataclass
class Mundo:
    """What is outside of the process and outlives it."""

    runs: dict[str, Run] = field(default_factory=dict)
    resultados: set[int] = field(default_factory=set)

    def lanzar(self, intento: Intento) -> None:
        assert intento.sesion_id not in self.runs, "un intento se ha lanzado dos veces"
        self.runs[intento.sesion_id] = Run(intento.trabajo_id)
        assert sum(r.vivo for r in self.runs.values()) <= A_LA_VEZ, "hay más en marcha de los que caben"


class Maquina(RuleBasedStateMachine):
    """Rules: the queue's runner one step at a time, the agent, people, the clock; each may be cut at a statement."""

    def __init__(self) -> None:
        super().__init__()
        self.carpeta = Path(tempfile.mkdtemp())
        self.fichero = self.carpeta / "nucleo.db"
        shutil.copy(plantilla(), self.fichero)
        self.con = conectar_mortal(self.fichero)
        self.mundo = Mundo()
        self.ahora = AHORA
        self.encolados: dict[tuple[str, str], int] = {}
        self.contexto = contexto(A_LA_VEZ)

    def hasta(self, muerte: int | None, hacer: Callable[[], T]) -> T | None:
        """Do it, dying on the way if so it is; a dead process is followed by a new one."""
        self.con.quedan = muerte
        try:
            return hacer()
        except Caida:
            self.con.close()
            self.con = conectar_mortal(self.fichero)
            return None
        finally:
            self.con.quedan = None

    @rule(
        tipo=st.sampled_from(sorted(TIPOS)),
        objeto=st.sampled_from("abcd"),
        vence=st.none() | st.integers(-5, 100),
        muerte=MUERTE,
    )
    def encolar(self, tipo: str, objeto: str, vence: int | None, muerte: int | None) -> None:
        plazo = None if vence is None else self.ahora + timedelta(hours=vence)
        puesto = self.hasta(
            muerte, lambda: servicio.encolar(self.con, TIPOS, tipo, objeto, "{}", plazo, self.ahora)
        )
        if puesto is not None:
            assert self.encolados.setdefault((tipo, objeto), puesto.id) == puesto.id, (
                "se ha encolado dos veces"
            )

    @rule(
        licitaciones=st.booleans(),
        critico=st.booleans(),
        tope=st.none() | st.integers(1, 20),
    )
    def cambiar_lo_de_fuera(self, licitaciones: bool, critico: bool, tope: int | None) -> None:
        self.contexto = contexto(
            A_LA_VEZ,
            Topes(dia=None if tope is None else Decimal(tope) / 10),
            licitaciones=None if licitaciones else "No está.",
            critico=None if critico else "No está.",
        )

    @rule(muerte=MUERTE)
    def reclamar(self, muerte: int | None) -> None:
        antes = Counter(t.gastados for t in self.trabajos())
        dado = self.hasta(muerte, lambda: servicio.reclamar(self.con, TIPOS, self.contexto, self.ahora))
        assert Counter(t.gastados for t in self.trabajos()) == antes, "dar turno no gasta intento"
        if dado is None and muerte is None:
            for trabajo in self.trabajos():
                if trabajo.estado is EstadoTrabajo.PENDIENTE:
                    situacion = mirar(self.con, self.contexto.topes, tuple(TIPOS), self.ahora)
                    assert reglas.motivo_espera(trabajo, TIPOS, self.contexto, situacion, self.ahora), (
                        "algo que podía empezar no ha empezado"
                    )

    @precondition(lambda self: servicio.por_conciliar(self.con))
    @rule(
        cual=st.integers(0, 9),
        suerte=st.sampled_from(["bien", "bien", "respuesta perdida", "hermes caído"]),
        muerte=MUERTE,
    )
    def seguir(self, cual: int, suerte: str, muerte: int | None) -> None:
        """One step of one open attempt, as the runner takes it after reading where it stands."""
        abiertos = servicio.por_conciliar(self.con)
        self.hasta(muerte, lambda: self._paso(abiertos[cual % len(abiertos)], suerte))

    def _paso(self, actual: Reclamado, suerte: str) -> None:
        intento, run = actual.intento, self.mundo.runs.get(actual.intento.sesion_id)
        match intento.estado:
            case EstadoIntento.CERRANDO:
                self._cerrar(actual)
            case _ if actual.trabajo.estado is EstadoTrabajo.CANCELANDO:
                intentos.empezar_cierre(self.con, intento.id, Causa.CANCELADO, "")
            case EstadoIntento.LANZANDO:
                self._lanzar(intento, run, suerte)
            case _:
                self._mirar(intento, run)

    def _lanzar(self, intento: Intento, run: Run | None, suerte: str) -> None:
        if intento.version is None:
            encargo = Instrucciones(version="1", texto="Haz.", entrada="Esto.")
            intentos.congelar(self.con, intento.id, encargo)
            return
        if run is not None:  # an earlier launch whose answer never came
            intentos.perder_pista(self.con, intento.id, self.ahora)
            return
        if suerte == "hermes caído":
            despues = self.ahora + timedelta(minutes=1)
            intentos.devolver(self.con, intento.id, "No está en marcha.", despues, self.ahora)
            return
        self.mundo.lanzar(intento)
        if suerte == "bien":
            intentos.arrancar(self.con, intento.id, f"run_{intento.sesion_id}", self.ahora)

    def _mirar(self, intento: Intento, run: Run | None) -> None:
        assert run is not None
        muerte = reglas.motivo_de_muerte(intento, TIPOS[intento.tipo], self.ahora)
        if not run.vivo:
            intentos.empezar_cierre(self.con, intento.id, run.causa, "")
        elif muerte is not None:
            intentos.empezar_cierre(self.con, intento.id, muerte, "")

    def _cerrar(self, actual: Reclamado) -> None:
        run = self.mundo.runs.get(actual.intento.sesion_id)
        if run is not None:
            run.vivo = False
        perfil = self.contexto.perfil(actual.intento.perfil)
        assert perfil is not None
        causa = actual.intento.causa or Causa.TERMINADO
        intentos.frenar_por(self.con, causa, perfil, False, self.ahora)
        hecho = actual.trabajo.id in self.mundo.resultados
        dicho = Comprobacion(hecho=hecho, detalle="")
        intentos.cerrar(self.con, actual.intento.id, dicho, metricas(), self.ahora)

    @precondition(lambda self: self.vivos())
    @rule(cual=st.integers(0, 9))
    def proponer(self, cual: int) -> None:
        """The agent leaves its result with the nonce that it was given, whatever we think of its run."""
        vivos = self.vivos()
        sesion = vivos[cual % len(vivos)]
        nonce = next(i.nonce for i in self.intentos() if i.sesion_id == sesion)
        admitido = servicio.intento_abierto(self.con, nonce)
        if admitido is not None:
            assert admitido.sesion_id == sesion
            self.mundo.resultados.add(self.mundo.runs[sesion].trabajo_id)

    @precondition(lambda self: self.vivos())
    @rule(
        cual=st.integers(0, 9),
        causa=st.sampled_from([Causa.TERMINADO, Causa.FALLO, Causa.LIMITE_PROVEEDOR, Causa.PERDIDO]),
    )
    def acabar_run(self, cual: int, causa: Causa) -> None:
        vivos = self.vivos()
        run = self.mundo.runs[vivos[cual % len(vivos)]]
        run.vivo, run.causa = False, causa

    @rule(minutos=st.sampled_from([1, 3, 11, 31, 400]))
    def pasar_tiempo(self, minutos: int) -> None:
        self.ahora += timedelta(minutes=minutos)

    @precondition(lambda self: self.encolados)
    @rule(
        cual=st.integers(0, 20),
        orden=st.sampled_from([servicio.cancelar, servicio.reintentar]),
        muerte=MUERTE,
    )
    def mandar(self, cual: int, orden: Callable[..., object], muerte: int | None) -> None:
        """A person cancels or retries; on a job where that cannot be, nothing changes."""
        elegido = list(self.encolados.values())[cual % len(self.encolados)]
        antes = servicio.trabajo(self.con, elegido)
        try:
            self.hasta(muerte, lambda: orden(self.con, elegido, self.ahora))
        except TransicionImposible:
            assert servicio.trabajo(self.con, elegido) == antes

    @precondition(lambda self: self.encolados)
    @rule(cual=st.integers(0, 20), clase=st.integers(-1, 9), muerte=MUERTE)
    def priorizar(self, cual: int, clase: int, muerte: int | None) -> None:
        elegido = list(self.encolados.values())[cual % len(self.encolados)]
        if servicio.trabajo(self.con, elegido).estado not in TERMINALES:
            self.hasta(muerte, lambda: servicio.priorizar(self.con, elegido, clase))

    @rule(ambito=st.sampled_from([(Ambito.COLA, ""), (Ambito.TIPO, "criba")]), muerte=MUERTE)
    def pausar(self, ambito: tuple[Ambito, str], muerte: int | None) -> None:
        self.hasta(muerte, lambda: servicio.pausar(self.con, *ambito, self.ahora))

    @rule(ambito=st.sampled_from([(Ambito.COLA, ""), (Ambito.TIPO, "criba")]), muerte=MUERTE)
    def reanudar(self, ambito: tuple[Ambito, str], muerte: int | None) -> None:
        self.hasta(muerte, lambda: servicio.reanudar(self.con, *ambito, self.ahora))

    @rule(version=st.sampled_from(["1", "2"]), muerte=MUERTE)
    def estrenar(self, version: str, muerte: int | None) -> None:
        self.hasta(muerte, lambda: servicio.estrenar_version(self.con, version, self.ahora))

    @invariant()
    def todo_cuadra(self) -> None:
        trabajos, intentos_todos = {t.id: t for t in self.trabajos()}, self.intentos()
        assert set(self.encolados.values()) <= set(trabajos), "se ha perdido un trabajo"
        abiertos = [i for i in intentos_todos if i.abierto]
        assert len(abiertos) <= A_LA_VEZ
        assert len({i.trabajo_id for i in abiertos}) == len(abiertos), "un trabajo con dos intentos abiertos"
        de = {i.trabajo_id: i for i in abiertos}
        for trabajo in trabajos.values():
            intento = de.get(trabajo.id)
            assert (trabajo.estado, intento.estado if intento else None) in PARES
            fallidos = [
                i for i in intentos_todos if i.trabajo_id == trabajo.id and i.estado is EstadoIntento.FALLIDO
            ]
            assert trabajo.gastados <= min(4, len(fallidos))
            assert trabajo.estado is not EstadoTrabajo.FALLIDO or trabajo.gastados == 4
            assert trabajo.estado is not EstadoTrabajo.HECHO or trabajo.id in self.mundo.resultados
        for intento in intentos_todos:
            en_curso = trabajos[intento.trabajo_id].estado is EstadoTrabajo.EN_CURSO
            admite = servicio.intento_abierto(self.con, intento.nonce) is not None
            assert admite == (intento.estado in ACEPTAN and en_curso), "propuesta de un intento cerrado"
        corriendo = {s for s, r in self.mundo.runs.items() if r.vivo}
        assert corriendo <= {i.sesion_id for i in abiertos}, "sigue en marcha algo que se dio por cerrado"

    def teardown(self) -> None:
        """With everything in order again, all that waits is done: nothing was lost and nothing starves."""
        self.contexto = contexto(A_LA_VEZ)
        for freno in frenos.todos(self.con):
            servicio.reanudar(self.con, freno.ambito, freno.nombre, self.ahora)
        for _ in range(400):
            if all(t.estado in TERMINALES for t in self.trabajos()):
                break
            self.ahora += timedelta(minutes=9)
            servicio.reclamar(self.con, TIPOS, self.contexto, self.ahora)
            for actual in servicio.por_conciliar(self.con):
                run = self.mundo.runs.get(actual.intento.sesion_id)
                if run is not None and servicio.intento_abierto(self.con, actual.intento.nonce):
                    self.mundo.resultados.add(actual.trabajo.id)
                    run.vivo, run.causa = False, Causa.TERMINADO
                self._paso(actual, "bien")
        assert [t for t in self.trabajos() if t.estado not in TERMINALES] == []
        self.con.close()
        shutil.rmtree(self.carpeta)

    def trabajos(self) -> list[Trabajo]:
        return almacen.listar(self.con, list(EstadoTrabajo), 1000)

    def intentos(self) -> list[Intento]:
        return [i for t in self.trabajos() for i in almacen.intentos_de(self.con, t.id)]

    def vivos(self) -> list[str]:
        return [s for s, r in self.mundo.runs.items() if r.vivo]


AJUSTES = settings(deadline=None, suppress_health_check=list(HealthCheck))


class TestMaquina(Maquina.TestCase):  # type: ignore[misc, name-defined]
    """The everyday dose."""

    settings = settings(AJUSTES, max_examples=60, stateful_step_count=40)


@pytest.mark.nocturno
class TestMaquinaLarga(Maquina.TestCase):  # type: ignore[misc, name-defined]
    """The long one."""

    settings = settings(AJUSTES, max_examples=3000, stateful_step_count=80)
