"""Health: what is broken, what deserves a look, and how old each live source is."""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from dominios.licitaciones import registro
from dominios.licitaciones.radar.salud import servicio
from dominios.licitaciones.radar.salud.modelo import Salud
from nucleo.bd import conectar
from nucleo.reloj import Reloj, a_micros

EN_VIVO = "https://contrataciondelsectorpublico.gob.es/sindicacion/sindicacion_643/x.atom"


def anotar_pagina(fichero: Path, fuente: str, publicada: datetime, origen: str = EN_VIVO) -> None:
    with closing(conectar(fichero)) as con:
        con.execute(
            "INSERT INTO pagina(huella, origen, fuente, instante, entradas, lapidas, alta) VALUES (?,?,?,?,0,0,?)",
            (repr((fuente, publicada)).encode(), origen, fuente, a_micros(publicada), publicada.isoformat()),
        )


def examen(datos: Path, reloj: Reloj) -> Salud:
    return registro.salud(datos, ("643", "1044"), reloj)


def test_sin_base_esta_mal_y_dice_que_hacer(datos: Path, reloj: Reloj) -> None:
    estado = examen(datos, reloj)
    assert (estado.estado, estado.pendiente) == ("mal", None)
    assert any("sobre init" in p for p in estado.problemas)
    assert list(datos.iterdir()) == []


def test_recien_creada_esta_bien_y_nada_se_ha_leido(datos: Path, fichero_bd: Path, reloj: Reloj) -> None:
    estado = examen(datos, reloj)
    assert (estado.estado, estado.problemas, estado.avisos) == ("bien", (), ())
    assert [(f.fuente, f.estado) for f in estado.fuentes] == [("643", "sin_leer"), ("1044", "sin_leer")]
    assert estado.base.bytes == fichero_bd.stat().st_size


def test_la_edad_cuenta_desde_que_la_fuente_se_movio(datos: Path, fichero_bd: Path, reloj: Reloj) -> None:
    anotar_pagina(fichero_bd, "643", reloj() - timedelta(hours=5))
    anotar_pagina(fichero_bd, "643", reloj() - timedelta(hours=2, minutes=30))
    anotar_pagina(fichero_bd, "1044", reloj() - servicio.EDAD_MAXIMA - timedelta(minutes=1))
    estado = examen(datos, reloj)
    assert [(f.estado, f.edad_h) for f in estado.fuentes] == [
        ("al_dia", 2.5),
        ("parada", pytest.approx(servicio.EDAD_MAXIMA / timedelta(hours=1), abs=0.1)),
    ]
    assert estado.estado == "avisos"
    assert [a for a in estado.avisos if "1044" in a]


def test_un_fichero_importado_no_es_una_fuente_parada(datos: Path, fichero_bd: Path, reloj: Reloj) -> None:
    anotar_pagina(fichero_bd, "643", datetime(2019, 1, 3, tzinfo=UTC), "historico_2019.zip!pagina.atom")
    estado = examen(datos, reloj)
    assert (estado.estado, estado.fuentes[0].estado) == ("bien", "sin_leer")


def test_la_cuarentena_y_las_incidencias_abiertas_se_cuentan(
    datos: Path, fichero_bd: Path, reloj: Reloj
) -> None:
    with closing(conectar(fichero_bd)) as con:
        con.executemany(
            "INSERT INTO cuarentena(huella, nivel, origen, codigo, motivo, xml, alta, resuelta)"
            " VALUES (?, 'entrada', 'x.atom', 'sin_id', 'no tiene id', x'00', '2026-03-01T00:00:00+00:00', ?)",
            [(b"1", None), (b"2", None), (b"3", "2026-03-02T00:00:00+00:00")],
        )
        con.execute(
            "INSERT INTO incidencia(tipo, clave, detalle, alta) VALUES ('empate', 'a', 'b', '2026-03-01T00:00:00Z')"
        )
    estado = examen(datos, reloj)
    assert estado.pendiente is not None
    assert (estado.pendiente.cuarentena, estado.pendiente.incidencias) == (2, 1)
    assert (estado.estado, len(estado.avisos), estado.problemas) == ("avisos", 2, ())


def test_una_base_danada_esta_mal_y_no_se_pregunta(datos: Path, fichero_bd: Path, reloj: Reloj) -> None:
    with closing(conectar(fichero_bd)) as con:
        con.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    fichero_bd.write_bytes(b"basura" * 5000)
    estado = examen(datos, reloj)
    assert (estado.estado, estado.fuentes, estado.pendiente) == ("mal", (), None)
    assert any("dañada" in p for p in estado.problemas)


def test_sin_sitio_en_el_disco_esta_mal(
    datos: Path, fichero_bd: Path, reloj: Reloj, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(servicio, "DISCO_MINIMO", 10**18)
    estado = examen(datos, reloj)
    assert fichero_bd.exists()
    assert (estado.estado, len(estado.problemas)) == ("mal", 1)


def test_una_base_mas_nueva_que_el_programa_esta_mal(datos: Path, fichero_bd: Path, reloj: Reloj) -> None:
    with closing(conectar(fichero_bd)) as con:
        con.execute(
            "INSERT INTO _sqlite_migrations(migration_set, name, applied_at) VALUES ('radar', 'm999_futura', '')"
        )
    estado = examen(datos, reloj)
    assert estado.base.futuras == ("radar.m999_futura",)
    assert estado.estado == "mal"
