"""What a placement or a leap would close is what it closes when it is played."""

from __future__ import annotations

from hypothesis import given

from games.engine import Setup, legal_actions, view
from games.engine.outlook import Outlook, outlooks, short, told

from .positions import position
from .random_games import playing, seeds, setups, walk


@given(setups(), seeds)
@playing(60)
def test_an_outlook_comes_true(setup: Setup, seed: int) -> None:
    for step in walk(setup, seed):
        on_board = step.before.phase == "place" or "QL-" in step.action
        if step.action == "resign" or not on_board:
            continue
        look = outlooks(view(step.before, step.seat), [step.action]).get(step.action, Outlook(()))
        closed = [
            (event["kind"], event["place"], event["value"], bool(event["side"]))
            for event in step.events
            if event["event"] == "closed" and event["seat"] == step.seat
        ]
        assert sorted(figure for figure in look.figures if figure[2] != 8) == sorted(closed)
        eights = [event["cell"] for event in step.events if event["event"] == "infinity"]
        assert [place.split("+")[1] for _, place, value, _ in look.figures if value == 8] == eights
        assert look.eight == bool(eights)


@given(setups(), seeds)
@playing(15)
def test_under_a_duty_every_legal_placement_closes_something_and_without_one_none_does(
    setup: Setup, seed: int
) -> None:
    for step in walk(setup, seed):
        if step.before.phase != "place" or not setup.strict:
            continue
        legal = legal_actions(step.before, step.seat)
        looks = outlooks(view(step.before, step.seat), legal)
        zero = any(setup.box.tiles[action[0]].special == "zero" for action in legal)
        assert zero or len(looks) in (0, len(legal))


def test_an_outlook_is_told_in_words() -> None:
    state = position({"a2": "I"}, drawn="E", table={1: "J", 2: "A"})
    seen = view(state, 1)
    look = outlooks(seen, ["E-a1-0"])["E-a1-0"]
    assert look.points == 2
    assert told(look) == "Closes a circle between the frame and a1: 2 points."
    assert short(look) == "closes for 2 points"
    assert told(None) == "Closes nothing."
    assert short(None) == "closes nothing"
    assert outlooks(seen, ["E-b2-0", "draw", "MI-2"]) == {}


def test_an_outlook_says_that_there_is_no_marker_left() -> None:
    state = position({"a2": "I"}, drawn="E", table={1: "J", 2: "A"}, markers={1: (4, 0, 3)})
    look = outlooks(view(state, 1), ["E-a1-0"])["E-a1-0"]
    assert look.points == 0
    assert told(look) == "Closes a circle between the frame and a1, but you have no marker left for it."


def test_an_eight_is_told_for_what_it_brings_in_each_kind_of_match() -> None:
    state = position({"b3": "H", "b2": "D90"}, drawn="H", table={1: "J", 2: "A"})
    look = outlooks(view(state, 1), ["H-b1-0"])["H-b1-0"]
    assert look.eight
    assert look.points == 8
    assert short(look) == "makes an 8"
    assert "Makes an 8 on b1, b2 and b3: the match is over, and you score 8." in told(look)
    assert "you win the game." in told(look, match="blind")
    assert told(look, match="solo").endswith("Makes an 8 on b1, b2 and b3.")
