"""Whether the radar is well: its database, the age of its sources, what waits for a person."""
