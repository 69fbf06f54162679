"""Floor 3: when and in what order; no effects, no rules, no SQL."""
