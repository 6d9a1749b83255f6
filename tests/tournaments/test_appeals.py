"""Players ask the organiser to look at a table."""

from __future__ import annotations

import pytest

from games.models import FeedEntry
from games.services.errors import Conflict, Denied, Invalid, NotFound
from tournaments.services import appeals

from .play import NOW, host, playing, someone, started, table_of

pytestmark = pytest.mark.django_db


def test_a_player_appeals_once_and_gets_an_answer() -> None:
    event = started("swiss", 4)
    table = table_of(event, "p1")
    other = next(one for one in playing(event) if one.pk != table.pk)
    appeal = appeals.file_appeal(
        player=someone("p1"), code=event.code, pairing_id=table.pk, text="the clock", now=NOW
    )
    assert [line.player for line in FeedEntry.objects.filter(kind="event-appeal")] == [host()]
    refused = (
        (table.pk, Conflict, "x"),
        (table.pk, Invalid, " "),
        (other.pk, Denied, "x"),
        (0, NotFound, "x"),
    )
    for number, error, text in refused:
        with pytest.raises(error):
            appeals.file_appeal(player=someone("p1"), code=event.code, pairing_id=number, text=text, now=NOW)
    with pytest.raises(Denied):
        appeals.answer_appeal(by=someone("p1"), code=event.code, appeal_id=appeal.pk, text="ok", now=NOW)
    answered = appeals.answer_appeal(
        by=host(), code=event.code, appeal_id=appeal.pk, text="it stands", now=NOW
    )
    assert (answered.answer, answered.answered_by) == ("it stands", host())
    with pytest.raises(Conflict):
        appeals.answer_appeal(by=host(), code=event.code, appeal_id=appeal.pk, text="again", now=NOW)
    assert FeedEntry.objects.filter(kind="event-appeal", player=someone("p1")).count() == 1
