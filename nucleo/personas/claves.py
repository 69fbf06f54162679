"""Passwords: how they are kept (scrypt, RFC 7914, its parameters beside), and which are not accepted."""

from __future__ import annotations

import base64
import hmac
import re
import secrets
import unicodedata
from typing import NamedTuple

from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

from nucleo.errores import ErrorEntrada

MINIMO = 12
MAXIMO = 256
SAL_OCTETOS = 16
CLAVE_OCTETOS = 32
COMUNES = frozenset(
    "123456789012 1234567890123 111111111111 000000000000 qwertyuiopas qwertyuiop12 contraseña123 contraseña1234"
    " contrasena123 contrasena1234 password1234 passwordpassword administrador administrator adminadmin12"
    " sobreabierto sobreabierto1 licitaciones licitacion123 bienvenido123 españa123456".split()
)
_GUARDADA = re.compile(r"\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)")


class Coste(NamedTuple):
    """Parameters of scrypt: 2^ln × r × 128 bytes of memory, p times."""

    ln: int
    r: int
    p: int


COSTE = Coste(ln=15, r=8, p=3)
"""32 MiB and some 0.2 s of a core: one of OWASP's equivalent recommendations for scrypt."""


def exigir_fuerte(clave: str, usuario: str) -> None:
    """Raises ErrorEntrada `clave_debil` when it is too short, too long, well known or the name itself."""
    limpia = _normal(clave)
    plana = limpia.casefold()
    if len(limpia) < MINIMO:
        motivo = f"tiene menos de {MINIMO} caracteres"
    elif len(limpia) > MAXIMO:
        motivo = f"tiene más de {MAXIMO} caracteres"
    elif len(set(plana)) < 4 or plana in COMUNES:
        motivo = "es de las primeras que se prueban"
    elif len(usuario) > 3 and usuario in plana and len(plana) < len(usuario) + MINIMO // 2:
        motivo = "es casi tu nombre de usuario"
    else:
        return
    raise ErrorEntrada(
        f"Esa contraseña no vale: {motivo}. Prueba con cuatro palabras que no vayan juntas.",
        codigo="clave_debil",
    )


def exigir_otra(actual: str, nueva: str) -> None:
    """Raises ErrorEntrada `clave_repetida` when nothing changes."""
    if _normal(actual) == _normal(nueva):
        raise ErrorEntrada("La contraseña nueva es la de antes: elige otra.", codigo="clave_repetida")


def guardar(clave: str, coste: Coste = COSTE) -> str:
    """What is kept of a password, in PHC form; never the same twice."""
    sal = secrets.token_bytes(SAL_OCTETOS)
    return _phc(coste, sal, _derivar(clave, sal, coste))


def vale(clave: str, guardada: str) -> bool:
    """Whether it is that password. False too when what is kept is damaged."""
    hallada = _GUARDADA.fullmatch(guardada)
    if hallada is None:
        return False
    coste = Coste(*map(int, hallada.groups()[:3]))
    try:
        sal, esperada = _octetos(hallada[4]), _octetos(hallada[5])
        return hmac.compare_digest(_derivar(clave, sal, coste), esperada)
    except (ValueError, MemoryError):  # not base64, or parameters that scrypt does not take
        return False


def es_floja(guardada: str, coste: Coste = COSTE) -> bool:
    """Whether it was kept with less effort than is asked now."""
    hallada = _GUARDADA.fullmatch(guardada)
    return hallada is None or Coste(*map(int, hallada.groups()[:3])) < coste


def de_nadie(coste: Coste = COSTE) -> str:
    """To check against when there is no such account: no password is it, and looking takes as long, the first time too.

    Made without deriving anything, so that only the check itself is paid for, as with an account.
    """
    return _phc(coste, secrets.token_bytes(SAL_OCTETOS), secrets.token_bytes(CLAVE_OCTETOS))


def de_un_uso() -> str:
    """A password to be told once and changed at once: 80 bits in letters that are not mistaken for others."""
    letras = "abcdefghjkmnpqrstuvwxyz23456789"
    return "-".join("".join(secrets.choice(letras) for _ in range(4)) for _ in range(4))


def _normal(clave: str) -> str:
    """The same word typed on another keyboard is the same bytes (NFKC, as NIST SP 800-63B advises)."""
    return unicodedata.normalize("NFKC", clave)


def _derivar(clave: str, sal: bytes, coste: Coste) -> bytes:
    octetos = _normal(clave[: MAXIMO * 4]).encode("utf-8", "surrogatepass")
    return Scrypt(salt=sal, length=CLAVE_OCTETOS, n=1 << coste.ln, r=coste.r, p=coste.p).derive(octetos)


def _phc(coste: Coste, sal: bytes, derivada: bytes) -> str:
    return f"$scrypt$ln={coste.ln},r={coste.r},p={coste.p}${_texto(sal)}${_texto(derivada)}"


def _texto(octetos: bytes) -> str:
    return base64.b64encode(octetos).decode().rstrip("=")


def _octetos(texto: str) -> bytes:
    return base64.b64decode(texto + "=" * (-len(texto) % 4))
