"""The preview of a placement or a leap lists exactly the figures that it closes when played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from hypothesis import given

from games.engine import Setup, build_view, legal_actions
from games.engine.close_preview import ClosePreview, describe_preview, preview_closings, summarise_preview
from tests.factories.positions import build_position
from tests.factories.random_games import iter_steps, make_game_settings, seeds, setups


def test_an_outlook_comes_true() -> None:
    figure_counts: Counter[int] = Counter()

    @given(setups(), seeds)
    @make_game_settings(60)
    def compare_outlooks(setup: Setup, seed: int) -> None:
        check_outlooks(setup, seed, figure_counts)

    compare_outlooks()
    assert figure_counts.keys() == {1, 2, 4, 8}, "of every value some were closed"


def check_outlooks(setup: Setup, seed: int, figure_counts: Counter[int]) -> None:
    """Check the previews of all placements and leaps of a game; count the figures by value."""
    for step in iter_steps(setup, seed):
        on_board = step.before.phase == "place" or "QL-" in step.action
        if step.action == "resign" or not on_board:
            continue
        look = preview_closings(build_view(step.before, step.seat), [step.action]).get(
            step.action, ClosePreview(())
        )
        closed = [
            (event["kind"], event["place"], event["value"], bool(event["side"]))
            for event in step.events
            if event["event"] == "closed" and event["seat"] == step.seat
        ]
        figure_counts.update(figure[2] for figure in look.figures)
        assert sorted(figure for figure in look.figures if figure[2] != 8) == sorted(closed)
        eights = [event["cell"] for event in step.events if event["event"] == "infinity"]
        assert [place.split("+")[1] for _, place, value, _ in look.figures if value == 8] == eights
        assert look.makes_eight == bool(eights)


def test_under_a_duty_every_legal_placement_closes_something_and_without_one_none_does() -> None:
    duties_seen: set[bool] = set()

    @given(setups(), seeds)
    @make_game_settings(15)
    def compare_placements(setup: Setup, seed: int) -> None:
        duties_seen.update(iter_duties(setup, seed))

    compare_placements()
    assert duties_seen == {True, False}


def iter_duties(setup: Setup, seed: int) -> Iterator[bool]:
    """Check that all legal placements of each step close something, or none; yield whether they do."""
    for step in iter_steps(setup, seed):
        if step.before.phase != "place" or not setup.is_strict:
            continue
        legal = legal_actions(step.before, step.seat)
        previews = preview_closings(build_view(step.before, step.seat), legal)
        zero = any(setup.edition_data.tiles[action[0]].special == "zero" for action in legal)
        if not zero:
            assert len(previews) in (0, len(legal))
            yield len(previews) > 0


def test_a_close_preview_is_described_in_words() -> None:
    state = build_position({"a2": "I"}, drawn="E", table={1: "J", 2: "A"})
    view = build_view(state, 1)
    look = preview_closings(view, ["E-a1-0"])["E-a1-0"]
    assert look.points == 2
    assert describe_preview(look) == "Closes a circle between the frame and a1: 2 points."
    assert summarise_preview(look) == "closes for 2 points"
    assert describe_preview(None) == "Closes nothing."
    assert summarise_preview(None) == "closes nothing"
    assert preview_closings(view, ["E-b2-0", "draw", "MI-2"]) == {}


def test_an_outlook_says_that_there_is_no_marker_left() -> None:
    state = build_position({"a2": "I"}, drawn="E", table={1: "J", 2: "A"}, markers={1: (4, 0, 3)})
    look = preview_closings(build_view(state, 1), ["E-a1-0"])["E-a1-0"]
    assert look.points == 0
    assert (
        describe_preview(look)
        == "Closes a circle between the frame and a1, but you have no marker left for it."
    )


def test_an_eight_is_described_by_what_it_brings_in_each_kind_of_match() -> None:
    state = build_position({"b3": "H", "b2": "D90"}, drawn="H", table={1: "J", 2: "A"})
    look = preview_closings(build_view(state, 1), ["H-b1-0"])["H-b1-0"]
    assert look.makes_eight
    assert look.points == 8
    assert summarise_preview(look) == "makes an 8"
    assert "Makes an 8 on b1, b2 and b3: the match is over, and you score 8." in describe_preview(look)
    assert "you win the game." in describe_preview(look, match_kind="blind")
    assert describe_preview(look, match_kind="solo").endswith("Makes an 8 on b1, b2 and b3.")
