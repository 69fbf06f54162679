"""No version of the plan of an offer gets round its people, touches its code or lets a machine submit."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from dominios.licitaciones.oferta.plantilla import OFERTA
from dominios.licitaciones.oferta.politica import OBLIGADOS, politica
from nucleo.recorridos.comandos import Actor, ClaseActor, TipoComando
from nucleo.recorridos.errores import ErrorRecorrido, PlanInvalido
from nucleo.recorridos.estado import Situacion
from nucleo.recorridos.plan import (
    Clase,
    Compuerta,
    Condicion,
    Ejecutor,
    Entrada,
    Interaccion,
    Literal_,
    Paso,
    Plan,
    Puerto,
    Ruta,
    Tipo,
    TipoCompuerta,
)
from nucleo.recorridos.validar import validar
from tests.oferta.taller import COMPLETO, EJECUTOR, PERSONA, EnMemoria, casa_de, orden, recorrer

CASA = casa_de(COMPLETO)
PASOS = {p.id: p for p in OFERTA.pasos}
HUMANOS = ["decidir", "precio", "visto_bueno", "registrar_presentacion"]


def con(*nuevos: Paso, sin: tuple[str, ...] = ()) -> Plan:
    """The template with those steps instead of, or besides, its own."""
    cambiados = {p.id: p for p in nuevos}
    pasos = [cambiados.pop(p.id, p) for p in OFERTA.pasos if p.id not in sin]
    return OFERTA.model_copy(update={"pasos": (*pasos, *cambiados.values())})


def otro(paso: str, **cambios: object) -> Paso:
    """A step of the template, changed."""
    return PASOS[paso].model_copy(update=cambios)


def intercalado(nuevo: Paso, antes_de: str) -> Plan:
    """The template with a step more, before one that has a single way in."""
    siguiente = PASOS[antes_de]
    colocado = nuevo.model_copy(update={"dependencias": siguiente.dependencias})
    return con(colocado, otro(antes_de, dependencias=(nuevo.id,)))


AGENTE = Paso(id="extra", titulo="Un paso más", clase=Clase.AGENTE)


def donde(plan: Plan) -> set[str | None]:
    """Steps that the policy objects to."""
    return {p.paso for p in politica(plan)}


def test_la_plantilla_cumple_su_politica_y_se_puede_recorrer() -> None:
    assert politica(OFERTA) == ()
    assert len(validar(OFERTA, CASA).pasos) == 39


@pytest.mark.parametrize("paso", HUMANOS)
def test_los_pasos_de_personas_son_de_personas(paso: str) -> None:
    assert PASOS[paso] in OBLIGADOS
    assert PASOS[paso].clase in (Clase.MANUAL, Clase.APROBACION)


@pytest.mark.parametrize("paso", [p.id for p in OBLIGADOS])
def test_ninguno_de_los_obligados_puede_faltar(paso: str) -> None:
    assert paso in donde(con(sin=(paso,)))


CAMBIOS: dict[str, Callable[[Paso], dict[str, object]]] = {
    "clase": lambda _: {"clase": Clase.AGENTE},
    "pregunta": lambda _: {"interaccion": Interaccion(pregunta="¿Seguimos?")},
    "papel": lambda p: {"rol": "editor" if p.rol == "admin" else "admin"},
    "salidas": lambda _: {"salidas": ()},
    "entradas": lambda _: {"entradas": ()},
    "rehacer": lambda _: {"rehacer_desde": "precio"},
}


@pytest.mark.parametrize("cambio", CAMBIOS)
@pytest.mark.parametrize("paso", HUMANOS)
def test_lo_que_ve_y_decide_una_persona_no_cambia(paso: str, cambio: str) -> None:
    assert donde(con(otro(paso, **CAMBIOS[cambio](PASOS[paso])))) == {paso}


def test_el_visto_bueno_lee_los_bloqueos_de_la_comprobacion() -> None:
    ciego = tuple(
        e.model_copy(update={"origen": Literal_(valor=[])}) if e.nombre == "bloqueos" else e
        for e in PASOS["visto_bueno"].entradas
    )
    assert donde(con(otro("visto_bueno", entradas=ciego))) == {"visto_bueno"}


@pytest.mark.parametrize("paso", [p.id for p in OFERTA.pasos if p.clase is Clase.CODIGO])
def test_el_codigo_no_lo_cambia_una_revision(paso: str) -> None:
    ajena = Ejecutor(funcion="oferta_sin_memoria" if paso != "sin_memoria" else "oferta_deuc")
    for cambio in (
        {"ejecutor": ajena},
        {"ejecutor": None},
        {"clase": Clase.AGENTE, "ejecutor": None},
        {"entradas": (Entrada(nombre="otra", tipo=Tipo.TEXTO, origen=Literal_(valor="x")),)},
        {"salidas": (Puerto(nombre="otra", tipo=Tipo.TEXTO),)},
    ):
        assert paso in donde(con(otro(paso, **cambio))), cambio


def test_no_se_anaden_pasos_de_codigo() -> None:
    nuevo = Paso(id="mas", titulo="Más", clase=Clase.CODIGO, ejecutor=Ejecutor(funcion="oferta_generar_docx"))
    assert donde(intercalado(nuevo, "estrategia")) == {"mas"}


@pytest.mark.parametrize("salida", ["importe", "registro", "justificante", "fecha", "hora"])
def test_ninguna_maquina_pone_el_precio_ni_la_presentacion(salida: str) -> None:
    dice = AGENTE.model_copy(update={"salidas": (Puerto(nombre=salida, tipo=Tipo.TEXTO),)})
    assert donde(intercalado(dice, "estrategia")) == {"extra"}


def test_ninguna_maquina_deja_un_importe_se_llame_como_se_llame() -> None:
    dice = AGENTE.model_copy(update={"salidas": (Puerto(nombre="oferta", tipo=Tipo.IMPORTE),)})
    assert donde(intercalado(dice, "estrategia")) == {"extra"}


@pytest.mark.parametrize("antes_de", ["registrar_presentacion", "fin"])
def test_tras_el_visto_bueno_no_actua_ninguna_maquina(antes_de: str) -> None:
    assert donde(intercalado(AGENTE, antes_de)) == {"extra"}


def test_el_critico_no_lo_elige_quien_escribe() -> None:
    assert donde(con(otro("critica_ciega", ejecutor=Ejecutor(perfil="oferta")))) == {"critica_ciega"}
    desconocido = AGENTE.model_copy(update={"ejecutor": Ejecutor(perfil="otro")})
    assert donde(intercalado(desconocido, "estrategia")) == {"extra"}


def test_la_politica_contesta_tambien_ante_un_plan_con_ciclos() -> None:
    assert "fin" not in donde(con(otro("inicio", dependencias=("fin",))))


def test_el_precio_no_se_pone_despues_de_comprobar() -> None:
    movido = con(
        otro("precio", dependencias=("comprobar",)),
        otro("visto_bueno", dependencias=("precio",)),
        otro("j_preparacion", dependencias=("aprobar_guion", "equipo", "j_anexos")),
        otro("g_preparacion", compuerta=_sin_ruta(PASOS["g_preparacion"], "precio")),
    )
    with pytest.raises(PlanInvalido, match=r"«importe».* no va antes"):
        validar(movido, CASA)


def test_el_visto_bueno_no_se_puede_saltar() -> None:
    """In a branch that may not be chosen, what it leaves cannot be required by the submission."""
    rutas = (
        Ruta(destino="visto_bueno", cuando=Condicion(paso="comprobar", salida="apta", valor=False)),
        Ruta(destino="atajo"),
    )
    abre = Compuerta(tipo=TipoCompuerta.EXCLUSIVA, sentido="abre", rutas=rutas, por_defecto="atajo")
    cierra = Compuerta(tipo=TipoCompuerta.EXCLUSIVA, sentido="cierra", abre="g_atajo")
    saltado = con(
        Paso(
            id="g_atajo",
            titulo="¿Hace falta?",
            clase=Clase.COMPUERTA,
            dependencias=("comprobar",),
            compuerta=abre,
        ),
        otro("visto_bueno", dependencias=("g_atajo",)),
        Paso(id="atajo", titulo="Sin mirar", clase=Clase.MANUAL, dependencias=("g_atajo",)),
        Paso(
            id="j_atajo",
            titulo="Sigue",
            clase=Clase.COMPUERTA,
            dependencias=("visto_bueno", "atajo"),
            compuerta=cierra,
        ),
        otro("registrar_presentacion", dependencias=("j_atajo",)),
    )
    with pytest.raises(PlanInvalido, match=r"«conforme».*puede omitirse"):
        validar(saltado, CASA)


def _sin_ruta(paso: Paso, destino: str) -> Compuerta:
    assert paso.compuerta is not None
    rutas = tuple(r for r in paso.compuerta.rutas if r.destino != destino)
    return paso.compuerta.model_copy(update={"rutas": rutas})


def proponer(plan: Plan) -> EnMemoria:
    """An offer whose decision is awaited, with that plan proposed by who leads it."""
    marcha = EnMemoria(CASA)
    recorrer(marcha, COMPLETO, hasta="decidir")
    marcha.mandar(
        orden(
            TipoComando.PROPONER_PLAN,
            revision=marcha.ver().revision,
            plan=plan,
            mensaje="Rectificación de los pliegos",
        ),
        EJECUTOR,
    )
    return marcha


def test_una_revision_del_futuro_se_acepta_y_es_la_version_dos() -> None:
    marcha = proponer(con(otro("estrategia", titulo="Proponer la estrategia tras la rectificación")))
    revision = marcha.ver().revision
    recorrido = marcha.mandar(orden(TipoComando.ACEPTAR_PLAN, revision=revision), PERSONA)
    assert (recorrido.plan_version, recorrido.pasos["decidir"].estado) == (2, Situacion.ESPERANDO)
    assert recorrer(marcha, COMPLETO).pasos["estrategia"].estado is Situacion.COMPLETADO


def test_una_revision_con_un_paso_mas_de_agente_se_acepta() -> None:
    marcha = proponer(intercalado(AGENTE.model_copy(update={"trabajo": "memoria"}), "ficha_solucion"))
    assert marcha.ver().propuesta is not None


@pytest.mark.parametrize("paso", ["precio", "visto_bueno", "registrar_presentacion"])
def test_una_revision_que_toca_lo_obligado_se_rechaza(paso: str) -> None:
    for plan in (con(sin=(paso,)), con(otro(paso, titulo="Otra cosa"))):
        with pytest.raises(ErrorRecorrido, match=paso) as hallado:
            proponer(plan)
        assert hallado.value.codigo == "PLAN_INVALIDO"


def test_nadie_mas_que_quien_coordina_propone() -> None:
    marcha = EnMemoria(CASA)
    recorrer(marcha, COMPLETO, hasta="decidir")
    agente = Actor(clase=ClaseActor.AGENTE, nombre="oferta")
    with pytest.raises(ErrorRecorrido, match="coordina"):
        marcha.mandar(
            orden(TipoComando.PROPONER_PLAN, revision=marcha.ver().revision, plan=OFERTA, mensaje="Sí"),
            agente,
        )
