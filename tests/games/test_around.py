"""Around a game, over REST: invitations, turns, events, notes, chat, pictures, and the headers of it all."""

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
from games.models import FeedEntry, Game, Invitation, Message, Note, Report
from games.services import lobby

from .cast import NAMES, NOW, Api, game_of, player

pytestmark = pytest.mark.django_db


def status_and_code(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def open_game(host: str, **terms: Any) -> str:
    """A game that waits, with its host on the first seat."""
    for name in NAMES:
        player(name)
    code = lobby.create_game(player=player(host), now=timezone.now(), **terms).code
    lobby.join_game(player=player(host), code=code, now=timezone.now())
    return code


def invite(code: str, **words: Any) -> Any:
    return Api("ada").post(f"games/{code}/invite/", words)


# ---------------------------------------------------------------------------------------------- invitations


def test_an_invitation_by_name_is_told_listed_and_keeps_the_seat() -> None:
    code = open_game("ada", private=True)
    answer = invite(code, name="BOB")
    assert answer.status_code == 201
    event = FeedEntry.objects.get(kind="invited")
    assert (event.player.name, event.data) == ("bob", {"game": code, "by": "ada", "partner": False})
    assert Api("bob").get("me/invitations/").json() == [answer.json()]
    assert answer.json()["by"] == "ada"
    assert Api("cleo").get("me/invitations/").json() == []
    assert Api("bob").get(f"games/{code}/").status_code == 200
    assert status_and_code(Api("cleo").post(f"games/{code}/join/")) == (404, "not-found")
    assert status_and_code(Api("ada").post(f"games/{code}/bots/")) == (409, "full")
    assert status_and_code(invite(code, name="cleo")) == (409, "full")
    assert Api("bob").post(f"games/{code}/join/").json()["status"] == "running"
    assert Api("bob").get("me/invitations/").json() == []


def test_the_seat_of_somebody_invited_is_kept_from_others_also_in_an_open_game() -> None:
    code = open_game("ada", seats=3)
    assert invite(code, name="bob").status_code == 201
    assert Api("cleo").post(f"games/{code}/join/").status_code == 200
    assert status_and_code(Api("dirk").post(f"games/{code}/join/")) == (409, "full")
    assert Api("bob").post(f"games/{code}/decline/").status_code == 204
    assert FeedEntry.objects.get(kind="declined").data == {"game": code, "name": "bob"}
    assert status_and_code(Api("bob").post(f"games/{code}/decline/")) == (404, "not-found")
    assert Api("dirk").post(f"games/{code}/join/").json()["status"] == "running"


@pytest.mark.parametrize(
    ("words", "status", "code"),
    [
        ({}, 422, "invalid"),
        ({"name": "bob", "email": "bob@example.org"}, 422, "invalid"),
        ({"name": "nobody"}, 422, "no-such-player"),
        ({"name": "ada"}, 409, "already-joined"),
        ({"name": "cleo"}, 409, "already-invited"),
        ({"email": "Guest@example.org"}, 409, "already-invited"),
        ({"email": "not an address"}, 422, "invalid"),
        ({"name": 5}, 400, "invalid"),
        ({"name": "bob", "partner": True}, 422, "invalid"),
    ],
)
def test_an_invitation_that_cannot_be_meant_is_refused(words: Any, status: int, code: str) -> None:
    game = open_game("ada", seats=4)
    invite(game, name="cleo")
    invite(game, email="guest@example.org")
    assert status_and_code(invite(game, **words)) == (status, code)
    assert status_and_code(Api("bob").post(f"games/{game}/invite/", {"name": "dirk"})) == (403, "not-host")
    assert Invitation.objects.count() == 2


def test_nobody_has_two_partners() -> None:
    code = open_game("ada", mode="pairs")
    assert invite(code, name="bob", partner=True).status_code == 201
    assert invite(code, name="cleo", partner=True).status_code == 409


def test_a_mail_with_a_link_goes_out_once_and_the_link_takes_the_seat_once(mailoutbox: list[Any]) -> None:
    code = open_game("ada", private=True, seats=3)
    answer = invite(code, email="Guest@Example.org")
    assert answer.status_code == 201
    assert "example.org" not in answer.content.decode()
    tasks.deliver_mail()
    tasks.deliver_mail()
    (mail,) = mailoutbox
    assert mail.to == ["guest@example.org"]
    assert mail.subject == "You are invited to a game of OTTO"
    assert "“ada”" in mail.body
    found = re.search(r"/invitations/([^/\s]+)/", mail.body)
    assert found
    token = {"invitation": found[1]}
    assert found[1] in mail.alternatives[0][0]
    seated = Api("bob").post(f"games/{code}/join/", token)
    assert (seated.status_code, seated.json()["joined"]) == (200, 2)
    assert status_and_code(Api("cleo").post(f"games/{code}/join/", token)) == (403, "not-yours")
    assert status_and_code(Api("bob").post(f"games/{code}/join/", token)) == (409, "already-joined")
    Api("bob").post(f"games/{code}/leave/")
    assert status_and_code(Api("bob").post(f"games/{code}/join/", token)) == (409, "used")
    assert status_and_code(Api("cleo").post(f"games/{code}/join/", {"invitation": f"{found[1]}x"})) == (
        404,
        "not-found",
    )


def test_a_link_is_good_for_its_own_game_and_person_and_while_that_game_waits() -> None:
    code, other = open_game("ada"), open_game("ada")
    invite(code, name="bob")
    token = {"invitation": signed_links.make_invitation_token(Invitation.objects.get().pk)}
    assert status_and_code(Api("cleo").post(f"games/{code}/join/", token)) == (403, "not-yours")
    assert Api("bob").post(f"games/{other}/join/", token).status_code in (404, 409), "another game's door"
    Game.objects.filter(code=code).update(expires_at=timezone.now())
    assert status_and_code(Api("bob").post(f"games/{code}/join/", token)) == (409, "expired")
    assert Api("bob").get("me/invitations/").json() == []
    tasks.expire_open_games()
    assert status_and_code(Api("bob").post(f"games/{code}/join/", token)) == (409, "not-open")


def test_who_comes_by_a_mails_link_leaves_no_second_seat_kept_under_their_name() -> None:
    code = open_game("ada", seats=3)
    invite(code, name="bob")
    invite(code, email="bob@example.org")
    token = signed_links.make_invitation_token(Invitation.objects.get(player=None).pk)
    assert Api("bob").post(f"games/{code}/join/", {"invitation": token}).status_code == 200
    assert Api("cleo").post(f"games/{code}/join/").status_code == 200


# -------------------------------------------------------------------------------------------- notes and chat


def test_notes_are_kept_for_their_writer_alone() -> None:
    code = game_of("ada", "bob").code
    ada = Api("ada")
    assert ada.get(f"games/{code}/notes/").json() == {"text": "", "at": None}
    for words in ("he bluffs <b>", "he bluffs\nalways"):
        written = put(ada, f"games/{code}/notes/", {"text": f"{words}\x07"})
        assert (written.status_code, written.json()["text"]) == (200, words)
    assert ada.get(f"games/{code}/notes/").json() == written.json()
    for name in ("bob", "cleo"):
        assert Api(name).get(f"games/{code}/notes/").json()["text"] == ""
    assert "bluffs" not in Api("bob").get(f"games/{code}/").content.decode()
    assert Note.objects.count() == 1
    assert Api(None).get(f"games/{code}/notes/").status_code == 401
    for wrong in ("x" * 5001, 5, None, "\x00"):
        assert status_and_code(put(ada, f"games/{code}/notes/", {"text": wrong})) == (400, "invalid")


def put(api: Api, path: str, data: Any) -> Any:
    return api.client.put(f"/api/v1/{path}", data, content_type="application/json", headers=api.headers)


def test_chat_is_for_the_table_and_tells_the_others() -> None:
    code = game_of("ada", "bob", "cleo").code
    said = Api("ada").post(f"games/{code}/chat/", {"text": " <script>alert(1)</script>\x1b "})
    assert (said.status_code, said.json()["name"]) == (201, "ada")
    for name in ("ada", "bob"):
        heard = Api(name).get(f"games/{code}/chat/")
        assert heard.json() == [said.json()]
        assert heard.json()[0]["text"] == "<script>alert(1)</script>"
        assert (heard["Content-Type"], heard["X-Content-Type-Options"]) == ("application/json", "nosniff")
    events = FeedEntry.objects.filter(kind="chat")
    assert sorted(event.player.name for event in events) == ["bob", "cleo"]
    assert all(event.data == {"game": code, "name": "ada"} for event in events)
    assert status_and_code(Api("dirk").get(f"games/{code}/chat/")) == (404, "not-found")
    assert status_and_code(Api("dirk").post(f"games/{code}/chat/", {"text": "hi"})) == (403, "not-seated")
    assert Api(None).get(f"games/{code}/chat/").status_code == 401


def test_chat_has_limits() -> None:
    game = game_of("ada", "bob")
    for words, status in (("", 422), ("  \x07 ", 422), ("x" * 501, 400)):
        assert status_and_code(Api("ada").post(f"games/{game.code}/chat/", {"text": words})) == (
            status,
            "invalid",
        )
    now = timezone.now()
    old = Message(game=game, player=player("ada"), text="long ago", at=now - timedelta(minutes=61))
    new = [Message(game=game, player=player("ada"), text=f"{n}", at=now) for n in range(29)]
    Message.objects.bulk_create([old, *new])
    assert Api("ada").post(f"games/{game.code}/chat/", {"text": "the thirtieth"}).status_code == 201
    assert status_and_code(Api("ada").post(f"games/{game.code}/chat/", {"text": "x"})) == (
        409,
        "too-many-messages",
    )
    assert Api("bob").post(f"games/{game.code}/chat/", {"text": "mine are counted apart"}).status_code == 201
    Message.objects.bulk_create(Message(game=game, text="of somebody gone", at=now) for _ in range(90))
    heard = Api("bob").get(f"games/{game.code}/chat/").json()
    assert (len(heard), heard[-1]["name"]) == (100, "a former player")


def test_a_message_can_be_reported_once_and_taken_down() -> None:
    code = game_of("ada", "bob").code
    number = Api("ada").post(f"games/{code}/chat/", {"text": "rude"}).json()["id"]
    path = f"games/{code}/chat/{number}/report/"
    assert Api("bob").post(path, {"why": "it is rude"}).status_code == 204
    assert (Report.objects.get().player.name, Report.objects.get().why) == ("bob", "it is rude")
    assert status_and_code(Api("bob").post(path)) == (409, "already-reported")
    assert status_and_code(Api("ada").post(path)) == (403, "own-message")
    assert status_and_code(Api("cleo").post(path)) == (403, "not-seated")
    assert status_and_code(Api("bob").post(f"games/{code}/chat/{number + 1}/report/")) == (404, "not-found")
    elsewhere = game_of("ada", "bob").code
    assert status_and_code(Api("bob").post(f"games/{elsewhere}/chat/{number}/report/")) == (404, "not-found")
    Message.objects.update(hidden=True)
    assert Api("bob").get(f"games/{code}/chat/").json()[0]["text"] == ""


def test_a_game_without_chat_hears_nothing() -> None:
    game = game_of("ada", "bob")
    Game.objects.update(chat=False)
    assert status_and_code(Api("ada").post(f"games/{game.code}/chat/", {"text": "hi"})) == (403, "no-chat")
    assert Api("ada").get(f"games/{game.code}/").json()["chat"] is False


# ------------------------------------------------------------------------------------------ turns and events


def game_in_which_ada_begins(**terms: Any) -> str:
    while True:
        game = game_of("ada", "cleo", **terms)
        if game.to_act == 1 << 1:
            return game.code
        Game.objects.filter(pk=game.pk).update(status="cancelled")


def test_my_turns_come_most_urgent_first() -> None:
    slow, quick, middle = (game_in_which_ada_begins(clock_name=name) for name in ("7d", "live", "2d"))
    alone = game_of("ada", mode="solo").code
    theirs = game_of("bob", mode="solo").code
    over = game_of("ada", mode="solo").code
    Api("ada").post(f"games/{over}/resign/")
    turns = Api("ada").get("me/turns/").json()
    # Alone one keeps nobody waiting: such a game has no deadline, and comes last.
    assert [turn["game"] for turn in turns] == [quick, middle, slow, alone]
    assert turns[0] == {
        "game": quick,
        "seat": 1,
        "seq": 0,
        "phase": "start",
        "deadline": "2026-03-01T12:18:09Z",
        "round_end": None,
    }
    assert turns[-1]["deadline"] is None
    assert [turn["game"] for turn in Api("bob").get("me/turns/").json()] == [theirs]
    assert Api(None).get("me/turns/").status_code == 401


def feed(api: Api, after: int = 0, limit: int = 100) -> dict[str, Any]:
    answer = api.get(f"events/?after={after}&limit={limit}")
    assert answer.status_code == 200, answer.content
    return dict(answer.json())


def eventually(look: Callable[[], Any], wanted: Callable[[Any], bool]) -> Any:
    """What is seen once it is as wanted. Whatever else runs on this PostgreSQL can hold a feed back."""
    patience = time.monotonic() + 60
    while not wanted(seen := look()) and time.monotonic() < patience:
        time.sleep(0.02)
    return seen


@pytest.mark.django_db(transaction=True)
def test_the_feed_goes_on_from_a_cursor_with_ids_that_stay() -> None:
    code = game_of("ada", "bob").code
    ada, bob = Api("ada"), Api("bob")
    mover = (ada, bob)[ada.get(f"games/{code}/").json()["to_act"][0] - 1]
    mover.play(code, "draw", 0)
    bob.post(f"games/{code}/chat/", {"text": "hello"})
    bob.post(f"games/{code}/resign/")
    whole = eventually(lambda: feed(ada), lambda seen: len(seen["results"]) == 4)
    kinds = [line["kind"] for line in whole["results"]]
    assert (kinds[2:], {*kinds[:2]} <= {"turn", "moved", "started"}) == (["chat", "over"], True)
    assert whole["after"] == whole["results"][-1]["id"]
    lines, after = [], 0
    while (page := feed(ada, after, 1))["results"]:
        lines += page["results"]
        after = page["after"]
    assert lines == whole["results"]
    assert feed(ada, after) == {"results": [], "after": after}
    assert all(line["game"] == code for line in lines)
    assert not {line["id"] for line in lines} & {line["id"] for line in feed(bob)["results"]}
    for query in ("after=-1", "after=x", "limit=0", "limit=201", f"after={2**63}"):
        assert status_and_code(ada.get(f"events/?{query}")) == (400, "invalid"), query
    assert Api(None).get("events/").status_code == 401


@pytest.mark.django_db(transaction=True)
def test_no_event_appears_behind_the_cursor_though_an_earlier_transaction_commits_later() -> None:
    ada, reader = player("ada"), Api("ada")
    written, release = threading.Event(), threading.Event()

    def tell(reason: str) -> None:
        FeedEntry.objects.create(player=ada, kind="chat", reason=reason, at=NOW)

    def slow() -> None:
        try:
            with transaction.atomic():
                tell("first")
                written.set()
                release.wait(30)
        finally:
            connection.close()

    thread = threading.Thread(target=slow)
    thread.start()
    try:
        assert written.wait(30)
        tell("second")
        assert feed(reader)["results"] == [], "the first is not there yet, so the second has to wait"
    finally:
        release.set()
        thread.join()
    first, second = FeedEntry.objects.order_by("pk")
    assert (first.reason, second.reason) == ("first", "second")
    seen = eventually(lambda: feed(reader), lambda seen: len(seen["results"]) == 2)
    assert [line["id"] for line in seen["results"]] == [first.pk, second.pk]


# --------------------------------------------------------------------------------------- pictures and headers


def test_the_board_comes_as_text_drawing_and_pixels() -> None:
    code = game_of("ada", "bob").code
    seen = Api(None).get(f"games/{code}/").json()
    words = Api(None).get(f"games/{code}/board.txt")
    assert words["Content-Type"] == "text/plain; charset=utf-8"
    assert words.content.decode().startswith(text.draw_text_board(seen))
    drawn = Api(None).get(f"games/{code}/board.svg")
    assert drawn["Content-Type"] == "image/svg+xml"
    assert ElementTree.fromstring(drawn.content).tag == "{http://www.w3.org/2000/svg}svg"
    for query, width in (("", 600), ("?width=100", 100)):
        pixels = Api("ada").get(f"games/{code}/board.png{query}")
        assert (pixels["Content-Type"], pixels.content[:8]) == ("image/png", b"\x89PNG\r\n\x1a\n")
        assert struct.unpack(">II", pixels.content[16:24]) == (width, width)
    for query in ("width=99", "width=1201", "width=x"):
        assert status_and_code(Api(None).get(f"games/{code}/board.png?{query}")) == (400, "invalid")
    assert Api(None).get("games/nosuchgame/board.png").status_code == 404


@pytest.mark.parametrize("path", ["", "board.txt", "board.svg", "board.png"])
def test_what_has_not_changed_is_not_sent_again(path: str) -> None:
    code = game_of("ada", mode="solo").code
    ada = Api("ada")
    first = ada.get(f"games/{code}/{path}")
    assert first["Cache-Control"] == "private, no-cache"
    tag = first["ETag"]
    for known in (tag, f"W/{tag}", f'"other", {tag}', "*"):
        again = ada.get(f"games/{code}/{path}", **{"If-None-Match": known})
        assert (again.status_code, again.content, again["ETag"]) == (304, b"", tag)
    legal = ada.get(f"games/{code}/actions/legal/").json()
    assert ada.play(code, legal[0], 0).status_code == 201
    fresh = ada.get(f"games/{code}/{path}", **{"If-None-Match": tag})
    assert (fresh.status_code, fresh["ETag"] != tag) == (200, True)


def test_who_asks_too_often_is_told_when_to_come_back(settings: Any) -> None:
    settings.API_RATE, settings.API_RATE_ANONYMOUS = 3, 2
    for api, limit in ((Api("ada"), 3), (Api(None), 2)):
        answers = [api.get("games/") for _ in range(2 * limit + 1)]  # more than two minutes' worth
        refused = next(answer for answer in answers if answer.status_code == 429)
        assert status_and_code(refused) == (429, "throttled")
        assert 1 <= int(refused["Retry-After"]) <= 60
        for answer in (answers[0], refused):
            assert answer["RateLimit-Policy"] == f"{limit};w=60"
            left, reset = re.fullmatch(
                rf"limit={limit}, remaining=(\d+), reset=(\d+)", answer["RateLimit"]
            ).groups()
            assert int(left) == (limit - 1 if answer is answers[0] else 0)
            assert 1 <= int(reset) <= 60
    assert Api("bob").get("games/").status_code == 200, "others are not held up"


def test_pages_of_other_sites_may_use_the_api_but_get_no_cookies() -> None:
    here = {"Origin": "https://app.example"}
    read = Api(None).get("games/", **here)
    assert read["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Credentials" not in read
    exposed = {name.strip().lower() for name in read["Access-Control-Expose-Headers"].split(",")}
    assert {"etag", "ratelimit", "retry-after"} <= exposed
    asked = here | {
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization, idempotency-key, if-none-match, content-type",
    }
    ahead = Api(None).client.options("/api/v1/games/", headers=asked)
    assert ahead.status_code == 200
    assert "POST" in ahead["Access-Control-Allow-Methods"]
    allowed = ahead["Access-Control-Allow-Headers"]
    assert all(name in allowed for name in asked["Access-Control-Request-Headers"].split(", "))
    assert "Access-Control-Allow-Origin" not in Api(None).client.get("/", headers=here)
