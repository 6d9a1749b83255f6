"""Fixtures that all tests in this folder share."""

from tests.helpers.throttling import disable_throttling  # noqa: F401
