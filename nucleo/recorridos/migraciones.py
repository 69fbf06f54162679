"""Schema of the runs, forward only. Instants are microseconds UTC; `foto`, `dato` and actors are JSON.

What a command touches does not grow with the run: the snapshot is one row, the rest is appended.
"""

from __future__ import annotations

from nucleo.migraciones import Database, Migrations

migraciones = Migrations("recorridos")


@migraciones()
def m001_recorridos(db: Database) -> None:
    """`cambio` numbers every change of any run; `recorrido_espera` is what waits for a person in each."""
    db.execute(
        """CREATE TABLE recorrido(
            id TEXT PRIMARY KEY, titulo TEXT NOT NULL, dominio TEXT NOT NULL, objeto_id TEXT NOT NULL,
            coordinador TEXT NOT NULL, plantilla TEXT, estado TEXT NOT NULL, revision INTEGER NOT NULL,
            secuencia INTEGER NOT NULL, plan_version INTEGER NOT NULL, plan_huella TEXT NOT NULL, vence INTEGER,
            creado INTEGER NOT NULL, actualizado INTEGER NOT NULL, archivado INTEGER, pasos INTEGER NOT NULL,
            resueltos INTEGER NOT NULL, reclamables INTEGER NOT NULL, cambio INTEGER NOT NULL UNIQUE,
            foto TEXT NOT NULL)"""
    )
    db.execute("CREATE INDEX recorrido_objeto ON recorrido(dominio, objeto_id, id)")
    db.execute("CREATE INDEX recorrido_estado ON recorrido(estado, id)")
    db.execute("CREATE INDEX recorrido_reclamable ON recorrido(id) WHERE reclamables > 0")
    _lo_que_solo_crece(db)
    _lo_que_se_pregunta(db)


def _lo_que_solo_crece(db: Database) -> None:
    """Plans, events and attempts."""
    db.execute(
        """CREATE TABLE recorrido_plan(
            rid TEXT NOT NULL REFERENCES recorrido(id), version INTEGER NOT NULL, plan TEXT NOT NULL,
            motivo TEXT NOT NULL, autor TEXT NOT NULL, aceptado_por TEXT, revision INTEGER NOT NULL,
            creado INTEGER NOT NULL, PRIMARY KEY(rid, version))"""
    )
    db.execute(
        """CREATE TABLE recorrido_evento(
            rid TEXT NOT NULL REFERENCES recorrido(id), n INTEGER NOT NULL, dato TEXT NOT NULL, PRIMARY KEY(rid, n))"""
    )
    db.execute(
        """CREATE TABLE recorrido_intento(
            rid TEXT NOT NULL REFERENCES recorrido(id), paso TEXT NOT NULL, n INTEGER NOT NULL, estado TEXT NOT NULL,
            vence INTEGER NOT NULL, dato TEXT NOT NULL, PRIMARY KEY(rid, paso, n))"""
    )
    db.execute(
        "CREATE INDEX recorrido_intento_abierto ON recorrido_intento(estado, vence)"
        " WHERE estado IN ('en_curso', 'dudoso')"
    )


def _lo_que_se_pregunta(db: Database) -> None:
    """What was answered, what was refused, and what waits for a person."""
    db.execute(
        """CREATE TABLE recorrido_recibo(
            ambito TEXT NOT NULL, clave TEXT NOT NULL, huella TEXT NOT NULL, respuesta TEXT NOT NULL,
            PRIMARY KEY(ambito, clave)) WITHOUT ROWID"""
    )
    db.execute(
        """CREATE TABLE recorrido_rechazo(
            id INTEGER PRIMARY KEY, rid TEXT NOT NULL REFERENCES recorrido(id), huella TEXT NOT NULL,
            codigo TEXT NOT NULL, mensaje TEXT NOT NULL, actor TEXT NOT NULL, texto TEXT NOT NULL,
            revision INTEGER NOT NULL, en INTEGER NOT NULL, UNIQUE(rid, huella, codigo))"""
    )
    db.execute("CREATE INDEX recorrido_rechazo_de ON recorrido_rechazo(rid, id)")
    db.execute("CREATE INDEX recorrido_rechazo_en ON recorrido_rechazo(en)")
    db.execute(
        """CREATE TABLE recorrido_espera(
            rid TEXT NOT NULL REFERENCES recorrido(id), pide TEXT NOT NULL, paso TEXT NOT NULL,
            titulo TEXT NOT NULL, clase TEXT, pregunta TEXT NOT NULL, rol TEXT NOT NULL, desde INTEGER NOT NULL,
            PRIMARY KEY(rid, pide, paso)) WITHOUT ROWID"""
    )


@migraciones()
def m002_entregas(db: Database) -> None:
    """One waiting delivery per run, and one that nobody can send: the indexes say so, whatever the program does."""
    db.execute(
        """CREATE TABLE recorrido_entrega(
            id TEXT PRIMARY KEY, rid TEXT NOT NULL REFERENCES recorrido(id), revision INTEGER NOT NULL,
            motivo TEXT NOT NULL, conector TEXT, estado TEXT NOT NULL, arriendo TEXT, vence INTEGER,
            veces INTEGER NOT NULL DEFAULT 0, no_antes INTEGER NOT NULL, creada INTEGER NOT NULL, cerrada INTEGER,
            nota TEXT NOT NULL DEFAULT '')"""
    )
    db.execute(
        "CREATE UNIQUE INDEX recorrido_entrega_pendiente ON recorrido_entrega(rid) WHERE estado = 'pendiente'"
    )
    db.execute(
        "CREATE UNIQUE INDEX recorrido_entrega_sin_conector ON recorrido_entrega(rid) WHERE estado = 'sin_conector'"
    )
    db.execute(
        "CREATE INDEX recorrido_entrega_viva ON recorrido_entrega(estado, no_antes)"
        " WHERE estado IN ('pendiente', 'arrendada', 'incierta')"
    )
    db.execute("CREATE INDEX recorrido_entrega_de ON recorrido_entrega(rid, id)")


@migraciones()
def m003_artefactos(db: Database) -> None:
    """The bytes are in files named by their fingerprint, which rows share."""
    db.execute(
        """CREATE TABLE recorrido_artefacto(
            id TEXT PRIMARY KEY, rid TEXT NOT NULL REFERENCES recorrido(id), paso TEXT NOT NULL, intento INTEGER,
            nombre TEXT NOT NULL, tipo_medio TEXT NOT NULL, bytes INTEGER NOT NULL, sha256 TEXT NOT NULL,
            actor TEXT NOT NULL, creado INTEGER NOT NULL)"""
    )
    db.execute("CREATE INDEX recorrido_artefacto_de ON recorrido_artefacto(rid, id)")
    db.execute("CREATE INDEX recorrido_artefacto_sha ON recorrido_artefacto(sha256)")


@migraciones()
def m004_enlaces(db: Database) -> None:
    """A run has one parent at most: its own id is the key."""
    db.execute(
        """CREATE TABLE recorrido_enlace(
            hijo TEXT PRIMARY KEY REFERENCES recorrido(id), padre TEXT NOT NULL REFERENCES recorrido(id),
            motivo TEXT NOT NULL, autor TEXT NOT NULL, creado INTEGER NOT NULL) WITHOUT ROWID"""
    )
    db.execute("CREATE INDEX recorrido_enlace_padre ON recorrido_enlace(padre, hijo)")


@migraciones()
def m005_continuaciones(db: Database) -> None:
    """Texts for the coordinator; `entrega` is the delivery that carries them."""
    db.execute(
        """CREATE TABLE recorrido_continuacion(
            id TEXT PRIMARY KEY, rid TEXT NOT NULL REFERENCES recorrido(id), texto TEXT NOT NULL, autor TEXT NOT NULL,
            estado TEXT NOT NULL, entrega TEXT REFERENCES recorrido_entrega(id), creada INTEGER NOT NULL)"""
    )
    db.execute("CREATE INDEX recorrido_continuacion_de ON recorrido_continuacion(rid, id)")
    db.execute("CREATE INDEX recorrido_continuacion_entrega ON recorrido_continuacion(entrega)")
