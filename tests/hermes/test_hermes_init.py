"""hermes_init.py: what it leaves, that repeating it changes nothing, and that it respects what people edit."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from nucleo.hermes.perfiles import leer_hermes

GUION = Path(__file__).resolve().parents[2] / "deploy" / "hermes" / "hermes_init.py"
MODELO = ("--modelo", "un-modelo", "--proveedor", "openrouter")
DE_PRUEBA = "token-de-prueba-licitaciones"


def iniciar(
    hogar: Path, *opciones: str, entorno: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, GUION, "--hogar", hogar, *(opciones or MODELO)],
        env={"PATH": os.environ["PATH"], **(entorno or {})},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def foto(hogar: Path) -> dict[str, tuple[bytes, int, int]]:
    """Every file: its bytes, its mode and when it was written."""
    return {
        str(f.relative_to(hogar)): (f.read_bytes(), f.stat().st_mode, f.stat().st_mtime_ns)
        for f in hogar.rglob("*")
        if f.is_file()
    }


def env(hogar: Path, perfil: str) -> dict[str, str]:
    lineas = (hogar / perfil / ".env").read_text("utf-8").splitlines()
    return dict(linea.split("=", 1) for linea in lineas)


def test_deja_los_tres_perfiles_listos_para_la_cola(tmp_path: Path) -> None:
    hecho = iniciar(tmp_path, entorno={"TOKEN_MCP_LICITACIONES": DE_PRUEBA})
    assert (hecho.returncode, hecho.stderr) == (0, "")
    hermes = leer_hermes(tmp_path / "sobre-hermes.json")
    assert sorted(p.nombre for p in hermes.perfiles) == ["critico", "licitaciones", "oferta"]
    assert (
        len({p.url for p in hermes.perfiles})
        == len({p.clave.get_secret_value() for p in hermes.perfiles})
        == 3
    )
    for perfil in hermes.perfiles:
        casa = tmp_path / perfil.nombre
        variables = env(tmp_path, perfil.nombre)
        assert perfil.clave.get_secret_value() == variables["API_SERVER_KEY"]
        assert perfil.url == f"http://127.0.0.1:{variables['API_SERVER_PORT']}"
        assert variables["API_SERVER_HOST"] == "127.0.0.1"
        assert (casa / "SOUL.md").is_file()
        assert len(list(casa.glob("skills/sobre/*/SKILL.md"))) == 1
    assert env(tmp_path, "licitaciones")["TOKEN_MCP"] == DE_PRUEBA
    assert "oferta: falta su token" in hecho.stdout
    assert "licitaciones: falta su token" not in hecho.stdout


@pytest.mark.parametrize("perfil", ["licitaciones", "oferta", "critico"])
def test_un_perfil_solo_ve_nuestras_herramientas(tmp_path: Path, perfil: str) -> None:
    iniciar(tmp_path, *MODELO, "--mcp", "http://127.0.0.1:9/mcp")
    config = yaml.safe_load((tmp_path / perfil / "config.yaml").read_text("utf-8"))
    assert config["platform_toolsets"] == {"api_server": ["sobre"]}
    assert list(config["mcp_servers"]) == ["sobre"]
    assert config["mcp_servers"]["sobre"]["url"] == "http://127.0.0.1:9/mcp"
    assert config["mcp_servers"]["sobre"]["headers"] == {"Authorization": "Bearer ${TOKEN_MCP}"}
    assert config["model"] == {"default": "un-modelo", "provider": "openrouter"}
    assert config["memory"] == {"memory_enabled": False, "user_profile_enabled": False}


def test_repetirlo_no_cambia_nada(tmp_path: Path) -> None:
    iniciar(tmp_path, entorno={"TOKEN_MCP_CRITICO": DE_PRUEBA})
    antes = foto(tmp_path)
    iniciar(tmp_path)
    assert foto(tmp_path) == antes


def test_lo_que_edita_una_persona_se_queda_y_lo_demas_se_actualiza(tmp_path: Path) -> None:
    iniciar(tmp_path)
    alma = tmp_path / "critico" / "SOUL.md"
    alma.write_text("Otra personalidad.\n", "utf-8")
    hecho = iniciar(tmp_path, "--modelo", "otro-modelo", "--proveedor", "openrouter")
    assert alma.read_text("utf-8") == "Otra personalidad.\n"
    assert "critico: SOUL.md conservado (lo ha cambiado una persona)" in hecho.stdout
    for perfil in ("licitaciones", "oferta", "critico"):
        assert f"{perfil}: config.yaml actualizado" in hecho.stdout
        config = yaml.safe_load((tmp_path / perfil / "config.yaml").read_text("utf-8"))
        assert config["model"]["default"] == "otro-modelo"
    assert "critico: SOUL.md conservado" in iniciar(tmp_path).stdout


def test_un_token_nuevo_sustituye_al_viejo_y_lo_ajeno_se_queda(tmp_path: Path) -> None:
    iniciar(tmp_path, entorno={"TOKEN_MCP_OFERTA": "token-viejo"})
    fichero = tmp_path / "oferta" / ".env"
    fichero.write_text("# nota\nOPENROUTER_API_KEY=x=y\n" + fichero.read_text("utf-8"), "utf-8")
    clave = env(tmp_path, "critico")["API_SERVER_KEY"]
    hecho = iniciar(tmp_path, entorno={"TOKEN_MCP_OFERTA": "token-nuevo"})
    texto = fichero.read_text("utf-8")
    assert texto.startswith("# nota\nOPENROUTER_API_KEY=x=y\n")
    assert texto.count("TOKEN_MCP=") == 1
    assert "TOKEN_MCP=token-nuevo\n" in texto
    assert env(tmp_path, "critico")["API_SERVER_KEY"] == clave
    assert "token-nuevo" not in hecho.stdout + hecho.stderr


@pytest.mark.parametrize("token", ["dos\nLINEAS=1", "con espacio", "eñe"])
def test_un_token_que_escribiria_otra_variable_se_rechaza(tmp_path: Path, token: str) -> None:
    hecho = iniciar(tmp_path, entorno={"TOKEN_MCP_LICITACIONES": token})
    assert hecho.returncode == 1
    assert "TOKEN_MCP_LICITACIONES" in hecho.stderr
    assert token not in hecho.stderr
    assert not (tmp_path / "licitaciones" / ".env").exists()


def test_los_permisos_se_cierran_tambien_en_lo_que_ya_habia(tmp_path: Path) -> None:
    iniciar(tmp_path)
    suelto = tmp_path / "oferta" / "state.db"
    suelto.write_bytes(b"x")
    suelto.chmod(0o666)
    (tmp_path / "oferta").chmod(0o777)
    iniciar(tmp_path)
    abiertos = [str(f) for f in (tmp_path, *tmp_path.rglob("*")) if f.stat().st_mode & 0o077]
    assert abiertos == []


def test_los_precios_y_perfiles_que_ya_habia_siguen(tmp_path: Path) -> None:
    precio = {"proveedor": "p", "modelo": "m", "entrada": "1", "salida": "2"}
    otro = {"url": "http://127.0.0.1:9000", "clave_env": "OTRA"}
    indice = tmp_path / "sobre-hermes.json"
    indice.write_text(json.dumps({"perfiles": {"otro": otro}, "precios": [precio]}), "utf-8")
    iniciar(tmp_path, *MODELO, "--perfil", "critico")
    escrito = json.loads(indice.read_text("utf-8"))
    assert sorted(escrito["perfiles"]) == ["critico", "otro"]
    assert escrito["precios"] == [precio]
    assert not (tmp_path / "oferta").exists()


def test_sin_sitio_donde_escribir_lo_dice_sin_traza(tmp_path: Path) -> None:
    (tmp_path / "fichero").write_text("x", "utf-8")
    hecho = iniciar(tmp_path / "fichero")
    assert hecho.returncode == 1
    assert "No se puede escribir" in hecho.stderr
    assert "Traceback" not in hecho.stderr


@pytest.mark.parametrize("fichero", ["sobre-hermes.json", "oferta/.sobre-instalado.json", "oferta/.env"])
@pytest.mark.parametrize("contenido", [b"\xff\xfe", b"{", b"[1]", b'{"perfiles": 3}', b"[" * 20_000])
def test_lo_que_no_se_puede_leer_se_dice_antes_de_escribir_nada(
    tmp_path: Path, fichero: str, contenido: bytes
) -> None:
    iniciar(tmp_path)
    (tmp_path / fichero).write_bytes(contenido)
    antes = foto(tmp_path)
    hecho = iniciar(tmp_path, *MODELO, "--mcp", "http://127.0.0.1:9/mcp")
    assert "Traceback" not in hecho.stderr
    if hecho.returncode:  # some of them are fit for some files
        assert hecho.returncode == 1
        assert str(tmp_path / fichero) in hecho.stderr
        assert foto(tmp_path) == antes


@pytest.mark.parametrize(
    "opcion", [("--puerto-base", "65534"), ("--puerto-base", "80"), ("--a-la-vez", "0"), ("--duenio", "x")]
)
def test_una_opcion_fuera_de_sitio_es_un_dos(tmp_path: Path, opcion: tuple[str, str]) -> None:
    hecho = iniciar(tmp_path / "hogar", *MODELO, *opcion)
    assert (hecho.returncode, "Traceback" in hecho.stderr) == (2, False)
    assert not (tmp_path / "hogar").exists()


def test_hermes_admite_el_doble_de_lo_que_lanza_la_cola(tmp_path: Path) -> None:
    iniciar(tmp_path, *MODELO, "--a-la-vez", "6")
    config = yaml.safe_load((tmp_path / "oferta" / "config.yaml").read_text("utf-8"))
    assert config["gateway"]["api_server"]["max_concurrent_runs"] == 12
