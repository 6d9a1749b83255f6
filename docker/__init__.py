"""How the site is run in production."""
