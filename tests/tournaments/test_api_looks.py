"""Looking at tournaments over the API: what is told to whom, in pages, in as few queries however large."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.models import Player
from tournaments.models import Tournament
from tournaments.services import decisions, leagues, sweep

from . import large
from .play import NOW, QUICK, host, replace, someone, started
from .programs import Cup, Program

pytestmark = pytest.mark.django_db
MOST = 12


def queries(program: Program, path: str) -> int:
    with CaptureQueriesContext(connection) as found:
        program.ask(path)
    return len(found)


def knockout(count: int) -> Tournament:
    event = large.entered("knockout", count)
    rng = random.Random(count)
    for _ in range(3):
        large.publish(event)
        large.settle(event, rng)
    return event


def test_a_large_tournament_costs_no_more_queries_than_a_small_one() -> None:
    large_one, small_one = knockout(512), knockout(8)
    host_, nobody = Program("host"), Program(None)
    table = {event.pk: event.tables.order_by("pk")[0].pk for event in (large_one, small_one)}
    looks: list[Callable[[Tournament], str]] = [
        lambda event: f"tournaments/{event.code}/",
        lambda event: f"tournaments/{event.code}/entrants/?page_size=200",
        lambda event: f"tournaments/{event.code}/rounds/",
        lambda event: f"tournaments/{event.code}/tables/?page_size=200",
        lambda event: f"tournaments/{event.code}/tables/{table[event.pk]}/",
        lambda event: f"tournaments/{event.code}/standings/",
        lambda event: f"tournaments/{event.code}/bracket/",
        lambda event: f"tournaments/{event.code}/fairness/",
        lambda event: f"tournaments/{event.code}/decisions/",
    ]
    host_.ask("tournaments/")  # when a token was last used is written once in a while
    for program in (host_, nobody):
        for look in looks:
            many, few = (queries(program, look(event)) for event in (large_one, small_one))
            assert many <= few <= MOST, (look(large_one), many, few)
    assert queries(host_, "tournaments/?mine=true") <= MOST
    assert queries(nobody, "tournaments/") <= MOST


def test_a_long_list_comes_in_pages_and_nothing_is_missing_or_doubled() -> None:
    event, nobody = knockout(64), Program(None)
    at = f"tournaments/{event.code}/"
    first = nobody.ask(f"{at}entrants/?page_size=10")
    assert (len(first["results"]), first["previous"]) == (10, None)
    entrants = nobody.every(f"{at}entrants/?page_size=10")
    assert [one["id"] for one in entrants] == sorted(event.entrants.values_list("pk", flat=True))
    tables = nobody.every(f"{at}tables/?page_size=10")
    assert [one["id"] for one in tables] == sorted(event.tables.values_list("pk", flat=True))
    assert {one["round"] for one in nobody.every(f"{at}tables/?round=2")} == {2}
    mine = nobody.every(f"{at}tables/?entrant={entrants[0]['id']}")
    assert mine
    assert all(entrants[0]["id"] in [seat["entrant"] for seat in one["seats"]] for one in mine)


def test_the_list_is_narrowed_by_its_words() -> None:
    cups = [Cup("swiss", 2), Cup("knockout", 2, mode="pairs"), Cup("round-robin", 3, table=3)]
    draft = cups[0].host.do("tournaments/", {"name": "Not yet", "format": "swiss"})["id"]
    nobody, codes = Program(None), [cup.code for cup in cups]
    swiss, pairs, three = codes

    def found(query: str, program: Program = nobody) -> list[str]:
        return [one["id"] for one in program.every(f"tournaments/?{query}")]

    assert found("") == codes[::-1]
    assert found("page_size=1") == codes[::-1]
    assert found("format=swiss") == [swiss]
    assert found("mode=pairs") == [pairs]
    assert found("table=3") == [three]
    assert found("status=running") == []
    cups[0].start()
    assert found("status=running") == [swiss]
    assert found("mine=true") == []
    assert found("mine=true", cups[0].host) == [draft, *codes[::-1]]
    assert found("mine=true", Program("b2")) == [pairs]
    for query in ("format=chess", "table=5", "status=", "mine=perhaps", "mode=\x00"):
        assert nobody.refused(f"tournaments/?{query}", method="GET") == (400, "invalid")


def test_a_draft_is_seen_by_those_who_organise_it_alone() -> None:
    host_ = Program("host")
    code = host_.do("tournaments/", {"name": "Not yet", "format": "swiss"})["id"]
    at = f"tournaments/{code}/"
    for program in (Program(None), Program("p1")):
        for path in (
            "",
            "entrants/",
            "tables/",
            "standings/",
            "bracket/",
            "fairness/",
            "decisions/",
            "rounds/",
        ):
            assert program.refused(at + path, method="GET") == (404, "not-found")
    for path, method in (("", "PATCH"), ("", "DELETE"), ("publish/", "POST"), ("enter/", "POST")):
        assert Program("p1").refused(at + path, {}, method) == (404, "not-found")
    asked = host_.do(f"{at}helpers/", {"name": "p1"})
    assert Program("p1").refused(at, method="GET") == (404, "not-found"), "who is only asked sees nothing"
    Program("p1").do(f"proposals/{asked['id']}/accept/")
    assert Program("p1").ask(at)["you"]["organiser"]


def test_what_has_not_changed_is_not_sent_again() -> None:
    cup = Cup("swiss", 2).start()
    for path in ("", "standings/", "bracket/", "rounds/", "fairness/"):
        answer = cup.host.get(cup.at + path)
        again = cup.host.get(cup.at + path, **{"If-None-Match": answer["ETag"]})
        assert (again.status_code, again.content) == (304, b"")
    answer = cup.host.get(cup.at)
    cup.host.do(cup.at, {"text": "New words."}, "PATCH")
    assert cup.host.get(cup.at, **{"If-None-Match": answer["ETag"]}).status_code == 200


def test_every_tie_break_has_its_value_and_is_explained_in_the_reader_s_language() -> None:
    cup = Cup("swiss", 4, rounds=1).start()
    cup.play_round()
    told = cup.host.ask(f"{cup.at}standings/")
    keys = [one["key"] for one in told["criteria"]]
    assert keys[:2] == ["points", "buchholz"]
    assert all(one["name"] and one["explanation"] for one in told["criteria"])
    for line in told["lines"]:
        assert [one["key"] for one in line["criteria"]] == keys
    assert told["lines"][0]["parted_by"] is None
    assert {line["parted_by"] for line in told["lines"]} - {None} <= set(keys)
    table = cup.tables()[0]
    whole = cup.host.ask(f"{cup.at}tables/{table['id']}/")
    assert len(whole["words"]) == len(whole["reasons"]) > 0
    assert all(words != note["code"] for words, note in zip(whole["words"], whole["reasons"], strict=True))


def test_nothing_secret_is_told_before_the_end() -> None:
    event = started("swiss", 4, rounds=1)
    seed = bytes(event.secret.seed).hex()
    programs = [Program(None), Program("p1"), Program("host")]
    paths = ("", "entrants/", "tables/", "standings/", "bracket/", "fairness/", "decisions/", "rounds/")
    for program in programs:
        for path in paths:
            assert seed not in program.get(f"tournaments/{event.code}/{path}").text
    assert Program("host").ask(f"tournaments/{event.code}/preview/")["state"] == "waiting"
    for program in programs[:2]:
        assert program.refused(f"tournaments/{event.code}/preview/", method="GET")[0] in (401, 403)


def test_the_decisions_of_organisers_are_told_with_names() -> None:
    event = started("knockout", 2)
    table = event.tables.get()
    made = decisions.correct_result(
        by=host(), code=event.code, table=table.pk, ranks=[1, 2], why="so", now=NOW
    )
    one = event.entrants.order_by("pk")[0]
    replace(event, one.members.get().player.name, "p9")
    replaced, corrected = Program(None).every(f"tournaments/{event.code}/decisions/")
    assert (corrected["id"], corrected["what"], corrected["why"]) == (made.pk, "correct", None)
    assert Program("host").every(f"tournaments/{event.code}/decisions/")[1]["why"] == "so"
    assert corrected["result_before"] is None
    assert (corrected["table"], corrected["result"]["ranks"], corrected["undone"]) == (
        table.pk,
        [1, 2],
        False,
    )
    assert (replaced["entrant"], replaced["player"], replaced["was"]) == (None, "p9", "p1")
    Player.objects.filter(name="p9").update(name="p9 anew")
    assert Program(None).every(f"tournaments/{event.code}/decisions/")[0]["player"] == "p9 anew"


def test_a_season_of_many_divisions_costs_no_more_queries_than_one_of_few() -> None:
    counted = {}
    for count in (4, 24):
        league = leagues.create_league(organiser=host(), name="L", size=4, moves=1, now=NOW, **QUICK)
        for n in range(1, count + 1):
            leagues.set_member_status(player=someone(f"p{n}"), code=league.code, now=NOW)
        leagues.start_league(by=host(), code=league.code, now=NOW)
        sweep.sweep_tournaments(now=NOW)
        nobody, at = Program(None), f"leagues/{league.code}/"
        paths = ("", "seasons/", "seasons/1/", "members/")
        counted[count] = [queries(nobody, at + path) for path in paths]
        season = nobody.ask(f"{at}seasons/1/")
        assert [one["number"] for one in season["divisions"]] == list(range(1, count // 4 + 1))
        assert nobody.ask(f"{at}seasons/1/?division=1")["divisions"] == season["divisions"][:1]
        assert all(place["words"] for one in season["divisions"] for place in one["places"])
        assert nobody.refused(f"{at}seasons/2/", method="GET") == (404, "not-found")
    assert counted[24] == counted[4]
    assert max(counted[24]) <= MOST
