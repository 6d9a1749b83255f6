"""A seat that changes hands takes nothing along of what its predecessor was just doing."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from django.db import transaction

from games import engine
from games.models import Event as Line
from games.models import Game, Player
from games.selectors import Table as LoadedGame
from games.selectors import table as games_table
from games.services import clocks, guests, log, log_sql, turns
from games.services.errors import Denied
from tests.games.cast import game_of
from tests.tournaments.play import NOW, entrant, host, playing, replace, someone, started
from tests.tournaments.test_leagues import begun
from tournaments.models import Event
from tournaments.services import entries, leagues, sweep, undoing

pytestmark = pytest.mark.django_db


def by_replacement() -> tuple[Game, str]:
    event = started("knockout", 2)
    game = playing(event)[0].game
    assert game
    leaves = mover(game)
    replace(event, leaves, "new")
    return game, leaves


def read_then(change: Callable[[Game, str], None], event: Event) -> tuple[LoadedGame, Game]:
    """A game as whoever is to move has read it, and then a handover of their seat."""
    game = playing(event)[0].game
    assert game
    seen = games_table(game.code)
    change(game, mover(game))
    return seen, game


def mover(game: Game) -> str:
    found = games_table(game.code)
    player = found.place(found.to_act[0]).player
    assert player
    return player.name


def move_of(seen: LoadedGame) -> log.Step:
    """What whoever read the game would write."""
    assert seen.state
    seat = seen.to_act[0]
    action = engine.legal_actions(seen.state, seat)[0]
    return log.step(found=seen, seat=seat, action=action, by="player", now=NOW, present=True)


def write_alone(made: log.Step) -> bool:
    return log_sql.write_at_once(made)


def write_in_turn(made: log.Step) -> bool:
    with transaction.atomic():
        return log_sql.write_in_turn(made)


def write_with_others(made: log.Step) -> bool:
    return bool(log.append_all([made]))


WRITERS: Sequence[Callable[[log.Step], bool]] = (write_alone, write_in_turn, write_with_others)


def replaced(game: Game, name: str) -> None:
    replace(Event.objects.get(tables__game=game), name, "new")


def put_back(game: Game, name: str) -> None:
    """Replaced and put back between the look and the move: the same player sits there, with another turn."""
    event = Event.objects.get(tables__game=game)
    decision = replace(event, name, "new")
    undoing.undo(by=host(), code=event.code, decision=decision.pk, now=NOW)


def withdrawn(game: Game, name: str) -> None:
    entries.withdraw(player=someone(name), code=Event.objects.get(tables__game=game).code, now=NOW)


def substituted(game: Game, name: str) -> None:
    event = Event.objects.select_related("division__season__league").get(tables__game=game)
    assert event.division
    code = event.division.season.league.code
    leagues.substitute(by=host(), code=code, out=someone(name), now=NOW)


def deleted(game: Game, name: str) -> None:
    Player.objects.filter(name=name).update(is_active=False)
    Event.objects.get(tables__game=game).members.filter(player__name=name).update(player=None)
    Event.objects.update(due_at=NOW)
    sweep.sweep(now=NOW)


IN_A_CUP = (replaced, put_back)
IN_A_LEAGUE = (withdrawn, substituted, deleted)


@pytest.mark.parametrize("write", WRITERS, ids=lambda one: one.__name__)
@pytest.mark.parametrize("change", [*IN_A_CUP, *IN_A_LEAGUE], ids=lambda one: one.__name__)
def test_a_move_that_was_read_before_a_handover_is_not_written_after_it(
    change: Callable[[Game, str], None], write: Callable[[log.Step], bool]
) -> None:
    if change in IN_A_CUP:
        event = started("knockout", 2)
    else:
        league = begun(3, at_once=True)
        leagues.choose(player=someone("spare"), code=league.code, now=NOW, status="substitute")
        event = Event.objects.get()
    seen, game = read_then(change, event)
    clocks_then = seen.game.clocks
    made = move_of(seen)
    game.refresh_from_db()
    assert game.clocks == clocks_then  # no time has passed: the clocks alone would not tell
    assert not write(made)
    game.refresh_from_db()
    assert game.seq == 0
    assert game.actions.count() == 0


def test_a_deadline_that_was_read_before_a_handover_is_not_written_after_it() -> None:
    seen, game = read_then(replaced, started("knockout", 2))
    assert not clocks.rewound(seen, NOW)
    assert clocks.rewound(games_table(game.code), NOW)


def test_the_predecessor_is_told_that_the_seat_is_no_longer_theirs() -> None:
    game, leaves = by_replacement()
    with pytest.raises(Denied) as refused:
        turns.play(player=someone(leaves), code=game.code, text="draw", seq=0, key="", now=NOW)
    assert refused.value.code == "not-seated"


def test_games_that_a_guest_brings_into_an_account_count_as_handed_over() -> None:
    game = game_of("ada", "bob")
    guest = Player.objects.get(name="ada")
    Player.objects.filter(pk=guest.pk).update(guest=True, keeper=someone("owner"))
    seen = games_table(game.code)
    guests.hand_over(player=someone("owner"), now=NOW)
    assert not log_sql.write_at_once(move_of(seen))


# -------------------------------------------------------------------------------- who hears of a handover


@pytest.mark.parametrize("change", [replaced, put_back, withdrawn, substituted, deleted])
def test_opponents_at_running_tables_hear_who_plays_on_however_it_came(
    change: Callable[[Game, str], None],
) -> None:
    if change in IN_A_CUP:
        event = started("knockout", 2)
    else:
        league = begun(3, at_once=True)
        leagues.choose(player=someone("spare"), code=league.code, now=NOW, status="substitute")
        event = Event.objects.get()
    game = playing(event)[0].game
    assert game
    leaves = mover(game)
    mine = entrant(event, leaves)
    opponents = set(
        event.members.filter(entrant__sittings__table__sittings__entrant=mine)
        .exclude(entrant=mine)
        .values_list("player__name", flat=True)
    )
    change(game, leaves)
    told = Line.objects.filter(kind="event-newcomer", due_at__isnull=False).order_by("pk")
    heard = [(line.player.name, line.data["player"]) for line in told]
    plays = event.members.get(entrant=mine).player_id
    assert opponents
    assert {name for name, player in heard if player == plays} == opponents
