"""The queue's rows: jobs and attempts, read whole and written one move at a time."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from datetime import datetime, timedelta

from nucleo.cola.modelo import Causa, EstadoIntento, EstadoTrabajo, Instrucciones, Intento, Trabajo
from nucleo.cola.reglas import EDAD, Turno
from nucleo.reloj import a_micros, desde_micros

_TRABAJO = (
    "id, tipo, objeto, clave, datos, clase, vence, creado, desde, no_antes, estado, intentos, gastados,"
    " terminado, motivo"
)
_INTENTO = (
    "id, trabajo_id, tipo, numero, perfil, nonce, sesion_id, estado, version, texto, entrada, run_id,"
    " reservado, lanzado, actividad, marca, causa, detalle, cerrado"
)
Fila = tuple[object, ...]


def asegurar_disco(con: sqlite3.Connection) -> None:
    """From here on each commit reaches the disk before it is believed: an attempt must outlive a power cut."""
    con.execute("PRAGMA synchronous=FULL")


def poner_trabajo(con: sqlite3.Connection, trabajo: Trabajo) -> bool:
    """Insert it (its id is given by the store); False when there is one with its type, object and key."""
    cursor = con.execute(
        """INSERT INTO cola_trabajo(tipo, objeto, clave, datos, clase, vence, creado, desde, no_antes, estado)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT(tipo, objeto, clave) DO NOTHING""",
        (
            *(trabajo.tipo, trabajo.objeto, trabajo.clave, trabajo.datos, trabajo.clase),
            *(_m(trabajo.vence), _m(trabajo.creado), _m(trabajo.desde), _m(trabajo.no_antes), trabajo.estado),
        ),
    )
    return cursor.rowcount == 1


def buscar_trabajo(con: sqlite3.Connection, tipo: str, objeto: str, clave: str) -> Trabajo | None:
    """The job of that type, object and key."""
    return _uno(con, "tipo = ? AND objeto = ? AND clave = ?", tipo, objeto, clave)


def trabajo(con: sqlite3.Connection, identificador: int) -> Trabajo | None:
    """That job."""
    return _uno(con, "id = ?", identificador)


def turnos(con: sqlite3.Connection, tipos: Sequence[str], ahora: datetime) -> list[Turno]:
    """What decides the order of the jobs of those types that wait and are not to be tried later."""
    huecos = ",".join("?" * len(tipos))
    filas = con.execute(
        f"SELECT id, clase, vence, desde FROM cola_trabajo WHERE estado = ? AND no_antes <= ? AND tipo IN ({huecos})",
        (EstadoTrabajo.PENDIENTE, a_micros(ahora), *tipos),
    )
    return [
        Turno(i, clase, None if vence is None else desde_micros(vence), desde_micros(desde))
        for i, clase, vence, desde in filas
    ]


def primeros_pendientes(con: sqlite3.Connection, ahora: datetime, limite: int) -> list[Trabajo]:
    """Jobs that wait, in the order that `reglas.orden` gives them."""
    micros = a_micros(ahora)
    return _trabajos(
        con,
        """estado = ? ORDER BY clase - (? - desde) / ?,
            CASE WHEN vence > ? THEN vence ELSE 9223372036854775807 END, desde, id LIMIT ?""",
        *(EstadoTrabajo.PENDIENTE, micros, EDAD // timedelta(microseconds=1), micros, limite),
    )


def hay_debido(con: sqlite3.Connection, ahora: datetime) -> bool:
    """Whether a job waits whose time has come, or an attempt is open."""
    consulta = """SELECT EXISTS(SELECT 1 FROM cola_trabajo WHERE estado = ? AND no_antes <= ?)
                    OR EXISTS(SELECT 1 FROM cola_intento WHERE cerrado IS NULL)"""
    (hay,) = con.execute(consulta, (EstadoTrabajo.PENDIENTE, a_micros(ahora))).fetchone()
    return bool(hay)


def listar(con: sqlite3.Connection, estados: Sequence[str], limite: int) -> list[Trabajo]:
    """The newest jobs in those states."""
    huecos = ",".join("?" * len(estados))
    return _trabajos(con, f"estado IN ({huecos}) ORDER BY id DESC LIMIT ?", *estados, limite)


def contar(con: sqlite3.Connection) -> dict[tuple[str, str], int]:
    """(type, state) → how many jobs."""
    filas = con.execute("SELECT tipo, estado, count(*) FROM cola_trabajo GROUP BY tipo, estado")
    return {(tipo, estado): n for tipo, estado, n in filas}


def actualizar_trabajo(con: sqlite3.Connection, trabajo: Trabajo) -> None:
    """Write what may change of it."""
    con.execute(
        """UPDATE cola_trabajo SET clase = ?, desde = ?, no_antes = ?, estado = ?, intentos = ?, gastados = ?,
           terminado = ?, motivo = ? WHERE id = ?""",
        (
            *(trabajo.clase, _m(trabajo.desde), _m(trabajo.no_antes), trabajo.estado, trabajo.intentos),
            *(trabajo.gastados, _m(trabajo.terminado), trabajo.motivo, trabajo.id),
        ),
    )


def poner_intento(con: sqlite3.Connection, intento: Intento) -> Intento:
    """Insert it; raises sqlite3.IntegrityError when its job has one open."""
    cursor = con.execute(
        """INSERT INTO cola_intento(trabajo_id, tipo, numero, perfil, nonce, sesion_id, estado, reservado, actividad)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)""",
        (
            *(intento.trabajo_id, intento.tipo, intento.numero, intento.perfil, intento.nonce),
            *(intento.sesion_id, intento.estado, _m(intento.reservado), _m(intento.actividad)),
        ),
    )
    return intento.model_copy(update={"id": cursor.lastrowid})


def actualizar_intento(con: sqlite3.Connection, intento: Intento) -> None:
    """Write where it stands."""
    con.execute(
        """UPDATE cola_intento SET estado = ?, run_id = ?, lanzado = ?, actividad = ?, marca = ?, causa = ?,
           detalle = ?, cerrado = ? WHERE id = ?""",
        (
            *(intento.estado, intento.run_id, _m(intento.lanzado), _m(intento.actividad), intento.marca),
            *(intento.causa, intento.detalle, _m(intento.cerrado), intento.id),
        ),
    )


def congelar(con: sqlite3.Connection, intento_id: int, instrucciones: Instrucciones) -> bool:
    """Keep what travels, once; False when it was kept before."""
    cursor = con.execute(
        "UPDATE cola_intento SET version = ?, texto = ?, entrada = ? WHERE id = ? AND version IS NULL",
        (instrucciones.version, instrucciones.texto, instrucciones.entrada, intento_id),
    )
    return cursor.rowcount == 1


def intento(con: sqlite3.Connection, identificador: int) -> Intento | None:
    """That attempt."""
    return next(iter(_intentos(con, "id = ?", identificador)), None)


def modelo_de(con: sqlite3.Connection, intento_id: int) -> str | None:
    """The model that did it, when Hermes told."""
    fila = con.execute("SELECT modelo FROM cola_metrica WHERE intento_id = ?", (intento_id,)).fetchone()
    return fila[0] if fila else None


def hay_modelo(con: sqlite3.Connection, parte: str) -> bool:
    """Whether some attempt was done by a model with that in its name."""
    consulta = "SELECT EXISTS(SELECT 1 FROM cola_metrica WHERE instr(modelo, ?))"
    return bool(con.execute(consulta, (parte,)).fetchone()[0])


def intento_por_nonce(con: sqlite3.Connection, nonce: str) -> Intento | None:
    """The attempt with that nonce."""
    return next(iter(_intentos(con, "nonce = ?", nonce)), None)


def intento_abierto_de(con: sqlite3.Connection, trabajo_id: int) -> Intento | None:
    """The job's open attempt, if it has one."""
    return next(iter(_intentos(con, "trabajo_id = ? AND cerrado IS NULL", trabajo_id)), None)


def intentos_de(con: sqlite3.Connection, trabajo_id: int) -> list[Intento]:
    """The job's attempts, oldest first."""
    return _intentos(con, "trabajo_id = ? ORDER BY numero", trabajo_id)


def abiertos(con: sqlite3.Connection) -> list[Intento]:
    """Every open attempt, oldest first."""
    return _intentos(con, "cerrado IS NULL ORDER BY id")


def fallos_seguidos(con: sqlite3.Connection, tipo: str, desde: datetime) -> list[int]:
    """Jobs of the failed attempts of a type since `desde` or since its last success, whichever is later.

    Those lost in a restart of Hermes, all at once, say nothing of the type.
    """
    filas = con.execute(
        """SELECT trabajo_id FROM cola_intento WHERE tipo = :tipo AND estado = :fallido AND causa <> :perdido
             AND cerrado > max(:desde,
             coalesce((SELECT max(cerrado) FROM cola_intento WHERE tipo = :tipo AND estado = :hecho), 0))""",
        {
            "tipo": tipo,
            "fallido": EstadoIntento.FALLIDO,
            "perdido": Causa.PERDIDO,
            "hecho": EstadoIntento.HECHO,
            "desde": a_micros(desde),
        },
    )
    return [trabajo_id for (trabajo_id,) in filas]


def _uno(con: sqlite3.Connection, condicion: str, *valores: object) -> Trabajo | None:
    return next(iter(_trabajos(con, condicion, *valores)), None)


def _trabajos(con: sqlite3.Connection, condicion: str, *valores: object) -> list[Trabajo]:
    filas = con.execute(f"SELECT {_TRABAJO} FROM cola_trabajo WHERE {condicion}", valores)
    return [_a_trabajo(f) for f in filas]


def _a_trabajo(fila: Fila) -> Trabajo:
    campos = dict(zip(_TRABAJO.split(", "), fila, strict=True))
    _a_instantes(campos, "vence", "creado", "desde", "no_antes", "terminado")
    campos["estado"] = EstadoTrabajo(str(campos["estado"]))
    return Trabajo.model_validate(campos)


def _intentos(con: sqlite3.Connection, condicion: str, *valores: object) -> list[Intento]:
    filas = con.execute(f"SELECT {_INTENTO} FROM cola_intento WHERE {condicion}", valores)
    return [_a_intento(f) for f in filas]


def _a_intento(fila: Fila) -> Intento:
    campos = dict(zip(_INTENTO.split(", "), fila, strict=True))
    _a_instantes(campos, "reservado", "lanzado", "actividad", "cerrado")
    campos["estado"] = EstadoIntento(str(campos["estado"]))
    campos["causa"] = None if campos["causa"] is None else Causa(str(campos["causa"]))
    return Intento.model_validate(campos)


def _a_instantes(campos: dict[str, object], *nombres: str) -> None:
    for nombre in nombres:
        micros = campos[nombre]
        if isinstance(micros, int):
            campos[nombre] = desde_micros(micros)


def _m(instante: datetime | None) -> int | None:
    return None if instante is None else a_micros(instante)
