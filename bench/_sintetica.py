"""A database of made-up tenders, written directly as the radar leaves its current view; the same for each seed."""

from __future__ import annotations

import itertools
import random
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

from dominios.licitaciones import registro
from dominios.licitaciones.criba.modelo import TANDA_MAX, Situacion, Veredicto
from nucleo.bd import conectar, transaccion
from nucleo.reloj import a_micros
from nucleo.texto import raices

AHORA = datetime(2026, 3, 2, 9, tzinfo=UTC)
LOTE = 20_000

# The head of the vocabulary, so that a benchmark can ask for words of a known frequency; the rest is invented.
PALABRAS_COMUNES = (
    "servicio suministro obra contrato mantenimiento ayuntamiento edificio instalación municipal equipo centro"
    " limpieza gestión redacción proyecto dirección hospital material sistema informático vehículo red agua"
    " alumbrado colegio parque asistencia técnica seguro transporte escolar residuo jardín comedor urbanización"
).split()
_SILABAS = [a + b for a in "bcdfglmnprst" for b in "aeiou"]
_PESOS = {
    "fuente": {"643": 45, "1044": 30, "1143": 20, "1383": 3, "1403": 2},
    "estado": {"RES": 55, "ADJ": 12, "EV": 14, "PUB": 15, "PRE": 2, "ANUL": 2},
    "tipo": {"2": 50, "1": 30, "3": 15, "8": 2, "31": 1, "40": 1, "50": 1},
    "procedimiento": {"1": 45, "9": 25, "6": 15, "3": 8, "2": 2, "7": 3, "100": 2},
}
SITUACIONES = {
    Situacion.NO_ENCAJA: 70,
    Situacion.DUDA: 15,
    Situacion.ENCAJA: 10,
    Situacion.SIN_VEREDICTO: 2,
    Situacion.PENDIENTE: 3,
}
MOTIVO = "La empresa inventada no hace lo que pide esta licitación inventada. " * 3
VISTA = "{}" + " " * 1500
"""As long as what an agent reads of a tender."""
_REGISTRO_DE = {"1143": "menor", "1383": "encargo", "1403": "consulta"}


class Sorteo:
    """Endless draws from one seeded generator, made in bulk (one by one they would cost more than the rows)."""

    def __init__(self, semilla: int) -> None:
        self.azar = random.Random(semilla)
        self.palabras = self._zipf(self._vocabulario(30_000), 1.0)
        self.divisiones = self._zipf([f"{n:02d}" for n in range(3, 99)], 0.6)
        lugares = [f"ES{a}{b}{c}" for a in range(1, 8) for b in range(1, 4) for c in range(4)]
        self.lugares = self._zipf(lugares, 0.5)
        self.codigos = {campo: self._pesado(pesos) for campo, pesos in _PESOS.items()}
        self.organos = [f"Ayuntamiento Ficticio de {next(self.palabras).title()} {n}" for n in range(8_000)]

    def _vocabulario(self, inventadas: int) -> list[str]:
        nuevas = {
            "".join(self.azar.choices(_SILABAS, k=self.azar.choice((3, 4, 5)))) for _ in range(inventadas)
        }
        return PALABRAS_COMUNES + sorted(nuevas)

    def _zipf(self, valores: Sequence[str], exponente: float) -> Iterator[str]:
        acumulados = list(itertools.accumulate((n + 1) ** -exponente for n in range(len(valores))))
        while True:
            yield from self.azar.choices(valores, cum_weights=acumulados, k=50_000)

    def _pesado(self, pesos: dict[str, int]) -> Iterator[str]:
        valores, cuanto = list(pesos), list(pesos.values())
        while True:
            yield from self.azar.choices(valores, cuanto, k=10_000)


def construir(datos: Path, cuantas: int, semilla: int = 7) -> Path:
    """A new database under `datos` with `cuantas` tenders; indexes are built at the end, which is quicker."""
    fichero = registro.preparar(datos)
    with closing(conectar(fichero)) as con:
        con.execute("PRAGMA synchronous=OFF")
        indices = con.execute(
            "SELECT name, sql FROM sqlite_master WHERE type='index' AND sql IS NOT NULL"
        ).fetchall()
        for nombre, _ in indices:
            con.execute(f"DROP INDEX {nombre}")
        sorteo = Sorteo(semilla)
        for primero in range(1, cuantas + 1, LOTE):
            with transaccion(con):
                _escribir_lote(con, sorteo, range(primero, min(primero + LOTE, cuantas + 1)))
        for _, sql in indices:
            con.execute(sql)
        with transaccion(con):
            _cribar(con, sorteo.azar, range(1, cuantas + 1))
        con.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return fichero


def _escribir_lote(con: sqlite3.Connection, sorteo: Sorteo, ids: range) -> None:
    filas = [_fila(sorteo, i) for i in ids]
    columnas = list(filas[0])
    con.executemany(
        f"INSERT INTO licitacion({', '.join(columnas)}) VALUES ({', '.join(':' + c for c in columnas)})",
        filas,
    )
    con.executemany(
        "INSERT INTO licitacion_texto(rowid, objeto, lotes, organo, expediente) VALUES (?, ?, '', ?, ?)",
        [
            (f["id"], raices(str(f["objeto"])), raices(str(f["organo"])), raices(str(f["expediente"])))
            for f in filas
        ],
    )
    cpv = sorted({(c, f["id"]) for f in filas for c in (f["cpv"], f"{str(f['cpv'])[:4]}0000")})
    con.executemany("INSERT INTO licitacion_cpv VALUES (?, ?)", cpv)
    con.executemany("INSERT INTO licitacion_nuts VALUES (?, ?)", sorted((f["nuts"], f["id"]) for f in filas))


def _cribar(con: sqlite3.Connection, azar: random.Random, ids: range) -> None:
    """A fifth was asked to an agent, some of them twice; of a tenth of those a person has spoken, at times twice."""
    preguntadas = azar.sample(ids, len(ids) // 5)
    otra_vez = azar.sample(preguntadas, len(preguntadas) // 20)
    for vuelta in (preguntadas, otra_vez):
        for primera in range(0, len(vuelta), TANDA_MAX):
            _tanda(con, azar, vuelta[primera : primera + TANDA_MAX])
    for _ in range(len(preguntadas) // 10):
        con.execute(
            "INSERT INTO criba_palabra(licitacion_id, veredicto, motivo, persona, creada) VALUES (?, ?, ?, ?, 0)",
            (azar.choice(preguntadas), azar.choice(tuple(Veredicto)).value, MOTIVO, "Persona Inventada"),
        )


def _tanda(con: sqlite3.Connection, azar: random.Random, licitaciones: list[int]) -> None:
    cursor = con.execute(
        "INSERT INTO criba_tanda(perfil_version, lineas, perfil_huella, creada) VALUES (1, '[]', '', 0)"
    )
    situaciones = azar.choices(list(SITUACIONES), list(SITUACIONES.values()), k=len(licitaciones))
    con.executemany(
        """INSERT INTO criba_elemento(tanda_id, numero, licitacion_id, version_id, vista, vista_huella, situacion,
             motivo, instante) VALUES (?, ?, ?, 1, ?, '', ?, ?, 0)""",
        [
            (cursor.lastrowid, numero, licitacion, VISTA, situacion.value, MOTIVO)
            for numero, (licitacion, situacion) in enumerate(zip(licitaciones, situaciones, strict=True), 1)
        ],
    )


def _fila(sorteo: Sorteo, i: int) -> dict[str, int | str | bytes | None]:
    azar = sorteo.azar
    codigos = {campo: next(valores) for campo, valores in sorteo.codigos.items()}
    actualizada = AHORA - timedelta(seconds=azar.randrange(1, 3 * 365 * 86_400))
    cierre = _cierre(azar, actualizada) if codigos["estado"] == "PUB" else None
    importe = None if azar.random() < 0.06 else int(10 ** azar.uniform(5, 9.5))
    euros = None if importe is None else f"{importe // 100}.{importe % 100:02d}"
    return codigos | {
        "id": i,
        "entrada_id": f"https://sintetica.invalid/{codigos['fuente']}/{i}",
        "cola": str(i),
        "instante": a_micros(actualizada),
        "pagina_instante": a_micros(actualizada),
        "huella": b"",
        "n_versiones": 1,
        "vigente": int(azar.random() > 0.03),
        "tipo_registro": _REGISTRO_DE.get(codigos["fuente"], "licitacion"),
        "expediente": f"SINT-{i}/2026",
        "objeto": " ".join(itertools.islice(sorteo.palabras, azar.randint(6, 22))).capitalize(),
        "organo": azar.choice(sorteo.organos),
        "valor_estimado": euros,
        "presupuesto": euros if i % 5 else None,
        "importe": importe,
        "cpv": f"{next(sorteo.divisiones)}{azar.randrange(10**6):06d}",
        "nuts": next(sorteo.lugares),
        "plazo": None if cierre is None else a_micros(cierre),
        "cierre": None if cierre is None else a_micros(cierre),
        "publicada": None if azar.random() < 0.1 else f"{actualizada - timedelta(days=20):%Y-%m-%d}",
        "desenlace": "pendiente",
        "n_lotes": azar.choice((0, 0, 0, 1, 4)),
        "avisos": "[]" if azar.random() < 0.8 else '["plazo_sin_hora"]',
        "texto_huella": b"",
    }


def _cierre(azar: random.Random, actualizada: datetime) -> datetime:
    """Deadlines past and to come; near the present, as many as a busy month has (some 20,000 open)."""
    if azar.random() < 0.6:
        return actualizada + timedelta(days=azar.randint(5, 45))
    return AHORA + timedelta(minutes=azar.randrange(-20_000, 40_000))
