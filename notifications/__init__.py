"""Notifications: feed, notice kinds, fan-out, outbox, channels, calendars, inbound mail."""
