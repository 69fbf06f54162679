"""What the profile lacks, and which check cannot be made (or fails) because of it. Articles are of Law 9/2017."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date

from nucleo.empresa.modelo import Empresa, caducado
from nucleo.modelo import Modelo

CRIBA = "criba: si un contrato encaja"
SEGUIMIENTO = "aviso de adjudicaciones a la competencia"
ECONOMICA = "solvencia económica (art. 87)"
TECNICA = "solvencia técnica (arts. 88 a 90)"
CLASIFICACION = "clasificación (art. 77)"
CALIDAD = "certificados exigidos (arts. 93 y 94)"
PROHIBICIONES = "prohibición de contratar por plantilla (art. 71.1.d)"
DECLARACION = "declaración responsable (DEUC, art. 140)"
REGISTRO = "procedimiento simplificado (art. 159.4)"
FIRMA = "firma de la oferta"

ANIOS_NEGOCIO = 3
"""The best of the last three closed years counts (art. 87.1.a)."""
ANIOS_SERVICIOS = 3
"""Services and supplies of the last three years (arts. 89.1.a and 90.1.a); works, five (art. 88.1.a)."""
PLANTILLA_CUOTA = 50
"""From this many workers on, 2 % must be people with a disability (art. 71.1.d)."""


class Falta(Modelo):
    """`campo` is where to write it; `mensaje` says what is missing and why it matters."""

    campo: str
    comprobacion: str
    mensaje: str


def faltas(empresa: Empresa, hoy: date) -> tuple[Falta, ...]:
    """Everything that is missing or out of date on that day, in the order of the model."""
    return tuple(falta for regla in _REGLAS for falta in regla(empresa, hoy))


def _que_hace(empresa: Empresa, _: date) -> Iterator[Falta]:
    preguntas = {
        "actividades": "No dice qué hace la empresa.",
        "distribuye": "No dice qué marcas distribuye: los suministros de esas marcas no se reconocerán.",
        "ademas": "No dice qué hace además de lo principal: es lo que más se pierde.",
        "no_hace": "No dice qué NO hace: lo que se parece a lo suyo parecerá encajar.",
        "cpv": "No tiene ramas de CPV.",
        "regiones": "No dice dónde trabaja: se tomará cualquier lugar por bueno.",
    }
    for campo, mensaje in preguntas.items():
        if not getattr(empresa, campo):
            yield Falta(campo=campo, comprobacion=CRIBA, mensaje=mensaje)
    if empresa.importes.minimo is None and empresa.importes.maximo is None:
        yield Falta(
            campo="importes", comprobacion=CRIBA, mensaje="No dice qué tamaño de contratos puede asumir."
        )
    if not empresa.rivales:
        yield Falta(
            campo="rivales", comprobacion=SEGUIMIENTO, mensaje="No sigue a ningún competidor (nombre y NIF)."
        )


def _negocio(empresa: Empresa, hoy: date) -> Iterator[Falta]:
    """The last year's accounts are deposited during the next one, so last year may still be missing in summer."""
    for ejercicio in range(hoy.year - 1, hoy.year - 1 - ANIOS_NEGOCIO, -1):
        if empresa.facturado(ejercicio) is None:
            mensaje = f"Falta el volumen de negocio de {ejercicio}: cuenta el mejor de los tres últimos."
            yield Falta(campo="negocio", comprobacion=ECONOMICA, mensaje=mensaje)


def _seguros(empresa: Empresa, hoy: date) -> Iterator[Falta]:
    if not empresa.seguros:
        yield Falta(
            campo="seguros", comprobacion=ECONOMICA, mensaje="No hay ningún seguro (responsabilidad civil)."
        )
    for numero, seguro in enumerate(empresa.seguros, 1):
        donde = f"seguros[{numero}]"
        if caducado(seguro.caduca, hoy):
            yield Falta(
                campo=f"{donde}.caduca",
                comprobacion=ECONOMICA,
                mensaje=f"«{seguro.tipo}» caducó el {seguro.caduca:%d/%m/%Y}.",
            )
        if seguro.capital is None:
            yield Falta(
                campo=f"{donde}.capital",
                comprobacion=ECONOMICA,
                mensaje=f"«{seguro.tipo}» no dice su capital.",
            )


def _obras(empresa: Empresa, hoy: date) -> Iterator[Falta]:
    desde = hoy.year - ANIOS_SERVICIOS
    recientes = [o for o in empresa.obras if o.fin is None or o.fin.year >= desde]
    if not recientes:
        mensaje = (
            f"No hay trabajos desde {desde}: los servicios y suministros cuentan tres años; las obras, cinco."
        )
        yield Falta(campo="obras", comprobacion=TECNICA, mensaje=mensaje)
    for numero, obra in enumerate(empresa.obras, 1):
        sin = [nombre for nombre in ("importe", "inicio", "fin") if getattr(obra, nombre) is None]
        sin += [] if obra.acreditada else ["certificado de buena ejecución (acreditada)"]
        if sin and obra in recientes:
            mensaje = f"A «{obra.objeto}» le falta: {', '.join(sin)}."
            yield Falta(campo=f"obras[{numero}]", comprobacion=TECNICA, mensaje=mensaje)


def _clasificaciones(empresa: Empresa, _: date) -> Iterator[Falta]:
    if not empresa.clasificaciones:
        mensaje = "No hay clasificaciones: sin ellas no se puede ir a obras de 500.000 € o más."
        yield Falta(campo="clasificaciones", comprobacion=CLASIFICACION, mensaje=mensaje)


def _certificados(empresa: Empresa, hoy: date) -> Iterator[Falta]:
    if not empresa.certificados:
        yield Falta(
            campo="certificados", comprobacion=CALIDAD, mensaje="No hay ningún certificado (ISO, ENS…)."
        )
    for numero, certificado in enumerate(empresa.certificados, 1):
        if caducado(certificado.caduca, hoy):
            mensaje = f"«{certificado.norma}» caducó el {certificado.caduca:%d/%m/%Y}."
            yield Falta(campo=f"certificados[{numero}].caduca", comprobacion=CALIDAD, mensaje=mensaje)


def _plantilla(empresa: Empresa, _: date) -> Iterator[Falta]:
    plantilla = empresa.plantilla
    if plantilla.media is None:
        yield Falta(
            campo="plantilla.media", comprobacion=PROHIBICIONES, mensaje="No dice la plantilla media."
        )
    elif plantilla.media >= PLANTILLA_CUOTA and plantilla.discapacidad is None:
        mensaje = (
            f"Con {plantilla.media} personas hay que acreditar un 2 % con discapacidad: no dice cuántas son."
        )
        yield Falta(campo="plantilla.discapacidad", comprobacion=PROHIBICIONES, mensaje=mensaje)
    elif plantilla.media >= PLANTILLA_CUOTA and 50 * (plantilla.discapacidad or 0) < plantilla.media:
        mensaje = f"{plantilla.discapacidad} de {plantilla.media} no llega al 2 %: harán falta medidas alternativas."
        yield Falta(campo="plantilla.discapacidad", comprobacion=PROHIBICIONES, mensaje=mensaje)


def _declaracion(empresa: Empresa, hoy: date) -> Iterator[Falta]:
    if empresa.tamano is None:
        yield Falta(
            campo="tamano",
            comprobacion=DECLARACION,
            mensaje="No dice si es micro, pequeña, mediana o grande.",
        )
    if empresa.domicilio is None:
        yield Falta(campo="domicilio", comprobacion=DECLARACION, mensaje="Falta el domicilio.")
    if empresa.rolece is None:
        mensaje = "No dice hasta cuándo vale su inscripción en el ROLECE o en un registro autonómico."
        yield Falta(campo="rolece", comprobacion=REGISTRO, mensaje=mensaje)
    elif caducado(empresa.rolece, hoy):
        mensaje = f"La inscripción en el registro caducó el {empresa.rolece:%d/%m/%Y}."
        yield Falta(campo="rolece", comprobacion=REGISTRO, mensaje=mensaje)


def _firmantes(empresa: Empresa, _: date) -> Iterator[Falta]:
    if not empresa.firmantes:
        yield Falta(
            campo="firmantes", comprobacion=FIRMA, mensaje="No dice quién puede firmar por la empresa."
        )
    for numero, firmante in enumerate(empresa.firmantes, 1):
        sin = [nombre for nombre in ("nif", "cargo", "poder") if getattr(firmante, nombre) is None]
        if sin:
            mensaje = f"A la firma {numero} le falta: {', '.join(sin)}."
            yield Falta(campo=f"firmantes[{numero}]", comprobacion=FIRMA, mensaje=mensaje)


_REGLAS: tuple[Callable[[Empresa, date], Iterator[Falta]], ...] = (
    _que_hace,
    _negocio,
    _seguros,
    _obras,
    _clasificaciones,
    _certificados,
    _plantilla,
    _declaracion,
    _firmantes,
)
