"""Whatever is thrown at /mcp, it never answers 500 and never leaves half a row."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.agentes.casa import CABECERAS, Casa, abrir_casa, cuerpo
from tests.agentes.test_validar import JSON
from tests.agentes.volcado import volcado

VERSIONES = ("2025-11-25", "2025-06-18", "2026-07-28", "inventada")
METODOS = (
    "tools/call",
    "tools/list",
    "initialize",
    "ping",
    "resources/read",
    "prompts/get",
    "completion/complete",
    "x",
)


class Puesto:
    """A served /mcp, an agent inside, and one connection."""

    def __init__(self, casa: Casa) -> None:
        self.casa = casa
        token = casa.agente("autor", "proponer:notas", "leer:notas")
        self.encargo = casa.encargo("autor")
        self.http = httpx.Client(headers=CABECERAS | {"Authorization": f"Bearer {token}"}, timeout=60)

    def mandar(self, contenido: bytes, **cabeceras: str) -> httpx.Response:
        respuesta = self.http.post(self.casa.url, content=contenido, headers=cabeceras)
        assert respuesta.status_code < 500, respuesta.text[:500]
        assert "Traceback" not in respuesta.text
        return respuesta

    def proponer(self, argumentos: object) -> dict[str, object]:
        """What the tool answered. Never an error of the tool as one of the protocol."""
        respuesta = self.mandar(cuerpo("tools/call", name="proponer_nota", arguments=argumentos))
        if respuesta.status_code != 200 or "result" not in respuesta.json():
            # MCP itself wants an object, and text that is text.
            assert not isinstance(argumentos, dict) or not _es_texto(argumentos), respuesta.text[:500]
            return {"ok": False}
        resultado = respuesta.json()["result"]
        assert not resultado.get("isError", False)
        leida: dict[str, object] = json.loads(resultado["content"][0]["text"])
        return leida

    def enteras(self) -> bool:
        """Each note has its points and each points their note."""
        notas, puntos = self.casa.notas()
        return [n for n, _ in notas] == [n for n, _ in puntos]

    def escrito(self) -> list[str]:
        """All that is kept, but what every call writes."""
        comun = volcado(self.casa.fichero, "agente", "agente_llamada")
        return comun + volcado(self.casa.datos / "notas.db")


def _es_texto(argumentos: object) -> bool:
    """Whether it can be UTF-8: a lone surrogate cannot, though JSON may carry one escaped."""
    try:
        json.dumps(argumentos, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


@pytest.fixture(scope="module")
def puesto(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Puesto]:
    with abrir_casa(tmp_path_factory.mktemp("basura")) as casa:
        puesto = Puesto(casa)
        yield puesto
        puesto.http.close()


CAMPOS = st.fixed_dictionaries(
    {},
    optional={
        "trabajo": st.integers() | JSON,
        "nonce": st.just("el suyo") | st.text(max_size=60) | JSON,
        "texto": st.text(max_size=60) | JSON,
        "puntos": st.integers(-5, 105) | JSON,
        "payload": JSON,
        "sobra": JSON,
    },
)
PRUEBA = settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@PRUEBA
@given(CAMPOS | JSON)
def test_argumentos_de_cualquier_forma(puesto: Puesto, argumentos: object) -> None:
    antes = len(puesto.casa.notas()[0])
    if isinstance(argumentos, dict) and argumentos.get("nonce") == "el suyo":
        argumentos |= puesto.encargo
    respuesta = puesto.proponer(argumentos)
    assert isinstance(respuesta["ok"], bool)
    assert puesto.enteras()
    if not respuesta["ok"]:
        assert len(puesto.casa.notas()[0]) == antes


@PRUEBA
@given(st.sampled_from(METODOS), JSON, st.sampled_from(VERSIONES))
def test_mensajes_de_cualquier_forma(puesto: Puesto, metodo: str, params: object, version: str) -> None:
    mensaje = {"jsonrpc": "2.0", "id": 1, "method": metodo, "params": params}
    puesto.mandar(json.dumps(mensaje).encode(), **{"MCP-Protocol-Version": version, "Mcp-Method": metodo})


@PRUEBA
@given(st.binary(max_size=300) | JSON.map(lambda j: json.dumps(j).encode()))
def test_cuerpos_que_no_son_mensajes(puesto: Puesto, contenido: bytes) -> None:
    puesto.mandar(contenido)


HONDO = b"[" * 60_000 + b"]" * 60_000
SUELTO = {"nonce": "\ud800", "texto": "\ud800", "puntos": 1}


def llamada(argumentos: object, nombre: str = "proponer_nota") -> bytes:
    return cuerpo("tools/call", name=nombre, arguments=argumentos)


CASOS = {
    "nada": b"",
    "nulo": b"null",
    "un lote": b"[" + cuerpo("tools/list") + b"]",
    "hondo": HONDO,
    "hondo en los argumentos": llamada({"texto": "AQUI"}).replace(b'"AQUI"', HONDO),
    "numero enorme": llamada({"puntos": "AQUI"}).replace(b'"AQUI"', b"9" * 5000),
    "no es un número": llamada({"puntos": float("nan")}),
    "infinito": llamada({"puntos": float("inf")}),
    "claves repetidas": b'{"jsonrpc":"2.0","id":1,"id":2,"method":"tools/list","method":"x"}',
    "sustituto suelto": llamada(SUELTO),
    "nombre con sustituto": llamada({}, "\ud800"),
    "nulos dentro": llamada({"\0": "\0"}, "proponer_nota\0"),
    "utf-16": cuerpo("tools/list").decode().encode("utf-16"),
    "id enorme": cuerpo("tools/list").replace(b'"id": 1', b'"id": "' + b"x" * 100_000 + b'"'),
    "muchas claves": llamada({f"k{n}": n for n in range(40_000)}),
}


@pytest.mark.parametrize("caso", CASOS)
@pytest.mark.parametrize("version", [None, "2026-07-28"])
def test_casos_retorcidos(puesto: Puesto, caso: str, version: str | None) -> None:
    cabeceras = {"MCP-Protocol-Version": version, "Mcp-Method": "tools/call"} if version else {}
    antes = puesto.escrito()
    puesto.mandar(CASOS[caso], **cabeceras)
    assert puesto.escrito() == antes


@pytest.mark.parametrize("declarado", [True, False])
def test_lo_demasiado_grande_se_rechaza_sin_leerlo_entero(puesto: Puesto, declarado: bool) -> None:
    grande = cuerpo("tools/call", name="proponer_nota", arguments={"texto": "x" * 3_000_000})

    def a_trozos() -> Iterator[bytes]:
        yield from (grande[n : n + 65_536] for n in range(0, len(grande), 65_536))

    respuesta = puesto.http.post(puesto.casa.url, content=grande if declarado else a_trozos())
    assert respuesta.status_code == 413


@pytest.mark.parametrize("tipo", ["text/plain", "", "application/xml", "multipart/form-data; boundary=x"])
def test_otro_tipo_de_contenido_se_rechaza(puesto: Puesto, tipo: str) -> None:
    assert 400 <= puesto.mandar(cuerpo("tools/list"), **{"Content-Type": tipo}).status_code < 500


def test_despues_de_todo_sigue_atendiendo(puesto: Puesto) -> None:
    encargo = puesto.casa.encargo("autor")
    assert puesto.proponer(encargo | {"texto": "bien", "puntos": 1}) == {
        "ok": True,
        "dicho": "guardada",
    }


def test_la_carpeta_no_se_dice_nunca(puesto: Puesto, tmp_path: Path) -> None:
    for nombre in ("romperse", "no_poder"):
        assert (
            str(puesto.casa.datos) not in puesto.mandar(cuerpo("tools/call", name=nombre, arguments={})).text
        )
