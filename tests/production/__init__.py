"""The site in production."""
