"""The only client of the API: command line, MCP tools and pages use it, over HTTP or inside this process.

A command carries its identifier from the start and is repeated as it is while its answer does not come, so that
nothing is done twice.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Literal, TypeVar
from uuid import uuid4

from pydantic import ValidationError

from nucleo.errores import ErrorRed, ErrorSobre
from nucleo.modelo import Modelo
from nucleo.recorridos.api import documentos as doc
from nucleo.recorridos.api.mensajes import CUERPO_MAX, JSON, Peticion, Respuesta
from nucleo.recorridos.artefactos.modelo import NuevoArtefacto, ReciboArtefacto
from nucleo.recorridos.comandos import Comando
from nucleo.recorridos.continuaciones.modelo import ReciboContinuacion
from nucleo.recorridos.continuaciones.servicio import PeticionContinuacion, PeticionSobreContinuacion
from nucleo.recorridos.enlaces.modelo import ReciboEnlace
from nucleo.recorridos.enlaces.servicio import PeticionEnlace
from nucleo.recorridos.entregas.modelo import Entrega
from nucleo.recorridos.errores import ESTADOS_HTTP, ErrorRecorrido, PlanInvalido, Problema
from nucleo.recorridos.lectura.modelo import FiltroBandeja, FiltroRecorridos, Proyeccion
from nucleo.recorridos.motor import Posibles
from nucleo.recorridos.peticiones import PeticionCrear, Recibo
from nucleo.recorridos.plan import Plan
from nucleo.recorridos.transporte import SinRespuesta, Transporte

M = TypeVar("M", bound=Modelo)
INTENTOS = 5
PAUSA_S = 0.2
"""Before the first repetition; each one waits twice as long, or what the server says."""
PAUSA_MAX_S = 5.0
RAIZ = "/api/recorridos"


def nueva_clave() -> str:
    """A command's identifier that nobody else makes."""
    return uuid4().hex


class Negativa(Modelo):
    """How the API says no."""

    codigo: str
    mensaje: str
    revision_actual: int | None = None
    problemas: tuple[Problema, ...] = ()


class Cliente:
    """Every method raises ErrorRecorrido (what the API refuses) or ErrorRed (it cannot be reached)."""

    def __init__(
        self, transporte: Transporte, dormir: Callable[[float], None] = time.sleep, intentos: int = INTENTOS
    ) -> None:
        """`dormir`: how it waits between repetitions; `intentos`: how many times the same is asked, at most."""
        self._transporte = transporte
        self._dormir = dormir
        self._intentos = intentos

    def crear(self, peticion: PeticionCrear) -> Recibo:
        """A new run."""
        return self._mandar(Recibo, RAIZ, peticion)

    def mandar(self, rid: str, comando: Comando) -> Recibo:
        """A command on a run."""
        return self._mandar(Recibo, f"{RAIZ}/{rid}/comandos", comando)

    def listar(self, filtro: FiltroRecorridos = FiltroRecorridos()) -> doc.Recorridos:  # noqa: B008 - frozen
        """Runs, newest first."""
        return self._leer(doc.Recorridos, RAIZ, _consulta(filtro))

    def leer(self, rid: str) -> Proyeccion:
        """A run whole."""
        return self._leer(Proyeccion, f"{RAIZ}/{rid}")

    def eventos(self, rid: str, desde: int = 0) -> doc.Eventos:
        """What happened in it after that event, a page."""
        return self._leer(doc.Eventos, f"{RAIZ}/{rid}/eventos", {"desde": str(desde)})

    def intentos(self, rid: str, paso: str, desde: int = 0) -> doc.Intentos:
        """The attempts of a step after that number, a page."""
        return self._leer(doc.Intentos, f"{RAIZ}/{rid}/intentos", {"paso": paso, "desde": str(desde)})

    def planes(self, rid: str) -> doc.Planes:
        """The versions of its plan."""
        return self._leer(doc.Planes, f"{RAIZ}/{rid}/planes")

    def plan(self, rid: str, version: int) -> Plan:
        """One of them."""
        return self._leer(Plan, f"{RAIZ}/{rid}/planes/{version}")

    def bandeja(self, filtro: FiltroBandeja = FiltroBandeja()) -> doc.Pendientes:  # noqa: B008 - frozen
        """What waits for a person."""
        return self._leer(doc.Pendientes, "/api/bandeja", _consulta(filtro))

    def esperar(self, rid: str, tras_revision: int, segundos: int = doc.ESPERA_MAX_S) -> doc.Espera:
        """Whether it changed; over HTTP, after waiting for it so long at most."""
        consulta = {"tras_revision": str(tras_revision), "segundos": str(segundos)}
        return self._leer(doc.Espera, f"{RAIZ}/{rid}/esperar", consulta, espera_s=segundos)

    def exportar(self, rid: str, formato: Literal["html", "json"]) -> bytes:
        """The run's file of evidence."""
        return self._pedir(Peticion("GET", f"{RAIZ}/{rid}/exportar", {"formato": formato})).cuerpo

    def rechazos(self, rid: str) -> doc.Rechazos:
        """What was refused in it."""
        return self._leer(doc.Rechazos, f"{RAIZ}/{rid}/rechazos")

    def posibles(self, rid: str) -> Posibles:
        """What who asks may do in it now."""
        return self._leer(Posibles, f"{RAIZ}/{rid}/posibles")

    def entregas(self, rid: str) -> doc.Entregas:
        """The notices to its coordinator."""
        return self._leer(doc.Entregas, f"{RAIZ}/{rid}/entregas")

    def inciertas(self) -> doc.Entregas:
        """Notices of any run that nobody knows whether they arrived."""
        return self._leer(doc.Entregas, "/api/entregas")

    def reconciliar(self, entrega: str, peticion: doc.PeticionReconciliar) -> Entrega:
        """Say whether an uncertain one arrived."""
        return self._mandar(Entrega, f"/api/entregas/{entrega}/reconciliar", peticion)

    def enlaces(self, rid: str) -> doc.Enlaces:
        """Its parent and its children."""
        return self._leer(doc.Enlaces, f"{RAIZ}/{rid}/enlaces")

    def enlazar(self, peticion: PeticionEnlace) -> ReciboEnlace:
        """Say that a run comes from another."""
        return self._mandar(ReciboEnlace, "/api/enlaces", peticion)

    def continuaciones(self, rid: str) -> doc.Continuaciones:
        """Texts for its coordinator."""
        return self._leer(doc.Continuaciones, f"{RAIZ}/{rid}/continuaciones")

    def continuar(self, rid: str, peticion: PeticionContinuacion) -> ReciboContinuacion:
        """Draft a text for its coordinator."""
        return self._mandar(ReciboContinuacion, f"{RAIZ}/{rid}/continuaciones", peticion)

    def enviar(self, rid: str, peticion: PeticionSobreContinuacion) -> ReciboContinuacion:
        """Send the draft."""
        return self._mandar(ReciboContinuacion, f"{RAIZ}/{rid}/continuaciones/enviar", peticion)

    def descartar(self, rid: str, peticion: PeticionSobreContinuacion) -> ReciboContinuacion:
        """Throw the draft away."""
        return self._mandar(ReciboContinuacion, f"{RAIZ}/{rid}/continuaciones/descartar", peticion)

    def artefactos(self, rid: str) -> doc.Artefactos:
        """The files of its steps."""
        return self._leer(doc.Artefactos, f"{RAIZ}/{rid}/artefactos")

    def registrar_artefacto(self, rid: str, nuevo: NuevoArtefacto, contenido: bytes) -> ReciboArtefacto:
        """Keep a file that a step leaves."""
        consulta = {"recorrido": rid} | _consulta(nuevo)
        tipo = consulta.pop("tipo_medio")
        peticion = Peticion("POST", "/api/artefactos", consulta, contenido, tipo)
        return self._como(ReciboArtefacto, self._pedir(peticion))

    def abrir_artefacto(self, artefacto: str) -> bytes:
        """The file's content."""
        return self._pedir(Peticion("GET", f"/api/artefactos/{artefacto}")).cuerpo

    def _leer(self, modelo: type[M], ruta: str, consulta: Mapping[str, str] = {}, espera_s: float = 0) -> M:
        return self._como(modelo, self._pedir(Peticion("GET", ruta, consulta), espera_s))

    def _mandar(self, modelo: type[M], ruta: str, cuerpo: Modelo) -> M:
        octetos = cuerpo.model_dump_json().encode()
        if len(octetos) > CUERPO_MAX:  # a long plan fits without what it leaves unsaid
            octetos = cuerpo.model_dump_json(exclude_unset=True).encode()
        return self._como(modelo, self._pedir(Peticion("POST", ruta, {}, octetos, JSON)))

    def _como(self, modelo: type[M], respuesta: Respuesta) -> M:
        try:
            return modelo.model_validate_json(respuesta.cuerpo)
        except ValidationError as error:
            raise ErrorRed(
                "El servidor contesta algo que este programa no entiende: ¿son de la misma versión?",
                reintentable=False,
            ) from error

    def _pedir(self, peticion: Peticion, espera_s: float = 0.0) -> Respuesta:
        """The answer when it is a good one; what gets lost or finds it busy is asked again, the very same bytes."""
        for intento in range(self._intentos):
            ultimo = intento == self._intentos - 1
            try:
                respuesta = self._transporte.pedir(peticion, espera_s)
            except SinRespuesta:
                if ultimo:
                    raise
                self._dormir(_pausa(intento, None))
                continue
            if respuesta.estado < 400:
                return respuesta
            if respuesta.estado != 503 or ultimo:
                raise _error(respuesta)
            self._dormir(_pausa(intento, respuesta.cabeceras.get("retry-after")))
        raise AssertionError("el último intento contesta o falla")


def _consulta(modelo: Modelo) -> dict[str, str]:
    """What is not by default, as an address says it; several values go with commas."""
    valores = modelo.model_dump(mode="json", exclude_defaults=True)
    return {clave: _en_consulta(valor) for clave, valor in valores.items()}


def _en_consulta(valor: object) -> str:
    match valor:
        case list():
            return ",".join(map(str, valor))
        case bool():
            return str(valor).lower()
    return str(valor)


def _pausa(intento: int, dicho: str | None) -> float:
    segundos = float(dicho) if dicho and dicho.isdecimal() else PAUSA_S * 2**intento
    return min(segundos, PAUSA_MAX_S)


def _error(respuesta: Respuesta) -> ErrorSobre:
    """The refusal as the store itself would raise it."""
    try:
        dicho = Negativa.model_validate_json(respuesta.cuerpo)
    except ValidationError:
        return ErrorRed(
            f"El servidor ha contestado {respuesta.estado} sin decir por qué.", reintentable=False
        )
    if dicho.codigo == "PLAN_INVALIDO":
        return PlanInvalido(dicho.problemas)
    if dicho.codigo in ESTADOS_HTTP:
        return ErrorRecorrido(dicho.codigo, dicho.mensaje, revision=dicho.revision_actual)
    return ErrorSobre(dicho.mensaje, codigo=dicho.codigo)
