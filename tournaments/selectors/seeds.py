"""What is public about the seeds of events, players and seasons."""

from __future__ import annotations

from typing import Any

from django.db.models import Max

from games.engine import fairness
from games.models import Player
from tournaments.models import Entrant, Event, League, LeagueSecret, Member, Season

MAX_LISTED_DIVISIONS = 50


def member_of(event: Event, player: Player | None) -> Member | None:
    """The viewer's own place in an event."""
    return event.members.filter(player=player).select_related("entrant").first() if player else None


def may_change_seed(event: Event, member: Member | None) -> bool:
    """Whether a player may still bring another client seed."""
    over = event.status in (Event.Status.FINISHED, Event.Status.CANCELLED)
    return member is not None and not member.seed_fixed and not over


def client_seeds_of(entrant: Entrant) -> list[str]:
    """The seeds of those who play for an entrant, in the order of their seats; members are fetched."""
    members = sorted(entrant.members.all(), key=lambda one: one.number)
    return [one.effective_client_seed for one in members]


def season_seed_of(league: League, number: int) -> bytes:
    """The seed of a season, a secret: it follows from that of the league, which its commitment holds fast."""
    secret = LeagueSecret.objects.values_list("seed", flat=True).get(league=league)
    return fairness.derive_season_seed(bytes(secret), number)


def season_seal(season: Season) -> dict[str, Any]:
    """What is public about the seed of a season; the seed itself once those of all its events are.

    Events of seasons of old have seeds of their own: then nothing is said.
    """
    seed = season_seed_of(season.league, season.number)
    events = list(Event.objects.filter(division__season=season).select_related("division"))
    if not all(follows_from_season(one, seed) for one in events):
        return {"commitment": None, "seed": None}
    secret = season.finished_at is None or not all(one.seed for one in events)
    return {"commitment": fairness.commitment(seed), "seed": None if secret else seed.hex()}


def follows_from_season(event: Event, season_seed: bytes) -> bool:
    """Whether an event's commitment is the one that the seed of its season gives."""
    assert event.division
    derived = fairness.derive_event_seed(season_seed, event.division.number, event.group)
    return fairness.commitment(derived) == event.commitment


def next_commitment(about: Event | League | None) -> str:
    """What is sealed of the games that one enters for: of an event, or of a league's season to come."""
    if about is None or isinstance(about, Event):
        return about.commitment if about else ""
    last = about.played.aggregate(last=Max("number"))["last"] or 0
    if about.status == League.Status.CLOSED or (about.seasons is not None and last >= about.seasons):
        return ""
    return fairness.commitment(season_seed_of(about, last + 1))


def next_season(league: League, *, members: int, last: int) -> dict[str, Any] | None:
    """The commitments of the season to come: its own, and those of the events that it may have.

    All of it follows from the seed of the league, so no number of members can change it. `last` is the
    number of the newest season, 0 before the first.
    """
    if league.status == League.Status.CLOSED or (league.seasons is not None and last >= league.seasons):
        return None
    seed = season_seed_of(league, last + 1)
    places = league.size * (2 if league.mode == League.Mode.PAIRS else 1)
    count = min(members // places + 2, MAX_LISTED_DIVISIONS)
    return {
        "number": last + 1,
        "commitment": fairness.commitment(seed),
        "events": [
            {
                "division": division,
                "group": group,
                "event_commitment": fairness.commitment(fairness.derive_event_seed(seed, division, group)),
            }
            for division in range(1, count + 1)
            for group in range(1, league.groups + 1)
        ],
    }
