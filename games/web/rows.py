"""Lines of lists, as their templates take them: who plays, how it stands, what is agreed."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db.models import prefetch_related_objects
from django.utils.text import capfirst, get_text_list
from django.utils.translation import gettext as _

from games import selectors
from games.engine.state import sides_of
from games.models import Game, Player
from games.selectors.lists import KEPT, PEOPLE, Score
from games.selectors.mail import Turn
from games.spans import lasting
from games.words import name_on

from . import terms

SOON = 4  # a turn of which only a quarter is left is marked


def rows(games: Iterable[Game], viewer: Player | None) -> list[dict[str, Any]]:
    """The lines of games, in three queries however many."""
    games = list(games)
    prefetch_related_objects(games, PEOPLE)
    prefetch_related_objects([game for game in games if game.status == Game.Status.OPEN], KEPT)
    stand = selectors.scores(
        [game for game in games if game.status in (Game.Status.RUNNING, Game.Status.TIEBREAK)]
    )
    return [row(game, viewer, stand.get(game.pk)) for game in games]


def row(game: Game, viewer: Player | None, score: Score | None) -> dict[str, Any]:
    """The line of a game whose people and kept seats are at hand."""
    seen = selectors.summary(game)
    totals = {int(side): total for side, total in (game.result or {}).get("totals", {}).items()}
    totals = totals or (score.totals if score else {})
    sides = sides_of(game.mode, game.seats)
    places, kept = list(game.places.all()), getattr(game, "kept", [])
    # Not by name: that of a guest is no player's.
    own = next((place.joined for place in places if viewer and place.player_id == viewer.pk), None)
    for seat in seen["seats"]:
        side = sides[seat["seat"] or 0] or None
        seat |= {
            "side": side,
            "total": totals.get(side or 0) if game.mode != "solo" or game.result else None,
            "points": score.points.get(side or 0) if score else None,
            "mine": seat["joined"] == own,
            "moves": seat["seat"] in seen["to_act"],
        }
    if game.mode == "pairs":
        seen["seats"].sort(key=lambda seat: (seat["side"] or 9, seat["seat"] or 9))
    moving = [seat for seat in seen["seats"] if seat["moves"]]
    mine = next((seat for seat in seen["seats"] if seat["mine"]), None)
    return seen | {
        "code": game.code,
        "terms": terms.in_short(seen) if game.status == Game.Status.OPEN else terms.in_brief(seen),
        "stage": capfirst(terms.status(seen)),
        "match": score.match if score and game.mode != "solo" else 0,
        "with": names(seat for seat in seen["seats"] if not seat["mine"]),
        "waits_for": capfirst(names(moving)) if moving and moving[0]["bot"] else names(moving),
        "ending": ending(game, mine["side"] if mine else None),
        "sits": mine is not None,
        "empty": range(game.seats - len(places)),
        "free": max(selectors.seats_free(game, places, kept, viewer), 0),  # for the viewer
        "created": game.created_at,
        "moved": game.moved_at,
        "finished": game.finished_at,
        "expires": game.expires_at,
    }


def names(seats: Iterable[dict[str, Any]]) -> str:
    """Names in a sentence."""
    return get_text_list([name_on(seat) for seat in seats], _("and"))


def ending(game: Game, side: int | None) -> str:
    """How a game ended for a side: won, lost or drawn; nothing while it lasts."""
    if not game.result or side is None:
        return ""
    winner = game.result.get("winner")
    if winner is None and game.mode != "solo":
        return "drawn"
    return "won" if winner == side else "lost"


def turn_row(turn: Turn, line: dict[str, Any], now: datetime) -> dict[str, Any]:
    """The line of a game that waits for the viewer, with the time that they have."""
    left = turn.deadline - now if turn.deadline else None
    return line | {
        "deadline": turn.deadline,
        "round_end": turn.round_end,
        "left": lasting(left) if left else "",
        "late": left is not None and left.total_seconds() <= 0,
        "soon": left is not None and left.total_seconds() * SOON < turn.game.allowance,
    }
