"""What the settings say of the queue: how many at once, limits of money, and the profiles taken for fit."""

from __future__ import annotations

from nucleo.cola.reglas import Contexto, EstadoPerfil, Topes
from nucleo.configuracion import Configuracion
from nucleo.hermes.perfiles import leer_hermes


def contexto_configurado(conf: Configuracion) -> Contexto:
    """Without asking any Hermes. Raises ErrorConfiguracion when the file of profiles is wrong."""
    return Contexto(
        a_la_vez=conf.cola_a_la_vez,
        perfiles=tuple(
            EstadoPerfil(nombre=p.nombre, proveedor=p.proveedor) for p in leer_hermes(conf.hermes).perfiles
        ),
        topes=Topes(dia=conf.cola_tope_dia, mes=conf.cola_tope_mes),
        pausa_todo=conf.cola_pausa_429 == "todo",
    )
