"""What a player is shown in lists: games, turns, events, invitations, notes, chat."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection
from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet

from games.engine import load, view
from games.models import Event, Game, Invitation, Message, Note, Player, Seat, Secret, SpentCommitment
from games.models.players import FORMER

from .deadlines import deadline_of
from .tables import NoSuchGame, instant, person, seen_by, terms_of

PEOPLE = Prefetch("places", Seat.objects.select_related("player"))  # those at a table, in one query
KEPT = Prefetch("invitations", Invitation.objects.filter(answered=""), to_attr="kept")
SAID = 100  # lines of a chat that are shown
UNDER_WAY = (Game.Status.OPEN, Game.Status.RUNNING, Game.Status.TIEBREAK)
NOT_LISTED = ["opening", "clocks", "chain", "seniority"]  # what no line of a list tells
Place = tuple[datetime, int]  # in a list by time: when, and which of those


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
        .order_by("game_id")
    )
    found = [place for place in places if place.number and place.game.to_act >> place.number & 1]
    return sorted(found, key=urgency)


def urgency(place: Seat) -> tuple[bool, datetime, int]:
    """By what turns are in order: the first deadline, those without one last."""
    until = deadline_of(place.game)
    return until is None, until or place.game.created_at, place.game_id


def summary(game: Game) -> dict[str, Any]:
    """A game in a list."""
    places = sorted(game.places.all(), key=lambda place: (place.number or 9, place.joined))
    return terms_of(game) | {
        "seats": [{"seat": place.number} | person(place) for place in places],
        "seq": game.seq,
        "to_act": [seat for seat in range(1, game.seats + 1) if game.to_act >> seat & 1],
        "winner": (game.result or {}).get("winner"),
        "commitment": game.commitment,
    }


def game_made_from(player: Player, offer: str) -> str | None:
    """The code of the player's own game that was made with an offered commitment."""
    commitment = offer.rpartition(".")[2]
    found = SpentCommitment.objects.filter(commitment=commitment, game__places__player=player)
    return found.values_list("game__code", flat=True).first()


def under_way(player: Player) -> list[Game]:
    """The games of a player that wait for others or are being played, newest first."""
    seated = Seat.objects.filter(player=player).values("game_id")
    made = Game.objects.filter(creator=player, status=Game.Status.OPEN).values("pk")
    found = Game.objects.filter(pk__in=seated.union(made), status__in=UNDER_WAY)
    return list(found.defer(*NOT_LISTED).order_by("-pk"))


def finished(player: Player, limit: int, *, public: bool = False) -> list[Game]:
    """The last games that a player saw the end of."""
    found = Game.objects.filter(places__player=player, status=Game.Status.OVER)
    if public:
        found = found.filter(private=False)
    return list(found.defer(*NOT_LISTED).order_by("-finished_at", "-pk")[:limit])


def waiting_for_players(now: datetime, terms: Q, before: Place | None = None) -> QuerySet[Game]:
    """Public games with these terms that anybody can find, newest first."""
    found = Game.objects.filter(terms, status=Game.Status.OPEN, private=False, expires_at__gt=now)
    return earlier(found.defer(*NOT_LISTED), "created_at", before)


def to_watch(terms: Q, before: Place | None = None) -> QuerySet[Game]:
    """Public games with these terms that are being played by more than one, the last moved first."""
    found = Game.objects.filter(terms, status=Game.Status.RUNNING, private=False).exclude(mode="solo")
    return earlier(found.defer(*NOT_LISTED), "moved_at", before)


def earlier(found: QuerySet[Game], field: str, before: Place | None) -> QuerySet[Game]:
    """By time, the latest first; only those that come after a place. A sweep moves many at the same time."""
    if before:
        at, pk = before
        found = found.filter(**{f"{field}__lte": at}).exclude(**{field: at, "pk__gte": pk})
    return found.order_by(f"-{field}", "-pk")


@dataclass(frozen=True)
class Score:
    """What all can see of how a game stands."""

    match: int
    totals: dict[int, int]  # by side, of the matches that are over
    points: dict[int, int]  # by side, marked in this one


def scores(games: Iterable[Game]) -> dict[int, Score]:
    """How running games stand, by id; one whose state cannot be read is left out, and hides no other."""
    found = {}
    states = Secret.objects.filter(game__in=[game.pk for game in games]).exclude(state="")
    for pk, text in states.values_list("game_id", "state"):
        try:
            state = load(text)
        except (ValueError, KeyError):
            continue
        seen = view(state)
        totals, points = ({int(side): n for side, n in seen[name].items()} for name in ("totals", "points"))
        found[pk] = Score(state.match, totals, points)
    return found


def seats_free(game: Game, places: Sequence[Seat], kept: Sequence[Invitation], player: Player | None) -> int:
    """The seats that somebody could take who is not invited: the host's and the invited ones are kept."""
    mine = [invitation for invitation in kept if player and invitation.player_id == player.pk]
    host_is_in = game.creator_id is None or any(place.player_id == game.creator_id for place in places)
    host = 0 if host_is_in or (player and player.pk == game.creator_id) else 1
    return game.seats - len(places) - host - (len(kept) - len(mine))


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
        "commitment": found.game.commitment,
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
    return list(lines[:SAID])[::-1]


def message(found: Message) -> dict[str, Any]:
    """A line of chat; one that was taken down has no words."""
    return {
        "id": found.pk,
        "name": found.player.name if found.player else str(FORMER),
        "text": "" if found.hidden else found.text,
        "at": instant(found.at),
    }
