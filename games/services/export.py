"""Everything that is stored of a player, as one JSON."""

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
    Event,
    Game,
    Invitation,
    Message,
    Note,
    Pause,
    Player,
    Received,
    Report,
    Seat,
    SeatHandover,
    Token,
    Webhook,
)

NOTICES = (
    *("mails", "tournament_mails", "digest_hour", "remind_used", "remind_left"),
    *("quiet_from", "quiet_until", "any_sender", "invitations_from_strangers"),
)
NAMING = {"chat": "name", "declined": "name", "invited": "by"}  # events that name somebody else, and where

# What other apps store of a player; each adds its part when the site starts, as this one knows none of them.
ELSEWHERE: list[Callable[[Player], dict[str, Any]]] = []


def everything(*, player: Player, now: datetime) -> dict[str, Any]:
    """Everything that is stored of a player, and nothing of anybody else, as values that JSON can hold."""
    found = {
        "exported_at": instant(now),
        "profile": {
            "name": player.name,
            "email": player.email,
            "language": player.language,
            "time_zone": player.time_zone,
            "joined_at": instant(player.joined_at),
            "last_login": instant(player.last_login),
            "seen_at": instant(player.seen_at),
        },
        "notices": {name: plain(getattr(player, name)) for name in NOTICES}
        | {"mailed_at": instant(player.mailed_at), "feed_key": player.key}
        | {"dead_at": instant(player.dead_at), "dead_why": player.dead_why},
        "vacation": {
            name: plain(getattr(player, name))
            for name in ("vacation_saved", "vacation_at", "away_from", "away_until")
        },
        "email_addresses": rows(
            EmailAddress.objects.filter(user=player).order_by("pk"), "email", "verified", "primary"
        ),
        "two_factor": rows(
            Authenticator.objects.filter(user=player).order_by("pk"), "type", "created_at", "last_used_at"
        ),
        "tokens": rows(
            Token.objects.filter(player=player).order_by("pk"),
            *("name", "scopes", "parent__name", "created_at", "expires_at", "last_used", "revoked_at"),
        ),
        "apps": rows(
            Application.objects.filter(user=player).order_by("pk"),
            *("name", "client_id", "redirect_uris", "created"),
        ),
        "apps_allowed": rows(
            AccessToken.objects.filter(user=player).order_by("pk"),
            *("application__name", "scope", "created", "expires"),
        ),
        "games": games_of(player),
        "created_games": rows(
            Game.objects.filter(creator=player).order_by("pk"), "code", "status", "created_at"
        ),
        "notes": rows(Note.objects.filter(player=player).order_by("pk"), "game__code", "text", "at"),
        "seats_handed_over": rows(
            SeatHandover.objects.filter(Q(predecessor=player) | Q(successor=player)).order_by("pk"),
            *("game__code", "seat", "seq", "at"),
        ),
        "messages": rows(
            Message.objects.filter(player=player).order_by("pk"), "game__code", "text", "at", "hidden"
        ),
        "reports": rows(
            Report.objects.filter(player=player).order_by("pk"),
            *("message__game__code", "why", "at", "settled"),
        ),
        "invitations_sent": rows(
            Invitation.objects.filter(by=player).order_by("pk"), "game__code", "at", "partner", "answered"
        ),
        "invitations_received": rows(
            Invitation.objects.filter(Q(player=player) | Q(email=player.email)).order_by("pk"),
            *("game__code", "at", "partner", "answered"),
        ),
        "pauses_proposed": rows(
            Pause.objects.filter(by=player).order_by("pk"),
            *("game__code", "until", "at", "began_at", "ended_at"),
        ),
        # Without the secret that signs: whoever finds the file could speak as we do.
        "webhooks": rows(
            Webhook.objects.filter(player=player).order_by("pk"), "url", "preset", "active", "trouble", "at"
        ),
        "deliveries": [
            line | {"data": without_others(line["kind"], line["data"])}
            for line in rows(
                Delivery.objects.filter(player=player).order_by("pk"),
                *("game__code", "webhook_id", "kind", "data", "status", "why", "tries", "address"),
                *("made_at", "sent_at", "delivered_at", "opened_at"),
            )
        ],
        "received": rows(
            Received.objects.filter(player=player).order_by("pk"),
            *("game__code", "at", "sender", "recipient", "outcome", "why"),
        ),
        "events": [
            line | {"data": without_others(line["kind"], line["data"])}
            for line in rows(
                Event.objects.filter(player=player).order_by("pk"), "game__code", "kind", "at", "data"
            )
        ],
    }
    for part in ELSEWHERE:
        found |= part(player)
    return found


def games_of(player: Player) -> list[dict[str, Any]]:
    """A player's seats, each with the actions of that seat."""
    places = list(Seat.objects.filter(player=player).select_related("game").order_by("game_id"))
    mine: dict[int, list[dict[str, Any]]] = {place.game_id: [] for place in places}
    number = {place.game_id: place.number for place in places}
    lines = Action.objects.filter(game__places__player=player).defer("events").order_by("game_id", "seq")
    for line in lines.iterator():
        if line.seat == number[line.game_id]:
            mine[line.game_id].append(
                {"seq": line.seq, "action": line.action, "by": line.by, "at": instant(line.at)}
            )
    return [
        {
            "game": place.game.code,
            "status": place.game.status,
            "mode": place.game.mode,
            "edition": place.game.edition,
            "seat": place.number,
            "client_seed": place.client_seed,
            "muted": place.muted,
            "eight": place.eight,
            "started_at": instant(place.game.started_at),
            "finished_at": instant(place.game.finished_at),
            "actions": mine[place.game_id],
        }
        for place in places
    ]


def rows(found: Any, *fields: str) -> list[dict[str, Any]]:
    """Some columns of a query; `game__code` is told as `game`."""
    names = {field: field.removesuffix("__code").removesuffix("__name").split("__")[-1] for field in fields}
    return [{names[field]: plain(value) for field, value in row.items()} for row in found.values(*fields)]


def plain(value: Any) -> Any:
    """A value as JSON can hold it; lengths of time in seconds."""
    if isinstance(value, datetime | time):
        return value.isoformat()
    return value.total_seconds() if isinstance(value, timedelta) else value


def without_others(kind: str, data: dict[str, Any]) -> dict[str, Any]:
    """What an event says, without the name of whoever else it speaks of."""
    return {key: value for key, value in data.items() if key != NAMING.get(kind)}


def instant(at: datetime | None) -> str | None:
    return at.isoformat() if at else None
