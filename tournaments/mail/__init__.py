"""Mails of tournaments and leagues: their drafts, and when they are dropped."""
