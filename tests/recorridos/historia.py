"""A run followed command by command: each step of it against all that came before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from nucleo.recorridos.comandos import Actor, Comando
from nucleo.recorridos.estado import Evento, Intento, Recorrido
from nucleo.recorridos.plan import (
    Paso,
    Plan,
)
from nucleo.recorridos.valores import canonico
from tests.recorridos.invariantes import (
    ABIERTOS,
    FINALES,
    INTENTOS,
    NO_MUEVEN,
    PASOS_DE_ESTADO,
    RESUELTOS,
    de_foto,
    por_venir,
    region,
    tipado,
)


class Historia:
    """Everything that a run went through, to check each step of it against the rest."""

    def __init__(self, plan: Plan, foto: Recorrido, eventos: tuple[Evento, ...]) -> None:
        self.plan = plan
        self.foto = foto
        self.planes = [plan]
        self.eventos: list[Evento] = []
        self.intentos: dict[tuple[str, int], Intento] = {}
        self.bases: dict[int, dict[str, str]] = {}
        self.rechazos: Counter[str] = Counter()
        self._definiciones: dict[str, str] = {}
        self._definir(plan)
        assert foto.revision == 1 and str(foto.estado) == "activo"
        assert all(p.rev_base == 1 for p in foto.pasos.values())
        self._anotar_eventos(eventos, foto)
        assert str(eventos[0].tipo) == "creado"
        self.bases[1] = self._bases(foto)
        de_foto(plan, foto)

    def _definir(self, plan: Plan) -> None:
        self._definiciones = {p.id: p.model_dump_json() for p in plan.pasos}

    def _bases(self, foto: Recorrido) -> dict[str, str]:
        """What each step rests on: its definition, its state, its inputs and its attempt."""
        return {
            i: f"{self._definiciones[i]}|{p.estado}|{canonico(p.entradas)}|{p.intento}"
            for i, p in foto.pasos.items()
        }

    def base_intacta(self, paso: str, desde: int) -> bool:
        """Whether what that step rests on has been the same from that revision up to now."""
        ahora = self.bases[self.foto.revision][paso]
        return 1 <= desde <= self.foto.revision and all(
            self.bases[v].get(paso) == ahora for v in range(desde, self.foto.revision + 1)
        )

    def siguiente(  # noqa: PLR0917 - what a command leaves
        self,
        comando: Comando,
        actor: Actor,
        despues: Recorrido,
        eventos: tuple[Evento, ...],
        intentos: tuple[Intento, ...],
        plan: Plan | None = None,
    ) -> None:
        """One more accepted command; `plan` if it became another."""
        antes, tipo = self.foto, str(comando.tipo)
        archivo = tipo in {"archivar", "desarchivar"}
        assert (str(antes.estado) in FINALES) == archivo, "I18"
        assert despues.revision == antes.revision + (0 if tipo in NO_MUEVEN else 1), "I17"
        assert (plan is not None) == (tipo == "aceptar_plan")
        assert despues.plan_version == antes.plan_version + (plan is not None)
        fijo = ("id", "dominio", "objeto_id", "coordinador", "creado", "vence")
        assert all(getattr(antes, c) == getattr(despues, c) for c in fijo)
        self._anotar_eventos(eventos, despues)
        self._exigir_orden(comando, actor, eventos)
        self._anotar_intentos(intentos)
        self._exigir_estados(comando, antes, despues)
        if plan is not None:
            self._exigir_pasado(antes, plan)
            self.plan = plan
            self.planes.append(plan)
            self._definir(plan)
        self.foto = despues
        bases = self._bases(despues)
        if tipo in NO_MUEVEN:
            assert bases == self.bases[despues.revision], "a sign of life changes nobody's ground"
        self.bases[despues.revision] = bases
        de_foto(self.plan, despues)

    def _anotar_eventos(self, eventos: tuple[Evento, ...], despues: Recorrido) -> None:
        numeros = [e.n for e in eventos]
        primero = len(self.eventos) + 1
        assert numeros == list(range(primero, primero + len(eventos))), "I14"
        self.eventos += eventos
        assert despues.secuencia == len(self.eventos), "I26"
        assert all(e.revision == despues.revision for e in eventos)

    def _exigir_orden(self, comando: Comando, actor: Actor, eventos: tuple[Evento, ...]) -> None:
        """I15 and I44: first what was asked, by who asked it, and then what follows, each after its cause."""
        if str(comando.tipo) == "latido":
            assert not eventos
            return
        assert eventos[0].comando == comando and eventos[0].tipo == str(comando.tipo), "I15"
        assert all(e.comando is None and e.tipo in {"ruta", "fin"} for e in eventos[1:]), "I15"
        assert all(e.actor == actor for e in eventos), "I44"
        assert all(e.tipo != "fin" for e in eventos[:-1])
        vistos: set[str] = set()
        pasos = {p.id: p for p in self.plan.pasos}
        for e in eventos[1:]:
            if e.paso in pasos:
                nuevos = {x.paso for x in eventos[1:]} & set(pasos[e.paso].dependencias)
                assert nuevos <= vistos, "I15"
                vistos.add(e.paso)

    def _anotar_intentos(self, intentos: tuple[Intento, ...]) -> None:
        for intento in intentos:
            clave = (intento.paso, intento.n)
            viejo = self.intentos.get(clave)
            if viejo is None:
                assert str(intento.estado) == "en_curso"
                assert intento.n == 1 or (intento.paso, intento.n - 1) in self.intentos, "I7"
            else:
                assert (str(viejo.estado), str(intento.estado)) in INTENTOS, ("I7", clave)
                assert intento.vence >= viejo.vence and intento.trabajador == viejo.trabajador
            assert (intento.terminado is None) == (str(intento.estado) in ABIERTOS)
            self.intentos[clave] = intento

    def _exigir_estados(self, comando: Comando, antes: Recorrido, despues: Recorrido) -> None:
        """I19 and I20: what each step went through is in the tables; what is resolved stays so."""
        pasos = {p.id: p for p in self.plan.pasos}
        repite = self._rehace(comando, pasos)
        self.rechazos.update([comando.paso or ""] if repite else [])
        assert {i: p.rehechos for i, p in despues.pasos.items() if p.rehechos} == dict(self.rechazos), "I43"
        assert all(str(despues.pasos[i].estado) in {"bloqueado", "listo"} for i in repite), "all of it again"
        assert all(despues.pasos[i].salidas is None for i in repite)
        for i, viejo in antes.pasos.items():
            nuevo = despues.pasos.get(i)
            if nuevo is None or i in repite:
                assert nuevo is not None or str(viejo.estado) in {"bloqueado", "listo"}, ("I30", i)
                continue
            assert nuevo.intento in (viejo.intento, viejo.intento + 1), ("I20", i)
            assert nuevo.intento == viejo.intento or str(comando.tipo) == "iniciar", ("I20", i)
            if str(viejo.estado) in RESUELTOS | {"rechazado"}:
                assert nuevo == viejo, ("I19", i)
            elif nuevo.estado != viejo.estado and str(comando.tipo) != "aceptar_plan":
                assert (str(viejo.estado), str(nuevo.estado)) in PASOS_DE_ESTADO, (
                    i,
                    viejo.estado,
                    nuevo.estado,
                )
            assert nuevo.rev_base in (viejo.rev_base, despues.revision)
        if str(despues.estado) == "pausado" or str(despues.estado) in FINALES - {"completado"}:
            movidos = {i for i, p in despues.pasos.items() if p.estado != antes.pasos[i].estado}
            assert movidos <= {comando.paso}, "nothing is opened while the run is not active"

    def _rehace(self, comando: Comando, pasos: Mapping[str, Paso]) -> set[str]:
        paso = pasos.get(comando.paso or "")
        if str(comando.tipo) != "rechazar" or paso is None or paso.rehacer_desde is None:
            return set()
        return {paso.id, *region(pasos, paso)}

    def _exigir_pasado(self, antes: Recorrido, plan: Plan) -> None:
        """I30 and I31."""
        nuevos = {p.id: p for p in plan.pasos}
        assert not [i for i, p in antes.pasos.items() if str(p.estado) in ABIERTOS], "I31"
        for paso in self.plan.pasos:
            if not por_venir(antes.pasos[paso.id]):
                otro = nuevos.get(paso.id)
                assert otro is not None and otro.model_dump_json() == paso.model_dump_json(), ("I30", paso.id)
        for campo in ("plantilla", "peticion", "contexto"):
            assert tipado(getattr(self.plan, campo), getattr(plan, campo)), ("I30", campo)
