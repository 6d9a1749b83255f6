"""Helpers for tests of notices and mails: players with preferences, and turns that start and end."""

from __future__ import annotations

from datetime import datetime, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

from accounts.models import Player
from games import clock, selectors
from games.engine import legal_actions
from games.models import Game
from games.services import clocks, turns
from notifications.models import Delivery, Webhook
from notifications.outgoing_email import OutgoingEmail
from notifications.services import notices
from tests.factories.cast import NOW, player, start_cast_game

DAY, HOUR, MINUTE = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1)
ONE_MINUTE_LATER = NOW + MINUTE


def set_wishes(name: str, **fields: Any) -> Player:
    """Set preferences of a member of the cast."""
    target = player(name)
    Player.objects.filter(pk=target.pk).update(**fields)
    target.refresh_from_db()
    return target


def start_table(*names: str, **terms: Any) -> tuple[Game, Player, Player]:
    """Start a game of two; return it with the player to act and the other player."""
    game = start_cast_game(*(names or ("ada", "bob")), **terms)
    first, second = sorted(
        game.seats.select_related("player"), key=lambda seat: not game.to_act_mask >> seat.seat_no & 1
    )
    assert first.player
    assert second.player
    return game, first.player, second.player


def fan_out(now: datetime = ONE_MINUTE_LATER) -> int:
    return notices.fan_out_notices(now=now)


def deliveries_to(who: Player, webhook: bool = False) -> list[tuple[str, str]]:
    """List kind and status of a player's deliveries, in order."""
    deliveries = Delivery.objects.filter(player=who, webhook__isnull=not webhook).order_by("pk")
    return list(deliveries.values_list("kind", "status"))


def list_kinds(who: Player) -> list[str]:
    return [kind for kind, _ in deliveries_to(who)]


def create_webhook(who: Player, url: str = "https://hooks.example.org/otto", **fields: Any) -> Webhook:
    is_program = fields.get("preset", Webhook.Preset.JSON) == Webhook.Preset.JSON
    columns = {"signing_secret": "c2VjcmV0", "created_at": NOW, "immediate": is_program, **fields}
    return Webhook.objects.create(player=who, url=url, **columns)


def play_turn(game: Game, now: datetime) -> None:
    """Play for the seat to act until another seat is to act."""
    start = selectors.load_game(game.code).to_act
    while (loaded_game := selectors.load_game(game.code)).to_act == start:
        assert loaded_game.state
        seat = start[0]
        player_ = loaded_game.seat_by_no(seat).player
        assert player_
        action = legal_actions(loaded_game.state, seat)[0]
        turns.play_action(
            player=Player.objects.get(pk=player_.pk),
            code=game.code,
            text=action,
            seq=loaded_game.state.seq,
            key="",
            now=now,
        )


def get_seat_clock(game: Game, who: Player) -> clock.SeatClock:
    game.refresh_from_db()
    seat = game.seats.get(player=who).seat_no
    return clocks.seat_clock_of(game, seat)


def create_delivery(who: Player, kind: str, game: Game | None = None, **data: Any) -> Delivery:
    """Create a delivery of a mail that is not composed yet."""
    number = Delivery.objects.count()
    return Delivery.objects.create(
        player=who,
        topic=game.topic if game else "",
        kind=kind,
        dedup_key=f"{kind}:{number}",
        data=data,
        created_at=NOW,
        next_attempt_at=NOW,
    )


def parse_mail(mail: OutgoingEmail) -> EmailMessage:
    """Parse a mail as its recipient does."""
    message = message_from_bytes(mail.message().as_bytes(), policy=policy.default)
    assert isinstance(message, EmailMessage)
    return message


def get_part(mail: EmailMessage, kind: str) -> str:
    body_part = mail.get_body((kind,))
    assert body_part
    return str(body_part.get_content())
