"""Mails of tournaments and leagues: notice kinds added to those of games."""
