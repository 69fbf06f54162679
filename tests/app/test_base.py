"""What pages ask the domain for is what the rest of the program uses."""

from __future__ import annotations

from pathlib import Path

from app.piezas import base
from tasks.tipos import tipos_de_trabajo


def test_la_web_conoce_los_mismos_trabajos_que_atiende_la_cola(datos: Path) -> None:
    assert base.tipos_de_trabajo().keys() == tipos_de_trabajo(datos).keys()
