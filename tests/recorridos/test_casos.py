"""Each case of the contract through HTTP, the client inside the process, the command line and MCP: the same end."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import pytest
from click.testing import CliRunner

from app.cli import sobre
from nucleo.configuracion import configuracion
from nucleo.errores import ErrorSobre
from nucleo.recorridos.api.cuerpo import a_modelo
from nucleo.recorridos.comandos import Comando
from nucleo.recorridos.errores import ErrorRecorrido
from nucleo.recorridos.peticiones import PeticionCrear, Recibo
from tests.api.servida import NADIE, PERSONA, REVOCADO, Servida, servida
from tests.recorridos.casos import CASOS, CREAR, Caso, Orden

NINGUNO = f"rec_{'0' * 26}"


@dataclass(frozen=True)
class Resultado:
    """What a surface answered: a receipt or the code of a refusal."""

    recibo: Recibo | None = None
    codigo: str | None = None


@pytest.fixture(scope="module")
def puesto(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servida]:
    with servida(tmp_path_factory.mktemp("casos")) as abierta:
        yield abierta


def por_http(puesto: Servida, rid: str, quien: str, tipo: str, cuerpo: dict[str, Any]) -> Resultado:
    ruta = "/api/recorridos" if tipo == CREAR else f"/api/recorridos/{rid}/comandos"
    with puesto.http(quien) as http:
        respuesta = http.post(ruta, json=cuerpo if tipo == CREAR else cuerpo | {"tipo": tipo})
    if respuesta.is_success:
        return Resultado(Recibo.model_validate_json(respuesta.content))
    assert respuesta.status_code < 500 and set(respuesta.json()) >= {"codigo", "mensaje"}
    return Resultado(codigo=respuesta.json()["codigo"])


def por_dentro(puesto: Servida, rid: str, quien: str, tipo: str, cuerpo: dict[str, Any]) -> Resultado:
    try:
        with puesto.dentro(quien) as cliente:
            if tipo == CREAR:
                return Resultado(cliente.crear(a_modelo(PeticionCrear, cuerpo)))
            return Resultado(cliente.mandar(rid, a_modelo(Comando, cuerpo | {"tipo": tipo})))
    except ErrorRecorrido as error:
        return Resultado(codigo=error.codigo)


def por_orden(puesto: Servida, rid: str, quien: str, tipo: str, cuerpo: dict[str, Any]) -> Resultado:
    partes = ["crear"] if tipo == CREAR else ["comando", rid, tipo]
    entrada = None
    for campo, valor in cuerpo.items():
        nombre = {"comando_id": "clave"}.get(campo, campo)
        escrito = valor if isinstance(valor, str) else json.dumps(valor)
        if campo == "plan":
            entrada, escrito = escrito, "-"
        partes += [f"--{nombre}", escrito]
    entorno = {} if quien == PERSONA else {"SOBRE_TOKEN": puesto.tokens.get(quien, "nada")}
    orden = ["recorrido", *partes, "--url", puesto.url, "--json"]
    resultado = CliRunner().invoke(sobre, orden, input=entrada, env=entorno)
    if resultado.exception is None:
        return Resultado(Recibo.model_validate_json(resultado.stdout))
    assert isinstance(resultado.exception, ErrorSobre), resultado.output
    return Resultado(codigo=resultado.exception.codigo)


HERRAMIENTAS = {CREAR: "recorrido_crear", "proponer_plan": "recorrido_proponer_plan"}
DE_PASO = frozenset(("iniciar", "anotar", "latido", "completar", "fallar", "reintentar"))


def por_mcp(puesto: Servida, rid: str, quien: str, tipo: str, cuerpo: dict[str, Any]) -> Resultado:
    argumentos = dict(cuerpo) if tipo == CREAR else cuerpo | {"recorrido": rid}
    if tipo == "proponer_plan":
        argumentos["motivo"] = argumentos.pop("mensaje")
    elif tipo != CREAR:
        argumentos["accion"] = tipo
    dicho = puesto.herramienta(quien, HERRAMIENTAS.get(tipo, "recorrido_paso"), argumentos)
    if dicho.pop("ok"):
        return Resultado(Recibo.model_validate(dicho, strict=False))
    codigo = dicho["codigo"]
    # What belongs to people is no verb of any tool.
    sin_verbo = codigo == "argumentos" and tipo not in {CREAR, "proponer_plan", *DE_PASO}
    return Resultado(codigo="PROHIBIDO" if sin_verbo else codigo)


Via = Callable[[Servida, str, str, str, dict[str, Any]], Resultado]
VIAS: Mapping[str, Via] = {"http": por_http, "dentro": por_dentro, "orden": por_orden, "mcp": por_mcp}


def cabe(via: str, caso: Caso) -> bool:
    """People have no MCP; who is nobody does not get inside the process."""
    quien = caso.orden.quien
    return not (via == "mcp" and quien == PERSONA) and not (via == "dentro" and quien in {NADIE, REVOCADO})


@pytest.mark.parametrize(
    ("caso", "via"),
    [
        pytest.param(caso, via, id=f"{caso.nombre.replace(' ', '_')}-{via}")
        for caso in CASOS
        for via in VIAS
        if cabe(via, caso)
    ],
)
def test_lo_mismo_por_todas_las_vias(puesto: Servida, datos_de: None, caso: Caso, via: str) -> None:
    claves: dict[str, str] = {}

    def cuerpo_de(orden: Orden) -> dict[str, Any]:
        clave = claves.setdefault(orden.clave, uuid4().hex) if orden.clave else uuid4().hex
        return {"comando_id": clave, **orden.campos}

    rid = NINGUNO
    for orden in caso.antes:
        hecho = por_dentro(puesto, rid, orden.quien, orden.tipo, cuerpo_de(orden))
        assert hecho.recibo is not None, (orden, hecho.codigo)
        rid = hecho.recibo.id
    antes = _huella(puesto, rid)
    resultado = VIAS[via](puesto, rid, caso.orden.quien, caso.orden.tipo, cuerpo_de(caso.orden))
    assert resultado.codigo == caso.codigo
    if resultado.recibo is None:
        assert _huella(puesto, rid) == antes
        return
    recibo = resultado.recibo
    assert (recibo.estado, recibo.revision, recibo.repetido) == (caso.estado, caso.revision, caso.repetido)
    if caso.orden.tipo != CREAR:
        assert recibo.id == rid and recibo.paso == caso.orden.campos.get("paso")


def _huella(puesto: Servida, rid: str) -> str:
    """Everything of the run that a refused order must not change, and how many runs there are."""
    with puesto.dentro(PERSONA) as cliente:
        cuantos = len(cliente.listar().recorridos)
        if rid == NINGUNO:
            return str(cuantos)
        vista = cliente.leer(rid).model_copy(update={"rechazos": 0, "cambio": 0})
        return f"{cuantos} {vista.model_dump_json()} {cliente.eventos(rid).model_dump_json()}"


@pytest.fixture
def datos_de(puesto: Servida, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The command line looks for the key in the folder of the served installation."""
    monkeypatch.setenv("SOBRE_DATOS", str(puesto.datos))
    configuracion.cache_clear()
    yield
    configuracion.cache_clear()
