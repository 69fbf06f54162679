"""The prefilter's SQL: which open tenders are still to be judged, their data, and what was decided."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from datetime import datetime
from decimal import Decimal
from typing import NamedTuple

from dominios.licitaciones.prefiltro.modelo import DatosPrefiltro, Decision, Modelo, Regla
from nucleo.codigos.nif import normalizar_nif
from nucleo.reloj import MADRID, a_micros, desde_micros

Clave = tuple[int, int]
"""Tender and version."""


class Pendiente(NamedTuple):
    """A tender to be judged; `instante` is when its version was published."""

    licitacion_id: int
    version_id: int
    instante: datetime
    datos: DatosPrefiltro


class Candidata(Modelo):
    """A judged tender that is open now. `importe` in euros; instants in UTC."""

    licitacion_id: int
    entrada_id: str
    objeto: str
    organo: str | None
    importe: Decimal | None
    plazo: datetime | None
    dia: str
    decision: Decision


class Volumen(Modelo):
    """How many tenders were let in and left out."""

    dentro: int
    fuera: int


def pendientes(con: sqlite3.Connection, huella: str, ahora: datetime, limite_plazo: datetime) -> list[Clave]:
    """Open tenders whose current version this profile has not judged, or that it let in and now close too soon.

    The time left is the only thing that changes by itself: `limite_plazo` is now plus the days the profile needs.
    """
    filas = con.execute(
        """SELECT l.id, l.version_id FROM licitacion l
            LEFT JOIN prefiltro_candidata c
              ON c.perfil_huella = ? AND c.licitacion_id = l.id AND c.version_id = l.version_id
            WHERE l.vigente = 1 AND l.cierre > ? AND l.version_id IS NOT NULL
              AND (c.licitacion_id IS NULL OR (c.dentro = 1 AND l.plazo < ?))
            ORDER BY l.id""",
        (huella, a_micros(ahora), a_micros(limite_plazo)),
    )
    return [(int(licitacion), int(version)) for licitacion, version in filas]


def abiertas(con: sqlite3.Connection, ahora: datetime) -> list[Clave]:
    """Every open tender with its current version."""
    filas = con.execute(
        """SELECT id, version_id FROM licitacion
            WHERE vigente = 1 AND cierre > ? AND version_id IS NOT NULL ORDER BY id""",
        (a_micros(ahora),),
    )
    return [(int(licitacion), int(version)) for licitacion, version in filas]


def leer_datos(con: sqlite3.Connection, claves: Sequence[Clave]) -> list[Pendiente]:
    """What the rules need of these tenders; one that has moved to another version meanwhile is left for next time."""
    filas = con.execute(
        """SELECT l.id, l.version_id, l.instante, l.fuente, l.tipo_registro, l.tipo, l.procedimiento, l.importe,
              l.n_lotes, l.plazo, l.organo_nif, t.objeto, t.lotes, t.organo,
              (SELECT json_group_array(cpv) FROM licitacion_cpv WHERE licitacion_id = l.id),
              (SELECT json_group_array(nuts) FROM licitacion_nuts WHERE licitacion_id = l.id)
            FROM json_each(?) pedida
            JOIN licitacion l ON l.id = json_extract(pedida.value, '$[0]')
              AND l.version_id = json_extract(pedida.value, '$[1]')
            LEFT JOIN licitacion_texto t ON t.rowid = l.id
            ORDER BY l.id""",
        (json.dumps(claves),),
    )
    return [_pendiente(fila) for fila in filas]


def _pendiente(fila: tuple[object, ...]) -> Pendiente:
    (licitacion, version, instante, fuente, registro, tipo, procedimiento, importe) = fila[:8]
    (n_lotes, plazo, nif, objeto, lotes, organo, cpv, nuts) = fila[8:]
    datos = DatosPrefiltro(
        fuente=str(fuente),
        tipo_registro=str(registro),
        tipo=_texto(tipo),
        procedimiento=_texto(procedimiento),
        importe=_euros(importe),
        n_lotes=_entero(n_lotes),
        cpv=tuple(json.loads(str(cpv))),
        nuts=tuple(json.loads(str(nuts))),
        plazo=_instante(plazo),
        objeto=str(objeto or ""),
        lotes=str(lotes or ""),
        organo=str(organo or ""),
        organo_nif=normalizar_nif(str(nif or "")),
    )
    return Pendiente(_entero(licitacion), _entero(version), desde_micros(_entero(instante)), datos)


def guardar(
    con: sqlite3.Connection, huella: str, decididas: Iterable[tuple[Pendiente, Decision]], ahora: datetime
) -> None:
    """Writes the decisions over any former one of the same version; call inside nucleo.bd.transaccion."""
    con.executemany(
        """INSERT INTO prefiltro_candidata(
              perfil_huella, licitacion_id, version_id, dentro, reglas, dia, evaluada)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET
              dentro = excluded.dentro, reglas = excluded.reglas, evaluada = excluded.evaluada""",
        [
            (
                huella,
                p.licitacion_id,
                p.version_id,
                int(decision.dentro),
                json.dumps(
                    [r.model_dump() for r in decision.reglas], ensure_ascii=False, separators=(",", ":")
                ),
                p.instante.astimezone(MADRID).date().isoformat(),
                a_micros(ahora),
            )
            for p, decision in decididas
        ],
    )


def candidatas(con: sqlite3.Connection, huella: str, ahora: datetime, *, dentro: bool) -> list[Candidata]:
    """Tenders open now that the profile let in (or left out), the one that closes first at the top."""
    filas = con.execute(
        """SELECT l.id, l.entrada_id, l.objeto, l.organo, l.importe, l.plazo, c.dia, c.reglas
            FROM licitacion l JOIN prefiltro_candidata c
              ON c.perfil_huella = ? AND c.licitacion_id = l.id AND c.version_id = l.version_id
            WHERE l.vigente = 1 AND l.cierre > ? AND c.dentro = ?
            ORDER BY l.cierre, l.id""",
        (huella, a_micros(ahora), int(dentro)),
    )
    return [_candidata(fila, dentro=dentro) for fila in filas]


def _candidata(fila: tuple[object, ...], *, dentro: bool) -> Candidata:
    licitacion, entrada, objeto, organo, importe, plazo, dia, reglas = fila
    return Candidata(
        licitacion_id=_entero(licitacion),
        entrada_id=str(entrada),
        objeto=str(objeto),
        organo=_texto(organo),
        importe=_euros(importe),
        plazo=_instante(plazo),
        dia=str(dia),
        decision=Decision(
            dentro=dentro, reglas=tuple(Regla.model_validate(r) for r in json.loads(str(reglas)))
        ),
    )


def volumen(con: sqlite3.Connection, huella: str, ahora: datetime) -> Volumen:
    """Open tenders judged by the profile, as their current version stands."""
    dentro, todas = con.execute(
        """SELECT coalesce(sum(c.dentro), 0), count(*)
            FROM licitacion l JOIN prefiltro_candidata c
              ON c.perfil_huella = ? AND c.licitacion_id = l.id AND c.version_id = l.version_id
            WHERE l.vigente = 1 AND l.cierre > ?""",
        (huella, a_micros(ahora)),
    ).fetchone()
    return Volumen(dentro=dentro, fuera=todas - dentro)


def conteo_diario(con: sqlite3.Connection, huella: str) -> dict[str, Volumen]:
    """Tenders judged per Madrid day of publication, newest first; one republished that day counts once."""
    filas = con.execute(
        """SELECT dia, count(DISTINCT CASE WHEN dentro THEN licitacion_id END), count(DISTINCT licitacion_id)
            FROM prefiltro_candidata WHERE perfil_huella = ? GROUP BY dia ORDER BY dia DESC""",
        (huella,),
    )
    return {str(dia): Volumen(dentro=dentro, fuera=todas - dentro) for dia, dentro, todas in filas}


def _texto(valor: object) -> str | None:
    return None if valor is None else str(valor)


def _entero(valor: object) -> int:
    if not isinstance(valor, int):
        raise TypeError(f"se esperaba un entero y hay {valor!r}")
    return valor


def _euros(centimos: object) -> Decimal | None:
    return None if centimos is None else Decimal(_entero(centimos)) / 100


def _instante(micros: object) -> datetime | None:
    return None if micros is None else desde_micros(_entero(micros))
