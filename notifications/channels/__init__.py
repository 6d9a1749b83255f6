"""The channels through which notices go out: one package for each."""
