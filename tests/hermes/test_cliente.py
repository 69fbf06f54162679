"""The client against both contracts over a real local server: launching at most once, and every way it can go wrong."""

from __future__ import annotations

import asyncio
import json
import time
from datetime import timedelta

import pytest

from app.hermes.curso import Curso, FalloDeRun
from app.hermes.memoria import Contrato
from nucleo.hermes.cliente import ClienteHermes, mirar
from nucleo.hermes.desenlace import Desenlace, clasificar, sin_herramientas
from nucleo.hermes.errores import (
    ClaveReutilizada,
    HermesCaido,
    HermesOcupado,
    RespuestaPerdida,
)
from nucleo.hermes.modelo import EstadoRun, Huerfano, Idempotencia, Lanzado
from nucleo.hermes.vigia import herramientas_vistas, observar
from nucleo.reloj import reloj_del_sistema
from tests.hermes.doble import Doble, cliente

AMBOS = pytest.mark.parametrize("contrato", list(Contrato))
SESION = "so-7-1-a1b2c3d4"
ENCARGO = ("Haz la criba.", "lote 7", SESION, SESION)


async def acabar(curso: Curso) -> str:
    curso.herramienta("ok")
    return "hecho"


async def no_acabar(_curso: Curso) -> str:
    await asyncio.sleep(60)
    return "tarde"


async def hasta(hermes: ClienteHermes, run_id: str, desenlace: Desenlace) -> EstadoRun:
    """Polls until the run is there; fails after 10 s."""
    fin = time.monotonic() + 10
    while True:
        estado = await hermes.consultar(run_id)
        if clasificar(estado) is desenlace and estado is not None:
            return estado
        assert time.monotonic() < fin, estado
        await asyncio.sleep(0.02)


@AMBOS
async def test_un_trabajo_va_del_lanzamiento_a_sus_metricas(contrato: Contrato) -> None:
    with Doble(contrato, acabar).en_marcha() as base:
        async with cliente(base) as hermes:
            lanzado = await hermes.lanzar(*ENCARGO)
            estado = await hasta(hermes, lanzado.run_id, Desenlace.TERMINADO)
            metricas = await hermes.sesion(SESION)
            assert (estado.salida, estado.sesion_id, lanzado.repetido) == ("hecho", SESION, False)
            assert metricas is not None
            assert (metricas.llamadas, metricas.herramientas, metricas.modelo) == (1, 1, "simulado")
            assert metricas.tokens > 0
            assert not metricas.partida
            assert await hermes.sesion("no-hay-tal-sesion") is None


@AMBOS
async def test_las_capacidades_se_preguntan_y_no_se_deducen(contrato: Contrato) -> None:
    with Doble(contrato, acabar).en_marcha() as base:
        async with cliente(base) as hermes:
            capacidades = await hermes.capacidades()
            assert capacidades.bastan
            assert capacidades.repetible is (contrato is Contrato.V021)


async def test_una_idempotencia_que_no_sobrevive_no_vale_para_repetir() -> None:
    doble = Doble(Contrato.V021, acabar)
    rasgos = {"runs_idempotency": {"supported": True, "durable": False}}
    doble.averia.suplanta = (200, {}, json.dumps({"features": rasgos}).encode())
    doble.averia.donde, doble.averia.modo, doble.averia.veces = "GET /v1/capabilities", "suplanta", 1
    with doble.en_marcha() as base:
        async with cliente(base) as hermes:
            capacidades = await hermes.capacidades()
    assert capacidades.idempotencia is Idempotencia.MEMORIA
    assert not capacidades.repetible
    assert not capacidades.bastan


@pytest.mark.parametrize("modo", ["corta", "calla"])
async def test_con_idempotencia_una_respuesta_perdida_se_vuelve_a_pedir(modo: str) -> None:
    doble = Doble(Contrato.V021, no_acabar)
    doble.averia.donde, doble.averia.veces, doble.averia.modo = "POST /v1/runs", 2, modo
    with doble.en_marcha() as base:
        async with cliente(base) as hermes:
            lanzado = await hermes.lanzar(*ENCARGO)
            assert lanzado.repetido
            assert clasificar(await hermes.consultar(lanzado.run_id)) is Desenlace.EN_CURSO
    assert doble.lanzados == [SESION]


async def test_con_idempotencia_no_se_insiste_para_siempre() -> None:
    doble = Doble(Contrato.V021, no_acabar)
    doble.averia.donde, doble.averia.veces = "POST /v1/runs", 99
    with doble.en_marcha() as base:
        async with cliente(base) as hermes:
            with pytest.raises(RespuestaPerdida):
                await hermes.lanzar(*ENCARGO)
    assert doble.lanzados == [SESION]
    assert doble.averia.veces == 99 - 3


async def test_lo_perdido_sigue_perdido_aunque_al_repetir_se_encuentre_otra_cosa() -> None:
    doble = Doble(Contrato.V021, no_acabar)
    doble.averia.donde, doble.averia.veces, doble.averia.modo = "POST /v1/runs", 2, "primero_corta"
    doble.averia.suplanta = (503, {"Retry-After": "1"}, b"{}")
    with doble.en_marcha() as base:
        async with cliente(base) as hermes:
            with pytest.raises(RespuestaPerdida):
                await hermes.lanzar(*ENCARGO)
    assert doble.lanzados == [SESION]


async def test_sin_idempotencia_una_respuesta_perdida_no_se_repite_a_ciegas() -> None:
    doble = Doble(Contrato.V019, no_acabar)
    doble.averia.donde, doble.averia.veces = "POST /v1/runs", 1
    with doble.en_marcha() as base:
        async with cliente(base) as hermes:
            with pytest.raises(RespuestaPerdida):
                await hermes.lanzar(*ENCARGO)
            assert await hermes.retomar(*ENCARGO) == Huerfano(sesion_id=SESION)
    assert doble.lanzados == [SESION]


@AMBOS
async def test_retomar_un_lanzamiento_que_no_llego_lo_lanza(contrato: Contrato) -> None:
    doble = Doble(contrato, no_acabar)
    with doble.en_marcha() as base:
        async with cliente(base) as hermes:
            retomado = await hermes.retomar(*ENCARGO)
    assert isinstance(retomado, Lanzado)
    assert not retomado.repetido
    assert doble.lanzados == [SESION]


async def test_retomar_con_idempotencia_devuelve_el_mismo_aunque_hermes_se_reinicie() -> None:
    doble = Doble(Contrato.V021, no_acabar)
    with doble.en_marcha() as base:
        async with cliente(base) as hermes:
            primero = await hermes.lanzar(*ENCARGO)
    with doble.en_marcha() as base:
        async with cliente(base) as hermes:
            segundo = await hermes.retomar(*ENCARGO)
            assert segundo == Lanzado(run_id=primero.run_id, repetido=True)
            estado = await hermes.consultar(primero.run_id)
    assert estado is not None
    assert estado.estado == "interrupted"
    assert clasificar(estado) is Desenlace.PERDIDO
    assert doble.lanzados == [SESION]


async def test_la_misma_clave_con_otro_encargo_es_un_error_nuestro() -> None:
    with Doble(Contrato.V021, no_acabar).en_marcha() as base:
        async with cliente(base) as hermes:
            await hermes.lanzar(*ENCARGO)
            with pytest.raises(ClaveReutilizada):
                await hermes.lanzar("Otra cosa.", "lote 8", SESION, SESION)


async def test_repetir_un_lanzamiento_no_choca_con_el_cupo_que_el_mismo_ocupa() -> None:
    doble = Doble(Contrato.V021, no_acabar, limite=1)
    doble.averia.donde, doble.averia.veces = "POST /v1/runs", 1
    with doble.en_marcha() as base:
        async with cliente(base) as hermes:
            assert (await hermes.lanzar(*ENCARGO)).repetido


async def test_tras_reiniciar_la_version_antigua_no_recuerda_el_trabajo_pero_si_sus_tokens() -> None:
    doble = Doble(Contrato.V019, no_acabar)
    with doble.en_marcha() as base:
        async with cliente(base) as hermes:
            lanzado = await hermes.lanzar(*ENCARGO)
            primero = observar(None, (await hermes.salud()).pid, reloj_del_sistema())
    with doble.en_marcha() as base:
        async with cliente(base) as hermes:
            ahora = reloj_del_sistema()
            segundo = observar(primero, (await hermes.salud()).pid, ahora)
            assert herramientas_vistas(primero, primero.visto, ahora)
            assert not herramientas_vistas(segundo, primero.visto - timedelta(seconds=1), ahora)
            assert clasificar(await hermes.consultar(lanzado.run_id)) is Desenlace.PERDIDO
            metricas = await hermes.sesion(SESION)
            assert metricas is not None
            assert metricas.entrada > 0
            assert await hermes.parar(lanzado.run_id) is False
            assert await hermes.denegar(lanzado.run_id) is False


@AMBOS
async def test_el_cupo_propio_de_hermes_no_es_el_429_del_proveedor(contrato: Contrato) -> None:
    doble = Doble(contrato, no_acabar, limite=1)
    with doble.en_marcha() as base:
        async with cliente(base) as hermes:
            await hermes.lanzar(*ENCARGO)
            with pytest.raises(HermesOcupado) as ocupado:
                await hermes.lanzar("x", "otro", "so-8-1-00000000", "so-8-1-00000000")
            assert ocupado.value.espera_s == 1.0
            assert await hermes.sesion("so-8-1-00000000") is None
    assert doble.lanzados == [SESION]


async def test_un_hermes_que_se_apaga_pide_esperar() -> None:
    doble = Doble(Contrato.V019, no_acabar)
    error = json.dumps({"error": {"message": "draining", "code": "gateway_draining"}}).encode()
    doble.averia.suplanta = (503, {"Retry-After": "7"}, error)
    doble.averia.donde, doble.averia.modo, doble.averia.veces = "POST /v1/runs", "suplanta", 1
    with doble.en_marcha() as base:
        async with cliente(base) as hermes:
            with pytest.raises(HermesOcupado) as ocupado:
                await hermes.lanzar(*ENCARGO)
    assert ocupado.value.espera_s == 7.0
    assert doble.lanzados == []


async def test_un_error_interno_al_lanzar_deja_en_duda_si_empezo() -> None:
    doble = Doble(Contrato.V019, no_acabar)
    doble.averia.suplanta = (500, {}, b"boom")
    doble.averia.donde, doble.averia.modo, doble.averia.veces = "POST /v1/runs", "suplanta", 1
    with doble.en_marcha() as base:
        async with cliente(base) as hermes:
            with pytest.raises(RespuestaPerdida):
                await hermes.lanzar(*ENCARGO)


@pytest.mark.parametrize("cuerpo", [b"", b"{}", b'{"run_id": 7}', b'{"run_id": "../otro"}', b"<html>"])
async def test_un_aceptado_sin_numero_es_una_respuesta_perdida(cuerpo: bytes) -> None:
    doble = Doble(Contrato.V019, no_acabar)
    doble.averia.suplanta = (202, {}, cuerpo)
    doble.averia.donde, doble.averia.modo, doble.averia.veces = "POST /v1/runs", "suplanta", 1
    with doble.en_marcha() as base:
        async with cliente(base) as hermes:
            with pytest.raises(RespuestaPerdida):
                await hermes.lanzar(*ENCARGO)


@AMBOS
@pytest.mark.parametrize(
    ("error", "desenlace"),
    [
        ("HTTP 429: Rate limit reached for requests", Desenlace.FALLO_PROVEEDOR_429),
        ("HTTP 401: Incorrect API key provided", Desenlace.FALLO_CREDENCIAL),
        ("HTTP 500: boom", Desenlace.FALLO),
    ],
)
async def test_el_fallo_del_proveedor_llega_dentro_del_trabajo(
    contrato: Contrato, error: str, desenlace: Desenlace
) -> None:
    async def fallar(_curso: Curso) -> str:
        raise FalloDeRun(error)

    with Doble(contrato, fallar).en_marcha() as base:
        async with cliente(base) as hermes:
            lanzado = await hermes.lanzar(*ENCARGO)
            estado = await hasta(hermes, lanzado.run_id, desenlace)
            assert estado.error == error


@AMBOS
@pytest.mark.parametrize(
    ("salida", "desenlace"),
    [
        ("", Desenlace.SIN_RESPUESTA),
        ("⚠️ No reply: the model returned empty content after retries.", Desenlace.SIN_RESPUESTA),
        ("Iba bien. ⚠️ No reply: the maximum tool-iteration limit was reached", Desenlace.TOPE_ITERACIONES),
        ("No he usado ninguna herramienta.", Desenlace.TERMINADO),
    ],
)
async def test_completed_no_es_haberlo_hecho(contrato: Contrato, salida: str, desenlace: Desenlace) -> None:
    async def decir(_curso: Curso) -> str:
        return salida

    with Doble(contrato, decir).en_marcha() as base:
        async with cliente(base) as hermes:
            lanzado = await hermes.lanzar(*ENCARGO)
            assert (await hasta(hermes, lanzado.run_id, desenlace)).estado == "completed"


@AMBOS
async def test_lo_que_pide_permiso_se_deniega(contrato: Contrato) -> None:
    async def pedir(curso: Curso) -> str:
        return await curso.pedir_permiso()

    with Doble(contrato, pedir).en_marcha() as base:
        async with cliente(base) as hermes:
            lanzado = await hermes.lanzar(*ENCARGO)
            await hasta(hermes, lanzado.run_id, Desenlace.ESPERA_APROBACION)
            assert await hermes.denegar(lanzado.run_id) is True
            assert (await hasta(hermes, lanzado.run_id, Desenlace.TERMINADO)).salida == "deny"
            assert await hermes.denegar(lanzado.run_id) is False


@AMBOS
async def test_lo_que_se_para_queda_cancelado(contrato: Contrato) -> None:
    with Doble(contrato, no_acabar).en_marcha() as base:
        async with cliente(base) as hermes:
            lanzado = await hermes.lanzar(*ENCARGO)
            await hasta(hermes, lanzado.run_id, Desenlace.EN_CURSO)
            assert await hermes.parar(lanzado.run_id) is True
            await hasta(hermes, lanzado.run_id, Desenlace.CANCELADO)


@AMBOS
async def test_las_herramientas_que_faltan_se_ven_en_la_sesion(contrato: Contrato) -> None:
    async def a_ciegas(curso: Curso) -> str:
        curso.herramienta("Tool 'mcp__sobre__leer' does not exist. Available tools: ")
        return "No he podido."

    with Doble(contrato, a_ciegas).en_marcha() as base:
        async with cliente(base) as hermes:
            lanzado = await hermes.lanzar(*ENCARGO)
            await hasta(hermes, lanzado.run_id, Desenlace.TERMINADO)
            assert sin_herramientas(await hermes.resultados(SESION))
            assert await hermes.resultados("no-hay-tal-sesion") == ()


async def test_un_hermes_apagado_no_es_un_fallo_del_trabajo() -> None:
    with Doble(Contrato.V019, acabar).en_marcha() as base:
        pass
    async with cliente(base) as hermes:
        assert await mirar(hermes) is None
        with pytest.raises(HermesCaido):
            await hermes.lanzar(*ENCARGO)


async def test_quien_contesta_dice_su_pid_y_si_es_simulado() -> None:
    with Doble(Contrato.V019, acabar).en_marcha() as base:
        async with cliente(base) as hermes:
            salud = await mirar(hermes)
    assert salud is not None
    assert (salud.pid is not None, salud.lista, salud.simulado) == (True, True, True)
