"""Schema of the agents and of the record of their calls, forward only. Instants are microseconds UTC."""

from __future__ import annotations

from nucleo.migraciones import Database, Migrations

migraciones = Migrations("agentes")


@migraciones()
def m001_agentes(db: Database) -> None:
    """`huella` is the sha256 of the token, NULL once revoked; `visto` is the last time that it was used."""
    db.execute(
        """CREATE TABLE agente(
            id INTEGER PRIMARY KEY, nombre TEXT NOT NULL UNIQUE, permisos TEXT NOT NULL, huella BLOB UNIQUE,
            creado INTEGER NOT NULL, rotado INTEGER, revocado INTEGER, visto INTEGER)"""
    )


@migraciones()
def m002_llamadas(db: Database) -> None:
    """`argumentos` is redacted JSON; `nonce` is the attempt's, when the call carried one; `desenlace` see modelo.py."""
    db.execute(
        """CREATE TABLE agente_llamada(
            id INTEGER PRIMARY KEY, instante INTEGER NOT NULL, agente TEXT NOT NULL, herramienta TEXT NOT NULL,
            nonce TEXT, argumentos TEXT NOT NULL, desenlace TEXT NOT NULL, codigo TEXT, ms REAL NOT NULL,
            octetos INTEGER NOT NULL)"""
    )
    db.execute("CREATE INDEX agente_llamada_agente ON agente_llamada(agente, id)")
    db.execute("CREATE INDEX agente_llamada_herramienta ON agente_llamada(herramienta, id)")
    db.execute("CREATE INDEX agente_llamada_nonce ON agente_llamada(nonce, instante) WHERE nonce IS NOT NULL")


@migraciones()
def m003_instantes(db: Database) -> None:
    """The record is looked at by dates."""
    db.execute("CREATE INDEX agente_llamada_instante ON agente_llamada(instante)")
