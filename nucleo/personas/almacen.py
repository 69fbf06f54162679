"""SQL of accounts, sessions, attempts and facts."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from datetime import datetime

from nucleo.personas.modelo import AltaUsuario, Guardada, Procedencia, Rol, Usuario
from nucleo.reloj import a_micros, desde_micros

_USUARIO = "u.id, u.usuario, u.nombre, u.rol, u.creado, u.desactivado, u.cambiar_clave"
FilaSesion = tuple[Usuario, datetime, datetime]


def crear(con: sqlite3.Connection, alta: AltaUsuario, clave: Guardada, ahora: datetime) -> None:
    """A new account. Raises sqlite3.IntegrityError when the name is taken."""
    con.execute(
        "INSERT INTO usuario(usuario, nombre, rol, clave, creado, cambiar_clave) VALUES (?,?,?,?,?,?)",
        (alta.usuario, alta.nombre, alta.rol.value, clave.texto, a_micros(ahora), int(clave.cambiar)),
    )


def leer(con: sqlite3.Connection, usuario: str) -> Usuario | None:
    """The account of that name, disabled or not."""
    fila = con.execute(f"SELECT {_USUARIO} FROM usuario u WHERE u.usuario = ?", (usuario,)).fetchone()
    return _usuario(fila) if fila else None


def leer_todos(con: sqlite3.Connection) -> tuple[Usuario, ...]:
    """Every account, by name."""
    return tuple(_usuario(f) for f in con.execute(f"SELECT {_USUARIO} FROM usuario u ORDER BY u.usuario"))


def clave_de(con: sqlite3.Connection, usuario_id: int) -> str:
    """What is kept of the password."""
    guardada: str = con.execute("SELECT clave FROM usuario WHERE id = ?", (usuario_id,)).fetchone()[0]
    return guardada


def poner_clave(con: sqlite3.Connection, usuario_id: int, guardada: str, cambiar: bool) -> None:
    """Replace what is kept of the password."""
    con.execute(
        "UPDATE usuario SET clave = ?, cambiar_clave = ? WHERE id = ?", (guardada, int(cambiar), usuario_id)
    )


def poner_rol(con: sqlite3.Connection, usuario_id: int, rol: Rol) -> None:
    """Change the role."""
    con.execute("UPDATE usuario SET rol = ? WHERE id = ?", (rol.value, usuario_id))


def poner_desactivado(con: sqlite3.Connection, usuario_id: int, cuando: datetime | None) -> None:
    """Disable since then, or enable."""
    con.execute(
        "UPDATE usuario SET desactivado = ? WHERE id = ?",
        (None if cuando is None else a_micros(cuando), usuario_id),
    )


def admins_activos(con: sqlite3.Connection) -> int:
    """How many can administer."""
    cuantos: int = con.execute(
        "SELECT count(*) FROM usuario WHERE rol = ? AND desactivado IS NULL", (Rol.ADMIN.value,)
    ).fetchone()[0]
    return cuantos


def abrir_sesion(
    con: sqlite3.Connection, huella: str, usuario_id: int, de: Procedencia, ahora: datetime
) -> None:
    """A new session."""
    con.execute(
        "INSERT INTO sesion VALUES (?,?,?,?,?,?)",
        (huella, usuario_id, a_micros(ahora), a_micros(ahora), de.ip, de.agente),
    )


def sesion(con: sqlite3.Connection, huella: str) -> FilaSesion | None:
    """(who, when it was opened, when it was renewed), stale or not."""
    fila = con.execute(
        f"SELECT s.creada, s.vista, {_USUARIO} FROM sesion s JOIN usuario u ON u.id = s.usuario_id WHERE s.huella = ?",
        (huella,),
    ).fetchone()
    return (_usuario(fila[2:]), desde_micros(fila[0]), desde_micros(fila[1])) if fila else None


def renovar(con: sqlite3.Connection, huella: str, ahora: datetime) -> None:
    """It is being used."""
    con.execute("UPDATE sesion SET vista = max(vista, ?) WHERE huella = ?", (a_micros(ahora), huella))


def cerrar_sesion(con: sqlite3.Connection, huella: str) -> bool:
    """Whether there was one."""
    return con.execute("DELETE FROM sesion WHERE huella = ?", (huella,)).rowcount > 0


def cerrar_sesiones(con: sqlite3.Connection, usuario_id: int) -> list[str]:
    """Every session of that account; which ones there were."""
    huellas = [f[0] for f in con.execute("SELECT huella FROM sesion WHERE usuario_id = ?", (usuario_id,))]
    con.execute("DELETE FROM sesion WHERE usuario_id = ?", (usuario_id,))
    return huellas


def anotar_intento(con: sqlite3.Connection, usuario: str, ip: str, bien: bool, ahora: datetime) -> None:
    """Somebody tried to come in."""
    con.execute(
        "INSERT INTO intento(instante, usuario, ip, bien) VALUES (?,?,?,?)",
        (a_micros(ahora), usuario, ip, int(bien)),
    )


def fallos_de_usuario(con: sqlite3.Connection, usuario: str, desde: datetime) -> list[datetime]:
    """Failures with that name since then and since the last time that it came in."""
    filas = con.execute(
        "SELECT instante FROM intento WHERE usuario = ?1 AND bien = 0 AND instante > max(?2, coalesce("
        " (SELECT max(instante) FROM intento WHERE usuario = ?1 AND bien = 1), 0)) ORDER BY instante DESC LIMIT 64",
        (usuario, a_micros(desde)),
    )
    return [desde_micros(f[0]) for f in filas]


def fallos_de_ip(con: sqlite3.Connection, ip: str, desde: datetime) -> list[datetime]:
    """Failures from that address since then."""
    filas = con.execute(
        "SELECT instante FROM intento WHERE ip = ? AND bien = 0 AND instante > ? ORDER BY instante DESC LIMIT 64",
        (ip, a_micros(desde)),
    )
    return [desde_micros(f[0]) for f in filas]


def fallos_de_todos(con: sqlite3.Connection, desde: datetime) -> int:
    """How many failures since then."""
    cuantos: int = con.execute(
        "SELECT count(*) FROM intento WHERE bien = 0 AND instante > ?", (a_micros(desde),)
    ).fetchone()[0]
    return cuantos


def ha_entrado_desde(con: sqlite3.Connection, ip: str, desde: datetime) -> bool:
    """Whether somebody has come in from that address since then."""
    fila = con.execute(
        "SELECT 1 FROM intento WHERE ip = ? AND bien = 1 AND instante > ? LIMIT 1", (ip, a_micros(desde))
    ).fetchone()
    return fila is not None


def olvidar(con: sqlite3.Connection, sesiones_hasta: datetime, intentos_hasta: datetime) -> None:
    """What no longer counts for anything."""
    con.execute("DELETE FROM sesion WHERE creada < ?", (a_micros(sesiones_hasta),))
    con.execute("DELETE FROM intento WHERE instante < ?", (a_micros(intentos_hasta),))


def anotar(con: sqlite3.Connection, hecho: tuple[object, ...]) -> None:
    """(who, what, about what, before, after, from where, when)."""
    *resto, cuando = hecho
    assert isinstance(cuando, datetime)  # noqa: S101 - the order of `Hecho`
    con.execute(
        "INSERT INTO hecho(quien, que, objeto, antes, despues, desde, instante) VALUES (?,?,?,?,?,?,?)",
        (*resto, a_micros(cuando)),
    )


def hechos(con: sqlite3.Connection, texto: str | None, limite: int) -> Iterator[tuple[object, ...]]:
    """In the order of `anotar`, the newest first."""
    filas = con.execute(
        "SELECT quien, que, objeto, antes, despues, desde, instante FROM hecho"
        " WHERE ?1 IS NULL OR instr(lower(quien || char(10) || que || char(10) || objeto), lower(?1)) > 0"
        " ORDER BY id DESC LIMIT ?2",
        (texto, limite),
    )
    return ((*f[:6], desde_micros(f[6])) for f in filas)


def _usuario(fila: tuple[int, str, str, str, int, int | None, int]) -> Usuario:
    return Usuario(
        id=fila[0],
        usuario=fila[1],
        nombre=fila[2],
        rol=Rol(fila[3]),
        creado=desde_micros(fila[4]),
        desactivado=None if fila[5] is None else desde_micros(fila[5]),
        cambiar_clave=bool(fila[6]),
    )
