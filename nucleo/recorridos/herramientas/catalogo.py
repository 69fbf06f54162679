"""The tools as agents find them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from nucleo.agentes.herramientas import Herramienta, UnaHerramienta
from nucleo.recorridos.api.mensajes import LEER, PROPONER
from nucleo.recorridos.casa import Casa
from nucleo.recorridos.herramientas import argumentos as arg
from nucleo.recorridos.herramientas import hacer
from nucleo.recorridos.herramientas.mostrador import Mostrador


def herramientas(casa: Callable[[Path], Casa]) -> tuple[UnaHerramienta, ...]:
    """All of them, over the installation's house."""
    mostrador = Mostrador(casa)
    return (*_que_leen(mostrador), *_del_coordinador(mostrador), *_de_un_paso(mostrador))


def _que_leen(mostrador: Mostrador) -> tuple[UnaHerramienta, ...]:
    return (
        Herramienta(
            "recorrido_listar",
            LEER,
            "Lista recorridos, los últimos primero, en una línea cada uno: estado, pasos hechos y lo que espera.",
            arg.Listar,
            mostrador.lectura(hacer.listar),
        ),
        Herramienta(
            "recorrido_leer",
            LEER,
            "Da un recorrido entero: plan, estado de cada paso con sus entradas y salidas, a quién le toca y qué puedes"
            " hacer tú ahora (`puedes`).",
            arg.Leer,
            mostrador.lectura(hacer.leer),
        ),
        Herramienta(
            "recorrido_esperar",
            LEER,
            "Espera, 20 segundos como mucho, a que un recorrido pase de la revisión que conoces. Si cambia, lo da.",
            arg.Esperar,
            mostrador.lectura(hacer.esperar),
            espera=hacer.segundos_de_espera,
        ),
    )


def _del_coordinador(mostrador: Mostrador) -> tuple[UnaHerramienta, ...]:
    return (
        Herramienta(
            "recorrido_crear",
            PROPONER,
            "Crea un recorrido con un plan tuyo, que coordinas tú: pasos que hacéis por turnos tú, el programa y las"
            " personas. El plan se comprueba entero; si no vale, dice todo lo que le pasa.",
            arg.Crear,
            mostrador.orden(hacer.crear),
        ),
        Herramienta(
            "recorrido_proponer_plan",
            PROPONER,
            "Propone otro plan para lo que queda de un recorrido que coordinas, con su motivo. Se para hasta que una"
            " persona lo acepte o lo descarte.",
            arg.ProponerPlan,
            mostrador.orden(hacer.proponer_plan),
        ),
        Herramienta(
            "continuacion_proponer",
            PROPONER,
            "Deja en borrador un texto para quien coordina el recorrido: qué habría que hacer después. Lo envía o lo"
            " descarta una persona.",
            arg.Continuar,
            mostrador.orden(hacer.continuar),
        ),
    )


def _de_un_paso(mostrador: Mostrador) -> tuple[UnaHerramienta, ...]:
    return (
        Herramienta(
            "recorrido_paso",
            PROPONER,
            "Inicia un paso tuyo o informa de él. Los pasos de personas no se tocan desde aquí: espera a que decidan.",
            arg.Paso,
            mostrador.orden(hacer.paso),
        ),
        Herramienta(
            "artefacto_registrar",
            PROPONER,
            "Guarda un fichero que deja tu intento de un paso; su identificador, art_…, es el valor de una salida de"
            " tipo artefacto.",
            arg.Artefacto,
            mostrador.orden(hacer.registrar),
        ),
    )
