"""The guide to guided runs is true: its examples are carried out as they are, and both languages say the same."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import pytest

from nucleo import registro
from nucleo.bd import conectar
from nucleo.recorridos import servicio
from nucleo.recorridos.api.despacho import DE_PERSONA
from nucleo.recorridos.api.rutas import API
from nucleo.recorridos.casa import Casa
from nucleo.recorridos.comandos import Actor, ClaseActor, Comando
from nucleo.recorridos.errores import ESTADOS_HTTP, ErrorRecorrido
from nucleo.recorridos.peticiones import PeticionCrear, Recibo
from tasks.casa import casa
from tests.casa.repositorio import leer

ESPANOL, INGLES = leer("docs/recorridos.md"), leer("docs/recorridos.en.md")
BLOQUE = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
ACTORES = {
    "persona": Actor(clase=ClaseActor.PERSONA, nombre="persona-de-ejemplo", rol="admin"),
    "agente": Actor(clase=ClaseActor.AGENTE, nombre="agente-de-ejemplo"),
}
AHORA = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


@dataclass
class Guion:
    """Carries out the examples one after another: `crear` opens a run, and what follows is about it."""

    con: sqlite3.Connection
    casa: Casa
    rid: str = ""
    recibo: Recibo | None = None
    error: ErrorRecorrido | None = None
    vistos: list[str] = field(default_factory=list)

    def seguir(self, clase: str, texto: str) -> None:
        """One block, of the class that its fence says."""
        que, _, quien = clase.removeprefix("json ").partition(" ")
        self.vistos.append(que)
        match que:
            case "recibo":
                self._exigir_recibo(texto)
            case "error":
                self._exigir_error(texto)
            case _:
                self.exigir_sin_error_pendiente()
                self._mandar(que, texto, ACTORES[quien])

    def _mandar(self, que: str, texto: str, actor: Actor) -> None:
        try:
            if que == "crear":
                peticion = PeticionCrear.model_validate_json(texto)
                self.recibo = servicio.crear(self.con, self.casa, peticion, actor, AHORA)
                self.rid = self.recibo.id
            else:
                comando = Comando.model_validate_json(texto)
                self.recibo = servicio.mandar(self.con, self.casa, self.rid, comando, actor, AHORA)
        except ErrorRecorrido as error:
            self.error = error

    def _exigir_recibo(self, texto: str) -> None:
        self.exigir_sin_error_pendiente()
        assert self.recibo is not None
        assert self.recibo.model_dump(mode="json") | {"id": "rec_…"} == json.loads(texto)

    def _exigir_error(self, texto: str) -> None:
        error, self.error = self.error, None
        assert error is not None
        dicho = {"codigo": error.codigo, "mensaje": error.mensaje}
        if error.revision is not None:
            dicho |= {"revision_actual": error.revision}
        assert dicho == json.loads(texto)

    def exigir_sin_error_pendiente(self) -> None:
        """A refusal is always followed by what it says."""
        assert self.error is None, f"el documento no cuenta este error: {self.error}"


@pytest.fixture
def guion(tmp_path: Path) -> Iterator[Guion]:
    """Over a store of its own and the installation's house."""
    with closing(conectar(registro.preparar(tmp_path))) as con:
        yield Guion(con, casa(tmp_path))


def test_los_ejemplos_hacen_lo_que_dicen(guion: Guion) -> None:
    bloques = BLOQUE.findall(ESPANOL)
    for clase, texto in bloques:
        if clase:
            guion.seguir(clase, texto)
    guion.exigir_sin_error_pendiente()
    assert set(guion.vistos) == {"crear", "comando", "recibo", "error"}
    assert len(guion.vistos) > 25


def test_los_dos_idiomas_tienen_los_mismos_titulos_y_ejemplos() -> None:
    assert BLOQUE.findall(ESPANOL) == BLOQUE.findall(INGLES)
    niveles = [re.findall(r"^(#+) ", BLOQUE.sub("", t), re.MULTILINE) for t in (ESPANOL, INGLES)]
    assert niveles[0] == niveles[1]


@pytest.mark.parametrize("texto", [ESPANOL, INGLES], ids=["es", "en"])
def test_la_tabla_de_errores_esta_completa(texto: str) -> None:
    filas = re.findall(r"^\| (\d{3}) \| (.+) \|$", texto, re.MULTILINE)
    dichos = {codigo: int(estado) for estado, codigos in filas for codigo in re.findall(r"`(\w+)`", codigos)}
    assert dichos == ESTADOS_HTTP


@pytest.mark.parametrize(("texto", "persona"), [(ESPANOL, "persona"), (INGLES, "person")], ids=["es", "en"])
def test_la_tabla_de_direcciones_esta_completa(texto: str, persona: str) -> None:
    filas = re.findall(r"^\| `([A-Z]+ /api/[^`]+)` \| `?([^`|]+?)`? \|", texto, re.MULTILINE)
    permisos = {DE_PERSONA: persona}
    assert dict(filas) == {f"{r.metodo} {r.patron}": permisos.get(r.permiso, r.permiso) for r in API.rutas}
