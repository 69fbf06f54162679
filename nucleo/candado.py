"""A lock file that only one process at a time may hold; the system frees it however that process ends."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from nucleo.errores import Ocupado


@contextmanager
def candado(fichero: Path, ocupado: str) -> Iterator[None]:
    """Hold the lock for the length of the block. Raises Ocupado with that sentence when somebody else has it.

    The file stays afterwards: removing it would let two processes lock two files of the same name.
    """
    fichero.parent.mkdir(parents=True, exist_ok=True)
    with fichero.open("a") as abierto:
        try:
            fcntl.flock(abierto, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise Ocupado(ocupado) from error
        yield
