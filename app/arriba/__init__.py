"""What `sobre arriba` (`make up`) does: starts every process in order of health and stops them all cleanly."""
