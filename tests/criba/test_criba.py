"""The criba from tender to verdict: batches, answers, jobs that fail, and what people say."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dominios.licitaciones.criba import almacen
from dominios.licitaciones.criba.modelo import Situacion, Veredicto
from dominios.licitaciones.criba.servicio import repetir
from dominios.licitaciones.criba.trabajo import instrucciones
from nucleo.cola import servicio as cola
from nucleo.cola.almacen import listar
from nucleo.cola.modelo import Reclamado
from nucleo.errores import ErrorEntrada
from tasks.tipos import tipos_de_trabajo
from tests.criba.taller import EMPRESA, Taller, abrir, cerrar, encargo, juicio
from tests.radar.constructor import entrada, lote, proceso, proyecto

DESPUES = "2026-02-20T10:00:00.000+01:00"


def test_de_la_licitacion_al_veredicto(taller: Taller) -> None:
    taller.publicar(1, 2, 3)
    formadas = taller.formar()
    assert (len(formadas.tandas), formadas.cuantas, formadas.quedan) == (1, 3, 0)
    assert taller.situaciones() == dict.fromkeys("123", "pendiente")
    reclamado = taller.turno()
    assert (reclamado.intento.version, reclamado.intento.texto) == instrucciones()
    recibido = taller.lote(reclamado)
    assert [v["id"].rsplit("/", 1)[1] for v in recibido["licitaciones"]] == ["1", "2", "3"]
    assert {"clave": "no_hace.3", "texto": "NO hace: Impresión y cartelería"} in recibido["perfil"]
    uno, dos, tres = (v["numero"] for v in recibido["licitaciones"])
    respuesta = taller.proponer(
        reclamado,
        juicio(uno),
        juicio(dos, "no_encaja", lineas=["no_hace.1"]),
        juicio(tres, "duda", lineas=[]),
    )
    assert respuesta == {"ok": True, "anotadas": 3, "faltan": [], "sin_veredicto": [], "cerrada": True}
    assert taller.acabar(reclamado) == "hecho"
    assert taller.situaciones() == {"1": "encaja", "2": "no_encaja", "3": "duda"}
    juzgada = taller.lista()[1].juzgada
    assert juzgada is not None
    assert (juzgada.lineas, juzgada.instrucciones) == (("no_hace.1",), instrucciones()[0])


def test_la_omitida_se_pregunta_otra_vez_y_luego_queda_sin_veredicto_a_la_vista(taller: Taller) -> None:
    taller.publicar(1, 2, 3)
    taller.formar()
    reclamado = taller.turno()
    uno, dos, tres = (v["numero"] for v in taller.lote(reclamado)["licitaciones"])
    primera = taller.proponer(reclamado, juicio(uno))
    assert (primera["faltan"], primera["cerrada"]) == ([dos, tres], False)
    assert [v["numero"] for v in taller.lote(reclamado)["licitaciones"]] == [dos, tres]
    segunda = taller.proponer(reclamado, juicio(tres))
    assert (segunda["sin_veredicto"], segunda["cerrada"]) == ([dos], True)
    assert taller.situaciones() == {"1": "encaja", "2": "sin_veredicto", "3": "encaja"}
    assert taller.formar().tandas == (), "no se pregunta una tercera vez"


def test_las_que_faltan_pasan_al_intento_siguiente(taller: Taller) -> None:
    taller.publicar(1, 2)
    taller.formar()
    primero = taller.turno()
    uno, dos = (v["numero"] for v in taller.lote(primero)["licitaciones"])
    taller.proponer(primero, juicio(uno))
    assert taller.acabar(primero) == "pendiente", "sin la tanda entera, el intento no vale"
    segundo = taller.turno()
    assert segundo.intento.entrada is not None
    assert "quedan 1 licitaciones" in segundo.intento.entrada
    assert taller.proponer(segundo, juicio(dos, "duda"))["cerrada"]
    assert taller.acabar(segundo) == "hecho"
    assert taller.situaciones() == {"1": "encaja", "2": "duda"}


def test_una_respuesta_mala_se_rechaza_entera(taller: Taller) -> None:
    taller.publicar(1, 2)
    taller.formar()
    reclamado = taller.turno()
    uno, dos = (v["numero"] for v in taller.lote(reclamado)["licitaciones"])
    for mala in (
        [juicio(uno), juicio(99_999)],
        [juicio(uno), juicio(uno)],
        [juicio(uno), juicio(dos, lineas=["actividades.99"])],
        [juicio(uno), juicio(dos, "quizá")],
        [juicio(uno), juicio(dos, motivo="no")],
        [juicio(uno), juicio(dos, motivo="\x1b\u202e" * 20)],
        [juicio(uno), juicio(dos) | {"aprobada": True}],
        [],
        "todas encajan",
    ):
        respuesta = taller.llamar("criba_proponer", encargo(reclamado) | {"juicios": mala})
        assert respuesta["ok"] is False
        assert respuesta["errores"]
    assert taller.situaciones() == {"1": "pendiente", "2": "pendiente"}
    assert len(taller.lote(reclamado)["licitaciones"]) == 2


def test_la_misma_respuesta_dos_veces_se_anota_una(taller: Taller) -> None:
    taller.publicar(1, 2)
    taller.formar()
    reclamado = taller.turno()
    uno, dos = (v["numero"] for v in taller.lote(reclamado)["licitaciones"])
    primera = taller.proponer(reclamado, juicio(uno))
    assert taller.proponer(reclamado, juicio(uno)) == primera, "repetirla no gasta la segunda vuelta"
    ultima = taller.proponer(reclamado, juicio(dos))
    assert taller.proponer(reclamado, juicio(dos)) == ultima
    assert taller.proponer(reclamado, juicio(dos, "duda"))["codigo"] == "tanda_cerrada"
    assert taller.situaciones() == {"1": "encaja", "2": "encaja"}


def test_un_encargo_cerrado_ajeno_o_inventado_no_deja_nada(taller: Taller) -> None:
    taller.publicar(*range(1, 23))
    taller.formar()
    uno, otro = taller.turno(), taller.turno()
    numero = taller.lote(uno)["licitaciones"][0]["numero"]
    cruzado = encargo(uno) | {"nonce": otro.intento.nonce}
    inventado = encargo(uno) | {"nonce": "f" * 32}
    for malo in (cruzado, inventado):
        assert taller.llamar("criba_lote", malo)["codigo"] == "encargo_cerrado"
        assert (
            taller.llamar("criba_proponer", malo | {"juicios": [juicio(numero)]})["codigo"]
            == "encargo_cerrado"
        )
    assert taller.proponer(otro, juicio(numero))["ok"] is False, "no es de su tanda"
    cola.cancelar(taller.cola, uno.trabajo.id, taller.ahora)
    assert taller.proponer(uno, juicio(numero))["codigo"] == "encargo_cerrado"
    assert set(taller.situaciones().values()) == {"pendiente"}


def test_veintidos_van_en_dos_tandas_y_la_cola_las_tiene_una_vez(taller: Taller) -> None:
    taller.publicar(*range(1, 23))
    assert taller.formar().cuantas == 22
    assert taller.encolar().esperan == 2
    assert taller.formar().tandas == ()
    trabajos = listar(taller.cola, ("pendiente",), 10)
    assert sorted(t.objeto for t in trabajos) == ["tanda 1", "tanda 2"]
    assert all(t.vence is not None for t in trabajos)


def test_un_trabajo_que_fracasa_deja_las_suyas_sin_veredicto_y_a_la_vista(taller: Taller) -> None:
    taller.publicar(1, 2)
    taller.formar()
    estados = []
    for _ in range(4):
        reclamado = taller.turno()
        estados.append(taller.acabar(reclamado))
    assert estados[-1] == "fallido"
    assert taller.encolar().sin_veredicto == 2
    assert set(taller.situaciones().values()) == {"sin_veredicto"}
    (una, _) = taller.lista()
    assert una.juzgada is not None
    assert "fallido" in una.juzgada.motivo
    assert taller.formar().tandas == ()


def test_lo_que_quedo_sin_veredicto_se_repite_si_una_persona_lo_pide(taller: Taller) -> None:
    taller.publicar(1, 2, 3)
    taller.formar()
    reclamado = taller.turno()
    uno, dos, _ = (v["numero"] for v in taller.lote(reclamado)["licitaciones"])
    taller.proponer(reclamado, juicio(uno))
    while taller.acabar(reclamado) != "fallido":
        reclamado = taller.turno()
    assert repetir(taller.con) == 0, "mientras la tanda sigue abierta no hay nada que repetir"
    taller.encolar()
    taller.decidir(dos, "duda")
    assert repetir(taller.con) == 1, "ni la juzgada ni la que ha decidido una persona"
    assert repetir(taller.con) == 0
    assert taller.situaciones() == {"1": "encaja", "2": "duda", "3": "sin_veredicto"}
    assert taller.formar().cuantas == 1
    nuevo = taller.turno()
    (vista,) = taller.lote(nuevo)["licitaciones"]
    taller.proponer(nuevo, juicio(vista["numero"], "no_encaja"))
    assert taller.acabar(nuevo) == "hecho"
    assert taller.situaciones() == {"1": "encaja", "2": "duda", "3": "no_encaja"}


def test_reintentar_un_trabajo_cuya_tanda_se_cerro_no_molesta_a_ningun_agente(taller: Taller) -> None:
    taller.publicar(1)
    taller.formar()
    reclamado = taller.turno()
    while taller.acabar(reclamado) != "fallido":
        reclamado = taller.turno()
    taller.encolar()
    tipo = tipos_de_trabajo(taller.datos)["criba"]
    with pytest.raises(ErrorEntrada, match="sobre criba repetir"):
        tipo.instruir(reclamado.trabajo, reclamado.intento)


def test_solo_se_vuelve_a_preguntar_lo_que_cambia_para_quien_juzga(taller: Taller) -> None:
    taller.publicar(1, 2, 3)
    taller.formar()
    reclamado = taller.turno()
    taller.proponer(reclamado, *(juicio(v["numero"]) for v in taller.lote(reclamado)["licitaciones"]))
    taller.acabar(reclamado)
    taller.guardar(
        entrada(1, DESPUES, proyecto("Mantenimiento de equipos"), proceso("2026-03-27"), expediente="EXP-2"),
        entrada(2, DESPUES, proyecto("Suministro de mesas"), proceso("2026-03-27"), lote("1", "Mesas")),
    )
    formadas = taller.formar()
    assert formadas.cuantas == 1, "a la 1 solo le cambia el expediente"
    assert taller.situaciones() == dict.fromkeys("123", "encaja"), "mientras, vale lo último que se dijo"
    nuevo = taller.turno()
    (vista,) = taller.lote(nuevo)["licitaciones"]
    assert (vista["objeto"], vista["lotes"]) == ("Suministro de mesas", ["1: Mesas (5000 €)"])
    taller.proponer(nuevo, juicio(vista["numero"], "no_encaja"))
    taller.acabar(nuevo)
    assert taller.situaciones() == {"1": "encaja", "2": "no_encaja", "3": "encaja"}
    assert taller.formar().tandas == ()


def test_otro_perfil_pregunta_de_nuevo_menos_lo_que_decidio_una_persona(taller: Taller) -> None:
    taller.publicar(1, 2)
    taller.formar()
    reclamado = taller.turno()
    numeros = [v["numero"] for v in taller.lote(reclamado)["licitaciones"]]
    taller.proponer(reclamado, *map(juicio, numeros))
    taller.acabar(reclamado)
    taller.decidir(numeros[0], "no_encaja")
    taller.perfilar(EMPRESA.replace("domicilio: Calle", "domicilio: Plaza"))
    assert taller.formar().tandas == (), "el domicilio no lo lee quien juzga"
    taller.perfilar(EMPRESA.replace("Impresión y cartelería", "Robótica"))
    assert taller.formar().cuantas == 1


def test_la_palabra_de_una_persona_gana_antes_y_despues_y_se_guarda(taller: Taller) -> None:
    taller.publicar(1)
    taller.formar()
    reclamado = taller.turno()
    (vista,) = taller.lote(reclamado)["licitaciones"]
    numero = vista["numero"]
    taller.decidir(numero, "duda")
    assert taller.situaciones() == {"1": "duda"}
    taller.proponer(reclamado, juicio(numero, "no_encaja"))
    assert taller.situaciones() == {"1": "duda"}
    taller.decidir(numero, "encaja", "Otra Persona Inventada")
    assert taller.situaciones() == {"1": "encaja"}
    (cribada,) = taller.lista()
    assert cribada.juzgada is not None
    assert cribada.juzgada.situacion is Situacion.NO_ENCAJA, "lo que dijo el agente no se borra"
    assert [p.persona for p in almacen.palabras(taller.con, numero)] == [
        "Otra Persona Inventada",
        "Persona Inventada",
    ]


PASOS = st.lists(
    st.tuples(
        st.sampled_from(["publicar", "formar", "turno", "proponer", "acabar", "decidir"]), st.integers(0, 9)
    ),
    max_size=25,
)


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(PASOS)
def test_pase_lo_que_pase_ninguna_desaparece(
    tmp_path_factory: pytest.TempPathFactory, pasos: list[tuple[str, int]]
) -> None:
    vida = Vida(abrir(tmp_path_factory.mktemp("criba")))
    vida.taller.perfilar()
    try:
        for paso, n in pasos:
            vida.dar(paso, n)
            vistas = vida.taller.situaciones()
            assert set(vistas) == vida.publicadas
            assert {k: vistas[k] for k in vida.dichas} == vida.dichas
    finally:
        cerrar(vida.taller)


class Vida:
    """What happens to an installation, step by step; a step that cannot be taken now is skipped."""

    def __init__(self, taller: Taller) -> None:
        self.taller = taller
        self.publicadas: set[str] = set()
        self.dichas: dict[str, str] = {}
        self.abierto: Reclamado | None = None

    def dar(self, paso: str, n: int) -> None:
        match paso:
            case "publicar":
                nuevas = range(len(self.publicadas) + 1, len(self.publicadas) + 4)
                self.taller.publicar(*nuevas)
                self.publicadas.update(map(str, nuevas))
            case "formar":
                self.taller.formar()
            case "turno" if self.abierto is None:
                self.taller.ahora += timedelta(hours=7)
                if listar(self.taller.cola, ("pendiente",), 5):
                    self.abierto = self.taller.turno()
            case "proponer" if self.abierto is not None:
                recibidas = self.taller.lote(self.abierto).get("licitaciones", [])
                juicios = [juicio(v["numero"], "no_encaja") for v in recibidas[: n + 1]]
                self.taller.proponer(self.abierto, *juicios)
            case "acabar" if self.abierto is not None:
                self.taller.acabar(self.abierto)
                self.abierto = None
                self.taller.encolar()
            case "decidir" if self.publicadas:
                elegida = sorted(self.publicadas)[n % len(self.publicadas)]
                ids = {c.candidata.entrada_id.rsplit("/", 1)[1]: c.candidata for c in self.taller.lista()}
                self.taller.decidir(
                    ids[elegida].licitacion_id, self.dichas.setdefault(elegida, VEREDICTOS[n % 3])
                )


VEREDICTOS = [v.value for v in Veredicto]
