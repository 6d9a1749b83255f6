"""A player's own account: the profile, everything we know as one JSON, and leaving for good."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Lower
from django.utils.translation import gettext as _
from django.utils.translation import override
from oauth2_provider.models import AccessToken, Application, RefreshToken

from games.engine import Refused
from games.models import Action, Event, Game, Invitation, Message, Note, Player, Report, Seat, Token
from games.models.players import FORMER, NAME

from . import lobby, turns
from .errors import Invalid, NotFound, Refusal

PROFILE = ("language", "time_zone", "mails")
NAMING = {"chat": "name", "declined": "name", "invited": "by"}  # events that name somebody else, and where
TRIES = 5  # to resign from a game in which others move at the same moment


def change_profile(*, player: Player, **changes: str) -> Player:
    """Set language, time zone or how mails come; what is not named stays. Raises ValidationError."""
    if unknown := changes.keys() - set(PROFILE):
        raise TypeError(f"not of the profile: {', '.join(sorted(unknown))}")
    for name, value in changes.items():
        setattr(player, name, value)
    player.clean_fields(exclude=[field.name for field in Player._meta.fields if field.name not in changes])
    if changes:
        player.save(update_fields=list(changes))
    return player


def public(*, name: str) -> Player:
    """A player by name, whatever the capitals. Raises NotFound."""
    try:
        NAME(name)
    except ValidationError:  # nobody can be called that, and the database may not even hold it
        raise NotFound(_("Nobody here is called that.")) from None
    named = Player.objects.annotate(lower=Lower("name")).filter(lower=name.lower(), is_active=True).first()
    if named is None:
        raise NotFound(_("Nobody here is called that."))
    return named


# --------------------------------------------------------------------------------------- everything of mine


def export(*, player: Player, now: datetime) -> dict[str, Any]:
    """Everything that is stored of a player, and nothing of anybody else, as values that JSON can hold."""
    return {
        "exported_at": instant(now),
        "profile": {
            "name": player.name,
            "email": player.email,
            "language": player.language,
            "time_zone": player.time_zone,
            "mails": player.mails,
            "joined_at": instant(player.joined_at),
            "last_login": instant(player.last_login),
        },
        "email_addresses": rows(
            EmailAddress.objects.filter(user=player).order_by("pk"), "email", "verified", "primary"
        ),
        "two_factor": rows(
            Authenticator.objects.filter(user=player).order_by("pk"), "type", "created_at", "last_used_at"
        ),
        "tokens": rows(
            Token.objects.filter(player=player).order_by("pk"),
            *("name", "scopes", "created_at", "expires_at", "last_used", "revoked_at"),
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
        "events": [
            line | {"data": without_others(line["kind"], line["data"])}
            for line in rows(
                Event.objects.filter(player=player).order_by("pk"), "game__code", "kind", "at", "data"
            )
        ],
    }


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
            "started_at": instant(place.game.started_at),
            "finished_at": instant(place.game.finished_at),
            "actions": mine[place.game_id],
        }
        for place in places
    ]


def rows(found: Any, *fields: str) -> list[dict[str, Any]]:
    """Some columns of a query; `game__code` is told as `game`."""
    names = {field: field.removesuffix("__code").removesuffix("__name").split("__")[-1] for field in fields}
    return [
        {
            names[field]: instant(value) if isinstance(value, datetime) else value
            for field, value in row.items()
        }
        for row in found.values(*fields)
    ]


def without_others(kind: str, data: dict[str, Any]) -> dict[str, Any]:
    """What an event says, without the name of whoever else it speaks of."""
    return {key: value for key, value in data.items() if key != NAMING.get(kind)}


def instant(at: datetime | None) -> str | None:
    return at.isoformat() if at else None


# ---------------------------------------------------------------------------------------- leaving for good


def delete(*, player: Player, confirmation: str, now: datetime) -> None:
    """Delete an account: its seats become a former player's, and every game stays whole.

    Who goes resigns from games that run and leaves those that wait, each in a transaction of its own: all of
    it can be repeated, should it break off half-way. Raises Invalid unless the name is typed as confirmation.
    """
    if confirmation.strip().casefold() != player.name.casefold():
        raise Invalid(_("Type your name as it is written here."), code="not-confirmed")
    leave_games(player, now)
    with transaction.atomic():
        # Games before players, as a move locks them: else the two would wait for each other.
        list(Game.objects.select_for_update().filter(creator=player).order_by("pk"))
        # The lock keeps others from writing rows for a player who is just going.
        Player.objects.select_for_update().get(pk=player.pk)
        forget_name(player)
        Invitation.objects.filter(email=player.email).delete()
        for model in (RefreshToken, AccessToken):  # they point at each other
            model.objects.filter(user=player).delete()
        Player.objects.get(pk=player.pk).delete()


def leave_games(player: Player, now: datetime) -> None:
    """Leave what waits, cancel what only waits for this player's own guests, resign from what runs."""
    waiting = Game.objects.filter(status=Game.Status.OPEN)
    for code in waiting.filter(places__player=player).values_list("code", flat=True):
        with suppress(Refusal):  # it started or was given up in this very moment
            lobby.leave(player=player, code=code, now=now)
    for code in waiting.filter(creator=player).values_list("code", flat=True):
        with suppress(Refusal):
            lobby.cancel_by_host(player=player, code=code, now=now)
    running = Game.objects.filter(status=Game.Status.RUNNING, places__player=player)
    for code in running.values_list("code", flat=True):
        for _attempt in range(TRIES):
            try:
                turns.play(player=player, code=code, text="resign", seq=None, key="", now=now)
                break
            except (Refusal, Refused):
                continue  # somebody was faster; if the game is over now, this changes nothing


def forget_name(player: Player) -> None:
    """Take the name out of what other players were told."""
    games = Game.objects.filter(Q(places__player=player) | Q(creator=player) | Q(invitations__by=player))
    invited = Game.objects.filter(invitations__player=player)
    told = Event.objects.filter(
        Q(game__in=games.values("pk")) | Q(game__in=invited.values("pk")), kind__in=NAMING
    ).exclude(player=player)
    with override("en"):
        former = str(FORMER)
    changed = []
    for event in told:
        key = NAMING[event.kind]
        if event.data.get(key) == player.name:
            event.data[key] = former
            changed.append(event)
    Event.objects.bulk_update(changed, ["data"], batch_size=500)
