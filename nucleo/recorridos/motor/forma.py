"""Whether a command has the parts that its type needs, and none that belong to another."""

from __future__ import annotations

from collections.abc import Callable

from nucleo.recorridos.comandos import Comando, TipoComando
from nucleo.recorridos.errores import ErrorRecorrido
from nucleo.recorridos.motor.orden import DE_RECORRIDO, Orden

INFORMES = frozenset((TipoComando.LATIDO, TipoComando.ANOTAR, TipoComando.COMPLETAR, TipoComando.FALLAR))
"""What is said of an attempt: they name it."""

CON_SALIDAS = frozenset((TipoComando.COMPLETAR, TipoComando.RESPONDER, TipoComando.APROBAR))
CON_TRAZA = frozenset((TipoComando.ANOTAR, TipoComando.COMPLETAR, TipoComando.FALLAR))

SOLO_DE: tuple[tuple[str, frozenset[TipoComando], Callable[[Comando], bool]], ...] = (
    ("salidas", CON_SALIDAS, lambda c: c.salidas is not None),
    ("traza", CON_TRAZA, lambda c: c.traza is not None),
    ("plan", frozenset((TipoComando.PROPONER_PLAN,)), lambda c: c.plan is not None),
    ("reconciliado", frozenset((TipoComando.REINTENTAR,)), lambda c: c.reconciliado),
    ("trabajador", frozenset((TipoComando.INICIAR,)), lambda c: c.trabajador is not None),
    ("ref", frozenset((TipoComando.INICIAR,)), lambda c: c.ref is not None),
)
"""Parts that would be ignored with any other command, and so are refused."""


def exigir_forma(orden: Orden) -> None:
    """Raises ErrorRecorrido COMANDO_INVALIDO, or NO_EXISTE for an unknown step."""
    comando = orden.comando
    for parte, tipos, puesta in SOLO_DE:
        if puesta(comando) and comando.tipo not in tipos:
            raise _invalido(f"«{parte}» no va con «{comando.tipo}»: quítalo.")
    if comando.tipo in DE_RECORRIDO:
        if comando.paso is not None or comando.intento is not None:
            raise _invalido(f"«{comando.tipo}» es del recorrido entero: quita el paso y el intento.")
        if comando.tipo is TipoComando.PROPONER_PLAN and comando.plan is None:
            raise _invalido("Falta el plan que se propone.")
        return
    if comando.paso is None:
        raise _invalido(f"Falta decir de qué paso es «{comando.tipo}».")
    if comando.paso not in orden.antes.pasos:
        raise ErrorRecorrido(
            "NO_EXISTE", f"No hay ningún paso «{comando.paso}» en este plan: vuelve a leerlo."
        )
    if comando.tipo in INFORMES and comando.intento is None:
        raise _invalido(f"Falta el número de intento, que dio «iniciar»: «{comando.tipo}» es de un intento.")


def _invalido(mensaje: str) -> ErrorRecorrido:
    return ErrorRecorrido("COMANDO_INVALIDO", mensaje)
