"""The clock moved by hand over weeks: people come and go, mail fails; nothing lost, nothing twice."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from datetime import datetime, time, timedelta
from typing import Any

import pytest

from games import signed_links
from games.engine import ActionError
from games.mail import mail_sender
from games.models import Action, Delivery, FeedEntry, Game, Player
from games.selectors import load_view_for
from games.selectors.turns import find_seat_for_token, is_current_turn
from games.services import game_audit, notices, sweep, turns, vacation
from games.services.errors import ServiceError
from tests.effort import SOAK
from tests.games.cast import NOW, game_of, player
from tests.smtp import Sink

pytestmark = pytest.mark.django_db
STEP = timedelta(hours=6)
STEPS = 30 * 7 * 4  # thirty weeks at most
OUT = (FeedEntry, Delivery)
# How often each of them looks at the mailbox each time: one is quick, one slow, one forgets whole weeks.
HABITS = {"ada": 0.95, "bob": 0.3, "cleo": 0.12, "dirk": 0.01}


def look(name: str, sink: Sink, read: dict[str, int], rng: random.Random, now: datetime) -> None:
    """Somebody opens all new mails, and plays whatever turn is still theirs."""
    mails = [mail for mail in sink.messages if mail["To"] == f"{name}@example.org"]
    for mail in mails[read[name] :]:
        text = mail.get_body(("plain",)).get_content()  # type: ignore[union-attr]
        link = re.search(r"/turn/([a-z0-9-]+)/", text)
        found = find_seat_for_token(link[1], signed_links.TURN_PURPOSE) if link else None
        if not found or not is_current_turn(*found):
            continue
        seat, number = found
        while is_current_turn(seat, number):
            shown = load_view_for(seat.player, seat.game.code)
            try:
                action = rng.choice(shown.legal_actions)
                sent = {"text": action, "seq": shown.view["seq"], "key": f"{now}{number}{shown.view['seq']}"}
                turns.play_action(player=seat.player, code=seat.game.code, now=now, **sent)  # type: ignore[arg-type]
            except (ServiceError, ActionError):
                break
            seat.game.refresh_from_db()
    if len(mails) > read[name]:
        Player.objects.filter(name=name).update(seen_at=now)
    read[name] = len(mails)


def due_until(end: datetime) -> Iterator[datetime]:
    """When sweeps that run every few seconds would find something to do."""
    while (
        at := Game.objects.filter(due_at__lte=end).order_by("due_at").values_list("due_at", flat=True).first()
    ):
        yield at


def test_over_weeks_every_turn_is_told_once_and_every_game_comes_to_its_end(
    settings: Any,
) -> None:
    rng, read, now = random.Random("weeks"), Counter[str](), NOW
    drawn = iter(range(9, 256))  # games in which there is something to play

    def begun(*names: str, **terms: Any) -> Game:
        """A game with a tower and a deck that are the same each time."""
        return game_of(*names, target=4, seed=bytes([next(drawn)]) * 32, **terms)

    games = [
        begun("ada", "dirk", vacation=False),
        begun("bob", "cleo", clock_name="12h", vacation=False, timeouts="forfeit"),
    ]
    if SOAK:
        games.append(begun("ada", "bob", "cleo", "dirk", cards=False, weekends=True))
        games.append(begun("ada", "dirk", "bob", "cleo", mode="pairs", nights=True))
    Player.objects.filter(name="bob").update(mails="once", time_zone="America/New_York")
    Player.objects.filter(name="cleo").update(mails="digest", digest_hour=7, time_zone="Europe/Rome")
    Player.objects.filter(name="ada").update(quiet_from=time(22), quiet_until=time(7))
    with Sink() as sink:
        for name, value in sink.settings().items():
            setattr(settings, name, value)
        trouble = rng.sample(range(STEPS), STEPS // 4)  # when no mail is taken
        for step in range(STEPS):
            for at in due_until(now + STEP):
                sweep.sweep_games(now=at)
            now += STEP
            sink.reject = (lambda mail: "451 4.3.0 try again later") if step in trouble else lambda mail: ""
            if step == 40:
                vacation.plan_vacation(player=player("cleo"), start=now, end=now + timedelta(days=2), now=now)
            while notices.fan_out_notices(now=now):
                pass
            mail_sender.send_due_mails(now=now)
            for name, often in HABITS.items():
                if rng.random() < often:
                    look(name, sink, read, rng, now)
            waits = [
                Game.objects.exclude(status="over"),
                *(m.objects.filter(due_at__isnull=False) for m in OUT),
            ]
            if not any(rows.exists() for rows in waits):
                break
        mails = sink.messages

    assert {game.status for game in Game.objects.all()} == {"over"}
    assert list(game_audit.audit_games()) == [None] * len(games)
    by = Counter(Action.objects.values_list("by", flat=True))
    assert by["clock"] >= 2
    assert by["player"] > 5
    # Nothing waits, nothing failed for good; what was sent came, once each.
    assert not FeedEntry.objects.filter(due_at__isnull=False).exists()
    assert set(Delivery.objects.values_list("status", flat=True)) <= {"sent", "dropped"}
    sent = list(Delivery.objects.filter(status="sent").values_list("message_id", flat=True))
    assert Counter(mail["Message-ID"] for mail in mails) == Counter(sent)
    assert max(Delivery.objects.filter(status="sent").values_list("tries", flat=True)) > 1
    # Whoever wants each turn told was told of each, at the latest when it was dropped for having passed.
    for turn in FeedEntry.objects.filter(kind="turn", player=player("ada"), stage__gte=2):
        if turn.data.get("by") != "player" or turn.data["seat"] != seat_in(turn):
            assert Delivery.objects.filter(player=turn.player, reason=turn.reason).count() <= 1
    timeouts = FeedEntry.objects.filter(kind="timeout").values_list("player", "reason")
    assert len(timeouts) == len(set(timeouts)) > 0


def seat_in(event: FeedEntry) -> int | None:
    assert event.game
    return event.game.places.get(player=event.player).number
