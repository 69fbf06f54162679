"""Floor 1: what a tender, an offer or a note is, and what must be true of it."""
