"""Feed entries become deliveries by the preferences of each player."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from accounts.models import Player
from accounts.selectors.player_tokens import find_player_by_mail_token
from common.budget import Budget
from common.service_errors import NotFound
from games import clock
from games.services import lobby, seat_settings, turns
from games.turn_notices import compute_next_digest
from notifications.models import Delivery, FeedEntry, Webhook
from notifications.services import notices
from tests.factories.cast import NOW, player, start_cast_game
from tests.helpers.notice_helpers import (
    DAY,
    HOUR,
    MINUTE,
    ONE_MINUTE_LATER,
    create_webhook,
    deliveries_to,
    fan_out,
    get_seat_clock,
    list_kinds,
    play_turn,
    set_wishes,
    start_table,
)

pytestmark = pytest.mark.django_db


# ------------------------------------------------------------------------------------------------ one notice


def test_a_turn_is_announced_a_moment_after_it_came_and_once() -> None:
    game, first, second = start_table()
    assert fan_out(NOW) == 0
    assert fan_out() == 2
    assert deliveries_to(first) == [("turn", "waiting")]
    assert deliveries_to(second) == [("started", "waiting")]
    assert fan_out() == 0
    mail = Delivery.objects.get(player=first)
    assert (mail.topic, mail.next_attempt_at, mail.data["seq"]) == (
        game.topic,
        ONE_MINUTE_LATER,
        get_seat_clock(game, first).turn_seq,
    )


def test_a_webhook_hears_what_the_mail_says_and_a_switched_off_one_nothing() -> None:
    game, first, _ = start_table()
    first_hook, two = create_webhook(first), create_webhook(first, "https://two.example.org/")
    create_webhook(first, "https://off.example.org/", active=False)
    fan_out()
    calls = Delivery.objects.filter(player=first, webhook__isnull=False).order_by("pk")
    assert [call.webhook for call in calls] == [first_hook, two]
    assert [call.address for call in calls] == ["hooks.example.org", "two.example.org"]
    assert {call.dedup_key.split(":", 1)[1] for call in calls} == {f"{game.code}:{game.seq}"}
    assert len(deliveries_to(first)) == 1


def test_a_program_is_called_at_once_and_a_chat_when_the_mail_is_due() -> None:
    game, first, second = start_table()
    program = create_webhook(first)
    chat = create_webhook(first, "https://chat.example.org/", preset=Webhook.Preset.DISCORD)
    create_webhook(second, "https://two.example.org/", active=False)
    for _ in range(2):
        notices.fan_out_webhook_calls(now=NOW, budget=Budget())
        assert [call.webhook for call in Delivery.objects.all()] == [program], "once, and nothing else"
    [call] = Delivery.objects.all()
    assert (call.player, call.topic, call.kind, call.next_attempt_at) == (first, game.topic, "turn", NOW)
    fan_out()
    calls = Delivery.objects.filter(player=first, webhook__isnull=False).order_by("pk")
    assert [call.webhook for call in calls] == [program, chat]
    assert deliveries_to(first) == [("turn", "waiting")]


def test_a_program_is_called_in_quiet_hours_too() -> None:
    game, _, second = start_table()
    set_wishes(second.name, quiet_from=NOW.time(), quiet_until=(NOW + 2 * HOUR).time())
    create_webhook(second)
    play_turn(game, NOW)
    turn = FeedEntry.objects.get(player=second, kind="turn")
    assert turn.notify_at
    assert turn.notify_at >= NOW + 2 * HOUR, "its mail waits for the end of quiet hours"
    notices.fan_out_webhook_calls(now=NOW, budget=Budget())
    assert [call.kind for call in Delivery.objects.filter(player=second)] == ["turn"]


def test_what_never_makes_a_call_is_not_looked_at_for_ever() -> None:
    """A turn that is played in quiet hours, before its webhook call, waits for its mail alone."""
    game, _, second = start_table()
    set_wishes(second.name, quiet_from=NOW.time(), quiet_until=(NOW + 2 * HOUR).time())
    create_webhook(second)
    play_turn(game, NOW)
    play_turn(game, NOW)
    assert notices.find_uncalled_entries().filter(notify_at__gt=NOW + HOUR).exists()
    with CaptureQueriesContext(connection) as queries:
        notices.fan_out_webhook_calls(now=NOW + HOUR, budget=Budget())
    assert len(queries) == 1


def test_a_batch_of_calls_takes_few_queries_however_many_games_run() -> None:
    def count_queries() -> int:
        with CaptureQueriesContext(connection) as queries:
            notices.fan_out_webhook_calls(now=NOW, budget=Budget())
        return len(queries)

    _, first, _ = start_table()
    create_webhook(first)
    first_cost = count_queries()
    for _ in range(6):
        start_cast_game("ada", "bob")
    assert count_queries() <= first_cost
    assert count_queries() == 1, "what was called is not looked at again"


def test_a_turn_that_passed_before_its_notice_is_not_announced() -> None:
    game, first, second = start_table()
    play_turn(game, NOW + timedelta(seconds=20))
    fan_out(NOW + 2 * MINUTE)
    assert list_kinds(first) == []
    assert list_kinds(second) == ["turn"], "and who was to hear of the start hears of the turn instead"


def test_a_turn_that_has_come_again_is_announced_and_reminded_of_once_not_twice() -> None:
    game, first, _ = start_table()
    play_turn(game, NOW + timedelta(seconds=10))
    play_turn(game, NOW + timedelta(seconds=20))
    assert get_seat_clock(game, first).is_on_turn, "and both of their turns have an event that is due"
    fan_out(NOW + 2 * MINUTE)
    assert list_kinds(first) == ["turn"]
    assert Delivery.objects.get(player=first).data["seq"] == get_seat_clock(game, first).turn_seq


def test_nobody_is_notified_of_a_move_that_leaves_one_waiting() -> None:
    game, first, _ = start_table()
    fan_out()
    play_turn(game, NOW + HOUR)
    fan_out(NOW + HOUR + MINUTE)
    assert list_kinds(first) == ["turn"]
    assert FeedEntry.objects.filter(player=first, kind="moved").exists()


def test_the_end_of_a_game_is_announced_to_those_who_did_not_bring_it_about() -> None:
    game, first, second = start_table()
    fan_out()
    turns.play_action(player=first, code=game.code, text="resign", seq=None, key="", now=NOW + HOUR)
    fan_out(NOW + HOUR + MINUTE)
    assert list_kinds(first) == ["turn"]
    assert list_kinds(second) == ["started", "over"]


@pytest.mark.parametrize("kind", ["timeout", "blind", "cancelled", "over", "vacation"])
def test_other_news_comes_at_once_however_turns_are_announced(kind: str) -> None:
    game, _, second = start_table()
    fan_out()
    for choice in Player.MailFrequency.values:
        set_wishes(second.name, mail_frequency=choice)
        FeedEntry.objects.create(
            player=second,
            topic=game.topic,
            kind=kind,
            dedup_key=f"{kind}:{choice}",
            data={"seq": 0},
            at=NOW,
            notify_at=NOW,
        )
    FeedEntry.objects.create(
        player=second,
        topic=game.topic,
        kind="moved",
        dedup_key="moved",
        data={"seq": 0},
        at=NOW,
        notify_at=NOW,
    )
    set_wishes(second.name, mail_frequency="digest")
    fan_out()
    assert list_kinds(second) == ["started"] + [kind] * 4
    set_wishes(second.name, mail_frequency="none")
    FeedEntry.objects.create(
        player=second, topic=game.topic, kind=kind, dedup_key="x", data={}, at=NOW, notify_at=NOW
    )
    fan_out()
    assert len(list_kinds(second)) == 5


# ----------------------------------------------------------------------------------------------- preferences


def test_who_wants_no_mails_gets_none_but_their_webhooks_are_called() -> None:
    set_wishes("ada", mail_frequency="none")
    set_wishes("bob", mail_frequency="none")
    _, first, _ = start_table()
    create_webhook(first)
    fan_out()
    assert deliveries_to(first) == []
    assert deliveries_to(first, webhook=True) == [("turn", "waiting")]


@pytest.mark.parametrize(
    ("mailed_at", "seen_at", "expected"),
    [
        (None, None, ["turn"]),
        (None, NOW - DAY, ["turn"]),
        (NOW - DAY, None, []),
        (NOW - DAY, NOW - 2 * DAY, []),
        (NOW - DAY, NOW - HOUR, ["turn"]),
    ],
)
def test_one_until_i_come_back(
    mailed_at: datetime | None, seen_at: datetime | None, expected: list[str]
) -> None:
    for name in ("ada", "bob"):
        set_wishes(name, mail_frequency="once", last_turn_mail_at=mailed_at, last_seen_at=seen_at)
    _, first, _ = start_table()
    fan_out()
    assert list_kinds(first) == expected


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
    day, at = compute_next_digest(Player(time_zone=zone, digest_hour=hour), now)
    assert at == expected
    assert day == expected.astimezone(clock.load_zone(zone)).date()


def test_all_turns_until_then_share_one_digest_and_later_ones_the_next() -> None:
    ada = set_wishes("ada", mail_frequency="digest", digest_hour=20)
    games = [start_cast_game("ada", "bob"), start_cast_game("ada", "cleo")]
    for game in games:
        if not get_seat_clock(game, ada).is_on_turn:
            play_turn(game, NOW)
    fan_out()
    (digest,) = Delivery.objects.filter(player=ada)
    assert (digest.kind, digest.dedup_key) == ("digest", "digest:2026-03-01")
    assert (digest.next_attempt_at, digest.topic, digest.data) == (
        datetime(2026, 3, 1, 20, tzinfo=UTC),
        "",
        {},
    )
    play_turn(games[0], NOW + HOUR)
    play_turn(games[0], NOW + 9 * HOUR)
    fan_out(NOW + 9 * HOUR + MINUTE)
    deliveries = Delivery.objects.filter(player=ada).order_by("pk")
    assert [delivery.dedup_key for delivery in deliveries] == ["digest:2026-03-01", "digest:2026-03-02"]


def test_a_muted_game_is_silent_and_an_unmuted_one_speaks_again() -> None:
    game, first, second = start_table()
    create_webhook(first)
    seat_settings.set_game_muted(player=first, code=game.code, muted=True, now=NOW)
    seat_settings.set_game_muted(mail_token=second.mail_token, code=game.code, muted=True, now=NOW)
    fan_out()
    assert Delivery.objects.count() == 0
    seat_settings.set_game_muted(player=first, code=game.code, muted=False, now=NOW)
    fan_out(get_seat_clock(game, first).runs_from + timedelta(seconds=0.75 * game.allowance))
    assert list_kinds(first) == ["reminder"]
    for wrong in ({"mail_token": ""}, {"mail_token": "nobody"}, {"player": player("cleo")}):
        with pytest.raises(NotFound):
            seat_settings.set_game_muted(code=game.code, muted=True, now=NOW, **wrong)


def test_a_dead_address_gets_no_mail_and_its_player_can_read_the_reason() -> None:
    game, first, _ = start_table()
    notices.mark_email_bounced(player=first, reason="550 no such\r\nuser  " + "x" * 300, now=NOW)
    notices.mark_email_bounced(player=first, reason="something else", now=NOW + DAY)
    first.refresh_from_db()
    assert (first.email_bounced_at, first.email_bounce_reason[:20], len(first.email_bounce_reason)) == (
        NOW,
        "550 no such user xxx",
        200,
    )
    set_wishes(first.name, language="it")
    create_webhook(first)
    fan_out()
    mail = Delivery.objects.get(player=first, webhook=None)
    assert (mail.status, mail.next_attempt_at) == ("dropped", None)
    assert "550 no such user" in mail.status_reason
    assert deliveries_to(first, webhook=True) == [("turn", "waiting")]
    game.refresh_from_db()
    assert game.status == "running"
    notices.clear_email_bounce(player=first, now=NOW)
    first.refresh_from_db()
    assert (first.email_bounced_at, first.email_bounce_reason) == (None, "")


def test_a_closed_account_hears_nothing() -> None:
    _, first, _ = start_table()
    set_wishes(first.name, is_active=False)
    fan_out()
    assert deliveries_to(first) == []


def test_no_more_mails_and_mails_again_by_the_key_of_a_link() -> None:
    ada = player("ada")
    assert find_player_by_mail_token(ada.mail_token) == ada
    for _repeated in range(2):
        notices.unsubscribe_from_mails(player=ada, now=NOW)
        assert ada.mail_frequency == player("ada").mail_frequency == "none"
    notices.resubscribe_to_mails(player=ada, now=NOW)
    assert ada.mail_frequency == player("ada").mail_frequency == "each"
    set_wishes("ada", is_active=False)
    for token in ("", "nobody", ada.mail_token):
        assert find_player_by_mail_token(token) is None


def test_a_test_is_one_a_minute_and_goes_even_to_a_dead_address() -> None:
    ada = set_wishes("ada", email_bounced_at=NOW, mail_frequency="none")
    first = notices.create_test_mail(player=ada, now=NOW)
    assert (first.kind, first.status, first.next_attempt_at) == ("test", "waiting", NOW)
    assert notices.create_test_mail(player=ada, now=NOW + timedelta(seconds=59)) == first
    assert notices.create_test_mail(player=ada, now=NOW + MINUTE) != first


# -------------------------------------------------------------------------------------- batches and accidents


def create_due_entries(number: int) -> list[FeedEntry]:
    """Create so many due feed entries of both players of a game."""
    game, first, second = start_table()
    FeedEntry.objects.all().delete()
    rows = [
        FeedEntry(
            player=(first, second)[i % 2],
            topic=game.topic,
            kind="timeout",
            dedup_key=f"many:{i}",
            data={"seq": i},
            at=NOW,
            notify_at=NOW,
        )
        for i in range(number)
    ]
    return FeedEntry.objects.bulk_create(rows)


def test_a_batch_takes_few_queries_however_many_it_tells() -> None:
    create_due_entries(200)
    create_webhook(player("ada"))
    with CaptureQueriesContext(
        connection,
    ) as few:
        assert fan_out() == 200
    assert Delivery.objects.count() == 300
    assert len(few) <= 9, [query["sql"][:80] for query in few]


def test_one_broken_event_is_pushed_ahead_and_the_rest_are_announced(
    caplog: pytest.LogCaptureFixture,
) -> None:
    game, first, second = start_table()
    secret = game.secrets
    secret.state = "not a state"
    secret.save()
    other, _, _ = start_table("cleo", "dirk")
    assert fan_out() == 4
    assert list_kinds(first) == []
    assert (
        FeedEntry.objects.get(player=first, kind="turn").notify_at == ONE_MINUTE_LATER + notices.RECHECK_AFTER
    )
    assert list_kinds(second) == ["started"]
    assert Delivery.objects.filter(topic=other.topic).count() == 2
    assert "could not be sent" in caplog.text


def test_who_dies_before_the_end_has_notified_nobody_and_the_next_one_notifies_all() -> None:
    _, first, _ = start_table()

    class Killed(Exception):
        pass

    @transaction.atomic
    def raise_killed() -> None:
        assert fan_out() == 2
        raise Killed

    with pytest.raises(Killed):
        raise_killed()
    assert Delivery.objects.count() == 0
    assert fan_out() == 2
    assert list_kinds(first) == ["turn"]


def test_an_event_that_somehow_comes_again_tells_nobody_again() -> None:
    _, first, _ = start_table()
    fan_out()
    FeedEntry.objects.filter(player=first).update(notify_at=NOW, notice_stage=FeedEntry.NoticeStage.PENDING)
    fan_out()
    assert list_kinds(first) == ["turn"]


@pytest.mark.django_db(transaction=True)
def test_any_number_of_sweeps_at_once_tells_everything_exactly_once() -> None:
    create_due_entries(120)
    done: list[int] = []
    start = threading.Barrier(6)

    def run_sweep() -> None:
        try:
            start.wait()
            while n := notices.fan_out_notices(now=ONE_MINUTE_LATER, limit=7):
                done.append(n)
        finally:
            connection.close()

    run_threads(6, run_sweep)
    assert sum(done) == 120
    assert Delivery.objects.count() == 120
    assert not FeedEntry.objects.filter(notify_at__isnull=False).exists()


@pytest.mark.django_db(transaction=True)
def test_a_sweep_does_not_wait_for_events_that_another_one_holds() -> None:
    create_due_entries(10)
    claimed, release = threading.Event(), threading.Event()

    def sweep_slowly() -> None:
        try:
            with transaction.atomic():
                notices.fan_out_notices(now=ONE_MINUTE_LATER, limit=4)
                claimed.set()
                release.wait(30)
        finally:
            connection.close()

    thread = threading.Thread(target=sweep_slowly)
    thread.start()
    assert claimed.wait(20)
    assert notices.fan_out_notices(now=ONE_MINUTE_LATER) == 6
    assert thread.is_alive(), "the other one holds its events still"
    release.set()
    thread.join()
    assert Delivery.objects.count() == 10
    assert notices.fan_out_notices(now=ONE_MINUTE_LATER) == 0


def run_threads(number: int, work: Callable[[], None]) -> None:
    threads = [threading.Thread(target=work) for _ in range(number)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_invitations_and_cancelled_games_are_announced_through_the_same_outbox() -> None:
    ada = player("ada")
    game = lobby.create_game(player=ada, now=NOW)
    lobby.join_game(player=ada, code=game.code, now=NOW)
    lobby.cancel_game_by_host(player=ada, code=game.code, now=NOW)
    FeedEntry.objects.filter(kind="cancelled").update(notify_at=NOW)
    fan_out()
    assert list_kinds(ada) == ["cancelled"]
