"""Prefect as this installation uses it: set up, watched over, and freed of what dead workers leave."""
