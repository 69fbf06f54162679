"""Floor 4: the surfaces (command line, web) and the only place where everything is wired together."""
