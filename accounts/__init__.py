"""Accounts: players and guests, tokens, apps, profile, preferences, export and deletion."""
