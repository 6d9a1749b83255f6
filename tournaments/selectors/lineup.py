"""The entrants who would play if a tournament started now: for the preview and for the start itself."""

from __future__ import annotations

from dataclasses import dataclass, field

from tournaments.models import Entrant, Tournament
from tournaments.ratings.selectors import load_ratings

from .quotas import count_places
from .tournament_state import ENTRANT_PLAYERS_PREFETCH, TournamentState

EntrantStatus = Entrant.Status


@dataclass
class LineUp:
    """Entrants as they would be at the start, not saved: dropped, from the waitlist, playing, seeded."""

    tournament: Tournament
    without_account: list[Entrant] = field(default_factory=list)  # their account, or a partner's, is deleted
    unconfirmed: list[Entrant] = field(default_factory=list)  # has not confirmed, where required
    from_waitlist: list[Entrant] = field(default_factory=list)  # moved up from the waitlist
    playing: list[Entrant] = field(default_factory=list)
    seeded_by_rating: list[Entrant] = field(default_factory=list)  # those seeded by rating

    @property
    def is_full(self) -> bool:
        """True if all places are taken by entrants who will play."""
        places = self.tournament.capacity
        return places is not None and not self.unconfirmed and len(self.playing) >= places

    def build_state(self) -> TournamentState:
        """Build the state of the tournament as it would be after the start."""
        return TournamentState(
            self.tournament, sorted([*self.unconfirmed, *self.playing], key=lambda entrant: entrant.pk)
        )


def build_line_up(tournament: Tournament) -> LineUp:
    """Build the line-up of a tournament that starts now.

    1. Sort entrants out whose account is gone, or who have not confirmed. 2. Fill free places from the
    waitlist. 3. Seed by rating, if that is set.
    """
    line_up = LineUp(tournament)
    entrants = list(tournament.entrants.order_by("pk").prefetch_related(ENTRANT_PLAYERS_PREFETCH))
    taken_seeds = [entrant.seed for entrant in entrants if entrant.seed]
    waiting = []
    for entrant in entrants:
        is_confirmed = not tournament.confirmation or entrant.confirmed_at is not None
        if any(entrant_player.player_id is None for entrant_player in entrant.entrant_players.all()):
            line_up.without_account.append(entrant)
        elif entrant.is_waiting:
            waiting += [entrant] if is_confirmed else []
        elif not is_confirmed:
            entrant.status, entrant.left_after_round = EntrantStatus.WITHDRAWN, 0
            line_up.unconfirmed.append(entrant)
        elif entrant.status == EntrantStatus.ENTERED:
            line_up.playing.append(entrant)
    free_places = max(count_places(tournament) - len(line_up.playing), 0)
    for entrant in waiting[:free_places]:
        entrant.status, entrant.first_round = EntrantStatus.ENTERED, 1
        line_up.from_waitlist.append(entrant)
    line_up.playing += line_up.from_waitlist
    if tournament.seeding == Tournament.Seeding.RATING:
        seed_by_rating(line_up, last_seed=max(taken_seeds, default=0))
    return line_up


def seed_by_rating(line_up: LineUp, *, last_seed: int) -> None:
    """Seed entrants without a manual seed by rating; unrated ones are drawn behind them by lot."""
    ratings = load_ratings(
        (
            entrant_player.player_id
            for entrant in line_up.playing
            for entrant_player in entrant.entrant_players.all()
            if entrant_player.player_id
        ),
        line_up.tournament.mode,
    )

    def average_rating(entrant: Entrant) -> float | None:
        """Return the average rating of an entrant's players, None if none is rated."""
        player_ratings = [
            ratings[entrant_player.player_id]
            for entrant_player in entrant.entrant_players.all()
            if entrant_player.player_id in ratings
        ]
        return sum(player_ratings) / len(player_ratings) if player_ratings else None

    unseeded = [entrant for entrant in line_up.playing if entrant.seed is None]
    rated = [(value, entrant) for entrant in unseeded if (value := average_rating(entrant)) is not None]
    rated.sort(key=lambda pair: (-pair[0], pair[1].pk))
    for number, (_value, entrant) in enumerate(rated, last_seed + 1):
        entrant.seed = number
        line_up.seeded_by_rating.append(entrant)
