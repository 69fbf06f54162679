"""Comprobaciones y presentación: code checks, a person gives the go-ahead, and a person submits it and says so."""

from __future__ import annotations

from dominios.licitaciones.oferta.plantilla.anexos import DEUC, GARANTIA, UTE
from dominios.licitaciones.oferta.plantilla.decision import G_DECISION, REGISTRAR_DESCARTE
from dominios.licitaciones.oferta.plantilla.ficha import FICHA_IA
from dominios.licitaciones.oferta.plantilla.memoria import GENERAR_DOCX, J_MEMORIA
from dominios.licitaciones.oferta.plantilla.piezas import cierra, deja, lee
from dominios.licitaciones.oferta.plantilla.preparacion import ABRIR_OFERTA, EQUIPO, PRECIO
from nucleo.recorridos.plan import Clase, Ejecutor, Formulario, Interaccion, Paso, Puerto, Tipo, Trabajo

COMPROBACIONES = Trabajo(
    id="comprobaciones",
    titulo="Comprobaciones",
    descripcion="Lo que impide presentar, lo que es un riesgo, y el visto bueno.",
)
PRESENTACION = Trabajo(id="presentacion", titulo="Presentación", descripcion="Lo que se presentó, y cuándo.")

COMPROBAR = Paso(
    id="comprobar",
    titulo="Comprobar la oferta",
    clase=Clase.CODIGO,
    descripcion="Pasa las reglas de contratación a la oferta entera, con los pliegos delante.",
    trabajo=COMPROBACIONES.id,
    dependencias=(J_MEMORIA.id,),
    entradas=(
        lee(ABRIR_OFERTA, "carpeta"),
        lee(FICHA_IA, "ficha_id"),
        lee(PRECIO, "importe"),
        lee(EQUIPO, "personas"),
        lee(GENERAR_DOCX, "docx", siempre=False),
        lee(DEUC, "documento", siempre=False, como="deuc"),
        lee(GARANTIA, "importe", siempre=False, como="garantia"),
        lee(UTE, "socios", siempre=False),
    ),
    salidas=(
        deja("apta", Tipo.BOOLEANO, "¿Es apta?", "Nada impide presentarla."),
        Puerto(
            nombre="bloqueos",
            tipo=Tipo.LISTA,
            requerido=True,
            esquema="oferta_reparo",
            descripcion="Lo que impide presentarla o la haría excluir.",
            formulario=Formulario(etiqueta="Bloqueos"),
        ),
        Puerto(
            nombre="riesgos",
            tipo=Tipo.LISTA,
            requerido=True,
            esquema="oferta_reparo",
            descripcion="Lo que no la excluye, pero puede costar puntos o problemas.",
            formulario=Formulario(etiqueta="Riesgos"),
        ),
    ),
    ejecutor=Ejecutor(funcion="oferta_comprobar", repetible=True),
)

VISTO_BUENO = Paso(
    id="visto_bueno",
    titulo="Dar el visto bueno",
    clase=Clase.APROBACION,
    trabajo=COMPROBACIONES.id,
    dependencias=(COMPROBAR.id,),
    entradas=(
        lee(COMPROBAR, "apta"),
        lee(COMPROBAR, "bloqueos"),
        lee(COMPROBAR, "riesgos"),
        lee(PRECIO, "importe"),
    ),
    salidas=(
        Puerto(
            nombre="conforme",
            tipo=Tipo.BOOLEANO,
            requerido=True,
            descripcion="Quien firma ha leído los bloqueos y los riesgos, y da su conformidad.",
            formulario=Formulario(
                etiqueta="¿Has leído los bloqueos y los riesgos, y estás conforme?",
                si="Sí, conforme",
                no="No (entonces, rechaza)",
            ),
        ),
        Puerto(
            nombre="bloqueos_asumidos",
            tipo=Tipo.LISTA,
            descripcion="Los bloqueos con los que se presenta pese a todo, cada uno con su motivo.",
            formulario=Formulario(
                etiqueta="Bloqueos que se asumen",
                ayuda="Uno por línea: la clave del bloqueo, dos puntos y por qué se sigue adelante.",
                ejemplo="firma: se firma en la plataforma al presentar",
            ),
        ),
    ),
    interaccion=Interaccion(
        pregunta="¿Damos el visto bueno para presentar la oferta por ese importe?",
        contexto=(
            "Un bloqueo impide presentar o haría excluir la oferta. Mientras quede alguno solo se puede aprobar si se "
            "asume uno a uno, con su motivo y con tu nombre."
        ),
        despues=(
            "Si se aprueba, toca presentarla en la plataforma y anotarlo. Si se rechaza, arregla lo que falte: se "
            "vuelve a comprobar entera."
        ),
    ),
    rol="admin",
    rehacer_desde=COMPROBAR.id,
)

REGISTRAR_PRESENTACION = Paso(
    id="registrar_presentacion",
    titulo="Presentar y anotarlo",
    clase=Clase.MANUAL,
    trabajo=PRESENTACION.id,
    dependencias=(VISTO_BUENO.id,),
    # The go-ahead is an input so that no plan can come here without it.
    entradas=(
        lee(PRECIO, "importe"),
        lee(VISTO_BUENO, "conforme"),
        lee(VISTO_BUENO, "bloqueos_asumidos"),
    ),
    salidas=(
        Puerto(
            nombre="fecha",
            tipo=Tipo.FECHA,
            requerido=True,
            descripcion="Día en que se presentó.",
            formulario=Formulario(etiqueta="Fecha de presentación"),
        ),
        Puerto(
            nombre="hora",
            tipo=Tipo.TEXTO,
            descripcion="Hora del justificante, en la península.",
            formulario=Formulario(etiqueta="Hora", ejemplo="13:45"),
        ),
        Puerto(
            nombre="registro",
            tipo=Tipo.TEXTO,
            requerido=True,
            descripcion="Número de registro o de justificante.",
            formulario=Formulario(etiqueta="Número de registro"),
        ),
        Puerto(
            nombre="justificante",
            tipo=Tipo.ARTEFACTO,
            descripcion="El justificante que dio la plataforma.",
            formulario=Formulario(etiqueta="Justificante"),
        ),
    ),
    interaccion=Interaccion(
        pregunta="¿Cuándo y con qué número se ha presentado la oferta?",
        contexto=(
            "El programa no presenta nada: la oferta la firma y la envía una persona en la plataforma. "
            "Si solo se llegó a enviar la huella, quedan 24 horas para la oferta entera (disp. adicional 16.ª LCSP)."
        ),
        despues="Con esto el recorrido termina. Si no se llegó a presentar, dispensa el paso y di por qué.",
    ),
)

J_DECISION = cierra(
    "j_decision",
    "Asunto cerrado",
    PRESENTACION.id,
    G_DECISION,
    (REGISTRAR_PRESENTACION.id, REGISTRAR_DESCARTE.id),
)
FIN = Paso(id="fin", titulo="Fin", clase=Clase.FIN, dependencias=(J_DECISION.id,))

PASOS = (COMPROBAR, VISTO_BUENO, REGISTRAR_PRESENTACION, J_DECISION, FIN)
