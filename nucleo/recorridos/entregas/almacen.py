"""The deliveries' rows. Each move says in its WHERE from where it goes: of two at once, one finds nothing to move."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection
from datetime import datetime

from nucleo.recorridos.entregas.modelo import VIVAS, Entrega, EstadoEntrega
from nucleo.recorridos.estado import MotivoEntrega
from nucleo.reloj import a_micros, desde_micros

_CAMPOS = (
    "id, rid, revision, motivo, conector, estado, arriendo, vence, veces, no_antes, creada, cerrada, nota"
)


def poner(con: sqlite3.Connection, nueva: Entrega) -> None:
    """Insert it; raises sqlite3.IntegrityError when its run has one in that waiting state."""
    con.execute(
        f"INSERT INTO recorrido_entrega({_CAMPOS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            *(nueva.id, nueva.recorrido, nueva.revision, nueva.motivo, nueva.conector, nueva.estado),
            *(nueva.arriendo, _m(nueva.vence), nueva.veces, _m(nueva.no_antes), _m(nueva.creada)),
            *(_m(nueva.cerrada), nueva.nota),
        ),
    )


def actualizar(con: sqlite3.Connection, entrega: Entrega) -> None:
    """Write where it stands."""
    con.execute(
        """UPDATE recorrido_entrega SET revision = ?, motivo = ?, conector = ?, estado = ?, arriendo = ?, vence = ?,
             veces = ?, no_antes = ?, cerrada = ?, nota = ? WHERE id = ?""",
        (
            *(entrega.revision, entrega.motivo, entrega.conector, entrega.estado, entrega.arriendo),
            *(_m(entrega.vence), entrega.veces, _m(entrega.no_antes), _m(entrega.cerrada), entrega.nota),
            entrega.id,
        ),
    )


def entrega(con: sqlite3.Connection, identificador: str) -> Entrega | None:
    """That delivery."""
    return next(iter(_leer(con, "id = ?", identificador)), None)


def en_espera(con: sqlite3.Connection, rid: str) -> Entrega | None:
    """The run's one that waits to be sent."""
    return next(iter(_leer(con, "rid = ? AND estado = 'pendiente'", rid)), None)


def sin_enviar(con: sqlite3.Connection, rid: str) -> tuple[Entrega, ...]:
    """The run's ones that nobody is sending: waiting, or without anyone who could."""
    return _leer(con, "rid = ? AND estado IN ('pendiente', 'sin_conector')", rid)


def primera(con: sqlite3.Connection, conectores: Collection[str], ahora: datetime) -> Entrega | None:
    """The one that has waited longest of those that these connectors send and may go now."""
    huecos = ",".join("?" * len(conectores))
    donde = f"estado = 'pendiente' AND no_antes <= ? AND conector IN ({huecos}) ORDER BY rowid LIMIT 1"
    return next(iter(_leer(con, donde, a_micros(ahora), *conectores)), None)


def vencidas(con: sqlite3.Connection, ahora: datetime) -> tuple[Entrega, ...]:
    """Those on lease whose time passed."""
    return _leer(con, "estado = 'arrendada' AND vence <= ?", a_micros(ahora))


def inciertas(con: sqlite3.Connection, limite: int) -> tuple[Entrega, ...]:
    """Those of which nobody knows, oldest first."""
    return _leer(con, "estado = 'incierta' ORDER BY rowid LIMIT ?", limite)


def vivas_de(con: sqlite3.Connection, rid: str) -> tuple[Entrega, ...]:
    """The run's ones that are not settled, oldest first."""
    huecos = ",".join("?" * len(VIVAS))
    return _leer(con, f"rid = ? AND estado IN ({huecos}) ORDER BY rowid", rid, *VIVAS)


def todas_de(con: sqlite3.Connection, rid: str, tras: str, limite: int) -> tuple[Entrega, ...]:
    """The run's ones after that id, oldest first."""
    return _leer(con, "rid = ? AND id > ? ORDER BY id LIMIT ?", rid, tras, limite)


def _leer(con: sqlite3.Connection, donde: str, *valores: object) -> tuple[Entrega, ...]:
    filas = con.execute(f"SELECT {_CAMPOS} FROM recorrido_entrega WHERE {donde}", valores)
    return tuple(_entrega(dict(zip(_CAMPOS.split(", "), fila, strict=True))) for fila in filas)


def _entrega(campos: dict[str, object]) -> Entrega:
    campos["recorrido"] = campos.pop("rid")
    campos["motivo"] = MotivoEntrega(str(campos["motivo"]))
    campos["estado"] = EstadoEntrega(str(campos["estado"]))
    for nombre in ("vence", "no_antes", "creada", "cerrada"):
        micros = campos[nombre]
        if isinstance(micros, int):
            campos[nombre] = desde_micros(micros)
    return Entrega.model_validate(campos)


def _m(instante: datetime | None) -> int | None:
    return None if instante is None else a_micros(instante)
