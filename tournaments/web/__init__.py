"""Tournaments and leagues in the browser."""
