"""Leagues: seasons in sequence, divisions, members; a slice of tournaments with doors of its own."""
