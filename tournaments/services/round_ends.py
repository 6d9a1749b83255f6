"""The end of a round as its games store it: written when they open, and updated when it changes."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.urls import reverse

from games.selectors.deadlines import RoundEnd
from games.services import system_games
from tournaments.models import Pairing, PairingSeat, Round, Tournament
from tournaments.selectors.calendar_dates import NUMBERED_ROUND_FORMATS

from .notices import list_player_ids, notify_round_end


def build_round_end(tournament: Tournament, round: Round) -> RoundEnd | None:
    """Build the round end for the games of a round; None if the round has no end."""
    if round.ends_at is None:
        return None
    is_numbered = tournament.format in NUMBERED_ROUND_FORMATS and not tournament.all_rounds_at_once
    return RoundEnd(
        ends_at=round.ends_at,
        tournament_name=tournament.name,
        round_no=round.number if is_numbered else 0,
        page_path=reverse("tournament", args=[tournament.code]),
    )


def update_round_ends(tournament: Tournament, now: datetime) -> None:
    """Store the ends of rounds in their open games, and notify players whose round ends sooner than before.

    The caller locks the tournament.
    """
    for round in tournament.rounds.filter(pairings__settled_at=None).distinct():
        open_pairings = round.pairings.filter(settled_at=None, is_void=False, game__isnull=False)
        game_codes = list(open_pairings.values_list("game__code", flat=True))
        if round.ends_at:
            shortened_pairings = list(open_pairings.filter(game__round_ends_at__gt=round.ends_at))
            notify_round_end(
                tournament, round, list_player_ids_at_pairings(tournament, shortened_pairings), now
            )
        system_games.set_round_end(codes=game_codes, round_end=build_round_end(tournament, round), now=now)


def list_player_ids_at_pairings(tournament: Tournament, pairings: Iterable[Pairing]) -> list[int | None]:
    """List the ids of the players at some pairings."""
    entrant_ids = PairingSeat.objects.filter(pairing__in=list(pairings)).values_list("entrant_id", flat=True)
    return list_player_ids(tournament, set(entrant_ids))
