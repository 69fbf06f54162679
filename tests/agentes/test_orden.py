"""`sobre agente` as it is used: the token is shown once, the lists tell, the documents are up to date."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from app.cli import sobre
from app.mcp.documentar import DOCUMENTO, actualizado
from app.mcp.herramientas import CATALOGO
from nucleo import registro
from nucleo.agentes import servicio
from nucleo.agentes.herramientas import Contexto
from nucleo.agentes.llamar import Taller, llamar
from nucleo.bd import conectar
from nucleo.errores import ErrorEntrada
from nucleo.reloj import reloj_del_sistema


def orden(*partes: str) -> Result:
    return CliRunner().invoke(sobre, ["agente", *partes], catch_exceptions=False, standalone_mode=False)


def test_el_ciclo_de_un_agente(datos: Path) -> None:
    creado = orden("crear", "licitaciones", "--permiso", "leer:licitaciones")
    token = creado.stdout.strip()
    assert token.startswith("sobre_")
    assert "no se puede volver a ver" in creado.stderr
    rotado = json.loads(orden("rotar", "licitaciones", "--json").stdout)
    assert rotado["permisos"] == ["leer:licitaciones"]
    assert rotado["token"] != token
    listado = orden("listar").stdout
    assert listado == "licitaciones: leer:licitaciones · visto nunca\n"
    assert token not in listado + orden("listar", "--json").stdout
    assert "ya no puede entrar" in orden("revocar", "licitaciones").stdout
    (uno,) = json.loads(orden("listar", "--json").stdout)
    assert uno["revocado"] is not None
    assert set(uno) == {"nombre", "permisos", "creado", "rotado", "revocado", "visto"}
    with closing(conectar(datos / registro.FICHERO)) as con:
        assert servicio.autenticar(con, rotado["token"], reloj_del_sistema()) is None


def test_un_permiso_que_ninguna_herramienta_pide_se_avisa(datos: Path) -> None:
    creado = orden("crear", "critico", "--permiso", "leer:nada", "--permiso", "personal")
    assert creado.exit_code == 0
    assert creado.stderr.count("Aviso") == 1
    assert "«leer:nada»" in creado.stderr


def test_lo_que_no_vale_se_niega_con_una_frase(datos: Path) -> None:
    with pytest.raises(ErrorEntrada, match="Los permisos son"):
        orden("crear", "critico", "--permiso", "todo")
    with pytest.raises(ErrorEntrada, match="minúsculas"):
        orden("crear", "El Crítico", "--permiso", "personal")


def test_las_llamadas_se_consultan(datos: Path) -> None:
    with closing(conectar(registro.preparar(datos))) as con:
        agente, _ = servicio.crear(con, "lector", ["leer:licitaciones"], reloj_del_sistema())
        taller = Taller(con, CATALOGO, Contexto(agente, datos, reloj_del_sistema))
        llamar(taller, "licitacion_ver", {"id": "18", "nonce": "oculto-1"})
        llamar(taller, "licitaciones_buscar", {"texto": "obras"})
    todas = json.loads(orden("llamadas", "--json").stdout)
    assert [c["herramienta"] for c in todas] == ["licitaciones_buscar", "licitacion_ver"]
    assert set(todas[0]) == {
        *("n", "instante", "agente", "herramienta", "argumentos"),
        *("desenlace", "ms", "octetos", "codigo"),
    }
    assert "oculto-1" not in json.dumps(todas)
    una = orden("llamadas", "--texto", "OBRAS", "--agente", "lector", "--desde", "2020-01-01").stdout
    assert "licitaciones_buscar" in una
    assert "licitacion_ver" not in una
    assert json.loads(orden("llamadas", "--hasta", "1", "--json").stdout)[0]["n"] == 1


def test_la_lista_de_herramientas_del_documento_esta_al_dia() -> None:
    documento = DOCUMENTO.read_text("utf-8")
    assert actualizado(documento, CATALOGO) == documento, "ejecuta: python -m app.mcp.documentar"


def test_sin_marcas_no_se_toca_el_documento() -> None:
    with pytest.raises(ValueError, match="marcas"):
        actualizado("# Otro\n", CATALOGO)
