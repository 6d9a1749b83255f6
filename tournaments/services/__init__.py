"""All writes of tournaments and leagues: keyword-only functions that take `now`."""
