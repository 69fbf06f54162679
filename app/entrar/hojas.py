"""The two sheets of the door, without scripts: who are you, and choose another password."""

from __future__ import annotations

import base64
import hashlib
from html import escape
from typing import NamedTuple

ESTILO = (
    "body{margin:0;background:#f4f6f8;color:#16202c;font:16px/1.5 system-ui,sans-serif}"
    "main{max-width:22rem;margin:12vh auto 2rem;padding:2rem;background:#fff;"
    "border:1px solid #d5dbe2;border-radius:8px}"
    "h1{font-size:1.25rem;margin:0 0 1rem}label{display:block;margin:0 0 1rem;font-weight:600}"
    "input{display:block;width:100%;box-sizing:border-box;margin-top:.25rem;padding:.6rem;font:inherit;"
    "border:1px solid #6b7785;border-radius:6px}input:focus,button:focus{outline:3px solid #0b5cad;outline-offset:2px}"
    "button{width:100%;padding:.7rem;font:inherit;font-weight:600;color:#fff;background:#0b5cad;border:0;border-radius:6px}"
    ".aviso{margin:0 0 1rem;padding:.6rem .8rem;background:#fdecea;border-left:4px solid #b3261e}"
    ".nota{color:#46525f;font-size:.9rem}"
)
POLITICA = (
    "default-src 'none'; style-src 'sha256-"
    + base64.b64encode(hashlib.sha256(ESTILO.encode()).digest()).decode()
    + "'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
"""The CSP of these sheets: they load nothing and run nothing."""


class Hoja(NamedTuple):
    """What a sheet says beside its fields. `ir`: the path to go to afterwards, already checked."""

    sello: str
    ir: str = "/"
    aviso: str = ""
    usuario: str = ""


class _Formulario(NamedTuple):
    """What makes one sheet differ from the other."""

    titulo: str
    destino: str
    campos: str
    boton: str
    nota: str


def entrar(hoja: Hoja) -> str:
    """The login form."""
    campos = _campo("Usuario", "usuario", "text", "username", hoja.usuario) + _campo(
        "Contraseña", "clave", "password", "current-password"
    )
    nota = "Si la has olvidado, quien administra esta instalación puede darte otra."
    return _hoja(hoja, _Formulario("Entrar", "/entrar", campos, "Entrar", nota))


def cambiar_clave(hoja: Hoja) -> str:
    """The form to change one's own password."""
    campos = (
        _campo("Contraseña actual", "actual", "password", "current-password")
        + _campo("Contraseña nueva", "nueva", "password", "new-password")
        + _campo("Otra vez la nueva", "repetida", "password", "new-password")
    )
    nota = "Doce caracteres o más. Al cambiarla se cierran tus demás sesiones."
    return _hoja(hoja, _Formulario("Cambia tu contraseña", "/entrar/clave", campos, "Cambiarla", nota))


def _campo(rotulo: str, nombre: str, tipo: str, ayuda: str, valor: str = "") -> str:
    return (
        f'<label>{rotulo}<input name="{nombre}" type="{tipo}" autocomplete="{ayuda}" value="{escape(valor)}"'
        ' maxlength="256" required></label>'
    )


def _hoja(hoja: Hoja, formulario: _Formulario) -> str:
    titulo, destino, campos, boton, nota = formulario
    aviso = f'<p class="aviso" role="alert">{escape(hoja.aviso)}</p>' if hoja.aviso else ""
    return (
        f'<!doctype html><html lang="es"><head><meta charset="utf-8"><title>{titulo} · Sobre Abierto</title>'
        f'<meta name="viewport" content="width=device-width,initial-scale=1"><style>{ESTILO}</style></head>'
        f'<body><main><h1>{titulo}</h1>{aviso}<form method="post" action="{destino}">'
        f'<input type="hidden" name="sello" value="{escape(hoja.sello)}">'
        f'<input type="hidden" name="ir" value="{escape(hoja.ir)}">{campos}<button>{boton}</button></form>'
        f'<p class="nota">{nota}</p></main></body></html>'
    )
