"""Web pages of tournaments and leagues."""
