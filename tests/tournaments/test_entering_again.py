"""Substitutes from the waitlist, entries after a missed confirmation, and invalid dates."""

from __future__ import annotations

import dataclasses
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from common.service_errors import Conflict, Invalid
from notifications.models import FeedEntry
from tests.factories.events import (
    DAY,
    HOUR,
    NOW,
    create_started_tournament,
    enter_pair,
    entrant,
    get_host,
    get_player,
    play_round,
    published,
)
from tests.helpers.tournament_pages import browser, build_tournament_path, text_of_page
from tests.helpers.tournament_programs import Program
from tournaments.leagues.services import leagues
from tournaments.models import Entrant, Tournament
from tournaments.read_models.pairings import ProofEntrantData
from tournaments.selectors import tournament_details
from tournaments.selectors.tournament_state import TournamentState
from tournaments.services import decision_undo, entries, proposals, replacements, sweep, tournaments

pytestmark = pytest.mark.django_db


def propose_replacement(tournament: Tournament, old: str, new: str | None, **more: Any) -> Any:
    return replacements.propose_replacement(
        by=get_host(),
        code=tournament.code,
        entrant=entrant(tournament, old).pk,
        player=get_player(new) if new else None,
        now=NOW,
        **more,
    )


# -------------------------------------------------------------------------- substitutes from the waitlist


def test_a_substitute_comes_from_the_waiting_list_once_they_agree() -> None:
    tournament = create_started_tournament("knockout", 6, capacity=4)
    proposal = propose_replacement(tournament, "p1", "p5")
    assert entrant(tournament, "p5").status == Entrant.Status.WAITING  # until the substitute accepts
    place = entrant(tournament, "p1").pk
    proposals.accept_proposal(player=get_player("p5"), proposal_id=proposal.pk, now=NOW)
    assert entrant(tournament, "p5").pk == place
    assert not tournament.entrant_players.filter(player=get_player("p1")).exists()
    waiting = tournament.entrants.filter(status=Entrant.Status.WAITING)
    assert [entrant_row.entrant_players.get().player for entrant_row in waiting] == [get_player("p6")]
    game = tournament.pairings.get(pairing_seats__entrant=place).game
    assert game
    assert game.seats.filter(player=get_player("p5")).exists()


def test_who_declines_keeps_waiting_and_the_next_one_is_asked() -> None:
    tournament = create_started_tournament("knockout", 6, capacity=4)
    first = propose_replacement(tournament, "p1", None)
    assert first.player == get_player("p5")
    proposals.decline_proposal(player=get_player("p5"), proposal_id=first.pk, now=NOW)
    assert entrant(tournament, "p5").status == Entrant.Status.WAITING
    second = propose_replacement(tournament, "p1", None)
    assert second.player == get_player("p6")
    proposals.decline_proposal(player=get_player("p6"), proposal_id=second.pk, now=NOW)
    with pytest.raises(Conflict) as refused:
        propose_replacement(tournament, "p1", None)
    assert refused.value.code == "waitlist-empty"


def test_taken_back_they_wait_where_they_stood() -> None:
    tournament = create_started_tournament("knockout", 6, capacity=4)
    before = entrant(tournament, "p5").pk
    proposals.accept_proposal(
        player=get_player("p5"), proposal_id=propose_replacement(tournament, "p1", "p5").pk, now=NOW
    )
    decision = tournament.decisions.get(action="replace")
    decision_undo.undo_decision(by=get_host(), code=tournament.code, decision=decision.pk, now=NOW)
    assert (entrant(tournament, "p5").pk, entrant(tournament, "p5").status) == (
        before,
        Entrant.Status.WAITING,
    )
    assert entrant(tournament, "p1").status == Entrant.Status.ENTERED


def test_of_a_pair_that_waits_one_may_go_and_the_other_is_notified() -> None:
    tournament = published("knockout", 2, mode="pairs", capacity=2)
    enter_pair(tournament, "c", "d")
    with pytest.raises(Invalid):
        propose_replacement(tournament, "a1", None)  # a waiting pair is not picked automatically
    proposals.accept_proposal(
        player=get_player("c"), proposal_id=propose_replacement(tournament, "a1", "c").pk, now=NOW
    )
    assert not tournament.entrant_players.filter(player=get_player("d")).exists()
    lines = FeedEntry.objects.filter(kind="tournament-out", player=get_player("d"))
    assert lines.filter(data__reason="parted").exists()
    assert set(entrant(tournament, "c").entrant_players.values_list("player__name", flat=True)) == {"c", "b1"}


def test_those_who_have_a_place_still_take_part_already() -> None:
    tournament = create_started_tournament("knockout", 6, capacity=4)
    with pytest.raises(Conflict) as refused:
        propose_replacement(tournament, "p1", "p2")
    assert refused.value.code == "already-joined"


def test_the_page_names_who_waits_and_takes_the_longest_by_default() -> None:
    tournament = create_started_tournament("knockout", 6, capacity=4)
    client, pk = browser("host"), entrant(tournament, "p1").pk
    path = build_tournament_path(tournament, "organise/replace/")
    assert "Waiting list: p5, p6." in text_of_page(client, f"{path}?entrant={pk}")
    answer = client.post(path, {"entrant": pk, "player": "", "reason": "ill"}, follow=True)
    assert "We have asked p5 to replace p1." in answer.content.decode()
    other_tournament = create_started_tournament("knockout", 4)
    empty = {"entrant": entrant(other_tournament, "p1").pk, "player": "", "reason": "ill"}
    assert client.post(build_tournament_path(other_tournament, "organise/replace/"), empty).status_code == 422


def test_the_api_takes_the_longest_by_default() -> None:
    tournament = create_started_tournament("knockout", 6, capacity=4)
    path = f"tournaments/{tournament.code}/replace/"
    proposal_data = Program("host").do(path, {"entrant": entrant(tournament, "p1").pk})
    assert (proposal_data["player"], proposal_data["replaces"]) == ("p5", "p1")


# ------------------------------------------------------------------------------------- missed confirmations


def start_without(name: str = "p4", **fields: Any) -> Tournament:
    """Start a Swiss tournament after this player failed to confirm."""
    tournament = published("swiss", 5, confirmation=True, round_count=4, **fields)
    for entrant_player in tournament.entrant_players.exclude(player__name=name).select_related("player"):
        assert entrant_player.player
        entries.confirm_entry(player=entrant_player.player, code=tournament.code, now=NOW)
    tournaments.start_tournament(by=get_host(), code=tournament.code, now=NOW)
    sweep.sweep_tournaments(now=NOW)
    tournament.refresh_from_db()
    return tournament


def strip_seeds(entrants: list[ProofEntrantData], besides: int = 0) -> list[ProofEntrantData]:
    """Remove client seeds, which concern games only and not pairings."""
    return [dataclasses.replace(entrant, client_seeds=[]) for entrant in entrants if entrant.id != besides]


def test_who_forgot_to_confirm_may_come_in_later_as_strangers_may() -> None:
    tournament = start_without(late_entry=True)
    assert entrant(tournament, "p4").left_after_round == 0
    proof = tournament_details.build_fairness_proof(TournamentState(tournament)).entrants
    assert Program("p4").ask(f"tournaments/{tournament.code}/")["you"]["permissions"][0] == "enter"
    page = text_of_page(browser("p4"), build_tournament_path(tournament))
    assert "It started without you: you did not confirm in time." in page
    assert "You have withdrawn" not in page
    answer = browser("p4").post(build_tournament_path(tournament, "enter/"), follow=True)
    assert "You have entered." in answer.content.decode()
    entered = entrant(tournament, "p4")
    assert (entered.status, entered.left_after_round, entered.first_round) == (
        Entrant.Status.ENTERED,
        None,
        2,
    )
    # The data of the first round are unchanged, so that anybody can recompute its pairings.
    assert strip_seeds(
        tournament_details.build_fairness_proof(TournamentState(tournament)).entrants, besides=entered.pk
    ) == strip_seeds(proof)
    text = text_of_page(browser(), build_tournament_path(tournament, "entrants/"))
    assert "Entrants 5" in text
    assert "former player" not in text
    play_round(tournament, NOW + DAY)
    assert tournament.pairings.filter(bracket_round=2, pairing_seats__entrant=entered).exists()
    with pytest.raises(Conflict):
        entries.enter_tournament(player=get_player("p4"), code=tournament.code, now=NOW)


def test_where_nobody_comes_in_later_they_do_not_either() -> None:
    tournament = start_without()
    with pytest.raises(Conflict):
        entries.enter_tournament(player=get_player("p4"), code=tournament.code, now=NOW)
    page = text_of_page(browser("p4"), build_tournament_path(tournament))
    assert "It started without you" in page
    assert "You did not confirm in time." in page
    assert "Enter" not in page


def test_who_withdrew_does_not_come_back_that_way() -> None:
    tournament = start_without(late_entry=True)
    entries.withdraw_from_tournament(player=get_player("p1"), code=tournament.code, now=NOW)
    with pytest.raises(Conflict):
        entries.enter_tournament(player=get_player("p1"), code=tournament.code, now=NOW)


def test_a_pair_that_forgot_may_come_in_also_with_others() -> None:
    tournament = published("swiss", 3, mode="pairs", confirmation=True, late_entry=True, round_count=3)
    for name in ("a1", "a2"):
        entries.confirm_entry(player=get_player(name), code=tournament.code, now=NOW)
    tournaments.start_tournament(by=get_host(), code=tournament.code, now=NOW)
    sweep.sweep_tournaments(now=NOW)
    enter_pair(tournament, "a3", "new")
    assert entrant(tournament, "a3").first_round == 2
    enter_pair(tournament, "b3", "newer")
    assert tournament.entrants.filter(status=Entrant.Status.ENTERED).count() == 4


# ---------------------------------------------------------------------------------------- dates and durations

DAY_LONG, WEEK = 86_400, 7 * 86_400


@pytest.mark.parametrize("custom", [False, True])
def test_a_round_shorter_than_a_turn_is_refused_everywhere(custom: bool) -> None:
    terms: dict[str, Any] = {"time_control": "custom", "allowance": WEEK, "bank": 0} if custom else {}
    terms = terms or {"time_control": "7d"}
    with pytest.raises(Invalid) as refused:
        tournaments.create_tournament(
            organiser=get_host(), name="Cup", format="swiss", now=NOW, round_length=DAY_LONG, **terms
        )
    assert refused.value.code == "round-too-short"
    with pytest.raises(Invalid):
        leagues.create_league(
            organiser=get_host(), name="L", division_size=4, now=NOW, round_length=DAY_LONG, **terms
        )
    assert not Tournament.objects.exists()


def test_a_round_too_short_is_shown_on_the_form_and_over_the_api() -> None:
    body = {"name": "Cup", "format": "swiss", "clock": "7d", "round_length_seconds": DAY_LONG}
    assert Program("host").refused("tournaments/", body) == (422, "round-too-short")
    form = {"name": "Cup", "format": "swiss", "seats": "2", "time_control": "7d"}
    form |= {"round_length_0": "1", "round_length_1": str(DAY_LONG)}
    answer = browser("host").post("/tournaments/new/", form)
    assert answer.status_code == 422
    assert "round_length" in answer.context["form"].errors
    league = {"name": "L", "seats": "2", "time_control": "7d", "division_size": "4"}
    league |= {"round_length_0": "1", "round_length_1": str(DAY_LONG)}
    answer = browser("host").post("/leagues/new/", league)
    assert "round_length" in answer.context["form"].errors
    assert not Tournament.objects.exists()


def test_turns_cannot_be_made_longer_than_the_round_afterwards() -> None:
    tournament = tournaments.create_tournament(
        organiser=get_host(), name="Cup", format="swiss", now=NOW, time_control="12h", round_length=DAY_LONG
    )
    with pytest.raises(Invalid):
        tournaments.edit_tournament(by=get_host(), code=tournament.code, now=NOW, time_control="7d")
    with pytest.raises(Invalid):
        tournaments.edit_tournament(
            by=get_host(), code=tournament.code, now=NOW, rematch_allowance=2 * DAY_LONG
        )


@pytest.mark.parametrize("field", ["starts_at", "closes_at"])
def test_what_would_begin_or_close_in_the_past_is_refused(field: str) -> None:
    with pytest.raises(Invalid) as refused:
        tournaments.create_tournament(
            organiser=get_host(), name="Cup", format="swiss", now=NOW, **{field: NOW - HOUR}
        )
    assert refused.value.code == "date-in-the-past"
    past = (timezone.now() - timedelta(days=1)).isoformat()
    body = {"name": "Cup", "format": "swiss", field: past}
    assert Program("host").refused("tournaments/", body) == (422, "date-in-the-past")
    answer = browser("host").post(
        "/tournaments/new/", {"name": "Cup", "format": "swiss", "seats": "2", field: past[:16]}
    )
    assert answer.status_code == 422
    assert field in answer.context["form"].errors
    assert not Tournament.objects.exists()
    tournament = tournaments.create_tournament(organiser=get_host(), name="Cup", format="swiss", now=NOW)
    with pytest.raises(Invalid):
        tournaments.edit_tournament(by=get_host(), code=tournament.code, now=NOW, **{field: NOW - HOUR})


def test_a_draft_whose_start_has_passed_is_not_published() -> None:
    for field in ("starts_at", "closes_at"):
        tournament = tournaments.create_tournament(
            organiser=get_host(), name="Cup", format="swiss", now=NOW, **{field: NOW + HOUR}
        )
        with pytest.raises(Invalid) as refused:
            tournaments.publish_tournament(by=get_host(), code=tournament.code, now=NOW + DAY)
        assert refused.value.code == "date-in-the-past"
        # Other settings can still be edited, and then the tournament can be published.
        tournaments.edit_tournament(by=get_host(), code=tournament.code, now=NOW + DAY, text="Later.")
        tournaments.edit_tournament(
            by=get_host(), code=tournament.code, now=NOW + DAY, **{field: NOW + 2 * DAY}
        )
        tournaments.publish_tournament(by=get_host(), code=tournament.code, now=NOW + DAY)


def test_entries_of_a_published_event_may_be_closed_at_once() -> None:
    tournament = published("swiss", 2)
    tournaments.edit_tournament(by=get_host(), code=tournament.code, now=NOW + HOUR, closes_at=NOW)
    with pytest.raises(Conflict):
        entries.enter_tournament(player=get_player("late"), code=tournament.code, now=NOW + HOUR)


def test_a_reserve_longer_than_the_round_is_allowed_and_pointed_out() -> None:
    fields: dict[str, Any] = {"organiser": get_host(), "name": "Cup", "format": "swiss", "now": NOW}
    odd = tournaments.create_tournament(**fields, time_control="2d", round_length=3 * DAY_LONG)
    usual = tournaments.create_tournament(**fields, time_control="2d", round_length=14 * DAY_LONG)
    client, words = browser("host"), "The reserve is longer than a round."
    assert words in text_of_page(client, build_tournament_path(odd, "organise/"))
    assert words not in text_of_page(client, build_tournament_path(usual, "organise/"))
    league = leagues.create_league(
        organiser=get_host(), name="L", division_size=4, now=NOW, time_control="2d", round_length=3 * DAY_LONG
    )
    assert words in text_of_page(client, f"/leagues/{league.code}/organise/")
