"""The API of leagues."""
