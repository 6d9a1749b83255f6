"""Players, games, leagues and tournaments for tests, built through services."""
