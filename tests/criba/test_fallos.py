"""Misses: what was filtered out and won by somebody followed proposes the edit that would have let it in."""

from __future__ import annotations

from decimal import Decimal

import pytest

from dominios.licitaciones.criba.fallos.modelo import Descarte, Donde, Hechos, Quien
from dominios.licitaciones.criba.fallos.reglas import cambios, en_contra
from dominios.licitaciones.criba.fallos.servicio import Busqueda, atender, buscar_fallos, fallos
from dominios.licitaciones.prefiltro.evaluar import evaluar
from dominios.licitaciones.prefiltro.modelo import Regla
from nucleo.empresa import servicio as empresa
from nucleo.errores import NoEncontrado
from nucleo.reloj import reloj_fijo
from tests.criba.taller import EMPRESA, Taller, juicio
from tests.prefiltro.fabrica import DATOS, perfil
from tests.radar.constructor import entrada, ganador, proceso, proyecto, resultado

NUESTRO, RIVAL, OTRO = ("NIF", "B12345674"), ("NIF", "A-00000018"), ("NIF", "B00000018")
DESPUES = "2026-04-20T10:00:00.000+02:00"
HECHOS = Hechos(objeto="Servicio de prueba", importe=Decimal(50_000), cpv=("72267000",), nuts=("ES617",), tipo="2",
                procedimiento="1", tipo_registro="licitacion")  # fmt: skip


def adjudicar(
    taller: Taller, n: int, nif: tuple[str, str], *, cpv: str = "45000000", nombre: str = "Quien gana"
) -> None:
    ganadores = (ganador(nombre, nif),)
    taller.guardar(
        entrada(
            n,
            DESPUES,
            proyecto(cpv=(cpv,)),
            proceso("2026-03-27"),
            resultado("8", ganadores=ganadores),
            estado="ADJ",
        )
    )


def buscar(taller: Taller) -> Busqueda:
    return buscar_fallos(taller.con, empresa.vigente(taller.cola), reloj_fijo(taller.ahora))


def publicar(taller: Taller, n: int, cpv: str = "45000000") -> None:
    taller.guardar(entrada(n, "2026-02-16T10:00:00.000+01:00", proyecto(cpv=(cpv,)), proceso("2026-03-27")))


def test_ganar_lo_que_el_prefiltro_dejo_fuera_propone_la_rama(taller: Taller) -> None:
    for n in (1, 2, 3):
        publicar(taller, n)
    assert buscar(taller) == Busqueda(miradas=0, nuevos=0)
    for n, nif in ((1, NUESTRO), (2, RIVAL), (3, OTRO)):
        adjudicar(taller, n, nif)
    assert buscar(taller) == Busqueda(miradas=3, nuevos=2)
    segundo, primero = fallos(taller.con)
    assert (primero.quien, segundo.quien) == (Quien.NOSOTROS, Quien.RIVAL)
    assert segundo.ganador == "Rival Imaginario, S.A."
    (cambio,) = primero.cambios
    assert (cambio.perfil, cambio.campo, cambio.accion, cambio.valor) == (
        "prefiltro",
        "cpv.incluir",
        "añadir",
        "4500",
    )
    assert buscar(taller) == Busqueda(miradas=0, nuevos=0), "lo mirado no se mira dos veces"
    adjudicar(taller, 1, NUESTRO, nombre="Quien gana, con otra versión")
    buscar(taller)
    assert len(fallos(taller.con)) == 2, "la misma no falla dos veces"


def test_una_ute_con_nosotros_dentro_tambien_cuenta(taller: Taller) -> None:
    publicar(taller, 1)
    adjudicar(
        taller, 1, ("NIF", "U00000018"), nombre="UTE Informática Ficticia, S.L. - Rival Imaginario, S.A."
    )
    assert buscar(taller).nuevos == 1
    assert fallos(taller.con)[0].quien is Quien.NOSOTROS


def test_seguir_a_otro_rival_mira_de_nuevo_lo_ya_adjudicado(taller: Taller) -> None:
    publicar(taller, 1)
    adjudicar(taller, 1, OTRO)
    assert buscar(taller).nuevos == 0
    taller.perfilar(EMPRESA + '  - {nombre: "Otro Imaginario, S.L.", nif: B00000018}\n')
    assert buscar(taller) == Busqueda(miradas=1, nuevos=1)


def test_lo_que_se_enseno_no_es_un_fallo(taller: Taller) -> None:
    publicar(taller, 1, cpv="72000000")
    adjudicar(taller, 1, NUESTRO, cpv="72000000")
    assert buscar(taller) == Busqueda(miradas=1, nuevos=0)


@pytest.mark.parametrize("corregido", [False, True])
def test_lo_que_nego_un_agente_es_un_fallo_si_nadie_lo_corrigio(taller: Taller, corregido: bool) -> None:
    publicar(taller, 1, cpv="72000000")
    taller.formar()
    reclamado = taller.turno()
    numero = taller.lote(reclamado)["licitaciones"][0]["numero"]
    taller.proponer(
        reclamado, juicio(numero, "no_encaja", motivo="No imprimen carteles.", lineas=["no_hace.3"])
    )
    if corregido:
        taller.decidir(numero, "encaja")
    adjudicar(taller, 1, RIVAL, cpv="72000000")
    assert buscar(taller).nuevos == (0 if corregido else 1)
    if not corregido:
        (fallo,) = fallos(taller.con)
        assert fallo.donde is Donde.CRIBA
        assert [(c.perfil, c.campo, c.accion, c.porque) for c in fallo.cambios] == [
            ("empresa", "no_hace.3", "revisar", "No imprimen carteles.")
        ]


def test_buscar_no_cambia_ningun_perfil_y_una_persona_lo_atiende(taller: Taller) -> None:
    publicar(taller, 1)
    adjudicar(taller, 1, NUESTRO)
    antes = empresa.vigente(taller.cola)
    buscar(taller)
    assert empresa.vigente(taller.cola) == antes
    fallo = atender(taller.con, 1, "Persona Inventada", taller.ahora)
    assert (fallo.persona, fallo.atendido) == ("Persona Inventada", taller.ahora)
    with pytest.raises(NoEncontrado):
        atender(taller.con, 9, "Persona Inventada", taller.ahora)


@pytest.mark.parametrize(
    ("yaml", "campo", "valor"),
    [
        ("cpv: {incluir: [45]}", "cpv.incluir", "7226"),
        ("cpv: {incluir: [72]}\nimportes: {minimo: 60000}", "importes.minimo", "50000.00"),
        ("cpv: {incluir: [72]}\nimportes: {maximo: 40000}", "importes.maximo", "50000.00"),
        ("cpv: {incluir: [72]}\nregiones: [ES3]", "regiones", "ES617"),
        ("cpv: {incluir: [72]}\ntipos: [Obras]", "tipos", "2"),
        ("cpv: {incluir: [72]}\nprocedimientos: [Restringido]", "procedimientos", "1"),
        ("cpv: {incluir: [72]}\ntipos_registro: [menor]", "tipos_registro", "licitacion"),
        ("cpv: {incluir: [72]}\nfuentes: ['1044']", "fuentes", ""),
        ("palabras: [equipo]\npalabras_excluidas: [mantenimiento]", "palabras_excluidas", ""),
        ("palabras: [equipo]\ncpv: {excluir: [72]}", "cpv.excluir", ""),
        ("cpv: {incluir: [72]}\norganos: {excluir: [Villaficticia]}", "organos.excluir", ""),
    ],
)
def test_cada_regla_que_descarta_propone_su_cambio(taller: Taller, yaml: str, campo: str, valor: str) -> None:
    decision = evaluar(perfil(yaml), DATOS, taller.ahora)
    assert not decision.dentro
    descarte = Descarte(donde=Donde.PREFILTRO, reglas=en_contra(decision.reglas))
    assert (campo, valor) in {(c.campo, c.valor) for c in cambios(descarte, HECHOS)}


def test_quedarse_sin_plazo_no_es_un_fallo() -> None:
    reglas = [
        Regla(nombre="cpv", efecto="entra", detalle="."),
        Regla(nombre="plazo", efecto="fuera", detalle="."),
    ]
    assert en_contra(reglas) == ()
