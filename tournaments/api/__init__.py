"""REST API of tournaments and leagues."""
