"""What work on a whole event is charged as: it grows with who takes part and what was played."""

from __future__ import annotations

from django.http import HttpRequest
from rest_framework.request import Request

from games.api.rates import charge_request
from tournaments.models import Event
from tournaments.selectors import Course

ROWS_PER_REQUEST = 40  # entrants and tables that cost about as much as one more small page
MAX_EVENT_COST = 15  # whoever follows the largest of events still sees a page every few seconds
PREVIEW_COST = 20  # pairing a large round takes seconds


def charged_course(request: HttpRequest | Request, event: Event) -> Course:
    """An event as it stands; a large one counts as several requests. Raises Throttled."""
    course = Course(event)
    rows = len(course.entrants) + len(course.tables)
    if cost := min(rows // ROWS_PER_REQUEST, MAX_EVENT_COST):
        charge_request(request, cost=cost)
    return course


def charge_preview(request: HttpRequest | Request) -> None:
    """Who pairs a round to look at it. Raises Throttled."""
    charge_request(request, cost=PREVIEW_COST)
