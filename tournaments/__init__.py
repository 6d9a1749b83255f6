"""Tournaments and leagues: pairing, standings, seasons, ratings. May import games, never the reverse."""
