"""Whoever was told of a decision is told when it is taken back."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.conf import LazySettings

from games.models import Delivery, FeedEntry, Game
from games.selectors import load_game
from games.services import notices
from tournaments.models import Pairing, Tournament
from tournaments.services import decision_undo, decisions, leagues, sweep

from .mailing import SOON, body, dropped, kinds_sent, send, sent
from .play import NOW, decide, entrant, host, name_at, play, playing, replace, someone, started
from .test_leagues import begun

pytestmark = pytest.mark.django_db
LATER = NOW + timedelta(minutes=5)


@pytest.fixture(autouse=True)
def world(settings: LazySettings) -> None:
    settings.REPLY_DOMAIN = "play.example.org"
    settings.SITE_URL = "https://otto.example.org"


def mover(game: Game) -> str:
    """Whose turn it is."""
    found = load_game(game.code)
    player = found.seat_by_no(found.to_act[0]).player
    assert player
    return player.name


def undo_last(event: Tournament, now: datetime = LATER) -> None:
    made = event.decisions.order_by("-pk")[0]
    decision_undo.undo_decision(by=host(), code=event.code, decision=made.pk, now=now)


def names(table: Pairing) -> list[str]:
    return [name_at(table, place) for place in range(2)]


# ---------------------------------------------------------------------------------------- a replacement


def test_who_plays_again_is_told_so_with_their_games() -> None:
    event = started("knockout", 2)
    game = playing(event)[0].game
    assert game
    name = mover(game)
    send()
    replace(event, name, "new", SOON)
    send(SOON + timedelta(minutes=2))
    assert sent(name)[-1] == ("event-out", "The cup: Somebody else plays for you now")
    undo_last(event)
    line = FeedEntry.objects.filter(player=someone(name), kind="event-replaced").get()
    assert (line.data["why"], line.data["games"]) == ("put-back", [game.code])
    turns = FeedEntry.objects.filter(player=someone(name), kind="turn", game=game).order_by("pk")
    assert turns.count() == 2, "their feed says anew that it is their turn"
    assert turns[1].at == LATER
    assert turns[0].due_at is None, "one line reminds, not two"
    send(LATER + timedelta(minutes=2))
    assert sent(name)[-1] == ("event-replaced", "The cup: You play again yourself")
    assert "nobody else plays for you" in body(name)
    assert "/turn/" in body(name), "it shows the game, with the turn"
    assert sent("new")[-1] == ("event-out", "The cup: You do not play on there")


def test_who_plays_again_is_reminded_of_the_turn_that_waits() -> None:
    event = started("knockout", 2)
    game = playing(event)[0].game
    assert game
    name = mover(game)
    replace(event, name, "new")
    notices.fan_out_notices(now=LATER)
    undo_last(event)
    later = LATER
    for _hour in range(24 * 30):
        later += timedelta(hours=1)
        notices.fan_out_notices(now=later)
    reminders = Delivery.objects.filter(player=someone(name), game=game, kind="reminder")
    assert 1 <= reminders.count() <= 2
    assert not Delivery.objects.filter(player=someone("new"), game=game, kind="reminder").exists()


def test_a_replacement_and_its_end_within_a_minute_leave_no_wrong_mail() -> None:
    event = started("knockout", 2)
    (table,) = playing(event)
    one, other = names(table)
    send()
    replace(event, one, "new", SOON)
    undo_last(event, SOON)
    send(SOON + timedelta(minutes=2))
    assert "event-out" in dropped(one)
    assert "event-out" not in kinds_sent(one)
    assert "event-replaced" not in kinds_sent("new")
    assert [subject for kind, subject in sent(other) if kind == "event-newcomer"] == [
        f"The cup: {one} plays on for new"
    ]


def test_who_plays_again_in_a_league_is_told_so() -> None:
    league = begun(3, at_once=True)
    leagues.set_member_status(player=someone("spare"), code=league.code, now=NOW, status="substitute")
    event = Tournament.objects.get(division__season__league=league)
    leagues.replace_with_substitute(by=host(), code=league.code, leaver=someone("p1"), now=NOW)
    undo_last(event)
    line = FeedEntry.objects.filter(player=someone("p1"), kind="event-replaced").get()
    assert (line.data["why"], len(line.data["games"])) == ("put-back", 2)


# -------------------------------------------------------------------------------------- a disqualification


def between_rounds() -> Tournament:
    """A Swiss event whose first round is decided, and nobody plays."""
    event = started("swiss", 4, rounds=2)
    for table in playing(event):
        decide(table, *names(table))
    send()
    return event


def test_who_is_in_again_after_a_disqualification_is_told_so_and_not_that_they_are_out() -> None:
    event = between_rounds()
    decisions.disqualify_entrant(by=host(), code=event.code, entrant=entrant(event, "p1").pk, now=SOON)
    undo_last(event, SOON + timedelta(seconds=10))
    send(SOON + timedelta(minutes=2))
    assert "event-out" in dropped("p1")
    assert "event-out" not in kinds_sent("p1")
    assert sent("p1")[-1] == ("event-place", "The cup: You are in again")
    assert "taken your disqualification back" in body("p1")


def test_who_is_disqualified_twice_is_told_twice() -> None:
    event = between_rounds()
    for minute in (5, 15):
        at = NOW + timedelta(minutes=minute)
        decisions.disqualify_entrant(by=host(), code=event.code, entrant=entrant(event, "p1").pk, now=at)
        send(at + timedelta(minutes=2))
        assert kinds_sent("p1")[-1] == "event-out"
        if minute == 5:
            undo_last(event, at + timedelta(minutes=4))
            send(at + timedelta(minutes=6))
            assert kinds_sent("p1")[-1] == "event-place"


def test_who_is_out_once_more_gets_no_mail_that_they_are_in() -> None:
    event = between_rounds()
    decisions.disqualify_entrant(by=host(), code=event.code, entrant=entrant(event, "p1").pk, now=SOON)
    undo_last(event, SOON)
    decisions.disqualify_entrant(by=host(), code=event.code, entrant=entrant(event, "p1").pk, now=SOON)
    send(SOON + timedelta(minutes=2))
    assert "event-place" not in kinds_sent("p1")
    assert kinds_sent("p1")[-1] == "event-out"


# ------------------------------------------------------------------------------------------- a correction


def test_those_at_a_table_are_told_that_its_correction_was_taken_back() -> None:
    event = started("round-robin", 3)
    (table,) = playing(event)
    play(table)
    sweep.sweep_tournaments(now=NOW)
    table.refresh_from_db()
    assert table.result
    first, second = sorted(names(table), key=lambda name: table.result["ranks"][names(table).index(name)])
    made = decisions.correct_result(
        by=host(),
        code=event.code,
        table=table.pk,
        ranks=[2 if name == first else 1 for name in names(table)],
        now=NOW,
        public_note="a slip",
        confirmed=True,
    )
    FeedEntry.objects.filter(
        kind="event-pairing"
    ).delete()  # its mail would tell the result along with its own
    decision_undo.undo_decision(by=host(), code=event.code, decision=made.pk, now=NOW)
    lines = FeedEntry.objects.filter(kind="event-result", data__taken_back=True)
    assert {line.player.name for line in lines} == {first, second}
    send()
    subjects = [subject for kind, subject in sent(first) if kind == "event-result"]
    assert subjects == [f"The cup: You beat {second}"], "one mail, of what is true now"
    assert "taken a correction of this result back" in body(first)
    assert "a slip" not in body(first)


def test_those_whose_game_counts_again_are_told_so() -> None:
    event = started("knockout", 4)
    first, _second = playing(event)
    one, other = names(first)
    send()
    decide(first, one, other, now=SOON)
    send(SOON + timedelta(minutes=2))
    assert kinds_sent(other)[-1] == "event-result"
    undo_last(event)
    send(LATER + timedelta(minutes=2))
    for name in (one, other):
        assert sent(name)[-1] == ("event-result", "The cup: Your game counts again")
    assert "It goes on as it stands." in body(other)
    assert Game.objects.get(pk=first.game_id).rated
