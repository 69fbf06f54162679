"""The snapshot being changed by one command: made from it, filled by the rules, and closed into a Cambio."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from nucleo.recorridos.comandos import SIN_REVISION, Actor, Comando, TipoComando
from nucleo.recorridos.estado import (
    TERMINALES,
    Cambio,
    EstadoPaso,
    EstadoRecorrido,
    Evento,
    Intento,
    MotivoEntrega,
    Propuesta,
    Recorrido,
    Situacion,
)
from nucleo.recorridos.plan import Plan
from nucleo.recorridos.validar import PlanValido


@dataclass
class Borrador:
    """Lives within one command. `revision` is already the one that the command leaves."""

    plan: PlanValido
    antes: Recorrido
    actor: Actor
    ahora: datetime
    estado: EstadoRecorrido
    revision: int
    pasos: dict[str, EstadoPaso]
    propuesta: Propuesta | None
    archivado: datetime | None
    entrega: MotivoEntrega | None = None
    plan_nuevo: Plan | None = None
    eventos: list[Evento] = field(default_factory=list)
    intentos: list[Intento] = field(default_factory=list)

    def poner(self, paso: str, estado: Situacion, **cambios: object) -> None:
        """Move a step; what it rests on changes with it."""
        self.pasos[paso] = self.pasos[paso].model_copy(
            update={"estado": estado, "rev_base": self.revision, **cambios}
        )

    def poner_intento(self, paso: str, intento: Intento) -> None:
        """Keep the step's newest attempt as it is now."""
        self.pasos[paso] = self.pasos[paso].model_copy(update={"intento": intento.n, "ultimo": intento})
        self.intentos.append(intento)

    def ruta(self, paso: str, mensaje: str) -> None:
        """Tell where the run goes on, as a consequence of the command."""
        self._evento("ruta", paso, mensaje)

    def fin(self) -> None:
        """Everything is resolved."""
        self.estado = EstadoRecorrido.COMPLETADO
        self._evento("fin", None, "")

    def creado(self) -> None:
        """The first event."""
        self._evento("creado", None, "")

    def ordenado(self, comando: Comando) -> None:
        """The command's own event, before its consequences."""
        intento = comando.intento
        if comando.paso is not None and intento is None and comando.tipo is TipoComando.INICIAR:
            intento = self.pasos[comando.paso].intento
        self.eventos.append(
            Evento(
                n=self.antes.secuencia + len(self.eventos) + 1,
                tipo=comando.tipo,
                actor=self.actor,
                en=self.ahora,
                revision=self.revision,
                paso=comando.paso,
                intento=intento,
                mensaje=comando.mensaje,
                comando=comando,
            )
        )

    def _evento(self, tipo: str, paso: str | None, mensaje: str) -> None:
        self.eventos.append(
            Evento(
                n=self.antes.secuencia + len(self.eventos) + 1,
                tipo=tipo,
                actor=self.actor,
                en=self.ahora,
                revision=self.revision,
                paso=paso,
                mensaje=mensaje,
            )
        )

    def cerrar(self) -> Cambio:
        """What the store has to write."""
        recorrido = self.antes.model_copy(
            update={
                "estado": self.estado,
                "revision": self.revision,
                "secuencia": self.antes.secuencia + len(self.eventos),
                "plan_version": self.antes.plan_version + (self.plan_nuevo is not None),
                "propuesta": self.propuesta,
                "archivado": self.archivado,
                "actualizado": self.ahora if self.eventos else self.antes.actualizado,
                "pasos": self.pasos,
            }
        )
        return Cambio(
            recorrido=recorrido,
            eventos=tuple(self.eventos),
            intentos=tuple(self.intentos),
            entrega=None if self.estado in TERMINALES else self.entrega,
            plan_nuevo=self.plan_nuevo,
        )


def borrador_de(
    plan: PlanValido, antes: Recorrido, comando: Comando, actor: Actor, ahora: datetime
) -> Borrador:
    """A draft of what the command will leave."""
    return Borrador(
        plan=plan,
        antes=antes,
        actor=actor,
        ahora=ahora,
        estado=antes.estado,
        revision=antes.revision + (comando.tipo not in SIN_REVISION),
        pasos=dict(antes.pasos),
        propuesta=antes.propuesta,
        archivado=antes.archivado,
    )
