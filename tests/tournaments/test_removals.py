"""Organisers remove entrants before the start, and members of leagues, who are notified and stay out."""

from __future__ import annotations

import pytest

from accounts.services import export
from common.service_errors import Conflict, Denied, NotFound
from notifications.models import FeedEntry
from tests.factories.events import (
    DAY,
    NOW,
    create_started_tournament,
    enter_pair,
    entrant,
    get_host,
    get_player,
    published,
)
from tests.factories.league_pairs import pair_of, pairs_of
from tests.factories.leagues import league_of
from tests.helpers.notice_helpers import get_part
from tests.helpers.tournament_mails import get_last_mail, mail_only_to, send_mails
from tests.helpers.tournament_pages import browser, build_tournament_path, text_of_page
from tests.helpers.tournament_programs import Program
from tournaments.leagues.services import leagues
from tournaments.models import Entrant, LeagueMember, Removal, Tournament
from tournaments.services import entries, proposals, removals, replacements, tournaments

pytestmark = pytest.mark.django_db


def remove_entrant(tournament: Tournament, name: str, note: str = "") -> None:
    pk = entrant(tournament, name).pk
    removals.remove_entrant(
        by=get_host(), code=tournament.code, entrant=pk, now=NOW, reason="no show before", public_note=note
    )


def list_names(tournament: Tournament) -> list[str]:
    entrant_players = tournament.entrant_players.filter(entrant__status=Entrant.Status.ENTERED).order_by(
        "entrant"
    )
    return list(entrant_players.values_list("player__name", flat=True))


def test_whoever_is_removed_is_out_notified_and_logged_and_the_next_one_moves_up() -> None:
    tournament = published("knockout", 4, capacity=3)
    remove_entrant(tournament, "p2", "as agreed")
    assert list_names(tournament) == ["p1", "p3", "p4"]
    decision = tournament.decisions.get()
    assert (decision.action, decision.created_by, decision.reason) == ("remove", get_host(), "no show before")
    line = FeedEntry.objects.get(kind="tournament-out")
    assert (line.player, line.data["reason"], line.data["text"]) == (get_player("p2"), "removed", "as agreed")
    assert FeedEntry.objects.filter(kind="tournament-place", player=get_player("p4")).exists()
    with pytest.raises(NotFound):
        removals.remove_entrant(by=get_host(), code=tournament.code, entrant=10**6, now=NOW)


def test_the_mail_says_what_happened_in_the_organisers_words() -> None:
    tournament = published("knockout", 3)
    remove_entrant(tournament, "p2", "you wrote that you are away")
    mail_only_to("p2")
    send_mails(NOW + DAY)
    mail = get_last_mail("p2")
    assert "You no longer take part" in str(mail["Subject"])
    assert "removed you from the entrants" in get_part(mail, "plain")
    assert "you wrote that you are away" in get_part(mail, "plain")
    assert "no show before" not in mail.as_string(), "the reason is for organisers"


def test_whoever_is_removed_comes_back_by_invitation_only() -> None:
    tournament = published("swiss", 3)
    remove_entrant(tournament, "p2")
    with pytest.raises(Denied) as refused:
        entries.enter_tournament(player=get_player("p2"), code=tournament.code, now=NOW)
    assert refused.value.code == "removed"
    page = text_of_page(browser("p2"), build_tournament_path(tournament))
    assert "You cannot enter The organiser has removed you from this tournament." in page
    assert "Enter" not in page
    tournaments.invite_player(by=get_host(), code=tournament.code, player=get_player("p2"), now=NOW)
    entries.enter_tournament(player=get_player("p2"), code=tournament.code, now=NOW)
    assert "p2" in list_names(tournament)
    remove_entrant(tournament, "p2")  # a second removal: the first one does not interfere
    assert Removal.objects.filter(tournament=tournament, lifted_at=None).count() == 1
    assert not tournament.invites.exists()
    exported = export.export_player_data(player=get_player("p2"), now=NOW)["removals"]
    assert [row["tournament"] for row in exported] == [tournament.code] * 2
    assert "no show before" not in str(export.export_player_data(player=get_player("p2"), now=NOW))
    written = export.export_player_data(player=get_host(), now=NOW)["removal_reasons"]
    assert [(row["tournament"], row["reason"]) for row in written] == [
        (tournament.code, "no show before")
    ] * 2


def test_a_pair_is_removed_together() -> None:
    tournament = published("knockout", 2, mode="pairs")
    remove_entrant(tournament, "b1")
    removed_names = FeedEntry.objects.filter(kind="tournament-out").values_list("player__name", flat=True)
    assert set(removed_names) == {"a1", "b1"}
    for name in ("a1", "b1"):
        with pytest.raises(Denied):
            entries.ask_partner(
                player=get_player(name), partner=get_player("c"), code=tournament.code, now=NOW
            )
    with pytest.raises(Denied):
        entries.ask_partner(player=get_player("c"), partner=get_player("a1"), code=tournament.code, now=NOW)
    enter_pair(tournament, "c", "d")


def test_what_was_asked_about_a_removed_entrant_lapses() -> None:
    tournament = published("knockout", 3)
    proposal = replacements.propose_replacement(
        by=get_host(),
        code=tournament.code,
        entrant=entrant(tournament, "p1").pk,
        player=get_player("new"),
        now=NOW,
    )
    remove_entrant(tournament, "p1")
    assert FeedEntry.objects.filter(kind="tournament-answered", player=get_player("new")).exists()
    with pytest.raises((Conflict, NotFound)):
        proposals.accept_proposal(player=get_player("new"), proposal_id=proposal.pk, now=NOW)
    assert not tournament.entrant_players.filter(player=get_player("new")).exists()


def test_after_the_start_only_the_waiting_list_can_be_cleared() -> None:
    tournament = create_started_tournament("knockout", 5, capacity=4)
    with pytest.raises(Conflict):
        remove_entrant(tournament, "p1")
    remove_entrant(tournament, "p5")
    assert not tournament.entrant_players.filter(player=get_player("p5")).exists()
    assert tournament.entrants.count() == 4


def test_only_organisers_remove() -> None:
    tournament = published("knockout", 3)
    pk = entrant(tournament, "p2").pk
    with pytest.raises(Denied):
        removals.remove_entrant(by=get_player("p1"), code=tournament.code, entrant=pk, now=NOW)
    program = Program("p1")
    assert program.refused(f"tournaments/{tournament.code}/remove/", {"entrant": pk})[0] == 403
    assert tournament.entrants.count() == 3


def test_the_page_asks_first_and_wants_a_reason() -> None:
    tournament = published("knockout", 3)
    client, pk = browser("host"), entrant(tournament, "p2").pk
    assert "Remove : p2" in text_of_page(client, build_tournament_path(tournament, "organise/entrants/"))
    path = build_tournament_path(tournament, "organise/remove/")
    page = text_of_page(client, f"{path}?entrant={pk}")
    assert "p2 leaves the tournament." in page
    assert tournament.entrants.count() == 3
    assert client.post(path, {"entrant": pk, "reason": ""}).status_code == 422
    answer = client.post(path, {"entrant": pk, "reason": "asked me to"}, follow=True)
    assert "p2 no longer takes part." in answer.content.decode()
    assert "Removed from the entrants: p2." in text_of_page(
        client, build_tournament_path(tournament, "organise/log/")
    )
    assert list_names(tournament) == ["p1", "p3"]


def test_over_the_api() -> None:
    tournament = published("knockout", 3)
    path = f"tournaments/{tournament.code}/"
    assert "remove" in Program("host").ask(path)["you"]["permissions"]
    decision = Program("host").do(
        f"{path}remove/", {"entrant": entrant(tournament, "p2").pk, "reason": "asked me to"}
    )
    assert (decision["action"], decision["was"], decision["reason"]) == ("remove", "p2", "asked me to")
    assert Program("p2").ask(path)["you"]["permissions"] == []
    assert Program("p2").refused(f"{path}enter/") == (403, "removed")


# -------------------------------------------------------------------------------------------------- leagues


def test_a_member_of_a_league_is_removed_and_let_in_again() -> None:
    league = league_of(3)
    removals.remove_league_member(
        by=get_host(), code=league.code, player=get_player("p2"), now=NOW, reason="rude"
    )
    removals.remove_league_member(
        by=get_host(), code=league.code, player=get_player("p2"), now=NOW
    )  # a repeated removal changes nothing
    assert league.league_members.get(player=get_player("p2")).status == LeagueMember.Status.OUT
    removal = league.removals.get()
    assert (removal.created_by, removal.reason, removal.created_at) == (get_host(), "rude", NOW)
    mail_only_to("p2")
    send_mails(NOW + DAY)
    assert "removed you from the league" in get_part(get_last_mail("p2"), "plain")
    for status in ("member", "substitute"):
        with pytest.raises(Denied) as refused:
            leagues.set_member_status(player=get_player("p2"), code=league.code, now=NOW, status=status)
        assert refused.value.code == "removed"
    assert "An organiser has removed you." in text_of_page(browser("p2"), f"/leagues/{league.code}/")
    removals.readmit_league_member(by=get_host(), code=league.code, player=get_player("p2"), now=NOW)
    leagues.set_member_status(player=get_player("p2"), code=league.code, now=NOW)
    with pytest.raises(Denied):
        removals.remove_league_member(by=get_player("p1"), code=league.code, player=get_player("p2"), now=NOW)
    with pytest.raises(NotFound):
        removals.remove_league_member(by=get_host(), code=league.code, player=get_player("stranger"), now=NOW)


def test_the_partner_of_a_removed_member_is_out_and_notified_too() -> None:
    league = pairs_of(2)
    removals.remove_league_member(by=get_host(), code=league.code, player=get_player("a1"), now=NOW)
    assert [pair_of(league, name)[0] for name in ("a1", "b1")] == ["out", "out"]
    assert FeedEntry.objects.get(kind="league-parted").player == get_player("b1")
    with pytest.raises(Denied):
        leagues.ask_partner(player=get_player("b1"), partner=get_player("a1"), code=league.code, now=NOW)
    leagues.ask_partner(player=get_player("b1"), partner=get_player("c"), code=league.code, now=NOW)


def test_a_league_is_tidied_on_its_page_and_over_the_api() -> None:
    league = league_of(3)
    client, path = browser("host"), f"/leagues/{league.code}/"
    client.post(f"{path}remove/", {"name": "p2", "reason": "rude"})  # nothing happens unless confirmed
    assert not league.removals.exists()
    client.post(f"{path}remove/", {"name": "p2", "reason": "rude", "sure": "1"})
    assert "Removed players p2" in text_of_page(client, f"{path}organise/")
    answer = browser("p2").post(f"{path}join/", follow=True)
    assert "The organiser has removed you" in answer.content.decode()
    client.post(f"{path}readmit/", {"name": "p2"})
    assert not league.removals.filter(lifted_at=None).exists()
    program, api = Program("host"), f"leagues/{league.code}/"
    program.do(f"{api}removals/", {"name": "p3", "reason": "asked me to"})
    [row] = program.list_all(f"{api}removals/")
    assert (row["name"], row["created_by"], row["reason"]) == ("p3", "host", "asked me to")
    assert Program("p3").ask(api)["you"]["permissions"] == []
    assert Program("p3").refused(f"{api}join/") == (403, "removed")
    assert Program("p1").refused(f"{api}removals/", {"name": "p3"})[0] == 403
    assert Program("p1").get(f"{api}removals/").status_code == 403
    program.do(f"{api}removals/p3/", method="DELETE")
    Program("p3").do(f"{api}join/")
