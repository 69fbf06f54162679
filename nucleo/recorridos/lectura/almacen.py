"""The queries behind what is read. None reads a snapshot but that of the run that was asked for."""

from __future__ import annotations

import sqlite3
from datetime import datetime

from nucleo.recorridos import almacen as recorridos
from nucleo.recorridos.comandos import Actor
from nucleo.recorridos.estado import EstadoRecorrido, Evento, Intento
from nucleo.recorridos.lectura.modelo import (
    FiltroBandeja,
    FiltroRecorridos,
    IntentoDe,
    Pendiente,
    Pide,
    Pulso,
    Resumen,
    VersionPlan,
)
from nucleo.recorridos.plan import Clase
from nucleo.reloj import a_micros, desde_micros

_A_LA_VISTA = "(e.pide IN ('propuesta', 'pausa')) = (r.estado = 'pausado')"
"""While a run is paused only the pause is to be decided on."""
_NUNCA = 2**63 - 1
_RESUMEN = """id titulo dominio objeto_id coordinador plantilla estado revision vence creado actualizado archivado
  pasos resueltos esperan"""
_PENDIENTE = """pide recorrido titulo dominio objeto_id revision paso titulo_paso clase pregunta rol desde vence
  entrega"""


def resumenes(con: sqlite3.Connection, filtro: FiltroRecorridos) -> tuple[Resumen, ...]:
    """Newest first."""
    donde, valores = _donde_recorridos(filtro)
    filas = con.execute(
        f"""SELECT {", ".join(_RESUMEN.split()[:-1])},
              (SELECT count(*) FROM recorrido_espera e WHERE e.rid = r.id AND {_A_LA_VISTA})
            FROM recorrido r WHERE {donde} ORDER BY id DESC LIMIT ?""",
        (*valores, filtro.limite),
    )
    return tuple(_resumen(dict(zip(_RESUMEN.split(), fila, strict=True))) for fila in filas)


def _resumen(campos: dict[str, object]) -> Resumen:
    campos["estado"] = EstadoRecorrido(str(campos["estado"]))
    _a_instantes(campos, "vence", "creado", "actualizado", "archivado")
    return Resumen.model_validate(campos)


def _donde_recorridos(filtro: FiltroRecorridos) -> tuple[str, list[object]]:
    partes = ["archivado IS NOT NULL" if filtro.archivados else "archivado IS NULL"]
    valores: list[object] = []
    if filtro.estados:
        partes.append(f"estado IN ({','.join('?' * len(filtro.estados))})")
        valores += filtro.estados
    iguales = {
        "dominio": filtro.dominio,
        "objeto_id": filtro.objeto_id,
        "coordinador": filtro.coordinador,
        "plantilla": filtro.plantilla,
    }
    for columna, valor in iguales.items():
        if valor is not None:
            partes.append(f"{columna} = ?")
            valores.append(valor)
    if filtro.texto:
        partes.append("instr(lower(titulo), lower(?)) > 0")
        valores.append(filtro.texto)
    if filtro.antes is not None:
        partes.append("id < ?")
        valores.append(filtro.antes)
    return " AND ".join(partes), valores


def pendientes(con: sqlite3.Connection, filtro: FiltroBandeja) -> tuple[Pendiente, ...]:
    """By deadline (none is last), then since when."""
    donde, valores = _donde_bandeja(filtro)
    filas = con.execute(
        f"""SELECT * FROM (
              SELECT e.pide AS pide, r.id AS recorrido, r.titulo AS titulo, dominio, objeto_id, r.revision AS revision,
                e.paso AS paso, e.titulo AS titulo_paso, e.clase AS clase, e.pregunta AS pregunta, e.rol AS rol,
                e.desde AS desde, r.vence AS vence, NULL AS entrega
              FROM recorrido_espera e JOIN recorrido r ON r.id = e.rid WHERE {_A_LA_VISTA}
              UNION ALL
              SELECT 'entrega', r.id, r.titulo, dominio, objeto_id, r.revision, '', '', NULL, d.nota, 'editor',
                d.creada, r.vence, d.id
              FROM recorrido_entrega d JOIN recorrido r ON r.id = d.rid WHERE d.estado = 'incierta')
            WHERE {donde} ORDER BY coalesce(vence, {_NUNCA}), desde, recorrido, pide, paso LIMIT ? OFFSET ?""",
        (*valores, filtro.limite, filtro.desde),
    )
    return tuple(_pendiente(dict(zip(_PENDIENTE.split(), fila, strict=True))) for fila in filas)


def _pendiente(campos: dict[str, object]) -> Pendiente:
    campos["pide"] = Pide(str(campos["pide"]))
    campos["paso"] = campos["paso"] or None
    campos["clase"] = None if campos["clase"] is None else Clase(str(campos["clase"]))
    _a_instantes(campos, "desde", "vence")
    return Pendiente.model_validate(campos)


def _donde_bandeja(filtro: FiltroBandeja) -> tuple[str, list[object]]:
    partes: list[str] = ["1"]
    valores: list[object] = []
    if filtro.pide:
        partes.append(f"pide IN ({','.join('?' * len(filtro.pide))})")
        valores += filtro.pide
    iguales = {"dominio": filtro.dominio, "objeto_id": filtro.objeto_id, "recorrido": filtro.recorrido}
    for columna, valor in iguales.items():
        if valor is not None:
            partes.append(f"{columna} = ?")
            valores.append(valor)
    return " AND ".join(partes), valores


def eventos(con: sqlite3.Connection, rid: str, desde: int, limite: int) -> tuple[Evento, ...]:
    """After that number, in order."""
    filas = con.execute(
        "SELECT dato FROM recorrido_evento WHERE rid = ? AND n > ? ORDER BY n LIMIT ?", (rid, desde, limite)
    )
    return tuple(Evento.model_validate_json(dato) for (dato,) in filas)


def intentos(con: sqlite3.Connection, rid: str, paso: str, desde: int, limite: int) -> tuple[Intento, ...]:
    """After that number, in order."""
    filas = con.execute(
        "SELECT dato FROM recorrido_intento WHERE rid = ? AND paso = ? AND n > ? ORDER BY n LIMIT ?",
        (rid, paso, desde, limite),
    )
    return tuple(Intento.model_validate_json(dato) for (dato,) in filas)


def versiones(con: sqlite3.Connection, rid: str, desde: int, limite: int) -> tuple[VersionPlan, ...]:
    """After that one, in order."""
    filas = con.execute(
        """SELECT version, motivo, autor, aceptado_por, revision, creado FROM recorrido_plan
           WHERE rid = ? AND version > ? ORDER BY version LIMIT ?""",
        (rid, desde, limite),
    )
    return tuple(
        VersionPlan(
            version=version,
            motivo=motivo,
            autor=Actor.model_validate_json(autor),
            aceptado_por=None if aceptado_por is None else Actor.model_validate_json(aceptado_por),
            revision=revision,
            creado=desde_micros(creado),
        )
        for version, motivo, autor, aceptado_por, revision, creado in filas
    )


def pulso(con: sqlite3.Connection, rid: str) -> Pulso:
    """Raises ErrorRecorrido NO_EXISTE."""
    for encontrado in _pulsos(con, "id = ?", rid):
        return encontrado
    raise recorridos.no_existe(rid)


def cambios(con: sqlite3.Connection, tras: int, limite: int) -> tuple[Pulso, ...]:
    """By the number of their last change."""
    return _pulsos(con, "cambio > ? ORDER BY cambio LIMIT ?", tras, limite)


def ultimo_cambio(con: sqlite3.Connection) -> int:
    """The greatest one given."""
    return int(con.execute("SELECT coalesce(max(cambio), 0) FROM recorrido").fetchone()[0])


def vencidos(con: sqlite3.Connection, ahora: datetime, limite: int) -> tuple[IntentoDe, ...]:
    """The longest expired first."""
    return _intentos_de(con, "i.estado = 'en_curso' AND i.vence <= ?", a_micros(ahora), limite)


def abiertos(con: sqlite3.Connection, estado: str, limite: int) -> tuple[IntentoDe, ...]:
    """By the end of their lease."""
    return _intentos_de(con, "i.estado = ?", estado, limite)


def reclamables(con: sqlite3.Connection, limite: int) -> tuple[str, ...]:
    """Oldest first."""
    filas = con.execute("SELECT id FROM recorrido WHERE reclamables > 0 ORDER BY id LIMIT ?", (limite,))
    return tuple(rid for (rid,) in filas)


def _intentos_de(con: sqlite3.Connection, donde: str, *valores: object) -> tuple[IntentoDe, ...]:
    filas = con.execute(
        f"""SELECT i.rid, i.dato FROM recorrido_intento i JOIN recorrido r ON r.id = i.rid
            WHERE i.estado IN ('en_curso', 'dudoso') AND {donde} AND r.estado IN ('activo', 'pausado')
            ORDER BY i.vence LIMIT ?""",
        valores,
    )
    return tuple(IntentoDe(recorrido=rid, intento=Intento.model_validate_json(dato)) for rid, dato in filas)


def _pulsos(con: sqlite3.Connection, donde: str, *valores: object) -> tuple[Pulso, ...]:
    filas = con.execute(
        f"SELECT id, estado, revision, secuencia, cambio FROM recorrido WHERE {donde}", valores
    )
    return tuple(
        Pulso(id=id_, estado=EstadoRecorrido(estado), revision=revision, secuencia=secuencia, cambio=cambio)
        for id_, estado, revision, secuencia, cambio in filas
    )


def _a_instantes(campos: dict[str, object], *nombres: str) -> None:
    for nombre in nombres:
        micros = campos[nombre]
        if isinstance(micros, int):
            campos[nombre] = desde_micros(micros)
