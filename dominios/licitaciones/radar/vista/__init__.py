"""The current view of each tender."""
