"""Two worlds out of one database: each is lived in for a while, then everything is as it was before."""

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
    """Whatever happens in here has not happened: rows, their numbers, mails, counts of requests."""
    rate_limits.reset_counts()
    ContentType.objects.clear_cache()  # or who asks first has one query more
    random.seed(0)  # mails draw the marks between their parts
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
    """Make this the other world of a side (0: of who plays for none): all it cannot know is another.

    Others' hands, the order of tower and deck, the seed and all chance to come; what others noted for
    themselves and decided in advance.
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
    """Let the people of these seats give orders as they do on a site.

    The numbers of feed entries are drawn by everybody on the site, so that a gap tells of nobody: here, where
    nobody else is, the entries of these orders are numbered apart.
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
    """After the action: the state that is looked at."""
    # A feed leaves out what a transaction still under way might precede, as all of this is.
    FeedEntry.objects.update(transaction_id=0)
    fixture.game.refresh_from_db()
    return engine.load_state(GameSecrets.objects.get(game=fixture.game).state)


def play_bot_action(fixture: GameFixture) -> None:
    """The action of a bot."""
    loaded_game = load_game(fixture.game.code)
    action_log.commit_action(
        loaded_game=loaded_game, seat_no=fixture.step.seat, action=fixture.step.action, by="bot", now=LOOK
    )
