"""Others who work on the runs while a browser looks at them: an agent, a second person, the clock."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import Any
from uuid import uuid4

from nucleo import registro
from nucleo.bd import conectar
from nucleo.recorridos import almacen, servicio
from nucleo.recorridos.artefactos import servicio as de_artefactos
from nucleo.recorridos.artefactos.modelo import NuevoArtefacto
from nucleo.recorridos.comandos import RELOJ, Actor, ClaseActor, Comando, TipoComando
from nucleo.recorridos.entregas import servicio as entregas
from nucleo.recorridos.entregas.modelo import Entrega
from nucleo.recorridos.estado import Recorrido
from nucleo.recorridos.peticiones import PeticionCrear, Recibo
from nucleo.recorridos.plan import Plan
from nucleo.reloj import reloj_del_sistema
from tasks.casa import casa

GUIA = Actor(clase=ClaseActor.AGENTE, nombre="guia")
BEA = Actor(clase=ClaseActor.PERSONA, nombre="Bea Ficticia", rol="admin")
_NUMEROS = count(1)


class Obrador:
    """Over the data folder of a running server."""

    def __init__(self, datos: Path) -> None:
        self.datos = datos
        registro.preparar(datos)

    @contextmanager
    def _abierta(self) -> Iterator[sqlite3.Connection]:
        with closing(conectar(self.datos / registro.FICHERO)) as con:
            yield con

    def crear(self, plan: Plan, actor: Actor = GUIA, **partes: Any) -> str:
        """A new run; its id."""
        peticion = PeticionCrear(comando_id=uuid4().hex, plan=plan, **partes)
        with self._abierta() as con:
            return servicio.crear(con, casa(self.datos), peticion, actor, reloj_del_sistema()).id

    def mandar(self, rid: str, actor: Actor, tipo: TipoComando, **partes: Any) -> Recibo:
        """A command; persons look at the present revision unless another is given."""
        with self._abierta() as con:
            if actor.clase is ClaseActor.PERSONA:
                partes.setdefault("revision", almacen.recorrido(con, rid).revision)
            comando = Comando(comando_id=f"obra{next(_NUMEROS)}", tipo=tipo, **partes)
            return servicio.mandar(con, casa(self.datos), rid, comando, actor, reloj_del_sistema())

    def hacer(self, rid: str, paso: str, **salidas: Any) -> None:
        """The agent does a step."""
        intento = self.mandar(rid, GUIA, TipoComando.INICIAR, paso=paso).intento
        partes = {"paso": paso, "intento": intento, "salidas": salidas, "mensaje": "Hecho, según lo pedido."}
        self.mandar(rid, GUIA, TipoComando.COMPLETAR, **partes)

    def dejar_en_duda(self, rid: str, paso: str) -> None:
        """The agent begins it and says nothing more; its lease passes."""
        recibo = self.mandar(rid, GUIA, TipoComando.INICIAR, paso=paso)
        comando = Comando(
            comando_id=f"obra{next(_NUMEROS)}", tipo=TipoComando.VENCER, paso=paso, intento=recibo.intento
        )
        luego = reloj_del_sistema() + timedelta(days=1)
        with self._abierta() as con:
            servicio.mandar(con, casa(self.datos), rid, comando, RELOJ, luego)

    def entrega_incierta(self, rid: str) -> Entrega:
        """Its notice is taken by a worker that is never heard of again."""
        luego = reloj_del_sistema() + timedelta(hours=1)
        with self._abierta() as con:
            while (tomada := entregas.arrendar(con, ("prefect",), reloj_del_sistema())) is not None:
                if tomada.recorrido == rid:
                    entregas.vencer(con, luego)
                    return tomada
        raise AssertionError(f"{rid} no tiene ningún aviso por enviar")

    def fichero(self, rid: str, paso: str, nombre: str, tipo: str, contenido: str) -> str:
        """The agent leaves a file in its first attempt at that step; the file's id."""
        nuevo = NuevoArtefacto(comando_id=uuid4().hex, paso=paso, intento=1, nombre=nombre, tipo_medio=tipo)
        with self._abierta() as con:
            recibo = de_artefactos.registrar(
                con, self.datos, rid, nuevo, contenido.encode(), GUIA, reloj_del_sistema()
            )
            return recibo.artefacto.id

    def recorrido(self, rid: str) -> Recorrido:
        """Where it stands."""
        with self._abierta() as con:
            return almacen.recorrido(con, rid)

    def abrir(self, artefacto: str) -> bytes:
        """A file's bytes."""
        with self._abierta() as con:
            return de_artefactos.abrir(con, self.datos, artefacto).contenido
