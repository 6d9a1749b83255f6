"""Whole tournaments through the API, from the first entry to the end, in every format and table size."""

from __future__ import annotations

import hashlib
import hmac
import random
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from games.engine import bots
from games.selectors import load_game
from games.services import sweep as games_sweep
from tests.helpers.tournament_programs import Cup, Program
from tournaments import pairing

pytestmark = pytest.mark.django_db

EVENTS: list[tuple[str, int, dict[str, Any]]] = [
    ("knockout", 3, {"third_place": True}),
    ("knockout", 4, {"table_size": 3}),
    ("knockout", 5, {"table_size": 4, "advancing_count": 2}),
    ("knockout", 3, {"mode": "pairs"}),
    ("double", 3, {}),
    ("double", 2, {"mode": "pairs"}),
    ("round-robin", 3, {}),
    ("round-robin", 4, {"table_size": 3, "round_count": 2}),
    ("round-robin", 5, {"table_size": 4, "round_count": 2}),
    ("round-robin", 2, {"mode": "pairs"}),
    ("swiss", 4, {"round_count": 2}),
    ("swiss", 5, {"table_size": 3, "round_count": 2}),
    ("swiss", 5, {"table_size": 4, "round_count": 2}),
    ("swiss", 3, {"mode": "pairs", "round_count": 2}),
]


def rebuild_spec(report: Any) -> tuple[pairing.TournamentSpec, list[pairing.PairingResult]]:
    """Build the spec and results of a tournament from its fairness proof in the API alone."""
    seed = bytes.fromhex(report["seed"])
    assert hashlib.sha256(seed).hexdigest() == report["commitment"]
    tournament = pairing.TournamentSpec(
        entrants=tuple(
            pairing.EntrantSpec(
                entrant["id"],
                entrant["seed"],
                entrant["first_round"],
                entrant["left_after_round"],
                frozenset(entrant["absent_rounds"]),
            )
            for entrant in report["entrants"]
        ),
        key=hmac.digest(seed, f"otto-v1|{report['id']}".encode(), "sha256"),
        format=report["format"],
        table_size=report["table_size"],
        round_count=report["round_count"],
        cycles=report["cycles"],
        all_rounds_at_once=report["all_rounds_at_once"],
        advancing_count=report["advancing_count"],
        third_place=report["third_place"],
    )
    return tournament, build_results(report)


def build_results(report: Any) -> list[pairing.PairingResult]:
    """Build pairing results from those in the API."""
    return [
        pairing.PairingResult(
            result["match"],
            result["bracket_round"],
            tuple(result["seats"]),
            tuple(result["ranks"]) if result["ranks"] else None,
            points=tuple(result["points"]),
            eights=tuple(result["eights"]),
            forfeits=frozenset(result["forfeits"]),
            game_number=result["game_number"],
        )
        for result in report["results"]
    ]


def check_pairings(cup: Cup, before_correction: Any = None) -> None:
    """Check that every pairing follows from the seed and from earlier results.

    `before_correction` is the API's proof before a result was corrected; earlier pairings follow from it.
    """
    report = Program(None).ask(f"{cup.at}fairness/")
    tournament, results = rebuild_spec(report)
    numbers = [result["round"] for result in report["results"]]
    earlier_results = before_correction["results"] if before_correction else []
    last_shown = max((result_row["round"] for result_row in earlier_results), default=0)
    if any(entrant.left_after_round is not None for entrant in tournament.entrants) and report["format"] in (
        "knockout",
        "double",
    ):
        seats = {match.id: set(match.seats) for match in pairing.build_bracket(tournament, results).matches}
        assert all(set(result.seats) <= seats[result.match] for result in results)
        return
    for number in sorted(set(numbers)):
        source = before_correction if number <= last_shown else report
        lines = zip(build_results(source), source["results"], strict=True)
        before = [result for result, row in lines if row["round"] < number]
        tables = [result for result, published in zip(results, numbers, strict=True) if published == number]
        coming = pairing.plan_next_round(
            build_spec_at_round(tournament, min(planned_pairing.round for planned_pairing in tables)), before
        )
        assert isinstance(coming, pairing.PlannedRound)
        seats_by_match = {(pairing.match, pairing.game_number): pairing.seats for pairing in coming.pairings}
        for planned_pairing in tables:
            assert seats_by_match[planned_pairing.match, planned_pairing.game_number] == planned_pairing.seats


def build_spec_at_round(tournament: pairing.TournamentSpec, round: int) -> pairing.TournamentSpec:
    """Return the spec at the pairing of a round, in which entrants that left later still take part."""
    entrants = [
        replace(entrant, left_after_round=None)
        if entrant.left_after_round is not None and entrant.left_after_round >= round
        else entrant
        for entrant in tournament.entrants
    ]
    return replace(tournament, entrants=tuple(entrants))


@pytest.mark.parametrize(("format", "count", "terms"), EVENTS, ids=str)
def test_a_tournament_is_played_to_its_champion(format: str, count: int, terms: dict[str, Any]) -> None:
    cup = Cup(format, count, **terms).start()
    anonymous = Program(None)
    data = anonymous.ask(cup.at)
    assert (data["status"], data["entered"], data["round"]["number"]) == ("running", count, 1)
    report = anonymous.ask(f"{cup.at}fairness/")
    assert report["seed"] is None
    assert all(pairing["reasons"] for pairing in cup.tables())
    data = cup.play_to_end()
    entrants = anonymous.list_all(f"{cup.at}entrants/")
    assert data["champions"] == [entrant["name"] for entrant in entrants if entrant["rank"] == 1]
    assert len(data["champions"]) == 1
    assert sorted(entrant["id"] for entrant in entrants) == sorted(
        {standing["entrant"] for standing in read_standings(cup)}
    )
    assert read_standings(cup)[0]["name"] == data["champions"][0]
    assert all(pairing["state"] in ("over", "bye") for pairing in cup.tables())
    if format in ("knockout", "double"):
        drawn = anonymous.ask(f"{cup.at}bracket/")
        assert drawn["champion"] == data["champions"][0]
        games = [game for match in drawn["matches"] for game in match["games"]]
        assert sorted(games) == sorted(pairing["game"] for pairing in cup.tables() if pairing["game"])
    check_pairings(cup)


def read_standings(cup: Cup) -> list[Any]:
    return Program(None).ask(f"{cup.at}standings/")["lines"]


def test_a_tournament_is_played_move_by_move_through_the_api() -> None:
    cup = Cup("knockout", 2).start()
    (table,) = cup.tables(state="playing")
    rng = random.Random("moves")
    seats = {
        person["seat"]: cup.players[person["name"]]
        for person in cup.host.ask(f"games/{table['game']}/")["seats"]
    }
    for _ in range(500):
        state = load_game(table["game"]).state
        assert state is not None
        if state.is_over:
            break
        program = seats[state.seats_to_act[0]]
        answer = program.get(f"games/{table['game']}/actions/legal/")
        view = program.ask(f"games/{table['game']}/")
        action = bots.choose_action("random", view, answer.json(), rng)
        assert program.play(table["game"], action, int(answer["Otto-Seq"])).status_code == 201
    cup.sweep(minutes=1)
    cup_data = cup.get_data()
    assert cup_data["status"] == "over"
    (table,) = cup.tables()
    assert {seat["rank"] for seat in table["seats"]} == {1, 2}
    assert cup.seat(table, cup_data["champions"][0])["rank"] == 1


def test_who_does_not_turn_up_loses_by_the_clock_appeals_and_is_put_right() -> None:
    hour = {
        "clock": "custom",
        "allowance_seconds": 3600,
        "bank_seconds": 0,
        "vacation": False,
        "timeouts": "forfeit",
    }
    cup = Cup("swiss", 4, round_count=2, **hour).start()
    late = cup.players["p1"]
    table = cup.get_table_of("p1")
    other_tables = [table_row for table_row in cup.tables(state="playing") if table_row["id"] != table["id"]]
    for table_row in other_tables:
        cup.play(table_row)
    cup.now += timedelta(hours=2)
    games_sweep.sweep_games(now=cup.now)
    cup.sweep()
    lost = cup.host.ask(f"{cup.at}pairings/{table['id']}/")
    (forfeit,) = [seat for seat in lost["seats"] if seat["forfeit"]]
    loser = cup.players[forfeit["name"]]
    assert forfeit["rank"] == 2
    assert lost["by"] == "game"
    (line,) = loser.ask(f"{cup.at}pairings/{table['id']}/evidence/")["results"]
    assert (line["player"], line["outcome"]) == (forfeit["name"], "resigned")
    assert forfeit["timeout"]
    appeal = loser.do(f"{cup.at}pairings/{table['id']}/appeal/", {"text": "no mail ever came"})
    assert loser.refused(f"{cup.at}pairings/{table['id']}/appeal/", {"text": "again"})[0] == 409
    assert [appeal_row["id"] for appeal_row in cup.host.list_all(f"{cup.at}appeals/")] == [appeal["id"]]
    answered = cup.host.do(f"{cup.at}appeals/{appeal['id']}/answer/", {"text": "You are right: a draw."})
    assert answered["answered_by"] == "host"
    paired = Program(None).ask(f"{cup.at}fairness/")
    assert {result["round"] for result in paired["results"]} == {1, 2}  # the second round is running
    cup.host.do(f"{cup.at}correct/", {"pairing": table["id"], "ranks": [1, 1], "reason": "the mail was down"})
    assert {seat["rank"] for seat in cup.host.ask(f"{cup.at}pairings/{table['id']}/")["seats"]} == {1}
    assert late.list_all(f"{cup.at}appeals/") in ([], [answered])
    cup.sweep(minutes=1)
    assert cup.play_to_end()["champions"]
    check_pairings(cup, before_correction=paired)


def test_a_level_knockout_is_played_again_and_then_the_higher_seed_goes_on() -> None:
    cup = Cup("knockout", 2).start()
    for number in range(2):
        (table,) = cup.tables(state="playing")
        assert table["rematch"] == bool(number)
        cup.host.do(f"{cup.at}correct/", {"pairing": table["id"], "ranks": [1, 1]})
        cup.sweep(minutes=1)
    cup_data = cup.get_data()
    assert cup_data["status"] == "over"
    (match,) = cup.host.ask(f"{cup.at}bracket/")["matches"]
    assert match["notes"][0]["code"] == "higher-seed"
    assert len(match["games"]) == 2
    # Both games are played on without effect; the seed would reveal their hands.
    assert Program(None).ask(f"{cup.at}fairness/")["seed"] is None
    for table in cup.tables():
        cup.play(table)
    cup.sweep(hours=1)
    check_pairings(cup)


@pytest.mark.parametrize(
    ("format", "count", "terms"),
    [
        ("knockout", 4, {}),
        ("double", 3, {}),
        ("round-robin", 4, {"table_size": 3, "round_count": 2}),
        ("swiss", 3, {"mode": "pairs", "round_count": 2}),
    ],
    ids=str,
)
def test_who_withdraws_in_the_middle_is_out_and_the_rest_play_on(
    format: str, count: int, terms: dict[str, Any]
) -> None:
    cup = Cup(format, count, **terms).start()
    table = cup.tables(state="playing")[0]
    name = table["seats"][0]["name"].split(" & ")[0]
    leaver = cup.players[name]
    assert "withdraw" in leaver.ask(cup.at)["you"]["permissions"]
    data = leaver.do(f"{cup.at}withdraw/")
    assert data["you"]["status"] == "withdrawn"
    assert "withdraw" not in data["you"]["permissions"]
    assert leaver.refused(f"{cup.at}withdraw/") == (409, "conflict")
    cup.sweep(minutes=1)
    pairing_data = cup.host.ask(f"{cup.at}pairings/{table['id']}/")
    if pairing_data["state"] == "over":
        assert pairing_data["seats"][0]["forfeit"]
    else:
        assert len(table["seats"]) > 2, "the others play on"
    data = cup.play_to_end()
    assert name not in data["champions"][0].split(" & ")
    assert next(standing for standing in read_standings(cup) if name in standing["name"].split(" & "))[
        "withdrawn"
    ]
    check_pairings(cup)
