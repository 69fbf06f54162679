"""`sobre`, `sobre init` and `sobre salud` as a person runs them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

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


def test_init_crea_y_repetido_no_cambia_nada(datos: Path) -> None:
    primera = sobre("init")
    antes = (datos / "licitaciones.db").read_bytes()
    segunda = sobre("init")
    assert (primera.returncode, primera.stderr, segunda.returncode) == (0, "", 0)
    assert (datos / "licitaciones.db").read_bytes() == antes


def test_la_carpeta_nueva_solo_la_abre_su_dueno(tmp_path: Path) -> None:
    assert sobre("init", SOBRE_DATOS=str(tmp_path / "nueva")).returncode == 0
    assert (tmp_path / "nueva").stat().st_mode & 0o077 == 0


def test_salud_dice_si_hay_que_arreglar_algo(datos: Path) -> None:
    sin_base = sobre("salud")
    assert (sin_base.returncode, sin_base.stderr) == (1, "")
    assert "sobre init" in sin_base.stdout
    assert sobre("init").returncode == 0
    con_base = sobre("salud", "--json")
    documento = json.loads(con_base.stdout)
    assert (con_base.returncode, con_base.stderr) == (0, "")
    assert documento["base"]["fichero"] == "licitaciones.db"
    assert [f["fuente"] for f in documento["fuentes"]] == ["643", "1044", "1143", "1383", "1403"]
    assert (datos / "licitaciones.db").exists()


def test_un_ajuste_malo_es_una_linea_y_un_uno(datos: Path) -> None:
    malo = sobre("salud", SOBRE_PUERTO="ochenta")
    assert (malo.returncode, malo.stdout) == (1, "")
    assert malo.stderr.count("\n") == 1
    assert "SOBRE_PUERTO" in malo.stderr
    assert list(datos.iterdir()) == []


def test_una_variable_que_nadie_lee_se_avisa_y_no_estorba(datos: Path) -> None:
    avisado = sobre("init", SOBRE_PUERT0="1")
    assert avisado.returncode == 0
    assert "¿querías decir SOBRE_PUERTO?" in avisado.stderr
    assert (datos / "licitaciones.db").exists()


def test_el_mal_uso_es_un_dos() -> None:
    assert sobre("no-existe").returncode == 2
    assert sobre("salud", "--no-existe").returncode == 2


def test_una_carpeta_imposible_es_una_frase_y_un_uno(tmp_path: Path) -> None:
    (tmp_path / "fichero").write_text("no es una carpeta")
    imposible = sobre("init", SOBRE_DATOS=str(tmp_path / "fichero" / "datos"))
    assert imposible.returncode == 1
    assert imposible.stderr.count("\n") == 1
    assert "Traceback" not in imposible.stderr
