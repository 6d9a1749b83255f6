"""Mails: what the outbox sends."""
