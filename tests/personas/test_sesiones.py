"""Sessions against the simplest idea of them: who opened each one, when, and when it was last used."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from nucleo import registro
from nucleo.bd import conectar
from nucleo.errores import ErrorEntrada
from nucleo.personas import administrar, almacen, claves, servicio
from nucleo.personas.claves import Coste
from nucleo.personas.errores import ErrorAcceso
from nucleo.personas.modelo import AltaUsuario, Guardada, Procedencia, Rol

AHORA = datetime(2026, 5, 4, 9, 0, tzinfo=UTC)
BARATO = Coste(4, 1, 1)
CLAVE = "una-clave-bastante-larga"
GUARDADA = Guardada(claves.guardar(CLAVE, BARATO), False)
CASA = Procedencia("127.0.0.1", "pruebas")
HORAS, DIAS = timedelta(hours=12), timedelta(days=7)
PERSONAS = {"jefa": Rol.ADMIN, "ana": Rol.EDITOR, "leo": Rol.LECTOR}
quien = st.sampled_from(sorted(PERSONAS))


@dataclass(frozen=True)
class Abierta:
    """What is remembered of a session that nobody has closed."""

    usuario: str
    creada: datetime
    vista: datetime

    def vale(self, ahora: datetime) -> bool:
        return ahora < self.vista + HORAS and ahora < self.creada + DIAS


@cache
def molde() -> sqlite3.Connection:
    """An installation in memory with one account of each role, to be copied; it lasts as long as the process."""
    en_memoria = sqlite3.connect(":memory:", isolation_level=None)
    with TemporaryDirectory() as carpeta, closing(conectar(registro.preparar(Path(carpeta)))) as con:
        for nombre, rol in PERSONAS.items():
            almacen.crear(con, AltaUsuario(usuario=nombre, nombre=nombre, rol=rol), GUARDADA, AHORA)
        con.backup(en_memoria)
    return en_memoria


class Sesiones(RuleBasedStateMachine):
    """Everything that opens, keeps or ends a session, in any order and at any pace."""

    def __init__(self) -> None:
        super().__init__()
        self.con = sqlite3.connect(":memory:", isolation_level=None)
        molde().backup(self.con)
        self.ahora = AHORA
        self.abiertas: dict[str, Abierta] = {}
        self.cerradas: set[str] = set()
        self.rol = dict(PERSONAS)
        self.activas = set(PERSONAS)

    def teardown(self) -> None:
        self.con.close()

    @rule(usuario=quien)
    def entrar(self, usuario: str) -> None:
        if usuario not in self.activas:
            with pytest.raises(ErrorAcceso):
                servicio.entrar(self.con, usuario, CLAVE, CASA, self.ahora, coste=BARATO)
            self.con.execute("DELETE FROM intento")  # the waits have tests of their own
            return
        token, sesion = servicio.entrar(self.con, usuario, CLAVE, CASA, self.ahora, coste=BARATO)
        assert token not in self.abiertas and token not in self.cerradas
        assert sesion == servicio.sesion_de(self.con, token, self.ahora)
        self.abiertas[token] = Abierta(usuario, self.ahora, self.ahora)

    @rule(
        pasa=st.sampled_from(
            [timedelta(seconds=59), timedelta(minutes=1), timedelta(hours=6), HORAS, HORAS * 3, DIAS]
        )
        | st.timedeltas(timedelta(0), timedelta(hours=13))
    )
    def pasa_el_tiempo(self, pasa: timedelta) -> None:
        self.ahora += pasa

    @precondition(lambda self: self.abiertas)
    @rule(datos=st.data())
    def usar(self, datos: st.DataObject) -> None:
        token = datos.draw(st.sampled_from(list(self.abiertas)))
        escrito = self.con.total_changes
        servicio.tocar(self.con, servicio.huella_de(token), self.ahora)
        sesion = self.abiertas[token]
        se_renueva = sesion.vale(self.ahora) and self.ahora - sesion.vista >= timedelta(minutes=1)
        assert self.con.total_changes - escrito == int(se_renueva)
        if se_renueva:
            self.abiertas[token] = replace(sesion, vista=self.ahora)

    @precondition(lambda self: self.abiertas)
    @rule(datos=st.data())
    def salir(self, datos: st.DataObject) -> None:
        token = datos.draw(st.sampled_from(list(self.abiertas)))
        for _ in range(2):
            servicio.salir(self.con, servicio.huella_de(token), self.ahora)
        self.cerrar(token)

    @rule(usuario=quien)
    def cerrar_todas(self, usuario: str) -> None:
        suyas = {t for t, s in self.abiertas.items() if s.usuario == usuario and s.vale(self.ahora)}
        huellas = set(administrar.revocar_todas(self.con, usuario, "jefa", self.ahora))
        assert {servicio.huella_de(t) for t in suyas} <= huellas
        self.cerrar_de(usuario)

    @rule(usuario=quien, rol=st.sampled_from(Rol))
    def cambiar_rol(self, usuario: str, rol: Rol) -> None:
        if self.es_la_ultima(usuario) and rol is not Rol.ADMIN:
            with pytest.raises(ErrorEntrada):
                administrar.cambiar_rol(self.con, usuario, rol, "jefa", self.ahora)
            return
        administrar.cambiar_rol(self.con, usuario, rol, "jefa", self.ahora)
        if self.rol[usuario] is not rol:
            self.cerrar_de(usuario)
        self.rol[usuario] = rol

    @rule(usuario=quien)
    def desactivar(self, usuario: str) -> None:
        if self.es_la_ultima(usuario):
            with pytest.raises(ErrorEntrada):
                administrar.desactivar(self.con, usuario, "jefa", self.ahora)
            return
        administrar.desactivar(self.con, usuario, "jefa", self.ahora)
        self.activas.discard(usuario)
        self.cerrar_de(usuario)

    @rule(usuario=quien)
    def activar(self, usuario: str) -> None:
        """What was closed does not come back."""
        administrar.activar(self.con, usuario, "jefa", self.ahora)
        self.activas.add(usuario)

    @invariant()
    def cada_una_vale_lo_que_debe(self) -> None:
        escrito = self.con.total_changes
        for token, abierta in self.abiertas.items():
            sesion = servicio.sesion_de(self.con, token, self.ahora)
            assert (sesion is not None) is abierta.vale(self.ahora)
            if sesion is not None:
                assert (sesion.usuario.usuario, sesion.usuario.rol) == (
                    abierta.usuario,
                    self.rol[abierta.usuario],
                )
                assert sesion.caduca == min(abierta.vista + HORAS, abierta.creada + DIAS)
                assert servicio.viva(self.con, sesion.huella, self.ahora) == sesion
        for token in self.cerradas:
            assert servicio.sesion_de(self.con, token, self.ahora) is None
        assert self.con.total_changes == escrito  # looking never writes

    @invariant()
    def siempre_hay_quien_administre(self) -> None:
        assert any(self.rol[u] is Rol.ADMIN for u in self.activas)
        assert almacen.admins_activos(self.con) == sum(self.rol[u] is Rol.ADMIN for u in self.activas)

    def es_la_ultima(self, usuario: str) -> bool:
        return [u for u in self.activas if self.rol[u] is Rol.ADMIN] == [usuario]

    def cerrar_de(self, usuario: str) -> None:
        for token in [t for t, s in self.abiertas.items() if s.usuario == usuario]:
            self.cerrar(token)

    def cerrar(self, token: str) -> None:
        del self.abiertas[token]
        self.cerradas.add(token)


AJUSTES = settings(deadline=None, suppress_health_check=list(HealthCheck))


class TestSesiones(Sesiones.TestCase):  # type: ignore[misc, name-defined]
    """The everyday dose."""

    settings = settings(AJUSTES, max_examples=200, stateful_step_count=40)


@pytest.mark.nocturno
class TestSesionesLargas(Sesiones.TestCase):  # type: ignore[misc, name-defined]
    """The long one."""

    settings = settings(AJUSTES, max_examples=3000, stateful_step_count=80)
