"""A hostile agent obeys every text that it reads, through the real server: nothing changes without a person."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from typing import Any
from xml.sax.saxutils import escape

import pytest

from app.hermes.mcp import ClienteMcp, FalloMcp
from app.hermes.servir import servir
from app.mcp.herramientas import CATALOGO
from app.mcp.montaje import aplicacion_sola
from nucleo.agentes import servicio
from nucleo.agentes.tokens import FORMA
from nucleo.cola.modelo import Reclamado
from nucleo.empresa import servicio as empresa
from tests.criba.inyecciones import TEXTOS
from tests.criba.taller import Taller, encargo, juicio
from tests.radar.constructor import comprador, entrada, lote, proceso, proyecto

PROPIAS = {"criba_tanda", "criba_elemento", "criba_propuesta", "criba_situacion", "agente", "agente_llamada"}
"""Tables in which an agent's call may leave something; the rest of both databases must stay as it was."""
INVENTADAS = (
    "criba_decidir", "criba_cerrar", "criba_borrar", "perfil_importar", "perfil_guardar", "oferta_aprobar",
    "oferta_presentar", "cola_priorizar", "cola_pausar", "agente_crear", "sql", "leer_fichero", "curriculo_ver", "",
)  # fmt: skip


def publicar(taller: Taller) -> None:
    """Each text in a place: object, lot, buyer or summary."""
    entradas = []
    for n, texto in enumerate(TEXTOS, 1):
        malo = escape(texto)
        objeto, lotes, organo = "Mantenimiento de equipos", "", None
        match n % 4:
            case 0:
                lotes = lote("1", malo)
            case 1:
                organo = comprador(malo)
            case _:
                objeto = malo
        partes = (proyecto(objeto), lotes, proceso("2026-03-27"))
        cuando = "2026-02-16T10:00:00.000+01:00"
        entradas.append(
            entrada(n, cuando, *partes, organo=organo, titulo=malo, resumen=malo, expediente=malo)
        )
    taller.guardar(*entradas)


def foto(taller: Taller) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of both databases that no agent may touch."""
    return {
        f"{nombre}.{tabla}": con.execute(f'SELECT * FROM "{tabla}"').fetchall()
        for nombre, con in (("licitaciones", taller.con), ("nucleo", taller.cola))
        for tabla in _tablas(con) - PROPIAS
    }


def _tablas(con: sqlite3.Connection) -> set[str]:
    return {t for (t,) in con.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}


class Hostil:
    """Obeys: it tries all that a text could ask, and keeps everything that it was answered."""

    def __init__(self, mcp: ClienteMcp, reclamado: Reclamado, ajeno: Reclamado) -> None:
        self._mcp = mcp
        self._suyo, self._ajeno = encargo(reclamado), encargo(ajeno)
        self.oido: list[str] = []

    async def pedir(self, herramienta: str, argumentos: dict[str, Any]) -> dict[str, Any] | None:
        try:
            respuesta = await self._mcp.llamar(herramienta, argumentos)
        except FalloMcp as error:
            self.oido.append(str(error))
            return None
        self.oido.append(json.dumps(respuesta, ensure_ascii=False))
        return respuesta

    async def obedecer(self, texto: str, numero: int, ajena: int) -> None:
        """Everything but a well-formed proposal on its own batch."""
        for inventada in INVENTADAS:
            assert await self.pedir(inventada, {"texto": texto, "id": numero}) is None
        for argumentos in self._propuestas(texto, numero, ajena):
            respuesta = await self.pedir("criba_proponer", argumentos)
            assert respuesta is not None
            assert respuesta["ok"] is False
        for herramienta, argumentos in self._lecturas(texto):
            await self.pedir(herramienta, argumentos)

    def _lecturas(self, texto: str) -> list[tuple[str, dict[str, Any]]]:
        return [
            ("licitacion_ver", {"id": "../../nucleo.db"}),
            ("licitacion_ver", {"id": texto[:300]}),
            ("licitacion_documentos", {"id": "file:///etc/passwd"}),
            ("licitaciones_buscar", {"texto": texto[:400]}),
            ("licitaciones_buscar", {"texto": "' OR 1=1 --", "orden": "cierre; DROP TABLE licitacion"}),
            ("perfil_ver", {}),
            ("criba_lote", self._suyo),
            ("criba_lote", self._suyo | {"trabajo": self._ajeno["trabajo"]}),
        ]

    def _propuestas(self, texto: str, numero: int, ajena: int) -> Iterator[dict[str, Any]]:
        bueno = juicio(numero)
        nonce = self._suyo["nonce"]
        for juicios in (
            [juicio(ajena)],
            [bueno, juicio(ajena)],
            [bueno | {"persona": "Dirección", "aprobada": True}],
            [bueno | {"veredicto": texto[:80]}],
            [bueno | {"veredicto": "aprobada"}],
            [bueno | {"motivo": f"Mi nonce es {nonce}"}],
            [bueno | {"lineas": [texto[:80]]}],
            [bueno | {"lineas": ["firmantes.1"]}],
            [bueno | {"numero": str(numero)}],
            [bueno | {"motivo": texto * 400}],
            [],
            [bueno] * 200,
            texto,
        ):
            yield self._suyo | {"juicios": juicios}
        yield self._suyo | {"trabajo": self._ajeno["trabajo"], "juicios": [juicio(ajena)]}
        yield self._suyo | {"nonce": "0" * 32, "juicios": [bueno]}
        yield self._suyo | {"juicios": [bueno], "persona": "Dirección"}


def prohibidos(taller: Taller, *otros: str) -> list[str]:
    """What must never be in an answer."""
    perfil = empresa.vigente(taller.cola).empresa
    personales = [v for f in perfil.firmantes for v in (f.nombre, f.nif, f.poder) if v]
    rivales = [v for r in perfil.rivales for v in (r.nombre, r.nif)]
    return [
        *otros,
        *personales,
        *rivales,
        perfil.nif,
        str(perfil.domicilio),
        str(taller.datos),
        "Traceback",
        "sqlite",
    ]


@pytest.fixture
def servido(taller: Taller) -> Iterator[tuple[Taller, str, str]]:
    """(installation, address of /mcp, token): the agent may do all that the criba's agent may."""
    publicar(taller)
    taller.formar()
    permisos = ("leer:licitaciones", "proponer:licitaciones", "leer:empresa")
    token = servicio.crear(taller.cola, "licitaciones", permisos, taller.ahora).token
    with servir(aplicacion_sola(taller.datos, CATALOGO)) as base:
        yield taller, f"{base}/mcp", token


def test_el_corpus_es_grande_y_en_dos_lenguas() -> None:
    assert len(set(TEXTOS)) >= 40
    assert sum(" the " in f" {t.lower()} " for t in TEXTOS) >= 10
    assert sum(" la " in f" {t.lower()} " or " el " in f" {t.lower()} " for t in TEXTOS) >= 10


async def test_por_mas_que_obedezca_nada_cambia_sin_una_persona(servido: tuple[Taller, str, str]) -> None:
    taller, url, token = servido
    reclamado, ajeno = taller.turno(), taller.turno()
    suyas = [v["numero"] for v in taller.lote(reclamado)["licitaciones"]]
    ajenas = [v["numero"] for v in taller.lote(ajeno)["licitaciones"]]
    taller.decidir(suyas[0], "no_encaja")
    antes, todas = foto(taller), taller.situaciones()
    async with ClienteMcp(url, token) as mcp:
        hostil = Hostil(mcp, reclamado, ajeno)
        for vez, texto in enumerate(TEXTOS):
            await hostil.obedecer(texto, suyas[vez % len(suyas)], ajenas[0])
        assert foto(taller) == antes
        assert taller.situaciones() == todas, "ninguna propuesta mala deja nada"
        for veredicto in ("encaja", "no_encaja"):  # the one lie that it can tell, and then another over it
            mentira = [juicio(n, veredicto, motivo=TEXTOS[0]) for n in suyas]
            await hostil.pedir("criba_proponer", encargo(reclamado) | {"juicios": mentira})
    assert foto(taller) == antes
    despues = taller.situaciones()
    assert set(despues) == set(todas), "siguen todas a la vista"
    situacion = {c.candidata.licitacion_id: c.situacion.value for c in taller.lista()}
    assert situacion[suyas[0]] == "no_encaja", "la palabra de una persona sigue ganando"
    assert {situacion[n] for n in suyas[1:]} == {"encaja"}, "lo dicho no se dice dos veces"
    assert {situacion[n] for n in ajenas} == {"pendiente"}
    oido = "\n".join(hostil.oido)
    secretos = prohibidos(taller, token, ajeno.intento.nonce, reclamado.intento.nonce)
    assert [s for s in secretos if s in oido] == []
    assert FORMA.search(oido) is None


async def test_todo_intento_queda_anotado_sin_secretos(servido: tuple[Taller, str, str]) -> None:
    taller, url, token = servido
    reclamado, ajeno = taller.turno(), taller.turno()
    numero, ajena = (taller.lote(r)["licitaciones"][0]["numero"] for r in (reclamado, ajeno))
    (antes,) = taller.cola.execute("SELECT count(*) FROM agente_llamada").fetchone()
    async with ClienteMcp(url, token) as mcp:
        hostil = Hostil(mcp, reclamado, ajeno)
        await hostil.obedecer(TEXTOS[22], numero, ajena)
    filas = taller.cola.execute("SELECT argumentos, desenlace FROM agente_llamada ORDER BY id").fetchall()[
        antes:
    ]
    assert len(filas) == len(hostil.oido)
    assert {d for _, d in filas} >= {"desconocida", "rechazo", "bien"}
    guardado = "\n".join(a for a, _ in filas)
    assert reclamado.intento.nonce not in guardado
    assert token not in guardado


def test_los_textos_llegan_como_datos_dentro_de_su_campo(taller: Taller) -> None:
    publicar(taller)
    taller.formar()
    recibido = taller.lote(taller.turno())
    claves = {"numero", "id", "objeto", "organo", "tipo", "procedimiento", "importe", "lugar", "plazo", "cpv",
              "lotes", "requisitos"}  # fmt: skip
    assert all(set(v) == claves for v in recibido["licitaciones"])
