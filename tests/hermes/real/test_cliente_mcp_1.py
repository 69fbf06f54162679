"""The MCP client 1.x that Hermes brings, in its own environment, against our server."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.agentes.casa import abrir_casa

GUION = """
import asyncio, json, sys
from mcp import ClientSession
from mcp.client.streamable_http import streamablehttp_client

async def principal(url, token, encargo):
    async with streamablehttp_client(url, headers={"Authorization": "Bearer " + token}) as (lee, escribe, _):
        async with ClientSession(lee, escribe) as sesion:
            await sesion.initialize()
            nombres = [h.name for h in (await sesion.list_tools()).tools]
            nota = json.loads(encargo) | {"texto": "t", "puntos": 1}
            bien = await sesion.call_tool("proponer_nota", {"payload": nota})
            mal = await sesion.call_tool("proponer_nota", {"puntos": "x"})
            lectura = await sesion.call_tool("negarse", {})
            try:
                await sesion.call_tool("ver_curriculo", {})
                ajena = "la deja"
            except Exception as error:
                ajena = str(error)
    respuestas = [(r.isError, json.loads(r.content[0].text)) for r in (bien, mal, lectura)]
    print(json.dumps({"nombres": nombres, "respuestas": respuestas, "ajena": ajena}))

asyncio.run(principal(*sys.argv[1:]))
"""


@pytest.mark.hermes_real
def test_un_cliente_1_x_lista_llama_y_recibe_los_errores_como_respuestas(
    hermes_python: Path, tmp_path: Path
) -> None:
    with abrir_casa(tmp_path) as casa:
        token = casa.agente("autor", "proponer:notas", "leer:notas")
        orden = [str(hermes_python), "-c", GUION, casa.url, token, json.dumps(casa.encargo("autor"))]
        salida = subprocess.run(orden, check=False, capture_output=True, text=True, timeout=60)
    assert salida.returncode == 0, salida.stderr[-2000:]
    visto = json.loads(salida.stdout)
    assert visto["nombres"] == ["proponer_nota", "romperse", "no_poder", "negarse", "hablar_mucho"]
    (error_bien, bien), (error_mal, mal), (error_lectura, lectura) = visto["respuestas"]
    assert (error_bien, bien) == (False, {"ok": True, "dicho": "guardada"})
    assert (error_mal, mal["ok"], mal["codigo"]) == (False, False, "argumentos")
    assert (error_lectura, lectura["ok"], lectura["codigo"]) == (False, False, "entrada_no_valida")
    assert visto["ajena"] == "No existe esa herramienta."
