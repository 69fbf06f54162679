"""The plan of a pass, pure: state and what happened → state and what to do next.

The rules that keep it safe:
- a walk from the head goes down until a whole page lies at or below known ground minus the margin, so what the source
  inserts late is met;
- the mark moves only when there is no unread stretch above it;
- an unfinished walk is a window with a cursor; the next pass opens another one above it and joins both.
"""

from __future__ import annotations

from dominios.licitaciones.radar.sincronizar.modelo import (
    Alarma,
    Ausente,
    Cabecera,
    CabeceraLeida,
    Estado,
    Fallida,
    Leida,
    Marcha,
    MesesAusentes,
    MesesLeidos,
    PedirCabecera,
    PedirMeses,
    PedirPagina,
    Reglas,
    SinCambios,
    Suceso,
    Terminar,
    Ventana,
)

REINICIOS_MAXIMOS = 2
"""Times one pass starts again from the head because a page is not where its link says."""

PAGINAS_MAXIMAS = 5_000
"""Pages of one pass; the next one goes on from the cursor."""


def empezar(estado: Estado) -> Marcha:
    """A pass always begins at the head."""
    return Marcha(estado=estado, accion=PedirCabecera())


def avanzar(marcha: Marcha, suceso: Suceso, reglas: Reglas, ahora: int) -> Marcha:
    """What follows from `suceso`. `ahora` bounds instants of the future: they are no ground that was read."""
    match suceso:
        case CabeceraLeida():
            return _abrir(marcha, suceso, reglas, ahora)
        case SinCambios():
            return _reanudar(marcha)
        case Leida():
            return _bajar(marcha, suceso, reglas, ahora)
        case Fallida() | Ausente():
            return _remediar(marcha, suceso.alarma, isinstance(suceso, Ausente) or _es_heredado(marcha))
        case MesesLeidos():
            return _tras_los_meses(marcha, suceso, reglas)
        case MesesAusentes():
            return _dejar(_con(marcha, suceso.alarma))


# --- opening and going down ---


def _abrir(marcha: Marcha, suceso: CabeceraLeida, reglas: Reglas, ahora: int) -> Marcha:
    """A new window from the head, or the first one walked again when the chain had to be taken up anew."""
    pagina, viejas = suceso.pagina, marcha.estado.ventanas
    if pagina.cosas == 0 and pagina.siguiente is None and not viejas:
        estado = marcha.estado.model_copy(update={"cabecera": suceso.cabecera})
        return marcha.model_copy(update={"estado": estado, "accion": Terminar(completa=True)})
    techo = _techo(pagina, suceso.cabecera, ahora)
    rehecha: Ventana | None = None
    if isinstance(marcha.accion, PedirCabecera) and marcha.accion.de_nuevo and viejas:
        rehecha, viejas = viejas[0], viejas[1:]
    conocido = viejas[0].techo if viejas else marcha.estado.marca
    if rehecha is not None:
        techo = max(techo, rehecha.techo)
        nueva = rehecha.model_copy(update={"techo": techo, "fondo": techo, "leidas": 0})
    elif conocido is None:
        nueva = _ventana(techo, techo - reglas.primera, reglas.minimo)
    else:
        nueva = _ventana(techo, conocido - reglas.margen, 0)
    estado = marcha.estado.model_copy(update={"ventanas": (nueva, *viejas), "cabecera": suceso.cabecera})
    abierta = marcha.model_copy(
        update={"estado": estado, "accion": PedirPagina(url=pagina.url), "vistas": frozenset()}
    )
    return _bajar(abierta, pagina, reglas, ahora)


def _ventana(techo: int, suelo: int, minimo: int) -> Ventana:
    return Ventana(techo=techo, fondo=techo, suelo=suelo, cursor="", leidas=0, minimo=minimo)


def _techo(pagina: Leida, cabecera: Cabecera, ahora: int) -> int:
    publicado = pagina.maximo if pagina.maximo is not None else cabecera.instante
    return ahora if publicado is None else min(publicado, ahora)


def _bajar(marcha: Marcha, pagina: Leida, reglas: Reglas, ahora: int) -> Marcha:
    """Account for a page of the first window and decide whether the walk goes on."""
    primera, *viejas = marcha.estado.ventanas
    fondo = primera.fondo if pagina.minimo is None else min(primera.fondo, pagina.minimo)
    avanza = marcha.reinicios == 0 and pagina.siguiente is not None
    actual = primera.model_copy(
        update={
            "fondo": fondo,
            "cursor": pagina.siguiente or pagina.url,
            "leidas": primera.leidas + pagina.cosas,
            "intentos": 0 if avanza else primera.intentos,
        }
    )
    marcha = marcha.model_copy(
        update={
            "estado": _ventanas(marcha.estado, actual, *viejas),
            "halladas": marcha.halladas | {actual.cursor},
            "vistas": marcha.vistas | {pagina.url},
            "paginas": marcha.paginas + 1,
        }
    )
    if pagina.siguiente is None:
        return _fin_de_cadena(marcha, reglas)
    return _comprobar(marcha, pagina, reglas)


def _comprobar(marcha: Marcha, pagina: Leida, reglas: Reglas) -> Marcha:
    """Join windows while this page, the deepest one read, lies below where they had to arrive."""
    while _alcanza(marcha.estado.ventanas[0], pagina):
        actual, *viejas = marcha.estado.ventanas
        if not viejas:
            return _llegar(marcha, reglas)
        unida = _unir(actual, viejas[0])
        marcha = _con_ventanas(marcha, unida, *viejas[1:])
        if unida.cursor != actual.cursor:
            break
    return _seguir(marcha)


def _alcanza(ventana: Ventana, pagina: Leida) -> bool:
    return pagina.maximo is not None and pagina.maximo <= ventana.suelo and ventana.leidas >= ventana.minimo


def _seguir(marcha: Marcha) -> Marcha:
    cursor = marcha.estado.ventanas[0].cursor
    if cursor in marcha.vistas:
        return _dejar(_con(marcha, _alarma_bucle(cursor)))
    if marcha.paginas >= PAGINAS_MAXIMAS:
        return _dejar(_con(marcha, _alarma_cortada(marcha.paginas)))
    return marcha.model_copy(update={"accion": PedirPagina(url=cursor)})


def _reanudar(marcha: Marcha) -> Marcha:
    """Nothing new at the head: go on with what was left pending."""
    if not marcha.estado.ventanas:
        return marcha.model_copy(update={"accion": Terminar(completa=True)})
    return _seguir(marcha)


# --- arriving ---


def _llegar(marcha: Marcha, reglas: Reglas) -> Marcha:
    """The first window met known ground: join it to the one below, or move the mark when there is none."""
    actual, *viejas = marcha.estado.ventanas
    if viejas:
        return _seguir(_con_ventanas(marcha, _unir(actual, viejas[0]), *viejas[1:]))
    if marcha.estado.marca is None:
        # An absurdly old item must not push the mark down for years: known ground was asked only down to `suelo`.
        marca = max(actual.fondo, actual.suelo - reglas.margen) if actual.minimo else actual.fondo
    else:
        marca = max(marcha.estado.marca, actual.techo)
    return _completar(marcha, marca)


def _completar(marcha: Marcha, marca: int) -> Marcha:
    estado = marcha.estado.model_copy(update={"marca": marca, "ventanas": ()})
    return marcha.model_copy(update={"estado": estado, "accion": Terminar(completa=True)})


def _unir(nueva: Ventana, vieja: Ventana) -> Ventana:
    """One stretch from the newer top to the deeper bottom; it goes on from whichever cursor lies deeper."""
    honda = nueva if nueva.fondo <= vieja.fondo else vieja
    return vieja.model_copy(
        update={
            "techo": max(nueva.techo, vieja.techo),
            "fondo": honda.fondo,
            "cursor": honda.cursor,
            "intentos": honda.intentos,
        }
    )


def _fin_de_cadena(marcha: Marcha, reglas: Reglas) -> Marcha:
    """The last page has no older one. It is the end of what is published, unless it leaves a hole.

    There is a hole when the chain ends above known ground by more than the margin with which the next walk will
    come back: then the page lost its link and something is missing below it.
    """
    actual, *viejas = marcha.estado.ventanas
    conocido = viejas[0].techo if viejas else marcha.estado.marca
    if conocido is not None and conocido < min(actual.fondo, actual.techo - reglas.margen):
        return _remediar(marcha, _alarma_cadena(actual.cursor), remediable=True)
    if not viejas:
        marca = marcha.estado.marca
        return _completar(marcha, actual.fondo if marca is None else max(marca, actual.techo))
    if actual.fondo > viejas[0].fondo:
        return _llegar(marcha, reglas)
    unida = _con_ventanas(marcha, _unir(actual, viejas[0]), *viejas[1:])
    return _fin_de_cadena(unida, reglas)


# --- when a page cannot be had ---


def _remediar(marcha: Marcha, alarma: Alarma, remediable: bool) -> Marcha:
    """Start again from the head; if that was done, the monthly ZIPs; if not even those, leave it pending.

    Remedies are costly: for a window that stays stuck they are tried in its 1st, 2nd, 4th, 8th… pass.
    """
    if isinstance(marcha.accion, PedirCabecera) and not marcha.reinicios:
        return _parar(_con(marcha, alarma))  # no page of a window was tried: nothing goes on its account
    if isinstance(marcha.accion, PedirCabecera) or not marcha.estado.ventanas:
        return _dejar(_con(marcha, alarma))
    actual = marcha.estado.ventanas[0]
    toca = actual.intentos & (actual.intentos - 1) == 0
    if not (remediable or marcha.reinicios) or not toca:
        return _dejar(_con(marcha, alarma))
    if marcha.reinicios < REINICIOS_MAXIMOS:
        return marcha.model_copy(
            update={"accion": PedirCabecera(de_nuevo=True), "reinicios": marcha.reinicios + 1}
        )
    return _con(marcha, alarma).model_copy(
        update={"accion": PedirMeses(desde=min(actual.suelo, actual.fondo), hasta=actual.fondo)}
    )


def _es_heredado(marcha: Marcha) -> bool:
    """Whether the page asked for comes from another pass, not from a link read in this one."""
    return isinstance(marcha.accion, PedirPagina) and marcha.accion.url not in marcha.halladas


def _tras_los_meses(marcha: Marcha, suceso: MesesLeidos, reglas: Reglas) -> Marcha:
    actual, *viejas = marcha.estado.ventanas
    if suceso.hasta is None or suceso.hasta < actual.fondo:
        alarma = Alarma(
            codigo="zip_atrasado",
            mensaje="El ZIP del mes aún no llega hasta la página que falta; se volverá a intentar.",
        )
        return _dejar(_con(marcha, alarma))
    cubierta = actual.model_copy(update={"fondo": min(actual.fondo, actual.suelo), "minimo": 0})
    return _llegar(_con_ventanas(marcha, cubierta, *viejas), reglas)


def _dejar(marcha: Marcha) -> Marcha:
    """Stop here with the window pending, one attempt more on its account."""
    estado = marcha.estado
    if estado.ventanas:
        primera, *viejas = estado.ventanas
        estado = _ventanas(estado, primera.model_copy(update={"intentos": primera.intentos + 1}), *viejas)
    return _parar(marcha.model_copy(update={"estado": estado}))


def _parar(marcha: Marcha) -> Marcha:
    return marcha.model_copy(update={"accion": Terminar(completa=False)})


def _con(marcha: Marcha, alarma: Alarma) -> Marcha:
    if alarma in marcha.alarmas:
        return marcha
    return marcha.model_copy(update={"alarmas": (*marcha.alarmas, alarma)})


def _ventanas(estado: Estado, *ventanas: Ventana) -> Estado:
    return estado.model_copy(update={"ventanas": ventanas})


def _con_ventanas(marcha: Marcha, *ventanas: Ventana) -> Marcha:
    return marcha.model_copy(update={"estado": _ventanas(marcha.estado, *ventanas)})


def _alarma_bucle(url: str) -> Alarma:
    return Alarma(codigo="cadena_en_bucle", mensaje=f"La cadena de páginas vuelve sobre sí misma en {url}.")


def _alarma_cortada(paginas: int) -> Alarma:
    return Alarma(
        codigo="pasada_cortada",
        mensaje=f"La pasada se deja tras {paginas} páginas; la próxima sigue desde ahí.",
    )


def _alarma_cadena(url: str) -> Alarma:
    return Alarma(
        codigo="cadena_cortada",
        mensaje=f"La cadena acaba en {url} antes de llegar a lo ya leído: falta un tramo por leer.",
    )
