"""Permissions and commands: each refusal has its reason in one place, and each command its own address."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import Player
from common.refusals import check_allowed
from common.service_errors import Conflict, Denied, Invalid, NotFound
from tests.factories.events import (
    DAY,
    HOUR,
    NOW,
    create_started_tournament,
    decide,
    find_pairing_of,
    get_host,
    get_player,
    name_at,
    published,
)
from tests.helpers.tournament_pages import browser, text_of_page
from tests.helpers.tournament_programs import Cup, Program
from tournaments import links, permissions
from tournaments.actions import LeagueOrganiserAction, OrganiserAction
from tournaments.leagues import permissions as league_permissions
from tournaments.leagues.services import leagues
from tournaments.leagues.web import commands as league_commands
from tournaments.models import Entrant, League, LeagueMember, Tournament
from tournaments.refusals import Refusal
from tournaments.services import appeals, entries, proposals, sweep, tournaments
from tournaments.web import organiser_views, player_commands
from tournaments.web.tournament_form import TournamentForm

POST_ONLY = [
    *(f"tournament-{name}" for name in player_commands.PLAYER_COMMANDS),
    *(
        f"tournament-organise-{name}"
        for name, form_class in organiser_views.ORGANISER_COMMANDS.items()
        if form_class.is_immediate
    ),
]
LEAGUE_COMMANDS = [*league_commands.PLAYER_COMMANDS, *league_commands.ORGANISER_COMMANDS]


def test_every_action_of_organisers_has_a_permission() -> None:
    # Only an invitation depends on the time, too.
    assert {*permissions.ORGANISER_PERMISSIONS, OrganiserAction.INVITE} == set(OrganiserAction)
    assert set(league_permissions.ORGANISER_PERMISSIONS) == set(LeagueOrganiserAction)


def test_every_refusal_has_a_text_and_an_error_that_doors_know() -> None:
    for refusal in Refusal:
        error = refusal.build_error(days=3, rating=1500)
        assert isinstance(error, Conflict | Denied | Invalid | NotFound)
        assert error.detail.endswith("."), refusal
        assert "%" not in error.detail, refusal
    check_allowed(None)
    with pytest.raises(Denied, match="does not take players with a rating of 1700"):
        check_allowed(Refusal.OTHER_RATING, rating=1700)


def test_no_template_decides_by_a_status_or_a_membership() -> None:
    comparison = re.compile(
        r"(status|\.you|hold_reason)\s*(==|!=)|\.(status|you|hold_reason)\s+(in|not in)\b"
    )
    folder = Path(settings.BASE_DIR) / "templates"
    assert [page.name for page in folder.rglob("*.html") if comparison.search(page.read_text())] == []


def test_no_query_spells_a_set_of_statuses() -> None:
    """Sets of statuses are methods of querysets, or named beside them for queries through a relation."""
    spelled_set = re.compile(r"status__in=[(\[]|invitations\.filter\([^)]*status=")
    modules = [
        module
        for app in ("games", "tournaments")
        for module in Path(settings.BASE_DIR, app).rglob("*.py")
        if "models" not in module.parts and "migrations" not in module.parts
    ]
    assert len(modules) > 300
    assert [str(module) for module in modules if spelled_set.search(module.read_text())] == []


@pytest.mark.django_db
def test_a_command_takes_post_and_nothing_else() -> None:
    cup, client = Cup("swiss", 2), Client()
    client.force_login(Player.objects.get(name="host"))
    for name in POST_ONLY:
        assert client.get(reverse(name, args=[cup.code])).status_code == 405, name
    league = leagues.create_league(
        organiser=Player.objects.get(name="host"), name="A league", division_size=4, now=timezone.now()
    )
    for name in LEAGUE_COMMANDS:
        assert client.get(reverse(f"league-{name}", args=[league.code])).status_code == 405, name
    for path in (f"/{cup.at}dance/", f"/{cup.at}organise/dance/", f"/leagues/{league.code}/dance/"):
        assert client.get(path).status_code == client.post(path).status_code == 404, path


@pytest.mark.django_db
def test_who_signs_in_for_a_command_comes_back_to_a_page() -> None:
    cup = Cup("swiss", 2)
    answer = Client().post(reverse("tournament-organise-publish", args=[cup.code]))
    assert (answer.status_code, answer["Location"]) == (302, f"/accounts/login/?next=/{cup.at}organise/")


@pytest.mark.django_db
def test_what_is_over_is_neither_entered_nor_left() -> None:
    cup = Cup("swiss", 3, capacity=2, round_count=1)
    waiting = Entrant.objects.get(tournament=cup.tournament, status=Entrant.Status.WAITING)
    assert "leave" in cup.players["p3"].ask(cup.at)["you"]["permissions"]
    cup.host.do(f"{cup.at}cancel/")
    assert "leave" not in cup.players["p3"].ask(cup.at)["you"]["permissions"]
    tournament, now = cup.tournament, timezone.now()
    p3, host = Player.objects.get(name="p3"), Player.objects.get(name="host")
    with pytest.raises(Conflict):
        entries.leave_tournament(player=p3, code=tournament.code, now=now)
    Program("p9")
    with pytest.raises(Conflict, match="over"):
        tournaments.invite_player(
            by=host, code=tournament.code, player=Player.objects.get(name="p9"), now=now
        )
    assert Entrant.objects.filter(pk=waiting.pk).exists()
    assert not tournament.invites.exists()


@pytest.mark.django_db
def test_a_service_refuses_what_the_list_leaves_out() -> None:
    """One function decides for both, for a former entrant and for a league before its start."""
    cup = Cup("swiss", 4, round_count=2).start()
    entrant = Entrant.objects.get(tournament=cup.tournament, entrant_players__player__name="p1")
    assert permissions.list_actions_on_entrant(cup.tournament, entrant) == ["replace", "disqualify"]
    cup.players["p1"].do(f"{cup.at}withdraw/")
    entrant.refresh_from_db()
    assert permissions.list_actions_on_entrant(cup.tournament, entrant) == []
    assert cup.host.refused(f"{cup.at}disqualify/", {"entrant": entrant.pk}) == (409, "conflict")
    assert "sit-out" not in cup.players["p1"].ask(cup.at)["you"]["permissions"]
    assert cup.players["p1"].refused(f"{cup.at}sit-out/", {"round": 2}) == (409, "conflict")
    tournament = Tournament(
        status=Tournament.Status.RUNNING, hold_reason=Tournament.HoldReason.UNDECIDED_TABLE
    )
    assert permissions.find_approval_refusal(tournament) == Refusal.UNDECIDED_TABLE
    league = League(status=League.Status.RUNNING)
    assert league_permissions.find_start_refusal(league) == Refusal.LEAGUE_STARTED
    for status in (None, LeagueMember.Status.OUT):
        assert league_permissions.find_client_seed_refusal(league, status) == Refusal.NOT_IN_LEAGUE


@pytest.mark.django_db
def test_nobody_is_invited_to_a_tournament_that_nobody_can_enter() -> None:
    cup = Cup("swiss", 2, round_count=2)
    Program("p9")
    assert "invite" in cup.host.ask(cup.at)["you"]["permissions"]
    cup.start()
    assert "invite" not in cup.host.ask(cup.at)["you"]["permissions"]
    assert cup.host.refused(f"{cup.at}invites/", {"name": "p9"}) == (409, "conflict")
    cup.host.do(cup.at, {"late_entry": True}, "PATCH")
    assert "invite" in cup.host.ask(cup.at)["you"]["permissions"]


@pytest.mark.django_db
def test_the_page_offers_an_appeal_to_those_from_whom_the_service_takes_it() -> None:
    tournament = create_started_tournament("knockout", 4)
    table = find_pairing_of(tournament, "p1")
    decide(table, name_at(table, 0), name_at(table, 1))
    outsider = next(name for name in ("p2", "p3", "p4") if find_pairing_of(tournament, name).pk != table.pk)
    path = f"/tournaments/{tournament.code}/tables/{table.pk}/"
    for name, refusal in (("p1", None), (outsider, Refusal.NOT_AT_TABLE), ("p1", Refusal.ALREADY_APPEALED)):
        player = Player.objects.get(name=name)
        found_refusal = permissions.find_pairing_appeal_refusal(
            tournament,
            NOW,
            has_played=name == "p1",
            has_appealed=table.appeals.filter(created_by=player).exists(),
        )
        assert found_refusal == refusal
        assert ("Something wrong?" in text_of_page(browser(name), path)) == (refusal is None)
        details = {"player": player, "code": tournament.code, "pairing_id": table.pk, "text": "x", "now": NOW}
        if refusal is None:
            appeals.file_appeal(**details)
        else:
            with pytest.raises(refusal.error_class, match=refusal.format_text()):
                appeals.file_appeal(**details)


@pytest.mark.django_db
def test_form_and_service_find_the_same_contradictions() -> None:
    with pytest.raises(Invalid, match="must be out"):  # the form has no such field for tables of two
        tournaments.create_tournament(
            organiser=get_host(), name="Cup", now=NOW, format="knockout", advancing_count=2
        )
    contradictions: list[tuple[str, dict[str, object]]] = [
        ("tables of two", {"format": "double", "table_size": 3}),
        ("number of places", {"format": "swiss", "when_full": True}),
        ("before they close", {"format": "swiss", "opens_at": NOW + DAY, "closes_at": NOW}),
        ("above the highest", {"format": "swiss", "min_rating": 1600, "max_rating": 1500}),
    ]
    for message, options in contradictions:
        with pytest.raises(Invalid, match=message):
            tournaments.create_tournament(organiser=get_host(), name="Cup", now=NOW, **options)
        values = {name: str(value) for name, value in options.items() if name != "table_size"}
        values |= {f"{name}_at": str(options[f"{name}_at"])[:16] for name in ("opens", "closes")
                   if f"{name}_at" in options} | {"seats": str(options.get("table_size", 2))}  # fmt: skip
        form = TournamentForm({"name": "Cup", "time_control": "2d", **values})
        assert message in str(form.errors), form.errors


@pytest.mark.django_db
def test_nobody_is_invited_and_no_invitation_is_accepted_after_entries_have_closed() -> None:
    tournament = published("swiss", 0, mode="pairs", closes_at=NOW + DAY, starts_at=NOW + 2 * DAY)
    host, later = get_host(), NOW + DAY
    tournaments.invite_player(by=host, code=tournament.code, player=get_player("a"), now=NOW)
    request = entries.ask_partner(
        player=get_player("a"), partner=get_player("b"), code=tournament.code, now=NOW
    )
    assert "invite" in permissions.list_organiser_actions(tournament, NOW)
    assert "invite" not in permissions.list_organiser_actions(tournament, later)
    refusal = permissions.find_invitation_refusal(tournament, later)
    assert refusal == Refusal.INVITATION_TOO_LATE
    with pytest.raises(Conflict, match="Entries have closed"):
        tournaments.invite_player(by=host, code=tournament.code, player=get_player("c"), now=later)
    assert not tournament.invites.filter(player__name="c").exists()
    with pytest.raises(Conflict):
        proposals.accept_proposal(player=get_player("b"), proposal_id=request.pk, now=later)
    assert not tournament.entrants.exists()
    tournaments.edit_tournament(by=host, code=tournament.code, now=later, closes_at=later + HOUR)
    tournaments.invite_player(by=host, code=tournament.code, player=get_player("c"), now=later)


@pytest.mark.django_db
def test_players_are_invited_to_a_draft_whose_dates_have_passed_since_they_must_move() -> None:
    draft = tournaments.create_tournament(
        organiser=get_host(), name="A cup", format="swiss", now=NOW, closes_at=NOW + HOUR
    )
    tournaments.invite_player(by=get_host(), code=draft.code, player=get_player("a"), now=NOW + DAY)
    assert draft.invites.count() == 1


@pytest.mark.django_db
def test_who_waits_for_a_place_sits_out_no_round() -> None:
    tournament = published("swiss", 3, capacity=2, round_count=3)
    waiting_player = get_player("p3")
    entrant_player = tournament.entrant_players.get(player=waiting_player)
    assert permissions.find_sit_out_refusal(tournament, entrant_player.entrant) == Refusal.ON_WAITLIST
    assert "sit-out" not in permissions.list_entrant_actions(tournament, entrant_player)
    with pytest.raises(Conflict, match="waiting list"):
        entries.sit_out_round(player=waiting_player, code=tournament.code, round=2, now=NOW)
    entrant_player.entrant.refresh_from_db()
    assert entrant_player.entrant.absent_rounds == []


@pytest.mark.django_db
def test_one_function_says_whether_an_entry_is_to_be_confirmed() -> None:
    tournament = published("swiss", 3, capacity=2, confirmation=True, starts_at=NOW + 9 * DAY)
    plain = published("swiss", 2)
    entrant = tournament.entrants.get(entrant_players__player__name="p1")
    path, player = f"/tournaments/{tournament.code}/", get_player("p1")
    link = urlsplit(links.build_confirm_url(player.mail_token, tournament.code)).path
    for name in ("p1", "p3"):  # p3 waits; free places go to those who have confirmed
        assert f'action="{path}confirm/"' in browser(name).get(path).content.decode()
    assert "Confirm before the start" in text_of_page(browser(), link)
    for _twice in range(2):
        entries.confirm_entry(player=player, code=tournament.code, now=NOW)
    entrant.refresh_from_db()
    assert permissions.find_confirmation_refusal(tournament, entrant) == Refusal.ALREADY_CONFIRMED
    assert f'action="{path}confirm/"' not in browser("p1").get(path).content.decode()
    with pytest.raises(Conflict, match="asks for no confirmation"):
        entries.confirm_entry(player=player, code=plain.code, now=NOW)
    entrant_player = plain.entrant_players.get(player=player)
    assert "confirm" not in permissions.list_entrant_actions(plain, entrant_player)
    plain_link = urlsplit(links.build_confirm_url(player.mail_token, plain.code)).path
    assert "Nothing left to confirm" in text_of_page(browser(), plain_link)
    entries.confirm_entry(player=get_player("p3"), code=tournament.code, now=NOW)
    tournaments.start_tournament(by=get_host(), code=tournament.code, now=NOW)
    sweep.process_tournament(tournament.pk, NOW)
    tournament.refresh_from_db()
    assert tournament.entrants.get(entrant_players__player__name="p3").status == Entrant.Status.ENTERED
    assert permissions.find_confirmation_refusal(tournament, entrant) == Refusal.TOURNAMENT_STARTED


@pytest.mark.django_db
def test_each_answer_to_a_proposal_has_a_url_of_its_own() -> None:
    tournament = published("swiss", 0, mode="pairs")
    outcomes = {"accept": "accepted", "decline": "declined", "withdraw": "withdrawn"}
    for answer, status in outcomes.items():
        proposer, partner = get_player(f"{answer}-1"), get_player(f"{answer}-2")
        request = entries.ask_partner(
            player=proposer, partner=partner, code=tournament.code, now=timezone.now()
        )
        page = f"/proposals/{request.pk}/"
        answering = browser(proposer.name if answer == "withdraw" else partner.name)
        path = f"{page}{answer}/"
        assert f'action="{path}"' in answering.get(page).content.decode()
        assert answering.get(path).status_code == 405
        assert answering.post(page, {"answer": answer}).status_code == 405
        assert browser().post(path)["Location"] == f"/accounts/login/?next={page}"
        assert browser("somebody").post(path).status_code == 404
        assert answering.post(path)["Location"] == page
        request.refresh_from_db()
        assert request.status == status
