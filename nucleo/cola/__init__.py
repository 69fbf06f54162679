"""The durable queue of AI jobs: what waits, in which order, what is under way and what became of it."""
