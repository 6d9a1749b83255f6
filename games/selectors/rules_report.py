"""Statistics of stored games by mode and table size, which show wrong tiles or frames.

Games are read in batches and only counts are kept, so the memory does not grow with the number of games.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet, TextField
from django.db.models.functions import Cast

from games.engine import Mode, Setup
from games.models import Action, Game, Seat

BATCH_SIZE = 500  # games
DARK_PAIR_EVENT = "dark tiles left"


@dataclass(frozen=True)
class FinishedGame:
    """A finished game, as far as the report needs it."""

    mode: str
    seat_count: int
    matches: Sequence[dict[str, Any]]
    has_winner: bool
    is_resigned: bool
    dark_pair_count: int


@dataclass
class RuleFigures:
    """The counts of all games of one mode and table size."""

    mode: str
    seat_count: int
    game_count: int = 0
    resigned_game_count: int = 0  # somebody resigned: how long the game lasted says nothing
    won_solo_count: int = 0
    match_count: int = 0
    match_counts: Counter[int] = field(default_factory=Counter)  # games by their number of matches
    score_count: int = 0  # scores of a side in a match
    score_total: int = 0
    best_score_total: int = 0  # the sum of the best score of each match
    highest_score: int = 0
    endings: Counter[str] = field(default_factory=Counter)
    silly_match_count: int = 0
    blind_game_count: int = 0
    dark_pair_count: int = 0

    def add_game(self, game: FinishedGame) -> None:
        """Count one game."""
        self.game_count += 1
        self.resigned_game_count += game.is_resigned
        self.won_solo_count += game.mode == Mode.SOLO and game.has_winner
        self.match_count += len(game.matches)
        if not game.is_resigned:
            self.match_counts[len(game.matches)] += 1
            self.blind_game_count += any(match["kind"] == "blind" for match in game.matches)
        self.dark_pair_count += game.dark_pair_count
        for match in game.matches:
            scores = list(match["scores"].values())
            self.score_count += len(scores)
            self.score_total += sum(scores)
            self.best_score_total += max(scores)
            self.highest_score = max(self.highest_score, *scores)
            self.endings[match["ended"]] += 1
            self.silly_match_count += bool(match["silly"])

    @property
    def complete_game_count(self) -> int:
        """The games that nobody resigned."""
        return self.game_count - self.resigned_game_count

    def build_data(self) -> dict[str, Any]:
        """Return the figures as JSON; a share without anything to share is null."""
        complete_match_count = sum(matches * games for matches, games in self.match_counts.items())
        return {
            "mode": self.mode,
            "seats": self.seat_count,
            "games": self.game_count,
            "resigned_games": self.resigned_game_count,
            "won_solo_share": compute_ratio(self.won_solo_count, self.game_count)
            if self.mode == Mode.SOLO
            else None,
            "matches": self.match_count,
            "matches_per_game": compute_ratio(complete_match_count, self.complete_game_count),
            "games_by_matches": {str(n): self.match_counts[n] for n in sorted(self.match_counts)},
            "points_per_match": compute_ratio(self.score_total, self.score_count),
            "best_points_per_match": compute_ratio(self.best_score_total, self.match_count),
            "highest_points": self.highest_score,
            "eight_share": compute_ratio(self.endings["infinity"], self.match_count),
            "tower_share": compute_ratio(self.endings["tower"], self.match_count),
            "silly_share": compute_ratio(self.silly_match_count, self.match_count),
            "blind_share": compute_ratio(self.blind_game_count, self.complete_game_count),
            "dark_pairs_per_match": compute_ratio(self.dark_pair_count, self.match_count),
        }


def compute_ratio(part: int, whole: int) -> float | None:
    """Return a quotient with four decimals, None for nothing of nothing."""
    return round(part / whole, 4) if whole else None


def select_report_games(
    *, edition: str = "", with_bots: bool = False, all_terms: bool = False
) -> QuerySet[Game]:
    """Select the games of a report: those that are over, of an edition or all, without bots unless wanted.

    Bots are the site's own and accounts of programs.

    Without `all_terms` only games as the books describe them: to their target, with the duty to close.
    """
    games = Game.objects.completed()
    if not all_terms:
        games = games.filter(target=Setup().target, obligation=Setup().obligation)
    if edition:
        games = games.filter(edition=edition)
    if not with_bots:
        bot_seats = Seat.objects.filter(~Q(bot_policy="") | Q(player__is_bot=True), game=OuterRef("pk"))
        games = games.exclude(Exists(bot_seats))
    return games


def iter_finished_games(games: QuerySet[Game]) -> Iterator[FinishedGame]:
    """Yield what the report needs of each game, in two queries a batch."""
    last_id = 0
    columns = ("pk", "mode", "seat_count", "result", "initial_events")
    while rows := list(games.filter(pk__gt=last_id).order_by("pk").values_list(*columns)[:BATCH_SIZE]):
        last_id = rows[-1][0]
        dark_pair_counts: Counter[int] = Counter()
        resigned_ids = set()
        for game_id, action, events in list_telling_actions([row[0] for row in rows]):
            dark_pair_counts[game_id] += count_dark_pairs(events)
            if action == "resign":
                resigned_ids.add(game_id)
        for pk, mode, seat_count, result, initial_events in rows:
            yield FinishedGame(
                mode=mode,
                seat_count=seat_count,
                matches=result["matches"],
                has_winner=result["winner"] is not None,
                is_resigned=pk in resigned_ids,
                dark_pair_count=dark_pair_counts[pk] + count_dark_pairs(initial_events),
            )


def list_telling_actions(game_ids: Sequence[int]) -> QuerySet[Action, tuple[Any, ...]]:
    """List the actions after which somebody had two dark tiles, and resignations: a few of each game."""
    return (
        Action.objects.filter(game_id__in=game_ids)
        .annotate(event_text=Cast("events", TextField()))
        .filter(Q(event_text__contains=f'"{DARK_PAIR_EVENT}"') | Q(action="resign"))
        .values_list("game_id", "action", "events")
    )


def count_dark_pairs(events: Sequence[dict[str, Any]]) -> int:
    """Count how often two dark tiles left the match."""
    return sum(event["event"] == DARK_PAIR_EVENT for event in events)
