"""Decisión: a person says whether to go for it, and why."""

from __future__ import annotations

from dominios.licitaciones.oferta.plantilla.ficha import FICHA_IA, VERIFICAR_FICHA
from dominios.licitaciones.oferta.plantilla.piezas import abre, lee, si
from nucleo.recorridos.plan import (
    Clase,
    Compuerta,
    Ejecutor,
    Formulario,
    Interaccion,
    Paso,
    Puerto,
    Ruta,
    Tipo,
    TipoCompuerta,
    Trabajo,
)

TRABAJO = Trabajo(id="decision", titulo="Decisión", descripcion="Si se presenta oferta, y por qué.")

DECIDIR = Paso(
    id="decidir",
    titulo="Decidir si nos presentamos",
    clase=Clase.MANUAL,
    trabajo=TRABAJO.id,
    dependencias=(VERIFICAR_FICHA.id,),
    entradas=(
        lee(FICHA_IA, "ficha_id"),
        lee(FICHA_IA, "ficha_version"),
        lee(VERIFICAR_FICHA, "cobertura"),
        lee(VERIFICAR_FICHA, "cumple"),
        lee(VERIFICAR_FICHA, "plazo"),
    ),
    salidas=(
        Puerto(
            nombre="decision",
            tipo=Tipo.OPCION,
            requerido=True,
            opciones=("presentar", "descartar"),
            descripcion="Lo que se hace con esta licitación.",
            formulario=Formulario(etiqueta="Qué hacemos"),
        ),
        Puerto(
            nombre="motivo",
            tipo=Tipo.TEXTO,
            requerido=True,
            descripcion="Por qué.",
            formulario=Formulario(
                etiqueta="Por qué",
                ayuda="Queda en el expediente; dentro de un año tiene que entenderse.",
                ejemplo="Cumplimos la solvencia y ya trabajamos con este órgano",
            ),
        ),
    ),
    interaccion=Interaccion(
        pregunta="¿Nos presentamos a esta licitación?",
        contexto=(
            "La ficha resume los pliegos y cada dato suyo se ha buscado en ellos. «Cobertura» dice cuántas citas "
            "de cada cien se han encontrado: lo que falte hay que mirarlo en el propio documento antes de decidir."
        ),
        despues=(
            "Si se presenta, se abre la carpeta de la oferta y empiezan a la vez el guion, el equipo, el precio y los "
            "anexos. Si se descarta, el recorrido termina y queda el motivo."
        ),
    ),
)

REGISTRAR_DESCARTE = Paso(
    id="registrar_descarte",
    titulo="Anotar el descarte",
    clase=Clase.CODIGO,
    descripcion="Deja escrito que no se presenta oferta y por qué.",
    trabajo=TRABAJO.id,
    dependencias=("g_decision",),
    entradas=(lee(DECIDIR, "motivo"),),
    ejecutor=Ejecutor(funcion="oferta_registrar_descarte", repetible=True),
)

G_DECISION = abre(
    "g_decision",
    "¿Se presenta?",
    TRABAJO.id,
    DECIDIR.id,
    Compuerta(
        tipo=TipoCompuerta.EXCLUSIVA,
        sentido="abre",
        rutas=(
            si(DECIDIR, "decision", "presentar", "abrir_oferta", "Se presenta"),
            Ruta(destino=REGISTRAR_DESCARTE.id, etiqueta="Se descarta"),
        ),
        por_defecto=REGISTRAR_DESCARTE.id,
    ),
)

PASOS = (DECIDIR, G_DECISION, REGISTRAR_DESCARTE)
