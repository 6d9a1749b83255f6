"""Every committed change wakes the open pages of tournaments and leagues, even without a feed entry."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest

from common.service_errors import Denied
from games.services import turns
from games.services.sweep import sweep_games
from notifications.stream_wake_ups import publisher
from tests.factories.cast import NOW, start_cast_game
from tests.factories.events import (
    create_started_tournament,
    get_host,
    get_player,
    list_running_pairings,
    play,
    published,
)
from tests.factories.leagues import create_started_league, league_of
from tournaments.leagues.services import leagues
from tournaments.models import Pairing
from tournaments.services import decisions, entries, sweep, tournaments
from tournaments.stream_topics import find_league_version, find_tournament_version

pytestmark = pytest.mark.django_db


class Wakes:
    """Runs a change, commits it, and returns the stream keys that were woken."""

    def __init__(self, capture: Callable[..., Any]) -> None:
        self.capture = capture
        self.keys: set[str] = set()

    def after(self, change: Callable[[], object]) -> set[str]:
        self.keys = set()
        with self.capture(execute=True):
            change()
        return self.keys


@pytest.fixture
def wakes(django_capture_on_commit_callbacks: Callable[..., Any]) -> Iterator[Wakes]:
    recorder, listener = Wakes(django_capture_on_commit_callbacks), publisher.listener
    publisher.listener = lambda keys: recorder.keys.update(keys)
    yield recorder
    publisher.listener = listener


def test_every_change_of_a_tournament_wakes_its_pages(wakes: Wakes) -> None:
    event = published("knockout", 3)
    key, code, by = f"tournament:{event.code}", event.code, get_host()

    def settle_first_table() -> None:
        play(list_running_pairings(event)[0])
        sweep.sweep_tournaments(now=NOW)

    changes: list[Callable[[], object]] = [
        lambda: entries.enter_tournament(player=get_player("p4"), code=code, now=NOW),
        lambda: tournaments.edit_tournament(by=by, code=code, now=NOW, text="All are welcome."),
        lambda: tournaments.start_tournament(by=by, code=code, now=NOW),
        lambda: sweep.sweep_tournaments(now=NOW),
        settle_first_table,
    ]
    for change in changes:
        before = find_tournament_version(None, code)
        assert key in wakes.after(change)
        assert find_tournament_version(None, code) != before


def test_a_refused_change_wakes_nobody(wakes: Wakes) -> None:
    event = published("knockout", 3)

    def start_as_stranger() -> None:
        with pytest.raises(Denied):
            tournaments.start_tournament(by=get_player("p1"), code=event.code, now=NOW)

    assert wakes.after(start_as_stranger) == set()


def test_a_result_wakes_the_pages_of_the_league_too(wakes: Wakes) -> None:
    league = create_started_league(4)
    before = find_league_version(None, league.code)
    table = Pairing.objects.filter(tournament__division__season__league=league, settled_at=None)[0]

    def decide() -> None:
        decisions.correct_result(
            by=get_host(), code=table.tournament.code, pairing_id=table.pk, ranks=[1, 2], now=NOW
        )

    keys = wakes.after(decide)
    assert {f"tournament:{table.tournament.code}", f"league:{league.code}"} <= keys
    assert find_league_version(None, league.code) != before


def test_a_new_member_and_a_new_season_wake_the_pages_of_a_league(wakes: Wakes) -> None:
    league = league_of(3)
    key = f"league:{league.code}"
    changes: list[Callable[[], object]] = [
        lambda: leagues.set_member_status(player=get_player("p4"), code=league.code, now=NOW),
        lambda: leagues.start_league(by=get_host(), code=league.code, now=NOW),
        lambda: sweep.sweep_tournaments(now=NOW),
    ]
    for change in changes:
        before = find_league_version(None, league.code)
        assert key in wakes.after(change)
        assert find_league_version(None, league.code) != before


def test_an_organiser_s_correction_wakes_the_pages(wakes: Wakes) -> None:
    event = create_started_tournament("knockout", 2)
    table = list_running_pairings(event)[0]

    def decide() -> None:
        decisions.correct_result(by=get_host(), code=event.code, pairing_id=table.pk, ranks=[1, 2], now=NOW)

    before = find_tournament_version(None, event.code)
    assert f"tournament:{event.code}" in wakes.after(decide)
    assert find_tournament_version(None, event.code) != before


def test_a_viewer_s_version_changes_with_their_feed(wakes: Wakes) -> None:
    """The page shows proposals and turns, which are in the feed."""
    event = create_started_tournament("knockout", 2)
    player, stranger = get_player("p1"), get_player("p9")
    own, other = (find_tournament_version(who, event.code) for who in (player, stranger))
    table = list_running_pairings(event)[0]
    play(table)
    assert find_tournament_version(player, event.code) != own
    assert find_tournament_version(stranger, event.code) == other


def test_the_end_of_a_game_has_its_result_recorded_at_once(
    monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Callable[..., Any]
) -> None:
    """The worker is woken when the last move is committed; games outside tournaments wake none."""
    tournament, woken = create_started_tournament("knockout", 4), list[str]()
    monkeypatch.setattr(
        "otto_site.celery.app.send_task", lambda name, args=None, **options: woken.append(name)
    )
    table = list_running_pairings(tournament)[0]
    with django_capture_on_commit_callbacks(execute=True):
        play(table)
    assert woken == ["tournaments.sweep"]
    sweep.sweep_tournaments(now=NOW)
    assert Pairing.objects.get(pk=table.pk).settled_at == NOW
    casual_game = start_cast_game("ada", "bob")
    with django_capture_on_commit_callbacks(execute=True):
        turns.play_action(
            player=get_player("ada"), code=casual_game.code, text="resign", seq=None, key="", now=NOW
        )
    casual_game.refresh_from_db()
    assert casual_game.current_status.is_over
    assert woken == ["tournaments.sweep"]


def test_games_that_end_together_wake_one_worker(
    monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Callable[..., Any]
) -> None:
    tournament = create_started_tournament("knockout", 4, timeout_policy="forfeit", vacation=False)
    woken: list[str] = []
    monkeypatch.setattr(
        "otto_site.celery.app.send_task", lambda name, args=None, **options: woken.append(name)
    )
    with django_capture_on_commit_callbacks(execute=True):
        counts = sweep_games(now=NOW + timedelta(days=60))
    assert list_running_pairings(tournament) == []
    assert counts["resigned"] == 2
    assert woken == ["tournaments.sweep"]
