"""A lock that one process holds and the system frees."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from nucleo.candado import candado
from nucleo.errores import Ocupado

AJENO = """
import sys
from pathlib import Path
from nucleo.candado import candado
with candado(Path(sys.argv[1]), "ocupado"):
    print("mío", flush=True)
    sys.stdin.read()
"""


def test_otro_proceso_lo_tiene_hasta_que_muere(tmp_path: Path) -> None:
    fichero = tmp_path / "sub" / "uno.candado"
    with subprocess.Popen(
        [sys.executable, "-c", AJENO, fichero], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as ajeno:
        assert ajeno.stdout is not None
        assert ajeno.stdout.readline() == "mío\n"
        with pytest.raises(Ocupado, match="espera"), candado(fichero, "espera un poco"):
            pass
        ajeno.send_signal(signal.SIGKILL)
        ajeno.wait(10)
    with candado(fichero, "ocupado"):
        assert fichero.exists()


def test_en_el_mismo_proceso_tampoco_se_toma_dos_veces(tmp_path: Path) -> None:
    with candado(tmp_path / "c", "ocupado"), pytest.raises(Ocupado), candado(tmp_path / "c", "ocupado"):
        pass
    with candado(tmp_path / "c", "ocupado"):
        pass
