"""A local server that plays PLACSP from pages made in memory, with scripted faults."""
