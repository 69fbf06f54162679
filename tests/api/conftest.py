"""The served API, one for each file of tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.api.servida import Servida, servida


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servida]:
    with servida(tmp_path_factory.mktemp("api")) as abierta:
        yield abierta
