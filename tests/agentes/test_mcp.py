"""/mcp from outside, with the official client: who comes in, what each one finds, and what is kept of it."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import threading
import time
from contextlib import closing, suppress
from pathlib import Path

import httpx
import pytest
from mcp.client.client import Client
from mcp.shared.exceptions import MCPError

from nucleo.agentes import servicio
from nucleo.agentes.herramientas import Catalogo, Contexto
from nucleo.agentes.modelo import Desenlace
from nucleo.bd import conectar
from nucleo.reloj import reloj_del_sistema
from tests.agentes.casa import CABECERAS, SECRETO, Casa, Hecho, Vacio, abrir_casa, cuerpo, hacer
from tests.espera import esperar

LISTAR = cuerpo("tools/list")


async def nombres(cliente: Client) -> list[str]:
    return [h.name for h in (await cliente.list_tools()).tools]


async def test_cada_agente_encuentra_solo_lo_suyo(casa: Casa) -> None:
    lector, autor, otro = (
        casa.agente("lector", "leer:notas"),
        casa.agente("autor", "proponer:notas"),
        casa.agente("otro", "leer:otro"),
    )
    async with casa.cliente(lector) as cliente:
        assert await nombres(cliente) == ["romperse", "no_poder", "negarse", "hablar_mucho"]
        with pytest.raises(MCPError, match=r"^No existe esa herramienta\.$"):
            await cliente.call_tool("proponer_nota", {"nonce": "n", "texto": "t", "puntos": 1})
    async with casa.cliente(autor) as cliente:
        assert await nombres(cliente) == ["proponer_nota"]
    async with casa.cliente(otro) as cliente:
        assert await nombres(cliente) == []
        for nombre in ("ver_curriculo", "negarse", "no_existe", ""):
            with pytest.raises(MCPError, match=r"^No existe esa herramienta\.$"):
                await cliente.call_tool(nombre, {})
    assert casa.notas() == ([], [])


async def test_no_hay_recursos_ni_guiones_para_nadie(casa: Casa) -> None:
    todo = ("leer:notas", "proponer:notas", "personal", "leer:licitaciones")
    async with casa.cliente(casa.agente("todo", *todo)) as cliente:
        assert (await cliente.list_resources()).resources == []
        assert (await cliente.list_resource_templates()).resource_templates == []
        assert (await cliente.list_prompts()).prompts == []
        with pytest.raises(MCPError):
            await cliente.read_resource("file:///etc/passwd")
        with pytest.raises(MCPError):
            await cliente.get_prompt("cualquiera")


@pytest.mark.parametrize(
    "cabecera",
    [
        "",
        "Bearer",
        "Bearer sobre_falso",
        "Basic {token}",
        "{token}",
        "Bearer {token}x",
        "Bearer {mayusculas}",
    ],
)
def test_sin_un_token_que_valga_la_respuesta_es_siempre_la_misma(casa: Casa, cabecera: str) -> None:
    token = casa.agente("lector", "leer:notas")
    valor = cabecera.format(token=token, mayusculas=token.upper())
    respuesta = casa.crudo(LISTAR, **({"Authorization": valor} if valor else {}))
    assert respuesta.status_code == 401
    assert respuesta.headers["www-authenticate"] == 'Bearer realm="sobre", error="invalid_token"'
    assert respuesta.json() == {"codigo": "sin_token", "mensaje": "Hace falta el token de un agente."}


def test_dos_cabeceras_de_autorizacion_no_valen(casa: Casa) -> None:
    token = casa.agente("lector", "leer:notas")
    dobles = [*CABECERAS.items(), ("Authorization", f"Bearer {token}"), ("Authorization", "Bearer otro")]
    assert httpx.post(casa.url, content=LISTAR, headers=dobles).status_code == 401


@pytest.mark.parametrize("metodo", ["GET", "HEAD", "DELETE", "PUT", "PATCH", "OPTIONS"])
def test_sin_token_tampoco_se_averigua_nada_con_otro_metodo(casa: Casa, metodo: str) -> None:
    token = casa.agente("lector", "leer:notas")
    assert httpx.request(metodo, casa.url).status_code == 401
    con_token = httpx.request(metodo, casa.url, headers={"Authorization": f"Bearer {token}"})
    assert (con_token.status_code, con_token.headers["allow"]) == (405, "POST")


async def test_rotar_y_revocar_valen_desde_la_peticion_siguiente(casa: Casa) -> None:
    viejo = casa.agente("lector", "leer:notas")
    assert casa.crudo(LISTAR, Authorization=f"Bearer {viejo}").status_code == 200
    with closing(conectar(casa.fichero)) as con:
        nuevo = servicio.rotar(con, "lector", reloj_del_sistema()).token
        assert casa.crudo(LISTAR, Authorization=f"Bearer {viejo}").status_code == 401
        assert casa.crudo(LISTAR, Authorization=f"Bearer {nuevo}").status_code == 200
        async with casa.cliente(nuevo) as cliente:
            await nombres(cliente)
            servicio.revocar(con, "lector", reloj_del_sistema())
            with pytest.raises(MCPError):
                await nombres(cliente)


@pytest.mark.parametrize(
    "anfitrion", ["malo.example", "malo.example:80", "127.0.0.1.malo.example", "localhost@malo"]
)
def test_un_nombre_ajeno_para_esta_maquina_se_rechaza(casa: Casa, anfitrion: str) -> None:
    token = casa.agente("lector", "leer:notas")
    respuesta = casa.crudo(LISTAR, Authorization=f"Bearer {token}", Host=anfitrion)
    assert respuesta.status_code == 421


@pytest.mark.parametrize("origen", ["http://malo.example", "https://127.0.0.1.malo.example", "null"])
def test_una_pagina_de_otro_sitio_se_rechaza(casa: Casa, origen: str) -> None:
    token = casa.agente("lector", "leer:notas")
    assert casa.crudo(LISTAR, Authorization=f"Bearer {token}", Origin=origen).status_code == 403


def test_con_barra_y_sin_barra_es_el_mismo_sitio(casa: Casa) -> None:
    token = casa.agente("lector", "leer:notas")
    for url in (casa.url, f"{casa.url}/"):
        respuesta = httpx.post(url, content=LISTAR, headers=CABECERAS | {"Authorization": f"Bearer {token}"})
        assert respuesta.status_code == 200


async def test_los_errores_de_las_herramientas_nunca_son_del_protocolo(casa: Casa) -> None:
    token = casa.agente("lector", "leer:notas")
    for nombre in ("romperse", "no_poder", "negarse"):
        respuesta = await casa.pedir(token, nombre, {})
        assert respuesta["ok"] is False
        assert SECRETO not in json.dumps(respuesta)
    assert (await casa.pedir(token, "negarse", {"sobra": 1}))["codigo"] == "argumentos"


async def test_toda_llamada_queda_anotada_con_quien_que_y_como_acabo(casa: Casa) -> None:
    lector, autor = casa.agente("lector", "leer:notas"), casa.agente("autor", "proponer:notas")
    encargo = casa.encargo("autor")
    nota = encargo | {"texto": "avisa a alguien@example.invalid", "puntos": 7}
    await casa.pedir(autor, "proponer_nota", nota)
    await casa.pedir(lector, "negarse", {})
    async with casa.cliente(lector) as cliente:
        with pytest.raises(MCPError):
            await cliente.call_tool("proponer_nota", nota)
    una, dos, tres = casa.llamadas()
    assert (una.agente, una.herramienta, una.desenlace, una.nonce) == (
        "autor",
        "proponer_nota",
        Desenlace.BIEN,
        encargo["nonce"],
    )
    assert json.loads(una.argumentos) == nota | {"nonce": "***", "texto": "avisa a ***"}
    assert una.ms > 0
    assert (dos.agente, dos.desenlace, dos.codigo) == ("lector", Desenlace.RECHAZO, "entrada_no_valida")
    assert (tres.agente, tres.desenlace) == ("lector", Desenlace.SIN_PERMISO)


async def test_veinte_clientes_a_la_vez_y_cada_propuesta_se_guarda_una_vez(casa: Casa) -> None:
    tokens = [casa.agente(f"autor-{n}", "proponer:notas") for n in range(20)]
    encargos = [[casa.encargo(f"autor-{n}") for _ in range(2)] for n in range(20)]

    async def proponer(numero: int, token: str) -> None:
        async with casa.cliente(token) as cliente:
            for vez in range(3):  # the third repeats the second, as a retry does
                nota = encargos[numero][min(vez, 1)] | {"texto": f"de {numero}", "puntos": numero}
                resultado = await cliente.call_tool("proponer_nota", {"payload": nota})
                assert '"ok":true' in resultado.content[0].text  # type: ignore[union-attr]

    await asyncio.gather(*(proponer(n, t) for n, t in enumerate(tokens)))
    notas, puntos = casa.notas()
    de_quien = {suyo["nonce"]: n for n, suyos in enumerate(encargos) for suyo in suyos}
    assert dict(notas) == {nonce: f"de {n}" for nonce, n in de_quien.items()}
    assert dict(puntos) == de_quien
    llamadas = casa.llamadas()
    assert len(llamadas) == 60
    assert all(f"autor-{de_quien[c.nonce]}" == c.agente for c in llamadas)


def test_parar_deja_acabar_la_llamada_en_curso(datos: Path) -> None:
    dentro, seguir = threading.Event(), threading.Event()

    def esperar_orden(_: Contexto, __: Vacio) -> Hecho:
        dentro.set()
        seguir.wait(20)
        return Hecho(dicho="acabada")

    with abrir_casa(datos, Catalogo([hacer("tardar", "leer:notas", esperar_orden)])) as casa:
        token = casa.agente("lector", "leer:notas")
        pedido = cuerpo("tools/call", name="tardar", arguments={})
        hilo = threading.Thread(target=_pedir_sin_mas, args=(casa, pedido, token))
        hilo.start()
        assert dentro.wait(20)
        threading.Timer(0.2, seguir.set).start()
    hilo.join()
    (llamada,) = casa.llamadas()
    assert llamada.desenlace is Desenlace.BIEN


def _pedir_sin_mas(casa: Casa, pedido: bytes, token: str) -> None:
    with suppress(httpx.HTTPError):  # the server was stopped: whoever waited gets nothing
        casa.crudo(pedido, Authorization=f"Bearer {token}")


def test_mientras_otro_escribe_se_sigue_entrando(casa: Casa) -> None:
    token = casa.agente("lector", "leer:notas")
    casa.crudo(LISTAR, Authorization=f"Bearer {token}")
    with closing(sqlite3.connect(casa.fichero, isolation_level=None)) as otro:
        otro.execute("BEGIN IMMEDIATE")
        inicio = time.monotonic()
        codigos: list[int] = []
        hilo = threading.Thread(
            target=lambda: codigos.append(casa.crudo(LISTAR, Authorization="Bearer malo").status_code)
        )
        hilo.start()
        esperar(lambda: codigos == [401], 20)
        otro.execute("ROLLBACK")
        hilo.join()
        assert time.monotonic() - inicio < 20
