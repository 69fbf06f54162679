"""Which run came from which: a forest that never moves a parent."""
