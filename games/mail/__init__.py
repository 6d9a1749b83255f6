"""Mail and webhooks: composing, sending and receiving."""
