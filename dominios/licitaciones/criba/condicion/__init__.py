"""Where a tender stands, as a condition of a list."""
