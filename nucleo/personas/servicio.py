"""Coming in, staying in and going out; and who may, decided by who administers. Each change leaves its fact."""

from __future__ import annotations

import hashlib
import math
import secrets
import sqlite3
from datetime import datetime, timedelta

from nucleo.bd import transaccion
from nucleo.personas import almacen, auditoria, claves, intentos
from nucleo.personas.auditoria import Hecho
from nucleo.personas.claves import Coste
from nucleo.personas.errores import ErrorAcceso
from nucleo.personas.modelo import CambioClave, Entrada, Procedencia, SesionViva, Usuario, normalizar

SIN_USO = timedelta(hours=12)
"""A session nobody uses ends."""
COMO_MUCHO = timedelta(days=7)
"""And any session, however much it is used."""
RENOVAR = timedelta(minutes=1)
"""How often at most the use of a session is written down."""
NADIE = "(cuenta que no existe)"
"""Who failed, in the record, when the name is nobody's; no account can be called that."""
_NO_VALEN = "El usuario o la contraseña no son correctos."


def entrar(  # noqa: PLR0913 - the cost has its own value everywhere but in tests
    con: sqlite3.Connection,
    usuario: str,
    clave: str,
    de: Procedencia,
    ahora: datetime,
    *,
    coste: Coste = claves.COSTE,
) -> Entrada:
    """A new session. Raises ErrorAcceso: the same, and as late, whatever of the two is wrong or if it is disabled.

    Checking the password happens outside any transaction: it takes as long as many writes of others.
    What is kept with less effort than `coste` is kept again with it.
    """
    nombre = normalizar(usuario)[:64]
    exigir_turno(con, nombre, de, ahora)
    quien = almacen.leer(con, nombre)
    guardada = claves.de_nadie(coste) if quien is None else almacen.clave_de(con, quien.id)
    vale = claves.vale(clave, guardada) and quien is not None and quien.desactivado is None
    nueva = claves.guardar(clave, coste) if vale and claves.es_floja(guardada, coste) else None
    with transaccion(con):
        almacen.olvidar(con, ahora - COMO_MUCHO, ahora - intentos.CONOCIDA)
        # Another attempt may have used up what there was, and the account may have changed meanwhile.
        exigir_turno(con, nombre, de, ahora)
        actual = almacen.leer(con, nombre)
        if not vale or actual is None or actual.desactivado is not None or _otra_clave(con, actual, guardada):
            _anotar_fallo(con, "entrada_fallida", nombre, de, ahora)
        else:
            if nueva is not None:
                almacen.poner_clave(con, actual.id, nueva, actual.cambiar_clave)
            almacen.anotar_intento(con, nombre, de.ip, True, ahora)
            auditoria.anotar(con, Hecho(quien=nombre, que="entrar", objeto=nombre, desde=de.ip, cuando=ahora))
            return _abrir(con, actual, de, ahora)
    raise ErrorAcceso(_NO_VALEN)


def exigir_turno(con: sqlite3.Connection, nombre: str, de: Procedencia, ahora: datetime) -> None:
    """Raises ErrorAcceso with the wait when this account, this address or everybody failed too much."""
    desde = ahora - intentos.VENTANA
    espera = max(
        intentos.espera(almacen.fallos_de_usuario(con, nombre, desde), ahora),
        intentos.espera(almacen.fallos_de_ip(con, de.ip, desde), ahora, intentos.GRATIS_DIRECCION),
        intentos.freno_comun(
            almacen.fallos_de_todos(con, ahora - intentos.VENTANA_COMUN),
            almacen.ha_entrado_desde(con, de.ip, ahora - intentos.CONOCIDA),
        ),
    )
    if espera > timedelta(0):
        segundos = math.ceil(espera.total_seconds())
        raise ErrorAcceso(
            f"Demasiados intentos: prueba otra vez dentro de {_en_palabras(segundos)}.", segundos
        )


def sesion_de(con: sqlite3.Connection, token: str | None, ahora: datetime) -> SesionViva | None:
    """The session of a token, None when there is none that stands. Only reads."""
    return None if not token else viva(con, huella_de(token), ahora)


def viva(con: sqlite3.Connection, huella: str, ahora: datetime) -> SesionViva | None:
    """The session of that hash if it stands: used in the last 12 h, opened in the last 7 days, account enabled."""
    fila = almacen.sesion(con, huella)
    if fila is None:
        return None
    usuario, creada, vista = fila
    caduca = min(vista + SIN_USO, creada + COMO_MUCHO)
    if ahora >= caduca or usuario.desactivado is not None:
        return None
    return SesionViva(huella, usuario, creada, vista, caduca)


def tocar(con: sqlite3.Connection, huella: str, ahora: datetime) -> None:
    """It is being used: its 12 h begin again. One that has ended does not come back; written once a minute at most."""
    with transaccion(con):
        sesion = viva(con, huella, ahora)
        if sesion is not None and ahora - sesion.vista >= RENOVAR:
            almacen.renovar(con, huella, ahora)


def salir(con: sqlite3.Connection, huella: str, ahora: datetime) -> None:
    """End a session; doing it again changes nothing."""
    with transaccion(con):
        fila = almacen.sesion(con, huella)
        if fila is not None and almacen.cerrar_sesion(con, huella):
            auditoria.anotar(
                con, Hecho(quien=fila[0].usuario, que="salir", objeto=fila[0].usuario, cuando=ahora)
            )


def cambiar_clave(
    con: sqlite3.Connection, usuario: str, cambio: CambioClave, de: Procedencia, ahora: datetime
) -> Entrada:
    """One's own. Every session ends and another opens. Raises ErrorAcceso (the present one is wrong), ErrorEntrada."""
    nombre = normalizar(usuario)
    exigir_turno(con, nombre, de, ahora)
    quien = almacen.leer(con, nombre)
    guardada = claves.de_nadie() if quien is None else almacen.clave_de(con, quien.id)
    vale = claves.vale(cambio.actual, guardada) and quien is not None and quien.desactivado is None
    if vale:
        claves.exigir_fuerte(cambio.nueva, nombre)
        claves.exigir_otra(cambio.actual, cambio.nueva)
    lista = claves.guardar(cambio.nueva) if vale else ""
    with transaccion(con):
        exigir_turno(con, nombre, de, ahora)  # as in `entrar`
        quien = almacen.leer(con, nombre)
        if not vale or quien is None or quien.desactivado is not None or _otra_clave(con, quien, guardada):
            _anotar_fallo(con, "cambio_de_clave_fallido", nombre, de, ahora)
        else:
            almacen.poner_clave(con, quien.id, lista, False)
            almacen.cerrar_sesiones(con, quien.id)
            auditoria.anotar(
                con, Hecho(quien=nombre, que="cambiar_clave", objeto=nombre, desde=de.ip, cuando=ahora)
            )
            return _abrir(con, quien.model_copy(update={"cambiar_clave": False}), de, ahora)
    raise ErrorAcceso("La contraseña actual no es correcta.")


def huella_de(token: str) -> str:
    """What is kept of a token: it has 256 bits, so a plain hash is enough."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def _abrir(con: sqlite3.Connection, usuario: Usuario, de: Procedencia, ahora: datetime) -> Entrada:
    token = secrets.token_urlsafe(32)
    huella = huella_de(token)
    almacen.abrir_sesion(con, huella, usuario.id, de, ahora)
    return Entrada(token, SesionViva(huella, usuario, ahora, ahora, ahora + SIN_USO))


def _anotar_fallo(con: sqlite3.Connection, que: str, nombre: str, de: Procedencia, ahora: datetime) -> None:
    """It counts for the waits, and leaves its fact: with the name only if it is somebody's, because what people write
    by mistake where the name goes is their password.
    """
    almacen.anotar_intento(con, nombre, de.ip, False, ahora)
    quien = nombre if almacen.leer(con, nombre) is not None else NADIE
    auditoria.anotar(con, Hecho(quien=quien, que=que, objeto=quien, desde=de.ip, cuando=ahora))


def _otra_clave(con: sqlite3.Connection, usuario: Usuario, guardada: str) -> bool:
    return almacen.clave_de(con, usuario.id) != guardada


def _en_palabras(segundos: int) -> str:
    return f"{segundos} segundos" if segundos < 120 else f"{math.ceil(segundos / 60)} minutos"
