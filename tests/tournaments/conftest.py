"""What all tests of tournaments share."""

import pytest

from common import rate_limits


@pytest.fixture(autouse=True)
def plenty(settings):
    """Nobody is throttled for testing quickly."""
    settings.API_RATE = settings.API_RATE_ANONYMOUS = 10**6
    rate_limits.reset_counts()
