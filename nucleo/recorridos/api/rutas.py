"""Every address of the API, as data: a test walks them all."""

from __future__ import annotations

from functools import cache

from nucleo.recorridos.api import lecturas, ordenes
from nucleo.recorridos.api.despacho import DE_PERSONA, Api, Atender, Entorno, Pedido, Ruta
from nucleo.recorridos.api.mensajes import CUERPO_MAX, LEER, PROPONER, Respuesta, en_json
from nucleo.recorridos.api.openapi import documento
from nucleo.recorridos.artefactos.limites import BYTES_MAX

_R = "/api/recorridos"
_UNO = f"{_R}/{{rid}}"
_CON = f"{_UNO}/continuaciones"
_ART = "/api/artefactos"


def _get(patron: str, permiso: str, atender: Atender, resumen: str) -> Ruta:
    return Ruta("GET", patron, permiso, atender, resumen)


def _post(patron: str, permiso: str, atender: Atender, resumen: str) -> Ruta:
    return Ruta("POST", patron, permiso, atender, resumen, cuerpo_max=CUERPO_MAX)


@cache
def _descripcion() -> Respuesta:
    return en_json(200, documento(API.rutas))


def describir(_: Entorno, __: Pedido) -> Respuesta:
    """This very list, as OpenAPI."""
    return _descripcion()


API = Api(
    (
        _get(_R, LEER, lecturas.listar, "Los recorridos, los últimos primero."),
        _post(_R, PROPONER, ordenes.crear, "Crea un recorrido."),
        _get(_UNO, LEER, lecturas.leer, "Un recorrido entero."),
        _get(f"{_UNO}/posibles", LEER, lecturas.posibles, "Lo que puede hacer en él quien pregunta."),
        _post(f"{_UNO}/comandos", PROPONER, ordenes.mandar, "Un comando sobre un recorrido."),
        Ruta("GET", f"{_UNO}/esperar", LEER, lecturas.esperar, "Contesta cuando cambia.", espera=True),
        _get(f"{_UNO}/eventos", LEER, lecturas.eventos, "Lo que ha pasado en él, por orden."),
        _get(f"{_UNO}/intentos", LEER, lecturas.intentos, "Los intentos de un paso."),
        _get(f"{_UNO}/planes", LEER, lecturas.planes, "Las versiones de su plan."),
        _get(f"{_UNO}/planes/{{version}}", LEER, lecturas.plan, "Una versión de su plan."),
        _get(f"{_UNO}/artefactos", LEER, lecturas.artefactos, "Los ficheros que han dejado sus pasos."),
        _get(f"{_UNO}/exportar", DE_PERSONA, lecturas.evidencia, "Su evidencia, en HTML o en JSON."),
        _get(f"{_UNO}/enlaces", LEER, lecturas.enlaces, "De cuál viene y cuáles han salido de él."),
        _get(f"{_UNO}/rechazos", DE_PERSONA, lecturas.rechazos, "Lo que se ha rechazado en él."),
        _get(f"{_UNO}/entregas", DE_PERSONA, lecturas.entregas_de, "Los avisos a quien lo coordina."),
        _get(_CON, LEER, lecturas.continuaciones, "Los textos para quien lo coordina."),
        _post(_CON, PROPONER, ordenes.continuar, "Propone un texto para quien lo coordina."),
        _post(f"{_CON}/enviar", DE_PERSONA, ordenes.enviar, "Envía uno de esos textos."),
        _post(f"{_CON}/descartar", PROPONER, ordenes.descartar, "Descarta uno de esos textos."),
        _post("/api/enlaces", PROPONER, ordenes.enlazar, "Dice que un recorrido viene de otro."),
        _get("/api/bandeja", LEER, lecturas.bandeja, "Lo que espera a una persona, por plazo."),
        _get("/api/entregas", DE_PERSONA, lecturas.inciertas, "Los avisos que no se sabe si llegaron."),
        _post("/api/entregas/{ent}/reconciliar", DE_PERSONA, ordenes.reconciliar, "Dice si un aviso llegó."),
        Ruta("GET", "/api/eventos", LEER, None, "Corriente de cambios (SSE)."),
        Ruta(
            *(
                "POST",
                _ART,
                PROPONER,
                ordenes.registrar_artefacto,
                "Guarda el cuerpo como fichero de un paso.",
            ),
            cuerpo_max=BYTES_MAX,
        ),
        _get(f"{_ART}/{{art}}", LEER, lecturas.artefacto, "Un fichero, para guardarlo."),
        _get(f"{_ART}/{{art}}/vista", LEER, lecturas.vista, "Un fichero inerte, para mirarlo."),
        _get("/api/openapi.json", LEER, describir, "Estas direcciones, descritas en OpenAPI."),
    )
)
