"""A player's own games and the lobby: their order, their visibility, their words, and their cost."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.db.models import Q
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Player
from accounts.selectors.contacts import have_met
from games import selectors
from games.engine import dump_state
from games.models import Game, GameSecrets
from games.selectors.waiting_turns import list_waiting_turns
from games.services import invitations, lobby
from games.web import game_lists
from tests.example_counts import pick_example_count
from tests.factories.cast import open_browser, player, start_cast_game
from tests.factories.open_games import create_open_game
from tests.factories.timing import play_until_turn_of
from tests.helpers.game_lists import cut_section, list_codes, read_page, resign_game, start_game

pytestmark = pytest.mark.django_db


# --------------------------------------------------------------------------------------------------- my games


def test_my_turns_come_first_and_the_most_urgent_before_all() -> None:
    slow, quick = start_game("ada", "bob"), start_game("ada", "bob", time_control="live")
    for game in (slow, quick):
        play_until_turn_of(game, "ada", timezone.now())
    other = start_game("ada", "bob")
    play_until_turn_of(other, "bob", timezone.now())
    text = read_page("/games/", "ada")
    assert list_codes(cut_section(text, "turns")) == [quick.code, slow.code]
    assert list_codes(cut_section(text, "running")) == [other.code]
    assert text.index('id="turns"') < text.index('id="running"')
    assert "bob to move" in cut_section(text, "running")
    assert "2 days per turn" in cut_section(text, "turns")


def test_a_turn_tells_the_time_left_in_words_and_exactly_in_the_players_zone() -> None:
    game = start_game("ada", "bob", time_control="2d")
    play_until_turn_of(game, "ada", timezone.now())
    Player.objects.filter(name="ada").update(time_zone="Asia/Tokyo")
    (turn,) = list_waiting_turns(player("ada"))
    assert turn.deadline
    text = cut_section(read_page("/games/", "ada"), "turns")
    assert re.search(r">1.week, [12].days?</time>\s*left", text)
    assert (
        timezone.localtime(turn.deadline, timezone.zoneinfo.ZoneInfo("Asia/Tokyo")).isoformat()[:16] in text
    )


def test_a_turn_of_which_little_is_left_is_marked_and_one_without_a_clock_has_none() -> None:
    game = start_game("ada", "bob", ago=timedelta(days=8, hours=20))
    play_until_turn_of(game, "ada", game.created_at)
    solo_game = start_game("ada", mode="solo")
    text = cut_section(read_page("/games/", "ada"), "turns")
    assert list_codes(text) == [game.code, solo_game.code]
    assert text.count('<strong class="urgent"') == 1
    assert "Take your time" in text
    late = timezone.now() - timedelta(days=30)
    Game.objects.filter(pk=game.pk).update(
        seat_clocks={str(n): {"bank": 0, "at": late.isoformat()} for n in (1, 2)}
    )
    assert "Time is up" in read_page("/games/", "ada")


def test_a_line_tells_the_score_that_all_can_see() -> None:
    game = start_game("ada", "bob")
    state = selectors.load_game(game.code).state
    assert state
    draft = state.mutable_copy()
    draft.match_no, draft.totals, draft.marked_figures = 3, (0, 17, 9), ((0, 4, 2),)
    GameSecrets.objects.filter(game=game).update(state=dump_state(draft.freeze()))
    text = read_page("/games/", "ada")
    assert "Match 3" in text
    seats = {seat.player.name: seat.seat_no for seat in game.seats.select_related("player") if seat.player}
    for name, number in seats.items():
        assert re.search(rf"{name}</span></span>\s*<b>{(0, 17, 9)[number]}</b>", text)
    assert text.count("<small>4 this match</small>") == 1


def test_a_pair_has_one_line_with_one_score() -> None:
    game = start_game("ada", "bob", "cleo", "dirk", mode="pairs")
    state = selectors.load_game(game.code).state
    assert state
    draft = state.mutable_copy()
    draft.match_no, draft.totals, draft.marked_figures = 2, (0, 17, 9), ((0, 4, 2),)
    GameSecrets.objects.filter(game=game).update(state=dump_state(draft.freeze()))
    rows = re.findall(r'<li class="pair">.*?</li>', read_page("/games/", "ada"), re.DOTALL)
    lines = [" ".join(re.sub("<[^>]+>", "", row).split()) for row in rows]
    names = {seat.seat_no: seat.player.name for seat in game.seats.select_related("player") if seat.player}
    assert lines == [
        f"1{names[1]} &amp; {names[3]} 17",
        f"2{names[2]} &amp; {names[4]} 9 4 this match",
    ]


def test_a_game_that_is_level_says_what_comes_next() -> None:
    game = start_game("ada", "bob")
    Game.objects.filter(pk=game.pk).update(status=Game.Status.TIEBREAK, to_act_mask=0)
    assert "Level: a blind match follows" in cut_section(read_page("/games/", "ada"), "running")


def test_a_game_whose_state_cannot_be_read_hides_no_other() -> None:
    broken, well = start_game("ada", "bob"), start_game("ada", "bob")
    GameSecrets.objects.filter(game=broken).update(state='{"rules": 0}')
    for path in ("/games/", "/lobby/", "/players/ada/"):
        text = read_page(path, "ada")
        assert {broken.code, well.code} <= set(list_codes(text))


def test_an_invitation_can_be_answered_right_there() -> None:
    player("bob")
    game = create_open_game("ada", mode="pairs", private=True)
    invitations.invite_to_game(
        player=player("ada"), code=game.code, now=timezone.now(), name="bob", partner=True
    )
    text = cut_section(read_page("/games/", "bob"), "invitations")
    assert "ada invites you as a partner" in text
    assert "Pairs, two against two" in text
    assert re.search(rf'action="/games/{game.code}/join/" data-seed', text)
    open_browser("bob").post(f"/games/{game.code}/join/")
    assert list_codes(cut_section(read_page("/games/", "bob"), "waiting")) == [game.code]


def test_a_game_of_mine_that_waits_is_there_even_if_i_have_no_seat_yet() -> None:
    game = lobby.create_game(player=player("ada"), now=timezone.now(), seat_count=3)
    text = cut_section(read_page("/games/", "ada"), "waiting")
    assert list_codes(text) == [game.code]
    assert "3 seats free" in text
    assert game.code not in read_page("/games/", "bob")


def test_what_is_over_is_described_from_my_point_of_view() -> None:
    game = start_game("ada", "bob", private=True)
    resign_game(game, "bob")
    for name, sentence in (("ada", "You won"), ("bob", "You lost")):
        text = cut_section(read_page("/games/", name), "finished")
        assert sentence in text
        assert f'href="/games/{game.code}/replay/"' in text
    Game.objects.filter(pk=game.pk).update(result={"winner": None, "totals": {"1": 24, "2": 24}})
    assert "A draw" in cut_section(read_page("/games/", "ada"), "finished")
    solo_game = start_game("cleo", mode="solo")
    resign_game(solo_game, "cleo")
    assert "You lost" in cut_section(read_page("/games/", "cleo"), "finished")


def test_only_the_last_twenty_results_are_listed() -> None:
    games = [start_game("ada", "bob") for _ in range(22)]
    for game in games:
        resign_game(game, "bob")
    assert list_codes(cut_section(read_page("/games/", "ada"), "finished")) == [
        game.code for game in games[:1:-1]
    ]


def test_who_has_no_game_is_shown_the_next_step() -> None:
    text = read_page("/games/", "dirk")
    assert 'href="/games/new/?preset=bot"' in text
    assert 'href="/lobby/"' in text
    assert "<h2 id=" not in text


def test_who_is_not_signed_in_is_led_to_the_lobby() -> None:
    assert open_browser().get("/games/")["Location"] == "/lobby/"


# -------------------------------------------------------------------------------------------------- the lobby


def test_the_lobby_lists_public_games_newest_first_with_their_terms_in_words() -> None:
    first = create_open_game(
        "ada", seat_count=3, cards=False, time_control="12h", edition="bannan-nl", obligation="lenient"
    )
    second = create_open_game("bob", mode="pairs", weekends=True, nights=True, target=12, rated=True)
    create_open_game("bob", private=True)
    text = cut_section(read_page("/lobby/"), "waiting")
    assert list_codes(text) == [second.code, first.code]
    assert "Three players · without cards · 12 hours per turn · Bannan rulebook · head in the clouds" in text
    assert "Pairs, two against two · with secret cards · 2 days per turn · Arcastudio 2.2 rulebook" in text
    assert "to 12 points · clocks stop at night and at weekends · rated" in text
    assert "2 seats free" in text
    assert "3 seats free" in text
    assert 'href="/players/ada/"' in text


def test_a_seat_can_be_taken_in_the_lobby_by_those_who_are_signed_in() -> None:
    game = create_open_game("ada")
    stranger = cut_section(read_page("/lobby/"), "waiting")
    assert "<form" not in stranger
    assert f'href="/accounts/login/?next=/games/{game.code}/"' in stranger
    text = cut_section(read_page("/lobby/", "bob"), "waiting")
    assert re.search(rf'<form method="post" action="/games/{game.code}/join/" data-seed>', text)
    assert "csrfmiddlewaretoken" in text
    assert "You are in" in cut_section(read_page("/lobby/", "ada"), "waiting")
    open_browser("bob").post(f"/games/{game.code}/join/")
    assert list_codes(cut_section(read_page("/lobby/"), "watched")) == [game.code]


def test_seats_that_are_kept_are_not_offered() -> None:
    player("bob")
    game = create_open_game("ada", seat_count=3)
    invitations.invite_to_game(player=player("ada"), code=game.code, now=timezone.now(), name="bob")
    assert "1 seat free" in read_page("/lobby/", "cleo")
    invitations.invite_to_game(
        player=player("ada"), code=game.code, now=timezone.now(), email="zoe@example.org"
    )
    assert f"/games/{game.code}/join/" not in read_page("/lobby/", "cleo")
    assert "The last seats are for invited friends" in read_page("/lobby/", "cleo")
    assert f"/games/{game.code}/join/" in read_page("/lobby/", "bob")


def test_a_game_that_waited_too_long_is_not_offered() -> None:
    game = create_open_game("ada")
    assert game.code in read_page("/lobby/")
    Game.objects.filter(pk=game.pk).update(expires_at=timezone.now())
    assert game.code not in read_page("/lobby/")


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
        "a": create_open_game("ada", seat_count=2),
        "b": create_open_game("ada", seat_count=3, time_control="12h"),
        "c": create_open_game("ada", seat_count=4, cards=False, time_control="live"),
        "d": create_open_game("ada", mode="pairs", time_control="7d"),
    }
    watched = {
        "a": start_game("ada", "bob"),
        "b": start_game("ada", "bob", "cleo", time_control="12h"),
        "c": start_game("ada", "bob", bots=("random", "random"), cards=False, time_control="live"),
        "d": start_game("ada", "bob", "cleo", "dirk", mode="pairs", time_control="7d"),
    }
    text = read_page(f"/lobby/?{query}")
    for heading, games in (("waiting", waiting), ("watched", watched)):
        assert set(list_codes(cut_section(text, heading))) == {games[letter].code for letter in expected}
    assert ("Show all" in text) == (expected != "abcd")


def test_games_to_watch_are_public_running_of_several_and_the_last_moved_first() -> None:
    older, newer = start_game("ada", "bob", ago=timedelta(hours=2)), start_game("ada", "bob")
    start_game("ada", mode="solo")
    start_game("ada", "bob", private=True)
    resign_game(start_game("ada", "bob"), "bob")
    assert list_codes(cut_section(read_page("/lobby/"), "watched")) == [newer.code, older.code]
    play_until_turn_of(older, "bob", timezone.now())
    play_until_turn_of(older, "ada", timezone.now())
    assert list_codes(cut_section(read_page("/lobby/"), "watched")) == [older.code, newer.code]


def test_both_lists_go_on_page_by_page_even_among_games_of_one_moment() -> None:
    now = timezone.now()
    waiting = [lobby.create_game(player=None, now=now) for _ in range(45)]
    watched = [start_cast_game("ada", "bob") for _ in range(45)]
    for heading, games, more in (("waiting", waiting, "Show older"), ("watched", watched, "Show more")):
        seen_codes: list[str] = []
        path = "/lobby/?cards=yes"
        for _ in range(3):
            text = read_page(path)
            part = cut_section(text, heading)
            seen_codes += list_codes(part)
            if match := re.search(rf'href="(\?[^"]+)">{more}<', part):
                path = "/lobby/" + match[1].replace("&amp;", "&")
                assert "cards=yes" in path
        assert seen_codes == [game.code for game in reversed(games)]
        assert not match
        assert cut_section(text, "watched" if heading == "waiting" else "waiting") == ""
        assert "Back to the first page" in text


@pytest.mark.parametrize(
    "query", ["before=x", "before=9-", f"before={'9' * 17}-{'9' * 18}", "older=-1-2", "older=²-1"]
)
def test_a_forged_place_is_no_error(query: str) -> None:
    start_game("ada", "bob")
    assert "OTTO" in read_page(f"/lobby/?{query}")


# ------------------------------------------------------------------------------------------------ the picture


def test_a_small_board_is_shown_to_those_who_may_see_the_game() -> None:
    game, private = start_game("ada", "bob"), start_game("ada", "bob", private=True)
    answer = open_browser().get(f"/games/{game.code}/board.svg?seq=0")
    assert answer["Content-Type"] == "image/svg+xml"
    assert "max-age=86400" in answer["Cache-Control"]
    assert "private" in answer["Cache-Control"]
    assert b"<svg" in answer.content
    assert open_browser("ada").get(f"/games/{private.code}/board.svg").status_code == 200
    for client in (open_browser("cleo"), open_browser()):
        assert client.get(f"/games/{private.code}/board.svg").status_code == 404


# ----------------------------------------------------------------------------------------------- query counts


def create_crowd(many: int) -> None:
    """Create this many games of every kind around ada."""
    now = timezone.now()
    for _ in range(many):
        for name in ("ada", "bob"):
            play_until_turn_of(start_game("ada", "bob"), name, now)
        start_game("ada", mode="solo")
        resign_game(start_game("ada", "bob"), "bob")
        create_open_game("dirk" if is_lobby_full("ada") else "ada", seat_count=3)
        invite_ada(now)


def is_lobby_full(name: str) -> bool:
    return (
        Game.objects.filter(creator=player(name), status="open").count()
        >= lobby.MAX_OPEN_GAMES_PER_PLAYER - 2
    )


def invite_ada(now: Any) -> None:
    host = f"host {Game.objects.count() // 60}"
    if not have_met(player(host), player("ada")):  # invitations between strangers are limited
        resign_game(start_game(host, "ada"), host)
    invitations.invite_to_game(
        player=player(host), code=create_open_game(host, private=True).code, now=now, name="ada"
    )


def measure_cost(path: str, name: str) -> tuple[int, int]:
    client = open_browser(name)
    client.get(path)
    with CaptureQueriesContext(connection) as queries:
        answer = client.get(path)
    assert answer.status_code == 200
    return len(queries), len(answer.content)


def test_many_games_cost_no_more_queries_than_a_few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lobby, "MAX_OPEN_GAMES_PER_PLAYER", 500)
    player("ada")
    create_crowd(1)
    paths = ("/games/", "/lobby/", "/players/ada/")
    few = [measure_cost(path, "ada")[0] for path in paths]
    crowd = pick_example_count(game_lists.LOBBY_PAGE_SIZE + 2, 40)  # more than one page of each list
    create_crowd(crowd)
    assert Game.objects.count() >= 5 * crowd
    many = [measure_cost(path, "ada") for path in paths]
    assert [queries for queries, _ in many] == few
    assert max(few) <= 12
    assert max(size for _, size in many) < 100_000, many


def test_the_two_lists_of_the_lobby_are_read_from_their_indexes() -> None:
    game = start_cast_game("ada", "bob")
    fields = {field.attname: getattr(game, field.attname) for field in Game._meta.concrete_fields}
    del fields["id"], fields["code"], fields["rematch_of_id"]
    for status in ("over", "open", "running"):
        created_times = [fields["created_at"] + timedelta(minutes=number) for number in range(3000)]
        Game.objects.bulk_create(
            [Game(**fields | {"status": status, "created_at": at}) for at in created_times]
        )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE games_game")
    before = (timezone.now(), 10**9)
    for games, index in (
        (selectors.list_open_games(fields["created_at"], Q()), "game_lobby"),
        (selectors.list_open_games(fields["created_at"], Q(cards=True), before), "game_lobby"),
        (selectors.list_games_to_watch(Q()), "game_to_watch"),
        (selectors.list_games_to_watch(Q(mode="singles", seat_count=2), before), "game_to_watch"),
    ):
        plan = games[: game_lists.LOBBY_PAGE_SIZE + 1].explain()
        assert index in plan, plan
        assert "Seq Scan" not in plan, plan
