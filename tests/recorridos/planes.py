"""Random plans with every kind of gate, type, origin and redo region, and the house that they may use.

Whatever comes from here is valid. Chance comes from a `Random`, so that a seed is the whole plan.
"""

from __future__ import annotations

from random import Random

from pydantic import JsonValue

from nucleo.modelo import Modelo
from nucleo.recorridos.casa import Casa, EncargoPaso, Funcion, Plantilla, ResultadoPaso
from nucleo.recorridos.errores import Problema
from nucleo.recorridos.plan import (
    Clase,
    Compuerta,
    Condicion,
    Contexto,
    Ejecutor,
    Entrada,
    Literal_,
    Operador,
    Paso,
    Plan,
    Puerto,
    Ruta,
    Salida,
    Tipo,
    TipoCompuerta,
    Trabajo,
    Valores,
)

BUENOS: dict[str, list[JsonValue]] = {
    "texto": ["", "1", "sí"],
    "numero": [0, 1, 1.0, 2.5, -3],
    "entero": [0, 1, 2],
    "booleano": [True, False],
    "objeto": [{}, {"a": [1, {"b": None}]}],
    "lista": [[], [1, "x", None]],
    "opcion": ["a", "b", "1"],
    "fecha": ["2026-01-01", "2026-02-28", "2027-12-31"],
    "importe": ["1", "1.00", "2.50", "-0.125"],
    "artefacto": ["art_" + "0" * 26, "art_" + "Z" * 26],
}
MALOS: dict[str, list[JsonValue]] = {
    "texto": [1, None, ["x"], True],
    "numero": [True, "1", None],
    "entero": [True, False, 1.0, 1.5, "1"],
    "booleano": [1, 0, "true", None],
    "objeto": [[], "a", None],
    "lista": [{}, "a", None],
    "opcion": ["c", 1, "", None],
    "fecha": ["2026-02-30", "20260101", "01/01/2026", "2026-W01-1", 20260101],
    "importe": ["1,5", "1e3", "", " 1", "١", 1, 2.5],
    "artefacto": ["art_", "x", "art_" + "0" * 25, 7],
}
FICHAS: list[JsonValue] = [{"nombre": "x", "cuenta": 1}, {"nombre": "", "cuenta": 0}]
FICHAS_MALAS: list[JsonValue] = [{}, {"nombre": "x", "cuenta": True}, {"nombre": "x", "cuenta": 1, "otra": 1}]

PROHIBIDO = "sí"
"""Text that the test template's rule refuses at its obligatory step."""


class Ficha(Modelo):
    """A registered model."""

    nombre: str
    cuenta: int


def _contar(_: EncargoPaso) -> ResultadoPaso:
    return ResultadoPaso(salidas={}, mensaje="hecho")


def _politica(plan: Plan) -> tuple[Problema, ...]:
    obligado = next((p for p in plan.pasos if p.id == "alcance"), None)
    if obligado is None or obligado.clase is not Clase.MANUAL:
        return (Problema(paso="alcance", mensaje="lo decide una persona"),)
    return ()


def _respuesta(paso: Paso, _: Valores, salidas: Valores) -> tuple[Problema, ...]:
    if paso.id == "alcance" and salidas.get("nota") == PROHIBIDO:
        return (Problema(paso=paso.id, mensaje="esa nota no vale"),)
    return ()


ALCANCE = Paso(
    id="alcance",
    titulo="Alcance",
    clase=Clase.MANUAL,
    dependencias=("ini",),
    salidas=(
        Puerto(nombre="ok", tipo=Tipo.BOOLEANO, requerido=True),
        Puerto(nombre="cuantos", tipo=Tipo.ENTERO, requerido=True),
        Puerto(nombre="nota", tipo=Tipo.TEXTO),
        Puerto(nombre="precio", tipo=Tipo.IMPORTE, requerido=True),
        Puerto(nombre="cual", tipo=Tipo.OPCION, opciones=("a", "b", "1")),
    ),
)
_MINIMO = Plan(
    titulo="Prueba",
    plantilla="prueba@1",
    pasos=(
        Paso(id="ini", titulo="Inicio", clase=Clase.INICIO),
        ALCANCE,
        Paso(
            id="cuenta",
            titulo="Cuenta",
            clase=Clase.CODIGO,
            dependencias=("alcance",),
            ejecutor=Ejecutor(funcion="reservada"),
        ),
        Paso(id="fin", titulo="Fin", clase=Clase.FIN, dependencias=("cuenta",)),
    ),
)
CASA = Casa(
    plantillas={
        "prueba@1": Plantilla(nombre="prueba@1", plan=_MINIMO, politica=_politica, respuesta=_respuesta)
    },
    funciones={
        "contar": Funcion(nombre="contar", ejecutar=_contar, abierta=True),
        "reservada": Funcion(nombre="reservada", ejecutar=_contar),
        "ajena": Funcion(nombre="ajena", ejecutar=_contar),
    },
    esquemas={"ficha": Ficha},
)

CONTEXTO: Valores = {"plazo": "2026-02-28", "veces": 1, "urge": True}
TIPOS_CONTEXTO = {"plazo": Tipo.FECHA, "veces": Tipo.ENTERO, "urge": Tipo.BOOLEANO}
SIN_COMPARAR = (Tipo.OBJETO, Tipo.LISTA)
CON_MEDIDA = (Tipo.NUMERO, Tipo.ENTERO, Tipo.FECHA, Tipo.IMPORTE)

Fuente = tuple[str, Puerto, bool]
"""A step, one of its outputs, and whether it is sure to be there (not in a branch that may have been skipped)."""


def valores_de(puerto: Puerto) -> list[JsonValue]:
    """Good values of a port, all of them different for whoever compares types."""
    if puerto.esquema is not None:
        return list(FICHAS) if puerto.tipo is Tipo.OBJETO else [[], list(FICHAS)]
    if puerto.tipo is Tipo.OPCION:
        return list(puerto.opciones)
    return BUENOS[puerto.tipo]


def malos_de(puerto: Puerto) -> list[JsonValue]:
    """Values that the port must refuse."""
    if puerto.esquema is not None:
        return list(FICHAS_MALAS) if puerto.tipo is Tipo.OBJETO else [[malo] for malo in FICHAS_MALAS]
    return MALOS[puerto.tipo]


class Telar:
    """Weaves one plan; `azar` decides everything. At most `tamano` steps of work, more or less."""

    def __init__(self, azar: Random, tamano: int) -> None:
        self.azar = azar
        self.tamano = tamano
        self.pasos: list[Paso] = []

    def tejer(self) -> Plan:
        """A whole plan, its steps sometimes listed in disorder."""
        azar = self.azar
        self.pasos = [Paso(id="ini", titulo="Inicio", clase=Clase.INICIO), ALCANCE]
        fuentes: list[Fuente] = [("alcance", p, True) for p in ALCANCE.salidas]
        cola = "alcance"
        while len(self.pasos) < self.tamano + 2:
            cola, fuentes = self._tramo(cola, fuentes, 3)
        self.pasos.append(Paso(id="fin", titulo="Fin", clase=Clase.FIN, dependencias=(cola,)))
        trabajos = self._repartir() if azar.random() < 0.3 else ()
        if azar.random() < 0.3:
            azar.shuffle(self.pasos)
        return Plan(
            titulo="Plan de prueba",
            plantilla="prueba@1" if azar.random() < 0.25 else None,
            peticion="lo que se pidió",
            contexto=CONTEXTO,
            trabajos=trabajos,
            pasos=tuple(self.pasos),
        )

    def _nombre(self, inicial: str) -> str:
        return f"{inicial}{len(self.pasos)}"

    def _repartir(self) -> tuple[Trabajo, ...]:
        mitad = len(self.pasos) // 2
        self.pasos = [
            p.model_copy(update={"trabajo": "primero" if n < mitad else "segundo"})
            for n, p in enumerate(self.pasos)
        ]
        return Trabajo(id="primero", titulo="Primero"), Trabajo(id="segundo", titulo="Segundo")

    def _tramo(self, cola: str, fuentes: list[Fuente], hondura: int) -> tuple[str, list[Fuente]]:
        dado = self.azar.random()
        if dado < 0.3 and hondura > 0 and len(self.pasos) < self.tamano:
            return self._bloque(cola, fuentes, hondura)
        if dado < 0.5:
            return self._region(cola, fuentes)
        return self._tarea(cola, fuentes, self.azar.choice([Clase.MANUAL, Clase.APROBACION, *MAQUINAS]))

    def _region(self, cola: str, fuentes: list[Fuente]) -> tuple[str, list[Fuente]]:
        """One to three machine steps and the approval that may ask for them again."""
        primeros = []
        for _ in range(self.azar.randint(1, 3)):
            cola, fuentes = self._tarea(cola, fuentes, self.azar.choice(MAQUINAS))
            primeros.append(cola)
        cola, fuentes = self._tarea(cola, fuentes, Clase.APROBACION)
        self.pasos[-1] = self.pasos[-1].model_copy(
            update={"rehacer_desde": self.azar.choice(primeros), "max_rehechos": self.azar.randint(1, 2)}
        )
        return cola, fuentes

    def _tarea(self, cola: str, fuentes: list[Fuente], clase: Clase) -> tuple[str, list[Fuente]]:
        azar = self.azar
        i = self._nombre("t")
        salidas = tuple(self._puerto(f"s{n}") for n in range(azar.choice([0, 1, 1, 2])))
        self.pasos.append(
            Paso(
                id=i,
                titulo=f"Tarea {i}",
                clase=clase,
                dependencias=(cola,),
                entradas=tuple(self._entrada(f"e{n}", fuentes) for n in range(azar.choice([0, 1, 1, 2]))),
                salidas=salidas,
                ejecutor=self._ejecutor(clase),
                rol=azar.choice(["editor", "editor", "editor", "admin"]),
            )
        )
        return i, fuentes + [(i, p, True) for p in salidas]

    def _ejecutor(self, clase: Clase) -> Ejecutor | None:
        if clase not in MAQUINAS or self.azar.random() < 0.4:
            return None
        return Ejecutor(
            funcion="contar" if clase is Clase.CODIGO else None,
            perfil="redactor" if clase is Clase.AGENTE else None,
            repetible=self.azar.random() < 0.5,
            arriendo_s=self.azar.choice([5, 60, 900]),
        )

    def _puerto(self, nombre: str) -> Puerto:
        tipo = self.azar.choice(list(Tipo))
        esquema = "ficha" if tipo in SIN_COMPARAR and self.azar.random() < 0.5 else None
        return Puerto(
            nombre=nombre,
            tipo=tipo,
            requerido=self.azar.random() < 0.6,
            opciones=("a", "b", "1") if tipo is Tipo.OPCION else (),
            esquema=esquema,
        )

    def _entrada(self, nombre: str, fuentes: list[Fuente]) -> Entrada:
        azar = self.azar
        dado = azar.random()
        if dado < 0.6:
            de, puerto, segura = azar.choice(fuentes)
            return Entrada(
                nombre=nombre,
                tipo=puerto.tipo,
                opciones=puerto.opciones,
                esquema=azar.choice([puerto.esquema, None]),
                requerido=segura and puerto.requerido and azar.random() < 0.6,
                origen=Salida(paso=de, salida=puerto.nombre),
            )
        if dado < 0.8:
            clave = azar.choice(list(CONTEXTO))
            return Entrada(
                nombre=nombre, tipo=TIPOS_CONTEXTO[clave], requerido=True, origen=Contexto(clave=clave)
            )
        if dado < 0.9:
            return Entrada(nombre=nombre, tipo=Tipo.TEXTO, origen=Contexto(clave="no-esta"))
        puerto = self._puerto(nombre)
        return Entrada(
            nombre=nombre,
            tipo=puerto.tipo,
            opciones=puerto.opciones,
            esquema=puerto.esquema,
            requerido=True,
            origen=Literal_(valor=azar.choice(valores_de(puerto))),
        )

    def _bloque(self, cola: str, fuentes: list[Fuente], hondura: int) -> tuple[str, list[Fuente]]:
        azar = self.azar
        tipo = azar.choice(list(TipoCompuerta))
        apertura = self._nombre("g")
        hueco = len(self.pasos)
        self.pasos.append(Paso(id=apertura, titulo="Se abre", clase=Clase.COMPUERTA))
        rutas: list[Ruta] = []
        colas: list[str] = []
        de_dentro: list[Fuente] = []
        por_defecto = azar.randrange(cuantas := azar.randint(2, 4))
        for n in range(cuantas):
            primero = len(self.pasos)
            final, ve = apertura, list(fuentes)
            for _ in range(azar.randint(1, 2)):
                final, ve = self._tramo(final, ve, hondura - 1)
            condicion = tipo is not TipoCompuerta.PARALELA and n != por_defecto
            rutas.append(
                Ruta(destino=self.pasos[primero].id, cuando=self._condicion(fuentes) if condicion else None)
            )
            colas.append(final)
            de_dentro += ve[len(fuentes) :]
        con_defecto = None if tipo is TipoCompuerta.PARALELA else rutas[por_defecto].destino
        self.pasos[hueco] = Paso(
            id=apertura,
            titulo="Se abre",
            clase=Clase.COMPUERTA,
            dependencias=(cola,),
            compuerta=Compuerta(tipo=tipo, sentido="abre", rutas=tuple(rutas), por_defecto=con_defecto),
        )
        cierre = self._nombre("j")
        self.pasos.append(
            Paso(
                id=cierre,
                titulo="Se cierra",
                clase=Clase.COMPUERTA,
                dependencias=tuple(colas),
                compuerta=Compuerta(tipo=tipo, sentido="cierra", abre=apertura),
            )
        )
        seguras = tipo is TipoCompuerta.PARALELA
        return cierre, fuentes + [(de, p, segura and seguras) for de, p, segura in de_dentro]

    def _condicion(self, fuentes: list[Fuente]) -> Condicion:
        azar = self.azar
        de, puerto, _ = azar.choice(fuentes)
        valores = valores_de(puerto)
        operadores = [Operador.EXISTE]
        if puerto.tipo not in SIN_COMPARAR:
            operadores = [
                *OPERADORES,
                *((Operador.MAYOR, Operador.MENOR) * 2 if puerto.tipo in CON_MEDIDA else ()),
            ]
        op = azar.choice(operadores)
        valor: JsonValue = azar.choice(valores)
        if op is Operador.EXISTE:
            valor = azar.choice([None, True])
        elif op is Operador.EN:
            valor = azar.sample(valores, azar.randint(1, len(valores)))
        return Condicion(paso=de, salida=puerto.nombre, op=op, valor=valor)


MAQUINAS = [Clase.AGENTE, Clase.CODIGO]
OPERADORES = [Operador.IGUAL, Operador.IGUAL, Operador.DISTINTO, Operador.EN, Operador.EXISTE]


def plan_al_azar(azar: Random, tamano: int = 10) -> Plan:
    """A valid plan of about that many steps."""
    return Telar(azar, tamano).tejer()
