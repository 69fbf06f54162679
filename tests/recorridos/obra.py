"""Small plans written by hand, and a run on them that is easy to lead."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from nucleo.recorridos import motor
from nucleo.recorridos.casa import Casa
from nucleo.recorridos.comandos import Actor, Comando, TipoComando
from nucleo.recorridos.estado import Cambio, EstadoPaso
from nucleo.recorridos.motor import Nuevo
from nucleo.recorridos.plan import Clase, Compuerta, Condicion, Paso, Plan, Puerto, Ruta, Tipo, TipoCompuerta
from nucleo.recorridos.validar import validar
from tests.recorridos.planes import CASA
from tests.recorridos.secuencias import BEA, HERMES

INICIO = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
SI = Puerto(nombre="si", tipo=Tipo.BOOLEANO, requerido=True)


def paso(i: str, clase: Clase, *antes: str, **partes: object) -> Paso:
    """A step named as its id."""
    return Paso.model_validate(
        {"id": i, "titulo": f"Paso {i}", "clase": clase, "dependencias": antes, **partes}
    )


def abre(i: str, tipo: TipoCompuerta, antes: str, *rutas: Ruta, por_defecto: str | None = None) -> Paso:
    """An opening."""
    return paso(
        i,
        Clase.COMPUERTA,
        antes,
        compuerta=Compuerta(tipo=tipo, sentido="abre", rutas=rutas, por_defecto=por_defecto),
    )


def cierra(i: str, tipo: TipoCompuerta, abre_: str, *antes: str) -> Paso:
    """Its closing."""
    return paso(i, Clase.COMPUERTA, *antes, compuerta=Compuerta(tipo=tipo, sentido="cierra", abre=abre_))


def si(destino: str, de: str, valor: bool = True) -> Ruta:
    """A route taken when the step `de` left that."""
    return Ruta(destino=destino, cuando=Condicion(paso=de, salida="si", valor=valor))


def plan(*pasos: Paso, **partes: object) -> Plan:
    """A plan from `ini` to `fin`, which comes after the last of the steps."""
    todos = (paso("ini", Clase.INICIO), *pasos, paso("fin", Clase.FIN, pasos[-1].id))
    return Plan.model_validate({"titulo": "Plan", "pasos": todos, **partes})


class Obra:
    """A run that goes on by short orders; every accepted one leaves its `cambio`."""

    def __init__(
        self, plan_: Plan, *, coordinador: str = "hermes", actor: Actor = BEA, casa: Casa = CASA
    ) -> None:
        self.casa = casa
        self.plan = validar(plan_, casa)
        self.ahora = INICIO
        self.cambio: Cambio = motor.crear(
            self.plan, Nuevo(id="r", coordinador=coordinador), actor, self.ahora
        )
        self.foto = self.cambio.recorrido
        self.numero = 0

    def __getitem__(self, i: str) -> EstadoPaso:
        return self.foto.pasos[i]

    def manda(self, actor: Actor, tipo: TipoComando, paso_: str | None = None, **partes: object) -> Cambio:
        """Raises ErrorRecorrido. Persons look at the present revision unless another is given."""
        self.numero += 1
        comando = Comando.model_validate(
            {
                "comando_id": f"c{self.numero}",
                "tipo": tipo,
                "paso": paso_,
                "revision": self.foto.revision,
                **partes,
            }
        )
        self.cambio = motor.aplicar(self.plan, self.foto, comando, actor, self.casa, self.ahora)
        self.foto = self.cambio.recorrido
        if self.cambio.plan_nuevo is not None:
            self.plan = validar(self.cambio.plan_nuevo, self.casa)
        return self.cambio

    def hace(self, i: str, actor: Actor = HERMES, **salidas: object) -> Cambio:
        """Begin a machine step and complete it."""
        self.manda(actor, TipoComando.INICIAR, i)
        return self.manda(
            actor, TipoComando.COMPLETAR, i, intento=self[i].intento, salidas=salidas, mensaje="hecho"
        )

    def pasan(self, segundos: float) -> None:
        """Time goes by (or back)."""
        self.ahora += timedelta(seconds=segundos)
