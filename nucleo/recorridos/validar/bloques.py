"""Gates in pairs: each opening has one closing of its type, blocks nest, and no branch is empty or escapes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from nucleo.recorridos.errores import Problema
from nucleo.recorridos.plan import Clase, Compuerta, Paso, TipoCompuerta
from nucleo.recorridos.validar.grafo import Grafo

RUTAS_MINIMO = 2


def problemas_de_compuertas(grafo: Grafo) -> list[Problema]:
    """What is wrong with each gate by itself."""
    cierres = Counter(
        p.compuerta.abre for p in grafo.pasos.values() if p.compuerta and p.compuerta.sentido == "cierra"
    )
    problemas: list[Problema] = []
    for paso in grafo.pasos.values():
        if paso.compuerta is None:
            continue
        if paso.compuerta.sentido == "abre":
            mensajes = _de_apertura(paso, paso.compuerta, grafo)
            if cierres[paso.id] != 1:
                mensajes.append(f"necesita un solo cierre y tiene {cierres[paso.id]}")
        else:
            mensajes = _de_cierre(paso.compuerta, grafo)
        problemas += [Problema(paso=paso.id, mensaje=m) for m in mensajes]
    return problemas


def _de_apertura(paso: Paso, compuerta: Compuerta, grafo: Grafo) -> list[str]:
    destinos = [r.destino for r in compuerta.rutas]
    mensajes = []
    if len(destinos) < RUTAS_MINIMO or len(set(destinos)) != len(destinos):
        mensajes.append("una apertura tiene dos o más rutas, a pasos distintos")
    if set(destinos) != set(grafo.sucesores[paso.id]):
        mensajes.append("sus rutas tienen que ser exactamente los pasos que dependen de ella")
    if compuerta.abre is not None:
        mensajes.append("«abre» es solo de los cierres")
    if compuerta.tipo is TipoCompuerta.PARALELA:
        if compuerta.por_defecto is not None or any(r.cuando for r in compuerta.rutas):
            mensajes.append("una paralela toma todas sus rutas: sin condiciones ni ruta por defecto")
    elif compuerta.por_defecto not in destinos:
        mensajes.append("falta la ruta por defecto, que tiene que ser una de sus rutas")
    elif any((r.cuando is None) != (r.destino == compuerta.por_defecto) for r in compuerta.rutas):
        mensajes.append("todas las rutas llevan condición menos la que va por defecto")
    return mensajes


def _de_cierre(compuerta: Compuerta, grafo: Grafo) -> list[str]:
    mensajes = []
    if compuerta.rutas or compuerta.por_defecto is not None:
        mensajes.append("un cierre no tiene rutas")
    apertura = grafo.pasos.get(compuerta.abre or "")
    if apertura is None or apertura.compuerta is None or apertura.compuerta.sentido != "abre":
        mensajes.append("«abre» tiene que decir qué apertura cierra")
    elif apertura.compuerta.tipo is not compuerta.tipo:
        mensajes.append(f"cierra «{apertura.id}», que es {apertura.compuerta.tipo}, y él es {compuerta.tipo}")
    return mensajes


@dataclass
class Bloques:
    """`ramas`: step → {opening that may skip it: first step of its branch}."""

    grafo: Grafo
    ramas: dict[str, dict[str, str]]
    problemas: list[Problema] = field(default_factory=list)
    vistos: set[str] = field(default_factory=set)

    def anotar(self, paso: str, mensaje: str) -> None:
        """One more problem."""
        self.problemas.append(Problema(paso=paso, mensaje=mensaje))

    def recorrer(self, desde: str, hasta: str | None, cierres: Mapping[str, str]) -> list[str]:
        """The steps from one to the other (not included); it stops at the first thing that does not nest."""
        rama: list[str] = []
        actual = desde
        while actual != hasta:
            paso = self.grafo.pasos[actual]
            if actual in self.vistos:
                self.anotar(
                    actual, "se llega a él por dos ramas que no se han cerrado: los bloques se cruzan"
                )
                return rama
            if paso.clase is Clase.FIN:
                self.vistos.add(actual)
                if hasta is not None:
                    self.anotar(actual, f"una rama llega aquí sin pasar por su cierre «{hasta}»")
                return rama
            if paso.compuerta and paso.compuerta.sentido == "cierra":
                self.anotar(actual, "se llega a este cierre sin haber pasado por su apertura")
                return rama
            self.vistos.add(actual)
            rama.append(actual)
            if paso.compuerta:
                cierre = cierres[actual]
                rama += self._bloque(paso, paso.compuerta, cierre, cierres)
                if cierre in self.vistos:
                    self.anotar(
                        cierre, "se llega a él por dos ramas que no se han cerrado: los bloques se cruzan"
                    )
                    return rama
                self.vistos.add(cierre)
                rama.append(cierre)
                actual = cierre
            actual = self.grafo.sucesores[actual][0]
        return rama

    def _bloque(self, paso: Paso, compuerta: Compuerta, cierre: str, cierres: Mapping[str, str]) -> list[str]:
        dentro: list[str] = []
        if len(self.grafo.pasos[cierre].dependencias) != len(compuerta.rutas):
            self.anotar(
                cierre, f"tiene que reunir las {len(compuerta.rutas)} ramas de «{paso.id}», y nada más"
            )
        for ruta in compuerta.rutas:
            if ruta.destino == cierre:
                self.anotar(paso.id, "tiene una rama sin pasos")
                continue
            rama = self.recorrer(ruta.destino, cierre, cierres)
            if compuerta.tipo is not TipoCompuerta.PARALELA:
                for i in rama:
                    self.ramas[i][paso.id] = ruta.destino
            dentro += rama
        return dentro


def bloques_de(grafo: Grafo) -> Bloques:
    """The blocks of a graph without other problems, or what does not nest."""
    cierres = {
        p.compuerta.abre: p.id
        for p in grafo.pasos.values()
        if p.compuerta and p.compuerta.sentido == "cierra" and p.compuerta.abre
    }
    bloques = Bloques(grafo=grafo, ramas={i: {} for i in grafo.pasos})
    inicio = next(i for i, p in grafo.pasos.items() if p.clase is Clase.INICIO)
    bloques.recorrer(inicio, None, cierres)
    if not bloques.problemas:
        for i in grafo.pasos:
            if i not in bloques.vistos:
                bloques.anotar(i, "no se llega a él desde el inicio")
    return bloques
