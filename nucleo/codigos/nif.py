"""Spanish tax numbers as they are published: brought to nine characters and checked by their control digit."""

from __future__ import annotations

import re

_RUIDO = re.compile(r"[^A-Za-z0-9*]+")
_PREFIJO = re.compile(r"^(?:NIF|CIF|DNI|NIE|VATES|ES)(?=[A-Z0-9]{8,})")
_DNI = re.compile(r"0*([0-9]{1,8})([A-Z])")
_NIE = re.compile(r"([XYZ])0*([0-9]{1,7})([A-Z])")
_ESPECIAL = re.compile(r"([KLM])([0-9]{7})([A-Z])")
_ENTIDAD = re.compile(r"([ABCDEFGHJNPQRSUVW])0?([0-9]{7})([0-9A-J])")
_ENMASCARADO = re.compile(r"(?=.*[0-9])(?=(?:.*\*){3}|.*X{3})[A-Z0-9*]{7,11}")

_LETRAS_DNI = "TRWAGMYFPDXBNJZSQVHLCKE"
_LETRAS_ENTIDAD = "JABCDEFGHI"
_SOLO_LETRA = frozenset("NPQRSW")
_SOLO_CIFRA = frozenset("ABEH")


def normalizar_nif(crudo: str) -> str | None:
    """The nine-character NIF that `crudo` writes, or None when it writes none.

    Forgiven: lower case, dots, hyphens, blanks, a prefix (ES, NIF, CIF), a DNI or NIE without its left zeros, and
    the left zero that some bodies add (B085066116). Not forgiven: a wrong control digit, foreign VAT numbers,
    masked numbers, all zeros. Control: Orden EHA/451/2008 for entities, number modulo 23 for persons.
    """
    limpio = _limpiar(crudo)
    limpio = _PREFIJO.sub("", limpio)
    return _persona(limpio) or _entidad(limpio)


def _limpiar(crudo: str) -> str:
    return _RUIDO.sub("", crudo).upper()


def _persona(limpio: str) -> str | None:
    if encaje := _DNI.fullmatch(limpio):
        inicial, numero, control = "", encaje[1].zfill(8), encaje[2]
        modulo = int(numero)
    elif encaje := _NIE.fullmatch(limpio):
        inicial, numero, control = encaje[1], encaje[2].zfill(7), encaje[3]
        modulo = int(f"{'XYZ'.index(inicial)}{numero}")
    elif encaje := _ESPECIAL.fullmatch(limpio):
        inicial, numero, control = encaje[1], encaje[2], encaje[3]
        modulo = int(numero)
    else:
        return None
    if int(numero) == 0 or _LETRAS_DNI[modulo % 23] != control:
        return None
    return inicial + numero + control


def _entidad(limpio: str) -> str | None:
    encaje = _ENTIDAD.fullmatch(limpio)
    if encaje is None or int(encaje[2]) == 0:
        return None
    inicial, numero, control = encaje[1], encaje[2], encaje[3]
    cifra = _control_de_entidad(numero)
    letra = _LETRAS_ENTIDAD[cifra]
    por_cifra = control == str(cifra) and inicial not in _SOLO_LETRA
    por_letra = control == letra and inicial not in _SOLO_CIFRA
    return inicial + numero + control if por_cifra or por_letra else None


def _control_de_entidad(numero: str) -> int:
    """Luhn over seven digits, doubling the 1st, 3rd, 5th and 7th."""
    suma = 0
    for posicion, cifra in enumerate(map(int, numero)):
        valor = cifra * 2 if posicion % 2 == 0 else cifra
        suma += valor - 9 if valor > 9 else valor
    return -suma % 10


def es_enmascarado(crudo: str) -> bool:
    """Whether the number was published masked, to protect a person: asterisks or a run of X among the digits."""
    return _ENMASCARADO.fullmatch(_limpiar(crudo)) is not None


def es_nif_de_ute(nif: str) -> bool:
    """Whether a normalised NIF is that of a temporary joint venture (unión temporal de empresas, letter U)."""
    return nif.startswith("U")


def es_persona_fisica(nif: str) -> bool:
    """Whether a normalised NIF is a natural person's: DNI, NIE or the K, L, M series."""
    return nif[0].isdigit() or nif[0] in "XYZKLM"
