"""Floor 2: one effect per task, with its retries, limits and timeouts."""
