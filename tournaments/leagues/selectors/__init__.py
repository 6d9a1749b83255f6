"""Reads of leagues: read models and standings of divisions."""
