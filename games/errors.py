"""How the errors of games become problem documents, and the error codes of games."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy
from django.utils.translation import ngettext

from common.problems import AppErrors, ErrorMapping
from games.engine import ActionError, IllegalAction, NotYourTurn, UnreadableAction
from games.engine.text import GameTranslator
from games.selectors import NoSuchGame


def describe_action_error(error: ActionError) -> str:
    """The translated sentence about an action; seats have numbers, no names."""
    return GameTranslator(gettext=_, ngettext=ngettext).format_sentence(error.sentence, error.details)


def build_rule_members(error: ActionError) -> dict[str, Any]:
    """The name of the rule that the action breaks."""
    return {"rule": error.rule}


def build_illegal_action_members(error: IllegalAction) -> dict[str, Any]:
    """The name of the rule that the action breaks, and legal actions."""
    return {"rule": error.rule, "instead": error.alternatives}


ERRORS = AppErrors(
    mappings=(
        ErrorMapping(NoSuchGame, 404, "not-found", describe=lambda error: _("There is no such game.")),
        ErrorMapping(NotYourTurn, 409, "not-your-turn", describe_action_error, build_rule_members),
        ErrorMapping(IllegalAction, 422, "illegal", describe_action_error, build_illegal_action_members),
        ErrorMapping(UnreadableAction, 422, "illegal", describe_action_error, build_rule_members),
    ),
    codes={
        "already-invited": lazy("They have an invitation to this game already."),
        "already-joined": lazy("You have a seat in this game already, or take part in this tournament."),
        "already-reported": lazy("You have reported this message already."),
        "bad-offer": lazy(
            "The commitment was not offered to you, or too long ago; take the one of a new page."
        ),
        "bot-busy": lazy("The bot plays as many challenges as it takes at a time."),
        "bot-sends-no-mail": lazy("Bots invite players by name only."),
        "bot-without-cards": lazy("The bot plays without secret cards."),
        "bot-without-owner": lazy("Nobody runs this bot any more, so it starts no new games."),
        "bots-not-allowed": lazy("Bots may not play in this game or tournament."),
        "bots-only": lazy("This is a rated game of bots."),
        "bots-unconfirmed": lazy("Bots may play in this game; join with `accept_bots` if you agree."),
        "cancelled": lazy("The game was cancelled."),
        "expired": lazy("The game waited too long for players."),
        "full": lazy("No seat is left in this game."),
        "hand-hidden": lazy(
            "You play here in place of somebody else; take the seat first, then you see its hand."
        ),
        "hand-shown": lazy("Whoever sits there now has seen the hand, so the change of players stands."),
        "illegal": lazy("The rules forbid this; `rule` names the rule, `instead` what would be legal."),
        "incident-open": lazy("All clocks rest already."),
        "no-challenges": lazy("The bot takes no challenges."),
        "no-chat": lazy("This game has no chat."),
        "no-incident": lazy("No incident is open."),
        "no-offer": lazy("A client seed came before a commitment was shown; it comes after it."),
        "no-pause-proposed": lazy("No pause is proposed in this game."),
        "not-host": lazy("Only the player who made the game can do this."),
        "not-on-vacation": lazy("You are not on vacation, and have planned none."),
        "not-open": lazy("The game has started or was cancelled."),
        "not-over": lazy("The game is not over yet."),
        "not-paused": lazy("The clocks of this game do not rest by agreement."),
        "not-running": lazy("The game is not running."),
        "not-seated": lazy("You have no seat in this game."),
        "not-started": lazy("The game has not started."),
        "not-your-turn": lazy("Your seat has nothing to decide now."),
        "not-yours": lazy("This is for somebody else."),
        "on-vacation": lazy("You are on vacation, or have planned one; end it first."),
        "only-bots": lazy("Only bots play with you here: there is nobody to talk to or to agree with."),
        "over": lazy("The game is over."),
        "own-message": lazy("This message is your own."),
        "partner-taken": lazy("You have asked somebody to be your partner already."),
        "pause-proposed": lazy("A pause is proposed already; agree to it or decline it."),
        "rated": lazy("This cannot be in a rated game."),
        "same-owner": lazy("Bots of one owner do not play rated games with each other."),
        "solo": lazy("A solo game takes no standing orders."),
        "spent-offer": lazy("A game was made with this commitment already; take the one of a new page."),
        "stale": lazy("The game has moved on since the `seq` that you saw; read it again."),
        "too-little-vacation": lazy("You have not saved up so much vacation."),
        "too-many-bot-games": lazy(
            "Bots of one owner have as many games among bots as they may; `limit` says how many."
        ),
        "too-many-games": lazy("You have as many games going as one may have; `limit` says how many."),
        "too-many-messages": lazy("Many messages in a short time; wait a little."),
        "too-many-open": lazy("You have many open games; wait for one of them to start."),
        "used": lazy("This invitation was used already."),
    },
)
