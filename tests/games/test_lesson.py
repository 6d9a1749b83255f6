"""The lessons: each step allows exactly the actions that the rules allow."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest
from django.test import Client

from games import engine, lesson
from games.engine import IllegalAction, NotYourTurn, UnreadableAction, dump_state, load_state
from games.engine.board import CELL_NAMES, list_frontier_cells
from games.lesson import LESSONS, LessonStep

STEP = {step.name: step for each in LESSONS.values() for step in each.steps}


def list_cells_beside(step: LessonStep) -> set[str]:
    """The free cells beside a tile."""
    return {CELL_NAMES[x] for x in list_frontier_cells(step.state.filled_mask)}


def list_kinds(events: list[engine.GameEvent]) -> list[str]:
    return [event["event"] for event in events]


def test_there_are_three_lessons_and_in_each_step_it_is_the_learners_turn() -> None:
    assert {name: [step.name for step in each.steps] for name, each in LESSONS.items()} == {
        "first": ["place", "circle", "eight", "zero", "dark", "card"],
        "cards": ["travel", "revolution", "leap", "meteorite", "kidnapping", "wildcard", "answer"],
        "pairs": ["share", "partner-swap", "rob", "protect"],
    }
    for name, each in LESSONS.items():
        for step in each.steps:
            lesson_view = lesson.build_lesson_view(step)
            assert lesson_view["mode"] == ("pairs" if name == "pairs" else "singles")
            assert len(lesson_view["seats"]) == (4 if name == "pairs" else 2)
            assert lesson_view["options"]["obligation"] == "strict"
            assert lesson_view["to_act"][0] == lesson.LEARNER_SEAT == lesson_view["you"]["seat"]
            assert lesson_view["you"]["legal_count"] >= len(lesson.list_lesson_actions(step)) > 0


def test_every_secret_card_is_played_in_some_step() -> None:
    hands = [card for step in STEP.values() for hand in step.state.hands for card in hand]
    cards = {*STEP["place"].state.setup.edition_data.cards}
    assert cards - {*hands} == {"RA"}  # RA mirrors RC


@pytest.mark.parametrize("name", STEP)
def test_a_step_is_a_whole_state_of_one_box(name: str) -> None:
    state = STEP[name].state
    assert load_state(dump_state(state)) == state
    lying = [
        state.setup.board.tile_of_code[t][0] for x, t in enumerate(state.cells) if t and CELL_NAMES[x] != "c3"
    ]
    everywhere = Counter([*lying, *state.table_tiles[1:], *state.tower, *state.drawn_tile])
    assert everywhere == Counter(state.setup.edition_data.all_tiles)


@pytest.mark.parametrize("name", STEP)
def test_the_same_actions_always_lead_to_the_same(name: str) -> None:
    step = STEP[name]
    before = dump_state(step.state)
    first = lesson.list_lesson_actions(step)[0]
    assert lesson.play_lesson_actions(step, [first]) == lesson.play_lesson_actions(step, [first])
    assert dump_state(step.state) == before
    assert lesson.play_lesson_actions(step, []) == (lesson.build_lesson_view(step), [])
    assert lesson.list_lesson_actions(step, []) == lesson.list_lesson_actions(step)


def test_the_first_step_is_free() -> None:
    step = STEP["place"]
    tiles = step.state.setup.edition_data.tiles
    everything = {
        f"{kind}-{cell}-{rotation}"
        for kind, cell in product("BC", list_cells_beside(step))
        for rotation in tiles[kind].rotations
    }
    assert {*lesson.list_lesson_actions(step)} == everything
    view, events = lesson.play_lesson_actions(step, ["B-d4-90"])
    assert list_kinds(events)[0] == "placed"
    assert view["board"]["cells"]["d4"] == {"tile": "B", "rotation": 90}
    assert view["seats"][0]["table"] == "C"
    assert view["to_act"] == [lesson.BOARD_SEAT]
    assert lesson.list_lesson_actions(step, ["B-d4-90"]) == ()
    with pytest.raises(IllegalAction):
        lesson.play_lesson_actions(step, ["B-a1-0"])


@pytest.mark.parametrize("action", lesson.list_lesson_actions(STEP["place"]))
def test_whatever_is_done_in_the_first_step_closes_nothing(action: str) -> None:
    assert "closed" not in list_kinds(lesson.play_lesson_actions(STEP["place"], [action])[1])


def test_in_the_second_step_a_circle_must_be_closed() -> None:
    step = STEP["circle"]
    assert len(list_cells_beside(step)) > 4
    assert lesson.list_lesson_actions(step) == ("B-d4-0", "B-d4-90")
    for action in lesson.list_lesson_actions(step):
        view, events = lesson.play_lesson_actions(step, [action])
        assert [event["kind"] for event in events if event["event"] == "closed"] == ["circle"]
        assert view["board"]["figures"] == [
            {"kind": "circle", "place": "c3+c4+d3+d4", "value": 2, "side": lesson.LEARNER_SEAT, "lost": False}
        ]
        assert view["points"] == {"1": 2, "2": 0}
    with pytest.raises(IllegalAction) as error:
        lesson.play_lesson_actions(step, ["B-d4-180"])
    assert error.value.rule == "must-close"
    with pytest.raises(IllegalAction):
        lesson.play_lesson_actions(step, ["A-b3-0"])


def test_in_the_third_step_an_8_must_be_made_and_wins_the_game() -> None:
    step = STEP["eight"]
    assert len(list_cells_beside(step)) > 4
    assert lesson.list_lesson_actions(step) == ("H-d5-0",)
    assert lesson.build_lesson_view(step)["totals"] == {"1": 16, "2": 0}
    view, events = lesson.play_lesson_actions(step, ["H-d5-0"])
    assert "infinity" in list_kinds(events)
    assert list_kinds(events)[-1] == "game over"
    eight = {"kind": "infinity", "place": "b5+c5+d5", "value": 8, "side": lesson.LEARNER_SEAT, "lost": False}
    assert eight in view["board"]["figures"]
    assert (view["phase"], view["winner"], view["totals"]) == ("over", lesson.LEARNER_SEAT, {"1": 24, "2": 0})
    assert [match["ended"] for match in view["matches"]] == ["infinity"]
    with pytest.raises(IllegalAction) as error:
        lesson.play_lesson_actions(step, ["H-e4-0"])
    assert error.value.rule == "must-make-eight"


def test_in_the_fifth_step_a_dark_tile_is_drawn_and_the_other_one_placed() -> None:
    step = STEP["dark"]
    lesson_view = lesson.build_lesson_view(step)
    assert lesson_view["phase"] == "start"
    assert lesson_view["you"]["hand"] == ["OO"]
    assert lesson_view["drawn"] is None
    assert lesson.list_lesson_actions(step) == ("draw",)
    lesson_view, events = lesson.play_lesson_actions(step, ["draw"])
    assert events == [{"event": "drew", "seat": lesson.LEARNER_SEAT, "tile": "J"}]
    assert (lesson_view["phase"], lesson_view["drawn"], lesson_view["seats"][0]["table"]) == (
        "place",
        "J",
        "C",
    )
    actions = lesson.list_lesson_actions(step, ["draw"])
    assert {action[0] for action in actions} == {"C"}
    assert {action[2:4] for action in actions} == list_cells_beside(step)
    lesson_view, events = lesson.play_lesson_actions(step, ["draw", actions[0]])
    assert "placed" in list_kinds(events)
    assert lesson_view["seats"][0]["table"] == "J"
    assert lesson.list_lesson_actions(step, ["draw", actions[0]]) == ()
    with pytest.raises(IllegalAction):
        lesson.play_lesson_actions(step, ["draw", "J-d3-0"])


def test_in_the_fourth_step_the_zero_tile_comes_before_an_8() -> None:
    step = STEP["zero"]
    assert {action[0] for action in lesson.list_lesson_actions(step)} == {"I"}
    with pytest.raises(IllegalAction) as error:
        lesson.play_lesson_actions(step, ["H-d4-0"])
    assert error.value.rule == "zero-tile"


def test_in_the_sixth_step_a_card_must_be_played_and_brings_a_square() -> None:
    step = STEP["card"]
    assert lesson.list_lesson_actions(step) == ("MI-2",)
    with pytest.raises(IllegalAction) as error:
        lesson.play_lesson_actions(step, ["draw"])
    assert error.value.rule == "lesson"
    view, events = lesson.play_lesson_actions(step, ["MI-2", "A-e5-0"])
    assert list_kinds(events)[:4] == ["played", "drew", "placed", "closed"]
    assert view["points"] == {"1": 4, "2": 0}


# For each step: actions, and the events and points that they give the learner's side.
CARD_TURNS = {
    "travel": (["TT", "C-d4-0", "H-b3-0"], ["played", "closed", "second turn", "placed"], 2),
    "revolution": (["RC", "A-b4-0"], ["played", "drew", "placed"], 0),
    "leap": (["QL-c2-d4-0", "I-b3-0"], ["played", "closed", "drew", "placed"], 2),
    "meteorite": (["ME", "E-b4-0"], ["played", "new tiles", "drew", "placed"], 0),
    "kidnapping": (["AK-2", "MI-2", "A-e5-0"], ["played", "kidnapped", "played", "closed"], 4),
    "wildcard": (["CV=MI-2", "A-e5-0"], ["played", "closed"], 4),
    "share": (["B-d4-0"], ["placed", "closed"], 4),
    "partner-swap": (["MI-3", "A-e5-0"], ["played", "closed"], 4),
    "rob": (["AK-4", "MI-3", "A-e5-0"], ["kidnapped", "played", "closed"], 4),
}


@pytest.mark.parametrize("name", CARD_TURNS)
def test_a_card_does_what_the_step_says(name: str) -> None:
    actions, kinds, points = CARD_TURNS[name]
    view, events = lesson.play_lesson_actions(STEP[name], actions)
    happened = iter(list_kinds(events))
    assert all(kind in happened for kind in kinds)
    assert view["points"]["1"] == points


@pytest.mark.parametrize("card", ["RV-cw", "RV-ccw"])
def test_a_revolution_has_the_card_of_the_edition(card: str) -> None:
    step = lesson.find_edition_step(STEP["revolution"], "bannan-nl")
    assert step.state.setup.edition == "bannan-nl"
    assert lesson.list_lesson_actions(step) == ("RV-cw", "RV-ccw")
    view, events = lesson.play_lesson_actions(step, [card, "A-b4-0"])
    assert list_kinds(events)[:3] == ["played", "drew", "placed"]
    assert view["seats"][1]["table"] == "J"
    for edition in engine.list_edition_names():
        cards = engine.load_edition(edition).cards
        for each in STEP.values():
            if each.name == "revolution":
                adapted = lesson.find_edition_step(each, edition)
                assert adapted.state.hands[1][0] in cards
            else:
                assert lesson.find_edition_step(each, edition) is each


@pytest.mark.parametrize("name", ["answer", "protect"])
def test_an_answer_protects_the_points_and_wins(name: str) -> None:
    view, events = lesson.play_lesson_actions(STEP[name], ["8"])
    assert view["matches"][-1]["scores"] == {"1": 2, "2": 8}
    assert (view["totals"], view["winner"]) == ({"1": 24, "2": 18}, 1)
    assert list_kinds(events)[0] == "answered"
    if name == "protect":  # the partner must answer too and keeps the card
        assert lesson.build_lesson_view(STEP[name])["to_act"] == [1, 3]
        assert view["seats"][2]["cards"] == 1


def test_a_partner_cannot_be_robbed() -> None:
    assert lesson.list_lesson_actions(STEP["rob"]) == ("AK-2", "AK-4")
    with pytest.raises(IllegalAction):
        lesson.play_lesson_actions(STEP["rob"], ["AK-3"])


@pytest.mark.parametrize("name", STEP)
def test_nonsense_is_refused_and_nobody_plays_for_the_board(name: str) -> None:
    step = STEP[name]
    with pytest.raises(UnreadableAction):
        lesson.play_lesson_actions(step, ["abracadabra"])
    done = list[str]()
    while legal := lesson.list_lesson_actions(step, done):
        done.append(legal[0])
    with pytest.raises((IllegalAction, NotYourTurn)):
        lesson.play_lesson_actions(step, [*done, "E-b3-0"])


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/lesson/1/", "/lesson/6/", "/lesson/cards/7/", "/lesson/pairs/1/"])
def test_nobody_passes_a_step_by_resigning(client: Client, path: str) -> None:
    assert client.post(path, {"action": "resign"})["Location"] == path
    forged = client.get(path, {"played": "resign"}, follow=True)
    assert forged.redirect_chain == [(path, 302)]
    assert "Well done" not in forged.text


def test_a_view_tells_nothing_of_the_tower() -> None:
    for step in STEP.values():
        assert "tower" not in lesson.build_lesson_view(step)
        assert lesson.build_lesson_view(step)["tower_left"] == len(step.state.tower)
