"""What people may answer at the steps of an offer."""

from __future__ import annotations

import pytest
from pydantic import JsonValue

from dominios.licitaciones.oferta.plantilla import OFERTA
from dominios.licitaciones.oferta.respuestas import respuesta
from nucleo.recorridos.comandos import TipoComando
from nucleo.recorridos.errores import ErrorRecorrido
from nucleo.recorridos.estado import EstadoRecorrido, Situacion
from nucleo.recorridos.plan import HUMANO, Valores
from tests.oferta.taller import COMPLETO, PERSONA, Caso, EnMemoria, casa_de, lo_que_dice, orden, recorrer

PASOS = {p.id: p for p in OFERTA.pasos}
FIRMA: JsonValue = {"clave": "firma", "mensaje": "Falta firmar el DEUC"}
LOTES: JsonValue = {"clave": "lotes.max", "mensaje": "Pasa del máximo de lotes"}


def asumir(clave: str, motivo: str = " se firma al presentar: ya está hablado") -> JsonValue:
    """One blocking finding taken on, as a person writes it."""
    return f"{clave}:{motivo}"


def problemas(paso: str, salidas: Valores, entradas: Valores | None = None) -> list[str]:
    """What the rule of that step objects to."""
    return [p.mensaje for p in respuesta(PASOS[paso], entradas or {}, salidas)]


@pytest.mark.parametrize("paso", [p.id for p in OFERTA.pasos if p.clase in HUMANO])
def test_una_respuesta_normal_vale(paso: str) -> None:
    assert problemas(paso, lo_que_dice(COMPLETO, paso), {"bloqueos": []}) == []


@pytest.mark.parametrize(
    ("paso", "salidas", "dice"),
    [
        ("decidir", {"decision": "presentar", "motivo": "  "}, "motivo"),
        ("precio", {"importe": "0"}, "mayor que cero"),
        ("precio", {"importe": "-1.00"}, "mayor que cero"),
        ("precio", {"importe": "10.005"}, "dos decimales"),
        ("precio", {"importe": "100000000000"}, "demasiado grande"),
        ("garantia", {"modalidad": "aval", "importe": "0.00"}, "mayor que cero"),
        ("equipo", {"personas": []}, "personas"),
        ("equipo", {"personas": ["Una", " "]}, "personas"),
        ("ute", {"socios": [3]}, "socios"),
        ("visto_bueno", {"conforme": False}, "rechaza"),
        ("registrar_presentacion", {"fecha": "2026-03-19", "registro": " "}, "registro"),
        ("registrar_presentacion", {"fecha": "2026-03-19", "registro": "1", "hora": "25:00"}, "hora"),
    ],
)
def test_lo_que_no_vale_se_dice(paso: str, salidas: Valores, dice: str) -> None:
    (problema,) = problemas(paso, salidas)
    assert dice in problema


@pytest.mark.parametrize("importe", ["0.01", "118500", "118500.5", "118500.50", "118500.500"])
def test_importes_que_valen(importe: str) -> None:
    assert problemas("precio", {"importe": importe}) == []


@pytest.mark.parametrize(
    ("asumidos", "dicen"),
    [
        ([], ["«firma» no está resuelto", "«lotes.max» no está resuelto"]),
        ([asumir("firma")], ["«lotes.max» no está resuelto"]),
        ([asumir("firma"), asumir("lotes.max")], []),
        ([asumir("firma"), asumir("lotes.max"), asumir("otro")], ["«otro» no es un bloqueo"]),
        ([asumir("firma"), asumir("firma"), asumir("lotes.max")], ["«firma» está 2 veces"]),
        (
            [asumir("firma", " "), "lotes.max"],
            ["falta el motivo de «firma»", "falta el motivo de «lotes.max»"],
        ),
    ],
    ids=["ninguno", "falta-uno", "todos", "sobra-uno", "repetido", "sin-motivo"],
)
def test_el_visto_bueno_asume_cada_bloqueo_y_ninguno_mas(asumidos: list[JsonValue], dicen: list[str]) -> None:
    hallados = problemas(
        "visto_bueno", {"conforme": True, "bloqueos_asumidos": asumidos}, {"bloqueos": [FIRMA, LOTES]}
    )
    assert len(hallados) == len(dicen)
    assert all(parte in hallado for parte, hallado in zip(dicen, hallados, strict=True))


def ante_un_bloqueo() -> EnMemoria:
    """An offer whose check has just found something that blocks it."""
    caso = Caso("presentar", memoria=False, deuc=True, garantia=False, ute=False, rechazos=1)
    marcha = EnMemoria(casa_de(caso))
    recorrer(marcha, caso, hasta="visto_bueno")
    return marcha


def aprobar(marcha: EnMemoria, asumidos: list[JsonValue]) -> None:
    """Give the go-ahead."""
    marcha.mandar(
        orden(
            TipoComando.APROBAR,
            "visto_bueno",
            revision=marcha.ver().revision,
            salidas={"conforme": True, "bloqueos_asumidos": asumidos},
        ),
        PERSONA,
    )


@pytest.mark.parametrize(
    "asumidos", [[], [asumir("firma", "   ")], ["firma"]], ids=["nada", "en-blanco", "sin-motivo"]
)
def test_no_se_aprueba_con_un_bloqueo_sin_asumir(asumidos: list[JsonValue]) -> None:
    marcha = ante_un_bloqueo()
    antes = marcha.ver()
    with pytest.raises(ErrorRecorrido, match="visto bueno") as hallado:
        aprobar(marcha, asumidos)
    assert hallado.value.codigo == "SALIDA_INVALIDA"
    assert marcha.ver() == antes


def test_se_aprueba_asumiendolo_con_su_motivo_y_queda_quien_lo_hizo() -> None:
    marcha = ante_un_bloqueo()
    aprobar(marcha, [asumir("firma")])
    visto_bueno = marcha.ver().pasos["visto_bueno"]
    assert visto_bueno.estado is Situacion.COMPLETADO
    assert visto_bueno.decidido_por == PERSONA.nombre
    assert visto_bueno.salidas == {"conforme": True, "bloqueos_asumidos": [asumir("firma")]}
    assert marcha.ver().estado is EstadoRecorrido.ACTIVO


def test_el_visto_bueno_es_de_quien_administra() -> None:
    marcha = ante_un_bloqueo()
    editora = PERSONA.model_copy(update={"rol": "editor"})
    with pytest.raises(ErrorRecorrido, match="administra"):
        marcha.mandar(
            orden(
                TipoComando.APROBAR,
                "visto_bueno",
                revision=marcha.ver().revision,
                salidas={"conforme": True, "bloqueos_asumidos": [asumir("firma")]},
            ),
            editora,
        )
