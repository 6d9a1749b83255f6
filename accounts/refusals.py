"""Refusals of accounts: why an account cannot be declared a bot, with the error that says so."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from common.refusals import BaseRefusal
from common.service_errors import Conflict, Denied, Invalid, NotFound


class Refusal(BaseRefusal):
    """A reason against declaring an account a bot, or against taking that back."""

    NO_ACCOUNT = "no-account", Denied, _("Only an account can be a bot, not a guest."), "bot-needs-account"
    STAFF = "staff", Denied, _("An operator’s account cannot be a bot."), "bot-needs-account"
    ALREADY_BOT = "already-bot", Conflict, _("This account is already a bot."), "already-bot"
    RUNS_BOTS = "runs-bots", Conflict, _("This account runs bots, so it cannot be one."), "runs-bots"
    BAD_OWNER_CODE = (
        "bad-owner-code",
        Invalid,
        _("This owner code is wrong or has expired. Ask the owner for a new one."),
        "bad-owner-code",
    )
    BAD_OWNER = (
        "bad-owner",
        Conflict,
        _("The owner must be another account: a person’s."),
        "bad-owner",
    )
    TOO_MANY_BOTS = (
        "too-many-bots",
        Conflict,
        _("The owner already runs %(limit)d bots, the most allowed."),
        "too-many-bots",
    )
    HAS_RATED_GAMES = (
        "has-rated-games",
        Conflict,
        _("This account has played rated games as a person. Create a new account for your bot."),
        "played-as-person",
    )
    HAS_UNFINISHED_GAMES = (
        "has-unfinished-games",
        Conflict,
        _("This account still plays with others as a person. Finish or leave those games first."),
        "has-unfinished-games",
    )
    TAKES_PART = (
        "takes-part",
        Conflict,
        _("This account takes part in a tournament or league as a person. Leave it first."),
        "has-unfinished-games",
    )
    NOT_BOT = "not-bot", NotFound, _("This account is not a bot."), "not-a-bot"
    HAS_PLAYED = (
        "has-played",
        Conflict,
        _("This bot has played, so it stays a bot. Create another account for yourself."),
        "bot-has-played",
    )
