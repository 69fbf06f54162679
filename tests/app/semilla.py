"""What agents and people have left in the installation that the browser looks at: verdicts, calls, jobs."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

from dominios.licitaciones.criba.fallos.almacen import anotar
from dominios.licitaciones.criba.fallos.modelo import Cambio, Donde, Quien
from dominios.licitaciones.criba.fallos.reglas import Seguido
from dominios.licitaciones.prefiltro.servicio import prefiltrar
from nucleo.agentes import servicio as agentes
from nucleo.bd import transaccion
from nucleo.cola import servicio as cola
from nucleo.reloj import reloj_fijo
from tasks.tipos import tipos_de_trabajo
from tests.app.hostil import TEXTOS
from tests.criba.taller import PERMISOS, PREFILTRO, Taller, abrir, cerrar, juicio

VEREDICTOS = ("encaja", "no_encaja", "duda")


def sembrar(datos: Path, ahora: datetime) -> None:
    """A profile, one batch judged with every hostile text as a reason, calls taken and refused, jobs that wait."""
    taller = abrir(datos)
    taller.ahora = ahora
    taller.perfilar()
    agentes.crear(taller.cola, "licitaciones", PERMISOS, ahora)
    prefiltrar(taller.con, PREFILTRO, reloj_fijo(ahora))
    taller.formar()
    _juzgar(taller)
    taller.llamar("criba_lote", {"trabajo": 99, "nonce": "no es ninguno"})
    for n in range(60):
        taller.llamar("licitaciones_buscar", {"texto": f"{TEXTOS[n % len(TEXTOS)]} {n}"})
    tipos = tipos_de_trabajo(datos)
    for texto in TEXTOS:
        cola.encolar(taller.cola, tipos, "criba", texto, "{}", None, ahora)
    _escapar(taller)
    cerrar(taller)


def _escapar(taller: Taller) -> None:
    """Two misses whose every text is hostile."""
    with transaccion(taller.con):
        for numero in (1, 2):
            rival = Seguido(Quien.RIVAL, f"Rival {TEXTOS[0]}", "A00000018")
            cambio = Cambio(
                perfil="empresa",
                campo="ademas",
                accion="añadir",
                valor=TEXTOS[1],
                porque=f"Escapada {TEXTOS[2]}",
            )
            anotar(taller.con, numero, rival, Donde.CRIBA, (cambio,), taller.ahora)


def _juzgar(taller: Taller) -> None:
    reclamado = taller.turno()
    lote = taller.lote(reclamado)["licitaciones"]
    respuesta = taller.proponer(reclamado, *(_juicio(n, vista) for n, vista in enumerate(lote)))
    assert respuesta["ok"], respuesta
    assert taller.acabar(reclamado, "0.0123") == "hecho"


def _juicio(n: int, vista: dict[str, Any]) -> dict[str, Any]:
    motivo = f"Motivo {TEXTOS[n % len(TEXTOS)]}"
    return juicio(vista["numero"], VEREDICTOS[n % len(VEREDICTOS)], motivo=motivo)
