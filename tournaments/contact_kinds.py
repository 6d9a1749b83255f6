"""Actions around a tournament or league that send a mail to another person."""

from __future__ import annotations

from enum import StrEnum

from accounts.daily_limits import ContactKind, DailyLimit


class TournamentContactKind(StrEnum):
    """An action around a tournament or league that sends a mail to another person."""

    TOURNAMENT_INVITATION = "tournament-invitation"
    PARTNER = "partner"  # request to play as a pair in a tournament or league
    REPLACEMENT = "replacement"  # request by an organiser to take over a seat
    CO_ORGANISER = "co-organiser"
    CORRECTION = "correction"  # of a result by an organiser
    ROUND_END = "round-end"  # of a tournament's round that has begun: set by an organiser, or moved forward
    APPEAL = "appeal"
    LEAGUE_LINK = "league-link"  # to an address that somebody typed in
    HELD_TOURNAMENT = "held-tournament"  # a tournament waits for its organisers; each restart asks again
    CORRECTED_TOURNAMENT_END = "corrected-end"  # a tournament ends again after a correction
    TABLE_CHANGE = "table-change"  # who plays at a table, whether it counts, or who is out, changes


INVITATION_LIMIT = DailyLimit(200, 6, 3)
# Mails that a sweep writes: of one recipient in all, and about one tournament.
SWEEP_MAIL_LIMIT = DailyLimit(20, 6, 6)

CONTACT_KINDS = (
    ContactKind(TournamentContactKind.TOURNAMENT_INVITATION, INVITATION_LIMIT),
    ContactKind(TournamentContactKind.PARTNER, DailyLimit(20, 4, 2)),
    ContactKind(TournamentContactKind.REPLACEMENT, DailyLimit(40, 4, 3)),
    ContactKind(TournamentContactKind.CO_ORGANISER, DailyLimit(20, 4, 2)),
    ContactKind(TournamentContactKind.CORRECTION, DailyLimit(300, 12, 12, is_consented=True)),
    ContactKind(TournamentContactKind.ROUND_END, SWEEP_MAIL_LIMIT),
    ContactKind(TournamentContactKind.APPEAL, DailyLimit(30, 12, 12, is_consented=True)),
    ContactKind(TournamentContactKind.LEAGUE_LINK, DailyLimit(60, 4, 4)),
    ContactKind(TournamentContactKind.HELD_TOURNAMENT, SWEEP_MAIL_LIMIT),
    ContactKind(TournamentContactKind.CORRECTED_TOURNAMENT_END, SWEEP_MAIL_LIMIT),
    ContactKind(TournamentContactKind.TABLE_CHANGE, SWEEP_MAIL_LIMIT),
)
