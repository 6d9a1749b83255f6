"""What is public about the seeds of events, players and seasons."""

from __future__ import annotations

from typing import Any

from games.engine import fairness
from games.models import Player
from tournaments.models import Entrant, Event, League, Member, SeasonSecret, SeasonSeed

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


def season_seed(league: League, number: int) -> SeasonSeed | None:
    """The commitment of a season, and its seed once all of it is over; None for seasons of old."""
    return SeasonSeed.objects.filter(league=league, number=number).first()


def next_season(league: League, members: int) -> dict[str, Any] | None:
    """The commitments of the season to come: its own, and those of the events that it may have.

    The seeds of the events follow from that of the season, so no number of members can change them.
    """
    if league.status == League.Status.CLOSED:
        return None
    last = league.played.order_by("-number").values_list("number", flat=True).first()
    found = season_seed(league, (last or 0) + 1)
    if found is None:  # the season that runs is the last one
        return None
    seed = bytes(SeasonSecret.objects.get(season_seed=found).seed)
    places = league.size * (2 if league.mode == League.Mode.PAIRS else 1)
    count = min(members // places + 2, MAX_LISTED_DIVISIONS)
    return {
        "number": found.number,
        "commitment": found.commitment,
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
