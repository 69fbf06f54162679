"""The supervisor: one data folder, its processes started in order of health, any death or signal stops them all."""

from __future__ import annotations

import fcntl
import signal
import socket
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType

from app.arriba import restos
from app.arriba.entorno import LOCAL
from app.arriba.hijo import Decir, Hijo, NoArranca
from app.arriba.procesos import Proceso
from nucleo.errores import ErrorSobre, Ocupado

SENALES = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
ESPERA_PUERTO_S = 5.0
YO = "arriba"


class Supervisor:
    """Starts and stops processes; use inside `vigilancia`, which holds the folder and the signals."""

    def __init__(self, carpeta: Path, entorno: Mapping[str, str], decir: Decir) -> None:
        self.parar = threading.Event()
        """Set by the first signal, or by who wants everything stopped."""
        self.ya = threading.Event()
        """Set by the second signal: no more grace."""
        self._hijos: list[Hijo] = []
        self._registro = restos.Registro(marca=restos.marca_nueva())
        self._fichero = carpeta / "procesos.json"
        self._entorno = {**entorno, restos.VARIABLE_MARCA: self._registro.marca}
        self._decir = decir
        restos.escribir(self._fichero, self._registro)

    def lanzar(self, proceso: Proceso) -> Hijo:
        """Start it and write down who it is, without waiting for its health."""
        hijo = Hijo(proceso, self._entorno, self._decir)
        inicio = restos.momento_de_inicio(hijo.pid)
        if inicio is not None:
            nuevo = restos.Anotado(nombre=proceso.nombre, pid=hijo.pid, inicio=inicio)
            self._registro = self._registro.model_copy(update={"procesos": (*self._registro.procesos, nuevo)})
            restos.escribir(self._fichero, self._registro)
        self._hijos.append(hijo)
        return hijo

    def arrancar(self, procesos: Sequence[Proceso]) -> None:
        """Start each one when the one before is well. Raises NoArranca, or Ocupado for a port in use."""
        exigir_puertos_libres(procesos)
        for proceso in procesos:
            self._exigir_vivos()
            if self.parar.is_set():
                return
            antes = time.monotonic()
            hijo = self.lanzar(proceso)
            hijo.esperar_listo(self.parar)
            if not self.parar.is_set():
                self._avisar(f"{proceso.nombre} listo en {time.monotonic() - antes:.1f} s (pid {hijo.pid})")

    def esperar_final(self) -> str | None:
        """Block until a signal (None) or until a process dies (its sentence)."""
        while not self.parar.wait(0.3):
            try:
                self._exigir_vivos()
            except NoArranca as error:
                return error.mensaje
        return None

    def esperar_a(self, hijo: Hijo) -> int | None:
        """Its exit code, or None when a signal came first. Raises NoArranca when another one dies meanwhile."""
        while not self.parar.wait(0.1):
            codigo = hijo.codigo()
            if codigo is not None:
                return codigo
            self._exigir_vivos()
        return None

    def _exigir_vivos(self) -> None:
        for hijo in self._hijos:
            codigo = hijo.codigo()
            if codigo is not None and not (hijo.proceso.termina and codigo == 0):
                raise NoArranca(f"{hijo.proceso.nombre} ha muerto ({_explicar(codigo)}); paro todo lo demás.")

    def _avisar(self, linea: str) -> None:
        self._decir(YO, linea)

    def parar_todo(self) -> None:
        """Stop in reverse order, then kill whatever still carries the mark; nothing of ours is left."""
        for hijo in reversed(self._hijos):
            if hijo.codigo() is None:
                self._avisar(f"paro {hijo.proceso.nombre}…")
            hijo.parar(self.ya)
        restos.rematar(self._registro)
        self._fichero.unlink(missing_ok=True)


@contextmanager
def vigilancia(datos: Path, entorno: Mapping[str, str], decir: Decir) -> Iterator[Supervisor]:
    """Hold the data folder, clear what a killed supervisor left, catch the signals; at the end stop everything.

    Raises Ocupado when another supervisor holds the folder.
    """
    carpeta = datos / "arriba"
    carpeta.mkdir(parents=True, exist_ok=True)
    with _candado(carpeta):
        _limpiar_restos(carpeta, decir)
        supervisor = Supervisor(carpeta, entorno, decir)
        with _senales(supervisor):
            try:
                yield supervisor
            finally:
                supervisor.parar_todo()


def servir(
    procesos: Sequence[Proceso],
    datos: Path,
    entorno: Mapping[str, str],
    decir: Decir,
    bienvenida: str,
) -> int:
    """Run the table until somebody stops it (0) or something dies or cannot start (1)."""
    with vigilancia(datos, entorno, decir) as supervisor:
        try:
            supervisor.arrancar(procesos)
        except ErrorSobre as error:
            decir(YO, error.mensaje)
            return 1
        if not supervisor.parar.is_set():
            decir(YO, bienvenida)
        muerte = supervisor.esperar_final()
        decir(YO, muerte or "recibida la señal de parada.")
        return 1 if muerte else 0


def exigir_puertos_libres(procesos: Sequence[Proceso]) -> None:
    """Raises Ocupado naming the first port that another program holds."""
    for proceso in procesos:
        for puerto, variable in proceso.puertos:
            if not _queda_libre(puerto):
                raise Ocupado(
                    f"El puerto {puerto}, que necesita {proceso.nombre}, ya lo usa otro programa:"
                    f" ciérralo o elige otro puerto con {variable}.",
                    codigo="puerto_ocupado",
                )


def puerto_libre(puerto: int) -> bool:
    """Whether a server could listen on that loopback port now."""
    with socket.socket() as enchufe:
        enchufe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        with suppress(OSError):
            enchufe.bind((LOCAL, puerto))
            return True
    return False


def puerto_libre_al_azar() -> int:
    """A loopback port that nobody uses now, chosen by the system."""
    with socket.socket() as enchufe:
        enchufe.bind((LOCAL, 0))
        return int(enchufe.getsockname()[1])


def _queda_libre(puerto: int) -> bool:
    """A process just killed may hold its port for an instant more."""
    fin = time.monotonic() + ESPERA_PUERTO_S
    while not puerto_libre(puerto):
        if time.monotonic() > fin or _alguien_atiende(puerto):
            return False
        time.sleep(0.1)
    return True


def _alguien_atiende(puerto: int) -> bool:
    with socket.socket() as enchufe:
        enchufe.settimeout(1.0)
        return enchufe.connect_ex((LOCAL, puerto)) == 0


@contextmanager
def _candado(carpeta: Path) -> Iterator[None]:
    with (carpeta / "candado").open("w") as fichero:
        try:
            fcntl.flock(fichero, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise Ocupado(
                f"Ya hay un «sobre arriba» con la carpeta {carpeta.parent}: páralo antes (Ctrl-C donde corre)."
            ) from error
        yield


def _limpiar_restos(carpeta: Path, decir: Decir) -> None:
    anterior = restos.leer(carpeta / "procesos.json")
    muertos = restos.rematar(anterior) if anterior else []
    if muertos:
        decir(YO, f"la vez anterior no se paró bien: he cerrado {len(muertos)} procesos que quedaban.")


@contextmanager
def _senales(supervisor: Supervisor) -> Iterator[None]:
    def recibir(_numero: int, _marco: FrameType | None) -> None:
        if supervisor.parar.is_set():
            supervisor.ya.set()
        supervisor.parar.set()

    previas = {s: signal.signal(s, recibir) for s in SENALES}
    try:
        yield
    finally:
        for senal, previa in previas.items():
            signal.signal(senal, previa)


def _explicar(codigo: int) -> str:
    return f"señal {signal.Signals(-codigo).name}" if codigo < 0 else f"código {codigo}"
