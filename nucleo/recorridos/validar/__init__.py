"""Whether a plan can be carried out, with everything that is wrong said at once."""

from nucleo.recorridos.validar.plan_valido import PlanValido
from nucleo.recorridos.validar.validar import validar

__all__ = ["PlanValido", "validar"]
