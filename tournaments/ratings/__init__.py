"""Ratings: computed from finished games, shown on pages and by the API."""
