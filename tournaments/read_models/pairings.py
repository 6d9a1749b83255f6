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

from .tournaments import FormerPlayer, NoteData

SeedingMethod = Literal["lot", "rating", "division"]


@dataclass(frozen=True)
class PairingSeatData:
    """A seat of a pairing."""

    entrant: Annotated[int, "the id of the entrant"]
    name: Annotated[str, "who played here, whoever plays for the entrant now"]
    former_players: Annotated[list[str], "who began this game for them, and was replaced"]
    rank: Annotated[int | None, "1 is the best, level seats share it; null: no result yet"]
    points: Annotated[int | None, "points of the game; null: no result yet"]
    eights: Annotated[int | None, "how many eights; null: no result yet"]
    forfeit: Annotated[bool, "did not play to the end"]
    timeout: Annotated[bool, "because their time was up"]


@dataclass(frozen=True)
class PairingData:
    """A pairing in a list."""

    id: Annotated[int, "in the whole site"]
    match: Annotated[str, "the match's id in the tournament: what seeds of its games are derived with"]
    round: Annotated[int, "the number of the round it was published with"]
    bracket_round: Annotated[int, "the round of the bracket, or of the schedule"]
    rematch: Annotated[bool, "whether an earlier game of the match was level"]
    game_number: Annotated[int, "of the match: 2 and more are rematches"]
    attempt: Annotated[int, "2 and more: a corrected result made the earlier ones void"]
    state: Annotated[PairingState, "how far it is"]
    game: Annotated[str | None, "the id of the game; null: a bye"]
    ends_at: Annotated[datetime | None, "when it is decided by its points if it is still played"]
    settled_at: Annotated[datetime | None, "when its result was written"]
    by: Annotated[str | None, "game, adjudication, organiser; null: a bye, or no result yet"]
    seats: Annotated[list[PairingSeatData], "in the order of play"]
    reasons: Annotated[list[NoteData], "why these meet, and sit so"]


@dataclass(frozen=True)
class PairingDetailData(PairingData):
    """A pairing with its reasons as text."""

    words: Annotated[list[str], "the reasons in words, in your language"]
    is_void: Annotated[bool, "a corrected result made it meaningless"]


# ----------------------------------------------------------------------------------------- the next round


@dataclass(frozen=True)
class NamedEntrantData:
    """An entrant with its name."""

    entrant: Annotated[int, "the id of the entrant"]
    name: Annotated[str, "its name"]


@dataclass(frozen=True)
class PlannedPairingData:
    """A pairing of the previewed round."""

    match: Annotated[str, "the match's id in the tournament"]
    bracket_round: Annotated[int, "the round of the bracket, or of the schedule"]
    rematch: Annotated[bool, "whether an earlier game of the match was level"]
    seats: Annotated[list[NamedEntrantData], "in the order of play"]
    reasons: Annotated[list[NoteData], "why these meet, and sit so"]


@dataclass(frozen=True)
class RoundPreviewData:
    """The preview of the next round."""

    state: Annotated[Literal["round", "waiting", "finished"], "whether a round can be paired now"]
    round: Annotated[int | None, "its number; null: it is over"] = None
    pairings: Annotated[list[PlannedPairingData], "what would be published"] = field(default_factory=list)
    warnings: Annotated[list[NoteData], "what an organiser should know before"] = field(default_factory=list)
    matches: Annotated[list[str], "what has to end before"] = field(default_factory=list)
    champion: Annotated[str | None, "the name of the winner, if it is over"] = None


# ---------------------------------------------------------------------------------- standings and bracket


@dataclass(frozen=True)
class CriterionColumnData:
    """A column of the standings."""

    key: Annotated[str, "as the lines name it"]
    name: Annotated[str, "the heading, in your language"]
    explanation: Annotated[str, "in words, in your language"]


@dataclass(frozen=True)
class StandingData:
    """A row of the standings."""

    rank: Annotated[int, "1 is the best, level lines share it"]
    entrant: Annotated[int, "the id of the entrant"]
    name: Annotated[str, "its name"]
    played: Annotated[int, "games that count"]
    byes: Annotated[int, "rounds without an opponent"]
    withdrawn: Annotated[bool, "whether they have left"]
    criteria: Annotated[tuple[CriterionValue, ...], "all tie-breaks, the weightiest first"]
    separated_by: Annotated[str | None, "what puts it behind the line above"]
    former_players: Annotated[list[FormerPlayer], "who played for it before"]


@dataclass(frozen=True)
class StandingsData:
    """The standings and their columns."""

    criteria: Annotated[list[CriterionColumnData], "the columns, the weightiest first"]
    lines: Annotated[list[StandingData], "the best first; empty before the start"]


@dataclass(frozen=True)
class BracketSeatData:
    """A seat of a bracket match."""

    entrant: Annotated[int | None, "the id of the entrant; null: not known yet"]
    name: Annotated[str | None, "who played here; null: not known yet"]
    place: Annotated[int | None, "in this match, once it is decided"]
    source: Annotated[SeatSource, "where it is filled from"]


@dataclass(frozen=True)
class BracketMatchData:
    """A match of the bracket."""

    match: Annotated[str, "the match's id in the tournament"]
    bracket: Annotated[
        Literal["main", "winners", "losers", "final", "third"], "which part of the bracket it is in"
    ]
    round: Annotated[int, "within that part"]
    stage: Annotated[int, "over all parts: a later stage is a better finish"]
    state: Annotated[str, "how far it is"]
    pending: Annotated[bool, "by a correction others play it; the table they had waits to be given up"]
    advancing_count: Annotated[int, "how many go on"]
    seats: Annotated[list[BracketSeatData], "in the order of their sources"]
    notes: Annotated[list[NoteData], "how it was decided, if not by its game alone"]
    games: Annotated[list[str], "the ids of its games, in order"]


@dataclass(frozen=True)
class BracketData:
    """The bracket."""

    matches: Annotated[list[BracketMatchData], "all of them, future ones too; empty before the start"]
    champion: Annotated[str | None, "the name of the winner, once there is one"]


# ------------------------------------------------------------------------------- what pairings follow from


@dataclass(frozen=True)
class ProofEntrantData:
    """An entrant as the pairing uses it."""

    id: Annotated[int, "as results name it"]
    seed: Annotated[int | None, "1 is the strongest; null: by lot, behind those who have one"]
    first_round: Annotated[int, "the first round to play in"]
    left_after_round: Annotated[int | None, "the last round that had begun when they left"]
    absent_rounds: Annotated[list[int], "rounds to sit out"]
    client_seeds: Annotated[list[str], "in the order of their seats"]


@dataclass(frozen=True)
class ProofResultData:
    """A result as the pairing uses it; without ranks it is a bye, or still being played."""

    round: Annotated[int, "the number of the round it was published with"]
    match: Annotated[str, "the match's id in the tournament"]
    bracket_round: Annotated[int, "the round of the bracket, or of the schedule"]
    game_number: Annotated[int, "2: a rematch"]
    attempt: Annotated[int, "2 and more: a corrected result made the earlier ones void"]
    seats: Annotated[list[int], "one alone: a bye"]
    ranks: Annotated[list[int] | None, "by seat, 1 is the best; null: a bye, or no result yet"]
    points: Annotated[list[int], "of the game, by seat"]
    eights: Annotated[list[int], "by seat"]
    forfeits: Annotated[list[int], "ids of entrants who did not play to the end"]


@dataclass(frozen=True)
class SeedChangeData:
    """A change of the seeds by an organiser."""

    decision: Annotated[int, "its id in the list of decisions, which tells the order"]
    at: Annotated[datetime, "when it was made"]
    by: Annotated[str | None, "the name of the organiser; null: the account was deleted"]
    count: Annotated[int, "how many were seeded by hand from then on"]
    after_preview: Annotated[bool, "whether an organiser had seen the draw by then"]


@dataclass(frozen=True)
class DrawPreviewData:
    """A preview of the draw by an organiser."""

    at: Annotated[datetime, "when they looked first"]
    by: Annotated[str | None, "the name of the organiser; null: the account was deleted"]


@dataclass(frozen=True)
class CorrectedResultData:
    """A result before and after a correction."""

    decision: Annotated[int, "its id in the list of decisions"]
    at: Annotated[datetime, "when it was corrected"]
    pairing: Annotated[int | None, "the id of the pairing"]
    before: Annotated[dict[str, Any] | None, "as rounds were paired by until then"]
    after: Annotated[dict[str, Any] | None, "as rounds are paired by from then on"]


@dataclass(frozen=True)
class SeedingReportData:
    """How entrants were numbered, and who saw the draw before the start."""

    seeding: Annotated[
        SeedingMethod, "what numbers those who are not seeded by hand; division: the order in a league"
    ]
    seeds_logged: Annotated[bool, "false: made before seeds set by hand and previews were logged"]
    seeded_by_hand: Annotated[list[int], "ids of entrants, the first seed first"]
    seed_changes: Annotated[list[SeedChangeData], "seeds that organisers set, the newest 100, oldest first"]
    previews: Annotated[list[DrawPreviewData], "organisers who saw the draw before the start"]


@dataclass(frozen=True)
class FairnessProofData(SeedingReportData):
    """Everything that the pairings follow from."""

    code: Annotated[str, "the id of the tournament, which the lots are derived with"]
    commitment: Annotated[str, "the SHA-256 of the seed, public before anyone could enter"]
    seed: Annotated[str | None, "in hexadecimal; null until it is over"]
    event_commitment: Annotated[str, "the same as `commitment`"]
    event_seed: Annotated[str | None, "the same as `seed`"]
    format: Annotated[str, "how entrants are paired"]
    table_size: Annotated[int, "entrants at a table, at most"]
    shape: Mapping[str, Any] = field(metadata={"inline": list_option_types(SHAPE_OPTIONS)})
    entrants: Annotated[list[ProofEntrantData], "all that were ever paired"]
    results: Annotated[list[ProofResultData], "of all pairings that count, in the order of publication"]
    corrections: Annotated[list[CorrectedResultData], "results that were changed, oldest first"]
