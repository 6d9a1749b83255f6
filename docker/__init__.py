"""How the site runs in production."""
