"""Where each value comes from: it must be there, be of its type, and never depend on a branch that may be skipped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pydantic import JsonValue

from nucleo.recorridos.errores import Problema
from nucleo.recorridos.plan import (
    Condicion,
    Contexto,
    Entrada,
    Literal_,
    Operador,
    Paso,
    Plan,
    Puerto,
    Salida,
    Tipo,
)
from nucleo.recorridos.validar.grafo import Grafo
from nucleo.recorridos.valores import CONTEXTO_MAXIMO, Esquemas, problema_de, tamano

CON_ESQUEMA = frozenset((Tipo.OBJETO, Tipo.LISTA))
CON_MEDIDA = frozenset((Tipo.NUMERO, Tipo.ENTERO, Tipo.FECHA, Tipo.IMPORTE))
EN_MAXIMO = 50

Ramas = Mapping[str, Mapping[str, str]]


def problemas_de_puertos(plan: Plan, grafo: Grafo, esquemas: Esquemas) -> list[Problema]:
    """Ports repeated or badly declared, and a context that is too large."""
    problemas = [
        Problema(paso=paso.id, mensaje=m)
        for paso in grafo.pasos.values()
        for puertos in (paso.entradas, paso.salidas)
        for m in _repetidos(puertos) + [m for p in puertos for m in _declaracion(p, esquemas)]
    ]
    if tamano(plan.contexto) > CONTEXTO_MAXIMO:
        problemas.append(
            Problema(paso=None, mensaje="el contexto pasa de 64 KiB: pon el documento como artefacto")
        )
    return problemas


@dataclass(frozen=True)
class Datos:
    """A plan's data seen whole. Without `ramas` (the blocks are wrong) what may be skipped is left unsaid."""

    plan: Plan
    grafo: Grafo
    esquemas: Esquemas
    ramas: Ramas | None

    def problemas(self) -> list[Problema]:
        """Origins and conditions that do not hold."""
        return [
            Problema(paso=paso.id, mensaje=f"{donde}: {mensaje}")
            for paso in self.grafo.pasos.values()
            for donde, mensaje in self._de_paso(paso)
            if mensaje
        ]

    def _de_paso(self, paso: Paso) -> Iterator[tuple[str, str | None]]:
        for entrada in paso.entradas:
            yield f"entrada «{entrada.nombre}»", self._origen(paso, entrada)
        for ruta in paso.compuerta.rutas if paso.compuerta else ():
            if ruta.cuando:
                yield f"ruta a «{ruta.destino}»", self._condicion(paso, ruta.cuando)

    def _origen(self, paso: Paso, entrada: Entrada) -> str | None:
        match entrada.origen:
            case None:
                return "es necesaria y no tiene origen" if entrada.requerido else None
            case Literal_(valor=valor):
                return _valor(entrada, valor, self.esquemas)
            case Contexto(clave=clave):
                if clave not in self.plan.contexto:
                    return f"el contexto no tiene «{clave}»" if entrada.requerido else None
                return _valor(entrada, self.plan.contexto[clave], self.esquemas)
            case Salida() as origen:
                fuente = self._fuente(paso, origen.paso, origen.salida)
                if isinstance(fuente, str):
                    return fuente
                return _encaja(entrada, fuente) or self._asegurada(paso, entrada, fuente, origen)

    def _fuente(self, paso: Paso, de: str, salida: str) -> Puerto | str:
        """The port that it reads, or why it cannot."""
        if de not in self.grafo.pasos:
            return f"lee de «{de}», que no existe"
        if de not in self.grafo.ancestros[paso.id] or de == paso.id:
            return f"lee de «{de}», que no va antes"
        for puerto in self.grafo.pasos[de].salidas:
            if puerto.nombre == salida:
                return puerto
        return f"«{de}» no deja ninguna salida «{salida}»"

    def _asegurada(self, paso: Paso, entrada: Entrada, fuente: Puerto, origen: Salida) -> str | None:
        if not entrada.requerido:
            return None
        if not fuente.requerido:
            return f"es necesaria y «{origen.paso}.{origen.salida}» es opcional"
        if self.ramas is not None:
            for apertura, rama in self.ramas[origen.paso].items():
                if self.ramas[paso.id].get(apertura) != rama:
                    return f"es necesaria y «{origen.paso}» puede omitirse según «{apertura}»"
        return None

    def _condicion(self, paso: Paso, condicion: Condicion) -> str | None:
        fuente = self._fuente(paso, condicion.paso, condicion.salida)
        if isinstance(fuente, str):
            return fuente
        match condicion.op:
            case Operador.EXISTE:
                return (
                    None if condicion.valor is None or condicion.valor is True else "«existe» no lleva valor"
                )
            case Operador.EN:
                return _lista_de(fuente, condicion.valor, self.esquemas)
            case Operador.MAYOR | Operador.MENOR if fuente.tipo not in CON_MEDIDA:
                return f"«{condicion.op}» compara números, fechas o importes, y la salida es de tipo {fuente.tipo}"
            case _:
                return _comparable(fuente) or problema_de(fuente, condicion.valor, self.esquemas)


def _repetidos(puertos: tuple[Puerto, ...]) -> list[str]:
    veces = Counter(p.nombre for p in puertos)
    return [f"el puerto «{nombre}» se repite" for nombre, n in veces.items() if n > 1]


def _declaracion(puerto: Puerto, esquemas: Esquemas) -> list[str]:
    mensajes = []
    if puerto.tipo is not Tipo.OPCION and puerto.opciones:
        mensajes.append(f"«{puerto.nombre}» lleva opciones sin ser de tipo opcion")
    if puerto.tipo is Tipo.OPCION and not _bien_puestas(puerto.opciones):
        mensajes.append(f"«{puerto.nombre}» necesita opciones, sin repetir")
    if puerto.esquema is not None:
        if puerto.tipo not in CON_ESQUEMA:
            mensajes.append(f"«{puerto.nombre}» lleva esquema, que es de objetos y listas")
        elif puerto.esquema not in esquemas:
            mensajes.append(f"«{puerto.nombre}» usa el esquema «{puerto.esquema}», que no está registrado")
    return mensajes


def _bien_puestas(opciones: tuple[str, ...]) -> bool:
    return bool(opciones) and len(set(opciones)) == len(opciones)


def _valor(puerto: Puerto, valor: JsonValue, esquemas: Esquemas) -> str | None:
    if puerto.esquema is not None and puerto.esquema not in esquemas:
        return None  # already told
    return problema_de(puerto, valor, esquemas)


def _encaja(entrada: Entrada, fuente: Puerto) -> str | None:
    if entrada.tipo is not fuente.tipo:
        return f"es de tipo {entrada.tipo} y lo que lee es de tipo {fuente.tipo}"
    if entrada.tipo is Tipo.OPCION and not set(fuente.opciones) <= set(entrada.opciones):
        return "sus opciones no incluyen todas las de lo que lee"
    if entrada.esquema is not None and entrada.esquema != fuente.esquema:
        return f"pide el esquema «{entrada.esquema}», y lo que lee no lo lleva"
    return None


def _lista_de(fuente: Puerto, valor: JsonValue, esquemas: Esquemas) -> str | None:
    if not isinstance(valor, list) or not 0 < len(valor) <= EN_MAXIMO:
        return f"«en» lleva una lista de 1 a {EN_MAXIMO} valores"
    return _comparable(fuente) or next(
        (problema for uno in valor if (problema := problema_de(fuente, uno, esquemas))), None
    )


def _comparable(fuente: Puerto) -> str | None:
    if fuente.tipo in CON_ESQUEMA:
        return f"una salida de tipo {fuente.tipo} solo se puede mirar con «existe»"
    return None
