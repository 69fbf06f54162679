"""The demonstration: the real flow over a bundled sample, with everything embedded and nothing left running."""
