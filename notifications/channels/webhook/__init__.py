"""The webhook channel: calls the URLs of players."""
