"""/entrar, /entrar/clave and /salir: plain forms, answered by the server, that open, renew and close sessions."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Mapping
from urllib.parse import parse_qsl, quote

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from app.api.responder import Desconectado, Lento, leer_cuerpo
from app.entrar import galletas, hojas
from app.entrar.acceso import Acceso
from app.entrar.hojas import Hoja
from nucleo.errores import ErrorEntrada
from nucleo.personas import servicio
from nucleo.personas.errores import ErrorAcceso
from nucleo.personas.modelo import CambioClave, Procedencia, SesionViva

FORMULARIO_MAX = 8 * 1024
CAMPOS_MAX = 10
AGENTE_MAX = 200
_DESTINO = re.compile(r"/(?![/\\])[!-\[\]-~]{0,1000}")
"""A path of ours: not another host («//») and without a backslash, which browsers take for a slash."""


class Entrada:
    """The routes, over one `Acceso`."""

    def __init__(self, acceso: Acceso) -> None:
        self._acceso = acceso

    @property
    def rutas(self) -> list[Route]:
        """To be placed before Streamlit's, which takes every path."""
        return [
            Route("/entrar", self.formulario, methods=["GET"]),
            Route("/entrar", self.entrar, methods=["POST"]),
            Route("/entrar/clave", self.formulario_de_clave, methods=["GET"]),
            Route("/entrar/clave", self.cambiar_clave, methods=["POST"]),
            Route("/salir", self.salir, methods=["POST"]),
        ]

    async def formulario(self, peticion: Request) -> Response:
        """The login form; who has a session already goes straight on."""
        ir = destino(peticion.query_params.get("ir", "/"))
        sesion = await self._acceso.sesion(galletas.leer(peticion))
        if sesion is not None:
            return RedirectResponse(_siguiente(sesion, ir), 303)
        return self._hoja(peticion, hojas.entrar, Hoja("", ir))

    async def entrar(self, peticion: Request) -> Response:
        """Open a session, a new one always: whatever the browser had before is closed."""
        campos = await _campos(peticion)
        if campos is None or not self._sellado(peticion, campos):
            return self._caducado(peticion, hojas.entrar)
        usuario, clave = campos.get("usuario", ""), campos.get("clave", "")
        hoja = Hoja("", destino(campos.get("ir", "/")), usuario=usuario[:64])
        de, ahora = procedencia(peticion), self._acceso.reloj()
        anterior = await self._acceso.sesion(galletas.leer(peticion))
        try:
            async with self._acceso.turno:
                entrada = await self._acceso.escribir(
                    lambda con: servicio.entrar(con, usuario, clave, de, ahora)
                )
        except ErrorAcceso as error:
            return self._rechazar(peticion, hojas.entrar, hoja._replace(aviso=error.mensaje), error.espera_s)
        if anterior is not None:
            await self._cerrar(anterior)
        respuesta = RedirectResponse(_siguiente(entrada.sesion, hoja.ir), 303)
        galletas.poner(respuesta, peticion, entrada.token)
        return respuesta

    async def formulario_de_clave(self, peticion: Request) -> Response:
        """The form to change one's own password."""
        if await self._acceso.sesion(galletas.leer(peticion)) is None:
            return RedirectResponse("/entrar", 303)
        ir = destino(peticion.query_params.get("ir", "/"))
        return self._hoja(peticion, hojas.cambiar_clave, Hoja("", ir))

    async def cambiar_clave(self, peticion: Request) -> Response:
        """Change it: every other session of that person ends, and this one goes on under another id."""
        sesion = await self._acceso.sesion(galletas.leer(peticion))
        campos = await _campos(peticion)
        if sesion is None:
            return RedirectResponse("/entrar", 303)
        if campos is None or not self._sellado(peticion, campos):
            return self._caducado(peticion, hojas.cambiar_clave)
        hoja = Hoja("", destino(campos.get("ir", "/")))
        cambio = CambioClave(campos.get("actual", ""), campos.get("nueva", ""))
        if cambio.nueva != campos.get("repetida", ""):
            return self._hoja(
                peticion,
                hojas.cambiar_clave,
                hoja._replace(aviso="Las dos contraseñas nuevas no coinciden."),
                400,
            )
        usuario, de, ahora = sesion.usuario.usuario, procedencia(peticion), self._acceso.reloj()
        try:
            async with self._acceso.turno:
                entrada = await self._acceso.escribir(
                    lambda con: servicio.cambiar_clave(con, usuario, cambio, de, ahora)
                )
        except ErrorAcceso as error:
            aviso = hoja._replace(aviso=error.mensaje)
            return self._rechazar(peticion, hojas.cambiar_clave, aviso, error.espera_s)
        except ErrorEntrada as error:
            return self._hoja(peticion, hojas.cambiar_clave, hoja._replace(aviso=error.mensaje), 400)
        self._acceso.vivos.cerrar(sesion.huella)
        respuesta = RedirectResponse(hoja.ir, 303)
        galletas.poner(respuesta, peticion, entrada.token)
        return respuesta

    async def salir(self, peticion: Request) -> Response:
        """Close the session, clear what its pages show, and forget it."""
        sesion = await self._acceso.sesion(galletas.leer(peticion))
        if sesion is not None:
            await self._cerrar(sesion)
        respuesta = RedirectResponse("/entrar", 303)
        galletas.quitar(respuesta, peticion)
        respuesta.headers["clear-site-data"] = '"cache"'
        return respuesta

    async def _cerrar(self, sesion: SesionViva) -> None:
        huella, ahora = sesion.huella, self._acceso.reloj()
        await self._acceso.escribir(lambda con: servicio.salir(con, huella, ahora))
        self._acceso.vivos.cerrar(huella)

    def _sellado(self, peticion: Request, campos: Mapping[str, str]) -> bool:
        return self._acceso.sellado(galletas.leer_previa(peticion), campos.get("sello", ""))

    def _caducado(self, peticion: Request, pintar: Callable[[Hoja], str]) -> Response:
        aviso = "El formulario había caducado: escríbelo otra vez."
        return self._hoja(peticion, pintar, Hoja("", aviso=aviso), 403)

    def _rechazar(
        self, peticion: Request, pintar: Callable[[Hoja], str], hoja: Hoja, espera_s: int | None
    ) -> Response:
        respuesta = self._hoja(peticion, pintar, hoja, 401 if espera_s is None else 429)
        if espera_s is not None:
            respuesta.headers["retry-after"] = str(espera_s)
        return respuesta

    def _hoja(
        self, peticion: Request, pintar: Callable[[Hoja], str], hoja: Hoja, estado: int = 200
    ) -> Response:
        previa = secrets.token_urlsafe(24)
        cuerpo = pintar(hoja._replace(sello=self._acceso.sello(previa)))
        respuesta = HTMLResponse(cuerpo, estado, headers={"cache-control": "no-store"})
        galletas.poner_previa(respuesta, peticion, previa)
        return respuesta


def destino(pedido: str) -> str:
    """Where to go after logging in: a path of this very server, or the start."""
    if not _DESTINO.fullmatch(pedido) or pedido.startswith(("/entrar", "/salir", "/api/", "/mcp")):
        return "/"
    return pedido


def _siguiente(sesion: SesionViva, ir: str) -> str:
    """A password that somebody else gave is changed before anything else."""
    return f"/entrar/clave?ir={quote(ir)}" if sesion.usuario.cambiar_clave else ir


def procedencia(peticion: Request) -> Procedencia:
    """From where a request comes, as the server (or the proxy it trusts) says."""
    ip = peticion.client.host if peticion.client else ""
    return Procedencia(ip=ip, agente=peticion.headers.get("user-agent", "")[:AGENTE_MAX])


async def _campos(peticion: Request) -> dict[str, str] | None:
    """The fields of a form; None when it is not one, is too long, or repeats a field."""
    if not peticion.headers.get("content-type", "").startswith("application/x-www-form-urlencoded"):
        return None
    try:
        cuerpo = await leer_cuerpo(peticion.receive, FORMULARIO_MAX)
    except (Desconectado, Lento):
        return None
    if cuerpo is None:
        return None
    try:
        pares = parse_qsl(
            cuerpo.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=CAMPOS_MAX
        )
    except ValueError:
        return None
    campos = dict(pares)
    return campos if len(campos) == len(pares) else None
