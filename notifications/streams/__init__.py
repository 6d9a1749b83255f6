"""Live streams: the open ones, their wake-ups and their format. Knows no game: apps declare topics."""
