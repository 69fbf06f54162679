"""What may be asked for, by the text of the URL alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nucleo.errores import DestinoProhibido
from nucleo.red.destinos import Origen, crear_politica, examinar, seguir, sin_consulta

NUEVO, VIEJO, OTRO = "fuente.example.es", "fuente-antigua.example.es", "plataforma.example.org"
POLITICA = crear_politica([OTRO, "contratación.example.es"], equivalentes=[NUEVO, VIEJO])
CON_LOCAL = crear_politica([], equivalentes=[NUEVO], local="http://127.0.0.1:8765/a/cabecera.atom")


@pytest.mark.parametrize(
    ("url", "normal"),
    [
        (f"https://{NUEVO}/a.atom", f"https://{NUEVO}/a.atom"),
        (f"HTTPS://{NUEVO.upper()}/a.atom", f"https://{NUEVO}/a.atom"),
        (f"https://{NUEVO}./a.atom", f"https://{NUEVO}/a.atom"),
        (f"https://{NUEVO}:443/a.atom", f"https://{NUEVO}/a.atom"),
        (f"https://{NUEVO}", f"https://{NUEVO}/"),
        (f"https://{NUEVO}/a.atom?x=1&y=%C3%B1#trozo", f"https://{NUEVO}/a.atom?x=1&y=%C3%B1"),
        (f"https://{NUEVO}/año.atom", f"https://{NUEVO}/a%C3%B1o.atom"),
        ("https://contratación.example.es/a", "https://xn--contratacin-zeb.example.es/a"),
        ("https://xn--contratacin-zeb.example.es/a", "https://xn--contratacin-zeb.example.es/a"),
        ("https://ｆｕｅｎｔｅ.example.es/a", f"https://{NUEVO}/a"),
    ],
)
def test_se_admite_lo_permitido_y_se_reescribe(url: str, normal: str) -> None:
    assert examinar(url, POLITICA).url == normal


@pytest.mark.parametrize(
    "url",
    [
        f"http://{NUEVO}/a.atom",
        f"ftp://{NUEVO}/a.atom",
        f"file:///etc/passwd#{NUEVO}",
        f"//{NUEVO}/a.atom",
        "a.atom",
        "",
        "https://",
        "https:///a.atom",
        f"https:{NUEVO}/a",
        f"https://{NUEVO}:8443/a.atom",
        f"https://{NUEVO}:0/a.atom",
        f"https://{NUEVO}:99999/a.atom",
        f"https://{NUEVO}:-1/a.atom",
        f"https://{NUEVO}:4 43/a.atom",
        f"https://{NUEVO}:abc/a.atom",
        f"https://usuario@{NUEVO}/a.atom",
        f"https://{NUEVO}@malo.example/a.atom",
        f"https://malo.example/@{NUEVO}/",
        f"https://malo.example#{NUEVO}",
        f"https://malo.example?{NUEVO}",
        f"https://malo.example\\@{NUEVO}/a",
        f"https://{NUEVO}\\.malo.example/a",
        f"https://{NUEVO}.malo.example/a.atom",
        f"https://malo{NUEVO}/a.atom",
        f"https://sub.{NUEVO}/a.atom",
        f"https://{NUEVO}../a.atom",
        f"https://.{NUEVO}/a.atom",
        f"https://{NUEVO}%2e/a.atom",
        f"https://{NUEVO}%00.malo.example/a.atom",
        f"https://{NUEVO}\t/a.atom",
        f"https://{NUEVO}/a\r\nHost: malo.example",
        f" https://{NUEVO}/a.atom",
        "https://127.0.0.1/a",
        "https://127.1/a",
        "https://2130706433/a",
        "https://0x7f000001/a",
        "https://0x7f.0.0.1/a",
        "https://0177.0.0.01/a",
        "https://10.0.0.1/a",
        "https://8.8.8.8/a",
        "https://[::1]/a",
        "https://[::ffff:127.0.0.1]/a",
        "https://[fe80::1%25eth0]/a",
        "https://[fe80::1%eth0]/a",
        "https://[::1/a",
        "https://localhost/a",
        "http://localhost:8765/a",
        f"https://{'a' * 64}.example.es/",
        f"https://{NUEVO}/{'a' * 5000}",
    ],
)
def test_se_rechaza_todo_lo_demas(url: str) -> None:
    with pytest.raises(DestinoProhibido) as rechazo:
        examinar(url, POLITICA)
    assert rechazo.value.mensaje
    assert not rechazo.value.reintentable


@given(st.text(max_size=60))
def test_ningun_texto_pasa_sin_ser_de_un_sitio_permitido(texto: str) -> None:
    for url in (texto, f"https://{texto}", f"https://{NUEVO}{texto}"):
        try:
            destino = examinar(url, POLITICA)
        except DestinoProhibido:
            continue
        assert destino.origen.host in POLITICA.permitidos
        assert destino.origen[::2] == ("https", 443)
        assert destino.url.isascii()
        assert examinar(destino.url, POLITICA) == destino


def test_esta_maquina_solo_por_el_puerto_dado() -> None:
    assert examinar("http://127.0.0.1:8765/b.atom", CON_LOCAL).origen == Origen("http", "127.0.0.1", 8765)
    for url in (
        "http://127.0.0.1:8766/b.atom",
        "http://127.0.0.1/b.atom",
        "https://127.0.0.1:8765/b.atom",
        "http://localhost:8765/b.atom",
        "http://127.0.0.2:8765/b.atom",
        "http://[::1]:8765/b.atom",
    ):
        with pytest.raises(DestinoProhibido):
            examinar(url, CON_LOCAL)


@pytest.mark.parametrize("url", [f"https://{OTRO}/a", "https://10.0.0.1/a", "http://192.168.1.1/a"])
def test_una_url_de_fuera_no_se_abre_por_darla_como_local(url: str) -> None:
    try:
        politica = crear_politica([NUEVO], local=url)
    except DestinoProhibido:
        return
    with pytest.raises(DestinoProhibido):
        examinar(url, politica)


@pytest.mark.parametrize(
    ("enlace", "adonde"),
    [
        ("b.atom", f"https://{NUEVO}/s/b.atom"),
        ("/b.atom", f"https://{NUEVO}/b.atom"),
        (f"https://{NUEVO}/b.atom", f"https://{NUEVO}/b.atom"),
        (f"https://{VIEJO}/b.atom", f"https://{VIEJO}/b.atom"),
        (f"//{VIEJO}/b.atom", f"https://{VIEJO}/b.atom"),
    ],
)
def test_un_enlace_se_sigue_dentro_de_la_misma_fuente(enlace: str, adonde: str) -> None:
    assert seguir(f"https://{NUEVO}/s/a.atom", enlace, POLITICA).url == adonde


@pytest.mark.parametrize(
    "enlace",
    [
        f"https://{OTRO}/b.atom",
        f"http://{NUEVO}/b.atom",
        f"https://{NUEVO}:8443/b.atom",
        "https://malo.example/b.atom",
        "//malo.example/b.atom",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "http://127.0.0.1:8765/",
        "https://[::1",
        "b.atom\nX: y",
    ],
)
def test_un_enlace_a_otro_sitio_no_se_sigue(enlace: str) -> None:
    with pytest.raises(DestinoProhibido):
        seguir(f"https://{NUEVO}/s/a.atom", enlace, POLITICA)


@pytest.mark.parametrize(
    "enlace",
    ["http://127.0.0.1:1/x", "http://localhost:8765/x", f"https://{NUEVO}/x", "https://127.0.0.1:8765/x"],
)
def test_desde_esta_maquina_tampoco_se_cambia_de_sitio_ni_de_puerto(enlace: str) -> None:
    with pytest.raises(DestinoProhibido):
        seguir("http://127.0.0.1:8765/a.atom", enlace, CON_LOCAL)


def test_los_mensajes_no_llevan_la_consulta_ni_el_usuario() -> None:
    limpia = sin_consulta("https://yo:clave@sitio.example/a\r\n?clave=secreta#x")
    assert limpia == "https://sitio.example/a"
    with pytest.raises(DestinoProhibido) as rechazo:
        examinar("https://yo:contrasena@malo.example/a?clave=secreta", POLITICA)
    assert "secreta" not in rechazo.value.mensaje
    assert "contrasena" not in rechazo.value.mensaje
