"""What every app may use: nothing here knows an account, a game or a tournament."""
