"""The site as it is run for people."""
