"""Streamlit pages: thin, data through services."""
