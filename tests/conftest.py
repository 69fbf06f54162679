"""What every test may ask for: the clock, a data folder, the real feeds, a browser; and no network."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from dominios.licitaciones import registro
from nucleo.configuracion import configuracion
from nucleo.reloj import Reloj, reloj_fijo
from tests.guardia_red import solo_esta_maquina

AHORA = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)

# Set at import, before any library reads them; child processes inherit them.
os.environ.update(
    DO_NOT_TRACK="1",
    PREFECT_SERVER_ANALYTICS_ENABLED="false",
    STREAMLIT_BROWSER_GATHER_USAGE_STATS="false",
    NO_PROXY="*",
)
for _variable in ("SOBRE_DATOS", "SOBRE_PUERTO", "SOBRE_FUENTES"):
    os.environ.pop(_variable, None)


def pytest_addoption(parser: pytest.Parser) -> None:
    """How many times in a row each test marked `muerte` runs."""
    parser.addoption("--veces", type=int, default=1, help="times that each test marked muerte runs")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Repeat those tests; each is told which time it is."""
    veces: int = metafunc.config.getoption("--veces")
    if veces > 1 and metafunc.definition.get_closest_marker("muerte"):
        if "vez" not in metafunc.fixturenames:
            metafunc.fixturenames.append("vez")
        metafunc.parametrize("vez", range(veces), indirect=True)


@pytest.fixture
def vez(request: pytest.FixtureRequest) -> int:
    """Which repetition this is, from 0: another moment to kill at."""
    return int(getattr(request, "param", 0))


@pytest.fixture(scope="session", autouse=True)
def sin_red() -> Iterator[None]:
    """Nothing outside this machine is reached from the tests' process."""
    with solo_esta_maquina():
        yield


@pytest.fixture
def reloj() -> Reloj:
    """A clock that stands still on Monday 2 March 2026, 10:00 in Madrid."""
    return reloj_fijo(AHORA)


@pytest.fixture
def datos(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty data folder that the settings point to (child processes included)."""
    carpeta = tmp_path / "datos"
    carpeta.mkdir()
    monkeypatch.setenv("SOBRE_DATOS", str(carpeta))
    configuracion.cache_clear()
    yield carpeta
    configuracion.cache_clear()


@pytest.fixture
def fichero_bd(datos: Path) -> Path:
    """The tenders' database, with its schema and without rows, inside `datos`."""
    return registro.preparar(datos)


def _falta(motivo: str) -> None:
    """Skip on a developer's machine; on CI a missing piece is a failure, not a pass."""
    if os.environ.get("CI"):
        pytest.fail(f"{motivo} (obligatorio con CI)", pytrace=False)
    pytest.skip(motivo)


@pytest.fixture(scope="session")
def datos_reales() -> Path:
    """Folder with the real feeds (it has `placsp/`), from SOBRE_DATOS_REALES; read only, never copied."""
    carpeta = Path(os.environ.get("SOBRE_DATOS_REALES", ""))
    if not (carpeta / "placsp").is_dir():
        _falta("faltan los datos reales: SOBRE_DATOS_REALES no apunta a una carpeta con placsp/")
    return carpeta.resolve()


@pytest.fixture(scope="module")
def navegador() -> Iterator[Browser]:
    """A headless Chromium that resolves no outside name.

    Module scope: the loop that Playwright runs must end before the next async test.
    """
    ejecutable = Path(os.environ.get("SOBRE_CHROMIUM", "/usr/bin/chromium"))
    if not ejecutable.is_file():
        _falta(f"falta Chromium en {ejecutable} (apt-get install chromium, o SOBRE_CHROMIUM)")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=ejecutable,
            args=[
                "--no-sandbox",
                "--disable-gpu",
                "--disable-background-networking",
                "--no-first-run",
                "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
            ],
        )
        yield chromium
        chromium.close()
