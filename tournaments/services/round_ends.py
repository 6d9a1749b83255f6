"""The end of a round as its games store it: written when they open, and updated when it changes."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.urls import reverse

from games.selectors.deadlines import RoundEnd
from games.services import system_games
from tournaments.models import Pairing, PairingSeat, Round, Tournament
from tournaments.selectors.calendar_dates import NUMBERED_ROUND_FORMATS

from .notices import list_player_ids, tell_of_round_end


def build_round_end(tournament: Tournament, round: Round) -> RoundEnd | None:
    """Build the round end for the games of a round; None if the round has no end."""
    if round.ends_at is None:
        return None
    is_numbered = tournament.format in NUMBERED_ROUND_FORMATS and not tournament.at_once
    return RoundEnd(
        ends_at=round.ends_at,
        tournament_name=tournament.name,
        round_no=round.number if is_numbered else 0,
        page_path=reverse("tournament", args=[tournament.code]),
    )


def update_round_ends(tournament: Tournament, now: datetime) -> None:
    """Tell the games that still count when their rounds end; the caller holds the event.

    Whoever plays in one that ends sooner than it was known to is told.
    """
    for round in tournament.published.filter(tables__settled_at=None).distinct():
        open_pairings = round.tables.filter(settled_at=None, void=False, game__isnull=False)
        game_codes = list(open_pairings.values_list("game__code", flat=True))
        if round.ends_at:
            sooner = list(open_pairings.filter(game__round_ends_at__gt=round.ends_at))
            tell_of_round_end(tournament, round, list_player_ids_at(tournament, sooner), now)
        system_games.set_round_end(codes=game_codes, round_end=build_round_end(tournament, round), now=now)


def list_player_ids_at(tournament: Tournament, pairings: Iterable[Pairing]) -> list[int | None]:
    """Everybody who plays at some tables."""
    entrant_ids = PairingSeat.objects.filter(table__in=list(pairings)).values_list("entrant_id", flat=True)
    return list_player_ids(tournament, set(entrant_ids))
