"""A plan that cannot be carried out is refused with everything that is wrong in it."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from nucleo.recorridos.errores import PlanInvalido
from nucleo.recorridos.plan import Clase, Ejecutor, Entrada, Plan, Ruta, Salida, Tipo, TipoCompuerta, Trabajo
from nucleo.recorridos.validar import validar
from tests.recorridos.corrupciones import TODAS
from tests.recorridos.obra import SI, abre, cierra, paso, plan, si
from tests.recorridos.planes import CASA, plan_al_azar
from tests.recorridos.roturas import Corrupcion, con

PARALELA, EXCLUSIVA = TipoCompuerta.PARALELA, TipoCompuerta.EXCLUSIVA


def problemas(malo: Plan) -> list[tuple[str | None, str]]:
    """What the validator says, as pairs of step and sentence."""
    with pytest.raises(PlanInvalido) as dicho:
        validar(malo, CASA)
    assert dicho.value.codigo == "PLAN_INVALIDO"
    assert dicho.value.http == 400
    assert all(p.mensaje in dicho.value.mensaje for p in dicho.value.problemas)
    return [(p.paso, p.mensaje) for p in dicho.value.problemas]


@pytest.mark.parametrize("corrupcion", TODAS, ids=lambda c: c.__name__)
def test_cada_defecto_se_dice_en_su_paso(corrupcion: Corrupcion) -> None:
    """On a dozen random plans where that defect fits."""
    vistos = 0
    for semilla in range(200):
        hecho = corrupcion(Random(semilla), plan_al_azar(Random(semilla), 8))
        if hecho is not None:
            assert hecho[1] in {donde for donde, _ in problemas(hecho[0])}, (semilla, hecho[1])
            vistos += 1
        if vistos == 12:
            return
    assert vistos == 12


def test_todo_se_dice_a_la_vez() -> None:
    malo = plan(
        paso("uno", Clase.MANUAL, "ini", ejecutor=Ejecutor(perfil="x")),
        paso("dos", Clase.CODIGO, "uno", ejecutor=Ejecutor(funcion="nadie"), rehacer_desde="uno"),
        paso(
            "tres",
            Clase.AGENTE,
            "nadie",
            entradas=(Entrada(nombre="x", tipo=Tipo.TEXTO, requerido=True),),
            trabajo="nada",
        ),
        trabajos=(Trabajo(id="vacio", titulo="Vacío"),),
    )
    dichos = problemas(malo)
    texto = " | ".join(f"{donde}: {m}" for donde, m in dichos)
    for trozo in (
        "uno: «ejecutor» es de los pasos de agente o de código",
        "dos: la función «nadie» no está registrada",
        "dos: «rehacer_desde» es de las aprobaciones",
        "dos: tiene que seguirle 1 paso y le siguen 0",
        "tres: depende de «nadie», que no existe",
        "tres: entrada «x»: es necesaria y no tiene origen",
        "tres: es del trabajo «nada», que no existe",
        "None: el trabajo «vacio» no tiene pasos",
    ):
        assert trozo in texto


def _bloque(*cola: str) -> Plan:
    """Two parallel blocks, one inside the other, whose closings gather what is said."""
    return plan(
        abre("g1", PARALELA, "ini", Ruta(destino="a"), Ruta(destino="g2")),
        paso("a", Clase.MANUAL, "g1"),
        abre("g2", PARALELA, "g1", Ruta(destino="b"), Ruta(destino="c")),
        paso("b", Clase.MANUAL, "g2"),
        paso("c", Clase.MANUAL, "g2"),
        cierra("j2", PARALELA, "g2", *cola[:2]),
        cierra("j1", PARALELA, "g1", *cola[2:]),
    )


def test_los_bloques_anidan() -> None:
    assert validar(_bloque("b", "c", "a", "j2"), CASA).orden[-1] == "fin"


def test_los_bloques_no_se_cruzan() -> None:
    assert ("j2", "se llega a este cierre sin haber pasado por su apertura") in problemas(
        _bloque("b", "a", "c", "j2")
    )


def test_lo_de_una_rama_sirve_dentro_de_ella_y_no_fuera() -> None:
    lee = Entrada(nombre="x", tipo=Tipo.BOOLEANO, requerido=True, origen=Salida(paso="a", salida="si"))
    bueno = plan(
        paso("p", Clase.MANUAL, "ini", salidas=(SI,)),
        abre("g", EXCLUSIVA, "p", si("a", "p"), Ruta(destino="b"), por_defecto="b"),
        paso("a", Clase.AGENTE, "g", salidas=(SI,)),
        paso("a2", Clase.AGENTE, "a", entradas=(lee,)),
        paso("b", Clase.AGENTE, "g"),
        cierra("j", EXCLUSIVA, "g", "a2", "b"),
        paso("z", Clase.AGENTE, "j"),
    )
    assert validar(bueno, CASA).exigen["a"] == ("a2",)
    z, b = (next(p for p in bueno.pasos if p.id == i) for i in ("z", "b"))
    assert problemas(con(bueno, z.model_copy(update={"entradas": (lee,)}))) == [
        ("z", "entrada «x»: es necesaria y «a» puede omitirse según «g»")
    ]
    opcional = lee.model_copy(update={"requerido": False})
    validar(con(bueno, z.model_copy(update={"entradas": (opcional,)})), CASA)
    assert problemas(con(bueno, b.model_copy(update={"entradas": (opcional,)}))) == [
        ("b", "entrada «x»: lee de «a», que no va antes")
    ]


def test_la_region_de_rehacer_es_la_fila_hasta_la_aprobacion() -> None:
    fila = plan(
        paso("a", Clase.AGENTE, "ini"),
        paso("b", Clase.CODIGO, "a"),
        paso("c", Clase.AGENTE, "b"),
        paso("ok", Clase.APROBACION, "c", rehacer_desde="b"),
    )
    assert validar(fila, CASA).regiones == {"ok": ("b", "c")}


@pytest.mark.parametrize("vueltas", [1, 33])
def test_un_plan_que_se_muerde_la_cola_no_cuelga(vueltas: int) -> None:
    nombres = [f"p{n}" for n in range(vueltas)]
    pasos = [paso(i, Clase.MANUAL, nombres[n - 1]) for n, i in enumerate(nombres)]
    assert any("hay un ciclo" in m for _, m in problemas(plan(*pasos)))


@pytest.mark.parametrize(
    ("plantilla", "funcion", "vale"),
    [
        (None, "contar", True),
        (None, "reservada", False),
        ("prueba@1", "reservada", True),
        ("prueba@1", "ajena", False),
        ("prueba@1", "contar", True),
    ],
)
def test_un_plan_solo_usa_las_funciones_que_le_tocan(plantilla: str | None, funcion: str, vale: bool) -> None:
    suyo = plan(
        paso("alcance", Clase.MANUAL, "ini"),
        paso("x", Clase.CODIGO, "alcance", ejecutor=Ejecutor(funcion=funcion)),
        plantilla=plantilla,
    )
    comprobar: Callable[[Plan], object] = (lambda p: validar(p, CASA)) if vale else problemas
    assert comprobar(suyo)


def test_los_trabajos_pueden_ir_a_la_vez_pero_no_en_circulo() -> None:
    trabajos = (Trabajo(id="x", titulo="X"), Trabajo(id="y", titulo="Y"))
    a_la_vez = plan(
        abre("g", PARALELA, "ini", Ruta(destino="a"), Ruta(destino="b")),
        paso("a", Clase.MANUAL, "g", trabajo="x"),
        paso("b", Clase.MANUAL, "g", trabajo="y"),
        cierra("j", PARALELA, "g", "a", "b"),
        trabajos=trabajos,
    )
    validar(a_la_vez, CASA)
    en_circulo = plan(
        paso("a", Clase.MANUAL, "ini", trabajo="x"),
        paso("b", Clase.MANUAL, "a", trabajo="y"),
        paso("c", Clase.MANUAL, "b", trabajo="x"),
        trabajos=trabajos,
    )
    assert problemas(en_circulo) == [
        (None, "cada uno de estos trabajos tendría que ir antes que el otro: x, y")
    ]
