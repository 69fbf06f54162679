"""One pass over a channel: asks for what the planner says and stores page and plan together, or neither."""

from __future__ import annotations

import sqlite3

from dominios.licitaciones.radar.almacen import Recuento, entrenar_si_hay_bastantes, guardar_pagina
from dominios.licitaciones.radar.importar import sumar
from dominios.licitaciones.radar.modelo import Modelo
from dominios.licitaciones.radar.sincronizar import almacen, frescura
from dominios.licitaciones.radar.sincronizar.almacen import Clave, UltimaPasada
from dominios.licitaciones.radar.sincronizar.fuentes import Canal
from dominios.licitaciones.radar.sincronizar.medios import Medios
from dominios.licitaciones.radar.sincronizar.modelo import (
    Alarma,
    CabeceraLeida,
    Leida,
    Marcha,
    Reglas,
    Terminar,
)
from dominios.licitaciones.radar.sincronizar.peticiones import Hecho, Peticiones
from dominios.licitaciones.radar.sincronizar.plan import avanzar, empezar
from nucleo.bd import fichero_de, transaccion
from nucleo.candado import candado
from nucleo.errores import ErrorRed
from nucleo.reloj import a_micros, desde_micros


class ResumenPasada(Modelo):
    """The contract of `sobre radar sincronizar --json`. `marca` in ISO-8601, UTC; None until a first pass is whole."""

    fuente: str
    paginas: int
    entradas: int
    lapidas: int
    versiones_nuevas: int
    sin_cambios: int
    cuarentena: int
    zona_conocida_alcanzada: bool
    marca: str | None
    alarmas: tuple[Alarma, ...]


async def pasar(con: sqlite3.Connection, canal: Canal, medios: Medios, reglas: Reglas) -> ResumenPasada:
    """Read what is new in the channel and go on with what was left pending.

    Raises ErrorRed (FuenteIlegible, DestinoProhibido) when the head itself cannot be read: nothing has changed then.
    Any other page that cannot be read is an alarm. Killed at any moment, the next pass goes on from the last page.
    Raises Ocupado when another pass over the same dataset is under way.
    """
    ocupado = f"Ya hay una pasada en marcha sobre la fuente {canal.fuente}: espera a que acabe."
    with candado(fichero_de(con).with_name(f".sincronizar-{canal.fuente}.candado"), ocupado):
        conductor = _Conductor(con, canal, medios, reglas)
        try:
            return await conductor.conducir()
        except ErrorRed as error:
            conductor.anotar_final((), completa=False, error=error.mensaje)
            raise


class _Conductor:
    """The pass under way: counts, and the pages already seen in it."""

    def __init__(self, con: sqlite3.Connection, canal: Canal, medios: Medios, reglas: Reglas) -> None:
        self.con = con
        self.canal = canal
        self.medios = medios
        self.reglas = reglas
        self.clave = Clave(canal.fuente, canal.url)
        self.peticiones = Peticiones(con, canal, medios)
        self.recuentos: list[Recuento] = []
        self.paginas = 0
        self.vistas: set[tuple[str, bytes]] = set()

    async def conducir(self) -> ResumenPasada:
        """Follow the plan to its end."""
        marcha = empezar(almacen.leer_estado(self.con, self.clave))
        while not isinstance(marcha.accion, Terminar):
            hecho = await self.peticiones.atender(marcha)
            marcha = self._guardar(marcha, hecho)
        alarmas = (*marcha.alarmas, *self._frescura(marcha))
        self.anotar_final(alarmas, completa=marcha.accion.completa, error=None)
        return self._resumir(marcha, marcha.accion, alarmas)

    def anotar_final(self, alarmas: tuple[Alarma, ...], *, completa: bool, error: str | None) -> None:
        """Write down how the pass ended."""
        with transaccion(self.con):
            almacen.anotar_pasada(
                self.con,
                UltimaPasada(
                    *self.clave,
                    terminada=self.medios.reloj().isoformat(),
                    completa=completa,
                    paginas=self.paginas,
                    versiones_nuevas=sumar(self.recuentos).versiones_nuevas,
                    alarmas=alarmas,
                    error=error,
                ),
            )

    def _guardar(self, marcha: Marcha, hecho: Hecho) -> Marcha:
        """The page, the memory of it and where the walk goes on: all in one transaction."""
        ahora = self.medios.reloj()
        leida = hecho.suceso.pagina if isinstance(hecho.suceso, CabeceraLeida) else hecho.suceso
        with transaccion(self.con):
            if hecho.pagina is not None:
                recuento = guardar_pagina(self.con, hecho.pagina, ahora)
                entrenar_si_hay_bastantes(self.con, ahora)
            else:
                recuento = hecho.recuento or sumar(())
            if isinstance(leida, Leida):
                almacen.anotar_pagina(self.con, leida, hecho.huella, hecho.instante)
                almacen.resolver_ilegibles(self.con, leida.url, ahora)
            siguiente = avanzar(marcha, hecho.suceso, self.reglas, a_micros(ahora))
            almacen.guardar_estado(self.con, self.clave, siguiente.estado)
        if isinstance(leida, Leida):
            self._contar(leida, hecho.huella, recuento)
        else:
            self.recuentos.append(recuento)
        return siguiente

    def _contar(self, leida: Leida, huella: bytes, recuento: Recuento) -> None:
        """A page met twice in the same pass counts once."""
        if (leida.url, huella) in self.vistas:
            return
        self.vistas.add((leida.url, huella))
        self.paginas += 1
        self.recuentos.append(recuento)
        self.medios.avance(
            f"{leida.url}: {recuento.entradas} entradas, {recuento.lapidas} lápidas,"
            f" {recuento.versiones_nuevas} versiones nuevas"
        )

    def _frescura(self, marcha: Marcha) -> tuple[Alarma, ...]:
        publicada = marcha.estado.cabecera.instante if marcha.estado.cabecera else None
        alarma = frescura.comprobar(publicada, a_micros(self.medios.reloj()), self.canal.frescura)
        return () if alarma is None else (alarma,)

    def _resumir(self, marcha: Marcha, final: Terminar, alarmas: tuple[Alarma, ...]) -> ResumenPasada:
        total = sumar(self.recuentos)
        marca = marcha.estado.marca
        return ResumenPasada(
            fuente=self.canal.fuente,
            paginas=self.paginas,
            **total.model_dump(),
            zona_conocida_alcanzada=final.completa,
            marca=None if marca is None else desde_micros(marca).isoformat(),
            alarmas=alarmas,
        )
