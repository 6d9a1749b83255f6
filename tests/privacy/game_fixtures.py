"""Random games of the lobby, of a tournament or of a league, stopped before a random action."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from accounts.models import Player
from games import engine
from games.engine import Setup, State
from games.engine.fairness import SEED_LENGTH_BYTES
from games.models import Game, GameSecrets, Message, Report
from games.selectors import load_game
from games.services import action_log, lobby, pauses, social
from notifications.models import FeedEntry
from tests.factories import leagues as league_factory
from tests.factories.cast import player, seat_cast
from tests.factories.events import publish_tournament
from tests.factories.random_games import Step, choose_seat_and_action
from tournaments.models import League, Pairing, Tournament
from tournaments.services import simulation, sweep, tournaments

MODES = ("2", "3", "4", "pairs")
KINDS = ("lobby", "tournament", "league")
NAMES = ("ada", "bob", "cleo", "dirk", "fay", "gus")  # players
STARTED_AT = datetime(2026, 3, 2, 12, tzinfo=UTC)
MOVED = STARTED_AT + timedelta(days=1)  # time of the last action, after which both worlds are compared
LOOK = MOVED + timedelta(minutes=3)
RARE = ("react", "stolen")


@dataclass(frozen=True)
class GameFixture:
    """A game before its last action, with the objects that it belongs to."""

    game: Game
    steps: list[Step]
    seats: dict[str, int]  # seats by player
    bots: frozenset[int]
    message: Message  # a reported message
    report: Report
    tournament: Tournament | None = None
    table: Pairing | None = None
    league: League | None = None

    @property
    def step(self) -> Step:
        """The action that is still to be played."""
        return self.steps[-1]

    @property
    def setup(self) -> Setup:
        return self.step.before.setup


def build_random_fixture(number: int, mode: str, rng: random.Random) -> GameFixture:
    """Build the game with this number; its options, seed and actions are random."""
    kind = KINDS[number % len(KINDS)]
    seats = 4 if mode == "pairs" else int(mode)
    terms: dict[str, Any] = {
        "mode": "pairs" if mode == "pairs" else "singles",
        "edition": rng.choice(engine.list_edition_names()),
        "cards": rng.random() < 0.9,
        "obligation": rng.choice(("strict", "strict", "lenient")),
        "target": rng.choice((24, 24, 8, 1, 40)),
        "time_control": rng.choice(("3d", "2d", "7d")),
        "timeout_policy": rng.choice(Game.TimeoutPolicy.values),
        "weekends": rng.random() < 0.3,
        "nights": rng.random() < 0.3,
        "private": rng.random() < 0.2,
    }
    tournament = league = None
    if kind == "lobby":
        game = create_lobby_game(seats, terms, rng)
    else:
        organiser = player("host") if rng.random() < 0.7 else player(NAMES[0])
        terms |= {
            "organiser": organiser,
            "table_size": 2 if mode == "pairs" else seats,
            "obligation": "strict",
        }
        if kind == "league":
            league = start_league(terms)
            tournament = Tournament.objects.get(division__season__league=league)
            simulation.set_seed_from_rng(tournament, rng)
        else:
            tournament = start_tournament(seats, terms, rng)
        for _ in range(2):
            sweep.mark_due(STARTED_AT, pk=tournament.pk)
            sweep.process_tournament(tournament.pk, STARTED_AT)
        tournament.refresh_from_db()
        game = tournament.pairings.filter(game__isnull=False).order_by("pk")[0].game
    return stop_at_random_action(game, rng, tournament, league)


def create_lobby_game(seats: int, terms: dict[str, Any], rng: random.Random) -> Game:
    """Create a game that players join; some games have a bot or a guest."""
    host, people = player(NAMES[0]), NAMES[:seats]
    bots = rng.choice((0, 0, 1)) if not terms["private"] else 0
    rated = not bots and terms["obligation"] == "strict"
    terms |= {"seat_order": rng.choice(Game.SeatOrder.values), "rated": rated, "seat_count": seats}
    game = lobby.create_game(player=host, now=STARTED_AT, seed=rng.randbytes(SEED_LENGTH_BYTES), **terms)
    seat_cast(game, *people[: seats - bots], bots=("greedy",) * bots, now=STARTED_AT)
    if rng.random() < 0.2:
        Player.objects.filter(name=people[1]).update(is_guest=True)
    return game


def start_tournament(seats: int, terms: dict[str, Any], rng: random.Random) -> Tournament:
    """Start a tournament whose first round has one pairing."""
    tournament = publish_tournament(
        format="swiss", round_count=2, hold_on_warnings=False, now=STARTED_AT, rng=rng, **terms
    )
    for first, partner in simulation.group_players([player(name) for name in NAMES[:seats]], tournament.mode):
        simulation.enter_players(tournament, first, partner, STARTED_AT)
    tournaments.start_tournament(by=terms["organiser"], code=tournament.code, now=STARTED_AT)
    return tournament


def start_league(terms: dict[str, Any]) -> League:
    """Start a league with its first season."""
    size = max(3, terms["table_size"])
    league = league_factory.join_league(division_size=size, now=STARTED_AT, **terms)
    people = NAMES[: size * simulation.count_players_per_entrant(league.mode)]
    simulation.join_league(league, [player(name) for name in people], STARTED_AT)
    return league_factory.start_league(league, STARTED_AT)


def stop_at_random_action(
    game: Game, rng: random.Random, tournament: Tournament | None, league: League | None
) -> GameFixture:
    """Play the game up to a random action, preferably one that leads to a rare phase."""
    open_numbers: list[int] = []
    while not open_numbers:  # some games end at once by resignation
        steps = play_random_game(engine.load_state(GameSecrets.objects.get(game=game).state), rng)
        # The end of a game publishes its seed, so that nothing is hidden afterwards.
        open_numbers = [number for number, step in enumerate(steps) if not step.after.is_over]
    rare = [number for number in open_numbers if is_rare_phase(steps[number])]
    last = rng.choice(rare if rare and rng.random() < 0.5 else open_numbers)
    play_steps(game.code, steps[:last])
    places = list(game.seats.select_related("player"))
    people = {place.player.name: place.seat_no for place in places if place.player and place.seat_no}
    sitting = [player(name) for name in people]
    for who in sitting:
        social.write_note(player=who, code=game.code, text=f"a note of {who.name}", now=STARTED_AT)
    if rng.random() < 0.8:  # all earlier notices have been sent
        FeedEntry.objects.update(notify_at=None)
    if len(sitting) > 1:
        message = social.post_chat_message(
            player=sitting[0], code=game.code, text="Good luck!", now=STARTED_AT
        )
    else:  # written before the game started, for players still to come
        message = Message.objects.create(
            game=game, player=sitting[0], text="Good luck!", created_at=STARTED_AT
        )
    report = Report.objects.create(message=message, player=sitting[-1], reason="luck", created_at=STARTED_AT)
    before = steps[last].before
    staying = [name for name, seat in people.items() if before.setup.sides[seat] not in before.resigned_sides]
    if len(staying) > 1 and rng.random() < 0.3:
        until = LOOK + timedelta(days=5)
        pauses.propose_pause(player=player(staying[-1]), code=game.code, until=until, now=STARTED_AT)
    game.refresh_from_db()
    return GameFixture(
        game=game,
        steps=steps[: last + 1],
        seats=people,
        bots=frozenset(place.seat_no for place in places if place.bot_policy and place.seat_no),
        message=message,
        report=report,
        tournament=tournament,
        table=Pairing.objects.filter(game=game).first(),
        league=league,
    )


def play_random_game(state: State, rng: random.Random) -> list[Step]:
    """Return every step of a random game; some games contain a resignation."""
    eager, resigning = rng.choice((0.3, 1)), rng.choice((0, 0, 0.02))
    steps = []
    while not state.is_over:
        seat, action = choose_seat_and_action(state, rng, eager)
        action = "resign" if rng.random() < resigning else action
        after, events = engine.apply_action(state, seat, action)
        steps.append(Step(state, seat, action, after, events))
        state = after
    return steps


def is_rare_phase(step: Step) -> bool:
    """True if a step concerns a rare phase or a blind match."""
    return step.after.phase in RARE or step.before.phase in RARE or step.after.match_kind == "blind"


def play_steps(code: str, steps: list[Step]) -> None:
    """Play steps with all checks, clocks and log rows, but commit only once."""
    loaded_game, pending_write = load_game(code), None
    for number, step in enumerate(steps):
        pending_write = action_log.prepare_action(
            loaded_game=loaded_game,
            seat_no=step.seat,
            action=step.action,
            by="bot" if loaded_game.seat_by_no(step.seat).bot_policy else "player",
            now=STARTED_AT + (MOVED - STARTED_AT) * number / len(steps),
            previous_write=pending_write,
            player_acted=True,
            clock_incidents=(),
        )
        loaded_game = pending_write.loaded_game
    if pending_write:
        action_log.commit_pending_writes([pending_write])
