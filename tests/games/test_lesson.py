"""The first lesson: what each step lets the learner do is what the rules say, and nothing else."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest
from django.test import Client

from games import engine, lesson
from games.engine import IllegalAction, NotYourTurn, UnreadableAction, dump_state, load_state
from games.engine.board import CELL_NAMES, list_frontier_cells
from games.lesson import LESSON_STEPS, LessonStep

STEP = {step.name: step for step in LESSON_STEPS}


def beside(step: LessonStep) -> set[str]:
    """The free cells beside a tile."""
    return {CELL_NAMES[x] for x in list_frontier_cells(step.state.filled_mask)}


def kinds(events: list[engine.GameEvent]) -> list[str]:
    return [event["event"] for event in events]


def test_there_are_four_steps_and_in_each_it_is_the_learners_turn() -> None:
    assert list(STEP) == ["place", "circle", "eight", "dark"]
    for step in LESSON_STEPS:
        seen = lesson.build_lesson_view(step)
        assert (seen["mode"], len(seen["seats"]), seen["options"]["obligation"]) == ("singles", 2, "strict")
        assert seen["to_act"] == [lesson.LEARNER_SEAT] == [seen["you"]["seat"]]
        assert seen["you"]["legal_count"] == len(lesson.list_lesson_actions(step)) > 0


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
        for kind, cell in product("BC", beside(step))
        for rotation in tiles[kind].rotations
    }
    assert {*lesson.list_lesson_actions(step)} == everything
    seen, events = lesson.play_lesson_actions(step, ["B-d4-90"])
    assert kinds(events)[0] == "placed"
    assert seen["board"]["cells"]["d4"] == {"tile": "B", "rotation": 90}
    assert seen["seats"][0]["table"] == "C"
    assert seen["to_act"] == [lesson.BOARD_SEAT]
    assert lesson.list_lesson_actions(step, ["B-d4-90"]) == ()
    with pytest.raises(IllegalAction):
        lesson.play_lesson_actions(step, ["B-a1-0"])


@pytest.mark.parametrize("action", lesson.list_lesson_actions(STEP["place"]))
def test_whatever_is_done_in_the_first_step_closes_nothing(action: str) -> None:
    assert "closed" not in kinds(lesson.play_lesson_actions(STEP["place"], [action])[1])


def test_in_the_second_step_a_circle_must_be_closed() -> None:
    step = STEP["circle"]
    assert len(beside(step)) > 4
    assert lesson.list_lesson_actions(step) == ("B-d4-0", "B-d4-90")
    for action in lesson.list_lesson_actions(step):
        seen, events = lesson.play_lesson_actions(step, [action])
        assert [event["kind"] for event in events if event["event"] == "closed"] == ["circle"]
        assert seen["board"]["figures"] == [
            {"kind": "circle", "place": "c3+c4+d3+d4", "value": 2, "side": lesson.LEARNER_SEAT}
        ]
        assert seen["points"] == {"1": 2, "2": 0}
    with pytest.raises(IllegalAction) as error:
        lesson.play_lesson_actions(step, ["B-d4-180"])
    assert error.value.rule == "must-close"
    with pytest.raises(IllegalAction):
        lesson.play_lesson_actions(step, ["A-b3-0"])


def test_in_the_third_step_an_8_must_be_made_and_wins_the_game() -> None:
    step = STEP["eight"]
    assert len(beside(step)) > 4
    assert lesson.list_lesson_actions(step) == ("H-d5-0",)
    assert lesson.build_lesson_view(step)["totals"] == {"1": 16, "2": 0}
    seen, events = lesson.play_lesson_actions(step, ["H-d5-0"])
    assert "infinity" in kinds(events)
    assert kinds(events)[-1] == "game over"
    assert {"kind": "infinity", "place": "b5+c5+d5", "value": 8, "side": lesson.LEARNER_SEAT} in seen[
        "board"
    ]["figures"]
    assert (seen["phase"], seen["winner"], seen["totals"]) == ("over", lesson.LEARNER_SEAT, {"1": 24, "2": 0})
    assert [match["ended"] for match in seen["matches"]] == ["infinity"] * 3
    with pytest.raises(IllegalAction) as error:
        lesson.play_lesson_actions(step, ["H-e4-0"])
    assert error.value.rule == "must-make-eight"


def test_in_the_fourth_step_a_dark_tile_is_drawn_and_the_other_one_placed() -> None:
    step = STEP["dark"]
    seen = lesson.build_lesson_view(step)
    assert seen["phase"] == "start"
    assert seen["you"]["hand"] == ["OO"]
    assert seen["drawn"] is None
    assert lesson.list_lesson_actions(step) == ("draw",)
    seen, events = lesson.play_lesson_actions(step, ["draw"])
    assert events == [{"event": "drew", "seat": lesson.LEARNER_SEAT, "tile": "J"}]
    assert (seen["phase"], seen["drawn"], seen["seats"][0]["table"]) == ("place", "J", "C")
    ways = lesson.list_lesson_actions(step, ["draw"])
    assert {way[0] for way in ways} == {"C"}
    assert {way[2:4] for way in ways} == beside(step)
    seen, events = lesson.play_lesson_actions(step, ["draw", ways[0]])
    assert "placed" in kinds(events)
    assert seen["seats"][0]["table"] == "J"
    assert lesson.list_lesson_actions(step, ["draw", ways[0]]) == ()
    with pytest.raises(IllegalAction):
        lesson.play_lesson_actions(step, ["draw", "J-d3-0"])


@pytest.mark.parametrize("name", STEP)
def test_nonsense_is_refused_and_nobody_plays_for_the_board(name: str) -> None:
    step = STEP[name]
    with pytest.raises(UnreadableAction):
        lesson.play_lesson_actions(step, ["abracadabra"])
    done = ["draw"] if name == "dark" else []
    done.append(lesson.list_lesson_actions(step, done)[0])
    with pytest.raises((IllegalAction, NotYourTurn)):
        lesson.play_lesson_actions(step, [*done, "E-b3-0"])


@pytest.mark.django_db
@pytest.mark.parametrize("number", range(1, len(LESSON_STEPS) + 1))
def test_nobody_passes_a_step_by_resigning(client: Client, number: int) -> None:
    path = f"/lesson/{number}/"
    assert client.post(path, {"action": "resign"})["Location"] == path
    forged = client.get(path, {"played": "resign"}, follow=True)
    assert forged.redirect_chain == [(path, 302)]
    assert "Well done" not in forged.text


def test_a_view_tells_nothing_of_the_tower() -> None:
    for step in LESSON_STEPS:
        assert "tower" not in lesson.build_lesson_view(step)
        assert lesson.build_lesson_view(step)["tower_left"] == len(step.state.tower)
