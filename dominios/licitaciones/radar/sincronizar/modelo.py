"""What the sync remembers of a channel and what can happen to it. Instants are microseconds since 1970 UTC."""

from __future__ import annotations

from typing import Literal

from dominios.licitaciones.radar.modelo import Modelo

HORA = 3_600_000_000
DIA = 24 * HORA


class Reglas(Modelo):
    """How far a walk goes. `margen`: how late the source may still insert something below what was read.

    The first pass has no known ground: it goes down `primera` and through at least `minimo` items.
    """

    margen: int = 48 * HORA
    primera: int = 7 * DIA
    minimo: int = 10_000


class Ventana(Modelo):
    """A stretch of the channel read without a gap from `techo` down to `fondo`, that has not yet reached `suelo`.

    `cursor`: URL of the page where the walk goes on. It ends at a page that lies wholly at or below `suelo`, once
    `minimo` items were read (`leidas`). `intentos`: passes that could not go on from here.
    """

    techo: int
    fondo: int
    suelo: int
    cursor: str
    leidas: int
    minimo: int
    intentos: int = 0


class Cabecera(Modelo):
    """Of the head last stored: what makes the next request conditional, and its feed/updated."""

    etag: str | None
    last_modified: str | None
    instante: int | None


class Estado(Modelo):
    """Everything above `marca` minus the margin is asked for again; everything up to `marca` is in the store.

    After the first pass `marca` is the oldest item read. `ventanas`: stretches begun and not finished, newest first.
    """

    marca: int | None = None
    ventanas: tuple[Ventana, ...] = ()
    cabecera: Cabecera | None = None


class Alarma(Modelo):
    """Something a person should know; the pass is not a failure for it."""

    codigo: Literal[
        "fuente_parada",
        "pagina_ilegible",
        "pagina_inaccesible",
        "pagina_prohibida",
        "pagina_ausente",
        "cadena_en_bucle",
        "cadena_cortada",
        "zip_ausente",
        "zip_atrasado",
        "pasada_cortada",
    ]
    mensaje: str


# --- what may happen (events) ---


class Leida(Modelo):
    """A page was stored whole. `siguiente`: absolute URL of the older page, None at the end of the chain.

    `maximo`, `minimo`: greatest and lowest instant among its items, None when it has none.
    """

    url: str
    siguiente: str | None
    maximo: int | None
    minimo: int | None
    cosas: int


class CabeceraLeida(Modelo):
    """The head was stored whole."""

    pagina: Leida
    cabecera: Cabecera


class SinCambios(Modelo):
    """The head is the one already stored."""


class Fallida(Modelo):
    """The page asked for cannot be read now."""

    alarma: Alarma


class Ausente(Modelo):
    """The page asked for is not there (renamed or withdrawn), or leads out of the source."""

    alarma: Alarma


class MesesLeidos(Modelo):
    """The ZIPs asked for are in the store; the last one goes up to `hasta`."""

    hasta: int | None


class MesesAusentes(Modelo):
    """One of the ZIPs asked for is not there or cannot be read."""

    alarma: Alarma


Suceso = CabeceraLeida | SinCambios | Leida | Fallida | Ausente | MesesLeidos | MesesAusentes


# --- what is to be done (actions) ---


class PedirCabecera(Modelo):
    """GET the head; `de_nuevo`: whole, because the chain must be walked again from there."""

    de_nuevo: bool = False


class PedirPagina(Modelo):
    """GET that page."""

    url: str


class PedirMeses(Modelo):
    """Take in the monthly ZIPs that hold everything between two instants."""

    desde: int
    hasta: int


class Terminar(Modelo):
    """Nothing more in this pass. `completa`: nothing is pending."""

    completa: bool


Accion = PedirCabecera | PedirPagina | PedirMeses | Terminar


class Marcha(Modelo):
    """A pass under way: the state to be stored with what was just read, and what to do now.

    `halladas`: links found in this pass, so that a cursor inherited from another pass is told apart.
    `vistas`: pages walked since the last start from the head.
    """

    estado: Estado
    accion: Accion
    halladas: frozenset[str] = frozenset()
    vistas: frozenset[str] = frozenset()
    paginas: int = 0
    reinicios: int = 0
    alarmas: tuple[Alarma, ...] = ()
