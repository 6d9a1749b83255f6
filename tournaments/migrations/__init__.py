"""The schema of tournaments, step by step."""
