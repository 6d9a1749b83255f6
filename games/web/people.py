"""A player as everybody may see them: their public games, never an address, never when they were here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games import selectors
from games.models import Game, Player

from . import terms
from .asking import viewer_of
from .rows import rows

LISTED = 20
# What other apps know of a player, each with the template that shows it; they add themselves at the start.
PARTS: list[Callable[[Player], dict[str, Any]]] = []


@require_safe
def player(request: HttpRequest, name: str) -> HttpResponse:
    """The page of a player."""
    found, viewer = selectors.player_named(name), viewer_of(request)
    if found is None:
        raise Http404(_("Nobody here has this name."))
    current, ended = selectors.public_games(found, LISTED), selectors.finished(found, LISTED, public=True)
    # Their side is the one that a line speaks of, whoever looks.
    lines = {line["code"]: line for line in rows([*current, *ended], found)}
    standing = selectors.standing(found)
    own = viewer is not None and viewer.pk == found.pk
    facts = {
        "player": {"name": found.name, "joined_at": found.joined_at, "is_lookalike": found.is_lookalike},
        "own": own,
        "private": found.places.filter(game__private=True).exclude(game__status=Game.Status.CANCELLED).count()
        if own
        else 0,
        "standing": [{"kind": capfirst(terms.players(row.mode, row.seats)), "row": row} for row in standing],
        "played": sum(row.played for row in standing),
        "current": [lines[game.code] for game in current],
        "finished": [lines[game.code] for game in ended],
        "parts": [part(found) for part in PARTS],
    }
    return render(request, "games/player.html", facts)
