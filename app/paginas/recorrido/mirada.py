"""What a person was shown before deciding: it stays on the screen, with what is half typed, until they let it go."""

from __future__ import annotations

import streamlit as st

from app.paginas.recorrido.foto import Foto
from app.piezas import formato
from app.piezas.situaciones import PASOS
from app.piezas.texto import neutralizar
from nucleo.modelo import Modelo
from nucleo.recorridos.comandos import Comando, TipoComando
from nucleo.recorridos.estado import Evento
from nucleo.recorridos.exportar.palabras import DECISIONES
from nucleo.recorridos.plan import Paso, Valores

_MIRADA = "recorrido_mirada"
MOTIVO_MAX = 2_000
LARGO_DE_MOTIVO = 400
PLEGADO = "dispensar_plegado"
"""Key of what folds the form to waive a step: true while it is open."""


class Mirada(Modelo):
    """A step as it was at a revision, with what could be done at it. `base` tells one question from the next."""

    recorrido: str
    paso: Paso
    base: int
    revision: int
    entradas: Valores
    verbos: tuple[TipoComando, ...]

    def clave(self, que: str) -> str:
        """Key of a control: another step or another basis, other controls."""
        return f"{que}_{self.recorrido}_{self.paso.id}_{self.base}"

    def se_escribe_en(self, recorrido: str, paso: str) -> bool:
        """Whether it is of that step and has where to type: waiving is folded until somebody unfolds it."""
        if (self.recorrido, self.paso.id) != (recorrido, paso):
            return False
        return bool(set(self.verbos) - {TipoComando.DISPENSAR} or st.session_state.get(self.clave(PLEGADO)))


def mirada_de(foto: Foto, ident: str) -> Mirada | None:
    """What is to be shown of that step: what was being shown, if something could be typed in it; else the present.

    None when there is no such step.
    """
    guardada = st.session_state.get(_MIRADA)
    if isinstance(guardada, Mirada) and guardada.se_escribe_en(foto.recorrido.id, ident):
        return guardada
    paso = foto.paso(ident)
    if paso is None:
        return None
    estado = foto.recorrido.pasos[ident]
    nueva = Mirada(
        recorrido=foto.recorrido.id,
        paso=paso,
        base=estado.rev_base,
        revision=foto.recorrido.revision,
        entradas=estado.entradas or {},
        verbos=foto.verbos.get(ident, ()),
    )
    st.session_state[_MIRADA] = nueva
    return nueva


def soltar() -> None:
    """Forget it: what is shown next is the present."""
    st.session_state.pop(_MIRADA, None)


def avisar_si_cambio(foto: Foto, mirada: Mirada) -> None:
    """Say who decided meanwhile, or what else happened, and offer to look at the present."""
    estado = foto.recorrido.pasos.get(mirada.paso.id)
    if (
        estado is not None
        and estado.rev_base == mirada.base
        and foto.verbos.get(mirada.paso.id, ()) == mirada.verbos
    ):
        return
    st.warning(
        f"{_que_paso(foto, mirada)} Lo que hayas escrito sigue aquí abajo, pero ya no se puede enviar sobre lo que"
        " estabas viendo."
    )
    if st.button("Ver cómo está ahora (se pierde lo escrito)", key=mirada.clave("soltar")):
        soltar()
        st.rerun()


def _que_paso(foto: Foto, mirada: Mirada) -> str:
    estado = foto.recorrido.pasos.get(mirada.paso.id)
    if estado is None or foto.paso(mirada.paso.id) is None:
        return "El plan ha cambiado y este paso ya no está."
    if estado.rev_base == mirada.base:
        return "El recorrido ha cambiado de estado y ahora este paso no admite lo mismo."
    palabra = foto.ultima_palabra(mirada.paso.id)
    if palabra is not None and palabra.revision > mirada.revision and (frase := quien_decidio(palabra)):
        return f"Mientras lo mirabas, {frase}"
    return f"Mientras lo mirabas, este paso ha pasado a «{PASOS[estado.estado].palabra.lower()}»."


def quien_decidio(evento: Evento) -> str | None:
    """«ana lo aprobó el lun 2 mar 2026, 10:00: «porque sí».»; None when it was not a decision of a person."""
    verbo = DECISIONES.get(evento.comando.tipo) if evento.comando else None
    if verbo is None:
        return None
    motivo = f": «{neutralizar(evento.mensaje, LARGO_DE_MOTIVO)}»" if evento.mensaje else ""
    return f"**{neutralizar(evento.actor.nombre, 80)}** {verbo} el {formato.fecha_hora(evento.en)}{motivo}."


def sobre_el_paso(mirada: Mirada, tipo: TipoComando, motivo: str, *, reconciliado: bool = False) -> Comando:
    """An order about what was shown, still without its identifier."""
    return Comando(
        comando_id="sin-poner",
        tipo=tipo,
        paso=mirada.paso.id,
        revision=mirada.revision,
        mensaje=motivo.strip(),
        reconciliado=reconciliado,
    )
