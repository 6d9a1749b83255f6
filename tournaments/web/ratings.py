"""Ratings: who is strongest, what the number means, and how one's own came about, as a picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from games.models import Player
from games.web.asking import viewer_of, whole
from tournaments.models import Rating
from tournaments.selectors import ratings

MODES = {"singles": lazy("everybody alone"), "pairs": lazy("two against two")}
LISTED = 50  # players on a page
ROWS = 20  # of the table beside a picture
WIDTH, HEIGHT = 360, 200
LEFT, RIGHT, TOP, BOTTOM = 40, 350, 12, 168  # where the lines are drawn


@require_safe
def best(request: HttpRequest) -> HttpResponse:
    """The best players of a mode, page after page."""
    asked = request.GET.get("mode", "singles")
    mode = asked if asked in MODES else "singles"
    pages = Paginator(ratings.ranked(mode), LISTED)
    page = pages.get_page(whole(request.GET.get("page", "1")) or 1)
    viewer = viewer_of(request)
    facts = {
        "mode": mode,
        "modes": [{"name": name, "label": label, "here": name == mode} for name, label in MODES.items()],
        "page": page,
        "rows": [
            row(place, one, viewer) for place, one in enumerate(page.object_list, page.start_index() or 1)
        ],
        "beginner": ratings.shown(ratings.MU),
        "unsure": ratings.unsure(ratings.SIGMA),
    }
    return render(request, "tournaments/ratings.html", facts)


def row(place: int, one: Rating, viewer: Player | None) -> dict[str, Any]:
    """A line of the list."""
    assert one.player
    return {
        "place": place,
        "name": one.player.name,
        "own": viewer is not None and viewer.pk == one.player.pk,
        "rating": ratings.shown(one.mu),
        "unsure": ratings.unsure(one.sigma),
        "games": one.games,
    }


# ------------------------------------------------------------------------------------------------ the picture


def of_player(player: Player) -> dict[str, Any]:
    """What a player's page shows of their ratings."""
    return {"template": "tournaments/rating_plots.html", "plots": [*map(plot, ratings.histories(player))]}


@dataclass(frozen=True)
class Scale:
    """Where values lie in a picture."""

    first: int  # number of a game
    last: int
    low: int  # a rating
    high: int

    def x(self, games: int) -> float:
        """From the left; a single point lies at the right end."""
        share = (games - self.first) / (self.last - self.first) if self.last > self.first else 1
        return round(LEFT + share * (RIGHT - LEFT), 1)

    def y(self, value: float) -> float:
        """From the top."""
        return round(BOTTOM - (value - self.low) / (self.high - self.low) * (BOTTOM - TOP), 1)


def plot(history: ratings.History) -> dict[str, Any]:
    """A history as a line in the band of what it may be, with axes, and as rows for who does not see it."""
    points = [(one.games, ratings.shown(one.mu), ratings.unsure(one.sigma)) for one in history.points]
    low, high = min(value - by for _n, value, by in points), max(value + by for _n, value, by in points)
    step = next(size for size in (50, 100, 200, 500, 1000, 10_000) if (high - low) / size <= 5)
    low, high = low // step * step, -(-high // step) * step
    scale = Scale(points[0][0], points[-1][0], low, max(high, low + step))
    upper = [(scale.x(n), scale.y(value + by)) for n, value, by in points]
    lower = [(scale.x(n), scale.y(value - by)) for n, value, by in reversed(points)]
    line = [(scale.x(n), scale.y(value)) for n, value, _by in points]
    now = history.points[-1]
    return {
        "id": f"plot-{history.mode}",
        "mode": MODES.get(history.mode, history.mode),
        "name": history.mode,
        "rating": ratings.shown(now.mu),
        "unsure": ratings.unsure(now.sigma),
        "games": history.games,
        "words": in_words(history),
        "width": WIDTH,
        "height": HEIGHT,
        "box": {"left": LEFT, "right": RIGHT, "top": TOP, "bottom": BOTTOM},
        "band": listed(upper + lower),
        "line": listed(line),
        "end": line[-1],
        "ticks": [(value, scale.y(value)) for value in range(scale.low, scale.high + 1, step)],
        "first": points[0][0],
        "last": points[-1][0],
        "rows": rows(history),
    }


def listed(points: list[tuple[float, float]]) -> str:
    """Points as SVG writes them."""
    return " ".join(f"{x:g},{y:g}" for x, y in points)


def month(point: ratings.Point) -> str:
    """When a game ended, no closer than that: nobody is told when somebody was here."""
    return date_format(point.at, "YEAR_MONTH_FORMAT") if point.at else ""


def rows(history: ratings.History) -> list[dict[str, Any]]:
    """Some of the points, the newest first."""
    every = -(-len(history.points) // ROWS)
    return [
        {
            "games": one.games,
            "month": month(one),
            "rating": ratings.shown(one.mu),
            "unsure": ratings.unsure(one.sigma),
        }
        for one in history.points[::-1][::every]
    ]


def in_words(history: ratings.History) -> str:
    """What the picture shows."""
    values = [ratings.shown(one.mu) for one in history.points]
    now = history.points[-1]
    facts = {
        "n": history.games,
        "rating": ratings.shown(now.mu),
        "unsure": ratings.unsure(now.sigma),
        "low": min(values),
        "high": max(values),
    }
    return (
        ngettext(
            "After %(n)d rated game it is %(rating)d, give or take %(unsure)d.",
            "After %(n)d rated games it is %(rating)d, give or take %(unsure)d.",
            history.games,
        )
        % facts
        + " "
        + _("The line goes from %(low)d to %(high)d; the band around it is how unsure the number was.")
        % facts
    )


urlpatterns = [path("ratings/", best, name="ratings")]
