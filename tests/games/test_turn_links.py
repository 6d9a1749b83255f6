"""Playing from a mail: the link of a turn, without cookies or scripts."""

from __future__ import annotations

import random
import re
from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games import engine, selectors, signed_links
from games.models import Action, Game, GameSecrets, Player, Seat
from games.selectors.clocks import seat_clock_of
from games.selectors.turns import find_seat_for_token, is_current_turn
from games.services import sweep, turns
from tests.engine.test_two_worlds import other_world

from .cast import game_of, player
from .linking import KEY, form, get, link, new_game, on_turn, set_up, stranger

pytestmark = pytest.mark.django_db

# ---------------------------------------------------------------------------------------------------- playing


@pytest.mark.parametrize(
    ("names", "terms"),
    [
        (("ada", "bob"), {"cards": True, "target": 8}),
        (("ada", "bob", "cleo", "dirk"), {"mode": "pairs", "target": 8}),
        (("ada", "bob", "cleo"), {"edition": "bannan-nl", "cards": True, "target": 8}),
    ],
)
def test_a_whole_game_is_played_by_links_alone(names: tuple[str, ...], terms: dict[str, Any]) -> None:
    game = new_game(*names, **terms)
    page = ""
    for _ in range(3000):
        game.refresh_from_db()
        if game.status == Game.Status.TIEBREAK:
            sweep.sweep_games(now=timezone.now())
            continue
        if game.status == Game.Status.OVER:
            break
        visitor, path = stranger(), link(game)
        answer = visitor.post(path, form(get(path, client=visitor)), follow=True)
        assert answer.status_code == 200
        assert not visitor.cookies
        page = answer.content.decode()
    assert game.status == Game.Status.OVER
    assert "The game is over" in page
    assert set(Action.objects.filter(game=game).values_list("by", flat=True)) <= {"player", "clock"}


@pytest.mark.parametrize("method", ["get", "head"])
@pytest.mark.parametrize("query", ["", "?resign", "?cell=c2", "?action=draw&sure=yes", "?action=B-c2-0"])
def test_to_look_never_acts_and_leaves_no_trace(method: str, query: str) -> None:
    game = new_game("ada", "bob")
    before = Game.objects.values().get(pk=game.pk)
    visitor = stranger()
    answer = getattr(visitor, method)(link(game) + query)
    assert answer.status_code == 200
    assert not Action.objects.exists()
    assert Game.objects.values().get(pk=game.pk) == before
    assert answer["Referrer-Policy"] == "no-referrer"
    assert "no-store" in answer["Cache-Control"]
    assert "noindex" in answer["X-Robots-Tag"]
    assert answer["X-Frame-Options"] == "DENY"
    assert not answer.cookies


def test_the_page_needs_nothing_from_elsewhere_and_is_small() -> None:
    game = new_game("ada", "bob", "cleo", "dirk")
    path = link(game)
    get(path)
    with CaptureQueriesContext(connection) as queries:
        page = get(path)
    assert len(queries) <= 12, [query["sql"][:90] for query in queries]
    assert len(page) < 100_000
    scripts = re.findall("<script[^>]*>", page)
    ours = ('<script type="module" src="/static/otto.js">', '<script id="choice" type="application/json">')
    assert set(scripts) <= set(ours)
    assert not re.search(r"""(?:src|href|action|url)\s*[=(]\s*["']?(?:https?:)?//""", page)


def test_a_tile_is_placed_by_its_cell_then_its_rotation_then_played() -> None:
    game = set_up(new_game("ada", "bob"), drawn="E", cells={"c3": "B0"})
    path = link(game)
    first = get(path)
    cell = re.search(r'href="\?cell=(\w\d)#board"', first)[1]  # type: ignore[index]
    second = get(f"{path}?cell={cell}")
    way = re.search(r'href="\?action=([^"#]+)#board"', second)
    action = way[1] if way else re.search('<button class="button" name="action" value="([^"]+)"', second)[1]  # type: ignore[index]
    third = get(f"{path}?action={action}")
    assert f'name="action" value="{action}"' in third
    assert not Action.objects.exists()
    assert stranger().post(path, form(third, action)).status_code == 200
    assert Action.objects.get().action == action


def test_a_drawn_tile_is_placed_on_the_same_link_in_the_same_turn() -> None:
    game = set_up(new_game("ada", "bob"), phase="start", hands={1: ["MI"], 2: ["MI"]}, table={1: "E", 2: "F"})
    seat, path = on_turn(game), link(game)
    answer = stranger().post(path, form(get(path), "draw"))
    assert (answer.status_code, answer["Location"]) == (302, path)
    assert seat.number
    page = get(path)
    assert "Choose a marked cell" in page or "Play it" in page
    stranger().post(path, form(page))
    assert [line.seat for line in Action.objects.order_by("seq")] == [seat.number, seat.number]
    get(path, 410)


def test_a_turn_that_one_action_brings_oneself_has_its_link_at_once() -> None:
    """Of a second turn no mail tells, because its player made it: without the link they would be stuck."""
    game = set_up(
        new_game("ada", "bob"),
        phase="start",
        hands={1: ["TT"], 2: ["TT"]},
        table={1: "E", 2: "F"},
        tower="EEEEEEEE",
    )
    seat, path = on_turn(game), link(game)
    stranger().post(path, form(get(path), "TT"))
    answer = stranger().post(path, form(get(path)))
    assert answer.status_code == 302
    assert answer["Location"] != path
    assert answer["Location"] == link(Game.objects.get(pk=game.pk), seat)
    get(path, 410)
    page = get(answer["Location"])
    assert "Your turn" in page


def test_an_8_is_answered_by_link() -> None:
    game = set_up(
        new_game("ada", "bob"),
        cells={"b3": "B90", "c3": "D90", "d3": "B270"},
        marked={("c3+c4+d3+d4", 2): 2, ("b3+b4+c3+c4", 2): 1},
        drawn="E",
        hands={1: ["OO"], 2: ["OO"]},
    )
    state = selectors.load_game(game.code).state
    assert state
    draft = state.mutable_copy()
    maker = on_turn(game)
    other = next(place for place in game.places.all() if place.number != maker.number)
    assert other.number
    draft.phase, draft.seats_to_answer, draft.eight_side = "react", (other.number,), maker.number
    GameSecrets.objects.filter(game=game).update(state=engine.dump_state(draft.freeze()))
    watches = {str(other.number): game.clocks[str(maker.number)], str(maker.number): {"bank": 1.0, "turn": 0}}
    Game.objects.filter(pk=game.pk).update(phase="react", to_act=1 << other.number, clocks=watches)
    game.refresh_from_db()
    page = get(link(game))
    assert form(page, "8")["action"] == "8"
    assert form(page, "pass")["action"] == "pass"
    assert stranger().post(link(game), form(page, "8")).status_code == 200
    assert Action.objects.get().action == "8"


def test_a_form_sent_twice_is_played_once_and_answered_twice() -> None:
    game = set_up(new_game("ada", "bob"), drawn="E", cells={"c3": "B0"})
    path = link(game)
    sent = form(get(path))
    answers = [stranger().post(path, sent) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [200, 200]
    assert answers[0].content == answers[1].content
    assert Action.objects.count() == 1
    assert stranger().post(path, sent | {"key": "another"}).status_code == 410
    assert stranger().post(path, sent | {"key": ""}).status_code == 410
    assert Action.objects.count() == 1


@pytest.mark.parametrize("seq", ["9" * 5000, "", "-1", "x"])
@pytest.mark.parametrize("action", ["draw", "J-c3-0", "hello", "", "x" * 5000])
def test_what_cannot_be_played_is_told_on_the_page(action: str, seq: str) -> None:
    game = new_game("ada", "bob")
    answer = stranger().post(link(game), {"action": action, "seq": seq, "key": "k"})
    assert answer.status_code == 422
    assert 'class="notice error"' in answer.content.decode()
    assert not Action.objects.exists()


def test_resigning_asks_once_more() -> None:
    game = new_game("ada", "bob")
    path = link(game)
    assert "?resign" in get(path)
    assert "Yes, resign the game" in get(f"{path}?resign")
    answer = stranger().post(path, {"action": "resign", "key": "k"})
    assert "Yes, resign the game" in answer.content.decode()
    assert not Action.objects.exists()
    answer = stranger().post(path, {"action": "resign", "sure": "yes", "key": "k"})
    assert answer.status_code == 200
    assert "The game is over" in answer.content.decode()
    assert Game.objects.get().status == Game.Status.OVER


def test_no_other_word_for_resigning_gets_around_the_question() -> None:
    game = new_game("ada", "bob")
    for said in ("opgeven", "I resign", "mi arrendo", " Resign. "):
        answer = stranger().post(link(game), {"action": said, "seq": "0", "key": "k"})
        assert answer.status_code == 422
    assert not Action.objects.exists()


# ---------------------------------------------------------------------------------------- for that turn alone


def test_a_link_that_was_not_made_here_leads_nowhere() -> None:
    game = new_game("ada", "bob")
    seat = on_turn(game)
    other = next(place for place in game.places.all() if place != seat)
    good = link(game)
    code, number, turn, signature = good.strip("/").split("/")[1].split("-")
    forged = [
        f"/turn/{code}-{other.number}-{turn}-{signature}/",
        f"/turn/{code}-{number}-{int(turn) + 1}-{signature}/",
        f"/turn/{new_game('cleo', 'dirk').code}-{number}-{turn}-{signature}/",
        f"/turn/{code}-{number}-{turn}-{signature[:-1]}/",
        f"/turn/{code}-{number}-{turn}-{'a' * 16}/",
        f"/turn/{code}-{'9' * 30}-{turn}-{signature}/",
        "/turn/nonsense/",
        "/turn/%00-1-1-x/",
        link(game, purpose=signed_links.REPLY_PURPOSE),
        link(game, purpose=signed_links.RESIGN_PURPOSE),
    ]
    for path in forged:
        for method in ("get", "post"):
            assert getattr(stranger(), method)(path).status_code == 404, path
    assert not Action.objects.exists()
    get(good)


def test_a_seat_that_has_another_player_now_leaves_old_links_worthless() -> None:
    game = new_game("ada", "bob")
    seat, path = on_turn(game), link(game)
    Seat.objects.filter(pk=seat.pk).update(player=player("cleo"))
    get(path, 404)
    Seat.objects.filter(pk=seat.pk).update(player=None)
    get(path, 404)


def test_a_link_opens_its_own_turn_and_not_the_next_one_of_the_seat() -> None:
    game = new_game("ada", "bob", cards=False)
    old = link(game)
    for _ in range(2):
        path = link(game)
        stranger().post(path, form(get(path)))
        game.refresh_from_db()
    seat = find_seat_for_token(old.strip("/").split("/")[1], signed_links.TURN_PURPOSE)
    assert seat
    assert on_turn(game) == seat[0]
    assert not is_current_turn(*seat)
    page = get(old, 410)
    assert "<select" not in page
    played = Action.objects.count()
    assert stranger().post(old, {"action": "resign", "sure": "yes", "key": "k"}).status_code == 410
    current = form(get(link(game)))
    assert stranger().post(old, current).status_code == 410
    assert Action.objects.count() == played


def test_whoever_is_signed_in_plays_for_the_seat_of_the_link_only() -> None:
    game = new_game("ada", "bob")
    seat = on_turn(game)
    assert seat.player
    other = next(place.player for place in game.places.all() if place != seat)
    assert other
    visitor = stranger()
    visitor.force_login(other)
    page = get(link(game), client=visitor)
    assert f"You play as <b>{seat.player.name}</b>" in page
    assert "/me/profile/" not in page
    visitor.post(link(game), form(page))
    assert Action.objects.get().seat == seat.number


def test_a_turn_that_was_played_explains_itself() -> None:
    game = set_up(new_game("ada", "bob"), drawn="E", cells={"c3": "B0"})
    path = link(game)
    done = stranger().post(path, form(get(path))).content.decode()
    assert "put tile E" in done
    page = get(path, 410)
    assert "You have played it already" in page
    assert "put tile E" in page
    assert f"/games/{game.code}/" in page
    assert "/next/" in page


def test_a_turn_that_the_clock_played_says_so() -> None:
    game = new_game("ada", "bob", cards=False, vacation=False)
    path = link(game)
    assert game.deadline
    sweep.sweep_games(now=game.deadline + timedelta(seconds=1))
    page = get(path, 410)
    assert "Your time was up, so the clock played for you" in page


def test_a_game_that_ended_otherwise_says_so() -> None:
    game = new_game("ada", "bob")
    path, seat = link(game), on_turn(game)
    other = next(place.player for place in game.places.all() if place != seat)
    assert other
    turns.play_action(player=other, code=game.code, text="resign", seq=None, key="", now=timezone.now())
    page = get(path, 410)
    assert "The game is over" in page
    assert seat.player
    assert f"Won by {seat.player.name}" in page


def test_an_old_link_of_a_private_game_tells_a_stranger_nothing() -> None:
    game = set_up(new_game("ada", "bob", private=True), drawn="E", cells={"c3": "B0"})
    path = link(game)
    assert stranger().post(path, form(get(path))).status_code == 200
    page = get(path, 410)
    for secret in ("ada", "bob", "put tile", "viewBox", "<pre", "seat"):
        assert secret not in page
    assert "/accounts/login/?next=/games/" in page
    other = next(place.player for place in game.places.all() if place != on_turn(game))
    assert other
    turns.play_action(player=other, code=game.code, text="resign", seq=None, key="", now=timezone.now())
    assert get(path, 410) == page


def test_nothing_of_the_others_hands_or_of_chat_and_notes_is_on_the_page() -> None:
    game = set_up(new_game("ada", "bob"), phase="start", hands={1: ["MI"], 2: ["QL"]}, table={1: "E", 2: "F"})
    seat = on_turn(game)
    page = get(link(game))
    mine, theirs = ("Magnetic inversion", "Quantum leap")[:: 1 if seat.number == 1 else -1]
    assert mine in page
    assert theirs not in page
    assert "Say something" not in page
    assert "Your notes" not in page


@pytest.mark.parametrize(
    ("names", "terms"), [(("ada", "bob"), {}), (("ada", "bob", "cleo", "dirk"), {"mode": "pairs"})]
)
def test_two_worlds_that_differ_in_what_is_hidden_have_the_same_page(
    names: tuple[str, ...], terms: dict[str, Any]
) -> None:
    rng = random.Random(str(names))
    game, phases = game_of(*names, **terms), set()
    for _ in range(40):
        state = engine.load_state(GameSecrets.objects.get(game=game).state)
        if state.is_over or not seat_clock_of(game, state.seats_to_act[0]).is_on_turn:
            break
        seat = state.seats_to_act[0]
        phases.add(state.phase)
        path = link(game, game.places.get(number=seat))
        here = get(path)
        GameSecrets.objects.filter(game=game).update(state=engine.dump_state(other_world(state, seat, rng)))
        there = get(path)
        GameSecrets.objects.filter(game=game).update(state=engine.dump_state(state))
        assert KEY.sub("", here) == KEY.sub("", there)
        legal = engine.legal_actions(state, seat)
        action = "draw" if "draw" in legal and rng.random() < 0.6 else rng.choice(legal)
        chosen = get(f"{path}?{urlencode({'card': action.split('-')[0], 'action': action})}")
        assert stranger().post(path, form(chosen, action)).status_code in (200, 302)
        game.refresh_from_db()
    assert {"start", "place"} <= phases


def test_the_page_speaks_the_language_of_its_player_and_keeps_their_time() -> None:
    game = new_game("ada", "bob")
    seat = on_turn(game)
    Player.objects.filter(pk=seat.player_id).update(language="it", time_zone="Asia/Tokyo")
    answer = stranger().get(link(game), headers={"accept-language": "nl"})
    page = answer.content.decode()
    assert answer["Content-Language"] == "it"
    assert '<html lang="it">' in page
    seat_clock = seat_clock_of(game, seat.number or 0)
    assert seat_clock.runs_from
    until = seat_clock.runs_from + seat_clock.allowance_left + seat_clock.bank + timedelta(hours=9)
    assert f"{until:%H:%M}" in page


def test_a_bot_that_is_next_is_woken(monkeypatch: pytest.MonkeyPatch) -> None:
    game = game_of("ada", bots=("random",), cards=False)
    woken: list[str] = []
    monkeypatch.setattr("games.tasks.play_bots.apply_async", lambda args, **options: woken.extend(args))
    if on_turn(game).bot:
        from games.services import bots

        bots.play_bot_turns(code=game.code, now=timezone.now())
    game.refresh_from_db()
    path = link(game)
    stranger().post(path, form(get(path)))
    assert woken == [game.code]


def test_whoever_plays_by_link_or_opens_a_page_has_come_back() -> None:
    game = new_game("ada", "bob")
    seat = on_turn(game)
    assert seat.player
    long_ago = timezone.now() - timedelta(days=3)
    Player.objects.update(mailed_at=long_ago + timedelta(days=1), seen_at=long_ago)
    path = link(game)
    page = get(path)
    seat.player.refresh_from_db()
    assert seat.player.seen_at == long_ago  # a mail scanner may have looked
    stranger().post(path, form(page))
    seat.player.refresh_from_db()
    assert seat.player.seen_at
    assert seat.player.seen_at > long_ago
    other = next(place.player for place in game.places.all() if place != seat)
    assert other
    browser = Client()
    browser.force_login(other)
    browser.get("/games/")
    other.refresh_from_db()
    first = other.seen_at
    assert first
    assert first > long_ago
    browser.get("/games/")
    other.refresh_from_db()
    assert other.seen_at == first
