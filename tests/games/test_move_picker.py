"""The move picker without scripts: at most three steps, only legal actions, and a preview of the result."""

from __future__ import annotations

import json
import random
import re
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import Player
from games import engine
from games.engine import bots as engine_bots
from games.engine.phrases import CARD_NAMES
from games.models import Action, Game
from games.selectors import load_game
from games.services import action_log, bots, sweep
from tests.factories.cast import player, start_cast_game
from tests.factories.positions import build_position
from tests.factories.stored_positions import store_position
from tests.helpers.plain_browser import PlainBrowser
from tests.markup import normalise_html

pytestmark = pytest.mark.django_db
STEPS = 3


def open_game_page(name: str, game: Game) -> PlainBrowser:
    client = Client()
    client.force_login(player(name))
    return PlainBrowser(client, f"/games/{game.code}/")


def choose_at_random(at: PlainBrowser, rng: random.Random) -> tuple[str, int]:
    """Follow links at random and submit; return the action and the number of steps."""
    page, steps = at.look(), 1
    while True:
        plays = page.plays()
        # Choose a cell or card first, and then only its details: another cell would start again.
        options = page.step("action=") or [*page.step("card="), *page.cells.values()]
        forms = [form for form in page.forms if form.method == "get" and "start" in form.options]
        if plays and (steps > 1 or not options or rng.random() < 0.6):
            form, action = rng.choice(plays)
            answer = at.press(form, "action", action)
            assert answer.status_code == 302
            return action, steps
        steps += 1
        assert steps <= STEPS, "a choice takes at most three steps"
        if forms:
            picked = {name: rng.choice(values) for name, values in forms[0].options.items()}
            page = at.look("?" + "&".join(f"{k}={v}" for k, v in (forms[0].fields | picked).items()))
            if not page.plays():  # a symmetric tile cannot leap by a rotation alone
                steps -= 1
        else:
            page = at.look(rng.choice(options))


@pytest.mark.parametrize("seed", [1, 2])
def test_a_whole_game_against_a_bot_is_played_by_links_and_buttons(seed: int) -> None:
    game = start_cast_game("ada", bots=("random",), target=8)
    ada, rng = open_game_page("ada", game), random.Random(seed)
    played_words = set()
    for _ in range(1500):
        bots.play_bot_turns(code=game.code, now=timezone.now())
        game.refresh_from_db()
        if game.status == Game.Status.TIEBREAK:
            sweep.sweep_games(now=timezone.now())
            continue
        if game.status == Game.Status.OVER:
            break
        action, _steps = choose_at_random(ada, rng)
        played_words.add(action.split("-")[0])
    assert game.status == Game.Status.OVER
    assert played_words & {"draw", *CARD_NAMES}, "cards were in play"
    assert played_words & set("ABCDEFGHI")
    assert "The game is over" in ada.look().headings


def test_a_leap_is_chosen_in_three_steps_and_described_before_it_is_confirmed() -> None:
    game = start_cast_game("ada", "bob")
    state = build_position({"b3": "B", "d3": "A"}, phase="start", hands={1: ["QL"]}, table={1: "A", 2: "A"})
    store_position(game, state)
    ada = open_game_page("ada", game)
    page = ada.look(ada.page.step("card=QL")[0])
    form = next(form for form in page.forms if "start" in form.options)
    assert form.options["start"] == ["b3", "d3"]
    assert "stay" in form.options["cell"]
    assert "c3" not in form.options["cell"]
    page = ada.look("?card=QL&start=b3&cell=a1")
    turns = (0, 90, 180, 270)
    assert [action for _form, action in page.plays()] == [f"QL-b3-a1-{turn}" for turn in turns]
    html = normalise_html(page.html)
    assert html.count('<small class="gain">closes for 2 points') == 2, "two of its corners are round"
    assert not Action.objects.exists(), "looking plays nothing"


def test_a_way_with_no_choice_left_waits_for_a_confirmation() -> None:
    game = start_cast_game("ada", "bob")
    store_position(
        game, build_position({"b3": "E"}, phase="start", hands={1: ["QL"]}, table={1: "A", 2: "A"})
    )
    ada = open_game_page("ada", game)
    page = ada.look("?card=QL&start=b3&cell=a1")
    assert [action for _form, action in page.plays()] == ["QL-b3-a1-0"]
    assert "Closes a circle between the frame and a1: 2 points." in page.html
    assert not Action.objects.exists(), "looking plays nothing"
    at_rest = ada.look("?card=QL&start=b3&cell=stay")
    assert at_rest.plays() == [], "a tile that looks the same in every rotation cannot only be turned"


JUNK = ["", "x", "c3", "z9", "draw", "A-a1-0", "<b>", "QL", "CV=QL", "CV=", "-", "QL-b3", "é", "0" * 500]


@pytest.mark.parametrize("name", ["card", "start", "cell", "action"])
@pytest.mark.parametrize("junk", JUNK)
def test_a_forged_choice_is_no_choice(name: str, junk: str) -> None:
    game = start_cast_game("ada", "bob")
    store_position(game, build_position({"b3": "B"}, drawn="B", table={1: "C", 2: "A"}))
    ada = open_game_page("ada", game)
    honest = {action for _form, action in ada.page.plays()}
    page = ada.look(f"?{name}={junk}")
    assert {action for _form, action in page.plays()} == honest
    assert not Action.objects.exists()


def test_only_legal_cells_can_be_chosen_and_every_cell_says_what_it_holds() -> None:
    game = start_cast_game("ada", "bob")
    store_position(game, build_position({"a2": "I"}, drawn="E", table={1: "J", 2: "A"}))
    ada = open_game_page("ada", game)
    legal = engine.legal_actions(load_game(game.code).state, 1)  # type: ignore[arg-type]
    assert set(ada.page.cells) == {action.split("-")[1] for action in legal} == {"a1"}
    assert ada.page.labels["a1"] == "a1: free, closes for 2 points"
    assert ada.page.labels["a2"] == "a2: tile I"
    assert ada.page.labels["e5"] == "e5: free"
    assert len(ada.page.labels) == 25


def test_a_duty_says_where_it_can_be_done() -> None:
    game = start_cast_game("ada", "bob")
    store_position(game, build_position({"a2": "I", "e2": "I"}, drawn="E", table={1: "J", 2: "A"}))
    ada = open_game_page("ada", game)
    assert "You can close a figure, so you must." in ada.page.html
    assert "You can do so on 2 cells: a1 and e1." in ada.page.html
    bob = open_game_page("bob", game)
    assert bob.page.cells == {}
    assert "You can do so on 2 cells" not in bob.page.html


def test_a_tile_that_may_not_be_placed_gives_the_reason() -> None:
    for drawn, table_tile, reason in (
        ("E", "J", "Cannot be placed"),
        ("E", "I", "Your zero tile comes first"),
    ):
        game = start_cast_game("ada", "bob")
        store_position(game, build_position({"b3": "B"}, drawn=drawn, table={1: table_tile, 2: "A"}))
        assert reason in open_game_page("ada", game).page.html


def test_what_reveals_something_is_marked() -> None:
    game = start_cast_game("ada", "bob")
    store_position(
        game, build_position({"b3": "B"}, phase="start", hands={1: ["TT"]}, table={1: "C", 2: "A"})
    )
    ada = open_game_page("ada", game)
    assert "You turn over a tile that everybody can see. You cannot undo this." in ada.page.html
    page = ada.look("?card=TT")
    assert [action for _form, action in page.plays()] == ["TT"]
    assert "Then you turn over a new tile. You cannot undo this." in page.html
    store_position(game, build_position({"b3": "B"}, drawn="B", table={1: "C", 2: "A"}))
    assert "cannot be taken back: " not in ada.look().html.split("Resign")[0]


def test_cards_say_whom_they_can_hit() -> None:
    game = start_cast_game("ada", "bob", "cleo")
    state = build_position(
        {"b3": "B"},
        phase="start",
        seats=3,
        hands={1: ["MI", "CV"], 2: ["TT"]},
        table={1: "C", 2: "A", 3: "E"},
    )
    store_position(game, state)
    ada = open_game_page("ada", game)
    page = ada.look("?card=MI")
    assert "swap table tiles with bob" in page.html
    assert "swap table tiles with cleo" in page.html
    page = ada.look("?card=MI&action=MI-3")
    assert ("MI-3") in {action for _form, action in page.plays()}
    page = ada.look("?card=CV%3DAK")
    assert [action for _form, action in page.plays()] == ["CV=AK-2"], "cleo holds no card"


def test_a_kidnapped_card_is_shown_and_must_be_played() -> None:
    game = start_cast_game("ada", "bob")
    store_position(game, build_position({"b3": "B"}, phase="stolen", stolen="MI", table={1: "C", 2: "A"}))
    ada = open_game_page("ada", game)
    assert "You took <b>Magnetic inversion</b>" in ada.page.html
    assert [action for _form, action in ada.page.plays()] == ["MI-2"]


def test_the_answer_to_an_eight_is_a_button_each() -> None:
    game = start_cast_game("ada", "bob")
    state = build_position(
        {"b3": "H", "b2": "D90"},
        drawn="H",
        table={1: "J", 2: "A"},
        hands={2: ["OO", "CV"]},
        marked={("frame+e5", 2): 2},
    )
    store_position(game, engine.apply_action(state, 1, "H-b1-0")[0])
    bob = open_game_page("bob", game)
    assert [action for _form, action in bob.page.plays()] == ["8", "CV=8", "pass"]


def test_the_script_gets_what_the_page_shows_and_no_more() -> None:
    game = start_cast_game("ada", "bob")
    store_position(game, build_position({"a2": "I"}, drawn="E", table={1: "J", 2: "A"}, hands={2: ["TT"]}))
    ada = open_game_page("ada", game)
    match = re.search(r'<script id="choice" type="application/json">(.*?)</script>', ada.page.html)
    data: dict[str, Any] = json.loads(match[1])  # type: ignore[index]
    assert data["legal"] == ["E-a1-0"]
    assert data["previews"]["E-a1-0"][:2] == ["Closes a circle between the frame and a1: 2 points.", 2]
    assert data["board"]["a2"] == ["I", 0]
    assert "TT" not in match[1]  # type: ignore[index]
    assert 'id="choice"' not in open_game_page("bob", game).page.html


def test_the_page_of_a_leap_stays_small() -> None:
    """The largest choice: a leap of any of a dozen tiles, by the card or by the wildcard."""
    game = start_cast_game("ada", "bob")
    cells = dict.fromkeys(["a1", "a2", "a3", "b1", "b2", "b3", "d1", "d2", "d3", "e1", "e2", "c1"], "B")
    store_position(
        game, build_position(cells, phase="start", hands={1: ["QL", "CV"]}, table={1: "A", 2: "A"})
    )
    ada = open_game_page("ada", game)
    assert len(ada.page.html.encode()) < 100_000
    assert len(ada.look("?card=QL&start=a1").html.encode()) < 100_000


def test_random_choices_of_bots_are_all_offered() -> None:
    """Every action that a bot chooses is offered on the page without scripts."""
    game, rng = start_cast_game("ada", "bob"), random.Random(3)
    for _ in range(60):
        loaded_game = load_game(game.code)
        state = loaded_game.state
        assert state is not None
        if state.is_over:
            break
        seat = state.seats_to_act[0]
        legal = engine.legal_actions(state, seat)
        action = engine_bots.choose_action("random", engine.build_view(state, seat), legal, rng)
        name = Player.objects.get(seats__game=game, seats__seat_no=seat).name
        page = open_game_page(name, game).look(f"?action={action}&card={action.split('-')[0]}")
        assert action in {offered for _form, offered in page.plays()}
        action_log.commit_action(
            loaded_game=loaded_game, seat_no=seat, action=action, by="player", now=timezone.now()
        )
