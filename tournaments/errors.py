"""How the errors of tournaments and leagues become problem documents, and their error codes."""

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
            describe=lambda error: _("There is no such thing, or you may not see it."),
        ),
        ErrorMapping(NoSuchLeague, 404, "not-found", describe=lambda error: _("There is no such league.")),
    ),
    codes={
        "already-asked": lazy("Somebody else has been asked to take this seat already; withdraw that first."),
        "answered": lazy("The proposal has an answer already, or was withdrawn."),
        "date-in-the-past": lazy("A start, or the end of entries, has passed; choose a time to come."),
        "earlier-end": lazy("The end of a round can be put off, and never be moved forward."),
        "lapsed": lazy("The proposal has lapsed, because things have changed since it was made."),
        "own-table": lazy("You sit at this table yourself, so another organiser must decide."),
        "rank-changes": lazy(
            "The tournament is over, and this would change its final places, as `places` says, or reopen it "
            "if `reopens` is true; send `confirmed` to do it all the same."
        ),
        "removed": lazy("An organiser has removed this player, and has not let them in again."),
        "round-too-short": lazy(
            "A round must last as long as one turn may take; `limit` says how many seconds."
        ),
        "seed-fixed": lazy("Your client seed counts by now, and cannot be changed any more."),
        "seed-public": lazy(
            "The tournament is over and its seed is public: no game can follow from a correction."
        ),
        "too-many-cycles": lazy("Two meet too often; `limit` says how often they may."),
        "too-many-games-at-once": lazy(
            "More games would begin together than `limit` allows in one tournament."
        ),
        "too-many-invited": lazy("A draft has `limit` invited players at most; publish it to invite more."),
        "too-many-proposals": lazy("You have asked this player as often as one may."),
        "too-many-tournaments": lazy(
            "You organise as many tournaments or leagues as one may; `limit` says how many."
        ),
        "too-old": lazy("The link is too old."),
        "waitlist-empty": lazy("Nobody on the waiting list can play in this seat."),
    },
)
