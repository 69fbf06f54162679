"""Which URLs may be asked for: pure rules over the text of a URL, before any name is resolved."""

from __future__ import annotations

import re
from collections.abc import Iterable
from ipaddress import ip_address
from typing import NamedTuple
from urllib.parse import SplitResult, quote, urljoin, urlsplit

import idna

from nucleo.errores import DestinoProhibido

_PUERTOS = {"https": 443, "http": 80}
_ETIQUETA = re.compile(r"(?!-)[a-z0-9-]{1,63}(?<!-)")
_PROHIBIDO = re.compile(r"[\x00-\x20\x7f\\]")
_SEGURO = "/%:@!$&'()*+,;=~-._?[]"
LARGO_MAXIMO = 4096


class Origen(NamedTuple):
    """Scheme, ASCII host in lower case without final dot, and port."""

    esquema: str
    host: str
    puerto: int


class Destino(NamedTuple):
    """A URL that passed the rules; `url` is rebuilt from the parts that were checked."""

    origen: Origen
    ruta: str

    @property
    def url(self) -> str:
        """The URL to ask for and to show as provenance (it carries the query)."""
        esquema, host, puerto = self.origen
        autoridad = f"[{host}]" if ":" in host else host
        if puerto != _PUERTOS[esquema]:
            autoridad += f":{puerto}"
        return f"{esquema}://{autoridad}{self.ruta}"


class Politica(NamedTuple):
    """Where this process may go.

    `permitidos`: hosts, by https on 443. `equivalentes`: hosts of `permitidos` that are one and the same source, so
    that a link or a redirect between them is no change of host. `locales`: origins on this machine, named one by one.
    """

    permitidos: frozenset[str]
    equivalentes: frozenset[str] = frozenset()
    locales: frozenset[Origen] = frozenset()


def crear_politica(
    hosts: Iterable[str], equivalentes: Iterable[str] = (), local: str | None = None
) -> Politica:
    """A policy for those hosts; `local`, when it is a URL on this machine, opens exactly that host and port.

    Raises DestinoProhibido when one of the names is not a host name.
    """
    iguales = frozenset(normalizar_host(h) for h in equivalentes)
    nombres = frozenset(normalizar_host(h) for h in hosts) | iguales
    return Politica(nombres, iguales, _locales(local))


def origen_de(url: str) -> Origen:
    """The origin of a well-formed URL, allowed or not. Raises DestinoProhibido when it is not one."""
    return _leer(url).origen


def examinar(url: str, politica: Politica) -> Destino:
    """The destination of `url` if the policy allows it. Raises DestinoProhibido saying why not."""
    destino = _leer(url)
    origen = destino.origen
    if origen in politica.locales:
        return destino
    if origen.host not in politica.permitidos:
        raise DestinoProhibido(f"{sin_consulta(url)}: «{origen.host}» no está entre los sitios permitidos.")
    if origen.esquema != "https":
        raise DestinoProhibido(f"{sin_consulta(url)}: solo se lee por https.")
    if origen.puerto != _PUERTOS["https"]:
        raise DestinoProhibido(f"{sin_consulta(url)}: el puerto {origen.puerto} no está permitido.")
    return destino


def seguir(base: str, enlace: str, politica: Politica) -> Destino:
    """Where a link or a redirect found at `base` leads, if it stays in the same source.

    The same source is the same scheme, host and port, or two equivalent hosts. Raises DestinoProhibido otherwise.
    """
    try:
        absoluto = urljoin(base, enlace)
    except ValueError as error:
        raise DestinoProhibido(f"El enlace hallado en {sin_consulta(base)} no es una URL.") from error
    desde, hacia = _leer(base).origen, _leer(absoluto).origen
    if desde != hacia and not {desde.host, hacia.host} <= politica.equivalentes:
        raise DestinoProhibido(
            f"{sin_consulta(base)} lleva a otro sitio ({hacia.host}:{hacia.puerto}): no se sigue.",
            codigo="cambio_de_sitio",
        )
    return examinar(absoluto, politica)


def normalizar_host(host: str) -> str:
    """ASCII, lower case, without final dot. Raises DestinoProhibido for what is no host name (numbers included)."""
    nombre = host.lower().removesuffix(".")
    if not nombre.isascii():
        try:
            nombre = idna.encode(nombre, uts46=True).decode("ascii")
        except idna.IDNAError as error:
            raise DestinoProhibido("El nombre del sitio no es válido.") from error
    etiquetas = nombre.split(".")
    if len(nombre) > 253 or not all(_ETIQUETA.fullmatch(e) for e in etiquetas):
        raise DestinoProhibido(f"«{host[:80]}» no es un nombre de sitio.")
    if etiquetas[-1].isdigit() or re.fullmatch(r"0x[0-9a-f]*", etiquetas[-1]):
        # A host that ends in a number is an IPv4 address to every client (decimal, octal, hexadecimal, short).
        raise DestinoProhibido(f"«{host[:80]}» es una dirección numérica: no está permitida.")
    return nombre


def sin_consulta(url: str) -> str:
    """The URL for messages and logs: without query, fragment or user, and short."""
    limpia = re.sub(r"[\x00-\x1f\x7f]", "", url.split("?", 1)[0].split("#", 1)[0])
    return re.sub(r"//[^/@]*@", "//", limpia)[:200]


def _leer(url: str) -> Destino:
    if len(url) > LARGO_MAXIMO or _PROHIBIDO.search(url):
        raise DestinoProhibido("La URL tiene caracteres que no se admiten o es demasiado larga.")
    try:
        partes = urlsplit(url)
        puerto = partes.port
    except ValueError as error:
        raise DestinoProhibido(f"{sin_consulta(url)} no es una URL.") from error
    if partes.scheme not in _PUERTOS or not partes.hostname:
        raise DestinoProhibido(f"{sin_consulta(url)}: se espera una URL https://… completa.")
    if "@" in partes.netloc or "%" in partes.netloc:
        raise DestinoProhibido(f"{sin_consulta(url)}: no se admiten usuario ni zona en la URL.")
    origen = Origen(
        partes.scheme, _host(partes.hostname), _PUERTOS[partes.scheme] if puerto is None else puerto
    )
    return Destino(origen, _ruta(partes))


def _host(host: str) -> str:
    """A name, or a loopback literal (which only `locales` can allow)."""
    try:
        direccion = ip_address(host)
    except ValueError:
        return normalizar_host(host)
    if not direccion.is_loopback:
        raise DestinoProhibido(f"«{host}» es una dirección numérica: no está permitida.")
    return str(direccion)


def _ruta(partes: SplitResult) -> str:
    consulta = f"?{partes.query}" if partes.query else ""
    return quote((partes.path or "/") + consulta, safe=_SEGURO)


def _locales(url: str | None) -> frozenset[Origen]:
    if url is None:
        return frozenset()
    origen = _leer(url).origen
    try:
        local = ip_address(origen.host).is_loopback
    except ValueError:
        local = origen.host == "localhost"
    return frozenset({origen}) if local else frozenset()
