"""Error codes of accounts, tokens and apps."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as lazy

from common.problems import AppErrors

ERRORS = AppErrors(
    codes={
        "already-bot": lazy("The account is a bot already."),
        "account-closed": lazy("The account that the token belongs to is closed."),
        "bad-address": lazy("An app cannot return to this address."),
        "bad-owner": lazy("A bot is owned by the account of a person, and not by itself."),
        "bad-owner-code": lazy("The owner code is wrong or too old."),
        "bad-expiry": lazy("A token cannot last that long, or that short."),
        "bad-token": lazy("The Authorization header cannot be read."),
        "bot-has-played": lazy("A bot that has played stays a bot."),
        "bot-needs-account": lazy("Guests and operators cannot be bots."),
        "csrf": lazy("A browser's request came without its CSRF token; programs send a token of their own."),
        "has-unfinished-games": lazy("The account still plays with others as a person."),
        "idempotency-key-reused": lazy("This Idempotency-Key came before, with another request."),
        "missing-scope": lazy("The token lacks a scope; `scope` names it."),
        "name": lazy("Nobody can be called that, or somebody else is."),
        "no-scopes": lazy("A token needs at least one scope."),
        "no-strangers": lazy("This player only wants to be asked by people they have played with."),
        "no-such-player": lazy("Nobody here has this name."),
        "not-a-bot": lazy("The account is not a bot."),
        "not-confirmed": lazy("The confirmation does not fit."),
        "not-for-apps": lazy("Apps may not do this."),
        "played-as-person": lazy("The account has played rated games as a person; a bot needs a new one."),
        "runs-bots": lazy("The account runs bots itself, so it cannot be one."),
        "session-only": lazy("No token may do this. Sign in with your browser."),
        "taken": lazy("This email address belongs to another account already."),
        "token-expired": lazy("The token has expired."),
        "token-revoked": lazy("The token has been revoked."),
        "too-many": lazy("You have as many of these as one may have."),
        "too-many-bots": lazy("The owner runs as many bots as one may."),
        "too-many-keys": lazy("You have used many Idempotency-Keys today; wait as long as Retry-After says."),
        "too-many-mails": lazy("You have made us write to others a lot; wait as long as Retry-After says."),
        "unknown-scope": lazy("There is no such scope."),
        "unknown-token": lazy("There is no such token."),
    }
)
