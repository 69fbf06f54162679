"""An offer carried from beginning to end: a house whose functions work, what each step leaves, and who does what."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import count, product
from pathlib import Path
from typing import Protocol

from pydantic import JsonValue

from dominios.licitaciones.oferta.casa import casa_de_ofertas
from dominios.licitaciones.oferta.plantilla import NOMBRE
from nucleo.recorridos import almacen, servicio
from nucleo.recorridos.artefactos import servicio as artefactos
from nucleo.recorridos.artefactos.modelo import NuevoArtefacto
from nucleo.recorridos.casa import Casa, EncargoPaso, Funcion, ResultadoPaso
from nucleo.recorridos.comandos import EJECUTOR, Actor, ClaseActor, Comando, TipoComando
from nucleo.recorridos.estado import TERMINALES, Recorrido, Situacion
from nucleo.recorridos.motor import Nuevo, aplicar, crear
from nucleo.recorridos.peticiones import PeticionCrear
from nucleo.recorridos.plan import Clase, Paso, Valores
from nucleo.recorridos.validar import PlanValido, validar

AHORA = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
PERSONA = Actor(clase=ClaseActor.PERSONA, nombre="persona-de-ejemplo", rol="admin")
ARTEFACTO = "art_" + "0" * 26
RECHAZADAS = ("aprobar_guion", "revisar_memoria", "visto_bueno")
RECHAZOS = 2


@dataclass(frozen=True)
class Caso:
    """One way of going through every gate; `rechazos` of each of RECHAZADAS."""

    decision: str
    memoria: bool
    deuc: bool
    garantia: bool
    ute: bool
    rechazos: int

    def __str__(self) -> str:
        piden = [n for n in ("memoria", "deuc", "garantia", "ute") if getattr(self, n)]
        return "-".join([self.decision, *piden, *(["rechazos"] if self.rechazos else [])])


CASOS = [
    Caso(decision, *piden, rechazos)
    for decision in ("presentar", "descartar")
    for piden in product((False, True), repeat=4)
    for rechazos in (0, RECHAZOS)
]
COMPLETO = Caso("presentar", memoria=True, deuc=True, garantia=True, ute=True, rechazos=0)


def lo_que_deja(caso: Caso, paso: str, intento: int) -> Valores:
    """Outputs of that machine step; while the go-ahead is going to be rejected, the check finds what blocks it."""
    bloqueado = intento <= caso.rechazos
    hechos: dict[str, Valores] = {
        "descargar_pliegos": {"pliegos": ["0" * 64]},
        "leer_pliegos": {"lectura_id": "lectura-1"},
        "ficha_ia": {"ficha_id": "ficha-1", "ficha_version": 1},
        "verificar_ficha": {
            "cobertura": 98,
            "cumple": "si",
            "exige_memoria": caso.memoria,
            "pide_deuc": caso.deuc,
            "pide_garantia": caso.garantia,
            "pide_ute": caso.ute,
            "plazo": "2026-03-20",
        },
        "abrir_oferta": {"carpeta": "oferta-1"},
        "guion_ia": {"guion_id": f"guion-{intento}"},
        "deuc": {"documento": ARTEFACTO},
        "dossier": {"dossier_id": "dossier-1"},
        "estrategia": {"estrategia_id": "estrategia-1"},
        "ficha_solucion": {"solucion_id": "solucion-1"},
        "redaccion": {"memoria_id": "memoria-1", "version": 2 * intento - 1},
        "critica_ciega": {"informe_critica": f"informe-{intento}"},
        "correccion_hechos": {"memoria_id": "memoria-1", "version": 2 * intento},
        "verificar_hechos": {"avisos": []},
        "generar_docx": {"docx": ARTEFACTO},
        "comprobar": {
            "apta": not bloqueado,
            "bloqueos": [{"clave": "firma", "mensaje": "Falta firmar el DEUC"}] if bloqueado else [],
            "riesgos": [],
        },
    }
    return hechos.get(paso, {})


def lo_que_dice(caso: Caso, paso: str) -> Valores:
    """What the person answers at that step."""
    respuestas: dict[str, Valores] = {
        "decidir": {"decision": caso.decision, "motivo": "Lo pide el caso de prueba"},
        "equipo": {"personas": ["Persona de Ejemplo: jefa de proyecto"]},
        "precio": {"importe": "118500.00"},
        "garantia": {"modalidad": "aval", "importe": "3600.00"},
        "ute": {"socios": ["Empresa de Ejemplo, S. L.: 40 %"]},
        "visto_bueno": {"conforme": True},
        "registrar_presentacion": {"fecha": "2026-03-19", "hora": "13:45", "registro": "REG-0001"},
    }
    return respuestas.get(paso, {})


def casa_de(caso: Caso, fichero: Path = Path("no-existe.db")) -> Casa:
    """The installation's own house, with functions that do what the case says instead of refusing."""

    def hacer(encargo: EncargoPaso) -> ResultadoPaso:
        return ResultadoPaso(
            salidas=lo_que_deja(caso, encargo.paso, encargo.intento), mensaje=f"Hecho: {encargo.paso}"
        )

    casa = casa_de_ofertas(fichero)
    return replace(casa, funciones={n: Funcion(nombre=n, ejecutar=hacer) for n in casa.funciones})


class Marcha(Protocol):
    """A run that can be looked at and told what to do, wherever it is kept."""

    casa: Casa
    plan: PlanValido

    def ver(self) -> Recorrido:
        """As it stands."""

    def mandar(self, comando: Comando, actor: Actor) -> Recorrido:
        """As it stands after that command."""


NUEVO = Nuevo(id="rec_1", dominio="licitaciones", objeto_id="1")


class EnMemoria:
    """The engine alone, a minute per command: nothing is stored."""

    def __init__(self, casa: Casa) -> None:
        self.casa = casa
        self.plan = validar(casa.plantillas[NOMBRE].plan, casa)
        cambio = crear(self.plan, NUEVO, PERSONA, AHORA)
        self.eventos = [*cambio.eventos]
        self._recorrido = cambio.recorrido
        self._reloj = AHORA

    def ver(self) -> Recorrido:
        """As it stands."""
        return self._recorrido

    def mandar(self, comando: Comando, actor: Actor) -> Recorrido:
        """As it stands after that command. Raises ErrorRecorrido."""
        self._reloj += timedelta(minutes=1)
        cambio = aplicar(self.plan, self.ver(), comando, actor, self.casa, self._reloj)
        if cambio.plan_nuevo is not None:
            self.plan = validar(cambio.plan_nuevo, self.casa)
        self.eventos += cambio.eventos
        self._recorrido = cambio.recorrido
        return self._recorrido


NUMERO = count(1)


def orden(tipo: TipoComando, paso: str | None = None, **lo_demas: object) -> Comando:
    """A command with an identifier of its own."""
    return Comando.model_validate({"comando_id": f"c{next(NUMERO)}", "tipo": tipo, "paso": paso, **lo_demas})


def recorrer(marcha: Marcha, caso: Caso, hasta: str | None = None) -> Recorrido:
    """Carry the run to its end, or until that step is somebody's turn."""
    recorrido = marcha.ver()
    while recorrido.estado not in TERMINALES:
        paso = next(p for p in marcha.plan.plan.pasos if recorrido.pasos[p.id].estado in POR_HACER)
        if paso.id == hasta:
            break
        for comando, actor in turno(marcha, caso, paso):
            recorrido = marcha.mandar(comando, actor)
    return recorrido


POR_HACER = (Situacion.LISTO, Situacion.ESPERANDO)


def turno(marcha: Marcha, caso: Caso, paso: Paso) -> Iterator[tuple[Comando, Actor]]:
    """What has to be said for that step, which is somebody's turn, to be over."""
    recorrido = marcha.ver()
    estado = recorrido.pasos[paso.id]
    if paso.clase in (Clase.CODIGO, Clase.AGENTE):
        quien = _quien(paso)
        yield orden(TipoComando.INICIAR, paso.id, trabajador=quien.nombre), EJECUTOR
        intento = estado.intento + 1
        hecho = _hecho(marcha, caso, paso, intento)
        yield (
            orden(
                TipoComando.COMPLETAR, paso.id, intento=intento, salidas=hecho.salidas, mensaje=hecho.mensaje
            ),
            quien,
        )
    elif paso.id in RECHAZADAS and estado.rehechos < caso.rechazos:
        yield orden(TipoComando.RECHAZAR, paso.id, revision=recorrido.revision, mensaje="Otra vez"), PERSONA
    else:
        tipo = TipoComando.RESPONDER if paso.clase is Clase.MANUAL else TipoComando.APROBAR
        salidas = lo_que_dice(caso, paso.id)
        yield orden(tipo, paso.id, revision=recorrido.revision, salidas=salidas), PERSONA


def _quien(paso: Paso) -> Actor:
    perfil = paso.ejecutor.perfil if paso.ejecutor else None
    return EJECUTOR if perfil is None else Actor(clase=ClaseActor.AGENTE, nombre=perfil)


def _hecho(marcha: Marcha, caso: Caso, paso: Paso, intento: int) -> ResultadoPaso:
    funcion = paso.ejecutor.funcion if paso.ejecutor else None
    if funcion is None:
        return ResultadoPaso(salidas=lo_que_deja(caso, paso.id, intento), mensaje=f"Hecho: {paso.id}")
    recorrido = marcha.ver()
    return marcha.casa.funciones[funcion].ejecutar(
        EncargoPaso(
            recorrido=recorrido.id,
            dominio=recorrido.dominio,
            objeto_id=recorrido.objeto_id,
            paso=paso.id,
            intento=intento,
            datos=Path("no-existe"),
            entradas=recorrido.pasos[paso.id].entradas or {},
            contexto=marcha.plan.plan.contexto,
        )
    )


class EnLaCasa:
    """The same over a real store; files that the steps leave are kept in its folder."""

    def __init__(self, con: sqlite3.Connection, datos: Path, casa: Casa) -> None:
        self.casa = casa
        self.plan = validar(casa.plantillas[NOMBRE].plan, casa)
        self._con, self._datos = con, datos
        peticion = PeticionCrear(
            comando_id=f"c{next(NUMERO)}", plantilla=NOMBRE, titulo="Mantenimiento de jardines", contexto={}
        )
        self.id = servicio.crear(con, casa, peticion, PERSONA, AHORA).id

    def ver(self) -> Recorrido:
        """As it stands."""
        return almacen.recorrido(self._con, self.id)

    def mandar(self, comando: Comando, actor: Actor) -> Recorrido:
        """As it stands after that command. Raises ErrorRecorrido."""
        salidas = {n: self._guardado(comando, actor, v) for n, v in (comando.salidas or {}).items()}
        if comando.salidas is not None:
            comando = comando.model_copy(update={"salidas": salidas})
        servicio.mandar(self._con, self.casa, self.id, comando, actor, AHORA)
        return self.ver()

    def _guardado(self, comando: Comando, actor: Actor, valor: JsonValue) -> JsonValue:
        """What names a file names one that was kept."""
        if valor != ARTEFACTO or comando.paso is None:
            return valor
        nuevo = NuevoArtefacto(
            comando_id=f"c{next(NUMERO)}",
            paso=comando.paso,
            intento=comando.intento,
            nombre=f"{comando.paso}.txt",
            tipo_medio="text/plain",
        )
        contenido = f"Contenido de {comando.paso}".encode()
        return artefactos.registrar(
            self._con, self._datos, self.id, nuevo, contenido, actor, AHORA
        ).artefacto.id
