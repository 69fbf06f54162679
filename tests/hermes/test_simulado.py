"""The stand-in: it speaks the contract, really calls an MCP server with its token, and always says what it is."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys

import pytest

from app.hermes.agente import Guion, Mano, Marca, leer_marca
from app.hermes.mcp import ClienteMcp, FalloMcp
from app.hermes.memoria import Contrato
from app.hermes.simulado import Conexion, hermes_simulado
from nucleo.hermes.cliente import ClienteHermes
from nucleo.hermes.desenlace import Desenlace, clasificar, sin_herramientas
from nucleo.hermes.errores import HermesCaido
from nucleo.hermes.modelo import EstadoRun
from tests.espera import esperar
from tests.hermes.doble import CLAVE, cliente, hasta_el_final
from tests.hermes.mcp_minimo import mcp_minimo
from tests.hermes.real.proceso import puertos_libres

LLAVE = "token-de-licitaciones-0001"
SESION = "so-12-1-ab12cd34"
MARCA = "Trabajo: 12\nMarca: 0123456789abcdef"


async def proponer(mano: Mano) -> str:
    assert mano.marca is not None
    payload = {"trabajo": mano.marca.trabajo, "nonce": mano.marca.nonce, "motivo": "simulado"}
    respuesta = await mano.llamar("guardar", {"payload": payload})
    return f"Propuesto: {respuesta['ok']}."


GUION = (Guion(frozenset({"guardar"}), proponer),)


async def acabar(hermes: ClienteHermes) -> EstadoRun:
    lanzado = await hermes.lanzar(f"Haz esto.\n{MARCA}", "lote", SESION, SESION)
    return await hasta_el_final(hermes, lanzado.run_id)


@pytest.mark.parametrize("contrato", list(Contrato))
async def test_llama_de_verdad_a_mcp_con_su_token(contrato: Contrato) -> None:
    with (
        mcp_minimo({LLAVE: "licitaciones"}) as mcp,
        hermes_simulado(Conexion(CLAVE, mcp.url, LLAVE), contrato, GUION) as base,
    ):
        async with cliente(base) as hermes:
            estado = await acabar(hermes)
            resultados = await hermes.resultados(SESION)
    assert estado.salida == "[simulado] Propuesto: True."
    payload = {"trabajo": 12, "nonce": "0123456789abcdef", "motivo": "simulado"}
    assert mcp.guardado == [("licitaciones", {"payload": payload})]
    assert len(resultados) == 1
    assert not sin_herramientas(resultados)


async def test_todo_lo_que_dice_dice_que_es_simulado() -> None:
    with (
        mcp_minimo({LLAVE: "licitaciones"}) as mcp,
        hermes_simulado(Conexion(CLAVE, mcp.url, LLAVE), guiones=()) as base,
    ):
        async with cliente(base) as hermes:
            estado = await acabar(hermes)
            metricas = await hermes.sesion(SESION)
            assert (await hermes.salud()).simulado
    assert estado.salida.startswith("[simulado] No sé hacer este encargo")
    assert metricas is not None
    assert metricas.modelo == "simulado"
    assert mcp.guardado == []


@pytest.mark.parametrize("llave", ["un-token-que-no-vale", LLAVE])
async def test_sin_servidor_o_sin_token_bueno_acaba_sin_dejar_nada(llave: str) -> None:
    with mcp_minimo({LLAVE: "licitaciones"}) as mcp:
        url = mcp.url if llave != LLAVE else "http://127.0.0.1:9/mcp"
        with hermes_simulado(Conexion(CLAVE, url, llave), guiones=GUION) as base:
            async with cliente(base) as hermes:
                estado = await acabar(hermes)
                assert clasificar(estado) is Desenlace.TERMINADO
                assert sin_herramientas(await hermes.resultados(SESION))
    assert "simulado" in estado.salida
    assert llave not in estado.salida
    assert mcp.guardado == []


async def test_saluda_a_mcp_al_arrancar() -> None:
    with (
        mcp_minimo({LLAVE: "licitaciones"}) as mcp,
        hermes_simulado(Conexion(CLAVE, mcp.url, LLAVE), guiones=GUION),
    ):
        await asyncio.to_thread(esperar, lambda: mcp.saludos == ["licitaciones"], 10)


async def test_una_herramienta_que_no_existe_es_un_fallo_y_no_un_resultado() -> None:
    with mcp_minimo({LLAVE: "licitaciones"}) as mcp:
        async with ClienteMcp(mcp.url, LLAVE) as herramientas:
            assert herramientas.herramientas == ("guardar",)
            with pytest.raises(FalloMcp):
                await herramientas.llamar("no_existe", {})


@pytest.mark.parametrize(
    ("texto", "marca"),
    [
        (MARCA, Marca(12, "0123456789abcdef")),
        ("- trabajo: `7`\n- nonce: `abcdef0123`", Marca(7, "abcdef0123")),
        ("trabajo: 1, nonce: aaaaaaaa. Y al final: trabajo: 2, nonce: bbbbbbbb", Marca(2, "bbbbbbbb")),
        ("Haz bien tu trabajo.", None),
        ("", None),
    ],
)
def test_la_marca_es_la_ultima_que_se_escribe(texto: str, marca: Marca | None) -> None:
    assert leer_marca(texto) == marca


async def test_como_programa_arranca_lo_dice_y_se_para() -> None:
    puerto = puertos_libres(1)
    with mcp_minimo({LLAVE: "licitaciones"}) as mcp:
        proceso = subprocess.Popen(
            [sys.executable, "-m", "app.hermes.simulado", "--puerto", str(puerto), "--mcp", mcp.url],
            env={**os.environ, "API_SERVER_KEY": CLAVE, "TOKEN_MCP": LLAVE},
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            assert proceso.stdout is not None
            assert "SIMULADO" in await asyncio.to_thread(proceso.stdout.readline)
            async with cliente(f"http://127.0.0.1:{puerto}") as hermes:
                assert (await hermes.salud()).simulado
            proceso.terminate()
            assert await asyncio.to_thread(proceso.wait, 20) == 0
            async with cliente(f"http://127.0.0.1:{puerto}") as hermes:
                with pytest.raises(HermesCaido):
                    await hermes.salud()
        finally:
            proceso.kill()
            proceso.wait()
            if proceso.stdout is not None:
                proceso.stdout.close()


def test_como_programa_sin_claves_no_arranca() -> None:
    entorno = {k: v for k, v in os.environ.items() if k not in ("API_SERVER_KEY", "TOKEN_MCP")}
    hecho = subprocess.run(
        [sys.executable, "-m", "app.hermes.simulado"],
        env=entorno,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert hecho.returncode == 1
    assert "API_SERVER_KEY" in hecho.stderr
    assert "Traceback" not in hecho.stderr
