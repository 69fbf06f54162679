"""The past: which ZIPs hold it, and which of them are already in."""
