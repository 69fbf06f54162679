"""A random run played over the store, with the process dying at any statement, against the engine played apart."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from nucleo.recorridos import almacen, lectura, motor, servicio
from nucleo.recorridos.casa import Casa
from nucleo.recorridos.comandos import EJECUTOR, Actor
from nucleo.recorridos.entregas.modelo import EstadoEntrega
from nucleo.recorridos.errores import ErrorRecorrido
from nucleo.recorridos.estado import Cambio
from nucleo.recorridos.lectura.modelo import FiltroBandeja, FiltroRecorridos
from nucleo.recorridos.motor import Nuevo
from nucleo.recorridos.peticiones import PeticionCrear, Recibo
from nucleo.recorridos.plan import Plan
from nucleo.recorridos.validar import validar
from tests.cola.mortal import Caida, ConexionMortal, conectar_mortal
from tests.recorridos.almacen.base import RECHAZO, base_nueva, con_ficheros_de_prueba, volcado
from tests.recorridos.historia import Historia
from tests.recorridos.invariantes import sin_arriendos
from tests.recorridos.partida import INICIO
from tests.recorridos.planes import CASA, plan_al_azar
from tests.recorridos.secuencias import ANA, FINALES, HERMES, Jugada, Jugador

HERMES_DESPIERTO = Casa(
    plantillas=CASA.plantillas,
    funciones=CASA.funciones,
    esquemas=CASA.esquemas,
    conector=lambda quien: "prueba" if quien == "hermes" else None,
)
"""The house of the random plans, with a connector for the agent and none for the installation."""
SENTENCIAS = 40
"""More than any command needs."""


@dataclass
class Cuenta:
    """What was exercised: outcomes by command, and statements at which each accepted type was cut."""

    desenlaces: Counter[tuple[str, str]] = field(default_factory=Counter)
    cortes: Counter[str] = field(default_factory=Counter)
    enteros: Counter[str] = field(default_factory=Counter)
    """Accepted commands that were cut at each of their statements, one after another."""


class Mesa:
    """One run in a database of its own."""

    def __init__(self, carpeta: Path, semilla: int, tamano: int, cuenta: Cuenta) -> None:
        self.azar = Random(semilla)
        self.cuenta = cuenta
        self.fichero = base_nueva(carpeta)
        self.con: ConexionMortal = conectar_mortal(self.fichero)
        self.primer_plan = plan_al_azar(self.azar, tamano)
        coordinador = self.azar.choice(["sistema", "hermes", "hermes"])
        creador = ANA if self.primer_plan.plantilla else _creador(self.primer_plan, coordinador)
        peticion = PeticionCrear(comando_id="nace", plan=self.primer_plan, coordinador=coordinador)
        recibo = self._con_cortes(
            "crear", lambda: servicio.crear(self.con, HERMES_DESPIERTO, peticion, creador, INICIO)
        )
        otra_vez = servicio.crear(self.con, HERMES_DESPIERTO, peticion, creador, INICIO)
        assert otra_vez == recibo.model_copy(update={"repetido": True}), "I24"
        self.rid = recibo.id
        con_ficheros_de_prueba(self.con, self.rid)
        self.nuevo = Nuevo(id=self.rid, coordinador=coordinador)
        self.foto = almacen.recorrido(self.con, self.rid)
        self.plan = validar(self.primer_plan, CASA)
        self.historia = Historia(self.primer_plan, self.foto, lectura.eventos(self.con, self.rid))
        self.cambio_visto = 0
        self.exigir_filas()

    def jugar(self, jugadas: int) -> None:
        """That many commands, fewer if it ends (then some more, that must all bounce)."""
        jugador = Jugador(self.azar, INICIO)
        restan = jugadas
        while restan > 0:
            restan -= 1
            if str(self.foto.estado) in FINALES:
                restan = min(restan, 6)
            self.mandar(jugador.jugada(self.plan.plan, self.foto))

    def mandar(self, jugada: Jugada) -> None:
        """Send it once and again, dying on the way sometimes: it is done once, as the engine says, or not at all."""
        esperado = self._esperado(jugada)
        tipo = str(jugada.comando.tipo)
        antes = volcado(self.con, RECHAZO)
        try:
            recibo = self._con_cortes(tipo, lambda: self._enviar(jugada))
        except ErrorRecorrido as error:
            assert isinstance(esperado, str) and error.codigo == esperado, (error.codigo, esperado)
            assert volcado(self.con, RECHAZO) == antes, "I22"
            self.cuenta.desenlaces[tipo, error.codigo] += 1
            return
        assert isinstance(esperado, Cambio), (esperado, recibo)
        self.cuenta.desenlaces[tipo, "OK"] += 1
        self._seguir(jugada, esperado, recibo)
        self._repetir(jugada, recibo)

    def _esperado(self, jugada: Jugada) -> Cambio | str:
        try:
            return motor.aplicar(self.plan, self.foto, jugada.comando, jugada.actor, CASA, jugada.ahora)
        except ErrorRecorrido as error:
            return error.codigo

    def _enviar(self, jugada: Jugada) -> Recibo:
        return servicio.mandar(
            self.con, HERMES_DESPIERTO, self.rid, jugada.comando, jugada.actor, jugada.ahora
        )

    def _con_cortes(self, tipo: str, hacer: object) -> Recibo:
        """I21. Sometimes at each of its statements (the first times, always); else at one, or at none."""
        assert callable(hacer)
        entero = self.azar.random() < 0.04 or self.cuenta.enteros[tipo] < 2
        cortes = range(SENTENCIAS) if entero else [self.azar.randrange(14)] * (self.azar.random() < 0.4)
        for quedan in cortes:
            antes = volcado(self.con, RECHAZO)
            self.con.quedan = quedan
            try:
                recibo = hacer()
            except Caida:
                self.con.close()
                self.con = conectar_mortal(self.fichero)
                assert volcado(self.con, RECHAZO) == antes, ("I21", tipo, quedan)
                self.cuenta.cortes[tipo] += 1
                continue
            finally:
                self.con.quedan = None
            assert isinstance(recibo, Recibo)
            self.cuenta.enteros[tipo] += entero
            return recibo
        recibo = hacer()
        assert isinstance(recibo, Recibo)
        return recibo

    def _seguir(self, jugada: Jugada, esperado: Cambio, recibo: Recibo) -> None:
        """What is stored is what the engine says, and its own rules hold for what is read back."""
        guardado = almacen.guardado(self.con, self.rid)
        assert guardado.recorrido == esperado.recorrido
        paso = jugada.comando.paso
        assert recibo == Recibo(
            id=self.rid,
            revision=esperado.recorrido.revision,
            estado=esperado.recorrido.estado,
            paso=paso,
            intento=(esperado.recorrido.pasos[paso].intento or None) if paso else None,
        )
        eventos = lectura.eventos(self.con, self.rid, self.foto.secuencia)
        assert eventos == esperado.eventos
        intentos = tuple(
            lectura.intentos(self.con, self.rid, i.paso, i.n - 1, 1)[0] for i in esperado.intentos
        )
        assert intentos == esperado.intentos
        if esperado.plan_nuevo is not None:
            self.plan = validar(almacen.plan(self.con, self.rid, guardado.recorrido.plan_version), CASA)
            assert self.plan.plan == esperado.plan_nuevo
        self.historia.siguiente(
            jugada.comando, jugada.actor, guardado.recorrido, eventos, intentos, esperado.plan_nuevo
        )
        self.foto = guardado.recorrido
        self.exigir_filas()

    def _repetir(self, jugada: Jugada, recibo: Recibo) -> None:
        """I24 and I25. A sign of life has no receipt: it is given again, or bounces."""
        if str(jugada.comando.tipo) == "latido":
            return
        antes = volcado(self.con, RECHAZO)
        otra_vez = self._enviar(jugada)
        assert otra_vez == recibo.model_copy(update={"repetido": True}), "I24"
        otro = jugada.comando.model_copy(update={"mensaje": jugada.comando.mensaje + " y otra cosa"})
        ajena = Jugada(jugada.comando, HERMES if jugada.actor != HERMES else EJECUTOR, jugada.ahora)
        for falsa in (Jugada(otro, jugada.actor, jugada.ahora), ajena):
            try:
                self._enviar(falsa)
            except ErrorRecorrido as error:
                assert error.codigo == "CLAVE_REUTILIZADA", "I25"
            else:
                raise AssertionError("I25")
        assert volcado(self.con, RECHAZO) == antes, "I24"

    def exigir_filas(self) -> None:
        """Figures, what waits, deliveries and changes agree with the snapshot."""
        foto, con = self.foto, self.con
        (cuantos,) = con.execute(
            "SELECT count(*) FROM recorrido_evento WHERE rid = ?", (self.rid,)
        ).fetchone()
        assert cuantos == foto.secuencia, "I26"
        (resumen,) = lectura.listar(con, FiltroRecorridos(archivados=foto.archivado is not None))
        estados = Counter(str(p.estado) for p in foto.pasos.values())
        assert (resumen.pasos, resumen.titulo) == (len(foto.pasos), self.plan.plan.titulo)
        assert resumen.resueltos == estados["completado"] + estados["omitido"] + estados["dispensado"]
        esperan = lectura.bandeja(con, FiltroBandeja(limite=500))
        assert sorted((str(e.pide), e.paso) for e in esperan) == sorted(self._deben_esperar())
        assert resumen.esperan == len(esperan)
        assert all(e.revision == foto.revision for e in esperan)
        self._exigir_entregas()
        pulso = lectura.pulso(con, self.rid)
        assert (pulso.revision, str(pulso.estado)) == (foto.revision, str(foto.estado))
        assert pulso.secuencia == foto.secuencia

    def _deben_esperar(self) -> list[tuple[str, str | None]]:
        estado = str(self.foto.estado)
        if estado == "pausado":
            return [("propuesta" if self.foto.propuesta else "pausa", None)]
        if estado != "activo":
            return []
        pide = {"esperando": "pregunta", "dudoso": "dudoso", "fallido": "fallido"}
        return [(pide[str(p.estado)], i) for i, p in self.foto.pasos.items() if str(p.estado) in pide]

    def _exigir_entregas(self) -> None:
        todas = lectura.entregas(self.con, self.rid)
        vivas = [e for e in todas if e.estado in (EstadoEntrega.PENDIENTE, EstadoEntrega.SIN_CONECTOR)]
        assert len(vivas) <= 1, "I32"
        assert not vivas or str(self.foto.estado) not in FINALES, "I34"
        assert all((e.conector == "prueba") == (self.nuevo.coordinador == "hermes") for e in vivas)

    def cerrar(self) -> None:
        """I16 and I42 from the stored events; I38 for every stored plan."""
        eventos = lectura.eventos(self.con, self.rid, 0, 500)
        while mas := lectura.eventos(self.con, self.rid, eventos[-1].n, 500):
            eventos += mas
        assert list(eventos) == self.historia.eventos, "I16: what was told stays as it was told"
        otra = motor.reproducir(self.primer_plan, self.nuevo, eventos, CASA)
        assert sin_arriendos(otra) == sin_arriendos(self.foto), "I42"
        versiones = lectura.planes(self.con, self.rid)
        assert [v.version for v in versiones] == list(range(1, self.foto.plan_version + 1))
        for version in versiones:
            plan = almacen.plan(self.con, self.rid, version.version)
            assert plan == self.historia.planes[version.version - 1]
            validar(plan, CASA)
        self.con.close()


def _creador(plan: Plan, coordinador: str) -> Actor:
    """An agent gives orders to no other: those plans are the installation's."""
    ajenos = any(p.ejecutor and p.ejecutor.perfil for p in plan.pasos)
    return EJECUTOR if ajenos or coordinador == "sistema" else HERMES
