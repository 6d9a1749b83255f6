"""What stops an event for a while: warnings, something broken, a sweep that is killed."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from games.models import DerivedSeed, FeedEntry, TournamentSeed
from games.services.errors import Conflict, Denied
from otto_site.celery import app
from tournaments import tasks
from tournaments.models import Rating, Tournament
from tournaments.services import decisions, entries, simulation, sweep, tournaments

from .play import (
    DAY,
    HOUR,
    NOW,
    entrant,
    host,
    name_at,
    play,
    play_round,
    playing,
    published,
    someone,
    started,
)

pytestmark = pytest.mark.django_db


def swept(now: Any = NOW) -> Counter[str]:
    return sweep.sweep_tournaments(now=now)


def test_a_warning_waits_for_the_organiser() -> None:
    event = started("swiss", 3, ask=True)
    assert (event.held, event.status) == ("odd-number", "running")
    assert event.warnings[0]["code"] == "odd-number"
    assert not event.tables.exists()
    assert not swept(NOW + DAY)
    with pytest.raises(Denied):
        decisions.approve_round(by=someone("p1"), code=event.code, now=NOW)
    decisions.approve_round(by=host(), code=event.code, now=NOW)
    assert swept() == {"paired": 1, "opened": 1}
    play_round(event, NOW)
    assert event.held == "odd-number"  # asked anew, for the next round
    decisions.approve_round(by=host(), code=event.code, now=NOW)
    with pytest.raises(Conflict):
        decisions.approve_round(by=host(), code=event.code, now=NOW)


def test_what_changes_is_asked_anew() -> None:
    event = started("swiss", 3, ask=True)
    assert event.held == "odd-number"
    entries.withdraw_from_tournament(player=someone("p2"), code=event.code, now=NOW)
    assert swept() == {"paired": 1, "opened": 1}
    event.refresh_from_db()
    assert event.held == ""


def test_a_broken_event_is_tried_later_and_the_others_go_on(caplog: pytest.LogCaptureFixture) -> None:
    broken = published("swiss", 2)
    sound = published("knockout", 2)
    Tournament.objects.update(starts_at=NOW, due_at=NOW)
    Tournament.objects.filter(pk=broken.pk).update(clock="sand")
    done = swept()
    assert (done["trouble"], done["began"], done["opened"]) == (1, 2, 1)
    broken.refresh_from_db()
    assert broken.due_at == NOW + sweep.RETRY_AFTER
    assert "Invalid" in broken.trouble
    assert f"event {broken.pk} could not be settled" in caplog.text
    assert not swept(NOW + HOUR / 60)
    Tournament.objects.filter(pk=broken.pk).update(clock="2d")
    assert swept(NOW + sweep.RETRY_AFTER)["opened"] == 1
    broken.refresh_from_db()
    assert broken.trouble == ""
    assert playing(sound)


# ------------------------------------------------------------------------------------- a sweep that is killed


class Killed(BaseException):
    """Nothing catches this."""


def story(event: Tournament) -> list[Any]:
    """All that was played, by names."""
    return [
        (table.match, table.rematch, table.attempt, table.published.number, table.reasons != [],
         [name_at(table, place) for place in range(table.sittings.count())],
         [(table.result or {}).get(key) for key in ("points", "ranks", "eights")])
        for table in event.tables.order_by("round", "match", "rematch")
    ]  # fmt: skip


COUNT = {"knockout": 5, "double": 4, "swiss": 5, "round-robin": 3}


def prepared(format: str) -> Tournament:
    """An event whose every lot and shuffle is known."""
    event = published(format, COUNT[format], third_place=format == "knockout")
    simulation.set_seed_from_rng(event, random.Random(7))
    tournaments.start_tournament(by=host(), code=event.code, now=NOW)
    return event


def all_played(event: Tournament) -> None:
    """Play all games that run; a table is played in the same way whenever it is."""
    for table in playing(event):
        assert table.game
        dice = random.Random(f"{table.match}/{table.rematch}")
        simulation.play_game(table.game.code, policy="random", rng=dice, now=NOW)


def undisturbed(format: str) -> list[Any]:
    """The story of the same event without any trouble."""
    event = prepared(format)
    for _ in range(20):
        swept()
        all_played(event)
    told = story(event)
    rename(event, "undisturbed")
    return told


def rename(event: Tournament, code: str) -> None:
    """Free the code of an event for its twin, with the seeds that were derived under it."""
    old = TournamentSeed.objects.get(event=event.code)
    DerivedSeed.objects.filter(source=old).update(
        source=TournamentSeed.objects.create(event=code, commitment=old.commitment, seed=old.seed)
    )
    old.delete()
    Tournament.objects.filter(pk=event.pk).update(code=code)


@pytest.mark.parametrize("format", COUNT)
def test_a_sweep_killed_after_any_deed_or_in_the_middle_of_it_changes_nothing_in_the_end(
    format: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every deed dies twice before its commit, and once just after it; the story is the same."""
    expected = undisturbed(format)
    event = prepared(format)
    died: Counter[str] = Counter()

    def dying(deed: sweep.SweepStep) -> sweep.SweepStep:
        def run(event: Tournament, now: Any) -> str:
            what = deed(event, now)
            if what and died[what] < 2:
                died[what] += 1
                raise Killed(what)
            return what

        return run

    for status in ("published", "running"):
        monkeypatch.setitem(
            sweep.STEPS_BY_STATUS, status, tuple(dying(deed) for deed in sweep.STEPS_BY_STATUS[status])
        )
    whole = sweep.run_next_step

    def dies_after(pk: int, now: Any) -> str:
        what = whole(pk, now)
        if what and died[f"after {what}"] < 1:
            died[f"after {what}"] += 1
            raise Killed(what)
        return what

    monkeypatch.setattr(sweep, "run_next_step", dies_after)
    for _ in range(60):
        event.refresh_from_db()
        if event.status == "finished":
            break
        try:
            swept()
        except Killed:
            continue
        all_played(event)
    assert event.status == "finished"
    deeds = {"began", "settled", "opened", "paired", "finished"}
    assert {*deeds, *(f"after {deed}" for deed in deeds)} == set(died)
    assert story(event) == expected
    assert FeedEntry.objects.filter(kind="event-end", data__event=event.code).count() == COUNT[format]


def test_the_sweeps_are_on_the_schedule_and_in_their_queue() -> None:
    for task in ("tournaments.sweep", "tournaments.ratings"):
        assert app.conf.beat_schedule[task]["task"] == task
        assert task in app.tasks
        assert app.amqp.router.route({}, task)["queue"].name == "tournaments"


def test_the_tasks_do_what_is_due_now() -> None:
    event = started("knockout", 2)
    play(playing(event)[0])
    tasks.sweep_tournaments()
    event.refresh_from_db()
    assert event.status == "finished"
    tasks.rate_finished_games()
    assert Rating.objects.count() == 2


@pytest.mark.parametrize(
    ("format", "fields"),
    [("knockout", {}), ("knockout", {"table": 4, "advance": 2}), ("double", {}), ("round-robin", {}),
     ("round-robin", {"table": 3}), ("swiss", {}), ("swiss", {"table": 4, "rounds": 3})],
    ids=str,
)  # fmt: skip
def test_every_event_ends_whoever_leaves_whenever(format: str, fields: dict[str, Any]) -> None:
    dice = random.Random(f"{format}{fields}")
    event = started(format, 8, round_length=86400, clock_name="12h", **fields)
    now = NOW
    for _ in range(40):
        event.refresh_from_db()
        if event.status == "finished":
            break
        for number in range(1, 9):
            staying = entrant(event, f"p{number}").left is None
            if staying and dice.random() < 0.06:
                entries.withdraw_from_tournament(player=someone(f"p{number}"), code=event.code, now=now)
            elif staying and dice.random() < 0.04:
                decisions.disqualify_entrant(
                    by=host(), code=event.code, entrant=entrant(event, f"p{number}").pk, now=now
                )
        for table in playing(event):
            if dice.random() < 0.6:
                play(table, now)
        now += HOUR * dice.choice([1, 12])
        assert not swept(now)["trouble"]
    assert event.status == "finished"
    assert not event.tables.filter(settled_at=None).exists()
    for table in event.tables.all():
        assert table.void or table.result
