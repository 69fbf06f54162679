"""What the agent is told besides its type's instructions: which job and attempt it works for."""

from __future__ import annotations

from nucleo.cola.modelo import Instrucciones, Intento

_PIE = """

## Identificación del encargo
Cada vez que una herramienta pida `trabajo` y `nonce`, da exactamente estos:
- trabajo: {trabajo}
- nonce: {nonce}
Solo valen para este encargo. No los copies en ningún otro texto.
"""


def completar(instrucciones: Instrucciones, intento: Intento) -> Instrucciones:
    """The same with job and nonce at the end of the instructions, which no foreign text reaches."""
    pie = _PIE.format(trabajo=intento.trabajo_id, nonce=intento.nonce)
    return instrucciones.model_copy(update={"texto": instrucciones.texto.rstrip() + pie})
