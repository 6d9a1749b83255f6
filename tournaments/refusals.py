"""Refusals of tournaments and leagues: why somebody may not do something, with the error that says so."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from common.refusals import BaseRefusal, check_allowed
from common.service_errors import Conflict, Denied, Invalid, NotFound


class Refusal(BaseRefusal):
    """The reasons for refusing an action in a tournament or league."""

    # The state of a tournament
    TOURNAMENT_OVER = "tournament-over", Conflict, _("The tournament is over.")
    TOURNAMENT_STARTED = "tournament-started", Conflict, _("The tournament has already started, or is over.")
    TOURNAMENT_NOT_RUNNING = "tournament-not-running", Conflict, _("The tournament is not running.")
    ALREADY_PUBLISHED = "already-published", Conflict, _("The tournament is already published.")
    NOT_PUBLISHED = "not-published", Conflict, _("Open the tournament for entries before you start it.")
    NOT_DRAFT = "not-draft", Conflict, _("You can only delete a draft. Cancel the tournament instead.")
    NOT_ON_HOLD = "not-on-hold", Conflict, _("The tournament is not waiting for your OK.")
    UNDECIDED_TABLE = (
        "undecided-table",
        Conflict,
        _("A table still needs its result. Enter it first."),
        "undecided-table",
    )
    SEASON_OVER = (
        "season-over",
        Conflict,
        _("The season is over, and the next one follows from it: results and decisions are final."),
    )
    APPEAL_TOO_LATE = "appeal-too-late", Conflict, _("You can appeal until %(days)d days after the end.")

    NOT_AT_TABLE = "not-at-table", Denied, _("You did not play at this table.")
    ALREADY_APPEALED = "already-appealed", Conflict, _("You have already sent an appeal.")

    # Entry
    ENTRY_OVER = "entry-over", Conflict, _("You cannot enter this tournament now.")
    ENTRY_TOO_EARLY = "entry-too-early", Conflict, _("You cannot enter this tournament now.")
    ENTRY_TOO_LATE = "entry-too-late", Conflict, _("You cannot enter this tournament now.")
    WRONG_PARTY_SIZE = (
        "wrong-party-size",
        Invalid,
        _("In pairs you enter with a partner; otherwise you enter alone."),
        None,
        "partner",
    )
    NO_ACCOUNT = "no-account", Denied, _("Sign up to take part.")
    NOT_INVITED = (
        "not-invited",
        Denied,
        _("This tournament is by invitation only. Ask the organiser to invite you."),
    )
    BOTS_NOT_ALLOWED = (
        "bots-not-allowed",
        Conflict,
        _("This tournament is for people. Bots cannot take part."),
        "bots-not-allowed",
    )
    BOT_WITHOUT_OWNER = (
        "bot-without-owner",
        Conflict,
        _("Nobody runs this bot any more, so it cannot enter anything new."),
        "bot-without-owner",
    )
    REMOVED = "removed", Denied, _("The organiser has removed this player from the tournament."), "removed"
    OTHER_RATING = (
        "other-rating",
        Denied,
        _("This tournament does not take players with a rating of %(rating)d."),
    )
    ALREADY_JOINED = (
        "already-joined",
        Conflict,
        _("You or your partner already take part."),
        "already-joined",
    )

    INVITATION_TOO_LATE = (
        "invitation-too-late",
        Conflict,
        _("Entries have closed. Choose another time first."),
    )

    # What an entrant does
    NOT_ENTERED = "not-entered", Denied, _("You do not take part in this tournament.")
    NO_CONFIRMATION = "no-confirmation", Conflict, _("This tournament asks for no confirmation.")
    ALREADY_CONFIRMED = "already-confirmed", Conflict, _("You have already confirmed.")
    ON_WAITLIST = "on-waitlist", Conflict, _("You are on the waiting list.")
    HAS_LEFT = "has-left", Conflict, _("You have already left this tournament.")
    NOT_SWISS = "not-swiss", Conflict, _("You can only sit out a round in a Swiss tournament.")
    CLIENT_SEED_FIXED = (
        "client-seed-fixed",
        Conflict,
        _("You can no longer change your part of the shuffle."),
        "seed-fixed",
    )

    # What an organiser does
    NOT_ORGANISER = "not-organiser", Denied, _("Only the tournament’s organiser can do that.")
    CANNOT_ORGANISE = "cannot-organise", Denied, _("Sign up to organise a tournament or a league.")
    ALREADY_ORGANISES = (
        "already-organises",
        Conflict,
        _("This player is already an organiser."),
        "already-joined",
    )
    NO_SUCH_ENTRANT = "no-such-entrant", NotFound, _("There is no such entrant.")
    ENTRANT_HAS_LEFT = "entrant-has-left", Conflict, _("This entrant has already left the tournament.")
    NOT_REPLACEABLE = (
        "not-replaceable",
        Conflict,
        _("You can only replace a player who still takes part, and only until the tournament ends."),
    )
    LEAGUE_DECIDES = (
        "league-decides",
        Conflict,
        _("The league decides the players of a season. Make the change there."),
    )
    NOT_UNDOABLE = (
        "not-undoable",
        Conflict,
        _("You can no longer undo this: something depends on it, or its time has passed."),
    )
    OWN_PAIRING = (
        "own-pairing",
        Denied,
        _(
            "You play at this table, so you cannot decide. Invite another organiser under “People”, or "
            "ask this site’s operators."
        ),
        "own-table",
    )

    # Proposals
    NOT_ASKED = "not-asked", Denied, _("Only the player who was asked can answer.")
    NOT_PROPOSER = "not-proposer", Denied, _("Only the player who made the proposal can withdraw it.")
    PROPOSAL_LAPSED = "proposal-lapsed", Conflict, _("This proposal is no longer open."), "lapsed"
    PROPOSAL_ANSWERED = "proposal-answered", Conflict, _("This proposal is no longer open."), "answered"

    # Leagues
    LEAGUE_CLOSED = "league-closed", Conflict, _("The league is already closed.")
    LEAGUE_STARTED = "league-started", Conflict, _("The league has already started.")
    NOT_IN_SEASON = "not-in-season", Conflict, _("You do not play this season.")
    NO_SEASON = "no-season", NotFound, _("This player does not play in this season.")
    NOT_LEAGUE_ORGANISER = (
        "not-league-organiser",
        Denied,
        _("Only the league’s organiser can do that."),
    )
    NOT_IN_LEAGUE = "not-in-league", Denied, _("You are not in this league.")
    REMOVED_FROM_LEAGUE = (
        "removed-from-league",
        Denied,
        _("The organiser has removed you or your partner from this league."),
        "removed",
    )


def refuse_own_pairing(is_concerned: bool) -> None:
    """Raise Denied if the organiser sits at the pairing that a decision is about."""
    check_allowed(Refusal.OWN_PAIRING if is_concerned else None)
