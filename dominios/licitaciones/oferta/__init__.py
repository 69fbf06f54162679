"""The offer as a guided run: its template, what it never does without people, and what their answers must be."""
