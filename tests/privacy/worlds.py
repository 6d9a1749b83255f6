"""Two worlds out of one database: each is lived in for a while, then everything is as it was before."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager

from django.contrib.contenttypes.models import ContentType
from django.core import mail
from django.db import connection, transaction

from games import engine
from games.api import rate_limits
from games.engine import State
from games.models import FeedEntry, GameSecrets, Note, Seat
from games.selectors import load_game
from games.services import action_log

from . import chance
from .grounds import LOOK, Ground

SEQUENCES = "SELECT format('%I.%I', schemaname, sequencename), last_value FROM pg_sequences"


@contextmanager
def fork() -> Iterator[None]:
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
        again = [f"setval('{name}', {last or 1}, {str(last is not None).lower()})" for name, last in numbers]
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT {', '.join(again)}")


def elsewhere(ground: Ground, side: int, rng: random.Random) -> None:
    """Make this the other world of a side (0: of who plays for none): all it cannot know is another.

    Others' hands, the order of tower and deck, the seed and all chance to come; what others noted for
    themselves and decided in advance.
    """
    before, _ = chance.elsewhere(ground.steps, side, rng)
    GameSecrets.objects.filter(game=ground.game).update(
        state=engine.dump_state(before), server_seed=rng.randbytes(32)
    )
    mine = ground.setup.seats_of_side(side)
    strangers = Seat.objects.filter(game=ground.game).exclude(number__in=mine)
    strangers.update(eight=rng.choice(Seat.EightPolicy.values))
    Note.objects.filter(game=ground.game, player__in=strangers.values("player")).update(text="another note")


def settled(ground: Ground) -> State:
    """After the action: the state that is looked at."""
    # A feed leaves out what a transaction still under way might precede, as all of this is.
    FeedEntry.objects.update(written=0)
    ground.game.refresh_from_db()
    return engine.load_state(GameSecrets.objects.get(game=ground.game).state)


def act_for_bot(ground: Ground) -> None:
    """The action of a bot."""
    found = load_game(ground.game.code)
    action_log.commit_action(
        loaded_game=found, seat_no=ground.step.seat, action=ground.step.action, by="bot", now=LOOK
    )
