"""Read models of an account. The text beside a type describes it in the OpenAPI document."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import datetime, time
from typing import Annotated

from django.conf import settings

from accounts.models import Player, Token
from common.read_models import EmailAddress

from .bots import list_bot_names


@dataclass(frozen=True)
class ProfileData:
    """Your profile and notification settings."""

    name: Annotated[str, "Your public name."]
    email: Annotated[EmailAddress | None, "Your email address; null without the scope `email`."]
    language: Annotated[str, "The language of pages and mails."] = field(
        metadata={"choices": settings.LANGUAGES}
    )
    time_zone: Annotated[
        str,
        "Your time zone, as `Europe/Rome`. Where clocks stop by hours, a change counts"
        " from your next turn in each game.",
    ]
    mail_frequency: Annotated[
        Player.MailFrequency,
        "When you get mails about turns: for `each` turn, `once` until you visit the site, in a daily"
        " `digest`, or `none`.",
    ]
    tournament_mails: Annotated[
        Player.TournamentMails,
        "Which mails you get about tournaments and leagues: `all`, only `duties`, or `none`.",
    ]
    digest_hour: Annotated[int, "The hour of the daily mail in your time zone, 0 to 23."]
    remind_at_used_percent: Annotated[
        int | None, "Remind you when this percentage of a turn's time has passed; null for no such reminder."
    ]
    remind_at_left_percent: Annotated[
        int | None, "Remind you when this percentage of all your time is left; null for no such reminder."
    ]
    quiet_from: Annotated[
        time | None,
        "When your quiet hours begin, in your time zone, as `22:30`; null for none. You"
        " get no notifications in them.",
    ]
    quiet_until: Annotated[
        time | None,
        "When your quiet hours end, at most twelve hours later. Where clocks stop at"
        " night, a change counts from your next turn in each game.",
    ]
    allow_any_sender: Annotated[
        bool | None, "Whether replies by mail count from any address; null without the scope `account`."
    ]
    invitations_from_strangers: Annotated[
        bool | None,
        "Whether people you have not played with may invite you; null without the scope `account`.",
    ]
    email_bounced_at: Annotated[
        datetime | None,
        "When mails to you first bounced; null if they arrive, and without the scope `email`.",
    ]
    email_bounce_reason: Annotated[str | None, "Why mails to you bounce; null without the scope `email`."]
    joined_at: Annotated[datetime, "When you signed up."]
    is_bot: Annotated[bool, "Whether your account is declared a bot."]


def build_profile_data(player: Player, scopes: Collection[str]) -> ProfileData:
    """A player's own profile; what needs a scope that is missing is None."""
    shows_email, shows_account = "email" in scopes, "account" in scopes
    return ProfileData(
        name=player.name,
        email=EmailAddress(player.email) if shows_email and player.email is not None else None,
        language=player.language,
        time_zone=player.time_zone,
        mail_frequency=Player.MailFrequency(player.mail_frequency),
        tournament_mails=Player.TournamentMails(player.tournament_mails),
        digest_hour=player.digest_hour,
        remind_at_used_percent=player.remind_at_used_percent,
        remind_at_left_percent=player.remind_at_left_percent,
        quiet_from=player.quiet_from,
        quiet_until=player.quiet_until,
        allow_any_sender=player.allow_any_sender if shows_account else None,
        invitations_from_strangers=player.invitations_from_strangers if shows_account else None,
        email_bounced_at=player.email_bounced_at if shows_email else None,
        email_bounce_reason=(player.email_bounce_reason or None) if shows_email else None,
        joined_at=player.joined_at,
        is_bot=player.is_bot,
    )


@dataclass(frozen=True)
class PublicPlayerData:
    """The public profile of a player."""

    name: Annotated[str, "The name, in the player's own spelling."]
    joined_at: Annotated[datetime, "When they signed up."]
    lookalike: Annotated[bool, "Whether the name looks like that of another player or of the site itself."]
    is_bot: Annotated[bool, "Whether a program plays for this account."]
    owner: Annotated[str | None, "Of a bot: the player who runs it; null if their account was deleted."]
    bots: Annotated[list[str], "The names of the bots that this player runs."]


def build_public_player_data(player: Player) -> PublicPlayerData:
    """The public profile of a player."""
    return PublicPlayerData(
        name=player.name,
        joined_at=player.joined_at,
        lookalike=player.is_lookalike,
        is_bot=player.is_bot,
        owner=player.bot_owner.name if player.bot_owner else None,
        bots=list_bot_names(player),
    )


@dataclass(frozen=True)
class TokenData:
    """A personal token, without its secret."""

    id: Annotated[int, "The number by which addresses of the API name the token."]
    name: Annotated[str, "The name that you gave it."]
    scopes: Annotated[list[str], "What the token may do."]
    parent: Annotated[
        int | None,
        "The `id` of the token that created this one, and is revoked together with it;"
        " null if you created it yourself.",
    ]
    created_at: Annotated[datetime, "When it was made."]
    expires_at: Annotated[datetime | None, "When it expires; null if it does not."]
    last_used_at: Annotated[datetime | None, "When it was last used, roughly; null if never."]
    revoked_at: Annotated[datetime | None, "When it was revoked; null if it was not."]


@dataclass(frozen=True)
class TokenWithSecretData(TokenData):
    """A new personal token with its secret."""

    token: Annotated[str, "The token itself. It is shown only this once."]


def build_token_data(token: Token) -> TokenData:
    """A token as its owner sees it."""
    return TokenData(
        id=token.pk,
        name=token.name,
        scopes=token.scopes.split(),
        parent=token.parent_id,
        created_at=token.created_at,
        expires_at=token.expires_at,
        last_used_at=token.last_used_at,
        revoked_at=token.revoked_at,
    )


def build_new_token_data(token: Token, plain_token: str) -> TokenWithSecretData:
    """A new token with its secret, which is not stored."""
    return TokenWithSecretData(**vars(build_token_data(token)), token=plain_token)
