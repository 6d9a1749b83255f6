"""What happens in a game while its table is void counts for nothing, unless it is a move."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from django.test import Client

from games import engine
from games.models import FeedEntry, Game
from games.selectors import load_game
from games.services import sweep as games_sweep
from games.services import turns
from games.services.errors import Conflict
from tests.tournaments.mailing import body, send, sent
from tests.tournaments.play import DAY, NOW, add_organiser, decide, entrant, host, playing, started
from tests.tournaments.programs import Program
from tournaments.models import Pairing, RatingChange, Tournament
from tournaments.selectors import permissions
from tournaments.services import decision_undo, decisions, ratings, sweep, tournaments

from .test_corrections import final_of, final_under_way, move, names, swept

pytestmark = pytest.mark.django_db
UNDECIDED = "undecided-table"


def play_moves(game: Game, count: int = 6) -> None:
    """Both sides move some times."""
    for _time in range(count):
        found = load_game(game.code)
        assert found.state
        seat = found.to_act[0]
        player = found.seat_by_no(seat).player
        assert player
        action = engine.legal_actions(found.state, seat)[0]
        turns.play_action(player=player, code=game.code, text=action, seq=found.state.seq, key="", now=NOW)


def void_final(**fields: Any) -> tuple[Tournament, Pairing, Pairing]:
    """A cup whose final was begun and is void: the event, the semi-final that was corrected, the final."""
    event, first, _second, final = final_under_way(**fields)
    assert final.game
    play_moves(final.game)
    winner, loser = names(first)
    decide(first, loser, winner)
    swept(event)
    final.refresh_from_db()
    assert final.void
    return event, first, final


def correct_back(event: Tournament, first: Pairing, now: datetime = NOW) -> Tournament:
    """The result of the semi-final is again what it was; the sweeps follow."""
    loser, winner = sorted(names(first), key=lambda name: first_ranks(first)[names(first).index(name)])
    decide(first, winner, loser, now=now)
    for _time in range(3):
        sweep.sweep_tournaments(now=now)
    event.refresh_from_db()
    return event


def first_ranks(table: Pairing) -> list[int]:
    table.refresh_from_db()
    assert table.result
    return list(table.result["ranks"])


def resign(final: Pairing) -> datetime:
    """One of the finalists resigns the void game."""
    assert final.game
    move(names(final)[0], final.game)
    return NOW


def run_out(final: Pairing) -> datetime:
    """Nobody moves in the void game until the clock resigns for somebody."""
    assert final.game
    for day in range(1, 60):
        now = NOW + day * DAY
        games_sweep.sweep_games(now=now)
        if Game.objects.get(pk=final.game.pk).status == "over":
            return now
    raise AssertionError("the clock does not run out")


@pytest.mark.parametrize("end", [resign, run_out])
def test_a_void_game_that_ended_decides_nothing_when_its_table_comes_back(
    end: Callable[[Pairing], datetime],
) -> None:
    event, first, final = void_final(timeouts="forfeit", vacation=False)
    now = end(final)
    games = Game.objects.count()
    correct_back(event, first, now)
    final.refresh_from_db()
    assert (final.void, final.result, final.game.status, final.game.rated) == (False, None, "over", False)
    assert (event.status, event.held, event.trouble) == ("running", UNDECIDED, "")
    assert event.warnings[0]["match"] == final.match
    assert (final_of(event).attempt, Game.objects.count()) == (1, games), "no new deal either"
    ratings.rate_finished_games(now=now)
    assert not RatingChange.objects.filter(game=final.game).exists()
    told = FeedEntry.objects.get(kind="event-held", player=host(), reason__contains=UNDECIDED)
    assert told.data["why"] == UNDECIDED
    finalists = FeedEntry.objects.filter(kind="event-table", data__why="undecided")
    assert {line.player.name for line in finalists} == set(names(final))
    decide(final, *names(final), now=now)
    for _time in range(2):
        sweep.sweep_tournaments(now=now)
    event.refresh_from_db()
    final.refresh_from_db()
    assert (event.status, event.held, final.result["by"]) == ("finished", "", "organiser")
    ratings.rate_finished_games(now=now)
    assert not RatingChange.objects.filter(game=final.game).exists()


def test_who_resigns_among_several_in_a_void_game_has_lost_nothing_by_it() -> None:
    event = started("knockout", 9, table=3)
    tables = playing(event)
    for table in tables:
        decide(table, *names(table))
    swept(event)
    final = event.tables.get(match="R2.1")
    first = next(table for table in tables if names(table)[0] in names(final))
    best, second, third = names(first)
    decide(first, second, best, third)
    swept(event)
    final.refresh_from_db()
    move(best, final.game)
    assert Game.objects.get(pk=final.game.pk).status == "running"
    decide(first, best, second, third)
    swept(event)
    final.refresh_from_db()
    assert (final.void, final.result, event.held) == (False, None, UNDECIDED)
    assert Game.objects.get(pk=final.game.pk).rated is False


def test_moves_in_a_void_game_count_when_its_table_comes_back() -> None:
    event, first, final = void_final()
    play_moves(final.game, 2)
    correct_back(event, first)
    final.refresh_from_db()
    assert (final.void, final.settled_at, event.held) == (False, None, "")
    assert Game.objects.get(pk=final.game.pk).rated


def test_a_game_that_had_ended_before_its_table_became_void_counts() -> None:
    event, _first, _second, final = final_under_way()
    play_moves(final.game)
    move(names(final)[0], final.game)
    later = NOW + DAY
    # A sweep made it void that had looked for results a moment before the end.
    Pairing.objects.filter(pk=final.pk).update(void=True, settled_at=later)
    Tournament.objects.filter(pk=event.pk).update(due_at=later)
    for _time in range(3):
        sweep.sweep_tournaments(now=later)
    event.refresh_from_db()
    final.refresh_from_db()
    assert (event.status, final.result["by"], final.game.rated) == ("finished", "game", True)


def test_only_the_result_lets_the_event_go_on() -> None:
    event, first, final = void_final()
    resign(final)
    correct_back(event, first)
    with pytest.raises(Conflict) as refused:
        decisions.approve_round(by=host(), code=event.code, now=NOW)
    assert refused.value.code == UNDECIDED
    assert "proceed" not in permissions.list_organiser_actions(event)
    send()
    assert "It goes on when you have written it." in body("host")
    assert ("event-table", "The cup: The organiser decides your table") in sent(names(final)[0])
    client = Client()
    client.force_login(host())
    page = client.get(f"/tournaments/{event.code}/organise/").content.decode()
    assert "A table waits for its result" in page
    assert f"correct/?table={final.pk}" in page
    assert "proceed" not in page
    page = client.get(f"/tournaments/{event.code}/tables/{final.pk}/").content.decode()
    assert "Not decided yet: the organiser writes the result." in page
    assert Program("host").ask(f"tournaments/{event.code}/")["held"] == UNDECIDED


def test_a_result_written_there_and_taken_back_leaves_the_table_undecided() -> None:
    event, first, final = void_final()
    resign(final)
    correct_back(event, first)
    decide(final, *names(final))
    made = event.decisions.order_by("-pk")[0]
    decision_undo.undo_decision(by=host(), code=event.code, decision=made.pk, now=NOW)
    for _time in range(2):
        swept(event)
    final.refresh_from_db()
    assert (final.result, event.status, event.held) == (None, "running", UNDECIDED)
    assert Game.objects.get(pk=final.game.pk).rated is False


def test_an_undecided_table_that_becomes_void_and_comes_back_is_still_undecided() -> None:
    event, first, final = void_final()
    resign(final)
    correct_back(event, first)
    winner, loser = names(first)
    decide(first, loser, winner)
    swept(event)
    assert (event.held, final_of(event).pk != final.pk) == ("", True)
    correct_back(event, first)
    assert (event.held, final_of(event).pk) == (UNDECIDED, final.pk)


def test_who_sits_at_an_undecided_table_decides_nothing_about_it() -> None:
    event, first, final = void_final()
    one, other = names(final)
    resign(final)
    correct_back(event, first)
    add_organiser(event, one)
    ranks = {"table": final.pk, "ranks": [1, 2]}
    assert Program(one).refused(f"tournaments/{event.code}/correct/", ranks) == (403, "own-table")
    out = {"entrant": entrant(event, other).pk}
    assert Program(one).refused(f"tournaments/{event.code}/disqualify/", out) == (403, "own-table")


def test_a_cancelled_event_has_no_undecided_table() -> None:
    event, first, final = void_final()
    resign(final)
    correct_back(event, first)
    tournaments.cancel_tournament(by=host(), code=event.code, now=NOW)
    final.refresh_from_db()
    assert final.void


def test_those_at_a_table_are_told_that_it_is_void_and_may_come_back() -> None:
    event, _first, final = void_final()
    told = FeedEntry.objects.filter(kind="event-table", game=final.game, data__why="void")
    assert {line.player.name for line in told} == set(names(final))
    send()
    name = next(one for one in names(final) if one in names(final_of(event)))
    out = next(one for one in names(final) if one != name)
    for finalist in (name, out):
        assert ("event-table", "The cup: Your table does not count any more") in sent(finalist)
    assert "your table counts again as it stands" in body(out)
