"""The login by its forms: what opens a session, what does not, and what each answer gives away."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from app.entrar.acceso import Acceso
from app.entrar.galletas import NOMBRE, NOMBRE_SEGURO
from app.entrar.rutas import Entrada, destino
from app.seguridad import Puerta
from nucleo import registro
from nucleo.bd import conectar
from nucleo.personas import administrar
from nucleo.personas.modelo import AltaUsuario, Rol

LOCAL = "http://127.0.0.1:8080"
CLAVE = "una-clave-bastante-larga"
OTRA = "otra-clave-bastante-larga"


class Hora:
    """A clock that the test moves."""

    def __init__(self) -> None:
        self.ahora = datetime(2026, 5, 4, 9, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.ahora


class Puesto(NamedTuple):
    """The door with its forms, and a page behind it."""

    app: Starlette
    hora: Hora
    datos: Path

    def navegador(self, base: str = LOCAL) -> httpx.AsyncClient:
        """A browser of its own: it keeps cookies and sends its origin."""
        transporte = httpx.ASGITransport(app=self.app)
        return httpx.AsyncClient(transport=transporte, base_url=base, headers={"origin": base})


@pytest.fixture
async def puesto(datos: Path) -> AsyncIterator[Puesto]:
    """An installation where `ana` edits."""
    hora = Hora()
    acceso = Acceso(hora)

    async def pagina(_: Request) -> PlainTextResponse:
        return PlainTextResponse("dentro")

    rutas = [*Entrada(acceso).rutas, Route("/", pagina)]
    async with acceso.vida(datos):
        with closing(conectar(registro.preparar(datos))) as con:
            alta = AltaUsuario(usuario="ana", nombre="Persona A", rol=Rol.EDITOR)
            administrar.crear(con, alta, CLAVE, "pruebas", hora())
        yield Puesto(Starlette(routes=rutas, middleware=[Middleware(Puerta, acceso=acceso)]), hora, datos)


async def sello(cliente: httpx.AsyncClient, ruta: str = "/entrar") -> str:
    """What the form that the server gives carries."""
    hallado = re.search(r'name="sello" value="([0-9a-f]{64})"', (await cliente.get(ruta)).text)
    assert hallado is not None
    return hallado[1]


async def entrar(
    cliente: httpx.AsyncClient, usuario: str = "ana", clave: str = CLAVE, ir: str = "/"
) -> httpx.Response:
    """Fill the form in and send it."""
    campos = {"usuario": usuario, "clave": clave, "ir": ir, "sello": await sello(cliente)}
    return await cliente.post("/entrar", data=campos)


async def dentro(cliente: httpx.AsyncClient) -> bool:
    """Whether the page behind the door opens."""
    return (await cliente.get("/")).text == "dentro"


async def test_se_entra_con_la_clave_y_la_galleta_no_la_lee_nadie_mas(puesto: Puesto) -> None:
    async with puesto.navegador() as ana:
        assert not await dentro(ana)
        respuesta = await entrar(ana, ir="/?vista=cola")
        assert (respuesta.status_code, respuesta.headers["location"]) == (303, "/?vista=cola")
        galleta = respuesta.headers["set-cookie"]
        assert galleta.startswith(f"{NOMBRE}=") and "HttpOnly" in galleta and "SameSite=lax" in galleta
        assert "Secure" not in galleta
        assert await dentro(ana)
        assert (await ana.get("/entrar")).headers["location"] == "/"


async def test_por_https_la_galleta_es_solo_de_este_sitio(puesto: Puesto) -> None:
    async with puesto.navegador("https://127.0.0.1") as ana:
        galleta = (await entrar(ana)).headers["set-cookie"]
        assert galleta.startswith(f"{NOMBRE_SEGURO}=") and "Secure" in galleta and "Path=/" in galleta
        assert await dentro(ana)


async def test_lo_que_falla_se_dice_igual_sea_lo_que_sea(puesto: Puesto) -> None:
    textos = set()
    for usuario, clave in (("ana", "no-es-esta-clave"), ("nadie", CLAVE), ("", CLAVE), ("ana", "")):
        async with puesto.navegador() as alguien:
            respuesta = await entrar(alguien, usuario, clave)
            assert respuesta.status_code == 401 and not await dentro(alguien)
            hallado = re.search(r'role="alert">([^<]*)<', respuesta.text)
            textos.add(hallado[1] if hallado else "")
    assert len(textos) == 1 and "" not in textos


async def test_sin_el_sello_de_este_navegador_no_se_entra(puesto: Puesto) -> None:
    async with puesto.navegador() as ana, puesto.navegador() as ajeno:
        de_ajeno, campos = await sello(ajeno), {"usuario": "ana", "clave": CLAVE, "ir": "/"}
        await sello(ana)
        for falso in ("", "0" * 64, de_ajeno, "ñ"):
            assert (await ana.post("/entrar", data=campos | {"sello": falso})).status_code == 403
        sin_galleta = httpx.AsyncClient(
            transport=httpx.ASGITransport(app=puesto.app), base_url=LOCAL, headers={"origin": LOCAL}
        )
        async with sin_galleta:
            respuesta = await sin_galleta.post("/entrar", data=campos | {"sello": de_ajeno})
            assert respuesta.status_code == 403
        assert not await dentro(ana)


@pytest.mark.parametrize(
    ("tipo", "cuerpo"),
    [
        ("application/json", b"{}"),
        ("application/x-www-form-urlencoded", b"a=1&a=2"),
        ("application/x-www-form-urlencoded", b"usuario=%ff"),
        ("application/x-www-form-urlencoded", b"usuario=" + b"x" * 20_000),
        ("application/x-www-form-urlencoded", b"&".join(b"c%d=1" % n for n in range(50))),
        ("multipart/form-data; boundary=x", b"--x--"),
    ],
    ids=["json", "repetido", "no-utf8", "largo", "muchos", "multiparte"],
)
async def test_lo_que_no_es_el_formulario_se_rechaza_entero(puesto: Puesto, tipo: str, cuerpo: bytes) -> None:
    async with puesto.navegador() as alguien:
        await sello(alguien)
        respuesta = await alguien.post("/entrar", content=cuerpo, headers={"content-type": tipo})
        assert respuesta.status_code == 403


async def test_entrar_otra_vez_da_otra_sesion_y_cierra_la_anterior(puesto: Puesto) -> None:
    async with puesto.navegador() as ana, puesto.navegador() as copia:
        await entrar(ana)
        primera = ana.cookies[NOMBRE]
        copia.cookies.set(NOMBRE, primera, domain="127.0.0.1")
        assert await dentro(copia)
        campos = {"usuario": "ana", "clave": CLAVE, "ir": "/"}
        ana.cookies.delete(NOMBRE)
        marca = await sello(ana)
        ana.cookies.set(NOMBRE, primera, domain="127.0.0.1")
        respuesta = await ana.post("/entrar", data=campos | {"sello": marca})
        assert respuesta.status_code == 303 and primera not in respuesta.headers["set-cookie"]
        assert not await dentro(copia)


async def test_salir_cierra_la_sesion_y_no_solo_la_galleta(puesto: Puesto) -> None:
    async with puesto.navegador() as ana, puesto.navegador() as copia:
        await entrar(ana)
        copia.cookies.set(NOMBRE, ana.cookies[NOMBRE], domain="127.0.0.1")
        respuesta = await ana.post("/salir")
        assert respuesta.headers["location"] == "/entrar"
        assert not await dentro(ana) and not await dentro(copia)
        assert (await copia.post("/salir")).status_code == 303  # doing it again does no harm


async def test_a_los_intentos_se_les_hace_esperar_y_pasa(puesto: Puesto) -> None:
    async with puesto.navegador() as ana:
        estados = [(await entrar(ana, clave="no-es-esta-clave")).status_code for _ in range(8)]
        assert estados[0] == 401 and estados[-1] == 429
        frenada = await entrar(ana)
        assert frenada.status_code == 429 and int(frenada.headers["retry-after"]) > 0
        puesto.hora.ahora += timedelta(hours=1)
        assert (await entrar(ana)).status_code == 303


async def test_una_clave_dada_por_otro_se_cambia_antes_de_nada(puesto: Puesto) -> None:
    with closing(conectar(puesto.datos / registro.FICHERO)) as con:
        dada = administrar.restablecer(con, "ana", "pruebas", puesto.hora())
    async with puesto.navegador() as ana, puesto.navegador() as copia:
        respuesta = await entrar(ana, clave=dada)
        assert respuesta.headers["location"].startswith("/entrar/clave")
        assert not await dentro(ana)
        copia.cookies.set(NOMBRE, ana.cookies[NOMBRE], domain="127.0.0.1")
        campos = {"actual": dada, "nueva": OTRA, "repetida": OTRA, "ir": "/"}
        for mal in ({"repetida": CLAVE}, {"nueva": "corta", "repetida": "corta"}):
            rechazo = await ana.post(
                "/entrar/clave", data=campos | mal | {"sello": await sello(ana, "/entrar/clave")}
            )
            assert rechazo.status_code == 400
        assert (await ana.post("/entrar/clave", data=campos | {"sello": "0" * 64})).status_code == 403
        hecho = await ana.post("/entrar/clave", data=campos | {"sello": await sello(ana, "/entrar/clave")})
        assert hecho.status_code == 303 and await dentro(ana)
        assert (await copia.get("/entrar/clave")).headers["location"] == "/entrar"
    async with puesto.navegador() as ana:
        assert (await entrar(ana, clave=dada)).status_code == 401
        assert (await entrar(ana, clave=OTRA)).status_code == 303


@pytest.mark.parametrize(
    "pedido",
    [
        "//fuera.invalid",
        "/\\fuera.invalid",
        "https://fuera.invalid",
        "",
        "sin-barra",
        "/a\nb",
        "/entrar",
        "/salir",
        "/api/recorridos",
        "/a\\b",
        "/ñ",
        "/" + "x" * 2000,
        "/%0d%0aset-cookie:a=b ",
    ],
)
def test_despues_de_entrar_no_se_va_a_otro_sitio(pedido: str) -> None:
    assert destino(pedido) == "/"


@pytest.mark.parametrize("pedido", ["/", "/?vista=licitacion&id=https%3A%2F%2Fa%2Fb", "/?q=%C3%B1", "/x/y"])
def test_despues_de_entrar_se_va_adonde_se_iba(pedido: str) -> None:
    assert destino(pedido) == pedido
