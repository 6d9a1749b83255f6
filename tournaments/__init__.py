"""Tournaments and leagues: who meets whom, and who is ahead. May import games; games never imports this."""
