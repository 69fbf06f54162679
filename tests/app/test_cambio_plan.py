"""What a proposed plan changes is told whole: new, changed field by field, and removed."""

from __future__ import annotations

import json

from app.piezas.cambio_plan import filas, resumen
from nucleo.recorridos.motor import diferencia
from nucleo.recorridos.plan import Plan
from tests.app.hostil import TEXTOS
from tests.app.planes import guia, hostil, paso


def cambiado() -> Plan:
    plan = json.loads(guia().model_dump_json())
    pasos = {p["id"]: p for p in plan["pasos"]}
    pasos["avisar"]["titulo"] = "Avisar a seguridad"
    pasos["fin"]["dependencias"] = ["despedir"]
    plan["pasos"].insert(-1, paso("despedir", "manual", "juntar", titulo="Despedirse"))
    return Plan.model_validate_json(json.dumps(plan))


def test_lo_nuevo_y_lo_cambiado_dice_que_habia_y_que_hay() -> None:
    cambio = diferencia(guia(), cambiado())
    assert resumen(cambio) == "1 paso nuevo, 2 pasos cambiados y ningún paso quitado."
    dicho = {(f[0], f[1]): (f[2], f[3]) for f in filas(guia(), cambiado(), cambio)}
    assert dicho["≠ Cambia", "**Avisar a seguridad** (avisar): título"] == (
        "Avisar a recepción",
        "Avisar a seguridad",
    )
    assert dicho["+ Nuevo", "**Despedirse** (despedir)"][0] == "—"


def test_al_reves_lo_quitado_se_dice() -> None:
    cambio = diferencia(cambiado(), guia())
    assert resumen(cambio) == "ningún paso nuevo, 2 pasos cambiados y 1 paso quitado."
    assert any(f[0] == "− Se quita" and f[3] == "—" for f in filas(cambiado(), guia(), cambio))


def test_sin_cambios_no_hay_filas_y_lo_ajeno_va_neutralizado() -> None:
    assert filas(guia(), guia(), diferencia(guia(), guia())) == []
    dicho = str(filas(guia(), hostil(TEXTOS), diferencia(guia(), hostil(TEXTOS))))
    assert "](https" not in dicho and "<img" not in dicho.replace("\\\\<", "")
