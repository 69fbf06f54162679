"""What a run does in the cases that people will meet."""

from __future__ import annotations

import pytest

from nucleo.recorridos import motor
from nucleo.recorridos.comandos import EJECUTOR, RELOJ, RefExterna
from nucleo.recorridos.comandos import TipoComando as T
from nucleo.recorridos.estado import EstadoRecorrido, MotivoEntrega, Situacion
from nucleo.recorridos.plan import Clase, Ejecutor, Puerto, Ruta, Tipo, TipoCompuerta
from tests.recorridos.negativas import bloque, de_agente, rechazo
from tests.recorridos.obra import INICIO, SI, Obra, abre, cierra, paso, plan
from tests.recorridos.secuencias import ANA, BEA, HERMES, IMPOSTOR, OTRO, REDACTOR

INCLUSIVA = TipoCompuerta.INCLUSIVA


def test_la_fila_que_se_rehace_hasta_que_se_agota() -> None:
    obra = Obra(
        plan(
            paso("a", Clase.AGENTE, "ini", salidas=(Puerto(nombre="v", tipo=Tipo.ENTERO, requerido=True),)),
            paso("b", Clase.AGENTE, "a"),
            paso("ok", Clase.APROBACION, "b", rehacer_desde="a", max_rehechos=2),
        )
    )
    for vuelta in range(3):
        obra.hace("a", v=vuelta)
        obra.hace("b")
        assert obra["ok"].estado is Situacion.ESPERANDO
        assert obra["a"].salidas == {"v": vuelta}
        if vuelta < 2:
            assert obra.manda(BEA, T.RECHAZAR, "ok", mensaje="más corto").entrega is MotivoEntrega.RESPUESTA
            assert obra["a"].estado is Situacion.LISTO
            assert obra["a"].salidas is None
            assert (obra["b"].estado, obra["ok"].estado) == (Situacion.BLOQUEADO, Situacion.BLOQUEADO)
            assert (obra["ok"].resultado, obra["ok"].rehechos) == ("más corto", vuelta + 1)
    frase = rechazo(obra, "REHECHOS_AGOTADOS", BEA, T.RECHAZAR, "ok", mensaje="otra vez")
    assert all(palabra in frase for palabra in ("apruébalo", "otro plan", "cancela"))
    assert T.RECHAZAR not in motor.posibles(obra.plan, obra.foto, BEA).pasos["ok"]
    obra.manda(BEA, T.APROBAR, "ok")
    assert obra.foto.estado is EstadoRecorrido.COMPLETADO
    assert obra["a"].intento == 3


def test_rechazar_sin_rehacer_acaba_el_recorrido() -> None:
    obra = Obra(de_agente())
    obra.hace("a")
    rechazo(obra, "FALTA_MOTIVO", BEA, T.RECHAZAR, "ok", mensaje=" ")
    assert obra.manda(BEA, T.RECHAZAR, "ok", mensaje="no").entrega is None
    assert obra.foto.estado is EstadoRecorrido.RECHAZADO
    rechazo(obra, "TERMINADO", BEA, T.APROBAR, "ok")


def test_lo_dudoso_espera_a_quien_lo_compruebe() -> None:
    obra = Obra(de_agente())
    obra.manda(HERMES, T.INICIAR, "a")
    obra.pasan(899)
    rechazo(obra, "VIGENTE", RELOJ, T.VENCER, "a")
    obra.pasan(1)
    obra.manda(RELOJ, T.VENCER, "a")
    assert obra["a"].estado is Situacion.DUDOSO
    assert obra["ok"].estado is Situacion.BLOQUEADO
    assert motor.pelota(obra.plan, obra.foto) == (motor.Pelota.PERSONA,)
    rechazo(obra, "NO_LISTO", HERMES, T.INICIAR, "a")
    rechazo(obra, "FALTA_RECONCILIAR", HERMES, T.REINTENTAR, "a", reconciliado=True, mensaje="yo lo vi")
    rechazo(obra, "FALTA_RECONCILIAR", BEA, T.REINTENTAR, "a")
    rechazo(obra, "FALTA_RECONCILIAR", BEA, T.REINTENTAR, "a", reconciliado=True)
    obra.manda(BEA, T.REINTENTAR, "a", reconciliado=True, mensaje="no hay fichero")
    obra.manda(HERMES, T.INICIAR, "a")
    rechazo(obra, "INTENTO_VIEJO", HERMES, T.COMPLETAR, "a", intento=1, mensaje="tarde")
    obra.manda(HERMES, T.COMPLETAR, "a", intento=2, mensaje="hecho")


def test_lo_dudoso_puede_acabar_con_su_propio_intento() -> None:
    obra = Obra(de_agente())
    obra.manda(HERMES, T.INICIAR, "a")
    obra.pasan(900)
    obra.manda(RELOJ, T.VENCER, "a")
    obra.manda(HERMES, T.COMPLETAR, "a", intento=1, mensaje="tarde pero hecho")
    assert obra["ok"].estado is Situacion.ESPERANDO


@pytest.mark.parametrize("repetible", [True, False])
def test_la_instalacion_solo_concilia_lo_repetible_y_diciendo_que_intento(repetible: bool) -> None:
    obra = Obra(de_agente(ejecutor=Ejecutor(perfil="redactor", repetible=repetible, arriendo_s=60)))
    obra.manda(EJECUTOR, T.INICIAR, "a", trabajador="redactor", ref=RefExterna(hermes_run="h1"))
    obra.pasan(60)
    obra.manda(RELOJ, T.VENCER, "a")
    prueba: dict[str, object] = {"reconciliado": True, "mensaje": "Hermes no lo conoce"}
    if not repetible:
        rechazo(obra, "FALTA_RECONCILIAR", EJECUTOR, T.REINTENTAR, "a", intento=1, **prueba)
        return
    rechazo(obra, "COMANDO_INVALIDO", EJECUTOR, T.REINTENTAR, "a", **prueba)
    rechazo(obra, "INTENTO_VIEJO", EJECUTOR, T.REINTENTAR, "a", intento=2, **prueba)
    cambio = obra.manda(EJECUTOR, T.REINTENTAR, "a", intento=1, **prueba)
    assert cambio.intentos[0].mensaje == "Hermes no lo conoce"
    assert cambio.entrega is MotivoEntrega.REINTENTO


def test_un_reloj_que_va_hacia_atras_no_acorta_el_plazo() -> None:
    obra = Obra(de_agente())
    obra.manda(HERMES, T.INICIAR, "a")
    obra.pasan(-3600)
    cambio = obra.manda(HERMES, T.LATIDO, "a", intento=1)
    assert not cambio.eventos
    assert cambio.recorrido.revision == 2
    assert cambio.intentos[0].vence == obra["a"].ultimo.vence  # type: ignore[union-attr]
    assert (cambio.intentos[0].vence - INICIO).total_seconds() == 900


def test_cada_paso_es_de_quien_dice_el_plan() -> None:
    """With `ejecutor`, the installation; without it, who leads; reports, from who does the work."""
    obra = Obra(
        plan(
            paso("suyo", Clase.AGENTE, "ini"),
            paso("de_casa", Clase.AGENTE, "suyo", ejecutor=Ejecutor(perfil="redactor")),
        )
    )
    for ajeno in (OTRO, EJECUTOR, BEA, IMPOSTOR, RELOJ):
        rechazo(obra, "PROHIBIDO", ajeno, T.INICIAR, "suyo")
    rechazo(obra, "PROHIBIDO", HERMES, T.INICIAR, "suyo", trabajador="otro")
    obra.manda(HERMES, T.INICIAR, "suyo")
    rechazo(obra, "PROHIBIDO", EJECUTOR, T.COMPLETAR, "suyo", intento=1, mensaje="x")
    obra.manda(HERMES, T.COMPLETAR, "suyo", intento=1, mensaje="x")
    rechazo(obra, "PROHIBIDO", HERMES, T.INICIAR, "de_casa")
    obra.manda(EJECUTOR, T.INICIAR, "de_casa", trabajador="redactor")
    rechazo(obra, "PROHIBIDO", HERMES, T.COMPLETAR, "de_casa", intento=1, mensaje="x")
    obra.manda(REDACTOR, T.ANOTAR, "de_casa", intento=1, mensaje="voy por la mitad")
    obra.manda(EJECUTOR, T.LATIDO, "de_casa", intento=1)
    obra.manda(REDACTOR, T.COMPLETAR, "de_casa", intento=1, mensaje="x")
    assert obra.foto.estado is EstadoRecorrido.COMPLETADO


def test_un_agente_con_nombre_de_la_casa_no_es_nadie() -> None:
    obra = Obra(de_agente(), coordinador="sistema")
    rechazo(obra, "PROHIBIDO", IMPOSTOR, T.INICIAR, "a")
    obra.manda(EJECUTOR, T.INICIAR, "a")
    rechazo(obra, "PROHIBIDO", IMPOSTOR, T.COMPLETAR, "a", intento=1, mensaje="x")
    rechazo(obra, "PROHIBIDO", IMPOSTOR, T.PROPONER_PLAN, plan=de_agente(), mensaje="x")


def test_una_orden_despierta_a_quien_le_toca_despues() -> None:
    obra = Obra(
        plan(
            paso("a", Clase.AGENTE, "ini"),
            paso("b", Clase.CODIGO, "a", ejecutor=Ejecutor(funcion="contar")),
            paso("c", Clase.AGENTE, "b"),
            paso("d", Clase.AGENTE, "c"),
        )
    )
    assert obra.cambio.entrega is MotivoEntrega.CREADO
    assert obra.hace("a").entrega is MotivoEntrega.TURNO
    obra.manda(EJECUTOR, T.INICIAR, "b")
    assert obra.manda(EJECUTOR, T.FALLAR, "b", intento=1, mensaje="no").entrega is MotivoEntrega.TURNO
    assert obra.manda(HERMES, T.REINTENTAR, "b").entrega is MotivoEntrega.REINTENTO
    obra.manda(EJECUTOR, T.INICIAR, "b")
    assert obra.manda(EJECUTOR, T.COMPLETAR, "b", intento=2, mensaje="ya").entrega is MotivoEntrega.TURNO
    assert obra.hace("c").entrega is None
    obra.manda(HERMES, T.INICIAR, "d")
    assert obra.manda(HERMES, T.FALLAR, "d", intento=1, mensaje="no").entrega is None


def test_una_rama_que_falla_no_atasca_el_cierre() -> None:
    obra = Obra(bloque())
    obra.manda(BEA, T.RESPONDER, "p", salidas={"si": True})
    assert obra["c"].estado is Situacion.OMITIDO
    obra.hace("a")
    obra.manda(HERMES, T.INICIAR, "b")
    obra.manda(HERMES, T.FALLAR, "b", intento=1, mensaje="no hay manera")
    assert obra["j"].estado is Situacion.BLOQUEADO
    verbos = motor.posibles(obra.plan, obra.foto, BEA)
    assert set(verbos.pasos["b"]) == {T.REINTENTAR, T.DISPENSAR}
    obra.manda(BEA, T.DISPENSAR, "b", mensaje="no hace falta")
    assert (obra["j"].estado, obra["z"].estado) == (Situacion.COMPLETADO, Situacion.ESPERANDO)


def test_dispensadas_todas_las_ramas_lo_que_sigue_no_se_omite() -> None:
    obra = Obra(bloque())
    obra.manda(BEA, T.RESPONDER, "p", salidas={"si": False})
    obra.manda(BEA, T.DISPENSAR, "c", mensaje="no hace falta")
    assert obra["z"].estado is Situacion.ESPERANDO


def test_en_pausa_acaba_lo_empezado_y_no_empieza_nada() -> None:
    obra = Obra(de_agente())
    obra.manda(HERMES, T.INICIAR, "a")
    obra.manda(BEA, T.PAUSAR, revision=None)
    obra.manda(HERMES, T.COMPLETAR, "a", intento=1, mensaje="hecho")
    assert (obra["a"].estado, obra["ok"].estado) == (Situacion.COMPLETADO, Situacion.BLOQUEADO)
    rechazo(obra, "PAUSADO", BEA, T.PAUSAR)
    rechazo(obra, "REVISION_DESFASADA", BEA, T.REANUDAR, revision=1)
    assert obra.manda(BEA, T.REANUDAR).entrega is MotivoEntrega.REANUDACION
    assert obra["ok"].estado is Situacion.ESPERANDO


def test_cancelar_no_deshace_y_lo_que_llega_tarde_no_cuenta() -> None:
    obra = Obra(de_agente())
    obra.manda(HERMES, T.INICIAR, "a")
    obra.manda(BEA, T.CANCELAR, revision=1)
    assert "cancelado" in rechazo(obra, "TERMINADO", HERMES, T.COMPLETAR, "a", intento=1, mensaje="x")
    rechazo(obra, "ESTADO", BEA, T.DESARCHIVAR)
    obra.manda(BEA, T.ARCHIVAR)
    assert obra.foto.archivado == obra.ahora
    rechazo(obra, "ESTADO", BEA, T.ARCHIVAR)
    obra.manda(BEA, T.DESARCHIVAR)
    assert obra.foto.archivado is None


def test_al_segundo_que_contesta_se_le_dice_quien_decidio() -> None:
    obra = Obra(plan(paso("p", Clase.MANUAL, "ini", salidas=(SI,)), paso("q", Clase.MANUAL, "p")))
    vista = obra.foto.revision
    obra.manda(ANA, T.RESPONDER, "p", salidas={"si": True})
    for codigo, revision in (("REVISION_DESFASADA", vista), ("NO_ESPERA", None)):
        frase = rechazo(
            obra,
            codigo,
            BEA,
            T.RESPONDER,
            "p",
            salidas={"si": False},
            revision=revision or obra.foto.revision,
        )
        assert ANA.nombre in frase


def test_una_respuesta_sobre_una_pantalla_vieja_vale_si_lo_suyo_no_cambio() -> None:
    obra = Obra(
        plan(
            abre("g", TipoCompuerta.PARALELA, "ini", Ruta(destino="p"), Ruta(destino="a")),
            paso("p", Clase.MANUAL, "g"),
            paso("a", Clase.AGENTE, "g"),
            cierra("j", TipoCompuerta.PARALELA, "g", "p", "a"),
        )
    )
    vista = obra.foto.revision
    obra.hace("a")
    rechazo(obra, "REVISION_REQUERIDA", BEA, T.RESPONDER, "p", revision=None)
    rechazo(obra, "REVISION_DESFASADA", BEA, T.RESPONDER, "p", revision=obra.foto.revision + 1)
    obra.manda(BEA, T.RESPONDER, "p", revision=vista)
