"""What can go wrong when Hermes is called, each with what the queue should do about it."""

from __future__ import annotations

from nucleo.errores import ErrorConfiguracion, ErrorRed, ErrorSobre


class HermesCaido(ErrorRed):
    """Nobody listens: nothing was sent. The job waits and spends no attempt."""

    codigo = "hermes_caido"


class HermesOcupado(ErrorRed):
    """Hermes's own limit of runs, or it is shutting down: nothing was started. Try again after `espera_s`."""

    codigo = "hermes_ocupado"

    def __init__(self, mensaje: str, espera_s: float) -> None:
        super().__init__(mensaje)
        self.espera_s = espera_s


class RespuestaPerdida(ErrorRed):
    """The request was sent and the answer never came whole: it may have had effect. Never repeat it blindly."""

    codigo = "respuesta_perdida"


class ClaveRechazada(ErrorConfiguracion):
    """Hermes does not take the profile's key: the job waits until somebody mends the configuration."""

    codigo = "hermes_clave"


class ContratoRoto(ErrorSobre):
    """Hermes answers something that is not its contract."""

    codigo = "hermes_contrato"


class ClaveReutilizada(ErrorSobre):
    """The idempotency key had been used with another request: a fault of ours, never retried."""

    codigo = "hermes_idempotencia"
