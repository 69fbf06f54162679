"""The look that Streamlit's theme cannot say: a dense list, quiet tables, a page that fits a phone."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import streamlit as st


@lru_cache(maxsize=1)
def _hoja() -> str:
    return f"<style>{(Path(__file__).parent / 'estilo.css').read_text('utf-8')}</style>"


def aplicar() -> None:
    """Add our style sheet to the page (our own constant text; nothing foreign goes through here)."""
    st.html(_hoja())
