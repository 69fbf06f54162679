"""The runs' rows: the snapshot, rewritten whole; and plans, events, attempts and receipts, that are only added."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from nucleo.recorridos import transacciones
from nucleo.recorridos.comandos import Actor
from nucleo.recorridos.errores import ErrorRecorrido
from nucleo.recorridos.esperas import Cuentas, Espera
from nucleo.recorridos.estado import Evento, Intento, Recorrido
from nucleo.recorridos.plan import Plan
from nucleo.recorridos.relevo import Foto
from nucleo.recorridos.version_plan import VersionPlan
from nucleo.reloj import a_micros, desde_micros


class Guardado(NamedTuple):
    """A stored run with the fingerprint of the plan that it follows."""

    recorrido: Recorrido
    plan_huella: str


class ReciboGuardado(NamedTuple):
    """What is kept of an accepted command."""

    huella: str
    respuesta: str


class PlazoGuardado(NamedTuple):
    """What an open run is about, and the deadline that it has."""

    rid: str
    dominio: str
    objeto_id: str
    vence: datetime | None


class PlanNuevo(NamedTuple):
    """A plan that a run begins to follow, and why."""

    plan: Plan
    huella: str
    version: VersionPlan


def guardado(con: sqlite3.Connection, rid: str) -> Guardado:
    """That run. Raises ErrorRecorrido NO_EXISTE."""
    fila = con.execute("SELECT foto, plan_huella FROM recorrido WHERE id = ?", (rid,)).fetchone()
    if fila is None:
        raise no_existe(rid)
    return Guardado(Recorrido.model_validate_json(fila[0]), fila[1])


def no_existe(rid: str) -> ErrorRecorrido:
    """The refusal of what is asked about a run that is not there."""
    return ErrorRecorrido("NO_EXISTE", f"No hay ningún recorrido «{rid[:64]}»: mira la lista.")


def recorrido(con: sqlite3.Connection, rid: str) -> Recorrido:
    """That run's snapshot. Raises ErrorRecorrido NO_EXISTE."""
    return guardado(con, rid).recorrido


def revision(con: sqlite3.Connection, rid: str) -> int | None:
    """The run's revision; None when there is no such run."""
    fila = con.execute("SELECT revision FROM recorrido WHERE id = ?", (rid,)).fetchone()
    return int(fila[0]) if fila else None


def plan(con: sqlite3.Connection, rid: str, version: int) -> Plan:
    """That version of the run's plan. Raises ErrorRecorrido NO_EXISTE."""
    fila = con.execute(
        "SELECT plan FROM recorrido_plan WHERE rid = ? AND version = ?", (rid, version)
    ).fetchone()
    if fila is None:
        raise ErrorRecorrido(
            "NO_EXISTE", f"El recorrido «{rid[:64]}» no tiene una versión {version} del plan."
        )
    return Plan.model_validate_json(fila[0])


def foto(con: sqlite3.Connection, rid: str) -> Foto:
    """The run and the plan it follows, of one instant. Raises ErrorRecorrido NO_EXISTE."""
    with transacciones.instantanea(con):
        actual = recorrido(con, rid)
        return Foto(plan(con, rid, actual.plan_version), actual)


def recibo(con: sqlite3.Connection, ambito: str, clave: str) -> ReciboGuardado | None:
    """What was answered to the command of that identifier in that scope."""
    fila = con.execute(
        "SELECT huella, respuesta FROM recorrido_recibo WHERE ambito = ? AND clave = ?", (ambito, clave)
    ).fetchone()
    return ReciboGuardado(*fila) if fila else None


def poner_recibo(con: sqlite3.Connection, ambito: str, clave: str, nuevo: ReciboGuardado) -> None:
    """Keep the answer, once."""
    con.execute("INSERT INTO recorrido_recibo VALUES (?, ?, ?, ?)", (ambito, clave, *nuevo))


def poner_recorrido(
    con: sqlite3.Connection, nuevo: Recorrido, cuentas: Cuentas, plan_nuevo: PlanNuevo
) -> None:
    """Insert a run with its first plan."""
    con.execute(
        """INSERT INTO recorrido(id, titulo, dominio, objeto_id, coordinador, plantilla, estado, revision, secuencia,
             plan_version, plan_huella, vence, creado, actualizado, archivado, pasos, resueltos, reclamables, cambio,
             foto)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
             (SELECT coalesce(max(cambio), 0) + 1 FROM recorrido), ?)""",
        (
            *(nuevo.id, plan_nuevo.plan.titulo, nuevo.dominio, nuevo.objeto_id, nuevo.coordinador),
            *(plan_nuevo.plan.plantilla, nuevo.estado, nuevo.revision, nuevo.secuencia, nuevo.plan_version),
            *(plan_nuevo.huella, micros(nuevo.vence), micros(nuevo.creado), micros(nuevo.actualizado)),
            *(micros(nuevo.archivado), cuentas.pasos, cuentas.resueltos, cuentas.reclamables),
            nuevo.model_dump_json(),
        ),
    )
    _poner_plan(con, nuevo.id, plan_nuevo)


def actualizar_recorrido(con: sqlite3.Connection, nuevo: Recorrido, cuentas: Cuentas) -> None:
    """Write the snapshot that a command leaves, with a new number of change."""
    con.execute(
        """UPDATE recorrido SET estado = ?, revision = ?, secuencia = ?, plan_version = ?, actualizado = ?,
             archivado = ?, pasos = ?, resueltos = ?, reclamables = ?, foto = ?,
             cambio = (SELECT max(cambio) + 1 FROM recorrido)
           WHERE id = ?""",
        (
            *(nuevo.estado, nuevo.revision, nuevo.secuencia, nuevo.plan_version, micros(nuevo.actualizado)),
            *(micros(nuevo.archivado), cuentas.pasos, cuentas.resueltos, cuentas.reclamables),
            *(nuevo.model_dump_json(), nuevo.id),
        ),
    )


def guardar_foto(con: sqlite3.Connection, nuevo: Recorrido) -> None:
    """Write a snapshot with nothing in it that anybody has to be told."""
    con.execute("UPDATE recorrido SET foto = ? WHERE id = ?", (nuevo.model_dump_json(), nuevo.id))


def anadir_suceso(con: sqlite3.Connection, nuevo: Recorrido, evento: Evento) -> None:
    """Write an event of no command, with the snapshot that counts it."""
    poner_eventos(con, nuevo.id, (evento,))
    guardar_foto(con, nuevo)
    con.execute(
        "UPDATE recorrido SET secuencia = ?, actualizado = ? WHERE id = ?",
        (nuevo.secuencia, micros(nuevo.actualizado), nuevo.id),
    )
    tocar(con, nuevo.id)


def cambiar_plan(con: sqlite3.Connection, rid: str, plan_nuevo: PlanNuevo) -> None:
    """From here on the run follows that plan."""
    _poner_plan(con, rid, plan_nuevo)
    con.execute(
        "UPDATE recorrido SET titulo = ?, plan_huella = ? WHERE id = ?",
        (plan_nuevo.plan.titulo, plan_nuevo.huella, rid),
    )


def tocar(con: sqlite3.Connection, rid: str) -> None:
    """Something that hangs from the run changed: whoever watches looks again."""
    con.execute("UPDATE recorrido SET cambio = (SELECT max(cambio) + 1 FROM recorrido) WHERE id = ?", (rid,))


def plazos(con: sqlite3.Connection) -> tuple[PlazoGuardado, ...]:
    """Of every run that has not ended."""
    filas = con.execute(
        "SELECT id, dominio, objeto_id, vence FROM recorrido WHERE estado IN ('activo', 'pausado') ORDER BY id"
    )
    return tuple(
        PlazoGuardado(rid, dominio, objeto_id, None if vence is None else desde_micros(vence))
        for rid, dominio, objeto_id, vence in filas
    )


def poner_plazo(con: sqlite3.Connection, rid: str, vence: datetime | None) -> None:
    """Write the run's deadline, in its row and in its snapshot."""
    guardar_foto(con, recorrido(con, rid).model_copy(update={"vence": vence}))
    con.execute("UPDATE recorrido SET vence = ? WHERE id = ?", (micros(vence), rid))
    tocar(con, rid)


def poner_eventos(con: sqlite3.Connection, rid: str, eventos: Iterable[Evento]) -> None:
    """Add them; raises sqlite3.IntegrityError for a number that was used."""
    for evento in eventos:
        con.execute(
            "INSERT INTO recorrido_evento VALUES (?, ?, ?)", (rid, evento.n, evento.model_dump_json())
        )


def poner_intentos(con: sqlite3.Connection, rid: str, intentos: Iterable[Intento]) -> None:
    """Write how they are now."""
    for intento in intentos:
        con.execute(
            """INSERT INTO recorrido_intento VALUES (?, ?, ?, ?, ?, ?)
               ON CONFLICT(rid, paso, n) DO UPDATE
               SET estado = excluded.estado, vence = excluded.vence, dato = excluded.dato""",
            (
                *(rid, intento.paso, intento.n, intento.estado, micros(intento.vence)),
                intento.model_dump_json(),
            ),
        )


def quitar_esperas(con: sqlite3.Connection, rid: str, viejas: Iterable[Espera]) -> None:
    """They do not wait any more."""
    for vieja in viejas:
        con.execute(
            "DELETE FROM recorrido_espera WHERE rid = ? AND pide = ? AND paso = ?",
            (rid, vieja.pide, vieja.paso),
        )


def poner_esperas(con: sqlite3.Connection, rid: str, nuevas: Iterable[Espera], ahora: datetime) -> None:
    """They wait since now."""
    for nueva in nuevas:
        con.execute(
            "INSERT INTO recorrido_espera VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (
                *(
                    rid,
                    nueva.pide,
                    nueva.paso,
                    nueva.titulo,
                    nueva.clase,
                    nueva.pregunta,
                    nueva.rol,
                ),
                micros(ahora),
            ),
        )


def micros(instante: datetime | None) -> int | None:
    """As it is stored."""
    return None if instante is None else a_micros(instante)


def actor_json(actor: Actor) -> str:
    """As it is stored."""
    return actor.model_dump_json()


def _poner_plan(con: sqlite3.Connection, rid: str, nuevo: PlanNuevo) -> None:
    version = nuevo.version
    con.execute(
        "INSERT INTO recorrido_plan VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            *(rid, version.version, nuevo.plan.model_dump_json(), version.motivo, actor_json(version.autor)),
            actor_json(version.aceptado_por) if version.aceptado_por else None,
            *(version.revision, micros(version.creado)),
        ),
    )
