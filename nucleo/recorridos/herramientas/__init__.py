"""The tools of the runs for agents: they read, report on their own steps and propose. None of them decides."""

from nucleo.recorridos.herramientas.catalogo import herramientas

__all__ = ["herramientas"]
