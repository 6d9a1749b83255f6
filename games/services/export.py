"""Export of all data stored about a player, as one JSON document."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, time, timedelta
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.db.models import Q
from oauth2_provider.models import AccessToken, Application

from games.models import (
    Action,
    Delivery,
    FeedEntry,
    Game,
    InboundMail,
    Invitation,
    Message,
    Note,
    Pause,
    Player,
    Report,
    Seat,
    SeatHandover,
    Token,
    Webhook,
)

NOTICE_FIELDS = (
    *("mails", "tournament_mails", "digest_hour", "remind_used", "remind_left"),
    *("quiet_from", "quiet_until", "any_sender", "invitations_from_strangers"),
)
NAME_KEYS_BY_KIND = {"chat": "name", "declined": "name", "invited": "by"}  # data key with another's name

# Exporters of other apps, added at start-up; games does not import them.
EXTRA_EXPORTERS: list[Callable[[Player], dict[str, Any]]] = []


def export_player_data(*, player: Player, now: datetime) -> dict[str, Any]:
    """Return everything stored about a player, and nothing about others, as JSON values."""
    player_data = {
        "exported_at": format_timestamp(now),
        "profile": {
            "name": player.name,
            "email": player.email,
            "language": player.language,
            "time_zone": player.time_zone,
            "joined_at": format_timestamp(player.joined_at),
            "last_login": format_timestamp(player.last_login),
            "seen_at": format_timestamp(player.seen_at),
        },
        "notices": {name: to_json_value(getattr(player, name)) for name in NOTICE_FIELDS}
        | {"mailed_at": format_timestamp(player.mailed_at), "feed_key": player.key}
        | {"dead_at": format_timestamp(player.dead_at), "dead_why": player.dead_why},
        "vacation": {
            name: to_json_value(getattr(player, name))
            for name in ("vacation_saved", "vacation_at", "away_from", "away_until")
        },
        "email_addresses": export_rows(
            EmailAddress.objects.filter(user=player).order_by("pk"), "email", "verified", "primary"
        ),
        "two_factor": export_rows(
            Authenticator.objects.filter(user=player).order_by("pk"), "type", "created_at", "last_used_at"
        ),
        "tokens": export_rows(
            Token.objects.filter(player=player).order_by("pk"),
            *("name", "scopes", "parent__name", "created_at", "expires_at", "last_used", "revoked_at"),
        ),
        "apps": export_rows(
            Application.objects.filter(user=player).order_by("pk"),
            *("name", "client_id", "redirect_uris", "created"),
        ),
        "apps_allowed": export_rows(
            AccessToken.objects.filter(user=player).order_by("pk"),
            *("application__name", "scope", "created", "expires"),
        ),
        "games": export_games(player),
        "created_games": export_rows(
            Game.objects.filter(creator=player).order_by("pk"), "code", "status", "created_at"
        ),
        "notes": export_rows(Note.objects.filter(player=player).order_by("pk"), "game__code", "text", "at"),
        "seats_handed_over": export_rows(
            SeatHandover.objects.filter(Q(predecessor=player) | Q(successor=player)).order_by("pk"),
            *("game__code", "seat", "seq", "at"),
        ),
        "messages": export_rows(
            Message.objects.filter(player=player).order_by("pk"), "game__code", "text", "at", "hidden"
        ),
        "reports": export_rows(
            Report.objects.filter(player=player).order_by("pk"),
            *("message__game__code", "why", "at", "settled"),
        ),
        "invitations_sent": export_rows(
            Invitation.objects.filter(by=player).order_by("pk"), "game__code", "at", "partner", "answered"
        ),
        "invitations_received": export_rows(
            Invitation.objects.filter(Q(player=player) | Q(email=player.email)).order_by("pk"),
            *("game__code", "at", "partner", "answered"),
        ),
        "pauses_proposed": export_rows(
            Pause.objects.filter(by=player).order_by("pk"),
            *("game__code", "until", "at", "began_at", "ended_at"),
        ),
        # Without the signing secret: a leaked file must not allow forged calls.
        "webhooks": export_rows(
            Webhook.objects.filter(player=player).order_by("pk"), "url", "preset", "active", "trouble", "at"
        ),
        "deliveries": [
            row | {"data": remove_other_names(row["kind"], row["data"])}
            for row in export_rows(
                Delivery.objects.filter(player=player).order_by("pk"),
                *("game__code", "webhook_id", "kind", "data", "status", "why", "tries", "address"),
                *("made_at", "sent_at", "delivered_at", "opened_at"),
            )
        ],
        "received": export_rows(
            InboundMail.objects.filter(player=player).order_by("pk"),
            *("game__code", "at", "sender", "recipient", "outcome", "why"),
        ),
        "events": [
            row | {"data": remove_other_names(row["kind"], row["data"])}
            for row in export_rows(
                FeedEntry.objects.filter(player=player).order_by("pk"), "game__code", "kind", "at", "data"
            )
        ],
    }
    for export_section in EXTRA_EXPORTERS:
        player_data |= export_section(player)
    return player_data


def export_games(player: Player) -> list[dict[str, Any]]:
    """Return a player's seats, each with its actions."""
    seats = list(Seat.objects.filter(player=player).select_related("game").order_by("game_id"))
    actions_by_game: dict[int, list[dict[str, Any]]] = {seat.game_id: [] for seat in seats}
    seat_no_by_game = {seat.game_id: seat.number for seat in seats}
    logged_actions = (
        Action.objects.filter(game__places__player=player).defer("events").order_by("game_id", "seq")
    )
    for logged_action in logged_actions.iterator():
        if logged_action.seat == seat_no_by_game[logged_action.game_id]:
            actions_by_game[logged_action.game_id].append(
                {
                    "seq": logged_action.seq,
                    "action": logged_action.action,
                    "by": logged_action.by,
                    "at": format_timestamp(logged_action.at),
                }
            )
    return [
        {
            "game": seat.game.code,
            "status": seat.game.status,
            "mode": seat.game.mode,
            "edition": seat.game.edition,
            "seat": seat.number,
            "client_seed": seat.client_seed,
            "muted": seat.muted,
            "eight": seat.eight,
            "started_at": format_timestamp(seat.game.started_at),
            "finished_at": format_timestamp(seat.game.finished_at),
            "actions": actions_by_game[seat.game_id],
        }
        for seat in seats
    ]


def export_rows(queryset: Any, *fields: str) -> list[dict[str, Any]]:
    """Return columns of a query as dicts; `game__code` becomes `game`."""
    names = {field: field.removesuffix("__code").removesuffix("__name").split("__")[-1] for field in fields}
    return [
        {names[field]: to_json_value(value) for field, value in row.items()}
        for row in queryset.values(*fields)
    ]


def to_json_value(value: Any) -> Any:
    """Convert a value for JSON; durations become seconds."""
    if isinstance(value, datetime | time):
        return value.isoformat()
    return value.total_seconds() if isinstance(value, timedelta) else value


def remove_other_names(kind: str, data: dict[str, Any]) -> dict[str, Any]:
    """Return the data of a feed entry without the name of the other person in it."""
    return {key: value for key, value in data.items() if key != NAME_KEYS_BY_KIND.get(kind)}


def format_timestamp(at: datetime | None) -> str | None:
    """Format a timestamp as ISO 8601, or return None."""
    return at.isoformat() if at else None
