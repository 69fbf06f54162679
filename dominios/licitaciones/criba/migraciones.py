"""Schema of the criba, forward only. Instants are microseconds UTC."""

from __future__ import annotations

from nucleo.migraciones import Database, Migrations

migraciones = Migrations("criba")


@migraciones()
def m001_tandas(db: Database) -> None:
    """Batches, what was asked of each tender and what was answered. `numero` is how the agent names the tender.

    `licitacion_id` and `version_id` are NULL in batches of a frozen set (`conjunto`), which only evaluate.
    """
    for sentencia in (
        """CREATE TABLE criba_tanda(
            id INTEGER PRIMARY KEY, conjunto TEXT, perfil_version INTEGER NOT NULL, lineas TEXT NOT NULL,
            perfil_huella TEXT NOT NULL, creada INTEGER NOT NULL, vueltas INTEGER NOT NULL DEFAULT 0,
            cerrada INTEGER, motivo TEXT NOT NULL DEFAULT '')""",
        "CREATE INDEX criba_tanda_abierta ON criba_tanda(id) WHERE cerrada IS NULL",
        "CREATE INDEX criba_tanda_conjunto ON criba_tanda(conjunto) WHERE conjunto IS NOT NULL",
        """CREATE TABLE criba_elemento(
            tanda_id INTEGER NOT NULL REFERENCES criba_tanda(id), numero INTEGER NOT NULL,
            licitacion_id INTEGER, version_id INTEGER, vista TEXT NOT NULL, vista_huella TEXT NOT NULL,
            situacion TEXT NOT NULL DEFAULT 'pendiente', motivo TEXT NOT NULL DEFAULT '',
            lineas TEXT NOT NULL DEFAULT '[]', intento_id INTEGER, instrucciones TEXT, instante INTEGER,
            PRIMARY KEY(tanda_id, numero)) WITHOUT ROWID""",
        """CREATE INDEX criba_elemento_licitacion ON criba_elemento(licitacion_id, tanda_id)
            WHERE licitacion_id IS NOT NULL""",
        """CREATE TABLE criba_propuesta(
            tanda_id INTEGER NOT NULL, intento_id INTEGER NOT NULL, huella TEXT NOT NULL, respuesta TEXT NOT NULL,
            creada INTEGER NOT NULL, PRIMARY KEY(tanda_id, intento_id, huella)) WITHOUT ROWID""",
    ):
        db.execute(sentencia)


@migraciones()
def m002_palabras(db: Database) -> None:
    """What people say: rows are only added."""
    db.execute(
        """CREATE TABLE criba_palabra(
            id INTEGER PRIMARY KEY, licitacion_id INTEGER NOT NULL, veredicto TEXT NOT NULL, motivo TEXT NOT NULL,
            persona TEXT NOT NULL, creada INTEGER NOT NULL)"""
    )
    db.execute("CREATE INDEX criba_palabra_licitacion ON criba_palabra(licitacion_id, id)")


@migraciones()
def m003_situaciones(db: Database) -> None:
    """Lists start from the tenders that stand somewhere, and look at one without reading what its agent read."""
    for sentencia in (
        """CREATE INDEX criba_elemento_situacion ON criba_elemento(situacion, licitacion_id)
            WHERE licitacion_id IS NOT NULL""",
        """CREATE INDEX criba_elemento_ultima ON criba_elemento(licitacion_id, tanda_id, situacion)
            WHERE licitacion_id IS NOT NULL""",
        "DROP INDEX criba_elemento_licitacion",
        "CREATE INDEX criba_palabra_veredicto ON criba_palabra(veredicto, licitacion_id)",
    ):
        db.execute(sentencia)


_SITUAR = """INSERT INTO criba_situacion
    SELECT {licitacion}, coalesce(
        (SELECT veredicto FROM criba_palabra WHERE licitacion_id = {licitacion} ORDER BY id DESC LIMIT 1),
        (SELECT situacion FROM criba_elemento WHERE licitacion_id = {licitacion} AND situacion <> 'pendiente'
          ORDER BY tanda_id DESC LIMIT 1), 'pendiente'),
      EXISTS(SELECT 1 FROM criba_palabra WHERE licitacion_id = {licitacion})
    {de}
    ON CONFLICT(licitacion_id) DO UPDATE SET situacion = excluded.situacion, decidida = excluded.decidida"""
"""What `reglas.situacion` says: a person's newest word, else the newest answer, else pending."""


@migraciones()
def m004_situacion_de_cada_una(db: Database) -> None:
    """Where each tender stands now, kept in step by the database itself: lists read it instead of working it out."""
    todas = """FROM (SELECT licitacion_id AS id FROM criba_palabra
        UNION SELECT licitacion_id FROM criba_elemento WHERE licitacion_id IS NOT NULL) t WHERE true"""
    nueva = _SITUAR.format(licitacion="new.licitacion_id", de="WHERE true")
    for sentencia in (
        """CREATE TABLE criba_situacion(
            licitacion_id INTEGER PRIMARY KEY, situacion TEXT NOT NULL, decidida INTEGER NOT NULL)""",
        "CREATE INDEX criba_situacion_cual ON criba_situacion(situacion, licitacion_id)",
        "CREATE INDEX criba_situacion_decidida ON criba_situacion(licitacion_id) WHERE decidida = 1",
        _SITUAR.format(licitacion="t.id", de=todas),
        f"""CREATE TRIGGER criba_elemento_nuevo AFTER INSERT ON criba_elemento
            WHEN new.licitacion_id IS NOT NULL BEGIN {nueva}; END""",
        f"""CREATE TRIGGER criba_elemento_situado AFTER UPDATE OF situacion ON criba_elemento
            WHEN new.licitacion_id IS NOT NULL BEGIN {nueva}; END""",
        f"CREATE TRIGGER criba_palabra_nueva AFTER INSERT ON criba_palabra BEGIN {nueva}; END",
        "DROP INDEX criba_elemento_situacion",
        "DROP INDEX criba_palabra_veredicto",
    ):
        db.execute(sentencia)
