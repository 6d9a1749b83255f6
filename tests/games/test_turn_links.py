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

from accounts.models import Player
from games import engine, selectors, signed_links
from games.models import Action, Game, GameSecrets, Seat
from games.selectors.clocks import seat_clock_of
from games.selectors.turns import find_seat_for_token, is_current_turn
from games.services import sweep, turns
from tests.example_counts import pick_example_count
from tests.factories.cast import player, start_cast_game
from tests.factories.linking import (
    KEY,
    get_page,
    get_seat_on_turn,
    make_turn_link,
    open_strict_client,
    put_position,
    read_form,
    start_game,
)
from tests.factories.other_worlds import build_other_world

pytestmark = pytest.mark.django_db
GO_ON = "?seen=1"

# ---------------------------------------------------------------------------------------------------- playing


@pytest.mark.parametrize(
    ("names", "terms"),
    [
        (("ada", "bob"), {"cards": True}),
        (("ada", "bob", "cleo", "dirk"), {"mode": "pairs"}),
        (("ada", "bob", "cleo"), {"edition": "bannan-nl", "cards": True}),
    ],
)
def test_a_whole_game_is_played_by_links_alone(names: tuple[str, ...], terms: dict[str, Any]) -> None:
    game = start_game(*names, **terms, target=pick_example_count(1, 8))
    page = ""
    for _ in range(3000):
        game.refresh_from_db()
        if game.status == Game.Status.TIEBREAK:
            sweep.sweep_games(now=timezone.now())
            continue
        if game.status == Game.Status.OVER:
            break
        visitor, path = open_strict_client(), make_turn_link(game)
        offer = get_page(path, client=visitor)
        if GO_ON in offer:  # the end of a match is shown first
            offer = get_page(f"{path}{GO_ON}", client=visitor)
        answer = visitor.post(path, read_form(offer), follow=True)
        assert answer.status_code == 200
        assert not visitor.cookies
        page = answer.content.decode()
    assert game.status == Game.Status.OVER
    assert "The game is over" in page
    assert {"player"} <= set(Action.objects.filter(game=game).values_list("by", flat=True)) <= {
        "player", "clock"
    }  # fmt: skip


@pytest.mark.parametrize("method", ["get", "head"])
@pytest.mark.parametrize("query", ["", "?resign", "?cell=c2", "?action=draw&sure=yes", "?action=B-c2-0"])
def test_to_look_never_acts_and_leaves_no_trace(method: str, query: str) -> None:
    game = start_game("ada", "bob")
    before = Game.objects.values().get(pk=game.pk)
    visitor = open_strict_client()
    answer = getattr(visitor, method)(make_turn_link(game) + query)
    assert answer.status_code == 200
    assert not Action.objects.exists()
    assert Game.objects.values().get(pk=game.pk) == before
    assert answer["Referrer-Policy"] == "no-referrer"
    assert "no-store" in answer["Cache-Control"]
    assert "noindex" in answer["X-Robots-Tag"]
    assert answer["X-Frame-Options"] == "DENY"
    assert not answer.cookies


def test_the_page_needs_nothing_from_elsewhere_and_is_small() -> None:
    game = start_game("ada", "bob", "cleo", "dirk")
    path = make_turn_link(game)
    get_page(path)
    with CaptureQueriesContext(connection) as queries:
        page = get_page(path)
    assert len(queries) <= 12, [query["sql"][:90] for query in queries]
    assert len(page) < 100_000
    scripts = re.findall("<script[^>]*>", page)
    own_scripts = (
        '<script type="module" src="/static/otto.js">',
        '<script id="choice" type="application/json">',
    )
    assert set(scripts) <= set(own_scripts)
    assert not re.search(r"""(?:src|href|action|url)\s*[=(]\s*["']?(?:https?:)?//""", page)


def test_a_tile_is_placed_by_its_cell_then_its_rotation_then_played() -> None:
    game = put_position(start_game("ada", "bob"), drawn="E", cells={"c3": "B0"})
    path = make_turn_link(game)
    first = get_page(path)
    cell = re.search(r'href="\?cell=(\w\d)#board"', first)[1]  # type: ignore[index]
    second = get_page(f"{path}?cell={cell}")
    match = re.search(r'href="\?action=([^"#]+)#board"', second)
    action = (
        match[1] if match else re.search('<button class="button" name="action" value="([^"]+)"', second)[1]
    )  # type: ignore[index]
    third = get_page(f"{path}?action={action}")
    assert f'name="action" value="{action}"' in third
    assert not Action.objects.exists()
    assert open_strict_client().post(path, read_form(third, action)).status_code == 200
    assert Action.objects.get().action == action


def test_a_drawn_tile_is_placed_on_the_same_link_in_the_same_turn() -> None:
    game = put_position(
        start_game("ada", "bob"), phase="start", hands={1: ["MI"], 2: ["MI"]}, table={1: "E", 2: "F"}
    )
    seat, path = get_seat_on_turn(game), make_turn_link(game)
    answer = open_strict_client().post(path, read_form(get_page(path), "draw"))
    assert (answer.status_code, answer["Location"]) == (302, path)
    assert seat.seat_no
    page = get_page(path)
    assert "Choose a marked cell" in page or ">Play this<" in page
    open_strict_client().post(path, read_form(page))
    assert [line.seat for line in Action.objects.order_by("seq")] == [seat.seat_no, seat.seat_no]
    get_page(path, 410)


def test_a_turn_that_one_action_brings_oneself_has_its_link_at_once() -> None:
    """No mail announces this second turn, because its player caused it; without the link they are stuck."""
    game = put_position(
        start_game("ada", "bob"),
        phase="start",
        hands={1: ["TT"], 2: ["TT"]},
        table={1: "E", 2: "F"},
        tower="EEEEEEEE",
    )
    seat, path = get_seat_on_turn(game), make_turn_link(game)
    open_strict_client().post(path, read_form(get_page(path), "TT"))
    answer = open_strict_client().post(path, read_form(get_page(path)))
    assert answer.status_code == 302
    assert answer["Location"] != path
    assert answer["Location"] == make_turn_link(Game.objects.get(pk=game.pk), seat)
    get_page(path, 410)
    page = get_page(answer["Location"])
    assert "Your turn" in page


def test_an_8_is_answered_by_link() -> None:
    game = put_position(
        start_game("ada", "bob"),
        cells={"b3": "B90", "c3": "D90", "d3": "B270"},
        marked={("c3+c4+d3+d4", 2): 2, ("b3+b4+c3+c4", 2): 1},
        drawn="E",
        hands={1: ["OO"], 2: ["OO"]},
    )
    state = selectors.load_game(game.code).state
    assert state
    draft = state.mutable_copy()
    maker = get_seat_on_turn(game)
    other = next(place for place in game.seats.all() if place.seat_no != maker.seat_no)
    assert other.seat_no
    draft.phase, draft.seats_to_answer, draft.eight_side = "react", (other.seat_no,), maker.seat_no
    GameSecrets.objects.filter(game=game).update(state=engine.dump_state(draft.freeze()))
    watches = {
        str(other.seat_no): game.seat_clocks[str(maker.seat_no)],
        str(maker.seat_no): {"bank": 1.0, "turn": 0},
    }
    Game.objects.filter(pk=game.pk).update(phase="react", to_act_mask=1 << other.seat_no, seat_clocks=watches)
    game.refresh_from_db()
    page = get_page(make_turn_link(game))
    assert read_form(page, "8")["action"] == "8"
    assert read_form(page, "pass")["action"] == "pass"
    assert open_strict_client().post(make_turn_link(game), read_form(page, "8")).status_code == 200
    assert Action.objects.get().action == "8"


def test_a_form_sent_twice_is_played_once_and_answered_twice() -> None:
    game = put_position(start_game("ada", "bob"), drawn="E", cells={"c3": "B0"})
    path = make_turn_link(game)
    sent = read_form(get_page(path))
    answers = [open_strict_client().post(path, sent) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [200, 200]
    assert answers[0].content == answers[1].content
    assert Action.objects.count() == 1
    assert open_strict_client().post(path, sent | {"key": "another"}).status_code == 410
    assert open_strict_client().post(path, sent | {"key": ""}).status_code == 410
    assert Action.objects.count() == 1


@pytest.mark.parametrize("seq", ["9" * 5000, "", "-1", "x"])
@pytest.mark.parametrize("action", ["draw", "J-c3-0", "hello", "", "x" * 5000])
def test_what_cannot_be_played_is_shown_on_the_page(action: str, seq: str) -> None:
    game = start_game("ada", "bob")
    answer = open_strict_client().post(make_turn_link(game), {"action": action, "seq": seq, "key": "k"})
    assert answer.status_code == 422
    assert 'class="notice error"' in answer.content.decode()
    assert not Action.objects.exists()


def test_resigning_asks_once_more() -> None:
    game = start_game("ada", "bob")
    path = make_turn_link(game)
    assert "?resign" in get_page(path)
    assert "Resign this game" in get_page(f"{path}?resign")
    answer = open_strict_client().post(path, {"action": "resign", "key": "k"})
    assert "Resign this game" in answer.content.decode()
    assert not Action.objects.exists()
    answer = open_strict_client().post(path, {"action": "resign", "sure": "yes", "key": "k"})
    assert answer.status_code == 200
    assert "The game is over" in answer.content.decode()
    assert Game.objects.get().status == Game.Status.OVER


def test_no_other_word_for_resigning_gets_around_the_question() -> None:
    game = start_game("ada", "bob")
    for text in ("opgeven", "I resign", "mi arrendo", " Resign. "):
        answer = open_strict_client().post(make_turn_link(game), {"action": text, "seq": "0", "key": "k"})
        assert answer.status_code == 422
    assert not Action.objects.exists()


# -------------------------------------------------------------------------------------- validity for one turn


def test_a_link_that_was_not_made_here_leads_nowhere() -> None:
    game = start_game("ada", "bob")
    seat = get_seat_on_turn(game)
    other = next(place for place in game.seats.all() if place != seat)
    good = make_turn_link(game)
    code, number, turn, signature = good.strip("/").split("/")[1].split("-")
    forged = [
        f"/turn/{code}-{other.seat_no}-{turn}-{signature}/",
        f"/turn/{code}-{number}-{int(turn) + 1}-{signature}/",
        f"/turn/{start_game('cleo', 'dirk').code}-{number}-{turn}-{signature}/",
        f"/turn/{code}-{number}-{turn}-{signature[:-1]}/",
        f"/turn/{code}-{number}-{turn}-{'a' * 16}/",
        f"/turn/{code}-{'9' * 30}-{turn}-{signature}/",
        "/turn/nonsense/",
        "/turn/%00-1-1-x/",
        make_turn_link(game, purpose=signed_links.REPLY_PURPOSE),
        make_turn_link(game, purpose=signed_links.RESIGN_PURPOSE),
    ]
    for path in forged:
        for method in ("get", "post"):
            assert getattr(open_strict_client(), method)(path).status_code == 404, path
    assert not Action.objects.exists()
    get_page(good)


def test_a_seat_that_has_another_player_now_leaves_old_links_worthless() -> None:
    game = start_game("ada", "bob")
    seat, path = get_seat_on_turn(game), make_turn_link(game)
    Seat.objects.filter(pk=seat.pk).update(player=player("cleo"))
    get_page(path, 404)
    Seat.objects.filter(pk=seat.pk).update(player=None)
    get_page(path, 404)


def test_a_link_opens_its_own_turn_and_not_the_next_one_of_the_seat() -> None:
    game = start_game("ada", "bob", cards=False)
    old = make_turn_link(game)
    for _ in range(2):
        path = make_turn_link(game)
        open_strict_client().post(path, read_form(get_page(path)))
        game.refresh_from_db()
    seat = find_seat_for_token(old.strip("/").split("/")[1], signed_links.TURN_PURPOSE)
    assert seat
    assert get_seat_on_turn(game) == seat[0]
    assert not is_current_turn(*seat)
    page = get_page(old, 410)
    assert "<select" not in page
    action_count = Action.objects.count()
    assert open_strict_client().post(old, {"action": "resign", "sure": "yes", "key": "k"}).status_code == 410
    current = read_form(get_page(make_turn_link(game)))
    assert open_strict_client().post(old, current).status_code == 410
    assert Action.objects.count() == action_count


def test_whoever_is_signed_in_plays_for_the_seat_of_the_link_only() -> None:
    game = start_game("ada", "bob")
    seat = get_seat_on_turn(game)
    assert seat.player
    other = next(place.player for place in game.seats.all() if place != seat)
    assert other
    visitor = open_strict_client()
    visitor.force_login(other)
    page = get_page(make_turn_link(game), client=visitor)
    assert f"You play as <b>{seat.player.name}</b>" in page
    assert "/me/profile/" not in page
    visitor.post(make_turn_link(game), read_form(page))
    assert Action.objects.get().seat == seat.seat_no


def test_a_turn_that_was_played_explains_itself() -> None:
    game = put_position(start_game("ada", "bob"), drawn="E", cells={"c3": "B0"})
    path = make_turn_link(game)
    done = open_strict_client().post(path, read_form(get_page(path))).content.decode()
    assert "put tile E" in done
    page = get_page(path, 410)
    assert "You have already played it" in page
    assert "put tile E" in page
    assert f"/games/{game.code}/" in page
    assert "/next/" in page


def test_a_turn_that_the_clock_played_says_so() -> None:
    game = start_game("ada", "bob", cards=False, vacation=False)
    path = make_turn_link(game)
    assert game.deadline
    sweep.sweep_games(now=game.deadline + timedelta(seconds=1))
    page = get_page(path, 410)
    assert "Your time ran out, so we played for you" in page


def test_a_game_that_ended_otherwise_says_so() -> None:
    game = start_game("ada", "bob")
    path, seat = make_turn_link(game), get_seat_on_turn(game)
    other = next(place.player for place in game.seats.all() if place != seat)
    assert other
    turns.play_action(player=other, code=game.code, text="resign", seq=None, key="", now=timezone.now())
    page = get_page(path, 410)
    assert "The game is over" in page
    assert seat.player
    assert f"{seat.player.name} won." in page


def test_an_old_link_of_a_private_game_tells_a_stranger_nothing() -> None:
    game = put_position(start_game("ada", "bob", private=True), drawn="E", cells={"c3": "B0"})
    path = make_turn_link(game)
    assert open_strict_client().post(path, read_form(get_page(path))).status_code == 200
    page = get_page(path, 410)
    for secret in ("ada", "bob", "put tile", "viewBox", "<pre", "seat"):
        assert secret not in page
    assert "/accounts/login/?next=/games/" in page
    other = next(place.player for place in game.seats.all() if place != get_seat_on_turn(game))
    assert other
    turns.play_action(player=other, code=game.code, text="resign", seq=None, key="", now=timezone.now())
    assert get_page(path, 410) == page


def test_nothing_of_the_others_hands_or_of_chat_and_notes_is_on_the_page() -> None:
    game = put_position(
        start_game("ada", "bob"), phase="start", hands={1: ["MI"], 2: ["QL"]}, table={1: "E", 2: "F"}
    )
    seat = get_seat_on_turn(game)
    page = get_page(make_turn_link(game))
    own_card, other_card = ("Magnetic inversion", "Quantum leap")[:: 1 if seat.seat_no == 1 else -1]
    assert own_card in page
    assert other_card not in page
    assert "Message" not in page
    assert "Your notes" not in page


@pytest.mark.parametrize(
    ("names", "terms"), [(("ada", "bob"), {}), (("ada", "bob", "cleo", "dirk"), {"mode": "pairs"})]
)
def test_two_worlds_that_differ_in_what_is_hidden_have_the_same_page(
    names: tuple[str, ...], terms: dict[str, Any]
) -> None:
    rng = random.Random(str(names))
    game, phases = start_cast_game(*names, **terms), set()
    for _ in range(pick_example_count(20, 200)):
        state = engine.load_state(GameSecrets.objects.get(game=game).state)
        if state.is_over or not seat_clock_of(game, state.seats_to_act[0]).is_on_turn:
            break
        seat = state.seats_to_act[0]
        phases.add(state.phase)
        path = make_turn_link(game, game.seats.get(seat_no=seat))
        first_page = get_page(path)
        GameSecrets.objects.filter(game=game).update(
            state=engine.dump_state(build_other_world(state, seat, rng))
        )
        second_page = get_page(path)
        GameSecrets.objects.filter(game=game).update(state=engine.dump_state(state))
        assert KEY.sub("", first_page) == KEY.sub("", second_page)
        legal = engine.legal_actions(state, seat)
        action = "draw" if "draw" in legal and rng.random() < 0.6 else rng.choice(legal)
        chosen = get_page(f"{path}?{urlencode({'card': action.split('-')[0], 'action': action})}")
        assert open_strict_client().post(path, read_form(chosen, action)).status_code in (200, 302)
        game.refresh_from_db()
    assert {"start", "place"} <= phases


def test_the_page_speaks_the_language_of_its_player_and_keeps_their_time() -> None:
    game = start_game("ada", "bob")
    seat = get_seat_on_turn(game)
    Player.objects.filter(pk=seat.player_id).update(language="it", time_zone="Asia/Tokyo")
    answer = open_strict_client().get(make_turn_link(game), headers={"accept-language": "nl"})
    page = answer.content.decode()
    assert answer["Content-Language"] == "it"
    assert '<html lang="it">' in page
    seat_clock = seat_clock_of(game, seat.seat_no or 0)
    assert seat_clock.runs_from
    until = seat_clock.runs_from + seat_clock.allowance_left + seat_clock.bank + timedelta(hours=9)
    assert f"{until:%H:%M}" in page


def test_a_bot_that_is_next_is_woken(
    monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    game = start_cast_game("ada", bots=("random",), cards=False)
    woken: list[tuple[str, str]] = []
    monkeypatch.setattr(
        "otto_site.celery.app.send_task", lambda name, args, **options: woken.append((name, *args))
    )
    if get_seat_on_turn(game).bot_policy:
        from games.services import bots

        bots.play_bot_turns(code=game.code, now=timezone.now())
    game.refresh_from_db()
    path = make_turn_link(game)
    page = get_page(path)
    with django_capture_on_commit_callbacks(execute=True):
        open_strict_client().post(path, read_form(page))
    assert woken == [("bots.answer", game.code)]


def test_whoever_plays_by_link_or_opens_a_page_has_come_back() -> None:
    game = start_game("ada", "bob")
    seat = get_seat_on_turn(game)
    assert seat.player
    long_ago = timezone.now() - timedelta(days=3)
    Player.objects.update(last_turn_mail_at=long_ago + timedelta(days=1), last_seen_at=long_ago)
    path = make_turn_link(game)
    page = get_page(path)
    seat.player.refresh_from_db()
    assert seat.player.last_seen_at == long_ago  # the reader may be a mail scanner
    open_strict_client().post(path, read_form(page))
    seat.player.refresh_from_db()
    assert seat.player.last_seen_at
    assert seat.player.last_seen_at > long_ago
    other = next(place.player for place in game.seats.all() if place != seat)
    assert other
    browser = Client()
    browser.force_login(other)
    browser.get("/games/")
    other.refresh_from_db()
    first = other.last_seen_at
    assert first
    assert first > long_ago
    browser.get("/games/")
    other.refresh_from_db()
    assert other.last_seen_at == first
