"""Job types, contexts and rows made up for the tests of the queue."""

from __future__ import annotations

from decimal import Decimal

from nucleo.cola.modelo import (
    Comprobacion,
    EstadoIntento,
    EstadoTrabajo,
    Instrucciones,
    Intento,
    Metricas,
    TipoTrabajo,
    Trabajo,
)
from nucleo.cola.reglas import Contexto, EstadoPerfil, Topes
from tests.conftest import AHORA


def instruir(trabajo: Trabajo, intento: Intento) -> Instrucciones:
    return Instrucciones(version="1", texto=f"Haz {trabajo.objeto}.", entrada=f"Intento {intento.numero}")


def nunca(trabajo: Trabajo, intento: Intento) -> Comprobacion:
    return Comprobacion(hecho=False, detalle="No ha dejado nada.")


def tipo(nombre: str = "criba", clase: int = 2, perfil: str = "licitaciones") -> TipoTrabajo:
    return TipoTrabajo(nombre=nombre, perfil=perfil, clase=clase, instruir=instruir, comprobar=nunca)


TIPOS = {t.nombre: t for t in (tipo(), tipo("ficha", clase=1), tipo("critica", clase=0, perfil="critico"))}


def contexto(a_la_vez: int = 2, topes: Topes | None = None, **motivos: str | None) -> Contexto:
    """Both profiles configured, each with its own provider, and fit unless `motivos` says why not."""
    return Contexto(
        a_la_vez=a_la_vez,
        perfiles=tuple(
            EstadoPerfil(nombre=n, proveedor=f"proveedor-{n}", motivo=motivos.get(n))
            for n in ("licitaciones", "critico")
        ),
        topes=topes or Topes(),
    )


def trabajo(**cambios: object) -> Trabajo:
    base = Trabajo(
        id=1,
        tipo="criba",
        objeto="licitacion-1",
        clave="",
        datos="{}",
        clase=2,
        vence=None,
        creado=AHORA,
        desde=AHORA,
        no_antes=AHORA,
        estado=EstadoTrabajo.PENDIENTE,
        intentos=0,
        gastados=0,
        terminado=None,
        motivo="",
    )
    return base.model_copy(update=cambios)


def intento(**cambios: object) -> Intento:
    base = Intento(
        id=1,
        trabajo_id=1,
        tipo="criba",
        numero=1,
        perfil="licitaciones",
        nonce="0" * 32,
        sesion_id="so-1-1-00000000",
        estado=EstadoIntento.CORRIENDO,
        version="1",
        texto="Haz.",
        entrada="Esto.",
        run_id="run_1",
        reservado=AHORA,
        lanzado=AHORA,
        actividad=AHORA,
        marca="",
        causa=None,
        detalle="",
        cerrado=None,
    )
    return base.model_copy(update=cambios)


def metricas(coste: str | None = "0.10") -> Metricas:
    return Metricas(
        proveedor="proveedor-licitaciones",
        modelo="modelo-a",
        entrada=1000,
        salida=200,
        coste=None if coste is None else Decimal(coste),
        incompletas=coste is None,
    )
