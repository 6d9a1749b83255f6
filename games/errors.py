"""Mappings of the errors of games to problem documents, and the error codes of games."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy
from django.utils.translation import ngettext

from common.problems import AppErrors, ErrorMapping
from games.engine import ActionError, IllegalAction, NotYourTurn, UnreadableAction
from games.engine.text import GameTranslator
from games.selectors import NoSuchGame
from games.selectors.loaded_games import NoRecordYet, NotAtTable


def describe_action_error(error: ActionError) -> str:
    """The translated sentence about an action; seats have numbers, no names."""
    return GameTranslator(gettext=_, ngettext=ngettext).format_sentence(error.sentence, error.details)


def build_rule_members(error: ActionError) -> dict[str, Any]:
    """The name of the rule that the action breaks."""
    return {"rule": error.rule}


def build_illegal_action_members(error: IllegalAction) -> dict[str, Any]:
    """The name of the rule that the action breaks, and legal actions if there are some like it."""
    return {"rule": error.rule} | ({"instead": error.alternatives} if error.alternatives else {})


ERRORS = AppErrors(
    mappings=(
        ErrorMapping(NoSuchGame, 404, "not-found", describe=lambda error: _("There is no such game.")),
        ErrorMapping(
            NoRecordYet,
            404,
            "not-found",
            describe=lambda error: _("The game has not started, so it has no record yet."),
        ),
        ErrorMapping(
            NotAtTable,
            404,
            "not-found",
            describe=lambda error: _("Only the players of a game can read its chat."),
        ),
        ErrorMapping(NotYourTurn, 409, "not-your-turn", describe_action_error, build_rule_members),
        ErrorMapping(IllegalAction, 422, "illegal", describe_action_error, build_illegal_action_members),
        ErrorMapping(UnreadableAction, 422, "illegal", describe_action_error, build_rule_members),
    ),
    codes={
        "already-invited": lazy("This player already has an invitation to this game."),
        "already-joined": lazy("You already have a seat in this game, or take part in this tournament."),
        "already-reported": lazy("You have already reported this message."),
        "bad-offer": lazy(
            "We did not offer you this commitment, or the offer has expired. Reload the page for a new one."
        ),
        "bot-busy": lazy("The bot already plays as many games as it accepts. Try again later."),
        "bot-sends-no-mail": lazy("Bots invite players by name, not by email."),
        "bot-without-cards": lazy("The bot plays without secret cards."),
        "bot-without-owner": lazy("Nobody runs this bot any more, so it starts no new games."),
        "bots-not-allowed": lazy("Bots cannot play in this game or tournament."),
        "bots-only": lazy("This rated game is for bots only."),
        "bots-unconfirmed": lazy("Bots can play in this game. Send `accept_bots` if you agree."),
        "cancelled": lazy("The game was cancelled."),
        "expired": lazy("Too few players joined in time, so we cancelled the game."),
        "full": lazy("This game has no free seat."),
        "hand-hidden": lazy(
            "You take over this seat from another player. Take the seat first to see its hand."
        ),
        "hand-shown": lazy("The new player has seen the hand, so the replacement stands."),
        "illegal": lazy(
            "The rules forbid this action. `rule` names the rule, `instead` lists legal actions."
        ),
        "incident-open": lazy("All clocks are already stopped."),
        "no-challenges": lazy("The bot takes no challenges."),
        "no-chat": lazy("This game has no chat."),
        "no-incident": lazy("There is no open incident."),
        "no-offer": lazy(
            "You sent a client seed before you had seen the commitment. Read the game first, then send the"
            " seed."
        ),
        "no-pause-proposed": lazy("Nobody has proposed a pause in this game."),
        "not-host": lazy("Only the creator of the game can do this."),
        "not-on-vacation": lazy("You have no current or planned vacation."),
        "not-open": lazy("The game has started or was cancelled."),
        "not-over": lazy("The game is not over yet."),
        "not-paused": lazy("This game is not paused."),
        "not-running": lazy("The game is not running."),
        "not-seated": lazy("You have no seat in this game."),
        "not-started": lazy("The game has not started."),
        "not-your-turn": lazy("It is not your turn."),
        "not-yours": lazy("This is meant for another player."),
        "on-vacation": lazy("You already have a current or planned vacation. End it first."),
        "only-bots": lazy("You only play with bots here, so nobody can answer."),
        "over": lazy("The game is over."),
        "own-message": lazy("This is your own message."),
        "partner-taken": lazy("You have already asked somebody to be your partner."),
        "pause-proposed": lazy("Somebody has already proposed a pause. Agree to it or decline it."),
        "rated": lazy("Rated games do not allow this."),
        "same-owner": lazy("Bots of the same owner do not play rated games with each other."),
        "solo": lazy("A solo game takes no standing orders: nobody is waiting for you."),
        "spent-offer": lazy("This commitment already belongs to a game. Reload the page for a new one."),
        "stale": lazy("The game has moved on since the `seq` that you sent. Read it again."),
        "too-little-vacation": lazy("You have not saved up that much vacation."),
        "too-many-bot-games": lazy(
            "The owner’s bots have reached the limit of games among bots. `limit` has the number."
        ),
        "too-many-games": lazy("You have reached the limit of games at a time. `limit` has the number."),
        "too-many-messages": lazy("Too many messages in a short time. Wait a little."),
        "too-many-open": lazy("You have too many open games. Wait until one of them starts."),
        "used": lazy("This invitation has already been used."),
    },
)
