"""The form of a question: the fields of its contract, the buttons of its class, and what they send."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256

import streamlit as st

from app.paginas.recorrido.foto import Foto
from app.paginas.recorrido.mandar import intentar, mandar
from app.paginas.recorrido.mirada import MOTIVO_MAX, Mirada, sobre_el_paso
from app.piezas import campos, recorridos
from app.piezas.formulario import Campo, Control, Escrito, leer
from app.piezas.formulario import campos as campos_de
from app.piezas.texto import neutralizar
from nucleo.recorridos.artefactos.modelo import NuevoArtefacto
from nucleo.recorridos.comandos import Comando, TipoComando
from nucleo.recorridos.plan import Clase, Paso, Valores

_POR_PONER = "art_" + "0" * 26
"""Stands for a file that has not been kept yet, while the rest of the answer is checked."""
Ficheros = dict[str, tuple[str, bytes]]


def responder(foto: Foto, mirada: Mirada) -> None:
    """The answer, with the buttons that its class has."""
    paso = mirada.paso
    aprueba = paso.clase is Clase.APROBACION
    with st.form(mirada.clave("responder"), enter_to_submit=False):
        escrito, ficheros = _campos(foto, mirada)
        rotulo = "Motivo (hace falta para rechazar)" if aprueba else "Comentario (opcional)"
        motivo = st.text_area(rotulo, key=mirada.clave("motivo"), max_chars=MOTIVO_MAX, height=80)
        with st.container(horizontal=True):
            si = st.form_submit_button("Aprobar" if aprueba else "Responder", type="primary")
            no = aprueba and st.form_submit_button(
                "Rechazar", disabled=TipoComando.RECHAZAR not in mirada.verbos
            )
        st.caption(_que_pasa(paso))
    if no:
        _rechazar(foto, mirada, motivo)
    elif si:
        _contestar(foto, mirada, (escrito, ficheros), motivo)


def _que_pasa(paso: Paso) -> str:
    firma = f"Se firma como «{neutralizar(recorridos.yo().nombre)}»."
    if paso.clase is not Clase.APROBACION:
        return firma
    if paso.rehacer_desde is None:
        return f"Rechazar termina el recorrido. {firma}"
    return f"Rechazar lo vuelve a hacer, {paso.max_rehechos} veces como mucho. {firma}"


def _campos(foto: Foto, mirada: Mirada) -> tuple[dict[str, Escrito], Ficheros]:
    """What every control holds, and the new files."""
    escrito: dict[str, Escrito] = {}
    ficheros: Ficheros = {}
    pedidos = campos_de(mirada.paso.salidas)
    hay_fichero = any(c.control is Control.ARTEFACTO for c in pedidos)
    guardados = recorridos.artefactos(mirada.recorrido) if hay_fichero else ()
    for campo in pedidos:
        clave = f"{mirada.clave('campo')}_{campo.nombre}"
        escrito[campo.nombre] = campos.dibujar(campo, clave, guardados)
        if campo.control is Control.ARTEFACTO and (nuevo := campos.subir(campo, f"{clave}_nuevo")):
            ficheros[campo.nombre] = nuevo
            escrito[campo.nombre] = _POR_PONER
    return escrito, ficheros


def _contestar(
    foto: Foto, mirada: Mirada, contestado: tuple[dict[str, Escrito], Ficheros], motivo: str
) -> None:
    paso, (escrito, ficheros) = mirada.paso, contestado
    lectura = leer(paso.salidas, escrito, recorridos.esquemas())
    if lectura.problemas:
        st.error(f"No se ha enviado:\n\n{_frases(campos_de(paso.salidas), lectura.problemas)}")
        return
    if ficheros:
        _contestar_con_ficheros(foto, mirada, lectura.salidas, (ficheros, motivo))
        return
    mandar(foto.cliente, mirada.recorrido, _respuesta(mirada, lectura.salidas, motivo), _hecho(paso))


def _contestar_con_ficheros(foto: Foto, mirada: Mirada, salidas: Valores, con: tuple[Ficheros, str]) -> None:
    """Keep the files first, each once, and then answer with their identifiers."""
    ficheros, motivo = con

    def hacer() -> None:
        puestas = dict(salidas)
        for nombre, (fichero, contenido) in ficheros.items():
            nuevo = NuevoArtefacto(
                comando_id=recorridos.clave_de(
                    mirada.clave("fichero"), nombre, fichero, sha256(contenido).hexdigest()
                ),
                paso=mirada.paso.id,
                nombre=fichero,
                tipo_medio=campos.tipo_de_fichero(fichero),
            )
            recibo = foto.cliente.registrar_artefacto(mirada.recorrido, nuevo, contenido)
            puestas[nombre] = recibo.artefacto.id
        respuesta = _respuesta(mirada, puestas, motivo)
        clave = recorridos.clave_de(mirada.recorrido, respuesta.model_dump_json(exclude={"comando_id"}))
        foto.cliente.mandar(mirada.recorrido, respuesta.model_copy(update={"comando_id": clave}))

    intentar(hacer, _hecho(mirada.paso))


def _respuesta(mirada: Mirada, salidas: Valores, motivo: str) -> Comando:
    aprueba = mirada.paso.clase is Clase.APROBACION
    return Comando(
        comando_id="sin-poner",
        tipo=TipoComando.APROBAR if aprueba else TipoComando.RESPONDER,
        paso=mirada.paso.id,
        revision=mirada.revision,
        salidas=salidas,
        mensaje=motivo.strip(),
    )


def _hecho(paso: Paso) -> str:
    return "Aprobado." if paso.clase is Clase.APROBACION else "Respondido."


def _frases(pedidos: Iterable[Campo], problemas: dict[str, str]) -> str:
    rotulos = {c.nombre: c.rotulo for c in pedidos}
    return "\n".join(f"- **{neutralizar(rotulos[n])}**: {neutralizar(m, 300)}" for n, m in problemas.items())


def _rechazar(foto: Foto, mirada: Mirada, motivo: str) -> None:
    if not motivo.strip():
        st.error("Di por qué se rechaza: quien lo tenga que rehacer lo va a leer.")
        return
    mandar(foto.cliente, mirada.recorrido, sobre_el_paso(mirada, TipoComando.RECHAZAR, motivo), "Rechazado.")
