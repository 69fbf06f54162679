"""The page of one run: where it stands, what it waits for, and everything a person may do about it."""

from app.paginas.recorrido.pagina import mostrar

__all__ = ["mostrar"]
