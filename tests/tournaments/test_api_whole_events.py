"""Whole tournaments through the API, from the first entry to the champion, in every format at every table."""

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
from tournaments import pairing

from .programs import Cup, Program

pytestmark = pytest.mark.django_db

EVENTS: list[tuple[str, int, dict[str, Any]]] = [
    ("knockout", 3, {"third_place": True}),
    ("knockout", 4, {"table": 3}),
    ("knockout", 5, {"table": 4, "advance": 2}),
    ("knockout", 3, {"mode": "pairs"}),
    ("double", 3, {}),
    ("double", 2, {"mode": "pairs"}),
    ("round-robin", 3, {}),
    ("round-robin", 4, {"table": 3, "rounds": 2}),
    ("round-robin", 5, {"table": 4, "rounds": 2}),
    ("round-robin", 2, {"mode": "pairs"}),
    ("swiss", 4, {"rounds": 2}),
    ("swiss", 5, {"table": 3, "rounds": 2}),
    ("swiss", 5, {"table": 4, "rounds": 2}),
    ("swiss", 3, {"mode": "pairs", "rounds": 2}),
]


def recomputed(told: Any) -> tuple[pairing.TournamentSpec, list[pairing.PairingResult]]:
    """A tournament in the words of the pairing room, from nothing but what the API tells of its fairness."""
    seed = bytes.fromhex(told["seed"])
    assert hashlib.sha256(seed).hexdigest() == told["commitment"]
    event = pairing.TournamentSpec(
        entrants=tuple(
            pairing.EntrantSpec(one["id"], one["seed"], one["joined"], one["left"], frozenset(one["absent"]))
            for one in told["entrants"]
        ),
        key=hmac.digest(seed, f"otto-v1|{told['code']}".encode(), "sha256"),
        format=told["format"],
        table_size=told["table"],
        round_count=told["rounds"],
        cycles=told["laps"],
        all_rounds_at_once=told["at_once"],
        advancing_count=told["advance"],
        third_place=told["third_place"],
    )
    return event, results_in(told)


def results_in(told: Any) -> list[pairing.PairingResult]:
    """The results that the API tells, in the words of the pairing room."""
    return [
        pairing.PairingResult(
            one["match"],
            one["round"],
            tuple(one["seats"]),
            tuple(one["ranks"]) if one["ranks"] else None,
            points=tuple(one["points"]),
            eights=tuple(one["eights"]),
            forfeits=frozenset(one["forfeits"]),
            game_number=one["game"],
        )
        for one in told["results"]
    ]


def check_pairings(cup: Cup, before_correction: Any = None) -> None:
    """Every table follows from the seed and from what was known before it.

    `before_correction` is what the API told until a result was changed; what was paired by then follows it.
    """
    told = Program(None).ask(f"{cup.at}fairness/")
    event, results = recomputed(told)
    numbers = [one["published"] for one in told["results"]]
    shown = before_correction["results"] if before_correction else []
    last_shown = max((one["published"] for one in shown), default=0)
    if any(one.left_after_round is not None for one in event.entrants) and told["format"] in (
        "knockout",
        "double",
    ):
        seats = {match.id: set(match.seats) for match in pairing.build_bracket(event, results).matches}
        assert all(set(one.seats) <= seats[one.match] for one in results)
        return
    for number in sorted(set(numbers)):
        source = before_correction if number <= last_shown else told
        lines = zip(results_in(source), source["results"], strict=True)
        before = [result for result, one in lines if one["published"] < number]
        tables = [one for one, published in zip(results, numbers, strict=True) if published == number]
        coming = pairing.plan_next_round(as_it_was(event, min(one.round for one in tables)), before)
        assert isinstance(coming, pairing.PlannedRound)
        mine = {(one.match, one.game_number): one.seats for one in coming.pairings}
        for one in tables:
            assert mine[one.match, one.game_number] == one.seats


def as_it_was(event: pairing.TournamentSpec, round: int) -> pairing.TournamentSpec:
    """Who left when a round had begun was still there when it was paired."""
    entrants = [
        replace(one, left_after_round=None)
        if one.left_after_round is not None and one.left_after_round >= round
        else one
        for one in event.entrants
    ]
    return replace(event, entrants=tuple(entrants))


@pytest.mark.parametrize(("format", "count", "terms"), EVENTS, ids=str)
def test_a_tournament_is_played_to_its_champion(format: str, count: int, terms: dict[str, Any]) -> None:
    cup = Cup(format, count, **terms).start()
    nobody = Program(None)
    seen = nobody.ask(cup.at)
    assert (seen["status"], seen["entered"], seen["round"]["number"]) == ("running", count, 1)
    told = nobody.ask(f"{cup.at}fairness/")
    assert told["seed"] is None
    assert all(one["reasons"] for one in cup.tables())
    seen = cup.play_to_end()
    entrants = nobody.every(f"{cup.at}entrants/")
    assert seen["champions"] == [one["name"] for one in entrants if one["rank"] == 1]
    assert len(seen["champions"]) == 1
    assert sorted(one["id"] for one in entrants) == sorted({one["entrant"] for one in standings(cup)})
    assert standings(cup)[0]["name"] == seen["champions"][0]
    assert all(one["state"] in ("over", "bye") for one in cup.tables())
    if format in ("knockout", "double"):
        drawn = nobody.ask(f"{cup.at}bracket/")
        assert drawn["champion"] == seen["champions"][0]
        played = [game for match in drawn["matches"] for game in match["games"]]
        assert sorted(played) == sorted(one["game"] for one in cup.tables() if one["game"])
    check_pairings(cup)


def standings(cup: Cup) -> list[Any]:
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
    seen = cup.seen()
    assert seen["status"] == "finished"
    (table,) = cup.tables()
    assert {one["rank"] for one in table["seats"]} == {1, 2}
    assert cup.seat(table, seen["champions"][0])["rank"] == 1


def test_who_does_not_turn_up_loses_by_the_clock_appeals_and_is_put_right() -> None:
    hour = {"clock": "custom", "allowance": 3600, "bank": 0, "vacation": False, "timeouts": "forfeit"}
    cup = Cup("swiss", 4, rounds=2, **hour).start()
    late = cup.players["p1"]
    table = cup.table_of("p1")
    others = [one for one in cup.tables(state="playing") if one["id"] != table["id"]]
    for one in others:
        cup.play(one)
    cup.now += timedelta(hours=2)
    games_sweep.sweep_games(now=cup.now)
    cup.sweep()
    lost = cup.host.ask(f"{cup.at}tables/{table['id']}/")
    (forfeit,) = [one for one in lost["seats"] if one["forfeit"]]
    loser = cup.players[forfeit["name"]]
    assert forfeit["rank"] == 2
    assert lost["by"] == "game"
    (line,) = loser.ask(f"{cup.at}tables/{table['id']}/evidence/")["results"]
    assert (line["player"], line["what"]) == (forfeit["name"], "resigned")
    assert forfeit["timeout"]
    appeal = loser.do(f"{cup.at}tables/{table['id']}/appeal/", {"text": "no mail ever came"})
    assert loser.refused(f"{cup.at}tables/{table['id']}/appeal/", {"text": "again"})[0] == 409
    assert [one["id"] for one in cup.host.every(f"{cup.at}appeals/")] == [appeal["id"]]
    answered = cup.host.do(f"{cup.at}appeals/{appeal['id']}/answer/", {"text": "You are right: a draw."})
    assert answered["answered_by"] == "host"
    paired = Program(None).ask(f"{cup.at}fairness/")
    assert {one["published"] for one in paired["results"]} == {1, 2}  # the second round is under way
    cup.host.do(f"{cup.at}correct/", {"table": table["id"], "ranks": [1, 1], "why": "the mail was down"})
    assert {one["rank"] for one in cup.host.ask(f"{cup.at}tables/{table['id']}/")["seats"]} == {1}
    assert late.every(f"{cup.at}appeals/") in ([], [answered])
    cup.sweep(minutes=1)
    assert cup.play_to_end()["champions"]
    check_pairings(cup, before_correction=paired)


def test_a_level_knock_out_is_played_again_and_then_the_higher_seed_goes_on() -> None:
    cup = Cup("knockout", 2).start()
    for number in range(2):
        (table,) = cup.tables(state="playing")
        assert table["rematch"] == bool(number)
        cup.host.do(f"{cup.at}correct/", {"table": table["id"], "ranks": [1, 1]})
        cup.sweep(minutes=1)
    seen = cup.seen()
    assert seen["status"] == "finished"
    (match,) = cup.host.ask(f"{cup.at}bracket/")["matches"]
    assert match["notes"][0]["code"] == "higher-seed"
    assert len(match["games"]) == 2
    # Both are played on for nothing: their hands would follow from the seed.
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
        ("round-robin", 4, {"table": 3, "rounds": 2}),
        ("swiss", 3, {"mode": "pairs", "rounds": 2}),
    ],
    ids=str,
)
def test_who_withdraws_in_the_middle_is_out_and_the_rest_play_on(
    format: str, count: int, terms: dict[str, Any]
) -> None:
    cup = Cup(format, count, **terms).start()
    table = cup.tables(state="playing")[0]
    name = table["seats"][0]["name"].split(" & ")[0]
    gone = cup.players[name]
    assert "withdraw" in gone.ask(cup.at)["you"]["may"]
    seen = gone.do(f"{cup.at}withdraw/")
    assert seen["you"]["status"] == "withdrawn"
    assert "withdraw" not in seen["you"]["may"]
    assert gone.refused(f"{cup.at}withdraw/") == (409, "conflict")
    cup.sweep(minutes=1)
    found = cup.host.ask(f"{cup.at}tables/{table['id']}/")
    if found["state"] == "over":
        assert found["seats"][0]["forfeit"]
    else:
        assert len(table["seats"]) > 2, "the others play on"
    seen = cup.play_to_end()
    assert name not in seen["champions"][0].split(" & ")
    assert next(one for one in standings(cup) if name in one["name"].split(" & "))["withdrawn"]
    check_pairings(cup)
