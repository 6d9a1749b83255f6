"""Proposals and removals apply only to their own object and time, and cannot leave inconsistent rows."""

from __future__ import annotations

import pytest

from accounts.models import Player
from accounts.services import players
from common.service_errors import Conflict
from notifications.models import FeedEntry
from tests.factories.events import (
    DAY,
    HOUR,
    NOW,
    add_organiser,
    create_started_tournament,
    enter_pair,
    entrant,
    get_host,
    get_player,
    published,
    replace,
)
from tests.factories.league_pairs import pair_of
from tests.factories.leagues import create_started_league, league_of
from tests.helpers.notice_helpers import get_part
from tests.helpers.tournament_mails import get_last_mail, mail_only_to, send_mails
from tests.helpers.tournament_programs import Program
from tournaments.leagues.services import leagues
from tournaments.models import League, Proposal, Tournament
from tournaments.models.limits import MAX_REASON_LENGTH
from tournaments.selectors.removals import is_removed
from tournaments.services import (
    co_organisers,
    confirmations,
    decision_undo,
    entries,
    proposals,
    removals,
    replacements,
    tournaments,
)
from tournaments.services.proposal_outcomes import MAX_PROPOSALS_TO_ONE_PLAYER

pytestmark = pytest.mark.django_db


def ask_to_organise(league: League, name: str = "x") -> Proposal:
    return co_organisers.ask_league_co_organiser(
        by=get_host(), code=league.code, player=get_player(name), now=NOW
    )


def ask_to_replace(tournament: Tournament, old: str, new: str, by: str = "host") -> Proposal:
    pk = entrant(tournament, old).pk
    return replacements.propose_replacement(
        by=get_player(by), code=tournament.code, entrant=pk, player=get_player(new), now=NOW
    )


def remove_entrant(tournament: Tournament, name: str, note: str = "") -> None:
    pk = entrant(tournament, name).pk
    removals.remove_entrant(by=get_host(), code=tournament.code, entrant=pk, now=NOW, public_note=note)


def remove_from_league(league: League, name: str, note: str = "") -> None:
    removals.remove_league_member(
        by=get_host(), code=league.code, player=get_player(name), now=NOW, public_note=note
    )


# ------------------------------------------------------------------------------------- two kinds of proposals


def test_who_is_asked_to_organise_a_league_can_be_asked_as_a_partner_too() -> None:
    league = league_of(0, mode="pairs")
    to_organise = ask_to_organise(league)
    to_play = leagues.ask_partner(player=get_host(), partner=get_player("x"), code=league.code, now=NOW)
    assert (to_organise.kind, to_play.kind) == ("co-organiser", "league-partner")
    proposals.accept_proposal(player=get_player("x"), proposal_id=to_play.pk, now=NOW)
    assert pair_of(league, "x") == ("member", "host")
    to_organise.refresh_from_db()
    assert (to_organise.status, league.co_organisers.count()) == ("open", 0)


def test_an_organiser_who_joins_or_leaves_a_league_still_asks_others_to_organise_it() -> None:
    league = league_of(0)
    request = ask_to_organise(league)
    leagues.set_member_status(player=get_host(), code=league.code, now=NOW)
    remove_from_league(league, "host")
    proposals.accept_proposal(player=get_player("x"), proposal_id=request.pk, now=NOW)
    assert list(league.co_organisers.all()) == [get_player("x")]


def test_how_often_somebody_was_asked_is_counted_for_each_kind() -> None:
    pairs, tournament, of_pairs = (
        league_of(0, mode="pairs"),
        published("swiss", 2),
        published("swiss", 1, mode="pairs"),
    )
    for about in ({"league": pairs}, {"tournament": tournament}, {"tournament": of_pairs}):
        declined = Proposal(
            kind="co-organiser",
            status="declined",
            proposer=get_host(),
            player=get_player("x"),
            created_at=NOW,
        )
        for name, value in about.items():
            setattr(declined, name, value)
        for _time in range(MAX_PROPOSALS_TO_ONE_PLAYER):
            declined.pk = None
            declined.save(force_insert=True)
    assert leagues.ask_partner(player=get_host(), partner=get_player("x"), code=pairs.code, now=NOW).pk
    assert ask_to_replace(tournament, "p1", "x").pk
    assert entries.ask_partner(player=get_host(), partner=get_player("x"), code=of_pairs.code, now=NOW).pk
    with pytest.raises(Conflict) as refused:
        ask_to_organise(pairs)
    assert refused.value.code == "too-many-proposals"


# --------------------------------------------------------------------------------- removals and replacements


def test_who_is_asked_by_an_organiser_to_play_on_after_a_removal_is_let_in_and_can_be_removed_again() -> None:
    tournament = published("knockout", 3)
    remove_entrant(tournament, "p1")
    replace(tournament, "p2", "p1")
    assert not is_removed(get_player("p1"), tournament)
    remove_entrant(tournament, "p1")
    assert is_removed(get_player("p1"), tournament)
    assert tournament.removals.count() == 2


def test_what_somebody_was_asked_before_a_removal_does_not_bring_them_in() -> None:
    tournament = published("knockout", 3, capacity=2)
    proposal = ask_to_replace(tournament, "p1", "p3")
    pk = entrant(tournament, "p3").pk
    removals.remove_entrant(by=get_host(), code=tournament.code, entrant=pk, now=NOW + HOUR)
    with pytest.raises(Conflict) as refused:
        proposals.accept_proposal(player=get_player("p3"), proposal_id=proposal.pk, now=NOW + HOUR)
    assert refused.value.code == "lapsed"
    assert is_removed(get_player("p3"), tournament)


def test_who_was_removed_from_a_league_stays_out_when_their_place_is_given_back() -> None:
    league = create_started_league(3, all_rounds_at_once=True)
    tournament = Tournament.objects.get()
    leagues.set_member_status(player=get_player("spare"), code=league.code, now=NOW, status="substitute")
    remove_from_league(league, "p1")
    decision = leagues.replace_with_substitute(
        by=get_host(), code=league.code, leaver=get_player("p1"), now=NOW
    )
    decision_undo.undo_decision(by=get_host(), code=tournament.code, decision=decision.pk, now=NOW)
    assert tournament.entrant_players.filter(player=get_player("p1")).exists(), (
        "the season is played to its end"
    )
    assert (pair_of(league, "p1")[0], pair_of(league, "spare")[0]) == ("out", "substitute")
    assert is_removed(get_player("p1"), league)
    remove_from_league(league, "p1")
    assert league.removals.count() == 1


def test_who_was_removed_from_an_event_does_not_come_back_by_an_undone_replacement() -> None:
    tournament = published("knockout", 3)
    decision = replace(tournament, "p1", "new")
    entries.enter_tournament(player=get_player("p1"), code=tournament.code, now=NOW)
    remove_entrant(tournament, "p1")
    with pytest.raises(Conflict):
        decision_undo.undo_decision(by=get_host(), code=tournament.code, decision=decision.pk, now=NOW)
    assert not tournament.entrant_players.filter(player=get_player("p1")).exists()


# ----------------------------------------------------------------------------------------------- the waitlist


def test_nobody_is_asked_to_take_the_place_of_somebody_who_has_none() -> None:
    tournament = published("knockout", 4, capacity=2)
    for new in ("p3", "p4", "new"):
        with pytest.raises(Conflict):
            ask_to_replace(tournament, "p3", new)
    assert not tournament.proposals.exists()
    path = f"tournaments/{tournament.code}/replace/"
    wanted = {"entrant": entrant(tournament, "p3").pk, "player": "p3", "reason": "so"}
    assert Program("host").refused(path, wanted)[0] == 409


@pytest.mark.parametrize("departure", ["deleted", "locked", "removed"])
def test_a_waiting_pair_is_not_put_back_when_one_of_it_is_gone(departure: str) -> None:
    tournament = published("knockout", 2, mode="pairs", capacity=2)
    enter_pair(tournament, "x", "y")
    decision = replace(tournament, "a1", "x")
    if departure == "deleted":
        players.remove_player(player=get_player("y"), now=NOW)
    elif departure == "locked":
        Player.objects.filter(name="y").update(is_active=False)
    else:
        enter_pair(tournament, "y", "z")
        remove_entrant(tournament, "y")
    decision_undo.undo_decision(by=get_host(), code=tournament.code, decision=decision.pk, now=NOW)
    assert tournament.entrant_players.filter(player=get_player("a1")).exists()
    assert not tournament.entrant_players.filter(player=get_player("x")).exists()
    assert not tournament.entrants.filter(status="waiting").exists()


# --------------------------------------------------------------------------------- proposers and their rights


def test_a_request_to_play_on_ends_with_the_rights_of_whoever_made_it() -> None:
    tournament = create_started_tournament("knockout", 4)
    add_organiser(tournament, "helper")
    proposal = ask_to_replace(tournament, "p1", "new", by="helper")
    co_organisers.remove_tournament_co_organiser(
        by=get_host(), code=tournament.code, player=get_player("helper"), now=NOW
    )
    with pytest.raises(Conflict) as refused:
        proposals.accept_proposal(player=get_player("new"), proposal_id=proposal.pk, now=NOW)
    assert refused.value.code == "lapsed"
    assert not tournament.entrant_players.filter(player=get_player("new")).exists()


@pytest.mark.parametrize("kind", ["tournament", "league"])
def test_a_program_that_may_only_play_makes_nobody_an_organiser(kind: str) -> None:
    if kind == "tournament":
        about: Tournament | League = published("swiss", 2)
        request = co_organisers.ask_tournament_co_organiser(
            by=get_host(), code=about.code, player=get_player("x"), now=NOW
        )
    else:
        about = league_of(0)
        request = ask_to_organise(about)
    path = f"proposals/{request.pk}/accept/"
    assert Program("x", "read", "play").refused(path) == (403, "missing-scope")
    assert Program("y", "read", "play").refused(path)[0] == 404, "others learn nothing of it"
    assert not about.co_organisers.exists()
    assert Program("x", "read", "play", "organise").do(path)["status"] == "accepted"
    assert list(about.co_organisers.all()) == [get_player("x")]


def test_a_program_that_may_only_play_still_agrees_to_play() -> None:
    tournament = published("swiss", 2)
    proposal = ask_to_replace(tournament, "p1", "x")
    assert Program("x", "read", "play").do(f"proposals/{proposal.pk}/accept/")["status"] == "accepted"


# ------------------------------------------------------------------------------------------------------ texts


def test_a_note_is_cut_before_it_is_mailed() -> None:
    note = "a" * (MAX_REASON_LENGTH * 4)
    tournament, league = published("knockout", 3), league_of(2)
    remove_entrant(tournament, "p1", note)
    remove_from_league(league, "p1", note)
    tournaments.cancel_tournament(by=get_host(), code=tournament.code, now=NOW, public_note=note)
    feed_entries = FeedEntry.objects.filter(kind__in=("tournament-out", "league-out", "tournament-cancelled"))
    assert {line.kind for line in feed_entries} == {"tournament-out", "league-out", "tournament-cancelled"}
    assert {line.data["text"] for line in feed_entries} == {note[:MAX_REASON_LENGTH]}


def test_who_is_invited_again_after_a_removal_is_notified_again() -> None:
    tournament = published("knockout", 3)
    tournaments.invite_player(by=get_host(), code=tournament.code, player=get_player("x"), now=NOW)
    entries.enter_tournament(player=get_player("x"), code=tournament.code, now=NOW)
    remove_entrant(tournament, "x")
    for _twice in range(2):
        tournaments.invite_player(by=get_host(), code=tournament.code, player=get_player("x"), now=NOW)
    assert FeedEntry.objects.filter(kind="tournament-invited", player=get_player("x")).count() == 2


def test_who_waits_a_second_time_is_notified_of_the_place_again() -> None:
    tournament = published("knockout", 3, capacity=2)  # p3 is on the waitlist
    for name in ("p1", "p2", "p3"):  # the leaver joins the waitlist, and the other moves up
        entries.leave_tournament(player=get_player(name), code=tournament.code, now=NOW)
        entries.enter_tournament(player=get_player(name), code=tournament.code, now=NOW)
    entries.leave_tournament(player=get_player("p1"), code=tournament.code, now=NOW)
    feed_entries = FeedEntry.objects.filter(kind="tournament-place").values_list("player__name", flat=True)
    assert sorted(feed_entries) == ["p1", "p2", "p3", "p3"]


def test_who_enters_again_is_asked_again_to_confirm() -> None:
    tournament = published("knockout", 2, confirmation=True, starts_at=NOW + 20 * HOUR)
    later = NOW + HOUR
    for _twice in range(2):
        confirmations.ask_for_confirmations(tournament, later)
    confirm_entries = FeedEntry.objects.filter(kind="tournament-confirm")
    assert sorted(confirm_entries.values_list("player__name", flat=True)) == ["p1", "p2"]
    entries.leave_tournament(player=get_player("p1"), code=tournament.code, now=later)
    entries.enter_tournament(player=get_player("p1"), code=tournament.code, now=later)
    for _twice in range(2):
        confirmations.ask_for_confirmations(tournament, later)
    assert sorted(confirm_entries.values_list("player__name", flat=True)) == ["p1", "p1", "p2"]


def test_what_was_asked_about_a_removed_entrant_is_mailed() -> None:
    tournament = published("knockout", 3)
    proposal = ask_to_replace(tournament, "p1", "new")
    remove_entrant(tournament, "p1")
    proposal.refresh_from_db()
    assert proposal.status == "lapsed"
    line = FeedEntry.objects.get(kind="tournament-answered", player=get_player("new"))
    assert line.data["proposal"] == proposal.pk
    mail_only_to("host")
    send_mails(NOW + DAY)
    assert "host has asked new to replace p1." in get_part(get_last_mail("host"), "plain")
