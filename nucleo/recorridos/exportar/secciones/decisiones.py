"""Who decided what, when, and with what in front."""

from __future__ import annotations

from nucleo.recorridos.comandos import ClaseActor, Comando
from nucleo.recorridos.estado import Evento
from nucleo.recorridos.exportar.bases import bases, plan_en
from nucleo.recorridos.exportar.marcado import Html, Pieza, juntar, parrafo, seccion, tabla
from nucleo.recorridos.exportar.modelo import Evidencia
from nucleo.recorridos.exportar.palabras import DECISIONES, cuando, quien, valores
from nucleo.recorridos.plan import Paso, Valores

CABECERAS = ("Cuándo", "Quién", "Qué decidió", "Qué contestó y por qué", "Con qué delante")


def decisiones(evidencia: Evidencia) -> Html:
    """Every act of a person, in order."""
    vistas = bases(evidencia)
    filas = [
        _fila(evidencia, evento, evento.comando, vistas.get(evento.n))
        for evento in evidencia.eventos
        if evento.comando is not None
        and evento.actor.clase is ClaseActor.PERSONA
        and evento.comando.tipo in DECISIONES
    ]
    return seccion(
        "decisiones",
        "Decisiones de las personas",
        tabla(CABECERAS, filas, "Nadie ha decidido nada todavía."),
    )


def _fila(evidencia: Evidencia, evento: Evento, comando: Comando, vista: Valores | None) -> tuple[Pieza, ...]:
    paso = _paso(evidencia, evento, comando)
    que = DECISIONES[comando.tipo] + (f": {paso.titulo}" if paso else "")
    contestado: list[Pieza] = []
    if comando.salidas and paso:
        contestado.append(valores(comando.salidas, paso.salidas))
    if comando.mensaje.strip():
        contestado.append(parrafo(comando.mensaje.strip()))
    delante: list[Pieza] = []
    if paso and paso.interaccion:
        delante.append(parrafo(paso.interaccion.pregunta, clase="pregunta"))
    if paso and vista:
        delante.append(valores(vista, paso.entradas))
    delante.append(parrafo(_revision(comando, evento), clase="menor"))
    return cuando(evento.en), quien(evento.actor), que, juntar(contestado or ["—"]), juntar(delante)


def _revision(comando: Comando, evento: Evento) -> str:
    vista = f"Lo que miraba era la revisión {comando.revision}. " if comando.revision else ""
    return f"{vista}Quedó como revisión {evento.revision}, suceso {evento.n}."


def _paso(evidencia: Evidencia, evento: Evento, comando: Comando) -> Paso | None:
    return next((p for p in plan_en(evidencia, evento.revision).plan.pasos if p.id == comando.paso), None)
