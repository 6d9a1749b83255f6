"""Random games to be looked at: of the lobby, of a tournament, of a league, stopped before any one action."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from games import engine
from games.engine import Setup, State
from games.engine.fairness import SEED_LENGTH_BYTES
from games.models import FeedEntry, Game, GameSecrets, Message, Player, Report
from games.selectors import load_game
from games.services import action_log, invitations, lobby, pauses, social
from tests.engine.random_games import Step, chosen
from tests.games.cast import player
from tournaments.models import League, Pairing, Tournament
from tournaments.services import leagues, seasons, simulation, sweep, tournaments

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
    event: Tournament | None = None
    table: Pairing | None = None
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
        "edition": rng.choice(engine.list_edition_names()),
        "cards": rng.random() < 0.9,
        "obligation": rng.choice(("strict", "strict", "lenient")),
        "target": rng.choice((24, 24, 8, 1, 40)),
        "clock_name": rng.choice(("3d", "2d", "7d")),
        "timeouts": rng.choice(Game.TimeoutPolicy.values),
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
            event = Tournament.objects.get(division__season__league=league)
            simulation.set_seed_from_rng(event, rng)
        else:
            event = a_tournament(seats, terms, rng)
        for _ in range(2):
            sweep.mark_due(BEGAN, pk=event.pk)
            sweep.process_tournament(event.pk, BEGAN)
        event.refresh_from_db()
        game = event.tables.filter(game__isnull=False).order_by("pk")[0].game
    return stopped(game, rng, event, league)


def of_lobby(seats: int, terms: dict[str, Any], rng: random.Random) -> Game:
    """A game that people made and joined; now and then a bot or a guest sits there."""
    host, people = player(NAMES[0]), NAMES[:seats]
    bots = rng.choice((0, 0, 1)) if not terms["private"] else 0
    rated = not bots and terms["obligation"] == "strict"
    terms |= {"order": rng.choice(lobby.SEAT_ORDERS), "rated": rated, "seats": seats}
    game = lobby.create_game(player=host, now=BEGAN, seed=rng.randbytes(SEED_LENGTH_BYTES), **terms)
    for name in people[: seats - bots]:
        if game.private and name != host.name:
            invitations.invite_to_game(player=host, code=game.code, name=name, now=BEGAN)
        lobby.join_game(player=player(name), code=game.code, now=BEGAN, client_seed=f"seed of {name}")
    for _ in range(bots):
        lobby.add_bot(player=host, code=game.code, policy="greedy", now=BEGAN)
    if rng.random() < 0.2:
        Player.objects.filter(name=people[1]).update(guest=True)
    return game


def a_tournament(seats: int, terms: dict[str, Any], rng: random.Random) -> Tournament:
    """One whose first round has one table."""
    fields = {"name": "The cup", "format": "swiss", "rounds": 2, "ask": False, "now": BEGAN}
    event = tournaments.create_tournament(**fields, **terms)
    simulation.set_seed_from_rng(event, rng)
    tournaments.publish_tournament(by=terms["organiser"], code=event.code, now=BEGAN)
    for one, partner in simulation.group_players([player(name) for name in NAMES[:seats]], event.mode):
        simulation.enter_players(event, one, partner, BEGAN)
    tournaments.start_tournament(by=terms["organiser"], code=event.code, now=BEGAN)
    return event


def a_league(terms: dict[str, Any]) -> League:
    """One whose first season has just begun."""
    size = max(3, terms["table"])
    league = leagues.create_league(name="The league", size=size, moves=1, now=BEGAN, **terms)
    people = NAMES[: size * simulation.count_players_per_entrant(league.mode)]
    simulation.join_league(league, [player(name) for name in people], BEGAN)
    leagues.start_league(by=terms["organiser"], code=league.code, now=BEGAN)
    seasons.process_league(league.pk, BEGAN)
    return league


def stopped(game: Game, rng: random.Random, event: Tournament | None, league: League | None) -> Ground:
    """The game played up to one of its actions: any, or with luck one that leads to a rare phase."""
    open_ones: list[int] = []
    while not open_ones:  # now and then somebody resigns at once
        steps = whole_game(engine.load_state(GameSecrets.objects.get(game=game).state), rng)
        # What ends a game publishes its seed: from then on there is nothing to hide.
        open_ones = [number for number, step in enumerate(steps) if not step.after.is_over]
    rare = [number for number in open_ones if rare_phase(steps[number])]
    last = rng.choice(rare if rare and rng.random() < 0.5 else open_ones)
    play(game.code, steps[:last])
    places = list(game.places.select_related("player"))
    people = {place.player.name: place.number for place in places if place.player and place.number}
    sitting = [player(name) for name in people]
    for who in sitting:
        social.write_note(player=who, code=game.code, text=f"a note of {who.name}", now=BEGAN)
    if rng.random() < 0.8:  # everybody has been told of all that came before
        FeedEntry.objects.update(due_at=None)
    if len(sitting) > 1:
        message = social.post_chat_message(player=sitting[0], code=game.code, text="Good luck!", now=BEGAN)
    else:  # said while the game still waited for somebody who might come
        message = Message.objects.create(game=game, player=sitting[0], text="Good luck!", at=BEGAN)
    report = Report.objects.create(message=message, player=sitting[-1], why="luck", at=BEGAN)
    before = steps[last].before
    staying = [name for name, seat in people.items() if before.setup.sides[seat] not in before.resigned_sides]
    if len(staying) > 1 and rng.random() < 0.3:
        until = LOOK + timedelta(days=5)
        pauses.propose_pause(player=player(staying[-1]), code=game.code, until=until, now=BEGAN)
    game.refresh_from_db()
    return Ground(
        game=game,
        steps=steps[: last + 1],
        seats=people,
        bots=frozenset(place.number for place in places if place.bot and place.number),
        message=message,
        report=report,
        event=event,
        table=Pairing.objects.filter(game=game).first(),
        league=league,
    )


def whole_game(state: State, rng: random.Random) -> list[Step]:
    """Every step of a random game; now and then somebody resigns."""
    eager, resigning = rng.choice((0.3, 1)), rng.choice((0, 0, 0.02))
    steps = []
    while not state.is_over:
        seat, action = chosen(state, rng, eager)
        action = "resign" if rng.random() < resigning else action
        after, told = engine.apply_action(state, seat, action)
        steps.append(Step(state, seat, action, after, told))
        state = after
    return steps


def rare_phase(step: Step) -> bool:
    """Whether few games come to this."""
    return step.after.phase in RARE or step.before.phase in RARE or step.after.match_kind == "blind"


def play(code: str, steps: list[Step]) -> None:
    """Play a game so far: judged, clocked and logged as ever, but written once."""
    found, made = load_game(code), None
    for number, step in enumerate(steps):
        made = action_log.prepare_action(
            loaded_game=found,
            seat_no=step.seat,
            action=step.action,
            by="bot" if found.seat_by_no(step.seat).bot else "player",
            now=BEGAN + (MOVED - BEGAN) * number / len(steps),
            previous_write=made,
            player_acted=True,
            clock_incidents=(),
        )
        found = made.loaded_game
    if made:
        action_log.commit_pending_writes([made])
