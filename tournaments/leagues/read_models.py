"""Read models of leagues: summary, details, members, calendar, seasons and their divisions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Any

from games.options import list_option_types
from tournaments.models import League, LeagueMember, Tournament
from tournaments.options import GAME_SETTINGS_OPTIONS, LEAGUE_OPTIONS
from tournaments.read_models.tournaments import NoteData

SETTING_TYPES = list_option_types(LEAGUE_OPTIONS | GAME_SETTINGS_OPTIONS)


@dataclass(frozen=True)
class LeagueSummaryData:
    """A league in a list."""

    id: Annotated[str, "its code in addresses"]
    name: Annotated[str, "as the organiser calls it"]
    status: Annotated[League.Status, "how far it is"]
    mode: Annotated[League.Mode, "whether members play alone or in pairs"]
    table_size: Annotated[int, "entrants at a table, at most"]
    clock: Annotated[str, "the time control of its games"]
    rated: Annotated[bool, "whether its games change ratings"]
    division_size: Annotated[int, "players or pairs in a division"]
    organiser: Annotated[str | None, "the name of whoever made it; null: the account was deleted"]
    members: Annotated[int, "who plays the next season"]
    substitutes: Annotated[int, "who plays for whoever drops out"]
    season: Annotated[int | None, "the newest one"]
    membership: Annotated[LeagueMember.Status | None, "yours"]
    partner: Annotated[str | None, "yours, in pairs"]
    created_at: Annotated[datetime, "when it was made"]


@dataclass(frozen=True)
class CalendarEntryData:
    """An entry of the calendar of a league."""

    kind: Annotated[str, "season-began, round-ends, season-ends, season-ended, next-season"]
    season: Annotated[int, "the number of the season"]
    at: Annotated[datetime | None, "null: when all is played"]
    past: Annotated[bool, "whether it is over"]
    round: Annotated[int | None, "of round-ends: the number of the round"] = None


@dataclass(frozen=True)
class TournamentCommitment:
    """The commitment of a division group."""

    division: Annotated[int, "the number of the division, 1 is the highest"]
    group: Annotated[int, "the number of the group in its division"]
    event_commitment: Annotated[str, "the SHA-256 of the seed of its event"]


@dataclass(frozen=True)
class NextSeason:
    """The commitments of the next season."""

    number: Annotated[int, "of the season"]
    commitment: Annotated[
        str, "the SHA-256 of the season's seed, HMAC-SHA256(league's seed, `otto-season-v1|number`)"
    ]
    tournaments: Annotated[
        list[TournamentCommitment],
        "of the divisions that there may be; HMAC-SHA256(season's seed, `otto-event-v1|division|group`) is "
        "the seed of an event",
    ]

    @property
    def has_groups(self) -> bool:
        """Whether a division has several groups."""
        return any(tournament.group > 1 for tournament in self.tournaments)


@dataclass(frozen=True)
class LeagueViewer:
    """The viewer's membership and permissions in a league."""

    organiser: Annotated[bool, "whether you organise it"] = False
    status: Annotated[LeagueMember.Status | None, "whether you play; null: you never joined"] = None
    client_seed: Annotated[str | None, "yours for seasons to come; empty: the entry's number"] = None
    permissions: Annotated[list[str], "what you may do here now"] = field(default_factory=list)


@dataclass(frozen=True)
class LeagueData(LeagueSummaryData):
    """A league."""

    settings: Mapping[str, Any] = field(metadata={"inline": SETTING_TYPES})
    co_organisers: Annotated[list[str], "the names of those who organise it, too"]
    commitment: Annotated[str, "the SHA-256 of its seed, public from the start"]
    seed: Annotated[str | None, "null until the league is closed"]
    next_season: Annotated[NextSeason | None, "null: none follows"]
    calendar: Annotated[list[CalendarEntryData], "dates of the current season, in order"]
    you: Annotated[LeagueViewer, "your membership, and what you may do"]


@dataclass(frozen=True)
class LeagueMemberData:
    """A member of a league."""

    name: Annotated[str, "of the player"]
    status: Annotated[LeagueMember.Status, "whether they play the next season"]
    partner: Annotated[str | None, "in pairs"]
    status_changed_at: Annotated[datetime, "since when they have this status"]


# -------------------------------------------------------------------------------------------------- seasons


@dataclass(frozen=True)
class SeasonData:
    """A season in a list."""

    number: Annotated[int, "from 1"]
    started_at: Annotated[datetime, "when it began"]
    finished_at: Annotated[datetime | None, "when it ended; null before"]
    divisions: Annotated[int, "how many there are"]
    players: Annotated[int, "players or pairs, in all divisions"]


@dataclass(frozen=True)
class DivisionGroupData:
    """A group of a division."""

    group: Annotated[int, "its number in the division"]
    tournament: Annotated[str, "where it is played: its id among the tournaments"]
    status: Annotated[Tournament.Status, "how far it is"]
    round: Annotated[int, "the newest one; 0 before the first"]


@dataclass(frozen=True)
class DivisionPlacementData:
    """A placement in a division."""

    rank: Annotated[int, "now, or at the end"]
    start_position: Annotated[int, "from the top, at the start"]
    entrant: Annotated[int | None, "the id of the entrant in its tournament"]
    name: Annotated[str, "of the player, or of both"]
    players: Annotated[list[str], "the names of who plays"]
    group: Annotated[int, "the number of its group"]
    reason: Annotated[NoteData, "why they are in this division"]
    words: Annotated[str, "the same in words, in your language"]
    played: Annotated[int, "games that count"]
    points: Annotated[float, "in the standings"]
    game_points: Annotated[float, "points of all games"]
    eights: Annotated[float, "how many eights"]
    withdrawn: Annotated[bool, "whether they have left"]
    heading: Annotated[str | None, "up, down, or nowhere: null"]


@dataclass(frozen=True)
class DivisionData:
    """A division of a season."""

    number: Annotated[int, "1 is the highest"]
    size: Annotated[int, "players or pairs in it"]
    up: Annotated[int, "how many go up"]
    down: Annotated[int, "how many go down"]
    final: Annotated[bool, "whether the season is over"]
    groups: Annotated[list[DivisionGroupData], "in which it is played"]
    placements: Annotated[list[DivisionPlacementData], "the best first"]


@dataclass(frozen=True)
class SeasonCommitment:
    """What is public of a season's seed."""

    commitment: Annotated[str | None, "of the season's seed; null: its events have seeds of their own"]
    seed: Annotated[str | None, "in hexadecimal; null until all of it is over"]


@dataclass(frozen=True)
class SeasonDetailData(SeasonCommitment):
    """A season with its divisions."""

    number: Annotated[int, "from 1"]
    started_at: Annotated[datetime, "when it began"]
    finished_at: Annotated[datetime | None, "when it ended; null before"]
    divisions: Annotated[list[DivisionData], "from the top; or the one asked for"]
    players: Annotated[int, "players or pairs, in all divisions"]


# -------------------------------------------------------------------------------------------------- honours


@dataclass(frozen=True)
class SeasonChampions:
    """The winners of the highest division in a finished season, and who was promoted after it."""

    season: int
    finished_at: datetime | None
    players: list[str]  # without deleted accounts
    promoted: int = 0  # in all divisions
    to_the_top: list[str] = field(default_factory=list)

    @property
    def champion(self) -> str:
        """The names of the winners."""
        return " & ".join(self.players) or "–"


@dataclass(frozen=True)
class TitleCount:
    """How many seasons a player has won."""

    player: str
    titles: int


@dataclass(frozen=True)
class LeagueHonours:
    """The seasons of a league that a player has won."""

    league: str  # its code
    name: str
    seasons: list[int]
