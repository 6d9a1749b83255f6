"""Read models of a tournament: summary, details, entrants, rounds, decisions, appeals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Any

from games.options import list_option_types
from tournaments.models import Entrant, Tournament
from tournaments.options import GAME_SETTINGS_OPTIONS, TOURNAMENT_OPTIONS

SETTING_TYPES = list_option_types(TOURNAMENT_OPTIONS | GAME_SETTINGS_OPTIONS)


@dataclass(frozen=True)
class NoteData:
    """A reason or a warning: its code, and details that depend on the code."""

    code: Annotated[str, "what it says; further members are its facts, entrants by their ids"]
    details: Mapping[str, Any] = field(metadata={"inline": {}})  # the code, too

    @classmethod
    def build_list(cls, notes: list[dict[str, Any]]) -> list[NoteData]:
        """Build the notes that a row stores."""
        return [cls(note["code"], note) for note in notes]


@dataclass(frozen=True)
class TournamentSummaryData:
    """A tournament in a list."""

    id: Annotated[str, "its code in addresses"]
    name: Annotated[str, "as the organiser calls it"]
    format: Annotated[Tournament.Format, "how entrants are paired"]
    status: Annotated[Tournament.Status, "how far it is"]
    mode: Annotated[Tournament.Mode, "whether entrants are single players or pairs"]
    table_size: Annotated[int, "entrants at a table, at most"]
    clock: Annotated[str, "the time control of its games"]
    rated: Annotated[bool, "whether its games change ratings"]
    organiser: Annotated[str | None, "the name of whoever made it; null: the account was deleted"]
    entered: Annotated[int, "entrants who have a place"]
    capacity: Annotated[int | None, "how many have a place; null: any number"]
    created_at: Annotated[datetime, "when the draft was made"]
    opens_at: Annotated[datetime | None, "from when on players can enter; null: at once"]
    closes_at: Annotated[datetime | None, "until when players can enter; null: until the start"]
    starts_at: Annotated[datetime | None, "when it is to start; null: when an organiser starts it"]
    started_at: Annotated[datetime | None, "when it started; null before"]
    finished_at: Annotated[datetime | None, "when it ended; null before"]


@dataclass(frozen=True)
class RoundData:
    """A published round."""

    number: Annotated[int, "from 1, in the order of publication"]
    published_at: Annotated[datetime, "when its pairings became public"]
    ends_at: Annotated[datetime | None, "when what is still played is decided by its points"]
    pairing_count: Annotated[int, "pairings, byes too"]
    open_pairing_count: Annotated[int, "pairings that are not settled"]
    warnings: Annotated[list[NoteData], "what its organisers were warned about"]


@dataclass(frozen=True)
class RoundListData:
    """All published rounds."""

    results: Annotated[list[RoundData], "the first round first"]


@dataclass(frozen=True)
class LeagueReference:
    """The league, season, division and group that a tournament belongs to."""

    id: Annotated[str, "the id of the league"]
    name: Annotated[str, "the name of the league"]
    season: Annotated[int, "the number of the season"]
    division: Annotated[int, "the number of the division, 1 is the highest"]
    group: Annotated[int, "the number of the group in its division"]


@dataclass(frozen=True)
class TournamentViewer:
    """The viewer's entry and permissions in a tournament."""

    organiser: Annotated[bool, "whether you organise it"] = False
    entrant: Annotated[int | None, "the id of the entrant that you play for"] = None
    status: Annotated[Entrant.Status | None, "where your entrant stands; null: you have not entered"] = None
    confirmed: Annotated[bool | None, "whether your entry is confirmed; null: you have not entered"] = None
    proposals: Annotated[list[int], "to play as a pair: what you asked or were asked, unanswered"] = field(
        default_factory=list
    )
    client_seed: Annotated[str | None, "what your games here are shuffled with, beside our seed"] = None
    permissions: Annotated[list[str], "what you may do here now"] = field(default_factory=list)


@dataclass(frozen=True)
class TournamentData(TournamentSummaryData):
    """A tournament."""

    settings: Mapping[str, Any] = field(metadata={"inline": SETTING_TYPES})
    waiting: Annotated[int, "entrants on the waiting list"]
    co_organisers: Annotated[list[str], "the names of those who organise it, too"]
    hold_reason: Annotated[
        str | None,
        "why it waits, for those who organise it; else null. `review`, `too-few`, `too-many-games`, "
        "`stale-at-end`, the code of its first warning, or `undecided-table`: a table came back whose game "
        "ended while it did not count, and it goes on when its result is written",
    ]
    waits_for_organiser: Annotated[bool, "whether it waits for them"]
    warnings: Annotated[list[NoteData], "for those who organise it: what the next round has"]
    round: Annotated[RoundData | None, "the newest one"]
    champions: Annotated[list[str], "the names of the winners; empty until it is over"]
    commitment: Annotated[str, "the same as `event_commitment`"]
    event_commitment: Annotated[str, "the SHA-256 of `event_seed`, public before anyone can enter"]
    event_seed: Annotated[str | None, "in hexadecimal; null until it is over"]
    league: Annotated[LeagueReference | None, "where it belongs to; null: to no league"]
    you: Annotated[TournamentViewer, "your entry, and what you may do"]


# ------------------------------------------------------------------------------------------------- entrants


@dataclass(frozen=True)
class FormerPlayer:
    """A player who was replaced."""

    position: Annotated[int, "1, or 2 for the second of a pair"]
    player: Annotated[str | None, "the name; null: the account was deleted"]
    since_round: Annotated[int, "from which round on somebody else has played"]


@dataclass(frozen=True)
class EntrantData:
    """An entrant: a player or a pair."""

    id: Annotated[int, "as pairings and standings name it"]
    name: Annotated[str, "of the player, or of both"]
    players: Annotated[list[str], "the names of who plays for it, in the order of their seats"]
    bots: Annotated[list[str], "the names of those of them who are bots"]
    status: Annotated[Entrant.Status, "where it stands"]
    seed: Annotated[int | None, "1 is the strongest; null: by lot, behind those who have one"]
    first_round: Annotated[int, "the first round to play in"]
    left_after_round: Annotated[int | None, "the last round that had begun when they left"]
    absent_rounds: Annotated[list[int], "rounds to sit out"]
    confirmed: Annotated[bool, "whether they have said that they will play"]
    client_seeds: Annotated[list[str], "of those who play for it, in the order of their seats"]
    rank: Annotated[int | None, "at the end"]
    former_players: Annotated[list[FormerPlayer], "who played for it before; results of then stay theirs"]


@dataclass(frozen=True)
class TournamentInviteData:
    """An invite to a tournament."""

    name: Annotated[str, "of the invited player"]
    created_at: Annotated[datetime, "when they were invited"]


# ---------------------------------------------------------------------------------- decisions and appeals


@dataclass(frozen=True)
class DecisionData:
    """A decision of an organiser."""

    id: Annotated[int, "later decisions have larger ids"]
    created_at: Annotated[datetime, "when it was made"]
    created_by: Annotated[str | None, "the name of the organiser; null: the account was deleted"]
    action: Annotated[
        str,
        "edit, seeds, preview, proceed, extend, correct, disqualify, replace, remove, cancel, "
        "co-organiser, undo-…",
    ]
    reason: Annotated[str | None, "the reason; null for whoever does not organise it"]
    public_note: Annotated[str, "for everybody; empty once the decision was undone"]
    pairing: Annotated[int | None, "the id of the pairing that it is about"]
    entrant: Annotated[int | None, "the id of the entrant that it is about"]
    player: Annotated[str | None, "who plays, or organises, from then on"]
    was: Annotated[str | None, "who did before"]
    result: Annotated[dict[str, Any] | None, "of a correction: from then on"]
    result_before: Annotated[dict[str, Any] | None, "of a correction: until then"]
    until: Annotated[datetime | None, "when a round ends"]
    changed: Annotated[dict[str, Any] | None, "of an edit: what was laid down anew"]
    seeds: Annotated[list[int] | None, "of `seeds`: the entrants seeded by hand, in order"]
    after_preview: Annotated[
        bool,
        "of what changes the draw (`seeds`, `edit`, `remove`, `replace`): made before the start, but after "
        "an organiser had seen the draw",
    ]
    undoes: Annotated[int | None, "the id of the decision that it undoes"]
    undone: Annotated[bool, "whether a later decision undoes it"]


@dataclass(frozen=True)
class AppealData:
    """An appeal and its answer."""

    id: Annotated[int, "to answer it by"]
    pairing: Annotated[int, "the id of the pairing that it is about"]
    match: Annotated[str, "the match of that pairing"]
    created_by: Annotated[str | None, "the name of the player; null: the account was deleted"]
    created_at: Annotated[datetime, "when it was filed"]
    text: Annotated[str, "what the player says"]
    answer: Annotated[str | None, "what an organiser answers; null before"]
    answered_by: Annotated[str | None, "the name of that organiser"]
    answered_at: Annotated[datetime | None, "null: not answered yet"]
