"""Tests of how people are told: kinds of notice, feed, outbox and channels."""
