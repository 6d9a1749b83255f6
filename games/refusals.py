"""Refusals of games: why a player may not do something, with the error that says so."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _

from common.refusals import BaseRefusal
from common.service_errors import Conflict, Denied, Invalid, NotFound
from games.engine import IllegalAction, NotYourTurn


class Refusal(BaseRefusal):
    """The reasons for refusing something to a player in a game."""

    NO_SUCH_GAME = "no-such-game", NotFound, _("There is no such game."), NotFound.code
    NOT_SEATED = "not-seated", Denied, _("You have no seat in this game."), "not-seated"
    NOT_HOST = "not-host", Denied, _("Only the creator of the game can do this."), "not-host"
    NOT_INVITED = "not-invited", NotFound, _("You have no invitation to this game."), NotFound.code
    NOT_OPEN = "not-open", Conflict, _("The game has started or was cancelled."), "not-open"
    EXPIRED = "expired", Conflict, _("Too few players joined in time, so we cancelled the game."), "expired"
    ALREADY_JOINED = "already-joined", Conflict, _("You have already joined this game."), "already-joined"
    FULL = "full", Conflict, _("This game has no free seat."), "full"
    INVITATION_USED = "invitation-used", Conflict, _("This invitation has already been used."), "used"
    RATED = "rated", Conflict, _("The site’s bots do not play rated games."), "rated"
    BOTS_NOT_ALLOWED = (
        "bots-not-allowed",
        Conflict,
        _("This game is for people. Bots cannot join it."),
        "bots-not-allowed",
    )
    BOTS_ONLY = "bots-only", Conflict, _("This rated game is for bots only."), "bots-only"
    BOTS_UNCONFIRMED = (
        "bots-unconfirmed",
        Conflict,
        _("Bots can play in this game. Confirm that you agree to play with a bot."),
        "bots-unconfirmed",
    )
    BOT_WITHOUT_OWNER = (
        "bot-without-owner",
        Conflict,
        _("Nobody runs this bot any more, so it starts no new games."),
        "bot-without-owner",
    )
    SAME_OWNER = (
        "same-owner",
        Conflict,
        _("Bots of the same owner do not play rated games with each other."),
        "same-owner",
    )
    BOT_SENDS_NO_MAIL = (
        "bot-sends-no-mail",
        Denied,
        _("Bots invite players by name, not by email."),
        "bot-sends-no-mail",
    )
    NO_SUCH_BOT = "no-such-bot", NotFound, _("No bot has this name."), NotFound.code
    NO_CHALLENGES = "no-challenges", Conflict, _("This bot takes no challenges."), "no-challenges"
    BOT_BUSY = (
        "bot-busy",
        Conflict,
        _("This bot already plays as many games as it accepts. Try again later."),
        "bot-busy",
    )
    BOT_WITHOUT_CARDS = (
        "bot-without-cards",
        Conflict,
        _("This bot plays without secret cards."),
        "bot-without-cards",
    )
    NOT_PAIRS = "not-pairs", Invalid, _("You choose a partner only in pairs."), Invalid.code, "partner"
    PARTNER_TAKEN = (
        "partner-taken",
        Conflict,
        _("You have already asked somebody to be your partner."),
        "partner-taken",
    )
    NOT_STARTED = "not-started", Conflict, _("The game has not started."), "not-started"
    CANCELLED = "cancelled", Conflict, _("The game was cancelled."), "cancelled"
    OVER = "over", Conflict, _("The game is over."), "over"
    NOT_OVER = "not-over", Conflict, _("The game is not over yet."), "not-over"
    NO_ACCOUNT = "no-account", Denied, _("Sign up to take part."), Denied.code
    NOT_RUNNING = "not-running", Conflict, _("The game is not running."), "not-running"
    NOT_YOUR_TURN = "not-your-turn", Conflict, _("It is not your turn."), "not-your-turn"
    RESIGNED = "resigned", Conflict, _("This side has already resigned."), "resigned"
    HAND_HIDDEN = (
        "hand-hidden",
        Denied,
        _("You take over this seat from another player. Take the seat first to see its hand."),
        "hand-hidden",
    )
    HAND_SHOWN = (
        "hand-shown",
        Conflict,
        _("The new player has seen the hand, so the replacement stands."),
        "hand-shown",
    )
    NOT_PAUSED = "not-paused", Conflict, _("This game is not paused."), "not-paused"
    NOBODY_TO_AGREE = (
        "nobody-to-agree",
        Conflict,
        _("You only play with bots here, so nobody can agree."),
        "only-bots",
    )
    PAUSE_PROPOSED = (
        "pause-proposed",
        Conflict,
        _("Somebody has already proposed a pause. Agree to it or decline it."),
        "pause-proposed",
    )
    NO_PAUSE_PROPOSED = (
        "no-pause-proposed",
        Conflict,
        _("Nobody has proposed a pause in this game."),
        "no-pause-proposed",
    )
    NO_CHAT = "no-chat", Denied, _("This game has no chat."), "no-chat"
    NOBODY_TO_READ = (
        "nobody-to-read",
        Conflict,
        _("You only play with bots here, so nobody would read it."),
        "only-bots",
    )
    OWN_MESSAGE = "own-message", Denied, _("This is your own message."), "own-message"
    SOLO = (
        "solo",
        Conflict,
        _("A solo game takes no standing orders: nobody is waiting for you."),
        "solo",
    )

    def build_error(self, **values: Any) -> Exception:
        """Build the error in the reader's language. The rules of the game have errors of their own."""
        if self is Refusal.NOT_YOUR_TURN:
            return NotYourTurn(self.format_text())
        if self is Refusal.RESIGNED:
            return IllegalAction(self.format_text(), rule="resigned")
        return super().build_error(**values)
