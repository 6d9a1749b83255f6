"""All reads."""
