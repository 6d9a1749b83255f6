"""Tournaments and leagues over REST."""
