"""Fixtures of all tests of this folder."""

from tests.helpers.throttling import disable_throttling  # noqa: F401
