"""An organiser removes an entrant before the start, or somebody from a league: told, logged, and for good."""

from __future__ import annotations

import pytest

from games.models import FeedEntry
from games.services import export
from games.services.errors import Conflict, Denied, NotFound
from tests.games.telling import part
from tournaments.models import Entrant, LeagueMember, Removal, Tournament
from tournaments.services import entries, leagues, proposals, removals, replacements, tournaments

from .mailing import last, only, send
from .play import DAY, NOW, enter_pair, entrant, host, published, someone, started
from .programs import Program
from .test_league_ways import pair_of, pairs_of
from .test_leagues import league_of
from .test_pages import at, browser, text_of_page

pytestmark = pytest.mark.django_db


def remove(event: Tournament, name: str, note: str = "") -> None:
    pk = entrant(event, name).pk
    removals.remove_entrant(
        by=host(), code=event.code, entrant=pk, now=NOW, why="no show before", public_note=note
    )


def names(event: Tournament) -> list[str]:
    found = event.members.filter(entrant__status=Entrant.Status.ENTERED).order_by("entrant")
    return list(found.values_list("player__name", flat=True))


def test_whoever_is_removed_is_out_told_and_logged_and_the_next_one_moves_up() -> None:
    event = published("knockout", 4, capacity=3)
    remove(event, "p2", "as agreed")
    assert names(event) == ["p1", "p3", "p4"]
    decision = event.decisions.get()
    assert (decision.what, decision.by, decision.why) == ("remove", host(), "no show before")
    line = FeedEntry.objects.get(kind="event-out")
    assert (line.player, line.data["why"], line.data["text"]) == (someone("p2"), "removed", "as agreed")
    assert FeedEntry.objects.filter(kind="event-place", player=someone("p4")).exists()
    with pytest.raises(NotFound):
        removals.remove_entrant(by=host(), code=event.code, entrant=10**6, now=NOW)


def test_the_mail_says_what_happened_in_the_organisers_words() -> None:
    event = published("knockout", 3)
    remove(event, "p2", "you wrote that you are away")
    only("p2")
    send(NOW + DAY)
    mail = last("p2")
    assert "You do not take part any more" in str(mail["Subject"])
    assert "taken you off the list of entrants" in part(mail, "plain")
    assert "you wrote that you are away" in part(mail, "plain")
    assert "no show before" not in mail.as_string(), "the reason is for organisers"


def test_whoever_is_removed_comes_back_by_invitation_only() -> None:
    event = published("swiss", 3)
    remove(event, "p2")
    with pytest.raises(Denied) as refused:
        entries.enter_tournament(player=someone("p2"), code=event.code, now=NOW)
    assert refused.value.code == "removed"
    page = text_of_page(browser("p2"), at(event))
    assert "You were taken off the list" in page
    assert "Join" not in page
    tournaments.invite_player(by=host(), code=event.code, player=someone("p2"), now=NOW)
    entries.enter_tournament(player=someone("p2"), code=event.code, now=NOW)
    assert "p2" in names(event)
    remove(event, "p2")  # once more: no trace of before is in the way
    assert Removal.objects.filter(event=event, lifted_at=None).count() == 1
    assert not event.invites.exists()
    exported = export.export_player_data(player=someone("p2"), now=NOW)["removals"]
    assert [one["event"] for one in exported] == [event.code] * 2
    assert "no show before" not in str(export.export_player_data(player=someone("p2"), now=NOW))
    written = export.export_player_data(player=host(), now=NOW)["removal_reasons"]
    assert [(one["event"], one["why"]) for one in written] == [(event.code, "no show before")] * 2


def test_a_pair_is_removed_together() -> None:
    event = published("knockout", 2, mode="pairs")
    remove(event, "b1")
    told_so = FeedEntry.objects.filter(kind="event-out").values_list("player__name", flat=True)
    assert set(told_so) == {"a1", "b1"}
    for one in ("a1", "b1"):
        with pytest.raises(Denied):
            entries.ask_partner(player=someone(one), partner=someone("c"), code=event.code, now=NOW)
    with pytest.raises(Denied):
        entries.ask_partner(player=someone("c"), partner=someone("a1"), code=event.code, now=NOW)
    enter_pair(event, "c", "d")


def test_what_was_asked_about_a_removed_entrant_lapses() -> None:
    event = published("knockout", 3)
    asked = replacements.propose_replacement(
        by=host(), code=event.code, entrant=entrant(event, "p1").pk, player=someone("new"), now=NOW
    )
    remove(event, "p1")
    assert FeedEntry.objects.filter(kind="event-answered", player=someone("new")).exists()
    with pytest.raises((Conflict, NotFound)):
        proposals.accept_proposal(player=someone("new"), proposal_id=asked.pk, now=NOW)
    assert not event.members.filter(player=someone("new")).exists()


def test_after_the_start_only_the_waiting_list_can_be_cleared() -> None:
    event = started("knockout", 5, capacity=4)
    with pytest.raises(Conflict):
        remove(event, "p1")
    remove(event, "p5")
    assert not event.members.filter(player=someone("p5")).exists()
    assert event.entrants.count() == 4


def test_only_organisers_remove() -> None:
    event = published("knockout", 3)
    pk = entrant(event, "p2").pk
    with pytest.raises(Denied):
        removals.remove_entrant(by=someone("p1"), code=event.code, entrant=pk, now=NOW)
    program = Program("p1")
    assert program.refused(f"tournaments/{event.code}/remove/", {"entrant": pk})[0] == 403
    assert event.entrants.count() == 3


def test_the_page_asks_first_and_wants_a_reason() -> None:
    event = published("knockout", 3)
    client, pk = browser("host"), entrant(event, "p2").pk
    assert "Remove : p2" in text_of_page(client, at(event, "organise/entrants/"))
    path = at(event, "organise/remove/")
    page = text_of_page(client, f"{path}?entrant={pk}")
    assert "p2 will not take part any more." in page
    assert event.entrants.count() == 3
    assert client.post(path, {"entrant": pk, "why": ""}).status_code == 422
    answer = client.post(path, {"entrant": pk, "why": "asked me to"}, follow=True)
    assert "p2 does not take part any more." in answer.content.decode()
    assert "p2 was taken off the list of entrants." in text_of_page(client, at(event, "organise/log/"))
    assert names(event) == ["p1", "p3"]


def test_over_the_api() -> None:
    event = published("knockout", 3)
    path = f"tournaments/{event.code}/"
    assert "remove" in Program("host").ask(path)["you"]["may"]
    made = Program("host").do(f"{path}remove/", {"entrant": entrant(event, "p2").pk, "why": "asked me to"})
    assert (made["what"], made["was"], made["why"]) == ("remove", "p2", "asked me to")
    assert Program("p2").ask(path)["you"]["may"] == []
    assert Program("p2").refused(f"{path}enter/") == (403, "removed")


# -------------------------------------------------------------------------------------------------- leagues


def test_a_member_of_a_league_is_removed_and_let_in_again() -> None:
    league = league_of(3)
    removals.remove_league_member(by=host(), code=league.code, player=someone("p2"), now=NOW, why="rude")
    removals.remove_league_member(by=host(), code=league.code, player=someone("p2"), now=NOW)  # twice is once
    assert league.memberships.get(player=someone("p2")).status == LeagueMember.Status.OUT
    removal = league.removals.get()
    assert (removal.by, removal.why, removal.at) == (host(), "rude", NOW)
    only("p2")
    send(NOW + DAY)
    assert "removed you from the league" in part(last("p2"), "plain")
    for status in ("member", "substitute"):
        with pytest.raises(Denied) as refused:
            leagues.set_member_status(player=someone("p2"), code=league.code, now=NOW, status=status)
        assert refused.value.code == "removed"
    assert "The organiser has removed you." in text_of_page(browser("p2"), f"/leagues/{league.code}/")
    removals.readmit_league_member(by=host(), code=league.code, player=someone("p2"), now=NOW)
    leagues.set_member_status(player=someone("p2"), code=league.code, now=NOW)
    with pytest.raises(Denied):
        removals.remove_league_member(by=someone("p1"), code=league.code, player=someone("p2"), now=NOW)
    with pytest.raises(NotFound):
        removals.remove_league_member(by=host(), code=league.code, player=someone("stranger"), now=NOW)


def test_the_partner_of_a_removed_member_is_out_and_told_too() -> None:
    league = pairs_of(2)
    removals.remove_league_member(by=host(), code=league.code, player=someone("a1"), now=NOW)
    assert [pair_of(league, name)[0] for name in ("a1", "b1")] == ["out", "out"]
    assert FeedEntry.objects.get(kind="league-parted").player == someone("b1")
    with pytest.raises(Denied):
        leagues.ask_partner(player=someone("b1"), partner=someone("a1"), code=league.code, now=NOW)
    leagues.ask_partner(player=someone("b1"), partner=someone("c"), code=league.code, now=NOW)


def test_a_league_is_tidied_on_its_page_and_over_the_api() -> None:
    league = league_of(3)
    client, path = browser("host"), f"/leagues/{league.code}/"
    client.post(f"{path}remove/", {"name": "p2", "why": "rude"})  # without the box nothing happens
    assert not league.removals.exists()
    client.post(f"{path}remove/", {"name": "p2", "why": "rude", "sure": "1"})
    assert "Removed from the league p2" in text_of_page(client, f"{path}organise/")
    answer = browser("p2").post(f"{path}join/", follow=True)
    assert "The organiser has removed you" in answer.content.decode()
    client.post(f"{path}readmit/", {"name": "p2"})
    assert not league.removals.filter(lifted_at=None).exists()
    program, api = Program("host"), f"leagues/{league.code}/"
    program.do(f"{api}removals/", {"name": "p3", "why": "asked me to"})
    [row] = program.every(f"{api}removals/")
    assert (row["name"], row["by"], row["why"]) == ("p3", "host", "asked me to")
    assert Program("p3").ask(api)["you"]["may"] == []
    assert Program("p3").refused(f"{api}join/") == (403, "removed")
    assert Program("p1").refused(f"{api}removals/", {"name": "p3"})[0] == 403
    assert Program("p1").get(f"{api}removals/").status_code == 403
    program.do(f"{api}removals/p3/", method="DELETE")
    Program("p3").do(f"{api}join/")
