"""Error codes of accounts, tokens and apps."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as lazy

from common.problems import AppErrors

ERRORS = AppErrors(
    codes={
        "already-bot": lazy("The account is already a bot."),
        "account-closed": lazy("The account of the token is closed."),
        "bad-address": lazy("Give an address that the app can return to: https://, or http:// on localhost."),
        "bad-owner": lazy("A bot needs another account as its owner: a person’s."),
        "bad-owner-code": lazy("The owner code is wrong or has expired. Create a new one."),
        "bad-expiry": lazy("The token’s lifetime is too short or too long. Choose another one."),
        "bad-token": lazy("We cannot read the Authorization header."),
        "bot-has-played": lazy("The bot has played, so it stays a bot."),
        "bot-needs-account": lazy("Guests and operators cannot be bots. Create an account for the bot."),
        "csrf": lazy("The browser sent no CSRF token. Reload the page. Programs send a token instead."),
        "has-unfinished-games": lazy(
            "The account still plays with others as a person. Finish or leave those games first."
        ),
        "idempotency-key-reused": lazy(
            "You have used this Idempotency-Key for another request. Use a new one."
        ),
        "missing-scope": lazy("The token lacks a scope. `scope` names it."),
        "name": lazy("This name is taken or not allowed. Choose another one."),
        "no-scopes": lazy("A token needs at least one scope."),
        "no-strangers": lazy("This player only takes invitations from people they have played with."),
        "no-such-player": lazy("No player has this name. Check the spelling."),
        "not-a-bot": lazy("The account is not a bot."),
        "not-confirmed": lazy("The confirmation does not match. Send the name of your account."),
        "not-for-apps": lazy("Apps cannot do this. Use a personal token, or your browser."),
        "played-as-person": lazy(
            "The account has played rated games as a person. Create a new account for your bot."
        ),
        "runs-bots": lazy("The account runs bots, so it cannot be one."),
        "session-only": lazy("Tokens cannot do this. Sign in with your browser."),
        "taken": lazy("Another account has this email address already."),
        "token-expired": lazy("The token has expired."),
        "token-revoked": lazy("The token has been revoked."),
        "too-many": lazy("You have reached the limit. Delete one first."),
        "too-many-bots": lazy("The owner has reached the limit of bots."),
        "too-many-keys": lazy(
            "You have used too many Idempotency-Keys today. Wait for the seconds in Retry-After."
        ),
        "too-many-mails": lazy(
            "You have reached the limit of messages to others. Wait for the seconds in Retry-After."
        ),
        "unknown-scope": lazy("There is no such scope."),
        "unknown-token": lazy("There is no such token."),
    }
)
