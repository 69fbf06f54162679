"""Preparación: outline, team, price and annexes, at the same time."""

from __future__ import annotations

from dominios.licitaciones.oferta.plantilla import anexos
from dominios.licitaciones.oferta.plantilla.decision import DECIDIR, G_DECISION
from dominios.licitaciones.oferta.plantilla.ficha import FICHA_IA
from dominios.licitaciones.oferta.plantilla.piezas import OFERTA, abre, cierra, deja, lee
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

TRABAJO = Trabajo(
    id=anexos.TRABAJO, titulo="Preparación", descripcion="Guion, equipo, precio y anexos, a la vez."
)

ABRIR_OFERTA = Paso(
    id="abrir_oferta",
    titulo="Abrir la carpeta de la oferta",
    clase=Clase.CODIGO,
    descripcion="Crea la carpeta con los sobres y lotes que dicen los pliegos.",
    trabajo=TRABAJO.id,
    dependencias=(G_DECISION.id,),
    # The decision is an input so that no plan can open an offer without it.
    entradas=(lee(FICHA_IA, "ficha_id"), lee(FICHA_IA, "ficha_version"), lee(DECIDIR, "decision")),
    salidas=(deja("carpeta", Tipo.TEXTO, "Carpeta", "La carpeta de la oferta."),),
    ejecutor=Ejecutor(funcion="oferta_abrir_oferta", repetible=True),
)

GUION_IA = Paso(
    id="guion_ia",
    titulo="Proponer el guion",
    clase=Clase.AGENTE,
    descripcion=(
        "Propone el guion de la oferta: un apartado por cada criterio, con los títulos literales de los pliegos, los "
        "puntos que vale y las páginas que le tocan."
    ),
    trabajo=TRABAJO.id,
    dependencias=("g_preparacion",),
    entradas=(lee(ABRIR_OFERTA, "carpeta"), lee(FICHA_IA, "ficha_id")),
    salidas=(deja("guion_id", Tipo.TEXTO, "Guion", "El guion guardado."),),
    ejecutor=Ejecutor(perfil=OFERTA),
)

APROBAR_GUION = Paso(
    id="aprobar_guion",
    titulo="Aprobar el guion",
    clase=Clase.APROBACION,
    trabajo=TRABAJO.id,
    dependencias=(GUION_IA.id,),
    entradas=(lee(GUION_IA, "guion_id"),),
    interaccion=Interaccion(
        pregunta="¿Vale este guion para escribir la oferta?",
        contexto="Cada apartado debe responder a un criterio, con sus puntos y sus páginas. Lo que no puntúa, sobra.",
        despues="Si se aprueba, es el índice de la memoria. Si se rechaza, el agente lo rehace con lo que se le diga.",
    ),
    rehacer_desde=GUION_IA.id,
)

EQUIPO = Paso(
    id="equipo",
    titulo="Elegir el equipo",
    clase=Clase.MANUAL,
    trabajo=TRABAJO.id,
    dependencias=("g_preparacion",),
    entradas=(lee(FICHA_IA, "ficha_id"),),
    salidas=(
        Puerto(
            nombre="personas",
            tipo=Tipo.LISTA,
            requerido=True,
            descripcion="Personas que se ofrecen, con el puesto que cubre cada una.",
            formulario=Formulario(
                etiqueta="Personas y puesto",
                ayuda="Una por línea. Si los pliegos no piden equipo, escribe «No se pide».",
                ejemplo="Persona de Ejemplo: jefa de proyecto",
            ),
        ),
    ),
    interaccion=Interaccion(
        pregunta="¿Quién va en el equipo?",
        contexto="Cada puesto que exigen los pliegos pide a alguien con su titulación y experiencia acreditadas.",
        despues="La dedicación de cada persona se comprueba con las demás ofertas vivas.",
    ),
)

PRECIO = Paso(
    id="precio",
    titulo="Fijar el precio",
    clase=Clase.MANUAL,
    trabajo=TRABAJO.id,
    dependencias=("g_preparacion",),
    entradas=(lee(ABRIR_OFERTA, "carpeta"), lee(FICHA_IA, "ficha_id")),
    salidas=(
        Puerto(
            nombre="importe",
            tipo=Tipo.IMPORTE,
            requerido=True,
            descripcion="Precio total que se ofrece, en euros y sin IVA.",
            formulario=Formulario(
                etiqueta="Precio total (€, sin IVA)",
                ayuda="Con punto decimal y sin separar los millares.",
                ejemplo="118500.00",
            ),
        ),
    ),
    interaccion=Interaccion(
        pregunta="¿Por cuánto ofertamos?",
        contexto=(
            "No puede pasar del presupuesto base. Una oferta demasiado baja puede tenerse por anormal y habría que "
            "justificarla (art. 149 LCSP). El precio lo pone siempre una persona."
        ),
        despues="Es el importe que se comprueba y el que se presenta.",
    ),
)

G_PREPARACION = abre(
    "g_preparacion",
    "A la vez",
    TRABAJO.id,
    ABRIR_OFERTA.id,
    Compuerta(
        tipo=TipoCompuerta.PARALELA,
        sentido="abre",
        rutas=(
            Ruta(destino=GUION_IA.id, etiqueta="Guion"),
            Ruta(destino=EQUIPO.id, etiqueta="Equipo"),
            Ruta(destino=PRECIO.id, etiqueta="Precio"),
            Ruta(destino=anexos.G_ANEXOS.id, etiqueta="Anexos"),
        ),
    ),
)

J_PREPARACION = cierra(
    "j_preparacion",
    "Preparación terminada",
    TRABAJO.id,
    G_PREPARACION,
    (APROBAR_GUION.id, EQUIPO.id, PRECIO.id, anexos.J_ANEXOS.id),
)

PASOS = (
    *(ABRIR_OFERTA, G_PREPARACION, GUION_IA, APROBAR_GUION, EQUIPO, PRECIO),
    *anexos.PASOS,
    J_PREPARACION,
)
