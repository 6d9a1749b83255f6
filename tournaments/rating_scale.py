"""The scale of ratings: mu and sigma as the numbers that players see. Pure arithmetic."""

from __future__ import annotations

INITIAL_MU, INITIAL_SIGMA = 25.0, 25.0 / 3
DISPLAY_SCALE, DISPLAY_BASE = 40, 500  # a beginner has 1500 with an uncertainty of about 330


def display_rating(mu: float) -> int:
    """Convert mu to the displayed rating."""
    return round(DISPLAY_BASE + DISPLAY_SCALE * mu)


def display_uncertainty(sigma: float) -> int:
    """Convert sigma to the displayed uncertainty."""
    return round(DISPLAY_SCALE * sigma)
