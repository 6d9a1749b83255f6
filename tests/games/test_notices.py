"""Who is told what and when: events become deliveries, as each player wants them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from games import clock
from games.models import Delivery, FeedEntry, Player, Webhook
from games.services import lobby, notices, turns
from games.services.budget import Budget
from games.services.errors import NotFound

from .cast import NOW, game_of, player
from .telling import (
    DAY,
    HOUR,
    MINUTE,
    SOON,
    deliveries_to,
    hook_of,
    kinds,
    play_turn,
    spread,
    table,
    waiting_since,
    wishes,
)

pytestmark = pytest.mark.django_db


# ------------------------------------------------------------------------------------------------ one notice


def test_a_turn_is_told_a_moment_after_it_came_and_once() -> None:
    game, first, second = table()
    assert spread(NOW) == 0
    assert spread() == 2
    assert deliveries_to(first) == [("turn", "waiting")]
    assert deliveries_to(second) == [("started", "waiting")]
    assert spread() == 0
    mail = Delivery.objects.get(player=first)
    assert (mail.game, mail.due_at, mail.data["seq"]) == (game, SOON, waiting_since(game, first).turn_seq)


def test_a_webhook_hears_what_the_mail_says_and_a_switched_off_one_nothing() -> None:
    game, first, _ = table()
    one, two = hook_of(first), hook_of(first, "https://two.example.org/")
    hook_of(first, "https://off.example.org/", active=False)
    spread()
    calls = Delivery.objects.filter(player=first, webhook__isnull=False).order_by("pk")
    assert [call.webhook for call in calls] == [one, two]
    assert [call.address for call in calls] == ["hooks.example.org", "two.example.org"]
    assert {call.reason.split(":", 1)[1] for call in calls} == {f"{game.code}:{game.seq}"}
    assert len(deliveries_to(first)) == 1


def test_a_program_is_called_at_once_and_a_chat_when_the_mail_is_due() -> None:
    game, first, second = table()
    program = hook_of(first)
    chat = hook_of(first, "https://chat.example.org/", preset=Webhook.Preset.DISCORD)
    hook_of(second, "https://two.example.org/", active=False)
    for _ in range(2):
        notices.fan_out_webhook_calls(now=NOW, budget=Budget())
        assert [call.webhook for call in Delivery.objects.all()] == [program], "once, and nothing else"
    [call] = Delivery.objects.all()
    assert (call.player, call.game, call.kind, call.due_at) == (first, game, "turn", NOW)
    spread()
    calls = Delivery.objects.filter(player=first, webhook__isnull=False).order_by("pk")
    assert [call.webhook for call in calls] == [program, chat]
    assert deliveries_to(first) == [("turn", "waiting")]


def test_a_program_is_called_in_quiet_hours_too() -> None:
    game, _, second = table()
    wishes(second.name, quiet_from=NOW.time(), quiet_until=(NOW + 2 * HOUR).time())
    hook_of(second)
    play_turn(game, NOW)
    turn = FeedEntry.objects.get(player=second, kind="turn")
    assert turn.due_at
    assert turn.due_at >= NOW + 2 * HOUR, "its mail waits for the end of quiet hours"
    notices.fan_out_webhook_calls(now=NOW, budget=Budget())
    assert [call.kind for call in Delivery.objects.filter(player=second)] == ["turn"]


def test_what_never_makes_a_call_is_not_looked_at_for_ever() -> None:
    """A turn that was answered before its program was called, in quiet hours, waits for its mail alone."""
    game, _, second = table()
    wishes(second.name, quiet_from=NOW.time(), quiet_until=(NOW + 2 * HOUR).time())
    hook_of(second)
    play_turn(game, NOW)
    play_turn(game, NOW)
    assert notices.find_uncalled_entries().filter(due_at__gt=NOW + HOUR).exists()
    with CaptureQueriesContext(connection) as asked:
        notices.fan_out_webhook_calls(now=NOW + HOUR, budget=Budget())
    assert len(asked) == 1


def test_a_batch_of_calls_takes_few_queries_however_many_games_run() -> None:
    def cost() -> int:
        with CaptureQueriesContext(connection) as asked:
            notices.fan_out_webhook_calls(now=NOW, budget=Budget())
        return len(asked)

    _, first, _ = table()
    hook_of(first)
    one = cost()
    for _ in range(6):
        game_of("ada", "bob")
    assert cost() <= one
    assert cost() == 1, "what was called is not looked at again"


def test_a_turn_that_passed_before_its_notice_is_not_told() -> None:
    game, first, second = table()
    play_turn(game, NOW + timedelta(seconds=20))
    spread(NOW + 2 * MINUTE)
    assert kinds(first) == []
    assert kinds(second) == ["turn"], "and who was to hear of the start hears of the turn instead"


def test_a_turn_that_has_come_again_is_told_and_reminded_of_once_not_twice() -> None:
    game, first, _ = table()
    play_turn(game, NOW + timedelta(seconds=10))
    play_turn(game, NOW + timedelta(seconds=20))
    assert waiting_since(game, first).is_on_turn, "and both of their turns have an event that is due"
    spread(NOW + 2 * MINUTE)
    assert kinds(first) == ["turn"]
    assert Delivery.objects.get(player=first).data["seq"] == waiting_since(game, first).turn_seq


def test_nothing_is_told_of_a_move_that_leaves_one_waiting() -> None:
    game, first, _ = table()
    spread()
    play_turn(game, NOW + HOUR)
    spread(NOW + HOUR + MINUTE)
    assert kinds(first) == ["turn"]
    assert FeedEntry.objects.filter(player=first, kind="moved").exists()


def test_the_end_of_a_game_is_told_to_those_who_did_not_bring_it_about() -> None:
    game, first, second = table()
    spread()
    turns.play_action(player=first, code=game.code, text="resign", seq=None, key="", now=NOW + HOUR)
    spread(NOW + HOUR + MINUTE)
    assert kinds(first) == ["turn"]
    assert kinds(second) == ["started", "over"]


@pytest.mark.parametrize("kind", ["timeout", "blind", "cancelled", "over", "vacation"])
def test_other_news_comes_at_once_however_turns_are_told(kind: str) -> None:
    game, _, second = table()
    spread()
    for choice in Player.MailFrequency.values:
        wishes(second.name, mails=choice)
        FeedEntry.objects.create(
            player=second,
            game=game,
            kind=kind,
            reason=f"{kind}:{choice}",
            data={"seq": 0},
            at=NOW,
            due_at=NOW,
        )
    FeedEntry.objects.create(
        player=second, game=game, kind="moved", reason="moved", data={"seq": 0}, at=NOW, due_at=NOW
    )
    wishes(second.name, mails="digest")
    spread()
    assert kinds(second) == ["started"] + [kind] * 4
    wishes(second.name, mails="none")
    FeedEntry.objects.create(player=second, game=game, kind=kind, reason="x", data={}, at=NOW, due_at=NOW)
    spread()
    assert len(kinds(second)) == 5


# ------------------------------------------------------------------------------------- how a player wants it


def test_who_wants_no_mails_gets_none_but_their_webhooks_are_called() -> None:
    wishes("ada", mails="none")
    wishes("bob", mails="none")
    _, first, _ = table()
    hook_of(first)
    spread()
    assert deliveries_to(first) == []
    assert deliveries_to(first, webhook=True) == [("turn", "waiting")]


@pytest.mark.parametrize(
    ("mailed", "seen", "expected"),
    [
        (None, None, ["turn"]),
        (None, NOW - DAY, ["turn"]),
        (NOW - DAY, None, []),
        (NOW - DAY, NOW - 2 * DAY, []),
        (NOW - DAY, NOW - HOUR, ["turn"]),
    ],
)
def test_one_until_i_come_back(mailed: datetime | None, seen: datetime | None, expected: list[str]) -> None:
    for name in ("ada", "bob"):
        wishes(name, mails="once", mailed_at=mailed, seen_at=seen)
    _, first, _ = table()
    spread()
    assert kinds(first) == expected


@pytest.mark.parametrize(
    ("zone", "hour", "now", "expected"),
    [
        ("UTC", 8, datetime(2026, 3, 1, 12, 1, tzinfo=UTC), datetime(2026, 3, 2, 8, tzinfo=UTC)),
        ("UTC", 13, datetime(2026, 3, 1, 12, 1, tzinfo=UTC), datetime(2026, 3, 1, 13, tzinfo=UTC)),
        ("UTC", 12, datetime(2026, 3, 1, 12, 1, tzinfo=UTC), datetime(2026, 3, 2, 12, tzinfo=UTC)),
        (
            "Pacific/Auckland",
            8,
            datetime(2026, 3, 1, 12, 1, tzinfo=UTC),
            datetime(2026, 3, 1, 19, tzinfo=UTC),
        ),
        # The night in which clocks are put forward, and one with an hour that comes twice.
        ("Europe/Rome", 8, datetime(2026, 3, 28, 21, tzinfo=UTC), datetime(2026, 3, 29, 6, tzinfo=UTC)),
        ("Europe/Rome", 2, datetime(2026, 3, 29, 0, 30, tzinfo=UTC), datetime(2026, 3, 29, 1, tzinfo=UTC)),
        ("Europe/Rome", 2, datetime(2026, 10, 24, 23, tzinfo=UTC), datetime(2026, 10, 25, 0, tzinfo=UTC)),
    ],
)
def test_a_digest_comes_at_the_next_such_hour_of_the_player(
    zone: str, hour: int, now: datetime, expected: datetime
) -> None:
    day, at = notices.compute_next_digest(Player(time_zone=zone, digest_hour=hour), now)
    assert at == expected
    assert day == expected.astimezone(clock.load_zone(zone)).date()


def test_all_turns_until_then_share_one_digest_and_later_ones_the_next() -> None:
    ada = wishes("ada", mails="digest", digest_hour=20)
    games = [game_of("ada", "bob"), game_of("ada", "cleo")]
    for game in games:
        if not waiting_since(game, ada).is_on_turn:
            play_turn(game, NOW)
    spread()
    (digest,) = Delivery.objects.filter(player=ada)
    assert (digest.kind, digest.reason) == ("digest", "digest:2026-03-01")
    assert (digest.due_at, digest.game, digest.data) == (datetime(2026, 3, 1, 20, tzinfo=UTC), None, {})
    play_turn(games[0], NOW + HOUR)
    play_turn(games[0], NOW + 9 * HOUR)
    spread(NOW + 9 * HOUR + MINUTE)
    found = Delivery.objects.filter(player=ada).order_by("pk")
    assert [one.reason for one in found] == ["digest:2026-03-01", "digest:2026-03-02"]


def test_a_muted_game_is_silent_and_an_unmuted_one_speaks_again() -> None:
    game, first, second = table()
    hook_of(first)
    notices.set_game_muted(player=first, code=game.code, muted=True, now=NOW)
    notices.set_game_muted(mail_token=second.mail_key, code=game.code, muted=True, now=NOW)
    spread()
    assert Delivery.objects.count() == 0
    notices.set_game_muted(player=first, code=game.code, muted=False, now=NOW)
    spread(waiting_since(game, first).runs_from + timedelta(seconds=0.75 * game.allowance))
    assert kinds(first) == ["reminder"]
    for wrong in ({"mail_token": ""}, {"mail_token": "nobody"}, {"player": player("cleo")}):
        with pytest.raises(NotFound):
            notices.set_game_muted(code=game.code, muted=True, now=NOW, **wrong)


def test_a_dead_address_gets_no_mail_and_its_player_can_read_why() -> None:
    game, first, _ = table()
    notices.mark_email_bounced(player=first, reason="550 no such\r\nuser  " + "x" * 300, now=NOW)
    notices.mark_email_bounced(player=first, reason="something else", now=NOW + DAY)
    first.refresh_from_db()
    assert (first.dead_at, first.dead_why[:20], len(first.dead_why)) == (NOW, "550 no such user xxx", 200)
    wishes(first.name, language="it")
    hook_of(first)
    spread()
    mail = Delivery.objects.get(player=first, webhook=None)
    assert (mail.status, mail.due_at) == ("dropped", None)
    assert "550 no such user" in mail.why
    assert deliveries_to(first, webhook=True) == [("turn", "waiting")]
    game.refresh_from_db()
    assert game.status == "running"
    notices.clear_email_bounce(player=first, now=NOW)
    first.refresh_from_db()
    assert (first.dead_at, first.dead_why) == (None, "")


def test_a_closed_account_hears_nothing() -> None:
    _, first, _ = table()
    wishes(first.name, is_active=False)
    spread()
    assert deliveries_to(first) == []


def test_no_more_mails_and_mails_again_by_the_key_of_a_link() -> None:
    ada = player("ada")
    assert notices.unsubscribe_from_mails(mail_token=ada.mail_key, now=NOW) == ada
    assert notices.unsubscribe_from_mails(mail_token=ada.mail_key, now=NOW).mails == "none"
    ada.refresh_from_db()
    assert ada.mails == "none"
    notices.resubscribe_to_mails(mail_token=ada.mail_key, now=NOW)
    ada.refresh_from_db()
    assert ada.mails == "each"
    wishes("ada", is_active=False)
    for key in ("", "nobody", ada.mail_key):
        with pytest.raises(NotFound):
            notices.unsubscribe_from_mails(mail_token=key, now=NOW)


def test_a_test_is_one_a_minute_and_goes_even_to_a_dead_address() -> None:
    ada = wishes("ada", dead_at=NOW, mails="none")
    first = notices.create_test_mail(player=ada, now=NOW)
    assert (first.kind, first.status, first.due_at) == ("test", "waiting", NOW)
    assert notices.create_test_mail(player=ada, now=NOW + timedelta(seconds=59)) == first
    assert notices.create_test_mail(player=ada, now=NOW + MINUTE) != first


# -------------------------------------------------------------------------------- many at once, and accidents


def many(number: int) -> list[FeedEntry]:
    """So many events of different players of the same game, all due."""
    game, first, second = table()
    FeedEntry.objects.all().delete()
    rows = [
        FeedEntry(
            player=(first, second)[i % 2],
            game=game,
            kind="timeout",
            reason=f"many:{i}",
            data={"seq": i},
            at=NOW,
            due_at=NOW,
        )
        for i in range(number)
    ]
    return FeedEntry.objects.bulk_create(rows)


def test_a_batch_takes_few_queries_however_many_it_tells() -> None:
    many(200)
    hook_of(player("ada"))
    with CaptureQueriesContext(
        connection,
    ) as few:
        assert spread() == 200
    assert Delivery.objects.count() == 300
    assert len(few) <= 9, [query["sql"][:80] for query in few]


def test_one_broken_event_is_pushed_ahead_and_the_rest_are_told(caplog: pytest.LogCaptureFixture) -> None:
    game, first, second = table()
    secret = game.secret
    secret.state = "not a state"
    secret.save()
    other, _, _ = table("cleo", "dirk")
    assert spread() == 4
    assert kinds(first) == []
    assert FeedEntry.objects.get(player=first, kind="turn").due_at == SOON + notices.RECHECK_AFTER
    assert kinds(second) == ["started"]
    assert Delivery.objects.filter(game=other).count() == 2
    assert "could not be told" in caplog.text


def test_who_dies_before_the_end_has_told_nobody_and_the_next_one_tells_all() -> None:
    _, first, _ = table()

    class Killed(Exception):
        pass

    @transaction.atomic
    def die() -> None:
        assert spread() == 2
        raise Killed

    with pytest.raises(Killed):
        die()
    assert Delivery.objects.count() == 0
    assert spread() == 2
    assert kinds(first) == ["turn"]


def test_an_event_that_somehow_comes_again_tells_nobody_again() -> None:
    _, first, _ = table()
    spread()
    FeedEntry.objects.filter(player=first).update(due_at=NOW, stage=0)
    spread()
    assert kinds(first) == ["turn"]


@pytest.mark.django_db(transaction=True)
def test_any_number_of_sweeps_at_once_tells_everything_exactly_once() -> None:
    many(120)
    done: list[int] = []
    start = threading.Barrier(6)

    def sweep() -> None:
        try:
            start.wait()
            while n := notices.fan_out_notices(now=SOON, limit=7):
                done.append(n)
        finally:
            connection.close()

    run(6, sweep)
    assert sum(done) == 120
    assert Delivery.objects.count() == 120
    assert not FeedEntry.objects.filter(due_at__isnull=False).exists()


@pytest.mark.django_db(transaction=True)
def test_a_sweep_does_not_wait_for_events_that_another_one_holds() -> None:
    many(10)
    held, release = threading.Event(), threading.Event()

    def slow() -> None:
        try:
            with transaction.atomic():
                notices.fan_out_notices(now=SOON, limit=4)
                held.set()
                release.wait(30)
        finally:
            connection.close()

    thread = threading.Thread(target=slow)
    thread.start()
    assert held.wait(20)
    assert notices.fan_out_notices(now=SOON) == 6
    assert thread.is_alive(), "the other one holds its events still"
    release.set()
    thread.join()
    assert Delivery.objects.count() == 10
    assert notices.fan_out_notices(now=SOON) == 0


def run(number: int, work: Callable[[], None]) -> None:
    threads = [threading.Thread(target=work) for _ in range(number)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_invitations_and_cancelled_games_are_told_through_the_same_outbox() -> None:
    ada = player("ada")
    game = lobby.create_game(player=ada, now=NOW)
    lobby.join_game(player=ada, code=game.code, now=NOW)
    lobby.cancel_game_by_host(player=ada, code=game.code, now=NOW)
    FeedEntry.objects.filter(kind="cancelled").update(due_at=NOW)
    spread()
    assert kinds(ada) == ["cancelled"]
