"""`estado_cola`: how the queue stands, as an agent may know it: figures, what is stopped, and its own jobs."""

from __future__ import annotations

from datetime import datetime, timedelta

from nucleo.agentes.herramientas import Contexto, Herramienta, UnaHerramienta
from nucleo.bd import FICHERO_COMUN
from nucleo.cola import almacen
from nucleo.cola.frenos import almacen as frenos
from nucleo.cola.modelo import Ambito, EstadoIntento, EstadoTrabajo, Freno, Intento
from nucleo.modelo import Modelo
from nucleo.reloj import MADRID

LEER_COLA = "leer:cola"


class SinArgumentos(Modelo):
    """Nothing is asked."""


class Cuenta(Modelo):
    """How many jobs of a type stand in a state."""

    tipo: str
    estado: EstadoTrabajo
    cuantos: int


class FrenoVisto(Modelo):
    """What is stopped and why. `hasta` in Madrid time, None = until a person says so."""

    ambito: Ambito
    nombre: str
    hasta: datetime | None
    motivo: str


class Propio(Modelo):
    """A job under way given to whoever asks; without its nonce, which its instructions alone say."""

    trabajo: int
    tipo: str
    objeto: str
    intento: int
    estado: EstadoIntento
    segundos: int


class ColaVista(Modelo):
    """`tuyos` are the jobs under way of whoever asks: of others' only the figures are told."""

    cuentas: tuple[Cuenta, ...]
    frenos: tuple[FrenoVisto, ...]
    tuyos: tuple[Propio, ...]


def estado_cola(contexto: Contexto, _: SinArgumentos) -> ColaVista:
    """As it is now."""
    con, ahora, quien = contexto.leer(FICHERO_COMUN), contexto.reloj(), contexto.agente.nombre
    abiertos = [(i, almacen.trabajo(con, i.trabajo_id)) for i in almacen.abiertos(con) if i.perfil == quien]
    return ColaVista(
        cuentas=tuple(
            Cuenta(tipo=tipo, estado=EstadoTrabajo(estado), cuantos=n)
            for (tipo, estado), n in sorted(almacen.contar(con).items())
        ),
        frenos=tuple(_freno(f) for f in frenos.todos(con) if f.vigente(ahora) and _le_toca(f, quien)),
        tuyos=tuple(_propio(i, t.objeto, ahora) for i, t in abiertos if t is not None),
    )


def _le_toca(freno: Freno, quien: str) -> bool:
    return freno.ambito is not Ambito.PERFIL or freno.nombre == quien


def _freno(freno: Freno) -> FrenoVisto:
    hasta = None if freno.hasta is None else freno.hasta.astimezone(MADRID)
    return FrenoVisto(ambito=freno.ambito, nombre=freno.nombre, hasta=hasta, motivo=freno.motivo)


def _propio(intento: Intento, objeto: str, ahora: datetime) -> Propio:
    return Propio(
        trabajo=intento.trabajo_id,
        tipo=intento.tipo,
        objeto=objeto,
        intento=intento.numero,
        estado=intento.estado,
        segundos=max(0, (ahora - intento.reservado) // timedelta(seconds=1)),
    )


ESTADO = Herramienta(
    nombre="estado_cola",
    permiso=LEER_COLA,
    descripcion="Dice cómo está la cola de trabajos: cuántos hay de cada tipo y estado, qué está parado y por qué, y"
    " cuáles de los que están en marcha son tuyos. De los demás solo da cuentas.",
    argumentos=SinArgumentos,
    ejecutar=estado_cola,
)
HERRAMIENTAS: tuple[UnaHerramienta, ...] = (ESTADO,)
