"""Export of all data stored about a player, as one JSON document."""

from __future__ import annotations

from datetime import datetime, time
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.db.models import F
from oauth2_provider.models import AccessToken, Application

from accounts.account_extensions import load_account_extensions
from accounts.models import BotProfile, Player, Token
from common.instants import format_instant

NOTICE_FIELDS = (
    *(
        "mail_frequency",
        "tournament_mails",
        "digest_hour",
        "remind_at_used_percent",
        "remind_at_left_percent",
    ),
    *("quiet_from", "quiet_until", "allow_any_sender", "invitations_from_strangers"),
)


def export_player_data(*, player: Player, now: datetime) -> dict[str, Any]:
    """Return everything stored about a player, and nothing about others, as JSON values."""
    player_data = {
        "exported_at": format_instant(now),
        "profile": {
            "name": player.name,
            "email": player.email,
            "language": player.language,
            "time_zone": player.time_zone,
            "joined_at": format_instant(player.joined_at),
            "last_login": format_instant(player.last_login),
            "last_seen_at": format_instant(player.last_seen_at),
            "is_bot": player.is_bot,
        },
        "notices": {name: to_json_value(getattr(player, name)) for name in NOTICE_FIELDS}
        | {"last_turn_mail_at": format_instant(player.last_turn_mail_at), "feed_token": player.feed_token}
        | {
            "email_bounced_at": format_instant(player.email_bounced_at),
            "email_bounce_reason": player.email_bounce_reason,
        },
        "vacation": {
            "balance_seconds": int(player.vacation_balance.total_seconds()),
            "accrued_at": format_instant(player.vacation_accrued_at),
            "from": format_instant(player.vacation_start),
            "until": format_instant(player.vacation_end),
        },
        "email_addresses": export_rows(
            EmailAddress.objects.filter(user=player).order_by("pk"), "email", "verified", "primary"
        ),
        "two_factor": export_rows(
            Authenticator.objects.filter(user=player).order_by("pk"), "type", "created_at", "last_used_at"
        ),
        "tokens": export_rows(
            Token.objects.filter(player=player).order_by("pk"),
            *("name", "scopes", "parent__name", "created_at", "expires_at", "last_used_at", "revoked_at"),
        ),
        "bot": export_rows(
            BotProfile.objects.filter(player=player),
            *("declared_at", "takes_challenges", "about", "plays_cards", "max_games"),
        ),
        "bots": export_rows(player.owned_bots.order_by("pk"), "name"),
        "apps": export_rows(
            Application.objects.filter(user=player).order_by("pk"),
            *("name", "client_id", "redirect_uris", "created"),
        ),
        "apps_allowed": export_rows(
            AccessToken.objects.filter(user=player).order_by("pk"),
            *("application__name", "scope", "created", "expires"),
        ),
    }
    for extension in load_account_extensions():
        player_data |= extension.export_player_data(player)
    return player_data


def export_rows(queryset: Any, *fields: str, **renamed_fields: str) -> list[dict[str, Any]]:
    """Return columns of a query as dicts.

    `game__code` becomes `game`; with `at="created_at"` that field becomes `at`.
    """
    names = {field: field.removesuffix("__code").removesuffix("__name").split("__")[-1] for field in fields}
    names |= {name: name for name in renamed_fields}
    return [
        {names[field]: to_json_value(value) for field, value in row.items()}
        for row in queryset.values(*fields, **{name: F(field) for name, field in renamed_fields.items()})
    ]


def to_json_value(value: Any) -> Any:
    """Convert a value for JSON, as the API spells it."""
    if isinstance(value, datetime):
        return format_instant(value)
    if isinstance(value, time):
        return value.strftime("%H:%M")
    return value
