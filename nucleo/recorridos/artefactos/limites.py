"""How large a kept file may be."""

BYTES_MAX = 20 * 1024 * 1024
"""Of one file."""
