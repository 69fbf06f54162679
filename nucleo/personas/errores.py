"""What goes wrong when somebody tries to come in."""

from __future__ import annotations

from nucleo.errores import ErrorSobre


class ErrorAcceso(ErrorSobre):
    """Not let in. `espera_s`: seconds before trying again can help; None when it was the name or the password."""

    codigo = "credenciales"

    def __init__(self, mensaje: str, espera_s: int | None = None) -> None:
        super().__init__(mensaje, codigo="espera" if espera_s is not None else None)
        self.espera_s = espera_s
