"""All writes. Keyword-only, each takes now=; doors call exactly one of these."""
