"""The MCP watch: a profile is fit for launching only when its present process has been seen by our MCP server.

A Hermes that starts while our server is down goes on without our tools, says that it is well and ends every run as
`completed`; only the absence of its visit gives it away.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from nucleo.modelo import Modelo

CONTACTO_FRESCO = timedelta(minutes=5)
"""A live connection pings each minute (`keepalive_interval` of our profiles), so five without a word is a dead one."""


class Proceso(Modelo):
    """The process behind a profile's port, as seen by looking now and then. Instants are ours, aware, UTC.

    `desde`: a moment at which this process was not there yet (another one answered, or none); None while unknown.
    """

    pid: int | None
    desde: datetime | None
    visto: datetime


def observar(previo: Proceso | None, pid: int | None, ahora: datetime) -> Proceso:
    """What is known after looking once more; `pid` None means that nobody answers."""
    if previo is None:
        return Proceso(pid=pid, desde=None if pid is not None else ahora, visto=ahora)
    if pid is None or previo.pid == pid:
        return Proceso(pid=pid, desde=previo.desde if pid is not None else ahora, visto=ahora)
    return Proceso(pid=pid, desde=previo.visto, visto=ahora)


def herramientas_vistas(proceso: Proceso, contacto: datetime | None, ahora: datetime) -> bool:
    """Whether the present process has our tools, as far as can be told from its last visit to our MCP server."""
    if proceso.pid is None or contacto is None or ahora - contacto > CONTACTO_FRESCO:
        return False
    return proceso.desde is None or contacto >= proceso.desde
