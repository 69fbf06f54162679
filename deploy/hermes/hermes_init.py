#!/usr/bin/env python3
"""Puts the profiles of Hermes in place: settings, personality, skills and secrets, as many times as one likes.

Standard library only, so that it runs with whichever Python 3.11 Hermes has. Running it again changes nothing but what
is new: a key already there stays, and a file that a person has edited is left as it is, and said.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import secrets
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

PLANTILLAS = Path(__file__).resolve().parent
PERFILES = {"licitaciones": 40, "oferta": 80, "critico": 40}
"""Profile → model calls that one of its runs may make. Its place is its port's: base, base + 1, base + 2."""
REGISTRO = ".sobre-instalado.json"
CLAVE = "clave-api"
INDICE = "sobre-hermes.json"


class Opciones(NamedTuple):
    """What was asked for."""

    hogar: Path
    perfiles: tuple[str, ...]
    mcp: str
    modelo: str
    proveedor: str
    base_url: str
    puerto_base: int
    a_la_vez: int
    duenio: tuple[int, int] | None


class FicheroRoto(Exception):
    """Something that was there cannot be read as what it should be."""


def principal(argumentos: list[str] | None = None) -> int:
    """The command. 0 when all is in place, 1 when something cannot be done."""
    opciones = _leer_opciones(argumentos)
    try:
        _comprobar(opciones)
        for nombre in opciones.perfiles:
            for linea in instalar(opciones, nombre):
                print(f"{nombre}: {linea}")
        escribir_indice(opciones)
        _permisos(opciones)
    except OSError as error:
        print(f"No se puede escribir en {opciones.hogar}: {error.strerror}.", file=sys.stderr)
        return 1
    except FicheroRoto as error:
        print(f"{error}: arréglalo o bórralo, y repite.", file=sys.stderr)
        return 1
    print(f"Listo. La configuración para SOBRE_HERMES está en {opciones.hogar / INDICE}.")
    return 0


def _comprobar(opciones: Opciones) -> None:
    """Read all that is there before anything is written. Raises FicheroRoto."""
    _leer_indice(opciones.hogar)
    for nombre in opciones.perfiles:
        _registro(opciones.hogar / nombre)
        _leer_env(opciones.hogar / nombre / ".env")


def instalar(opciones: Opciones, nombre: str) -> Iterator[str]:
    """Put one profile in place; yields what it did and what is missing."""
    casa = opciones.hogar / nombre
    casa.mkdir(parents=True, exist_ok=True)
    registro = _registro(casa)
    for relativo, contenido in _ficheros(opciones, nombre).items():
        hecho = _poner(casa / relativo, contenido, registro.get(relativo))
        if hecho != "conservado":
            registro[relativo] = _huella(contenido)
        if hecho != "igual":
            motivo = " (lo ha cambiado una persona)" if hecho == "conservado" else ""
            yield f"{relativo} {hecho}{motivo}"
    _escribir(casa / REGISTRO, json.dumps(registro, indent=1, sort_keys=True) + "\n")
    yield from _secretos(opciones, nombre, casa)


def _ficheros(opciones: Opciones, nombre: str) -> dict[str, str]:
    """Path inside the profile → what it should say."""
    origen = PLANTILLAS / "perfiles" / nombre
    hallados = {str(f.relative_to(origen)): f.read_text("utf-8") for f in sorted(origen.rglob("*.md"))}
    return {"config.yaml": _config(opciones, nombre), ".no-bundled-skills": "", **hallados}


def _config(opciones: Opciones, nombre: str) -> str:
    conexion = (
        f"  base_url: {json.dumps(opciones.base_url)}\n  api_key: ${{CLAVE_PROVEEDOR}}"
        if opciones.base_url
        else "  # La clave del proveedor va en .env, con el nombre de variable que él pide."
    )
    texto = (PLANTILLAS / "config.yaml").read_text("utf-8")
    for marca, valor in {
        "@MODELO@": json.dumps(opciones.modelo),
        "@PROVEEDOR@": json.dumps(opciones.proveedor),
        "@CONEXION@": conexion,
        "@PASOS@": str(PERFILES[nombre]),
        "@RUNS@": str(2 * opciones.a_la_vez),
        "@MCP@": json.dumps(opciones.mcp),
    }.items():
        texto = texto.replace(marca, valor)
    return texto


def _secretos(opciones: Opciones, nombre: str, casa: Path) -> Iterator[str]:
    """Keys are made once; what comes in the environment replaces what there was."""
    env = _leer_env(casa / ".env")
    sufijo = nombre.upper()
    nuevas = {
        "API_SERVER_ENABLED": "true",
        "API_SERVER_HOST": "127.0.0.1",
        "API_SERVER_PORT": str(opciones.puerto_base + list(PERFILES).index(nombre)),
        "API_SERVER_KEY": env.get("API_SERVER_KEY") or secrets.token_urlsafe(32),
        "TOKEN_MCP": _del_entorno(f"TOKEN_MCP_{sufijo}") or env.get("TOKEN_MCP", ""),
    }
    if opciones.base_url:
        nuevas["CLAVE_PROVEEDOR"] = _del_entorno("CLAVE_PROVEEDOR") or env.get("CLAVE_PROVEEDOR", "")
    _guardar_env(casa / ".env", nuevas)
    _escribir(casa / CLAVE, nuevas["API_SERVER_KEY"] + "\n")
    if not nuevas["TOKEN_MCP"]:
        yield f"falta su token: créalo con «sobre agente crear {nombre} --permiso …» y repite con TOKEN_MCP_{sufijo}=…"
    if "CLAVE_PROVEEDOR" in nuevas and not nuevas["CLAVE_PROVEEDOR"]:
        yield "falta la clave del proveedor del modelo: repite con CLAVE_PROVEEDOR=…"


def _del_entorno(nombre: str) -> str:
    """A secret of one line; anything else would write other variables."""
    valor = os.environ.get(nombre, "").strip()
    if not all("!" <= letra <= "~" for letra in valor):
        raise SystemExit(f"{nombre} tiene espacios o caracteres que no van en una clave.")
    return valor


def _leer_env(fichero: Path) -> dict[str, str]:
    if not fichero.is_file():
        return {}
    pares = (linea.partition("=") for linea in _lineas(fichero))
    return {nombre.strip(): valor.strip() for nombre, igual, valor in pares if igual}


def _lineas(fichero: Path) -> list[str]:
    try:
        return fichero.read_text("utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise FicheroRoto(f"{fichero} no está guardado en UTF-8") from error


def _guardar_env(fichero: Path, nuevas: dict[str, str]) -> None:
    """Our variables in their place, the others as they were."""
    lineas = _lineas(fichero) if fichero.is_file() else []
    quedan = dict(nuevas)
    salida = []
    for linea in lineas:
        nombre = linea.partition("=")[0].strip()
        if nombre not in nuevas:
            salida.append(linea)
        elif nombre in quedan:
            salida.append(f"{nombre}={quedan.pop(nombre)}")
    salida += [f"{nombre}={valor}" for nombre, valor in quedan.items()]
    _escribir(fichero, "\n".join(salida) + "\n")


def escribir_indice(opciones: Opciones) -> None:
    """The file for SOBRE_HERMES: this command's profiles, beside those that were there and its prices."""
    indice, perfiles = _leer_indice(opciones.hogar)
    for nombre in opciones.perfiles:
        puerto = opciones.puerto_base + list(PERFILES).index(nombre)
        perfiles[nombre] = {
            "url": f"http://127.0.0.1:{puerto}",
            "clave_fichero": f"{nombre}/{CLAVE}",
            "proveedor": opciones.proveedor,
        }
    escrito = json.dumps(indice, indent=2, ensure_ascii=False, sort_keys=True) + "\n"
    _escribir(opciones.hogar / INDICE, escrito)


def _leer_indice(hogar: Path) -> tuple[dict[str, object], dict[str, object]]:
    """The index, and its profiles inside it."""
    indice = _leer_json(hogar / INDICE)
    perfiles = indice.setdefault("perfiles", {})
    if not isinstance(perfiles, dict):
        raise FicheroRoto(f"En {hogar / INDICE}, «perfiles» no lleva dentro un perfil por nombre")
    return indice, perfiles


def _poner(destino: Path, contenido: str, instalado: str | None) -> str:
    """creado, igual, actualizado, or conservado when it is not what we put there."""
    if not destino.is_file():
        _escribir(destino, contenido)
        return "creado"
    actual = destino.read_bytes()
    if actual == contenido.encode():
        return "igual"
    if hashlib.sha256(actual).hexdigest() != instalado:
        return "conservado"
    _escribir(destino, contenido)
    return "actualizado"


def _escribir(destino: Path, contenido: str) -> None:
    """Whole or not at all, for its owner only; untouched when it already says that."""
    if destino.is_file() and destino.read_bytes() == contenido.encode():
        return
    destino.parent.mkdir(parents=True, exist_ok=True)
    parcial = destino.with_name(f".{destino.name}.parcial")
    parcial.unlink(missing_ok=True)
    with os.fdopen(
        os.open(parcial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8"
    ) as abierto:
        abierto.write(contenido)
    parcial.replace(destino)


def _permisos(opciones: Opciones) -> None:
    """Folders 0700 and files without access for others, the ones that Hermes made included; owner if asked."""
    sitios = [opciones.hogar, opciones.hogar / INDICE]
    for nombre in opciones.perfiles:
        casa = opciones.hogar / nombre
        sitios += [casa, *casa.rglob("*")]
    for sitio in sitios:
        if sitio.is_symlink():
            continue
        modo = sitio.stat().st_mode & 0o700
        sitio.chmod(0o700 if sitio.is_dir() else modo)
        if opciones.duenio:
            os.chown(sitio, *opciones.duenio)


def _registro(casa: Path) -> dict[str, str]:
    return {ruta: str(huella) for ruta, huella in _leer_json(casa / REGISTRO).items()}


def _leer_json(fichero: Path) -> dict[str, object]:
    if not fichero.is_file():
        return {}
    try:
        leido = json.loads(fichero.read_text("utf-8"))
    except (ValueError, RecursionError) as error:
        raise FicheroRoto(f"{fichero} no es JSON") from error
    if not isinstance(leido, dict):
        raise FicheroRoto(f"{fichero} no es un documento con campos")
    return leido


def _huella(texto: str) -> str:
    return hashlib.sha256(texto.encode()).hexdigest()


def _leer_opciones(argumentos: list[str] | None) -> Opciones:
    lector = argparse.ArgumentParser(
        prog="hermes-init", description="Instala los perfiles de Hermes para Sobre Abierto. Se puede repetir."
    )
    lector.add_argument("--hogar", type=Path, required=True, help="carpeta con un HERMES_HOME por perfil")
    lector.add_argument(
        "--perfil", action="append", choices=list(PERFILES), help="solo este (se puede repetir)"
    )
    lector.add_argument(
        "--mcp", default="http://127.0.0.1:8080/mcp", help="dirección de nuestro servidor MCP"
    )
    lector.add_argument("--modelo", required=True, help="modelo por defecto")
    lector.add_argument("--proveedor", required=True, help="proveedor del modelo, como lo llama Hermes")
    lector.add_argument(
        "--base-url", default="", help="dirección de un proveedor propio compatible con OpenAI"
    )
    lector.add_argument("--puerto-base", type=_puerto, default=8642, help="puerto del primer perfil")
    lector.add_argument(
        "--a-la-vez",
        type=_cuantos,
        default=2,
        help="trabajos a la vez (SOBRE_COLA_A_LA_VEZ); Hermes admite el doble",
    )
    lector.add_argument("--duenio", type=_duenio, help="UID:GID a quien dejar los ficheros")
    leido = lector.parse_args(argumentos)
    return Opciones(
        leido.hogar.expanduser().absolute(),
        tuple(dict.fromkeys(leido.perfil or PERFILES)),
        *(
            leido.mcp,
            leido.modelo,
            leido.proveedor,
            leido.base_url,
            leido.puerto_base,
            leido.a_la_vez,
            leido.duenio,
        ),
    )


def _puerto(texto: str) -> int:
    """One with room after it for the other profiles."""
    puerto = int(texto)
    if not 1024 <= puerto <= 65_536 - len(PERFILES):
        raise ValueError
    return puerto


def _cuantos(texto: str) -> int:
    cuantos = int(texto)
    if not 1 <= cuantos <= 50:
        raise ValueError
    return cuantos


def _duenio(texto: str) -> tuple[int, int]:
    uid, _, gid = texto.partition(":")
    return int(uid), int(gid)


if __name__ == "__main__":
    sys.exit(principal())
