"""The routes that read. Their query is a model: what it does not declare is refused."""

from __future__ import annotations

from urllib.parse import quote

from nucleo.recorridos import almacen, exportar, lectura
from nucleo.recorridos.api import documentos as doc
from nucleo.recorridos.api.cuerpo import leer_consulta
from nucleo.recorridos.api.despacho import Entorno, Pedido
from nucleo.recorridos.api.mensajes import JSON, Respuesta, modelo_en_json
from nucleo.recorridos.artefactos import servicio as de_artefactos
from nucleo.recorridos.continuaciones import almacen as de_continuaciones
from nucleo.recorridos.enlaces import almacen as de_enlaces
from nucleo.recorridos.entregas import servicio as de_entregas
from nucleo.recorridos.errores import ErrorRecorrido
from nucleo.recorridos.lectura.modelo import FiltroBandeja, FiltroRecorridos

HIJOS_MAX = 500
TEXTO = "text/plain; charset=utf-8"
VISIBLES = {
    "text/plain": TEXTO,
    "text/markdown": TEXTO,
    "text/csv": TEXTO,
    "application/json": TEXTO,
    "application/xml": TEXTO,
    "text/html": "text/html; charset=utf-8",
    "image/svg+xml": "image/svg+xml",
    "image/png": "image/png",
    "image/jpeg": "image/jpeg",
}
"""Media type of a file → the one it is shown as. The policy that goes with it stops whatever is in it; a browser's PDF
viewer does not run under such a policy, so a PDF is only downloaded."""


def listar(entorno: Entorno, pedido: Pedido) -> Respuesta:
    """A page of runs."""
    filtro = leer_consulta(FiltroRecorridos, pedido.peticion.consulta)
    hallados = lectura.listar(entorno.con, filtro)
    siguiente = hallados[-1].id if len(hallados) == filtro.limite else None
    return modelo_en_json(200, doc.Recorridos(recorridos=hallados, siguiente=siguiente))


def leer(entorno: Entorno, pedido: Pedido) -> Respuesta:
    """A run whole."""
    _sin_consulta(pedido)
    return modelo_en_json(200, lectura.leer(entorno.con, entorno.casa, pedido.partes["rid"]))


def posibles(entorno: Entorno, pedido: Pedido) -> Respuesta:
    """What who asks may do in it now."""
    _sin_consulta(pedido)
    rid, actor = pedido.partes["rid"], pedido.identidad.actor
    return modelo_en_json(200, lectura.posibles(entorno.con, entorno.casa, rid, actor))


def eventos(entorno: Entorno, pedido: Pedido) -> Respuesta:
    """A page of what happened."""
    pagina = leer_consulta(doc.Pagina, pedido.peticion.consulta)
    hallados = lectura.eventos(entorno.con, pedido.partes["rid"], pagina.desde, pagina.limite)
    siguiente = hallados[-1].n if len(hallados) == pagina.limite else None
    return modelo_en_json(200, doc.Eventos(eventos=hallados, siguiente=siguiente))


def intentos(entorno: Entorno, pedido: Pedido) -> Respuesta:
    """The attempts of a step."""
    pagina = leer_consulta(doc.PaginaDePaso, pedido.peticion.consulta)
    rid = pedido.partes["rid"]
    hallados = lectura.intentos(entorno.con, rid, pagina.paso, pagina.desde, pagina.limite)
    return modelo_en_json(200, doc.Intentos(intentos=hallados))


def planes(entorno: Entorno, pedido: Pedido) -> Respuesta:
    """The plan's versions, without their text."""
    pagina = leer_consulta(doc.Pagina, pedido.peticion.consulta)
    hallados = lectura.planes(entorno.con, pedido.partes["rid"], pagina.desde, pagina.limite)
    return modelo_en_json(200, doc.Planes(planes=hallados))


def plan(entorno: Entorno, pedido: Pedido) -> Respuesta:
    """One of them."""
    _sin_consulta(pedido)
    version = pedido.partes["version"]
    numero = int(version) if version.isascii() and version.isdecimal() and len(version) < 9 else 0
    return modelo_en_json(200, almacen.plan(entorno.con, pedido.partes["rid"], numero))


def artefactos(entorno: Entorno, pedido: Pedido) -> Respuesta:
    """A page of the run's files."""
    pagina = leer_consulta(doc.PaginaPorId, pedido.peticion.consulta)
    hallados = lectura.artefactos(entorno.con, pedido.partes["rid"], pagina.desde, pagina.limite)
    return modelo_en_json(200, doc.Artefactos(artefactos=hallados))


def enlaces(entorno: Entorno, pedido: Pedido) -> Respuesta:
    """Its parent and its newest children."""
    _sin_consulta(pedido)
    rid = lectura.pulso(entorno.con, pedido.partes["rid"]).id
    padre, hijos = de_enlaces.padre_de(entorno.con, rid), de_enlaces.hijos_de(entorno.con, rid, HIJOS_MAX)
    return modelo_en_json(200, doc.Enlaces(padre=padre, hijos=hijos))


def continuaciones(entorno: Entorno, pedido: Pedido) -> Respuesta:
    """A page of the texts for its coordinator."""
    pagina = leer_consulta(doc.PaginaPorId, pedido.peticion.consulta)
    rid = lectura.pulso(entorno.con, pedido.partes["rid"]).id
    halladas = de_continuaciones.todas_de(entorno.con, rid, pagina.desde, pagina.limite)
    return modelo_en_json(200, doc.Continuaciones(continuaciones=halladas))


def entregas_de(entorno: Entorno, pedido: Pedido) -> Respuesta:
    """A page of the run's deliveries."""
    pagina = leer_consulta(doc.PaginaPorId, pedido.peticion.consulta)
    halladas = lectura.entregas(entorno.con, pedido.partes["rid"], pagina.desde, pagina.limite)
    return modelo_en_json(200, doc.Entregas(entregas=halladas))


def rechazos(entorno: Entorno, pedido: Pedido) -> Respuesta:
    """A page of what was refused."""
    pagina = leer_consulta(doc.Pagina, pedido.peticion.consulta)
    hallados = lectura.rechazos(entorno.con, pedido.partes["rid"], pagina.desde, pagina.limite)
    return modelo_en_json(200, doc.Rechazos(rechazos=hallados))


def inciertas(entorno: Entorno, pedido: Pedido) -> Respuesta:
    """Deliveries, of any run, that nobody knows whether they arrived."""
    _sin_consulta(pedido)
    return modelo_en_json(200, doc.Entregas(entregas=de_entregas.inciertas(entorno.con)))


def bandeja(entorno: Entorno, pedido: Pedido) -> Respuesta:
    """What waits for a person."""
    filtro = leer_consulta(FiltroBandeja, pedido.peticion.consulta)
    return modelo_en_json(200, doc.Pendientes(pendientes=lectura.bandeja(entorno.con, filtro)))


def esperar(entorno: Entorno, pedido: Pedido) -> Respuesta:
    """Whether it has changed, at once: whoever carries the request is who waits."""
    pedida = leer_consulta(doc.PeticionEspera, pedido.peticion.consulta)
    rid = pedido.partes["rid"]
    pulso = lectura.pulso(entorno.con, rid)
    if pulso.revision <= pedida.tras_revision:
        igual = doc.Espera(cambio=False, revision=pulso.revision, estado=pulso.estado, recorrido=None)
        return modelo_en_json(200, igual)
    vista = lectura.leer(entorno.con, entorno.casa, rid)
    actual = vista.recorrido
    return modelo_en_json(
        200, doc.Espera(cambio=True, revision=actual.revision, estado=actual.estado, recorrido=vista)
    )


def evidencia(entorno: Entorno, pedido: Pedido) -> Respuesta:
    """The run's file of evidence, to be saved."""
    pedida = leer_consulta(doc.PeticionExportar, pedido.peticion.consulta)
    rid = pedido.partes["rid"]
    evidencia = exportar.evidencia(entorno.con, rid)
    if pedida.formato == "json":
        cuerpo, tipo = exportar.en_json(evidencia), JSON
    else:
        cuerpo, tipo = exportar.en_html(evidencia), "text/html; charset=utf-8"
    return Respuesta(200, cuerpo.encode(), tipo, _adjunto(f"{rid}.{pedida.formato}"))


def artefacto(entorno: Entorno, pedido: Pedido) -> Respuesta:
    """A file, to be saved and never opened here."""
    abierto = de_artefactos.abrir(entorno.con, entorno.datos, pedido.partes["art"])
    hallado = abierto.artefacto
    return Respuesta(200, abierto.contenido, hallado.tipo_medio, _adjunto(hallado.nombre))


def vista(entorno: Entorno, pedido: Pedido) -> Respuesta:
    """A file to look at: whoever carries it has to send the policy that makes it inert."""
    identificador = pedido.partes["art"]
    mostrado = VISIBLES.get(de_artefactos.leer(entorno.con, identificador).tipo_medio)
    if mostrado is None:
        raise ErrorRecorrido("TIPO_NO_ADMITIDO", "Ese tipo de fichero no se puede ver aquí: descárgalo.")
    return Respuesta(200, de_artefactos.abrir(entorno.con, entorno.datos, identificador).contenido, mostrado)


def _sin_consulta(pedido: Pedido) -> None:
    leer_consulta(doc.SinConsulta, pedido.peticion.consulta)


def _adjunto(nombre: str) -> dict[str, str]:
    """RFC 6266: an ASCII name for the old, the whole one for the rest."""
    llano = "".join(c if c.isascii() and (c.isalnum() or c in "._-") else "_" for c in nombre)
    return {
        "content-disposition": f"attachment; filename=\"{llano}\"; filename*=UTF-8''{quote(nombre, safe='')}"
    }
