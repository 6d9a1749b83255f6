"""The stream of a game on a real server: what each viewer receives, how soon, and how it ends."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from games.models import Game, Message, Seat
from games.selectors import load_game
from games.services import lobby, social, turns
from tests.factories.cast import NOW, open_browser, player, start_cast_game
from tests.helpers.first_moves import play_any_action
from tests.helpers.streams import StreamReader, create_bearer


@pytest.fixture
def site(stream_server: str, transactional_db: None) -> str:
    return stream_server


def open_game(site: str, code: str, name: str | None = None, cursor: str = "") -> StreamReader:
    headers = create_bearer(name) if name else {}
    if cursor:
        headers |= {"Last-Event-ID": cursor}
    return StreamReader(f"{site}/api/v1/games/{code}/stream/", headers)


def read_view(site: str, code: str, name: str | None = None) -> Any:
    headers = create_bearer(name) if name else {}
    return httpx.get(f"{site}/api/v1/games/{code}/", headers=headers, verify=False).json()


def start_private_game() -> Game:
    game = start_cast_game("ada", "bob")
    Game.objects.update(private=True)
    return game


def resign(name: str, code: str) -> None:
    turns.play_action(player=player(name), code=code, text="resign", seq=None, key="", now=NOW)


def say(name: str, code: str, text: str) -> Message:
    return social.post_chat_message(player=player(name), code=code, text=text, now=NOW)


def test_a_game_opens_with_the_viewer_s_view_and_sends_each_action_and_the_view_after_it(site: str) -> None:
    game = start_cast_game("ada", "bob")
    with open_game(site, game.code, "ada") as stream:
        opening = stream.read_event("game")
        assert opening.data == read_view(site, game.code, "ada")
        assert opening.id == "0.0"
        play_any_action(game)
        action, view = stream.read_event("action"), stream.read_event("game")
    log = httpx.get(f"{site}/api/v1/games/{game.code}/log/", verify=False).json()["results"]
    assert [action.data] == log
    assert view.data == read_view(site, game.code, "ada")
    assert (action.id, view.id) == ("1.0", "1.0")


def test_chat_comes_at_once_to_the_table_and_to_nobody_else(site: str) -> None:
    game = start_cast_game("ada", "bob")
    with open_game(site, game.code, "ada") as at_table, open_game(site, game.code, "cleo") as watching:
        at_table.read_event("game")
        watching.read_event("game")
        posted = say("bob", game.code, "hello")
        message = at_table.read_event("message")
        assert (message.data["name"], message.data["text"]) == ("bob", "hello")
        assert message.id == f"0.{posted.pk}"
        play_any_action(game)
        assert at_table.read_event("action").id == f"1.{posted.pk}"
        assert watching.read_event("action").id == "1", "no word of the chat, not even its number"
        watching.read_event("game")
    assert {event.name for event in watching.events} == {"game", "action"}


def test_a_game_resumes_with_the_actions_and_messages_that_were_missed(site: str) -> None:
    game = start_cast_game("ada", "bob")
    with open_game(site, game.code, "ada") as stream:
        last = stream.read_event("game")
    first = say("bob", game.code, "one")
    play_any_action(game)
    play_any_action(game)
    second = say("bob", game.code, "two")
    with open_game(site, game.code, "ada", last.id) as stream:
        stream.read_event("game")
        names = [(event.name, event.id) for event in stream.events]
        assert names == [
            ("action", "1.0"),
            ("action", "2.0"),
            ("message", f"2.{first.pk}"),
            ("message", f"2.{second.pk}"),
            ("game", f"2.{second.pk}"),
        ]
        say("bob", game.code, "three")
        assert stream.read_event("message").data["text"] == "three"
    # A reconnect in the middle of missed events loses and repeats nothing.
    with open_game(site, game.code, "ada", "2.0") as stream:
        stream.read_event("game")
        assert [event.data.get("text") for event in stream.events[:-1]] == ["one", "two", "three"]


def test_whoever_joins_is_seen_at_once(site: str) -> None:
    game = lobby.create_game(player=player("ada"), now=NOW, seat_count=2)
    Game.objects.update(expires_at="2099-01-01T00:00Z")
    lobby.join_game(player=player("ada"), code=game.code, now=NOW)
    with open_game(site, game.code) as stream:
        assert len(stream.read_event("game").data["seats"]) == 1
        lobby.join_game(player=player("bob"), code=game.code, now=NOW)
        assert len(stream.read_event("game").data["seats"]) == 2


def test_a_stream_closes_when_the_game_is_over(site: str) -> None:
    game = start_cast_game("ada", "bob")
    with open_game(site, game.code, "ada") as stream:
        stream.read_event("game")
        resign("bob", game.code)
        names = [event.name for event in stream.read_to_end()]
        assert names == ["game", "action", "game", "end"]
        assert stream.events[-1].data == {"reason": "over"}
        assert stream.events[-2].data["status"] == "over"
    with open_game(site, game.code, "ada", "0.0") as stream:
        assert [event.name for event in stream.read_to_end()] == ["action", "game", "end"]


def test_a_private_game_is_for_its_players_and_ends_for_who_is_one_no_more(site: str) -> None:
    game = start_private_game()
    for name in (None, "cleo"):
        with open_game(site, game.code, name) as stream:
            assert stream.status == 404
    with open_game(site, game.code, "bob") as stream:
        stream.read_event("game")
        Seat.objects.filter(game=game, player=player("bob")).update(player=player("cleo"))
        play_any_action(game)
        end = stream.read_event("end")
        assert end.data == {"reason": "not-found"}
        assert stream.read_to_end()[-1] is end


@pytest.mark.parametrize("cursor", ["x", "-1", "1.2.3", "1.", "9" * 30])
def test_a_cursor_that_cannot_be_read_is_refused(site: str, cursor: str) -> None:
    game = start_cast_game("ada", "bob")
    with open_game(site, game.code, None, cursor) as stream:
        assert stream.status == 400


def test_a_token_without_the_scope_read_is_refused(site: str) -> None:
    game = start_cast_game("ada", "bob")
    url = f"{site}/api/v1/games/{game.code}/stream/"
    assert httpx.get(url, headers=create_bearer("ada", "play"), verify=False).status_code == 403


def test_a_spectator_s_stream_holds_nothing_that_the_spectator_s_view_has_not(site: str) -> None:
    game = start_cast_game("ada", "bob")
    with open_game(site, game.code) as stream:
        for _ in range(6):
            play_any_action(game)
        stream.read_until(lambda event: event.name == "game" and event.data["seq"] == 6)
        assert stream.events[-1].data == read_view(site, game.code)
    secret_hands = [list(state.hands) for state in [load_game(game.code).state] if state]
    assert secret_hands
    for event in stream.events:
        if event.name == "game":
            assert "you" not in event.data
            assert event.data["fairness"]["server_seed"] is None
    log = httpx.get(f"{site}/api/v1/games/{game.code}/log/", verify=False).json()["results"]
    actions = [event.data for event in stream.events if event.name == "action"]
    assert actions == log[len(log) - len(actions) :]


# --------------------------------------------------------------------------------------------------- pages


def test_a_page_gets_versions_and_turns_and_nothing_else(site: str) -> None:
    game = start_cast_game("ada", "bob")
    browser = open_browser("ada")
    cookies = {"sessionid": browser.cookies["sessionid"].value}
    query = f"topic=game:{game.code}&topic=me&topic=lobby&topic=game:nosuchgame&topic=tournament:x"
    with StreamReader(f"{site}/live/?{query}", cookies=cookies) as stream:
        turns_event = stream.read_event("turns")
        opening = {event.data["topic"]: event.data["version"] for event in stream.events[:-1]}
        assert set(opening) == {f"game:{game.code}", "me", "lobby"}
        version = browser.get(f"/games/{game.code}/version/").json()["version"]
        assert opening[f"game:{game.code}"] == version
        page = browser.get(f"/games/{game.code}/").content.decode()
        assert version.strip('"') in page
        play_any_action(game)
        change = stream.read_until(lambda event: event.data.get("topic") == f"game:{game.code}")
        assert change.data["version"] == browser.get(f"/games/{game.code}/version/").json()["version"]
        lobby.create_game(player=player("cleo"), now=NOW, seat_count=2)
        stream.read_until(lambda event: event.data.get("topic") == "lobby")
        assert turns_event.data["waiting"] in (0, 1)
    for event in stream.events:
        assert set(event.data) == ({"waiting"} if event.name == "turns" else {"topic", "version"})


def test_the_number_of_turns_follows_the_game(site: str) -> None:
    game = start_cast_game("ada", "bob")
    name = load_game(game.code).seat_by_no(load_game(game.code).to_act[0]).player.name  # type: ignore[union-attr]
    cookies = {"sessionid": open_browser(name).cookies["sessionid"].value}
    with StreamReader(f"{site}/live/?topic=me", cookies=cookies) as stream:
        assert stream.read_event("turns").data == {"waiting": 1}
        resign("bob", game.code)
        assert stream.read_event("turns").data == {"waiting": 0}


def test_a_page_sees_no_topic_that_its_viewer_may_not(site: str) -> None:
    private_game = start_private_game()
    for query in ("topic=me", f"topic=game:{private_game.code}", "", "topic=nonsense", "topic=player:1"):
        assert httpx.get(f"{site}/live/?{query}", verify=False).status_code == 404, query
    many = "&".join(f"topic=game:{n}" for n in range(9))
    assert httpx.get(f"{site}/live/?{many}", verify=False).status_code == 400
    with StreamReader(f"{site}/live/?topic=lobby&topic=game:{private_game.code}") as stream:
        assert stream.read_event("change").data["topic"] == "lobby"
