"""The HTTP API under /api: who asks, what may be asked, what changes meanwhile."""
