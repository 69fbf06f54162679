"""Every setting of an installation, from the environment (prefix SOBRE_). docs/configuracion.md lists them all."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, Field, ValidationError
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from nucleo.errores import ErrorConfiguracion

PREFIJO = "SOBRE_"
FUENTES = ("643", "1044", "1143", "1383", "1403")

FUERA_DE_AQUI = {
    "SOBRE_DATOS_REALES": "Carpeta con datos publicados de verdad (placsp/…), para las pruebas y los bancos de medida",
    "SOBRE_DEMO_FEED": "Carpeta con páginas Atom, o URL de una cabecera, que la demostración lee en vez de la muestra",
    "SOBRE_ADMIN_USUARIO": "Nombre de la primera cuenta, la de quien administra; si no se dice, admin",
    "SOBRE_ADMIN_CLAVE": "Contraseña de la primera cuenta; si no se dice, se inventa una de un solo uso y se enseña",
    "SOBRE_TOKEN": "Token de un agente, para que «sobre recorrido» mande la orden como él y no como quien está aquí",
    "SOBRE_CHROMIUM": "Ejecutable de Chromium para las pruebas de navegador",
    "SOBRE_HERMES_PYTHON": "Python de un entorno con hermes-agent, para las pruebas contra el de verdad",
}
"""Variables that are not settings of the installation and are read where they are used: name → what it is for."""


def _a_lista(valor: object) -> object:
    return tuple(p.strip() for p in valor.split(",") if p.strip()) if isinstance(valor, str) else valor


def _a_horas(valor: object) -> object:
    """«643=36,1044=48» → {"643": 36, "1044": 48}."""
    if not isinstance(valor, str):
        return valor
    pares = [p.partition("=") for p in valor.split(",") if p.strip()]
    if not all(h.strip().isdecimal() and f.strip() in FUENTES for f, _, h in pares):
        raise ValueError("se escribe fuente=horas, separadas por comas: 643=36,1044=48")
    return {f.strip(): int(h) for f, _, h in pares}


def _fuentes_conocidas(fuentes: tuple[str, ...]) -> tuple[str, ...]:
    sobran = [f for f in fuentes if f not in FUENTES]
    if sobran or not fuentes:
        raise ValueError(f"los conjuntos de PLACSP son {', '.join(FUENTES)}")
    return tuple(dict.fromkeys(fuentes))


def _absoluta(carpeta: Path) -> Path:
    """Absolute from the start: child processes may work in another folder."""
    return carpeta.expanduser().absolute()


class Configuracion(BaseSettings):
    """Read once at start. Durations say their unit in the name."""

    model_config = SettingsConfigDict(env_prefix=PREFIJO, frozen=True, extra="ignore")

    datos: Annotated[
        Path, AfterValidator(_absoluta), Field(description="Carpeta con todo el estado de la instalación")
    ] = Path("datos")
    puerto: Annotated[int, Field(ge=1, le=65535, description="Puerto único de la web")] = 8080
    escucha: Annotated[
        Literal["127.0.0.1", "0.0.0.0"],  # noqa: S104 - only for who asks for it
        Field(
            description="Dirección en la que atiende la web: solo esta máquina, o todas sus redes (0.0.0.0)"
        ),
    ] = "127.0.0.1"
    proxies: Annotated[
        tuple[str, ...],
        NoDecode,
        BeforeValidator(_a_lista),
        Field(
            description="Direcciones de los proxies de confianza, separadas por comas: dicen por https quién llama"
        ),
    ] = ()
    anfitriones: Annotated[
        tuple[str, ...],
        NoDecode,
        BeforeValidator(_a_lista),
        Field(
            description="Otros nombres con los que se llama a la web, con su puerto (web:8080), separados por comas"
        ),
    ] = ()
    prefect_puerto: Annotated[
        int,
        Field(
            ge=1,
            le=65534,
            description="Puerto del motor (Prefect) en esta máquina; el siguiente es del worker",
        ),
    ] = 4200
    fuentes: Annotated[
        tuple[str, ...],
        NoDecode,
        BeforeValidator(_a_lista),
        AfterValidator(_fuentes_conocidas),
        Field(description="Conjuntos de PLACSP que se leen, separados por comas"),
    ] = FUENTES
    perfil: Annotated[
        Path | None,
        Field(description="Perfil del prefiltro; si no se dice, perfil.yaml en la carpeta de datos"),
    ] = None

    hermes: Annotated[
        Path | None,
        Field(
            description="Fichero JSON o TOML con los perfiles de Hermes; sin él, los trabajos de los agentes esperan"
        ),
    ] = None

    cola_a_la_vez: Annotated[
        int, Field(ge=1, le=50, description="Trabajos de los agentes en marcha a la vez, como mucho")
    ] = 2
    cola_pausa_429: Annotated[
        Literal["proveedor", "todo"],
        Field(description="Qué espera media hora tras un 429: los perfiles de ese proveedor, o todo"),
    ] = "proveedor"
    cola_tope_dia: Annotated[
        Decimal | None, Field(ge=0, description="Gasto máximo al día en modelos, en la moneda de los precios")
    ] = None
    cola_tope_mes: Annotated[
        Decimal | None, Field(ge=0, description="Gasto máximo al mes en modelos, en la moneda de los precios")
    ] = None

    plataformas: Annotated[
        tuple[str, ...],
        NoDecode,
        BeforeValidator(_a_lista),
        Field(
            description="Otros sitios, además de PLACSP, de los que se puede leer por https, separados por comas"
        ),
    ] = ()
    red_pausa_segundos: Annotated[
        float, Field(ge=0, description="Pausa entre dos peticiones al mismo sitio, en segundos")
    ] = 0.2
    radar_margen_horas: Annotated[
        int,
        Field(ge=48, description="Horas por debajo de lo ya leído que cada pasada vuelve a mirar"),
    ] = 48
    radar_primera_pasada_dias: Annotated[
        int, Field(ge=1, description="Días hacia atrás que lee la primera pasada de una fuente")
    ] = 7
    radar_frescura_horas: Annotated[
        dict[str, int],
        NoDecode,
        BeforeValidator(_a_horas),
        Field(description="Horas sin moverse que dan alarma, por fuente (643=36,1044=48)"),
    ] = {}
    vigilancia_segundos: Annotated[
        int, Field(ge=0, description="Cada cuánto se mira si una cabecera ha cambiado, en segundos; 0, nunca")
    ] = 60

    @property
    def fichero_perfil(self) -> Path:
        """Where the prefilter's profile is."""
        return _absoluta(self.perfil) if self.perfil else self.datos / "perfil.yaml"


@lru_cache(maxsize=1)
def configuracion() -> Configuracion:
    """The settings of this process. Raises ErrorConfiguracion naming the variable that is wrong."""
    try:
        return Configuracion()
    except ValidationError as error:
        primero = error.errors()[0]
        campo = str(primero["loc"][0])
        motivo = _motivo(primero["type"], primero.get("ctx", {}))
        descripcion = Configuracion.model_fields[campo].description
        raise ErrorConfiguracion(
            f"{PREFIJO}{campo.upper()} no vale («{primero['input']}»): {motivo}. Es: {descripcion}."
        ) from error


def _motivo(tipo: str, contexto: dict[str, object]) -> str:
    frases = {
        "int_parsing": "tiene que ser un número entero",
        "float_parsing": "tiene que ser un número",
        "bool_parsing": "tiene que ser true o false",
        "decimal_parsing": "tiene que ser un número, con punto decimal",
        "literal_error": f"tiene que ser {str(contexto.get('expected')).replace(' or ', ' o ')}",
        "greater_than_equal": f"como mínimo, {contexto.get('ge')}",
        "greater_than": f"más de {contexto.get('gt')}",
        "less_than_equal": f"como máximo, {contexto.get('le')}",
        "value_error": str(contexto.get("error")),
    }
    return frases.get(tipo, "no tiene la forma debida")


def variables() -> dict[str, str]:
    """Every variable that something reads, with what it is for."""
    propias = {
        PREFIJO + nombre.upper(): campo.description or ""
        for nombre, campo in Configuracion.model_fields.items()
    }
    return propias | FUERA_DE_AQUI


def desconocidas(entorno: Iterable[str]) -> dict[str, str | None]:
    """Names in the environment with our prefix that nothing reads → the one most like it, if any.

    They are told, not refused: a unit file may carry a setting of a newer or older version.
    """
    conocidas = variables()
    return {
        nombre: next(iter(get_close_matches(nombre, conocidas, n=1, cutoff=0.75)), None)
        for nombre in sorted(entorno)
        if nombre.startswith(PREFIJO) and nombre not in conocidas
    }
