"""Template tags that templates of games use."""
