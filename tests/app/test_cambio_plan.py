"""What a proposed plan changes is told whole: new, changed field by field, and removed."""

from __future__ import annotations

import json

import pytest

from app.piezas.cambio_plan import filas, resumen
from nucleo.recorridos.motor import diferencia
from nucleo.recorridos.plan import Paso, Plan
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


@pytest.mark.parametrize("campo", sorted(Paso.model_fields.keys() - {"id"}))
def test_de_un_paso_nuevo_se_dice_todo_lo_que_lleva(campo: str) -> None:
    con = {
        "titulo": "Paso espía",
        "clase": "agente",
        "descripcion": "Palabra espía",
        "trabajo": "espia",
        "dependencias": ["espia"],
        "entradas": [{"nombre": "espia", "tipo": "texto"}],
        "salidas": [{"nombre": "espia", "tipo": "texto"}],
        "compuerta": {"tipo": "paralela", "sentido": "cierra", "abre": "espia"},
        "interaccion": {"pregunta": "¿Espía?", "contexto": "espía"},
        "ejecutor": {"perfil": "espia"},
        "rol": "admin",
        "rehacer_desde": "espia",
        "max_rehechos": 17,
    }
    nuevo = paso("otro", "manual", "inicio", titulo="Otro") | {campo: con[campo]}
    plan = json.loads(guia().model_dump_json())
    plan["pasos"].append(nuevo)
    despues = Plan.model_validate_json(json.dumps(plan))
    (fila,) = filas(guia(), despues, diferencia(guia(), despues))
    dicho = fila[1] + fila[3]
    assert {"clase": "agente", "rol": "admin", "max_rehechos": "17"}.get(campo, "sp") in dicho.lower()


@pytest.mark.parametrize("largo", [10, 3_000, 60_000], ids=["corto", "largo", "enorme"])
def test_lo_que_cambia_se_ve_este_donde_este(largo: int) -> None:
    def con(final: str) -> Plan:
        plan = json.loads(guia().model_dump_json())
        plan["pasos"][1]["entradas"] = [
            {"nombre": "x", "tipo": "texto", "origen": {"de": "literal", "valor": "a" * largo + final}}
        ]
        return Plan.model_validate_json(json.dumps(plan))

    (fila,) = filas(con("manso"), con("fiero"), diferencia(con("manso"), con("fiero")))
    assert "manso" in fila[2]
    assert "fiero" in fila[3]
