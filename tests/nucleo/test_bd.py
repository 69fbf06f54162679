"""SQLite as we use it, on real files and with real processes."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from nucleo.bd import conectar, conectar_lectura, migrar, mirar, revisar, transaccion
from nucleo.errores import ErrorBaseDatos
from nucleo.migraciones import Database, Migrations

Paso = Callable[[Database], None]


def conjunto(*pasos: tuple[str, Paso]) -> Migrations:
    migraciones = Migrations("prueba")
    for nombre, paso in pasos:
        migraciones(name=nombre)(paso)
    return migraciones


def crear(db: Database) -> None:
    db.execute("CREATE TABLE t(id INTEGER PRIMARY KEY, n INTEGER NOT NULL)")


def ampliar(db: Database) -> None:
    db.execute("ALTER TABLE t ADD COLUMN nota TEXT")


def romper(db: Database) -> None:
    db.execute("INSERT INTO t(n) VALUES (99)")
    db.execute("INSERT INTO no_existe VALUES (1)")


PRIMERA = ("m001_crear", crear)
SEGUNDA = ("m002_ampliar", ampliar)


@pytest.fixture
def fichero(tmp_path: Path) -> Path:
    ruta = tmp_path / "hondo" / "prueba.db"
    migrar(ruta, conjunto(PRIMERA))
    return ruta


def filas(fichero: Path) -> list[int]:
    with closing(conectar_lectura(fichero)) as con:
        return [n for (n,) in con.execute("SELECT n FROM t ORDER BY id")]


def test_se_abre_en_wal_con_claves_ajenas(fichero: Path) -> None:
    with closing(conectar(fichero)) as con:
        assert con.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert con.execute("PRAGMA foreign_keys").fetchone() == (1,)


def test_lo_que_falla_a_medias_no_deja_nada(fichero: Path) -> None:
    with closing(conectar(fichero)) as con:
        with pytest.raises(sqlite3.IntegrityError), transaccion(con):
            con.execute("INSERT INTO t(n) VALUES (1)")
            con.execute("INSERT INTO t(n) VALUES (NULL)")
        with transaccion(con):
            con.execute("INSERT INTO t(n) VALUES (2)")
    assert filas(fichero) == [2]


def test_interrumpir_tampoco_deja_nada(fichero: Path) -> None:
    with closing(conectar(fichero)) as con, pytest.raises(KeyboardInterrupt), transaccion(con):
        con.execute("INSERT INTO t(n) VALUES (1)")
        raise KeyboardInterrupt
    assert filas(fichero) == []


def test_dos_que_leen_y_escriben_a_la_vez_esperan_su_turno(fichero: Path) -> None:
    """Read, then write what was read plus one: a deferred transaction would fail or lose a count."""
    salida = threading.Barrier(2)
    errores: list[BaseException] = []

    def contar() -> None:
        try:
            with closing(conectar(fichero)) as con:
                salida.wait(timeout=10)
                for _ in range(50):
                    with transaccion(con):
                        (n,) = con.execute("SELECT coalesce(max(n), 0) FROM t").fetchone()
                        con.execute("INSERT INTO t(n) VALUES (?)", (n + 1,))
        except BaseException as error:  # noqa: BLE001 - carried to the test's own thread
            errores.append(error)

    hilos = [threading.Thread(target=contar) for _ in range(2)]
    for hilo in hilos:
        hilo.start()
    for hilo in hilos:
        hilo.join(timeout=60)
    assert errores == []
    assert filas(fichero) == list(range(1, 101))


def test_quien_solo_lee_no_escribe_ni_crea(fichero: Path, tmp_path: Path) -> None:
    with closing(conectar_lectura(fichero)) as con, pytest.raises(sqlite3.OperationalError):
        con.execute("INSERT INTO t(n) VALUES (1)")
    with pytest.raises(ErrorBaseDatos, match="Aún no hay datos"):
        conectar_lectura(tmp_path / "nada.db")
    assert not (tmp_path / "nada.db").exists()


def test_un_lector_no_espera_al_que_escribe(fichero: Path) -> None:
    with closing(conectar(fichero)) as escritor, transaccion(escritor):
        escritor.execute("INSERT INTO t(n) VALUES (1)")
        assert filas(fichero) == []
    assert filas(fichero) == [1]


def test_migrar_dos_veces_no_hace_nada_la_segunda(fichero: Path) -> None:
    migrar(fichero, conjunto(PRIMERA))
    assert list(fichero.parent.glob("*.antes-de-*")) == []


def test_antes_de_actualizar_se_guarda_una_copia(fichero: Path) -> None:
    with closing(conectar(fichero)) as con:
        con.execute("INSERT INTO t(n) VALUES (7)")
    migrar(fichero, conjunto(PRIMERA, SEGUNDA))
    copia = fichero.with_name("prueba.antes-de-prueba.m002_ampliar.db")
    with closing(sqlite3.connect(copia)) as con:
        assert con.execute("SELECT * FROM t").fetchall() == [(1, 7)]
    with closing(conectar(fichero)) as con:
        assert con.execute("SELECT * FROM t").fetchall() == [(1, 7, None)]


def test_una_base_mas_nueva_que_el_programa_se_rechaza_sin_tocarla(fichero: Path) -> None:
    migrar(fichero, conjunto(PRIMERA, SEGUNDA))
    with pytest.raises(ErrorBaseDatos, match="m002_ampliar") as rechazo:
        migrar(fichero, conjunto(PRIMERA))
    assert rechazo.value.codigo == "esquema_mas_nuevo"


def test_un_conjunto_entero_desconocido_tambien_es_de_un_programa_mas_nuevo(fichero: Path) -> None:
    otro = Migrations("otra_sala")
    otro(name="m001_crear")(lambda db: db.execute("CREATE TABLE otra(id INTEGER PRIMARY KEY)"))
    migrar(fichero, conjunto(PRIMERA), otro)
    with pytest.raises(ErrorBaseDatos, match="otra_sala"):
        migrar(fichero, conjunto(PRIMERA))


def test_revisar_dice_lo_que_hay_sin_cambiarlo(fichero: Path, tmp_path: Path) -> None:
    estado = revisar(fichero, [conjunto(PRIMERA, SEGUNDA)])
    assert (estado.sana, estado.esquema, estado.pendientes) == (
        True,
        ("prueba.m001_crear",),
        ("prueba.m002_ampliar",),
    )
    assert revisar(fichero, []).futuras == ("prueba.m001_crear",)
    assert revisar(tmp_path / "nada.db", []).existe is False


def test_revisar_reconoce_una_base_danada(fichero: Path) -> None:
    with closing(conectar(fichero)) as con:
        con.executemany("INSERT INTO t(n) VALUES (?)", [(n,) for n in range(5000)])
        con.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    with fichero.open("r+b") as abierto:
        abierto.seek(4096)
        abierto.write(b"\xff" * 4096)
    estado = revisar(fichero, [conjunto(PRIMERA)])
    assert (estado.existe, estado.sana) == (True, False)
    assert estado.fallo
    assert mirar(fichero, [conjunto(PRIMERA)]).existe


def test_una_migracion_que_falla_no_deja_la_base_a_medias(fichero: Path) -> None:
    with pytest.raises(sqlite3.OperationalError):
        migrar(fichero, conjunto(PRIMERA, ("m002_romper", romper)))
    assert filas(fichero) == []
    migrar(fichero, conjunto(PRIMERA, SEGUNDA))
    with closing(conectar(fichero)) as con:
        assert [c[1] for c in con.execute("PRAGMA table_info(t)")] == ["id", "n", "nota"]


def test_lo_que_no_es_una_base_se_dice(tmp_path: Path) -> None:
    ruta = tmp_path / "falsa.db"
    ruta.write_bytes(b"<html>esto no es SQLite</html>" * 100)
    with pytest.raises(ErrorBaseDatos, match="falsa"):
        migrar(ruta, conjunto(PRIMERA))


def test_una_carpeta_imposible_se_dice(tmp_path: Path) -> None:
    (tmp_path / "ocupado").write_text("esto es un fichero, no una carpeta")
    with pytest.raises(ErrorBaseDatos, match="ocupado"):
        migrar(tmp_path / "ocupado" / "prueba.db", conjunto(PRIMERA))


def test_dos_procesos_abren_a_la_vez_una_base_nueva(tmp_path: Path) -> None:
    guion = (
        "import sys; from pathlib import Path; from dominios.licitaciones import registro;"
        "sys.stdin.read(1); print(registro.preparar(Path(sys.argv[1])))"
    )
    procesos = [
        subprocess.Popen(
            [sys.executable, "-W", "error", "-c", guion, str(tmp_path / "datos")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for _ in range(3)
    ]
    for proceso in procesos:
        assert proceso.stdin is not None
        proceso.stdin.write(b".")
        proceso.stdin.flush()
    salidas = [proceso.communicate(timeout=60) for proceso in procesos]
    assert [p.returncode for p in procesos] == [0, 0, 0], salidas
    assert {salida for salida, _ in salidas} == {f"{tmp_path / 'datos' / 'licitaciones.db'}\n".encode()}
