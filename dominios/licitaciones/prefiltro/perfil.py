"""Reads the prefilter's profile file, and says what in it contradicts itself."""

from __future__ import annotations

from pathlib import Path

from dominios.licitaciones.prefiltro.modelo import Perfil
from nucleo.errores import NoEncontrado
from nucleo.perfil_yaml import Incoherencia, interpretar, leer_texto


def leer_perfil(fichero: Path) -> Perfil:
    """Raises NoEncontrado when there is no file, PerfilNoValido when it is not a profile."""
    if not fichero.is_file():
        raise NoEncontrado(
            f"No hay perfil en {fichero}: copia ahí deploy/perfil.ejemplo.yaml y adáptalo, o di cuál con --perfil."
        )
    return interpretar_perfil(leer_texto(fichero), fichero.name)


def interpretar_perfil(texto: str, nombre: str = "perfil.yaml") -> Perfil:
    """The profile that the YAML text says. Raises PerfilNoValido; `nombre` is what the message calls the file."""
    return interpretar(texto, nombre, Perfil, _incoherencias)


def _incoherencias(perfil: Perfil) -> list[Incoherencia]:
    problemas = []
    minimo, maximo = perfil.importes.minimo, perfil.importes.maximo
    if minimo is not None and maximo is not None and minimo > maximo:
        problemas.append(Incoherencia(("importes", "maximo"), "es menor que el mínimo"))
    problemas += [
        Incoherencia(("cpv", "excluir"), f"la rama {rama} está también en cpv.incluir")
        for rama in sorted(set(perfil.cpv.incluir) & set(perfil.cpv.excluir))
    ]
    if not perfil.busca_algo:
        consejo = "escribe al menos una rama en cpv.incluir, una palabra, una marca o un órgano que seguir"
        problemas.append(Incoherencia((), f"no busca nada: {consejo}"))
    return problemas
