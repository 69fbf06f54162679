"""No run is born with a step that nobody would do, nor with an agent giving orders in another's name."""

from __future__ import annotations

import sqlite3
from datetime import datetime
from pathlib import Path

import pytest

from nucleo.recorridos import almacen, servicio
from nucleo.recorridos.casa import Casa, Funcion, Plantilla, ResultadoPaso
from nucleo.recorridos.comandos import EJECUTOR, Actor, ClaseActor
from nucleo.recorridos.errores import ErrorRecorrido, PlanInvalido
from nucleo.recorridos.peticiones import PeticionCrear
from nucleo.recorridos.plan import Clase, Ejecutor, Paso, Plan
from tests.cola.mortal import conectar_mortal
from tests.recorridos.almacen.base import base_nueva
from tests.recorridos.partida import INICIO
from tests.recorridos.secuencias import ANA, HERMES

FUNCION = Funcion("contar", lambda _: ResultadoPaso(salidas={}, mensaje="Contado."), abierta=True)


def _plan(clase: Clase, ejecutor: Ejecutor | None) -> Plan:
    return Plan(
        titulo="De tres pasos",
        pasos=(
            Paso(id="ini", titulo="Inicio", clase=Clase.INICIO),
            Paso(id="hacer", titulo="Hacer", clase=clase, dependencias=("ini",), ejecutor=ejecutor),
            Paso(id="fin", titulo="Fin", clase=Clase.FIN, dependencias=("hacer",)),
        ),
    )


@pytest.fixture
def con(tmp_path: Path) -> sqlite3.Connection:
    return conectar_mortal(base_nueva(tmp_path))


CASA = Casa(
    funciones={"contar": FUNCION},
    perfiles=frozenset(("hermes", "critico")),
    plantillas={
        "caso@1": Plantilla(
            nombre="caso@1",
            plan=_plan(Clase.AGENTE, Ejecutor(perfil="critico")),
            politica=lambda _: (),
            respuesta=lambda *_: (),
            dominio="casos",
        )
    },
    plazo=lambda dominio, objeto: INICIO if (dominio, objeto) == ("casos", "7") else None,
)


def _crear(con: sqlite3.Connection, actor: Actor, **partes: object) -> str:
    peticion = PeticionCrear.model_validate({"comando_id": "nace", "contexto": {}, **partes})
    return servicio.crear(con, CASA, peticion, actor, INICIO).id


@pytest.mark.parametrize(
    ("actor", "coordinador", "clase", "ejecutor", "motivo"),
    [
        (ANA, None, Clase.AGENTE, None, "no lo haría nadie"),
        (ANA, None, Clase.CODIGO, None, "no lo haría nadie"),
        (ANA, "hermes", Clase.AGENTE, None, ""),
        (HERMES, None, Clase.CODIGO, None, ""),
        (ANA, None, Clase.MANUAL, None, ""),
        (ANA, None, Clase.AGENTE, Ejecutor(perfil="critico"), ""),
        (HERMES, None, Clase.AGENTE, Ejecutor(perfil="hermes"), ""),
        (HERMES, None, Clase.CODIGO, Ejecutor(funcion="contar"), ""),
        (HERMES, None, Clase.AGENTE, Ejecutor(perfil="critico"), "es de otro agente"),
        (EJECUTOR, "hermes", Clase.AGENTE, Ejecutor(perfil="critico"), ""),
        (ANA, None, Clase.AGENTE, Ejecutor(perfil="nadie"), "no hay ningún perfil «nadie»"),
        (HERMES, None, Clase.AGENTE, Ejecutor(perfil="nadie"), "no hay ningún perfil «nadie»"),
    ],
)
def test_quien_puede_encargar_que_a_quien(  # noqa: PLR0917 - a row of the table
    con: sqlite3.Connection,
    actor: Actor,
    coordinador: str | None,
    clase: Clase,
    ejecutor: Ejecutor | None,
    motivo: str,
) -> None:
    pedido = {"plan": _plan(clase, ejecutor), "coordinador": coordinador}
    if not motivo:
        assert _crear(con, actor, **pedido)
        return
    with pytest.raises(PlanInvalido) as dicho:
        _crear(con, actor, **pedido)
    (problema,) = dicho.value.problemas
    assert problema.paso == "hacer"
    assert motivo in problema.mensaje


@pytest.mark.parametrize("dicho", [{}, {"dominio": "casos"}], ids=["sin_decirlo", "dicho"])
@pytest.mark.parametrize(("objeto", "vence"), [("7", INICIO), ("8", None)], ids=["con_plazo", "sin_plazo"])
def test_lo_de_una_plantilla_es_de_su_dominio_y_tiene_su_plazo(
    con: sqlite3.Connection, dicho: dict[str, str], objeto: str, vence: datetime | None
) -> None:
    foto = almacen.recorrido(con, _crear(con, ANA, plantilla="caso@1", objeto_id=objeto, **dicho))
    assert (foto.dominio, foto.vence) == ("casos", vence)


def test_lo_de_una_plantilla_no_es_de_otro_dominio(con: sqlite3.Connection) -> None:
    with pytest.raises(ErrorRecorrido, match="son del dominio «casos»") as dicho:
        _crear(con, ANA, plantilla="caso@1", dominio="otros")
    assert dicho.value.codigo == "COMANDO_INVALIDO"


def test_una_persona_encarga_a_quien_quiera(con: sqlite3.Connection) -> None:
    editora = Actor(clase=ClaseActor.PERSONA, nombre="Editora de prueba", rol="editor")
    assert _crear(con, editora, plan=_plan(Clase.AGENTE, Ejecutor(perfil="critico")), coordinador="hermes")
