"""Two worlds in one database: each is visited in turn, and then everything is rolled back."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager

from django.contrib.contenttypes.models import ContentType
from django.core import mail
from django.db import connection, transaction
from django.db.models import F, Max, QuerySet

from common import rate_limits
from games import engine
from games.engine import State
from games.models import GameSecrets, Note, Seat
from games.selectors import load_game
from games.services import action_log, standing_orders
from notifications.models import FeedEntry

from . import other_chance
from .game_fixtures import LOOK, MOVED, GameFixture

SEQUENCES = "SELECT format('%I.%I', schemaname, sequencename), last_value FROM pg_sequences"


@contextmanager
def roll_back_afterwards() -> Iterator[None]:
    """Roll back everything inside: rows, sequences, mails, request counts."""
    rate_limits.reset_counts()
    ContentType.objects.clear_cache()  # otherwise the first request has an additional query
    random.seed(0)  # mails draw their MIME boundaries from it
    mail.outbox = []
    with connection.cursor() as cursor:
        cursor.execute(SEQUENCES)
        numbers = cursor.fetchall()
    try:
        with transaction.atomic():
            yield
            transaction.set_rollback(True)
    finally:
        setval_calls = [
            f"setval('{name}', {last or 1}, {str(last is not None).lower()})" for name, last in numbers
        ]
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT {', '.join(setval_calls)}")


def move_to_other_world(fixture: GameFixture, side: int, rng: random.Random) -> None:
    """Change everything that a side (0: viewers without a seat) cannot know.

    That is: other hands, the order of tower and deck, the seed and all later chance, and the notes and
    policies of others.
    """
    before, _ = other_chance.build_other_world(fixture.steps, side, rng)
    GameSecrets.objects.filter(game=fixture.game).update(
        state=engine.dump_state(before), server_seed=rng.randbytes(32)
    )
    own_seats = fixture.setup.seats_of_side(side)
    strangers = Seat.objects.filter(game=fixture.game).exclude(seat_no__in=own_seats)
    give_orders(strangers, rng)
    strangers.update(eight_policy=rng.choice(Seat.EightPolicy.values))
    Note.objects.filter(game=fixture.game, player__in=strangers.values("player")).update(text="another note")


def give_orders(seats: QuerySet[Seat], rng: random.Random) -> None:
    """Set random standing orders for these seats through the services.

    On a real site the ids of feed entries have gaps from all players, so that a gap reveals nothing. Here,
    with no other players, the entries of these orders get ids from a separate range.
    """
    last_entry = FeedEntry.objects.aggregate(last=Max("pk"))["last"] or 0
    with connection.cursor() as cursor:
        cursor.execute("SELECT last_value, is_called FROM notifications_feedentry_id_seq")
        last_value, is_called = cursor.fetchone()
        for seat in seats.select_related("player", "game"):
            draw, only = rng.choice((False, True)), rng.choice((False, True))
            if seat.player and not seat.hand_hidden and not load_game(seat.game.code).has_resigned(seat):
                standing_orders.set_standing_orders(
                    player=seat.player, code=seat.game.code, now=MOVED, draw=draw, only=only
                )
        FeedEntry.objects.filter(pk__gt=last_entry).update(id=-F("id"))
        cursor.execute("SELECT setval('notifications_feedentry_id_seq', %s, %s)", [last_value, is_called])


def load_state_after(fixture: GameFixture) -> State:
    """Return the state after the action."""
    # A feed holds back entries of uncommitted transactions, and this test is one transaction.
    FeedEntry.objects.update(transaction_id=0)
    fixture.game.refresh_from_db()
    return engine.load_state(GameSecrets.objects.get(game=fixture.game).state)


def play_bot_action(fixture: GameFixture) -> None:
    """Play the action of a bot."""
    loaded_game = load_game(fixture.game.code)
    action_log.commit_action(
        loaded_game=loaded_game, seat_no=fixture.step.seat, action=fixture.step.action, by="bot", now=LOOK
    )
