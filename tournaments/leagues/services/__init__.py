"""Writes of leagues: settings, membership, seasons, requests to join."""
