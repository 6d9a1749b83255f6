"""Refusals of games: why a player may not do something, with the error that says so."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _

from common.refusals import BaseRefusal
from common.service_errors import Conflict, Denied, Invalid, NotFound
from games.engine import IllegalAction, NotYourTurn


class Refusal(BaseRefusal):
    """Why a player may not do something in a game."""

    NO_SUCH_GAME = "no-such-game", NotFound, _("there is no such game"), NotFound.code
    NOT_SEATED = "not-seated", Denied, _("you do not sit at this game"), "not-seated"
    NOT_HOST = "not-host", Denied, _("only the player who made this game can do that"), "not-host"
    NOT_INVITED = "not-invited", NotFound, _("you are not invited to this game"), NotFound.code
    NOT_OPEN = "not-open", Conflict, _("the game has started or was cancelled"), "not-open"
    EXPIRED = "expired", Conflict, _("the game waited too long for players and was given up"), "expired"
    ALREADY_JOINED = "already-joined", Conflict, _("you have joined this game already"), "already-joined"
    FULL = "full", Conflict, _("all seats of this game are taken"), "full"
    INVITATION_USED = "invitation-used", Conflict, _("this invitation was used already"), "used"
    RATED = "rated", Conflict, _("bots do not play rated games"), "rated"
    BOTS_NOT_ALLOWED = (
        "bots-not-allowed",
        Conflict,
        _("this game is for people: bots may not join it"),
        "bots-not-allowed",
    )
    BOTS_ONLY = "bots-only", Conflict, _("this is a rated game of bots, without people"), "bots-only"
    BOTS_UNCONFIRMED = (
        "bots-unconfirmed",
        Conflict,
        _("bots may play in this game: confirm that you agree to play with a bot"),
        "bots-unconfirmed",
    )
    BOT_WITHOUT_OWNER = (
        "bot-without-owner",
        Conflict,
        _("nobody runs this bot any more, so it starts no new games"),
        "bot-without-owner",
    )
    SAME_OWNER = (
        "same-owner",
        Conflict,
        _("bots of one owner do not play rated games with each other"),
        "same-owner",
    )
    BOT_SENDS_NO_MAIL = (
        "bot-sends-no-mail",
        Denied,
        _("bots invite players by name, not by email"),
        "bot-sends-no-mail",
    )
    NO_SUCH_BOT = "no-such-bot", NotFound, _("no bot here has this name"), NotFound.code
    NO_CHALLENGES = "no-challenges", Conflict, _("this bot takes no challenges"), "no-challenges"
    BOT_BUSY = (
        "bot-busy",
        Conflict,
        _("this bot has as many games as it takes: try again later"),
        "bot-busy",
    )
    BOT_WITHOUT_CARDS = (
        "bot-without-cards",
        Conflict,
        _("this bot plays without secret cards"),
        "bot-without-cards",
    )
    NOT_PAIRS = "not-pairs", Invalid, _("partners are for pairs"), Invalid.code
    PARTNER_TAKEN = (
        "partner-taken",
        Conflict,
        _("you have asked somebody to be your partner already"),
        "partner-taken",
    )
    NOT_STARTED = "not-started", Conflict, _("the game has not started"), "not-started"
    CANCELLED = "cancelled", Conflict, _("the game is cancelled"), "cancelled"
    OVER = "over", Conflict, _("the game is over"), "over"
    NOT_OVER = "not-over", Conflict, _("the game is not over yet"), "not-over"
    NOT_RUNNING = "not-running", Conflict, _("the game is not running"), "not-running"
    NOT_YOUR_TURN = "not-your-turn", Conflict, _("it is not your turn"), "not-your-turn"
    RESIGNED = "resigned", Conflict, _("this side has resigned already"), "resigned"
    HAND_HIDDEN = (
        "hand-hidden",
        Denied,
        _("first take the seat: then you see its hand, and play it to the end"),
        "hand-hidden",
    )
    HAND_SHOWN = "hand-shown", Conflict, _("whoever sits there now has seen the hand"), "hand-shown"
    NOT_PAUSED = "not-paused", Conflict, _("the game is not paused"), "not-paused"
    NOBODY_TO_AGREE = (
        "nobody-to-agree",
        Conflict,
        _("only bots play with you: nobody is there to agree with"),
        "only-bots",
    )
    PAUSE_PROPOSED = (
        "pause-proposed",
        Conflict,
        _("a pause is proposed already: agree to it or decline it"),
        "pause-proposed",
    )
    NO_PAUSE_PROPOSED = "no-pause-proposed", Conflict, _("no pause is proposed"), "no-pause-proposed"
    NO_CHAT = "no-chat", Denied, _("there is no chat in this game"), "no-chat"
    NOBODY_TO_READ = (
        "nobody-to-read",
        Conflict,
        _("only bots play with you: nobody would read it"),
        "only-bots",
    )
    OWN_MESSAGE = "own-message", Denied, _("this is your own message"), "own-message"
    SOLO = (
        "solo",
        Conflict,
        _("nobody waits for you in a solo game: it takes no standing orders"),
        "solo",
    )

    def build_error(self, **values: Any) -> Exception:
        """Build the error in the reader's language. The rules of the game have errors of their own."""
        if self is Refusal.NOT_YOUR_TURN:
            return NotYourTurn(self.format_text())
        if self is Refusal.RESIGNED:
            return IllegalAction(self.format_text(), rule="resigned")
        return super().build_error(**values)
