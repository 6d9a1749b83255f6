"""The end of a round can only be postponed; players who did not know of an end are notified of it."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.conf import LazySettings
from django.test import Client
from django.utils import timezone

from accounts.daily_limits import load_daily_limits
from common.service_errors import Conflict, Invalid
from notifications.models import FeedEntry
from tests.factories.events import (
    DAY,
    HOUR,
    NOW,
    create_started_tournament,
    decide,
    get_host,
    list_running_pairings,
    name_at,
    play,
)
from tests.helpers.tournament_mails import (
    MINUTE,
    TWO_MINUTES_LATER,
    get_last_body,
    list_sent_kinds,
    map_drop_reasons,
    send_mails,
)
from tests.helpers.tournament_programs import Program
from tournaments.contact_kinds import TournamentContactKind
from tournaments.models import Decision, Tournament
from tournaments.services import decision_undo, decisions, sweep, tournaments

pytestmark = pytest.mark.django_db
KIND = "tournament-round-end"


@pytest.fixture(autouse=True)
def configure_site(settings: LazySettings) -> None:
    settings.SITE_URL = "https://otto.example.org"


@pytest.fixture
def freeze_at_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """Open pages shortly after the start of the round."""
    monkeypatch.setattr(timezone, "now", lambda: NOW + MINUTE)


def start_cup(count: int = 2) -> Tournament:
    """Start a tournament with rounds of one day."""
    return create_started_tournament("swiss", count, round_length=86_400, time_control="12h")


def extend_round(
    tournament: Tournament, after: timedelta, now_after: timedelta = timedelta(0), **words: str
) -> Decision:
    return decisions.extend_round(
        by=get_host(), code=tournament.code, round_number=1, until=NOW + after, now=NOW + now_after, **words
    )


def list_notified_names() -> list[str]:
    return sorted(line.player.name for line in FeedEntry.objects.filter(kind=KIND))


@pytest.mark.parametrize("after", [2 * MINUTE, DAY - MINUTE])
def test_no_end_is_moved_forward(after: timedelta, freeze_at_start: None) -> None:
    tournament = start_cup()
    with pytest.raises(Invalid) as refused:
        extend_round(tournament, after)
    assert refused.value.code == "earlier-end"
    body = {"round": 1, "until": (NOW + after).isoformat()}
    assert Program("host").refused(f"tournaments/{tournament.code}/extend/", body) == (422, "earlier-end")
    client = Client()
    client.force_login(get_host())
    form = {"round": 1, "until": f"{NOW + after:%Y-%m-%dT%H:%M}"}
    answer = client.post(f"/tournaments/{tournament.code}/organise/extend/", form)
    assert answer.status_code == 422
    assert "You can only move it later." in answer.context["form"].errors["until"][0]
    assert tournament.rounds.get().ends_at == NOW + DAY
    assert not Decision.objects.exists()
    sweep.sweep_tournaments(now=NOW + after)
    assert list_running_pairings(tournament)


def test_the_form_starts_from_the_end_that_stands() -> None:
    tournament, client = start_cup(), Client()
    tournament.rounds.update(ends_at=NOW + DAY + timedelta(seconds=37))
    client.force_login(get_host())
    page = client.get(f"/tournaments/{tournament.code}/organise/extend/?round=1")
    assert page.context["form"].initial["until"] == NOW + DAY + MINUTE
    assert "You can only move the deadline to a later time." in page.text


def test_everybody_who_plays_is_notified_of_a_first_end() -> None:
    tournament = create_started_tournament("swiss", 6)
    first, *other_tables = list_running_pairings(tournament)
    play(first, NOW)
    sweep.sweep_tournaments(now=NOW)
    send_mails()
    extend_round(tournament, 9 * DAY, HOUR, public_note="We have to end in March.", reason="secret")
    other_names = sorted(name_at(table, place) for table in other_tables for place in range(2))
    assert list_notified_names() == other_names, "nobody whose table is settled"
    send_mails(NOW + HOUR + 2 * MINUTE)
    assert list_sent_kinds(other_names[0]).count(KIND) == 1
    text = get_last_body(other_names[0])
    assert "Your round now has a deadline" in text
    assert "The round ends on Tuesday 10 March, 12:00 (UTC)" in text
    assert "We have to end in March." in text
    assert "secret" not in text


def test_nobody_is_notified_of_an_end_that_is_put_off() -> None:
    tournament = start_cup()
    extend_round(tournament, 3 * DAY)
    extend_round(tournament, 3 * DAY)
    tournaments.edit_tournament(by=get_host(), code=tournament.code, now=NOW, name="Another cup")
    tournaments.edit_tournament(by=get_host(), code=tournament.code, now=NOW, round_length=50_000)
    assert list_notified_names() == []
    assert tournament.rounds.get().ends_at == NOW + 3 * DAY, (
        "what is laid down anew counts from the next round"
    )


def test_everybody_who_plays_is_notified_when_more_time_is_taken_back() -> None:
    tournament = start_cup()
    moved = extend_round(tournament, 3 * DAY)
    send_mails()
    decision_undo.undo_decision(by=get_host(), code=tournament.code, decision=moved.pk, now=NOW + HOUR)
    assert list_notified_names() == ["p1", "p2"]
    send_mails(NOW + HOUR + 2 * MINUTE)
    assert list_sent_kinds("p1").count(KIND) == list_sent_kinds("p2").count(KIND) == 1
    assert "The deadline of your round is earlier now" in get_last_body("p1")
    assert "The round ends on Monday 2 March, 12:00 (UTC)" in get_last_body("p1")
    with pytest.raises(Conflict):
        decision_undo.undo_decision(by=get_host(), code=tournament.code, decision=moved.pk, now=NOW + HOUR)
    assert list_notified_names() == ["p1", "p2"]


def test_a_result_that_is_taken_back_is_no_other_end() -> None:
    tournament = start_cup()
    (table,) = list_running_pairings(tournament)
    decide(table, "p1", "p2")
    decision_undo.undo_decision(
        by=get_host(), code=tournament.code, decision=tournament.decisions.get().pk, now=NOW
    )
    assert list_notified_names() == []


def test_mails_about_ends_are_counted() -> None:
    tournament = start_cup()
    most = load_daily_limits()[TournamentContactKind.ROUND_END].per_acquaintance
    for _time in range(most + 2):
        moved = extend_round(tournament, 3 * DAY)
        decision_undo.undo_decision(by=get_host(), code=tournament.code, decision=moved.pk, now=NOW)
    lines = FeedEntry.objects.filter(kind=KIND, player__name="p1")
    assert lines.count() == most + 2
    assert lines.filter(notify_at__isnull=False).count() == most


def test_a_mail_is_dropped_when_the_end_is_gone_again() -> None:
    tournament = create_started_tournament("swiss", 2)
    decision = extend_round(tournament, DAY)
    decision_undo.undo_decision(by=get_host(), code=tournament.code, decision=decision.pk, now=NOW)
    send_mails(TWO_MINUTES_LATER)
    assert KIND not in list_sent_kinds("p1")
    assert KIND in map_drop_reasons("p1")
