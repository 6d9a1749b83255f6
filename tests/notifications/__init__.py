"""Tests of notifications: kinds of notice, feed, outbox and channels."""
