"""How well the criba judges: frozen sets of tenders that people labelled, asked to a model and compared."""
