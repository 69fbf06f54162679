"""The client against a real local server with every fault."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from nucleo.errores import DestinoProhibido, ErrorRed
from nucleo.red.cliente import AGENTE, PAGINA, ClienteSeguro, Condicion, Entorno
from nucleo.red.destinos import crear_politica
from tests.reproductor import faltas
from tests.reproductor.certificado import emitir
from tests.reproductor.servidor import Reproductor

RUTA = "/canal/cabecera.atom"
CUERPO = b"<feed>" + b"0123456789" * 20_000 + b"</feed>"


@pytest.fixture
def servidor() -> Iterator[Reproductor]:
    with Reproductor() as reproductor:
        reproductor.poner(RUTA, CUERPO)
        yield reproductor


class Siesta:
    """Records the waits instead of sleeping them."""

    def __init__(self) -> None:
        self.esperas: list[float] = []

    async def __call__(self, segundos: float) -> None:
        self.esperas.append(segundos)
        await asyncio.sleep(0)


@pytest.fixture
def siesta() -> Siesta:
    return Siesta()


@pytest.fixture
async def cliente(servidor: Reproductor, siesta: Siesta) -> AsyncIterator[ClienteSeguro]:
    politica = crear_politica([], local=servidor.url("/"))
    async with ClienteSeguro(politica, pausa_s=0, entorno=Entorno(dormir=siesta)) as abierto:
        yield abierto


async def _rechazo(cliente: ClienteSeguro, url: str) -> ErrorRed:
    with pytest.raises(ErrorRed) as rechazo:
        await cliente.obtener(url)
    assert not any(secreto in rechazo.value.mensaje for secreto in ("clave", "Traceback"))
    return rechazo.value


async def test_trae_la_pagina_y_dice_quien_es(cliente: ClienteSeguro, servidor: Reproductor) -> None:
    respuesta = await cliente.obtener(servidor.url(RUTA))
    assert (respuesta.estado, respuesta.cuerpo, respuesta.url) == (200, CUERPO, servidor.url(RUTA))
    assert servidor.peticiones[0].cabeceras["user-agent"] == AGENTE.decode("ascii")


async def test_la_segunda_vez_pregunta_si_ha_cambiado(cliente: ClienteSeguro, servidor: Reproductor) -> None:
    primera = await cliente.obtener(servidor.url(RUTA))
    segunda = await cliente.obtener(servidor.url(RUTA), Condicion(primera.etag, primera.last_modified))
    assert (segunda.estado, segunda.cuerpo) == (304, b"")
    servidor.poner(RUTA, b"<feed/>")
    assert (await cliente.obtener(servidor.url(RUTA), Condicion(primera.etag))).cuerpo == b"<feed/>"


async def test_un_304_que_nadie_pidio_es_un_error(cliente: ClienteSeguro, servidor: Reproductor) -> None:
    servidor.fallar(RUTA, faltas.estado(304))
    assert (await _rechazo(cliente, servidor.url(RUTA))).codigo == "http_304"


@pytest.mark.parametrize("codigo", [404, 410])
async def test_lo_que_no_esta_se_dice_sin_repetir(
    cliente: ClienteSeguro, servidor: Reproductor, codigo: int
) -> None:
    servidor.fallar(RUTA, faltas.estado(codigo))
    assert (await cliente.obtener(servidor.url(RUTA))).estado == codigo
    assert servidor.veces(RUTA) == 1


async def test_los_500_se_repiten_con_pausas_crecientes(
    cliente: ClienteSeguro, servidor: Reproductor, siesta: Siesta
) -> None:
    servidor.fallar(RUTA, faltas.estado(500), faltas.estado(503), faltas.colgar)
    assert (await cliente.obtener(servidor.url(RUTA))).cuerpo == CUERPO
    assert siesta.esperas == [2.0, 5.0, 10.0]


async def test_cuatro_fallos_seguidos_y_se_deja(cliente: ClienteSeguro, servidor: Reproductor) -> None:
    servidor.fallar_siempre(RUTA, faltas.estado(500))
    error = await _rechazo(cliente, servidor.url(RUTA))
    assert (error.codigo, error.reintentable, servidor.veces(RUTA)) == ("http_500", True, 4)


async def test_se_espera_lo_que_el_servidor_pide(
    cliente: ClienteSeguro, servidor: Reproductor, siesta: Siesta
) -> None:
    servidor.fallar(RUTA, faltas.estado(429, retry_after="17"), faltas.estado(429, retry_after="9999"))
    assert (await cliente.obtener(servidor.url(RUTA))).estado == 200
    assert siesta.esperas == [17.0, 60.0]


async def test_un_403_no_se_repite(cliente: ClienteSeguro, servidor: Reproductor, siesta: Siesta) -> None:
    servidor.fallar(RUTA, faltas.estado(403))
    assert (await _rechazo(cliente, servidor.url(f"{RUTA}"))).codigo == "http_403"
    assert siesta.esperas == []


@pytest.mark.parametrize(
    "falta", [faltas.cortada_por_longitud, faltas.cortada_por_trozos, faltas.gzip_cortado, faltas.colgar]
)
async def test_una_respuesta_cortada_se_repite_y_no_deja_restos(
    cliente: ClienteSeguro, servidor: Reproductor, falta: faltas.Falta
) -> None:
    servidor.fallar(RUTA, falta)
    assert (await cliente.obtener(servidor.url(RUTA))).cuerpo == CUERPO
    assert servidor.veces(RUTA) == 2


async def test_una_respuesta_siempre_cortada_es_un_error(
    cliente: ClienteSeguro, servidor: Reproductor
) -> None:
    servidor.fallar_siempre(RUTA, faltas.cortada_por_longitud)
    assert (await _rechazo(cliente, servidor.url(RUTA))).codigo == "truncada"


async def test_comprimida_se_lee_igual(cliente: ClienteSeguro, servidor: Reproductor) -> None:
    servidor.comprime = True
    assert (await cliente.obtener(servidor.url(RUTA))).cuerpo == CUERPO


async def test_una_bomba_comprimida_se_para_en_el_tope(cliente: ClienteSeguro, servidor: Reproductor) -> None:
    servidor.fallar(RUTA, faltas.bomba(mib=32))
    with pytest.raises(ErrorRed) as rechazo:
        await cliente.obtener(servidor.url(RUTA), limites=PAGINA._replace(bytes_maximos=2**20))
    assert (rechazo.value.codigo, servidor.veces(RUTA)) == ("demasiado_grande", 1)


async def test_una_pagina_mayor_que_el_tope_no_se_guarda(
    cliente: ClienteSeguro, servidor: Reproductor
) -> None:
    with pytest.raises(ErrorRed) as rechazo:
        await cliente.obtener(servidor.url(RUTA), limites=PAGINA._replace(bytes_maximos=len(CUERPO) - 1))
    assert rechazo.value.codigo == "demasiado_grande"
    justa = await cliente.obtener(servidor.url(RUTA), limites=PAGINA._replace(bytes_maximos=len(CUERPO)))
    assert justa.cuerpo == CUERPO


async def test_una_codificacion_que_no_se_pidio_se_rechaza(
    cliente: ClienteSeguro, servidor: Reproductor
) -> None:
    servidor.fallar(RUTA, faltas.estado(200, content_encoding="br"))
    assert (await _rechazo(cliente, servidor.url(RUTA))).codigo == "codificacion"


async def test_los_bytes_lentos_tienen_un_plazo_total(cliente: ClienteSeguro, servidor: Reproductor) -> None:
    servidor.fallar_siempre(RUTA, faltas.gotear(trozo=10, cada_s=0.02))
    with pytest.raises(ErrorRed) as rechazo:
        await cliente.obtener(servidor.url(RUTA), limites=PAGINA._replace(total_s=0.2))
    assert (rechazo.value.codigo, rechazo.value.reintentable) == ("lenta", True)
    assert len(servidor.peticiones) == 1


async def test_el_silencio_tiene_su_propio_plazo(cliente: ClienteSeguro, servidor: Reproductor) -> None:
    servidor.fallar_siempre(RUTA, faltas.gotear(trozo=10, cada_s=5))
    with pytest.raises(ErrorRed) as rechazo:
        await cliente.obtener(servidor.url(RUTA), limites=PAGINA._replace(lectura_s=0.1))
    assert rechazo.value.codigo == "lenta"


async def test_se_sigue_una_redireccion_en_el_mismo_sitio(
    cliente: ClienteSeguro, servidor: Reproductor
) -> None:
    servidor.fallar("/vieja.atom", faltas.redirigir(RUTA, 301))
    respuesta = await cliente.obtener(servidor.url("/vieja.atom"))
    assert (respuesta.cuerpo, respuesta.url) == (CUERPO, servidor.url(RUTA))


async def test_cinco_saltos_si_seis_no(cliente: ClienteSeguro, servidor: Reproductor) -> None:
    for i in range(6):
        siguiente = f"/salto{i + 1}" if i < 5 else RUTA
        servidor.fallar_siempre(f"/salto{i}", faltas.redirigir(siguiente))
    assert (await cliente.obtener(servidor.url("/salto1"))).cuerpo == CUERPO
    assert (await _rechazo(cliente, servidor.url("/salto0"))).codigo == "redirecciones"


async def test_una_redireccion_sin_destino_es_un_error(cliente: ClienteSeguro, servidor: Reproductor) -> None:
    servidor.fallar(RUTA, faltas.estado(302))
    assert (await _rechazo(cliente, servidor.url(RUTA))).codigo == "redirecciones"


async def test_una_redireccion_a_otro_puerto_se_rechaza_sin_pedirla(
    cliente: ClienteSeguro, servidor: Reproductor
) -> None:
    with Reproductor() as otro:
        otro.poner(RUTA, b"<feed/>")
        servidor.fallar(RUTA, faltas.redirigir(otro.url(RUTA)))
        error = await _rechazo(cliente, servidor.url(RUTA))
        assert isinstance(error, DestinoProhibido)
        assert otro.peticiones == []


@pytest.mark.parametrize(
    "adonde",
    ["https://malo.example/a?clave=1", "file:///etc/passwd", "http://169.254.169.254/", "gopher://x/"],
)
async def test_una_redireccion_a_otro_sitio_se_rechaza(
    cliente: ClienteSeguro, servidor: Reproductor, adonde: str
) -> None:
    servidor.fallar(RUTA, faltas.redirigir(adonde))
    error = await _rechazo(cliente, servidor.url(RUTA))
    assert isinstance(error, DestinoProhibido)
    assert servidor.veces(RUTA) == 1


async def test_nadie_escucha(cliente: ClienteSeguro, servidor: Reproductor, siesta: Siesta) -> None:
    servidor.__exit__(None, None, None)
    assert (await _rechazo(cliente, servidor.url(RUTA + "?clave=1"))).codigo == "sin_conexion"
    assert siesta.esperas == [2.0, 5.0, 10.0]


async def test_un_nombre_permitido_que_lleva_dentro_no_se_conecta(siesta: Siesta) -> None:
    for direcciones in (["127.0.0.1"], ["8.8.8.8", "10.0.0.1"], ["::ffff:127.0.0.1"], ["169.254.169.254"]):

        async def resolver(host: str, puerto: int, dadas: list[str] = direcciones) -> list[str]:
            return dadas

        politica = crear_politica(["fuente.example.es"])
        async with ClienteSeguro(politica, entorno=Entorno(resolver=resolver, dormir=siesta)) as cliente:
            with pytest.raises(DestinoProhibido):
                await cliente.obtener("https://fuente.example.es/a.atom")
    assert siesta.esperas == []


async def test_un_nombre_local_que_lleva_fuera_no_se_conecta(servidor: Reproductor) -> None:
    async def resolver(host: str, puerto: int) -> list[str]:
        return ["8.8.8.8"]

    politica = crear_politica([], local=f"http://localhost:{servidor.puerto}/")
    async with ClienteSeguro(politica, entorno=Entorno(resolver=resolver)) as cliente:
        with pytest.raises(DestinoProhibido):
            await cliente.obtener(f"http://localhost:{servidor.puerto}{RUTA}")


async def test_localhost_se_prueba_en_todas_sus_direcciones(servidor: Reproductor) -> None:
    async def resolver(host: str, puerto: int) -> list[str]:
        return ["::1", "127.0.0.1"]

    politica = crear_politica([], local=f"http://localhost:{servidor.puerto}/")
    async with ClienteSeguro(politica, entorno=Entorno(resolver=resolver)) as cliente:
        assert (await cliente.obtener(f"http://localhost:{servidor.puerto}{RUTA}")).cuerpo == CUERPO


async def test_las_variables_de_proxy_no_se_usan(
    cliente: ClienteSeguro, servidor: Reproductor, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in ("HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(variable, "http://127.0.0.1:1")
    monkeypatch.setenv("NO_PROXY", "")
    assert (await cliente.obtener(servidor.url(RUTA))).estado == 200


async def test_una_peticion_cada_vez_y_con_pausa(servidor: Reproductor, siesta: Siesta) -> None:
    a_la_vez: list[str] = []
    servidor.al_pedir = a_la_vez.append
    politica = crear_politica([], local=servidor.url("/"))
    async with ClienteSeguro(politica, pausa_s=30, entorno=Entorno(dormir=siesta)) as cliente:
        await asyncio.gather(*(cliente.obtener(servidor.url(f"{RUTA}?{i}")) for i in range(3)))
    assert len(a_la_vez) == 3
    assert len(siesta.esperas) == 2
    assert all(29 < pausa <= 30 for pausa in siesta.esperas)


async def test_un_fichero_aparece_entero_o_no_aparece(
    cliente: ClienteSeguro, servidor: Reproductor, tmp_path: Path
) -> None:
    fichero = tmp_path / "mes.zip"
    servidor.fallar(RUTA, faltas.cortada_por_trozos)
    assert (await cliente.descargar(servidor.url(RUTA), fichero)).estado == 200
    assert fichero.read_bytes() == CUERPO
    servidor.fallar_siempre(RUTA, faltas.cortada_por_trozos)
    with pytest.raises(ErrorRed):
        await cliente.descargar(servidor.url(RUTA), tmp_path / "otro.zip")
    assert (await cliente.descargar(servidor.url("/no-hay.zip"), tmp_path / "no.zip")).estado == 404
    assert [f.name for f in tmp_path.iterdir()] == ["mes.zip"]


@pytest.fixture(scope="module")
def certificado(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A self-signed certificate for the name localhost, with its key."""
    return emitir(tmp_path_factory.mktemp("tls"))


@pytest.fixture
def con_tls(servidor: Reproductor, certificado: Path) -> Reproductor:
    servidor.con_tls(certificado)
    return servidor


async def _por_tls(servidor: Reproductor, host: str, tls: ssl.SSLContext | None, siesta: Siesta) -> bytes:
    async def resolver(nombre: str, puerto: int) -> list[str]:
        return ["127.0.0.1"]

    url = f"https://{host}:{servidor.puerto}{RUTA}"
    entorno = Entorno(resolver=resolver, dormir=siesta, tls=tls)
    async with ClienteSeguro(crear_politica([], local=url), pausa_s=0, entorno=entorno) as cliente:
        return (await cliente.obtener(url)).cuerpo


async def test_por_tls_se_comprueba_el_nombre_pedido_y_no_la_direccion(
    con_tls: Reproductor, certificado: Path, siesta: Siesta
) -> None:
    confiado = ssl.create_default_context(cafile=certificado)
    assert await _por_tls(con_tls, "localhost", confiado, siesta) == CUERPO
    with pytest.raises(ErrorRed) as rechazo:
        await _por_tls(con_tls, "127.0.0.1", confiado, siesta)
    assert rechazo.value.codigo == "certificado"


async def test_por_tls_un_certificado_de_nadie_no_se_acepta(con_tls: Reproductor, siesta: Siesta) -> None:
    with pytest.raises(ErrorRed) as rechazo:
        await _por_tls(con_tls, "localhost", None, siesta)
    assert (rechazo.value.codigo, siesta.esperas) == ("certificado", [])
