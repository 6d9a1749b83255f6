"""What stops an event for a while: warnings, something broken, a sweep that is killed."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from games.models import Game
from games.services.errors import Conflict, Denied
from otto_site.celery import app
from tournaments import tasks
from tournaments.models import Event, Rating
from tournaments.services import decisions, sweep

from .play import DAY, HOUR, NOW, host, play, play_round, playing, published, someone, started

pytestmark = pytest.mark.django_db


def swept(now: Any = NOW) -> Counter[str]:
    return sweep.sweep(now=now)


def test_a_warning_waits_for_the_organiser() -> None:
    event = started("swiss", 3, ask=True)
    assert (event.held, event.status) == ("odd-number", "running")
    assert event.warnings[0]["code"] == "odd-number"
    assert not event.tables.exists()
    assert not swept(NOW + DAY)
    with pytest.raises(Denied):
        decisions.proceed(by=someone("p1"), code=event.code, now=NOW)
    decisions.proceed(by=host(), code=event.code, now=NOW)
    assert swept() == {"paired": 1, "opened": 1}
    play_round(event, NOW)
    assert event.held == "odd-number"  # asked anew, for the next round
    decisions.proceed(by=host(), code=event.code, now=NOW)
    with pytest.raises(Conflict):
        decisions.proceed(by=host(), code=event.code, now=NOW)


def test_a_broken_event_is_tried_later_and_the_others_go_on(caplog: pytest.LogCaptureFixture) -> None:
    broken = published("swiss", 2)
    sound = published("knockout", 2)
    Event.objects.update(starts_at=NOW, due_at=NOW)
    Event.objects.filter(pk=broken.pk).update(clock="sand")
    done = swept()
    assert (done["trouble"], done["began"], done["opened"]) == (1, 2, 1)
    broken.refresh_from_db()
    assert broken.due_at == NOW + sweep.AHEAD
    assert "Invalid" in broken.trouble
    assert f"event {broken.pk} could not be settled" in caplog.text
    assert not swept(NOW + HOUR / 60)
    Event.objects.filter(pk=broken.pk).update(clock="2d")
    assert swept(NOW + sweep.AHEAD)["opened"] == 1
    broken.refresh_from_db()
    assert broken.trouble == ""
    assert playing(sound)


# ------------------------------------------------------------------------------------- a sweep that is killed


class Killed(BaseException):
    """Nothing catches this."""


@pytest.mark.parametrize("format", ["knockout", "swiss"])
def test_a_sweep_killed_after_any_deed_or_in_the_middle_of_it_changes_nothing_in_the_end(
    format: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every deed once dies before its commit, and once just after; the story is the same."""
    event = started(format, 4)
    died: Counter[str] = Counter()

    def dying(deed: sweep.Deed) -> sweep.Deed:
        def run(event: Event, now: Any) -> str:
            what = deed(event, now)
            if what and died[what] < 2:
                died[what] += 1
                raise Killed(what)
            return what

        return run

    running = tuple(dying(deed) for deed in sweep.DEEDS["running"])
    monkeypatch.setitem(sweep.DEEDS, "running", running)
    whole = sweep.step

    def dies_after(pk: int, now: Any) -> str:
        what = whole(pk, now)
        if what and died[f"after {what}"] < 1:
            died[f"after {what}"] += 1
            raise Killed(what)
        return what

    monkeypatch.setattr(sweep, "step", dies_after)
    now = NOW
    for _ in range(60):
        event.refresh_from_db()
        if event.status == "finished":
            break
        for table in playing(event):
            play(table, now)
        try:
            swept(now)
        except Killed:
            continue
    assert event.status == "finished"
    assert {"settled", "opened", "paired", "finished"} <= set(died)
    assert Game.objects.count() == event.tables.exclude(game=None).count() == 3 + (format == "swiss")
    assert event.published.count() == 2
    for table in event.tables.all():
        assert table.result
        assert table.game


def test_the_sweeps_are_on_the_schedule_and_in_their_queue() -> None:
    for task in ("tournaments.sweep", "tournaments.ratings"):
        assert app.conf.beat_schedule[task]["task"] == task
        assert task in app.tasks
        assert app.amqp.router.route({}, task)["queue"].name == "tournaments"


def test_the_tasks_do_what_is_due_now() -> None:
    event = started("knockout", 2)
    play(playing(event)[0])
    tasks.tournaments_sweep()
    event.refresh_from_db()
    assert event.status == "finished"
    tasks.tournaments_ratings()
    assert Rating.objects.count() == 2
