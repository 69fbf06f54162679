"""`sobre perfil` from outside: files in and out, versions, and one line when something is wrong."""

from __future__ import annotations

import json
import stat
import subprocess
import sys
from pathlib import Path

EJEMPLO = Path(__file__).parents[2] / "deploy" / "empresa.ejemplo.yaml"


def sobre(*partes: str | Path) -> subprocess.CompletedProcess[str]:
    orden = [sys.executable, "-c", "from app.cli import principal; principal()", *map(str, partes)]
    return subprocess.run(orden, capture_output=True, text=True, check=False, timeout=60)


def test_importar_ver_exportar_y_volver_a_importar(datos: Path, tmp_path: Path) -> None:
    primera = json.loads(
        sobre("perfil", "importar", EJEMPLO, "--autor", "Persona Inventada", "--json").stdout
    )
    assert (primera["version"], primera["nueva"]) == (1, True)
    copia = tmp_path / "copia.yaml"
    assert sobre("perfil", "exportar", copia).returncode == 0
    assert stat.S_IMODE(copia.stat().st_mode) == 0o600
    assert sobre("perfil", "exportar", copia).returncode == 2, "no pisa lo que hay"
    assert not json.loads(sobre("perfil", "importar", copia, "--json").stdout)["nueva"]
    visto = json.loads(sobre("perfil", "ver", "--json").stdout)
    assert (visto["version"], visto["empresa"]["nif"]) == (1, "B12345674")
    (version,) = json.loads(sobre("perfil", "versiones", "--json").stdout)
    assert version["autor"] == "Persona Inventada"


def test_un_perfil_malo_se_rechaza_en_una_linea_y_no_deja_nada(datos: Path, tmp_path: Path) -> None:
    malo = tmp_path / "malo.yaml"
    malo.write_text("nombre: E\nnif: B12345678\n")
    hecho = sobre("perfil", "importar", malo)
    assert (hecho.returncode, hecho.stdout) == (1, "")
    assert "línea 2, campo «nif»" in hecho.stderr
    assert len(hecho.stderr.splitlines()) == 1
    assert json.loads(sobre("perfil", "versiones", "--json").stdout) == []
    assert "sobre perfil importar" in sobre("perfil", "ver").stderr
