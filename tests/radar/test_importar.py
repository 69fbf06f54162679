"""Importing files: what goes in, what is set apart, and that doing it twice changes nothing."""

from __future__ import annotations

import gzip
import random
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime
from multiprocessing import get_context
from pathlib import Path

import pytest

from dominios.licitaciones import registro
from dominios.licitaciones.radar.almacen import diccionario_vigente
from dominios.licitaciones.radar.apartado.almacen import listar_cuarentena
from dominios.licitaciones.radar.atom import ARBOL_ENTERO
from dominios.licitaciones.radar.compresion import MUESTRAS
from dominios.licitaciones.radar.consulta import versiones
from dominios.licitaciones.radar.importar import ResumenImportacion, importar_ficheros, preparar_lector
from dominios.licitaciones.radar.muestra import carpeta as carpeta_muestra
from dominios.licitaciones.radar.procesar import OCTETOS_GRUPO, procesar_pagina
from dominios.licitaciones.radar.unidades import TAMANO_MAXIMO
from nucleo.bd import conectar
from nucleo.errores import ErrorEntrada, FuenteIlegible
from nucleo.reloj import reloj_fijo
from tests.espera import esperar
from tests.radar.caja import Caja
from tests.radar.constructor import T1, entrada, ident, lapida, pagina
from tests.radar.volcado import volcar

RELOJ = reloj_fijo(datetime(2026, 3, 2, 9, 0, tzinfo=UTC))


def importar(caja: Caja, *ficheros: Path) -> ResumenImportacion:
    return importar_ficheros(caja.con, ficheros, None, RELOJ, lambda _: None)


def muestra() -> list[Path]:
    return sorted(carpeta_muestra().rglob("*.atom"))


def zip_de(ruta: Path, miembros: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(ruta, "w", zipfile.ZIP_DEFLATED) as archivo:
        for nombre, cuerpo in miembros.items():
            archivo.writestr(nombre, cuerpo)
    return ruta


def test_importar_dos_veces_no_cambia_nada(caja: Caja) -> None:
    primera = importar(caja, *muestra())
    antes = volcar(caja.con)
    segunda = importar(caja, *muestra())
    assert primera.versiones_nuevas > 0
    assert (segunda.versiones_nuevas, segunda.sin_cambios) == (0, segunda.entradas)
    assert segunda.entradas == primera.entradas
    assert volcar(caja.con) == antes


def test_da_igual_plano_comprimido_o_en_zip(caja: Caja, tmp_path: Path) -> None:
    cuerpo = pagina(entrada(1), entrada(2))
    plano = tmp_path / "a.xml"
    plano.write_bytes(cuerpo)
    comprimido = tmp_path / "sin-extension"
    comprimido.write_bytes(gzip.compress(cuerpo))
    en_zip = zip_de(tmp_path / "z.atom", {"dentro/p.atom": cuerpo})
    assert importar(caja, plano).versiones_nuevas == 2
    assert importar(caja, comprimido, en_zip).versiones_nuevas == 0


def test_leer_en_otros_procesos_da_lo_mismo(tmp_path: Path) -> None:
    volcados = []
    for numero, procesos in enumerate((0, 2)):
        contexto = get_context("spawn")
        con = conectar(registro.preparar(tmp_path / str(numero)))
        if procesos:
            with ProcessPoolExecutor(procesos, mp_context=contexto, initializer=preparar_lector) as ejecutor:
                importar_ficheros(con, muestra(), ejecutor, RELOJ, lambda _: None)
        else:
            importar_ficheros(con, muestra(), None, RELOJ, lambda _: None)
        volcados.append(volcar(con))
        con.close()
    assert volcados[0] == volcados[1]


@pytest.mark.parametrize(
    ("mala", "codigo"),
    [
        (b"<!DOCTYPE html><html><body>Mantenimiento</body></html>", "fuente_ilegible"),
        (b"<html><body>Error</body></html>", "fuente_ilegible"),
        (pagina(entrada(9))[:-200], "fuente_ilegible"),
        (b"", "fuente_ilegible"),
        (
            b'<!DOCTYPE feed [<!ENTITY a "b">]><feed xmlns="http://www.w3.org/2005/Atom"><id>&a;</id></feed>',
            "fuente_ilegible",
        ),
    ],
    ids=["html", "xhtml", "cortada", "vacia", "doctype"],
)
def test_una_pagina_mala_se_aparta_y_el_resto_entra(
    caja: Caja, tmp_path: Path, mala: bytes, codigo: str
) -> None:
    (tmp_path / "1.atom").write_bytes(mala)
    (tmp_path / "2.atom").write_bytes(pagina(entrada(2)))
    resumen = importar(caja, tmp_path / "1.atom", tmp_path / "2.atom")
    assert (resumen.versiones_nuevas, resumen.cuarentena) == (1, 1)
    (apartada,) = listar_cuarentena(caja.con)
    assert (apartada.nivel, apartada.origen, apartada.codigo) == ("pagina", "1.atom", codigo)
    assert importar(caja, tmp_path / "1.atom").cuarentena == 1
    assert len(listar_cuarentena(caja.con)) == 1


def test_una_pagina_grande_se_lee_por_trozos_y_da_lo_mismo() -> None:
    piezas = (lapida(7, T1), *(entrada(n) for n in range(1, 5)))
    cuerpo = pagina(*piezas)
    relleno = b"<!--" + b"x" * ARBOL_ENTERO + b"--></feed>"
    chica, grande = (procesar_pagina(c, "p.atom") for c in (cuerpo, cuerpo.replace(b"</feed>", relleno)))
    assert chica.huella != grande.huella
    assert chica._replace(huella=grande.huella) == grande
    with pytest.raises(FuenteIlegible, match="DOCTYPE"):
        procesar_pagina(b"<!DOCTYPE feed>" + pagina(*piezas).partition(b"?>")[2] + b" " * ARBOL_ENTERO, "p")


def test_leer_en_grupos_da_lo_mismo_que_una_a_una() -> None:
    ancha = entrada(2).replace("</entry>", f"<extra>{'x' * OCTETOS_GRUPO}</extra></entry>")
    sin_instante = entrada(4).replace("<updated>", "<updated>ayer ", 1)
    piezas = (entrada(1), ancha, entrada(3), sin_instante, entrada(5))
    junta = procesar_pagina(pagina(*piezas), "p")
    sueltas = [procesar_pagina(pagina(pieza), "p") for pieza in piezas]
    assert junta.entradas == tuple(e for suelta in sueltas for e in suelta.entradas)
    assert junta.cuarentenas == tuple(a for suelta in sueltas for a in suelta.cuarentenas)
    assert (len(junta.entradas), len(junta.cuarentenas)) == (4, 1)


def test_una_entrada_dentro_de_otra_no_es_de_la_pagina() -> None:
    anidada = entrada(1).replace("</entry>", f"<extra>{entrada(2)}</extra></entry>")
    cuerpo = pagina(anidada)
    grande = cuerpo.replace(b"</feed>", b"<!--" + b"x" * ARBOL_ENTERO + b"--></feed>")
    for leida in (procesar_pagina(cuerpo, "p"), procesar_pagina(grande, "p")):
        assert [e.id for e in leida.entradas] == [ident(1)]


def test_una_entrada_mala_se_aparta_con_su_xml_y_el_resto_entra(caja: Caja, tmp_path: Path) -> None:
    sin_instante = entrada(1).replace("<updated>", "<updated>ayer ", 1)
    sin_cuerpo = "<entry><id>urn:x:3</id><updated>2026-02-16T10:00:00.000+01:00</updated></entry>"
    fichero = tmp_path / "p.atom"
    fichero.write_bytes(pagina(sin_instante, entrada(2), sin_cuerpo))
    resumen = importar(caja, fichero)
    assert (resumen.entradas, resumen.versiones_nuevas, resumen.cuarentena) == (3, 1, 2)
    assert {a.codigo for a in listar_cuarentena(caja.con)} == {"instante_ilegible", "sin_contenido"}
    assert all(a.octetos > 0 and a.nivel == "entrada" for a in listar_cuarentena(caja.con))


def test_una_lapida_ilegible_se_aparta(caja: Caja, tmp_path: Path) -> None:
    fichero = tmp_path / "p.atom"
    fichero.write_bytes(pagina(lapida(1, "2026-02-30"), lapida(2, T1), entrada(3)))
    resumen = importar(caja, fichero)
    assert (resumen.lapidas, resumen.versiones_nuevas, resumen.cuarentena) == (1, 1, 1)


def test_un_miembro_roto_de_un_zip_se_aparta_y_los_demas_entran(caja: Caja, tmp_path: Path) -> None:
    ruta = zip_de(tmp_path / "z.zip", {f"{n}.atom": pagina(entrada(n)) for n in (1, 2, 3)})
    with zipfile.ZipFile(ruta) as archivo:
        victima = archivo.getinfo("2.atom")
        principio = victima.header_offset + 30 + len("2.atom")
    octetos = bytearray(ruta.read_bytes())
    octetos[principio + 10 : principio + 60] = b"\xff" * 50
    ruta.write_bytes(octetos)
    resumen = importar(caja, ruta)
    assert (resumen.versiones_nuevas, resumen.cuarentena) == (2, 1)
    (apartada,) = listar_cuarentena(caja.con)
    assert (apartada.nivel, apartada.codigo, apartada.origen) == ("miembro", "miembro_roto", "z.zip!2.atom")


def test_un_zip_bomba_no_entra_en_memoria(caja: Caja, tmp_path: Path) -> None:
    ruta = tmp_path / "bomba.zip"
    with zipfile.ZipFile(ruta, "w", zipfile.ZIP_DEFLATED) as archivo:
        with archivo.open("grande.atom", "w", force_zip64=True) as miembro:
            for _ in range(TAMANO_MAXIMO // 2**20 + 2):
                miembro.write(b" " * 2**20)
        archivo.writestr("buena.atom", pagina(entrada(1)))
    resumen = importar(caja, ruta)
    assert (resumen.versiones_nuevas, resumen.cuarentena) == (1, 1)
    assert listar_cuarentena(caja.con)[0].codigo == "demasiado_grande"


def test_un_fichero_que_no_existe_se_dice_y_nada_entra(caja: Caja, tmp_path: Path) -> None:
    bueno = tmp_path / "bueno.atom"
    bueno.write_bytes(pagina(entrada(1)))
    with pytest.raises(ErrorEntrada, match=r"falta\.zip"):
        importar(caja, bueno, tmp_path / "falta.zip")
    assert caja.con.execute("SELECT count(*) FROM version").fetchone() == (0,)


def test_un_zip_que_no_se_puede_abrir_se_aparta_y_los_demas_ficheros_entran(
    caja: Caja, tmp_path: Path
) -> None:
    (tmp_path / "1.atom").write_bytes(pagina(entrada(1)))
    entero = zip_de(tmp_path / "roto.zip", {"a.atom": pagina(entrada(2))}).read_bytes()
    (tmp_path / "roto.zip").write_bytes(entero[: len(entero) // 2])
    (tmp_path / "2.atom").write_bytes(pagina(entrada(3)))
    resumen = importar(caja, tmp_path / "1.atom", tmp_path / "roto.zip", tmp_path / "2.atom")
    assert (resumen.versiones_nuevas, resumen.cuarentena) == (2, 1)
    (apartada,) = listar_cuarentena(caja.con)
    assert (apartada.nivel, apartada.codigo, apartada.origen) == ("miembro", "zip_roto", "roto.zip")


def test_el_diccionario_se_entrena_y_lo_anterior_se_sigue_leyendo(caja: Caja, tmp_path: Path) -> None:
    ficheros = []
    for lote in range(3):
        fichero = tmp_path / f"{lote}.atom"
        fichero.write_bytes(pagina(*(entrada(lote * MUESTRAS + n) for n in range(MUESTRAS // 2 + 1))))
        ficheros.append(fichero)
    importar(caja, *ficheros)
    assert diccionario_vigente(caja.con) is not None
    con, sin = caja.con.execute("SELECT sum(dic_id IS NOT NULL), sum(dic_id IS NULL) FROM version").fetchone()
    assert con > 0
    assert sin > 0
    peso_con, peso_sin = (
        caja.con.execute(f"SELECT avg(length(xml)) FROM version WHERE dic_id IS {no} NULL").fetchone()[0]
        for no in ("NOT", "")
    )
    assert peso_con < peso_sin / 2
    for licitacion_id in (1, 2 * MUESTRAS):
        fila = caja.con.execute(
            "SELECT id FROM licitacion WHERE id <= ? ORDER BY id DESC LIMIT 1", (licitacion_id,)
        ).fetchone()
        assert len(versiones(caja.con, fila[0])) == 1


def reales(carpeta: Path) -> list[Path]:
    carpetas = ("1044_agregadas", "1143_menores", "643_versiones", "643_paginas")
    return [f for c in carpetas for f in sorted((carpeta / "placsp" / c).rglob("*")) if f.is_file()]


def importar_por_orden(ficheros: Sequence[Path], destino: Path) -> ResumenImportacion:
    hecho = subprocess.run(
        [str(Path(sys.executable).with_name("sobre")), "radar", "importar", "--json", *map(str, ficheros)],
        env={"SOBRE_DATOS": str(destino), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    return ResumenImportacion.model_validate_json(hecho.stdout)


def test_los_datos_reales_entran_enteros_en_cualquier_orden(datos_reales: Path, tmp_path: Path) -> None:
    ficheros = reales(datos_reales)
    barajados = random.Random(7).sample(ficheros, len(ficheros))
    for numero, orden in enumerate((ficheros, barajados)):
        destino = tmp_path / str(numero)
        resumen = importar_por_orden(orden, destino)
        assert (resumen.entradas, resumen.lapidas, resumen.vigentes) == (6653, 862, 6460)
        assert (resumen.cuarentena, resumen.versiones_nuevas) == (0, 6653)
    otra = importar_por_orden(ficheros, destino)
    assert (otra.versiones_nuevas, otra.sin_cambios, otra.vigentes) == (0, 6653, 6460)


def hijos(pid: int) -> list[Path]:
    """Where /proc tells of its children, those that it has now."""
    try:
        return [Path("/proc", hijo) for hijo in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except FileNotFoundError:
        return []


def test_matar_la_importacion_no_pierde_ni_dobla_nada(caja: Caja, tmp_path: Path) -> None:
    """SIGKILL at random moments, again and again, until one run gets to the end."""
    azar = random.Random(11)
    ficheros = []
    for lote in range(12):
        fichero = tmp_path / f"{lote}.atom"
        cuerpos = [
            entrada(n, T1 if lote % 2 else "2026-02-16T10:00:00.000+01:00") for n in range(lote, lote + 60)
        ]
        fichero.write_bytes(pagina(*cuerpos, updated=f"2026-03-02T09:{lote:02}:00.000+01:00"))
        ficheros.append(fichero)
    importar(caja, *ficheros)
    destino = tmp_path / "matada"
    orden = [str(Path(sys.executable).with_name("sobre")), "radar", "importar", *map(str, ficheros)]
    entorno = {"SOBRE_DATOS": str(destino), "PATH": "/usr/bin:/bin"}
    muertes, lectores = 0, list[Path]()
    for _ in range(60):
        proceso = subprocess.Popen(orden, env=entorno, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL)
        assert proceso.stderr is not None
        proceso.stderr.readline()  # it has begun to write
        limite = time.monotonic() + azar.uniform(0, 0.15)
        while proceso.poll() is None and time.monotonic() < limite:
            pass
        terminado = proceso.poll() == 0
        lectores += hijos(proceso.pid)
        proceso.send_signal(signal.SIGKILL)
        proceso.stderr.close()
        proceso.wait()
        if terminado:
            break
        muertes += 1
    assert muertes > 0
    esperar(lambda: not any(lector.exists() for lector in lectores), 30)
    importar_por_orden(ficheros, destino)
    otra = conectar(registro.preparar(destino))
    assert volcar(otra) == volcar(caja.con)
    otra.close()
