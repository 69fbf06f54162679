"""The chosen step, in five tabs."""

from __future__ import annotations

import streamlit as st

from app.paginas.recorrido.decidir import decidir
from app.paginas.recorrido.foto import Foto
from app.paginas.recorrido.historia import tabla_de_eventos
from app.paginas.recorrido.mandar import decir_lo_rechazado
from app.paginas.recorrido.mirada import Mirada, mirada_de
from app.piezas import formato, recorridos
from app.piezas.situaciones import CLASES, INTENTOS, PASOS, distintivo
from app.piezas.tablas import celda, tabla
from app.piezas.texto import neutralizar
from app.piezas.valores_vistos import tabla_de_valores
from app.piezas.visor import ver_artefactos
from nucleo.recorridos.artefactos.modelo import Artefacto
from nucleo.recorridos.estado import EstadoPaso, Intento
from nucleo.recorridos.plan import MAQUINA, Paso, Tipo

PESTANAS = ("Decidir", "Datos", "Actividad", "Intentos", "Artefactos")


def panel(foto: Foto, ident: str) -> None:
    """Everything of one step."""
    mirada = mirada_de(foto, ident)
    if mirada is None:
        st.error(f"No hay ningún paso «{neutralizar(ident, 64)}» en el plan que sigue este recorrido ahora.")
        return
    paso, estado = mirada.paso, foto.recorrido.pasos.get(ident, EstadoPaso())
    st.subheader(neutralizar(paso.titulo), anchor=False)
    st.markdown(_linea(foto, paso, estado))
    with st.container(key="rechazado"):
        decir_lo_rechazado()
    pestanas = st.tabs(PESTANAS, key=f"panel_{ident}")
    with pestanas[0]:
        decidir(foto, mirada)
    with pestanas[1]:
        _datos(paso, estado)
    with pestanas[2]:
        tabla_de_eventos(
            [e for e in foto.eventos if e.paso == ident], "Todavía no ha pasado nada en este paso."
        )
    with pestanas[3]:
        _intentos(foto, paso)
    with pestanas[4]:
        _artefactos(foto, mirada, estado)


def _linea(foto: Foto, paso: Paso, estado: EstadoPaso) -> str:
    trabajo = next((t.titulo for t in foto.plan.trabajos if t.id == paso.trabajo), "")
    partes = [distintivo(PASOS[estado.estado]), CLASES[paso.clase]]
    partes += [f"trabajo «{neutralizar(trabajo)}»"] if trabajo else []
    partes += [f"intento {estado.intento}"] if estado.intento else []
    partes += [f"rehecho {estado.rehechos} de {paso.max_rehechos} veces"] if estado.rehechos else []
    partes += ["solo quien administra"] if paso.rol == "admin" else []
    return " · ".join(partes)


def _datos(paso: Paso, estado: EstadoPaso) -> None:
    if paso.descripcion:
        st.markdown(neutralizar(paso.descripcion))
    st.markdown("**Lo que recibe**")
    if estado.entradas:
        tabla_de_valores(estado.entradas, paso.entradas)
    else:
        st.markdown(_prometido([p.nombre for p in paso.entradas], "No recibe nada.", "Aún no se sabe"))
    st.markdown("**Lo que deja**")
    if estado.salidas:
        tabla_de_valores(estado.salidas, paso.salidas)
    else:
        st.markdown(_prometido([p.nombre for p in paso.salidas], "No deja nada.", "Todavía nada"))
    if estado.ramas is not None:
        st.markdown(f"**Ramas elegidas**: {neutralizar(', '.join(estado.ramas)) or 'ninguna'}")


def _prometido(nombres: list[str], sin_nada: str, aun: str) -> str:
    return f"{aun}: {neutralizar(', '.join(nombres), 300)}." if nombres else sin_nada


def _intentos(foto: Foto, paso: Paso) -> None:
    if paso.clase not in MAQUINA:
        st.markdown("Este paso no tiene intentos: no lo hace ninguna máquina.")
        return
    intentos = foto.cliente.intentos(foto.recorrido.id, paso.id).intentos
    if not intentos:
        st.markdown("Todavía ninguno.")
        return
    tabla(("Nº", "Estado", "Quién", "Empezó", "Acaba o vence", "Qué dijo"), [_intento(i) for i in intentos])


def _intento(uno: Intento) -> tuple[str, ...]:
    fin = (
        f"acabó el {formato.fecha_hora(uno.terminado)}"
        if uno.terminado
        else f"sin señales, vence el {formato.fecha_hora(uno.vence)}"
    )
    return (
        str(uno.n),
        distintivo(INTENTOS[uno.estado]),
        celda(uno.trabajador),
        formato.fecha_hora(uno.iniciado),
        fin,
        celda(uno.mensaje or None),
    )


def _artefactos(foto: Foto, mirada: Mirada, estado: EstadoPaso) -> None:
    """The step's files and those that it was given."""
    todos = recorridos.artefactos(foto.recorrido.id) if foto.vista.artefactos else ()
    recibidos = {
        str((estado.entradas or {}).get(p.nombre)) for p in mirada.paso.entradas if p.tipo is Tipo.ARTEFACTO
    }
    suyos: tuple[Artefacto, ...] = tuple(a for a in todos if a.paso == mirada.paso.id or a.id in recibidos)
    if suyos:
        ver_artefactos(foto.cliente, suyos, f"artefactos_{mirada.paso.id}")
    else:
        st.markdown("Ningún fichero en este paso.")
        if todos:
            st.caption(f"El recorrido tiene {len(todos)}: están en los pasos que los dejaron.")
