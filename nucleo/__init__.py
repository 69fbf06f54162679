"""Floor 0: what every domain shares. Knows no domain, no Prefect, no Streamlit, no MCP."""
