"""The fields of the company's profile: what each takes, set to a version, and read back as plain data."""

from __future__ import annotations

import streamlit as st

from app.piezas import etiquetas
from app.piezas.rejilla import Clase, Columna, Columnas, euros, rejilla
from nucleo.codigos.nuts import regiones
from nucleo.empresa.modelo import Empresa, Tamano

Datos = dict[str, object]

ROTULOS = {
    "nombre": "Nombre",
    "nif": "NIF",
    "nombre_comercial": "Nombre comercial",
    "domicilio": "Domicilio",
    "tamano": "Tamaño",
    "rolece": "Registro de licitadores: inscripción vigente hasta",
    "actividades": "Qué hace",
    "distribuye": "Qué distribuye",
    "ademas": "Qué hace además",
    "no_hace": "Qué NO hace",
    "cpv": "Ramas de CPV",
    "regiones": "Dónde trabaja",
    "importes": "Tamaño de los contratos",
    "clasificaciones": "Clasificaciones",
    "negocio": "Volumen de negocio",
    "obras": "Trabajos hechos",
    "certificados": "Certificados",
    "seguros": "Seguros",
    "plantilla": "Plantilla",
    "firmantes": "Quién puede firmar",
    "rivales": "Competidores que se siguen",
}
TAMANOS = {
    Tamano.MICRO: "Microempresa",
    Tamano.PEQUENA: "Pequeña",
    Tamano.MEDIANA: "Mediana",
    Tamano.GRANDE: "Grande",
}
NEGOCIO: Columnas = {
    "ejercicio": Columna("Ejercicio", Clase.ENTERO),
    "importe": Columna("Importe (€)", Clase.EUROS),
}
OBRAS: Columnas = {
    "objeto": Columna("Objeto"),
    "destinatario": Columna("Para quién"),
    "importe": Columna("Sin IVA (€)", Clase.EUROS),
    "inicio": Columna("Inicio", Clase.DIA),
    "fin": Columna("Fin", Clase.DIA),
    "cpv": Columna("CPV, con comas", Clase.CODIGOS),
    "acreditada": Columna("Hay certificado", Clase.SI_NO),
}
CERTIFICADOS: Columnas = {
    "norma": Columna("Norma"),
    "alcance": Columna("Alcance"),
    "caduca": Columna("Caduca", Clase.DIA),
}
SEGUROS: Columnas = {
    "tipo": Columna("Tipo"),
    "capital": Columna("Capital (€)", Clase.EUROS),
    "caduca": Columna("Caduca", Clase.DIA),
}
PUESTOS: Columnas = {"puesto": Columna("Puesto"), "personas": Columna("Personas", Clase.ENTERO)}
FIRMANTES: Columnas = {
    "nombre": Columna("Nombre"),
    "nif": Columna("NIF"),
    "cargo": Columna("Cargo"),
    "poder": Columna("Poder"),
    "mancomunada": Columna("Mancomunada", Clase.SI_NO),
}
RIVALES: Columnas = {"nombre": Columna("Nombre"), "nif": Columna("NIF")}


def campos(empresa: Empresa | None, clave: str) -> Datos:
    """Every field, set to that version (none: blank), and what they say now without blanks.

    `clave` begins the key of each control: another version, other controls.
    """
    izquierda, derecha = st.columns(2, gap="large")
    with izquierda:
        datos = _quien_es(empresa, clave)
    with derecha:
        datos |= _que_hace(empresa, clave)
    datos |= _que_acredita(empresa, clave)
    datos |= _personas(empresa, clave)
    return {campo: valor for campo, valor in datos.items() if valor not in (None, "", [], {})}


def _quien_es(empresa: Empresa | None, clave: str) -> Datos:
    st.subheader("Quién es", anchor=False)
    datos: Datos = {}
    for campo in ("nombre", "nif", "nombre_comercial", "domicilio"):
        escrito = getattr(empresa, campo, None) or ""
        datos[campo] = st.text_input(ROTULOS[campo], escrito, key=f"{clave}_{campo}", max_chars=300).strip()
    uno, otro = st.columns(2)
    tamano = uno.selectbox(
        ROTULOS["tamano"],
        [t.value for t in Tamano],
        index=list(Tamano).index(empresa.tamano) if empresa and empresa.tamano else None,
        format_func=lambda t: TAMANOS[Tamano(t)],
        placeholder="Sin decir",
        key=f"{clave}_tamano",
    )
    rolece = otro.date_input(
        ROTULOS["rolece"], empresa.rolece if empresa else None, format="DD/MM/YYYY", key=f"{clave}_rolece"
    )
    st.subheader("Qué contratos", anchor=False)
    return datos | {"tamano": tamano, "rolece": rolece} | _contratos(empresa, clave)


def _contratos(empresa: Empresa | None, clave: str) -> Datos:
    cpv = _por_lineas("cpv", empresa, clave, "Un código o principio por línea: 72, 4521…")
    zonas = st.multiselect(
        ROTULOS["regiones"],
        sorted({c for c in regiones() if c.startswith("ES")}, key=etiquetas.nuts),
        default=list(empresa.regiones) if empresa else [],
        format_func=etiquetas.nuts,
        placeholder="Cualquier lugar",
        key=f"{clave}_regiones",
    )
    uno, otro = st.columns(2)
    importes = {}
    for extremo, donde, rotulo in (
        ("minimo", uno, "Desde (€ sin IVA)"),
        ("maximo", otro, "Hasta (€ sin IVA)"),
    ):
        puesto = getattr(empresa.importes, extremo) if empresa else None
        valor = donde.number_input(
            rotulo, 0.0, 1e12, None if puesto is None else float(puesto), 1000.0, "%.2f", f"{clave}_{extremo}"
        )
        if valor is not None:
            importes[extremo] = euros(valor)
    return {"cpv": cpv, "regiones": zonas, "importes": importes}


def _que_hace(empresa: Empresa | None, clave: str) -> Datos:
    st.subheader("Qué hace y qué no", anchor=False)
    ayudas = {
        "actividades": "Una cosa por línea: lo principal",
        "distribuye": "Marcas y productos, uno por línea",
        "ademas": "Lo que hace aunque no sea lo suyo: lo que más se pierde",
        "no_hace": "Lo que se parece a lo suyo y no hace",
    }
    return {campo: _por_lineas(campo, empresa, clave, ayuda) for campo, ayuda in ayudas.items()}


def _por_lineas(campo: str, empresa: Empresa | None, clave: str, ayuda: str) -> list[str]:
    puestas: tuple[str, ...] = getattr(empresa, campo, ())
    texto = st.text_area(
        ROTULOS[campo],
        "\n".join(puestas),
        height=min(max(3, len(puestas) + 1), 8) * 24 + 20,
        placeholder=ayuda,
        key=f"{clave}_{campo}",
    )
    return [linea.strip() for linea in texto.splitlines() if linea.strip()]


def _que_acredita(empresa: Empresa | None, clave: str) -> Datos:
    st.subheader("Qué puede acreditar", anchor=False)
    datos: Datos = {"obras": _tabla("obras", empresa, clave, OBRAS)}
    izquierda, derecha = st.columns(2, gap="large")
    with izquierda:
        datos["negocio"] = _tabla("negocio", empresa, clave, NEGOCIO)
        datos["seguros"] = _tabla("seguros", empresa, clave, SEGUROS)
    with derecha:
        datos["certificados"] = _tabla("certificados", empresa, clave, CERTIFICADOS)
        datos["clasificaciones"] = _por_lineas("clasificaciones", empresa, clave, "V-3-2, una por línea")
    return datos


def _personas(empresa: Empresa | None, clave: str) -> Datos:
    st.subheader("Personas y competencia", anchor=False)
    datos: Datos = {"firmantes": _tabla("firmantes", empresa, clave, FIRMANTES)}
    izquierda, derecha = st.columns(2, gap="large")
    with izquierda:
        datos["plantilla"] = _plantilla(empresa, clave)
    with derecha:
        datos["rivales"] = _tabla("rivales", empresa, clave, RIVALES)
    return datos


def _plantilla(empresa: Empresa | None, clave: str) -> Datos:
    datos: Datos = {}
    rotulos = (("media", "Plantilla media"), ("discapacidad", "Con discapacidad"))
    for donde, (campo, rotulo) in zip(st.columns(2), rotulos, strict=True):
        puesto: int | None = getattr(empresa.plantilla, campo) if empresa else None
        datos[campo] = donde.number_input(rotulo, 0, 999_999, puesto, 1, key=f"{clave}_plantilla_{campo}")
    st.markdown("Puestos: cuántas personas, nunca quiénes")
    datos["puestos"] = rejilla(f"{clave}_puestos", empresa.plantilla.puestos if empresa else (), PUESTOS)
    return {campo: valor for campo, valor in datos.items() if valor not in (None, [])}


def _tabla(campo: str, empresa: Empresa | None, clave: str, columnas: Columnas) -> list[dict[str, object]]:
    st.markdown(ROTULOS[campo])
    return rejilla(f"{clave}_{campo}", getattr(empresa, campo, ()), columnas)
