"""Short ways of writing the template's ports and gates; an input copies the type of the output that it reads."""

from __future__ import annotations

from nucleo.recorridos.plan import (
    Clase,
    Compuerta,
    Condicion,
    Entrada,
    Formulario,
    Paso,
    Puerto,
    Ruta,
    Salida,
    Tipo,
    TipoCompuerta,
)

LICITACIONES = "licitaciones"
OFERTA = "oferta"
CRITICO = "critico"
"""Hermes profiles; the critic's is another one, so that whoever writes never judges itself."""


def deja(nombre: str, tipo: Tipo, etiqueta: str, descripcion: str) -> Puerto:
    """What a machine step always leaves; `etiqueta` is how people are shown it."""
    return Puerto(
        nombre=nombre,
        tipo=tipo,
        requerido=True,
        descripcion=descripcion,
        formulario=Formulario(etiqueta=etiqueta),
    )


def lee(paso: Paso, salida: str, *, siempre: bool = True, como: str | None = None) -> Entrada:
    """That output of an earlier step, under its own name or `como`; not `siempre` when its branch may be skipped."""
    puerto = next(p for p in paso.salidas if p.nombre == salida)
    return Entrada(
        nombre=como or salida,
        tipo=puerto.tipo,
        requerido=siempre and puerto.requerido,
        opciones=puerto.opciones,
        esquema=puerto.esquema,
        descripcion=puerto.descripcion,
        formulario=Formulario(etiqueta=puerto.formulario.etiqueta) if puerto.formulario else None,
        origen=Salida(paso=paso.id, salida=salida),
    )


def si(paso: Paso, salida: str, valor: bool | str, destino: str, etiqueta: str) -> Ruta:
    """A way taken when that output has that value."""
    cuando = Condicion(paso=paso.id, salida=salida, valor=valor)
    return Ruta(destino=destino, cuando=cuando, etiqueta=etiqueta)


def abre(paso: str, titulo: str, trabajo: str, tras: str, compuerta: Compuerta) -> Paso:
    """The opening of a block."""
    return Paso(
        id=paso,
        titulo=titulo,
        clase=Clase.COMPUERTA,
        trabajo=trabajo,
        dependencias=(tras,),
        compuerta=compuerta,
    )


def cierra(paso: str, titulo: str, trabajo: str, apertura: Paso, ramas: tuple[str, ...]) -> Paso:
    """The closing of that block, after the last step of each branch."""
    tipo = apertura.compuerta.tipo if apertura.compuerta else TipoCompuerta.PARALELA
    return Paso(
        id=paso,
        titulo=titulo,
        clase=Clase.COMPUERTA,
        trabajo=trabajo,
        dependencias=ramas,
        compuerta=Compuerta(tipo=tipo, sentido="cierra", abre=apertura.id),
    )
