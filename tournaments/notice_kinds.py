"""The notice kinds of this app, as feed entries and deliveries store them and webhooks get them."""

from __future__ import annotations

from enum import StrEnum


class TournamentNoticeKind(StrEnum):
    """The kinds of notices about a tournament or a league; `tournaments.notices` declares each."""

    INVITED = "tournament-invited"
    PARTNER_REQUEST = "tournament-partner"
    REPLACEMENT_REQUEST = "tournament-replacement"
    CO_ORGANISER_REQUEST = "tournament-co-organiser"
    PROPOSAL_ANSWERED = "tournament-answered"
    NEWCOMER = "tournament-newcomer"  # somebody else plays on at the reader's table
    PLACE = "tournament-place"
    CONFIRM = "tournament-confirm"
    START = "tournament-start"
    PAIRING = "tournament-pairing"
    ROUND_END = "tournament-round-end"
    BYE = "tournament-bye"
    RESULT = "tournament-result"
    TABLE_CHANGE = "tournament-table"
    END = "tournament-end"
    CANCELLED = "tournament-cancelled"
    OUT = "tournament-out"
    REPLACED = "tournament-replaced"  # the reader plays on for somebody
    ON_HOLD = "tournament-held"
    APPEAL = "tournament-appeal"
    LEAGUE_PARTNER_REQUEST = "league-partner"
    LEAGUE_CO_ORGANISER_REQUEST = "league-co-organiser"
    LEAGUE_PROPOSAL_ANSWERED = "league-answered"
    LEAGUE_PARTNER_LEFT = "league-parted"
    LEAGUE_OUT = "league-out"
    LEAGUE_ON_HOLD = "league-held"
    SEASON_START = "league-season"
    SEASON_END = "league-season-end"


class NoticeReason(StrEnum):
    """The detail `reason` of notices whose kind has several texts."""

    VOID = "void"  # TABLE_CHANGE: the pairing counts no more
    UNDECIDED = "undecided"  # TABLE_CHANGE: it counts again, and an organiser writes its result
    READMITTED = "readmitted"  # PLACE: a disqualification was undone
    PUT_BACK = "put-back"  # REPLACED, OUT: a replacement was undone
    REPLACED = "replaced"  # OUT: somebody else plays for the reader
    PARTED = "parted"  # OUT: the partner left
    REMOVED = "removed"  # OUT: an organiser removed the reader before the start
    DISQUALIFIED = "disqualified"  # OUT
