"""The requests of a pass: what the planner asks for becomes an answer that the planner understands."""

from __future__ import annotations

import sqlite3
from hashlib import sha256
from typing import NamedTuple

from dominios.licitaciones.radar.almacen import Recuento, diccionario_vigente, pagina_conocida
from dominios.licitaciones.radar.apartado.almacen import Procedencia, guardar_cuarentena
from dominios.licitaciones.radar.importar import sumar
from dominios.licitaciones.radar.procesar import PaginaLeida
from dominios.licitaciones.radar.sincronizar import almacen
from dominios.licitaciones.radar.sincronizar.fuentes import Canal
from dominios.licitaciones.radar.sincronizar.lectura import (
    absoluta,
    alarma_de,
    ausencia,
    rechazar_vacia,
    resumir,
)
from dominios.licitaciones.radar.sincronizar.medios import Medios
from dominios.licitaciones.radar.sincronizar.modelo import (
    Ausente,
    Cabecera,
    CabeceraLeida,
    Estado,
    Fallida,
    Leida,
    Marcha,
    PedirCabecera,
    PedirMeses,
    PedirPagina,
    SinCambios,
    Suceso,
)
from dominios.licitaciones.radar.sincronizar.rescate import Socorro, rescatar
from nucleo.bd import fichero_de, transaccion
from nucleo.errores import DestinoProhibido, ErrorRed, FuenteIlegible
from nucleo.red.cliente import Condicion, Respuesta
from nucleo.red.destinos import seguir

ILEGIBLES_GUARDADAS = 3
"""Unreadable answers of one URL that are kept: a notice for people changes every time and says the same."""

APARTADA = sumar(()).model_copy(update={"cuarentena": 1})


class Hecho(NamedTuple):
    """What came of a request: for the planner, what is to be stored with it, and what is already in."""

    suceso: Suceso
    pagina: PaginaLeida | None = None
    huella: bytes = b""
    instante: int | None = None
    recuento: Recuento | None = None
    condicion: Condicion = Condicion()


class Peticiones:
    """Asks for pages and ZIPs of one channel. It stores nothing of them but what cannot be read."""

    def __init__(self, con: sqlite3.Connection, canal: Canal, medios: Medios) -> None:
        self._con = con
        self._canal = canal
        self._medios = medios

    async def atender(self, marcha: Marcha) -> Hecho:
        match marcha.accion:
            case PedirCabecera():
                return await self._pedir_cabecera(marcha)
            case PedirPagina():
                return await self._pedir_pagina(marcha.accion.url)
            case PedirMeses():
                return await self._pedir_meses(marcha.accion)
        raise AssertionError("una pasada terminada no pide nada")

    async def _pedir_cabecera(self, marcha: Marcha) -> Hecho:
        """The first request of a pass may fail it; the one that takes up the chain again may not."""
        if isinstance(marcha.accion, PedirCabecera) and marcha.accion.de_nuevo:
            return _como_cabecera(await self._pedir_pagina(self._canal.url))
        conocida = marcha.estado.cabecera
        condicion = Condicion(conocida.etag, conocida.last_modified) if conocida else None
        respuesta = await self._medios.obtener(self._canal.url, condicion)
        if respuesta.estado == 304:
            return Hecho(SinCambios())
        if respuesta.estado != 200:
            raise ErrorRed(
                f"La cabecera {self._canal.url} no existe ({respuesta.estado}).",
                codigo="sin_cabecera",
                reintentable=False,
            )
        try:
            hecho = await self._leer(self._canal.url, respuesta)
            if marcha.estado != Estado(cabecera=conocida):
                rechazar_vacia(hecho.suceso)
        except FuenteIlegible as error:
            self._apartar(self._canal.url, respuesta.cuerpo, error)
            raise
        return _como_cabecera(hecho)

    async def _pedir_pagina(self, url: str) -> Hecho:
        try:
            destino = seguir(self._canal.url, url, self._canal.politica)
            respuesta = await self._medios.obtener(destino.url)
        except DestinoProhibido as error:
            return Hecho(Ausente(alarma=alarma_de(error, url)))
        except ErrorRed as error:
            return Hecho(Fallida(alarma=alarma_de(error, url)))
        if respuesta.estado != 200:
            return Hecho(Ausente(alarma=ausencia(url, respuesta.estado)))
        try:
            return await self._leer(url, respuesta)
        except FuenteIlegible as error:
            self._apartar(url, respuesta.cuerpo, error)
            return Hecho(Fallida(alarma=alarma_de(error, url)), recuento=APARTADA)

    async def _pedir_meses(self, pedido: PedirMeses) -> Hecho:
        socorro = Socorro(
            fichero_de(self._con),
            self._canal.fuente,
            self._canal.url,
            self._medios.descargar,
            self._medios.reloj,
        )
        self._medios.avance("Falta un tramo: se busca en los ZIP mensuales.")
        rescate = await rescatar(pedido, socorro)
        suma = sumar(
            Recuento(**{campo: getattr(i, campo) for campo in Recuento.model_fields})
            for i in rescate.importados
        )
        return Hecho(rescate.suceso, recuento=suma)

    async def _leer(self, url: str, respuesta: Respuesta) -> Hecho:
        """Parse the page, unless these very bytes went in before. Raises FuenteIlegible."""
        huella = sha256(respuesta.cuerpo).digest()
        vista = almacen.pagina_vista(self._con, url, huella)
        conocida = pagina_conocida(self._con, huella)
        condicion = Condicion(respuesta.etag, respuesta.last_modified)
        if vista is not None and conocida is not None:
            return Hecho(vista[0], huella=huella, instante=vista[1], recuento=conocida, condicion=condicion)
        pagina = await self._medios.procesar(respuesta.cuerpo, respuesta.url, diccionario_vigente(self._con))
        siguiente = absoluta(respuesta.url, pagina.enlaces.get("next"))
        return Hecho(resumir(url, siguiente, pagina), pagina, huella, pagina.instante, condicion=condicion)

    def _apartar(self, url: str, cuerpo: bytes, error: FuenteIlegible) -> None:
        if almacen.ilegibles(self._con, url) < ILEGIBLES_GUARDADAS:
            with transaccion(self._con):
                guardar_cuarentena(self._con, Procedencia("pagina", url), cuerpo, error, self._medios.reloj())


def _como_cabecera(hecho: Hecho) -> Hecho:
    if not isinstance(hecho.suceso, Leida):
        return hecho
    cabecera = Cabecera(
        etag=hecho.condicion.etag, last_modified=hecho.condicion.last_modified, instante=hecho.instante
    )
    return hecho._replace(suceso=CabeceraLeida(pagina=hecho.suceso, cabecera=cabecera))
