"""Plans that change, templates, births and what is told of a run, one case at a time."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import nucleo.recorridos
from nucleo.recorridos import motor
from nucleo.recorridos.casa import Casa
from nucleo.recorridos.comandos import EJECUTOR, RELOJ, Actor
from nucleo.recorridos.comandos import TipoComando as T
from nucleo.recorridos.errores import ESTADOS_HTTP, ErrorRecorrido
from nucleo.recorridos.estado import EstadoRecorrido, MotivoEntrega, Situacion
from nucleo.recorridos.plan import Clase, Ejecutor, Entrada, Literal_, Plan, Puerto, Ruta, Tipo, TipoCompuerta
from nucleo.recorridos.validar import validar
from tests.recorridos.negativas import bloque, de_agente, rechazo
from tests.recorridos.obra import Obra, abre, cierra, paso, plan
from tests.recorridos.planes import CASA
from tests.recorridos.secuencias import ANA, BEA, HERMES, IMPOSTOR, LUIS

INCLUSIVA = TipoCompuerta.INCLUSIVA


def test_un_plan_propuesto_espera_a_una_persona() -> None:
    obra = Obra(de_agente())
    otro = plan(
        paso("a", Clase.AGENTE, "ini"), paso("b", Clase.AGENTE, "a"), paso("ok", Clase.APROBACION, "b")
    )
    rechazo(obra, "FALTA_MOTIVO", HERMES, T.PROPONER_PLAN, plan=otro)
    rechazo(obra, "PROHIBIDO", BEA, T.PROPONER_PLAN, plan=otro, mensaje="x")
    rechazo(obra, "COMANDO_INVALIDO", HERMES, T.PROPONER_PLAN, plan=de_agente(), mensaje="x")
    obra.manda(HERMES, T.PROPONER_PLAN, plan=otro, mensaje="falta revisarlo")
    assert obra.foto.estado is EstadoRecorrido.PAUSADO
    rechazo(obra, "PROPUESTA_ABIERTA", HERMES, T.PROPONER_PLAN, plan=otro, mensaje="x")
    rechazo(obra, "PROPUESTA_ABIERTA", BEA, T.REANUDAR)
    rechazo(obra, "PAUSADO", HERMES, T.INICIAR, "a")
    obra.manda(BEA, T.DESCARTAR_PLAN)
    assert (obra.foto.plan_version, obra.foto.estado) == (1, EstadoRecorrido.ACTIVO)
    rechazo(obra, "SIN_PROPUESTA", BEA, T.ACEPTAR_PLAN)
    obra.manda(HERMES, T.PROPONER_PLAN, plan=otro, mensaje="falta revisarlo")
    cambio = obra.manda(BEA, T.ACEPTAR_PLAN)
    assert (cambio.entrega, obra.foto.plan_version) == (MotivoEntrega.PLAN, 2)
    assert (obra["a"].estado, obra["b"].estado) == (Situacion.LISTO, Situacion.BLOQUEADO)


def test_lo_que_ya_se_pregunto_no_se_cambia_ni_en_el_tipo_de_un_valor() -> None:
    def con(valor: int | bool) -> Plan:
        tipo = Tipo.BOOLEANO if valor is True else Tipo.ENTERO
        entrada = Entrada(nombre="x", tipo=tipo, requerido=True, origen=Literal_(valor=valor))
        return plan(paso("p", Clase.MANUAL, "ini", entradas=(entrada,)), paso("a", Clase.AGENTE, "p"))

    obra = Obra(con(1))
    assert "p" in rechazo(obra, "PASADO_ALTERADO", HERMES, T.PROPONER_PLAN, plan=con(True), mensaje="x")
    for peticion in (
        con(1).model_copy(update={"peticion": "otra"}),
        con(1).model_copy(update={"contexto": {"mas": 1}}),
    ):
        rechazo(obra, "PASADO_ALTERADO", HERMES, T.PROPONER_PLAN, plan=peticion, mensaje="x")


def _de_plantilla(clase: Clase = Clase.MANUAL, titulo: str = "Plan") -> Plan:
    nota = Puerto(nombre="nota", tipo=Tipo.TEXTO)
    salidas = (nota,)
    pasos = (paso("antes", Clase.AGENTE, "ini"), paso("alcance", clase, "antes", salidas=salidas))
    return plan(*pasos, plantilla="prueba@1").model_copy(update={"titulo": titulo})


def test_un_plan_no_se_salta_a_la_persona_que_manda_su_plantilla() -> None:
    obra = Obra(_de_plantilla())
    frase = rechazo(
        obra, "PLAN_INVALIDO", HERMES, T.PROPONER_PLAN, plan=_de_plantilla(Clase.AGENTE), mensaje="x"
    )
    assert "alcance: lo decide una persona" in frase


def test_al_aceptar_se_comprueba_otra_vez_con_lo_que_hay_instalado() -> None:
    obra = Obra(_de_plantilla())
    obra.manda(HERMES, T.PROPONER_PLAN, plan=_de_plantilla(titulo="Otro"), mensaje="x")
    obra.casa = Casa()
    rechazo(obra, "PLAN_INVALIDO", BEA, T.ACEPTAR_PLAN)
    obra.manda(BEA, T.DESCARTAR_PLAN)


def test_la_regla_de_la_plantilla_se_aplica_a_lo_que_responde_la_persona() -> None:
    obra = Obra(_de_plantilla())
    obra.hace("antes")
    frase = rechazo(obra, "SALIDA_INVALIDA", BEA, T.RESPONDER, "alcance", salidas={"nota": "sí"})
    assert "esa nota no vale" in frase
    obra.casa = Casa()
    rechazo(obra, "NO_EXISTE", BEA, T.RESPONDER, "alcance", salidas={"nota": "no"})
    obra.casa = CASA
    obra.manda(BEA, T.RESPONDER, "alcance", salidas={"nota": "no"})


def test_lo_que_deja_un_paso_es_pequeno_y_lo_que_promete() -> None:
    salidas = (Puerto(nombre="t", tipo=Tipo.TEXTO, requerido=True), Puerto(nombre="n", tipo=Tipo.ENTERO))
    obra = Obra(de_agente(salidas=salidas))
    obra.manda(HERMES, T.INICIAR, "a")
    partes: dict[str, object] = {"intento": 1, "mensaje": "hecho"}
    frase = rechazo(obra, "SALIDA_INVALIDA", HERMES, T.COMPLETAR, "a", salidas={"n": True, "z": 1}, **partes)
    assert all(trozo in frase for trozo in ("«n»", "«z»", "falta «t»"))
    frase = rechazo(obra, "SALIDA_INVALIDA", HERMES, T.COMPLETAR, "a", salidas={"t": "ñ" * 16_384}, **partes)
    assert "32 KiB" in frase
    obra.manda(HERMES, T.COMPLETAR, "a", salidas={"t": "ñ" * 16_000}, **partes)


@pytest.mark.parametrize(
    ("actor", "coordinador", "plantilla", "puede"),
    [
        (ANA, "sistema", True, True),
        (BEA, "hermes", False, True),
        (LUIS, "sistema", False, False),
        (HERMES, "hermes", False, True),
        (HERMES, "hermes", True, False),
        (HERMES, "otro", False, False),
        (HERMES, "sistema", False, False),
        (IMPOSTOR, "sistema", False, False),
        (EJECUTOR, "sistema", True, True),
        (RELOJ, "sistema", False, False),
    ],
)
def test_quien_puede_crear(actor: Actor, coordinador: str, plantilla: bool, puede: bool) -> None:
    el_plan = _de_plantilla() if plantilla else de_agente()
    if puede:
        assert Obra(el_plan, coordinador=coordinador, actor=actor).foto.secuencia == 3
        return
    with pytest.raises(ErrorRecorrido) as dicho:
        Obra(el_plan, coordinador=coordinador, actor=actor)
    assert dicho.value.codigo == "PROHIBIDO"


def test_quien_tiene_la_pelota() -> None:
    obra = Obra(
        plan(
            abre("g", TipoCompuerta.PARALELA, "ini", Ruta(destino="p"), Ruta(destino="a"), Ruta(destino="b")),
            paso("p", Clase.MANUAL, "g"),
            paso("a", Clase.AGENTE, "g"),
            paso("b", Clase.CODIGO, "g", ejecutor=Ejecutor(funcion="contar")),
            cierra("j", TipoCompuerta.PARALELA, "g", "p", "a", "b"),
        )
    )
    pelota = motor.Pelota
    assert motor.pelota(obra.plan, obra.foto) == (pelota.PERSONA, pelota.COORDINADOR, pelota.INSTALACION)
    obra.hace("b", EJECUTOR)
    obra.manda(BEA, T.RESPONDER, "p")
    assert motor.pelota(obra.plan, obra.foto) == (pelota.COORDINADOR,)
    obra.hace("a")
    assert motor.pelota(obra.plan, obra.foto) == ()


def test_el_contexto_de_un_paso_es_lo_que_dejaron_los_de_antes() -> None:
    obra = Obra(bloque())
    obra.manda(BEA, T.RESPONDER, "p", salidas={"si": True})
    assert motor.contexto_disponible(obra.plan, obra.foto, "a") == {"p": {"si": True}}
    assert motor.contexto_disponible(obra.plan, obra.foto, "p") == {}


def test_la_diferencia_dice_los_pasos_y_los_campos() -> None:
    antes = de_agente()
    despues = plan(
        paso("b", Clase.CODIGO, "ini"),
        paso("ok", Clase.APROBACION, "b", rehacer_desde="b"),
    ).model_copy(update={"titulo": "Otro"})
    dicha = motor.diferencia(antes, despues)
    assert (dicha.anadidos, dicha.quitados, dicha.plan) == (("b",), ("a",), ("titulo",))
    assert dicha.cambiados == (motor.PasoCambiado(paso="ok", campos=("dependencias", "rehacer_desde")),)


def test_reproducir_pide_los_eventos_desde_el_principio() -> None:
    with pytest.raises(ValueError, match="empiezan"):
        motor.reproducir(de_agente(), motor.Nuevo(id="r"), (), CASA)


def test_un_plan_de_cien_pasos_se_recorre_entero() -> None:
    pasos = [paso(f"p{n}", Clase.AGENTE, f"p{n - 1}" if n else "ini") for n in range(98)]
    obra = Obra(plan(*pasos))
    for p in pasos:
        obra.hace(p.id)
    assert obra.foto.estado is EstadoRecorrido.COMPLETADO
    assert validar(obra.plan.plan, CASA).orden == obra.plan.orden


def test_todos_los_codigos_que_se_usan_tienen_respuesta_http() -> None:
    """Read from the source: a code without status would be a KeyError in front of a person."""
    carpeta = Path(nucleo.recorridos.__file__).parent
    usados = {
        codigo
        for fichero in carpeta.rglob("*.py")
        for codigo in re.findall(r'ErrorRecorrido\(\s*"([A-Z_]+)"', fichero.read_text(encoding="utf-8"))
    }
    assert usados
    assert usados <= set(ESTADOS_HTTP)
