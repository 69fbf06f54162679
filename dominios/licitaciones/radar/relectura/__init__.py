"""Reading stored versions again."""
