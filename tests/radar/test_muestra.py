"""The bundled sample is true to the format, invented from end to end, and stays alive on any day."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from dominios.licitaciones import registro
from dominios.licitaciones.radar.muestra import carpeta
from dominios.licitaciones.radar.muestra.servir import BASE, paginas
from nucleo.codigos.nif import es_enmascarado, normalizar_nif
from nucleo.reloj import MADRID
from tests.radar.caja import Caja

CABECERAS = {
    "643": "licitacionesPerfilesContratanteCompleto3.atom",
    "1044": "PlataformasAgregadasSinMenores.atom",
    "1143": "contratosMenoresPerfilesContratantes.atom",
    "1383": "EMP_SectorPublico.atom",
    "1403": "CPM_SectorPublico.atom",
}
NIF_MALOS = {"B0001035X", "B00012059", "Espejismo Ficticio, S.L."}
INVENTADO = re.compile(
    r"ejempl|fictici|ficción|imaginar|inventad|irreal|supuest|inexistent|ilusori|soñado|de pega|erróneos|muestrales"
    r"|irudimenez|fictional",
    re.IGNORECASE,
)
GENERICO = re.compile(
    r"Sector Público|Ayuntamientos|Diputaciones Provinciales|Universidades|Canarias|Cabildos y Consejos Insulares"
    r"|[A-ZÁÉÍÓÚÑ, ]+"  # headings of the administration's tree, always in capitals
)
SERVIDORES = re.compile(r"contrataciondelestado\.es|contrataciondelsectorpublico\.gob\.es|[a-z.-]+\.invalid")

Raices = dict[str, etree._Element]


def _raices(cuerpos: dict[str, bytes]) -> Raices:
    return {ruta: etree.fromstring(cuerpo) for ruta, cuerpo in cuerpos.items()}


def _ficheros() -> list[Path]:
    return sorted(carpeta().glob("*/*.atom"))


@pytest.fixture(scope="module")
def raices() -> Raices:
    return _raices({f"{f.parent.name}/{f.name}": f.read_bytes() for f in _ficheros()})


def _enlace(raiz: etree._Element, rel: str) -> str | None:
    hrefs = [e.get("href") for e in raiz.findall("{*}link") if e.get("rel") == rel]
    return hrefs[0] if hrefs else None


def _cadena(raices: Raices, cabecera: str) -> list[str]:
    """Paths from the head towards the past."""
    camino = [cabecera]
    while siguiente := _enlace(raices[camino[-1]], "next"):
        assert "/" not in siguiente, "un next absoluto sacaría la demostración de esta máquina"
        camino.append(f"{cabecera.split('/', maxsplit=1)[0]}/{siguiente}")
    return camino


def _instantes(raiz: etree._Element) -> list[datetime]:
    return [datetime.fromisoformat(e.findtext("{*}updated")) for e in raiz.findall("{*}entry")]


def _lapidas(raiz: etree._Element) -> list[datetime]:
    return [datetime.fromisoformat(e.get("when")) for e in raiz.findall("{*}deleted-entry")]


@pytest.mark.parametrize("fuente", CABECERAS)
def test_la_cadena_de_cada_conjunto_llega_a_todas_sus_paginas(raices: Raices, fuente: str) -> None:
    cadena = _cadena(raices, f"{fuente}/{CABECERAS[fuente]}")
    assert sorted(cadena) == sorted(ruta for ruta in raices if ruta.startswith(f"{fuente}/"))
    for ruta, nueva in zip(cadena[1:], cadena, strict=False):
        assert _enlace(raices[ruta], "prev").endswith(nueva.split("/")[1])
    for ruta in cadena:
        assert _enlace(raices[ruta], "self").endswith(ruta.split("/")[1])
        assert _enlace(raices[ruta], "first").endswith(CABECERAS[fuente])
    assert _enlace(raices[cadena[0]], "prev") is None


def test_el_conjunto_principal_tiene_al_menos_tres_paginas_con_enlaces_relativos_y_absolutos(
    raices: Raices,
) -> None:
    cadena = _cadena(raices, f"643/{CABECERAS['643']}")
    propios = [_enlace(raices[ruta], "self") for ruta in cadena]
    assert len(cadena) >= 3
    assert {h.startswith("https://") for h in propios} == {True, False}


@pytest.mark.parametrize("fuente", CABECERAS)
def test_entradas_y_lapidas_van_de_mas_nueva_a_mas_vieja_en_toda_la_cadena(
    raices: Raices, fuente: str
) -> None:
    cadena = _cadena(raices, f"{fuente}/{CABECERAS[fuente]}")
    entradas = [i for ruta in cadena for i in _instantes(raices[ruta])]
    assert entradas == sorted(entradas, reverse=True)
    for ruta in cadena:
        lapidas = _lapidas(raices[ruta])
        assert lapidas == sorted(lapidas, reverse=True)
        assert datetime.fromisoformat(raices[ruta].findtext("{*}updated")) >= max(_instantes(raices[ruta]))


def test_cuentas_de_la_muestra(raices: Raices) -> None:
    ids = [e.findtext("{*}id") for r in raices.values() for e in r.findall("{*}entry")]
    lapidas = sum(len(_lapidas(r)) for r in raices.values())
    assert (len(raices), len(ids), len(set(ids)), lapidas) == (9, 91, 74, 13)


def test_los_nif_son_validos_o_malos_a_proposito(raices: Raices) -> None:
    nifs = {
        e.text for r in raices.values() for e in r.iter("{*}ID") if e.get("schemeName") == "NIF" and e.text
    }
    assert len(nifs) > 30
    malos = {nif for nif in nifs if normalizar_nif(nif) is None and not es_enmascarado(nif)}
    assert malos == NIF_MALOS


def test_los_numeros_de_los_nif_no_son_de_nadie(raices: Raices) -> None:
    """No province of the tax agency starts with 00: a company cannot have such a number."""
    for raiz in raices.values():
        for ident in raiz.iter("{*}ID"):
            if nif := normalizar_nif(ident.text or "") if ident.get("schemeName") in {"NIF", "UTE"} else None:
                assert nif[1:4] == "000", nif


def test_ningun_nombre_de_organizacion_parece_real(raices: Raices) -> None:
    reales = {
        nombre
        for raiz in raices.values()
        for parte in raiz.iter("{*}PartyName")
        if not INVENTADO.search(nombre := parte.findtext("{*}Name"))
        and not GENERICO.fullmatch(nombre)
        and normalizar_nif(nombre) is None  # a name and its NIF, swapped on purpose
    }
    assert reales == set()


def test_solo_cita_los_servidores_de_la_plataforma_y_nombres_imposibles(raices: Raices) -> None:
    for raiz in raices.values():
        for elemento in raiz.iter("{*}URI", "{*}WebsiteURI", "{*}link", "{*}BuyerProfileURIID"):
            direccion = elemento.get("href") or elemento.text
            anfitrion = urlsplit(direccion).hostname
            assert anfitrion is None or SERVIDORES.fullmatch(anfitrion), direccion
        for documento in raiz.iter("{*}ExternalReference"):
            assert re.search(r"FICTICI[OA]|\.invalid/", documento.findtext("{*}URI"))
        for correo in raiz.iter("{*}ElectronicMail"):
            assert correo.text.endswith(".invalid")


def test_en_el_instante_base_se_sirven_los_ficheros_tal_cual() -> None:
    """But for the heads, which say that they were generated right now."""
    servidas = paginas(BASE)
    for fichero in _ficheros():
        servida = servidas[f"sindicacion_{fichero.parent.name}/{fichero.name}"]
        if fichero.name in CABECERAS.values():
            servida = re.sub(
                rb"(?<=<updated>)[^<]+", _actualizada(fichero.read_bytes()).encode(), servida, count=1
            )
        assert servida == fichero.read_bytes()


def _actualizada(cuerpo: bytes) -> str:
    return etree.fromstring(cuerpo).findtext("{*}updated")


AHORAS = st.datetimes(datetime(2024, 1, 1), datetime(2039, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001 - the strategy adds the zone


@settings(max_examples=15, deadline=None)
@given(AHORAS)
def test_mover_las_fechas_conserva_orden_cadena_y_dias_de_la_semana(ahora: datetime) -> None:
    fijas, movidas = _por_conjunto(paginas(BASE)), _por_conjunto(paginas(ahora))
    for fuente, fija in fijas.items():
        movida = movidas[fuente]
        antes, despues = _todos(fija), _todos(movida)
        saltos = {b - a for a, b in zip(antes, despues, strict=True)}
        assert len(saltos) == 1, "todos los instantes se mueven lo mismo: el orden no puede cambiar"
        assert saltos.pop() % timedelta(weeks=1) == timedelta(0)
        assert len(_cadena_de(movida)) == len(fija)
        assert timedelta(0) <= ahora - max(despues) < timedelta(weeks=2)


def _por_conjunto(cuerpos: dict[str, bytes]) -> dict[str, Raices]:
    raices = _raices(cuerpos)
    return {
        f: {ruta: r for ruta, r in raices.items() if ruta.startswith(f"sindicacion_{f}/")} for f in CABECERAS
    }


def _todos(raices: Raices) -> list[datetime]:
    """Every instant of the chain, in reading order."""
    return [i for ruta in _cadena_de(raices) for i in [*_lapidas(raices[ruta]), *_instantes(raices[ruta])]]


def _cadena_de(raices: Raices) -> list[str]:
    cabecera = next(ruta for ruta in raices if ruta.split("/")[1] in CABECERAS.values())
    return _cadena(raices, cabecera)


@settings(max_examples=10, deadline=None)
@given(AHORAS)
def test_siempre_hay_de_diez_a_quince_de_informatica_abiertas_y_la_cabecera_es_de_ahora(
    ahora: datetime,
) -> None:
    raices = _raices(paginas(ahora))
    abiertas = set()
    for ruta, raiz in raices.items():
        if ruta.split("/")[1] in CABECERAS.values():
            edad = ahora - datetime.fromisoformat(raiz.findtext("{*}updated"))
            assert timedelta(0) <= edad < timedelta(minutes=1)
        abiertas |= {
            entrada.findtext("{*}id")
            for entrada in raiz.findall("{*}entry")
            if _es_informatica(entrada) and _abierta(entrada, ahora)
        }
    assert 10 <= len(abiertas) <= 20


def _es_informatica(entrada: etree._Element) -> bool:
    return any(c.text.startswith(("72", "48", "302")) for c in entrada.iter("{*}ItemClassificationCode"))


def _abierta(entrada: etree._Element, ahora: datetime) -> bool:
    estado = entrada.findtext(".//{*}ContractFolderStatusCode")
    fin = entrada.findtext(".//{*}TenderSubmissionDeadlinePeriod/{*}EndDate")
    return estado == "PUB" and fin is not None and datetime.fromisoformat(fin).replace(tzinfo=MADRID) > ahora


def test_un_instante_sin_zona_se_rechaza() -> None:
    with pytest.raises(ValueError, match="zona horaria"):
        paginas(datetime(2026, 3, 2))  # noqa: DTZ001 - it is what must be refused


@pytest.fixture(scope="module")
def llena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Caja]:
    """A store with the whole sample, on the day it is written for."""
    llena = Caja(registro.preparar(tmp_path_factory.mktemp("muestra")))
    with closing(llena.con):
        llena.guardar(*paginas(BASE).values())
        yield llena


def test_la_muestra_entra_entera_y_sin_cuarentena(llena: Caja) -> None:
    recuentos = llena.recuentos[:9]
    assert sum(r.cuarentena for r in recuentos) == 0
    assert (sum(r.versiones_nuevas for r in recuentos), sum(r.lapidas for r in recuentos)) == (91, 13)
    assert llena.filas("SELECT count(*), sum(vigente) FROM licitacion") == [(74, 68)]
    assert {f for (f,) in llena.filas("SELECT DISTINCT fuente FROM licitacion")} == set(CABECERAS)
    tipos = {t for (t,) in llena.filas("SELECT DISTINCT tipo_registro FROM licitacion")}
    assert tipos == {"licitacion", "menor", "encargo", "consulta"}


def test_volver_a_leerla_no_cambia_nada(llena: Caja) -> None:
    otra_vez = llena.guardar(*paginas(BASE).values())
    assert sum(r.versiones_nuevas for r in otra_vez) == 0


@pytest.mark.parametrize(
    ("n", "fuente", "esperado"),
    [
        (1, "643", {"n_versiones": 3, "es_oportunidad_abierta": True, "presupuesto_efectivo": "180000"}),
        (2, "643", {"n_versiones": 2, "presupuesto_efectivo": "620000"}),
        (4, "643", {"n_versiones": 3, "desenlace": "adjudicada"}),
        (5, "643", {"n_versiones": 5, "desenlace": "formalizada"}),
        (6, "643", {"ultimo_estado": "ADJ", "desenlace": "adjudicada"}),
        (7, "643", {"n_versiones": 2, "presupuesto_efectivo": "340000"}),
        (9, "643", {"vigente": False, "tipo_baja": "ANULADA", "desenlace": "anulada"}),
        (10, "643", {"vigente": False, "tipo_baja": "CERRADA", "desenlace": "formalizada"}),
        (11, "643", {"vigente": False, "tipo_baja": None}),
        (13, "643", {"vigente": True, "baja": None, "n_versiones": 2}),
        (14, "643", {"vigente": True, "avisos": ["lapida_en_el_mismo_instante"]}),
        (15, "643", {"desenlace": "adjudicada_parcial", "lotes_sin_adjudicar": ["2"]}),
        (16, "643", {"desenlace": "desistida"}),
        (17, "643", {"desenlace": "renuncia"}),
        (18, "643", {"desenlace": "anulada", "vigente": True}),
        (19, "643", {"es_oportunidad_abierta": False, "importe_para_filtro": "5000000"}),
        (26, "643", {"presupuesto_efectivo": None, "importe_para_filtro": "8000000"}),
        (29, "643", {"adjudicado_sin_iva_total": None}),
        (36, "643", {"fecha_publicacion": "2026-02-10"}),
        (39, "643", {"ultimo_estado": "PUB", "es_oportunidad_abierta": False}),
        (42, "643", {"ultimo_estado": "EV"}),
        (3, "1044", {"lotes_deducidos": ["1", "2", "3", "4"], "desenlace": "adjudicada_parcial"}),
        (10, "1044", {"ultimo_estado": "RES", "desenlace": "desierta", "n_versiones": 2}),
        (4, "1143", {"tipo_registro": "menor", "es_oportunidad_abierta": True}),
        (2, "1383", {"tipo_registro": "encargo", "es_oportunidad_abierta": False}),
        (1, "1403", {"tipo_registro": "consulta", "n_versiones": 2}),
    ],
)
def test_cada_entrada_cuenta_lo_que_dice_su_documentacion(
    llena: Caja, n: int, fuente: str, esperado: dict[str, object]
) -> None:
    derivado = llena.derivado(99_000_000 + n, fuente=fuente)
    assert {clave: derivado[clave] for clave in esperado} == esperado


def test_los_cambios_de_la_licitacion_principal_se_ven(llena: Caja) -> None:
    assert llena.cambios(99_000_001)[:2] == [["documentos"], ["plazo_ofertas"]]
    assert llena.cambios(99_000_008)[0] == []
    assert "lotes" in llena.cambios(99_000_002)[0]
    assert llena.derivado(99_000_007)["avisos"] == ["correccion_silenciosa"]
    assert "pyme_contradictoria" in llena.derivado(99_000_031)["avisos"]
