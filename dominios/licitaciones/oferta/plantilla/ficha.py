"""Ficha: the tender's documents are fetched, read, summed up by an agent and checked by code."""

from __future__ import annotations

from dominios.licitaciones.oferta.plantilla.piezas import LICITACIONES, deja, lee
from nucleo.recorridos.plan import (
    Clase,
    Contexto,
    Ejecutor,
    Entrada,
    Formulario,
    Paso,
    Puerto,
    Tipo,
    Trabajo,
)

TRABAJO = Trabajo(id="ficha", titulo="Ficha", descripcion="Qué se pide, leído de los pliegos y comprobado.")

INICIO = Paso(id="inicio", titulo="Interesa", clase=Clase.INICIO)

DESCARGAR_PLIEGOS = Paso(
    id="descargar_pliegos",
    titulo="Descargar los pliegos",
    clase=Clase.CODIGO,
    descripcion="Trae del perfil de contratante los documentos publicados del expediente y anota su huella.",
    trabajo=TRABAJO.id,
    dependencias=(INICIO.id,),
    entradas=(
        Entrada(
            nombre="lotes",
            tipo=Tipo.LISTA,
            requerido=True,
            descripcion="Lotes a los que se iría; vacía, todos.",
            origen=Contexto(clave="lotes"),
        ),
    ),
    salidas=(deja("pliegos", Tipo.LISTA, "Pliegos", "Huella SHA-256 de cada documento."),),
    ejecutor=Ejecutor(funcion="oferta_descargar_pliegos", repetible=True),
)

LEER_PLIEGOS = Paso(
    id="leer_pliegos",
    titulo="Leer los pliegos",
    clase=Clase.CODIGO,
    descripcion="Saca el texto de cada página, con reconocimiento óptico donde no lo haya, y lo ordena por temas.",
    trabajo=TRABAJO.id,
    dependencias=(DESCARGAR_PLIEGOS.id,),
    entradas=(lee(DESCARGAR_PLIEGOS, "pliegos"),),
    salidas=(deja("lectura_id", Tipo.TEXTO, "Lectura", "La lectura guardada de los pliegos."),),
    ejecutor=Ejecutor(funcion="oferta_leer_pliegos", repetible=True, arriendo_s=3_600),
)

FICHA_IA = Paso(
    id="ficha_ia",
    titulo="Redactar la ficha",
    clase=Clase.AGENTE,
    descripcion=(
        "Resume lo que exigen los pliegos: objeto, importes, solvencia, criterios, sobres, plazos y garantías. "
        "Cada dato lleva la cita literal y la página de donde sale; lo que no esté en los pliegos se deja sin poner."
    ),
    trabajo=TRABAJO.id,
    dependencias=(LEER_PLIEGOS.id,),
    entradas=(lee(LEER_PLIEGOS, "lectura_id"),),
    salidas=(
        deja("ficha_id", Tipo.TEXTO, "Ficha", "La ficha guardada."),
        deja("ficha_version", Tipo.ENTERO, "Versión de la ficha", "Su versión."),
    ),
    ejecutor=Ejecutor(perfil=LICITACIONES),
)

VERIFICAR_FICHA = Paso(
    id="verificar_ficha",
    titulo="Verificar la ficha",
    clase=Clase.CODIGO,
    descripcion="Busca cada cita en los pliegos y compara lo exigido con el perfil de la empresa.",
    trabajo=TRABAJO.id,
    dependencias=(FICHA_IA.id,),
    entradas=(lee(FICHA_IA, "ficha_id"), lee(FICHA_IA, "ficha_version")),
    salidas=(
        deja(
            "cobertura",
            Tipo.ENTERO,
            "Cobertura (% de las citas)",
            "De cada cien citas de la ficha, cuántas se han encontrado en los pliegos.",
        ),
        Puerto(
            nombre="cumple",
            tipo=Tipo.OPCION,
            requerido=True,
            opciones=("si", "no", "dudoso"),
            descripcion="Si la empresa reúne lo que se exige.",
            formulario=Formulario(etiqueta="¿Cumplimos lo que exigen?"),
        ),
        deja("exige_memoria", Tipo.BOOLEANO, "Valoran una memoria", "Se valora una memoria técnica."),
        deja(
            "pide_deuc",
            Tipo.BOOLEANO,
            "Piden DEUC",
            "Se presenta el documento europeo único de contratación.",
        ),
        deja(
            "pide_garantia",
            Tipo.BOOLEANO,
            "Piden garantía provisional",
            "Se exige garantía provisional (art. 106 LCSP).",
        ),
        deja("pide_ute", Tipo.BOOLEANO, "Hace falta UTE", "Hace falta ir en unión temporal (art. 69 LCSP)."),
        Puerto(
            nombre="plazo",
            tipo=Tipo.FECHA,
            descripcion="Último día para presentar, según los pliegos.",
            formulario=Formulario(etiqueta="Último día para presentar"),
        ),
    ),
    ejecutor=Ejecutor(funcion="oferta_verificar_ficha", repetible=True),
)

PASOS = (INICIO, DESCARGAR_PLIEGOS, LEER_PLIEGOS, FICHA_IA, VERIFICAR_FICHA)
