"""What a person decides at a step: question, context and what comes after, and the forms that its contract asks."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256

import streamlit as st

from app.paginas.recorrido.foto import Foto
from app.paginas.recorrido.mandar import intentar, mandar
from app.paginas.recorrido.mirada import Mirada, avisar_si_cambio, quien_decidio
from app.piezas import campos, recorridos
from app.piezas.formulario import Campo, Control, Escrito, leer
from app.piezas.formulario import campos as campos_de
from app.piezas.situaciones import PASOS
from app.piezas.texto import neutralizar
from app.piezas.valores_vistos import tabla_de_valores
from nucleo.recorridos.artefactos.modelo import NuevoArtefacto
from nucleo.recorridos.comandos import Comando, TipoComando
from nucleo.recorridos.estado import EstadoRecorrido, Situacion
from nucleo.recorridos.plan import ESTRUCTURA, MAQUINA, Clase, Paso, Valores

MOTIVO_MAX = 2_000
_POR_PONER = "art_" + "0" * 26
"""Stands for a file that has not been kept yet, while the rest of the answer is checked."""
Ficheros = dict[str, tuple[str, bytes]]


def decidir(foto: Foto, mirada: Mirada) -> None:
    """The whole tab."""
    with st.container(key="aviso_de_cambio"):  # always there, so that what follows keeps its place
        avisar_si_cambio(foto, mirada)
    _pregunta(mirada)
    verbos = mirada.verbos
    if TipoComando.RESPONDER in verbos or TipoComando.APROBAR in verbos or TipoComando.RECHAZAR in verbos:
        _responder(foto, mirada)
    if TipoComando.REINTENTAR in verbos:
        _reintentar(foto, mirada)
    if TipoComando.DISPENSAR in verbos:
        _dispensar(foto, mirada)
    if not verbos:
        st.markdown(por_que_nada(foto, mirada.paso))


def _pregunta(mirada: Mirada) -> None:
    interaccion = mirada.paso.interaccion
    if interaccion is not None:
        st.markdown(f"**{neutralizar(interaccion.pregunta)}**")
        if interaccion.contexto:
            st.markdown(neutralizar(interaccion.contexto))
    elif mirada.paso.descripcion:
        st.markdown(neutralizar(mirada.paso.descripcion))
    if mirada.entradas and mirada.verbos:
        tabla_de_valores(mirada.entradas, mirada.paso.entradas)
    if interaccion is not None and interaccion.despues:
        st.caption(f"Después: {neutralizar(interaccion.despues)}")


def _responder(foto: Foto, mirada: Mirada) -> None:
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
        intentar_con_ficheros(foto, mirada, lectura.salidas, (ficheros, motivo))
        return
    mandar(foto.cliente, mirada.recorrido, _respuesta(mirada, lectura.salidas, motivo), _hecho(paso))


def intentar_con_ficheros(foto: Foto, mirada: Mirada, salidas: Valores, con: tuple[Ficheros, str]) -> None:
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
    mandar(foto.cliente, mirada.recorrido, _sobre_el_paso(mirada, TipoComando.RECHAZAR, motivo), "Rechazado.")


def _sobre_el_paso(mirada: Mirada, tipo: TipoComando, motivo: str, *, reconciliado: bool = False) -> Comando:
    return Comando(
        comando_id="sin-poner",
        tipo=tipo,
        paso=mirada.paso.id,
        revision=mirada.revision,
        mensaje=motivo.strip(),
        reconciliado=reconciliado,
    )


def _reintentar(foto: Foto, mirada: Mirada) -> None:
    """A failed step is tried again; a doubtful one, only by who says how it was checked."""
    estado = foto.recorrido.pasos.get(mirada.paso.id)
    ultimo = estado.ultimo if estado else None
    dudoso = estado is not None and estado.estado is Situacion.DUDOSO
    if dudoso:
        st.markdown(
            ":orange-badge[\\? Dudoso] El intento dejó de dar señales: **puede haber empezado, o incluso terminado**."
            f" Antes de repetirlo, comprueba {donde_mirar(foto, mirada.paso)}. Si sigue vivo, su resultado todavía se"
            " admite: no hagas nada."
        )
    elif ultimo is not None:
        st.markdown(f":red-badge[✗ Fallido] {neutralizar(ultimo.mensaje, MOTIVO_MAX)}")
    with st.form(mirada.clave("reintentar"), enter_to_submit=False):
        rotulo = "Qué has comprobado" if dudoso else "Qué ha cambiado (opcional)"
        motivo = st.text_area(rotulo, key=mirada.clave("porque_reintentar"), max_chars=MOTIVO_MAX, height=80)
        boton = "He comprobado que no se hizo: repetirlo" if dudoso else "Reintentar"
        pulsado = st.form_submit_button(boton, type="primary")
    if pulsado and dudoso and not motivo.strip():
        st.error("Di qué has comprobado: queda en el expediente.")
    elif pulsado:
        orden = _sobre_el_paso(mirada, TipoComando.REINTENTAR, motivo, reconciliado=dudoso)
        mandar(foto.cliente, mirada.recorrido, orden, "Se vuelve a intentar.")


def donde_mirar(foto: Foto, paso: Paso) -> str:
    """Who was working on it and where it can be looked for, as Markdown."""
    estado = foto.recorrido.pasos[paso.id]
    if estado.ultimo is None:
        return "quién lo llevaba"
    ref = estado.ultimo.ref
    sitios = [
        f"{nombre} {neutralizar(str(valor), 120)}"
        for nombre, valor in (
            ("la ejecución de Prefect", ref.prefect_run),
            ("la de Hermes", ref.hermes_run),
            ("el trabajo de la cola", ref.trabajo),
        )
        if valor is not None
    ]
    return " y ".join([f"qué hizo «{neutralizar(estado.ultimo.trabajador, 80)}»", *sitios])


def _dispensar(foto: Foto, mirada: Mirada) -> None:
    with st.expander("Dispensar este paso (seguir sin él)"):
        with st.form(mirada.clave("dispensar"), enter_to_submit=False, border=False):
            st.caption("No dejará ninguna salida, y quedará dicho quién decidió seguir sin él y por qué.")
            motivo = st.text_area(
                "Por qué se puede seguir sin él",
                key=mirada.clave("porque_dispensar"),
                max_chars=MOTIVO_MAX,
                height=80,
            )
            pulsado = st.form_submit_button("Dispensar")
        if pulsado and not motivo.strip():
            st.error("Di por qué se puede seguir sin este paso.")
        elif pulsado:
            orden = _sobre_el_paso(mirada, TipoComando.DISPENSAR, motivo)
            mandar(foto.cliente, mirada.recorrido, orden, "Dispensado.")


def por_que_nada(foto: Foto, paso: Paso) -> str:
    """Why there is nothing to decide here, and who decided or has the ball."""
    estado = foto.recorrido.pasos[paso.id]
    if foto.recorrido.estado is EstadoRecorrido.PAUSADO and estado.estado is Situacion.ESPERANDO:
        return "El recorrido está en pausa: cuando siga, se podrá decidir aquí."
    palabra = foto.ultima_palabra(paso.id)
    if palabra is not None and (frase := quien_decidio(palabra)):
        return f"Nada que decidir aquí: {frase}"
    if estado.decidido_por:
        motivo = f": «{neutralizar(estado.resultado, MOTIVO_MAX)}»" if estado.resultado else ""
        return f"Lo decidió **{neutralizar(estado.decidido_por, 80)}**{motivo}."
    if paso.clase in ESTRUCTURA:
        return "Este paso lo resuelve el programa según el plan."
    if paso.clase in MAQUINA and estado.estado is not Situacion.BLOQUEADO:
        resultado = f" Dijo: «{neutralizar(estado.resultado, MOTIVO_MAX)}»." if estado.resultado else ""
        return f"No hay nada que decidir: {PASOS[estado.estado].palabra.lower()}.{resultado}"
    if estado.estado is Situacion.BLOQUEADO:
        return "Todavía no le toca: antes van otros pasos."
    return f"Nada que puedas decidir: {PASOS[estado.estado].palabra.lower()}."
