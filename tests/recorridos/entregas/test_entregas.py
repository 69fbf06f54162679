"""The deliveries on a real file against a model: workers that die, leases that pass, runs that end."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import TypeVar

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nucleo.recorridos import almacen, lectura
from nucleo.recorridos.comandos import EJECUTOR, TipoComando
from nucleo.recorridos.entregas import servicio
from nucleo.recorridos.entregas.modelo import Entrega, EstadoEntrega
from nucleo.recorridos.errores import ErrorRecorrido
from tests.cola.mortal import Caida, conectar_mortal
from tests.recorridos.almacen.base import base_nueva, volcado
from tests.recorridos.almacen.sencillo import acabar, crear, iniciar, mandar
from tests.recorridos.partida import INICIO
from tests.recorridos.secuencias import ANA, HERMES, LUIS, NADIE

T = TypeVar("T")
PASOS = {
    ("pendiente", "arrendada"),
    ("pendiente", "anulada"),
    ("arrendada", "confirmada"),
    ("arrendada", "pendiente"),
    ("arrendada", "fundida"),
    ("arrendada", "anulada"),
    ("arrendada", "incierta"),
    ("incierta", "confirmada"),
    ("incierta", "pendiente"),
    ("incierta", "fundida"),
    ("incierta", "anulada"),
}
"""Every move that a delivery may make in one go."""


@dataclass
class Trabajador:
    """A process that sends: what it was given, and whether it got to send it."""

    entrega: Entrega
    enviada: bool = False


class Reparto:
    """Persons and the clock make notices; workers lease, send, die, acknowledge late; others reconcile."""

    def __init__(self, carpeta: Path, semilla: int, cuenta: Counter[tuple[str, str]]) -> None:
        self.azar = Random(semilla)
        self.cuenta = cuenta
        self.fichero = base_nueva(carpeta)
        self.con = conectar_mortal(self.fichero)
        self.ahora = INICIO
        self.rids = [crear(self.con).id for _ in range(2)]
        self.trabajadores: list[Trabajador] = []
        self.enviadas: dict[str, set[str]] = {}
        self.vistas = self.todas()
        self.orden = list(self.vistas)

    def jugar(self, jugadas: int) -> None:
        """That many moves of any kind, everything looked at after each."""
        de_todo: list[tuple[Callable[[], None], int]] = [
            (self.avisar, 5),
            (self.arrendar, 6),
            (self.enviar, 4),
            (self.confirmar, 3),
            (self.liberar, 3),
            (self.reconciliar, 6),
            (self.vencer, 4),
            (self.pasar_tiempo, 2),
            (self.morir, 1),
            (self.acabar, 2),
        ]
        jugadas_posibles, pesos = zip(*de_todo, strict=True)
        for _ in range(jugadas):
            self.azar.choices(jugadas_posibles, pesos)[0]()
            self.exigir()

    def hasta_morir(self, hacer: Callable[[], T]) -> T | None:
        """Do it, dying on the way sometimes: then nothing has changed."""
        antes = volcado(self.con, "recorrido_rechazo")
        self.con.quedan = self.azar.choice([None, None, None, self.azar.randrange(9)])
        try:
            return hacer()
        except Caida:
            self.con.close()
            self.con = conectar_mortal(self.fichero)
            assert volcado(self.con, "recorrido_rechazo") == antes, "I21"
            return None
        finally:
            self.con.quedan = None

    def avisar(self) -> None:
        """A pause and its end leave a notice."""
        rid = self.azar.choice(self.rids)
        if not self._viva(rid):
            return
        mandar(self.con, rid, TipoComando.PAUSAR, ANA, self.ahora)
        while str(almacen.recorrido(self.con, rid).estado) == "pausado":
            revision = almacen.recorrido(self.con, rid).revision
            self.hasta_morir(
                lambda: mandar(self.con, rid, TipoComando.REANUDAR, ANA, self.ahora, revision=revision)  # noqa: B023 - called at once
            )

    def acabar(self) -> None:
        """The run ends, and another one begins."""
        rid = self.azar.choice(self.rids)
        if self._viva(rid):
            self.hasta_morir(lambda: acabar(self.con, rid))
            self.rids.append(crear(self.con, ahora=self.ahora).id)

    def arrendar(self) -> None:
        """The one that has waited longest is given; when none is free, none."""
        assert servicio.arrendar(self.con, ("otro",), self.ahora) is None
        todas = self.todas()
        esperan = [todas[i] for i in self.orden if todas[i].estado == "pendiente"]
        libres = [e.id for e in esperan if e.no_antes <= self.ahora]
        dada = self.hasta_morir(lambda: servicio.arrendar(self.con, ("prueba",), self.ahora))
        if dada is not None:
            assert dada.id == libres[0] and dada.arriendo and dada.vence
            self.trabajadores.append(Trabajador(dada))

    def enviar(self) -> None:
        """While nobody has settled it; what is outside sees it once for each lease."""
        for uno in self._algunos(enviada=False):
            actual = self.todas()[uno.entrega.id]
            assert uno.entrega.arriendo is not None
            if actual.estado != "incierta" and actual.arriendo != uno.entrega.arriendo:
                continue
            uno.enviada = True
            self.enviadas.setdefault(uno.entrega.id, set()).add(uno.entrega.arriendo)

    def confirmar(self) -> None:
        """Whoever sent it says so, perhaps late."""
        for uno in self._algunos(enviada=True):
            self._con_arriendo(
                uno,
                "confirmada",
                lambda a: servicio.confirmar(self.con, uno.entrega.id, a, self.ahora),  # noqa: B023 - called at once
            )

    def liberar(self) -> None:
        """Whoever is sure that it sent nothing says so, perhaps late."""
        luego = self.ahora + timedelta(minutes=self.azar.choice([0, 30]))
        for uno in self._algunos(enviada=False):
            self._con_arriendo(
                uno,
                "pendiente",
                lambda a: servicio.liberar(self.con, uno.entrega.id, a, luego, "429", self.ahora),  # noqa: B023 - called at once
            )

    def _algunos(self, *, enviada: bool) -> list[Trabajador]:
        de_esos = [t for t in self.trabajadores if t.enviada is enviada]
        return self.azar.sample(de_esos, min(1, len(de_esos)))

    def _con_arriendo(self, uno: Trabajador, a: str, hacer: Callable[[str], Entrega]) -> None:
        """I33: it is accepted only from who has the lease now, and while it lasts."""
        actual = self.todas()[uno.entrega.id]
        vale = actual.arriendo == uno.entrega.arriendo and actual.vence and self.ahora < actual.vence
        assert uno.entrega.arriendo is not None
        arriendo = uno.entrega.arriendo
        try:
            hecha = self.hasta_morir(lambda: hacer(arriendo))
        except ErrorRecorrido as error:
            assert error.codigo == "ARRIENDO_PERDIDO" and not vale, "I33"
            self.trabajadores.remove(uno)
            self.cuenta["perdido", a] += 1
            return
        if hecha is not None:
            assert vale, "I33"
            assert hecha.estado == a or (a == "pendiente" and hecha.estado in ("fundida", "anulada"))
            self.trabajadores.remove(uno)

    def morir(self) -> None:
        """A worker is no more."""
        for uno in self._algunos(enviada=self.azar.random() < 0.5):
            self.trabajadores.remove(uno)

    def pasar_tiempo(self) -> None:
        """Sometimes the clock goes back: no lost lease comes to life by that."""
        self.ahora += timedelta(seconds=self.azar.choice([1, 29, 30, 60, 2400, -20]))

    def vencer(self) -> None:
        """The leases that passed, and only those."""
        debidas = [
            e.id
            for e in self.todas().values()
            if e.estado == "arrendada" and e.vence and e.vence <= self.ahora
        ]
        vencidas = self.hasta_morir(lambda: servicio.vencer(self.con, self.ahora))
        if vencidas is not None:
            assert vencidas == len(debidas)
            assert all(self.todas()[i].estado is EstadoEntrega.INCIERTA for i in debidas)

    def reconciliar(self) -> None:
        """Whoever looks outside finds the truth."""
        dudosas = servicio.inciertas(self.con)
        if not dudosas:
            return
        una = self.azar.choice(dudosas)
        llego = una.id in self.enviadas
        otra = any(e.estado == "pendiente" and e.recorrido == una.recorrido for e in self.todas().values())
        quien = self.azar.choice([ANA, EJECUTOR])
        hecha = self.hasta_morir(
            lambda: servicio.reconciliar(self.con, una.id, llego, "lo he mirado", quien, self.ahora)
        )
        if hecha is not None:
            no_llego = "fundida" if otra else "pendiente" if self._viva(una.recorrido) else "anulada"
            assert hecha.estado == ("confirmada" if llego else no_llego)

    def exigir(self) -> None:
        """What holds always."""
        todas = self.todas()
        for i, e in todas.items():
            vieja = self.vistas.get(i)
            estado = str(e.estado)
            if vieja is None:
                assert estado in ("pendiente", "anulada")
            elif estado != vieja.estado:
                assert (str(vieja.estado), estado) in PASOS
                self.cuenta[str(vieja.estado), estado] += 1
            elif estado not in ("pendiente", "arrendada"):
                assert e == vieja, "what is settled or in doubt does not move"
            assert (e.arriendo is not None) == (estado == "arrendada")
            assert (e.cerrada is not None) == (estado in ("confirmada", "fundida", "anulada"))
            assert len(self.enviadas.get(i, ())) <= 1, "it was sent twice"
            assert not (i in self.enviadas and estado in ("pendiente", "fundida", "anulada")), "it was sent"
        for rid in self.rids:
            esperan = [e for e in todas.values() if e.recorrido == rid and e.estado == "pendiente"]
            assert len(esperan) <= 1, "I32"
            assert self._viva(rid) or not esperan, "I34"
            pasos = almacen.recorrido(self.con, rid).pasos.values()
            assert all(p.intento == 0 for p in pasos), "I40: a delivery starts no step"
        self.vistas = todas
        self.orden += [i for i in todas if i not in self.orden]

    def _viva(self, rid: str) -> bool:
        return str(almacen.recorrido(self.con, rid).estado) in ("activo", "pausado")

    def todas(self) -> dict[str, Entrega]:
        """Every delivery, by its id."""
        return {e.id: e for rid in self.rids for e in lectura.entregas(self.con, rid)}


def _jugar(ejemplos: int, *, fijos: bool) -> Counter[tuple[str, str]]:
    cuenta: Counter[tuple[str, str]] = Counter()

    @settings(
        max_examples=ejemplos,
        derandomize=fijos,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(st.integers(0, 2**32 - 1))
    def jugar(semilla: int) -> None:
        with tempfile.TemporaryDirectory() as carpeta:
            reparto = Reparto(Path(carpeta), semilla, cuenta)
            reparto.jugar(60)
            reparto.con.close()

    jugar()
    return cuenta


def _exigir_cobertura(cuenta: Counter[tuple[str, str]], minimo: int) -> None:
    pocos = {
        p: cuenta[p]
        for p in (*PASOS, ("perdido", "confirmada"), ("perdido", "pendiente"))
        if cuenta[p] < minimo
    }
    assert not pocos, f"hardly ever seen: {pocos}"


def test_ninguna_se_pierde_ni_se_envia_dos_veces() -> None:
    _exigir_cobertura(_jugar(35, fijos=True), 1)


@pytest.mark.nocturno
def test_ninguna_se_pierde_ni_se_envia_dos_veces_a_fondo() -> None:
    _exigir_cobertura(_jugar(1000, fijos=False), 20)


def test_nadie_mas_dice_si_llego(tmp_path: Path) -> None:
    con = conectar_mortal(base_nueva(tmp_path))
    rid = crear(con).id
    dada = servicio.arrendar(con, ("prueba",), INICIO)
    assert dada is not None and dada.vence is not None
    with pytest.raises(ErrorRecorrido) as dicho:
        servicio.reconciliar(con, dada.id, True, "", ANA, INICIO)
    assert dicho.value.codigo == "ESTADO"
    assert servicio.vencer(con, dada.vence) == 1
    for quien in (HERMES, LUIS, NADIE):
        with pytest.raises(ErrorRecorrido) as dicho:
            servicio.reconciliar(con, dada.id, True, "", quien, INICIO)
        assert dicho.value.codigo == "PROHIBIDO"
    with pytest.raises(ErrorRecorrido) as dicho:
        servicio.reconciliar(con, "ent_no", True, "", ANA, INICIO)
    assert dicho.value.codigo == "NO_EXISTE"
    hecha = servicio.reconciliar(con, dada.id, True, "lo vi en su lista", ANA, INICIO)
    assert hecha.nota == f"{ANA.nombre}: lo vi en su lista"
    assert iniciar(con, rid).intento == 1
    con.close()


def test_el_arriendo_de_antes_no_vale_con_el_de_otro(tmp_path: Path) -> None:
    """I33: who lost it comes back when somebody else has it."""
    con = conectar_mortal(base_nueva(tmp_path))
    crear(con)
    vieja = servicio.arrendar(con, ("prueba",), INICIO)
    assert vieja is not None and vieja.vence is not None and vieja.arriendo is not None
    servicio.vencer(con, vieja.vence)
    servicio.reconciliar(con, vieja.id, False, "", EJECUTOR, vieja.vence)
    nueva = servicio.arrendar(con, ("prueba",), vieja.vence)
    assert nueva is not None and nueva.arriendo is not None
    assert (nueva.id, nueva.veces) == (vieja.id, 2)
    luego = vieja.vence + timedelta(minutes=5)
    for hacer in (
        lambda: servicio.confirmar(con, vieja.id, vieja.arriendo, vieja.vence),
        lambda: servicio.liberar(con, vieja.id, vieja.arriendo, luego, "", vieja.vence),
    ):
        with pytest.raises(ErrorRecorrido) as dicho:
            hacer()
        assert dicho.value.codigo == "ARRIENDO_PERDIDO"
    devuelta = servicio.liberar(con, nueva.id, nueva.arriendo, luego, "429", vieja.vence)
    assert (devuelta.estado, devuelta.no_antes, devuelta.nota) == ("pendiente", luego, "429")
    assert servicio.arrendar(con, ("prueba",), luego - timedelta(seconds=1)) is None
    assert servicio.arrendar(con, ("prueba",), luego) is not None
    con.close()


def test_sin_conector_queda_dicho_y_se_junta(tmp_path: Path) -> None:
    con = conectar_mortal(base_nueva(tmp_path))
    rid = crear(con, coordinador="sistema", actor=EJECUTOR).id
    mandar(con, rid, TipoComando.PAUSAR, ANA)
    mandar(con, rid, TipoComando.REANUDAR, ANA, revision=2)
    (unica,) = lectura.entregas(con, rid)
    assert unica.estado is EstadoEntrega.SIN_CONECTOR
    assert (unica.revision, unica.motivo) == (3, "reanudacion")
    assert servicio.arrendar(con, ("prueba",), INICIO) is None
    acabar(con, rid)
    (unica,) = lectura.entregas(con, rid)
    assert unica.estado is EstadoEntrega.ANULADA
    con.close()
