"""Public tenders, one folder per phase; a phase sees only the ones before it."""
