"""The rule of the registry for every tool that proposes: an open attempt of its own agent, or nothing is written."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from app.mcp.herramientas import CATALOGO as DE_VERDAD
from dominios.licitaciones import registro as de_licitaciones
from nucleo import registro
from nucleo.agentes.encargo import Encargo
from nucleo.agentes.herramientas import (
    Catalogo,
    Contexto,
    Herramienta,
    Mesa,
    Proposicion,
    Respuesta,
    UnaHerramienta,
    rechazo,
)
from nucleo.agentes.llamar import Taller, llamar
from nucleo.agentes.modelo import Agente
from nucleo.cola import intentos, servicio
from nucleo.cola.modelo import Causa, EstadoIntento
from nucleo.cola.puerta import puerta_a
from nucleo.modelo import Modelo
from nucleo.reloj import reloj_del_sistema
from tests.agentes.casa import CATALOGO, Hecho, Nota, crear_notas, encargar, hacer
from tests.agentes.esquemas import buenos
from tests.agentes.volcado import volcado
from tests.conftest import AHORA

NOTA: dict[str, object] = {"texto": "encaja", "puntos": 7}
CERRADO = {
    "ok": False,
    "codigo": "encargo_cerrado",
    "errores": [
        {
            "campo": "",
            "mensaje": "Ese encargo no está abierto: revisa `trabajo` y `nonce`; si son los tuyos, ya ha terminado.",
        }
    ],
}


class Puesto:
    """The agent `autor` before a catalogue, over a real queue; `con` is the shared database."""

    def __init__(self, con: sqlite3.Connection, datos: Path) -> None:
        self.con = con
        self.datos = datos
        agente = Agente(nombre="autor", permisos=frozenset(), creado=AHORA)
        puerta = puerta_a(datos / registro.FICHERO)
        self.contexto = Contexto(agente, datos, reloj_del_sistema, puerta=puerta)
        crear_notas(datos)

    def llamar(
        self, herramienta: UnaHerramienta, argumentos: object, contexto: Contexto | None = None
    ) -> dict[str, Any]:
        contexto = contexto or self.contexto
        agente = contexto.agente.model_copy(update={"permisos": frozenset({herramienta.permiso})})
        taller = Taller(self.con, Catalogo([herramienta]), replace(contexto, agente=agente))
        respuesta: dict[str, Any] = json.loads(llamar(taller, herramienta.nombre, argumentos))
        return respuesta

    def notas(self) -> list[str]:
        return volcado(self.datos / "notas.db")


@pytest.fixture
def puesto(con: sqlite3.Connection, datos: Path) -> Puesto:
    return Puesto(con, datos)


def _nota() -> UnaHerramienta:
    herramienta = CATALOGO.declarada("proponer_nota")
    assert herramienta is not None
    return herramienta


def con_efecto(dejar: Callable[[Mesa, Nota], Modelo], fichero: str = "notas.db") -> UnaHerramienta:
    """A tool that proposes like `proponer_nota`, doing something else."""
    return replace(_nota(), ejecutar=Proposicion(tipo="nota", fichero=fichero, dejar=dejar))


def cerrando(puesto: Puesto, tipo: str) -> dict[str, object]:
    encargo = encargar(puesto.con, "autor", tipo)
    (intento,) = _abiertos(puesto, encargo)
    intentos.empezar_cierre(puesto.con, intento, Causa.TERMINADO, "")
    return encargo


def cancelado(puesto: Puesto, tipo: str) -> dict[str, object]:
    encargo = encargar(puesto.con, "autor", tipo)
    servicio.cancelar(puesto.con, _numero(encargo), reloj_del_sistema())
    return encargo


def ajeno(puesto: Puesto, tipo: str) -> dict[str, object]:
    return encargar(puesto.con, "otro", tipo)


def inventado(puesto: Puesto, tipo: str) -> dict[str, object]:
    return encargar(puesto.con, "autor", tipo) | {"nonce": "0" * 32}


def de_otro_trabajo(puesto: Puesto, tipo: str) -> dict[str, object]:
    uno, otro = encargar(puesto.con, "autor", tipo), encargar(puesto.con, "autor", tipo)
    return uno | {"trabajo": otro["trabajo"]}


def de_otro_tipo(puesto: Puesto, tipo: str) -> dict[str, object]:
    return encargar(puesto.con, "autor", f"otro_{tipo}")


CERRADOS = (cerrando, cancelado, ajeno, inventado, de_otro_trabajo, de_otro_tipo)


def _numero(encargo: dict[str, object]) -> int:
    numero = encargo["trabajo"]
    assert isinstance(numero, int)
    return numero


def _abiertos(puesto: Puesto, encargo: dict[str, object]) -> list[int]:
    return [r.intento.id for r in servicio.por_conciliar(puesto.con) if r.trabajo.id == _numero(encargo)]


@pytest.mark.parametrize("caso", CERRADOS, ids=lambda caso: caso.__name__)
def test_sin_un_encargo_abierto_propio_no_se_escribe_nada(
    puesto: Puesto, caso: Callable[[Puesto, str], dict[str, object]]
) -> None:
    antes = puesto.notas()
    assert puesto.llamar(_nota(), caso(puesto, "nota") | NOTA) == CERRADO
    assert puesto.notas() == antes


QUE_PROPONEN = tuple(h for h in DE_VERDAD.todas() if isinstance(h.ejecutar, Proposicion))
CON_REGLAS_PROPIAS = {
    "recorrido_crear",
    "recorrido_paso",
    "recorrido_proponer_plan",
    "artefacto_registrar",
    "continuacion_proponer",
}
"""The runs know by themselves who may and what was already done (tests/recorridos); nothing else is without a gate."""


def test_solo_los_recorridos_cambian_algo_sin_un_encargo() -> None:
    sin_puerta = {h.nombre for h in DE_VERDAD.todas() if not h.solo_lee} - {h.nombre for h in QUE_PROPONEN}
    assert sin_puerta == CON_REGLAS_PROPIAS


@pytest.mark.parametrize("caso", CERRADOS, ids=lambda caso: caso.__name__)
@pytest.mark.parametrize("herramienta", QUE_PROPONEN, ids=lambda h: h.nombre)
def test_ninguna_de_las_de_verdad_se_libra(
    puesto: Puesto, herramienta: UnaHerramienta, caso: Callable[[Puesto, str], dict[str, object]]
) -> None:
    assert isinstance(herramienta.ejecutar, Proposicion)
    de_licitaciones.preparar(puesto.datos)
    encargo = caso(puesto, herramienta.ejecutar.tipo)
    antes = volcado(puesto.datos / herramienta.ejecutar.fichero)
    codigos: set[str] = set()

    @settings(
        max_examples=5,
        deadline=None,
        phases=[Phase.generate],
        derandomize=True,
        suppress_health_check=[HealthCheck.too_slow],
    )
    @given(buenos(herramienta.esquema()))
    def proponer(argumentos: dict[str, object]) -> None:
        respuesta = puesto.llamar(herramienta, argumentos | encargo)
        assert respuesta["ok"] is False
        codigos.add(respuesta["codigo"])

    proponer()
    assert "encargo_cerrado" in codigos
    assert codigos <= {"encargo_cerrado", "argumentos"}  # a schema does not say everything that a model asks
    assert volcado(puesto.datos / herramienta.ejecutar.fichero) == antes


def test_lo_mismo_dos_veces_se_guarda_una_y_se_responde_igual(puesto: Puesto) -> None:
    encargo = encargar(puesto.con, "autor")
    primera = puesto.llamar(_nota(), encargo | NOTA)
    guardado = puesto.notas()
    assert primera == {"ok": True, "dicho": "guardada"}
    assert puesto.llamar(_nota(), {"payload": encargo | NOTA}) == primera
    assert puesto.notas() == guardado


def test_otro_contenido_con_el_mismo_nonce_no_pisa_el_primero(puesto: Puesto) -> None:
    encargo = encargar(puesto.con, "autor")
    puesto.llamar(_nota(), encargo | NOTA)
    guardado = puesto.notas()
    assert puesto.llamar(_nota(), encargo | NOTA | {"texto": "no encaja"})["codigo"] == "ya_propuesta"
    assert puesto.notas() == guardado


def _escribir_y_negarse(mesa: Mesa, nota: Nota) -> Respuesta:
    mesa.con.execute("INSERT INTO nota VALUES (?, ?)", (nota.nonce, nota.texto))
    return rechazo("texto", "No me convence.")


def _escribir_y_romperse(mesa: Mesa, nota: Nota) -> Hecho:
    mesa.con.execute("INSERT INTO nota VALUES (?, ?)", (nota.nonce, nota.texto))
    raise RuntimeError


@pytest.mark.parametrize("dejar", [_escribir_y_negarse, _escribir_y_romperse], ids=["se niega", "se rompe"])
def test_una_negativa_no_deja_nada_aunque_ya_hubiera_escrito(
    puesto: Puesto, dejar: Callable[[Mesa, Nota], Modelo]
) -> None:
    encargo, antes = encargar(puesto.con, "autor"), puesto.notas()
    assert puesto.llamar(con_efecto(dejar), encargo | NOTA)["ok"] is False
    assert puesto.notas() == antes
    assert puesto.llamar(_nota(), encargo | NOTA)["ok"] is True  # and nothing stays locked


def test_mientras_se_escribe_nadie_puede_cerrar_el_intento(puesto: Puesto) -> None:
    encargo = encargar(puesto.con, "autor")
    (intento,) = _abiertos(puesto, encargo)
    puesto.con.execute("PRAGMA busy_timeout=0")

    def dejar(_: Mesa, __: Nota) -> Hecho:
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            intentos.empezar_cierre(puesto.con, intento, Causa.TERMINADO, "")
        return Hecho(dicho="guardada")

    assert puesto.llamar(con_efecto(dejar), encargo | NOTA)["ok"] is True
    intentos.empezar_cierre(puesto.con, intento, Causa.TERMINADO, "")
    (abierto,) = [r.intento for r in servicio.por_conciliar(puesto.con) if r.intento.id == intento]
    assert abierto.estado is EstadoIntento.CERRANDO


def test_lo_propuesto_puede_estar_en_la_base_comun(puesto: Puesto) -> None:
    puesto.con.execute("CREATE TABLE prueba(nonce TEXT)")

    def dejar(mesa: Mesa, nota: Nota) -> Hecho:
        mesa.con.execute("INSERT INTO prueba VALUES (?)", (nota.nonce,))
        return Hecho(dicho=str(mesa.abierto.trabajo_id))

    herramienta = con_efecto(dejar, registro.FICHERO)
    encargo = encargar(puesto.con, "autor")
    assert puesto.llamar(herramienta, encargo | NOTA)["dicho"] == str(encargo["trabajo"])
    assert puesto.llamar(herramienta, ajeno(puesto, "nota") | NOTA) == CERRADO
    assert puesto.con.execute("SELECT nonce FROM prueba").fetchall() == [(encargo["nonce"],)]


def test_sin_cola_ningun_encargo_esta_abierto(puesto: Puesto) -> None:
    sin_cola = Contexto(puesto.contexto.agente, puesto.datos, reloj_del_sistema)
    assert puesto.llamar(_nota(), encargar(puesto.con, "autor") | NOTA, sin_cola) == CERRADO


def test_no_entra_en_el_catalogo_quien_propone_sin_encargo_ni_quien_lo_usa_para_leer() -> None:
    sin_encargo = hacer("dejar_nota", "proponer:notas", lambda _, __: Hecho(dicho=""))
    proponiendo: Herramienta[Nota] = replace(_nota(), permiso="leer:notas")
    for herramienta in (sin_encargo, proponiendo):
        with pytest.raises(ValueError, match="encargo"):
            Catalogo([herramienta])


@settings(max_examples=30)
@given(st.integers(max_value=0) | st.integers(min_value=2**63))
def test_un_numero_de_trabajo_imposible_ni_se_busca(numero: int) -> None:
    with pytest.raises(ValueError, match="trabajo"):
        Encargo(trabajo=numero, nonce="12345678")
