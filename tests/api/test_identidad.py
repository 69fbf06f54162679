"""Who asks: tokens and the local key, and nothing that can be said from outside."""

from __future__ import annotations

import logging
import stat
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import httpx
import pytest

from app import llave
from app.api import pase
from app.api.identidad import persona_local
from nucleo.errores import ErrorConfiguracion
from tests.api.servida import PERSONA, Servida
from tests.conftest import AHORA


def test_la_llave_nace_entera_y_solo_para_su_dueno(tmp_path: Path) -> None:
    assert llave.leer(tmp_path) is None
    with ThreadPoolExecutor(8) as hilos:
        hechas = set(hilos.map(lambda _: llave.leer_o_crear(tmp_path), range(32)))
    assert len(hechas) == 1
    assert stat.S_IMODE((tmp_path / llave.FICHERO).stat().st_mode) == 0o600
    assert [f.name for f in tmp_path.iterdir()] == [llave.FICHERO]


def test_una_llave_que_otros_leen_no_vale(tmp_path: Path) -> None:
    llave.leer_o_crear(tmp_path)
    (tmp_path / llave.FICHERO).chmod(0o640)
    with pytest.raises(ErrorConfiguracion, match="la pueden leer otros"):
        llave.leer(tmp_path)


@pytest.mark.parametrize("contenido", ["", "x", "sobre-local_", "sobre-local_" + "a" * 44, "\xff" * 10])
def test_una_llave_a_medias_no_vale(tmp_path: Path, contenido: str) -> None:
    fichero = tmp_path / llave.FICHERO
    fichero.write_text(contenido, "latin-1")
    fichero.chmod(0o600)
    with pytest.raises(ErrorConfiguracion, match="no contiene una llave"):
        llave.leer_o_crear(tmp_path)


def test_una_llave_que_es_un_enlace_no_se_sigue(tmp_path: Path) -> None:
    llave.leer_o_crear(tmp_path)
    otra = tmp_path / "otra"
    otra.mkdir()
    (otra / llave.FICHERO).symlink_to(tmp_path / llave.FICHERO)
    with pytest.raises(ErrorConfiguracion):
        llave.leer(otra)


def estado(api: Servida, *autorizaciones: str) -> int:
    cabeceras = [("Authorization", a) for a in autorizaciones]
    return httpx.get(f"{api.url}/api/recorridos", headers=cabeceras, trust_env=False).status_code


def test_solo_vale_la_llave_entera_y_en_su_sitio(api: Servida) -> None:
    buena = api.tokens[PERSONA]
    assert estado(api, f"Bearer {buena}") == estado(api, f"bearer {buena}") == 200
    for mala in (
        buena[:-1],
        buena + "a",
        buena[:-1] + ("b" if buena[-1] != "b" else "c"),
        "sobre-local_",
        "x",
    ):
        assert estado(api, f"Bearer {mala}") == 401
    assert estado(api, f"Basic {buena}") == estado(api, buena) == 401
    assert estado(api, f"Bearer {buena}", f"Bearer {buena}") == 401


def test_la_llave_no_es_un_token_ni_un_token_la_llave(api: Servida) -> None:
    assert api.herramienta(PERSONA, "recorrido_listar", {})["codigo"] == "SIN_IDENTIDAD"
    with api.http("guia") as http:
        assert http.get("/api/entregas").status_code == 403


def test_la_llave_no_se_escribe_en_el_registro(api: Servida, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG), api.http(PERSONA) as http:
        for ruta in ("/api/recorridos", "/api/nada", "/api/recorridos?nada=1"):
            http.get(ruta)
    assert api.tokens[PERSONA] not in caplog.text


def test_la_persona_es_la_de_esta_maquina() -> None:
    persona = persona_local()
    assert (persona.clase, persona.rol) == ("persona", "admin") and persona.nombre


def test_un_pase_vale_para_lo_suyo_y_un_rato() -> None:
    dado = pase.emitir("secreto", "art_1", AHORA)
    assert pase.vale("secreto", dado, "art_1", AHORA)
    assert not pase.vale("secreto", dado, "art_2", AHORA)
    assert not pase.vale("otro", dado, "art_1", AHORA)
    assert not pase.vale("secreto", dado, "art_1", AHORA + pase.VIGENCIA + timedelta(seconds=1))
    for malo in ("", ".", "1.a", "9" * 13 + "." + "0" * 64, dado + "0", "٣." + "0" * 64):
        assert not pase.vale("secreto", malo, "art_1", AHORA)
