"""Raises a refused permission as the error that doors know, with a text for people."""

from __future__ import annotations

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from common.service_errors import Conflict, Denied, Invalid, NotFound, ServiceError
from games.engine import ActionError, IllegalAction, NotYourTurn
from games.permissions import Refusal

# The error and its text; the error's code is that of the refusal unless CODES has another.
ERRORS: dict[Refusal, tuple[type[ServiceError], str]] = {
    Refusal.NO_SUCH_GAME: (NotFound, _("there is no such game")),
    Refusal.NOT_SEATED: (Denied, _("you do not sit at this game")),
    Refusal.NOT_HOST: (Denied, _("only the player who made this game can do that")),
    Refusal.NOT_INVITED: (NotFound, _("you are not invited to this game")),
    Refusal.NOT_OPEN: (Conflict, _("the game has started or was cancelled")),
    Refusal.EXPIRED: (Conflict, _("the game waited too long for players and was given up")),
    Refusal.ALREADY_JOINED: (Conflict, _("you have joined this game already")),
    Refusal.FULL: (Conflict, _("all seats of this game are taken")),
    Refusal.INVITATION_USED: (Conflict, _("this invitation was used already")),
    Refusal.RATED: (Conflict, _("bots do not play rated games")),
    Refusal.NOT_PAIRS: (Invalid, _("partners are for pairs")),
    Refusal.PARTNER_TAKEN: (Conflict, _("you have asked somebody to be your partner already")),
    Refusal.NOT_STARTED: (Conflict, _("the game has not started")),
    Refusal.CANCELLED: (Conflict, _("the game is cancelled")),
    Refusal.OVER: (Conflict, _("the game is over")),
    Refusal.NOT_OVER: (Conflict, _("the game is not over yet")),
    Refusal.NOT_RUNNING: (Conflict, _("the game is not running")),
    Refusal.HAND_HIDDEN: (Denied, _("first take the seat: then you see its hand, and play it to the end")),
    Refusal.HAND_SHOWN: (Conflict, _("whoever sits there now has seen the hand")),
    Refusal.NOT_PAUSED: (Conflict, _("the game is not paused")),
    Refusal.NOBODY_TO_AGREE: (Conflict, _("only bots play with you: nobody is there to agree with")),
    Refusal.PAUSE_PROPOSED: (Conflict, _("a pause is proposed already: agree to it or decline it")),
    Refusal.NO_PAUSE_PROPOSED: (Conflict, _("no pause is proposed")),
    Refusal.NO_CHAT: (Denied, _("there is no chat in this game")),
    Refusal.NOBODY_TO_READ: (Conflict, _("only bots play with you: nobody would read it")),
    Refusal.OWN_MESSAGE: (Denied, _("this is your own message")),
}
CODES = {
    Refusal.NO_SUCH_GAME: NotFound.code,
    Refusal.NOT_INVITED: NotFound.code,
    Refusal.INVITATION_USED: "used",
    Refusal.NOT_PAIRS: Invalid.code,
    Refusal.NOBODY_TO_AGREE: "only-bots",
    Refusal.NOBODY_TO_READ: "only-bots",
}


def build_refusal_error(reason: Refusal) -> ServiceError | ActionError:
    """Build the error of a refusal. The rules of the game have errors of their own."""
    if reason is Refusal.NOT_YOUR_TURN:
        return NotYourTurn(_("it is not your turn"))
    if reason is Refusal.RESIGNED:
        return IllegalAction(_("this side has resigned already"), rule="resigned")
    error_class, text = ERRORS[reason]
    return error_class(gettext(text), code=CODES.get(reason, reason.value))


def raise_if_refused(reason: Refusal | None) -> None:
    """Raise the error of a refusal, if there is one: ServiceError or the engine's ActionError."""
    if reason is not None:
        raise build_refusal_error(reason)
