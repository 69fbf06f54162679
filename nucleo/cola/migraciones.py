"""Schema of the queue, forward only. Instants are microseconds UTC, costs millionths of the price table's currency."""

from __future__ import annotations

from nucleo.migraciones import Database, Migrations

migraciones = Migrations("cola")


@migraciones()
def m001_trabajos(db: Database) -> None:
    """One open attempt per job at most: the index says so, whatever the program does."""
    db.execute(
        """CREATE TABLE cola_trabajo(
            id INTEGER PRIMARY KEY, tipo TEXT NOT NULL, objeto TEXT NOT NULL, clave TEXT NOT NULL,
            datos TEXT NOT NULL, clase INTEGER NOT NULL, vence INTEGER, creado INTEGER NOT NULL,
            desde INTEGER NOT NULL, no_antes INTEGER NOT NULL, estado TEXT NOT NULL,
            intentos INTEGER NOT NULL DEFAULT 0, gastados INTEGER NOT NULL DEFAULT 0, terminado INTEGER,
            motivo TEXT NOT NULL DEFAULT '', UNIQUE(tipo, objeto, clave))"""
    )
    db.execute("CREATE INDEX cola_trabajo_estado ON cola_trabajo(estado, no_antes)")
    db.execute(
        """CREATE TABLE cola_intento(
            id INTEGER PRIMARY KEY, trabajo_id INTEGER NOT NULL REFERENCES cola_trabajo(id), tipo TEXT NOT NULL,
            numero INTEGER NOT NULL, perfil TEXT NOT NULL, nonce TEXT NOT NULL UNIQUE,
            sesion_id TEXT NOT NULL UNIQUE, estado TEXT NOT NULL, version TEXT, texto TEXT, entrada TEXT,
            run_id TEXT, reservado INTEGER NOT NULL, lanzado INTEGER, actividad INTEGER NOT NULL,
            marca TEXT NOT NULL DEFAULT '', causa TEXT, detalle TEXT NOT NULL DEFAULT '', cerrado INTEGER,
            UNIQUE(trabajo_id, numero))"""
    )
    db.execute("CREATE UNIQUE INDEX cola_intento_abierto ON cola_intento(trabajo_id) WHERE cerrado IS NULL")
    db.execute("CREATE INDEX cola_intento_tipo ON cola_intento(tipo, cerrado)")


@migraciones()
def m002_metricas(db: Database) -> None:
    """`contado` is what weighs against the limits: the cost, or what was expected when it is not known (NULL)."""
    db.execute(
        """CREATE TABLE cola_metrica(
            intento_id INTEGER PRIMARY KEY REFERENCES cola_intento(id), cerrado INTEGER NOT NULL,
            tipo TEXT NOT NULL, proveedor TEXT NOT NULL, modelo TEXT, entrada INTEGER NOT NULL,
            salida INTEGER NOT NULL, cache_leida INTEGER NOT NULL, cache_escrita INTEGER NOT NULL,
            llamadas INTEGER NOT NULL, herramientas INTEGER NOT NULL, coste INTEGER, contado INTEGER NOT NULL,
            incompletas INTEGER NOT NULL)"""
    )
    db.execute("CREATE INDEX cola_metrica_cerrado ON cola_metrica(cerrado, contado)")
    db.execute("CREATE INDEX cola_metrica_tipo ON cola_metrica(tipo, cerrado) WHERE coste IS NOT NULL")


@migraciones()
def m003_frenos(db: Database) -> None:
    """Brakes, the version that last served the queue, and the process last seen behind each profile's port."""
    db.execute(
        """CREATE TABLE cola_freno(
            ambito TEXT NOT NULL, nombre TEXT NOT NULL, autor TEXT NOT NULL, desde INTEGER NOT NULL,
            hasta INTEGER, motivo TEXT NOT NULL, PRIMARY KEY(ambito, nombre, autor)) WITHOUT ROWID"""
    )
    db.execute("CREATE TABLE cola_version(unica INTEGER PRIMARY KEY CHECK(unica = 1), version TEXT NOT NULL)")
    db.execute(
        """CREATE TABLE cola_proceso(
            perfil TEXT PRIMARY KEY, pid INTEGER, desde INTEGER, visto INTEGER NOT NULL) WITHOUT ROWID"""
    )
