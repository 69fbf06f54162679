"""Deliberate bugs, one by one, that the properties must catch. Each is a change of text in one file of the engine."""

from __future__ import annotations

from tests.recorridos.mutante import Mutante
from tests.recorridos.mutantes_demas import DEMAS

MUTANTES = (
    Mutante(
        "un cierre no espera a todas sus ramas",
        "motor/propagar.py",
        "    if any(borrador.pasos[d].estado not in RESUELTAS for d in paso.dependencias):",
        "    if all(borrador.pasos[d].estado not in RESUELTAS for d in paso.dependencias) and paso.dependencias:",
    ),
    Mutante(
        "la exclusiva toma todas las ciertas",
        "motor/propagar.py",
        "        ciertas = ciertas[:1]",
        "        pass",
    ),
    Mutante(
        "la inclusiva toma solo la primera",
        "motor/propagar.py",
        "if compuerta.tipo is TipoCompuerta.EXCLUSIVA:",
        "if True:",
    ),
    Mutante(
        "sin rutas ciertas no se toma ninguna",
        "motor/propagar.py",
        "if not ciertas and compuerta.por_defecto is not None:",
        "if False and compuerta.por_defecto is not None:",
    ),
    Mutante(
        "la de por defecto se toma siempre",
        "motor/propagar.py",
        "    return ciertas\n",
        "    return (*ciertas, compuerta.por_defecto or '')\n",
    ),
    Mutante(
        "lo omitido deja pasar",
        "motor/propagar.py",
        "    if estado.estado is Situacion.OMITIDO:\n        return False\n",
        "",
    ),
    Mutante(
        "lo dispensado no deja pasar",
        "motor/propagar.py",
        "    if estado.estado is Situacion.OMITIDO:",
        "    if estado.estado in (Situacion.OMITIDO, Situacion.DISPENSADO):",
    ),
    Mutante(
        "las ramas no elegidas también se abren",
        "motor/propagar.py",
        "return estado.ramas is None or hacia in estado.ramas",
        "return True",
    ),
    Mutante(
        "sin la salida, la condición se cumple",
        "motor/propagar.py",
        "    if condicion.salida not in salidas:\n        return False",
        "    if condicion.salida not in salidas:\n        return True",
    ),
    Mutante(
        "en pausa se sigue abriendo",
        "motor/propagar.py",
        "    if borrador.estado is not EstadoRecorrido.ACTIVO:\n        return\n",
        "",
    ),
    Mutante(
        "el recorrido no acaba nunca",
        "motor/propagar.py",
        "        borrador.fin()",
        "        pass",
    ),
    Mutante(
        "el recorrido acaba antes de tiempo",
        "motor/propagar.py",
        "    if all(p.estado in RESUELTAS for p in borrador.pasos.values()):",
        "    if sum(p.estado not in RESUELTAS for p in borrador.pasos.values()) <= 2:",
    ),
    Mutante(
        "un paso de persona queda listo para una máquina",
        "motor/propagar.py",
        "Situacion.ESPERANDO if paso.clase in HUMANO else Situacion.LISTO",
        "Situacion.LISTO",
    ),
    Mutante(
        "verdadero vale como entero",
        "valores.py",
        "return isinstance(valor, int) and not isinstance(valor, bool)",
        "return isinstance(valor, int)",
    ),
    Mutante(
        "verdadero vale como número",
        "valores.py",
        "return isinstance(valor, int | float) and not isinstance(valor, bool)",
        "return isinstance(valor, int | float)",
    ),
    Mutante(
        "cualquier texto vale como opción",
        "valores.py",
        "if puerto.tipo is Tipo.OPCION and valor not in puerto.opciones:",
        "if False:",
    ),
    Mutante(
        "los importes se comparan como textos",
        "valores.py",
        "    if tipo is Tipo.IMPORTE:\n        return Decimal(str(a)) == Decimal(str(b))\n",
        "",
    ),
    Mutante(
        "mayor admite la igualdad",
        "valores.py",
        "return bool(_medida(tipo, valor) > _medida(tipo, con))",
        "return bool(_medida(tipo, valor) >= _medida(tipo, con))",
    ),
    Mutante(
        "menor y mayor, al revés",
        "valores.py",
        "return bool(_medida(tipo, valor) < _medida(tipo, con))",
        "return bool(_medida(tipo, valor) > _medida(tipo, con))",
    ),
    Mutante(
        "distinto es igual",
        "valores.py",
        "return not _iguales(tipo, valor, con)",
        "return _iguales(tipo, valor, con)",
    ),
    Mutante(
        "los esquemas no se miran",
        "valores.py",
        "    if puerto.esquema is not None:\n        return _problema_de_esquema",
        "    if False:\n        return _problema_de_esquema",
    ),
    Mutante(
        "dos pasos son el mismo si uno dice verdadero y otro 1",
        "valores.py",
        "return a == b and a.model_dump_json() == b.model_dump_json()",
        "return a == b",
    ),
    Mutante(
        "sin valla de intento",
        "motor/admision.py",
        "if intento is not None and paso.clase in MAQUINA and intento != estado.intento:",
        "if False:",
    ),
    Mutante(
        "en pausa se puede iniciar",
        "motor/admision.py",
        "        TipoComando.VENCER,\n    )\n)",
        "        TipoComando.VENCER,\n        TipoComando.INICIAR,\n    )\n)",
    ),
    Mutante(
        "lo terminado admite informes",
        "motor/admision.py",
        "    elif terminal:",
        "    elif terminal and tipo is not TipoComando.ANOTAR:",
    ),
    Mutante(
        "otro plan con trabajo en curso",
        "motor/admision.py",
        "    if abiertos:",
        "    if False:",
    ),
    Mutante(
        "cualquiera concilia lo dudoso",
        "motor/admision.py",
        "    if orden.actor.clase is ClaseActor.PERSONA or (",
        "    if True or (",
    ),
    Mutante(
        "se rehace una vez de más",
        "motor/admision.py",
        "if orden.estado.rehechos >= orden.paso.max_rehechos:",
        "if orden.estado.rehechos > orden.paso.max_rehechos:",
    ),
    Mutante(
        "se dispensa lo que otro necesita",
        "motor/admision.py",
        "    if exigen:",
        "    if False:",
    ),
    Mutante(
        "se dispensa una aprobación",
        "motor/admision.py",
        "TipoComando.DISPENSAR: MAQUINA | {Clase.MANUAL},",
        "TipoComando.DISPENSAR: MAQUINA | {Clase.MANUAL, Clase.APROBACION},",
    ),
    Mutante(
        "lo en curso se puede iniciar otra vez",
        "motor/admision.py",
        'TipoComando.INICIAR: (frozenset((Situacion.LISTO,)), "NO_LISTO"),',
        'TipoComando.INICIAR: (frozenset((Situacion.LISTO, Situacion.EN_CURSO)), "NO_LISTO"),',
    ),
    Mutante(
        "la revisión del paso no se mira",
        "motor/revision.py",
        "        _entre(orden, orden.estado.rev_base)",
        "        _entre(orden, 1)",
    ),
    Mutante(
        "a un paso se le exige la revisión de ahora",
        "motor/revision.py",
        "        _entre(orden, orden.estado.rev_base)",
        "        _entre(orden, orden.antes.revision)",
    ),
    Mutante(
        "aceptar un plan con una pantalla vieja",
        "motor/revision.py",
        "        TipoComando.ACEPTAR_PLAN,\n",
        "",
    ),
    Mutante(
        "un paso cambia sin que cambie su base",
        "motor/borrador.py",
        'update={"estado": estado, "rev_base": self.revision, **cambios}',
        'update={"estado": estado, **cambios}',
    ),
    Mutante(
        "un latido mueve la revisión",
        "comandos.py",
        "SIN_REVISION = frozenset((TipoComando.LATIDO, TipoComando.ANOTAR))",
        "SIN_REVISION = frozenset((TipoComando.ANOTAR,))",
    ),
    *DEMAS,
)
