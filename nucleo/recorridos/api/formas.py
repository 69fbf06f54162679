"""What each address takes and gives, for its description. What really holds is what its function does."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from nucleo.modelo import Modelo
from nucleo.recorridos.api import documentos as doc
from nucleo.recorridos.api import lecturas, ordenes
from nucleo.recorridos.api.despacho import Atender
from nucleo.recorridos.artefactos.modelo import ReciboArtefacto
from nucleo.recorridos.comandos import Comando
from nucleo.recorridos.continuaciones.modelo import ReciboContinuacion
from nucleo.recorridos.continuaciones.servicio import PeticionContinuacion, PeticionSobreContinuacion
from nucleo.recorridos.enlaces.modelo import ReciboEnlace
from nucleo.recorridos.enlaces.servicio import PeticionEnlace
from nucleo.recorridos.entregas.modelo import Entrega
from nucleo.recorridos.lectura.modelo import FiltroBandeja, FiltroRecorridos, Proyeccion
from nucleo.recorridos.motor import Posibles
from nucleo.recorridos.peticiones import PeticionCrear, Recibo
from nucleo.recorridos.plan import Plan


class Forma(NamedTuple):
    """`da` None: not one JSON document (a file, a page, a stream). `pide` None: no JSON body."""

    da: type[Modelo] | None
    consulta: type[Modelo] = doc.SinConsulta
    pide: type[Modelo] | None = None


FORMAS: Mapping[Atender | None, Forma] = {
    lecturas.listar: Forma(doc.Recorridos, FiltroRecorridos),
    lecturas.leer: Forma(Proyeccion),
    lecturas.posibles: Forma(Posibles),
    lecturas.esperar: Forma(doc.Espera, doc.PeticionEspera),
    lecturas.eventos: Forma(doc.Eventos, doc.Pagina),
    lecturas.intentos: Forma(doc.Intentos, doc.PaginaDePaso),
    lecturas.planes: Forma(doc.Planes, doc.Pagina),
    lecturas.plan: Forma(Plan),
    lecturas.artefactos: Forma(doc.Artefactos, doc.PaginaPorId),
    lecturas.evidencia: Forma(None, doc.PeticionExportar),
    lecturas.enlaces: Forma(doc.Enlaces),
    lecturas.rechazos: Forma(doc.Rechazos, doc.Pagina),
    lecturas.entregas_de: Forma(doc.Entregas, doc.PaginaPorId),
    lecturas.continuaciones: Forma(doc.Continuaciones, doc.PaginaPorId),
    lecturas.bandeja: Forma(doc.Pendientes, FiltroBandeja),
    lecturas.inciertas: Forma(doc.Entregas),
    lecturas.artefacto: Forma(None),
    lecturas.vista: Forma(None),
    ordenes.crear: Forma(Recibo, pide=PeticionCrear),
    ordenes.mandar: Forma(Recibo, pide=Comando),
    ordenes.continuar: Forma(ReciboContinuacion, pide=PeticionContinuacion),
    ordenes.enviar: Forma(ReciboContinuacion, pide=PeticionSobreContinuacion),
    ordenes.descartar: Forma(ReciboContinuacion, pide=PeticionSobreContinuacion),
    ordenes.enlazar: Forma(ReciboEnlace, pide=PeticionEnlace),
    ordenes.reconciliar: Forma(Entrega, pide=doc.PeticionReconciliar),
    ordenes.registrar_artefacto: Forma(ReciboArtefacto, doc.PeticionArtefacto),
    None: Forma(None),
}
