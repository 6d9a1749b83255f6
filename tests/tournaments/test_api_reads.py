"""Reading tournaments over the API: visibility, pagination, and query counts that do not grow."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import Player
from tests.example_counts import pick_example_count
from tests.factories import large
from tests.factories.events import NOW, QUICK, create_started_tournament, get_host, get_player, replace
from tests.helpers.tournament_programs import Cup, Program
from tournaments.leagues.services import leagues
from tournaments.models import Tournament
from tournaments.services import decisions, sweep

pytestmark = pytest.mark.django_db
MAX_QUERIES = 12


def count_queries(program: Program, path: str) -> int:
    with CaptureQueriesContext(connection) as queries_captured:
        program.ask(path)
    return len(queries_captured)


def build_knockout(count: int) -> Tournament:
    tournament = large.create_large_tournament("knockout", count)
    rng = random.Random(count)
    for _ in range(3):
        large.publish_round(tournament)
        large.settle_round(tournament, rng)
    return tournament


def test_a_large_tournament_costs_no_more_queries_than_a_small_one() -> None:
    large_one, small_one = build_knockout(pick_example_count(256, 512)), build_knockout(8)  # over 200 a page
    host_, anonymous = Program("host"), Program(None)
    table = {tournament.pk: tournament.pairings.order_by("pk")[0].pk for tournament in (large_one, small_one)}
    routes: list[Callable[[Tournament], str]] = [
        lambda tournament: f"tournaments/{tournament.code}/",
        lambda tournament: f"tournaments/{tournament.code}/entrants/?page_size=200",
        lambda tournament: f"tournaments/{tournament.code}/rounds/",
        lambda tournament: f"tournaments/{tournament.code}/pairings/?page_size=200",
        lambda tournament: f"tournaments/{tournament.code}/pairings/{table[tournament.pk]}/",
        lambda tournament: f"tournaments/{tournament.code}/standings/",
        lambda tournament: f"tournaments/{tournament.code}/bracket/",
        lambda tournament: f"tournaments/{tournament.code}/fairness/",
        lambda tournament: f"tournaments/{tournament.code}/decisions/",
    ]
    host_.ask("tournaments/")  # the first request writes the last use of the token
    for program in (host_, anonymous):
        for look in routes:
            many, few = (count_queries(program, look(tournament)) for tournament in (large_one, small_one))
            assert many <= few <= MAX_QUERIES, (look(large_one), many, few)
    assert count_queries(host_, "tournaments/?own=true") <= MAX_QUERIES
    assert count_queries(anonymous, "tournaments/") <= MAX_QUERIES


def test_a_long_list_comes_in_pages_and_nothing_is_missing_or_doubled() -> None:
    tournament, anonymous = build_knockout(64), Program(None)
    at = f"tournaments/{tournament.code}/"
    first = anonymous.ask(f"{at}entrants/?page_size=10")
    assert (len(first["results"]), first["previous"]) == (10, None)
    entrants = anonymous.list_all(f"{at}entrants/?page_size=10")
    assert [entrant["id"] for entrant in entrants] == sorted(tournament.entrants.values_list("pk", flat=True))
    tables = anonymous.list_all(f"{at}pairings/?page_size=10")
    assert [pairing["id"] for pairing in tables] == sorted(tournament.pairings.values_list("pk", flat=True))
    assert {
        pairing_row["bracket_round"] for pairing_row in anonymous.list_all(f"{at}pairings/?bracket_round=2")
    } == {2}
    own_pairings = anonymous.list_all(f"{at}pairings/?entrant={entrants[0]['id']}")
    assert own_pairings
    assert all(
        entrants[0]["id"] in [seat["entrant"] for seat in pairing_row["seats"]]
        for pairing_row in own_pairings
    )


def test_the_list_is_narrowed_by_its_words() -> None:
    cups = [Cup("swiss", 2), Cup("knockout", 2, mode="pairs"), Cup("round-robin", 3, table_size=3)]
    draft = cups[0].host.do("tournaments/", {"name": "Not yet", "format": "swiss"})["id"]
    anonymous, codes = Program(None), [cup.code for cup in cups]
    swiss, pairs, three = codes

    def list_codes(query: str, program: Program = anonymous) -> list[str]:
        return [row["id"] for row in program.list_all(f"tournaments/?{query}")]

    assert list_codes("") == codes[::-1]
    assert list_codes("page_size=1") == codes[::-1]
    assert list_codes("format=swiss") == [swiss]
    assert list_codes("mode=pairs") == [pairs]
    assert list_codes("table_size=3") == [three]
    assert list_codes("status=running") == []
    cups[0].start()
    assert list_codes("status=running") == [swiss]
    assert list_codes("own=true") == []
    assert list_codes("own=true", cups[0].host) == [draft, *codes[::-1]]
    assert list_codes("own=true", Program("b2")) == [pairs]
    for query in ("format=chess", "table_size=5", "status=", "own=perhaps", "mode=\x00"):
        assert anonymous.refused(f"tournaments/?{query}", method="GET") == (400, "invalid")


def test_a_draft_is_seen_by_those_who_organise_it_alone() -> None:
    host_ = Program("host")
    code = host_.do("tournaments/", {"name": "Not yet", "format": "swiss"})["id"]
    at = f"tournaments/{code}/"
    for program in (Program(None), Program("p1")):
        for path in (
            "",
            "entrants/",
            "pairings/",
            "standings/",
            "bracket/",
            "fairness/",
            "decisions/",
            "rounds/",
        ):
            assert program.refused(at + path, method="GET") == (404, "not-found")
    for path, method in (("", "PATCH"), ("", "DELETE"), ("publish/", "POST"), ("enter/", "POST")):
        assert Program("p1").refused(at + path, {}, method) == (404, "not-found")
    request = host_.do(f"{at}co-organisers/", {"name": "p1"})
    assert Program("p1").refused(at, method="GET") == (404, "not-found"), "who is only asked sees nothing"
    Program("p1").do(f"proposals/{request['id']}/accept/")
    assert Program("p1").ask(at)["you"]["organiser"]


def test_what_has_not_changed_is_not_sent_again() -> None:
    cup = Cup("swiss", 2).start()
    for path in ("", "standings/", "bracket/", "rounds/", "fairness/"):
        answer = cup.host.get(cup.at + path)
        second_response = cup.host.get(cup.at + path, **{"If-None-Match": answer["ETag"]})
        assert (second_response.status_code, second_response.content) == (304, b"")
    answer = cup.host.get(cup.at)
    cup.host.do(cup.at, {"text": "New words."}, "PATCH")
    assert cup.host.get(cup.at, **{"If-None-Match": answer["ETag"]}).status_code == 200


def test_every_tie_break_has_its_value_and_is_explained_in_the_reader_s_language() -> None:
    cup = Cup("swiss", 4, round_count=1).start()
    cup.play_round()
    data = cup.host.ask(f"{cup.at}standings/")
    keys = [criterion["key"] for criterion in data["criteria"]]
    assert keys[:2] == ["points", "buchholz"]
    assert all(criterion["name"] and criterion["explanation"] for criterion in data["criteria"])
    for line in data["lines"]:
        assert [criterion["key"] for criterion in line["criteria"]] == keys
    assert data["lines"][0]["separated_by"] is None
    assert {line["separated_by"] for line in data["lines"]} - {None} <= set(keys)
    table = cup.tables()[0]
    whole = cup.host.ask(f"{cup.at}pairings/{table['id']}/")
    assert len(whole["words"]) == len(whole["reasons"]) > 0
    assert all(words != note["code"] for words, note in zip(whole["words"], whole["reasons"], strict=True))


def test_nothing_secret_is_shown_before_the_end() -> None:
    tournament = create_started_tournament("swiss", 4, round_count=1)
    seed = bytes(tournament.secret.seed).hex()
    programs = [Program(None), Program("p1"), Program("host")]
    paths = ("", "entrants/", "pairings/", "standings/", "bracket/", "fairness/", "decisions/", "rounds/")
    for program in programs:
        for path in paths:
            assert seed not in program.get(f"tournaments/{tournament.code}/{path}").text
    assert Program("host").ask(f"tournaments/{tournament.code}/preview/")["state"] == "waiting"
    for program in programs[:2]:
        assert program.refused(f"tournaments/{tournament.code}/preview/", method="GET")[0] in (401, 403)


def test_the_decisions_of_organisers_are_logged_with_names() -> None:
    tournament = create_started_tournament("knockout", 2)
    table = tournament.pairings.get()
    decision = decisions.correct_result(
        by=get_host(), code=tournament.code, pairing_id=table.pk, ranks=[1, 2], reason="so", now=NOW
    )
    entrant = tournament.entrants.order_by("pk")[0]
    replace(tournament, entrant.entrant_players.get().player.name, "p9")
    replaced, corrected = Program(None).list_all(f"tournaments/{tournament.code}/decisions/")
    assert (corrected["id"], corrected["action"], corrected["reason"]) == (decision.pk, "correct", None)
    assert Program("host").list_all(f"tournaments/{tournament.code}/decisions/")[1]["reason"] == "so"
    assert corrected["result_before"] is None
    assert (corrected["pairing"], corrected["result"]["ranks"], corrected["undone"]) == (
        table.pk,
        [1, 2],
        False,
    )
    assert (replaced["entrant"], replaced["player"], replaced["was"]) == (None, "p9", "p1")
    Player.objects.filter(name="p9").update(name="p9 anew")
    assert Program(None).list_all(f"tournaments/{tournament.code}/decisions/")[0]["player"] == "p9 anew"


def test_a_season_of_many_divisions_costs_no_more_queries_than_one_of_few() -> None:
    counts_by_size = {}
    for count in (4, 24):
        league = leagues.create_league(
            organiser=get_host(), name="L", division_size=4, promotion_count=1, now=NOW, **QUICK
        )
        for n in range(1, count + 1):
            leagues.set_member_status(player=get_player(f"p{n}"), code=league.code, now=NOW)
        leagues.start_league(by=get_host(), code=league.code, now=NOW)
        sweep.sweep_tournaments(now=NOW)
        anonymous, at = Program(None), f"leagues/{league.code}/"
        paths = ("", "seasons/", "seasons/1/", "members/")
        counts_by_size[count] = [count_queries(anonymous, at + path) for path in paths]
        season = anonymous.ask(f"{at}seasons/1/")
        assert [division["number"] for division in season["divisions"]] == list(range(1, count // 4 + 1))
        assert anonymous.ask(f"{at}seasons/1/?division=1")["divisions"] == season["divisions"][:1]
        assert all(place["words"] for division in season["divisions"] for place in division["placements"])
        assert anonymous.refused(f"{at}seasons/2/", method="GET") == (404, "not-found")
    assert counts_by_size[24] == counts_by_size[4]
    assert max(counts_by_size[24]) <= MAX_QUERIES
