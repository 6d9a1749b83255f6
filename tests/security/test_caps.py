"""Caps on numbers of objects: refused at every entry point with the limit named, also under concurrency."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import Player
from common.service_errors import Conflict, Invalid
from games.models import Game
from games.services import limits, lobby, turns
from games.services.bot_games import start_bot_game
from tests.factories.cast import NOW, Api, open_browser, player, start_cast_game
from tests.factories.events import create_started_tournament, get_host, get_player, published
from tests.helpers.races import again_and_again, run_at_once
from tests.helpers.tokens import check_problem
from tests.helpers.tournament_programs import Program
from tournaments.api.request_serializers import NewLeagueSerializer, NewTournamentSerializer
from tournaments.leagues.services import leagues
from tournaments.leagues.web.form import LeagueForm
from tournaments.models import Entrant, League, Tournament
from tournaments.models.limits import MAX_CYCLES
from tournaments.pairing import round_robin
from tournaments.selectors import quotas
from tournaments.selectors.tournament_state import build_spec
from tournaments.services import entries, sweep, tournaments
from tournaments.web.tournament_form import TournamentForm

pytestmark = pytest.mark.django_db
ALL_AT_ONCE = {"format": "round-robin", "all_rounds_at_once": True}


@pytest.fixture
def three_games_limit(monkeypatch: pytest.MonkeyPatch) -> int:
    """Limit players to three running games."""
    monkeypatch.setattr(limits, "MAX_RUNNING_GAMES_PER_PLAYER", 3)
    return 3


def get_refusal_code(action_name: Callable[[], Any]) -> str:
    """Return the code of the refusal; empty if there is none."""
    try:
        action_name()
    except Conflict as error:
        return error.code
    return ""


def run_all_at_once(action_names: list[Callable[[], Any]]) -> list[str]:
    """Run all actions concurrently; return their refusal codes."""
    return sorted(
        run_at_once(
            *[lambda action_name=action_name: get_refusal_code(action_name) for action_name in action_names]
        )
    )


# ---------------------------------------------------------------------------------- running games of a player


def test_the_limits_are_what_the_documents_say() -> None:
    assert limits.MAX_RUNNING_GAMES_PER_PLAYER == 200
    assert limits.MAX_RUNNING_GAMES_PER_GUEST == 5
    assert MAX_CYCLES == 10
    assert quotas.MAX_GAMES_AT_ONCE_PER_TOURNAMENT == 500
    assert quotas.MAX_RUNNING_TOURNAMENTS_PER_ORGANISER == 10
    assert quotas.MAX_DRAFT_TOURNAMENTS_PER_ORGANISER == 10
    assert quotas.MAX_LEAGUES_PER_ORGANISER == 10


def test_who_has_as_many_games_as_they_may_neither_makes_nor_joins_one(three_games_limit: int) -> None:
    for _ in range(three_games_limit):
        game = start_cast_game("ada", "bob")
    waiting = lobby.create_game(player=player("cleo"), now=timezone.now())  # real time, as in requests
    api = Api("ada")
    for answer in (api.post("games/", {}), api.post(f"games/{waiting.code}/join/")):
        assert check_problem(answer, 409, "too-many-games")["limit"] == three_games_limit
        assert "3 games" in answer.json()["detail"]
    pages = open_browser("ada")
    for path, fields in (("/games/new/", {"opponent": "open"}), (f"/games/{waiting.code}/join/", {})):
        before = Game.objects.count()
        answer = pages.post(path, fields, follow=True)
        assert "3 games in progress" in answer.content.decode(), path
        assert Game.objects.count() == before
    waiting.refresh_from_db()
    assert not waiting.seats.exists()
    turns.play_action(player=player("ada"), code=game.code, text="resign", seq=None, key="", now=NOW)
    assert api.post(f"games/{waiting.code}/join/").status_code == 200


def test_games_that_only_wait_count_too_or_many_would_begin_at_one_moment(three_games_limit: int) -> None:
    waiting = [lobby.create_game(player=player("cleo"), now=NOW) for _ in range(three_games_limit + 1)]
    for game in waiting[:three_games_limit]:
        lobby.join_game(player=player("ada"), code=game.code, now=NOW)
    assert get_refusal_code(
        lambda: lobby.join_game(player=player("ada"), code=waiting[three_games_limit].code, now=NOW)
    )
    lobby.leave_game(player=player("ada"), code=waiting[0].code, now=NOW)
    assert not get_refusal_code(
        lambda: lobby.join_game(player=player("ada"), code=waiting[three_games_limit].code, now=NOW)
    )


def test_a_guest_has_a_smaller_limit_at_every_door(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_RUNNING_GAMES_PER_GUEST", 2)
    guest, _game = start_bot_game(player=None, language="en", now=NOW)
    start_bot_game(player=guest, language="en", now=NOW)
    waiting = lobby.create_game(player=player("cleo"), now=NOW)
    for action_name in (
        lambda: start_bot_game(player=guest, language="en", now=NOW),
        lambda: lobby.create_game(player=guest, now=NOW),
        lambda: lobby.join_game(player=guest, code=waiting.code, now=NOW),
    ):
        assert get_refusal_code(action_name) == "too-many-games"
    assert guest.seats.count() == 2


def test_the_games_of_a_tournament_are_not_refused_but_entering_one_is(three_games_limit: int) -> None:
    tournament = create_started_tournament("round-robin", 5, all_rounds_at_once=True)
    assert tournament.pairings.filter(game__isnull=False).count() == 10, "four games for everybody"
    cup = tournaments.create_tournament(organiser=get_host(), name="Next", format="knockout", now=NOW)
    tournaments.publish_tournament(by=get_host(), code=cup.code, now=NOW)
    answer = Program("p1").post(f"tournaments/{cup.code}/enter/")
    assert check_problem(answer, 409, "too-many-games")["limit"] == three_games_limit
    pages = Client()
    pages.force_login(get_player("p1"))
    page = pages.post(f"/tournaments/{cup.code}/enter/", follow=True).content.decode()
    assert "3 games in progress" in page
    assert not cup.entrants.exists()
    league = leagues.create_league(organiser=get_host(), name="A league", division_size=4, now=NOW)
    assert (
        get_refusal_code(
            lambda: leagues.set_member_status(player=get_player("p1"), code=league.code, now=NOW)
        )
        == "too-many-games"
    )
    assert not league.league_members.exists()


@pytest.mark.django_db(transaction=True)
@again_and_again
def test_of_many_games_joined_and_made_at_once_only_so_many_are_had(run: int, three_games_limit: int) -> None:
    ada = player("ada")
    start_cast_game("ada", "bob")
    waiting = [
        lobby.create_game(player=player(name), now=NOW) for name in ("bob", "cleo", "dirk") for _ in range(3)
    ]
    came = run_all_at_once(
        [lambda game=game: lobby.join_game(player=ada, code=game.code, now=NOW) for game in waiting]  # type: ignore[misc]
    )
    assert came == [""] * 2 + ["too-many-games"] * 7
    assert ada.seats.filter(game__status__in=limits.UNFINISHED_STATUSES).count() == three_games_limit


# -------------------------------------------------------------------------------------- games of a tournament


@pytest.mark.parametrize("table", [2, 3, 4])
@pytest.mark.parametrize("all_rounds_at_once", [False, True])
@pytest.mark.parametrize("format", Tournament.Format.values)
def test_as_many_games_are_counted_as_begin_together(
    format: str, all_rounds_at_once: bool, table: int
) -> None:
    """A round robin is counted by its schedule; in other formats an entrant has one game per round."""
    for entrants in (2, 3, 5, 8, 13):
        cycles = 3 if table == 2 else 1
        tournament = Tournament(
            format=format, table_size=table, all_rounds_at_once=all_rounds_at_once, cycles=cycles
        )
        game_count = quotas.count_games_at_once(tournament, entrants)
        if format == "round-robin":
            people = [Entrant(pk=n, seed=n) for n in range(1, entrants + 1)]
            slots = [
                slot
                for slot in round_robin.build_schedule(build_spec(tournament, people, bytes(32)))
                if len(slot.seats) > 1
            ]
            first = [slot for slot in slots if all_rounds_at_once or slot.round == 1]
            assert game_count == len(first), (entrants, table)
        else:
            assert game_count == -(-entrants // table) - (table == 2 and entrants % 2)


def test_an_event_with_too_many_games_at_once_is_refused_when_it_is_laid_down() -> None:
    body = {"name": "Too large", **ALL_AT_ONCE, "cycles": 10, "capacity": 12}
    answer = Program("host").post("tournaments/", body)
    problem = check_problem(answer, 422, "too-many-games-at-once")
    assert problem["limit"] == 500
    assert "660 games" in problem["detail"]
    assert "500" in problem["detail"]
    pages = Client()
    pages.force_login(get_host())
    form = {
        "name": "Too large",
        "format": "round-robin",
        "all_rounds_at_once": "on",
        "cycles": "10",
        "capacity": "12",
    }
    page = pages.post("/tournaments/new/", form | {"seats": "2", "time_control": "2d"})
    assert (page.status_code, "660 games" in page.content.decode()) == (422, True)
    assert not Tournament.objects.exists()
    assert Program("host").post("tournaments/", body | {"capacity": 10}).status_code == 201
    tournament = Tournament.objects.get()
    with pytest.raises(Invalid, match="660 games"):
        tournaments.edit_tournament(by=get_host(), code=tournament.code, capacity=12, now=NOW)
    answer = Program("host").post(
        "leagues/", {"name": "Too large", "division_size": 12, "all_rounds_at_once": True, "cycles": 10}
    )
    check_problem(answer, 422, "too-many-games-at-once")
    assert not League.objects.exists()


def test_without_a_number_of_places_the_rest_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quotas, "MAX_GAMES_AT_ONCE_PER_TOURNAMENT", 6)
    tournament = published("round-robin", 6, all_rounds_at_once=True)
    status = [entrant.status for entrant in tournament.entrants.order_by("pk")]
    assert status == ["entered"] * 4 + ["waiting"] * 2
    with pytest.raises(Invalid, match="12 games"):
        tournaments.edit_tournament(by=get_host(), code=tournament.code, cycles=2, now=NOW)
    tournaments.edit_tournament(by=get_host(), code=tournament.code, all_rounds_at_once=False, now=NOW)
    assert set(tournament.entrants.values_list("status", flat=True)) == {"entered"}, "now there is room"


def test_one_that_would_begin_too_many_waits_for_its_organiser(monkeypatch: pytest.MonkeyPatch) -> None:
    """Such a tournament is older than the limit, or is a league season with more members than planned."""
    tournament = published("round-robin", 5, all_rounds_at_once=True)
    tournaments.start_tournament(by=get_host(), code=tournament.code, now=NOW)
    monkeypatch.setattr(quotas, "MAX_GAMES_AT_ONCE_PER_TOURNAMENT", 6)
    assert sweep.sweep_tournaments(now=NOW) == {"held": 1}
    tournament.refresh_from_db()
    assert (tournament.status, tournament.hold_reason) == ("published", "too-many-games")
    assert tournament.next_sweep_at is None
    assert not tournament.pairings.exists()
    pages = Client()
    pages.force_login(get_host())
    page = pages.get(f"/tournaments/{tournament.code}/organise/").content.decode()
    assert re.search(r">\s*Not started\s*</h2>", page)
    assert "games would start at once" in page
    tournaments.edit_tournament(by=get_host(), code=tournament.code, all_rounds_at_once=False, now=NOW)
    assert sweep.sweep_tournaments(now=NOW)["began"] == 1
    tournament.refresh_from_db()
    assert (tournament.status, tournament.hold_reason) == ("running", "")


# ----------------------------------------------------------------------------------------------------- cycles


def test_cycles_have_one_limit_in_form_and_api_and_service() -> None:
    assert TournamentForm().fields["cycles"].max_value == MAX_CYCLES
    assert LeagueForm().fields["cycles"].max_value == MAX_CYCLES
    assert NewTournamentSerializer().fields["cycles"].max_value == MAX_CYCLES
    assert NewLeagueSerializer().fields["cycles"].max_value == MAX_CYCLES
    tournament = {"name": "Again", "format": "round-robin", "cycles": MAX_CYCLES + 1}
    check_problem(Program("host").post("tournaments/", tournament), 400, "invalid")
    check_problem(
        Program("host").post("leagues/", {"name": "Again", "division_size": 4, "cycles": 11}), 400, "invalid"
    )
    with pytest.raises(Invalid) as raised:
        tournaments.create_tournament(organiser=get_host(), now=NOW, **tournament)  # type: ignore[arg-type]
    assert (raised.value.code, raised.value.extra["limit"]) == ("too-many-cycles", MAX_CYCLES)
    with pytest.raises(Invalid):
        leagues.create_league(organiser=get_host(), name="Again", division_size=4, cycles=11, now=NOW)


def test_an_event_of_before_the_limit_can_still_be_renamed() -> None:
    tournament = create_started_tournament("round-robin", 3, cycles=1)
    Tournament.objects.filter(pk=tournament.pk).update(cycles=100)
    assert (
        tournaments.edit_tournament(by=get_host(), code=tournament.code, name="Another", now=NOW).name
        == "Another"
    )


# -------------------------------------------------------------------------------- tournaments of an organiser


def create_draft(number: int = 0) -> Tournament:
    return tournaments.create_tournament(
        organiser=get_host(), name=f"Cup {number}", format="knockout", now=NOW
    )


def test_an_organiser_has_so_many_drafts_and_so_many_events_under_way(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(quotas, "MAX_DRAFT_TOURNAMENTS_PER_ORGANISER", 3)
    monkeypatch.setattr(quotas, "MAX_RUNNING_TOURNAMENTS_PER_ORGANISER", 2)
    program, pages = Program("host"), Client()
    get_host()
    pages.force_login(get_host())
    drafts = [create_draft(n) for n in range(3)]
    new = {"name": "One more", "format": "knockout"}
    assert check_problem(program.post("tournaments/", new), 409, "too-many-tournaments")["limit"] == 3
    page = pages.post("/tournaments/new/", new | {"seats": "2", "time_control": "2d"})
    assert (page.status_code, "3 tournaments in preparation" in page.content.decode()) == (422, True)
    for tournament in drafts[:2]:
        assert program.post(f"tournaments/{tournament.code}/publish/").status_code == 200
    problem = check_problem(
        program.post(f"tournaments/{drafts[2].code}/publish/"), 409, "too-many-tournaments"
    )
    assert problem["limit"] == 2
    page = pages.post(f"/tournaments/{drafts[2].code}/organise/publish/", follow=True)
    assert "You have 2 tournaments open or running" in page.content.decode()
    assert Tournament.objects.filter(status="draft").count() == 1
    tournaments.cancel_tournament(by=get_host(), code=drafts[0].code, now=NOW)
    assert program.post(f"tournaments/{drafts[2].code}/publish/").status_code == 200


def test_an_organiser_has_so_many_leagues(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quotas, "MAX_LEAGUES_PER_ORGANISER", 1)
    new = {"name": "A league", "division_size": 4}
    assert Program("host").post("leagues/", new).status_code == 201
    assert check_problem(Program("host").post("leagues/", new), 409, "too-many-tournaments")["limit"] == 1
    leagues.close_league(by=player("host"), code=League.objects.get().code, now=NOW)
    assert Program("host").post("leagues/", new).status_code == 201


@pytest.mark.django_db(transaction=True)
@again_and_again
def test_of_many_events_made_or_published_at_once_only_so_many_are(run: int) -> None:
    get_host()
    for number in range(quotas.MAX_DRAFT_TOURNAMENTS_PER_ORGANISER - 1):
        create_draft(number)
    assert run_all_at_once([create_draft] * 8) == [""] + ["too-many-tournaments"] * 7
    codes = list(Tournament.objects.values_list("code", flat=True))
    for code in codes[:2]:
        tournaments.publish_tournament(by=get_host(), code=code, now=NOW)
    Tournament.objects.filter(code__in=codes[2:]).update(organiser=get_host())
    more = [create_draft(number).code for number in range(2)]
    action_names = [
        lambda code=code: tournaments.publish_tournament(by=get_host(), code=code, now=NOW)  # type: ignore[misc]
        for code in (*codes[2:], *more)
    ]
    assert run_all_at_once(action_names) == [""] * 8 + ["too-many-tournaments"] * 2
    assert (
        Tournament.objects.filter(status="published").count() == quotas.MAX_RUNNING_TOURNAMENTS_PER_ORGANISER
    )


@pytest.mark.django_db(transaction=True)
@again_and_again
def test_who_enters_many_events_and_joins_games_at_once_is_never_in_their_own_way(
    run: int, three_games_limit: int
) -> None:
    """Every code path locks the tournament or open game before the player, so that there is no deadlock."""
    ada = player("ada")
    cups = [create_draft(n) for n in range(4)]
    for cup in cups:
        tournaments.publish_tournament(by=get_host(), code=cup.code, now=NOW)
    waiting = [lobby.create_game(player=player("bob"), now=NOW) for _ in range(4)]
    action_names: list[Callable[[], Any]] = [
        lambda cup=cup: entries.enter_tournament(player=ada, code=cup.code, now=NOW)  # type: ignore[misc]
        for cup in cups
    ]
    action_names += [
        lambda game=game: lobby.join_game(player=ada, code=game.code, now=NOW)  # type: ignore[misc]
        for game in waiting
    ]
    came = run_all_at_once(action_names)
    assert came.count("too-many-games") >= 1
    assert set(came) <= {"", "too-many-games"}
    assert Player.objects.get(pk=ada.pk).seats.count() == three_games_limit
