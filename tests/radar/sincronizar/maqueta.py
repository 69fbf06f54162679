"""A channel in miniature for the planner's tests: instants are hours, items are pairs, no bytes and no network."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from dominios.licitaciones.radar.sincronizar.modelo import (
    Alarma,
    Ausente,
    Cabecera,
    CabeceraLeida,
    Estado,
    Fallida,
    Leida,
    Marcha,
    MesesAusentes,
    MesesLeidos,
    PedirCabecera,
    PedirMeses,
    PedirPagina,
    Reglas,
    SinCambios,
    Suceso,
    Terminar,
)
from dominios.licitaciones.radar.sincronizar.plan import avanzar, empezar

CABECERA = "cabecera"
REGLAS = Reglas(margen=48, primera=10**6, minimo=0)
ALARMA = Alarma(codigo="pagina_inaccesible", mensaje="No se puede leer.")


class Cosa(NamedTuple):
    """An item: its instant and a serial number."""

    instante: int
    numero: int


@dataclass
class Hoja:
    """A frozen page."""

    nombre: str
    cosas: list[Cosa]


@dataclass
class Maqueta:
    """The server: `ahora` in hours, head, frozen pages newest first, and the instant up to which ZIPs go.

    `perdidas`: pages that are linked and not there. `bucle`: the last page links to the newest frozen one.
    """

    por_pagina: int = 3
    ahora: int = 1000
    cabeza: list[Cosa] = field(default_factory=list)
    hojas: list[Hoja] = field(default_factory=list)
    zip_hasta: int | None = None
    perdidas: set[str] = field(default_factory=set)
    bucle: bool = False
    serie: int = 0
    edicion: int = 0

    def anotar(self, cuantas: int) -> None:
        """New items now; full pages freeze."""
        for _ in range(cuantas):
            self.serie += 1
            self.cabeza.insert(0, Cosa(self.ahora, self.serie))
        while len(self.cabeza) > self.por_pagina:
            self.hojas.insert(0, Hoja(self._nombre(), self.cabeza[-self.por_pagina :]))
            self.cabeza = self.cabeza[: -self.por_pagina]
        self.edicion += 1

    def colar(self, retraso: int, renombra: bool) -> None:
        """A late item, where its instant belongs."""
        self.serie += 1
        tardia = Cosa(self.ahora - retraso, self.serie)
        hoja = next((h for h in self.hojas if h.cosas and h.cosas[0].instante >= tardia.instante), None)
        destino = self.cabeza if hoja is None else hoja.cosas
        destino.append(tardia)
        destino.sort(reverse=True)
        if hoja is not None and renombra:
            hoja.nombre = self._nombre()
        self.edicion += 1

    def renombrar(self, cual: int) -> None:
        """A frozen page changes its name."""
        if self.hojas:
            self.hojas[cual % len(self.hojas)].nombre = self._nombre()
            self.edicion += 1

    @property
    def cosas(self) -> set[Cosa]:
        """Everything published."""
        return {*self.cabeza, *(c for h in self.hojas for c in h.cosas)}

    def leer(self, nombre: str) -> tuple[Leida, list[Cosa]] | None:
        """A page, or None when nothing has that name."""
        nombres = [CABECERA, *(h.nombre for h in self.hojas)]
        if nombre not in nombres or nombre in self.perdidas:
            return None
        i = nombres.index(nombre)
        cosas = list(self.hojas[i - 1].cosas if i else self.cabeza)
        instantes = [c.instante for c in cosas]
        return (
            Leida(
                url=nombre,
                siguiente=[*nombres, nombres[1] if self.bucle else None][i + 1],
                maximo=max(instantes, default=None),
                minimo=min(instantes, default=None),
                cosas=len(cosas),
            ),
            cosas,
        )

    def _nombre(self) -> str:
        self.edicion += 1
        return f"hoja-{self.edicion}"


class Azar(Enum):
    """What befalls one request."""

    BIEN = "bien"
    FALLA = "falla"
    AUSENTE = "ausente"
    MUERTE = "muerte"


@dataclass
class Lector:
    """The driver in miniature: what is stored and the state beside it change together or not at all."""

    maqueta: Maqueta
    reglas: Reglas = REGLAS
    estado: Estado = field(default_factory=Estado)
    almacen: set[Cosa] = field(default_factory=set)
    pedidas: list[str] = field(default_factory=list)

    def pasar(
        self, azar: Callable[[], Azar] = lambda: Azar.BIEN, entre: Callable[[], None] = lambda: None
    ) -> Marcha | None:
        """One pass. None when it was killed; `entre` runs between two requests."""
        marcha = empezar(self.estado)
        for _ in range(500):
            if isinstance(marcha.accion, Terminar):
                self.estado = marcha.estado
                return marcha
            suerte = azar()
            if suerte is Azar.MUERTE:
                return None
            suceso, cosas = self._atender(marcha, suerte)
            if marcha.accion == PedirCabecera() and isinstance(suceso, Fallida | Ausente):
                return marcha
            marcha = avanzar(marcha, suceso, self.reglas, self.maqueta.ahora)
            self.almacen |= cosas
            self.estado = marcha.estado
            entre()
        raise AssertionError("la pasada no acaba")

    def _atender(self, marcha: Marcha, suerte: Azar) -> tuple[Suceso, set[Cosa]]:
        match marcha.accion:
            case PedirMeses():
                return self._meses(marcha.accion, suerte)
            case PedirCabecera():
                conocida = self.estado.cabecera
                if not marcha.accion.de_nuevo and conocida and conocida.etag == str(self.maqueta.edicion):
                    return SinCambios(), set()
                nombre = CABECERA
            case PedirPagina():
                nombre = marcha.accion.url
        self.pedidas.append(nombre)
        hallada = self.maqueta.leer(nombre)
        if suerte is Azar.FALLA:
            return Fallida(alarma=ALARMA), set()
        if suerte is Azar.AUSENTE or hallada is None:
            return Ausente(alarma=ALARMA), set()
        pagina, cosas = hallada
        if isinstance(marcha.accion, PedirCabecera):
            cabecera = Cabecera(
                etag=str(self.maqueta.edicion), last_modified=None, instante=self.maqueta.ahora
            )
            return CabeceraLeida(pagina=pagina, cabecera=cabecera), set(cosas)
        return pagina, set(cosas)

    def _meses(self, accion: PedirMeses, suerte: Azar) -> tuple[Suceso, set[Cosa]]:
        hasta = self.maqueta.zip_hasta
        if hasta is None or suerte is not Azar.BIEN:
            return MesesAusentes(alarma=ALARMA), set()
        return MesesLeidos(hasta=hasta), {
            c for c in self.maqueta.cosas if accion.desde <= c.instante <= hasta
        }


def con_paginas(paginas: int, cada_h: int = 24) -> Maqueta:
    """A head and `paginas` frozen pages, three items every `cada_h` hours."""
    maqueta = Maqueta()
    for _ in range(paginas + 1):
        maqueta.ahora += cada_h
        maqueta.anotar(3)
    return maqueta


def guion(*suertes: Azar) -> Callable[[], Azar]:
    """These, one per request, and then all goes well."""
    resto = list(suertes)
    return lambda: resto.pop(0) if resto else Azar.BIEN
