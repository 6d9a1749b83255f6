"""The email channel: builds and sends mails."""
