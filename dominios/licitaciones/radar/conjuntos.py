"""Which of the five published datasets an entry belongs to, read from its id (never from a file name)."""

from __future__ import annotations

from functools import lru_cache

RUTAS = (
    ("licitacionesPerfilContratante", "643"),
    ("licitacionesPerfilesContratante", "643"),
    ("PlataformasAgregadasSinMenores", "1044"),
    ("datosAbiertosMenores", "1143"),
    ("contratosMenoresPerfilesContratantes", "1143"),
    ("EMP_SectorPublico", "1383"),
    ("CPM_SectorPublico", "1403"),
)
"""Piece of the id → number of the syndication. The number at the end of an id is unique only within its dataset."""

DESCONOCIDO = "otro"

REGISTRO_POR_FUENTE = {"1143": "menor", "1383": "encargo", "1403": "consulta"}


def fuente_de(identificador: str) -> str:
    """The dataset's number, or `otro` when the id follows no known pattern."""
    return _fuente_de_ruta(identificador.rpartition("/")[0] or identificador)


@lru_cache(maxsize=256)
def _fuente_de_ruta(ruta: str) -> str:
    return next((fuente for trozo, fuente in RUTAS if trozo in ruta), DESCONOCIDO)


def cola_de(identificador: str) -> str:
    """The last piece of the id: short for people, not unique between datasets."""
    return identificador.rstrip("/").rpartition("/")[2]
