"""Health: what is broken, what deserves a look, and how old each live source is."""

from __future__ import annotations

from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from dominios.licitaciones import registro
from dominios.licitaciones.radar.salud import servicio
from dominios.licitaciones.radar.salud.modelo import Salud
from dominios.licitaciones.radar.sincronizar import almacen as sincronizar
from dominios.licitaciones.radar.sincronizar.almacen import Clave, UltimaPasada, guardar_estado
from dominios.licitaciones.radar.sincronizar.modelo import Cabecera, Estado
from nucleo.bd import conectar
from nucleo.configuracion import Configuracion
from nucleo.reloj import Reloj, a_micros

CABECERA = "https://contrataciondelsectorpublico.gob.es/sindicacion/x.atom"


def anotar_pasada(
    fichero: Path, fuente: str, publicada: datetime, terminada: datetime, error: str | None = None
) -> None:
    """As the sync leaves it: what the head said, and how the pass ended."""
    with closing(conectar(fichero)) as con:
        cabecera = Cabecera(etag=None, last_modified=None, instante=a_micros(publicada))
        guardar_estado(con, Clave(fuente, CABECERA), Estado(cabecera=cabecera))
        sincronizar.anotar_pasada(
            con, UltimaPasada(fuente, CABECERA, terminada.isoformat(), error is None, 1, 0, (), error)
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
    anotar_pasada(fichero_bd, "643", reloj() - timedelta(hours=2, minutes=30), reloj())
    anotar_pasada(fichero_bd, "1044", reloj() - timedelta(hours=72), reloj())
    estado = examen(datos, reloj)
    assert [(f.estado, f.edad_h) for f in estado.fuentes] == [("al_dia", 2.5), ("parada", 72.0)]
    assert (estado.estado, estado.problemas) == ("avisos", ())
    assert len(estado.avisos) == 1
    assert "1044" in estado.avisos[0]


def test_cada_instalacion_puede_poner_su_limite(
    datos: Path, fichero_bd: Path, reloj: Reloj, monkeypatch: pytest.MonkeyPatch
) -> None:
    anotar_pasada(fichero_bd, "643", reloj() - timedelta(hours=10), reloj())
    assert registro.salud_a_fondo(Configuracion(), reloj).estado == "bien"
    monkeypatch.setenv("SOBRE_RADAR_FRESCURA_HORAS", "643=9")
    estado = registro.salud_a_fondo(Configuracion(), reloj)
    assert (estado.estado, estado.fuentes[0].estado) == ("avisos", "parada")
    assert datos == fichero_bd.parent


def test_una_pasada_fallida_y_un_radar_parado_se_dicen(datos: Path, fichero_bd: Path, reloj: Reloj) -> None:
    hace_poco = reloj() - timedelta(minutes=20)
    anotar_pasada(fichero_bd, "643", hace_poco, hace_poco, "respondió 500")
    anotar_pasada(fichero_bd, "1044", hace_poco, reloj() - servicio.SIN_PASAR - timedelta(minutes=1))
    estado = examen(datos, reloj)
    assert estado.estado == "avisos"
    fallida, parado = estado.avisos
    assert "643" in fallida
    assert "respondió 500" in fallida
    assert "1044" in parado
    assert "02/03/2026 08:59" in parado


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
