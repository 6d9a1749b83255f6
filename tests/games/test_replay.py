"""Replay shows every position as it was visible when it was played, and nothing else."""

from __future__ import annotations

import json
import random
import re
import time
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import Player
from games import engine, selectors
from games.engine import fairness
from games.engine.simulation import SimulationSettings, simulate_game
from games.models import Game, GameSecrets
from games.picture_lines import cell_centre
from games.selectors import NoSuchGame, load_game, load_position_for
from games.selectors.replay import replay_actions
from games.services import invitations, lobby, sweep, turns
from tests.factories.cast import NOW, player, start_cast_game
from tests.factories.replays import REPLAY_ACTIONS, play_replay_game
from tests.factories.timing import MINUTE, get_state, play_first_legal, start_seeded_game
from tests.markup import normalise_html

pytestmark = pytest.mark.django_db
LEVEL = 1832  # with the first legal action each time: tie at the target, a blind match, a shoot-out
# Six actions of a two-player game. A viewer's other world keeps the events and the viewer's own hand.
LEAPING = 1  # ada holds a Quantum leap that she can play in her second turn
OTHER_WORLD_NUMBERS = {None: 62610, "ada": 185957, "bob": 1658771}
TERMS: dict[str, tuple[tuple[str, ...], dict[str, Any]]] = {
    "two": (("ada", "bob"), {"target": 12}),
    "three": (("ada", "bob", "cleo"), {"target": 1, "edition": "bannan-nl"}),
    "four": (("ada", "bob", "cleo", "dirk"), {"target": 1, "seat_order": "shuffled"}),
    "pairs": (("ada", "bob", "cleo", "dirk"), {"mode": "pairs", "target": 1}),
    "pairs of the other box": (
        ("ada", "bob", "cleo", "dirk"),
        {"mode": "pairs", "target": 1, "edition": "bannan-nl"},
    ),
    "solo": (("ada",), {"mode": "solo"}),
    "solo of the other box": (("ada",), {"mode": "solo", "edition": "bannan-nl"}),
}


def open_browser(name: str | None = None) -> Client:
    client = Client()
    if name:
        client.force_login(player(name))
    return client


def read_page(game: Game, at: object = None, name: str | None = None) -> str:
    answer = open_browser(name).get(f"/games/{game.code}/replay/", {} if at is None else {"at": str(at)})
    assert answer.status_code == 200
    return normalise_html(answer.content.decode())


def get_shown_seq(text: str) -> int:
    return int(re.search(r'id="position"[^>]* data-seq="(\d+)"', text)[1])  # type: ignore[index]


# ------------------------------------------------------------------------------- equality with the live view


Seen = dict[str | None, dict[str, Any]]


def collect_views(game: Game, names: tuple[str, ...]) -> Seen:
    """Return everybody's current view of the game, from the selector of the live table."""
    loaded_game = load_game(game.code)
    people: dict[str | None, Player | None] = {None: None, **{name: player(name) for name in names}}
    return {name: selectors.view_for(loaded_game, viewer).view for name, viewer in people.items()}


def assert_same_view(then: dict[str, Any], live: dict[str, Any]) -> None:
    """Assert that a replayed view agrees with the view of the table."""
    for name, value in then.items():
        if name == "seats":
            for old, new in zip(value, live["seats"], strict=True):
                assert old.items() <= new.items()
        elif name == "you":
            assert value.items() <= live["you"].items()
        else:
            assert value == live[name], name
    assert {"board", "drawn", "points", "totals", "tower_left", "to_act", "turn", "played"} <= then.keys()
    assert ("you" in then) == ("you" in live)


def check_every_position(game: Game, views: list[Seen]) -> None:
    game.refresh_from_db()
    assert game.seq == len(views) - 1
    log = selectors.log_page_for(None, game.code, after=0, limit=5000)["results"]
    for seq, views_by_name in enumerate(views):
        for name, live in views_by_name.items():
            position = load_position_for(player(name) if name else None, game.code, seq)
            assert position
            assert (position.seq, position.last_seq) == (seq, game.seq)
            assert_same_view(position.view, live)
            assert [line["events"] for line in position.lines[1:]] == [line["events"] for line in log[:seq]]
            assert position.lines[0]["events"] == game.initial_events
            json.dumps(position.view)


@pytest.mark.parametrize("kind", TERMS)
def test_every_position_of_a_whole_game_is_what_each_saw_at_that_time(kind: str) -> None:
    names, terms = TERMS[kind]
    rng = random.Random(kind)
    game = start_seeded_game(rng.randrange(10**6), *names, **terms)
    views = [collect_views(game, names)]
    while not get_state(game).is_over:
        loaded_game = load_game(game.code)
        assert loaded_game.state
        seat = rng.choice(loaded_game.to_act)
        mover = loaded_game.seat_by_no(seat).player
        assert mover
        legal = engine.legal_actions(loaded_game.state, seat)
        text = "draw" if "draw" in legal and rng.random() < 0.5 else rng.choice(legal)
        turns.play_action(player=mover, code=game.code, text=text, seq=loaded_game.state.seq, key="", now=NOW)
        views.append(collect_views(game, names))
    check_every_position(game, views)


def test_a_game_that_somebody_resigned_is_replayed_to_its_end() -> None:
    names = ("ada", "bob", "cleo")
    game = start_seeded_game(3, *names)
    views = [collect_views(game, names)]
    for step in range(12):
        if step in (5, 11):
            resigned = "cleo" if step == 5 else "ada"
            turns.play_action(
                player=player(resigned), code=game.code, text="resign", seq=None, key="", now=NOW
            )
        else:
            play_first_legal(game)
        views.append(collect_views(game, names))
    assert get_state(game).is_over
    check_every_position(game, views)
    assert "cleo resigned." in read_page(game, 6)


def test_a_blind_match_and_its_shoot_out_are_replayed() -> None:
    game = start_seeded_game(LEVEL, "ada", "bob", cards=False, target=4, vacation=False)
    views, now = [collect_views(game, ("ada",))], NOW
    while not get_state(game).is_over:
        play_first_legal(game, now=now)
        views.append(collect_views(game, ("ada",)))
        if game.status == "tiebreak":
            now += MINUTE
            sweep.sweep_batch(now=now)  # opens the blind match without playing
            game.refresh_from_db()
            assert game.seq == len(views) - 1
    check_every_position(game, views)
    last = read_page(game, game.seq)
    assert "Blind match" in last
    assert "Shoot-out, round 1" in last


def test_the_board_on_which_a_match_ended_is_shown_with_its_last_tile() -> None:
    game = start_seeded_game(LEVEL, "ada", "bob", cards=False, target=4, vacation=False)
    while get_state(game).match_no == 1:
        before = get_state(game)
        action = play_first_legal(game)
    position = load_position_for(None, game.code, game.seq)
    assert position
    assert position.board
    tile, cell, _ = action.split("-")
    assert position.board["cells"][cell]["tile"] == tile
    assert len(position.board["cells"]) == len(engine.build_view(before)["board"]["cells"]) + 1
    assert list(position.view["board"]["cells"]) == ["c3"]
    html = read_page(game, game.seq)
    assert html.count('role="img"') >= 2
    assert "The board at the end of the match" in html
    assert "The board at the end of the match" not in read_page(game, game.seq - 1)
    earlier = load_position_for(None, game.code, game.seq - 1)
    assert earlier
    assert earlier.board is None


# ----------------------------------------------------------------------------------------- hidden information


def move_to_other_world(game: Game, number: int) -> None:
    """Give the game another seed and all secrets that follow from it."""
    seed = number.to_bytes(fairness.SEED_LENGTH_BYTES, "big")
    loaded_game = load_game(game.code)
    key = fairness.derive_game_key(seed, [place.client_seed for place in loaded_game.seats])
    lines = selectors.log_page_for(None, game.code, after=0, limit=100)["results"]
    *_, (last_state, _) = replay_actions(selectors.engine_setup_of(loaded_game, key), lines)
    GameSecrets.objects.filter(game=game).update(server_seed=seed, state=engine.dump_state(last_state))


def collect_pages(game: Game, name: str | None) -> list[bytes]:
    """Return every page of the game's past, without the CSRF token."""
    client = open_browser(name)
    client.get("/")  # the first request writes last_seen_at
    addresses = [f"replay/?at={at}" for at in range(-1, len(REPLAY_ACTIONS) + 2)] + ["replay/", "fairness/"]
    pages = [client.get(f"/games/{game.code}/{address}").content for address in addresses]
    return [re.sub(rb'name="csrfmiddlewaretoken" value="[^"]+"', b"", content) for content in pages]


@pytest.mark.parametrize("name", OTHER_WORLD_NUMBERS)
def test_the_replay_of_a_running_game_does_not_tell_two_worlds_apart(name: str | None) -> None:
    game = play_replay_game()
    before, pages_before = get_state(game), collect_pages(game, name)
    move_to_other_world(game, OTHER_WORLD_NUMBERS[name])
    after = get_state(game)
    assert (before.tower, before.deck, before.setup.key) != (after.tower, after.deck, after.setup.key)
    for place in load_game(game.code).seats:
        assert place.player
        assert place.seat_no
        own = place.player.name == name
        assert (before.hands[place.seat_no] == after.hands[place.seat_no]) == own
    for before_page, two in zip(pages_before, collect_pages(game, name), strict=True):
        assert before_page == two


def test_a_difference_that_the_viewer_may_see_would_show() -> None:
    """Guards the test above: in bob's other world ada holds another card, and ada's pages differ."""
    game = play_replay_game()
    pages_before = collect_pages(game, "ada")
    move_to_other_world(game, OTHER_WORLD_NUMBERS["bob"])
    assert collect_pages(game, "ada") != pages_before


def test_only_ones_own_hand_is_shown() -> None:
    game = play_replay_game()
    hands = {
        name: get_state(game).hands[game.seats.get(player__name=name).seat_no] for name in ("ada", "bob")
    }
    assert hands == {"ada": ("OO",), "bob": ("AK",)}
    for at in range(len(REPLAY_ACTIONS) + 1):
        assert "Your cards then: the 8 (OO)" in read_page(game, at, "ada")
        assert "Your cards then: Alien kidnapping (AK)" in read_page(game, at, "bob")
        for name in (None, "cleo"):
            text = read_page(game, at, name)
            assert "Your cards" not in text
            assert "(OO)" not in text
            assert "(AK)" not in text


def test_a_private_game_is_replayed_for_those_who_may_see_it_and_kept_from_search_engines() -> None:
    game = play_replay_game()
    Game.objects.filter(pk=game.pk).update(private=True)
    for name in (None, "cleo"):
        assert open_browser(name).get(f"/games/{game.code}/replay/").status_code == 404
        assert open_browser(name).get(f"/games/{game.code}/fairness/").status_code == 404
        with pytest.raises(NoSuchGame):
            load_position_for(player(name) if name else None, game.code, 0)
    assert '<meta name="robots" content="noindex">' in read_page(game, 2, "ada")
    assert "noindex" not in read_page(play_replay_game(), 2)
    assert open_browser().get("/games/nosuchgame/replay/").status_code == 404


def test_a_game_that_has_not_begun_says_so_kindly() -> None:
    game = lobby.create_game(player=player("ada"), now=NOW, private=True)
    invitations.invite_to_game(player=player("ada"), code=game.code, now=NOW, name=player("bob").name)
    for name in ("ada", "bob"):
        assert "has not begun" in read_page(game, 3, name)
    assert load_position_for(player("ada"), game.code, 0) is None
    assert open_browser("cleo").get(f"/games/{game.code}/replay/").status_code == 404


# --------------------------------------------------------------------------------------------------- the page


@pytest.mark.parametrize(
    ("at", "seq"),
    [
        *[(None, 0), ("", 0), ("0", 0), ("3", 3), (" 4 ", 4), ("+2", 2), ("-1", 0), ("-99999999999", 0)],
        *[("6", 6), ("7", 6), ("9" * 6000, 6), ("1.5", 0), ("x", 0), ("²", 0), ("٣", 3), ("3\x00", 0)],
    ],
)
def test_a_bad_number_leads_to_the_nearest_position(at: str | None, seq: int) -> None:
    assert get_shown_seq(read_page(play_replay_game(), at)) == seq


def test_the_page_tells_who_moved_what_happened_and_how_things_stand() -> None:
    game = play_replay_game()
    text = read_page(game, 4)
    assert "Move by bob" in text
    assert "bob put tile F on b2, turned by 180 degrees." in text
    assert "move 4 of 6" in text
    assert f'href="#otto-outline" {format_outline("b2")}' in text  # the tile just placed
    assert "otto-outline" not in read_page(game, 3)
    assert "32 tiles are left in the tower" in text
    for at, sentence in ((0, "Match 1 began; ada starts."), (1, "ada drew tile")):
        assert sentence in read_page(game, at)
    assert f'value="http://testserver/games/{game.code}/replay/?at=4"' in text
    assert f'href="/api/v1/games/{game.code}/record/" download' in text
    assert f'href="/games/{game.code}/"' in text
    assert 'rel="canonical"' not in text


def test_a_tile_that_leapt_is_marked_where_it_landed() -> None:
    game = start_seeded_game(LEAPING, "ada", "bob")
    for action in ("draw", "", "draw", "", "QL-a3-a1-0"):
        play_first_legal(game, action)
    text = read_page(game, game.seq)
    assert "the tile on a3 leapt to a1" in text
    assert f'href="#otto-outline" {format_outline("a1")}' in text
    assert f'href="#otto-outline" {format_outline("a3")}' not in text


def format_outline(cell: str) -> str:
    where = cell_centre(cell)
    return f'x="{where.real:g}" y="{where.imag:g}"'


def list_links(text: str) -> dict[str, int]:
    """Return the target positions of the controls."""
    links = re.findall(r'href="\?at=(\d+)" data-control="([a-z0-9-]+)"', text)
    return {name: int(at) for at, name in links}


def test_the_controls_are_links_to_every_neighbour_and_match() -> None:
    game = start_seeded_game(LEVEL, "ada", "bob", cards=False, target=4, vacation=False)
    while get_state(game).match_no == 1:
        play_first_legal(game)
    first_seq = game.seq
    play_first_legal(game)
    play_first_legal(game)
    first, middle, last = (list_links(read_page(game, at)) for at in (0, first_seq, game.seq))
    assert "first" not in first
    assert "back" not in first
    assert (first["forward"], first["last"], first["next-match"]) == (1, game.seq, first_seq)
    assert "previous-match" not in first
    assert (middle["first"], middle["back"], middle["forward"]) == (0, first_seq - 1, first_seq + 1)
    assert (middle["previous-match"], middle["match-1"], middle["match-2"]) == (0, 0, first_seq)
    assert (last["back"], last["previous-match"]) == (game.seq - 1, 0)
    assert not {"forward", "last", "next-match"} & last.keys()
    assert [at for name, at in last.items() if name.startswith("move-")] == [first_seq + 1, first_seq + 2]
    assert [at for name, at in first.items() if name.startswith("move-")] == list(range(1, first_seq + 1))


def test_a_position_costs_few_queries_and_little_html_however_long_the_game() -> None:
    game = start_seeded_game(8, "ada", "bob", target=99)
    while game.seq < 150 and not get_state(game).is_over:
        play_first_legal(game)
    ada = open_browser("ada")
    ada.get("/")
    counts = set()
    for at in (0, 60, game.seq - 1, game.seq):
        with CaptureQueriesContext(connection) as queries:
            answer = ada.get(f"/games/{game.code}/replay/?at={at}")
        assert len(answer.content) < 100_000
        counts.add(len(queries))
    assert max(counts) <= 12
    assert len(counts) == 1
    for viewer, most in ((None, 2), (player("ada"), 2)):
        with CaptureQueriesContext(connection) as queries:
            load_position_for(viewer, game.code, 60)
        assert len(queries) <= most


def test_a_thousand_actions_are_replayed_in_no_time() -> None:
    """The limit is over ten times the usual duration on a slow day."""
    lines: list[dict[str, Any]] = []
    spent, number = 0.0, 0
    while len(lines) < 1000:
        number += 1
        record = simulate_game(SimulationSettings(seats=4, target=99, policy="random", seed="long"), number)
        record_form = engine.record._parse_form(record)
        assert record_form.server_seed
        key = fairness.derive_game_key(record_form.server_seed, record_form.client_seeds)
        lines += record["actions"]
        started_at = time.perf_counter()
        assert (
            len(list(replay_actions(engine.Setup(**record_form.setup_args, key=key), record["actions"]))) > 1
        )
        spent += time.perf_counter() - started_at
    assert spent < 2


def test_names_of_bots_and_of_those_who_left_stand_on_their_seats() -> None:
    game = start_cast_game("ada", bots=("random",))
    assert "random bot" in read_page(game)
    game.seats.filter(player=player("ada")).update(player=None)
    assert "a former player" in read_page(game)


def test_the_script_is_a_module_of_its_own_and_nothing_is_inline() -> None:
    text = read_page(play_replay_game(), 2)
    scripts = re.findall(r"<script([^>]*)>([^<]*)", text)
    assert (' type="module" src="/static/replay.js"', "") in scripts
    assert all("src=" in attributes and not inside for attributes, inside in scripts)
    assert not re.search(r"<style|\sstyle=|\son\w+=", text)
    assert b"prefers-reduced-motion" in open_browser().get("/static/replay.css").getvalue()
    assert open_browser().post(f"/games/{play_replay_game().code}/replay/").status_code == 405
