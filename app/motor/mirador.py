"""A look at the head of each source: conditional, remembered, and given up where the server ignores conditions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import sha256

from dominios.licitaciones.radar.sincronizar.fuentes import Canal
from dominios.licitaciones.radar.sincronizar.vigilar import Decision, Mirada, Vigilancia, mirar
from nucleo.red.cliente import ClienteSeguro, Condicion, Respuesta


class Mirador:
    """Looks at channels with one client each (their policies differ)."""

    def __init__(
        self,
        canales: Mapping[str, tuple[Canal, ClienteSeguro]],
        conocidas: Mapping[str, Condicion],
        decir: Callable[[str], None],
    ) -> None:
        self._canales = canales
        self._condiciones = dict(conocidas)
        self._vigilancias = dict.fromkeys(canales, Vigilancia())
        self._decir = decir

    async def mirar(self, fuente: str) -> str | None:
        """The hash of the new head when it moved, else None. Raises ErrorRed when it cannot be seen."""
        if self._vigilancias[fuente].apagada:
            return None
        canal, cliente = self._canales[fuente]
        respuesta = await cliente.obtener(canal.url, self._condiciones.get(fuente))
        self._vigilancias[fuente], decision = mirar(self._vigilancias[fuente], _mirada(respuesta))
        if decision is Decision.APAGAR:
            self._decir(f"{fuente}: el servidor no atiende condiciones; se lee solo en las pasadas")
        if respuesta.estado == 200:
            self._condiciones[fuente] = Condicion(respuesta.etag, respuesta.last_modified)
        return sha256(respuesta.cuerpo).hexdigest() if decision is Decision.PASAR else None


def _mirada(respuesta: Respuesta) -> Mirada:
    entera = respuesta.estado == 200
    return Mirada(estado=respuesta.estado, huella=sha256(respuesta.cuerpo).digest() if entera else None)
