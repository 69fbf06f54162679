"""Quirks of the network and of walking the chain: certificates, limits, stale pages, failures that are not final."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import dominios
import nucleo
from dominios.licitaciones.radar.sincronizar.modelo import (
    DIA,
    HORA,
    Alarma,
    Cabecera,
    CabeceraLeida,
    Estado,
    Fallida,
    Leida,
    Marcha,
    PedirPagina,
    Reglas,
    SinCambios,
    Terminar,
    Ventana,
)
from dominios.licitaciones.radar.sincronizar.plan import avanzar, empezar
from nucleo.errores import ErrorRed
from nucleo.red.cliente import AGENTE, ClienteSeguro, Entorno
from nucleo.red.destinos import crear_politica
from tests.reproductor import faltas
from tests.reproductor.certificado import emitir
from tests.reproductor.servidor import Reproductor

RUTA = "/sindicacion_643/cabecera.atom"
REGLAS = Reglas()
AHORA = 1_000 * DIA
MARCA = AHORA - DIA
CABECERA = Cabecera(etag=None, last_modified=None, instante=AHORA)
FALLO = Alarma(codigo="pagina_inaccesible", mensaje="contesta 500")


class Siesta:
    """Records the waits instead of sleeping them."""

    def __init__(self) -> None:
        self.esperas: list[float] = []

    async def __call__(self, segundos: float) -> None:
        self.esperas.append(segundos)
        await asyncio.sleep(0)


@pytest.fixture
def servidor() -> Iterator[Reproductor]:
    with Reproductor() as reproductor:
        reproductor.poner(RUTA, b"<feed/>")
        yield reproductor


async def test_rareza_24_un_certificado_sin_aval_no_se_acepta(servidor: Reproductor, tmp_path: Path) -> None:
    """Wrong: turning verification off because the chain of the source is unusual."""
    servidor.con_tls(emitir(tmp_path))
    url = f"https://localhost:{servidor.puerto}{RUTA}"
    async with ClienteSeguro(crear_politica([], local=url), pausa_s=0) as cliente:
        with pytest.raises(ErrorRed) as rechazo:
            await cliente.obtener(url)
    assert (rechazo.value.codigo, rechazo.value.reintentable) == ("certificado", False)
    assert servidor.veces(RUTA) == 0


def test_rareza_24_en_el_codigo_no_hay_forma_de_no_comprobar() -> None:
    """Wrong: a switch «just for this server» anywhere in the code."""
    prohibido = re.compile(
        r"verify\s*=\s*False|CERT_NONE|check_hostname\s*=\s*False|_create_unverified_context"
    )
    for paquete in (nucleo, dominios):
        for fichero in Path(str(paquete.__path__[0])).rglob("*.py"):
            assert not prohibido.search(fichero.read_text(encoding="utf-8")), fichero


def _pagina(url: str, siguiente: str | None, maximo: int, minimo: int) -> Leida:
    return Leida(url=url, siguiente=siguiente, maximo=maximo, minimo=minimo, cosas=500)


def _tras_cabecera(estado: Estado, siguiente: str = "p1") -> Marcha:
    pagina = _pagina("cabecera", siguiente, AHORA, AHORA - HORA)
    return avanzar(empezar(estado), CabeceraLeida(pagina=pagina, cabecera=CABECERA), REGLAS, AHORA)


def test_rareza_27_las_paginas_sin_novedad_no_paran_el_recorrido_antes_del_margen() -> None:
    """Wrong: stopping after three pages without news, above something that the source inserted late."""
    marcha = _tras_cabecera(Estado(marca=MARCA))
    for n in range(
        1, 6
    ):  # five pages that lie wholly between the mark and the margin: all known, all must be read
        assert marcha.accion == PedirPagina(url=f"p{n}")
        cima = MARCA - n * HORA
        marcha = avanzar(marcha, _pagina(f"p{n}", f"p{n + 1}", cima, cima - HORA), REGLAS, AHORA)
        assert marcha.estado.marca == MARCA
    honda = MARCA - REGLAS.margen
    marcha = avanzar(marcha, _pagina("p6", "p7", honda, honda - HORA), REGLAS, AHORA)
    assert marcha.accion == Terminar(completa=True)
    assert marcha.estado == Estado(marca=AHORA, cabecera=CABECERA)


def test_rareza_27_una_pasada_cortada_no_pierde_su_tramo_cuando_la_cabecera_avanza() -> None:
    """Wrong: a resume cursor that forgets what came above it, or a mark that jumps over the unread stretch."""
    pendiente = Ventana(
        techo=AHORA - 2 * HORA,
        fondo=AHORA - 5 * HORA,
        suelo=MARCA - REGLAS.margen,
        cursor="cortada",
        leidas=500,
        minimo=0,
    )
    marcha = _tras_cabecera(Estado(marca=MARCA, ventanas=(pendiente,)))
    assert marcha.accion == PedirPagina(url="p1")
    assert (len(marcha.estado.ventanas), marcha.estado.marca) == (2, MARCA)
    bajo_la_otra = pendiente.techo - REGLAS.margen
    pedidas = []
    instante = AHORA - HORA
    while isinstance(marcha.accion, PedirPagina):
        pedidas.append(url := marcha.accion.url)
        fin = min(instante, bajo_la_otra) if len(pedidas) > 1 else instante
        siguiente = f"p{len(pedidas) + 1}"
        marcha = avanzar(marcha, _pagina(url, siguiente, fin, fin - DIA), REGLAS, AHORA)
        instante = fin - DIA
        assert len(pedidas) < 20
    assert marcha.estado.ventanas == ()
    assert marcha.estado.marca == AHORA
    assert instante <= pendiente.suelo


def test_rareza_28_un_fallo_deja_la_pagina_pendiente_y_se_vuelve_a_pedir() -> None:
    """Wrong: a failure stored as the final answer: the page would never be asked for again."""
    marcha = _tras_cabecera(Estado(marca=MARCA))
    marcha = avanzar(marcha, Fallida(alarma=FALLO), REGLAS, AHORA)
    assert (marcha.accion, marcha.alarmas) == (Terminar(completa=False), (FALLO,))
    for intentos in (1, 3, 5, 6, 7):
        [ventana] = marcha.estado.ventanas
        estado = Estado(marca=MARCA, ventanas=(ventana.model_copy(update={"intentos": intentos}),))
        otra = avanzar(empezar(estado), SinCambios(), REGLAS, AHORA)
        assert otra.accion == PedirPagina(url="p1")
        assert otra.estado.marca == MARCA


def test_rareza_28_solo_cuentan_los_intentos_hechos_de_verdad() -> None:
    """Wrong: charging a page with the failures of the head, after which it was never asked for."""
    ventana = Ventana(
        techo=AHORA, fondo=AHORA - HORA, suelo=MARCA, cursor="p1", leidas=500, minimo=0, intentos=1
    )
    estado = Estado(marca=MARCA, ventanas=(ventana,))
    sin_cabecera = avanzar(empezar(estado), Fallida(alarma=FALLO), REGLAS, AHORA)
    assert sin_cabecera.accion == Terminar(completa=False)
    assert sin_cabecera.estado.ventanas[0].intentos == 1


async def test_rareza_29_a_un_servidor_cargado_se_le_espera_cada_vez_mas(servidor: Reproductor) -> None:
    """Wrong: hammering it, or giving up at the first 429."""
    servidor.fallar(RUTA, faltas.estado(429), faltas.estado(503), faltas.estado(500))
    siesta = Siesta()
    politica = crear_politica([], local=servidor.url("/"))
    async with ClienteSeguro(politica, pausa_s=0, entorno=Entorno(dormir=siesta)) as cliente:
        respuesta = await cliente.obtener(servidor.url(RUTA))
    assert (respuesta.estado, servidor.veces(RUTA)) == (200, 4)
    assert [e for e in siesta.esperas if e >= 1] == [2.0, 5.0, 10.0]


async def test_rareza_29_las_peticiones_van_de_una_en_una_y_dicen_quien_es_en_ascii(
    servidor: Reproductor,
) -> None:
    """Wrong: several at a time; or an accent in the agent's name, which some servers answer with an error."""
    en_curso, maximo = 0, 0

    def contar(manejador: faltas.Manejador, cuerpo: bytes, parado: object) -> None:
        nonlocal en_curso, maximo
        en_curso += 1
        maximo = max(maximo, en_curso)
        manejador.responder(200, cuerpo, {})
        en_curso -= 1

    servidor.fallar_siempre(RUTA, contar)
    politica = crear_politica([], local=servidor.url("/"))
    async with ClienteSeguro(politica, pausa_s=0, entorno=Entorno(dormir=Siesta())) as cliente:
        await asyncio.gather(*(cliente.obtener(servidor.url(RUTA)) for _ in range(5)))
    assert maximo == 1
    assert servidor.veces(RUTA) == 5
    assert AGENTE.isascii()
    assert servidor.peticiones[0].cabeceras["user-agent"] == AGENTE.decode()
