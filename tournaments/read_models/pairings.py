"""Read models of pairings, of standings and of brackets, and of what pairings follow from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Any, Literal

from games.options import list_option_types
from tournaments.models import PairingState
from tournaments.options import SHAPE_OPTIONS
from tournaments.pairing import CriterionValue, SeatSource

from .tournaments import FormerPlayer, NoteData, StoredResultData

SeedingMethod = Literal["lot", "rating", "division"]


@dataclass(frozen=True)
class PairingSeatData:
    """A seat of a pairing."""

    entrant: Annotated[int, "The `id` of the entrant."]
    name: Annotated[str, "The name of the player of this game, even if the entrant has another player now."]
    former_players: Annotated[list[str], "The players who were replaced during this game."]
    rank: Annotated[
        int | None, "The rank; 1 is the best, and equal seats share it. Null if there is no result yet."
    ]
    points: Annotated[int | None, "The points of the game; null if there is no result yet."]
    eights: Annotated[int | None, "How many times they made an 8; null if there is no result yet."]
    forfeit: Annotated[bool, "Whether the seat did not play to the end."]
    timeout: Annotated[bool, "Whether that was because of a timeout."]


@dataclass(frozen=True)
class PairingData:
    """A pairing in a list."""

    id: Annotated[int, "The number of the pairing, unique on the site."]
    match: Annotated[str, "The match in the tournament, from which the seeds of its games are derived."]
    round: Annotated[int, "The number of the round in which it was published."]
    bracket_round: Annotated[int, "The round of the bracket or of the schedule."]
    rematch: Annotated[bool, "Whether an earlier game of the match was level."]
    game_number: Annotated[int, "The number of the game in its match. From 2 on they are rematches."]
    attempt: Annotated[int, "The attempt; more than 1 if a corrected result made earlier ones void."]
    state: Annotated[PairingState, "Its status."]
    game: Annotated[str | None, "The `id` of the game; null for a bye."]
    ends_at: Annotated[datetime | None, "When points decide the game if it is not over; null for no limit."]
    settled_at: Annotated[datetime | None, "When the result was recorded; null before."]
    by: Annotated[
        Literal["game", "adjudication", "organiser"] | None,
        "What decided it: `game`, `adjudication` or `organiser`; null for a bye, or if"
        " there is no result yet.",
    ]
    seats: Annotated[list[PairingSeatData], "The entrants, in the order of play."]
    reasons: Annotated[list[NoteData], "The reasons for this pairing and its seat order."]


@dataclass(frozen=True)
class PairingDetailData(PairingData):
    """A pairing with its reasons as text."""

    words: Annotated[list[str], "The reasons as sentences, in your language."]
    is_void: Annotated[bool, "True if a corrected result made the pairing meaningless."]


# ----------------------------------------------------------------------------------------- the next round


@dataclass(frozen=True)
class NamedEntrantData:
    """An entrant with its name."""

    entrant: Annotated[int, "The `id` of the entrant."]
    name: Annotated[str, "The name of the entrant."]


@dataclass(frozen=True)
class PlannedPairingData:
    """A pairing of the previewed round."""

    match: Annotated[str, "The match in the tournament, as in the records of its games."]
    bracket_round: Annotated[int, "The round of the bracket or of the schedule."]
    rematch: Annotated[bool, "Whether an earlier game of the match was level."]
    seats: Annotated[list[NamedEntrantData], "The entrants, in the order of play."]
    reasons: Annotated[list[NoteData], "The reasons for this pairing and its seat order."]


@dataclass(frozen=True)
class RoundPreviewData:
    """The preview of the next round."""

    state: Annotated[Literal["round", "waiting", "over"], "Whether a round can be paired now."]
    round: Annotated[int | None, "The number of the round; null if the tournament is over."] = None
    pairings: Annotated[list[PlannedPairingData], "The pairings that would be published."] = field(
        default_factory=list
    )
    warnings: Annotated[list[NoteData], "What an organiser should know before they are published."] = field(
        default_factory=list
    )
    matches: Annotated[list[str], "The matches that have to end before."] = field(default_factory=list)
    champion: Annotated[str | None, "The name of the winner, if the tournament is over."] = None


# ---------------------------------------------------------------------------------- standings and bracket


@dataclass(frozen=True)
class CriterionColumnData:
    """A column of the standings."""

    key: Annotated[str, "The name of the criterion, as in the lines."]
    name: Annotated[str, "The heading of the column, in your language."]
    explanation: Annotated[str, "What the criterion means, in your language."]


@dataclass(frozen=True)
class StandingData:
    """A row of the standings."""

    rank: Annotated[int, "The rank; 1 is the best, and equal lines share it."]
    entrant: Annotated[int, "The `id` of the entrant."]
    name: Annotated[str, "The name of the entrant."]
    played: Annotated[int, "How many games count."]
    byes: Annotated[int, "How many rounds without an opponent."]
    withdrawn: Annotated[bool, "Whether they have left."]
    criteria: Annotated[tuple[CriterionValue, ...], "The value of every tie-break, the weightiest first."]
    separated_by: Annotated[str | None, "The tie-break that puts it behind the line above."]
    former_players: Annotated[list[FormerPlayer], "Its former players."]


@dataclass(frozen=True)
class StandingsData:
    """The standings and their columns."""

    criteria: Annotated[list[CriterionColumnData], "The columns, the weightiest first."]
    lines: Annotated[list[StandingData], "The entrants, the best first. Empty before the start."]


@dataclass(frozen=True)
class BracketSeatData:
    """A seat of a bracket match."""

    entrant: Annotated[int | None, "The `id` of the entrant; null until it is known."]
    name: Annotated[str | None, "The name of the entrant; null until it is known."]
    place: Annotated[int | None, "The place in this match; null until it is decided."]
    source: Annotated[SeatSource, "Where this seat is filled from."]


@dataclass(frozen=True)
class BracketMatchData:
    """A match of the bracket."""

    match: Annotated[str, "The match in the tournament, as in the records of its games."]
    bracket: Annotated[
        Literal["main", "winners", "losers", "final", "third"], "The part of the bracket that it is in."
    ]
    round: Annotated[int, "The number of the round within that part."]
    stage: Annotated[
        int, "The stage over all parts of the bracket. Leaving in a later stage is a better result."
    ]
    state: Annotated[str, "Its status."]
    pending: Annotated[bool, "Whether a correction has changed its players while the old table still stands."]
    advancing_count: Annotated[int, "How many entrants go on from this match."]
    seats: Annotated[list[BracketSeatData], "The seats of the match, in the order of their sources."]
    notes: Annotated[list[NoteData], "How it was decided, if not by its game alone."]
    games: Annotated[list[str], "The `id` of each of its games, in order."]


@dataclass(frozen=True)
class BracketData:
    """The bracket."""

    matches: Annotated[list[BracketMatchData], "All matches, future ones too. Empty before the start."]
    champion: Annotated[str | None, "The name of the winner; null until there is one."]


# ------------------------------------------------------------------------------- what pairings follow from


@dataclass(frozen=True)
class ProofEntrantData:
    """An entrant as the pairing uses it."""

    id: Annotated[int, "The number by which results name the entrant."]
    seed: Annotated[
        int | None, "The seed; 1 is the strongest. Null: drawn by lot, behind those who have one."
    ]
    first_round: Annotated[int, "The first round that it plays in."]
    left_after_round: Annotated[
        int | None, "The last round that had begun when it left; null while it takes part."
    ]
    absent_rounds: Annotated[list[int], "The numbers of the rounds that it sits out."]
    client_seeds: Annotated[list[str], "The client seeds, in seat order."]


@dataclass(frozen=True)
class ProofResultData:
    """A result as the pairing uses it; without ranks it is a bye, or still being played."""

    round: Annotated[int, "The number of the round in which it was published."]
    match: Annotated[str, "The match in the tournament, as in the records of its games."]
    bracket_round: Annotated[int, "The round of the bracket or of the schedule."]
    game_number: Annotated[int, "The number of the game in its match; 2 is a rematch."]
    attempt: Annotated[int, "The attempt; more than 1 if a corrected result made earlier ones void."]
    seats: Annotated[list[int], "The entrants in seat order. A single entrant has a bye."]
    ranks: Annotated[
        list[int] | None,
        "The rank of each seat, in seat order; 1 is the best. Null for a bye, or if there is no result yet.",
    ]
    points: Annotated[list[int], "The points of each seat in the game, in seat order."]
    eights: Annotated[list[int], "How many times each seat made an 8, in seat order."]
    forfeits: Annotated[list[int], "The `id` of each entrant that did not play to the end."]


@dataclass(frozen=True)
class SeedChangeData:
    """A change of the seeds by an organiser."""

    decision: Annotated[int, "The `id` of the decision. Greater numbers are later."]
    at: Annotated[datetime, "When it was made."]
    by: Annotated[str | None, "The name of the organiser; null if the account was deleted."]
    count: Annotated[int, "How many were seeded by hand from then on."]
    after_preview: Annotated[bool, "Whether an organiser had seen the draw by then."]


@dataclass(frozen=True)
class DrawPreviewData:
    """A preview of the draw by an organiser."""

    at: Annotated[datetime, "When that organiser first looked at the draw."]
    by: Annotated[str | None, "The name of the organiser; null if the account was deleted."]


@dataclass(frozen=True)
class CorrectedResultData:
    """A result before and after a correction."""

    decision: Annotated[int, "The `id` of the decision."]
    at: Annotated[datetime, "When it was corrected."]
    pairing: Annotated[int | None, "The `id` of the pairing."]
    before: Annotated[StoredResultData | None, "The result by which rounds were paired until then."]
    after: Annotated[StoredResultData | None, "The result by which rounds are paired from then on."]


@dataclass(frozen=True)
class SeedingReportData:
    """The numbering of entrants, and who saw the draw before the start."""

    seeding: Annotated[
        SeedingMethod,
        "How entrants that are not seeded by hand get their numbers; `division` is the order in a league.",
    ]
    seeds_logged: Annotated[
        bool, "False if the tournament was made before seeds set by hand and previews were logged."
    ]
    seeded_by_hand: Annotated[
        list[int], "The `id` of each entrant that was seeded by hand, the first seed first."
    ]
    seed_changes: Annotated[
        list[SeedChangeData], "The last 100 changes of seeds by organisers, oldest first."
    ]
    previews: Annotated[list[DrawPreviewData], "The organisers who saw the draw before the start."]


@dataclass(frozen=True)
class FairnessProofData(SeedingReportData):
    """Everything that the pairings follow from."""

    id: Annotated[str, "The `id` of the tournament, from which the lots are derived."]
    commitment: Annotated[str, "The SHA-256 of the seed, which was public before anyone could enter."]
    seed: Annotated[str | None, "The seed in hexadecimal; null until the tournament is over."]
    event_commitment: Annotated[str, "The same as `commitment`."]
    event_seed: Annotated[str | None, "The same as `seed`."]
    format: Annotated[str, "How we pair entrants: knock-out, double knock-out, round robin or Swiss."]
    table_size: Annotated[int, "How many entrants sit at a table at most, 2 to 4."]
    shape: Mapping[str, Any] = field(metadata={"inline": list_option_types(SHAPE_OPTIONS)})
    entrants: Annotated[list[ProofEntrantData], "All entrants that were ever paired."]
    results: Annotated[
        list[ProofResultData], "The results of all pairings that count, in the order of publication."
    ]
    corrections: Annotated[list[CorrectedResultData], "The results that were changed, oldest first."]
