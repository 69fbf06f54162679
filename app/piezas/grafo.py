"""A run as a Mermaid flowchart: pure text from a plan and where it stands, with every foreign word disarmed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from app.piezas.situaciones import CLASES, PASOS, RECORRIDOS
from app.piezas.texto import plano
from nucleo.recorridos.estado import EstadoPaso, Recorrido, Situacion
from nucleo.recorridos.plan import Clase, Paso, Plan

LARGO_DE_TITULO = 56
"""Characters of a title in its box; whole, it is in the table beside. Mermaid takes 50,000 of text in all."""

_ABRE_CIERRA = {
    Clase.INICIO: ('(["', '"])'),
    Clase.FIN: ('(["', '"])'),
    Clase.COMPUERTA: ('{"', '"}'),
    Clase.AGENTE: ('["', '"]'),
    Clase.CODIGO: ('[["', '"]]'),
    Clase.MANUAL: ('[/"', '"/]'),
    Clase.APROBACION: ('{{"', '"}}'),
}
_ESTILOS = {
    Situacion.BLOQUEADO: "fill:#ffffff,stroke:#8896a3,color:#44525f,stroke-dasharray:3 3",
    Situacion.LISTO: "fill:#e8f1fb,stroke:#0b5cad,color:#10222f",
    Situacion.ESPERANDO: "fill:#f0e9fb,stroke:#6b3fb0,color:#10222f,stroke-width:3px",
    Situacion.EN_CURSO: "fill:#cfe3f8,stroke:#0b5cad,color:#10222f,stroke-width:3px",
    Situacion.DUDOSO: "fill:#fdf0d9,stroke:#a35c00,color:#10222f,stroke-width:3px,stroke-dasharray:8 3",
    Situacion.FALLIDO: "fill:#fde5e5,stroke:#b3261e,color:#10222f,stroke-width:3px",
    Situacion.COMPLETADO: "fill:#e3f4e8,stroke:#1c7a3d,color:#10222f",
    Situacion.OMITIDO: "fill:#f3f5f7,stroke:#b4bec8,color:#66737f,stroke-dasharray:2 4",
    Situacion.DISPENSADO: "fill:#fbf6d8,stroke:#7a6a00,color:#10222f",
    Situacion.RECHAZADO: "fill:#fde5e5,stroke:#b3261e,color:#10222f,stroke-width:4px",
}
_ANDADA, _SIN_ANDAR, _OMITIDA = "==>", "-->", "-.->"
Estados = Mapping[str, EstadoPaso]


def mermaid(plan: Plan, estados: Estados) -> str:
    """The flowchart. Boxes are numbered by the plan's order: no identifier of the plan reaches the text."""
    nodos = {paso.id: f"n{i}" for i, paso in enumerate(plan.pasos)}
    lineas = ["flowchart TD"]
    lineas += [f"  {nodos[p.id]}{_caja(p, _de(estados, p.id))}" for p in plan.pasos]
    lineas += [f"  {linea}" for paso in plan.pasos for linea in _flechas(paso, plan, estados, nodos)]
    lineas += [f"  classDef {s.value} {estilo}" for s, estilo in _ESTILOS.items()]
    return "\n".join(lineas)


def frase(titulo: str, recorrido: Recorrido, plan: Plan) -> str:
    """One plain sentence (not Markdown) with what the picture says, for whoever does not see it."""
    cuentas = Counter(_de(recorrido.pasos, p.id).estado for p in plan.pasos)
    cuantos = ", ".join(f"{PASOS[s].palabra.lower()}: {cuentas[s]}" for s in Situacion if cuentas[s])
    vivos = [
        plano(p.titulo)
        for p in plan.pasos
        if _de(recorrido.pasos, p.id).estado
        in {Situacion.ESPERANDO, Situacion.EN_CURSO, Situacion.DUDOSO, Situacion.FALLIDO}
    ]
    ahora = f" Ahora: {'; '.join(vivos)}." if vivos else ""
    estado = RECORRIDOS[recorrido.estado].palabra.lower()
    return f"{plano(titulo)}, {estado}. {len(plan.pasos)} pasos ({cuantos}).{ahora}"


def etiqueta(texto: str, largo: int = LARGO_DE_TITULO) -> str:
    """Text for a quoted label: whatever is not a letter, a digit or a blank goes as a numbered entity.

    So no quote, bracket, backtick, `%%`, list or HTML of it is ever syntax.
    """
    visible = plano(texto)
    corto = visible if len(visible) <= largo else visible[: largo - 1].rstrip() + "…"
    return "".join(c if c.isalnum() or c == " " else f"#{ord(c)};" for c in corto)


def etiqueta_de_flecha(texto: str) -> str:
    """The same for an arrow, where Mermaid shows entities undone: other signs than a comma or a dash are left out."""
    visible = "".join(c if c.isalnum() or c in " ,–" else " " for c in plano(texto))
    return " ".join(visible.split())[:LARGO_DE_TITULO]


def _caja(paso: Paso, estado: EstadoPaso) -> str:
    abre, cierra = _ABRE_CIERRA[paso.clase]
    rotulo = PASOS[estado.estado]
    pie = rotulo.palabra if paso.compuerta else f"{rotulo.palabra} · {CLASES[paso.clase]}"
    return f"{abre}{etiqueta(f'{rotulo.signo} {paso.titulo}')}<br/>{etiqueta(pie)}{cierra}:::{estado.estado.value}"


def _flechas(paso: Paso, plan: Plan, estados: Estados, nodos: Mapping[str, str]) -> Iterator[str]:
    """The arrows that come to a step: thick when walked, dotted when that way was not taken."""
    por_id = {p.id: p for p in plan.pasos}
    for de in paso.dependencias:
        if de not in por_id:
            continue
        tipo = flecha(por_id[de], paso, estados)
        rotulo = rotulo_de_ruta(por_id[de], paso.id)
        if tipo == _OMITIDA and por_id[de].compuerta:
            rotulo = f"{rotulo} – no elegida" if rotulo else "no elegida"
        texto = f'|"{etiqueta_de_flecha(rotulo)}"|' if rotulo else ""
        yield f"{nodos[de]} {tipo}{texto} {nodos[paso.id]}"


def flecha(de: Paso, hasta: Paso, estados: Estados) -> str:
    """`==>` walked, `-.->` not taken, `-->` still to be walked."""
    origen, destino = _de(estados, de.id), _de(estados, hasta.id)
    if Situacion.OMITIDO in {origen.estado, destino.estado}:
        return _OMITIDA
    if origen.ramas is not None and hasta.id not in origen.ramas:
        return _OMITIDA
    return _ANDADA if destino.estado is not Situacion.BLOQUEADO else _SIN_ANDAR


def rotulo_de_ruta(apertura: Paso, destino: str) -> str:
    """What the plan calls that way out of a gate; «por defecto» when it is so and has no name."""
    if apertura.compuerta is None:
        return ""
    propio = next((r.etiqueta for r in apertura.compuerta.rutas if r.destino == destino), "")
    return propio or ("por defecto" if apertura.compuerta.por_defecto == destino else "")


def _de(estados: Estados, paso: str) -> EstadoPaso:
    """Where a step stands; of one that the run does not know (a proposed plan), blocked."""
    return estados.get(paso, EstadoPaso())
