"""Mails of tournaments and leagues: kinds that are added to those of games."""
