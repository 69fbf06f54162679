"""What must always hold of a run, worked out apart from the engine: no constant of its own is used here.

`de_foto` looks at one snapshot; `Historia` at what came before it: every revision, event and attempt.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Any

from pydantic import JsonValue

from nucleo.recorridos.comandos import Actor, Comando
from nucleo.recorridos.estado import EstadoPaso, Evento, Intento, Recorrido
from nucleo.recorridos.plan import (
    Compuerta,
    Condicion,
    Contexto,
    Entrada,
    Literal_,
    Paso,
    Plan,
    Puerto,
    Salida,
    Tipo,
)
from nucleo.recorridos.valores import canonico
from tests.recorridos.planes import valores_de

PERSONAS = {"manual", "aprobacion"}
MAQUINAS = {"agente", "codigo"}
RESUELTOS = {"completado", "omitido", "dispensado"}
ACTIVADOS = {"completado", "dispensado"}
FINALES = {"completado", "rechazado", "cancelado"}
ABIERTOS = {"en_curso", "dudoso"}
NO_MUEVEN = {"latido", "anotar"}

ESTADOS_DE = {
    "estructura": {"bloqueado", "completado", "omitido"},
    "persona": {"bloqueado", "esperando", "completado", "rechazado", "omitido", "dispensado"},
    "maquina": {
        "bloqueado",
        "listo",
        "en_curso",
        "dudoso",
        "fallido",
        "completado",
        "omitido",
        "dispensado",
    },
}
PASOS_DE_ESTADO = {
    ("bloqueado", "listo"),
    ("bloqueado", "esperando"),
    ("bloqueado", "completado"),
    ("bloqueado", "omitido"),
    ("listo", "en_curso"),
    ("listo", "dispensado"),
    ("en_curso", "completado"),
    ("en_curso", "fallido"),
    ("en_curso", "dudoso"),
    ("dudoso", "completado"),
    ("dudoso", "fallido"),
    ("dudoso", "listo"),
    ("fallido", "listo"),
    ("fallido", "dispensado"),
    ("esperando", "completado"),
    ("esperando", "rechazado"),
    ("esperando", "dispensado"),
}
"""What one command may do to a step outside a redo and a change of plan."""

INTENTOS = {
    ("en_curso", "en_curso"),
    ("en_curso", "completado"),
    ("en_curso", "fallido"),
    ("en_curso", "dudoso"),
    ("dudoso", "completado"),
    ("dudoso", "fallido"),
    ("dudoso", "abandonado"),
}


def tipado(a: object, b: object) -> bool:
    """Same value and same type, all the way down."""
    if type(a) is not type(b):
        return False
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(tipado(x, y) for x, y in zip(a, b, strict=True))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(tipado(v, b[k]) for k, v in a.items())
    return a == b


def clase_de(paso: Paso) -> str:
    """Structure, person or machine."""
    if str(paso.clase) in PERSONAS:
        return "persona"
    return "maquina" if str(paso.clase) in MAQUINAS else "estructura"


def es_buena(puerto: Puerto, valor: JsonValue) -> bool:
    """Whether the value is one of those that the generator knows to be good."""
    return any(tipado(valor, bueno) for bueno in valores_de(puerto))


def salidas_buenas(paso: Paso, salidas: Mapping[str, JsonValue] | None) -> bool:
    """Only declared outputs, all the required ones, all of them good."""
    puertos = {p.nombre: p for p in paso.salidas}
    dadas = salidas or {}
    if any(nombre not in puertos for nombre in dadas):
        return False
    return all(
        es_buena(p, dadas[nombre]) if nombre in dadas else not p.requerido for nombre, p in puertos.items()
    )


def region(pasos: Mapping[str, Paso], aprobacion: Paso) -> list[str]:
    """Steps that a rejection makes again."""
    atras = [aprobacion.dependencias[0]]
    while atras[-1] != aprobacion.rehacer_desde:
        atras.append(pasos[atras[-1]].dependencias[0])
    return atras


def entradas_esperadas(plan: Plan, paso: Paso, estados: Mapping[str, EstadoPaso]) -> dict[str, JsonValue]:
    """The inputs of a step, read again from their origins."""
    return {e.nombre: valor[0] for e in paso.entradas if (valor := _valor(plan, e, estados))}


def _valor(plan: Plan, entrada: Entrada, estados: Mapping[str, EstadoPaso]) -> list[JsonValue]:
    match entrada.origen:
        case Literal_(valor=v):
            return [v]
        case Contexto(clave=c):
            return [plan.contexto[c]] if c in plan.contexto else []
        case Salida(paso=p, salida=s):
            salidas = estados[p].salidas or {}
            return [salidas[s]] if s in salidas else []
    return []


def ramas_esperadas(
    compuerta: Compuerta, pasos: Mapping[str, Paso], estados: Mapping[str, EstadoPaso]
) -> set[str]:
    """The branches that a gate must have chosen, from the outputs there are."""
    tipo = str(compuerta.tipo)
    if tipo == "paralela":
        return {r.destino for r in compuerta.rutas}
    ciertas = [r.destino for r in compuerta.rutas if r.cuando and _se_cumple(r.cuando, pasos, estados)]
    if not ciertas:
        return {str(compuerta.por_defecto)}
    return set(ciertas[:1] if tipo == "exclusiva" else ciertas)


def _se_cumple(condicion: Condicion, pasos: Mapping[str, Paso], estados: Mapping[str, EstadoPaso]) -> bool:
    salidas = estados[condicion.paso].salidas or {}
    if condicion.salida not in salidas:
        return False
    tipo = next(p.tipo for p in pasos[condicion.paso].salidas if p.nombre == condicion.salida)
    tiene, op = _medida(tipo, salidas[condicion.salida]), str(condicion.op)
    if op == "existe":
        return True
    if op == "en":
        assert isinstance(condicion.valor, list)
        return tiene in [_medida(tipo, v) for v in condicion.valor]
    dado = _medida(tipo, condicion.valor)
    return bool({"igual": tiene == dado, "distinto": tiene != dado}.get(op) or _orden(op, tiene, dado))


def _orden(op: str, tiene: Any, dado: Any) -> bool:
    if op not in ("mayor", "menor"):
        return False
    return bool(tiene > dado if op == "mayor" else tiene < dado)


def _medida(tipo: Tipo, valor: JsonValue) -> Any:
    if tipo is Tipo.IMPORTE:
        return Decimal(str(valor))
    if tipo is Tipo.FECHA:
        return date.fromisoformat(str(valor))
    return (type(valor).__name__ if isinstance(valor, bool | str) else "numero", valor)


def de_foto(plan: Plan, r: Recorrido) -> None:
    """I1-I6, I8-I13, I36, I37 and I43 of one snapshot."""
    pasos = {p.id: p for p in plan.pasos}
    assert set(r.pasos) == set(pasos), "the snapshot has the steps of its plan"
    for i, paso in pasos.items():
        _de_paso(plan, pasos, r.pasos, paso)
        assert r.pasos[i].rev_base <= r.revision
    todo = all(str(p.estado) in RESUELTOS for p in r.pasos.values())
    if str(r.estado) == "completado":
        assert todo, "I11"
    if str(r.estado) == "activo":
        assert not todo, "I11"
        _punto_fijo(pasos, r.pasos)
        assert any(
            str(p.estado) in {"listo", "esperando", "en_curso", "dudoso", "fallido"} for p in r.pasos.values()
        ), "I13 nobody can act"
    rechazados = [i for i, p in r.pasos.items() if str(p.estado) == "rechazado"]
    assert bool(rechazados) == (str(r.estado) == "rechazado"), "I36"
    assert (r.propuesta is None) or str(r.estado) == "pausado"
    assert (r.archivado is None) or str(r.estado) in FINALES


def _punto_fijo(pasos: Mapping[str, Paso], estados: Mapping[str, EstadoPaso]) -> None:
    for i, paso in pasos.items():
        if str(estados[i].estado) == "bloqueado":
            assert any(str(estados[d].estado) not in RESUELTOS for d in paso.dependencias), ("I12", i)


def _de_paso(plan: Plan, pasos: Mapping[str, Paso], estados: Mapping[str, EstadoPaso], paso: Paso) -> None:
    i, p = paso.id, estados[paso.id]
    estado, clase = str(p.estado), clase_de(paso)
    assert estado in ESTADOS_DE[clase], ("I9", i, estado)
    if estado != "bloqueado":
        _camino(pasos, estados, paso)
    if clase != "maquina":
        assert p.intento == 0 and p.ultimo is None, ("I9", i)
    if estado == "omitido":
        assert p.intento == 0 and p.salidas is None and p.entradas is None, ("I4", i)
    if estado == "completado" and clase != "estructura":
        assert p.salidas is not None and salidas_buenas(paso, p.salidas), ("I5", i)
    else:
        assert p.salidas is None, ("I5", i)
    if (
        estado in {"listo", "esperando", "en_curso", "dudoso", "fallido", "completado"}
        and clase != "estructura"
    ):
        assert tipado(p.entradas, entradas_esperadas(plan, paso, estados)), ("I6", i)
    assert (p.ultimo is not None) == (p.intento > 0), ("I7", i)
    if p.ultimo is not None:
        assert p.ultimo.n == p.intento and p.ultimo.paso == i, ("I7", i)
        assert (str(p.ultimo.estado) in ABIERTOS) == (estado in ABIERTOS), ("I8", i)
        assert estado not in ABIERTOS or str(p.ultimo.estado) == estado, ("I8", i)
    _ramas(pasos, estados, paso)
    if estado == "dispensado":
        _prescindible(pasos, estados, i)
    assert p.rehechos <= (paso.max_rehechos if paso.rehacer_desde else 0), ("I43", i)


def _camino(pasos: Mapping[str, Paso], estados: Mapping[str, EstadoPaso], paso: Paso) -> None:
    """I1, I2 and I3: what it depends on is resolved, and it was skipped exactly when nothing reaches it."""
    i, dependencias = paso.id, paso.dependencias
    assert all(str(estados[d].estado) in RESUELTOS for d in dependencias), ("I1", i)
    if not dependencias:
        return
    llegan = [
        str(estados[d].estado) in ACTIVADOS and (estados[d].ramas is None or i in (estados[d].ramas or ()))
        for d in dependencias
    ]
    cierra = paso.compuerta is not None and paso.compuerta.sentido == "cierra"
    activo = any(llegan) if cierra else all(llegan)
    assert (str(estados[i].estado) == "omitido") == (not activo), ("I2", i)
    if cierra and activo:
        apertura = str(paso.compuerta and paso.compuerta.abre)
        assert str(estados[apertura].estado) == "completado", ("I3", i)
        vivas = [d for d in dependencias if str(estados[d].estado) != "omitido"]
        assert len(vivas) == len(estados[apertura].ramas or ()), ("I3", i)


def _ramas(pasos: Mapping[str, Paso], estados: Mapping[str, EstadoPaso], paso: Paso) -> None:
    p = estados[paso.id]
    abre = paso.compuerta is not None and paso.compuerta.sentido == "abre"
    assert (p.ramas is not None) == (abre and str(p.estado) == "completado"), ("I10", paso.id)
    if p.ramas is not None and paso.compuerta is not None:
        assert set(p.ramas) == ramas_esperadas(paso.compuerta, pasos, estados), ("I10", paso.id)
        assert len(set(p.ramas)) == len(p.ramas)


def _prescindible(pasos: Mapping[str, Paso], estados: Mapping[str, EstadoPaso], i: str) -> None:
    for otro in pasos.values():
        for e in otro.entradas:
            if e.requerido and isinstance(e.origen, Salida) and e.origen.paso == i:
                assert str(estados[otro.id].estado) == "omitido", ("I37", i, otro.id)


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


def por_venir(estado: EstadoPaso) -> bool:
    """Whether nobody has taken the step nor been asked about it."""
    return str(estado.estado) in {"bloqueado", "listo"} and not estado.intento and not estado.rehechos


def sin_arriendos(r: Recorrido) -> Recorrido:
    """The snapshot without the instants of the leases, which leave no event."""
    pasos = {
        i: p.model_copy(update={"ultimo": p.ultimo.model_copy(update={"vence": r.creado})}) if p.ultimo else p
        for i, p in r.pasos.items()
    }
    return r.model_copy(update={"pasos": pasos})
