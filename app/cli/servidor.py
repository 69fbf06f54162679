"""How the command line reaches the running server, and as whom."""

from __future__ import annotations

import ipaddress
import os
from collections.abc import Iterator
from contextlib import contextmanager

import click
import httpx

from app import llave
from nucleo.configuracion import configuracion
from nucleo.errores import ErrorConfiguracion
from nucleo.recorridos.cliente import Cliente
from nucleo.recorridos.transporte import SinServidor, TransporteHttp

TOKEN = "SOBRE_TOKEN"  # noqa: S105 - the variable's name
"""An agent's token, to give the order as that agent. In the environment: other users can see a process's arguments."""

opcion_url = click.option(
    "--url", metavar="URL", help="Dirección del servidor, si no es el de esta instalación."
)


@contextmanager
def cliente_de(url: str | None) -> Iterator[Cliente]:
    """A client of the server of `make up`, or of the one at `url`, as the agent of SOBRE_TOKEN or as who is here.

    Raises ErrorConfiguracion (a wrong address, or one that the local key must not be sent to) and SinServidor.
    """
    base = _direccion(url or f"http://127.0.0.1:{configuracion().puerto}")
    token = os.environ.get(TOKEN) or _llave_para(base)
    cabeceras = {"Authorization": f"Bearer {token}"}
    cifrado = base.scheme == "https"  # certificates are slow to load, and http needs none
    # Nothing from the environment: a proxy would be told the key.
    with httpx.Client(base_url=base, headers=cabeceras, trust_env=False, verify=cifrado) as http:
        yield Cliente(TransporteHttp(http))


def _direccion(url: str) -> httpx.URL:
    try:
        base = httpx.URL(url)
    except httpx.InvalidURL:
        base = httpx.URL("")
    segura = base.scheme == "https" or (base.scheme == "http" and _es_esta_maquina(base))
    if not base.host or not segura:
        raise ErrorConfiguracion(
            f"«{url}» no vale como dirección: http://127.0.0.1:PUERTO, o https en otra máquina."
        )
    return base


def _llave_para(base: httpx.URL) -> str:
    if not _es_esta_maquina(base):
        raise ErrorConfiguracion(f"La llave de esta máquina no sale de ella: di quién eres con {TOKEN}.")
    datos = configuracion().datos
    if (mia := llave.leer(datos)) is None:
        raise SinServidor(
            f"El servidor aún no ha arrancado nunca sobre {datos}: arráncalo con «make up», o revisa SOBRE_DATOS."
        )
    return mia


def _es_esta_maquina(base: httpx.URL) -> bool:
    if base.host == "localhost":
        return True
    try:
        return ipaddress.ip_address(base.host).is_loopback
    except ValueError:
        return False
