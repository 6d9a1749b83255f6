"""Evidence of notices sent to a player before the clock played for them, and decisions based on it."""

from __future__ import annotations

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from accounts.models import Player
from common.service_errors import Conflict, Denied
from notifications.services import delivery_reports
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
from tests.factories.evidence import DAILY, MINUTE, first_table, mailed, time_out
from tests.factories.leagues import create_started_league, play_season
from tournaments.leagues.selectors.read_models import build_calendar
from tournaments.leagues.services import leagues
from tournaments.models import Pairing, Tournament
from tournaments.selectors import timeout_evidence
from tournaments.services import appeals, decisions, sweep

pytestmark = pytest.mark.django_db


def test_a_forfeit_comes_with_all_that_was_sent_before_it() -> None:
    tournament = create_started_tournament("knockout", 2, timeout_policy="forfeit", **DAILY)
    table, game, late = first_table(tournament)
    Player.objects.filter(pk=late.pk).update(remind_at_used_percent=50)
    sent_at = NOW + MINUTE
    mail = mailed(late, sent_at)
    delivery_reports.record_opened(delivery=mail, at=sent_at + 2 * MINUTE, now=sent_at + HOUR)
    delivery_reports.record_bounce(
        delivery=mailed(late, sent_at + 20 * HOUR, "reminder"),
        reason="550 <p> gone",
        permanent=False,
        now=NOW + DAY,
    )
    end = time_out(game)
    sweep.sweep_tournaments(now=end)
    table.refresh_from_db()
    assert table.result
    assert table.result["timeouts"] == table.result["forfeits"] == [entrant(tournament, late.name).pk]
    with CaptureQueriesContext(
        connection,
    ) as queries:
        (evidence,) = timeout_evidence.list_timeout_evidence(table, late)
    assert len(queries) <= 8
    assert (evidence.player, evidence.entrant) == (late.name, entrant(tournament, late.name).pk)
    assert (evidence.turn, evidence.began_at, evidence.deadline) == (0, NOW, end)
    assert (evidence.outcome, evidence.seq, evidence.at) == ("resigned", 1, end)
    sent = {line.kind: line for line in evidence.notices}
    assert sent.keys() == {"tournament-pairing", "turn", "reminder"}
    first, second = (
        sent["tournament-pairing"],
        sent["reminder"],
    )  # the mail of a new game announces its first turn
    assert (first.channel, first.address) == ("mail", late.email)
    assert (first.sent_at, first.delivered_at, first.opened_at) == (
        sent_at, sent_at + MINUTE, sent_at + 2 * MINUTE,
    )  # fmt: skip
    assert (second.bounced, second.status_reason) == (True, "550 <p> gone")
    other = next(get_player(name) for name in ("p1", "p2") if name != late.name)
    for viewer in (other, get_host()):
        (viewer_evidence,) = timeout_evidence.list_timeout_evidence(table, viewer)
        assert late.email not in str(viewer_evidence)
        assert [(line.address, line.status_reason) for line in viewer_evidence.notices] == [
            ("p…@…", None)
        ] * 3
    for stranger in (None, get_player("stranger")):
        with pytest.raises(Denied):
            timeout_evidence.list_timeout_evidence(table, stranger)


def test_every_turn_that_the_clock_played_is_announced_and_nothing_else() -> None:
    tournament = create_started_tournament("swiss", 2, round_count=1, **DAILY)
    table, game, late = first_table(tournament)
    assert timeout_evidence.list_timeout_evidence(table, get_host()) == []
    mailed(late, NOW + MINUTE)
    ends = [time_out(game) for _ in range(3)]
    evidence_rows = timeout_evidence.list_timeout_evidence(table, get_host())
    game.refresh_from_db()
    assert [evidence.at for evidence in evidence_rows] == ends
    assert [evidence.began_at for evidence in evidence_rows] == [NOW, *ends[:2]]
    assert [evidence.deadline for evidence in evidence_rows] == ends
    assert [evidence.outcome for evidence in evidence_rows] == ["autoplay"] * 3
    assert evidence_rows[0].player == evidence_rows[2].player == late.name != evidence_rows[1].player
    kinds = [sorted(line.kind for line in evidence.notices) for evidence in evidence_rows]
    assert kinds == [["tournament-pairing", "turn"], [], []]
    assert evidence_rows[-1].seq == game.seq


def test_the_evidence_stays_with_who_sat_there_then() -> None:
    league = create_started_league(3, all_rounds_at_once=True, **DAILY)
    tournament = Tournament.objects.get()
    table, game, late = first_table(tournament)
    mailed(late, NOW + MINUTE)
    end = time_out(game)
    leagues.set_member_status(player=get_player("spare"), code=league.code, now=NOW, status="substitute")
    leagues.replace_with_substitute(by=get_host(), code=league.code, leaver=late, now=end)
    (evidence,) = timeout_evidence.list_timeout_evidence(table, get_player("spare"))
    assert evidence.player is None
    assert sorted(line.kind for line in evidence.notices) == ["tournament-pairing", "turn"]
    assert late.email not in str(evidence)


def test_who_withdrew_did_not_run_out_of_time() -> None:
    tournament = create_started_tournament("swiss", 2, round_count=1)
    table, _game, late = first_table(tournament)
    decisions.disqualify_entrant(
        by=get_host(), code=tournament.code, entrant=entrant(tournament, late.name).pk, now=NOW
    )
    sweep.sweep_tournaments(now=NOW)
    table.refresh_from_db()
    assert table.result
    assert (len(table.result["forfeits"]), table.result["timeouts"]) == (1, [])
    assert timeout_evidence.list_timeout_evidence(table, get_host()) == []


def test_a_forfeit_is_appealed_after_the_end_and_its_correction_settles_anew() -> None:
    tournament = create_started_tournament("knockout", 2, timeout_policy="forfeit", **DAILY)
    table, game, late = first_table(tournament)
    end = time_out(game)
    sweep.sweep_tournaments(now=end)
    tournament.refresh_from_db()
    assert tournament.status == "finished"
    own_entrant = entrant(tournament, late.name)
    assert own_entrant.rank == 2
    with pytest.raises(Conflict):
        appeals.file_appeal(
            player=late,
            code=tournament.code,
            pairing_id=table.pk,
            text="late",
            now=end + appeals.APPEAL_PERIOD_AFTER_END,
        )
    appeal = appeals.file_appeal(
        player=late, code=tournament.code, pairing_id=table.pk, text="the mail came back", now=end + DAY
    )
    seats = [pairing_seat.entrant_id for pairing_seat in table.pairing_seats.order_by("seat_no")]
    ranks = [1 if pk == own_entrant.pk else 2 for pk in seats]
    decisions.correct_result(
        by=get_host(), code=tournament.code, pairing_id=table.pk, ranks=ranks, now=end + DAY, confirmed=True
    )
    appeals.answer_appeal(
        by=get_host(), code=tournament.code, appeal_id=appeal.pk, text="you are right", now=end + DAY
    )
    sweep.sweep_tournaments(now=end + DAY)
    tournament.refresh_from_db()
    own_entrant.refresh_from_db()
    assert (tournament.status, own_entrant.rank) == ("finished", 1)
    table.refresh_from_db()
    assert table.result
    assert (table.result["forfeits"], table.result["timeouts"], table.result["by"]) == ([], [], "organiser")


def test_a_forfeit_in_the_last_game_of_a_season_can_be_appealed_before_it_is_over() -> None:
    league = create_started_league(3, timeout_policy="forfeit", **DAILY)
    season = league.seasons.get()
    tournament = Tournament.objects.get()
    for _ in range(2):
        decide(
            list_running_pairings(tournament)[0],
            *sorted(name_at(list_running_pairings(tournament)[0], place) for place in (0, 1)),
        )
        sweep.sweep_tournaments(now=NOW)
    table, game, late = first_table(tournament)
    end = time_out(game)
    sweep.sweep_tournaments(now=end)
    tournament.refresh_from_db()
    season.refresh_from_db()
    assert (tournament.status, season.finished_at) == ("finished", None)
    league.refresh_from_db()
    assert build_calendar(league, season, end)[-2].at == end + DAY
    # Without an appeal, the season ends after a day; with one, it waits for the answer.
    with transaction.atomic():
        assert sweep.sweep_tournaments(now=end + DAY)["season-ended"] == 1
        transaction.set_rollback(True)
    appeal = appeals.file_appeal(
        player=late, code=tournament.code, pairing_id=table.pk, text="I was ill", now=end + HOUR
    )
    assert not sweep.sweep_tournaments(now=end + 2 * DAY)
    own_pk = entrant(tournament, late.name).pk
    ranks = [
        1 if pairing_seat.entrant_id == own_pk else 2
        for pairing_seat in table.pairing_seats.order_by("seat_no")
    ]
    decisions.correct_result(
        by=get_host(),
        code=tournament.code,
        pairing_id=table.pk,
        ranks=ranks,
        now=end + 2 * DAY,
        confirmed=True,
    )
    assert not sweep.sweep_tournaments(now=end + 2 * DAY)["season-ended"]
    appeals.answer_appeal(
        by=get_host(), code=tournament.code, appeal_id=appeal.pk, text="so be it", now=end + 2 * DAY
    )
    assert sweep.sweep_tournaments(now=end + 2 * DAY)["season-ended"] == 1
    table.refresh_from_db()
    assert table.result
    assert table.result["by"] == "organiser"


def test_a_season_does_not_wait_for_ever_for_an_answer() -> None:
    league = create_started_league(3, timeout_policy="forfeit", **DAILY)
    tournament = Tournament.objects.get()
    table, game, late = first_table(tournament)
    end = time_out(game)
    sweep.sweep_tournaments(now=end)
    appeals.file_appeal(player=late, code=tournament.code, pairing_id=table.pk, text="I was ill", now=end)
    while open_pairings := list_running_pairings(tournament):
        decide(open_pairings[0], *sorted(name_at(open_pairings[0], place) for place in (0, 1)), now=end)
        sweep.sweep_tournaments(now=end)
    assert not sweep.sweep_tournaments(now=end + 6 * DAY)
    assert sweep.sweep_tournaments(now=end + 7 * DAY)["season-ended"] == 1
    assert league.seasons.count() == 2


def test_nothing_is_appealed_once_the_season_is_over() -> None:
    league = create_started_league(3)
    done = play_season(league)
    table = Pairing.objects.filter(tournament__division__season=done, game__isnull=False)[0]
    player = table.pairing_seats.all()[0].entrant.entrant_players.get().player
    assert player
    with pytest.raises(Conflict):
        appeals.file_appeal(player=player, code=table.tournament.code, pairing_id=table.pk, text="x", now=NOW)
