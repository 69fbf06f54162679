"""What follows from one version by rule, without clock or store: the traits that lists, filters and flags use."""

from __future__ import annotations

from decimal import Decimal
from typing import NamedTuple

from dominios.licitaciones.radar.adjudicatarios import Ganador, ganadores
from dominios.licitaciones.radar.avisos import avisar
from dominios.licitaciones.radar.conjuntos import REGISTRO_POR_FUENTE, fuente_de
from dominios.licitaciones.radar.desenlace import Desenlace, calcular_desenlace
from dominios.licitaciones.radar.fechas import leer_fecha, leer_instante
from dominios.licitaciones.radar.importes import importe_conocido
from dominios.licitaciones.radar.modelo import Licitacion
from dominios.licitaciones.radar.plazos import Cierre, admite_ofertas, calcular_cierre
from nucleo.errores import ErrorEntrada
from nucleo.reloj import desde_micros

CON_ALGO_POR_DECIDIR = frozenset(("pendiente", "adjudicada_parcial"))
"""Outcomes that leave some lot undecided."""


class Rasgos(NamedTuple):
    """Clock-free traits of one version. `instante` is its `updated` in microseconds UTC."""

    instante: int
    fuente: str
    tipo_registro: str
    publicada: str | None
    valor_estimado: Decimal | None
    presupuesto: Decimal | None
    cierre: Cierre
    desenlace: Desenlace
    ganadores: tuple[Ganador, ...]
    avisos: tuple[str, ...]

    @property
    def importe(self) -> Decimal | None:
        """The amount to filter by: budget without tax, else estimated value."""
        return self.presupuesto if self.presupuesto is not None else self.valor_estimado


def derivar(lic: Licitacion) -> Rasgos:
    """The traits of one version. Raises ErrorEntrada when `updated` is not an instant with offset."""
    instante = leer_instante(lic.updated)
    if instante is None:
        raise ErrorEntrada(
            f"La entrada {lic.id} trae un «updated» ilegible: «{lic.updated}».", codigo="instante_ilegible"
        )
    anio = desde_micros(instante).year
    fuente = fuente_de(lic.id)
    tipo_registro = _tipo_registro(lic, fuente)
    publicada = _publicada(lic, tipo_registro, anio)
    desenlace = calcular_desenlace(lic)
    admite = admite_ofertas(lic, tipo_registro) and not _todo_decidido(desenlace)
    cierre = calcular_cierre(lic, admite, instante, anio)
    vencedores, avisos_ganadores = ganadores(lic)
    return Rasgos(
        instante=instante,
        fuente=fuente,
        tipo_registro=tipo_registro,
        publicada=publicada,
        valor_estimado=importe_conocido(lic.valor_estimado),
        presupuesto=importe_conocido(lic.presupuesto_sin_iva),
        cierre=cierre,
        desenlace=desenlace,
        ganadores=vencedores,
        avisos=tuple(
            sorted({*cierre.avisos, *avisos_ganadores, *avisar(lic, publicada, desenlace.deducidos)})
        ),
    )


def _todo_decidido(desenlace: Desenlace) -> bool:
    """Then nobody can submit, whatever the state or the deadline say. Undeclared lots may be more than those known."""
    return desenlace.desenlace not in CON_ALGO_POR_DECIDIR and not desenlace.deducidos


def _tipo_registro(lic: Licitacion, fuente: str) -> str:
    if lic.consulta is not None:
        return "consulta"
    if registro := REGISTRO_POR_FUENTE.get(fuente):
        return registro
    if lic.procedimiento == "6":  # SyndicationTenderingProcessCode: contrato menor
        return "menor"
    return "encargo" if any(r.resultado == "11" for r in lic.resultados) else "licitacion"


def _publicada(lic: Licitacion, tipo_registro: str, anio: int) -> str | None:
    """ISO date of the call: the earliest date of its DOC_CN notices; of the prior notice while there is no call.

    The first notice listed is often not the first published, so all are compared.
    """
    if lic.estado == "PRE":
        tipos: tuple[str, ...] = ("DOC_PIN", "DOC_PIN_RTL")
    elif tipo_registro == "consulta":
        tipos = ("DOC_CON", "DOC_CN")
    else:
        tipos = ("DOC_CN",)
    fechas = []
    for anuncio in lic.anuncios:
        if anuncio.tipo in tipos:
            for publicacion in anuncio.publicaciones:
                fechas += [f for p in publicacion.fechas if (f := leer_fecha(p, anio)) is not None]
    return min(fechas).isoformat() if fechas else None
