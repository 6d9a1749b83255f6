"""Large tournaments with all their rows; only the games themselves are not played.

The stronger entrant wins, so that all results are known. Small by default, full size with SOAK=1.
"""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from itertools import combinations

import pytest

from notifications.models import FeedEntry
from tests import database
from tests.example_counts import SOAK
from tests.factories.crowd import create_large_tournament, end_games
from tests.factories.events import DAY, NOW
from tournaments.models import Entrant, Pairing, Tournament
from tournaments.selectors import TournamentState, list_seated_entrant_ids, tournament_read_models
from tournaments.services import entries, sweep

pytestmark = pytest.mark.django_db


def sweep_twice(tournament: Tournament, now: datetime) -> None:
    """Sweep twice, and check that the second sweep finds nothing."""
    database.analyse_tables()
    done = sweep.sweep_tournaments(now=now)
    assert not done["failed"]
    assert not sweep.sweep_tournaments(now=now)
    tournament.refresh_from_db()
    assert not tournament.hold_reason


@pytest.mark.parametrize("count", [512, 500] if SOAK else [61])
def test_a_large_knockout(count: int) -> None:
    tournament, strength = create_large_tournament("knockout", count, third_place=True)
    now, rounds = NOW, 0
    sweep_twice(tournament, now)
    while tournament.status == "running":
        assert end_games(tournament, strength, now)
        now += DAY
        rounds += 1
        sweep_twice(tournament, now)
    assert rounds == (count - 1).bit_length()

    ranks = {strength[entrant.pk]: entrant.rank for entrant in tournament.entrants.all()}
    assert ranks[0] == 1
    assert sorted(ranks.values())[:4] == [1, 2, 3, 4]
    game_counts = Counter(
        strength[pk] for table in list_tables(tournament) for pk in list_seated_entrant_ids(table)
    )
    games = Pairing.objects.filter(tournament=tournament, game__isnull=False)
    assert games.count() == count  # one for each eliminated entrant, and one for third place
    byes = [match for match in TournamentState(tournament).build_bracket().matches if match.state == "bye"]
    assert len(byes) == (1 << rounds) - count
    assert rounds - 1 <= game_counts[0] <= rounds
    knocked_out = [table for table in list_tables(tournament) if table.game and table.match != "third"]
    lost = Counter(max(strength[pk] for pk in list_seated_entrant_ids(table)) for table in knocked_out)
    assert lost == dict.fromkeys(range(1, count), 1)
    drawn = tournament_read_models.build_bracket(TournamentState(tournament))
    assert len(drawn.matches) == (1 << rounds)
    assert drawn.champion
    assert_everybody_notified(tournament, count)


@pytest.mark.parametrize(("count", "rounds"), [(256, 9)] if SOAK else [(32, 5)])
def test_a_large_swiss(count: int, rounds: int) -> None:
    tournament, strength = create_large_tournament("swiss", count, round_count=rounds)
    now, leaver_ids = NOW, []
    for number in range(1, rounds + 1):
        sweep_twice(tournament, now)
        assert tournament.pairings.filter(bracket_round=number).exists()
        end_games(tournament, strength, now)
        now += DAY
        if number in (2, 4):  # afterwards, or for two rounds, the number of entrants is odd
            leaver_ids.append(withdraw_someone(tournament, now))
    sweep_twice(tournament, now)
    assert tournament.status == "finished"

    met = Counter(
        frozenset(list_seated_entrant_ids(table)) for table in list_tables(tournament) if table.game
    )
    assert max(met.values()) == 1
    round_counts = Counter(pk for table in list_tables(tournament) for pk in list_seated_entrant_ids(table))
    assert all(times == rounds for pk, times in round_counts.items() if pk not in leaver_ids)
    byes = Counter(
        list_seated_entrant_ids(table)[0] for table in list_tables(tournament) if table.game is None
    )
    assert sum(byes.values()) == 2
    assert max(byes.values()) == 1

    lines = TournamentState(tournament).build_standings()
    assert [strength[int(line.entrant)] for line in lines[:1]] == [0]
    assert lines[0]["points"] == rounds
    assert sorted(int(line.entrant) for line in lines) == sorted(strength)
    for upper, other in combinations(lines, 2):
        assert (upper["points"] or 0) >= (other["points"] or 0)
    assert_everybody_notified(tournament, count)


def withdraw_someone(tournament: Tournament, now: datetime) -> int:
    """Withdraw an entrant from the middle of the field between two rounds."""
    staying = tournament.entrants.filter(status=Entrant.Status.ENTERED).order_by("pk")
    leaver = staying[staying.count() // 2]
    member = leaver.entrant_players.get()
    assert member.player
    entries.withdraw_from_tournament(player=member.player, code=tournament.code, now=now)
    return leaver.pk


def list_tables(tournament: Tournament) -> list[Pairing]:
    return list(tournament.pairings.select_related("game").prefetch_related("pairing_seats").order_by("pk"))


def assert_everybody_notified(tournament: Tournament, count: int) -> None:
    """Check that everybody has one entry for the start, one for the end, and one for each result."""
    lines = Counter(
        FeedEntry.objects.filter(dedup_key__startswith=tournament.code).values_list("kind", flat=True)
    )
    assert lines["tournament-start"] == lines["tournament-end"] == count
    assert lines["tournament-result"] == 2 * tournament.pairings.filter(game__isnull=False).count()
