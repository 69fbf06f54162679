"""Whatever is thrown at the API it never answers 500, and what it refuses leaves nothing written."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nucleo import registro
from nucleo.recorridos.api.mensajes import JSON
from nucleo.recorridos.api.rutas import API, describir
from nucleo.recorridos.comandos import Comando, TipoComando
from nucleo.recorridos.peticiones import PeticionCrear
from nucleo.recorridos.plan import Plan
from tests.agentes.esquemas import buenos, casi_buenos
from tests.agentes.test_validar import JSON as CUALQUIERA
from tests.agentes.volcado import volcado
from tests.api.servida import PERSONA, Servida
from tests.recorridos.casos import OTRO_PLAN, PLAN

APARTE = ("agente", "agente_llamada", "recorrido_rechazo")
"""What a refused request may write: that an agent came, and the evidence of the refusal."""
QUE_CAMBIAN = [r for r in API.rutas if r.metodo == "POST"]
CREAR, COMANDO = PeticionCrear.model_json_schema(), Comando.model_json_schema()


def estropeado(documento: Any, claves: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """The document with one of its parts, at any depth, changed for anything, taken out or doubled."""

    @st.composite
    def cambiar(dibuja: st.DrawFn) -> Any:
        copia = json.loads(json.dumps(documento))
        nodo: Any = copia
        while True:
            cual = dibuja(st.sampled_from(list(nodo) if isinstance(nodo, dict) else range(len(nodo))))
            dentro = nodo[cual]
            if isinstance(dentro, dict | list) and dentro and dibuja(st.booleans()):
                nodo = dentro
                continue
            if dibuja(st.booleans()):
                nodo[cual] = dibuja(claves)
            elif isinstance(nodo, dict):
                del nodo[cual]
            else:
                nodo.append(dentro)
            return copia

    return cambiar()


PLANES = st.sampled_from((PLAN, OTRO_PLAN)) | estropeado(PLAN, CUALQUIERA) | buenos(Plan.model_json_schema())
PETICIONES = st.builds(lambda plan, clave: {"comando_id": clave, "plan": plan}, PLANES, st.uuids().map(str))
COMANDOS = st.builds(
    lambda base, tipo, paso: base | {"tipo": tipo, "paso": paso} if isinstance(base, dict) else base,
    buenos(COMANDO) | casi_buenos(COMANDO),
    st.sampled_from([t.value for t in TipoComando]),
    st.sampled_from(["publico", "redactar", "revisar", "fin", "nada"]),
)


def mandar(api: Servida, quien: str, ruta: str, contenido: bytes, tipo: str = JSON) -> int:
    """The status; whatever it is, nothing that was refused has been kept."""
    antes = volcado(api.datos / registro.FICHERO, *APARTE)
    with api.http(quien) as http:
        respuesta = http.post(ruta, content=contenido, headers={"Content-Type": tipo})
    assert respuesta.status_code < 500, respuesta.text[:500]
    if not respuesta.is_success:
        assert {"codigo", "mensaje"} <= respuesta.json().keys()
        assert volcado(api.datos / registro.FICHERO, *APARTE) == antes
    return respuesta.status_code


def nuevo(api: Servida) -> str:
    with api.http("guia") as http:
        cuerpo = {"comando_id": uuid4().hex, "plan": PLAN}
        return str(http.post("/api/recorridos", json=cuerpo).json()["id"])


def probar(ejemplos: int, que: st.SearchStrategy[Any], hacer: Callable[[Any], object]) -> None:
    """That many examples, whatever the machine takes."""

    @settings(max_examples=ejemplos, deadline=None, suppress_health_check=list(HealthCheck))
    @given(que)
    def uno(ejemplo: Any) -> None:
        hacer(ejemplo)

    uno()


def probar_todo(api: Servida, ejemplos: int) -> None:
    """Bytes, JSON and near-misses, at every route that changes something, as an agent and as a person."""
    rid = nuevo(api)
    crudos = st.tuples(
        st.sampled_from([r.patron.format(rid=rid, ent="ent_0") for r in QUE_CAMBIAN]),
        st.binary(max_size=300) | CUALQUIERA.map(lambda v: json.dumps(v).encode()),
        st.sampled_from(["guia", PERSONA]),
    )
    probar(ejemplos, crudos, lambda c: mandar(api, c[2], c[0], c[1]))
    como = st.sampled_from(["guia", PERSONA])
    peticiones = st.tuples(como, PETICIONES | buenos(CREAR) | casi_buenos(CREAR))
    probar(ejemplos, peticiones, lambda c: mandar(api, c[0], "/api/recorridos", json.dumps(c[1]).encode()))
    ordenes, destino = st.tuples(como, COMANDOS), f"/api/recorridos/{rid}/comandos"
    probar(ejemplos, ordenes, lambda c: mandar(api, c[0], destino, json.dumps(c[1]).encode()))


def test_nada_lo_rompe_ni_queda_a_medias(api: Servida) -> None:
    probar_todo(api, 40)


@pytest.mark.nocturno
def test_nada_lo_rompe_ni_queda_a_medias_a_fondo(api: Servida) -> None:
    probar_todo(api, 1_500)


@pytest.mark.parametrize(
    "consulta", ["?x", "?limite=" + "9" * 400, "?desde=-1&desde", "?%00", "?paso=%f0%9f"]
)
def test_ninguna_direccion_lo_rompe(api: Servida, consulta: str) -> None:
    rid = nuevo(api)
    for ruta in API.rutas:
        if ruta.metodo == "GET" and ruta.atender not in (None, describir):
            direccion = ruta.patron.format(rid=rid, version="1", art="art_0")
            with api.http(PERSONA) as http:
                respuesta = http.get(direccion + consulta)
            assert respuesta.status_code in {400, 404, 415}, (direccion, respuesta.status_code)
