"""Memoria: the technical report in its phases, only when the tender values one."""

from __future__ import annotations

from dominios.licitaciones.oferta.plantilla.ficha import FICHA_IA, VERIFICAR_FICHA
from dominios.licitaciones.oferta.plantilla.piezas import CRITICO, OFERTA, abre, cierra, deja, lee, si
from dominios.licitaciones.oferta.plantilla.preparacion import GUION_IA, J_PREPARACION
from nucleo.recorridos.plan import (
    Clase,
    Compuerta,
    Ejecutor,
    Interaccion,
    Paso,
    Ruta,
    Tipo,
    TipoCompuerta,
    Trabajo,
)

TRABAJO = Trabajo(
    id="memoria",
    titulo="Memoria",
    descripcion="La memoria técnica: se escribe, se critica, se corrige y se revisa.",
)

SIN_MEMORIA = Paso(
    id="sin_memoria",
    titulo="Sin memoria técnica",
    clase=Clase.CODIGO,
    descripcion="Deja escrito que los pliegos no valoran ninguna memoria.",
    trabajo=TRABAJO.id,
    dependencias=("g_memoria",),
    ejecutor=Ejecutor(funcion="oferta_sin_memoria", repetible=True),
)

DOSSIER = Paso(
    id="dossier",
    titulo="Reunir el dossier",
    clase=Clase.CODIGO,
    descripcion="Junta lo que hace falta para escribir: criterios, guion, datos de la empresa y biblioteca.",
    trabajo=TRABAJO.id,
    dependencias=("g_memoria",),
    entradas=(lee(FICHA_IA, "ficha_id"), lee(GUION_IA, "guion_id")),
    salidas=(deja("dossier_id", Tipo.TEXTO, "Dossier", "El dossier guardado."),),
    ejecutor=Ejecutor(funcion="oferta_dossier", repetible=True),
)

ESTRATEGIA = Paso(
    id="estrategia",
    titulo="Proponer la estrategia",
    clase=Clase.AGENTE,
    descripcion="Propone cómo ganar cada criterio: qué se promete, con qué se prueba y qué no se dice.",
    trabajo=TRABAJO.id,
    dependencias=(DOSSIER.id,),
    entradas=(lee(DOSSIER, "dossier_id"),),
    salidas=(deja("estrategia_id", Tipo.TEXTO, "Estrategia", "La estrategia guardada."),),
    ejecutor=Ejecutor(perfil=OFERTA),
)

APROBAR_ESTRATEGIA = Paso(
    id="aprobar_estrategia",
    titulo="Aprobar la estrategia",
    clase=Clase.APROBACION,
    trabajo=TRABAJO.id,
    dependencias=(ESTRATEGIA.id,),
    entradas=(lee(ESTRATEGIA, "estrategia_id"),),
    interaccion=Interaccion(
        pregunta="¿Es esta la estrategia con la que queremos ganar?",
        contexto="Lo que prometa se tendrá que cumplir: mira que se pueda probar y que se pueda pagar.",
        despues="Si se aprueba, se define la solución y se escribe la memoria. Si se rechaza, el agente la rehace.",
    ),
    rehacer_desde=ESTRATEGIA.id,
)

FICHA_SOLUCION = Paso(
    id="ficha_solucion",
    titulo="Definir la solución",
    clase=Clase.AGENTE,
    descripcion="Concreta qué se ofrece (medios, plazos, método y mejoras) para que toda la memoria diga lo mismo.",
    trabajo=TRABAJO.id,
    dependencias=(APROBAR_ESTRATEGIA.id,),
    entradas=(lee(ESTRATEGIA, "estrategia_id"), lee(DOSSIER, "dossier_id")),
    salidas=(deja("solucion_id", Tipo.TEXTO, "Ficha de la solución", "La ficha de la solución guardada."),),
    ejecutor=Ejecutor(perfil=OFERTA),
)

REDACCION = Paso(
    id="redaccion",
    titulo="Escribir la memoria",
    clase=Clase.AGENTE,
    descripcion="Escribe la memoria entera, apartado a apartado, con los títulos del guion y dentro de sus páginas.",
    trabajo=TRABAJO.id,
    dependencias=(FICHA_SOLUCION.id,),
    entradas=(
        lee(FICHA_SOLUCION, "solucion_id"),
        lee(DOSSIER, "dossier_id"),
        lee(GUION_IA, "guion_id"),
    ),
    salidas=(
        deja("memoria_id", Tipo.TEXTO, "Memoria", "La memoria guardada."),
        deja("version", Tipo.ENTERO, "Versión de la memoria", "Su versión."),
    ),
    ejecutor=Ejecutor(perfil=OFERTA, arriendo_s=3_600),
)

CRITICA_CIEGA = Paso(
    id="critica_ciega",
    titulo="Criticar a ciegas",
    clase=Clase.AGENTE,
    descripcion=(
        "Puntúa la memoria como lo haría la mesa, criterio a criterio, a partir de un paquete sin el nombre de la "
        "empresa ni de nadie. Dice qué falta para la puntuación máxima; no reescribe."
    ),
    trabajo=TRABAJO.id,
    dependencias=(REDACCION.id,),
    entradas=(lee(REDACCION, "memoria_id"), lee(REDACCION, "version")),
    salidas=(
        deja("informe_critica", Tipo.TEXTO, "Informe de la crítica", "El informe guardado de la crítica."),
    ),
    ejecutor=Ejecutor(perfil=CRITICO),
)

CORRECCION_HECHOS = Paso(
    id="correccion_hechos",
    titulo="Corregir la memoria",
    clase=Clase.AGENTE,
    descripcion="Atiende la crítica y quita o respalda cada afirmación que no tenga prueba.",
    trabajo=TRABAJO.id,
    dependencias=(CRITICA_CIEGA.id,),
    entradas=(lee(REDACCION, "memoria_id"), lee(CRITICA_CIEGA, "informe_critica")),
    salidas=(
        deja("memoria_id", Tipo.TEXTO, "Memoria", "La memoria guardada."),
        deja("version", Tipo.ENTERO, "Versión de la memoria", "Su versión corregida."),
    ),
    ejecutor=Ejecutor(perfil=OFERTA, arriendo_s=3_600),
)

VERIFICAR_HECHOS = Paso(
    id="verificar_hechos",
    titulo="Verificar los hechos",
    clase=Clase.CODIGO,
    descripcion="Compara cifras, personas, fechas y certificados con los datos de la empresa, y mide las páginas.",
    trabajo=TRABAJO.id,
    dependencias=(CORRECCION_HECHOS.id,),
    entradas=(lee(CORRECCION_HECHOS, "memoria_id"), lee(CORRECCION_HECHOS, "version")),
    salidas=(deja("avisos", Tipo.LISTA, "Avisos", "Lo que no casa con los datos, o pasa de los límites."),),
    ejecutor=Ejecutor(funcion="oferta_verificar_hechos", repetible=True),
)

REVISAR_MEMORIA = Paso(
    id="revisar_memoria",
    titulo="Revisar la memoria",
    clase=Clase.APROBACION,
    trabajo=TRABAJO.id,
    dependencias=(VERIFICAR_HECHOS.id,),
    entradas=(
        lee(CORRECCION_HECHOS, "memoria_id"),
        lee(CORRECCION_HECHOS, "version"),
        lee(CRITICA_CIEGA, "informe_critica"),
        lee(VERIFICAR_HECHOS, "avisos"),
    ),
    interaccion=Interaccion(
        pregunta="¿Se puede presentar esta memoria?",
        contexto="Ha pasado una crítica a ciegas y se han verificado sus datos. Los avisos son lo que aún no casa.",
        despues="Si se aprueba, se genera el documento. Si se rechaza, se vuelve a escribir con lo que se le diga.",
    ),
    rehacer_desde=REDACCION.id,
)

GENERAR_DOCX = Paso(
    id="generar_docx",
    titulo="Generar el documento",
    clase=Clase.CODIGO,
    descripcion="Maqueta la memoria con los títulos literales, el índice, la portada y la marca de la empresa.",
    trabajo=TRABAJO.id,
    dependencias=(REVISAR_MEMORIA.id,),
    entradas=(lee(CORRECCION_HECHOS, "memoria_id"), lee(CORRECCION_HECHOS, "version")),
    salidas=(deja("docx", Tipo.ARTEFACTO, "Documento", "La memoria en Word."),),
    ejecutor=Ejecutor(funcion="oferta_generar_docx", repetible=True),
)

G_MEMORIA = abre(
    "g_memoria",
    "¿Piden memoria técnica?",
    TRABAJO.id,
    J_PREPARACION.id,
    Compuerta(
        tipo=TipoCompuerta.EXCLUSIVA,
        sentido="abre",
        rutas=(
            si(VERIFICAR_FICHA, "exige_memoria", True, DOSSIER.id, "Se valora una memoria"),
            Ruta(destino=SIN_MEMORIA.id, etiqueta="No se valora"),
        ),
        por_defecto=SIN_MEMORIA.id,
    ),
)

J_MEMORIA = cierra("j_memoria", "Memoria lista", TRABAJO.id, G_MEMORIA, (GENERAR_DOCX.id, SIN_MEMORIA.id))

PASOS = (
    *(G_MEMORIA, SIN_MEMORIA, DOSSIER, ESTRATEGIA, APROBAR_ESTRATEGIA, FICHA_SOLUCION, REDACCION),
    *(CRITICA_CIEGA, CORRECCION_HECHOS, VERIFICAR_HECHOS, REVISAR_MEMORIA, GENERAR_DOCX, J_MEMORIA),
)
