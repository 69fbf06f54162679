"""The client: what gets lost is asked again as it was, and what is refused is told as the store would."""

from __future__ import annotations

from collections.abc import Callable

import httpx
import pytest

from nucleo.errores import ErrorRed, ErrorSobre
from nucleo.recorridos.api.mensajes import Peticion, Respuesta, en_json, negativa
from nucleo.recorridos.cliente import INTENTOS, Cliente, nueva_clave
from nucleo.recorridos.comandos import Comando, TipoComando
from nucleo.recorridos.errores import ErrorRecorrido, PlanInvalido, Problema
from nucleo.recorridos.estado import EstadoRecorrido
from nucleo.recorridos.lectura.modelo import FiltroRecorridos
from nucleo.recorridos.transporte import SinRespuesta, SinServidor, TransporteHttp

RECIBO = {"id": "rec_1", "revision": 2, "estado": "activo", "paso": None, "intento": None, "repetido": False}
BIEN = en_json(200, RECIBO)
OCUPADO = negativa(503, "OCUPADO", "Espera.")
PAUSA = Comando(comando_id="c-1", tipo=TipoComando.PAUSAR)


class Guion:
    """A transport that does what it is told, in order, and keeps what it was asked."""

    def __init__(self, *pasos: Respuesta | Exception) -> None:
        self.pasos = list(pasos)
        self.pedidas: list[Peticion] = []
        self.pausas: list[float] = []

    def pedir(self, peticion: Peticion, espera_s: float = 0.0) -> Respuesta:
        self.pedidas.append(peticion)
        paso = self.pasos.pop(0)
        if isinstance(paso, Exception):
            raise paso
        return paso

    @property
    def cliente(self) -> Cliente:
        return Cliente(self, self.pausas.append)


def test_lo_que_se_pierde_se_repite_tal_cual() -> None:
    guion = Guion(SinRespuesta("x"), OCUPADO, SinRespuesta("x"), BIEN)
    assert guion.cliente.mandar("rec_1", PAUSA).revision == 2
    assert guion.pedidas == [guion.pedidas[0]] * 4  # the very same bytes
    assert guion.pausas == [0.2, 1.0, 0.8]  # what the server says, when it does


def test_no_se_insiste_para_siempre() -> None:
    for paso, error in ((SinRespuesta("x"), SinRespuesta), (OCUPADO, ErrorRecorrido)):
        guion = Guion(*[paso] * INTENTOS)
        with pytest.raises(error):
            guion.cliente.mandar("rec_1", PAUSA)
        assert not guion.pasos and max(guion.pausas) <= 5


def test_sin_servidor_o_con_un_no_no_se_insiste() -> None:
    for paso in (SinServidor("x"), negativa(409, "PAUSADO", "Está en pausa.", revision=7)):
        guion = Guion(paso)
        with pytest.raises(ErrorSobre) as dicho:
            guion.cliente.mandar("rec_1", PAUSA)
        assert not guion.pausas
    assert isinstance(dicho.value, ErrorRecorrido)
    assert (dicho.value.codigo, dicho.value.revision, str(dicho.value)) == ("PAUSADO", 7, "Está en pausa.")


def test_un_plan_con_problemas_los_trae_todos() -> None:
    problemas = (Problema(paso="uno", mensaje="mal"), Problema(paso=None, mensaje="peor"))
    guion = Guion(negativa(400, "PLAN_INVALIDO", "El plan no vale.", problemas=problemas))
    with pytest.raises(PlanInvalido) as dicho:
        guion.cliente.mandar("rec_1", PAUSA)
    assert dicho.value.problemas == problemas


@pytest.mark.parametrize(
    "respuesta", [Respuesta(500, b"<html>"), Respuesta(200, b"{}"), negativa(500, "FALLO", "Fallo interno.")]
)
def test_lo_que_no_se_entiende_se_dice(respuesta: Respuesta) -> None:
    with pytest.raises(ErrorSobre):
        Guion(respuesta).cliente.mandar("rec_1", PAUSA)


def test_lo_que_se_filtra_va_en_la_direccion() -> None:
    guion = Guion(en_json(200, {"recorridos": [], "siguiente": None}))
    estados = (EstadoRecorrido.ACTIVO, EstadoRecorrido.PAUSADO)
    guion.cliente.listar(FiltroRecorridos(estados=estados, archivados=True, limite=5))
    assert guion.pedidas[0].consulta == {"estados": "activo,pausado", "archivados": "true", "limite": "5"}


def por_http(responder: Callable[[httpx.Request], httpx.Response]) -> TransporteHttp:
    return TransporteHttp(
        httpx.Client(base_url="http://127.0.0.1:1", transport=httpx.MockTransport(responder))
    )


def test_el_transporte_distingue_no_llegar_de_no_saber() -> None:
    def falla(error: type[httpx.TransportError]) -> Callable[[httpx.Request], httpx.Response]:
        def responder(peticion: httpx.Request) -> httpx.Response:
            raise error("x", request=peticion)

        return responder

    peticion = Peticion("GET", "/api/recorridos")
    for error in (httpx.ConnectError, httpx.ConnectTimeout):
        with pytest.raises(SinServidor, match="make up"):
            por_http(falla(error)).pedir(peticion)
    for error in (httpx.ReadError, httpx.ReadTimeout, httpx.RemoteProtocolError, httpx.WriteError):
        with pytest.raises(SinRespuesta):
            por_http(falla(error)).pedir(peticion)
    assert issubclass(SinRespuesta, ErrorRed)


def test_cada_clave_es_otra() -> None:
    assert len({nueva_clave() for _ in range(100)}) == 100
