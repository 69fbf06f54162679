"""Filters and orders as SQL."""
