"""`perfil_ver`: the company's profile as an agent may read it, without anybody's personal data."""

from __future__ import annotations

from nucleo.agentes.herramientas import Contexto, Herramienta, UnaHerramienta
from nucleo.empresa.lineas import Linea, lineas
from nucleo.empresa.servicio import vigente
from nucleo.modelo import Modelo
from nucleo.registro import FICHERO

LEER_EMPRESA = "leer:empresa"


class SinArgumentos(Modelo):
    """Nothing is asked."""


class PerfilVisto(Modelo):
    """The lines of the version in force."""

    version: int
    lineas: tuple[Linea, ...]


def perfil_ver(contexto: Contexto, _: SinArgumentos) -> PerfilVisto:
    """Raises NoEncontrado when there is no profile yet."""
    guardado = vigente(contexto.leer(FICHERO))
    return PerfilVisto(version=guardado.cabecera.version, lineas=lineas(guardado.empresa))


PERFIL = Herramienta(
    nombre="perfil_ver",
    permiso=LEER_EMPRESA,
    descripcion="Da el perfil de la empresa en líneas con clave: qué hace, qué distribuye, qué NO hace, dónde y qué"
    " tamaño de contratos. Cítalas por su clave. No lleva datos personales.",
    argumentos=SinArgumentos,
    ejecutar=perfil_ver,
)
HERRAMIENTAS: tuple[UnaHerramienta, ...] = (PERFIL,)
