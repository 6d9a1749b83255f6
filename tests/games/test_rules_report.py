"""`rules_report`: its figures for played and stored games agree with a second count from the logs."""

from __future__ import annotations

import json
import random
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.models import Action, Game
from games.selectors import rules_report
from games.services import turns
from tests.factories.bots import declare_bot
from tests.factories.cast import NOW, player, start_cast_game
from tournaments.services.simulation import play_game

pytestmark = pytest.mark.django_db


def play_stored_game(*names: str, seed: int, **terms: Any) -> Game:
    game = start_cast_game(*names, **terms)
    play_game(game.code, policy="random", rng=random.Random(seed), now=NOW)
    game.refresh_from_db()
    assert game.is_over
    return game


def run_report(*words: str) -> str:
    out = StringIO()
    call_command("rules_report", *words, stdout=out)
    return out.getvalue()


def read_tables(*words: str) -> dict[tuple[str, int], dict[str, Any]]:
    return {(row["mode"], row["seats"]): row for row in json.loads(run_report("--json", *words))["tables"]}


def count_events(games: list[Game], name: str) -> int:
    """Count events of this name in the logs, one by one."""
    logs = [game.initial_events for game in games]
    logs += [action.events for action in Action.objects.filter(game__in=games)]
    return sum(event["event"] == name for events in logs for event in events)


def test_the_figures_are_those_of_the_logs() -> None:
    games = [
        play_stored_game("ada", "bob", "cleo", "dirk", seed=seed, cards=False, edition="bannan-nl")
        for seed in range(6)
    ]
    row = read_tables()["singles", 4]
    results = [game.result["matches"] for game in games if game.result]
    matches = [match for result in results for match in result]
    scores = [score for match in matches for score in match["scores"].values()]
    assert (row["games"], row["resigned_games"], row["matches"]) == (6, 0, len(matches))
    assert row["matches_per_game"] == round(len(matches) / 6, 4)
    assert sum(int(n) * count for n, count in row["games_by_matches"].items()) == len(matches)
    assert row["points_per_match"] == round(sum(scores) / len(scores), 4)
    assert row["highest_points"] == max(scores)
    assert row["silly_share"] == round(sum(bool(match["silly"]) for match in matches) / len(matches), 4)
    assert row["eight_share"] == round(count_events(games, "infinity") / len(matches), 4)
    assert row["blind_share"] == round(sum("blind" in str(result) for result in results) / 6, 4)
    dark_pairs = count_events(games, "dark tiles left")
    assert dark_pairs, "nobody had two dark tiles: choose other seeds"
    assert row["dark_pairs_per_match"] == round(dark_pairs / len(matches), 4)


def test_each_mode_and_table_size_has_its_own_line() -> None:
    play_stored_game("ada", "bob", seed=1, target=8)
    play_stored_game("ada", "bob", "cleo", seed=1, target=8)
    play_stored_game("ada", "bob", "cleo", "dirk", seed=1, target=8, mode="pairs")
    solo = play_stored_game("ada", seed=1, mode="solo")
    tables = read_tables("--all-terms")
    assert list(tables) == [("singles", 2), ("singles", 3), ("pairs", 4), ("solo", 1)]
    assert solo.result
    assert tables["solo", 1]["won_solo_share"] == float(solo.result["winner"] == 1)
    assert tables["pairs", 4]["won_solo_share"] is None


def test_a_resigned_game_does_not_say_how_long_games_last() -> None:
    game = start_cast_game("ada", "bob", cards=False)
    turns.play_action(player=player("ada"), code=game.code, text="resign", seq=None, key="", now=NOW)
    row = read_tables()["singles", 2]
    assert (row["games"], row["resigned_games"], row["matches_per_game"], row["games_by_matches"]) == (
        1,
        1,
        None,
        {},
    )


def test_games_with_bots_open_games_and_other_editions_are_left_out() -> None:
    play_stored_game("ada", bots=("random",), seed=2, target=8)
    start_cast_game("ada", "bob")
    declare_bot("robo")
    play_stored_game("ada", "robo", seed=2, cards=False, rated=False, bots_allowed=True)
    assert read_tables() == {}
    assert run_report() == "No games.\n"
    assert read_tables("--with-bots", "--all-terms")["singles", 2]["games"] == 2
    assert read_tables("--with-bots", "--all-terms", "--edition", "bannan-nl") == {}


def test_only_games_as_the_books_describe_them_are_compared() -> None:
    play_stored_game("ada", "bob", seed=4, cards=False)
    other_target = play_stored_game("ada", "bob", seed=4, target=8)
    lenient = play_stored_game("ada", "bob", seed=4, cards=False)
    Game.objects.filter(pk=lenient.pk).update(obligation="lenient")
    assert {*rules_report.select_report_games(all_terms=True)} > {other_target, lenient}
    assert read_tables()["singles", 2]["games"] == 1
    assert read_tables("--all-terms")["singles", 2]["games"] == 3
    assert run_report().startswith(
        "Games to 24 points with the duty to close figures.\nsingles, 2 seats: 1 games"
    )


def test_the_text_stands_beside_what_the_books_say() -> None:
    play_stored_game("ada", "bob", seed=3, target=8)
    text = run_report("--all-terms")
    assert text.startswith("singles, 2 seats: 1 games (0 resigned), ")
    assert "usually 3" in text
    assert "very rarely" in text
    assert "None" not in text


def test_games_are_read_in_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(5):
        play_stored_game("ada", "bob", seed=seed, target=4, cards=False)
    monkeypatch.setattr(rules_report, "BATCH_SIZE", 2)
    with CaptureQueriesContext(connection) as queries:
        games = list(rules_report.iter_finished_games(rules_report.select_report_games(all_terms=True)))
    assert (len(games), len(queries)) == (5, 2 * 3 + 1), "two a batch, and one that finds no more"
    assert read_tables("--all-terms")["singles", 2]["games"] == 5
