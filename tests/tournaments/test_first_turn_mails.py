"""One mail for a first turn: whoever is quick, late or asleep, over a real mail server."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import datetime, time

import pytest
from django.conf import LazySettings

from games.engine import legal_actions
from games.models import Delivery, Game, Player
from games.selectors import load_game
from games.services import sweep as games_sweep
from games.services import turns
from tests.games.telling import part
from tests.smtp import Sink
from tournaments.selectors import timeout_evidence
from tournaments.services import sweep

from .mailing import MINUTE, SOON, only, send
from .play import DAY, HOUR, NOW, playing, someone, started
from .test_leagues import begun

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def sink(settings: LazySettings) -> Iterator[Sink]:
    settings.SITE_URL = "https://otto.example.org"
    settings.REPLY_DOMAIN = "play.example.org"
    with Sink() as started:
        for name, value in started.settings().items():
            setattr(settings, name, value)
        yield started


def to(sink: Sink, player: Player) -> list[str]:
    """The subjects of what arrived for a player, in order."""
    return [str(mail.message["Subject"]) for mail in sink.mails if mail.recipients == [player.email]]


def text_of(sink: Sink, player: Player) -> str:
    return part([mail.message for mail in sink.mails if mail.recipients == [player.email]][-1], "plain")


def seats(game: Game) -> tuple[Player, Player]:
    """Who is to act, and the other one."""
    places = list(game.places.select_related("player").order_by("number"))
    acts = [place.player for place in places if game.to_act >> (place.number or 0) & 1]
    rests = [place.player for place in places if not game.to_act >> (place.number or 0) & 1]
    assert acts[0]
    assert rests[0]
    return acts[0], rests[0]


def play_turn(game: Game, player: Player, now: datetime) -> None:
    """Play on until the turn is another's."""
    dice = random.Random(1)
    for _step in range(20):
        found = load_game(game.code)
        place = found.seat_of(player)
        assert place
        assert place.number
        assert found.state
        if place.number not in found.state.seats_to_act:
            break
        action = dice.choice(legal_actions(found.state, place.number))
        turns.play_action(player=player, code=game.code, text=action, seq=found.state.seq, key="", now=now)
    game.refresh_from_db()


def cup() -> tuple[Game, Player, Player]:
    """A cup of two that has just begun."""
    event = started("knockout", 2, round_length=30 * 86_400, target=24)
    (table,) = playing(event)
    assert table.game
    return table.game, *seats(table.game)


def test_somebody_quick_does_not_make_two_mails_for_the_others_first_turn(sink: Sink) -> None:
    game, mover, other = cup()
    play_turn(game, mover, NOW + MINUTE / 2)
    assert seats(game)[0] == other
    send()
    send(SOON + 5 * MINUTE)
    assert to(sink, other) == [f"The cup, Final: You meet {mover.name}"]
    assert "https://otto.example.org/turn/" in text_of(sink, other), "it tells of the turn, and plays it"


def test_a_turn_after_the_mail_about_the_round_is_told_by_its_own(sink: Sink) -> None:
    game, mover, other = cup()
    send()
    assert "/turn/" not in text_of(sink, other)
    play_turn(game, mover, NOW + HOUR)
    send(NOW + HOUR + 2 * MINUTE)
    assert to(sink, other) == [
        f"The cup, Final: You meet {mover.name}",
        f"Your turn: OTTO with {mover.name}",
    ]


def test_whoever_sleeps_gets_one_mail_in_the_morning(sink: Sink) -> None:
    for name in ("p1", "p2"):
        Player.objects.filter(pk=someone(name).pk).update(quiet_from=time(11), quiet_until=time(20))
    game, mover, other = cup()
    play_turn(game, mover, NOW + HOUR)
    send(NOW + 2 * HOUR)
    assert not sink.mails, "hours are quiet"
    send(NOW + 8 * HOUR + MINUTE)
    assert to(sink, other) == [f"The cup, Final: You meet {mover.name}"]
    assert "/turn/" in text_of(sink, other)


def test_a_mail_that_has_to_wait_for_the_server_takes_the_turn_along(sink: Sink) -> None:
    game, mover, other = cup()
    sink.reject = lambda message: "451 4.7.1 come back later"
    send()
    play_turn(game, mover, NOW + 2 * MINUTE)
    sink.reject = lambda message: ""
    send(NOW + 4 * MINUTE)
    assert to(sink, other) == [f"The cup, Final: You meet {mover.name}"]
    assert "/turn/" in text_of(sink, other)


def test_a_mail_that_fails_again_and_again_keeps_no_turn_quiet(sink: Sink) -> None:
    game, mover, other = cup()
    only(other.name)
    sink.reject = lambda message: "451 4.7.1 not this one" if "You meet" in message["Subject"] else ""
    for hours in (0, 1, 2):
        send(SOON + hours * HOUR)
    play_turn(game, mover, NOW + 3 * HOUR)
    send(NOW + 3 * HOUR + 2 * MINUTE)
    assert to(sink, other) == [f"Your turn: OTTO with {mover.name}"]


def test_a_game_of_the_round_that_opened_after_the_mail_is_told_by_its_own(sink: Sink) -> None:
    """All games of a round make one mail; one that was not in it would else be told by nobody."""
    event = started("round-robin", 4, at_once=True, target=24)
    ada = someone("p1")
    only("p1")
    mine = [one for one in playing(event) if one.game and one.game.places.filter(player=ada).exists()]
    late = mine[-1]
    assert late.game
    sent_of_late = Delivery.objects.filter(player=ada)
    send()
    assert len(to(sink, ada)) == 1
    mail = sent_of_late.get(kind="event-pairing")
    assert set(mail.data["shown_turns"]) == {one.game.code for one in mine if one.game}
    # As if the worker had opened the last game only now.
    mail.data["shown_turns"].pop(late.game.code)
    mail.save(update_fields=["data"])
    kind = "turn" if seats(late.game)[0] == ada else "started"
    again = sent_of_late.filter(kind=kind, game=late.game)
    assert again.get().status == "dropped"
    again.update(status="waiting", due_at=SOON, why="")
    send(SOON + MINUTE)
    assert again.get().status == "sent"
    assert len(to(sink, ada)) == 2


def test_a_season_of_a_league_begins_with_one_mail_for_everybody(sink: Sink) -> None:
    begun(4, size=4, target=24)
    movers = {}
    for game in Game.objects.filter(status="running"):
        mover, other = seats(game)
        movers[other] = mover
        play_turn(game, mover, NOW + MINUTE / 2)
    send(NOW + 3 * MINUTE)
    send(NOW + 10 * MINUTE)
    assert movers
    for other, mover in movers.items():
        assert len(to(sink, other)) == 1, to(sink, other)
        assert f"You meet {mover.name}" in to(sink, other)[0]


def test_the_evidence_of_a_turn_names_the_mail_that_told_of_it(sink: Sink) -> None:
    event = started("knockout", 2, target=24, timeouts="forfeit", vacation=False)
    (table,) = playing(event)
    assert table.game
    mover, other = seats(table.game)
    play_turn(table.game, mover, NOW + MINUTE / 2)
    send()
    games_sweep.sweep_games(now=NOW + 10 * DAY)
    sweep.sweep_tournaments(now=NOW + 10 * DAY)
    (late,) = timeout_evidence.list_timeout_evidence(table, other)
    assert late["player"] == other.name
    told = {one["kind"]: one["status"] for one in late["notices"]}
    assert told["event-pairing"] == "sent"
    assert told["turn"] == "dropped"
