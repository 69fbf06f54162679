"""The five published datasets: where their heads are, which hosts are PLACSP, how old a head may get."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from dominios.licitaciones.radar.sincronizar.modelo import DIA, HORA, Reglas
from nucleo.configuracion import Configuracion
from nucleo.errores import ErrorEntrada
from nucleo.red.destinos import Politica, crear_politica, origen_de

HOSTS = ("contrataciondelsectorpublico.gob.es", "contrataciondelestado.es")
"""Canonical and legacy: pages of the first still link to the second."""


class Conjunto(NamedTuple):
    """A dataset. `camino` is that of its head under /sindicacion/; `frescura_h`: hours without moving that alarm."""

    nombre: str
    camino: str
    frescura_h: int


CONJUNTOS = {
    "643": Conjunto(
        "Licitaciones de los perfiles de PLACSP",
        "sindicacion_643/licitacionesPerfilesContratanteCompleto3.atom",
        36,
    ),
    "1044": Conjunto(
        "Licitaciones de las plataformas agregadas",
        "sindicacion_1044/PlataformasAgregadasSinMenores.atom",
        48,
    ),
    "1143": Conjunto("Contratos menores", "sindicacion_1143/contratosMenoresPerfilesContratantes.atom", 48),
    "1383": Conjunto("Encargos a medios propios", "sindicacion_1383/EMP_SectorPublico.atom", 72),
    "1403": Conjunto("Consultas preliminares del mercado", "sindicacion_1403/CPM_SectorPublico.atom", 72),
}
"""643 moves during the day, 1044 and 1143 once or several times a day; the other two publish little."""


class Canal(NamedTuple):
    """What a pass reads: a dataset at a head, where its links may lead, and the age that alarms (microseconds)."""

    fuente: str
    url: str
    politica: Politica
    frescura: int


def cabecera(fuente: str) -> str:
    """The official head of a dataset. Raises ErrorEntrada when there is no such dataset."""
    return f"https://{HOSTS[0]}/sindicacion/{_conjunto(fuente).camino}"


def politica(url: str | None = None, plataformas: tuple[str, ...] = ()) -> Politica:
    """PLACSP's two hosts as one source, the configured platforms, and `url` when it is on this machine."""
    return crear_politica(plataformas, equivalentes=HOSTS, local=url)


def canal(fuente: str, url: str | None, conf: Configuracion) -> Canal:
    """The channel of a dataset, at its official head or at another one (whose address is checked when asked)."""
    horas = limites((fuente,), conf.radar_frescura_horas)[fuente]
    if url is None:
        return Canal(fuente, cabecera(fuente), politica(None, conf.plataformas), horas * HORA)
    origen_de(url)
    return Canal(fuente, url, politica(url, conf.plataformas), horas * HORA)


def limites(fuentes: Sequence[str], propios: Mapping[str, int]) -> dict[str, int]:
    """Dataset → hours it may stand still; `propios` are the installation's own."""
    return {f: propios.get(f, _conjunto(f).frescura_h) for f in fuentes}


def reglas(conf: Configuracion) -> Reglas:
    """How far this installation's passes go."""
    return Reglas(margen=conf.radar_margen_horas * HORA, primera=conf.radar_primera_pasada_dias * DIA)


def _conjunto(fuente: str) -> Conjunto:
    conjunto = CONJUNTOS.get(fuente)
    if conjunto is None:
        raise ErrorEntrada(f"No hay ninguna fuente «{fuente}»: elige entre {', '.join(CONJUNTOS)}.")
    return conjunto
