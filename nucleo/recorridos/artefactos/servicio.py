"""Keeping and opening artefacts. The bytes are on disk before the row is: a row without its file cannot be."""

from __future__ import annotations

import sqlite3
from datetime import datetime
from pathlib import Path

from nucleo.errores import ErrorBaseDatos
from nucleo.recorridos import almacen as recorridos
from nucleo.recorridos import recibos
from nucleo.recorridos.artefactos import almacen, ficheros
from nucleo.recorridos.artefactos.modelo import Artefacto, Contenido, NuevoArtefacto, ReciboArtefacto
from nucleo.recorridos.artefactos.permiso import exigir_permiso
from nucleo.recorridos.artefactos.tipos import exigir_admitido
from nucleo.recorridos.comandos import Actor
from nucleo.recorridos.errores import ErrorRecorrido
from nucleo.recorridos.estado import Evento
from nucleo.recorridos.identificadores import nuevo_id
from nucleo.recorridos.transacciones import escritura, instantanea

CARPETA = "artefactos"
"""Inside the data folder."""


def registrar(  # noqa: PLR0913, PLR0917 - the file, its place and who brings it
    con: sqlite3.Connection,
    datos: Path,
    rid: str,
    nuevo: NuevoArtefacto,
    contenido: bytes,
    actor: Actor,
    ahora: datetime,
) -> ReciboArtefacto:
    """Keep the file: bytes, and then row, event and receipt at once. `datos`: the data folder; `ahora`: aware UTC.

    Like a note, it moves the run's sequence and not its revision. Raises ErrorRecorrido DEMASIADO_GRANDE,
    TIPO_NO_ADMITIDO, NO_EXISTE, PROHIBIDO, INTENTO_VIEJO, NO_EN_CURSO, NO_ESPERA, TERMINADO, CLAVE_REUTILIZADA or
    OCUPADO. Bytes of a refused one are not kept, or are swept after a day if it was refused at the last moment.
    """
    exigir_admitido(nuevo.tipo_medio, contenido)
    huella = ficheros.huella_de(contenido)
    marca = recibos.marca_de(f"{rid}/artefactos", nuevo.comando_id, nuevo, actor, huella)
    with instantanea(con):  # before the disk is touched
        if (antes := recibos.anterior(con, marca)) is not None:
            return _otra_vez(antes)
        exigir_permiso(recorridos.foto(con, rid), nuevo, actor)
    carpeta = datos / CARPETA
    ficheros.guardar(carpeta, contenido, ahora)
    with escritura(con):
        if (antes := recibos.anterior(con, marca)) is not None:
            return _otra_vez(antes)
        exigir_permiso(recorridos.foto(con, rid), nuevo, actor)
        ficheros.guardar(
            carpeta, contenido, ahora
        )  # again, if a sweep came first: none can come from here on
        artefacto = Artefacto(
            id=nuevo_id("art", ahora),
            recorrido=rid,
            paso=nuevo.paso,
            intento=nuevo.intento,
            nombre=nuevo.nombre,
            tipo_medio=nuevo.tipo_medio,
            bytes=len(contenido),
            sha256=huella,
            actor=actor,
            creado=ahora,
        )
        almacen.poner(con, artefacto)
        _anotar(con, artefacto)
        recibo = ReciboArtefacto(artefacto=artefacto)
        recibos.guardar(con, marca, recibo)
        return recibo


def leer(con: sqlite3.Connection, identificador: str) -> Artefacto:
    """What is known of it. Raises ErrorRecorrido NO_EXISTE."""
    artefacto = almacen.artefacto(con, identificador)
    if artefacto is None:
        raise ErrorRecorrido("NO_EXISTE", f"No hay ningún artefacto «{identificador[:64]}».")
    return artefacto


def abrir(con: sqlite3.Connection, datos: Path, identificador: str) -> Contenido:
    """It and its bytes. Raises ErrorRecorrido NO_EXISTE, and ErrorBaseDatos when the disk has lost or changed them."""
    artefacto = leer(con, identificador)
    try:
        contenido = ficheros.ruta(datos / CARPETA, artefacto.sha256).read_bytes()
    except OSError as error:
        raise _perdido(artefacto) from error
    if ficheros.huella_de(contenido) != artefacto.sha256:
        raise _perdido(artefacto)
    return Contenido(artefacto=artefacto, contenido=contenido)


def barrer(con: sqlite3.Connection, datos: Path, ahora: datetime) -> int:
    """Delete the files that no row has named for a day; how many."""
    borrados = 0
    for fichero in list(ficheros.viejos(datos / CARPETA, ahora)):
        with escritura(con):  # one each: nobody waits for the whole sweep
            if not almacen.hay_con(con, fichero.name) and ficheros.es_viejo(fichero, ahora):
                fichero.unlink(missing_ok=True)
                borrados += 1
    return borrados


def _anotar(con: sqlite3.Connection, artefacto: Artefacto) -> None:
    """The run's event, and its snapshot with the new sequence."""
    antes = recorridos.recorrido(con, artefacto.recorrido)
    despues = antes.model_copy(update={"secuencia": antes.secuencia + 1, "actualizado": artefacto.creado})
    evento = Evento(
        n=despues.secuencia,
        tipo="artefacto",
        actor=artefacto.actor,
        en=artefacto.creado,
        revision=despues.revision,
        paso=artefacto.paso,
        intento=artefacto.intento,
        mensaje=f"{artefacto.id} {artefacto.nombre}",
    )
    recorridos.anadir_suceso(con, despues, evento)


def _otra_vez(respuesta: str) -> ReciboArtefacto:
    return ReciboArtefacto.model_validate_json(respuesta).model_copy(update={"repetido": True})


def _perdido(artefacto: Artefacto) -> ErrorBaseDatos:
    return ErrorBaseDatos(
        f"El fichero de «{artefacto.nombre}» falta o no es el que se guardó: recupéralo de una copia de los datos."
    )
