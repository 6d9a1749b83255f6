"""Live streams: what is open, what wakes it, and how it is written. Knows no game: apps declare topics."""
