"""How dates are written, where Django's way does not fit into our sentences."""
