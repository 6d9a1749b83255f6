"""An event that ends, goes on and ends again: its places, and what its players are told."""

from __future__ import annotations

import pytest

from games.models import Delivery, FeedEntry
from games.services import notices
from games.services.contact_limits import DAILY_LIMITS, ContactKind
from tests.tournaments.mailing import body, dropped, last, send, sent
from tests.tournaments.play import (
    DAY,
    HOUR,
    NOW,
    decide,
    entrant,
    host,
    name_at,
    playing,
    someone,
    started,
)
from tournaments.models import Pairing, Tournament
from tournaments.services import decision_undo, decisions, sweep

pytestmark = pytest.mark.django_db


def names(table: Pairing) -> list[str]:
    return [name_at(table, place) for place in range(table.sittings.count())]


def ended_by_decision() -> tuple[Tournament, Pairing]:
    """A match that ended by an organiser's word while its game was still played."""
    event = started("knockout", 2)
    (table,) = playing(event)
    decide(table, *names(table))
    sweep.sweep_tournaments(now=NOW)
    event.refresh_from_db()
    assert event.status == "finished"
    return event, table


def take_back(event: Tournament) -> None:
    """Undo the newest correction."""
    newest = event.decisions.order_by("-pk")[0]
    decision_undo.undo_decision(by=host(), code=event.code, decision=newest.pk, now=NOW, confirmed=True)


# ------------------------------------------------------------------------------------------------ the places


def test_nobody_keeps_a_final_place_when_an_undone_correction_reopens_an_event() -> None:
    event, table = ended_by_decision()
    take_back(event)
    for _twice in range(2):
        event.refresh_from_db()
        assert event.status == "running"
        assert set(event.entrants.values_list("rank", flat=True)) == {None}
        sweep.sweep_tournaments(now=NOW)
    first, second = names(table)
    decisions.correct_result(
        by=host(), code=event.code, table=table.pk, ranks=[2, 1], now=NOW
    )  # asks nothing
    sweep.sweep_tournaments(now=NOW)
    assert (entrant(event, first).rank, entrant(event, second).rank) == (2, 1)


def test_nobody_keeps_a_final_place_when_a_correction_reopens_an_event() -> None:
    event, table = ended_by_decision()
    level = {"table": table.pk, "ranks": [1, 1]}
    decisions.correct_result(by=host(), code=event.code, now=NOW, confirmed=True, **level)
    assert set(event.entrants.values_list("rank", flat=True)) == {None}


# ------------------------------------------------------------------------------------------- how many mails


MOST = DAILY_LIMITS[ContactKind.CORRECTED_TOURNAMENT_END].per_acquaintance


def count_ends(name: str) -> tuple[int, int]:
    """How many ends somebody reads of in their feed, and how many mails that makes."""
    while notices.fan_out_notices(now=NOW + 9 * DAY):
        pass
    found = {"kind": "event-end", "player": someone(name)}
    return FeedEntry.objects.filter(**found).count(), Delivery.objects.filter(**found).count()


def test_corrections_and_their_undoing_after_the_end_make_only_so_many_mails() -> None:
    event, table = ended_by_decision()
    first, second = names(table)
    for _number in range(MOST):
        decide(table, second, first)
        sweep.sweep_tournaments(now=NOW)
        take_back(event)
        sweep.sweep_tournaments(now=NOW)
    for name in (first, second):
        assert count_ends(name) == (1 + 2 * MOST, MOST)  # the first end came by a correction, too
    decide(table, second, first, now=NOW + DAY + HOUR)
    sweep.sweep_tournaments(now=NOW + DAY + HOUR)
    assert count_ends(first) == (2 + 2 * MOST, 1 + MOST), "another day"


def test_an_event_that_is_reopened_and_ended_again_and_again_makes_only_so_many_mails() -> None:
    event, table = ended_by_decision()
    for _number in range(MOST + 2):
        take_back(event)
        sweep.sweep_tournaments(now=NOW)
        decide(table, *names(table))
        sweep.sweep_tournaments(now=NOW)
    # The first end came by a correction as well.
    assert count_ends(names(table)[0]) == (3 + MOST, MOST)


# --------------------------------------------------------------------------- what a mail says in the morning


NIGHT = NOW + HOUR  # mails that are written by now wait, as in quiet hours


def test_no_mail_says_that_an_event_is_over_that_is_played_again() -> None:
    event, table = ended_by_decision()
    take_back(event)
    sweep.sweep_tournaments(now=NOW)
    send(NIGHT)
    for name in names(table):
        assert "event-end" not in [kind for kind, _subject in sent(name)]
        assert dropped(name)["event-end"] == "It was decided meanwhile."


def test_of_several_ends_only_the_newest_is_mailed() -> None:
    event, table = ended_by_decision()
    first, second = names(table)
    decide(table, second, first)
    sweep.sweep_tournaments(now=NOW)
    take_back(event)
    sweep.sweep_tournaments(now=NOW)
    send(NIGHT)
    for name in (first, second):
        assert [kind for kind, _subject in sent(name)].count("event-end") == 1
    assert last(first)["Subject"].endswith("Corrected: you have won")
    assert "Before that, your place was 2." in body(first)


def test_the_mail_is_sent_where_later_ends_make_none() -> None:
    event, table = ended_by_decision()
    first, second = names(table)
    for _number in range(MOST):
        decide(table, second, first)
        sweep.sweep_tournaments(now=NOW)
        take_back(event)
        sweep.sweep_tournaments(now=NOW)
    send(NIGHT)
    ends = [subject for kind, subject in sent(first) if kind == "event-end"]
    # The last one that may be mailed said that another place had become theirs; it is theirs no more.
    assert len(ends) == 1
    assert ends[0].endswith(": You have won")
    assert "your place was" not in body(first)
