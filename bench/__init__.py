"""Benchmarks: one module per subject, each with `medir()`; `make bench` runs them all."""
