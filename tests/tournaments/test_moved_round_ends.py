"""The end of a round is put off, and never moved forward; who did not know of an end is told of it."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.conf import LazySettings
from django.test import Client
from django.utils import timezone

from games.models import FeedEntry
from games.services import contact_limits
from games.services.contact_limits import ContactKind
from games.services.errors import Conflict, Invalid
from tournaments.models import Decision, Tournament
from tournaments.services import decision_undo, decisions, sweep, tournaments

from .mailing import MINUTE, SOON, body, dropped, kinds_sent, send
from .play import DAY, HOUR, NOW, decide, host, name_at, play, playing, started
from .programs import Program

pytestmark = pytest.mark.django_db
KIND = "event-round-end"


@pytest.fixture(autouse=True)
def world(settings: LazySettings) -> None:
    settings.SITE_URL = "https://otto.example.org"


@pytest.fixture
def at_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages are opened when the round has just begun."""
    monkeypatch.setattr(timezone, "now", lambda: NOW + MINUTE)


def cup(count: int = 2) -> Tournament:
    """One whose rounds end after a day."""
    return started("swiss", count, round_length=86_400, clock_name="12h")


def extend(
    event: Tournament, after: timedelta, now_after: timedelta = timedelta(0), **words: str
) -> Decision:
    return decisions.extend_round(
        by=host(), code=event.code, round_number=1, until=NOW + after, now=NOW + now_after, **words
    )


def notified_names() -> list[str]:
    return sorted(line.player.name for line in FeedEntry.objects.filter(kind=KIND))


@pytest.mark.parametrize("after", [2 * MINUTE, DAY - MINUTE])
def test_no_end_is_moved_forward(after: timedelta, at_the_start: None) -> None:
    event = cup()
    with pytest.raises(Invalid) as refused:
        extend(event, after)
    assert refused.value.code == "earlier-end"
    body = {"round": 1, "until": (NOW + after).isoformat()}
    assert Program("host").refused(f"tournaments/{event.code}/extend/", body) == (422, "earlier-end")
    client = Client()
    client.force_login(host())
    form = {"round": 1, "until": f"{NOW + after:%Y-%m-%dT%H:%M}"}
    answer = client.post(f"/tournaments/{event.code}/organise/extend/", form)
    assert answer.status_code == 422
    assert "an end can only be put off" in answer.context["form"].errors["until"][0]
    assert event.published.get().ends_at == NOW + DAY
    assert not Decision.objects.exists()
    sweep.sweep_tournaments(now=NOW + after)
    assert playing(event)


def test_the_form_starts_from_the_end_that_stands() -> None:
    event, client = cup(), Client()
    event.published.update(ends_at=NOW + DAY + timedelta(seconds=37))
    client.force_login(host())
    page = client.get(f"/tournaments/{event.code}/organise/extend/?round=1")
    assert page.context["form"].initial["until"] == NOW + DAY + MINUTE
    assert "The end can only be put off." in page.text


def test_everybody_who_plays_is_told_of_a_first_end() -> None:
    event = started("swiss", 6)
    first, *others = playing(event)
    play(first, NOW)
    sweep.sweep_tournaments(now=NOW)
    send()
    extend(event, 9 * DAY, HOUR, public_note="We have to end in March.", why="secret")
    there = sorted(name_at(table, place) for table in others for place in range(2))
    assert notified_names() == there, "nobody whose table is settled"
    send(NOW + HOUR + 2 * MINUTE)
    assert kinds_sent(there[0]).count(KIND) == 1
    text = body(there[0])
    assert "Your round has an end now" in text
    assert "The round ends on Tuesday 10 March, 12:00 (UTC)" in text
    assert "We have to end in March." in text
    assert "secret" not in text


def test_nobody_is_told_of_an_end_that_is_put_off() -> None:
    event = cup()
    extend(event, 3 * DAY)
    extend(event, 3 * DAY)
    tournaments.edit_tournament(by=host(), code=event.code, now=NOW, name="Another cup")
    tournaments.edit_tournament(by=host(), code=event.code, now=NOW, round_length=50_000)
    assert notified_names() == []
    assert event.published.get().ends_at == NOW + 3 * DAY, "what is laid down anew counts from the next round"


def test_everybody_who_plays_is_told_when_more_time_is_taken_back() -> None:
    event = cup()
    moved = extend(event, 3 * DAY)
    send()
    decision_undo.undo_decision(by=host(), code=event.code, decision=moved.pk, now=NOW + HOUR)
    assert notified_names() == ["p1", "p2"]
    send(NOW + HOUR + 2 * MINUTE)
    assert kinds_sent("p1").count(KIND) == kinds_sent("p2").count(KIND) == 1
    assert "Your round ends sooner" in body("p1")
    assert "The round ends on Monday 2 March, 12:00 (UTC)" in body("p1")
    with pytest.raises(Conflict):
        decision_undo.undo_decision(by=host(), code=event.code, decision=moved.pk, now=NOW + HOUR)
    assert notified_names() == ["p1", "p2"]


def test_a_result_that_is_taken_back_is_no_other_end() -> None:
    event = cup()
    (table,) = playing(event)
    decide(table, "p1", "p2")
    decision_undo.undo_decision(by=host(), code=event.code, decision=event.decisions.get().pk, now=NOW)
    assert notified_names() == []


def test_mails_about_ends_are_counted() -> None:
    event = cup()
    most = contact_limits.DAILY_LIMITS[ContactKind.ROUND_END].per_acquaintance
    for _time in range(most + 2):
        moved = extend(event, 3 * DAY)
        decision_undo.undo_decision(by=host(), code=event.code, decision=moved.pk, now=NOW)
    lines = FeedEntry.objects.filter(kind=KIND, player__name="p1")
    assert lines.count() == most + 2
    assert lines.filter(due_at__isnull=False).count() == most


def test_a_mail_is_dropped_when_the_end_is_gone_again() -> None:
    event = started("swiss", 2)
    given = extend(event, DAY)
    decision_undo.undo_decision(by=host(), code=event.code, decision=given.pk, now=NOW)
    send(SOON)
    assert KIND not in kinds_sent("p1")
    assert KIND in dropped("p1")
