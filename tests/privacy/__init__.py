"""Privacy: hidden information reaches no viewer through any endpoint."""
