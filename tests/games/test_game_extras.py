"""Resources around a game in the API: invitations, turns, events, notes, chat, pictures, and headers."""

from __future__ import annotations

import re
import struct
import threading
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from xml.etree import ElementTree

import pytest
from django.db import connection, transaction
from django.utils import timezone

from games import signed_links, tasks
from games.engine import text
from games.models import Game, Invitation, Message, Note, Report
from notifications.models import FeedEntry
from tests.factories.cast import NAMES, NOW, Api, player, start_cast_game
from tests.factories.open_games import create_open_game

pytestmark = pytest.mark.django_db


def get_status_and_code(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def create_waiting_game(*names: str, **terms: Any) -> str:
    """Create an open game with these players; the other players exist and can join."""
    for name in NAMES:
        player(name)
    return create_open_game(*names, **terms).code


def invite_to_game(code: str, **words: Any) -> Any:
    return Api("ada").post(f"games/{code}/invite/", words)


# ---------------------------------------------------------------------------------------------- invitations


def test_an_invitation_by_name_is_announced_listed_and_keeps_the_seat() -> None:
    code = create_waiting_game("ada", private=True)
    answer = invite_to_game(code, name="BOB")
    assert answer.status_code == 201
    event = FeedEntry.objects.get(kind="invited")
    assert (event.player.name, event.data) == ("bob", {"game": code, "by": "ada", "partner": False})
    assert Api("bob").get("me/invitations/").json() == [answer.json()]
    assert answer.json()["by"] == "ada"
    assert Api("cleo").get("me/invitations/").json() == []
    assert Api("bob").get(f"games/{code}/").status_code == 200
    assert get_status_and_code(Api("cleo").post(f"games/{code}/join/")) == (404, "not-found")
    assert get_status_and_code(Api("ada").post(f"games/{code}/bots/")) == (409, "full")
    assert get_status_and_code(invite_to_game(code, name="cleo")) == (409, "full")
    assert Api("bob").post(f"games/{code}/join/").json()["status"] == "running"
    assert Api("bob").get("me/invitations/").json() == []


def test_the_seat_of_somebody_invited_is_kept_from_others_also_in_an_open_game() -> None:
    code = create_waiting_game("ada", seat_count=3)
    assert invite_to_game(code, name="bob").status_code == 201
    assert Api("cleo").post(f"games/{code}/join/").status_code == 200
    assert get_status_and_code(Api("dirk").post(f"games/{code}/join/")) == (409, "full")
    assert Api("bob").post(f"games/{code}/decline/").status_code == 204
    assert FeedEntry.objects.get(kind="declined").data == {"game": code, "name": "bob"}
    assert get_status_and_code(Api("bob").post(f"games/{code}/decline/")) == (404, "not-found")
    assert Api("dirk").post(f"games/{code}/join/").json()["status"] == "running"


@pytest.mark.parametrize(
    ("words", "status", "code"),
    [
        ({}, 422, "invalid-value"),
        ({"name": "bob", "email": "bob@example.org"}, 422, "invalid-value"),
        ({"name": "nobody"}, 422, "no-such-player"),
        ({"name": "ada"}, 409, "already-joined"),
        ({"name": "cleo"}, 409, "already-invited"),
        ({"email": "Guest@example.org"}, 409, "already-invited"),
        ({"email": "not an address"}, 422, "invalid-value"),
        ({"name": 5}, 400, "invalid"),
        ({"name": "bob", "partner": True}, 422, "invalid-value"),
    ],
)
def test_an_invitation_that_cannot_be_meant_is_refused(words: Any, status: int, code: str) -> None:
    game = create_waiting_game("ada", seat_count=4)
    invite_to_game(game, name="cleo")
    invite_to_game(game, email="guest@example.org")
    assert get_status_and_code(invite_to_game(game, **words)) == (status, code)
    assert get_status_and_code(Api("bob").post(f"games/{game}/invite/", {"name": "dirk"})) == (
        403,
        "not-host",
    )
    assert Invitation.objects.count() == 2


def test_nobody_has_two_partners() -> None:
    code = create_waiting_game("ada", mode="pairs")
    assert invite_to_game(code, name="bob", partner=True).status_code == 201
    assert invite_to_game(code, name="cleo", partner=True).status_code == 409


def test_a_mail_with_a_link_goes_out_once_and_the_link_takes_the_seat_once(mailoutbox: list[Any]) -> None:
    code = create_waiting_game("ada", private=True, seat_count=3)
    answer = invite_to_game(code, email="Guest@Example.org")
    assert answer.status_code == 201
    assert "example.org" not in answer.content.decode()
    tasks.deliver_mail()
    tasks.deliver_mail()
    (mail,) = mailoutbox
    assert mail.to == ["guest@example.org"]
    assert mail.subject == "You are invited to play OTTO"
    assert "“ada”" in mail.body
    match = re.search(r"/invitations/([^/\s]+)/", mail.body)
    assert match
    token = {"invitation": match[1]}
    assert match[1] in mail.alternatives[0][0]
    response = Api("bob").post(f"games/{code}/join/", token)
    assert (response.status_code, response.json()["joined"]) == (200, 2)
    assert get_status_and_code(Api("cleo").post(f"games/{code}/join/", token)) == (403, "not-yours")
    assert get_status_and_code(Api("bob").post(f"games/{code}/join/", token)) == (409, "already-joined")
    Api("bob").post(f"games/{code}/leave/")
    assert get_status_and_code(Api("bob").post(f"games/{code}/join/", token)) == (409, "used")
    assert get_status_and_code(Api("cleo").post(f"games/{code}/join/", {"invitation": f"{match[1]}x"})) == (
        404,
        "not-found",
    )


def test_a_link_is_good_for_its_own_game_and_person_and_while_that_game_waits() -> None:
    code, other = create_waiting_game("ada"), create_waiting_game("ada")
    invite_to_game(code, name="bob")
    token = {"invitation": signed_links.make_invitation_token(Invitation.objects.get().pk)}
    assert get_status_and_code(Api("cleo").post(f"games/{code}/join/", token)) == (403, "not-yours")
    assert Api("bob").post(f"games/{other}/join/", token).status_code in (404, 409), "another game's door"
    Game.objects.filter(code=code).update(expires_at=timezone.now())
    assert get_status_and_code(Api("bob").post(f"games/{code}/join/", token)) == (409, "expired")
    assert Api("bob").get("me/invitations/").json() == []
    tasks.expire_open_games()
    assert get_status_and_code(Api("bob").post(f"games/{code}/join/", token)) == (409, "not-open")


def test_who_comes_by_a_mails_link_leaves_no_second_seat_kept_under_their_name() -> None:
    code = create_waiting_game("ada", seat_count=3)
    invite_to_game(code, name="bob")
    invite_to_game(code, email="bob@example.org")
    token = signed_links.make_invitation_token(Invitation.objects.get(player=None).pk)
    assert Api("bob").post(f"games/{code}/join/", {"invitation": token}).status_code == 200
    assert Api("cleo").post(f"games/{code}/join/").status_code == 200


# -------------------------------------------------------------------------------------------- notes and chat


def test_notes_are_kept_for_their_writer_alone() -> None:
    code = start_cast_game("ada", "bob").code
    ada = Api("ada")
    assert ada.get(f"games/{code}/notes/").json() == {"text": "", "updated_at": None}
    for words in ("he bluffs <b>", "he bluffs\nalways"):
        written = put_json(ada, f"games/{code}/notes/", {"text": f"{words}\x07"})
        assert (written.status_code, written.json()["text"]) == (200, words)
    assert ada.get(f"games/{code}/notes/").json() == written.json()
    for name in ("bob", "cleo"):
        assert Api(name).get(f"games/{code}/notes/").json()["text"] == ""
    assert "bluffs" not in Api("bob").get(f"games/{code}/").content.decode()
    assert Note.objects.count() == 1
    assert Api(None).get(f"games/{code}/notes/").status_code == 401
    for wrong in ("x" * 5001, 5, None, "\x00"):
        assert get_status_and_code(put_json(ada, f"games/{code}/notes/", {"text": wrong})) == (400, "invalid")


def put_json(api: Api, path: str, data: Any) -> Any:
    return api.client.put(f"/api/v1/{path}", data, content_type="application/json", headers=api.headers)


def test_chat_is_for_the_table_and_tells_the_others() -> None:
    code = start_cast_game("ada", "bob", "cleo").code
    post_response = Api("ada").post(f"games/{code}/chat/", {"text": " <script>alert(1)</script>\x1b "})
    assert (post_response.status_code, post_response.json()["name"]) == (201, "ada")
    for name in ("ada", "bob"):
        chat_response = Api(name).get(f"games/{code}/chat/")
        assert chat_response.json() == [post_response.json()]
        assert chat_response.json()[0]["text"] == "<script>alert(1)</script>"
        assert (chat_response["Content-Type"], chat_response["X-Content-Type-Options"]) == (
            "application/json",
            "nosniff",
        )
    events = FeedEntry.objects.filter(kind="chat")
    assert sorted(event.player.name for event in events) == ["bob", "cleo"]
    assert all(event.data == {"game": code, "name": "ada"} for event in events)
    assert get_status_and_code(Api("dirk").get(f"games/{code}/chat/")) == (404, "not-found")
    assert get_status_and_code(Api("dirk").post(f"games/{code}/chat/", {"text": "hi"})) == (403, "not-seated")
    assert Api(None).get(f"games/{code}/chat/").status_code == 401


def test_chat_has_limits() -> None:
    game = start_cast_game("ada", "bob")
    for words, status, error_code in (
        ("", 422, "invalid-value"),
        ("  \x07 ", 422, "invalid-value"),
        ("x" * 501, 400, "invalid"),
    ):
        assert get_status_and_code(Api("ada").post(f"games/{game.code}/chat/", {"text": words})) == (
            status,
            error_code,
        )
    now = timezone.now()
    old = Message(game=game, player=player("ada"), text="long ago", created_at=now - timedelta(minutes=61))
    new = [Message(game=game, player=player("ada"), text=f"{n}", created_at=now) for n in range(29)]
    Message.objects.bulk_create([old, *new])
    assert Api("ada").post(f"games/{game.code}/chat/", {"text": "the thirtieth"}).status_code == 201
    assert get_status_and_code(Api("ada").post(f"games/{game.code}/chat/", {"text": "x"})) == (
        409,
        "too-many-messages",
    )
    assert Api("bob").post(f"games/{game.code}/chat/", {"text": "mine are counted apart"}).status_code == 201
    Message.objects.bulk_create(
        Message(game=game, text="of somebody gone", created_at=now) for _ in range(90)
    )
    lines = Api("bob").get(f"games/{game.code}/chat/").json()
    assert (len(lines), lines[-1]["name"]) == (100, "a former player")
    earlier_lines = Api("bob").get(f"games/{game.code}/chat/?before={lines[0]['id']}").json()
    assert [line["id"] for line in earlier_lines] == [
        *Message.objects.filter(game=game, pk__lt=lines[0]["id"]).order_by("pk").values_list("pk", flat=True)
    ]
    assert earlier_lines[0]["text"] == "long ago"


def test_a_message_can_be_reported_once_and_taken_down() -> None:
    code = start_cast_game("ada", "bob").code
    number = Api("ada").post(f"games/{code}/chat/", {"text": "rude"}).json()["id"]
    path = f"games/{code}/chat/{number}/report/"
    assert Api("bob").post(path, {"reason": "it is rude"}).status_code == 204
    assert (Report.objects.get().player.name, Report.objects.get().reason) == ("bob", "it is rude")
    assert get_status_and_code(Api("bob").post(path)) == (409, "already-reported")
    assert get_status_and_code(Api("ada").post(path)) == (403, "own-message")
    assert get_status_and_code(Api("cleo").post(path)) == (403, "not-seated")
    assert get_status_and_code(Api("bob").post(f"games/{code}/chat/{number + 1}/report/")) == (
        404,
        "not-found",
    )
    elsewhere = start_cast_game("ada", "bob").code
    assert get_status_and_code(Api("bob").post(f"games/{elsewhere}/chat/{number}/report/")) == (
        404,
        "not-found",
    )
    Message.objects.update(hidden=True)
    assert Api("bob").get(f"games/{code}/chat/").json()[0]["text"] == ""


def test_a_game_without_chat_hears_nothing() -> None:
    game = start_cast_game("ada", "bob")
    Game.objects.update(chat=False)
    assert get_status_and_code(Api("ada").post(f"games/{game.code}/chat/", {"text": "hi"})) == (
        403,
        "no-chat",
    )
    assert Api("ada").get(f"games/{game.code}/").json()["chat"] is False


# ------------------------------------------------------------------------------------------ turns and events


def start_game_that_ada_begins(**terms: Any) -> str:
    while True:
        game = start_cast_game("ada", "cleo", **terms)
        if game.to_act_mask == 1 << 1:
            return game.code
        Game.objects.filter(pk=game.pk).update(status="cancelled")


def test_my_turns_come_most_urgent_first() -> None:
    slow, quick, middle = (start_game_that_ada_begins(time_control=name) for name in ("7d", "live", "2d"))
    solo_code = start_cast_game("ada", mode="solo").code
    other_solo_code = start_cast_game("bob", mode="solo").code
    over = start_cast_game("ada", mode="solo").code
    Api("ada").post(f"games/{over}/resign/")
    turns = Api("ada").get("me/turns/").json()
    # A solo game keeps nobody waiting: it has no deadline and comes last.
    assert [turn["game"] for turn in turns] == [quick, middle, slow, solo_code]
    assert turns[0] == {
        "game": quick,
        "seat": 1,
        "seq": 0,
        "phase": "start",
        "deadline": "2026-03-01T12:18:09Z",
        "deadline_kind": "turn",
        "round_end": None,
    }
    assert turns[-1]["deadline"] is None
    assert [turn["game"] for turn in Api("bob").get("me/turns/").json()] == [other_solo_code]
    assert Api(None).get("me/turns/").status_code == 401


def read_feed(api: Api, after: int = 0, limit: int = 100) -> dict[str, Any]:
    answer = api.get(f"events/?after={after}&limit={limit}")
    assert answer.status_code == 200, answer.content
    return dict(answer.json())


def wait_for_value(look: Callable[[], Any], wanted: Callable[[Any], bool]) -> Any:
    """Return a value once it is as wanted. Other transactions on this PostgreSQL can delay a feed."""
    stop_by = time.monotonic() + 60
    while not wanted(value := look()) and time.monotonic() < stop_by:
        time.sleep(0.02)
    return value


@pytest.mark.django_db(transaction=True)
def test_the_feed_goes_on_from_a_cursor_with_ids_that_stay() -> None:
    code = start_cast_game("ada", "bob").code
    ada, bob = Api("ada"), Api("bob")
    mover = (ada, bob)[ada.get(f"games/{code}/").json()["to_act"][0] - 1]
    mover.play(code, "draw", 0)
    bob.post(f"games/{code}/chat/", {"text": "hello"})
    bob.post(f"games/{code}/resign/")
    whole = wait_for_value(lambda: read_feed(ada), lambda page: len(page["results"]) == 4)
    kinds = [line["kind"] for line in whole["results"]]
    assert (kinds[2:], {*kinds[:2]} <= {"turn", "moved", "started"}) == (["chat", "over"], True)
    assert whole["after"] == whole["results"][-1]["id"]
    lines, after = [], 0
    while (page := read_feed(ada, after, 1))["results"]:
        lines += page["results"]
        after = page["after"]
    assert lines == whole["results"]
    assert read_feed(ada, after) == {"results": [], "after": after}
    assert all(line["game"] == code for line in lines)
    assert not {line["id"] for line in lines} & {line["id"] for line in read_feed(bob)["results"]}
    for query in ("after=-1", "after=x", "limit=0", "limit=201", f"after={2**63}"):
        assert get_status_and_code(ada.get(f"events/?{query}")) == (400, "invalid"), query
    assert Api(None).get("events/").status_code == 401


@pytest.mark.django_db(transaction=True)
def test_no_event_appears_behind_the_cursor_though_an_earlier_transaction_commits_later() -> None:
    ada, reader = player("ada"), Api("ada")
    written, release = threading.Event(), threading.Event()

    def create_entry(reason: str) -> None:
        FeedEntry.objects.create(player=ada, kind="chat", dedup_key=reason, at=NOW)

    def write_slowly() -> None:
        try:
            with transaction.atomic():
                create_entry("first")
                written.set()
                release.wait(30)
        finally:
            connection.close()

    thread = threading.Thread(target=write_slowly)
    thread.start()
    try:
        assert written.wait(30)
        create_entry("second")
        assert read_feed(reader)["results"] == [], "the first is not there yet, so the second has to wait"
    finally:
        release.set()
        thread.join()
    first, second = FeedEntry.objects.order_by("pk")
    assert (first.dedup_key, second.dedup_key) == ("first", "second")
    page = wait_for_value(lambda: read_feed(reader), lambda page: len(page["results"]) == 2)
    assert [line["id"] for line in page["results"]] == [first.pk, second.pk]


# --------------------------------------------------------------------------------------- pictures and headers


def test_the_board_comes_as_text_drawing_and_pixels() -> None:
    code = start_cast_game("ada", "bob").code
    data = Api(None).get(f"games/{code}/").json()
    words = Api(None).get(f"games/{code}/board.txt")
    assert words["Content-Type"] == "text/plain; charset=utf-8"
    assert words.content.decode().startswith(text.draw_text_board(data))
    drawn = Api(None).get(f"games/{code}/board.svg")
    assert drawn["Content-Type"] == "image/svg+xml"
    assert ElementTree.fromstring(drawn.content).tag == "{http://www.w3.org/2000/svg}svg"
    for query, width in (("", 600), ("?width=100", 100)):
        pixels = Api("ada").get(f"games/{code}/board.png{query}")
        assert (pixels["Content-Type"], pixels.content[:8]) == ("image/png", b"\x89PNG\r\n\x1a\n")
        assert struct.unpack(">II", pixels.content[16:24]) == (width, width)
    for query in ("width=99", "width=1201", "width=x"):
        assert get_status_and_code(Api(None).get(f"games/{code}/board.png?{query}")) == (400, "invalid")
    assert Api(None).get("games/nosuchgame/board.png").status_code == 404


@pytest.mark.parametrize("path", ["", "board.txt", "board.svg", "board.png"])
def test_what_has_not_changed_is_not_sent_again(path: str) -> None:
    code = start_cast_game("ada", mode="solo").code
    ada = Api("ada")
    first = ada.get(f"games/{code}/{path}")
    assert first["Cache-Control"] == "private, no-cache"
    tag = first["ETag"]
    for header_tag in (tag, f"W/{tag}", f'"other", {tag}', "*"):
        response = ada.get(f"games/{code}/{path}", **{"If-None-Match": header_tag})
        assert (response.status_code, response.content, response["ETag"]) == (304, b"", tag)
    legal = ada.get(f"games/{code}/actions/legal/").json()
    assert ada.play(code, legal[0], 0).status_code == 201
    fresh = ada.get(f"games/{code}/{path}", **{"If-None-Match": tag})
    assert (fresh.status_code, fresh["ETag"] != tag) == (200, True)


def test_who_asks_too_often_reads_when_to_come_back(settings: Any) -> None:
    settings.API_RATE, settings.API_RATE_ANONYMOUS = 3, 2
    for api, limit in ((Api("ada"), 3), (Api(None), 2)):
        answers = [api.get("games/") for _ in range(2 * limit + 1)]  # more requests than two minutes allow
        refused = next(answer for answer in answers if answer.status_code == 429)
        assert get_status_and_code(refused) == (429, "throttled")
        assert 1 <= int(refused["Retry-After"]) <= 60
        for answer in (answers[0], refused):
            assert answer["RateLimit-Policy"] == f"{limit};w=60, 20;w=5"
            left, reset, burst_left, burst_reset = re.fullmatch(
                rf"limit={limit}, remaining=(\d+), reset=(\d+),"
                r" burst-limit=20, burst-remaining=(\d+), burst-reset=(\d)",
                answer["RateLimit"],
            ).groups()
            assert 20 - len(answers) <= int(burst_left) < 20
            assert 1 <= int(burst_reset) <= 5
            assert int(left) == (limit - 1 if answer is answers[0] else 0)
            assert 1 <= int(reset) <= 60
    assert Api("bob").get("games/").status_code == 200, "others are not held up"


def test_pages_of_other_sites_may_use_the_api_but_get_no_cookies() -> None:
    origin_headers = {"Origin": "https://app.example"}
    read = Api(None).get("games/", **origin_headers)
    assert read["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Credentials" not in read
    exposed = {name.strip().lower() for name in read["Access-Control-Expose-Headers"].split(",")}
    assert {"etag", "ratelimit", "retry-after"} <= exposed
    preflight_headers = origin_headers | {
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization, idempotency-key, if-none-match, content-type",
    }
    ahead = Api(None).client.options("/api/v1/games/", headers=preflight_headers)
    assert ahead.status_code == 200
    assert "POST" in ahead["Access-Control-Allow-Methods"]
    allowed = ahead["Access-Control-Allow-Headers"]
    assert all(name in allowed for name in preflight_headers["Access-Control-Request-Headers"].split(", "))
    assert "Access-Control-Allow-Origin" not in Api(None).client.get("/", headers=origin_headers)
