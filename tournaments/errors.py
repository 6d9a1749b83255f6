"""Mappings of the errors of tournaments and leagues to problem documents, and their error codes."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from common.problems import AppErrors, ErrorMapping
from tournaments.selectors import NoSuchLeague, NoSuchTournament

ERRORS = AppErrors(
    mappings=(
        ErrorMapping(
            NoSuchTournament,
            404,
            "not-found",
            describe=lambda error: _("It does not exist, or you may not see it."),
        ),
        ErrorMapping(NoSuchLeague, 404, "not-found", describe=lambda error: _("There is no such league.")),
    ),
    codes={
        "already-asked": lazy(
            "An organiser has already asked somebody to take this seat. Withdraw that proposal first."
        ),
        "answered": lazy("Somebody has already answered or withdrawn this proposal."),
        "date-in-the-past": lazy("The start or the end of entries is in the past. Choose a later time."),
        "earlier-end": lazy("You can move the end of a round only to a later time."),
        "lapsed": lazy("The proposal has lapsed: something has changed since."),
        "own-table": lazy("You play at this table, so another organiser must decide."),
        "rank-changes": lazy(
            "The tournament is over. This would change the final places listed in `places`, or reopen it if"
            " `reopens` is true. Send `confirmed` to do it anyway."
        ),
        "removed": lazy("An organiser has removed this player."),
        "round-too-short": lazy("A round must last at least as long as one turn. `limit` has the seconds."),
        "seed-fixed": lazy("Your client seed is in use. You can no longer change it."),
        "seed-public": lazy(
            "The tournament’s seed is already public, so a correction cannot lead to a new game."
        ),
        "too-many-cycles": lazy("Entrants would meet too often. `limit` has the maximum."),
        "too-many-games-at-once": lazy(
            "Too many games would start together. `limit` has the most for one tournament."
        ),
        "too-many-invited": lazy(
            "A draft can have at most `limit` invited players. Publish it to invite more."
        ),
        "too-many-proposals": lazy("You cannot ask this player again."),
        "too-many-tournaments": lazy(
            "You have reached the limit of tournaments or leagues. `limit` has the number."
        ),
        "too-old": lazy("The link has expired."),
        "undecided-table": lazy("A table still needs its result. Enter it first."),
        "waitlist-empty": lazy("Nobody on the waiting list can take this seat."),
    },
)
