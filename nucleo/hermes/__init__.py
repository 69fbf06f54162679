"""Hermes as this product drives it: one profile is one process, one port, one key."""
