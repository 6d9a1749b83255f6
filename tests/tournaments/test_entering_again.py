"""Substitutes from the waiting list, coming in after a missed confirmation, and dates that make no sense."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from games.models import FeedEntry
from games.services.errors import Conflict, Invalid
from tournaments.models import Entrant, Tournament
from tournaments.selectors import tournament_details
from tournaments.selectors.tournament_state import TournamentState
from tournaments.services import decision_undo, entries, leagues, proposals, replacements, sweep, tournaments

from .play import DAY, HOUR, NOW, enter_pair, entrant, host, play_round, published, someone, started
from .programs import Program
from .test_pages import at, browser, text_of_page

pytestmark = pytest.mark.django_db


def ask(event: Tournament, old: str, new: str | None, **more: Any) -> Any:
    return replacements.propose_replacement(
        by=host(),
        code=event.code,
        entrant=entrant(event, old).pk,
        player=someone(new) if new else None,
        now=NOW,
        **more,
    )


# ------------------------------------------------------------------------------ substitutes from the list


def test_a_substitute_comes_from_the_waiting_list_once_they_agree() -> None:
    event = started("knockout", 6, capacity=4)
    asked = ask(event, "p1", "p5")
    assert entrant(event, "p5").status == Entrant.Status.WAITING  # nothing changes until they agree
    place = entrant(event, "p1").pk
    proposals.accept_proposal(player=someone("p5"), proposal_id=asked.pk, now=NOW)
    assert entrant(event, "p5").pk == place
    assert not event.members.filter(player=someone("p1")).exists()
    waiting = event.entrants.filter(status=Entrant.Status.WAITING)
    assert [one.members.get().player for one in waiting] == [someone("p6")]
    game = event.tables.get(sittings__entrant=place).game
    assert game
    assert game.places.filter(player=someone("p5")).exists()


def test_who_declines_keeps_waiting_and_the_next_one_is_asked() -> None:
    event = started("knockout", 6, capacity=4)
    first = ask(event, "p1", None)
    assert first.player == someone("p5")
    proposals.decline_proposal(player=someone("p5"), proposal_id=first.pk, now=NOW)
    assert entrant(event, "p5").status == Entrant.Status.WAITING
    second = ask(event, "p1", None)
    assert second.player == someone("p6")
    proposals.decline_proposal(player=someone("p6"), proposal_id=second.pk, now=NOW)
    with pytest.raises(Conflict) as refused:
        ask(event, "p1", None)
    assert refused.value.code == "nobody-waits"


def test_taken_back_they_wait_where_they_stood() -> None:
    event = started("knockout", 6, capacity=4)
    before = entrant(event, "p5").pk
    proposals.accept_proposal(player=someone("p5"), proposal_id=ask(event, "p1", "p5").pk, now=NOW)
    decision = event.decisions.get(what="replace")
    decision_undo.undo_decision(by=host(), code=event.code, decision=decision.pk, now=NOW)
    assert (entrant(event, "p5").pk, entrant(event, "p5").status) == (before, Entrant.Status.WAITING)
    assert entrant(event, "p1").status == Entrant.Status.ENTERED


def test_of_a_pair_that_waits_one_may_go_and_the_other_is_told() -> None:
    event = published("knockout", 2, mode="pairs", capacity=2)
    enter_pair(event, "c", "d")
    with pytest.raises(Invalid):
        ask(event, "a1", None)  # nobody picks one of two who wait together
    proposals.accept_proposal(player=someone("c"), proposal_id=ask(event, "a1", "c").pk, now=NOW)
    assert not event.members.filter(player=someone("d")).exists()
    assert FeedEntry.objects.filter(kind="event-out", player=someone("d"), data__why="parted").exists()
    assert set(entrant(event, "c").members.values_list("player__name", flat=True)) == {"c", "b1"}


def test_those_who_have_a_place_still_take_part_already() -> None:
    event = started("knockout", 6, capacity=4)
    with pytest.raises(Conflict) as refused:
        ask(event, "p1", "p2")
    assert refused.value.code == "already-joined"


def test_the_page_names_who_waits_and_takes_the_longest_by_default() -> None:
    event = started("knockout", 6, capacity=4)
    client, pk = browser("host"), entrant(event, "p1").pk
    path = at(event, "organise/replace/")
    assert "On the waiting list, the longest first: p5, p6." in text_of_page(client, f"{path}?entrant={pk}")
    answer = client.post(path, {"entrant": pk, "player": "", "why": "ill"}, follow=True)
    assert "p5 is asked to play on for p1." in answer.content.decode()
    nobody = started("knockout", 4)
    empty = {"entrant": entrant(nobody, "p1").pk, "player": "", "why": "ill"}
    assert client.post(at(nobody, "organise/replace/"), empty).status_code == 422


def test_the_api_takes_the_longest_by_default() -> None:
    event = started("knockout", 6, capacity=4)
    path = f"tournaments/{event.code}/replace/"
    made = Program("host").do(path, {"entrant": entrant(event, "p1").pk})
    assert (made["player"], made["replaces"]) == ("p5", "p1")


# ------------------------------------------------------------------------------------ who forgot to confirm


def began_without(name: str = "p4", **fields: Any) -> Tournament:
    """Swiss rounds that began without somebody, who had not confirmed."""
    event = published("swiss", 5, confirmation=True, rounds=4, **fields)
    for one in event.members.exclude(player__name=name).select_related("player"):
        assert one.player
        entries.confirm_entry(player=one.player, code=event.code, now=NOW)
    tournaments.start_tournament(by=host(), code=event.code, now=NOW)
    sweep.sweep_tournaments(now=NOW)
    event.refresh_from_db()
    return event


def without_seeds(entrants: list[dict[str, Any]], besides: int = 0) -> list[dict[str, Any]]:
    """What pairings follow from: client seeds are for games only."""
    return [one | {"client_seeds": []} for one in entrants if one["id"] != besides]


def test_who_forgot_to_confirm_may_come_in_later_as_strangers_may() -> None:
    event = began_without(late=True)
    assert entrant(event, "p4").left == 0
    proof = tournament_details.build_fairness_proof(TournamentState(event))["entrants"]
    assert Program("p4").ask(f"tournaments/{event.code}/")["you"]["may"][0] == "enter"
    page = text_of_page(browser("p4"), at(event))
    assert "It began without you, as you had not confirmed." in page
    assert "You have withdrawn" not in page
    answer = browser("p4").post(at(event, "enter/"), follow=True)
    assert "You take part." in answer.content.decode()
    entered = entrant(event, "p4")
    assert (entered.status, entered.left, entered.joined) == (Entrant.Status.ENTERED, None, 2)
    # What the first round followed from is still there, so that anybody can pair it again.
    assert without_seeds(
        tournament_details.build_fairness_proof(TournamentState(event))["entrants"], besides=entered.pk
    ) == without_seeds(proof)
    text = text_of_page(browser(), at(event, "entrants/"))
    assert "Who takes part 5" in text
    assert "former player" not in text
    play_round(event, NOW + DAY)
    assert event.tables.filter(round=2, sittings__entrant=entered).exists()
    with pytest.raises(Conflict):
        entries.enter_tournament(player=someone("p4"), code=event.code, now=NOW)


def test_where_nobody_comes_in_later_they_do_not_either() -> None:
    event = began_without()
    with pytest.raises(Conflict):
        entries.enter_tournament(player=someone("p4"), code=event.code, now=NOW)
    page = text_of_page(browser("p4"), at(event))
    assert "It began without you" in page
    assert "You had not confirmed that you would be there." in page
    assert "Join" not in page


def test_who_withdrew_does_not_come_back_that_way() -> None:
    event = began_without(late=True)
    entries.withdraw_from_tournament(player=someone("p1"), code=event.code, now=NOW)
    with pytest.raises(Conflict):
        entries.enter_tournament(player=someone("p1"), code=event.code, now=NOW)


def test_a_pair_that_forgot_may_come_in_also_with_others() -> None:
    event = published("swiss", 3, mode="pairs", confirmation=True, late=True, rounds=3)
    for name in ("a1", "a2"):
        entries.confirm_entry(player=someone(name), code=event.code, now=NOW)
    tournaments.start_tournament(by=host(), code=event.code, now=NOW)
    sweep.sweep_tournaments(now=NOW)
    enter_pair(event, "a3", "new")
    assert entrant(event, "a3").joined == 2
    enter_pair(event, "b3", "newer")
    assert event.entrants.filter(status=Entrant.Status.ENTERED).count() == 4


# ---------------------------------------------------------------------------------- dates and lengths of time

DAY_LONG, WEEK = 86_400, 7 * 86_400


@pytest.mark.parametrize("custom", [False, True])
def test_a_round_shorter_than_a_turn_is_refused_everywhere(custom: bool) -> None:
    terms: dict[str, Any] = {"clock_name": "custom", "allowance": WEEK, "bank": 0} if custom else {}
    terms = terms or {"clock_name": "7d"}
    with pytest.raises(Invalid) as refused:
        tournaments.create_tournament(
            organiser=host(), name="Cup", format="swiss", now=NOW, round_length=DAY_LONG, **terms
        )
    assert refused.value.code == "round-too-short"
    with pytest.raises(Invalid):
        leagues.create_league(organiser=host(), name="L", size=4, now=NOW, round_length=DAY_LONG, **terms)
    assert not Tournament.objects.exists()


def test_a_round_too_short_is_told_on_the_form_and_over_the_api() -> None:
    body = {"name": "Cup", "format": "swiss", "clock": "7d", "round_length": DAY_LONG}
    assert Program("host").refused("tournaments/", body) == (422, "round-too-short")
    form = {"name": "Cup", "format": "swiss", "seats": "2", "clock": "7d"}
    form |= {"round_length_0": "1", "round_length_1": str(DAY_LONG)}
    answer = browser("host").post("/tournaments/new/", form)
    assert answer.status_code == 422
    assert "round_length" in answer.context["form"].errors
    league = {"name": "L", "seats": "2", "clock": "7d", "size": "4"}
    league |= {"round_length_0": "1", "round_length_1": str(DAY_LONG)}
    answer = browser("host").post("/leagues/new/", league)
    assert "round_length" in answer.context["form"].errors
    assert not Tournament.objects.exists()


def test_turns_cannot_be_made_longer_than_the_round_afterwards() -> None:
    event = tournaments.create_tournament(
        organiser=host(), name="Cup", format="swiss", now=NOW, clock_name="12h", round_length=DAY_LONG
    )
    with pytest.raises(Invalid):
        tournaments.edit_tournament(by=host(), code=event.code, now=NOW, clock_name="7d")
    with pytest.raises(Invalid):
        tournaments.edit_tournament(by=host(), code=event.code, now=NOW, short_allowance=2 * DAY_LONG)


@pytest.mark.parametrize("field", ["starts_at", "closes_at"])
def test_what_would_begin_or_close_in_the_past_is_refused(field: str) -> None:
    with pytest.raises(Invalid) as refused:
        tournaments.create_tournament(
            organiser=host(), name="Cup", format="swiss", now=NOW, **{field: NOW - HOUR}
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
    event = tournaments.create_tournament(organiser=host(), name="Cup", format="swiss", now=NOW)
    with pytest.raises(Invalid):
        tournaments.edit_tournament(by=host(), code=event.code, now=NOW, **{field: NOW - HOUR})


def test_a_draft_whose_start_has_passed_is_not_published() -> None:
    for field in ("starts_at", "closes_at"):
        event = tournaments.create_tournament(
            organiser=host(), name="Cup", format="swiss", now=NOW, **{field: NOW + HOUR}
        )
        with pytest.raises(Conflict) as refused:
            tournaments.publish_tournament(by=host(), code=event.code, now=NOW + DAY)
        assert refused.value.code == "date-in-the-past"
        # What else is laid down can still be changed, and then it can be published.
        tournaments.edit_tournament(by=host(), code=event.code, now=NOW + DAY, text="Later.")
        tournaments.edit_tournament(by=host(), code=event.code, now=NOW + DAY, **{field: NOW + 2 * DAY})
        tournaments.publish_tournament(by=host(), code=event.code, now=NOW + DAY)


def test_entries_of_a_published_event_may_be_closed_at_once() -> None:
    event = published("swiss", 2)
    tournaments.edit_tournament(by=host(), code=event.code, now=NOW + HOUR, closes_at=NOW)
    with pytest.raises(Conflict):
        entries.enter_tournament(player=someone("late"), code=event.code, now=NOW + HOUR)


def test_a_reserve_longer_than_the_round_is_allowed_and_pointed_out() -> None:
    fields: dict[str, Any] = {"organiser": host(), "name": "Cup", "format": "swiss", "now": NOW}
    odd = tournaments.create_tournament(**fields, clock_name="2d", round_length=3 * DAY_LONG)
    usual = tournaments.create_tournament(**fields, clock_name="2d", round_length=14 * DAY_LONG)
    client, words = browser("host"), "The reserve is longer than a round lasts"
    assert words in text_of_page(client, at(odd, "organise/"))
    assert words not in text_of_page(client, at(usual, "organise/"))
    league = leagues.create_league(
        organiser=host(), name="L", size=4, now=NOW, clock_name="2d", round_length=3 * DAY_LONG
    )
    assert words in text_of_page(client, f"/leagues/{league.code}/organise/")
