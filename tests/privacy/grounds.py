"""Random games to be looked at: of the lobby, of a tournament, of a league, stopped before any one action."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from games import engine
from games.engine import Setup, State
from games.engine.fairness import SEED_BYTES
from games.models import Event as Line
from games.models import Game, Message, Player, Report, Secret
from games.selectors import table as table_of
from games.services import invitations, lobby, log, pauses, social
from tests.engine.random_games import Step, chosen
from tests.games.cast import player
from tournaments.models import Event, League, Table
from tournaments.services import events, leagues, seasons, simulation, sweep

MODES = ("2", "3", "4", "pairs")
KINDS = ("lobby", "tournament", "league")
NAMES = ("ada", "bob", "cleo", "dirk", "fay", "gus")  # who play
BEGAN = datetime(2026, 3, 2, 12, tzinfo=UTC)
MOVED = BEGAN + timedelta(days=1)  # when the action is played after which both worlds are looked at
LOOK = MOVED + timedelta(minutes=3)
RARE = ("react", "stolen")


@dataclass(frozen=True)
class Ground:
    """A game before the last of some actions, and what it belongs to."""

    game: Game
    steps: list[Step]
    seats: dict[str, int]  # the people who play, and where they sit
    bots: frozenset[int]
    message: Message  # that somebody found wrong
    report: Report
    event: Event | None = None
    table: Table | None = None
    league: League | None = None

    @property
    def step(self) -> Step:
        """The action that is still to be played."""
        return self.steps[-1]

    @property
    def setup(self) -> Setup:
        return self.step.before.setup


def random_ground(number: int, mode: str, rng: random.Random) -> Ground:
    """The game of that number; its terms, its chance and its moves come from the dice."""
    kind = KINDS[number % len(KINDS)]
    seats = 4 if mode == "pairs" else int(mode)
    terms: dict[str, Any] = {
        "mode": "pairs" if mode == "pairs" else "singles",
        "edition": rng.choice(engine.edition_names()),
        "cards": rng.random() < 0.9,
        "obligation": rng.choice(("strict", "strict", "lenient")),
        "target": rng.choice((24, 24, 8, 1, 40)),
        "clock_name": rng.choice(("3d", "2d", "7d")),
        "timeouts": rng.choice(Game.Timeouts.values),
        "weekends": rng.random() < 0.3,
        "nights": rng.random() < 0.3,
        "private": rng.random() < 0.2,
    }
    event = league = None
    if kind == "lobby":
        game = of_lobby(seats, terms, rng)
    else:
        organiser = player("host") if rng.random() < 0.7 else player(NAMES[0])
        terms |= {"organiser": organiser, "table": 2 if mode == "pairs" else seats, "obligation": "strict"}
        if kind == "league":
            league = a_league(terms)
            event = Event.objects.get(division__season__league=league)
            simulation.same_lots(event, rng)
        else:
            event = a_tournament(seats, terms, rng)
        for _ in range(2):
            sweep.wake(BEGAN, pk=event.pk)
            sweep.attend(event.pk, BEGAN)
        event.refresh_from_db()
        game = event.tables.filter(game__isnull=False).order_by("pk")[0].game
    return stopped(game, rng, event, league)


def of_lobby(seats: int, terms: dict[str, Any], rng: random.Random) -> Game:
    """A game that people made and joined; now and then a bot or a guest sits there."""
    host, people = player(NAMES[0]), NAMES[:seats]
    bots = rng.choice((0, 0, 1)) if not terms["private"] else 0
    rated = not bots and terms["obligation"] == "strict"
    terms |= {"order": rng.choice(lobby.ORDERS), "rated": rated, "seats": seats}
    game = lobby.create(player=host, now=BEGAN, seed=rng.randbytes(SEED_BYTES), **terms)
    for name in people[: seats - bots]:
        if game.private and name != host.name:
            invitations.invite(player=host, code=game.code, name=name, now=BEGAN)
        lobby.join(player=player(name), code=game.code, now=BEGAN, client_seed=f"seed of {name}")
    for _ in range(bots):
        lobby.add_bot(player=host, code=game.code, policy="greedy", now=BEGAN)
    if rng.random() < 0.2:
        Player.objects.filter(name=people[1]).update(guest=True)
    return game


def a_tournament(seats: int, terms: dict[str, Any], rng: random.Random) -> Event:
    """One whose first round has one table."""
    fields = {"name": "The cup", "format": "swiss", "rounds": 2, "ask": False, "now": BEGAN}
    event = events.create(**fields, **terms)
    simulation.same_lots(event, rng)
    events.publish(by=terms["organiser"], code=event.code, now=BEGAN)
    for one, partner in simulation.places([player(name) for name in NAMES[:seats]], event.mode):
        simulation.enter(event, one, partner, BEGAN)
    events.start(by=terms["organiser"], code=event.code, now=BEGAN)
    return event


def a_league(terms: dict[str, Any]) -> League:
    """One whose first season has just begun."""
    size = max(3, terms["table"])
    league = leagues.create(name="The league", size=size, moves=1, now=BEGAN, **terms)
    people = NAMES[: size * simulation.a_place(league.mode)]
    simulation.join(league, [player(name) for name in people], BEGAN)
    leagues.start(by=terms["organiser"], code=league.code, now=BEGAN)
    seasons.attend(league.pk, BEGAN)
    return league


def stopped(game: Game, rng: random.Random, event: Event | None, league: League | None) -> Ground:
    """The game played up to one of its actions: any, or with luck one that leads to a rare phase."""
    open_ones: list[int] = []
    while not open_ones:  # now and then somebody resigns at once
        steps = whole_game(engine.load(Secret.objects.get(game=game).state), rng)
        # What ends a game publishes its seed: from then on there is nothing to hide.
        open_ones = [number for number, step in enumerate(steps) if not step.after.over]
    rare = [number for number in open_ones if rare_phase(steps[number])]
    last = rng.choice(rare if rare and rng.random() < 0.5 else open_ones)
    play(game.code, steps[:last])
    places = list(game.places.select_related("player"))
    people = {place.player.name: place.number for place in places if place.player and place.number}
    sitting = [player(name) for name in people]
    for who in sitting:
        social.write_note(player=who, code=game.code, text=f"a note of {who.name}", now=BEGAN)
    if rng.random() < 0.8:  # everybody has been told of all that came before
        Line.objects.update(due_at=None)
    if len(sitting) > 1:
        message = social.say(player=sitting[0], code=game.code, text="Good luck!", now=BEGAN)
    else:  # said while the game still waited for somebody who might come
        message = Message.objects.create(game=game, player=sitting[0], text="Good luck!", at=BEGAN)
    report = Report.objects.create(message=message, player=sitting[-1], why="luck", at=BEGAN)
    before = steps[last].before
    staying = [name for name, seat in people.items() if before.setup.sides[seat] not in before.out]
    if len(staying) > 1 and rng.random() < 0.3:
        until = LOOK + timedelta(days=5)
        pauses.propose(player=player(staying[-1]), code=game.code, until=until, now=BEGAN)
    game.refresh_from_db()
    return Ground(
        game=game,
        steps=steps[: last + 1],
        seats=people,
        bots=frozenset(place.number for place in places if place.bot and place.number),
        message=message,
        report=report,
        event=event,
        table=Table.objects.filter(game=game).first(),
        league=league,
    )


def whole_game(state: State, rng: random.Random) -> list[Step]:
    """Every step of a random game; now and then somebody resigns."""
    eager, resigning = rng.choice((0.3, 1)), rng.choice((0, 0, 0.02))
    steps = []
    while not state.over:
        seat, action = chosen(state, rng, eager)
        action = "resign" if rng.random() < resigning else action
        after, told = engine.apply(state, seat, action)
        steps.append(Step(state, seat, action, after, told))
        state = after
    return steps


def rare_phase(step: Step) -> bool:
    """Whether few games come to this."""
    return step.after.phase in RARE or step.before.phase in RARE or step.after.kind == "blind"


def play(code: str, steps: list[Step]) -> None:
    """Play a game so far: judged, clocked and logged as ever, but written once."""
    found, made = table_of(code), None
    for number, step in enumerate(steps):
        made = log.step(
            found=found,
            seat=step.seat,
            action=step.action,
            by="bot" if found.place(step.seat).bot else "player",
            now=BEGAN + (MOVED - BEGAN) * number / len(steps),
            so_far=made,
            present=True,
            stopped=(),
        )
        found = made.after
    if made:
        log.append_all([made])
