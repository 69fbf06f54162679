"""The only way out to the network: allow-list, caps, hand-followed redirects."""
