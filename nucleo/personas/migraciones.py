"""Schema of people, forward only. Instants are microseconds UTC."""

from __future__ import annotations

from nucleo.migraciones import Database, Migrations

migraciones = Migrations("personas")


@migraciones()
def m001_personas(db: Database) -> None:
    """`clave` in PHC form; `huella` of a session is the hex sha256 of its token; `intento.bien` = 1 when let in."""
    for sentencia in (
        """CREATE TABLE usuario(
            id INTEGER PRIMARY KEY, usuario TEXT NOT NULL UNIQUE, nombre TEXT NOT NULL, rol TEXT NOT NULL,
            clave TEXT NOT NULL, creado INTEGER NOT NULL, desactivado INTEGER, cambiar_clave INTEGER NOT NULL)""",
        """CREATE TABLE sesion(
            huella TEXT PRIMARY KEY, usuario_id INTEGER NOT NULL REFERENCES usuario(id), creada INTEGER NOT NULL,
            vista INTEGER NOT NULL, ip TEXT NOT NULL, agente TEXT NOT NULL) WITHOUT ROWID""",
        "CREATE INDEX sesion_usuario ON sesion(usuario_id)",
        """CREATE TABLE intento(
            id INTEGER PRIMARY KEY, instante INTEGER NOT NULL, usuario TEXT NOT NULL, ip TEXT NOT NULL,
            bien INTEGER NOT NULL)""",
        "CREATE INDEX intento_usuario ON intento(usuario, bien, instante)",
        "CREATE INDEX intento_ip ON intento(ip, bien, instante)",
        "CREATE INDEX intento_instante ON intento(bien, instante)",
        """CREATE TABLE hecho(
            id INTEGER PRIMARY KEY, instante INTEGER NOT NULL, quien TEXT NOT NULL, que TEXT NOT NULL,
            objeto TEXT NOT NULL, antes TEXT, despues TEXT, desde TEXT NOT NULL)""",
        "CREATE INDEX hecho_quien ON hecho(quien, id)",
        "CREATE INDEX hecho_que ON hecho(que, id)",
    ):
        db.execute(sentencia)
