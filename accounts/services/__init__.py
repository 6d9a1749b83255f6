"""All writes."""
