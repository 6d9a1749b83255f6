"""Code for every app: nothing here knows an account, a game or a tournament."""
