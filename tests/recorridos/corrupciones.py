"""One thing wrong in a good plan, of many kinds, with the step where it must be told."""

from __future__ import annotations

from random import Random

from nucleo.recorridos.plan import (
    Clase,
    Compuerta,
    Contexto,
    Ejecutor,
    Entrada,
    Formulario,
    Interaccion,
    Literal_,
    Paso,
    Plan,
    Puerto,
    Salida,
    Tipo,
    TipoCompuerta,
    Trabajo,
)
from tests.recorridos.corrupciones_compuertas import (
    cierre_que_no_va,
    condicion_que_no_va,
    defecto_que_no_va,
    paralela_que_elige,
    rama_vacia,
    rutas_que_no_van,
)
from tests.recorridos.planes import malos_de
from tests.recorridos.roturas import Corrompido, Corrupcion, con, con_entrada, con_salida, tarea, uno


def corrupcion_al_azar(azar: Random, plan: Plan) -> tuple[str, Plan, str | None]:
    """Its name, the wrong plan and the step to blame (None: the whole)."""
    for corrupcion in azar.sample(TODAS, len(TODAS)):
        hecho = corrupcion(azar, plan)
        if hecho is not None:
            return corrupcion.__name__, *hecho
    raise AssertionError("any plan can be spoiled")


def repetido(azar: Random, plan: Plan) -> Corrompido:
    paso = azar.choice(plan.pasos)
    return plan.model_copy(update={"pasos": (*plan.pasos, paso)}), paso.id


def dependencia_de_nadie(azar: Random, plan: Plan) -> Corrompido:
    paso = azar.choice(plan.pasos)
    return con(plan, paso.model_copy(update={"dependencias": (*paso.dependencias, "nadie")})), paso.id


def dependencia_doble(azar: Random, plan: Plan) -> Corrompido:
    paso = azar.choice([p for p in plan.pasos if p.dependencias])
    return con(plan, paso.model_copy(update={"dependencias": paso.dependencias * 2})), paso.id


def ciclo(azar: Random, plan: Plan) -> Corrompido:
    paso = tarea(azar, plan)
    return con(plan, paso.model_copy(update={"dependencias": (paso.id,)})), None


def sin_final(_: Random, plan: Plan) -> Corrompido:
    return plan.model_copy(update={"pasos": tuple(p for p in plan.pasos if p.clase is not Clase.FIN)}), None


def dos_finales(azar: Random, plan: Plan) -> Corrompido:
    otro = Paso(id="otro-fin", titulo="Otro", clase=Clase.FIN, dependencias=(tarea(azar, plan).id,))
    return plan.model_copy(update={"pasos": (*plan.pasos, otro)}), None


def inicio_tardio(azar: Random, plan: Plan) -> Corrompido:
    paso = azar.choice([p for p in plan.pasos if p.clase is Clase.INICIO])
    return con(plan, paso.model_copy(update={"dependencias": (tarea(azar, plan).id,)})), paso.id


def isla(_: Random, plan: Plan) -> Corrompido:
    """Two steps that only know each other's company: nobody gets to them."""
    pasos = (
        Paso(id="isla", titulo="Isla", clase=Clase.MANUAL, dependencias=("isla2",)),
        Paso(id="isla2", titulo="Isla", clase=Clase.MANUAL, dependencias=("isla",)),
    )
    return plan.model_copy(update={"pasos": (*plan.pasos, *pasos)}), None


def estructura_con_puertos(azar: Random, plan: Plan) -> Corrompido:
    paso = azar.choice([p for p in plan.pasos if p.clase in (Clase.INICIO, Clase.FIN, Clase.COMPUERTA)])
    return con(plan, paso.model_copy(update={"salidas": (Puerto(nombre="x", tipo=Tipo.TEXTO),)})), paso.id


def compuerta_sin_serlo(azar: Random, plan: Plan) -> Corrompido:
    paso = tarea(azar, plan)
    compuerta = Compuerta(tipo=TipoCompuerta.PARALELA, sentido="cierra", abre="ini")
    return con(plan, paso.model_copy(update={"compuerta": compuerta})), paso.id


def pregunta_a_una_maquina(azar: Random, plan: Plan) -> Corrompido | None:
    paso = uno(azar, plan, Clase.AGENTE, Clase.CODIGO)
    if paso is None:
        return None
    return con(plan, paso.model_copy(update={"interaccion": Interaccion(pregunta="¿Va?")})), paso.id


def trabajo_de_nadie(azar: Random, plan: Plan) -> Corrompido:
    paso = tarea(azar, plan)
    return con(plan, paso.model_copy(update={"trabajo": "nadie"})), paso.id


def trabajo_sin_pasos(_: Random, plan: Plan) -> Corrompido:
    return plan.model_copy(update={"trabajos": (*plan.trabajos, Trabajo(id="vacio", titulo="Vacío"))}), None


def trabajo_doble(azar: Random, plan: Plan) -> Corrompido:
    paso = tarea(azar, plan).model_copy(update={"trabajo": "uno"})
    doble = (Trabajo(id="uno", titulo="Uno"), Trabajo(id="uno", titulo="Uno"))
    return con(plan, paso).model_copy(update={"trabajos": (*plan.trabajos, *doble)}), None


def trabajos_en_circulo(_: Random, plan: Plan) -> Corrompido | None:
    """The first and the last step of a job, with another job between them."""
    quien = {"alcance": "ida", "fin": "ida"}
    medio = next((p for p in plan.pasos if "alcance" in p.dependencias and p.clase is not Clase.FIN), None)
    if medio is None:
        return None
    quien[medio.id] = "vuelta"
    trabajos = tuple(Trabajo(id=t, titulo=t) for t in ("ida", "vuelta"))
    pasos = tuple(p.model_copy(update={"trabajo": quien.get(p.id)}) for p in plan.pasos)
    return plan.model_copy(update={"trabajos": trabajos, "pasos": pasos}), None


def ejecutor_de_persona(azar: Random, plan: Plan) -> Corrompido:
    paso = azar.choice([p for p in plan.pasos if p.clase is Clase.MANUAL])
    return con(plan, paso.model_copy(update={"ejecutor": Ejecutor(funcion="contar")})), paso.id


def ejecutor_cambiado(azar: Random, plan: Plan) -> Corrompido | None:
    paso = uno(azar, plan, Clase.AGENTE, Clase.CODIGO)
    if paso is None:
        return None
    malos = [Ejecutor(), Ejecutor(funcion="contar", perfil="redactor")]
    malos.append(Ejecutor(funcion="contar") if paso.clase is Clase.AGENTE else Ejecutor(perfil="redactor"))
    return con(plan, paso.model_copy(update={"ejecutor": azar.choice(malos)})), paso.id


def funcion_que_no_es_suya(azar: Random, plan: Plan) -> Corrompido | None:
    paso = uno(azar, plan, Clase.CODIGO)
    if paso is None:
        return None
    nombre = azar.choice(["no-registrada", "ajena", *([] if plan.plantilla else ["reservada"])])
    return con(plan, paso.model_copy(update={"ejecutor": Ejecutor(funcion=nombre)})), paso.id


def plantilla_desconocida(_: Random, plan: Plan) -> Corrompido:
    return plan.model_copy(update={"plantilla": "prueba@2"}), None


def sin_la_persona_obligada(_: Random, plan: Plan) -> Corrompido | None:
    """The whole plan is good but for the policy of its template."""
    obligado = next(p for p in plan.pasos if p.id == "alcance")
    if plan.plantilla is None:
        return None
    return con(plan, obligado.model_copy(update={"clase": Clase.AGENTE})), "alcance"


def rehacer_sin_aprobar(azar: Random, plan: Plan) -> Corrompido:
    paso = azar.choice([p for p in plan.pasos if p.clase is Clase.MANUAL])
    return con(plan, paso.model_copy(update={"rehacer_desde": paso.id})), paso.id


def rehacer_a_una_persona(azar: Random, plan: Plan) -> Corrompido | None:
    paso = uno(azar, plan, Clase.APROBACION)
    if paso is None:
        return None
    return con(
        plan, paso.model_copy(update={"rehacer_desde": azar.choice(["alcance", "ini", "nadie", paso.id])})
    ), paso.id


def puerto_doble(azar: Random, plan: Plan) -> Corrompido:
    return con_salida(azar, plan, *[Puerto(nombre="doble", tipo=Tipo.TEXTO)] * 2)


def opcion_sin_opciones(azar: Random, plan: Plan) -> Corrompido:
    opciones = azar.choice([(), ("a", "a")])
    return con_salida(azar, plan, Puerto(nombre="mala", tipo=Tipo.OPCION, opciones=opciones))


def opciones_sin_opcion(azar: Random, plan: Plan) -> Corrompido:
    return con_salida(
        azar,
        plan,
        Puerto(nombre="mala", tipo=Tipo.TEXTO, opciones=("a",), formulario=Formulario(etiqueta="A")),
    )


def esquema_de_nadie(azar: Random, plan: Plan) -> Corrompido:
    tipo, esquema = azar.choice([(Tipo.OBJETO, "nadie"), (Tipo.TEXTO, "ficha")])
    return con_salida(azar, plan, Puerto(nombre="mala", tipo=tipo, esquema=esquema))


def entrada_sin_origen(azar: Random, plan: Plan) -> Corrompido:
    return con_entrada(azar, plan, Entrada(nombre="mala", tipo=Tipo.TEXTO, requerido=True))


def literal_de_otro_tipo(azar: Random, plan: Plan) -> Corrompido:
    tipo = azar.choice(list(Tipo))
    puerto = Puerto(nombre="mala", tipo=tipo, opciones=("a", "b", "1") if tipo is Tipo.OPCION else ())
    entrada = Entrada(
        nombre="mala",
        tipo=tipo,
        opciones=puerto.opciones,
        origen=Literal_(valor=azar.choice(malos_de(puerto))),
    )
    return con_entrada(azar, plan, entrada)


def contexto_que_no_va(azar: Random, plan: Plan) -> Corrompido:
    """A key that is not there, or (True for 1) of another type."""
    clave, tipo = azar.choice([("nadie", Tipo.TEXTO), ("urge", Tipo.ENTERO), ("veces", Tipo.BOOLEANO)])
    return con_entrada(
        azar, plan, Entrada(nombre="mala", tipo=tipo, requerido=True, origen=Contexto(clave=clave))
    )


def fuente_que_no_va(azar: Random, plan: Plan) -> Corrompido:
    de, salida, tipo = azar.choice(
        [
            ("nadie", "ok", Tipo.BOOLEANO),
            ("alcance", "nadie", Tipo.BOOLEANO),
            ("alcance", "ok", Tipo.ENTERO),
            ("alcance", "cuantos", Tipo.NUMERO),
        ]
    )
    paso = azar.choice(
        [p for p in plan.pasos if p.id == "alcance" or p.clase in (Clase.AGENTE, Clase.MANUAL)]
    )
    return con_entrada(
        azar, plan, Entrada(nombre="mala", tipo=tipo, origen=Salida(paso=de, salida=salida)), paso
    )


def fuente_del_futuro(azar: Random, plan: Plan) -> Corrompido:
    paso = next(p for p in plan.pasos if p.id == "alcance")
    de = azar.choice([p for p in plan.pasos if p.salidas])
    puerto = azar.choice(de.salidas)
    entrada = Entrada(
        nombre="mala",
        tipo=puerto.tipo,
        opciones=puerto.opciones,
        origen=Salida(paso=de.id, salida=puerto.nombre),
    )
    return con_entrada(azar, plan, entrada, paso)


def necesaria_de_opcional(azar: Random, plan: Plan) -> Corrompido | None:
    paso = next(
        (p for p in plan.pasos if p.id != "alcance" and p.clase in (Clase.AGENTE, Clase.MANUAL)), None
    )
    if paso is None:
        return None
    origen = Salida(paso="alcance", salida="nota")
    return con_entrada(
        azar, plan, Entrada(nombre="mala", tipo=Tipo.TEXTO, requerido=True, origen=origen), paso
    )


def necesaria_de_una_rama(azar: Random, plan: Plan) -> Corrompido | None:
    """What one branch leaves, needed after the block that may skip it."""
    for cierre in plan.pasos:
        if cierre.compuerta is None or cierre.compuerta.sentido == "abre":
            continue
        if cierre.compuerta.tipo is TipoCompuerta.PARALELA:
            continue
        de = next(p for p in plan.pasos if p.id == cierre.dependencias[0])
        tras = next((p for p in plan.pasos if cierre.id in p.dependencias), None)
        if de.compuerta or tras is None or tras.compuerta or tras.clase is Clase.FIN:
            continue
        salida = Puerto(nombre="justa", tipo=Tipo.TEXTO, requerido=True)
        plan = con(plan, de.model_copy(update={"salidas": (*de.salidas, salida)}))
        entrada = Entrada(
            nombre="mala", tipo=Tipo.TEXTO, requerido=True, origen=Salida(paso=de.id, salida="justa")
        )
        return con_entrada(azar, plan, entrada, next(p for p in plan.pasos if p.id == tras.id))
    return None


TODAS: list[Corrupcion] = [
    repetido,
    dependencia_de_nadie,
    dependencia_doble,
    ciclo,
    sin_final,
    dos_finales,
    inicio_tardio,
    isla,
    estructura_con_puertos,
    compuerta_sin_serlo,
    pregunta_a_una_maquina,
    trabajo_de_nadie,
    trabajo_sin_pasos,
    trabajo_doble,
    trabajos_en_circulo,
    ejecutor_de_persona,
    ejecutor_cambiado,
    funcion_que_no_es_suya,
    plantilla_desconocida,
    sin_la_persona_obligada,
    rehacer_sin_aprobar,
    rehacer_a_una_persona,
    puerto_doble,
    opcion_sin_opciones,
    opciones_sin_opcion,
    esquema_de_nadie,
    entrada_sin_origen,
    literal_de_otro_tipo,
    contexto_que_no_va,
    fuente_que_no_va,
    fuente_del_futuro,
    necesaria_de_opcional,
    necesaria_de_una_rama,
    condicion_que_no_va,
    defecto_que_no_va,
    paralela_que_elige,
    rutas_que_no_van,
    cierre_que_no_va,
    rama_vacia,
]
