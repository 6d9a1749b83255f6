"""The plain-text board and the narration."""

from __future__ import annotations

import json
import random
import re

import pytest

from games.engine import (
    ActionError,
    Setup,
    apply_action,
    build_view,
    legal_actions,
    list_edition_names,
    parse_action,
    start_game,
    text,
)
from games.engine.narration import NARRATORS
from tests.factories.positions import build_position

NAMED = text.GameTranslator(
    seat_names={1: "ada", 2: "bob", 3: "cleo", 4: "dirk"}, side_seats={1: (1, 3), 2: (2, 4), 3: (3,), 4: (4,)}
)
SINGLES = text.GameTranslator(seat_names=NAMED.seat_names, side_seats={seat: (seat,) for seat in range(1, 5)})


def test_the_board_reads_well_in_a_fixed_width_font() -> None:
    state = build_position(
        {"a1": "E", "b1": "H", "b2": "D90", "c2": "B270", "c1": "H"},
        marked={("frame+a1", 2): 1, ("b1+c1", 1): 2, ("frame+e4+e5", 4): 2},
        unmarked={"b2+b3+c2+c3": 2, "b1+b2": 1},
        drawn="A",
        table={1: "B", 2: "J"},
        hands={1: ["QL", "CV"]},
    )
    assert text.draw_text_board(build_view(state)) == "\n".join(
        [
            "       a        b        c        d        e",
            "   + ------ + ------ + ------ + ------ + ------ +",
            "5  |   .    |   .    |   .    |   .    |   .    | 5",
            "   + ------ + ------ + ------ + ------ + ------[2]",
            "4  |   .    |   .    |   .    |   .    |   .    | 4",
            "   + ------ + ------ + ------ + ------ + ------ +",
            "3  |   .    |   .    |   E    |   .    |   .    | 3",
            "   + ------ + ------(?)------ + ------ + ------ +",
            "2  |   .    |  D90   |  B270  |   .    |   .    | 2",
            "   + ------ + --o?-- + ------ + ------ + ------ +",
            "1  |   E    |   H    o2  H    |   .    |   .    | 1",
            "  (1)------ + ------ + ------ + ------ + ------ +",
            "       a        b        c        d        e",
        ]
    )


def test_the_summary_tells_tiles_and_scores() -> None:
    state = build_position(
        drawn="A", table={1: "B", 2: "J"}, hands={1: ["QL", "CV"], 2: ["TT"]}, tower="EE", totals={1: 8}
    )
    assert text.summarise_position(build_view(state, 1)) == [
        "Match 1: side 1 has 0 here and 8 in all, side 2 has 0 here and 0 in all",
        "Seat 1: tile B on the table, 2 cards",
        "Seat 2: tile J on the table, 1 card",
        "Drawn: A",
        "Tower: 2 tiles left",
    ]
    assert text.summarise_position(build_view(state, 1)) == text.summarise_position(build_view(state)), (
        "what all may see"
    )
    assert "Time travel" not in "\n".join(text.describe_own_position(build_view(state, 1)))


def test_figures_are_listed_in_words() -> None:
    state = build_position(
        {"a1": "E"},
        marked={("frame+a1", 2): 1},
        unmarked={"b2+b3+c2+c3": 4},
        drawn="A",
        table={1: "B", 2: "B"},
    )
    assert text.describe_figures(build_view(state)) == [
        "a circle between the frame and a1: side 1, 2 points",
        "a square between b2, b3, c2 and c3: without a marker, 4 points",
    ]


def test_an_8_is_shown_on_its_three_tiles() -> None:
    state = build_position({"b2": "H", "d2": "H"}, drawn="D", table={1: "A", 2: "A"}, hands={2: ["OO"]},
                     marked={("frame+a1", 2): 2})  # fmt: skip
    after, events = apply_action(state, 1, "D-c2-0")
    assert after.phase == "react"
    assert text.draw_text_board(build_view(after)).count("#H#") == 2
    assert "#D#" in text.draw_text_board(build_view(after))
    assert "Seat 1 made an 8 around c2!" in [text.narrate_event(event) for event in events]


def test_every_event_of_many_games_can_be_described_in_one_sentence() -> None:
    rng = random.Random("told")
    kinds = set()
    for number in range(60):
        mode = ("singles", "pairs", "solo")[number % 3]
        seats = {"singles": 2 + number % 2, "pairs": 4, "solo": 1}[mode]
        edition = list_edition_names()[number // 3 % 3]
        setup = Setup(
            mode=mode, seats=seats, edition=edition, target=rng.choice([1, 24]), key=rng.randbytes(32)
        )
        state, events = start_game(setup)
        while True:
            for event in events:
                kinds.add(event["event"])
                json.dumps(event)
                for translator in (text.ENGLISH_TRANSLATOR, NAMED):
                    sentence = text.narrate_event(event, translator)
                    sentence = sentence.removeprefix("“I’m using the Force!” ")
                    assert sentence[0].isupper() or sentence.startswith(tuple(translator.seat_names.values()))
                    assert sentence[-1] in ".!"
                    assert "None" not in sentence
                    assert "{" not in sentence
                assert not re.search("seat [0-9]|side [0-9]", sentence, re.IGNORECASE), sentence
            if state.is_over:
                break
            seat = rng.choice(state.seats_to_act)
            action = "resign" if rng.random() < 0.003 else rng.choice(legal_actions(state, seat))
            state, events = apply_action(state, seat, action)
        text.draw_text_board(build_view(state))
        text.summarise_position(build_view(state, 1))
    assert kinds >= set(NARRATORS) - {"shoot-out", "lost figure"}


def test_a_figure_that_is_lost_for_all_has_a_sentence() -> None:
    event = {"event": "lost figure", "seat": 2, "kind": "circle", "place": "b2+b3+c2+c3", "value": 2}
    sentence = "Seat 2 has no marker left for a circle between b2, b3, c2 and c3: its points are lost."
    assert text.narrate_event(event) == sentence


# -------------------------------------------------------------------------------------------- names and words


def test_people_are_called_by_their_names_and_pairs_by_both() -> None:
    state = build_position(
        {"a1": "E"},
        marked={("frame+a1", 2): 1},
        drawn="A",
        table={1: "B", 2: "J", 3: "A"},
        hands={2: ["TT"]},
        mode="pairs",
        seats=4,
    )
    assert text.summarise_position(build_view(state), NAMED)[:3] == [
        "Match 1: ada and cleo have 2 here and 0 in all, bob and dirk have 0 here and 0 in all",
        "ada: tile B on the table, 0 cards",
        "bob: tile J on the table, 1 card",
    ]
    assert "dirk: no tile on the table, 0 cards" in text.summarise_position(build_view(state), NAMED)
    assert text.describe_figures(build_view(state), NAMED) == [
        "a circle between the frame and a1: ada and cleo, 2 points"
    ]
    _, events = apply_action(state, 2, "resign")
    assert [text.narrate_event(event, NAMED) for event in events] == [
        "bob and dirk resigned.",
        "The game is over: ada and cleo won.",
    ]


def test_whoever_plays_alone_is_named_once() -> None:
    state = build_position({"b1": "C"}, drawn="E", table={1: "E", 2: "A"})
    _, events = apply_action(state, 1, "E-a1-0")
    assert [text.narrate_event(event, SINGLES) for event in events[:2]] == [
        "ada put tile E on a1.",
        "ada closed a circle between the frame and a1: 2 points.",
    ]
    assert text.narrate_event(events[1], NAMED) == (
        "ada closed a circle between the frame and a1: 2 points for ada and cleo."
    )


def test_a_name_is_written_as_it_is_and_never_read_as_a_pattern() -> None:
    odd = text.GameTranslator(seat_names={1: "{who} {0}", 2: "otto"})
    assert text.narrate_event({"event": "drew", "seat": 1, "tile": "B"}, odd) == "{who} {0} drew tile B."
    assert text.narrate_event({"event": "drew", "seat": 2, "tile": "B"}, odd) == "otto drew tile B."
    assert text.narrate_event({"event": "drew", "seat": 3, "tile": "B"}, odd) == "Seat 3 drew tile B."


@pytest.mark.parametrize(
    ("action", "sentence"),
    [
        ("TT", "ada played Time travel: two turns in a row."),
        ("CV=TT", "ada played Cosmic void as Time travel: two turns in a row."),
        ("RC", "ada played Revolution clockwise: every table tile went one seat clockwise."),
        ("RV-ccw", "ada played Revolution: every table tile went one seat anti-clockwise."),
        ("MI-3", "ada played Magnetic inversion and swapped table tiles with cleo."),
        ("QL-b3-d5-180", "ada played Quantum leap: the tile on b3 leapt to d5, at 180 degrees."),
        ("QL-b3-b3-90", "ada played Quantum leap: the tile on b3 now lies at 90 degrees."),
        ("ME", "ada played Meteorite."),
        ("AK-2", "ada played Alien kidnapping."),
    ],
)
def test_a_card_that_was_played_says_what_it_did(action: str, sentence: str) -> None:
    event = {"event": "played", "seat": 1, "card": action[:2], "action": action}
    assert text.narrate_event(event, SINGLES) == f"“I’m using the Force!” {sentence}"


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ("8", "“I’m using the Force!” ada protected the points with the 8."),
        ("CV=8", "“I’m using the Force!” ada protected the points with Cosmic void as the 8."),
        ("pass", "ada passed."),
    ],
)
def test_a_card_that_answers_an_8_comes_with_the_words_of_a_card(answer: str, sentence: str) -> None:
    event = {"event": "answered", "seat": 1, "answer": answer}
    assert text.narrate_event(event, SINGLES) == sentence


def test_what_the_clock_played_is_described_as_such_once_a_turn() -> None:
    drew, passed = (
        {"event": "drew", "seat": 2, "tile": "B"},
        {"event": "answered", "seat": 1, "answer": "pass"},
    )
    lines = [
        {"seat": 2, "by": "clock", "events": [drew]},
        {"seat": 2, "by": "clock", "events": []},
        {"seat": 1, "by": "player", "events": [passed]},
        {"seat": 2, "by": "clock", "events": [drew]},
    ]
    assert text.narrate_actions(lines, SINGLES) == [
        "Time ran out for bob, so we played.",
        "bob drew tile B.",
        "ada passed.",
        "Time ran out for bob, so we played.",
        "bob drew tile B.",
    ]


def test_a_translator_is_asked_for_every_sentence() -> None:
    messages: list[str] = []

    def gettext(message: str) -> str:
        messages.append(message)
        return message.upper().replace("{WHO}", "{who}").replace("{TILE}", "{tile}")

    translator = text.GameTranslator(gettext=gettext, seat_names={1: "ada"})
    assert text.narrate_event({"event": "drew", "seat": 1, "tile": "B"}, translator) == "ada DREW TILE B."
    assert messages == ["{who} drew tile {tile}."]


# ----------------------------------------------------------------------------------------- choices and duties


@pytest.mark.parametrize(
    ("action", "words"),
    [
        ("draw", "draw a tile"),
        ("pass", "pass"),
        ("resign", "resign the game"),
        ("B-b3-90", "put tile B on b3, turned by 90 degrees"),
        ("A-b3-0", "put tile A on b3"),
        ("8", "answer with the 8"),
        ("CV=8", "answer with Cosmic void as the 8"),
        ("TT", "play Time travel"),
        ("ME", "play Meteorite"),
        ("RA", "play Revolution anti-clockwise"),
        ("RV-cw", "play Revolution, clockwise"),
        ("RV-ccw", "play Revolution, anti-clockwise"),
        ("MI-2", "play Magnetic inversion: swap table tiles with bob"),
        ("CV=AK-3", "play Cosmic void as Alien kidnapping: take a card from cleo"),
        ("QL-b3-d5-180", "play Quantum leap: the tile on b3 to d5, at 180 degrees"),
        ("QL-b3-b3-0", "play Quantum leap: turn the tile on b3 to 0 degrees"),
    ],
)
def test_an_action_in_words(action: str, words: str) -> None:
    assert text.describe_action(action, SINGLES) == words


def test_every_legal_action_has_its_own_words() -> None:
    rng = random.Random("choices")
    for number in range(12):
        edition = list_edition_names()[number // 3 % 3]
        state, _ = start_game(Setup(seats=2 + number % 3, edition=edition, key=rng.randbytes(32)))
        while not state.is_over:
            seat = rng.choice(state.seats_to_act)
            legal = legal_actions(state, seat)
            assert len({text.describe_action(action, SINGLES) for action in legal}) == len(legal)
            state, _ = apply_action(state, seat, rng.choice(legal))


@pytest.mark.parametrize("action", ["draw", "TT", "ME", "RC", "RA", "CV=TT", "CV=RC", "CV=ME"])
def test_the_words_of_a_choice_can_be_typed(action: str) -> None:
    state = build_position(phase="start", hands={1: ["TT", "ME", "RC", "RA", "CV"]}, table={1: "B", 2: "B"})
    assert parse_action(state, 1, text.describe_action(action)) == action


def test_the_words_of_a_placement_can_be_typed_where_the_tile_is_turned() -> None:
    state = build_position(drawn="F", table={1: "B", 2: "B"})
    turned = [action for action in legal_actions(state, 1) if not action.endswith("-0")]
    assert len(turned) == 24
    assert [parse_action(state, 1, text.describe_action(action)) for action in turned] == turned
    with pytest.raises(ActionError, match="say the rotation"):
        parse_action(state, 1, text.describe_action("F-b3-0"))


def describe_own_duty(state: object, seat: int = 1) -> str:
    return text.describe_own_position(build_view(state, seat), SINGLES, legal_actions(state, seat))[-1]  # type: ignore[arg-type]


def test_what_is_mine_is_shown_to_me_alone() -> None:
    state = build_position(
        drawn="A", table={1: "B", 2: "J"}, hands={1: ["QL", "CV"], 3: ["TT"]}, mode="pairs", seats=4
    )
    assert text.describe_own_position(build_view(state, 1), NAMED)[:3] == [
        "Your tiles: A (drawn), B (on the table)",
        "Your cards: Quantum leap (QL), Cosmic void (CV)",
        "Cards of cleo: Time travel (TT)",
    ]
    assert text.describe_own_position(build_view(state, 2), NAMED) == [
        "Your tile: J (on the table)",
        "Waiting for ada.",
    ]
    assert text.describe_own_position(build_view(state), NAMED) == []


def test_a_duty_is_described_as_one() -> None:
    free = build_position(drawn="H", table={1: "H", 2: "B"})
    assert describe_own_duty(free) == "Place a tile."
    closing = build_position({"b1": "C"}, drawn="E", table={1: "E", 2: "A"})
    assert describe_own_duty(closing) == "You can close a figure, so you must."
    lenient = build_position({"b1": "C"}, drawn="E", table={1: "E", 2: "A"}, obligation="lenient")
    assert describe_own_duty(lenient) == "Place a tile."
    eight = build_position({"b2": "H", "d2": "H"}, drawn="D", table={1: "A", 2: "A"})
    assert describe_own_duty(eight) == "You can make an 8, so you must."
    zero = build_position({"b1": "C"}, drawn="E", table={1: "I", 2: "A"})
    assert describe_own_duty(zero) == "You must place the zero tile I."
    dark = build_position({"b1": "C"}, drawn="E", table={1: "J", 2: "A"})
    assert describe_own_duty(dark) == "You never place the dark tile J. You can close a figure, so you must."


def test_what_there_is_to_decide_before_and_after_a_placement_is_described() -> None:
    table = {1: "B", 2: "B"}
    assert describe_own_duty(build_position(phase="start", hands={1: ["TT"]}, table=table)) == (
        "You may play a secret card, or draw a tile."
    )
    assert describe_own_duty(build_position(phase="start", hands={1: ["OO"]}, table=table)) == (
        "You cannot play any of your cards now: draw a tile."
    )
    assert describe_own_duty(build_position(phase="stolen", stolen="TT", table=table)) == (
        "You must play the kidnapped card: Time travel (TT)."
    )
    marked = {("frame+a1", 2): 2, ("frame+e1", 2): 1}
    after_eight, _ = apply_action(
        build_position(
            {"b2": "H", "d2": "H"}, drawn="D", table=table, marked=marked, hands={1: ["TT"], 2: ["OO"]}
        ),
        1,
        "D-c2-0",
    )
    assert (
        describe_own_duty(after_eight, 1) == "Somebody made an 8. You hold no card against it, so you pass."
    )
    assert describe_own_duty(after_eight, 2) == "Somebody made an 8. Protect your points, or pass."
    over, _ = apply_action(after_eight, 1, "resign")
    assert text.describe_own_position(build_view(over, 1), SINGLES) == []


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        ("C-b3-0", "you do not have tile C; you have B and F"),
        ("F-a1-0", "a1 is not beside a tile on the board"),
    ],
)
def test_a_refusal_is_explained_in_the_words_of_whoever_reads_it(action: str, reason: str) -> None:
    state = build_position(drawn="F", table={1: "B", 2: "B"})
    with pytest.raises(ActionError) as refused:
        apply_action(state, 1, action)
    assert (str(refused.value), text.explain_error(refused.value, SINGLES)) == (reason, reason)
    with pytest.raises(ActionError) as refused:
        apply_action(state, 2, action)
    assert str(refused.value) == "it is the turn of seat 1"
    assert text.explain_error(refused.value, SINGLES) == "it is the turn of ada"


def test_what_would_be_legal_is_listed_with_how_much_more_there_is() -> None:
    state = build_position({"b1": "C"}, drawn="E", table={1: "E", 2: "A"})
    with pytest.raises(ActionError) as refused:
        apply_action(state, 1, "E-b3-0")
    assert text.explain_error(refused.value, SINGLES) == "you can close a figure, so you must: E-a1-0"
    many = ActionError("write {actions}", actions=[str(n) for n in range(9)])
    assert str(many) == "write 0, 1, 2, 3, 4, 5 and 3 more"
