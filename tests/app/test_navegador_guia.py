"""The welcome guide, whole: an agent plans over MCP, a person decides in the browser, and evidence is left."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import expect

from app import llave
from nucleo import registro
from nucleo.agentes import servicio as agentes
from nucleo.bd import conectar
from nucleo.recorridos.exportar import de_json
from nucleo.reloj import reloj_del_sistema
from tests.agentes.casa import CABECERAS, cuerpo
from tests.app.conftest import Visor, Web
from tests.app.planes import guia
from tests.app.servidor import QUIEN

pytestmark = pytest.mark.navegador

TITULO = "Guía de bienvenida por MCP"


class AgenteGuionizado:
    """An agent that does what its script says, through the real /mcp with its own token."""

    def __init__(self, web: Web, token: str) -> None:
        self._http = httpx.Client(
            base_url=web.base, headers={"Authorization": f"Bearer {token}"}, timeout=30, trust_env=False
        )
        self._ordenes = 0

    def cerrar(self) -> None:
        self._http.close()

    def usar(self, herramienta: str, **argumentos: Any) -> dict[str, Any]:
        """The tool's answer, which has to be good."""
        mensaje = cuerpo("tools/call", name=herramienta, arguments=argumentos)
        respuesta = self._http.post("/mcp", content=mensaje, headers=CABECERAS).json()
        dicho: dict[str, Any] = json.loads(respuesta["result"]["content"][0]["text"])
        assert dicho["ok"], dicho
        return dicho

    def ordenar(self, herramienta: str, **argumentos: Any) -> dict[str, Any]:
        """An order with an identifier of its own."""
        self._ordenes += 1
        return self.usar(herramienta, comando_id=f"guion-{self._ordenes}", **argumentos)

    def planear(self) -> str:
        plan = guia(TITULO).model_dump(mode="json", exclude_unset=True)
        identificador: str = self.ordenar("recorrido_crear", plan=plan)["id"]
        return identificador

    def redactar(self, rid: str, texto: str) -> None:
        """Its step, from beginning to end, with the file of the draft."""
        leido = self.usar("recorrido_leer", recorrido=rid)
        publico = leido["recorrido"]["pasos"]["borrador"]["entradas"]["publico"]
        intento = self.ordenar("recorrido_paso", recorrido=rid, accion="iniciar", paso="borrador")["intento"]
        mio = {"recorrido": rid, "paso": "borrador", "intento": intento}
        fichero = self.ordenar(
            "artefacto_registrar", **mio, nombre="guia.md", tipo_medio="text/markdown", texto=f"# {texto}"
        )
        salidas = {"texto": f"{texto} ({publico})", "fichero": fichero["artefacto"]["id"]}
        self.ordenar(
            "recorrido_paso", **mio, accion="completar", salidas=salidas, mensaje="Escrito según lo elegido."
        )


@pytest.fixture
def agente(web: Web) -> Iterator[AgenteGuionizado]:
    with closing(conectar(registro.preparar(web.datos))) as con:
        permisos = ["leer:recorridos", "proponer:recorridos"]
        token = agentes.crear(con, "guia", permisos, reloj_del_sistema()).token
    guionizado = AgenteGuionizado(web, token)
    yield guionizado
    guionizado.cerrar()


def test_la_guia_de_bienvenida_de_principio_a_fin(
    visor: Visor, web: Web, agente: AgenteGuionizado, tmp_path: Path
) -> None:
    rid = agente.planear()
    pagina = visor.abrir("/?vista=bandeja")
    pagina.get_by_role("link", name="¿A quién va dirigida la guía?").first.click()
    panel = pagina.locator(".st-key-panel")
    pagina.get_by_text("plantilla", exact=True).click()
    panel.get_by_role("button", name="Responder").click()
    expect(panel).to_contain_text(f"{QUIEN} respondió")

    agente.redactar(rid, "Primer borrador")
    pagina = visor.abrir(f"/?vista=recorrido&id={rid}&paso=revisar")
    expect(panel).to_contain_text("Primer borrador (plantilla)")
    panel.get_by_label("Motivo").fill("Falta el horario.")
    panel.get_by_role("button", name="Rechazar").click()
    expect(pagina.locator("[class*=st-key-paso_]", has_text="Escribir el borrador")).to_contain_text("Listo")

    agente.redactar(rid, "Segundo borrador")
    expect(panel).to_contain_text("Segundo borrador (plantilla)")
    panel.get_by_role("button", name="Aprobar").click()
    expect(pagina.get_by_text("Completado").first).to_be_visible()

    with httpx.Client(
        base_url=web.base, headers={"Authorization": f"Bearer {llave.leer(web.datos)}"}, trust_env=False
    ) as http:
        exportado = http.get(f"/api/recorridos/{rid}/exportar", params={"formato": "json"})
        legible = http.get(f"/api/recorridos/{rid}/exportar", params={"formato": "html"}).text
    evidencia = de_json(exportado.text)
    assert evidencia.recorrido.estado == "completado"
    for dicho in ("Segundo borrador (plantilla)", "Falta el horario.", QUIEN, "guia.md"):
        assert dicho in legible
