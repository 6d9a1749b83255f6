"""Actions of players and organisers over the API: permissions, refusals, and no change after a refusal."""

from __future__ import annotations

import random
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from games.selectors import format_instant
from tests.helpers.tournament_programs import QUICK, Cup, Program
from tournaments.models import Entrant, League, LeagueMember, Tournament
from tournaments.services import simulation, sweep

pytestmark = pytest.mark.django_db


def list_permissions(program: Program, path: str) -> set[str]:
    return set(program.ask(path)["you"]["permissions"])


def test_everything_that_is_open_can_be_done_and_what_is_not_is_refused() -> None:
    """Compare `you.may` with the services before, during and after a tournament."""
    host = Program("host")
    code = host.do("tournaments/", {"name": "The cup", "format": "swiss", "round_count": 1, **QUICK})["id"]
    at, player = f"tournaments/{code}/", Program("p1")
    assert list_permissions(host, at) == {
        "change",
        "delete",
        "publish",
        "cancel",
        "seed",
        "invite",
        "add-co-organiser",
    }
    assert host.refused(f"{at}start/") == (409, "conflict")
    host.do(f"{at}publish/")
    assert host.refused(f"{at}publish/") == (409, "conflict")
    assert host.refused(at, method="DELETE") == (409, "conflict")
    open_now = {
        "change",
        "start",
        "cancel",
        "seed",
        "invite",
        "add-co-organiser",
        "preview",
        "replace",
        "remove",
    }
    assert list_permissions(host, at) == open_now | {"enter"}
    assert list_permissions(player, at) == {"enter"}
    assert player.refused(f"{at}leave/")[0] == 403
    player.do(f"{at}enter/")
    assert player.refused(f"{at}enter/") == (409, "already-joined")
    assert list_permissions(player, at) == {"leave", "sit-out", "client-seed"}
    assert player.do(f"{at}client-seed/", {"client_seed": "x"}, "PUT")["you"]["client_seed"] == "x"
    player.do(f"{at}leave/")
    assert list_permissions(player, at) == {"enter"}
    for name in ("p1", "p2"):
        Program(name).do(f"{at}enter/")
    host.do(f"{at}start/")
    while sweep.sweep_tournaments(now=timezone.now()):
        pass
    assert list_permissions(player, at) == {"withdraw", "sit-out", "appeal"}
    assert player.refused(f"{at}leave/") == (409, "conflict")
    assert player.refused(f"{at}client-seed/", {"client_seed": "y"}, "PUT") == (409, "seed-fixed")
    running = {"change", "cancel", "add-co-organiser", "preview", "extend", "correct", "disqualify"}
    assert list_permissions(host, at) == running | {"replace"}
    assert host.refused(f"{at}proceed/") == (409, "conflict")
    assert host.refused(f"{at}seeds/", {"order": []}, "PUT") == (409, "conflict")
    assert Program("p3").refused(f"{at}enter/") == (409, "conflict")
    table = host.ask(f"{at}pairings/")["results"][0]
    host.do(f"{at}correct/", {"pairing": table["id"], "ranks": [1, 2]})
    while sweep.sweep_tournaments(now=timezone.now()):
        pass
    assert host.ask(at)["status"] == "over"
    assert list_permissions(host, at) == {"correct", "add-co-organiser"}
    assert host.refused(f"{at}cancel/") == (409, "conflict")
    assert host.refused(at, {"text": "New words."}, "PATCH") == (409, "conflict")


def test_who_may_enter_is_known_beforehand() -> None:
    host, ada = Program("host"), Program("p1")
    soon, past = (format_instant(timezone.now() + timedelta(days=days)) for days in (1, -1))

    def create_open_tournament(**terms: Any) -> str:
        code = host.do("tournaments/", {"name": "The cup", "format": "knockout", **terms})["id"]
        host.do(f"tournaments/{code}/publish/")
        return f"tournaments/{code}/"

    for terms in ({"opens_at": soon}, {"closes_at": past}, {"by_invitation": True}, {"min_rating": 1600}):
        at = create_open_tournament() if "closes_at" in terms else create_open_tournament(**terms)
        host.do(at, terms, "PATCH")  # closes_at may be in the past in an edit, but not at creation
        assert list_permissions(ada, at) == set()
        assert ada.refused(f"{at}enter/")[0] in (403, 409)
    at = create_open_tournament(by_invitation=True)
    host.do(f"{at}invites/", {"name": "P1"})
    assert [invite_row["name"] for invite_row in host.list_all(f"{at}invites/")] == ["p1"]
    assert [invite_row["name"] for invite_row in ada.list_all(f"{at}invites/")] == ["p1"]
    assert Program("p2").list_all(f"{at}invites/") == []
    assert list_permissions(ada, at) == {"enter"}
    host.do(f"{at}invites/p1/", method="DELETE")
    assert list_permissions(ada, at) == set()
    full = create_open_tournament(capacity=2)
    for name in ("p1", "p2", "p3"):
        data = Program(name).do(f"{full}enter/")
    assert (data["you"]["status"], data["entered"], data["waiting"]) == ("waiting", 2, 1)
    ada.do(f"{full}leave/")
    assert Program("p3").ask(full)["you"]["status"] == "entered"


def test_a_pair_enters_together() -> None:
    host = Program("host")
    code = host.do("tournaments/", {"name": "Pairs", "format": "knockout", "mode": "pairs"})["id"]
    at, first = f"tournaments/{code}/", Program("a1")
    Program("b1")
    host.do(f"{at}publish/")
    assert first.refused(f"{at}enter/") == (422, "invalid-value")
    assert first.refused(f"{at}enter/", {"partner": "nobody of that name"}) == (422, "no-such-player")
    assert first.refused(f"{at}enter/", {"partner": "a1"})[0] == 409
    (proposal_id,) = first.do(f"{at}enter/", {"partner": "B1"})["you"]["proposals"]
    assert host.list_all(f"{at}entrants/") == []
    assert Program("b1").ask(at)["you"]["proposals"] == [proposal_id]
    Program("b1").do(f"proposals/{proposal_id}/accept/")
    assert Program("b1").ask(at)["you"]["entrant"] == first.ask(at)["you"]["entrant"] is not None
    assert host.list_all(f"{at}entrants/")[0]["players"] == ["a1", "b1"]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 400),
        ({"name": "x"}, 400),
        ({"name": "x", "format": "chess"}, 400),
        ({"name": "", "format": "swiss"}, 400),
        ({"name": "   ", "format": "swiss"}, 422),
        ({"name": "a\x00b", "format": "swiss"}, 400),
        ({"name": "a\ud800b", "format": "swiss"}, 400),
        ({"name": "x" * 81, "format": "swiss"}, 400),
        ({"name": 7, "format": "swiss"}, 400),
        ({"name": "x", "format": "swiss", "table_size": 5}, 400),
        ({"name": "x", "format": "swiss", "table_size": "2"}, 400),
        ({"name": "x", "format": "double", "table_size": 3}, 422),
        ({"name": "x", "format": "swiss", "mode": "pairs", "table_size": 4}, 422),
        ({"name": "x", "format": "swiss", "mode": "solo"}, 400),
        ({"name": "x", "format": "swiss", "round_count": 0}, 400),
        ({"name": "x", "format": "swiss", "round_count": 10**30}, 400),
        ({"name": "x", "format": "swiss", "capacity": 1}, 400),
        ({"name": "x", "format": "swiss", "when_full": True}, 422),
        ({"name": "x", "format": "swiss", "when_full": "yes"}, 400),
        ({"name": "x", "format": "swiss", "clock": "custom"}, 422),
        ({"name": "x", "format": "swiss", "round_length_seconds": 1}, 400),
        ({"name": "x", "format": "swiss", "starts_at": "tomorrow"}, 400),
        ({"name": "x", "format": "swiss", "starts_at": "0001-01-01T00:00:00+14:00"}, 400),
        ({"name": "x", "format": "knockout", "late_entry": True}, 422),
        ([], 400),
        (None, 400),
    ],
)
def test_what_cannot_be_played_is_refused_and_nothing_is_made(body: Any, status: int) -> None:
    host = Program("host")
    answer = host.send("POST", "tournaments/", body)
    assert (answer.status_code, answer["Content-Type"]) == (status, "application/problem+json")
    assert not Tournament.objects.exists()


def test_wrong_words_of_an_organiser_change_nothing() -> None:
    cup = Cup("swiss", 2, round_count=1).start()
    host, table = cup.host, cup.tables()[0]
    entrants = [seat["entrant"] for seat in table["seats"]]
    soon = format_instant(timezone.now() + timedelta(days=1))
    huge = 2**63
    for path, body, status in (
        ("correct/", {"pairing": table["id"], "ranks": [1]}, 422),
        ("correct/", {"pairing": table["id"], "ranks": [2, 2]}, 422),
        ("correct/", {"pairing": table["id"], "ranks": [0, 1]}, 400),
        ("correct/", {"pairing": table["id"], "ranks": [1, 2], "points": [-1, 0]}, 400),
        ("correct/", {"pairing": table["id"], "ranks": [1, 2], "forfeits": [max(entrants) + 999]}, 422),
        ("correct/", {"pairing": table["id"] + 999, "ranks": [1, 2]}, 404),
        ("correct/", {"pairing": huge, "ranks": [1, 2]}, 400),
        ("extend/", {"round": 2, "until": soon}, 409),
        ("extend/", {"round": 1, "until": "2020-01-01T00:00:00Z"}, 422),
        ("extend/", {"round": 40_000, "until": soon}, 400),
        ("extend/", {"round": 1, "until": "9999-12-31T23:59:59Z"}, 400),  # overflows east of UTC
        ("disqualify/", {"entrant": entrants[0] + 999}, 404),
        ("replace/", {"entrant": entrants[0], "player": "nobody there"}, 422),
        ("replace/", {"entrant": entrants[0], "player": "p2"}, 409),
        ("replace/", {"entrant": entrants[0], "player": "host", "number": 2}, 404),
        ("decisions/999999/undo/", {}, 404),
        ("appeals/999999/answer/", {"text": "no"}, 404),
        ("pairings/999999/appeal/", {"text": "no"}, 403),
        ("invites/", {"name": "a\x00b"}, 400),
        ("co-organisers/", {"name": "nobody there"}, 422),
    ):
        assert host.refused(cup.at + path, body)[0] == status, path
    for path in ("pairings/999999/", f"pairings/{10**30}/", f"pairings/{10**30}/evidence/"):
        assert host.refused(cup.at + path, method="GET") == (404, "not-found")
    for path in ("invites/nobody there/", "co-organisers/a%00b/"):
        assert host.refused(cup.at + path, method="DELETE") == (404, "not-found")
    assert cup.tournament.decisions.count() == 0
    assert cup.tables()[0] == table


def test_only_those_who_organise_do_what_organisers_do() -> None:
    cup = Cup("swiss", 2, round_count=1).start()
    table, player, anonymous = cup.tables()[0]["id"], cup.players["p1"], Program(None)
    requests: list[tuple[str, Any, str]] = [
        ("", {"text": "Mine!"}, "PATCH"),
        ("", None, "DELETE"),
        ("publish/", None, "POST"),
        ("start/", None, "POST"),
        ("cancel/", None, "POST"),
        ("seeds/", {"order": []}, "PUT"),
        ("invites/", {"name": "p2"}, "POST"),
        ("invites/p2/", None, "DELETE"),
        ("co-organisers/", {"name": "p1"}, "POST"),
        ("co-organisers/p1/", None, "DELETE"),
        ("proceed/", None, "POST"),
        ("extend/", {"round": 1, "until": "2030-01-01T00:00:00Z"}, "POST"),
        ("correct/", {"pairing": table, "ranks": [1, 2]}, "POST"),
        ("disqualify/", {"entrant": 1}, "POST"),
        ("replace/", {"entrant": 1, "player": "p2"}, "POST"),
        ("decisions/1/undo/", None, "POST"),
        ("appeals/1/answer/", {"text": "no"}, "POST"),
        ("preview/", None, "GET"),
    ]
    for path, body, method in requests:
        assert player.refused(cup.at + path, body, method) == (403, "forbidden"), path
        assert anonymous.refused(cup.at + path, body, method) == (401, "not-authenticated"), path
    # Tokens without the scope `organise` cannot organise, even the host's; read-only tokens cannot act.
    plays, reader = Program("host", "read", "play"), Program("p2", "read")
    for path, body, method in requests[:-1]:
        assert plays.refused(cup.at + path, body, method) == (403, "missing-scope"), path
    for path in ("enter/", "leave/", "confirm/", "withdraw/", "sit-out/", f"pairings/{table}/appeal/"):
        assert reader.refused(cup.at + path) == (403, "missing-scope")
        assert anonymous.refused(cup.at + path) == (401, "not-authenticated")
    assert Program("p3").refused(f"{cup.at}pairings/{table}/evidence/", method="GET") == (403, "forbidden")
    assert cup.tournament.decisions.count() == 0
    assert not cup.tournament.co_organisers.exists()


def test_an_organiser_s_order_replacements_and_undoing() -> None:
    cup = Cup("knockout", 3)
    host = cup.host
    ids = {entrant_row["name"]: entrant_row["id"] for entrant_row in host.list_all(f"{cup.at}entrants/")}
    host.do(f"{cup.at}seeds/", {"order": [ids["p3"], ids["p1"]]}, "PUT")
    assert [entrant_row["seed"] for entrant_row in host.list_all(f"{cup.at}entrants/")] == [2, None, 1]
    assert host.refused(f"{cup.at}seeds/", {"order": [ids["p3"], ids["p3"]]}, "PUT") == (422, "invalid-value")
    coming = host.ask(f"{cup.at}preview/")
    assert (coming["state"], coming["round"]) == ("round", 1)
    cup.start()
    real = [(pairing["match"], [seat["name"] for seat in pairing["seats"]]) for pairing in cup.tables()]
    assert [
        (pairing["match"], [seat["name"] for seat in pairing["seats"]]) for pairing in coming["pairings"]
    ] == real
    Program("p9")
    proposal_data = host.do(f"{cup.at}replace/", {"entrant": ids["p1"], "player": "p9", "reason": "away"})
    assert (proposal_data["player"], proposal_data["replaces"], proposal_data["status"]) == (
        "p9",
        "p1",
        "open",
    )
    assert Program("p1").ask(cup.at)["you"]["entrant"] == ids["p1"]
    Program("p9").do(f"proposals/{proposal_data['id']}/accept/")
    decision = host.list_all(f"{cup.at}decisions/")[0]
    assert (decision["player"], decision["was"]) == ("p9", "p1")
    assert Program("p9").ask(cup.at)["you"]["entrant"] == ids["p1"]
    host.do(f"{cup.at}decisions/{decision['id']}/undo/")
    assert Program("p1").ask(cup.at)["you"]["entrant"] == ids["p1"]
    assert host.refused(f"{cup.at}decisions/{decision['id']}/undo/") == (409, "conflict")
    host.do(f"{cup.at}disqualify/", {"entrant": ids["p2"], "reason": "two accounts"})
    assert Entrant.objects.get(pk=ids["p2"]).status == "disqualified"
    cup.sweep()
    assert "p2" not in cup.play_to_end()["champions"]


def test_a_round_waits_for_an_organiser_who_wants_to_see_it() -> None:
    cup = Cup("swiss", 3, round_count=1, manual_approval=True).start()
    cup_data = cup.get_data()
    assert (cup_data["hold_reason"], cup_data["round"], "proceed" in cup_data["you"]["permissions"]) == (
        "review",
        None,
        True,
    )
    assert {warning["code"] for warning in cup_data["warnings"]} == {"odd-number"}
    assert Program("p1").ask(cup.at)["warnings"] == []
    cup.host.do(f"{cup.at}proceed/")
    cup.sweep()
    assert cup.get_data()["round"]["pairing_count"] == 2


def test_the_end_of_a_round_comes_later_and_what_is_still_played_is_decided_by_its_points() -> None:
    cup = Cup("swiss", 2, round_count=1, round_length_seconds=86400, clock="12h").start()
    later = cup.now + timedelta(days=3)
    cup.host.do(f"{cup.at}extend/", {"round": 1, "until": format_instant(later)})
    cup.sweep(days=2)
    assert cup.get_data()["status"] == "running"
    cup.sweep(days=2)
    (table,) = cup.tables()
    assert (table["by"], table["ends_at"]) == ("adjudication", format_instant(later))
    assert cup.get_data()["status"] == "over"


# -------------------------------------------------------------------------------------------------- leagues


def test_a_league_is_made_joined_played_and_closed() -> None:
    host, at = Program("host"), ""
    terms = {"name": "The league", "division_size": 3, "promotion_count": 1, "cycles": 1, **QUICK}
    at = f"leagues/{host.do('leagues/', terms)['id']}/"
    assert list_permissions(host, at) == {
        "join",
        "substitute",
        "change",
        "start",
        "close",
        "remove",
        "add-co-organiser",
    }
    people = {name: Program(name) for name in ("p1", "p2", "p3")}
    for player in people.values():
        assert "join" in list_permissions(player, at)
        player.do(f"{at}join/")
    data = Program("p4").do(f"{at}substitute/")
    assert (data["members"], data["substitutes"], data["you"]["status"]) == (3, 1, "substitute")
    for path, body in (
        ("start/", None),
        ("close/", None),
        ("replace/", {"out": "p1"}),
        ("co-organisers/", {"name": "p1"}),
        ("removals/", {"name": "p2"}),
    ):
        assert people["p1"].refused(at + path, body) == (403, "forbidden")
        assert Program("host", "read", "play").refused(at + path, body) == (403, "missing-scope")
    host.do(at, {"text": "Slowly.", "season_pause_seconds": 60}, "PATCH")
    host.do(f"{at}start/")
    assert host.refused(f"{at}start/") == (409, "conflict")
    while sweep.sweep_tournaments(now=timezone.now()):
        pass
    season = host.ask(f"{at}seasons/1/")
    (division,) = season["divisions"]
    (group,) = division["groups"]
    tournament = f"tournaments/{group['tournament']}/"
    assert host.ask(tournament)["league"]["season"] == 1
    assert people["p1"].refused(f"{tournament}enter/")[0] == 409
    host.do(f"{at}replace/", {"out": "p3", "player": None, "reason": "gone"})
    assert {entrant_row["name"] for entrant_row in host.list_all(f"{tournament}entrants/")} == {
        "p1",
        "p2",
        "p4",
    }
    assert host.refused(f"{at}replace/", {"out": "p3"})[0] == 404
    for _ in range(3):
        for table in host.list_all(f"{tournament}pairings/"):
            if table["state"] == "playing":
                order = sorted(seat["name"] for seat in table["seats"])
                ranks = [order.index(seat["name"]) + 1 for seat in table["seats"]]
                host.do(f"{tournament}correct/", {"pairing": table["id"], "ranks": ranks})
        sweep.sweep_tournaments(now=timezone.now())
    host.do(f"{at}close/")
    data = host.ask(at)
    assert (data["status"], data["seed"]) == ("closed", None), "games are played on"
    later = timezone.now() + timedelta(hours=2)
    for table in (
        pairing_row for pairing_row in host.list_all(f"{tournament}pairings/") if pairing_row["game"]
    ):
        simulation.play_game(table["game"], policy="random", rng=random.Random(1), now=later)
    sweep.sweep_tournaments(now=later)
    data = host.ask(at)
    assert (data["status"], len(data["seed"])) == ("closed", 64)
    season = host.ask(f"{at}seasons/1/")
    assert [placement["name"] for placement in season["divisions"][0]["placements"]] == ["p1", "p2", "p4"]
    assert season["finished_at"]
    assert "correct" not in list_permissions(host, tournament)
    table = host.list_all(f"{tournament}pairings/")[0]["id"]
    assert host.refused(f"{tournament}correct/", {"pairing": table, "ranks": [1, 2]}) == (409, "conflict")
    assert list_permissions(host, at) == set()
    assert host.refused(f"{at}co-organisers/", {"name": "p1"}) == (409, "conflict")
    assert people["p2"].refused(f"{at}join/") == (409, "conflict")
    assert [league_row["id"] for league_row in people["p1"].list_all("leagues/?own=true")] == [data["id"]]
    assert Program(None).list_all("leagues/?own=true") == []


def test_a_wrong_league_is_refused_and_an_unknown_one_is_not_there() -> None:
    host = Program("host")
    for body, status in (
        ({"name": "x"}, 400),
        ({"name": " ", "division_size": 4}, 422),
        ({"name": "x", "division_size": 2}, 400),
        ({"name": "x", "division_size": 4, "promotion_count": 3}, 422),
        ({"name": "x", "division_size": 10**30}, 400),
        ({"name": "x", "division_size": 4, "newcomer_policy": "anywhere"}, 400),
    ):
        assert host.refused("leagues/", body)[0] == status
    assert not League.objects.exists()
    for path in ("", "seasons/", "seasons/1/", "members/"):
        assert host.refused(f"leagues/nosuchleague/{path}", method="GET") == (404, "not-found")
    for path in ("join/", "leave/", "substitute/", "start/", "close/"):
        assert host.refused(f"leagues/nosuchleague/{path}") == (404, "not-found")
    assert not LeagueMember.objects.exists()
