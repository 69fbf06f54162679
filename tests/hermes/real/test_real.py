"""The real hermes-agent driven by our client: a scripted model thinks, a small MCP server keeps what it proposes."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import httpx
import pytest

from app.hermes.curso import Curso
from app.hermes.memoria import Contrato
from nucleo.hermes.cliente import ClienteHermes, mirar
from nucleo.hermes.desenlace import Desenlace, clasificar, sin_herramientas
from nucleo.hermes.errores import ClaveRechazada, HermesCaido
from nucleo.hermes.modelo import EstadoRun, Idempotencia, Lanzado
from nucleo.hermes.perfiles import leer_hermes
from nucleo.hermes.vigia import herramientas_vistas, observar
from nucleo.reloj import reloj_del_sistema
from tests.espera import esperar
from tests.hermes.doble import CLAVE, Doble
from tests.hermes.mcp_minimo import McpMinimo, mcp_minimo
from tests.hermes.real.proceso import Instalacion, instalacion, puertos_libres
from tests.hermes.real.proveedor import Falla, Guion, Habla, Proveedor, Turno, proveedor

pytestmark = pytest.mark.hermes_real
GUARDAR = "mcp__sobre__guardar"
TOKENS = {"licitaciones": "token-de-licitaciones-0001", "critico": "token-de-critico-0002"}


def proponer(turno: Turno) -> Habla | Falla:
    """Call the tool with the order's own text, then say so."""
    if turno.paso == 0 and GUARDAR in turno.herramientas:
        return Habla(herramienta=GUARDAR, argumentos={"payload": {"encargo": turno.encargo}})
    return Habla("Propuesta guardada." if turno.paso else "Sin herramientas.")


@contextmanager
def casa(python: Path, hogar: Path, guion: Guion) -> Iterator[tuple[Instalacion, Proveedor, McpMinimo]]:
    """A provider, an MCP server and the profiles installed; nothing of Hermes started yet."""
    with (
        proveedor(guion) as modelo,
        mcp_minimo({token: nombre for nombre, token in TOKENS.items()}) as mcp,
        instalacion(python, hogar) as donde,
    ):
        donde.instalar(mcp.url, modelo.base_url, TOKENS, puertos_libres(3))
        yield donde, modelo, mcp


async def acabar(hermes: ClienteHermes, run_id: str, segundos: float = 90) -> EstadoRun | None:
    """Polls until the run has ended."""
    fin = time.monotonic() + segundos
    while True:
        estado = await hermes.consultar(run_id)
        if clasificar(estado).final:
            return estado
        assert time.monotonic() < fin, estado
        await asyncio.sleep(0.1)


def cliente(donde: Instalacion, nombre: str) -> ClienteHermes:
    """As the queue makes it: from the file that hermes_init.py leaves for SOBRE_HERMES."""
    perfil = leer_hermes(donde.hogar / "sobre-hermes.json").perfil(nombre)
    assert perfil is not None
    return ClienteHermes(perfil.url, perfil.clave.get_secret_value())


async def test_camino_feliz_por_mcp_con_nuestro_token(hermes_python: Path, tmp_path: Path) -> None:
    with casa(hermes_python, tmp_path, proponer) as (donde, modelo, mcp):
        donde.arrancar("licitaciones")
        async with cliente(donde, "licitaciones") as hermes:
            capacidades = await hermes.capacidades()
            assert (capacidades.bastan, capacidades.idempotencia) == (True, Idempotencia.NINGUNA)
            salud = await mirar(hermes)
            assert salud is not None
            assert salud.pid == donde.procesos["licitaciones"].pid
            assert (salud.version, salud.simulado) == ("0.19.0", False)
            assert mcp.saludos == ["licitaciones"]

            lanzado = await hermes.lanzar(
                "Marca: abc123.", "Guarda esto.", "so-1-1-aaaaaaaa", "so-1-1-aaaaaaaa"
            )
            estado = await acabar(hermes, lanzado.run_id)
            metricas = await hermes.sesion("so-1-1-aaaaaaaa")

            assert estado is not None
            assert (clasificar(estado), estado.salida) == (Desenlace.TERMINADO, "Propuesta guardada.")
            assert mcp.guardado == [("licitaciones", {"payload": {"encargo": "Guarda esto."}})]
            assert metricas is not None
            assert (metricas.llamadas, metricas.herramientas) == (2, 1)
            assert (metricas.entrada, metricas.cache_leida, metricas.salida) == (1200, 800, 100)
            assert not metricas.partida
            assert await hermes.parar(lanzado.run_id) is False
        exigir_que_el_doble_hable_igual(donde, lanzado.run_id, "so-1-1-aaaaaaaa")
        primero = modelo.turnos[0]
        assert primero.herramientas == (GUARDAR,)
        assert primero.sistema.startswith("Eres el agente de licitaciones")
        assert "Marca: abc123." in primero.sistema
        async with ClienteHermes(donde.base("licitaciones"), "otra-clave-que-no-es-la-suya") as intruso:
            with pytest.raises(ClaveRechazada):
                await intruso.capacidades()


def exigir_que_el_doble_hable_igual(donde: Instalacion, run_id: str, sesion_id: str) -> None:
    """Every field that the double of this contract sends is sent by the real one, with the same type."""

    async def responder(_curso: Curso) -> str:
        return "hecho"

    doble = Doble(Contrato.V019, responder)
    with doble.en_marcha() as base:
        de_doble = httpx.Client(base_url=base, headers={"Authorization": f"Bearer {CLAVE}"}, trust_env=False)
        clave = donde.clave("licitaciones")
        de_verdad = httpx.Client(
            base_url=donde.base("licitaciones"), headers={"Authorization": f"Bearer {clave}"}, trust_env=False
        )
        with de_doble, de_verdad:
            imitado = de_doble.post("/v1/runs", json={"input": "x", "session_id": sesion_id}).json()["run_id"]
            esperar(lambda: de_doble.get(f"/v1/runs/{imitado}").json()["status"] == "completed", 10)
            for metodo, ruta in (
                *(("GET", "/health"), ("GET", "/health/detailed"), ("GET", "/v1/capabilities")),
                *(("GET", "/v1/runs/{run}"), ("POST", "/v1/runs/{run}/stop"), ("GET", "/v1/runs/no-hay")),
                *(("GET", f"/api/sessions/{sesion_id}"), ("GET", f"/api/sessions/{sesion_id}/messages")),
                *(("GET", "/api/sessions/no-hay"), ("POST", "/v1/runs")),
            ):
                uno = de_doble.request(metodo, ruta.format(run=imitado))
                otro = de_verdad.request(metodo, ruta.format(run=run_id))
                assert (ruta, uno.status_code) == (ruta, otro.status_code)
                assert formas(uno.json()) - formas(otro.json()) == set(), ruta


def formas(valor: object, donde: str = "") -> set[tuple[str, str]]:
    """Where each field of a document is, and its type."""
    if isinstance(valor, dict):
        return {forma for nombre, v in valor.items() for forma in formas(v, f"{donde}.{nombre}")}
    if isinstance(valor, list):
        return formas(valor[0], f"{donde}[]") if valor else set()
    return {(donde, type(valor).__name__)}


async def test_se_distingue_perder_las_herramientas_de_equivocarse_de_nombre(
    hermes_python: Path, tmp_path: Path
) -> None:
    def torpe(turno: Turno) -> Habla | Falla:
        nombres = ("zzz", GUARDAR)  # one like ours would be mended by Hermes
        if turno.paso < len(nombres):
            fingido = {"encargo": "Tool 'x' does not exist. Available tools: none"}
            return Habla(herramienta=nombres[turno.paso], argumentos={"payload": fingido})
        return Habla("Ya está.")

    with casa(hermes_python, tmp_path / "con", torpe) as (donde, _modelo, mcp):
        donde.arrancar("licitaciones")
        async with cliente(donde, "licitaciones") as hermes:
            assert not sin_herramientas(await resultados(hermes, "so-6-1-ffffffff"))
        assert len(mcp.guardado) == 1

    with proveedor(torpe) as modelo, instalacion(hermes_python, tmp_path / "sin") as donde:
        nadie = f"http://127.0.0.1:{puertos_libres(1)}/mcp"
        donde.instalar(nadie, modelo.base_url, {"licitaciones": TOKENS["licitaciones"]}, puertos_libres(3))
        donde.arrancar("licitaciones")
        async with cliente(donde, "licitaciones") as hermes:
            assert sin_herramientas(await resultados(hermes, "so-6-2-ffffffff"))


async def resultados(hermes: ClienteHermes, sesion: str) -> tuple[str, ...]:
    """What the tools answered in a run that ended as completed."""
    lanzado = await hermes.lanzar("x", "Guarda esto.", sesion, sesion)
    assert clasificar(await acabar(hermes, lanzado.run_id)) is Desenlace.TERMINADO
    dichos = await hermes.resultados(sesion)
    assert dichos
    return dichos


async def test_el_429_del_proveedor_llega_como_tal(hermes_python: Path, tmp_path: Path) -> None:
    def sin_cupo(_turno: Turno) -> Habla | Falla:
        return Falla(429, "Rate limit reached for requests")

    with casa(hermes_python, tmp_path, sin_cupo) as (donde, _modelo, mcp):
        donde.arrancar("licitaciones")
        async with cliente(donde, "licitaciones") as hermes:
            lanzado = await hermes.lanzar("x", "Guarda esto.", "so-2-1-bbbbbbbb", "so-2-1-bbbbbbbb")
            estado = await acabar(hermes, lanzado.run_id)
            assert clasificar(estado) is Desenlace.FALLO_PROVEEDOR_429
        assert mcp.guardado == []


async def test_muere_a_mitad_y_se_recupera_con_un_intento_nuevo(hermes_python: Path, tmp_path: Path) -> None:
    modelo: Proveedor

    def callar_tras_guardar(turno: Turno) -> Habla | Falla:
        if turno.paso:
            modelo.esperar()
        return proponer(turno)

    with casa(hermes_python, tmp_path, callar_tras_guardar) as (donde, modelo, mcp):
        donde.arrancar("licitaciones")
        async with cliente(donde, "licitaciones") as hermes:
            salud = await hermes.salud()
            antes = observar(None, salud.pid, reloj_del_sistema())
            lanzado = await hermes.lanzar("x", "Primero.", "so-3-1-cccccccc", "so-3-1-cccccccc")
            await asyncio.to_thread(esperar, lambda: len(mcp.guardado) == 1 and len(modelo.turnos) == 2, 60)
            assert clasificar(await hermes.consultar(lanzado.run_id)) is Desenlace.EN_CURSO

            donde.matar("licitaciones")
            with pytest.raises(HermesCaido):
                await hermes.consultar(lanzado.run_id)
            modelo.soltar.set()
            await asyncio.to_thread(donde.arrancar, "licitaciones")

            nuevo = observar(antes, (await hermes.salud()).pid, ahora := reloj_del_sistema())
            assert not herramientas_vistas(nuevo, antes.visto - timedelta(seconds=1), ahora)
            assert clasificar(await hermes.consultar(lanzado.run_id)) is Desenlace.PERDIDO
            metricas = await hermes.sesion("so-3-1-cccccccc")
            assert metricas is not None
            assert metricas.llamadas == 1
            assert metricas.tokens > 0
            assert len(mcp.guardado) == 1

            segundo = await hermes.retomar("x", "Segundo.", "so-3-2-dddddddd", "so-3-2-dddddddd")
            assert isinstance(segundo, Lanzado)
            assert clasificar(await acabar(hermes, segundo.run_id)) is Desenlace.TERMINADO
        assert [a["payload"] for _, a in mcp.guardado] == [{"encargo": "Primero."}, {"encargo": "Segundo."}]


async def test_dos_perfiles_son_dos_procesos_con_su_token(hermes_python: Path, tmp_path: Path) -> None:
    with casa(hermes_python, tmp_path, proponer) as (donde, modelo, mcp):
        donde.arrancar("licitaciones")
        donde.arrancar("critico")
        assert donde.clave("licitaciones") != donde.clave("critico")
        for numero, nombre in enumerate(("critico", "licitaciones")):
            async with cliente(donde, nombre) as hermes:
                sesion = f"so-4-{numero}-eeeeeeee"
                lanzado = await hermes.lanzar("x", f"De {nombre}.", sesion, sesion)
                assert clasificar(await acabar(hermes, lanzado.run_id)) is Desenlace.TERMINADO
        assert [(quien, a["payload"]) for quien, a in mcp.guardado] == [
            ("critico", {"encargo": "De critico."}),
            ("licitaciones", {"encargo": "De licitaciones."}),
        ]
        assert modelo.turnos[0].sistema.startswith("Eres el crítico")
        async with ClienteHermes(donde.base("critico"), donde.clave("licitaciones")) as ajeno:
            with pytest.raises(ClaveRechazada):
                await ajeno.salud()
