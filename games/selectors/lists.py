"""What a player is shown in lists: games, turns, events, invitations, notes, chat."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import connection
from django.db.models import Exists, F, OuterRef, Q, QuerySet

from games.models import Event, Game, Invitation, Message, Note, Player, Seat
from games.models.players import FORMER

from .tables import NoSuchGame, instant, person, seen_by, terms_of


def games(viewer: Player | None) -> QuerySet[Game]:
    """The games that a viewer may list: public ones, and those of their own."""
    found = Game.objects.prefetch_related("places__player").order_by("-id")
    if viewer is None:
        return found.filter(private=False)
    mine = Seat.objects.filter(game=OuterRef("pk"), player=viewer)
    return found.filter(Q(private=False) | Q(creator=viewer) | Exists(mine))


def my_turns(player: Player) -> list[Seat]:
    """The seats at which a player is to act, most urgent first."""
    places = (
        Seat.objects.filter(player=player, game__status=Game.Status.RUNNING, number__isnull=False)
        .select_related("game")
        .order_by(F("game__deadline").asc(nulls_last=True), "game_id")
    )
    return [place for place in places if place.number and place.game.to_act >> place.number & 1]


def summary(game: Game) -> dict[str, Any]:
    """A game in a list."""
    places = sorted(game.places.all(), key=lambda place: (place.number or 9, place.joined))
    return terms_of(game) | {
        "seats": [{"seat": place.number} | person(place) for place in places],
        "seq": game.seq,
        "to_act": [seat for seat in range(1, game.seats + 1) if game.to_act >> seat & 1],
        "winner": (game.result or {}).get("winner"),
    }


def feed(player: Player, after: int, limit: int) -> list[Event]:
    """The next events of a player. On PostgreSQL, only those that no running transaction can precede."""
    found = Event.objects.filter(player=player, pk__gt=after).select_related("game").order_by("pk")
    if connection.vendor == "postgresql":
        found = found.extra(where=["written < pg_snapshot_xmin(pg_current_snapshot())::text::bigint"])
    return list(found[:limit])


def my_invitations(player: Player, now: datetime) -> QuerySet[Invitation]:
    """Open games that a player is asked to."""
    return Invitation.objects.filter(
        player=player, answered="", game__status=Game.Status.OPEN, game__expires_at__gt=now
    ).select_related("game", "by", "player")


def invitation(found: Invitation) -> dict[str, Any]:
    """An invitation as its two sides see it; an address stays with whoever wrote it."""
    return {
        "game": found.game.code,
        "by": found.by.name,
        "name": found.player.name if found.player else None,
        "partner": found.partner,
        "at": instant(found.at),
    }


def note_for(player: Player, code: str) -> Note | None:
    """A player's own note on a game. Raises NoSuchGame."""
    return Note.objects.filter(game=seen_by(player, code).game, player=player).first()


def chat_for(player: Player, code: str) -> list[Message]:
    """The last lines of a chat, oldest first, for those at the table. Raises NoSuchGame."""
    found = seen_by(player, code)
    if not found.place_of(player):
        raise NoSuchGame(code)
    return last_said(found.game)


def last_said(game: Game) -> list[Message]:
    """The last lines of a game's chat, oldest first."""
    lines = Message.objects.filter(game=game).select_related("player").order_by("-pk")
    return list(lines[:100])[::-1]


def message(found: Message) -> dict[str, Any]:
    """A line of chat; one that was taken down has no words."""
    return {
        "id": found.pk,
        "name": found.player.name if found.player else str(FORMER),
        "text": "" if found.hidden else found.text,
        "at": instant(found.at),
    }
