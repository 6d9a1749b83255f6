"""The push channel: messages to browsers through their push services (RFC 8030)."""
