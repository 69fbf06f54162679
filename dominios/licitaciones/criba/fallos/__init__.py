"""Misses: contracts that we had filtered out and that we, or somebody we follow, won; each proposes a profile edit."""
