"""Webhook calls: their contents, and failures."""

from __future__ import annotations

import html
import re
import socket
import threading
import time
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from accounts.models import Player
from accounts.services import players
from games.models import Game, Seat
from games.services import turns
from notifications.channels.webhook import webhook_http, webhook_sender
from notifications.models import Delivery, FeedEntry, Webhook
from notifications.services import notices, outbox, webhooks
from tests.factories.cast import NOW, Api, player, start_cast_game
from tests.helpers.listener import Listener, compute_signature, create_delivery, create_webhook, read_state

pytestmark = pytest.mark.django_db
KEYS = {"id", "kind", "tournament", "league", "round", "match", "game", "seat", "seq"}
KEYS |= {"deadline", "deadline_kind", "round_end", "url", "text", "at"}


@pytest.fixture(autouse=True)
def allow_private_webhooks(settings: Any) -> None:
    """Allow calls to the local server; tests of private addresses forbid them again."""
    settings.WEBHOOKS_TO_PRIVATE = True


@pytest.fixture
def server() -> Iterator[Listener]:
    with Listener() as listener:
        yield listener


def get_player_to_act(game: Game) -> tuple[Player, Seat]:
    """Return the player to act and their seat."""
    seat = next(
        place for place in game.seats.select_related("player") if game.to_act_mask >> place.seat_no & 1
    )
    return seat.player, seat


def get_other_name(mover: Player) -> str:
    return "bob" if mover.name == "ada" else "ada"


# ------------------------------------------------------------------------------------------------- contents


def test_a_turn_is_sent_and_signed(server: Listener) -> None:
    game = start_cast_game("ada", "bob")
    mover, seat = get_player_to_act(game)
    webhook = create_webhook(server.url, mover.name)
    later = NOW + timedelta(minutes=5)
    notices.fan_out_notices(now=later)
    assert webhook_sender.send_due_webhooks(now=later) == 1
    [call] = server.calls
    assert call.path == "/otto?room=7"
    delivery = Delivery.objects.get(webhook=webhook)
    assert read_state(delivery) == ("sent", "")
    assert (delivery.sent_at, delivery.next_attempt_at, delivery.attempts) == (later, None, 1)

    other = get_other_name(mover)
    body = call.json
    assert body.keys() == KEYS
    assert (body["id"], body["kind"], body["game"]) == (delivery.pk, "turn", game.code)
    assert (body["seat"], body["seq"]) == (seat.seat_no, 0)
    assert body["deadline"] == game.deadline.strftime("%Y-%m-%dT%H:%M:%SZ")
    assert body["url"].endswith(f"/games/{game.code}/")
    assert body["text"].startswith(f"It is your turn against {other}. Move by March 10, 2026, ")
    assert body["text"].endswith(" UTC.")

    assert call.headers["Content-Type"] == "application/json"
    assert call.headers["webhook-id"] == str(delivery.pk)
    assert int(call.headers["webhook-timestamp"]) == later.timestamp()
    assert call.headers["webhook-signature"] == compute_signature(webhook.signing_secret, call)


def test_the_lines_of_the_page_tell_our_calls_from_forged_ones(client: Client, server: Listener) -> None:
    page = client.get("/api/").text
    code = re.search(r'<pre id="verify"[^>]*>(.*?)</pre>', page, re.DOTALL)
    assert code
    namespace: dict[str, Any] = {}
    exec(html.unescape(code[1]), namespace)
    webhook = create_webhook(server.url)
    now = timezone.now()
    create_delivery(webhook, due=now)
    webhook_sender.send_due_webhooks(now=now)
    [call] = server.calls
    assert namespace["is_ours"](call.headers, call.body, webhook.signing_secret)
    assert not namespace["is_ours"](call.headers, call.body + b" ", webhook.signing_secret)
    assert not namespace["is_ours"](call.headers, call.body, webhooks.generate_webhook_secret())
    for wrong in (
        {"webhook-timestamp": str(int(now.timestamp()) + 1)},
        {"webhook-id": "1"},
        *({"webhook-signature": signature} for signature in ("v1=", "v1,", "v1,a", "v2,YQ==", "")),
    ):
        assert not namespace["is_ours"](call.headers | wrong, call.body, webhook.signing_secret), wrong

    old = now - timedelta(hours=1)
    create_delivery(webhook, 2, due=old)
    webhook_sender.send_due_webhooks(now=old)
    assert not namespace["is_ours"](server.calls[1].headers, server.calls[1].body, webhook.signing_secret), (
        "a replay"
    )


def test_discord_and_slack_get_what_they_understand(server: Listener) -> None:
    create_delivery(create_webhook(server.url, preset="discord"))
    create_delivery(create_webhook(server.url + "&more", preset="slack"))
    server.status, server.answer = 204, b""
    webhook_sender.send_due_webhooks(now=NOW)
    bodies = [call.json for call in sorted(server.calls, key=lambda call: call.path)]
    assert bodies[0].keys() == {"content", "allowed_mentions"}
    assert bodies[0]["allowed_mentions"] == {"parse": []}
    assert bodies[1].keys() == {"text"}
    for text in (bodies[0]["content"], bodies[1]["text"]):
        assert text.startswith("This is a test from OTTO online")
    assert webhook_sender.format_for_slack({"text": "<!channel> & co", "url": "u"}) == {
        "text": "&lt;!channel&gt; &amp; co u"
    }


def test_it_speaks_the_players_language_in_the_players_zone(server: Listener) -> None:
    game = start_cast_game("ada", "bob")
    mover, _seat = get_player_to_act(game)
    players.change_profile(player=mover, now=NOW, language="nl", time_zone="Asia/Tokyo")
    create_webhook(server.url, mover.name)
    notices.fan_out_notices(now=NOW + timedelta(minutes=5))
    webhook_sender.send_due_webhooks(now=NOW + timedelta(minutes=5))
    text = server.calls[0].json["text"]
    assert "10 maart 2026 21:01 JST" in text, "the deadline is 12:01 UTC"


@pytest.mark.parametrize(
    ("kind", "data", "words"),
    [
        ("reminder", {"seq": 0}, "It is still your turn against bob."),
        ("started", {}, "Your game against bob has begun."),
        ("blind", {}, "The score is level: a blind match decides your game against bob."),
        (
            "timeout",
            {"seat": 1, "outcome": "autoplay"},
            "Your time ran out in the game against bob. We played for you.",
        ),
        (
            "timeout",
            {"seat": 1, "outcome": "resigned"},
            "Your time ran out in the game against bob. Your side has resigned.",
        ),
        ("timeout", {"seat": 2, "outcome": "autoplay"}, "Time ran out for bob. We played for them."),
        ("timeout", {"seat": 2, "outcome": "resigned"}, "Time ran out for bob. Their side has resigned."),
        ("cancelled", {}, "Your game against bob was cancelled."),
        ("pause", {"by": "bob", "stops_clocks": True}, "bob proposes a pause in your game against bob."),
        (
            "pause",
            {"by": "bob", "stops_clocks": False},
            "bob proposes to end the pause in your game against bob.",
        ),
        ("paused", {"stops_clocks": True}, "Everybody agreed to a pause in your game against bob."),
        ("paused", {"stops_clocks": False}, "The clocks are running again in your game against bob."),
        ("pause-declined", {"by": "bob"}, "bob declined the pause proposal in your game against bob."),
    ],
)
def test_every_kind_has_its_sentence(server: Listener, kind: str, data: dict[str, Any], words: str) -> None:
    game = start_cast_game("ada", "bob")
    place = Seat.objects.get(game=game, player=player("ada"))
    Seat.objects.filter(game=game).update(seat_no=None)  # seat 1 is ada's and is to act
    Seat.objects.filter(game=game).exclude(pk=place.pk).update(seat_no=2)
    Seat.objects.filter(pk=place.pk).update(seat_no=1)
    Game.objects.filter(pk=game.pk).update(
        to_act_mask=0b10, seat_clocks={"1": game.seat_clocks[str(get_player_to_act(game)[1].seat_no)]}
    )
    create_delivery(create_webhook(server.url), kind=kind, topic=game.topic, data=data)
    webhook_sender.send_due_webhooks(now=NOW)
    assert server.calls[0].json["text"].startswith(words)


def test_the_end_of_a_game_says_who_won(server: Listener) -> None:
    names = ("ada", "bob", "cleo", "dirk")
    game = start_cast_game(*names, mode="pairs")  # ada and cleo against bob and dirk
    for name in names:
        create_webhook(f"{server.url}&{name}", name)
    turns.play_action(player=player("bob"), code=game.code, text="resign", seq=None, key="", now=NOW)
    notices.fan_out_notices(now=NOW + timedelta(minutes=5))
    for _round in range(3):  # each round calls a webhook once; a call about the start may come first
        webhook_sender.send_due_webhooks(now=NOW + timedelta(minutes=5))
    calls = [call for call in server.calls if call.json["kind"] == "over"]
    texts = {call.path.rpartition("&")[2]: call.json["text"] for call in calls}
    assert len(texts) == len(calls)
    assert texts == {  # bob has seen the end himself
        "ada": "Your game with cleo against bob and dirk is over: you won.",
        "cleo": "Your game with ada against bob and dirk is over: you won.",
        "dirk": "Your game with bob against ada and cleo is over: you lost.",
    }


def test_an_invitation_says_who_asks_and_is_dropped_once_the_game_has_begun(server: Listener) -> None:
    api = Api("ada")
    code = api.post("games/", {"seats": 2}).json()["id"]
    webhook = create_webhook(server.url, "bob")
    api.post(f"games/{code}/invite/", {"name": "bob"})
    event = FeedEntry.objects.get(player=player("bob"), kind="invited")
    fields = {"kind": "invited", "topic": event.topic, "data": event.data}
    create_delivery(webhook, **fields)
    webhook_sender.send_due_webhooks(now=NOW)
    assert server.calls[0].json["text"] == "ada invites you to play OTTO."
    Game.objects.filter(code=code).update(status="running")
    late = create_delivery(webhook, 2, **fields)
    webhook_sender.send_due_webhooks(now=NOW)
    assert read_state(late) == ("dropped", "The game is no longer waiting for players.")
    assert len(server.calls) == 1


def test_nothing_hidden_is_sent(server: Listener) -> None:
    """A call has only the known keys, and its body does not contain the drawn action."""
    game = start_cast_game("ada", "bob")
    mover, _seat = get_player_to_act(game)
    turns.play_action(player=mover, code=game.code, text="draw", seq=0, key="", now=NOW)
    for name in ("ada", "bob"):
        create_webhook(f"{server.url}&{name}", name)
    for event in FeedEntry.objects.all():
        event.notify_at = NOW
        event.notice_stage = FeedEntry.NoticeStage.PENDING
        event.save()
    notices.fan_out_notices(now=NOW)
    for _round in range(3):  # each round calls a webhook once
        webhook_sender.send_due_webhooks(now=NOW)
    calls = {(call.path.rpartition("&")[2], call.json["kind"]) for call in server.calls}
    assert calls == {(mover.name, "turn"), (get_other_name(mover), "started")}
    for call in server.calls:
        assert call.json.keys() == KEYS
        assert "draw" not in call.body.decode()


def test_a_turn_that_has_passed_is_not_sent(server: Listener) -> None:
    game = start_cast_game("ada", "bob")
    mover, _seat = get_player_to_act(game)
    create_webhook(server.url, mover.name)
    notices.fan_out_notices(now=NOW + timedelta(minutes=5))
    legal = Api(mover.name)
    legal.play(game.code, "draw", 0)
    move = legal.get(f"games/{game.code}/actions/legal/").json()[0]
    assert legal.play(game.code, move, 1).status_code == 201
    webhook_sender.send_due_webhooks(now=NOW + timedelta(minutes=5))
    assert server.calls == []
    [delivery] = Delivery.objects.filter(webhook__isnull=False, kind="turn")
    assert read_state(delivery) == ("dropped", "The turn is over.")


# ------------------------------------------------------------------------------------------------- failures


def test_a_call_that_fails_is_repeated_with_growing_delay_and_then_given_up(server: Listener) -> None:
    server.status = 500
    webhook = create_webhook(server.url)
    delivery = create_delivery(webhook)
    now = NOW
    for delay in outbox.WEBHOOK_RETRY_DELAYS:
        assert webhook_sender.send_due_webhooks(now=now) == 1
        delivery.refresh_from_db()
        assert (delivery.status, delivery.next_attempt_at) == ("waiting", now + delay)
        assert delivery.status_reason == "The host answered 500."
        assert webhook_sender.send_due_webhooks(now=now + delay - timedelta(seconds=1)) == 0
        now += delay
    webhook_sender.send_due_webhooks(now=now)
    assert read_state(delivery) == ("failed", "The host answered 500.")
    assert len(server.calls) == len(outbox.WEBHOOK_RETRY_DELAYS) + 1
    assert len({call.headers["webhook-id"] for call in server.calls}) == 1
    assert webhook_sender.send_due_webhooks(now=now + timedelta(days=9)) == 0
    webhook.refresh_from_db()
    assert webhook.active


def test_what_arrives_in_the_end_is_sent(server: Listener) -> None:
    server.status = 503
    delivery = create_delivery(create_webhook(server.url))
    webhook_sender.send_due_webhooks(now=NOW)
    server.status = 201
    webhook_sender.send_due_webhooks(now=NOW + outbox.WEBHOOK_RETRY_DELAYS[0])
    assert read_state(delivery) == ("sent", "")
    delivery.refresh_from_db()
    assert delivery.attempts == 2


def create_last_attempt(webhook: Webhook, number: int) -> Delivery:
    """Create a delivery with one attempt left."""
    return create_delivery(webhook, number, attempts=len(outbox.WEBHOOK_RETRY_DELAYS))


def test_three_in_a_row_switch_a_webhook_off_and_its_player_can_switch_it_on(server: Listener) -> None:
    webhook = create_webhook(server.url)
    now = NOW
    for number, status in enumerate([500, 500, 200, 500, 500]):
        server.status = status
        create_last_attempt(webhook, number)
        now += webhooks.PAUSE_AFTER_FAILURE
        webhook_sender.send_due_webhooks(now=now)
        webhook.refresh_from_db()
        assert webhook.active, "not three in a row"
    server.status = 404
    create_last_attempt(webhook, 7)
    waiting_delivery = create_delivery(webhook, 8)
    webhook_sender.send_due_webhooks(now=now + webhooks.PAUSE_AFTER_FAILURE)
    webhook.refresh_from_db()
    assert (webhook.active, webhook.disabled_reason) == (False, "The host answered 404.")
    assert read_state(waiting_delivery) == ("dropped", "The webhook is off.")

    late = create_delivery(webhook, 9)
    calls_so_far = len(server.calls)
    webhook_sender.send_due_webhooks(now=now + 2 * webhooks.PAUSE_AFTER_FAILURE)
    assert read_state(late) == ("dropped", "The webhook is off.")
    assert len(server.calls) == calls_so_far

    webhooks.set_webhook_active(player=player("ada"), webhook_id=webhook.pk, active=True, now=NOW)
    webhook.refresh_from_db()
    assert (webhook.active, webhook.disabled_reason) == (True, "")


def test_who_answers_gone_is_not_called_again(server: Listener) -> None:
    server.status = 410
    webhook = create_webhook(server.url)
    delivery, waiting_delivery = create_delivery(webhook), create_delivery(webhook, 2)
    webhook_sender.send_due_webhooks(now=NOW)
    assert read_state(delivery) == ("failed", "The host answered 410.")
    assert read_state(waiting_delivery)[0] == "dropped"
    webhook.refresh_from_db()
    assert (webhook.active, webhook.disabled_reason) == (False, "The host answered 410.")


def test_a_call_that_is_tried_for_the_third_time_keeps_no_other_one_waiting(server: Listener) -> None:
    server.status = 500
    webhook = create_webhook(server.url)
    create_delivery(webhook, attempts=2)
    webhook_sender.send_due_webhooks(now=NOW)
    server.status = 200
    later = create_delivery(webhook, 2, due=NOW + timedelta(seconds=40))
    webhook_sender.send_due_webhooks(now=NOW + timedelta(seconds=40))
    assert read_state(later)[0] == "sent"


def test_while_a_webhook_is_being_called_its_next_call_waits_and_others_do_not(server: Listener) -> None:
    slow = create_webhook(server.url)
    first, second = create_delivery(slow), create_delivery(slow, 2)
    assert webhooks.claim_due_calls(now=NOW, limit=9) == [first]
    other = create_delivery(create_webhook(f"{server.url}/other"))
    assert webhooks.claim_due_calls(now=NOW, limit=9) == [other]
    webhooks.mark_call_sent(delivery=first, now=NOW)
    assert webhooks.claim_due_calls(now=NOW, limit=9) == [second]


def test_a_worker_that_dies_leaves_its_calls_to_the_next(server: Listener) -> None:
    delivery = create_delivery(create_webhook(server.url))
    assert [call.pk for call in webhooks.claim_due_calls(now=NOW, limit=9)] == [delivery.pk]
    assert webhooks.claim_due_calls(now=NOW, limit=9) == [], "it is taken"
    assert webhook_sender.send_due_webhooks(now=NOW + webhooks.WEBHOOK_LEASE - timedelta(seconds=1)) == 0
    assert webhook_sender.send_due_webhooks(now=NOW + webhooks.WEBHOOK_LEASE) == 1
    assert read_state(delivery)[0] == "sent"

    cursed = create_delivery(delivery.webhook, 2, attempts=len(outbox.WEBHOOK_RETRY_DELAYS) + 1)
    webhook_sender.send_due_webhooks(now=NOW)
    assert read_state(cursed) == ("failed", "Sending was interrupted too often.")
    assert len(server.calls) == 1


@pytest.mark.django_db(transaction=True)
def test_of_many_workers_one_makes_each_call(server: Listener) -> None:
    webhooks_made = [create_webhook(f"{server.url}{number}") for number in range(5)]
    made_ones = [create_delivery(webhook, number) for webhook in webhooks_made for number in range(4)]

    def run_worker() -> None:
        try:
            while webhook_sender.send_due_webhooks(now=NOW):
                pass
        finally:
            connection.close()

    workers = [threading.Thread(target=run_worker) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    called = [int(call.headers["webhook-id"]) for call in server.calls]
    assert sorted(called) == sorted(webhook_row.pk for webhook_row in made_ones), "none twice, none lost"
    assert set(Delivery.objects.values_list("status", flat=True)) == {"sent"}


def test_one_broken_row_does_not_keep_the_others(server: Listener, caplog: Any) -> None:
    game = start_cast_game("ada", "bob")
    broken = create_delivery(create_webhook(server.url + "1"), kind="timeout", topic=game.topic, data=[])
    fine = create_delivery(create_webhook(server.url + "2"))
    webhook_sender.send_due_webhooks(now=NOW)
    assert read_state(broken) == ("waiting", "An error on our side. We have logged it.")
    assert read_state(fine)[0] == "sent"
    assert f"webhook delivery {broken.pk} cannot be composed" in caplog.text


def test_redirects_are_not_followed(server: Listener) -> None:
    with Listener() as elsewhere:
        server.status, server.headers = 307, {"Location": elsewhere.url}
        delivery = create_delivery(create_webhook(server.url))
        webhook_sender.send_due_webhooks(now=NOW)
        assert elsewhere.calls == []
    assert read_state(delivery) == ("waiting", "The host answered 307, a redirect, which we do not follow.")


def test_a_server_that_says_nothing_is_left(server: Listener, monkeypatch: Any) -> None:
    monkeypatch.setattr(webhook_http, "REQUEST_TIMEOUT_SECONDS", 0.3)
    server.act = lambda handler: bool(time.sleep(1)) or True
    started_at = time.monotonic()
    assert webhook_http.post_webhook(server.url, b"", {}) == webhook_http.CallResult(
        failure="timeout", maybe_delivered=True
    )
    assert time.monotonic() - started_at < 0.8


def test_a_server_that_drips_is_left_all_the_same(server: Listener, monkeypatch: Any) -> None:
    """Every byte arrives in time, but the response never ends."""

    def drip_answer(handler: Any) -> bool:
        for letter in b"HTTP/1.1 200 OK and so on and so forth":
            handler.wfile.write(bytes([letter]))
            time.sleep(0.05)
        return True

    monkeypatch.setattr(webhook_http, "REQUEST_TIMEOUT_SECONDS", 0.3)
    server.act = drip_answer
    started_at = time.monotonic()
    assert webhook_http.post_webhook(server.url, b"", {}) == webhook_http.CallResult(
        failure="timeout", maybe_delivered=True
    )
    assert time.monotonic() - started_at < 0.8


def test_of_an_answer_little_is_read_whatever_it_says_of_itself(server: Listener) -> None:
    wrote: list[int] = []

    def flood_answer(handler: Any) -> bool:
        handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        handler.send_response(200)
        handler.send_header("Content-Length", str(10**12))
        handler.end_headers()
        try:
            while True:
                wrote.append(handler.wfile.write(b"x" * 4096))
        except OSError:
            return True

    server.act = flood_answer
    started_at = time.monotonic()
    delivery = create_delivery(create_webhook(server.url))
    webhook_sender.send_due_webhooks(now=NOW)
    assert read_state(delivery)[0] == "sent", "the status is what counts"
    assert time.monotonic() - started_at < 5
    assert sum(wrote) < 20_000_000, "what was under way, and no more"


@pytest.mark.parametrize(
    "nonsense",
    [b"", b"\x00\x01", b"HTTP/1.1 abc def\r\n\r\n", b"HTTP/1.1 99999 Odd\r\n\r\n", b"SSH-2.0-x\r\n"],
)
def test_nonsense_for_an_answer_is_a_failure(server: Listener, nonsense: bytes) -> None:
    def send_nonsense(handler: Any) -> bool:
        handler.wfile.write(nonsense)
        return True

    server.act = send_nonsense
    delivery = create_delivery(create_webhook(server.url))
    webhook_sender.send_due_webhooks(now=NOW)
    assert read_state(delivery) == ("waiting", "The connection was lost.")
