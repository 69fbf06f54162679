"""What hangs from a run: files, other runs, notices sent, refused reports, and everything that happened, one by one."""

from __future__ import annotations

from nucleo.recorridos.estado import Evento
from nucleo.recorridos.exportar.marcado import Html, Pieza, juntar, parrafo, seccion, tabla
from nucleo.recorridos.exportar.modelo import Evidencia
from nucleo.recorridos.exportar.palabras import codigo, cuando, quien


def artefactos(evidencia: Evidencia) -> Html:
    """Each with the fingerprint by which its file is known."""
    filas = (
        (
            a.nombre,
            codigo(a.id),
            a.paso if a.intento is None else f"{a.paso}, intento {a.intento}",
            f"{a.tipo_medio}, {a.bytes} bytes",
            codigo(a.sha256),
            f"{quien(a.actor)}, {cuando(a.creado)}",
        )
        for a in evidencia.artefactos
    )
    cabeceras = ("Fichero", "Identificador", "Paso", "Tipo y tamaño", "SHA-256", "Quién y cuándo")
    return seccion("artefactos", "Artefactos", tabla(cabeceras, filas, "No hay ficheros."))


def enlaces(evidencia: Evidencia) -> Html:
    """The run it came from and those that came from it."""
    todos = [("Viene de", e.padre, e) for e in (evidencia.padre,) if e] + [
        ("De él sale", e.hijo, e) for e in evidencia.hijos
    ]
    filas = ((que, codigo(cual), e.motivo or "—", quien(e.autor), cuando(e.creado)) for que, cual, e in todos)
    cabeceras = ("Enlace", "Recorrido", "Motivo", "Quién", "Cuándo")
    return seccion("enlaces", "Otros recorridos", tabla(cabeceras, filas, "No está enlazado con ninguno."))


def entregas(evidencia: Evidencia) -> Html:
    """Notices to whoever had to go on, and texts that a person sent along."""
    avisos = (
        (
            codigo(e.id),
            cuando(e.creada),
            str(e.motivo),
            e.conector or "—",
            str(e.estado).replace("_", " "),
            str(e.veces),
            juntar((cuando(e.cerrada), *([parrafo(e.nota, clase="menor")] if e.nota else []))),
        )
        for e in evidencia.entregas
    )
    textos = (
        (cuando(c.creada), quien(c.autor), str(c.estado), c.entrega or "—", c.texto)
        for c in evidencia.continuaciones
    )
    return seccion(
        "entregas",
        "Avisos y continuaciones",
        tabla(
            ("Entrega", "Creada", "Motivo", "Conector", "Estado", "Envíos", "Cierre"),
            avisos,
            "No se ha avisado a nadie.",
        ),
        tabla(("Creada", "Quién", "Estado", "Entrega", "Texto"), textos, "No hay continuaciones."),
    )


def rechazos(evidencia: Evidencia) -> Html:
    """Commands that were refused: late reports, and what was asked by who may not."""
    filas = (
        (cuando(r.en), quien(r.actor), codigo(r.codigo), _pedido(r.texto), r.mensaje)
        for r in evidencia.rechazos
    )
    cabeceras = ("Cuándo", "Quién", "Código", "Qué pidió", "Qué se le contestó")
    return seccion("rechazos", "Comandos rechazados", tabla(cabeceras, filas, "Ninguna."))


def _pedido(texto: str) -> Html:
    return parrafo(texto, clase="literal")


def actividad(evidencia: Evidencia) -> Html:
    """Every event, in order."""
    filas = (_suceso(e) for e in evidencia.eventos)
    cabeceras = ("Nº", "Cuándo", "Quién", "Qué", "Paso", "Dijo")
    return seccion("actividad", "Todo lo que pasó", tabla(cabeceras, filas, "Nada."))


def _suceso(evento: Evento) -> tuple[Pieza, ...]:
    paso = evento.paso or "—"
    traza = evento.comando.traza if evento.comando else None
    como = f" ({traza.clase}{', ' + traza.herramienta if traza.herramienta else ''})" if traza else ""
    return (
        str(evento.n),
        cuando(evento.en),
        quien(evento.actor),
        evento.tipo.replace("_", " ") + como,
        paso if evento.intento is None else f"{paso}, intento {evento.intento}",
        evento.mensaje or "—",
    )
