"""Which IP addresses are the public Internet, and which are somebody's inside."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network

# Addresses that carry another one inside, or that lead through a translator: the inner address is what would be
# reached, so none of them is accepted (RFC 4291, 3056, 4380, 6052, 8215, 7526).
_PASARELAS = {
    "IPv4 dentro de IPv6": ("::ffff:0:0/96", "::ffff:0:0:0/96", "::/96"),
    "6to4": ("2002::/16", "192.88.99.0/24"),
    "Teredo": ("2001::/32",),
    "NAT64": ("64:ff9b::/96", "64:ff9b:1::/48"),
}
_REDES = tuple((nombre, ip_network(red)) for nombre, redes in _PASARELAS.items() for red in redes)
_LOCAL_DE_SITIO = IPv6Network("fec0::/10")

Direccion = IPv4Address | IPv6Address


def leer(texto: str) -> Direccion | None:
    """The address as written by a resolver, or None (host names, zones as in fe80::1%eth0)."""
    try:
        return None if "%" in texto else ip_address(texto)
    except ValueError:
        return None


def es_de_esta_maquina(texto: str) -> bool:
    """127.0.0.0/8 or ::1, written plainly."""
    direccion = leer(texto)
    return direccion is not None and direccion.is_loopback


def motivo_de_rechazo(texto: str) -> str | None:
    """Why this address must not be connected to, or None when it is a plain public one."""
    direccion = leer(texto)
    if direccion is None:
        return "no es una dirección IP corriente"
    pruebas = (
        (direccion.is_unspecified, "es la dirección vacía"),
        (direccion.is_loopback, "es de esta misma máquina"),
        (_pasarela(direccion) is not None, f"es una dirección {_pasarela(direccion)}"),
        (direccion.is_link_local, "es de enlace local"),
        (direccion.is_multicast, "es de multidifusión"),
        (direccion.is_private or direccion in _LOCAL_DE_SITIO, "es privada"),
        (direccion.is_reserved, "está reservada"),
        (not direccion.is_global, "no es pública"),
    )
    return next((motivo for cumple, motivo in pruebas if cumple), None)


def _pasarela(direccion: Direccion) -> str | None:
    return next((nombre for nombre, red in _REDES if direccion in red), None)
