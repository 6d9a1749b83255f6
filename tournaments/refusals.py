"""Refusals of tournaments and leagues: why somebody may not do something, with the error that says so."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from common.refusals import BaseRefusal, check_allowed
from common.service_errors import Conflict, Denied, Invalid, NotFound


class Refusal(BaseRefusal):
    """Why an action in a tournament or league is refused."""

    # The state of a tournament
    EVENT_OVER = "event-over", Conflict, _("The event is over.")
    EVENT_STARTED = "event-started", Conflict, _("The event has started already, or is over.")
    EVENT_NOT_RUNNING = "event-not-running", Conflict, _("The event is not running.")
    ALREADY_PUBLISHED = "already-published", Conflict, _("The event is published already.")
    NOT_PUBLISHED = "not-published", Conflict, _("Only an event that is open for entries can start.")
    NOT_DRAFT = "not-draft", Conflict, _("Only what is in preparation can be deleted.")
    NOT_ON_HOLD = "not-on-hold", Conflict, _("The event does not wait for you.")
    UNDECIDED_TABLE = (
        "undecided-table",
        Conflict,
        _("A table waits for its result: write that first."),
        "undecided-table",
    )
    SEASON_OVER = "season-over", Conflict, _("The season is over, and the next one was made of it.")
    APPEAL_TOO_LATE = "appeal-too-late", Conflict, _("One can appeal until %(days)d days after the end.")

    NOT_AT_TABLE = "not-at-table", Denied, _("You did not play at this table.")
    ALREADY_APPEALED = "already-appealed", Conflict, _("You have already sent an appeal.")

    # Entry
    ENTRY_OVER = "entry-over", Conflict, _("Nobody can enter this event now.")
    ENTRY_TOO_EARLY = "entry-too-early", Conflict, _("Nobody can enter this event now.")
    ENTRY_TOO_LATE = "entry-too-late", Conflict, _("Nobody can enter this event now.")
    WRONG_PARTY_SIZE = (
        "wrong-party-size",
        Invalid,
        _("In pairs one enters with a partner, and otherwise alone."),
    )
    NO_ACCOUNT = "no-account", Denied, _("Sign up to take part.")
    NOT_INVITED = "not-invited", Denied, _("This event is by invitation.")
    BOTS_NOT_ALLOWED = (
        "bots-not-allowed",
        Denied,
        _("This event is for people: bots may not take part."),
        "bots-not-allowed",
    )
    BOT_WITHOUT_OWNER = (
        "bot-without-owner",
        Denied,
        _("Nobody runs this bot any more, so it takes part in nothing new."),
        "bot-without-owner",
    )
    REMOVED = "removed", Denied, _("The organiser has removed this player from the event."), "removed"
    OTHER_RATING = "other-rating", Denied, _("This event is for other ratings than %(rating)d.")
    ALREADY_JOINED = (
        "already-joined",
        Conflict,
        _("You take part already, or your partner does."),
        "already-joined",
    )

    # What an entrant does
    NOT_ENTERED = "not-entered", Denied, _("You do not take part in this event.")
    ON_WAITLIST = "on-waitlist", Conflict, _("You are on the waiting list.")
    HAS_LEFT = "has-left", Conflict, _("You have left this event already.")
    NOT_SWISS = "not-swiss", Conflict, _("One can sit out a round of a Swiss event only.")
    CLIENT_SEED_FIXED = (
        "client-seed-fixed",
        Conflict,
        _("Your part of the shuffle cannot be changed any more."),
        "seed-fixed",
    )

    # What an organiser does
    NOT_ORGANISER = "not-organiser", Denied, _("Only who organises this event can do that.")
    CANNOT_ORGANISE = "cannot-organise", Denied, _("Sign up to organise something.")
    ALREADY_ORGANISES = "already-organises", Conflict, _("They organise it already."), "already-joined"
    NO_SUCH_ENTRANT = "no-such-entrant", NotFound, _("There is no such entrant.")
    ENTRANT_HAS_LEFT = "entrant-has-left", Conflict, _("They have left this event already.")
    NOT_REPLACEABLE = "not-replaceable", Conflict, _("Nobody can be replaced here now.")
    LEAGUE_DECIDES = "league-decides", Conflict, _("Who plays in a season is decided in its league.")
    NOT_UNDOABLE = "not-undoable", Conflict, _("This cannot be taken back any more.")
    OWN_PAIRING = (
        "own-pairing",
        Denied,
        _(
            "You sit at this table yourself, so somebody else must decide: another organiser, whom you can "
            "ask under “People”, or the operators of this site."
        ),
        "own-table",
    )

    # Proposals
    NOT_ASKED = "not-asked", Denied, _("Only who was asked can answer.")
    NOT_PROPOSER = "not-proposer", Denied, _("Only who made a proposal can withdraw it.")
    PROPOSAL_LAPSED = "proposal-lapsed", Conflict, _("This proposal is no longer open."), "lapsed"
    PROPOSAL_ANSWERED = "proposal-answered", Conflict, _("This proposal is no longer open."), "answered"

    # Leagues
    LEAGUE_CLOSED = "league-closed", Conflict, _("The league is closed already.")
    LEAGUE_STARTED = "league-started", Conflict, _("The league has begun already.")
    NO_SEASON = "no-season", NotFound, _("They do not play in this season.")
    NOT_LEAGUE_ORGANISER = (
        "not-league-organiser",
        Denied,
        _("Only who organises this league can do that."),
    )
    NOT_IN_LEAGUE = "not-in-league", Denied, _("You are not in this league.")
    REMOVED_FROM_LEAGUE = (
        "removed-from-league",
        Denied,
        _("The organiser has removed you from this league, or your partner."),
        "removed",
    )


def refuse_own_pairing(is_concerned: bool) -> None:
    """Raise Denied if the organiser sits at the pairing that a decision is about."""
    check_allowed(Refusal.OWN_PAIRING if is_concerned else None)
