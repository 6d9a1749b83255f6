"""Tournaments that end, are reopened and end again: the final ranks, and the mails to players."""

from __future__ import annotations

import pytest

from accounts.daily_limits import load_daily_limits
from notifications.models import Delivery, FeedEntry
from notifications.services import notices
from tests.factories.events import (
    DAY,
    HOUR,
    NOW,
    create_started_tournament,
    decide,
    entrant,
    get_host,
    get_player,
    list_running_pairings,
    name_at,
)
from tests.helpers.tournament_mails import (
    get_last_body,
    get_last_mail,
    list_sent,
    map_drop_reasons,
    send_mails,
)
from tournaments.contact_kinds import TournamentContactKind
from tournaments.models import Pairing, Tournament
from tournaments.services import decision_undo, decisions, sweep

pytestmark = pytest.mark.django_db


def list_names(table: Pairing) -> list[str]:
    return [name_at(table, place) for place in range(table.pairing_seats.count())]


def end_by_decision() -> tuple[Tournament, Pairing]:
    """End a match by a correction while its game is still played."""
    tournament = create_started_tournament("knockout", 2)
    (table,) = list_running_pairings(tournament)
    decide(table, *list_names(table))
    sweep.sweep_tournaments(now=NOW)
    tournament.refresh_from_db()
    assert tournament.status == "finished"
    return tournament, table


def undo_correction(tournament: Tournament) -> None:
    """Undo the newest correction."""
    newest = tournament.decisions.order_by("-pk")[0]
    decision_undo.undo_decision(
        by=get_host(), code=tournament.code, decision=newest.pk, now=NOW, confirmed=True
    )


# ----------------------------------------------------------------------------------------------- final ranks


def test_nobody_keeps_a_final_place_when_an_undone_correction_reopens_an_event() -> None:
    tournament, table = end_by_decision()
    undo_correction(tournament)
    for _twice in range(2):
        tournament.refresh_from_db()
        assert tournament.status == "running"
        assert set(tournament.entrants.values_list("rank", flat=True)) == {None}
        sweep.sweep_tournaments(now=NOW)
    first, second = list_names(table)
    decisions.correct_result(
        by=get_host(), code=tournament.code, pairing_id=table.pk, ranks=[2, 1], now=NOW
    )  # needs no confirmation
    sweep.sweep_tournaments(now=NOW)
    assert (entrant(tournament, first).rank, entrant(tournament, second).rank) == (2, 1)


def test_nobody_keeps_a_final_place_when_a_correction_reopens_an_event() -> None:
    tournament, table = end_by_decision()
    level = {"pairing_id": table.pk, "ranks": [1, 1]}
    decisions.correct_result(by=get_host(), code=tournament.code, now=NOW, confirmed=True, **level)
    assert set(tournament.entrants.values_list("rank", flat=True)) == {None}


# ------------------------------------------------------------------------------------------ number of mails


MAX_ENDS_PER_DAY = load_daily_limits()[TournamentContactKind.CORRECTED_TOURNAMENT_END].per_acquaintance


def count_ends(name: str) -> tuple[int, int]:
    """Return how many ends of tournaments are in the feed of a player, and how many mails of them are due."""
    while notices.fan_out_notices(now=NOW + 9 * DAY):
        pass
    filters = {"kind": "tournament-end", "player": get_player(name)}
    return FeedEntry.objects.filter(**filters).count(), Delivery.objects.filter(**filters).count()


def test_corrections_and_their_undoing_after_the_end_make_only_so_many_mails() -> None:
    tournament, table = end_by_decision()
    first, second = list_names(table)
    for _number in range(MAX_ENDS_PER_DAY):
        decide(table, second, first)
        sweep.sweep_tournaments(now=NOW)
        undo_correction(tournament)
        sweep.sweep_tournaments(now=NOW)
    for name in (first, second):
        assert count_ends(name) == (
            1 + 2 * MAX_ENDS_PER_DAY,
            MAX_ENDS_PER_DAY,
        )  # a correction caused the first end, too
    decide(table, second, first, now=NOW + DAY + HOUR)
    sweep.sweep_tournaments(now=NOW + DAY + HOUR)
    assert count_ends(first) == (2 + 2 * MAX_ENDS_PER_DAY, 1 + MAX_ENDS_PER_DAY), "another day"


def test_an_event_that_is_reopened_and_ended_again_and_again_makes_only_so_many_mails() -> None:
    tournament, table = end_by_decision()
    for _number in range(MAX_ENDS_PER_DAY + 2):
        undo_correction(tournament)
        sweep.sweep_tournaments(now=NOW)
        decide(table, *list_names(table))
        sweep.sweep_tournaments(now=NOW)
    # A correction caused the first end as well.
    assert count_ends(list_names(table)[0]) == (3 + MAX_ENDS_PER_DAY, MAX_ENDS_PER_DAY)


# --------------------------------------------------------------------------------- contents of delayed mails


NIGHT = NOW + HOUR  # mails of this time wait, as in quiet hours


def test_no_mail_says_that_an_event_is_over_that_is_played_again() -> None:
    tournament, table = end_by_decision()
    undo_correction(tournament)
    sweep.sweep_tournaments(now=NOW)
    send_mails(NIGHT)
    for name in list_names(table):
        assert "tournament-end" not in [kind for kind, _subject in list_sent(name)]
        assert map_drop_reasons(name)["tournament-end"] == "Already decided."


def test_of_several_ends_only_the_newest_is_mailed() -> None:
    tournament, table = end_by_decision()
    first, second = list_names(table)
    decide(table, second, first)
    sweep.sweep_tournaments(now=NOW)
    undo_correction(tournament)
    sweep.sweep_tournaments(now=NOW)
    send_mails(NIGHT)
    for name in (first, second):
        assert [kind for kind, _subject in list_sent(name)].count("tournament-end") == 1
    assert get_last_mail(first)["Subject"].endswith("Corrected: you have won")
    assert "Your place was 2." in get_last_body(first)


def test_the_mail_is_sent_where_later_ends_make_none() -> None:
    tournament, table = end_by_decision()
    first, second = list_names(table)
    for _number in range(MAX_ENDS_PER_DAY):
        decide(table, second, first)
        sweep.sweep_tournaments(now=NOW)
        undo_correction(tournament)
        sweep.sweep_tournaments(now=NOW)
    send_mails(NIGHT)
    ends = [subject for kind, subject in list_sent(first) if kind == "tournament-end"]
    # The last allowed mail named another final rank, which is no longer theirs.
    assert len(ends) == 1
    assert ends[0].endswith(": You have won")
    assert "Your place was" not in get_last_body(first)
