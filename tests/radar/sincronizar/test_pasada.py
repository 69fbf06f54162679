"""A pass against a real server, with every fault it can have."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from dominios.licitaciones.radar.apartado.almacen import listar_cuarentena
from dominios.licitaciones.radar.consulta.ver import localizar
from dominios.licitaciones.radar.sincronizar.almacen import ultimas_pasadas
from dominios.licitaciones.radar.sincronizar.modelo import HORA, Reglas
from dominios.licitaciones.radar.sincronizar.pasada import ResumenPasada
from nucleo.bd import fichero_de
from nucleo.candado import candado
from nucleo.errores import DestinoProhibido, ErrorRed, FuenteIlegible, Ocupado
from tests.radar.sincronizar.conftest import Banco
from tests.reproductor import faltas
from tests.reproductor.canal import Canal
from tests.reproductor.paginas import Anotacion, LapidaMuestra
from tests.reproductor.servidor import Reproductor


def _codigos(resumen: ResumenPasada) -> list[str]:
    return [a.codigo for a in resumen.alarmas]


async def test_la_primera_pasada_lo_trae_todo(banco: Banco) -> None:
    banco.crecer(23)
    banco.anotar(LapidaMuestra(3, banco.ahora))
    resumen = await banco.pasar()
    assert resumen == ResumenPasada(
        fuente="643",
        paginas=5,
        entradas=23,
        lapidas=1,
        versiones_nuevas=23,
        sin_cambios=0,
        cuarentena=0,
        zona_conocida_alcanzada=True,
        marca=min(c.instante for c in banco.canal.cosas).isoformat(),
        alarmas=(),
    )
    assert banco.guardadas == banco.publicadas


async def test_sin_cambios_cuesta_una_sola_peticion_condicional(banco: Banco) -> None:
    banco.crecer(12)
    await banco.pasar()
    banco.servidor.peticiones.clear()
    resumen = await banco.pasar()
    assert (resumen.paginas, resumen.zona_conocida_alcanzada) == (0, True)
    assert [p.condicional for p in banco.servidor.peticiones] == [True]


async def test_lo_nuevo_llega_y_solo_se_vuelve_a_mirar_el_margen(banco: Banco) -> None:
    banco.crecer(60)
    await banco.pasar()
    banco.crecer(1)
    await banco.pasar()
    banco.crecer(1)
    resumen = await banco.pasar()
    assert resumen.versiones_nuevas == 1
    assert resumen.paginas < 6
    assert resumen.marca == banco.ahora.isoformat()
    assert banco.guardadas == banco.publicadas


@pytest.mark.parametrize("absolutos", [False, True])
async def test_los_enlaces_valen_relativos_y_absolutos(banco: Banco, absolutos: bool) -> None:
    base = banco.servidor.url("/otra/") if absolutos else ""
    banco.canal = Canal(banco.servidor, carpeta="/otra", base=base)
    banco.crecer(13)
    await banco.pasar()
    assert banco.guardadas == banco.publicadas


async def test_comprimida_y_sin_etag_se_lee_igual(banco: Banco) -> None:
    banco.servidor.comprime = True
    banco.servidor.atiende_condiciones = False
    banco.crecer(8)
    assert (await banco.pasar()).versiones_nuevas == 8
    resumen = await banco.pasar()
    assert (resumen.versiones_nuevas, resumen.sin_cambios) == (0, 8)


async def test_la_cabecera_se_mueve_mientras_se_lee(banco: Banco) -> None:
    banco.crecer(20)
    pendientes = iter(range(3))

    def al_pedir(ruta: str) -> None:
        if ruta != banco.canal.ruta and next(pendientes, None) is not None:
            banco.crecer(4)

    banco.servidor.al_pedir = al_pedir
    assert (await banco.pasar()).zona_conocida_alcanzada
    banco.servidor.al_pedir = None
    await banco.pasar()
    assert banco.guardadas == banco.publicadas


async def test_una_pagina_renombrada_mientras_se_lee_se_encuentra(banco: Banco) -> None:
    banco.crecer(23)
    cambiada = banco.canal.ruta_congelada(2)

    def al_pedir(ruta: str) -> None:
        if ruta == cambiada and cambiada == banco.canal.ruta_congelada(2):
            banco.canal.renombrar(2, banco.ahora)

    banco.servidor.al_pedir = al_pedir
    resumen = await banco.pasar()
    assert (resumen.zona_conocida_alcanzada, resumen.alarmas) == (True, ())
    # Its neighbour was read twice: its link, and so its bytes, changed.
    assert (resumen.versiones_nuevas, resumen.sin_cambios) == (23, 5)
    assert banco.servidor.veces(banco.canal.ruta) == 2
    assert banco.guardadas == banco.publicadas


async def test_si_no_aparece_se_completa_con_el_zip_del_mes(banco: Banco) -> None:
    banco.crecer(23)
    for mes in ("202602", "202603"):
        banco.canal.publicar_zip(mes, banco.ahora)
    banco.servidor.fallar_siempre(banco.canal.ruta_congelada(1), faltas.estado(404))
    resumen = await banco.pasar()
    assert resumen.zona_conocida_alcanzada
    assert _codigos(resumen) == ["pagina_ausente"]
    assert banco.guardadas == banco.publicadas
    assert not list(banco.carpeta.glob("*.zip"))


async def test_sin_zip_queda_pendiente_y_se_completa_cuando_vuelve(banco: Banco) -> None:
    banco.crecer(23)
    banco.servidor.fallar_siempre(banco.canal.ruta_congelada(1), faltas.estado(404))
    resumen = await banco.pasar()
    assert not resumen.zona_conocida_alcanzada
    assert (resumen.marca, _codigos(resumen)) == (None, ["pagina_ausente", "zip_ausente"])
    banco.servidor.sanar()
    assert (await banco.pasar()).zona_conocida_alcanzada
    assert banco.guardadas == banco.publicadas


async def test_un_zip_atrasado_no_tapa_el_hueco(banco: Banco) -> None:
    banco.crecer(23)
    for mes in ("202602", "202603"):
        banco.canal.publicar_zip(mes, banco.ahora - timedelta(days=3))
    banco.servidor.fallar_siempre(banco.canal.ruta_congelada(0), faltas.estado(404))
    resumen = await banco.pasar()
    assert (resumen.zona_conocida_alcanzada, _codigos(resumen)) == (False, ["pagina_ausente", "zip_atrasado"])


@pytest.mark.parametrize(
    "falta", [faltas.html_con_200, faltas.media_pagina_entera, faltas.servir_otra_cosa(b"<rss/>")]
)
async def test_una_pagina_ilegible_se_aparta_y_la_marca_no_se_mueve(
    banco: Banco, falta: faltas.Falta
) -> None:
    banco.crecer(23)
    mala = banco.canal.ruta_congelada(1)
    banco.servidor.fallar(mala, falta)
    resumen = await banco.pasar()
    assert (resumen.zona_conocida_alcanzada, resumen.marca) == (False, None)
    assert (_codigos(resumen), resumen.cuarentena) == (["pagina_ilegible"], 1)
    assert [(a.nivel, a.origen) for a in listar_cuarentena(banco.con)] == [
        ("pagina", banco.servidor.url(mala))
    ]
    assert (await banco.pasar()).zona_conocida_alcanzada
    assert banco.guardadas == banco.publicadas
    assert listar_cuarentena(banco.con) == ()


async def test_un_aviso_que_cambia_cada_vez_no_llena_la_cuarentena(banco: Banco) -> None:
    banco.crecer(8)
    for i in range(6):
        banco.servidor.fallar(banco.canal.ruta, faltas.servir_otra_cosa(b"<html>aviso %d</html>" % i))
        with pytest.raises(FuenteIlegible):
            await banco.pasar()
    assert len(listar_cuarentena(banco.con)) == 3


@pytest.mark.parametrize(
    "falta",
    [
        faltas.html_con_200,
        faltas.media_pagina_entera,
        faltas.cortada_por_longitud,
        faltas.cortada_por_trozos,
        faltas.estado(500),
        faltas.estado(404),
        faltas.estado(403),
        faltas.bomba(mib=200),
        faltas.colgar,
    ],
)
async def test_sin_cabecera_la_pasada_falla_y_nada_cambia(banco: Banco, falta: faltas.Falta) -> None:
    banco.crecer(8)
    await banco.pasar()
    antes = banco.guardadas
    banco.crecer(3)
    banco.servidor.fallar_siempre(banco.canal.ruta, falta)
    with pytest.raises(ErrorRed):
        await banco.pasar()
    assert banco.guardadas == antes
    (ultima,) = ultimas_pasadas(banco.con)
    assert ultima.error
    banco.servidor.sanar()
    await banco.pasar()
    assert banco.guardadas == banco.publicadas


async def test_una_cabecera_vaciada_no_es_noticia(banco: Banco) -> None:
    banco.crecer(4)
    await banco.pasar()
    vacia = Canal(banco.servidor)
    vacia.publicar(banco.ahora)
    with pytest.raises(FuenteIlegible):
        await banco.pasar()


async def test_un_canal_que_aun_no_tiene_nada_se_lee_sin_error(banco: Banco) -> None:
    banco.canal.publicar(banco.ahora)
    resumen = await banco.pasar()
    assert (resumen.paginas, resumen.marca, resumen.zona_conocida_alcanzada) == (1, None, True)


async def test_los_500_pasajeros_y_el_429_no_se_notan(banco: Banco) -> None:
    banco.crecer(23)
    banco.servidor.fallar(banco.canal.ruta, faltas.estado(500), faltas.estado(429, retry_after="30"))
    banco.servidor.fallar(banco.canal.ruta_congelada(1), faltas.estado(503), faltas.cortada_por_longitud)
    resumen = await banco.pasar()
    assert (resumen.versiones_nuevas, resumen.alarmas) == (23, ())


@pytest.mark.parametrize("cabecera", [True, False])
async def test_una_redireccion_a_otro_puerto_no_deja_nada(banco: Banco, cabecera: bool) -> None:
    banco.crecer(23)
    with Reproductor() as otro:
        ajeno = Canal(otro)
        ajeno.anotar([Anotacion(9999, banco.ahora)], banco.ahora)
        ruta = banco.canal.ruta if cabecera else banco.canal.ruta_congelada(0)
        banco.servidor.fallar_siempre(ruta, faltas.redirigir(otro.url(ajeno.ruta)))
        if cabecera:
            with pytest.raises(DestinoProhibido):
                await banco.pasar()
            assert banco.guardadas == set()
        else:
            resumen = await banco.pasar()
            assert _codigos(resumen) == ["pagina_prohibida", "zip_ausente"]
            assert banco.guardadas < banco.publicadas
        assert otro.peticiones == []


async def test_un_enlace_a_otro_sitio_no_se_sigue(banco: Banco) -> None:
    with Reproductor() as otro:
        ajeno = Canal(otro, carpeta="/otra")
        ajeno.anotar([Anotacion(9999, banco.ahora)], banco.ahora)
        banco.canal = Canal(banco.servidor, carpeta="/otra", base=otro.url("/otra/"))
        banco.crecer(8)
        resumen = await banco.pasar()
        assert (resumen.zona_conocida_alcanzada, _codigos(resumen)) == (
            False,
            ["pagina_prohibida", "zip_ausente"],
        )
        assert otro.peticiones == []
        assert all("9999" not in i for i, _ in banco.guardadas)


async def test_una_fuente_parada_es_alarma_y_no_fallo(banco: Banco) -> None:
    banco.crecer(8)
    banco.ahora += timedelta(days=3)
    for _ in range(2):
        resumen = await banco.pasar()
        assert _codigos(resumen) == ["fuente_parada"]
        assert "72 h" in resumen.alarmas[0].mensaje
    assert banco.guardadas == banco.publicadas


async def test_bytes_lentos_llegan_enteros(banco: Banco) -> None:
    banco.crecer(8)
    banco.servidor.fallar(banco.canal.ruta, faltas.gotear(trozo=2000, cada_s=0.01))
    assert (await banco.pasar()).versiones_nuevas == 8


async def test_lapida_y_republicacion_siguen_al_instante_mayor(banco: Banco) -> None:
    banco.crecer(4)
    banco.anotar(LapidaMuestra(2, banco.ahora), LapidaMuestra(3, banco.ahora))
    await banco.pasar()
    banco.ahora += timedelta(hours=1)
    banco.anotar(Anotacion(2, banco.ahora, "Suministro corregido"))
    await banco.pasar()
    vigentes = dict(banco.con.execute("SELECT cola, vigente FROM licitacion"))
    assert vigentes == {"1": 1, "2": 1, "3": 0, "4": 1}


async def test_una_correccion_tardia_dentro_del_margen_se_ve(banco: Banco) -> None:
    banco.crecer(30)
    await banco.pasar()
    banco.crecer(1)
    await banco.pasar()
    tardia = Anotacion(900, banco.ahora - timedelta(hours=40), "Llega tarde")
    hoja = next(
        p for p in banco.canal._congeladas if p.cosas[0].instante >= tardia.instante >= p.cosas[-1].instante
    )
    i = banco.canal._congeladas.index(hoja)
    banco.canal._congeladas[i] = type(hoja)(hoja.nombre, (*hoja.cosas, tardia), hoja.generada)
    banco.crecer(1)
    await banco.pasar()
    assert localizar(banco.con, tardia.id)


async def test_dos_pasadas_a_la_vez_la_segunda_lo_dice(banco: Banco) -> None:
    banco.crecer(3)
    with (
        candado(fichero_de(banco.con).with_name(".sincronizar-643.candado"), "ocupado"),
        pytest.raises(Ocupado, match="Ya hay una pasada en marcha"),
    ):
        await banco.pasar()
    assert (await banco.pasar()).versiones_nuevas == 3


async def test_la_primera_pasada_no_baja_mas_de_lo_pedido(banco: Banco) -> None:
    banco.reglas = Reglas(primera=24 * HORA, minimo=0)
    banco.crecer(60)
    resumen = await banco.pasar()
    assert resumen.zona_conocida_alcanzada
    assert len(banco.guardadas) == 10


async def test_un_instante_del_futuro_no_ciega_la_siguiente_pasada(banco: Banco) -> None:
    banco.crecer(8)
    await banco.pasar()
    banco.anotar(Anotacion(700, datetime(2099, 1, 1, tzinfo=UTC)))
    await banco.pasar()
    banco.crecer(3)
    await banco.pasar()
    assert banco.guardadas == banco.publicadas
