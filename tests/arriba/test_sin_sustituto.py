"""`make up` starts no stand-in for Hermes and configures none: only the demonstration does."""

from __future__ import annotations

from pathlib import Path

from app.arriba.entorno import entorno_motor
from app.arriba.procesos import tabla
from app.cli.demo import GUION
from nucleo.configuracion import Configuracion


def test_ningun_proceso_de_make_up_es_el_sustituto() -> None:
    ordenes = [parte for proceso in tabla(Configuracion()) for parte in proceso.orden]
    assert [parte for parte in ordenes if "hermes" in parte or "demo" in parte.split(".")] == []
    assert GUION not in tabla(Configuracion())


def test_el_entorno_de_make_up_no_configura_ningun_hermes() -> None:
    assert "SOBRE_HERMES" not in entorno_motor(Path("datos"), 4200, {})
