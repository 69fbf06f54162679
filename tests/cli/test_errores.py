"""Whatever goes wrong with a command is one Spanish line on stderr and its exit code, never a traceback."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from dominios.licitaciones.radar.muestra import carpeta as carpeta_muestra

SOBRE = Path(sys.executable).with_name("sobre")


def sobre(*orden: str, **entorno: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(SOBRE), *orden],
        env=os.environ | entorno,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize(
    ("orden", "motivo"),
    [
        (("no-existe",), "No existe la orden «no-existe». Ayuda: sobre --help"),
        (("radar", "importa"), "No existe la orden «importa». ¿Querías decir importar? Ayuda: sobre radar --help"),
        (("radar", "importar"), "Falta FICHEROS. Ayuda: sobre radar importar --help"),
        (("salud", "--jso"), "No existe la opción --jso. ¿Querías decir --json? Ayuda: sobre salud --help"),
        (("init", "--json=1"), "No existe la opción --json. Ayuda: sobre init --help"),
        (
            ("licitacion", "buscar", "x", "--limite"),
            "La opción --limite está mal escrita: le falta o le sobra un valor.",
        ),
        (
            ("licitacion", "buscar", "x", "--limite", "0"),
            "El valor de --limite no vale: tiene que ser un número entero de 1 a 10000."
            " Ayuda: sobre licitacion buscar --help",
        ),
        (
            ("radar", "sincronizar", "--fuente", "9"),
            "El valor de --fuente no vale: tiene que ser 643, 1044, 1143, 1383, 1403."
            " Ayuda: sobre radar sincronizar --help",
        ),
        (("licitacion", "ver", "a", "b"), "Sobra algo en la orden. Ayuda: sobre licitacion ver --help"),
    ],
)  # fmt: skip
def test_una_orden_mal_escrita_es_una_frase_y_un_dos(orden: tuple[str, ...], motivo: str) -> None:
    mala = sobre(*orden)
    assert (mala.returncode, mala.stdout, mala.stderr) == (2, "", f"{motivo}\n")


def test_la_ayuda_esta_en_espanol() -> None:
    ayuda = sobre("licitacion", "buscar", "--help")
    assert ayuda.returncode == 0
    assert "Uso: sobre licitacion buscar [OPCIONES] TEXTO" in ayuda.stdout
    for inglesa in ("Usage", "Options", "Commands", "Show this", "default", "INTEGER"):
        assert inglesa not in ayuda.stdout


def test_un_fallo_que_nadie_previo_es_una_frase_que_dice_donde(datos: Path) -> None:
    assert sobre("radar", "importar", *map(str, carpeta_muestra().rglob("*.atom"))).returncode == 0
    with sqlite3.connect(datos / "licitaciones.db") as con:
        con.execute("UPDATE licitacion SET avisos = 'esto no es JSON'")
    roto = sobre("licitacion", "buscar", "", "--json")
    assert (roto.returncode, roto.stdout, roto.stderr.count("\n")) == (1, "", 1)
    assert roto.stderr.startswith("Fallo del programa, no tuyo: JSONDecodeError en dominios/")


@pytest.fixture
def con_ctrl_c() -> Iterator[None]:
    """What is started now hears Ctrl-C, also when the tests themselves are deaf to it (a job of a shell)."""
    antes = signal.signal(signal.SIGINT, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGINT, antes)


@pytest.mark.usefixtures("con_ctrl_c")
@pytest.mark.parametrize("espera", ["nacen los lectores", "se lee"])
def test_ctrl_c_es_una_frase_tambien_en_los_lectores(datos: Path, tmp_path: Path, espera: str) -> None:
    """The terminal interrupts every process of the command, not only the first."""
    pagina = next(carpeta_muestra().rglob("*.atom")).read_bytes()
    for n in range(2000):
        (tmp_path / f"{n}.atom").write_bytes(pagina + b"\n" * n)
    with subprocess.Popen(
        [str(SOBRE), "radar", "importar", str(tmp_path)],
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as proceso:
        if espera == "se lee":
            assert proceso.stderr is not None
            proceso.stderr.readline()
        else:
            hasta = time.monotonic() + 30
            while not list(datos.iterdir()) and time.monotonic() < hasta:
                time.sleep(0.001)
        os.killpg(proceso.pid, signal.SIGINT)
        _, errores = proceso.communicate(timeout=60)
    assert proceso.returncode == 1
    assert errores.splitlines()[-1] == "Interrumpido."
    assert "Traceback" not in errores


def test_un_fichero_que_no_se_puede_escribir_se_dice_en_una_frase(datos: Path, tmp_path: Path) -> None:
    ejemplo = Path(__file__).resolve().parents[2] / "deploy" / "empresa.ejemplo.yaml"
    assert sobre("perfil", "importar", str(ejemplo)).returncode == 0
    destino = tmp_path / "no-hay" / "empresa.yaml"
    fallido = sobre("perfil", "exportar", str(destino))
    motivo = (
        f"No se ha podido terminar: {destino}: no existe, o no existe la carpeta donde tendría que estar.\n"
    )
    assert (fallido.returncode, fallido.stdout, fallido.stderr) == (1, "", motivo)


def test_un_fichero_de_perfiles_que_no_vale_se_dice_una_vez(datos: Path, tmp_path: Path) -> None:
    fallido = sobre("cola", "ver", SOBRE_HERMES=str(tmp_path / "no-hay.json"))
    assert (fallido.returncode, fallido.stdout, fallido.stderr.count("\n")) == (1, "", 1)
