"""Players ask the organiser to look at a table."""

from __future__ import annotations

import pytest

from games.models import Event as Line
from games.services.errors import Conflict, Denied, Invalid, NotFound
from tournaments.services import appeals

from .play import NOW, host, playing, someone, started, table_of

pytestmark = pytest.mark.django_db


def test_a_player_appeals_once_and_gets_an_answer() -> None:
    event = started("swiss", 4)
    table = table_of(event, "p1")
    other = next(one for one in playing(event) if one.pk != table.pk)
    appeal = appeals.appeal(player=someone("p1"), code=event.code, table=table.pk, text="the clock", now=NOW)
    assert [line.player for line in Line.objects.filter(kind="event-appeal")] == [host()]
    refused = (
        (table.pk, Conflict, "x"),
        (table.pk, Invalid, " "),
        (other.pk, Denied, "x"),
        (0, NotFound, "x"),
    )
    for number, error, text in refused:
        with pytest.raises(error):
            appeals.appeal(player=someone("p1"), code=event.code, table=number, text=text, now=NOW)
    with pytest.raises(Denied):
        appeals.answer(by=someone("p1"), code=event.code, appeal=appeal.pk, text="ok", now=NOW)
    answered = appeals.answer(by=host(), code=event.code, appeal=appeal.pk, text="it stands", now=NOW)
    assert (answered.answer, answered.answered_by) == ("it stands", host())
    with pytest.raises(Conflict):
        appeals.answer(by=host(), code=event.code, appeal=appeal.pk, text="again", now=NOW)
    assert Line.objects.filter(kind="event-appeal", player=someone("p1")).count() == 1
