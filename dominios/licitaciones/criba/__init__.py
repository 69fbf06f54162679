"""Phase 3: an agent says of each prefiltered tender whether it suits the company; people have the last word."""
