"""Sentences with numbers, computed from the constants that they describe."""

from __future__ import annotations

from django.utils.translation import gettext as _

from common.duration_format import format_duration
from tournaments.leagues.services import join_requests
from tournaments.services import sweep_steps


def describe_join_link() -> str:
    """Describe how long the mailed link to join a league is valid."""
    return _("The link works once, and for %(span)s.") % {
        "span": format_duration(join_requests.JOIN_LINK_LIFETIME)
    }


def describe_retry() -> str:
    """Describe when a league that failed is retried."""
    return _("Something went wrong; it is tried again in %(span)s.") % {
        "span": format_duration(sweep_steps.RETRY_AFTER)
    }
