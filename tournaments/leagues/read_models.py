"""Read models of leagues: summary, details, members, calendar, seasons and their divisions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Any, Literal

from games.options import list_option_types
from tournaments.models import League, LeagueMember
from tournaments.options import GAME_SETTINGS_OPTIONS, LEAGUE_OPTIONS
from tournaments.read_models.tournaments import NoteData, PublicStatus

SETTING_TYPES = list_option_types(LEAGUE_OPTIONS | GAME_SETTINGS_OPTIONS)


@dataclass(frozen=True)
class LeagueSummaryData:
    """A league in a list."""

    id: Annotated[str, "The id, as in addresses of pages and of the API."]
    name: Annotated[str, "The name that the organiser gave it."]
    status: Annotated[League.Status, "Its status."]
    mode: Annotated[League.Mode, "Whether members play alone or in pairs."]
    table_size: Annotated[int, "How many entrants sit at a table at most, 2 to 4."]
    clock: Annotated[str, "The time control of its games."]
    rated: Annotated[bool, "Whether its games count for ratings."]
    division_size: Annotated[int, "How many players or pairs a division has."]
    organiser: Annotated[str | None, "The name of the organiser; null if the account was deleted."]
    members: Annotated[int, "The number of members who play in the next season."]
    substitutes: Annotated[int, "The number of substitutes."]
    season: Annotated[int | None, "The number of the newest season; null before the first."]
    membership: Annotated[LeagueMember.Status | None, "Your own membership; null if you never joined."]
    partner: Annotated[str | None, "In pairs: the name of your partner."]
    created_at: Annotated[datetime, "When it was made."]


CalendarEntryKind = Literal["season-began", "round-ends", "season-ends", "season-ended", "next-season"]


@dataclass(frozen=True)
class CalendarEntryData:
    """A date in the calendar of a league."""

    kind: Annotated[CalendarEntryKind, "The kind of date."]
    season: Annotated[int, "The number of the season."]
    at: Annotated[datetime | None, "When it is; null if it depends on the last games."]
    past: Annotated[bool, "Whether it has passed."]
    round: Annotated[int | None, "With `round-ends`: the number of the round."] = None


@dataclass(frozen=True)
class TournamentCommitment:
    """The commitment of a division group."""

    division: Annotated[int, "The number of the division; 1 is the highest."]
    group: Annotated[int, "The number of the group in its division."]
    event_commitment: Annotated[str, "The SHA-256 of the seed of its tournament."]


@dataclass(frozen=True)
class NextSeason:
    """The commitments of the next season."""

    number: Annotated[int, "The number of the season."]
    commitment: Annotated[
        str, "The SHA-256 of the season's seed, which is HMAC-SHA256(league's seed, `otto-season-v1|number`)."
    ]
    tournaments: Annotated[
        list[TournamentCommitment],
        "The commitments of the divisions that there may be. The seed of each is"
        " HMAC-SHA256(season's seed, `otto-event-v1|division|group`).",
    ]

    @property
    def has_groups(self) -> bool:
        """True if a division has several groups."""
        return any(tournament.group > 1 for tournament in self.tournaments)


@dataclass(frozen=True)
class LeagueViewer:
    """The viewer's membership and permissions in a league."""

    organiser: Annotated[bool, "Whether you are an organiser."] = False
    status: Annotated[LeagueMember.Status | None, "Your status in the league; null if you never joined."] = (
        None
    )
    client_seed: Annotated[
        str | None, "Your client seed for the next seasons. If it is empty, we use the number of your entry."
    ] = None
    permissions: Annotated[list[str], "What you may do here now."] = field(default_factory=list)


@dataclass(frozen=True)
class LeagueData(LeagueSummaryData):
    """A league."""

    settings: Mapping[str, Any] = field(metadata={"inline": SETTING_TYPES})
    co_organisers: Annotated[list[str], "The names of the co-organisers."]
    commitment: Annotated[str, "The SHA-256 of its seed, public from the start."]
    seed: Annotated[str | None, "The seed in hexadecimal; null until the league is closed."]
    next_season: Annotated[
        NextSeason | None, "The parts of the next season that are already fixed; null if none follows."
    ]
    calendar: Annotated[list[CalendarEntryData], "The dates of the current season, in order."]
    you: Annotated[LeagueViewer, "Your membership, and what you may do."]


@dataclass(frozen=True)
class LeagueMemberData:
    """A member of a league."""

    name: Annotated[str, "The name of the player."]
    status: Annotated[
        LeagueMember.Status,
        "Whether they play in the next season (`member`), stand in for others (`substitute`) or have left"
        " (`out`).",
    ]
    partner: Annotated[str | None, "In pairs: the name of the partner."]
    status_changed_at: Annotated[datetime, "When they got this status."]


# -------------------------------------------------------------------------------------------------- seasons


@dataclass(frozen=True)
class SeasonData:
    """A season in a list."""

    number: Annotated[int, "The number of the season; the first is 1."]
    started_at: Annotated[datetime, "When it began."]
    finished_at: Annotated[datetime | None, "When it ended; null before."]
    divisions: Annotated[int, "How many divisions it has."]
    players: Annotated[int, "How many players or pairs take part, in all divisions."]


@dataclass(frozen=True)
class DivisionGroupData:
    """A group of a division."""

    group: Annotated[int, "The number of the group in its division."]
    tournament: Annotated[str, "The `id` of the tournament in which it is played."]
    status: Annotated[PublicStatus, "The status of its tournament."]
    round: Annotated[int, "The number of the newest round; 0 before the first."]


@dataclass(frozen=True)
class DivisionPlacementData:
    """A placement in a division."""

    rank: Annotated[int, "The rank now, or at the end of the season."]
    start_position: Annotated[int, "The position at the start of the season, counted from the top."]
    entrant: Annotated[int | None, "The `id` of the entrant in its tournament."]
    name: Annotated[str, "The name of the player, or of both players of a pair."]
    players: Annotated[list[str], "The names of its players."]
    group: Annotated[int, "The number of their group."]
    reason: Annotated[NoteData, "Why they are in this division."]
    words: Annotated[str, "The reason as a sentence, in your language."]
    played: Annotated[int, "How many games count."]
    points: Annotated[float, "The points in the standings."]
    game_points: Annotated[float, "The points of all games together."]
    eights: Annotated[float, "How many times they made an 8."]
    withdrawn: Annotated[bool, "Whether they have left."]
    heading: Annotated[str | None, "Where they go if the season ended now: up, down, or neither."]


@dataclass(frozen=True)
class DivisionData:
    """A division of a season."""

    number: Annotated[int, "The number of the division; 1 is the highest."]
    size: Annotated[int, "How many players or pairs are in it."]
    up: Annotated[int, "How many are promoted."]
    down: Annotated[int, "How many are relegated."]
    final: Annotated[bool, "Whether the season is over."]
    groups: Annotated[list[DivisionGroupData], "The groups in which the division is played."]
    placements: Annotated[list[DivisionPlacementData], "The players or pairs, the best first."]


@dataclass(frozen=True)
class SeasonCommitment:
    """The public part of a season's seed."""

    commitment: Annotated[
        str | None, "The SHA-256 of the season's seed; null if its tournaments have seeds of their own."
    ]
    seed: Annotated[str | None, "The season's seed in hexadecimal; null until the season is over."]


@dataclass(frozen=True)
class SeasonDetailData(SeasonCommitment):
    """A season with its divisions."""

    number: Annotated[int, "The number of the season; the first is 1."]
    started_at: Annotated[datetime, "When it began."]
    finished_at: Annotated[datetime | None, "When it ended; null before."]
    divisions: Annotated[list[DivisionData], "The divisions from the top, or the one that you asked for."]
    players: Annotated[int, "How many players or pairs take part, in all divisions."]


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
    """The number of seasons a player has won."""

    player: str
    titles: int


@dataclass(frozen=True)
class LeagueHonours:
    """The seasons of a league that a player has won."""

    league: str  # its code
    name: str
    seasons: list[int]
