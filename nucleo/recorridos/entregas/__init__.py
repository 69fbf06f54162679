"""Waking who leads a run, once, and knowing what is not known about it."""
