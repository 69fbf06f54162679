"""Files of the runs: what is kept and what is not, and that no fault leaves a row without its file."""

from __future__ import annotations

import io
import os
import sqlite3
import zipfile
from contextlib import closing
from datetime import timedelta
from hashlib import sha256
from pathlib import Path

import pytest
from pydantic import ValidationError

from nucleo.bd import conectar
from nucleo.errores import ErrorBaseDatos
from nucleo.recorridos import almacen, lectura, motor
from nucleo.recorridos.artefactos import ficheros, servicio
from nucleo.recorridos.artefactos.limites import BYTES_MAX
from nucleo.recorridos.artefactos.modelo import Artefacto, NuevoArtefacto, ReciboArtefacto
from nucleo.recorridos.comandos import EJECUTOR, RELOJ, Actor, TipoComando
from nucleo.recorridos.errores import ErrorRecorrido
from tests.recorridos.almacen.base import conectar_con_sorpresa, en_cada_sentencia, volcado
from tests.recorridos.almacen.sencillo import CON_CONECTOR, PLAN, acabar, completar, crear, iniciar, mandar
from tests.recorridos.invariantes import sin_arriendos
from tests.recorridos.partida import INICIO
from tests.recorridos.secuencias import ANA, BEA, HERMES, LUIS, OTRO

DIA = timedelta(hours=24)
CONTENIDO = "Memoria técnica".encode()
WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


def paquete(*partes: str) -> bytes:
    fichero = io.BytesIO()
    with zipfile.ZipFile(fichero, "w") as zip_:
        for parte in partes:
            zip_.writestr(parte, "x")
    return fichero.getvalue()


def guardar(
    con: sqlite3.Connection,
    datos: Path,
    rid: str,
    contenido: bytes = CONTENIDO,
    actor: Actor = HERMES,
    **partes: object,
) -> ReciboArtefacto:
    nuevo = NuevoArtefacto.model_validate(
        {
            "comando_id": "f",
            "paso": "redactar",
            "intento": 1,
            "nombre": "memoria.txt",
            "tipo_medio": "text/plain",
            **partes,
        }
    )
    return servicio.registrar(con, datos, rid, nuevo, contenido, actor, INICIO)


def en_disco(datos: Path) -> list[Path]:
    return sorted(p for p in (datos / "artefactos").glob("*/*") if p.is_file())


@pytest.fixture
def rid(con: sqlite3.Connection) -> str:
    """A run whose task is under way."""
    recibo = crear(con)
    iniciar(con, recibo.id)
    return recibo.id


def test_se_guarda_se_abre_y_se_cuenta(con: sqlite3.Connection, tmp_path: Path, rid: str) -> None:
    visto, antes = lectura.pulso(con, rid), almacen.recorrido(con, rid)
    recibo = guardar(con, tmp_path, rid)
    assert recibo.artefacto.sha256 == sha256(CONTENIDO).hexdigest()
    assert servicio.abrir(con, tmp_path, recibo.artefacto.id).contenido == CONTENIDO
    (fichero,) = en_disco(tmp_path)
    assert fichero.stat().st_mode & 0o777 == 0o600
    assert fichero.parent.stat().st_mode & 0o777 == 0o700
    pulso = lectura.pulso(con, rid)
    assert (pulso.revision, pulso.secuencia) == (visto.revision, visto.secuencia + 1)
    assert pulso.cambio > visto.cambio
    (suceso,) = lectura.eventos(con, rid, visto.secuencia)
    assert (suceso.tipo, suceso.actor, suceso.mensaje) == (
        "artefacto",
        HERMES,
        f"{recibo.artefacto.id} memoria.txt",
    )
    assert guardar(con, tmp_path, rid) == recibo.model_copy(update={"repetido": True})
    assert lectura.pulso(con, rid) == pulso
    assert almacen.recorrido(con, rid).pasos == antes.pasos
    assert lectura.leer(con, CON_CONECTOR, rid).artefactos == 1
    assert lectura.artefactos(con, rid) == (recibo.artefacto,)
    assert lectura.artefactos(con, rid, recibo.artefacto.id) == ()


def test_un_recorrido_con_ficheros_se_reproduce_igual(
    con: sqlite3.Connection, tmp_path: Path, rid: str
) -> None:
    """I42 with events that no command left."""
    recibo = guardar(con, tmp_path, rid)
    mandar(
        con,
        rid,
        TipoComando.COMPLETAR,
        paso="redactar",
        intento=1,
        mensaje="Hecho",
        salidas={"documento": recibo.artefacto.id},
    )
    guardar(con, tmp_path, rid, b"firmado", ANA, comando_id="p", paso="revisar", intento=None)
    nuevo = motor.Nuevo(id=rid, coordinador="hermes")
    otra = motor.reproducir(PLAN, nuevo, lectura.eventos(con, rid), CON_CONECTOR)
    assert sin_arriendos(otra) == sin_arriendos(almacen.recorrido(con, rid))


def test_dos_iguales_comparten_bytes(con: sqlite3.Connection, tmp_path: Path, rid: str) -> None:
    uno = guardar(con, tmp_path, rid)
    otro = guardar(con, tmp_path, rid, comando_id="g", nombre="copia.txt")
    assert uno.artefacto.id != otro.artefacto.id
    assert len(en_disco(tmp_path)) == 1


def test_la_misma_clave_con_otros_bytes(con: sqlite3.Connection, tmp_path: Path, rid: str) -> None:
    guardar(con, tmp_path, rid)
    for contenido, actor in ((b"otra cosa", HERMES), (CONTENIDO, EJECUTOR)):
        with pytest.raises(ErrorRecorrido) as dicho:
            guardar(con, tmp_path, rid, contenido, actor)
        assert dicho.value.codigo == "CLAVE_REUTILIZADA"
    assert len(en_disco(tmp_path)) == 1


@pytest.mark.parametrize(
    ("tipo", "contenido"),
    [
        ("text/plain", b""),
        ("text/csv", "año;importe\n".encode()),
        ("text/html", b"<script>parent.document.title='x'</script>"),
        ("image/svg+xml", b'\xef\xbb\xbf <svg xmlns="http://www.w3.org/2000/svg"/>'),
        ("application/json", b'{"a": [1]}'),
        ("application/pdf", b"%PDF-1.7\n"),
        ("image/png", b"\x89PNG\r\n\x1a\n0"),
        ("image/jpeg", b"\xff\xd8\xff\xe0"),
        ("application/zip", paquete("a.txt")),
        (WORD, paquete("[Content_Types].xml", "word/document.xml")),
    ],
    ids=lambda v: v if isinstance(v, str) else "",
)
def test_tipos_que_se_guardan(
    con: sqlite3.Connection, tmp_path: Path, rid: str, tipo: str, contenido: bytes
) -> None:
    artefacto = guardar(con, tmp_path, rid, contenido, tipo_medio=tipo).artefacto
    assert servicio.abrir(con, tmp_path, artefacto.id).contenido == contenido


@pytest.mark.parametrize(
    ("tipo", "contenido", "codigo"),
    [
        ("application/x-msdownload", b"MZ", "TIPO_NO_ADMITIDO"),
        ("text/plain", b"a\0b", "TIPO_NO_ADMITIDO"),
        ("text/plain", b"\xff\xfe", "TIPO_NO_ADMITIDO"),
        ("application/json", b"{", "TIPO_NO_ADMITIDO"),
        ("application/json", b"[" * 200_000, "TIPO_NO_ADMITIDO"),
        ("application/pdf", b"<html>", "TIPO_NO_ADMITIDO"),
        ("image/png", b"GIF89a", "TIPO_NO_ADMITIDO"),
        (WORD, paquete("a.txt"), "TIPO_NO_ADMITIDO"),
        (WORD, b"PK\x03\x04roto", "TIPO_NO_ADMITIDO"),
        ("text/plain", b"x" * (BYTES_MAX + 1), "DEMASIADO_GRANDE"),
    ],
    ids=[
        "exe",
        "nulo",
        "no_utf8",
        "json_roto",
        "json_hondo",
        "no_pdf",
        "no_png",
        "no_word",
        "roto",
        "grande",
    ],
)
def test_tipos_que_no_se_guardan(  # noqa: PLR0917 - fixtures and cases
    con: sqlite3.Connection, tmp_path: Path, rid: str, tipo: str, contenido: bytes, codigo: str
) -> None:
    antes = volcado(con)
    with pytest.raises(ErrorRecorrido) as dicho:
        guardar(con, tmp_path, rid, contenido, tipo_medio=tipo)
    assert dicho.value.codigo == codigo
    assert volcado(con) == antes
    assert en_disco(tmp_path) == []


@pytest.mark.parametrize("nombre", ["../x", "a/b", "a\\b", "a\nb", "", "x" * 161, 'a"b'])
def test_un_nombre_no_es_una_ruta(nombre: str) -> None:
    with pytest.raises(ValidationError):
        NuevoArtefacto(comando_id="f", paso="redactar", nombre=nombre, tipo_medio="text/plain")


@pytest.mark.parametrize(
    ("actor", "partes", "codigo"),
    [
        (OTRO, {}, "PROHIBIDO"),
        (RELOJ, {}, "PROHIBIDO"),
        (HERMES, {"intento": 2}, "INTENTO_VIEJO"),
        (HERMES, {"intento": None}, "INTENTO_VIEJO"),
        (HERMES, {"paso": "revisar"}, "NO_EN_CURSO"),
        (HERMES, {"paso": "no-esta"}, "NO_EXISTE"),
        (ANA, {"intento": None}, "NO_ESPERA"),
        (LUIS, {"paso": "revisar", "intento": None}, "PROHIBIDO"),
    ],
    ids=["otro", "reloj", "viejo", "sin_intento", "de_persona", "sin_paso", "no_espera", "lector"],
)
def test_quien_no_puede(  # noqa: PLR0917 - fixtures and cases
    con: sqlite3.Connection, tmp_path: Path, rid: str, actor: Actor, partes: dict[str, object], codigo: str
) -> None:
    with pytest.raises(ErrorRecorrido) as dicho:
        guardar(con, tmp_path, rid, actor=actor, **partes)
    assert dicho.value.codigo == codigo
    assert en_disco(tmp_path) == [], "no se toca el disco de quien no puede"


def test_cuando_ya_no_se_puede(con: sqlite3.Connection, tmp_path: Path, rid: str) -> None:
    completar(con, rid)
    with pytest.raises(ErrorRecorrido) as dicho:
        guardar(con, tmp_path, rid)
    assert dicho.value.codigo == "NO_EN_CURSO"
    guardar(con, tmp_path, rid, actor=BEA, paso="revisar", intento=None)
    acabar(con, rid)
    with pytest.raises(ErrorRecorrido) as dicho:
        guardar(con, tmp_path, rid, actor=BEA, paso="revisar", intento=None, comando_id="g")
    assert dicho.value.codigo == "TERMINADO"


def _filas_con_fichero(con: sqlite3.Connection, datos: Path) -> None:
    """I41."""
    for (huella,) in con.execute("SELECT sha256 FROM recorrido_artefacto"):
        assert sha256(ficheros.ruta(datos / "artefactos", huella).read_bytes()).hexdigest() == huella, "I41"


def test_muerto_en_cada_sentencia(con: sqlite3.Connection, fichero: Path, tmp_path: Path, rid: str) -> None:
    """I21 and I41: all or nothing, and what is left on disk is swept later, but not before a day."""
    barridos: list[int] = []

    def tras_morir(viva: sqlite3.Connection) -> None:
        assert servicio.barrer(viva, tmp_path, INICIO + DIA - timedelta(seconds=1)) == 0
        barridos.append(servicio.barrer(viva, tmp_path, INICIO + DIA))
        assert en_disco(tmp_path) == []

    recibo = en_cada_sentencia(fichero, lambda viva: guardar(viva, tmp_path, rid), tras_morir)
    assert set(barridos) == {0, 1}, "it dies before its bytes are on disk, and after"
    _filas_con_fichero(con, tmp_path)
    assert servicio.barrer(con, tmp_path, INICIO + 10 * DIA) == 0
    assert guardar(con, tmp_path, rid) == recibo.model_copy(update={"repetido": True})


def test_el_disco_falla_con_los_bytes_escritos(con: sqlite3.Connection, tmp_path: Path, rid: str) -> None:
    """They cannot get their name: nothing of them stays."""
    antes = volcado(con)
    estorbo = ficheros.ruta(tmp_path / "artefactos", sha256(CONTENIDO).hexdigest())
    (estorbo / "algo").mkdir(parents=True)
    with pytest.raises(OSError, match="directory"):
        guardar(con, tmp_path, rid)
    assert volcado(con) == antes
    assert list(estorbo.parent.iterdir()) == [estorbo]
    (estorbo / "algo").rmdir()
    estorbo.rmdir()
    guardar(con, tmp_path, rid)
    _filas_con_fichero(con, tmp_path)


def test_lo_que_un_muerto_dejo_a_medias_se_barre(con: sqlite3.Connection, tmp_path: Path, rid: str) -> None:
    guardar(con, tmp_path, rid)
    a_medias = en_disco(tmp_path)[0].with_name("a-medias-0123")
    a_medias.write_bytes(b"media memoria")
    os.utime(a_medias, (INICIO.timestamp(), INICIO.timestamp()))
    assert servicio.barrer(con, tmp_path, INICIO + DIA) == 1
    assert len(en_disco(tmp_path)) == 1
    _filas_con_fichero(con, tmp_path)


def test_volver_a_dar_unos_bytes_los_salva_de_la_barrida(
    con: sqlite3.Connection, tmp_path: Path, rid: str
) -> None:
    carpeta = tmp_path / "artefactos"
    ficheros.guardar(carpeta, CONTENIDO, INICIO - DIA)
    ficheros.guardar(carpeta, CONTENIDO, INICIO)
    assert servicio.barrer(con, tmp_path, INICIO + timedelta(hours=1)) == 0
    guardar(con, tmp_path, rid)
    assert servicio.barrer(con, tmp_path, INICIO + DIA) == 0


def test_el_recorrido_acaba_mientras_se_escribe(
    con: sqlite3.Connection, fichero: Path, tmp_path: Path, rid: str
) -> None:
    """The bytes are on disk and nobody names them: refused, and swept a day later."""

    def acaba() -> None:
        acabar(con, rid)

    with closing(conectar_con_sorpresa(fichero, acaba)) as otra, pytest.raises(ErrorRecorrido) as dicho:
        guardar(otra, tmp_path, rid)
    assert dicho.value.codigo == "TERMINADO"
    assert lectura.artefactos(con, rid) == ()
    assert len(en_disco(tmp_path)) == 1
    assert servicio.barrer(con, tmp_path, INICIO + DIA) == 1


def test_los_bytes_se_barren_mientras_se_escribe_la_fila(
    con: sqlite3.Connection, fichero: Path, tmp_path: Path, rid: str
) -> None:
    """I41: they are written again before anybody can read the row."""

    def barre() -> None:
        (fichero_guardado,) = en_disco(tmp_path)
        fichero_guardado.unlink()

    with closing(conectar_con_sorpresa(fichero, barre)) as otra:
        guardar(otra, tmp_path, rid)
    assert len(en_disco(tmp_path)) == 1
    _filas_con_fichero(con, tmp_path)


def test_los_bytes_se_vuelven_a_dar_mientras_se_barre(
    con: sqlite3.Connection, fichero: Path, tmp_path: Path, rid: str
) -> None:
    carpeta = tmp_path / "artefactos"
    ficheros.guardar(carpeta, CONTENIDO, INICIO - DIA)

    def otra_vez() -> None:
        ficheros.guardar(carpeta, CONTENIDO, INICIO)

    with closing(conectar_con_sorpresa(fichero, otra_vez)) as otra:
        assert servicio.barrer(otra, tmp_path, INICIO) == 0
    guardar(con, tmp_path, rid)
    _filas_con_fichero(con, tmp_path)


def test_barrer_sin_carpeta(con: sqlite3.Connection, tmp_path: Path) -> None:
    assert servicio.barrer(con, tmp_path, INICIO) == 0


@pytest.mark.parametrize("como", ["borrado", "cambiado"])
def test_lo_que_el_disco_pierde_se_dice(con: sqlite3.Connection, tmp_path: Path, rid: str, como: str) -> None:
    artefacto: Artefacto = guardar(con, tmp_path, rid).artefacto
    (fichero,) = en_disco(tmp_path)
    if como == "borrado":
        fichero.unlink()
    else:
        fichero.write_bytes(b"otra cosa")
    with pytest.raises(ErrorBaseDatos, match=r"memoria\.txt"):
        servicio.abrir(con, tmp_path, artefacto.id)
    with pytest.raises(ErrorRecorrido, match="No hay ningún artefacto"):
        servicio.abrir(con, tmp_path, "art_no")


def test_otra_conexion_lo_ve(con: sqlite3.Connection, fichero: Path, tmp_path: Path, rid: str) -> None:
    artefacto = guardar(con, tmp_path, rid).artefacto
    with closing(conectar(fichero)) as otra:
        assert servicio.leer(otra, artefacto.id) == artefacto
