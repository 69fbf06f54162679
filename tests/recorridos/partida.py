"""A run played on the engine alone, with every rule looked at after every command."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from random import Random

from nucleo.recorridos import motor
from nucleo.recorridos.comandos import EJECUTOR
from nucleo.recorridos.errores import ErrorRecorrido
from nucleo.recorridos.estado import Cambio, Recorrido
from nucleo.recorridos.motor import Nuevo
from nucleo.recorridos.plan import Plan
from nucleo.recorridos.validar import validar
from tests.recorridos.historia import Historia
from tests.recorridos.invariantes import sin_arriendos
from tests.recorridos.oraculo import Caso, motivos
from tests.recorridos.planes import CASA
from tests.recorridos.secuencias import ACTORES, ANA, FINALES, HERMES, Jugada, Jugador

INICIO = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
CONTENIDO = {
    "COMANDO_INVALIDO",
    "REVISION_REQUERIDA",
    "REVISION_DESFASADA",
    "INTENTO_VIEJO",
    "FALTA_EVIDENCIA",
    "FALTA_MOTIVO",
    "FALTA_RECONCILIAR",
    "SALIDA_INVALIDA",
    "SALIDA_NECESARIA",
    "VIGENTE",
    "PLAN_INVALIDO",
    "PASADO_ALTERADO",
    "PROHIBIDO",
}
"""With these a verb that was offered may still be refused: they are about what it carries."""


class Partida:
    """One run. `cuenta`: how many commands of each type had each outcome."""

    def __init__(self, azar: Random, plan: Plan, cuenta: Counter[tuple[str, str]]) -> None:
        self.azar = azar
        self.cuenta = cuenta
        self.plan = validar(plan, CASA)
        self.nuevo = Nuevo(id="rec_prueba", coordinador=azar.choice(["sistema", "hermes", "hermes"]))
        creador = ANA if plan.plantilla else EJECUTOR if self.nuevo.coordinador == "sistema" else HERMES
        cambio = motor.crear(self.plan, self.nuevo, creador, INICIO)
        self.foto = cambio.recorrido
        self.historia = Historia(plan, self.foto, cambio.eventos)
        self.primer_plan = plan
        self.ahora = INICIO
        self.diario: list[str] = []

    def jugar(self, jugadas: int) -> None:
        """That many commands, fewer if it ends (then some more, that must all bounce)."""
        jugador = Jugador(self.azar, self.ahora)
        restan = jugadas
        while restan > 0:
            restan -= 1
            if str(self.foto.estado) in FINALES:
                restan = min(restan, 6)
            self.mandar(jugador.jugada(self.plan.plan, self.foto))
        self.ahora = jugador.ahora

    def terminar(self) -> None:
        """I13 to the end: with everybody willing, any run can be finished."""
        jugador = Jugador(self.azar, self.ahora, sano=True)
        for _ in range(4 * len(self.plan.pasos) + 40):
            if str(self.foto.estado) in FINALES:
                return
            self.mandar(jugador.jugada(self.plan.plan, self.foto))
        raise AssertionError(("I13 the run cannot be ended", self.diario))

    def mandar(self, jugada: Jugada) -> None:
        """Send it and check what came out against the rules said apart."""
        caso = Caso(self.historia, jugada.comando, jugada.actor, jugada.ahora)
        debidos = motivos(caso)
        antes = self.foto.model_dump_json()
        ofrece = self._ofrece(jugada) if self.azar.random() < 0.4 else None
        codigo, cambio = self._aplicar(jugada)
        c = jugada.comando
        self.diario.append(f"{jugada.actor.nombre}: {c.tipo} {c.paso} i{c.intento} r{c.revision} -> {codigo}")
        self.cuenta[str(c.tipo), codigo] += 1
        assert self.foto.model_dump_json() == antes, "I22 the snapshot that was given has changed"
        if cambio is None:
            assert codigo in debidos, (codigo, debidos, self.diario)
            assert not ofrece or codigo in CONTENIDO, ("offered", codigo, self.diario)
            return
        assert not debidos, (debidos, self.diario)
        assert ofrece is not False, ("not offered", self.diario)
        self._seguir(jugada, cambio)

    def _ofrece(self, jugada: Jugada) -> bool:
        verbos = motor.posibles(self.plan, self.foto, jugada.actor)
        c = jugada.comando
        return c.tipo in (verbos.recorrido if c.paso is None else verbos.pasos.get(c.paso, ()))

    def _aplicar(self, jugada: Jugada) -> tuple[str, Cambio | None]:
        try:
            cambio = motor.aplicar(self.plan, self.foto, jugada.comando, jugada.actor, CASA, jugada.ahora)
        except ErrorRecorrido as error:
            assert error.mensaje.endswith("."), error.mensaje
            return error.codigo, None
        return "OK", cambio

    def _seguir(self, jugada: Jugada, cambio: Cambio) -> None:
        if cambio.plan_nuevo is not None:
            self.plan = validar(cambio.plan_nuevo, CASA)
        self.foto = cambio.recorrido
        try:
            self.historia.siguiente(
                jugada.comando,
                jugada.actor,
                cambio.recorrido,
                cambio.eventos,
                cambio.intentos,
                cambio.plan_nuevo,
            )
        except AssertionError as error:
            raise AssertionError((error.args, self.diario)) from error
        assert cambio.entrega is None or str(self.foto.estado) not in FINALES, "I34"
        self._exigir_pelota()

    def _exigir_pelota(self) -> None:
        pelota = motor.pelota(self.plan, self.foto)
        assert bool(pelota) == (str(self.foto.estado) not in FINALES), (
            "somebody has the ball while it is open"
        )

    def reproducir(self) -> None:
        """I42, and that nobody is offered anything that a reader may not do."""
        otra = motor.reproducir(self.primer_plan, self.nuevo, self.historia.eventos, CASA)
        assert sin_arriendos(otra) == sin_arriendos(self.foto), "I42"
        assert sin_arriendos(otra).model_dump_json() == sin_arriendos(self.foto).model_dump_json(), "I42"
        assert Recorrido.model_validate_json(self.foto.model_dump_json()) == self.foto
        for actor in ACTORES:
            verbos = motor.posibles(self.plan, self.foto, actor)
            if actor.rol == "lector" or (actor.rol is None and actor.clase == "persona"):
                assert not verbos.recorrido and not verbos.pasos, "I28"
