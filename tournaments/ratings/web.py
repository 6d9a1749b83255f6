"""The ranking page, and the rating plots on a player's profile."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from accounts.account_extensions import ProfileSection
from accounts.models import Player
from accounts.web.request_utils import parse_int, viewer_of
from tournaments.models import GameSettings, Rating
from tournaments.ratings import selectors as ratings
from tournaments.ratings.rating_changes import build_ranked_player

MODE_LABELS = dict(GameSettings.Mode.choices)
PLAYERS_PER_PAGE = 50  # in the ranking
MAX_HISTORY_ROWS = 20  # in the table beside a plot
PLOT_WIDTH, PLOT_HEIGHT = 360, 200
PLOT_LEFT, PLOT_RIGHT, PLOT_TOP, PLOT_BOTTOM = 40, 350, 12, 168  # edges of the plot area


@require_safe
def show_ranking(request: HttpRequest) -> HttpResponse:
    """Show the ranking of a mode: of people, or of bots."""
    requested_mode = request.GET.get("mode", "singles")
    mode = requested_mode if requested_mode in MODE_LABELS else "singles"
    shows_bots = request.GET.get("who") == "bots"
    paginator = Paginator(ratings.list_ranked_ratings(mode, bots=shows_bots), PLAYERS_PER_PAGE)
    page = paginator.get_page(parse_int(request.GET.get("page", "1")) or 1)
    viewer = viewer_of(request)
    context = {
        "mode": mode,
        "shows_bots": shows_bots,
        "modes": [
            {"name": name, "label": label, "is_current": name == mode} for name, label in MODE_LABELS.items()
        ],
        "page": page,
        "list_query": f"mode={mode}&{'who=bots&' if shows_bots else ''}",
        "rows": [
            build_ranking_row(rank, rating, viewer)
            for rank, rating in enumerate(page.object_list, page.start_index() or 1)
        ],
        "beginner": ratings.display_rating(ratings.INITIAL_MU),
        "uncertainty": ratings.display_uncertainty(ratings.INITIAL_SIGMA),
    }
    return render(request, "tournaments/ratings.html", context)


def build_ranking_row(rank: int, rating: Rating, viewer: Player | None) -> dict[str, Any]:
    """Return a row of the ranking."""
    is_own = viewer is not None and viewer.pk == rating.player_id
    return {**vars(build_ranked_player(rank, rating)), "is_own": is_own}


# ------------------------------------------------------------------------------------------------ the picture


def build_ratings_section(player: Player) -> ProfileSection:
    """Return the profile section with a player's rating plots."""
    plots = [*map(build_plot, ratings.load_rating_histories(player))]
    return ProfileSection(20, "tournaments/rating_plots.html", {"plots": plots})


@dataclass(frozen=True)
class PlotScale:
    """Maps game numbers and ratings to coordinates of a plot."""

    first_game: int  # game number
    last_game: int
    lowest_rating: int  # rating
    highest_rating: int

    def x_of(self, game_no: int) -> float:
        """Return the x coordinate of a game number; a single point is at the right end."""
        share = (
            (game_no - self.first_game) / (self.last_game - self.first_game)
            if self.last_game > self.first_game
            else 1
        )
        return round(PLOT_LEFT + share * (PLOT_RIGHT - PLOT_LEFT), 1)

    def y_of(self, value: float) -> float:
        """Return the y coordinate of a rating."""
        return round(
            PLOT_BOTTOM
            - (value - self.lowest_rating)
            / (self.highest_rating - self.lowest_rating)
            * (PLOT_BOTTOM - PLOT_TOP),
            1,
        )


def build_plot(history: ratings.RatingHistory) -> dict[str, Any]:
    """Return a rating history as line, uncertainty band, axes and table rows."""
    points = [
        (point.game_count, ratings.display_rating(point.mu), ratings.display_uncertainty(point.sigma))
        for point in history.points
    ]
    lowest, highest = (
        min(value - uncertainty for _n, value, uncertainty in points),
        max(value + uncertainty for _n, value, uncertainty in points),
    )
    tick_step = next(
        tick_size for tick_size in (50, 100, 200, 500, 1000, 10_000) if (highest - lowest) / tick_size <= 5
    )
    lowest, highest = lowest // tick_step * tick_step, -(-highest // tick_step) * tick_step
    scale = PlotScale(points[0][0], points[-1][0], lowest, max(highest, lowest + tick_step))
    upper = [(scale.x_of(game_no), scale.y_of(value + uncertainty)) for game_no, value, uncertainty in points]
    lower = [
        (scale.x_of(game_no), scale.y_of(value - uncertainty))
        for game_no, value, uncertainty in reversed(points)
    ]
    line_points = [(scale.x_of(game_no), scale.y_of(value)) for game_no, value, _by in points]
    newest = history.points[-1]
    return {
        "id": f"plot-{history.mode}",
        "mode": MODE_LABELS.get(history.mode, history.mode),
        "name": history.mode,
        "rating": ratings.display_rating(newest.mu),
        "uncertainty": ratings.display_uncertainty(newest.sigma),
        "games": history.game_count,
        "description": describe_plot(history),
        "width": PLOT_WIDTH,
        "height": PLOT_HEIGHT,
        "box": {"left": PLOT_LEFT, "right": PLOT_RIGHT, "top": PLOT_TOP, "bottom": PLOT_BOTTOM},
        "band": format_points(upper + lower),
        "line": format_points(line_points),
        "end": line_points[-1],
        "ticks": [
            (value, scale.y_of(value))
            for value in range(scale.lowest_rating, scale.highest_rating + 1, tick_step)
        ],
        "first": points[0][0],
        "last": points[-1][0],
        "rows": build_history_rows(history),
    }


def format_points(points: list[tuple[float, float]]) -> str:
    """Format points for an SVG attribute."""
    return " ".join(f"{x:g},{y:g}" for x, y in points)


def format_month(point: ratings.RatingPoint) -> str:
    """Return the month in which a game ended. The day is withheld: it would tell when a player was online."""
    return date_format(point.at, "YEAR_MONTH_FORMAT") if point.at else ""


def build_history_rows(history: ratings.RatingHistory) -> list[dict[str, Any]]:
    """Return some points of the history as table rows, newest first."""
    stride = -(-len(history.points) // MAX_HISTORY_ROWS)
    return [
        {
            "games": point.game_count,
            "month": format_month(point),
            "rating": ratings.display_rating(point.mu),
            "uncertainty": ratings.display_uncertainty(point.sigma),
        }
        for point in history.points[::-1][::stride]
    ]


def describe_plot(history: ratings.RatingHistory) -> str:
    """Describe the plot in words."""
    values = [ratings.display_rating(point.mu) for point in history.points]
    newest = history.points[-1]
    details = {
        "n": history.game_count,
        "rating": ratings.display_rating(newest.mu),
        "unsure": ratings.display_uncertainty(newest.sigma),
        "low": min(values),
        "high": max(values),
    }
    return (
        ngettext(
            "After %(n)d rated game: %(rating)d, ± %(unsure)d.",
            "After %(n)d rated games: %(rating)d, ± %(unsure)d.",
            history.game_count,
        )
        % details
        + " "
        + _("The line runs from %(low)d to %(high)d; the band shows the uncertainty.") % details
    )


urlpatterns = [path("ratings/", show_ranking, name="ratings")]
