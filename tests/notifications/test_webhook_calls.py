"""The order of calls within a game, slow and dead receivers, chosen kinds, whole payloads."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from standardwebhooks import Webhook as Verifier
from standardwebhooks import WebhookVerificationError

from common.budget import Budget
from games.models import Game
from games.services import turns
from notifications.channels.webhook import webhook_http, webhook_sender
from notifications.models import Delivery, Webhook
from notifications.notice_kinds import list_chosen_kinds
from notifications.services import notices, outbox, webhooks
from tests.factories.cast import NOW, player, start_cast_game
from tests.helpers.listener import Call, Listener, create_delivery, create_webhook, read_state

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def allow_private_webhooks(settings: Any) -> None:
    """Allow calls to the local server."""
    settings.WEBHOOKS_TO_PRIVATE = True


@pytest.fixture
def server() -> Iterator[Listener]:
    with Listener() as listener:
        yield listener


def answer_500(handler: Any) -> bool:
    """Answer with status 500."""
    handler.send_response(500)
    handler.send_header("Content-Length", "0")
    handler.end_headers()
    return True


def fail_calls(server: Listener, is_failing: Callable[[Call], bool]) -> None:
    """Let the server answer 500 to these calls."""
    server.act = lambda handler: is_failing(server.calls[-1]) and answer_500(handler)


def create_game_call(webhook: Webhook, number: int, topic: str) -> Delivery:
    """Create a call about a game that waits for a webhook."""
    return create_delivery(webhook, number, topic=topic)


# ------------------------------------------------------------------------------------ order and independence


def test_nine_calls_of_other_games_go_out_while_one_fails(server: Listener) -> None:
    webhook = create_webhook(server.url)
    failing, *other_calls = [create_game_call(webhook, number, f"game:g{number}") for number in range(10)]
    fail_calls(server, lambda call: call.headers["webhook-id"] == str(failing.pk))
    webhook_sender.send_due_webhooks(now=NOW)
    assert read_state(failing) == ("waiting", "The host answered 500.")
    assert {read_state(delivery)[0] for delivery in other_calls} == {"sent"}, (
        "in the same run, without a pause"
    )
    failing.refresh_from_db()
    assert failing.next_attempt_at == NOW + outbox.WEBHOOK_RETRY_DELAYS[0]
    webhook.refresh_from_db()
    assert (webhook.busy_until, webhook.failures_in_a_row) == (None, 0)


def test_a_test_call_that_fails_delays_nothing(server: Listener) -> None:
    webhook = create_webhook(server.url)
    failing = create_delivery(webhook)
    other_calls = [create_delivery(webhook, number) for number in range(2, 6)]
    fail_calls(server, lambda call: call.headers["webhook-id"] == str(failing.pk))
    webhook_sender.send_due_webhooks(now=NOW)
    assert {read_state(delivery)[0] for delivery in other_calls} == {"sent"}


def test_the_later_calls_of_a_game_wait_for_the_one_that_fails_and_come_in_order(server: Listener) -> None:
    webhook = create_webhook(server.url)
    first, second, third = [create_game_call(webhook, number, "game:same") for number in range(3)]
    elsewhere = create_game_call(webhook, 3, "game:other")
    server.status = 503
    fail_calls(server, lambda call: False)
    server.act = lambda handler: (
        server.calls[-1].headers["webhook-id"] == str(first.pk) and answer_500(handler)
    )
    server.status = 200
    webhook_sender.send_due_webhooks(now=NOW)
    assert [read_state(delivery)[0] for delivery in (first, second, third)] == ["waiting"] * 3
    assert read_state(elsewhere)[0] == "sent"
    second.refresh_from_db()
    assert second.attempts == 0, "it was held back, not tried"

    server.act = None
    server.calls.clear()
    webhook_sender.send_due_webhooks(now=NOW + outbox.WEBHOOK_RETRY_DELAYS[0])
    assert [int(call.headers["webhook-id"]) for call in server.calls] == [first.pk, second.pk, third.pk]


def test_a_call_that_is_given_up_lets_the_next_one_of_its_game_go(server: Listener) -> None:
    webhook = create_webhook(server.url)
    last_attempt = create_delivery(webhook, topic="game:same", attempts=len(outbox.WEBHOOK_RETRY_DELAYS))
    behind = create_game_call(webhook, 2, "game:same")
    fail_calls(server, lambda call: call.headers["webhook-id"] == str(last_attempt.pk))
    webhook_sender.send_due_webhooks(now=NOW)
    assert read_state(last_attempt)[0] == "failed"
    assert read_state(behind)[0] == "sent"


def test_the_same_game_at_another_webhook_does_not_wait(server: Listener) -> None:
    broken, working = create_webhook(f"{server.url}&broken"), create_webhook(server.url)
    calls = [create_game_call(webhook, 1, "game:same") for webhook in (broken, working)]
    fail_calls(server, lambda call: call.path.endswith("broken"))
    webhook_sender.send_due_webhooks(now=NOW)
    assert [read_state(call)[0] for call in calls] == ["waiting", "sent"]


# ------------------------------------------------------------------------------------ dead and slow receivers


def test_a_receiver_that_takes_no_call_gets_a_pause_and_its_first_success_ends_it(server: Listener) -> None:
    server.status = 500
    webhook = create_webhook(server.url)
    for number in range(10):
        create_game_call(webhook, number, f"game:g{number}")
    webhook_sender.send_due_webhooks(now=NOW)
    assert len(server.calls) == webhooks.MAX_FAILED_CALLS
    assert webhook_sender.send_due_webhooks(now=NOW + timedelta(seconds=1)) == 0
    after_pause = NOW + webhooks.PAUSE_AFTER_FAILURE
    webhook_sender.send_due_webhooks(now=after_pause)
    assert len(server.calls) == webhooks.MAX_FAILED_CALLS + 1, "one call to see whether it is back"

    server.status = 200
    webhook_sender.send_due_webhooks(now=after_pause + webhooks.PAUSE_AFTER_FAILURE)
    webhook.refresh_from_db()
    assert (webhook.failures_in_a_row, webhook.busy_until) == (0, None)
    assert Delivery.objects.filter(status="sent").count() >= 6, "all that were due"


def test_one_call_that_fails_again_and_again_never_makes_its_webhook_pause(server: Listener) -> None:
    server.status = 500
    webhook = create_webhook(server.url)
    create_game_call(webhook, 1, "game:broken")
    now = NOW
    for delay in outbox.WEBHOOK_RETRY_DELAYS:
        webhook_sender.send_due_webhooks(now=now)
        webhook.refresh_from_db()
        assert (webhook.failures_in_a_row, webhook.busy_until) == (1, None)
        now += delay


def test_a_slow_receiver_keeps_one_thread_busy_and_nobody_waits_for_it(server: Listener) -> None:
    """The slow receiver answers after all calls to the quick one; sending in rounds would never get there."""
    all_quick_calls_came = threading.Event()
    slow_answers: list[bool] = []
    slow_calls_under_way: list[int] = []

    def wait_for_quick_calls(handler: Any) -> bool:
        paths = [call.path for call in server.calls]
        if handler.path.endswith("quick"):
            if sum(path.endswith("quick") for path in paths) == 8:
                all_quick_calls_came.set()
        else:
            slow_calls_under_way.append(sum(path.endswith("slow") for path in paths) - len(slow_answers))
            slow_answers.append(all_quick_calls_came.wait(webhook_http.REQUEST_TIMEOUT_SECONDS - 1))
        return False

    server.act = wait_for_quick_calls
    slow, quick = create_webhook(f"{server.url}&slow"), create_webhook(f"{server.url}&quick", "bob")
    slow_calls = [create_game_call(slow, number, f"game:s{number}") for number in range(3)]
    quick_calls = [create_game_call(quick, number, f"game:q{number}") for number in range(8)]
    webhook_sender.send_due_webhooks(now=NOW, budget=Budget.unlimited())
    assert slow_answers == [True] * 3
    assert slow_calls_under_way == [1, 1, 1]
    assert {read_state(call)[0] for call in (*slow_calls, *quick_calls)} == {"sent"}


def test_a_run_ends_with_its_budget(server: Listener) -> None:
    webhook = create_webhook(server.url)
    for number in range(3):
        create_delivery(webhook, number)
    assert webhook_sender.send_due_webhooks(now=NOW, budget=Budget(0)) == 1
    assert len(server.calls) == 1


def test_failing_webhooks_share_few_threads(server: Listener) -> None:
    failing_webhooks = [create_webhook(f"{server.url}&{number}", name) for name in ("ada", "bob")
                        for number in range(4)]  # fmt: skip
    Webhook.objects.update(failures_in_a_row=webhooks.MAX_FAILED_CALLS)
    for webhook in failing_webhooks:
        create_delivery(webhook)
    healthy = create_delivery(create_webhook(f"{server.url}&healthy"))
    claimed = webhooks.claim_due_calls(
        now=NOW, limit=20, failing_limit=webhook_sender.MAX_PARALLEL_FAILING_CALLS
    )
    assert len(claimed) == 1 + webhook_sender.MAX_PARALLEL_FAILING_CALLS
    assert healthy in claimed
    assert webhooks.claim_due_calls(now=NOW, limit=20, failing_limit=0) == []


def test_many_waiting_calls_take_no_more_queries_to_claim(
    server: Listener, django_assert_max_num_queries: Any
) -> None:
    webhook = create_webhook(server.url)
    for number in range(40):
        create_game_call(webhook, number, f"game:g{number % 20}")
    with django_assert_max_num_queries(9):
        assert len(webhooks.claim_due_calls(now=NOW, limit=20)) == 1


# ------------------------------------------------------------------------------------------- choices


def create_turn(name_of_webhook: str, **choices: Any) -> tuple[Game, Webhook]:
    """Start a game in which a player with this webhook is to act."""
    game = start_cast_game("ada", "bob")
    seat = next(s for s in game.seats.select_related("player") if game.to_act_mask >> s.seat_no & 1)
    assert seat.player
    webhook = webhooks.create_webhook(
        player=seat.player, url=name_of_webhook, now=NOW, **{"preset": "json", **choices}
    )
    return game, webhook


def list_planned_kinds(webhook: Webhook) -> list[str]:
    return list(Delivery.objects.filter(webhook=webhook).order_by("pk").values_list("kind", flat=True))


def test_a_webhook_gets_the_kinds_that_it_chose(server: Listener) -> None:
    game, turns_only = create_turn(server.url, kinds=["turn"])
    owner = turns_only.player
    ends_only, everything = [
        webhooks.create_webhook(player=owner, url=f"{server.url}&{name}", preset="json", now=NOW, kinds=kinds)
        for name, kinds in (("ends", ["over"]), ("all", None))
    ]
    notices.fan_out_webhook_calls(now=NOW, budget=Budget())
    notices.fan_out_notices(now=NOW + timedelta(minutes=5))
    assert [list_planned_kinds(webhook) for webhook in (turns_only, ends_only, everything)] == [
        ["turn"],
        [],
        ["turn"],
    ]
    assert Delivery.objects.filter(player=owner, webhook=None, kind="turn").exists(), "mails go on"
    other = player("bob" if owner.name == "ada" else "ada")
    turns.play_action(player=other, code=game.code, text="resign", seq=None, key="", now=NOW)
    notices.fan_out_notices(now=NOW + timedelta(minutes=5))
    assert [list_planned_kinds(webhook) for webhook in (turns_only, ends_only, everything)] == [
        ["turn"],
        ["over"],
        ["turn", "over"],
    ]


def test_a_test_call_comes_whatever_kinds_are_chosen(server: Listener) -> None:
    webhook = webhooks.create_webhook(
        player=player("ada"), url=server.url, preset="json", now=NOW, kinds=["over"]
    )
    webhooks.create_test_call(player=player("ada"), webhook_id=webhook.pk, now=NOW)
    webhook_sender.send_due_webhooks(now=NOW)
    assert [call.json["kind"] for call in server.calls] == ["test"]


@pytest.mark.parametrize(
    ("preset", "immediate", "is_called"),
    [("json", None, True), ("json", False, False), ("discord", None, False), ("slack", True, True)],
)
def test_an_immediate_webhook_does_not_wait_for_the_mail(
    server: Listener, preset: str, immediate: bool | None, is_called: bool
) -> None:
    _game, webhook = create_turn(server.url, preset=preset, immediate=immediate)
    notices.fan_out_webhook_calls(now=NOW, budget=Budget())
    assert list_planned_kinds(webhook) == (["turn"] if is_called else [])
    notices.fan_out_notices(now=NOW + timedelta(minutes=5))
    assert list_planned_kinds(webhook) == ["turn"], "once"


def ask(method: str, path: str, body: Any = None) -> Any:
    """Send an API request in a session of ada."""
    client = Client()
    client.force_login(player("ada"))
    return client.generic(method, f"/api/v1/{path}", json.dumps(body), "application/json")


def test_the_api_chooses_kinds_and_time_and_keeps_what_is_not_named(server: Listener) -> None:
    created = ask("POST", "me/webhooks/", {"url": server.url, "kinds": ["over", "turn"]}).json()
    assert (created["kinds"], created["immediate"]) == (["turn", "over"], True)
    path = f"me/webhooks/{created['id']}/"
    changed = ask("PATCH", path, {"immediate": False}).json()
    assert (changed["kinds"], changed["immediate"], changed["active"]) == (["turn", "over"], False, True)
    changed = ask("PATCH", path, {"kinds": None, "active": False}).json()
    assert (changed["kinds"], changed["immediate"], changed["active"]) == (None, False, False)
    for body, status in (
        ({"kinds": ["tern"]}, 422),
        ({"kinds": ["test"]}, 422),
        ({"kinds": []}, 400),
        ({"kinds": "turn"}, 400),
        ({"immediate": "yes"}, 400),
    ):
        assert ask("PATCH", path, body).status_code == status, body
        assert ask("POST", "me/webhooks/", {"url": f"{server.url}2", **body}).status_code == status, body
    for body in ({}, {"immediate": None}, {"active": None}):
        assert ask("PATCH", path, body).status_code == 400, body
    stored_webhook = Webhook.objects.get(pk=created["id"])
    assert (stored_webhook.kinds, stored_webhook.immediate, stored_webhook.active) == (None, False, False)


def test_the_page_chooses_kinds_and_time(client: Client, server: Listener) -> None:
    client.force_login(player("ada"))
    client.post(
        "/me/webhooks/", {"url": server.url, "preset": "slack", "kinds": ["turn"], "immediate": "yes"}
    )
    webhook = Webhook.objects.get()
    assert (webhook.kinds, webhook.immediate) == (["turn"], True)
    page = client.get("/me/webhooks/").text
    assert "called within seconds" in page
    assert page.count('value="tournament-start"') == 2, "in the form of this webhook and of a new one"
    change = f"/me/webhooks/{webhook.pk}/change/"
    assert client.post(change, {"immediate": "no"})["Location"] == "/me/webhooks/"
    webhook.refresh_from_db()
    assert (webhook.kinds, webhook.immediate) == (None, False)
    for bad in ({}, {"immediate": "perhaps"}, {"immediate": "yes", "kinds": ["tern"]}):
        client.post(change, bad)
        webhook.refresh_from_db()
        assert (webhook.kinds, webhook.immediate) == (None, False)
    client.force_login(player("bob"))
    client.post(change, {"immediate": "yes"})
    webhook.refresh_from_db()
    assert not webhook.immediate, "it is not bob's"


def test_every_kind_that_webhooks_get_can_be_chosen(server: Listener) -> None:
    kinds = [kind.value for kind in list_chosen_kinds()]
    assert {"turn", "reminder", "over", "tournament-pairing"} <= set(kinds)
    assert "test" not in kinds
    webhook = webhooks.create_webhook(
        player=player("ada"), url=server.url, preset="json", now=NOW, kinds=kinds[::-1]
    )
    assert webhook.kinds == kinds


# ------------------------------------------------------------------------------------------- status


def test_attempts_the_last_error_and_the_next_time_are_shown(client: Client, server: Listener) -> None:
    game = start_cast_game("ada", "bob")
    webhook = create_webhook(server.url)
    server.status = 502
    failing = create_delivery(webhook, kind="started", topic=game.topic)
    create_game_call(webhook, 2, game.topic)
    webhook_sender.send_due_webhooks(now=NOW)
    [webhook_data] = ask("GET", "me/webhooks/").json()
    assert webhook_data["waiting_calls"] == 2
    assert webhook_data["failing_calls"] == [
        {
            "id": failing.pk,
            "kind": "started",
            "game": game.code,
            "attempts": 1,
            "last_error": "The host answered 502.",
            "next_attempt_at": "2026-03-01T12:01:00Z",
        }
    ]
    client.force_login(player("ada"))
    page = client.get("/me/webhooks/").text
    for words in ("2 calls wait", "The host answered 502.", "once", "2026-03-01T12:01:00+00:00", game.code):
        assert words in page
    for number in range(20):
        create_delivery(webhook, 100 + number, attempts=1, status_reason="The host took too long to answer.")
    [webhook_data] = ask("GET", "me/webhooks/").json()
    assert (len(webhook_data["failing_calls"]), webhook_data["waiting_calls"]) == (10, 22)


def test_a_call_has_the_three_headers_that_the_library_of_standard_webhooks_verifies(
    server: Listener,
) -> None:
    webhook = create_webhook(server.url)
    now = timezone.now()
    create_delivery(webhook, due=now)
    webhook_sender.send_due_webhooks(now=now)
    [call] = server.calls
    names = ("webhook-id", "webhook-timestamp", "webhook-signature")
    signed_headers = {name: call.headers[name] for name in names}
    assert Verifier(webhook.signing_secret).verify(call.body, signed_headers) == call.json
    for name in names:
        with pytest.raises(WebhookVerificationError):
            Verifier(webhook.signing_secret).verify(
                call.body, {key: value for key, value in signed_headers.items() if key != name}
            )
    with pytest.raises(WebhookVerificationError):
        Verifier(webhook.signing_secret).verify(call.body.replace(b"test", b"best"), signed_headers)
