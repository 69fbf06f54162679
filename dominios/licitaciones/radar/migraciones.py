"""Schema of the radar, forward only. Instants are microseconds since 1970 UTC; money in lists is whole cents."""

from __future__ import annotations

from nucleo.migraciones import Database, Migrations

migraciones = Migrations("radar")


@migraciones()
def m001_versiones(db: Database) -> None:
    """What was published: versions with their raw XML, tombstones, pages read. The truth; the rest is derived."""
    for sentencia in (
        """CREATE TABLE diccionario(
            id INTEGER PRIMARY KEY, sha256 TEXT NOT NULL UNIQUE, bytes BLOB NOT NULL, alta TEXT NOT NULL)""",
        """CREATE TABLE pagina(
            huella BLOB PRIMARY KEY, origen TEXT NOT NULL, fuente TEXT, instante INTEGER,
            entradas INTEGER NOT NULL, lapidas INTEGER NOT NULL, alta TEXT NOT NULL) WITHOUT ROWID""",
        # pagina_instante: newest feed/updated of a page that carried this very content; it settles which of two
        # contents with the same `updated` is the correction (a silent correction keeps `updated`).
        """CREATE TABLE version(
            id INTEGER PRIMARY KEY, licitacion_id INTEGER NOT NULL, instante INTEGER NOT NULL,
            huella BLOB NOT NULL, updated TEXT NOT NULL, pagina_instante INTEGER NOT NULL, estado TEXT,
            material TEXT NOT NULL, dic_id INTEGER, xml BLOB NOT NULL,
            UNIQUE(licitacion_id, instante, huella))""",
        """CREATE TABLE lapida(
            entrada_id TEXT NOT NULL, instante INTEGER NOT NULL, cuando TEXT NOT NULL, tipo TEXT NOT NULL,
            PRIMARY KEY(entrada_id, instante, cuando, tipo)) WITHOUT ROWID""",
        """CREATE TABLE cuarentena(
            id INTEGER PRIMARY KEY, huella BLOB NOT NULL UNIQUE, nivel TEXT NOT NULL, origen TEXT NOT NULL,
            codigo TEXT NOT NULL, motivo TEXT NOT NULL, entrada_id TEXT, xml BLOB NOT NULL, pagina_instante INTEGER,
            alta TEXT NOT NULL, resuelta TEXT)""",
        """CREATE TABLE incidencia(
            id INTEGER PRIMARY KEY, tipo TEXT NOT NULL, clave TEXT NOT NULL, detalle TEXT NOT NULL,
            alta TEXT NOT NULL, resuelta TEXT, UNIQUE(tipo, clave))""",
    ):
        db.execute(sentencia)


@migraciones()
def m002_vista_actual(db: Database) -> None:
    """The current view, one row per tender, derived from the newest version and the tombstones."""
    for sentencia in (
        """CREATE TABLE licitacion(
            id INTEGER PRIMARY KEY, entrada_id TEXT NOT NULL UNIQUE, cola TEXT NOT NULL, fuente TEXT NOT NULL,
            version_id INTEGER, instante INTEGER NOT NULL, pagina_instante INTEGER NOT NULL, huella BLOB NOT NULL,
            n_versiones INTEGER NOT NULL, vigente INTEGER NOT NULL, baja INTEGER, tipo_baja TEXT,
            tipo_registro TEXT NOT NULL, expediente TEXT, objeto TEXT NOT NULL, organo TEXT, organo_nif TEXT,
            estado TEXT, tipo TEXT, subtipo TEXT, procedimiento TEXT, urgencia TEXT, sistema TEXT,
            valor_estimado TEXT, presupuesto TEXT, importe INTEGER,
            cpv TEXT, nuts TEXT, plazo_local TEXT, plazo INTEGER, cierre INTEGER,
            publicada TEXT, desenlace TEXT NOT NULL, adjudicado TEXT, n_lotes INTEGER NOT NULL,
            avisos TEXT NOT NULL, texto_huella BLOB NOT NULL)""",
        "CREATE INDEX licitacion_cola ON licitacion(cola)",
        "CREATE INDEX licitacion_instante ON licitacion(vigente, instante)",
        "CREATE INDEX licitacion_cierre ON licitacion(vigente, cierre)",
        "CREATE INDEX licitacion_importe ON licitacion(vigente, importe)",
        """CREATE TABLE licitacion_cpv(
            cpv TEXT NOT NULL, licitacion_id INTEGER NOT NULL, PRIMARY KEY(cpv, licitacion_id)) WITHOUT ROWID""",
        """CREATE TABLE licitacion_nuts(
            nuts TEXT NOT NULL, licitacion_id INTEGER NOT NULL, PRIMARY KEY(nuts, licitacion_id)) WITHOUT ROWID""",
        "CREATE INDEX licitacion_cpv_de ON licitacion_cpv(licitacion_id)",
        "CREATE INDEX licitacion_nuts_de ON licitacion_nuts(licitacion_id)",
        # Words already folded and stemmed by nucleo.texto (same function for what is stored and what is asked).
        """CREATE VIRTUAL TABLE licitacion_texto USING fts5(
            objeto, lotes, organo, expediente, tokenize="unicode61 remove_diacritics 2")""",
    ):
        db.execute(sentencia)


@migraciones()
def m003_eventos(db: Database) -> None:
    """What happened, in order of arrival, for whoever follows a tender; each reader keeps its own position."""
    for sentencia in (
        """CREATE TABLE evento(
            id INTEGER PRIMARY KEY AUTOINCREMENT, licitacion_id INTEGER NOT NULL, tipo TEXT NOT NULL,
            version_id INTEGER, campos TEXT NOT NULL, instante INTEGER NOT NULL, alta TEXT NOT NULL)""",
        "CREATE INDEX evento_licitacion ON evento(licitacion_id, id)",
        """CREATE TABLE suscripcion(
            nombre TEXT PRIMARY KEY, ultimo_evento INTEGER NOT NULL, alta TEXT NOT NULL) WITHOUT ROWID""",
    ):
        db.execute(sentencia)
