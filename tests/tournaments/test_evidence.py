"""What shows that somebody was told of the turn that the clock played for them, and what follows from it."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from games.models import Delivery, Game, Player, Seat
from games.selectors import load_game
from games.services import delivery_reports, notices, outbox
from games.services import sweep as games_sweep
from games.services.errors import Conflict, Denied
from tournaments.models import Pairing, Tournament
from tournaments.selectors import timeout_evidence
from tournaments.selectors.league_read_models import build_calendar
from tournaments.services import appeals, decisions, leagues, sweep

from .play import DAY, HOUR, NOW, decide, entrant, host, name_at, playing, someone, started
from .test_leagues import begun, played

pytestmark = pytest.mark.django_db

DAILY = {"clock_name": "custom", "allowance": 86400, "bank": 0, "vacation": False}
MINUTE = timedelta(minutes=1)


def first_table(event: Tournament) -> tuple[Pairing, Game, Player]:
    """A table, its game, and who is to move there."""
    table = playing(event)[0]
    assert table.game
    number = load_game(table.game.code).to_act[0]
    late = Seat.objects.select_related("player").get(game=table.game, number=number).player
    assert late
    return table, table.game, late


def time_out(game: Game) -> datetime:
    """The deadline falls; gives the time."""
    game.refresh_from_db()
    assert game.deadline
    now = game.deadline
    assert games_sweep.sweep_games(now=now)
    return now


def mailed(player: Player, now: datetime, kind: str = "event-pairing") -> Delivery:
    """A mail to a player goes out, arrives and is read."""
    notices.fan_out_notices(now=now)
    mail = Delivery.objects.get(player=player, kind=kind)
    assert mail.due_at
    claimed = outbox.claim_mail(pk=mail.pk, seen_due_at=mail.due_at, now=now)
    assert claimed
    outbox.mark_mail_sent(delivery=claimed, address=player.email, message_id="<1@x>", now=now)
    delivery_reports.record_delivered(delivery=claimed, at=now + MINUTE, now=now + HOUR)
    return claimed


def test_a_forfeit_comes_with_all_that_was_sent_before_it() -> None:
    event = started("knockout", 2, timeouts="forfeit", **DAILY)
    table, game, late = first_table(event)
    Player.objects.filter(pk=late.pk).update(remind_used=50)
    told = NOW + MINUTE
    mail = mailed(late, told)
    delivery_reports.record_opened(delivery=mail, at=told + 2 * MINUTE, now=told + HOUR)
    delivery_reports.record_bounce(
        delivery=mailed(late, told + 20 * HOUR, "reminder"),
        reason="550 <p> gone",
        permanent=False,
        now=NOW + DAY,
    )
    end = time_out(game)
    sweep.sweep_tournaments(now=end)
    table.refresh_from_db()
    assert table.result
    assert table.result["timeouts"] == table.result["forfeits"] == [entrant(event, late.name).pk]
    with CaptureQueriesContext(
        connection,
    ) as queries:
        (one,) = timeout_evidence.list_timeout_evidence(table, late)
    assert len(queries) <= 8
    assert (one["player"], one["entrant"]) == (late.name, entrant(event, late.name).pk)
    assert (one["turn"], one["began_at"], one["deadline"]) == (0, NOW, end)
    assert (one["what"], one["seq"], one["at"]) == ("resigned", 1, end)
    sent = {line["kind"]: line for line in one["notices"]}
    assert sent.keys() == {"event-pairing", "turn", "reminder"}
    first, second = sent["event-pairing"], sent["reminder"]  # the mail of a new game tells its first turn
    assert (first["channel"], first["address"]) == ("mail", late.email)
    assert (first["sent_at"], first["delivered_at"], first["opened_at"]) == (
        told, told + MINUTE, told + 2 * MINUTE,
    )  # fmt: skip
    assert (second["bounced"], second["why"]) == (True, "550 <p> gone")
    other = next(someone(name) for name in ("p1", "p2") if name != late.name)
    for viewer in (other, host()):
        (seen,) = timeout_evidence.list_timeout_evidence(table, viewer)
        assert late.email not in str(seen)
        assert [(line["address"], line["why"]) for line in seen["notices"]] == [("p…@…", "")] * 3
    for stranger in (None, someone("stranger")):
        with pytest.raises(Denied):
            timeout_evidence.list_timeout_evidence(table, stranger)


def test_every_turn_that_the_clock_played_is_told_of_and_nothing_else() -> None:
    event = started("swiss", 2, rounds=1, **DAILY)
    table, game, late = first_table(event)
    assert timeout_evidence.list_timeout_evidence(table, host()) == []
    mailed(late, NOW + MINUTE)
    ends = [time_out(game) for _ in range(3)]
    found = timeout_evidence.list_timeout_evidence(table, host())
    game.refresh_from_db()
    assert [one["at"] for one in found] == ends
    assert [one["began_at"] for one in found] == [NOW, *ends[:2]]
    assert [one["deadline"] for one in found] == ends
    assert [one["what"] for one in found] == ["autoplay"] * 3
    assert found[0]["player"] == found[2]["player"] == late.name != found[1]["player"]
    kinds = [sorted(line["kind"] for line in one["notices"]) for one in found]
    assert kinds == [["event-pairing", "turn"], [], []]
    assert found[-1]["seq"] == game.seq


def test_the_evidence_stays_with_who_sat_there_then() -> None:
    league = begun(3, at_once=True, **DAILY)
    event = Tournament.objects.get()
    table, game, late = first_table(event)
    mailed(late, NOW + MINUTE)
    end = time_out(game)
    leagues.set_member_status(player=someone("spare"), code=league.code, now=NOW, status="substitute")
    leagues.replace_with_substitute(by=host(), code=league.code, leaver=late, now=end)
    (one,) = timeout_evidence.list_timeout_evidence(table, someone("spare"))
    assert one["player"] is None
    assert sorted(line["kind"] for line in one["notices"]) == ["event-pairing", "turn"]
    assert late.email not in str(one)


def test_who_withdrew_did_not_run_out_of_time() -> None:
    event = started("swiss", 2, rounds=1)
    table, _game, late = first_table(event)
    decisions.disqualify_entrant(by=host(), code=event.code, entrant=entrant(event, late.name).pk, now=NOW)
    sweep.sweep_tournaments(now=NOW)
    table.refresh_from_db()
    assert table.result
    assert (len(table.result["forfeits"]), table.result["timeouts"]) == (1, [])
    assert timeout_evidence.list_timeout_evidence(table, host()) == []


def test_a_forfeit_is_appealed_after_the_end_and_its_correction_settles_anew() -> None:
    event = started("knockout", 2, timeouts="forfeit", **DAILY)
    table, game, late = first_table(event)
    end = time_out(game)
    sweep.sweep_tournaments(now=end)
    event.refresh_from_db()
    assert event.status == "finished"
    mine = entrant(event, late.name)
    assert mine.rank == 2
    with pytest.raises(Conflict):
        appeals.file_appeal(
            player=late,
            code=event.code,
            pairing_id=table.pk,
            text="late",
            now=end + appeals.APPEAL_PERIOD_AFTER_END,
        )
    made = appeals.file_appeal(
        player=late, code=event.code, pairing_id=table.pk, text="the mail came back", now=end + DAY
    )
    seats = [one.entrant_id for one in table.sittings.order_by("number")]
    ranks = [1 if pk == mine.pk else 2 for pk in seats]
    decisions.correct_result(
        by=host(), code=event.code, table=table.pk, ranks=ranks, now=end + DAY, confirmed=True
    )
    appeals.answer_appeal(by=host(), code=event.code, appeal_id=made.pk, text="you are right", now=end + DAY)
    sweep.sweep_tournaments(now=end + DAY)
    event.refresh_from_db()
    mine.refresh_from_db()
    assert (event.status, mine.rank) == ("finished", 1)
    table.refresh_from_db()
    assert table.result
    assert (table.result["forfeits"], table.result["timeouts"], table.result["by"]) == ([], [], "organiser")


def test_a_forfeit_in_the_last_game_of_a_season_can_be_appealed_before_it_is_over() -> None:
    league = begun(3, timeouts="forfeit", **DAILY)
    season = league.played.get()
    event = Tournament.objects.get()
    for _ in range(2):
        decide(playing(event)[0], *sorted(name_at(playing(event)[0], place) for place in (0, 1)))
        sweep.sweep_tournaments(now=NOW)
    table, game, late = first_table(event)
    end = time_out(game)
    sweep.sweep_tournaments(now=end)
    event.refresh_from_db()
    season.refresh_from_db()
    assert (event.status, season.finished_at) == ("finished", None)
    league.refresh_from_db()
    assert build_calendar(league, season, end)[-2]["at"] == end + DAY
    # Nobody says anything for a day: it is over. Somebody does: it waits for the answer.
    with transaction.atomic():
        assert sweep.sweep_tournaments(now=end + DAY)["season-ended"] == 1
        transaction.set_rollback(True)
    made = appeals.file_appeal(
        player=late, code=event.code, pairing_id=table.pk, text="I was ill", now=end + HOUR
    )
    assert not sweep.sweep_tournaments(now=end + 2 * DAY)
    mine = entrant(event, late.name).pk
    ranks = [1 if one.entrant_id == mine else 2 for one in table.sittings.order_by("number")]
    decisions.correct_result(
        by=host(), code=event.code, table=table.pk, ranks=ranks, now=end + 2 * DAY, confirmed=True
    )
    assert not sweep.sweep_tournaments(now=end + 2 * DAY)["season-ended"]
    appeals.answer_appeal(by=host(), code=event.code, appeal_id=made.pk, text="so be it", now=end + 2 * DAY)
    assert sweep.sweep_tournaments(now=end + 2 * DAY)["season-ended"] == 1
    table.refresh_from_db()
    assert table.result
    assert table.result["by"] == "organiser"


def test_a_season_does_not_wait_for_ever_for_an_answer() -> None:
    league = begun(3, timeouts="forfeit", **DAILY)
    event = Tournament.objects.get()
    table, game, late = first_table(event)
    end = time_out(game)
    sweep.sweep_tournaments(now=end)
    appeals.file_appeal(player=late, code=event.code, pairing_id=table.pk, text="I was ill", now=end)
    while found := playing(event):
        decide(found[0], *sorted(name_at(found[0], place) for place in (0, 1)), now=end)
        sweep.sweep_tournaments(now=end)
    assert not sweep.sweep_tournaments(now=end + 6 * DAY)
    assert sweep.sweep_tournaments(now=end + 7 * DAY)["season-ended"] == 1
    assert league.played.count() == 2


def test_nothing_is_appealed_once_the_season_is_over() -> None:
    league = begun(3)
    done = played(league)
    table = Pairing.objects.filter(event__division__season=done, game__isnull=False)[0]
    player = table.sittings.all()[0].entrant.members.get().player
    assert player
    with pytest.raises(Conflict):
        appeals.file_appeal(player=player, code=table.event.code, pairing_id=table.pk, text="x", now=NOW)
