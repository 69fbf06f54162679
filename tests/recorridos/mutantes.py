"""Deliberate bugs, one by one, that the properties must catch. Each is a change of text in one file of the engine."""

from __future__ import annotations

from typing import NamedTuple


class Mutante(NamedTuple):
    """`fichero`: inside nucleo/recorridos; `antes` must be there just once."""

    nombre: str
    fichero: str
    antes: str
    despues: str


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
    Mutante(
        "un latido deja evento",
        "motor/aplicar.py",
        "    if comando.tipo is not TipoComando.LATIDO:",
        "    if True:",
    ),
    Mutante(
        "las consecuencias van antes que su causa",
        "motor/aplicar.py",
        "        borrador.ordenado(comando)\n        propagar(borrador)\n",
        "        propagar(borrador)\n        borrador.ordenado(comando)\n",
    ),
    Mutante(
        "los eventos no llevan la orden",
        "motor/borrador.py",
        "                comando=comando,\n",
        "",
    ),
    Mutante(
        "los eventos se numeran desde uno",
        "motor/borrador.py",
        "                n=self.antes.secuencia + len(self.eventos) + 1,\n                tipo=comando.tipo,",
        "                n=len(self.eventos) + 1,\n                tipo=comando.tipo,",
    ),
    Mutante(
        "una entrega despierta a quien ya no tiene nada que hacer",
        "motor/borrador.py",
        "entrega=None if self.estado in TERMINALES else self.entrega,",
        "entrega=self.entrega,",
    ),
    Mutante(
        "una persona sin papel manda",
        "motor/permiso.py",
        'if actor.rol not in ("admin", "editor"):',
        'if actor.rol == "lector":',
    ),
    Mutante(
        "un editor decide lo de quien administra",
        "motor/permiso.py",
        'if paso.rol == "admin" and actor.rol != "admin":',
        "if False:",
    ),
    Mutante(
        "un agente aprueba",
        "motor/permiso.py",
        "    elif tipo in DE_PERSONA:",
        "    elif tipo in DE_PERSONA - {TipoComando.APROBAR}:",
    ),
    Mutante(
        "cualquiera informa de un intento",
        "motor/permiso.py",
        "        if not _lleva_el_intento(orden):",
        "        if False:",
    ),
    Mutante(
        "quien coordina toma los pasos de la casa",
        "motor/permiso.py",
        "    if paso.ejecutor is not None:\n        return actor.clase is ClaseActor.EJECUTOR\n",
        "",
    ),
    Mutante(
        "cualquiera propone un plan",
        "motor/permiso.py",
        "    elif tipo is TipoComando.PROPONER_PLAN and not es_coordinador(actor, recorrido):",
        "    elif False:",
    ),
    Mutante(
        "un agente llamado sistema es de la casa",
        "motor/orden.py",
        "return actor.clase is ClaseActor.AGENTE and actor.nombre == nombre and nombre not in RESERVADOS",
        "return actor.clase is ClaseActor.AGENTE and actor.nombre == nombre",
    ),
    Mutante(
        "lo vencido vuelve a estar listo",
        "motor/maquina.py",
        "    borrador.poner(orden.paso.id, Situacion.DUDOSO)",
        "    borrador.poner(orden.paso.id, Situacion.LISTO)",
    ),
    Mutante(
        "vence antes de tiempo",
        "motor/maquina.py",
        "    if orden.ahora < ultimo.vence:",
        "    if orden.ahora < ultimo.iniciado:",
    ),
    Mutante(
        "se reintenta lo dudoso sin comprobarlo",
        "motor/maquina.py",
        "        _exigir_conciliacion(orden)\n",
        "",
    ),
    Mutante(
        "el intento dudoso no se abandona",
        "motor/maquina.py",
        "        borrador.poner_intento(orden.paso.id, abandonado)\n",
        "",
    ),
    Mutante(
        "los intentos no se cuentan",
        "motor/maquina.py",
        "            n=orden.estado.intento + 1,",
        "            n=max(orden.estado.intento, 1),",
    ),
    Mutante(
        "se completa sin mirar las salidas",
        "motor/maquina.py",
        "    salidas = salidas_de(orden.paso, orden.comando.salidas, orden.plan.esquemas)",
        "    salidas = orden.comando.salidas or {}",
    ),
    Mutante(
        "una salida que falta no importa",
        "motor/datos.py",
        "        elif puerto.requerido:",
        "        elif False:",
    ),
    Mutante(
        "lo rehecho guarda lo que dejó",
        "motor/persona.py",
        "borrador.poner(i, Situacion.BLOQUEADO, entradas=None, salidas=None)",
        "borrador.poner(i, Situacion.BLOQUEADO)",
    ),
    Mutante(
        "rehacer no se cuenta",
        "motor/persona.py",
        "rehechos=orden.estado.rehechos + 1",
        "rehechos=orden.estado.rehechos",
    ),
    Mutante(
        "solo se rehace el último paso",
        "motor/persona.py",
        "for i in orden.plan.regiones[orden.paso.id]:",
        "for i in orden.plan.regiones[orden.paso.id][-1:]:",
    ),
    Mutante(
        "rechazar no acaba el recorrido",
        "motor/persona.py",
        "        borrador.estado = EstadoRecorrido.RECHAZADO\n",
        "",
    ),
    Mutante(
        "la regla del dominio no se aplica",
        "motor/persona.py",
        "    if problemas:\n",
        "    if False:\n",
    ),
    Mutante(
        "el pasado se puede cambiar",
        "motor/planes.py",
        "    if alterado:",
        "    if False:",
    ),
    Mutante(
        "lo preguntado se puede cambiar",
        "motor/planes.py",
        "    return sin_tocar and (",
        "    return sin_tocar and estado.estado is Situacion.ESPERANDO or (",
    ),
    Mutante(
        "la petición se puede cambiar",
        "motor/planes.py",
        "    if viejo.peticion != nuevo.peticion:",
        "    if False:",
    ),
    Mutante(
        "el plan propuesto no se comprueba entero",
        "validar/validar.py",
        "if bloques is None or problemas or (problemas := problemas_de_politica(plan, casa)):",
        "if bloques is None or problemas:",
    ),
    Mutante(
        "aceptar un plan borra lo hecho",
        "motor/planes.py",
        "        return orden.antes.pasos[paso]\n",
        "        return EstadoPaso(rev_base=revision)\n",
    ),
    Mutante(
        "lo dispensado se puede necesitar después",
        "motor/planes.py",
        "if estado.estado is Situacion.DISPENSADO and exigen:",
        "if False:",
    ),
    Mutante(
        "cancelar deja la propuesta abierta",
        "motor/gobierno.py",
        "    borrador.propuesta = None\n",
        "",
    ),
    Mutante(
        "una entrada necesaria puede venir de una rama",
        "validar/datos.py",
        "                if self.ramas[paso.id].get(apertura) != rama:",
        "                if False:",
    ),
    Mutante(
        "una entrada necesaria puede venir de una opcional",
        "validar/datos.py",
        "        if not fuente.requerido:",
        "        if False:",
    ),
    Mutante(
        "se puede leer del futuro",
        "validar/datos.py",
        "        if de not in self.grafo.ancestros[paso.id] or de == paso.id:",
        "        if False:",
    ),
    Mutante(
        "las compuertas no se miran",
        "validar/validar.py",
        "problemas_de_grafo(plan, grafo) + problemas_de_compuertas(grafo)",
        "problemas_de_grafo(plan, grafo)",
    ),
    Mutante(
        "las funciones reservadas son de todos",
        "validar/instalacion.py",
        "elif not funcion.abierta and nombre not in suyas:",
        "elif False:",
    ),
    Mutante(
        "se rehace lo de una persona",
        "validar/rehacer.py",
        "if anterior is None or anterior.clase not in MAQUINA:",
        "if anterior is None:",
    ),
)
