"""What tests of notices and mails share: players with wishes, turns that come and go."""

from __future__ import annotations

from datetime import datetime, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

from games import clock, selectors
from games.engine import legal_actions
from games.mail.message import GameEmail
from games.models import Delivery, Game, Player, Webhook
from games.services import clocks, notices, turns

from .cast import NOW, game_of, player

DAY, HOUR, MINUTE = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1)
SOON = NOW + MINUTE


def wishes(name: str, **fields: Any) -> Player:
    """A member of the cast who has chosen something."""
    found = player(name)
    Player.objects.filter(pk=found.pk).update(**fields)
    found.refresh_from_db()
    return found


def table(*names: str, **terms: Any) -> tuple[Game, Player, Player]:
    """A new game of two, whoever is to act, and the other one."""
    game = game_of(*(names or ("ada", "bob")), **terms)
    first, second = sorted(
        game.places.select_related("player"), key=lambda seat: not game.to_act >> seat.number & 1
    )
    assert first.player
    assert second.player
    return game, first.player, second.player


def spread(now: datetime = SOON) -> int:
    return notices.fan_out_notices(now=now)


def deliveries_to(who: Player, webhook: bool = False) -> list[tuple[str, str]]:
    """What a player was told, in order: kind and status."""
    found = Delivery.objects.filter(player=who, webhook__isnull=not webhook).order_by("pk")
    return list(found.values_list("kind", "status"))


def kinds(who: Player) -> list[str]:
    return [kind for kind, _ in deliveries_to(who)]


def hook_of(who: Player, url: str = "https://hooks.example.org/otto", **fields: Any) -> Webhook:
    return Webhook.objects.create(player=who, url=url, secret="s", at=NOW, **fields)


def play_turn(game: Game, now: datetime) -> None:
    """Whoever is to act plays until somebody else is."""
    start = selectors.load_game(game.code).to_act
    while (found := selectors.load_game(game.code)).to_act == start:
        assert found.state
        seat = start[0]
        player_ = found.seat_by_no(seat).player
        assert player_
        action = legal_actions(found.state, seat)[0]
        turns.play_action(
            player=Player.objects.get(pk=player_.pk),
            code=game.code,
            text=action,
            seq=found.state.seq,
            key="",
            now=now,
        )


def waiting_since(game: Game, who: Player) -> clock.SeatClock:
    game.refresh_from_db()
    seat = game.places.get(player=who).number
    return clocks.seat_clock_of(game, seat)


def delivery(who: Player, kind: str, game: Game | None = None, **data: Any) -> Delivery:
    """A mail that waits to be composed."""
    number = Delivery.objects.count()
    return Delivery.objects.create(
        player=who, game=game, kind=kind, reason=f"{kind}:{number}", data=data, made_at=NOW, due_at=NOW
    )


def read(mail: GameEmail) -> EmailMessage:
    """A mail as the other side reads it."""
    found = message_from_bytes(mail.message().as_bytes(), policy=policy.default)
    assert isinstance(found, EmailMessage)
    return found


def part(mail: EmailMessage, kind: str) -> str:
    found = mail.get_body((kind,))
    assert found
    return str(found.get_content())
