"""Parts of REST views that know no account and no game."""
