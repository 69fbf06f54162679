"""A filter and an order as fragments of SQL (constant text; values always travel as parameters)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal

from dominios.licitaciones.criba.condicion.almacen import CON_PALABRA, Condicion, en_situacion
from dominios.licitaciones.oportunidades.modelos import Filtro, Orden

Parametros = dict[str, int | str]

_PALABRAS = re.compile(r'"([^"]*)"( \*)?')
_MICROS_DIA = 86_400_000_000


@dataclass(frozen=True)
class Tramo:
    """A stretch of an order that one index serves, with the integer that grows along it."""

    condicion: str
    columna: str
    descendente: bool
    indice: str

    @property
    def valor(self) -> str:
        """SQL of an integer that grows along the stretch."""
        return f"-{self.columna}" if self.descendente else self.columna

    @property
    def desempate(self) -> str:
        """SQL of the last key: ids, in the direction in which the index holds them."""
        return "-l.id" if self.descendente else "l.id"


_DIA_PUBLICADA = "CAST(replace(substr(l.publicada, 1, 10), '-', '') AS INTEGER)"
"""The day as the integer yyyymmdd: the expression that `licitacion_publicada` indexes."""

_SIN_VALOR = ("l.instante", True, "licitacion_instante")

TRAMOS: dict[Orden, tuple[Tramo, ...]] = {
    Orden.CIERRE: (
        Tramo("l.cierre > :ahora", "l.cierre", False, "licitacion_cierre"),
        Tramo("l.cierre <= :ahora", "l.cierre", True, "licitacion_cierre"),
        Tramo("l.cierre IS NULL", *_SIN_VALOR),
    ),
    Orden.ACTUALIZACION: (Tramo("l.instante IS NOT NULL", *_SIN_VALOR),),
    Orden.IMPORTE: (
        Tramo("l.importe IS NOT NULL", "l.importe", True, "licitacion_importe"),
        Tramo("l.importe IS NULL", *_SIN_VALOR),
    ),
    Orden.PUBLICADA: (
        Tramo(f"{_DIA_PUBLICADA} IS NOT NULL", _DIA_PUBLICADA, True, "licitacion_publicada"),
        Tramo(f"{_DIA_PUBLICADA} IS NULL", *_SIN_VALOR),
    ),
}


def claves(orden: Orden) -> tuple[str, str, str]:
    """SQL of the three integers (stretch, value, id) that put any row in its place: ascending, no ties."""
    tramos = TRAMOS[orden]
    casos = [f"WHEN {t.condicion}" for t in tramos]
    numero = " ".join(f"{c} THEN {n}" for n, c in enumerate(casos))
    valor = " ".join(f"{c} THEN {t.valor}" for c, t in zip(casos, tramos, strict=True))
    desempate = " ".join(f"{c} THEN {t.desempate}" for c, t in zip(casos, tramos, strict=True))
    return f"CASE {numero} END", f"CASE {valor} END", f"CASE {desempate} END"


@dataclass(frozen=True)
class Conjunto:
    """A condition that an index can list: `ids` is a SELECT of tenders' ids, `sondeo` tests one `licitacion l`.

    `indice` is the index whose own column the condition bounds, when it is one of those that an order walks.
    """

    ids: str
    sondeo: str
    indice: str | None = None


@dataclass(frozen=True)
class Consulta:
    """A whole filter: conditions read from the row itself, conditions that can be listed, and all the values."""

    baratas: tuple[str, ...]
    conjuntos: tuple[Conjunto, ...]
    parametros: Parametros

    def condiciones(self, escasos: tuple[Conjunto, ...]) -> str:
        """SQL of everything the filter asks: `escasos` as lists to start from, the other sets as probes."""
        conjuntos = [f"l.id IN ({c.ids})" if c in escasos else c.sondeo for c in self.conjuntos]
        return " AND ".join([*self.baratas, *conjuntos])

    def cotas(self, indice: str) -> str:
        """SQL of the conditions that shorten a walk of `indice` (none: the whole of it)."""
        return "".join(f" AND {c.sondeo}" for c in self.conjuntos if c.indice == indice)


def preparar_consulta(filtro: Filtro, coincidencia: str | None, ahora: int) -> Consulta:
    """The SQL of a filter. `coincidencia` is the FTS5 expression of its words; `ahora` in microseconds UTC.

    The cheap conditions go first and the text last: SQLite tests them in this order.
    """
    parametros: Parametros = {"ahora": ahora}
    baratas = ["l.vigente = 1", *_iguales(filtro, parametros)]
    if filtro.con_avisos:
        baratas.append("l.avisos <> '[]'")
    conjuntos = [*_rango_de_cierre(filtro, parametros), *_rango_de_importe(filtro, parametros)]
    for campo, prefijos in (("cpv", filtro.cpv), ("nuts", filtro.nuts)):
        if prefijos:
            conjuntos.append(_con_codigos(campo, prefijos, parametros))
    conjuntos += [Conjunto(ids=c.ids, sondeo=c.sondeo) for c in _de_la_criba(filtro, parametros)]
    if coincidencia is not None:
        conjuntos.append(_con_palabras(coincidencia, parametros))
    return Consulta(tuple(baratas), tuple(conjuntos), parametros)


def _de_la_criba(filtro: Filtro, parametros: Parametros) -> list[Condicion]:
    situadas = [en_situacion(filtro.criba, parametros)] if filtro.criba else []
    return [*situadas, *([CON_PALABRA] if filtro.decididas else [])]


def _con_palabras(coincidencia: str, parametros: Parametros) -> Conjunto:
    """The list comes from the full-text index; the probe reads the stored words of one tender.

    Asking the index about one row costs some 70 µs, and a common prefix is merged anew each time (0.5 ms);
    looking for " word " in the row's text, whose words are parted by single blanks, costs some 5 µs and says
    the same. `coincidencia` joins with AND terms like "a b" or ("pre" * OR "b"), as nucleo.texto writes them.
    """
    parametros["texto"] = coincidencia
    condiciones = []
    for termino in coincidencia.split(" AND "):
        opciones = []
        for palabras, prefijo in _PALABRAS.findall(termino):
            nombre = f"palabra{len(parametros)}"
            parametros[nombre] = f" {palabras}" if prefijo else f" {palabras} "
            opciones.append(f"instr(t.todo, :{nombre})")
        condiciones.append(f"({' OR '.join(opciones)})")
    columnas = " || ' | ' || ".join(
        ("objeto", "lotes", "organo", "expediente")
    )  # a phrase stays in its column
    return Conjunto(
        ids="SELECT rowid FROM licitacion_texto WHERE licitacion_texto MATCH :texto",
        sondeo=f"EXISTS(SELECT 1 FROM (SELECT ' ' || {columnas} || ' ' AS todo FROM licitacion_texto"
        f" WHERE rowid = l.id) t WHERE {' AND '.join(condiciones)})",
    )


def _iguales(filtro: Filtro, parametros: Parametros) -> list[str]:
    valores_de: tuple[tuple[str, tuple[str, ...]], ...] = (
        ("tipo_registro", filtro.tipo_registro),
        ("fuente", filtro.fuente),
        ("estado", filtro.estado),
        ("tipo", filtro.tipo),
        ("procedimiento", filtro.procedimiento),
    )
    condiciones = []
    for campo, valores in valores_de:
        if valores:
            nombres = {f"{campo}{i}": valor for i, valor in enumerate(valores)}
            parametros.update(nombres)
            condiciones.append(f"l.{campo} IN ({', '.join(f':{n}' for n in nombres)})")
    return condiciones


def _rango_de_cierre(filtro: Filtro, parametros: Parametros) -> list[Conjunto]:
    if filtro.cierra_en_dias is not None:
        parametros["limite"] = int(parametros["ahora"]) + filtro.cierra_en_dias * _MICROS_DIA
        return [_rango_de_columna("l.cierre > :ahora AND l.cierre <= :limite", "licitacion_cierre")]
    if filtro.solo_abiertas:
        return [_rango_de_columna("l.cierre > :ahora", "licitacion_cierre")]
    return []


def _rango_de_importe(filtro: Filtro, parametros: Parametros) -> list[Conjunto]:
    """Bounds in whole cents, rounded inwards so that a bound of 10,005 € cents never lets a lower amount in."""
    condiciones = []
    if filtro.importe_min is not None:
        parametros["minimo"] = _centimos(filtro.importe_min, ROUND_CEILING)
        condiciones.append("l.importe >= :minimo")
    if filtro.importe_max is not None:
        parametros["maximo"] = _centimos(filtro.importe_max, ROUND_FLOOR)
        condiciones.append("l.importe <= :maximo")
    return [_rango_de_columna(" AND ".join(condiciones), "licitacion_importe")] if condiciones else []


def _centimos(euros: Decimal, redondeo: str) -> int:
    return int((euros * 100).to_integral_value(rounding=redondeo))


def _rango_de_columna(condicion: str, indice: str) -> Conjunto:
    return Conjunto(
        ids=f"SELECT l.id FROM licitacion l INDEXED BY {indice} WHERE l.vigente = 1 AND {condicion}",
        sondeo=condicion,
        indice=indice,
    )


def _con_codigos(campo: str, prefijos: Sequence[str], parametros: Parametros) -> Conjunto:
    """Codes that begin with a prefix are a range of the primary key, which begins with the code."""
    rangos = []
    for i, prefijo in enumerate(prefijos):
        parametros[f"{campo}_desde{i}"] = prefijo
        parametros[f"{campo}_hasta{i}"] = prefijo + "~"  # sorts after every digit and letter
        rangos.append(f"c.{campo} BETWEEN :{campo}_desde{i} AND :{campo}_hasta{i}")
    alguno = " OR ".join(rangos)
    return Conjunto(
        ids=f"SELECT c.licitacion_id FROM licitacion_{campo} c WHERE {alguno}",
        sondeo=f"EXISTS(SELECT 1 FROM licitacion_{campo} c WHERE c.licitacion_id = l.id AND ({alguno}))",
    )
