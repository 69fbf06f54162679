"""A whole installation for the criba's tests: real databases, published tenders, a profile, the queue and the tools."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

from dominios.licitaciones import registro
from dominios.licitaciones.criba.consulta import Cribada, cribadas, decidir
from dominios.licitaciones.criba.encolar import Encoladas, encolar_tandas
from dominios.licitaciones.criba.formar import Formadas, formar_tandas
from dominios.licitaciones.criba.modelo import Palabra, Veredicto
from dominios.licitaciones.herramientas import HERRAMIENTAS
from dominios.licitaciones.prefiltro.perfil import interpretar_perfil
from dominios.licitaciones.prefiltro.servicio import prefiltrar
from dominios.licitaciones.radar.almacen import guardar_pagina
from dominios.licitaciones.radar.procesar import procesar_pagina
from nucleo import registro as registro_nucleo
from nucleo.agentes.herramientas import Catalogo, Contexto
from nucleo.agentes.llamar import Taller as TallerMcp
from nucleo.agentes.llamar import llamar
from nucleo.agentes.modelo import Agente
from nucleo.bd import conectar, transaccion
from nucleo.cola import intentos, servicio
from nucleo.cola.modelo import Causa, Metricas, Reclamado
from nucleo.cola.puerta import puerta_a
from nucleo.cola.reglas import Contexto as ContextoCola
from nucleo.cola.reglas import EstadoPerfil
from nucleo.empresa import servicio as empresa
from nucleo.empresa.yaml import importar
from nucleo.reloj import reloj_fijo
from tasks.tipos import tipos_de_trabajo
from tests.radar.constructor import entrada, pagina, proceso, proyecto

AHORA = datetime.fromisoformat("2026-03-02T09:00:00+00:00")
PREFILTRO = interpretar_perfil("nombre: Empresa Ficticia, S.L.\ncpv: {incluir: [72]}\n")
EMPRESA = (Path(__file__).parents[2] / "deploy" / "empresa.ejemplo.yaml").read_text()
PERMISOS = frozenset({"leer:licitaciones", "proponer:licitaciones"})


@dataclass
class Taller:
    """`con` is the tenders' database and `cola` the shared one; `ahora` is the clock of everything."""

    datos: Path
    con: sqlite3.Connection
    cola: sqlite3.Connection
    ahora: datetime = AHORA
    permisos: frozenset[str] = PERMISOS
    paginas: int = field(default=0)

    def publicar(
        self, *numeros: int, objeto: str = "Mantenimiento de equipos", updated: str | None = None
    ) -> None:
        """Open tenders with those numbers, read from a page and prefiltered."""
        cuando = updated or "2026-02-16T10:00:00.000+01:00"
        self.guardar(*(entrada(n, cuando, proyecto(objeto), proceso("2026-03-27")) for n in numeros))

    def guardar(self, *entradas: str) -> None:
        """Entries as published, in one page."""
        self.paginas += 1
        cuerpo = pagina(*entradas, updated=f"2026-03-02T09:00:{self.paginas:02d}.000+01:00")
        with transaccion(self.con):
            guardar_pagina(self.con, procesar_pagina(cuerpo, f"prueba-{self.paginas}.atom"), self.ahora)
        prefiltrar(self.con, PREFILTRO, reloj_fijo(self.ahora))

    def perfilar(self, texto: str = EMPRESA) -> None:
        """A version of the company's profile."""
        empresa.guardar(self.cola, importar(texto), "Persona Inventada", "", self.ahora)

    def formar(self) -> Formadas:
        """Form batches and put them in the queue."""
        formadas = formar_tandas(
            self.con, PREFILTRO.huella, empresa.vigente(self.cola), reloj_fijo(self.ahora)
        )
        self.encolar()
        return formadas

    def encolar(self) -> Encoladas:
        """Keep the queue in step."""
        return encolar_tandas(self.con, self.cola, tipos_de_trabajo(self.datos), self.ahora)

    def turno(self) -> Reclamado:
        """The next job gets its attempt, with its instructions frozen."""
        tipos = tipos_de_trabajo(self.datos)
        contexto = ContextoCola(
            a_la_vez=9, perfiles=(EstadoPerfil(nombre="licitaciones", proveedor="imaginario"),)
        )
        reclamado = servicio.reclamar(self.cola, tipos, contexto, self.ahora)
        assert reclamado is not None
        trabajo, intento = reclamado.trabajo, reclamado.intento
        tipo = tipos[trabajo.tipo]
        reclamado = intentos.congelar(self.cola, intento.id, tipo.instruir(trabajo, intento))
        return intentos.arrancar(self.cola, reclamado.intento.id, "run_1", self.ahora)

    def acabar(self, reclamado: Reclamado, coste: str | None = None) -> str:
        """The attempt ends as the queue would end it; the job's state."""
        intentos.empezar_cierre(self.cola, reclamado.intento.id, Causa.TERMINADO, "")
        tipo = tipos_de_trabajo(self.datos)[reclamado.trabajo.tipo]
        metricas = Metricas(
            proveedor="imaginario",
            modelo="modelo-a",
            coste=None if coste is None else Decimal(coste),
            incompletas=coste is None,
        )
        comprobacion = tipo.comprobar(reclamado.trabajo, reclamado.intento)
        trabajo = intentos.cerrar(self.cola, reclamado.intento.id, comprobacion, metricas, self.ahora)
        self.ahora += timedelta(minutes=10)
        return trabajo.estado.value

    def llamar(self, herramienta: str, argumentos: object) -> dict[str, Any]:
        """What an agent is answered by the tool."""
        agente = Agente(nombre="licitaciones", permisos=self.permisos, creado=AHORA)
        puerta = puerta_a(self.datos / registro_nucleo.FICHERO)
        contexto = Contexto(agente, self.datos, reloj_fijo(self.ahora), puerta=puerta)
        try:
            texto = llamar(TallerMcp(self.cola, Catalogo(HERRAMIENTAS), contexto), herramienta, argumentos)
        finally:
            contexto.lecturas.cerrar()
        return json.loads(texto)

    def lote(self, reclamado: Reclamado) -> dict[str, Any]:
        """The batch, as the agent gets it."""
        return self.llamar("criba_lote", encargo(reclamado))

    def proponer(self, reclamado: Reclamado, *juicios: dict[str, Any]) -> dict[str, Any]:
        """Leave those verdicts."""
        return self.llamar("criba_proponer", encargo(reclamado) | {"juicios": list(juicios)})

    def lista(self) -> tuple[Cribada, ...]:
        """Everything of the criba."""
        return cribadas(self.con, PREFILTRO.huella, self.ahora)

    def decidir(self, numero: int, veredicto: str, persona: str = "Persona Inventada") -> None:
        """A person's word."""
        palabra = Palabra(veredicto=Veredicto(veredicto), motivo="", persona=persona, creada=self.ahora)
        decidir(self.con, numero, palabra)

    def situaciones(self) -> dict[str, str]:
        """Final number of each tender → where it stands."""
        return {c.candidata.entrada_id.rsplit("/", 1)[1]: c.situacion.value for c in self.lista()}


def encargo(reclamado: Reclamado) -> dict[str, Any]:
    return {"trabajo": reclamado.trabajo.id, "nonce": reclamado.intento.nonce}


def juicio(numero: int, veredicto: str = "encaja", **cambios: Any) -> dict[str, Any]:
    base = {
        "numero": numero,
        "veredicto": veredicto,
        "motivo": "Es lo que la empresa hace.",
        "lineas": ["actividades.1"],
    }
    return base | cambios


def abrir(datos: Path) -> Taller:
    return Taller(datos, conectar(registro.preparar(datos)), conectar(registro_nucleo.preparar(datos)))


def cerrar(taller: Taller) -> None:
    with closing(taller.con), closing(taller.cola):
        pass
