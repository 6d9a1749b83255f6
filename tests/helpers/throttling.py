"""Rate limits for tests."""

import pytest

from common import rate_limits


@pytest.fixture(autouse=True)
def disable_throttling(settings):
    """Disable rate limits; tests of the limits set their own."""
    settings.API_RATE = settings.API_RATE_ANONYMOUS = 10**6
    rate_limits.reset_counts()
