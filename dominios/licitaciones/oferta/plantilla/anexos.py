"""Anexos: what the tender asks for besides the offer itself, each only when it is asked for."""

from __future__ import annotations

from dominios.licitaciones.oferta.plantilla.ficha import FICHA_IA, VERIFICAR_FICHA
from dominios.licitaciones.oferta.plantilla.piezas import abre, cierra, deja, lee, si
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
)

TRABAJO = "preparacion"

DEUC = Paso(
    id="deuc",
    titulo="Rellenar el DEUC",
    clase=Clase.CODIGO,
    descripcion="Rellena el documento europeo único de contratación con el perfil de la empresa y lo valida.",
    trabajo=TRABAJO,
    dependencias=("g_anexos",),
    entradas=(lee(FICHA_IA, "ficha_id"),),
    salidas=(deja("documento", Tipo.ARTEFACTO, "DEUC", "El DEUC, por firmar."),),
    ejecutor=Ejecutor(funcion="oferta_deuc", repetible=True),
)

GARANTIA = Paso(
    id="garantia",
    titulo="Constituir la garantía provisional",
    clase=Clase.MANUAL,
    trabajo=TRABAJO,
    dependencias=("g_anexos",),
    entradas=(lee(FICHA_IA, "ficha_id"),),
    salidas=(
        Puerto(
            nombre="modalidad",
            tipo=Tipo.OPCION,
            requerido=True,
            opciones=("efectivo", "valores", "aval", "seguro_caucion"),
            descripcion="Forma de la garantía (art. 108 LCSP).",
            formulario=Formulario(etiqueta="Cómo se ha constituido"),
        ),
        Puerto(
            nombre="importe",
            tipo=Tipo.IMPORTE,
            requerido=True,
            descripcion="Importe garantizado, en euros.",
            formulario=Formulario(etiqueta="Importe de la garantía (€)", ejemplo="3600.00"),
        ),
        Puerto(
            nombre="resguardo",
            tipo=Tipo.TEXTO,
            descripcion="Número del resguardo, o del aval o seguro.",
            formulario=Formulario(etiqueta="Número del resguardo, aval o seguro"),
        ),
    ),
    interaccion=Interaccion(
        pregunta="¿Cómo y por cuánto se ha constituido la garantía provisional?",
        contexto="Los pliegos la exigen. Sin ella acreditada en el sobre que digan, la oferta se puede excluir.",
        despues="Se comprueba su importe con lo que piden los pliegos antes del visto bueno.",
    ),
)

UTE = Paso(
    id="ute",
    titulo="Cerrar la unión temporal",
    clase=Clase.MANUAL,
    trabajo=TRABAJO,
    dependencias=("g_anexos",),
    entradas=(lee(FICHA_IA, "ficha_id"),),
    salidas=(
        Puerto(
            nombre="socios",
            tipo=Tipo.LISTA,
            requerido=True,
            descripcion="Empresas con las que se va, cada una con su participación.",
            formulario=Formulario(
                etiqueta="Socios y participación",
                ayuda="Uno por línea.",
                ejemplo="Empresa de Ejemplo, S. L.: 40 %",
            ),
        ),
        Puerto(
            nombre="compromiso",
            tipo=Tipo.TEXTO,
            descripcion="Dónde está el compromiso de constitución firmado.",
            formulario=Formulario(etiqueta="Dónde está el compromiso firmado"),
        ),
    ),
    interaccion=Interaccion(
        pregunta="¿Con quién vamos en unión temporal y con qué participación?",
        contexto=(
            "Con la oferta se presenta el compromiso de constituir la UTE, con los nombres de todos, la participación "
            "de cada uno y el representante (art. 69.3 LCSP)."
        ),
        despues="Cada socio acredita su parte de la solvencia; se mira en las comprobaciones.",
    ),
)

SIN_ANEXOS = Paso(
    id="sin_anexos",
    titulo="Sin anexos",
    clase=Clase.CODIGO,
    descripcion="Deja escrito que los pliegos no piden DEUC, garantía provisional ni unión temporal.",
    trabajo=TRABAJO,
    dependencias=("g_anexos",),
    ejecutor=Ejecutor(funcion="oferta_sin_anexos", repetible=True),
)

G_ANEXOS = abre(
    "g_anexos",
    "¿Qué anexos piden?",
    TRABAJO,
    "g_preparacion",
    Compuerta(
        tipo=TipoCompuerta.INCLUSIVA,
        sentido="abre",
        rutas=(
            si(VERIFICAR_FICHA, "pide_deuc", True, DEUC.id, "Piden DEUC"),
            si(VERIFICAR_FICHA, "pide_garantia", True, GARANTIA.id, "Piden garantía"),
            si(VERIFICAR_FICHA, "pide_ute", True, UTE.id, "Hace falta UTE"),
            Ruta(destino=SIN_ANEXOS.id, etiqueta="Nada de eso"),
        ),
        por_defecto=SIN_ANEXOS.id,
    ),
)

J_ANEXOS = cierra(
    "j_anexos", "Anexos listos", TRABAJO, G_ANEXOS, (DEUC.id, GARANTIA.id, UTE.id, SIN_ANEXOS.id)
)

PASOS = (G_ANEXOS, DEUC, GARANTIA, UTE, SIN_ANEXOS, J_ANEXOS)
