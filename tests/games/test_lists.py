"""A player's own games and the lobby: what is told first, to whom, in which words, and at what cost."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.db.models import Q
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games import selectors
from games.engine import dump_state
from games.models import Game, GameSecrets, Player
from games.selectors.contacts import have_met
from games.services import invitations, lobby, turns
from games.web import game_lists

from .cast import browser, game_of, player
from .timing import turn_of

pytestmark = pytest.mark.django_db


def page(path: str, name: str | None = None) -> str:
    answer = browser(name).get(path)
    assert answer.status_code == 200
    return answer.content.decode()


def section(text: str, heading: str) -> str:
    """A part of a page, from its heading to the next."""
    found = re.search(rf'<h2 id="{heading}".*?</section>', text, re.DOTALL)
    return found[0] if found else ""


def codes(text: str) -> list[str]:
    """The games of a part, in order."""
    return list(dict.fromkeys(re.findall(r'href="/games/([a-z0-9]{12})/"', text)))


def started(*names: str, bots: tuple[str, ...] = (), ago: timedelta = timedelta(), **terms: Any) -> Game:
    """A game that began a while ago, by the clock on the wall."""
    now = timezone.now() - ago
    seats = None if terms.get("mode") in ("pairs", "solo") else len(names) + len(bots)
    game = lobby.create_game(player=player(names[0]), now=now, seats=seats, **terms)
    for name in names:
        if game.private and name != names[0]:
            invitations.invite_to_game(
                player=player(names[0]), code=game.code, now=now, name=player(name).name
            )
        lobby.join_game(player=player(name), code=game.code, now=now)
    for bot in bots:
        lobby.add_bot(player=player(names[0]), code=game.code, policy=bot, now=now)
    game.refresh_from_db()
    return game


def opened(name: str, **terms: Any) -> Game:
    """A game in which one player waits."""
    game = lobby.create_game(player=player(name), now=timezone.now(), **terms)
    return lobby.join_game(player=player(name), code=game.code, now=timezone.now())


def resigned(game: Game, name: str) -> None:
    turns.play_action(
        player=player(name), code=game.code, text="resign", seq=None, key="", now=timezone.now()
    )


# --------------------------------------------------------------------------------------------------- my games


def test_my_turns_come_first_and_the_most_urgent_before_all() -> None:
    slow, quick = started("ada", "bob"), started("ada", "bob", clock_name="live")
    for game in (slow, quick):
        turn_of(game, "ada", timezone.now())
    other = started("ada", "bob")
    turn_of(other, "bob", timezone.now())
    text = page("/games/", "ada")
    assert codes(section(text, "turns")) == [quick.code, slow.code]
    assert codes(section(text, "running")) == [other.code]
    assert text.index('id="turns"') < text.index('id="running"')
    assert "bob to move" in section(text, "running")
    assert "2 days for each turn" in section(text, "turns")


def test_a_turn_tells_the_time_left_in_words_and_exactly_in_the_players_zone() -> None:
    game = started("ada", "bob", clock_name="2d")
    turn_of(game, "ada", timezone.now())
    Player.objects.filter(name="ada").update(time_zone="Asia/Tokyo")
    (turn,) = selectors.deliveries.list_waiting_turns(player("ada"))
    assert turn.deadline
    text = section(page("/games/", "ada"), "turns")
    assert re.search(r"8 days and 2\d hours left|9 days left", text)
    assert (
        timezone.localtime(turn.deadline, timezone.zoneinfo.ZoneInfo("Asia/Tokyo")).isoformat()[:16] in text
    )


def test_a_turn_of_which_little_is_left_is_marked_and_one_without_a_clock_has_none() -> None:
    game = started("ada", "bob", ago=timedelta(days=8, hours=20))
    turn_of(game, "ada", game.created_at)
    alone = started("ada", mode="solo")
    text = section(page("/games/", "ada"), "turns")
    assert codes(text) == [game.code, alone.code]
    assert text.count("row turn soon") == 1
    assert "Take your time" in text
    late = timezone.now() - timedelta(days=30)
    Game.objects.filter(pk=game.pk).update(
        clocks={str(n): {"bank": 0, "at": late.isoformat()} for n in (1, 2)}
    )
    assert "Time is up" in page("/games/", "ada")


def test_a_line_tells_the_score_that_all_can_see() -> None:
    game = started("ada", "bob")
    state = selectors.load_game(game.code).state
    assert state
    draft = state.mutable_copy()
    draft.match_no, draft.totals, draft.marked_figures = 3, (0, 17, 9), ((0, 4, 2),)
    GameSecrets.objects.filter(game=game).update(state=dump_state(draft.freeze()))
    text = page("/games/", "ada")
    assert "Match 3" in text
    seats = {seat.player.name: seat.number for seat in game.places.select_related("player") if seat.player}
    for name, number in seats.items():
        assert f"{name}</span> <b>{(0, 17, 9)[number]}</b>" in text
    assert text.count("<small>+4</small>") == 1


def test_a_game_that_is_level_says_what_comes_next() -> None:
    game = started("ada", "bob")
    Game.objects.filter(pk=game.pk).update(status=Game.Status.TIEBREAK, to_act=0)
    assert "Level: a blind match is about to open" in section(page("/games/", "ada"), "running")


def test_a_game_whose_state_cannot_be_read_hides_no_other() -> None:
    broken, well = started("ada", "bob"), started("ada", "bob")
    GameSecrets.objects.filter(game=broken).update(state='{"rules": 0}')
    for path in ("/games/", "/lobby/", "/players/ada/"):
        text = page(path, "ada")
        assert {broken.code, well.code} <= set(codes(text))


def test_an_invitation_can_be_answered_right_there() -> None:
    player("bob")
    game = opened("ada", mode="pairs", private=True)
    invitations.invite_to_game(
        player=player("ada"), code=game.code, now=timezone.now(), name="bob", partner=True
    )
    text = section(page("/games/", "bob"), "invitations")
    assert "ada asks you to be their partner" in text
    assert "Pairs, two against two" in text
    assert re.search(rf'action="/games/{game.code}/join/" data-seed', text)
    browser("bob").post(f"/games/{game.code}/join/")
    assert codes(section(page("/games/", "bob"), "waiting")) == [game.code]


def test_a_game_of_mine_that_waits_is_there_even_if_i_have_no_seat_yet() -> None:
    game = lobby.create_game(player=player("ada"), now=timezone.now(), seats=3)
    text = section(page("/games/", "ada"), "waiting")
    assert codes(text) == [game.code]
    assert "3 seats free" in text
    assert game.code not in page("/games/", "bob")


def test_what_is_over_is_told_from_my_point_of_view() -> None:
    game = started("ada", "bob", private=True)
    resigned(game, "bob")
    for name, told in (("ada", "You won"), ("bob", "You lost")):
        text = section(page("/games/", name), "finished")
        assert told in text
        assert f'href="/games/{game.code}/replay/"' in text
    Game.objects.filter(pk=game.pk).update(result={"winner": None, "totals": {"1": 24, "2": 24}})
    assert "A draw" in section(page("/games/", "ada"), "finished")
    alone = started("cleo", mode="solo")
    resigned(alone, "cleo")
    assert "You lost" in section(page("/games/", "cleo"), "finished")


def test_only_the_last_twenty_results_are_listed() -> None:
    games = [started("ada", "bob") for _ in range(22)]
    for game in games:
        resigned(game, "bob")
    assert codes(section(page("/games/", "ada"), "finished")) == [game.code for game in games[:1:-1]]


def test_who_has_no_game_is_shown_the_next_step() -> None:
    text = page("/games/", "dirk")
    assert 'href="/games/new/?preset=bot"' in text
    assert 'href="/lobby/"' in text
    assert "<h2 id=" not in text


def test_who_is_not_signed_in_is_led_to_the_lobby() -> None:
    assert browser().get("/games/")["Location"] == "/lobby/"


# -------------------------------------------------------------------------------------------------- the lobby


def test_the_lobby_lists_public_games_newest_first_with_their_terms_in_words() -> None:
    first = opened("ada", seats=3, cards=False, clock_name="12h", edition="bannan-nl", obligation="lenient")
    second = opened("bob", mode="pairs", weekends=True, nights=True, target=12, rated=True)
    opened("bob", private=True)
    text = section(page("/lobby/"), "waiting")
    assert codes(text) == [second.code, first.code]
    assert (
        "Three players · without cards · 12 hours for each turn · Bannan rulebook · head in the clouds"
        in text
    )
    assert (
        "Pairs, two against two · with secret cards · 2 days for each turn · Arcastudio 2.2 rulebook" in text
    )
    assert "to 12 points · clocks rest at night and at the weekend · rated" in text
    assert "2 seats free" in text
    assert "3 seats free" in text
    assert 'href="/players/ada/"' in text


def test_a_seat_can_be_taken_in_the_lobby_by_those_who_are_signed_in() -> None:
    game = opened("ada")
    stranger = section(page("/lobby/"), "waiting")
    assert "<form" not in stranger
    assert f'href="/accounts/login/?next=/games/{game.code}/"' in stranger
    text = section(page("/lobby/", "bob"), "waiting")
    assert re.search(rf'<form method="post" action="/games/{game.code}/join/" data-seed>', text)
    assert "csrfmiddlewaretoken" in text
    assert "You sit here" in section(page("/lobby/", "ada"), "waiting")
    browser("bob").post(f"/games/{game.code}/join/")
    assert codes(section(page("/lobby/"), "watched")) == [game.code]


def test_seats_that_are_kept_are_not_offered() -> None:
    player("bob")
    game = opened("ada", seats=3)
    invitations.invite_to_game(player=player("ada"), code=game.code, now=timezone.now(), name="bob")
    assert "1 seat free" in page("/lobby/", "cleo")
    invitations.invite_to_game(
        player=player("ada"), code=game.code, now=timezone.now(), email="zoe@example.org"
    )
    assert f"/games/{game.code}/join/" not in page("/lobby/", "cleo")
    assert "The last seats are kept for friends" in page("/lobby/", "cleo")
    assert f"/games/{game.code}/join/" in page("/lobby/", "bob")


def test_a_game_that_waited_too_long_is_not_offered() -> None:
    game = opened("ada")
    Game.objects.filter(pk=game.pk).update(expires_at=timezone.now())
    assert game.code not in page("/lobby/")


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", "abcd"), ("players=2", "a"), ("players=3", "b"), ("players=4", "c"), ("players=pairs", "d"),
        ("cards=yes", "abd"), ("cards=no", "c"), ("speed=quick", "bc"), ("speed=slow", "ad"),
        ("players=pairs&cards=no", ""), ("speed=slow&cards=yes", "ad"), ("players=nine&cards=%00", "abcd"),
    ],
)  # fmt: skip
def test_the_lobby_can_be_narrowed_down(query: str, expected: str) -> None:
    waiting = {
        "a": opened("ada", seats=2),
        "b": opened("ada", seats=3, clock_name="12h"),
        "c": opened("ada", seats=4, cards=False, clock_name="live"),
        "d": opened("ada", mode="pairs", clock_name="7d"),
    }
    watched = {
        "a": started("ada", "bob"),
        "b": started("ada", "bob", "cleo", clock_name="12h"),
        "c": started("ada", "bob", bots=("random", "random"), cards=False, clock_name="live"),
        "d": started("ada", "bob", "cleo", "dirk", mode="pairs", clock_name="7d"),
    }
    text = page(f"/lobby/?{query}")
    for heading, games in (("waiting", waiting), ("watched", watched)):
        assert set(codes(section(text, heading))) == {games[letter].code for letter in expected}
    assert ("Show all" in text) == (expected != "abcd")


def test_games_to_watch_are_public_running_of_several_and_the_last_moved_first() -> None:
    older, newer = started("ada", "bob", ago=timedelta(hours=2)), started("ada", "bob")
    started("ada", mode="solo")
    started("ada", "bob", private=True)
    resigned(started("ada", "bob"), "bob")
    assert codes(section(page("/lobby/"), "watched")) == [newer.code, older.code]
    turn_of(older, "bob", timezone.now())
    turn_of(older, "ada", timezone.now())
    assert codes(section(page("/lobby/"), "watched")) == [older.code, newer.code]


def test_both_lists_go_on_page_by_page_even_among_games_of_one_moment() -> None:
    now = timezone.now()
    waiting = [lobby.create_game(player=None, now=now) for _ in range(45)]
    watched = [game_of("ada", "bob") for _ in range(45)]
    for heading, games, more in (("waiting", waiting, "Older ones"), ("watched", watched, "More games")):
        seen: list[str] = []
        path = "/lobby/?cards=yes"
        for _ in range(3):
            text = page(path)
            part = section(text, heading)
            seen += codes(part)
            if found := re.search(rf'href="(\?[^"]+)">{more}<', part):
                path = "/lobby/" + found[1].replace("&amp;", "&")
                assert "cards=yes" in path
        assert seen == [game.code for game in reversed(games)]
        assert not found
        assert section(text, "watched" if heading == "waiting" else "waiting") == ""
        assert "Back to the beginning" in text


@pytest.mark.parametrize(
    "query", ["before=x", "before=9-", f"before={'9' * 17}-{'9' * 18}", "older=-1-2", "older=²-1"]
)
def test_a_forged_place_is_no_error(query: str) -> None:
    started("ada", "bob")
    assert "OTTO" in page(f"/lobby/?{query}")


# ------------------------------------------------------------------------------------------------ the picture


def test_a_small_board_is_shown_to_those_who_may_see_the_game() -> None:
    game, private = started("ada", "bob"), started("ada", "bob", private=True)
    answer = browser().get(f"/games/{game.code}/board.svg?seq=0")
    assert answer["Content-Type"] == "image/svg+xml"
    assert "max-age=86400" in answer["Cache-Control"]
    assert "private" in answer["Cache-Control"]
    assert b"<svg" in answer.content
    assert browser("ada").get(f"/games/{private.code}/board.svg").status_code == 200
    for client in (browser("cleo"), browser()):
        assert client.get(f"/games/{private.code}/board.svg").status_code == 404


# --------------------------------------------------------------------------------------------------- the cost


def crowd(many: int) -> None:
    """So many games of every kind around ada."""
    now = timezone.now()
    for _ in range(many):
        for name in ("ada", "bob"):
            turn_of(started("ada", "bob"), name, now)
        started("ada", mode="solo")
        resigned(started("ada", "bob"), "bob")
        opened("dirk" if lobby_is_full("ada") else "ada", seats=3)
        invite_ada(now)


def lobby_is_full(name: str) -> bool:
    return (
        Game.objects.filter(creator=player(name), status="open").count()
        >= lobby.MAX_OPEN_GAMES_PER_PLAYER - 2
    )


def invite_ada(now: Any) -> None:
    host = f"host {Game.objects.count() // 60}"
    if not have_met(player(host), player("ada")):  # whoever has not may ask a few times only
        resigned(started(host, "ada"), host)
    invitations.invite_to_game(player=player(host), code=opened(host, private=True).code, now=now, name="ada")


def cost(path: str, name: str) -> tuple[int, int]:
    client = browser(name)
    client.get(path)
    with CaptureQueriesContext(connection) as queries:
        answer = client.get(path)
    assert answer.status_code == 200
    return len(queries), len(answer.content)


def test_many_games_cost_no_more_queries_than_a_few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lobby, "MAX_OPEN_GAMES_PER_PLAYER", 500)
    player("ada")
    crowd(1)
    paths = ("/games/", "/lobby/", "/players/ada/")
    few = [cost(path, "ada")[0] for path in paths]
    crowd(40)
    assert Game.objects.count() >= 200
    many = [cost(path, "ada") for path in paths]
    assert [queries for queries, _ in many] == few
    assert max(few) <= 12
    assert max(size for _, size in many) < 100_000, many


def test_the_two_lists_of_the_lobby_are_read_from_their_indexes() -> None:
    game = game_of("ada", "bob")
    fields = {field.attname: getattr(game, field.attname) for field in Game._meta.concrete_fields}
    del fields["id"], fields["code"], fields["rematch_of_id"]
    for status in ("over", "open", "running"):
        made = [fields["created_at"] + timedelta(minutes=number) for number in range(3000)]
        Game.objects.bulk_create([Game(**fields | {"status": status, "created_at": at}) for at in made])
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE games_game")
    before = (timezone.now(), 10**9)
    for found, index in (
        (selectors.list_open_games(fields["created_at"], Q()), "game_lobby"),
        (selectors.list_open_games(fields["created_at"], Q(cards=True), before), "game_lobby"),
        (selectors.list_games_to_watch(Q()), "game_to_watch"),
        (selectors.list_games_to_watch(Q(mode="singles", seats=2), before), "game_to_watch"),
    ):
        plan = found[: game_lists.LOBBY_PAGE_SIZE + 1].explain()
        assert index in plan, plan
        assert "Seq Scan" not in plan, plan
