"""Lists of games: a player's own, and the lobby, where people find each other and look on."""

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

from games import clock, picture, selectors
from games.models import Game
from games.selectors.lists import Place
from games.selectors.mail import turns_of

from .asking import viewer_of
from .rows import rows, turn_row

# Lines of each kind among a player's own games; together they stay a page that a phone can load.
TURNS, RUNNING, WAITING, INVITED, ENDED = 30, 30, 20, 10, 20
ON_A_PAGE = 20  # of the lobby
SMALL = 120  # pixels of a board beside a line
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


# --------------------------------------------------------------------------------------------------- my games


@require_safe
def games(request: HttpRequest) -> HttpResponse:
    """My games, my turns first, the most urgent before all."""
    viewer, now = viewer_of(request), timezone.now()
    if viewer is None:
        return redirect("lobby")
    turns = turns_of(viewer)
    mine = {turn.game.pk for turn in turns}
    others = [game for game in selectors.under_way(viewer) if game.pk not in mine]
    waiting = [game for game in others if game.status == Game.Status.OPEN]
    running = [game for game in others if game.status != Game.Status.OPEN]
    invitations = list(selectors.my_invitations(viewer, now).order_by("-pk"))
    ended = selectors.finished(viewer, ENDED)
    shown = [turn.game for turn in turns[:TURNS]] + running[:RUNNING] + waiting[:WAITING] + ended
    shown += [found.game for found in invitations[:INVITED]]
    lines = {line["code"]: line for line in rows(shown, viewer)}
    facts = {
        "turns": [turn_row(turn, lines[turn.game.code], now) for turn in turns[:TURNS]],
        "more_turns": max(len(turns) - TURNS, 0),
        "running": [lines[game.code] for game in running[:RUNNING]],
        "more_running": max(len(running) - RUNNING, 0),
        "waiting": [lines[game.code] for game in waiting[:WAITING]],
        "more_waiting": max(len(waiting) - WAITING, 0),
        "invitations": [
            lines[found.game.code] | {"by": found.by.name, "partner": found.partner}
            for found in invitations[:INVITED]
        ],
        "more_invitations": max(len(invitations) - INVITED, 0),
        "finished": [lines[game.code] for game in ended],
        "zone": viewer.time_zone.replace("_", " "),
    }
    facts["none"] = not any(facts[name] for name in ("turns", "running", "waiting", "invitations"))
    return render(request, "games/games.html", facts)


# -------------------------------------------------------------------------------------------------- the lobby


class Wanted(forms.Form):
    """What somebody looks for; whatever cannot be read is not looked for."""

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
            ("quick", lazy("quick: less than a day for a turn")),
            ("slow", lazy("slow: a day or more")),
        ],
    )

    def found(self) -> dict[str, str]:
        """What was chosen, by field."""
        self.is_valid()
        return {name: value for name, value in self.cleaned_data.items() if value}

    def terms(self) -> Q:
        """The same for a query."""
        wanted, terms = self.found(), Q()
        if players := wanted.get("players"):
            terms &= Q(mode="pairs") if players == "pairs" else Q(mode="singles", seats=int(players))
        if cards := wanted.get("cards"):
            terms &= Q(cards=cards == "yes")
        if speed := wanted.get("speed"):
            terms &= Q(allowance__lt=clock.DAY) if speed == "quick" else Q(allowance__gte=clock.DAY)
        return terms


@require_safe
def lobby(request: HttpRequest) -> HttpResponse:
    """Games that wait for players, and games to watch; further on in one of the two, that one alone."""
    viewer, now = viewer_of(request), timezone.now()
    wanted = Wanted(request.GET, label_suffix="")
    terms, chosen = wanted.terms(), wanted.found()
    older, before = place(request.GET.get("older", "")), place(request.GET.get("before", ""))
    waiting = [] if before else list(selectors.waiting_for_players(now, terms, older)[: ON_A_PAGE + 1])
    watched = [] if older else list(selectors.to_watch(terms, before)[: ON_A_PAGE + 1])
    lines = rows([*waiting[:ON_A_PAGE], *watched[:ON_A_PAGE]], viewer)
    facts: dict[str, Any] = {
        "wanted": wanted,
        "chosen": bool(chosen),
        "first_page": not (older or before),
        "shows_waiting": not before,
        "shows_watched": not older,
        "waiting": lines[: len(waiting[:ON_A_PAGE])],
        "watched": lines[len(waiting[:ON_A_PAGE]) :],
    }
    if len(waiting) > ON_A_PAGE:
        last = waiting[ON_A_PAGE - 1]
        facts["more_waiting"] = address(chosen, older=written(last.created_at, last.pk))
    if len(watched) > ON_A_PAGE:
        last = watched[ON_A_PAGE - 1]
        assert last.moved_at
        facts["more_watched"] = address(chosen, before=written(last.moved_at, last.pk))
    return render(request, "games/lobby.html", facts)


def written(at: datetime, pk: int) -> str:
    """A place in a list by time, for an address."""
    return f"{(at - EPOCH) // timedelta(microseconds=1)}-{pk}"


def place(text: str) -> Place | None:
    """The place that an address names; None if it names none."""
    found = re.fullmatch(r"([0-9]{1,17})-([0-9]{1,18})", text)
    if found is None:
        return None
    return EPOCH + timedelta(microseconds=int(found[1])), int(found[2])


def address(chosen: dict[str, str], **where: str) -> str:
    """The same list from a place on."""
    query = QueryDict(mutable=True)
    query.update(chosen | where)
    return f"?{query.urlencode()}"


# ----------------------------------------------------------------------------------------- a board in passing


@require_safe
def board(request: HttpRequest, code: str) -> HttpResponse:
    """A small picture of a board; lists ask for it with its seq, so that it is fetched once for each move."""
    try:
        seen = selectors.board_for(viewer_of(request), code)
    except selectors.NoSuchGame:
        raise Http404(_("There is no such game.")) from None
    answer = HttpResponse(picture.svg(seen, size=SMALL), content_type="image/svg+xml")
    patch_cache_control(answer, private=True, max_age=clock.DAY if "seq" in request.GET else 0)
    return answer
