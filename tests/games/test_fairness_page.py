"""The fairness pages: the commitments of a game, and the verification of any record."""

from __future__ import annotations

import copy
import html
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from games import selectors
from games.engine import record as record_module
from games.engine import simulation
from games.models import Game, GameSecrets
from games.services import lobby, turns
from games.web import fairness
from tests.factories.cast import NOW, player, start_cast_game
from tests.factories.timing import play_first_legal, start_seeded_game

pytestmark = pytest.mark.django_db
Record = dict[str, Any]
ALL_PASSED = ["passed"] * 4


@pytest.fixture(scope="module")
def game_record() -> Record:
    """Return the record of a whole three-player game with a drawn seat order."""
    terms = simulation.SimulationSettings(seats=3, policy="greedy", seed="fairness")
    games = (simulation.simulate_game(terms, number) for number in range(1, 100))
    return next(game for game in games if game["seating"]["order"] == "shuffled")


@pytest.fixture
def record(game_record: Record) -> Record:
    return copy.deepcopy(game_record)


def post_record(data: object, **extra: Any) -> Any:
    text = data if isinstance(data, str) else json.dumps(data)
    return Client().post("/fairness/", {"record": text, **extra})


def read_outcomes(answer: Any) -> list[str]:
    """Return the outcome of each check on the page: passed, failed or pending."""
    return re.findall(r'<li class="check-(passed|failed|pending)">', answer.content.decode())


def read_text(answer: Any) -> str:
    return html.unescape(re.sub(r"<[^>]+>", " ", answer.content.decode()))


# ------------------------------------------------------------------------------------------------ any record


def test_a_true_record_keeps_every_promise(record: Record) -> None:
    answer = post_record(record)
    assert answer.status_code == 200
    assert read_outcomes(answer) == ALL_PASSED
    assert f"All {len(record['actions'])} actions are legal" in read_text(answer)
    totals = record["result"]["totals"]
    assert f"ada {totals['1']}, bob {totals['2']}, cleo {totals['3']}" in read_text(answer)


def test_a_record_may_come_as_a_file_and_the_file_counts(record: Record) -> None:
    file = SimpleUploadedFile("otto.json", b"\xef\xbb\xbf" + json.dumps(record).encode())
    assert read_outcomes(post_record("rubbish", file=file)) == ALL_PASSED


def change_first_digit(digits: str) -> str:
    return ("0" if digits[0] != "0" else "1") + digits[1:]


def change_commitment(record: Record) -> None:
    record["fairness"]["commitment"] = change_first_digit(record["fairness"]["commitment"])


def change_seats(record: Record) -> None:
    record["seating"]["joined"] = record["seating"]["joined"][1:] + record["seating"]["joined"][:1]


def change_action(record: Record) -> None:
    record["actions"][7]["action"] = "pass"


def change_result(record: Record) -> None:
    record["result"]["totals"]["1"] += 1


def change_seed(record: Record) -> None:
    record["fairness"]["server_seed"] = change_first_digit(record["fairness"]["server_seed"])


def drop_result(record: Record) -> None:
    record["result"] = None


def drop_last_action(record: Record) -> None:
    record["actions"] = record["actions"][:-1]


def repeat_last_action(record: Record) -> None:
    record["actions"].append({**record["actions"][-1], "seq": len(record["actions"]) + 1})


@pytest.mark.parametrize(
    ("tamper", "expected", "sentence"),
    [
        (
            change_commitment,
            ["failed", "passed", "passed", "passed"],
            "The seed is not the promised one",
        ),
        (change_seats, ["passed", "failed", "passed", "passed"], "The seats do not follow from the seeds"),
        (change_action, ["passed", "passed", "failed", "pending"], "Action 8 is not legal"),
        (change_result, ["passed", "passed", "passed", "failed"], "result: totals is"),
        (
            drop_result,
            ["passed", "passed", "passed", "failed"],
            "the game is over, but the record has no result",
        ),
        (drop_last_action, ["passed", "passed", "passed", "failed"], "the game is not over"),
        (
            repeat_last_action,
            ["passed", "passed", "failed", "pending"],
            "the game was over before this action",
        ),
    ],
)
def test_a_tampered_record_names_which_promise_is_broken_and_which_are_not(
    record: Record, tamper: Callable[[Record], None], expected: list[str], sentence: str
) -> None:
    tamper(record)
    answer = post_record(record)
    assert answer.status_code == 200
    assert read_outcomes(answer) == expected
    assert sentence in read_text(answer)
    verdict = record_module.verify_record(record)
    assert verdict.status == "bad"
    assert verdict.text in read_text(answer)  # the command prints the first failure


def test_with_another_seed_nothing_fits(record: Record) -> None:
    change_seed(record)
    outcomes = read_outcomes(post_record(record))
    assert outcomes[0] == "failed"
    assert "failed" in outcomes[1:]


def test_an_unfinished_record_is_no_lie_but_proves_nothing(record: Record) -> None:
    record["actions"], record["result"] = record["actions"][:9], None
    assert read_outcomes(post_record(record)) == ["passed", "passed", "passed", "pending"]
    record["fairness"]["server_seed"] = None
    answer = post_record(record)
    assert answer.status_code == 200
    assert read_outcomes(answer) == ["pending"] * 4


def test_names_in_a_record_are_text_and_nothing_else(record: Record) -> None:
    record["seats"][0]["name"] = "<script>{n}</script>"
    page = post_record(record).content.decode()
    assert "<script>{n}" not in page
    assert "&lt;script&gt;{n}" in page


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ("", "Paste a record"),
        ("   ", "Paste a record"),
        ("rubbish", "it is not JSON"),
        ("[]", "it is not JSON"),
        ("[" * 100_000, "nested too deeply"),
        ('{"a": NaN}', "it is not JSON"),
        ("{}", "not a record as we write it"),
        ('{"format": "\\ud800"}', "not a record as we write it"),
        (json.dumps({"format": "x" * 1_100_000}), "larger than a megabyte"),
        (json.dumps({"actions": [0] * 20_001}), "we check at most 20,000"),
        ("\x00", "it is not JSON"),
    ],
    ids=range(11),
)
def test_what_is_no_record_gets_a_clear_answer_on_the_page(body: str, sentence: str) -> None:
    answer = post_record(body)
    assert answer.status_code == 422
    assert sentence in read_text(answer)
    assert 'role="alert"' in answer.content.decode()
    assert "Check a record" in answer.content.decode()
    assert len(answer.content) < 100_000


@pytest.mark.parametrize("raw", [b"\xff\xfe\x00", b"x" * 1_000_001, b"\x89PNG", b"{}"])
def test_a_file_that_is_no_record_gets_a_clear_answer_too(raw: bytes) -> None:
    answer = post_record("", file=SimpleUploadedFile("x.json", raw))
    assert answer.status_code == 422
    assert 'role="alert"' in answer.content.decode()


def test_a_record_nested_to_the_brink_is_never_our_mistake(record: Record) -> None:
    """JSON near the recursion limit can be parsed but perhaps not serialised; both outcomes are handled."""
    text, matches = json.dumps(record), json.dumps(record["result"]["matches"])
    for depth in range(700, 1000):
        nested = text.replace(f'"matches": {matches}', f'"matches": {"[" * depth}{"]" * depth}')
        assert re.search("nested too deeply|result: matches", get_verdict(nested))


def get_verdict(text: str) -> str:
    try:
        return record_module.verify_record(record_module.parse_record(text.encode())).text
    except record_module.InvalidRecord as bad:
        return str(bad)


def test_whatever_is_broken_in_a_record_is_answered(record: Record) -> None:
    """Replace every entry in turn by invalid values of several kinds."""
    for key in record.keys() - {"game"}:  # any text is accepted as a game code
        for rubbish in (None, 5, "x", [], {}, [1], {"a": 1}, True):
            answer = post_record({**record, key: rubbish})
            assert answer.status_code in (200, 422)
            if answer.status_code == 200:
                assert read_outcomes(answer) != ALL_PASSED


def test_the_form_needs_no_account_and_no_cookie(record: Record) -> None:
    strict = Client(enforce_csrf_checks=True)
    assert strict.post("/fairness/", {"record": json.dumps(record)}).status_code == 200
    page = strict.get("/fairness/").content.decode()
    assert page.count("<h1") == 1
    form = page[page.index('enctype="multipart/form-data"') :]
    assert "csrfmiddlewaretoken" not in form[: form.index("</form>")]


def test_the_checks_and_the_command_agree_about_every_golden_record() -> None:
    golden = sorted((Path(__file__).parents[1] / "engine" / "golden").glob("*.json"))
    assert golden
    for path in golden:
        data = record_module.parse_record(path.read_bytes())
        assert record_module.verify_record(data).is_ok
        assert [check.passed for check in record_module.check_record(data)] == [True] * 5
        names = tuple(check.name for check in record_module.check_record(data))
        assert names == tuple(name for name in record_module.CHECK_NAMES if name != "event")


# -------------------------------------------------------------------------------------------------- one game


def finish_game(**terms: Any) -> Game:
    game = start_seeded_game(11, "ada", "bob", **terms)
    for _ in range(6):
        play_first_legal(game)
    turns.play_action(player=player("bob"), code=game.code, text="resign", seq=None, key="", now=NOW)
    game.refresh_from_db()
    return game


def test_a_finished_game_shows_its_seeds_and_what_came_of_checking_them() -> None:
    game = finish_game()
    answer = Client().get(f"/games/{game.code}/fairness/")
    assert answer.status_code == 200
    assert read_outcomes(answer) == ALL_PASSED
    page = answer.content.decode()
    seed = bytes(GameSecrets.objects.get(game=game).server_seed).hex()
    for value in (game.commitment, seed, "seed of ada", "seed of bob"):
        assert value in page
    opening = html.unescape(re.search(r'data-initial-events="([^"]*)"', page)[1])  # type: ignore[index]
    assert json.loads(opening) == game.initial_events
    assert 'id="browser-check"' in page
    assert len(answer.content) < 100_000


def test_a_finished_game_that_was_tampered_with_says_so() -> None:
    game = finish_game()
    Game.objects.filter(pk=game.pk).update(commitment="0" * 64)
    assert read_outcomes(Client().get(f"/games/{game.code}/fairness/")) == [
        "failed",
        "passed",
        "passed",
        "passed",
    ]


def test_a_running_game_keeps_its_seed_and_says_what_is_fixed() -> None:
    game = start_seeded_game(11, "ada", "bob")
    play_first_legal(game)
    answer = Client().get(f"/games/{game.code}/fairness/")
    page = answer.content.decode()
    assert "the seed is still secret" in page
    assert game.commitment in page
    assert "seed of ada" in page
    assert bytes(GameSecrets.objects.get(game=game).server_seed).hex() not in page
    assert not read_outcomes(answer)
    assert "data-initial-events" not in page


def test_a_game_that_waits_or_came_to_nothing_has_its_commitment_already() -> None:
    game = lobby.create_game(player=player("ada"), now=NOW)
    lobby.join_game(player=player("ada"), code=game.code, now=NOW)
    page = Client().get(f"/games/{game.code}/fairness/").content.decode()
    assert game.commitment in page
    assert "The game has not begun." in page
    lobby.cancel_game_by_host(player=player("ada"), code=game.code, now=NOW)
    assert "Nobody played this game" in Client().get(f"/games/{game.code}/fairness/").content.decode()
    assert Client().get("/games/nosuchgame/fairness/").status_code == 404


@pytest.mark.parametrize("terms", [{"mode": "solo"}, {"bots": ("random",), "cards": False}])
def test_what_the_browser_needs_fits_the_game(terms: dict[str, Any]) -> None:
    game = start_cast_game("ada", **terms)
    turns.play_action(player=player("ada"), code=game.code, text="resign", seq=None, key="", now=NOW)
    page = Client().get(f"/games/{game.code}/fairness/").content.decode()
    assert ('data-tiles="AAAABBBBCCCCDDDDEEEEFFGGHHHHIIIIJJJJ"' in page) == ("mode" not in terms)
    assert 'data-deck=""' in page


@pytest.mark.parametrize("path", ["/fairness/", "/games/{code}/fairness/"])
def test_a_page_about_fairness_costs_few_queries(path: str) -> None:
    game = finish_game()
    ada = Client()
    ada.force_login(player("ada"))
    ada.get(path.format(code=game.code))
    with CaptureQueriesContext(connection) as queries:
        answer = ada.get(path.format(code=game.code))
    assert answer.status_code == 200
    assert len(queries) <= 12
    assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]* src=)", answer.content.decode())


@pytest.mark.parametrize(("language", "expected_text"), [("en", "1,234"), ("it", "1.234"), ("nl", "1.234")])
def test_numbers_are_written_as_the_reader_writes_them(language: str, expected_text: str) -> None:
    with translation.override(language):
        assert fairness.format_number(1234) == expected_text


def test_the_record_of_a_stored_game_is_checked_as_it_is_downloaded() -> None:
    game = finish_game(seat_order="shuffled")
    answer = post_record(Client().get(f"/api/v1/games/{game.code}/record/").content.decode())
    assert read_outcomes(answer) == ALL_PASSED
    assert game.code in read_text(answer)
    assert selectors.build_record_for(None, game.code)["fairness"]["server_seed"]
