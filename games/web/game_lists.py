"""Lists of games: a player's own games, and the lobby."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any

from django import forms
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy
from django.views.decorators.http import require_safe

from accounts.web.request_utils import viewer_of
from games import clock, picture_svg, selectors
from games.models import Game
from games.selectors.lists import ListCursor
from games.selectors.waiting_turns import list_waiting_turns

from .game_rows import build_rows, build_turn_row
from .live_updates import note_version

# Rows of each kind on the page of one's own games; together small enough for a phone.
MAX_TURN_ROWS, MAX_RUNNING_ROWS, MAX_WAITING_ROWS, MAX_INVITATION_ROWS, MAX_ENDED_ROWS = 30, 25, 15, 10, 20
LOBBY_PAGE_SIZE = 20  # games of each list of the lobby
SMALL_BOARD_PIXELS = 120  # pixels
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


# --------------------------------------------------------------------------------------------------- my games


@require_safe
def show_my_games(request: HttpRequest) -> HttpResponse:
    """Show the viewer's games, those waiting for their turn first, most urgent on top."""
    viewer, now = viewer_of(request), timezone.now()
    if viewer is None:
        return redirect("lobby")
    note_version(request, "me")
    turns = list_waiting_turns(viewer)
    turn_game_ids = {turn.game.pk for turn in turns}
    other_games = [game for game in selectors.list_unfinished_games(viewer) if game.pk not in turn_game_ids]
    waiting_games = [game for game in other_games if game.is_open]
    running_games = [game for game in other_games if not game.is_open]
    invitations = list(selectors.list_open_invitations_of(viewer, now).order_by("-pk"))
    ended_games = selectors.list_finished_games(viewer, MAX_ENDED_ROWS)
    listed_games = (
        [turn.game for turn in turns[:MAX_TURN_ROWS]]
        + running_games[:MAX_RUNNING_ROWS]
        + waiting_games[:MAX_WAITING_ROWS]
        + ended_games
    )
    listed_games += [invitation.game for invitation in invitations[:MAX_INVITATION_ROWS]]
    rows_by_code = {row["code"]: row for row in build_rows(listed_games, viewer)}
    context = {
        "turns": [build_turn_row(turn, rows_by_code[turn.game.code], now) for turn in turns[:MAX_TURN_ROWS]],
        "more_turns": max(len(turns) - MAX_TURN_ROWS, 0),
        "running_games": [rows_by_code[game.code] for game in running_games[:MAX_RUNNING_ROWS]],
        "more_running": max(len(running_games) - MAX_RUNNING_ROWS, 0),
        "waiting_games": [rows_by_code[game.code] for game in waiting_games[:MAX_WAITING_ROWS]],
        "more_waiting": max(len(waiting_games) - MAX_WAITING_ROWS, 0),
        "invitations": [
            rows_by_code[invitation.game.code]
            | {"inviter": invitation.inviter.display_name, "as_partner": invitation.as_partner}
            for invitation in invitations[:MAX_INVITATION_ROWS]
        ],
        "more_invitations": max(len(invitations) - MAX_INVITATION_ROWS, 0),
        "finished_games": [rows_by_code[game.code] for game in ended_games],
        "now": now,
        "waiting_turn_count": len(turns),
        "zone": viewer.time_zone.replace("_", " "),
    }
    context["is_empty"] = not any(
        context[name] for name in ("turns", "running_games", "waiting_games", "invitations")
    )
    return render(request, "games/games.html", context)


# -------------------------------------------------------------------------------------------------- the lobby


class LobbyFilterForm(forms.Form):
    """The filters of the lobby; invalid values are ignored."""

    players = forms.ChoiceField(
        label=lazy("Players"),
        required=False,
        choices=[("", lazy("any")), ("2", "2"), ("3", "3"), ("4", "4"), ("pairs", lazy("pairs"))],
    )
    cards = forms.ChoiceField(
        label=lazy("Secret cards"),
        required=False,
        choices=[("", lazy("any")), ("yes", lazy("with")), ("no", lazy("without"))],
    )
    speed = forms.ChoiceField(
        label=lazy("Speed"),
        required=False,
        choices=[
            ("", lazy("any")),
            ("quick", lazy("fast: under a day per turn")),
            ("slow", lazy("slow: a day or more per turn")),
        ],
    )

    def read_filters(self) -> dict[str, str]:
        """Return the chosen filters by field."""
        self.is_valid()
        return {name: value for name, value in self.cleaned_data.items() if value}

    def build_query(self) -> Q:
        """Return the chosen filters as a query."""
        filters, query = self.read_filters(), Q()
        if players := filters.get("players"):
            query &= (
                Q(mode=Game.Mode.PAIRS)
                if players == "pairs"
                else Q(mode=Game.Mode.SINGLES, seat_count=int(players))
            )
        if cards := filters.get("cards"):
            query &= Q(cards=cards == "yes")
        if speed := filters.get("speed"):
            query &= (
                Q(allowance__lt=clock.SECONDS_PER_DAY)
                if speed == "quick"
                else Q(allowance__gte=clock.SECONDS_PER_DAY)
            )
        return query


@require_safe
def show_lobby(request: HttpRequest) -> HttpResponse:
    """Show games that wait for players and games to watch; with a cursor, only the list it belongs to."""
    viewer, now = viewer_of(request), timezone.now()
    note_version(request, "lobby")
    filter_form = LobbyFilterForm(request.GET, label_suffix="")
    query, filters = filter_form.build_query(), filter_form.read_filters()
    waiting_cursor, watched_cursor = (
        parse_cursor(request.GET.get("older", "")),
        parse_cursor(request.GET.get("before", "")),
    )
    waiting_games = (
        []
        if watched_cursor
        else list(selectors.list_open_games(now, query, waiting_cursor)[: LOBBY_PAGE_SIZE + 1])
    )
    watched_games = (
        []
        if waiting_cursor
        else list(selectors.list_games_to_watch(query, watched_cursor)[: LOBBY_PAGE_SIZE + 1])
    )
    game_rows = build_rows([*waiting_games[:LOBBY_PAGE_SIZE], *watched_games[:LOBBY_PAGE_SIZE]], viewer)
    context: dict[str, Any] = {
        "filter_form": filter_form,
        "now": now,
        "is_filtered": bool(filters),
        "first_page": not (waiting_cursor or watched_cursor),
        "shows_waiting": not watched_cursor,
        "shows_watched": not waiting_cursor,
        "waiting_games": game_rows[: len(waiting_games[:LOBBY_PAGE_SIZE])],
        "watched_games": game_rows[len(waiting_games[:LOBBY_PAGE_SIZE]) :],
    }
    if len(waiting_games) > LOBBY_PAGE_SIZE:
        last_game = waiting_games[LOBBY_PAGE_SIZE - 1]
        context["more_waiting"] = build_page_query(
            filters, older=format_cursor(last_game.created_at, last_game.pk)
        )
    if len(watched_games) > LOBBY_PAGE_SIZE:
        last_game = watched_games[LOBBY_PAGE_SIZE - 1]
        assert last_game.moved_at
        context["more_watched"] = build_page_query(
            filters, before=format_cursor(last_game.moved_at, last_game.pk)
        )
    return render(request, "games/lobby.html", context)


def format_cursor(at: datetime, pk: int) -> str:
    """Return a cursor (time and primary key) as text for the query string."""
    return f"{(at - EPOCH) // timedelta(microseconds=1)}-{pk}"


def parse_cursor(text: str) -> ListCursor | None:
    """Return the cursor of a query parameter, or None if it is empty or malformed."""
    match = re.fullmatch(r"([0-9]{1,17})-([0-9]{1,18})", text)
    if match is None:
        return None
    return EPOCH + timedelta(microseconds=int(match[1])), int(match[2])


def build_page_query(filters: dict[str, str], **cursor: str) -> str:
    """Return the query string of the next page."""
    query = QueryDict(mutable=True)
    query.update(filters | cursor)
    return f"?{query.urlencode()}"


# ------------------------------------------------------------------------------------------ small board image


@require_safe
def show_board_image(request: HttpRequest, code: str) -> HttpResponse:
    """Return a small board image. Lists put `seq` into its URL, so that it is cached until the next move."""
    try:
        board_view = selectors.board_view_for(viewer_of(request), code)
    except selectors.NoSuchGame:
        raise Http404(_("There is no such game.")) from None
    response = HttpResponse(
        picture_svg.draw_board_svg(board_view, size=SMALL_BOARD_PIXELS), content_type="image/svg+xml"
    )
    patch_cache_control(response, private=True, max_age=clock.SECONDS_PER_DAY if "seq" in request.GET else 0)
    return response
