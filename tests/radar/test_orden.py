"""The store is a function of what was published: no order of reading, and no reading twice, changes it."""

from __future__ import annotations

import gzip
import random
import shutil
import zipfile
from collections.abc import Callable, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dominios.licitaciones import registro
from dominios.licitaciones.radar.almacen import guardar_pagina
from dominios.licitaciones.radar.muestra import carpeta
from dominios.licitaciones.radar.procesar import PaginaLeida, procesar_pagina
from nucleo.bd import conectar, transaccion
from tests.radar.constructor import T0, T1, T2, entrada, lapida, pagina, proceso, resultado
from tests.radar.volcado import Volcado, volcar

AHORA = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
SIN_LIMITE = settings(deadline=None)


Guardar = Callable[[Sequence[PaginaLeida]], Volcado]


@pytest.fixture(scope="module")
def estado(tmp_path_factory: pytest.TempPathFactory) -> Guardar:
    """The state that reading those pages, in that order, leaves in an empty store."""
    carpeta_bd = tmp_path_factory.mktemp("orden")
    vacia = registro.preparar(carpeta_bd)
    usada = carpeta_bd / "usada.db"

    def guardar(paginas: Sequence[PaginaLeida]) -> Volcado:
        for resto in carpeta_bd.glob("usada.db*"):
            resto.unlink()
        shutil.copy(vacia, usada)
        with closing(conectar(usada)) as con:
            for leida in paginas:
                with transaccion(con):
                    guardar_pagina(con, leida, AHORA)
            return volcar(con)

    return guardar


@pytest.fixture(scope="module")
def de_muestra() -> list[PaginaLeida]:
    return [procesar_pagina(f.read_bytes(), f.name) for f in sorted(carpeta().glob("*/*.atom"))]


@pytest.fixture(scope="module")
def estado_de_muestra(de_muestra: list[PaginaLeida], estado: Guardar) -> Volcado:
    return estado(de_muestra)


def _permutar(semilla: int, paginas: Sequence[PaginaLeida]) -> list[PaginaLeida]:
    """Any order, with some pages read again at any moment."""
    azar = random.Random(semilla)
    todas = [*paginas, *azar.choices(paginas, k=len(paginas) // 2)]
    azar.shuffle(todas)
    return todas


@settings(SIN_LIMITE, max_examples=12)
@given(semilla=st.integers(0, 2**32))
def test_cualquier_orden_y_repeticion_de_la_muestra_da_lo_mismo(
    semilla: int, de_muestra: list[PaginaLeida], estado_de_muestra: Volcado, estado: Guardar
) -> None:
    assert estado(_permutar(semilla, de_muestra)) == estado_de_muestra


@pytest.mark.nocturno
@settings(SIN_LIMITE, max_examples=300)
@given(semilla=st.integers(0, 2**32))
def test_cualquier_orden_y_repeticion_de_la_muestra_muchas_veces(
    semilla: int, de_muestra: list[PaginaLeida], estado_de_muestra: Volcado, estado: Guardar
) -> None:
    assert estado(_permutar(semilla, de_muestra)) == estado_de_muestra


INSTANTES = (T0, T1, T2)
CONTENIDOS = (
    (proceso("2026-03-20"),),
    (proceso("2026-03-27"),),
    (resultado("8", lote="1", sin_iva="10"),),
    (resultado("3", lote="1"),),
)
PIEZAS = st.one_of(
    st.builds(
        lambda n, cuando, contenido: entrada(n, cuando, *contenido),
        st.integers(1, 2),
        st.sampled_from(INSTANTES),
        st.sampled_from(CONTENIDOS),
    ),
    st.builds(
        lapida, st.integers(1, 2), st.sampled_from(INSTANTES), st.sampled_from(("ANULADA", "CERRADA", None))
    ),
)
PAGINAS = st.lists(
    st.builds(
        lambda piezas, dia: pagina(*piezas, updated=f"2026-03-0{dia}T09:00:00.000+01:00"),
        st.lists(PIEZAS, min_size=1, max_size=4),
        st.integers(1, 5),
    ),
    min_size=1,
    max_size=5,
)


@settings(SIN_LIMITE, max_examples=60)
@given(cuerpos=PAGINAS, datos=st.data())
def test_cualquier_orden_de_paginas_en_conflicto_da_lo_mismo(
    cuerpos: list[bytes], datos: st.DataObject, estado: Guardar
) -> None:
    """Ties, silent corrections, tombstones in between and the same content in several pages, all at once."""
    leidas = [procesar_pagina(cuerpo, f"{n}.atom") for n, cuerpo in enumerate(cuerpos)]
    otras = [*datos.draw(st.permutations(leidas)), *datos.draw(st.lists(st.sampled_from(leidas), max_size=3))]
    assert estado(otras) == estado(leidas)


@settings(SIN_LIMITE, max_examples=40)
@given(
    piezas=st.lists(PIEZAS, min_size=2, max_size=8, unique=True), cortes=st.integers(1, 4), datos=st.data()
)
def test_da_igual_en_cuantas_paginas_venga_repartido(
    piezas: list[str], cortes: int, datos: st.DataObject, estado: Guardar
) -> None:
    """One page or several generated together: items, not pages, are what is stored."""
    mezcladas = datos.draw(st.permutations(piezas))
    trozos = [pagina(*mezcladas[i::cortes]) for i in range(cortes) if mezcladas[i::cortes]]
    junta = estado([procesar_pagina(pagina(*piezas), "junta.atom")])
    partida = estado([procesar_pagina(t, f"{n}.atom") for n, t in enumerate(trozos)])
    assert {k: v for k, v in partida.items() if k != "pagina"} == {
        k: v for k, v in junta.items() if k != "pagina"
    }


def _cuerpos_reales(placsp: Path) -> list[tuple[str, bytes]]:
    cuerpos = [(f.name, f.read_bytes()) for f in sorted(placsp.glob("643_*/**/*.atom"))]
    cuerpos += [(f.name, gzip.decompress(f.read_bytes())) for f in sorted(placsp.glob("1143_menores/*.gz"))]
    for fichero in sorted(placsp.glob("1044_agregadas/*.zip")):
        with zipfile.ZipFile(fichero) as archivo:
            cuerpos += [(nombre, archivo.read(nombre)) for nombre in archivo.namelist()]
    return cuerpos


@pytest.fixture(scope="module")
def reales(datos_reales: Path) -> list[PaginaLeida]:
    return [procesar_pagina(cuerpo, nombre) for nombre, cuerpo in _cuerpos_reales(datos_reales / "placsp")]


@pytest.fixture(scope="module")
def estado_real(reales: list[PaginaLeida], estado: Guardar) -> Volcado:
    return estado(reales)


@pytest.mark.parametrize("semilla", [1, 2])
def test_cualquier_orden_de_las_paginas_reales_da_lo_mismo(
    semilla: int, reales: list[PaginaLeida], estado_real: Volcado, estado: Guardar
) -> None:
    assert estado(_permutar(semilla, reales)) == estado_real


@pytest.mark.nocturno
@pytest.mark.parametrize("semilla", range(100, 130))
def test_cualquier_orden_de_las_paginas_reales_muchas_veces(
    semilla: int, reales: list[PaginaLeida], estado_real: Volcado, estado: Guardar
) -> None:
    assert estado(_permutar(semilla, reales)) == estado_real


def test_el_volcado_ve_lo_que_cambia(de_muestra: list[PaginaLeida], estado: Guardar) -> None:
    """The comparison above can fail: leaving out one page gives another state."""
    completo = estado(de_muestra)
    for tabla in ("version", "lapida", "licitacion", "texto", "cpv"):
        assert completo[tabla]
    assert estado(de_muestra[1:]) != completo
