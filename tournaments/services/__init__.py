"""All writes of tournaments and leagues: verbs, keyword-only, each with now=."""
