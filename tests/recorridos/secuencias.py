"""Random commands for a run: mostly what somebody would do next, sometimes wrong in one or two ways.

`Jugador` only looks and proposes; whoever uses it sends the command where it likes (the engine, the store with a cut
at every write) and asks `oraculo.motivos` what had to happen.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random

from pydantic import JsonValue

from nucleo.recorridos.comandos import (
    EJECUTOR,
    RELOJ,
    Actor,
    ClaseActor,
    Comando,
    RefExterna,
    TipoComando,
    Traza,
)
from nucleo.recorridos.estado import Recorrido
from nucleo.recorridos.plan import Paso, Plan
from tests.recorridos.planes import malos_de, valores_de
from tests.recorridos.revisiones import otro_plan

ANA = Actor(clase=ClaseActor.PERSONA, nombre="Ana Prueba", rol="admin")
BEA = Actor(clase=ClaseActor.PERSONA, nombre="Bea Prueba", rol="editor")
LUIS = Actor(clase=ClaseActor.PERSONA, nombre="Luis Prueba", rol="lector")
NADIE = Actor(clase=ClaseActor.PERSONA, nombre="Sin papel")
HERMES = Actor(clase=ClaseActor.AGENTE, nombre="hermes")
REDACTOR = Actor(clase=ClaseActor.AGENTE, nombre="redactor")
OTRO = Actor(clase=ClaseActor.AGENTE, nombre="otro")
IMPOSTOR = Actor(clase=ClaseActor.AGENTE, nombre="sistema")
ACTORES = (ANA, BEA, LUIS, NADIE, HERMES, REDACTOR, OTRO, IMPOSTOR, EJECUTOR, RELOJ)

ACCIONABLES = ("listo", "esperando", "en_curso", "dudoso", "fallido")
FINALES = ("completado", "rechazado", "cancelado")


@dataclass(frozen=True)
class Jugada:
    """A command, whose it is and when it is given."""

    comando: Comando
    actor: Actor
    ahora: datetime


class Jugador:
    """Proposes one command after another. `azar` decides; `sano` plays without mistakes and to end the run."""

    def __init__(self, azar: Random, ahora: datetime, *, sano: bool = False) -> None:
        self.azar = azar
        self.ahora = ahora
        self.sano = sano
        self.numero = 0

    def jugada(self, plan: Plan, foto: Recorrido) -> Jugada:
        """The next one."""
        self.ahora += timedelta(seconds=self.azar.choice([0, 1, 4, 30]))
        comando, actor = self._sensata(plan, foto)
        if not self.sano and self.azar.random() < 0.25:
            comando, actor = self._estropear(plan, foto, comando, actor)
        return Jugada(comando, actor, self.ahora)

    def _nuevo(self, tipo: TipoComando, **partes: object) -> Comando:
        self.numero += 1
        return Comando.model_validate({"comando_id": f"c{self.numero}", "tipo": tipo, **partes})

    def _sensata(self, plan: Plan, foto: Recorrido) -> tuple[Comando, Actor]:
        estado = str(foto.estado)
        if estado in FINALES:
            if not self.sano and self.azar.random() < 0.6:
                return self._tarde(plan, foto)
            tipo = TipoComando.ARCHIVAR if foto.archivado is None else TipoComando.DESARCHIVAR
            return self._nuevo(tipo), self._persona()
        if estado == "pausado" and (self.sano or self.azar.random() < 0.7):
            return self._salir_de_pausa(foto)
        dado = 1.0 if self.sano else self.azar.random()
        abiertos = [i for i, p in foto.pasos.items() if str(p.estado) in ("en_curso", "dudoso")]
        if dado < 0.03:
            return self._nuevo(
                self.azar.choice([TipoComando.CANCELAR, *[TipoComando.PAUSAR] * 2])
            ), self._persona()
        if dado < (0.05 if abiertos else 0.16):
            return self._proponer(plan, foto)
        return self._avanzar(plan, foto)

    def _tarde(self, plan: Plan, foto: Recorrido) -> tuple[Comando, Actor]:
        """A report on what was under way when the run ended, or an answer to what was asked."""
        abiertos = [p for p in plan.pasos if str(foto.pasos[p.id].estado) in ("en_curso", "dudoso")]
        if abiertos and self.azar.random() < 0.8:
            tipo = self.azar.choice(
                [TipoComando.COMPLETAR, TipoComando.FALLAR, TipoComando.LATIDO, TipoComando.ANOTAR]
            )
            return self._informe(tipo, self.azar.choice(abiertos), foto)
        paso = self.azar.choice(plan.pasos)
        return self._de_persona(self.azar.choice([TipoComando.RESPONDER, TipoComando.APROBAR]), paso, foto)

    def _persona(self) -> Actor:
        return ANA if self.sano or self.azar.random() < 0.7 else BEA

    def _salir_de_pausa(self, foto: Recorrido) -> tuple[Comando, Actor]:
        tipo = TipoComando.REANUDAR
        if not self.sano and self.azar.random() < 0.06:
            return self._nuevo(TipoComando.CANCELAR), self._persona()
        if foto.propuesta is not None:
            tipo = self.azar.choice([TipoComando.ACEPTAR_PLAN] * 2 + [TipoComando.DESCARTAR_PLAN])
        return self._nuevo(tipo, revision=foto.revision), self._persona()

    def _proponer(self, plan: Plan, foto: Recorrido) -> tuple[Comando, Actor]:
        return self._nuevo(
            TipoComando.PROPONER_PLAN,
            plan=otro_plan(self.azar, plan, foto),
            revision=foto.revision,
            mensaje="hace falta otro plan",
        ), self._coordinador(foto)

    def _coordinador(self, foto: Recorrido) -> Actor:
        return EJECUTOR if foto.coordinador == "sistema" else HERMES

    def _avanzar(self, plan: Plan, foto: Recorrido) -> tuple[Comando, Actor]:
        pasos = [p for p in plan.pasos if str(foto.pasos[p.id].estado) in ACCIONABLES]
        if str(foto.estado) == "pausado":
            pasos = [p for p in pasos if str(foto.pasos[p.id].estado) in ("en_curso", "dudoso")] or pasos
        if not pasos:
            return self._nuevo(TipoComando.PAUSAR), self._persona()
        paso = self.azar.choice(pasos)
        jugadas: dict[str, Callable[[Paso, Recorrido], tuple[Comando, Actor]]] = {
            "listo": self._listo,
            "esperando": self._esperando,
            "en_curso": self._en_curso,
            "dudoso": self._dudoso,
            "fallido": self._fallido,
        }
        return jugadas[str(foto.pasos[paso.id].estado)](paso, foto)

    def _listo(self, paso: Paso, foto: Recorrido) -> tuple[Comando, Actor]:
        if not self.sano and self.azar.random() < 0.08:
            return self._de_persona(TipoComando.DISPENSAR, paso, foto)
        if paso.ejecutor is None:
            return self._nuevo(TipoComando.INICIAR, paso=paso.id), self._coordinador(foto)
        trabajador = self.azar.choice([None, "redactor"]) if paso.ejecutor.perfil else None
        ref = RefExterna(prefect_run="p1") if trabajador else None
        return self._nuevo(TipoComando.INICIAR, paso=paso.id, trabajador=trabajador, ref=ref), EJECUTOR

    def _esperando(self, paso: Paso, foto: Recorrido) -> tuple[Comando, Actor]:
        dado = 0.0 if self.sano else self.azar.random()
        if str(paso.clase) == "manual":
            tipo = TipoComando.RESPONDER if dado < 0.8 else TipoComando.DISPENSAR
        else:
            tipo = (
                TipoComando.APROBAR if dado < (0.5 if paso.rehacer_desde else 0.88) else TipoComando.RECHAZAR
            )
            tipo = TipoComando.DISPENSAR if dado > 0.95 else tipo
        return self._de_persona(tipo, paso, foto)

    def _de_persona(self, tipo: TipoComando, paso: Paso, foto: Recorrido) -> tuple[Comando, Actor]:
        """On a screen that may be some revisions old, but not so old that the step was another thing."""
        base = foto.pasos[paso.id].rev_base
        partes: dict[str, object] = {"paso": paso.id, "revision": self.azar.randint(base, foto.revision)}
        if tipo in (TipoComando.RESPONDER, TipoComando.APROBAR):
            partes["salidas"] = self.salidas(paso)
        if tipo in (TipoComando.RECHAZAR, TipoComando.DISPENSAR):
            partes["mensaje"] = "tiene su motivo"
        return self._nuevo(tipo, **partes), self._persona()

    def salidas(self, paso: Paso) -> dict[str, JsonValue]:
        """Good outputs, the optional ones sometimes."""
        return {
            p.nombre: self.azar.choice(valores_de(p))
            for p in paso.salidas
            if p.requerido or self.azar.random() < 0.5
        }

    def _informe(self, tipo: TipoComando, paso: Paso, foto: Recorrido) -> tuple[Comando, Actor]:
        ultimo = foto.pasos[paso.id].ultimo
        actor = next(
            (a for a in (HERMES, REDACTOR, OTRO) if ultimo and a.nombre == ultimo.trabajador), EJECUTOR
        )
        if paso.ejecutor is not None and self.azar.random() < 0.3:
            actor = EJECUTOR
        partes: dict[str, object] = {"paso": paso.id, "intento": foto.pasos[paso.id].intento or 1}
        if tipo is TipoComando.COMPLETAR:
            partes["salidas"] = self.salidas(paso)
        if tipo is not TipoComando.LATIDO:
            partes["mensaje"] = "esto pasó"
        if tipo is TipoComando.ANOTAR:
            partes["traza"] = Traza(clase="accion", herramienta="leer")
        return self._nuevo(tipo, **partes), actor

    def _en_curso(self, paso: Paso, foto: Recorrido) -> tuple[Comando, Actor]:
        dado = 0.0 if self.sano else self.azar.random()
        if dado < 0.46:
            return self._informe(TipoComando.COMPLETAR, paso, foto)
        if dado < 0.5:
            return self._listo(paso, foto)
        if dado < 0.62:
            return self._informe(TipoComando.FALLAR, paso, foto)
        if dado < 0.82:
            return self._informe(self.azar.choice([TipoComando.LATIDO, TipoComando.ANOTAR]), paso, foto)
        ultimo = foto.pasos[paso.id].ultimo
        if ultimo is not None and self.azar.random() < 0.8:
            self.ahora = max(self.ahora, ultimo.vence + timedelta(seconds=self.azar.choice([-1, 0, 1])))
        return self._nuevo(TipoComando.VENCER, paso=paso.id), RELOJ

    def _dudoso(self, paso: Paso, foto: Recorrido) -> tuple[Comando, Actor]:
        dado = self.azar.random()
        if dado < 0.3 or self.sano:
            return self._informe(TipoComando.COMPLETAR, paso, foto)
        if dado < 0.4:
            return self._informe(TipoComando.FALLAR, paso, foto)
        comando, actor = self._reintento(paso, foto)
        if dado < 0.6:
            return comando.model_copy(update={"revision": None}), EJECUTOR
        return comando, actor

    def _fallido(self, paso: Paso, foto: Recorrido) -> tuple[Comando, Actor]:
        if not self.sano and self.azar.random() < 0.25:
            return self._de_persona(TipoComando.DISPENSAR, paso, foto)
        comando, actor = self._reintento(paso, foto)
        if self.azar.random() < 0.4:
            return comando.model_copy(update={"revision": None}), self._coordinador(foto)
        return comando, actor

    def _reintento(self, paso: Paso, foto: Recorrido) -> tuple[Comando, Actor]:
        comando, actor = self._de_persona(TipoComando.REINTENTAR, paso, foto)
        dudoso = str(foto.pasos[paso.id].estado) == "dudoso"
        return comando.model_copy(
            update={
                "intento": foto.pasos[paso.id].intento,
                "reconciliado": dudoso and self.azar.random() < 0.85,
                "mensaje": "he mirado y no se hizo" if dudoso and self.azar.random() < 0.9 else "",
            }
        ), actor

    def _estropear(
        self, plan: Plan, foto: Recorrido, comando: Comando, actor: Actor
    ) -> tuple[Comando, Actor]:
        """One thing wrong (or two), which may turn out to be harmless."""
        azar = self.azar
        cambios: list[Callable[[], dict[str, object]]] = [
            lambda: {"revision": azar.choice([None, 1, max(1, foto.revision - 1), foto.revision + 1])},
            lambda: {
                "intento": azar.choice([None, max(1, (comando.intento or 1) - 1), (comando.intento or 0) + 1])
            },
            lambda: {"mensaje": azar.choice(["", "   ", "algo"])},
            lambda: {"paso": azar.choice([*foto.pasos, "no-existe", None])},
            lambda: {"salidas": self._salidas_malas(plan, comando.paso)},
            lambda: {"salidas": self._salidas_malas(plan, comando.paso)},
            lambda: (
                {"revision": max(1, foto.pasos[comando.paso or "ini"].rev_base - 1)}
                if comando.paso in foto.pasos
                else {"revision": None}
            ),
            lambda: {"intento": max(1, (comando.intento or 1) - 1)},
            lambda: {"reconciliado": not comando.reconciliado},
            lambda: azar.choice(
                [
                    {"trabajador": "otro"},
                    {"traza": Traza(clase="resumen")},
                    {"plan": plan},
                    {"ref": RefExterna()},
                ]
            ),
            lambda: {"tipo": azar.choice(list(TipoComando))},
        ]
        for _ in range(azar.choice([1, 1, 1, 2])):
            if azar.random() < 0.35:
                actor = azar.choice(ACTORES)
            else:
                comando = comando.model_copy(update=azar.choice(cambios)())
        return comando, actor

    def _salidas_malas(self, plan: Plan, i: str | None) -> dict[str, JsonValue] | None:
        paso = next((p for p in plan.pasos if p.id == i), None)
        if paso is None or not paso.salidas:
            return {"nadie": 1} if self.azar.random() < 0.5 else None
        salidas = self.salidas(paso)
        puerto = self.azar.choice(paso.salidas)
        dado = self.azar.random()
        if dado < 0.2:
            salidas.pop(puerto.nombre, None)
        elif dado < 0.3:
            salidas["nadie"] = 1
        else:
            salidas[puerto.nombre] = self.azar.choice(malos_de(puerto))
        return salidas
