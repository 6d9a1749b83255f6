"""Appeals: a player asks the organiser to look at a pairing."""

from __future__ import annotations

import pytest

from common.service_errors import Conflict, Denied, Invalid, NotFound
from notifications.models import FeedEntry
from tests.factories.events import (
    NOW,
    create_started_tournament,
    find_pairing_of,
    get_host,
    get_player,
    list_running_pairings,
)
from tournaments.services import appeals

pytestmark = pytest.mark.django_db


def test_a_player_appeals_once_and_gets_an_answer() -> None:
    tournament = create_started_tournament("swiss", 4)
    table = find_pairing_of(tournament, "p1")
    other = next(pairing for pairing in list_running_pairings(tournament) if pairing.pk != table.pk)
    appeal = appeals.file_appeal(
        player=get_player("p1"), code=tournament.code, pairing_id=table.pk, text="the clock", now=NOW
    )
    assert [line.player for line in FeedEntry.objects.filter(kind="tournament-appeal")] == [get_host()]
    refused = (
        (table.pk, Conflict, "x"),
        (table.pk, Invalid, " "),
        (other.pk, Denied, "x"),
        (0, NotFound, "x"),
    )
    for number, error, text in refused:
        with pytest.raises(error):
            appeals.file_appeal(
                player=get_player("p1"), code=tournament.code, pairing_id=number, text=text, now=NOW
            )
    with pytest.raises(Denied):
        appeals.answer_appeal(
            by=get_player("p1"), code=tournament.code, appeal_id=appeal.pk, text="ok", now=NOW
        )
    answered = appeals.answer_appeal(
        by=get_host(), code=tournament.code, appeal_id=appeal.pk, text="it stands", now=NOW
    )
    assert (answered.answer, answered.answered_by) == ("it stands", get_host())
    with pytest.raises(Conflict):
        appeals.answer_appeal(by=get_host(), code=tournament.code, appeal_id=appeal.pk, text="again", now=NOW)
    assert FeedEntry.objects.filter(kind="tournament-appeal", player=get_player("p1")).count() == 1
