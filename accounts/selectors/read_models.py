"""What the API answers about an account. The text beside a type describes it in the OpenAPI document."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import datetime, time
from typing import Annotated

from django.conf import settings

from accounts.models import Player, Token
from common.read_models import EmailAddress

from .bots import list_bots_of


@dataclass(frozen=True)
class ProfileData:
    """Your profile and notice settings."""

    name: Annotated[str, "by which others know you"]
    email: Annotated[EmailAddress | None, "your address; null without the scope email"]
    language: Annotated[str, "of pages and mails"] = field(metadata={"choices": settings.LANGUAGES})
    time_zone: Annotated[str, "where clocks rest by hours, a change counts from your next turn in each game"]
    mail_frequency: Annotated[Player.MailFrequency, "how many mails about turns you get"]
    tournament_mails: Annotated[Player.TournamentMails, "of tournaments and leagues"]
    digest_hour: Annotated[int, "of the daily mail, in your time zone"]
    remind_at_used_percent: Annotated[int | None, "remind at this percentage of a turn's time"]
    remind_at_left_percent: Annotated[int | None, "remind when so many percent of all time are left"]
    quiet_from: Annotated[time | None, "no notices from then on, in your time zone"]
    quiet_until: Annotated[
        time | None,
        "until then, twelve hours later at most; where clocks rest at night, other hours count from your"
        " next turn in each game",
    ]
    allow_any_sender: Annotated[
        bool | None, "replies by mail count from any address; null without the scope account"
    ]
    invitations_from_strangers: Annotated[
        bool | None, "people you have not played with may invite you; null without the scope account"
    ]
    email_bounced_at: Annotated[
        datetime | None, "since when mails to you come back; null without the scope email"
    ]
    email_bounce_reason: Annotated[str | None, "why they come back; null without the scope email"]
    joined_at: Annotated[datetime, "since when you are a member"]
    is_bot: Annotated[bool, "whether your account is declared a bot"]


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
    """What everybody may know of a player."""

    name: Annotated[str, "in its own spelling"]
    joined_at: Annotated[datetime, "since when they are a member"]
    lookalike: Annotated[bool, "the name looks like another player's, or like one of the site's own"]
    is_bot: Annotated[bool, "whether a program plays for this account"]
    owner: Annotated[str | None, "of a bot: the player who runs it; null: their account is deleted"]
    bots: Annotated[list[str], "the names of the bots that this player runs"]


def build_public_player_data(player: Player) -> PublicPlayerData:
    """What everybody may know of a player."""
    return PublicPlayerData(
        name=player.name,
        since=player.joined_at,
        lookalike=player.is_lookalike,
        is_bot=player.is_bot,
        owner=player.bot_owner.name if player.bot_owner else None,
        bots=[profile.player.name for profile in list_bots_of(player)] if not player.is_bot else [],
    )


@dataclass(frozen=True)
class TokenData:
    """A personal token, without its secret."""

    id: Annotated[int, "names the token in URLs"]
    name: Annotated[str, "as you called it"]
    scopes: Annotated[list[str], "what it may do"]
    parent: Annotated[int | None, "the token that made this one; it ends with it"]
    created_at: Annotated[datetime, "when it was made"]
    expires_at: Annotated[datetime | None, "when it ends; null if it does not by itself"]
    last_used_at: Annotated[datetime | None, "when it was last used, roughly"]
    revoked_at: Annotated[datetime | None, "when it was revoked"]


@dataclass(frozen=True)
class TokenWithSecretData(TokenData):
    """A new personal token with its secret."""

    token: Annotated[str, "shown this once"]


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
