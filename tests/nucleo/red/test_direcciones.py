"""Public and inside addresses."""

from __future__ import annotations

import pytest

from nucleo.red.direcciones import es_de_esta_maquina, motivo_de_rechazo


@pytest.mark.parametrize("direccion", ["8.8.8.8", "193.146.0.1", "2606:4700:4700::1111", "2a02:9000::1"])
def test_una_direccion_publica_se_acepta(direccion: str) -> None:
    assert motivo_de_rechazo(direccion) is None


@pytest.mark.parametrize(
    "direccion",
    [
        "0.0.0.0", "10.1.2.3", "100.64.0.1", "127.0.0.1", "127.8.8.8", "169.254.169.254", "172.16.0.1",
        "192.0.0.1", "192.0.2.1", "192.88.99.1", "192.168.1.1", "198.18.0.1", "203.0.113.9", "224.0.0.1",
        "240.0.0.1", "255.255.255.255",
        "::", "::1", "::10.0.0.1", "::8.8.8.8", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "::ffff:0:8.8.8.8",
        "64:ff9b::7f00:1", "64:ff9b::808:808", "64:ff9b:1::1", "100::1", "2001::1", "2001:db8::1",
        "2002:7f00:1::", "2002:808:808::1", "fc00::1", "fd12::1", "fe80::1", "fe80::1%eth0", "fec0::1", "ff02::1",
        "localhost", "", "127.1", "0x7f000001", "2130706433", "0177.0.0.1",
    ],
)  # fmt: skip
def test_lo_que_no_es_publico_se_rechaza_con_su_motivo(direccion: str) -> None:
    assert motivo_de_rechazo(direccion)


@pytest.mark.parametrize(
    ("direccion", "local"),
    [
        ("127.0.0.1", True),
        ("::1", True),
        ("::ffff:127.0.0.1", False),
        ("10.0.0.1", False),
        ("localhost", False),
    ],
)
def test_esta_maquina_solo_es_la_escrita_sin_disfraz(direccion: str, local: bool) -> None:
    assert es_de_esta_maquina(direccion) is local
