"""The short way of an ordinary call answers what the SDK answers, and lets in nobody that the door would not."""

from __future__ import annotations

import json
import re
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.mcp.pedidos import Pedido, reconocer
from nucleo.agentes import servicio
from nucleo.agentes.modelo import Llamada
from nucleo.bd import conectar
from nucleo.reloj import reloj_del_sistema
from tests.agentes.casa import CABECERAS, SECRETO, Casa, abrir_casa, cuerpo
from tests.agentes.test_validar import JSON
from tests.espera import esperar

CON_SALUDO, SIN_SALUDO = "2025-06-18", "2026-07-28"
META = {
    "io.modelcontextprotocol/protocolVersion": SIN_SALUDO,
    "io.modelcontextprotocol/clientCapabilities": {},
}
RODEO = {"Content-Type": "application/json; charset=utf-8"}
"""As good as the usual one, but not the usual one: the request goes the SDK's way."""


def cabeceras(version: str, nombre: str) -> dict[str, str]:
    """What a client of that version says."""
    propias = {"Mcp-Method": "tools/call", "Mcp-Name": nombre} if version == SIN_SALUDO else {}
    return {"MCP-Protocol-Version": version} | propias


def mensaje(version: str, nombre: str, argumentos: object, id_: object = 1) -> dict[str, object]:
    """A call as a client of that version writes it."""
    params: dict[str, object] = {"name": nombre, "arguments": argumentos}
    if version == SIN_SALUDO:
        params["_meta"] = META
    return {"jsonrpc": "2.0", "id": id_, "method": "tools/call", "params": params}


class Doble:
    """Sends each message both ways over one connection."""

    def __init__(self, casa: Casa) -> None:
        self.casa = casa
        token = casa.agente("lector", "leer:notas")
        self.http = httpx.Client(headers=CABECERAS | {"Authorization": f"Bearer {token}"}, timeout=60)

    def mandar(self, contenido: bytes, **propias: str) -> tuple[int, str]:
        """Status and text, without the references of failures, which are never the same."""
        respuesta = self.http.post(self.casa.url, content=contenido, headers=propias)
        assert respuesta.status_code < 500, respuesta.text[:500]
        return respuesta.status_code, re.sub(r"interno [0-9a-f]{8}", "interno", respuesta.text)

    def iguales(self, contenido: bytes, **propias: str) -> tuple[int, str]:
        """The answer, once both ways have given it."""
        corto, largo = self.mandar(contenido, **propias), self.mandar(contenido, **propias | RODEO)
        assert corto[0] == largo[0]
        assert _leido(corto[1]) == _leido(largo[1])
        return corto


def _leido(texto: str) -> object:
    try:
        return json.loads(texto)
    except ValueError:
        return texto


@pytest.fixture(scope="module")
def doble(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Doble]:
    with abrir_casa(tmp_path_factory.mktemp("doble")) as casa:
        doble = Doble(casa)
        yield doble
        doble.http.close()


LLAMADAS: dict[str, tuple[str, object]] = {
    "va bien": ("hablar_mucho", {}),
    "envuelta": ("hablar_mucho", {"payload": {}}),
    "se niega": ("negarse", {}),
    "se rompe": ("romperse", {}),
    "no puede": ("no_poder", {}),
    "argumentos de más": ("negarse", {"sobra": 1}),
    "argumentos nulos": ("negarse", None),
    "argumentos que no son un objeto": ("negarse", [1]),
    "sin permiso": ("proponer_nota", {"nonce": "n", "texto": "t", "puntos": 1}),
    "personal": ("ver_curriculo", {}),
    "no existe": ("no_existe", {}),
    "sin nombre": ("", {}),
}


@pytest.mark.parametrize("version", [CON_SALUDO, SIN_SALUDO])
@pytest.mark.parametrize("caso", LLAMADAS)
def test_por_los_dos_caminos_se_responde_y_se_anota_lo_mismo(doble: Doble, caso: str, version: str) -> None:
    nombre, argumentos = LLAMADAS[caso]
    contenido = json.dumps(mensaje(version, nombre, argumentos)).encode()
    antes = len(doble.casa.llamadas())
    _, texto = doble.iguales(contenido, **cabeceras(version, nombre))
    assert SECRETO not in texto
    nuevas = doble.casa.llamadas()[antes:]
    assert len(nuevas) in {0, 2}  # neither way reaches the tools with arguments that are no object
    assert len({_sin_tiempo(llamada) for llamada in nuevas}) <= 1


def _sin_tiempo(llamada: Llamada) -> str:
    return llamada.model_dump_json(exclude={"instante", "ms"})


SOBRES = st.fixed_dictionaries(
    {},
    optional={
        "jsonrpc": st.just("2.0") | JSON,
        "id": st.integers() | st.text(max_size=8) | JSON,
        "method": st.just("tools/call") | st.sampled_from(("tools/list", "ping", "x")),
        "sobra": JSON,
        "params": JSON
        | st.fixed_dictionaries(
            {},
            optional={
                "name": st.just("negarse") | JSON,
                "arguments": st.just({}) | JSON,
                "_meta": st.just(META) | st.just({"progressToken": 1}) | JSON,
                "sobra": JSON,
            },
        ),
    },
)
POCAS = settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def _cualquiera(doble: Doble, sobre: dict[str, object], version: str) -> None:
    entero: dict[str, object] = mensaje(version, "negarse", {}) | sobre
    doble.iguales(json.dumps(entero).encode(), **cabeceras(version, "negarse"))


@POCAS
@given(SOBRES, st.sampled_from((CON_SALUDO, SIN_SALUDO, "inventada")))
def test_llegue_lo_que_llegue_los_dos_caminos_dicen_lo_mismo(
    doble: Doble, sobre: dict[str, object], version: str
) -> None:
    _cualquiera(doble, sobre, version)


@pytest.mark.nocturno
@settings(POCAS, max_examples=5000)
@given(SOBRES, st.sampled_from((CON_SALUDO, SIN_SALUDO, "inventada")))
def test_llegue_lo_que_llegue_los_dos_caminos_dicen_lo_mismo_toda_la_noche(
    doble: Doble, sobre: dict[str, object], version: str
) -> None:
    _cualquiera(doble, sobre, version)


@pytest.mark.parametrize("version", ["2024-11-05", "2025-11-25", CON_SALUDO, SIN_SALUDO])
def test_lo_corriente_se_reconoce(version: str) -> None:
    escrito = json.dumps(mensaje(version, "mirar", {"a": [1, "ñ"]}, "uno")).encode()
    propias = {clave.lower(): valor for clave, valor in cabeceras(version, "mirar").items()}
    assert reconocer(propias, escrito) == Pedido("uno", "mirar", {"a": [1, "ñ"]}, version == SIN_SALUDO)


RAROS: dict[str, bytes] = {
    "nada": b"",
    "no es JSON": b"{",
    "un lote": b"[" + cuerpo("tools/call", name="mirar", arguments={}) + b"]",
    "otro método": cuerpo("tools/list"),
    "sin identificador": json.dumps({"jsonrpc": "2.0", "method": "tools/call", "params": {}}).encode(),
    "identificador lógico": json.dumps(mensaje(CON_SALUDO, "mirar", {}, True)).encode(),
    "identificador enorme": json.dumps(mensaje(CON_SALUDO, "mirar", {}, 10**30)).encode(),
    "otra norma": cuerpo("tools/call", name="mirar").replace(b"2.0", b"1.0"),
    "no es un número": cuerpo("tools/call", name="mirar", arguments={"x": float("nan")}),
    "sustituto suelto": cuerpo("tools/call", name="mirar", arguments={"x": "\ud800"}),
    "muy hondo": cuerpo("tools/call", name="mirar", arguments={"x": 0}).replace(
        b"0}}", b"[" * 5000 + b"]" * 5000 + b"}}"
    ),
    "de más": cuerpo("tools/call", name="mirar", arguments={}, task={}),
    "sin nombre": cuerpo("tools/call", arguments={}),
}


@pytest.mark.parametrize("caso", RAROS)
def test_lo_que_no_es_corriente_se_deja_a_quien_sabe(caso: str) -> None:
    assert reconocer({}, RAROS[caso]) is None


def test_una_version_sin_saludo_cuyas_cabeceras_no_casan_se_deja_a_quien_sabe() -> None:
    escrito = json.dumps(mensaje(SIN_SALUDO, "mirar", {})).encode()
    buenas = {clave.lower(): valor for clave, valor in cabeceras(SIN_SALUDO, "mirar").items()}
    assert reconocer(buenas, escrito) is not None
    for cambio in ({"mcp-name": "otra"}, {"mcp-method": "tools/list"}, {"mcp-protocol-version": "inventada"}):
        assert reconocer(buenas | cambio, escrito) is None


LLAMAR = cuerpo("tools/call", name="negarse", arguments={})


def test_revocado_no_llama_ni_una_vez_mas(casa: Casa) -> None:
    token = casa.agente("lector", "leer:notas")
    assert casa.crudo(LLAMAR, Authorization=f"Bearer {token}").status_code == 200
    with closing(conectar(casa.fichero)) as con:
        servicio.revocar(con, "lector", reloj_del_sistema())
    assert casa.crudo(LLAMAR, Authorization=f"Bearer {token}").status_code == 401
    assert len(casa.llamadas()) == 1


@pytest.mark.parametrize("autorizacion", ["", "Bearer sobre_falso", "Basic {token}", "{token}"])
def test_sin_un_token_que_valga_no_se_llama_a_nada(casa: Casa, autorizacion: str) -> None:
    valor = autorizacion.format(token=casa.agente("lector", "leer:notas"))
    respuesta = casa.crudo(LLAMAR, **({"Authorization": valor} if valor else {}))
    assert (respuesta.status_code, respuesta.json()["codigo"]) == (401, "sin_token")
    dobles = [*CABECERAS.items(), ("Authorization", valor), ("Authorization", valor)]
    assert httpx.post(casa.url, content=LLAMAR, headers=dobles).status_code == 401
    assert casa.llamadas() == []


@pytest.mark.parametrize(
    ("propias", "estado"),
    [
        ({"Host": "malo.example"}, 421),
        ({"Origin": "http://malo.example"}, 403),
        ({"Accept": "text/html"}, 406),
        ({"Content-Type": "text/plain"}, 400),
    ],
    ids=["host", "origen", "acepta", "tipo"],
)
def test_lo_que_la_puerta_rechaza_no_pasa_por_aqui(casa: Casa, propias: dict[str, str], estado: int) -> None:
    token = casa.agente("lector", "leer:notas")
    assert casa.crudo(LLAMAR, Authorization=f"Bearer {token}", **propias).status_code == estado
    assert casa.llamadas() == []


@pytest.mark.parametrize("tipo", [CABECERAS["Content-Type"], RODEO["Content-Type"]], ids=["corto", "largo"])
def test_lo_que_no_se_puede_anotar_no_se_responde_ni_cuenta_por_que(casa: Casa, tipo: str) -> None:
    token = casa.agente("lector", "leer:notas")
    with closing(conectar(casa.fichero)) as con:
        con.execute("DROP TABLE agente_llamada")
    respuesta = casa.crudo(LLAMAR, **{"Authorization": f"Bearer {token}", "Content-Type": tipo})
    assert respuesta.json()["error"]["message"] == "Fallo interno: avisa a una persona."
    assert "agente_llamada" not in respuesta.text


def test_quien_propone_y_espera_no_hace_esperar_a_quien_lee(casa: Casa) -> None:
    token = casa.agente("autor", "proponer:notas", "leer:notas")
    estados: list[int] = []

    def proponer(encargo: dict[str, object]) -> None:
        nota = encargo | {"texto": "t", "puntos": 1}
        pedido = cuerpo("tools/call", name="proponer_nota", arguments=nota)
        estados.append(casa.crudo(pedido, Authorization=f"Bearer {token}").status_code)

    hilos = [threading.Thread(target=proponer, args=(casa.encargo("autor"),)) for _ in range(6)]
    with closing(sqlite3.connect(casa.datos / "notas.db", isolation_level=None)) as otro:
        otro.execute("BEGIN IMMEDIATE")
        for hilo in hilos:
            hilo.start()
        for _ in range(3):
            assert casa.crudo(LLAMAR, Authorization=f"Bearer {token}").status_code == 200
        assert estados == []
        otro.execute("ROLLBACK")
    for hilo in hilos:
        hilo.join()
    esperar(lambda: len(casa.llamadas()) == 9, 20)
    assert estados == [200] * 6
