"""Deployment of the site."""
