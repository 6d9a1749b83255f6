"""Games over simulated weeks, with irregular players and mail failures: nothing is lost or doubled."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from datetime import datetime, time, timedelta
from typing import Any

import pytest

from accounts.models import Player
from common.service_errors import ServiceError
from games import signed_links
from games.engine import ActionError
from games.models import Action, Game, Seat
from games.selectors import load_view_for
from games.selectors.turns import find_seat_for_token, is_current_turn
from games.services import game_audit, sweep, turns, vacation
from notifications.channels.email import mail_sender
from notifications.models import Delivery, FeedEntry
from notifications.services import notices
from tests.example_counts import SOAK
from tests.factories.cast import NOW, player, start_cast_game
from tests.smtp import Sink

pytestmark = pytest.mark.django_db
STEP = timedelta(hours=6)
STEPS = 30 * 7 * 4  # thirty weeks at most
# The probability that a player reads mails in a step: ada is quick, bob slow, dirk absent for weeks.
HABITS = {"ada": 0.95, "bob": 0.3, "cleo": 0.12, "dirk": 0.01}


def open_new_mails(name: str, sink: Sink, read: dict[str, int], rng: random.Random, now: datetime) -> None:
    """Open all new mails of a player and play the turns that are still current."""
    mails = [mail for mail in sink.messages if mail["To"] == f"{name}@example.org"]
    for mail in mails[read[name] :]:
        text = mail.get_body(("plain",)).get_content()  # type: ignore[union-attr]
        link = re.search(r"/turn/([a-z0-9-]+)/", text)
        seat_and_turn = find_seat_for_token(link[1], signed_links.TURN_PURPOSE) if link else None
        if not seat_and_turn or not is_current_turn(*seat_and_turn):
            continue
        seat, number = seat_and_turn
        while is_current_turn(seat, number):
            game_view = load_view_for(seat.player, seat.game.code)
            try:
                action = rng.choice(game_view.legal_actions)
                sent = {
                    "text": action,
                    "seq": game_view.view["seq"],
                    "key": f"{now}{number}{game_view.view['seq']}",
                }
                turns.play_action(player=seat.player, code=seat.game.code, now=now, **sent)  # type: ignore[arg-type]
            except (ServiceError, ActionError):
                break
            seat.game.refresh_from_db()
    if len(mails) > read[name]:
        Player.objects.filter(name=name).update(last_seen_at=now)
    read[name] = len(mails)


def iter_due_times(end: datetime) -> Iterator[datetime]:
    """Yield the times at which frequent sweeps would find a game due."""
    while (
        at := Game.objects.filter(next_sweep_at__lte=end)
        .order_by("next_sweep_at")
        .values_list("next_sweep_at", flat=True)
        .first()
    ):
        yield at


def test_over_weeks_every_turn_is_announced_once_and_every_game_comes_to_its_end(
    settings: Any,
) -> None:
    rng, read, now = random.Random("weeks"), Counter[str](), NOW
    drawn = iter(range(9, 256))  # seeds of games with enough actions

    def start_seeded_game(*names: str, **terms: Any) -> Game:
        """Start a game whose tower and deck are identical in each run."""
        seed = int.from_bytes(bytes([next(drawn)]) * 32, "big")
        return start_cast_game(*names, target=4, seed=seed, **terms)

    games = [
        start_seeded_game("ada", "dirk", vacation=False),
        start_seeded_game("bob", "cleo", time_control="12h", vacation=False, timeout_policy="forfeit"),
    ]
    if SOAK:
        games.append(start_seeded_game("ada", "bob", "cleo", "dirk", cards=False, weekends=True))
        games.append(start_seeded_game("ada", "dirk", "bob", "cleo", mode="pairs", nights=True))
    Player.objects.filter(name="bob").update(mail_frequency="once", time_zone="America/New_York")
    Player.objects.filter(name="cleo").update(mail_frequency="digest", digest_hour=7, time_zone="Europe/Rome")
    Player.objects.filter(name="ada").update(quiet_from=time(22), quiet_until=time(7))
    with Sink() as sink:
        for name, value in sink.settings().items():
            setattr(settings, name, value)
        outage_steps = rng.sample(range(STEPS), STEPS // 4)  # steps in which the mail server takes no mail
        for step in range(STEPS):
            for at in iter_due_times(now + STEP):
                sweep.sweep_games(now=at)
            now += STEP
            sink.reject = (
                (lambda mail: "451 4.3.0 try again later") if step in outage_steps else lambda mail: ""
            )
            if step == 40:
                vacation.plan_vacation(player=player("cleo"), start=now, end=now + timedelta(days=2), now=now)
            while notices.fan_out_notices(now=now):
                pass
            mail_sender.send_due_mails(now=now)
            for name, often in HABITS.items():
                if rng.random() < often:
                    open_new_mails(name, sink, read, rng, now)
            pending_rows = [
                Game.objects.exclude(status="over"),
                FeedEntry.objects.filter(notify_at__isnull=False),
                Delivery.objects.filter(next_attempt_at__isnull=False),
            ]
            if not any(rows.exists() for rows in pending_rows):
                break
        mails = sink.messages

    assert {game.status for game in Game.objects.all()} == {"over"}
    assert list(game_audit.audit_games()) == [None] * len(games)
    by = Counter(Action.objects.values_list("by", flat=True))
    assert by["clock"] >= 2
    assert by["player"] > 5
    # Nothing is pending and nothing has failed; each sent mail arrived once.
    assert not FeedEntry.objects.filter(notify_at__isnull=False).exists()
    assert set(Delivery.objects.values_list("status", flat=True)) <= {"sent", "dropped"}
    sent = list(Delivery.objects.filter(status="sent").values_list("message_id", flat=True))
    assert Counter(mail["Message-ID"] for mail in mails) == Counter(sent)
    assert max(Delivery.objects.filter(status="sent").values_list("attempts", flat=True)) > 1
    # Each turn of ada, who gets a mail for each turn, has one, and no other mail but its reminders.
    mailed_turn_keys = [
        turn.dedup_key
        for turn in FeedEntry.objects.filter(
            kind="turn", player=player("ada"), notice_stage__in=FeedEntry.REMINDER_STAGES
        )
        if turn.data.get("by") != "player" or turn.data["seat"] != find_seat_no(turn)
    ]
    turn_mails = Delivery.objects.filter(player=player("ada"), kind="turn")
    assert sorted(turn_mails.values_list("dedup_key", flat=True)) == sorted(mailed_turn_keys)
    assert len(mailed_turn_keys) > 2
    links = {
        mail["Message-ID"]: re.search(r"/turn/([a-z0-9]+-\d+-\d+)-", mail.get_body(("plain",)).get_content())
        for mail in mails
    }
    mailed_turns = [
        links[message_id][1]
        for message_id in turn_mails.filter(status="sent").values_list("message_id", flat=True)
    ]
    assert len(set(mailed_turns)) == len(mailed_turns) > 2
    timeouts = FeedEntry.objects.filter(kind="timeout").values_list("player", "dedup_key")
    assert len(timeouts) == len(set(timeouts)) > 0


def find_seat_no(event: FeedEntry) -> int | None:
    return Seat.objects.get(game__code=event.data["game"], player=event.player).seat_no
