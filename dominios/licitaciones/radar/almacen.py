"""SQL of the radar, writing: pages go in whole, and the current view follows from versions and tombstones.

The state is a function of the set of versions and tombstones seen, never of the order they came in.
"""

from __future__ import annotations

import json
import sqlite3
from datetime import datetime
from hashlib import sha256

from dominios.licitaciones.radar.apartado.almacen import Procedencia, guardar_apartadas
from dominios.licitaciones.radar.compresion import MUESTRAS, descomprimir, entrenar
from dominios.licitaciones.radar.fila import COLUMNAS
from dominios.licitaciones.radar.material import campos_distintos
from dominios.licitaciones.radar.modelo import Modelo
from dominios.licitaciones.radar.procesar import EntradaLeida, PaginaLeida
from dominios.licitaciones.radar.vista.almacen import (
    Actual,
    escribir_filas,
    revisar_bajas,
)
from dominios.licitaciones.radar.vista.almacen import (
    actuales as actuales_de,
)
from nucleo.reloj import a_micros


class Recuento(Modelo):
    """What storing a page did. entradas = versiones_nuevas + sin_cambios (entries already known, to the byte)."""

    entradas: int
    lapidas: int
    versiones_nuevas: int
    sin_cambios: int
    cuarentena: int


def pagina_conocida(con: sqlite3.Connection, huella: bytes) -> Recuento | None:
    """What this very page holds, when it went in before (nothing of it can be new)."""
    fila = con.execute("SELECT entradas, lapidas FROM pagina WHERE huella = ?", (huella,)).fetchone()
    if fila is None:
        return None
    return Recuento(entradas=fila[0], lapidas=fila[1], versiones_nuevas=0, sin_cambios=fila[0], cuarentena=0)


def guardar_pagina(con: sqlite3.Connection, pagina: PaginaLeida, alta: datetime) -> Recuento:
    """Store a page whole; to be called inside `nucleo.bd.transaccion`. `alta` = when we read it (aware)."""
    dic_id = _diccionario_id(con, pagina.diccionario) if pagina.diccionario else None
    guardador = _Guardador(con, pagina.instante or 0, dic_id, alta)
    nuevas = guardador.guardar(pagina.entradas)
    lapidas_nuevas = _guardar_lapidas(con, pagina)
    revisar_bajas(con, {e.id for e in pagina.entradas} | lapidas_nuevas, alta)
    procedencia = Procedencia("entrada", pagina.origen, pagina.instante)
    apartadas = guardar_apartadas(con, procedencia, pagina.cuarentenas, alta)
    if not pagina.cuarentenas:
        con.execute(
            "INSERT OR IGNORE INTO pagina VALUES (?,?,?,?,?,?,?)",
            (
                pagina.huella,
                pagina.origen,
                pagina.fuente,
                pagina.instante,
                len(pagina.entradas),
                len(pagina.lapidas),
                alta.isoformat(),
            ),
        )
    return Recuento(
        entradas=len(pagina.entradas) + len(pagina.cuarentenas),
        lapidas=len(pagina.lapidas),
        versiones_nuevas=nuevas,
        sin_cambios=len(pagina.entradas) - nuevas,
        cuarentena=apartadas,
    )


class _Guardador:
    """The versions of one page: collects rows, then writes them by kind (one statement each, many rows)."""

    def __init__(
        self, con: sqlite3.Connection, pagina_instante: int, dic_id: int | None, alta: datetime
    ) -> None:
        self.con = con
        self.pagina_instante = pagina_instante
        self.dic_id = dic_id
        self.alta = alta
        self.versiones: list[tuple[object, ...]] = []
        self.vistas_despues: list[tuple[int, int, int]] = []
        self.eventos: list[tuple[object, ...]] = []
        self.filas: dict[int, tuple[Actual, EntradaLeida]] = {}

    def guardar(self, entradas: tuple[EntradaLeida, ...]) -> int:
        """Returns how many versions were new."""
        actuales = actuales_de(self.con, {e.id for e in entradas})
        conocidas = _versiones_de(self.con, [a.id for a in actuales.values()])
        con_texto = {a.id: a.texto_huella for a in actuales.values()}
        siguiente_id = _siguiente(self.con, "licitacion")
        siguiente_version = _siguiente(self.con, "version")
        for entrada in entradas:
            actual = actuales.get(entrada.id)
            licitacion_id = actual.id if actual else siguiente_id
            clave = (licitacion_id, entrada.instante, entrada.huella)
            if clave in conocidas:
                self._ver_otra_vez(actuales, entrada, conocidas[clave])
                continue
            siguiente_id += actual is None
            conocidas[clave] = siguiente_version
            self._anotar_version(licitacion_id, siguiente_version, entrada)
            nueva = self._actual(licitacion_id, siguiente_version, entrada, actual)
            if actual is None or nueva.rango > actual.rango:
                self._anotar_evento(actual, nueva, entrada)
                self.filas[licitacion_id] = (nueva, entrada)
                actuales[entrada.id] = nueva
            else:
                actuales[entrada.id] = actual._replace(n_versiones=actual.n_versiones + 1)
            siguiente_version += 1
        self._escribir(actuales, con_texto)
        return len(self.versiones)

    def _ver_otra_vez(self, actuales: dict[str, Actual], entrada: EntradaLeida, version_id: int) -> None:
        """The same content in a later page: it may make it the one that counts among several with its `updated`."""
        actual = actuales[entrada.id]
        self.vistas_despues.append((self.pagina_instante, version_id, actual.id))
        if (entrada.instante, self.pagina_instante, entrada.huella) <= actual.rango:
            return
        nueva = actual._replace(
            version_id=version_id, pagina_instante=self.pagina_instante, huella=entrada.huella
        )
        actuales[entrada.id] = nueva
        if entrada.huella != actual.huella or actual.id in self.filas:
            self.filas[actual.id] = (nueva, entrada)

    def _actual(
        self, licitacion_id: int, version_id: int, entrada: EntradaLeida, antes: Actual | None
    ) -> Actual:
        return Actual(
            licitacion_id,
            version_id,
            entrada.instante,
            self.pagina_instante,
            entrada.huella,
            (antes.n_versiones if antes else 0) + 1,
            b"",
            antes.vigente if antes else 1,
        )

    def _anotar_version(self, licitacion_id: int, version_id: int, entrada: EntradaLeida) -> None:
        self.versiones.append(
            (
                version_id,
                licitacion_id,
                entrada.instante,
                entrada.huella,
                entrada.updated,
                self.pagina_instante,
                entrada.estado,
                entrada.material,
                self.dic_id,
                entrada.xml,
            )
        )

    def _anotar_evento(self, antes: Actual | None, ahora: Actual, entrada: EntradaLeida) -> None:
        """A tender that is open when it arrives, or a material change in one we had; the past is not news."""
        if antes is None:
            cierre = entrada.fila.valores[COLUMNAS.index("cierre")]
            if not isinstance(cierre, int) or cierre <= a_micros(self.alta):
                return
            tipo = "nueva"
            campos: tuple[str, ...] = ()
        else:
            tipo = "cambio"
            campos = self._campos_distintos(antes, entrada)
            if not campos:
                return
        self.eventos.append(
            (
                ahora.id,
                tipo,
                ahora.version_id,
                json.dumps(campos),
                entrada.instante,
                self.alta.isoformat(),
            )
        )

    def _campos_distintos(self, antes: Actual, entrada: EntradaLeida) -> tuple[str, ...]:
        pendiente = self.filas.get(antes.id)
        if pendiente is not None:
            return campos_distintos(pendiente[1].material, entrada.material)
        material = self.con.execute(
            "SELECT material FROM version WHERE id = ?", (antes.version_id,)
        ).fetchone()
        return campos_distintos(material[0], entrada.material)

    def _escribir(self, actuales: dict[str, Actual], con_texto: dict[int, bytes]) -> None:
        self.con.executemany("INSERT INTO version VALUES (?,?,?,?,?,?,?,?,?,?)", self.versiones)
        self.con.executemany(
            "UPDATE version SET pagina_instante = ?1 WHERE id = ?2 AND pagina_instante < ?1",
            [(instante, version_id) for instante, version_id, _ in self.vistas_despues],
        )
        self.con.executemany(
            "UPDATE licitacion SET pagina_instante = ?1 WHERE id = ?3 AND version_id = ?2 AND pagina_instante < ?1",
            self.vistas_despues,
        )
        escribir_filas(self.con, list(self.filas.values()), con_texto)
        self.con.executemany(
            "UPDATE licitacion SET n_versiones = ? WHERE id = ? AND n_versiones <> ?1",
            [(a.n_versiones, a.id) for a in actuales.values()],
        )
        self.con.executemany(
            "INSERT INTO evento(licitacion_id, tipo, version_id, campos, instante, alta) VALUES (?,?,?,?,?,?)",
            self.eventos,
        )


def _versiones_de(con: sqlite3.Connection, licitaciones: list[int]) -> dict[tuple[int, int, bytes], int]:
    filas = con.execute(
        "SELECT licitacion_id, instante, huella, id FROM version"
        " WHERE licitacion_id IN (SELECT value FROM json_each(?))",
        (json.dumps(licitaciones),),
    )
    return {(fila[0], fila[1], fila[2]): fila[3] for fila in filas}


def _siguiente(con: sqlite3.Connection, tabla: str) -> int:
    maximo: int = con.execute(f"SELECT coalesce(max(id), 0) FROM {tabla}").fetchone()[0]
    return maximo + 1


def _guardar_lapidas(con: sqlite3.Connection, pagina: PaginaLeida) -> set[str]:
    con.executemany("INSERT OR IGNORE INTO lapida VALUES (?,?,?,?)", pagina.lapidas)
    return {lapida.entrada_id for lapida in pagina.lapidas}


def diccionario_vigente(con: sqlite3.Connection) -> bytes | None:
    """The dictionary in use, or None while there is none."""
    fila = con.execute("SELECT bytes FROM diccionario ORDER BY id DESC LIMIT 1").fetchone()
    return fila[0] if fila else None


def _diccionario_id(con: sqlite3.Connection, resumen: str) -> int:
    identificador: int = con.execute("SELECT id FROM diccionario WHERE sha256 = ?", (resumen,)).fetchone()[0]
    return identificador


def entrenar_si_hay_bastantes(con: sqlite3.Connection, alta: datetime) -> bytes | None:
    """The dictionary in use; trains the first one, in the caller's transaction, once there are enough entries."""
    vigente = diccionario_vigente(con)
    if vigente is not None or _siguiente(con, "version") <= MUESTRAS:
        return vigente
    filas = con.execute(
        "SELECT xml FROM version WHERE dic_id IS NULL ORDER BY instante DESC, huella LIMIT ?", (MUESTRAS,)
    )
    nuevo = entrenar(descomprimir(fila[0], None) for fila in filas)
    con.execute(
        "INSERT OR IGNORE INTO diccionario(sha256, bytes, alta) VALUES (?,?,?)",
        (sha256(nuevo).hexdigest(), nuevo, alta.isoformat()),
    )
    return nuevo
