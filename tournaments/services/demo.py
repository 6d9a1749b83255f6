"""What a newcomer finds on a trial site: a league and cups that bots play, with places for people.

The bots are players of a domain that no mail reaches; the worker moves for them. Where somebody plays or
waits they are quick; among themselves they take their time, and more of it the longer nobody has been here,
so that a trial that is left running fills no disk.
"""

from __future__ import annotations

import math
import random
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Exists, Max, OuterRef, Q, QuerySet

from games.models import Game, Player
from games.selectors import table
from games.services import bots, log, names
from games.services.budget import Budget
from games.services.errors import Conflict
from tournaments.models import Entrant, Event, League, Member, Membership, Table

from . import entries, events, leagues, seasons, simulation, sweep

DOMAIN = "demo.invalid"  # no mail can ever go there (RFC 2606)
HOST, HOST_NAME = f"host@{DOMAIN}", "OTTO Demo"
NAMES = (
    *("Basil Bot", "Clover Bot", "Fennel Bot", "Juniper Bot", "Lavender Bot", "Mint Bot", "Nettle Bot"),
    *("Saffron Bot", "Thyme Bot", "Yarrow Bot"),
)
POLICY = "greedy"
MEMBERS = 7  # of the league: two divisions of four, so that there is a place for somebody
PLACES, FIRST = 8, 5  # of a cup, and how many bots are there when it opens
GAMES: dict[str, Any] = {"target": 6, "rated": False, "clock_name": "12h", "round_length": 24 * 60 * 60}
PAUSE = 60  # seconds between two seasons

FILL = timedelta(seconds=20)  # between two bots who take the last places of a cup that somebody waits in
LEAST_GAP = timedelta(minutes=1)  # between two moves of a game among bots
SHARE = 100  # and it is this part of the time for which nobody has been here
BURST, HURRY, FEW = 50, 8, 3  # actions in one go: against people, where they wait, and games among bots

LEAGUE_TEXT = (
    "A league to try, played by bots. Join, and a new season begins with you as soon as the bots have ended "
    "this one: they hurry, so it takes some minutes. A season is one round of games, all at once."
)
CUP_TEXT = (
    "A knock-out to try, played by bots. Enter, and bots take the other places within a minute; "
    "then it starts."
)


# -------------------------------------------------------------------------------------------------- the seed


@transaction.atomic
def seed(*, now: datetime) -> bool:
    """Make the demo, with a past of some days; False if it is there already, and somebody has come again."""
    if Player.objects.filter(email=HOST).update(seen_at=now):
        return False
    rng = random.Random("demo")

    def ago(hours: int) -> datetime:
        return now - timedelta(hours=hours)

    host, *people = make_people(ago(48))
    Player.objects.filter(pk=host.pk).update(seen_at=now)
    league = make_league(host, people[:MEMBERS], ago(40))
    play_season(league, rng, begins=ago(36), played=ago(30), ends=ago(26))
    play_season(league, rng, begins=ago(10), played=ago(4), ends=None)
    cup = open_cup(host, people[-PLACES:], ago(20))
    settle(cup, ago(20))
    play_some(cup, rng, ago(12), share=1)
    settle(cup, ago(10))
    begin_games(cup, rng, ago(1))
    open_cup(host, people[:FIRST], now)
    return True


def make_people(now: datetime) -> list[Player]:
    """Who runs the demo, and its bots: nobody can sign in as one, and none is written to."""
    people = []
    for number, name in enumerate((HOST_NAME, *NAMES)):
        free = next(
            one for n in range(1, 100) if names.find_twin(one := name if n == 1 else f"{name} {n}") is None
        )
        made = Player(
            email=HOST if number == 0 else f"{name.split()[0].lower()}@{DOMAIN}",
            name=free,
            mails=Player.Mails.NONE,
            joined_at=now - timedelta(days=100 - number),
        )
        made.set_unusable_password()
        people.append(made)
    return Player.objects.bulk_create(people)


def make_league(host: Player, people: list[Player], now: datetime) -> League:
    """A league that begins with its next season."""
    league = leagues.create(
        organiser=host,
        name="Demo league",
        text=LEAGUE_TEXT,
        size=4,
        moves=1,
        at_once=True,
        pause=PAUSE,
        now=now,
        **GAMES,
    )
    for one in people:
        leagues.choose(player=one, code=league.code, now=now)
    return leagues.start(by=host, code=league.code, now=now)


def play_season(
    league: League, rng: random.Random, *, begins: datetime, played: datetime, ends: datetime | None
) -> None:
    """Play a season to its end, or, if it has none yet, half of it."""
    seasons.attend(league.pk, begins)
    for event in Event.objects.filter(division__season__league=league, started_at=None).order_by("pk"):
        settle(event, begins)
        play_some(event, rng, played, share=1 if ends else 0.5)
        settle(event, ends or played)
        begin_games(event, rng, played)
    if ends:
        seasons.attend(league.pk, ends)


def play_some(event: Event, rng: random.Random, now: datetime, *, share: float) -> None:
    """Play the first of the games that run to their ends."""
    codes = running(event)
    for code in codes[: math.ceil(len(codes) * share)]:
        simulation.play_out(code, policy=POLICY, rng=rng, now=now)


def begin_games(event: Event, rng: random.Random, now: datetime) -> None:
    """Some moves in all games that run: there is something to look at."""
    for code in running(event):
        simulation.play_out(code, policy=POLICY, rng=rng, now=now, most=rng.randint(6, 14))


def running(event: Event) -> list[str]:
    """The games that run in an event."""
    found = event.tables.filter(settled_at=None, game__status=Game.Status.RUNNING)
    return list(found.order_by("pk").values_list("game__code", flat=True))


def settle(event: Event, now: datetime) -> None:
    """What a sweep does for one event."""
    sweep.wake(now, pk=event.pk)
    sweep.attend(event.pk, now)


# ------------------------------------------------------------------------------------------ while it is shown


def tend(*, now: datetime, budget: Budget | None = None) -> int:
    """A cup to enter is always open, and the bots move. Returns how many actions they played."""
    host = Player.objects.filter(email=HOST).first()
    if host is None:
        return 0
    tend_cups(host, now)
    return move(host, now, budget or Budget.unlimited())


def bots_of_demo() -> QuerySet[Player]:
    """The bots, in the order in which they were made."""
    return Player.objects.filter(email__endswith=f"@{DOMAIN}").exclude(email=HOST).order_by("pk")


def somebody(prefix: str) -> Q:
    """Rows whose player is a person."""
    return Q(**{f"{prefix}player__isnull": False}) & ~Q(**{f"{prefix}player__email__endswith": f"@{DOMAIN}"})


def tend_cups(host: Player, now: datetime) -> None:
    """Open the next cup; fill one in which somebody waits bit by bit, or if no other is played at once."""
    cups = Event.objects.filter(organiser=host, division=None)
    cup = cups.filter(status=Event.Status.PUBLISHED).order_by("pk").first()
    if cup is None:
        some = random.Random(f"cup/{cups.count()}").sample(list(bots_of_demo()), FIRST)
        cup = open_cup(host, some, now)
    idle = not cups.filter(status=Event.Status.RUNNING).exists()
    waited_for = cup.members.filter(somebody("")).exists()
    last = cup.entrants.aggregate(last=Max("entered_at"))["last"]
    if idle or (waited_for and (last is None or now - last >= FILL)):
        missing = PLACES - cup.entrants.filter(status=Entrant.Status.ENTERED).count()
        for bot in bots_of_demo().exclude(entries__event=cup)[: missing if idle else min(missing, 1)]:
            entries.enter(player=bot, code=cup.code, now=now)


@transaction.atomic
def open_cup(host: Player, people: list[Player], now: datetime) -> Event:
    """A knock-out that starts as soon as it is full."""
    number = Event.objects.filter(organiser=host, division=None).count() + 1
    event = events.create(
        organiser=host,
        name=f"Demo cup {number}",
        text=CUP_TEXT,
        format=Event.Format.KNOCKOUT,
        third_place=True,
        capacity=PLACES,
        when_full=True,
        ask=False,
        now=now,
        **GAMES,
    )
    events.publish(by=host, code=event.code, now=now)
    for one in people:
        entries.enter(player=one, code=event.code, now=now)
    return event


def move(host: Player, now: datetime, budget: Budget) -> int:
    """The bots move: at once against people, soon where people wait for them, else now and then."""
    mine = set(bots_of_demo().values_list("pk", flat=True))
    open_tables = Table.objects.filter(
        event__organiser=host, settled_at=None, game__status=Game.Status.RUNNING
    ).order_by("game__moved_at")
    here = Member.objects.filter(somebody(""), entrant__sittings__table=OuterRef("pk"))
    with_people = open_tables.filter(Exists(here))
    alone = open_tables.exclude(Exists(here))
    hurried = alone.filter(event__in=waited_for(host))
    slow = alone.exclude(event__in=waited_for(host)).filter(game__moved_at__lte=now - gap(now))
    played = 0
    for found, most in ((with_people, BURST), (hurried, HURRY), (slow[:FEW], 1)):
        for code in list(found.values_list("game__code", flat=True)):
            if not budget.allows_more():
                return played
            played += play(code, mine, most, now)
    return played


def waited_for(host: Player) -> list[int]:
    """Events whose end or next round somebody waits for: cups they are in, or the season before theirs."""
    playing = Member.objects.filter(
        somebody(""), event__organiser=host, event__division=None, entrant__left=None
    )
    found = list(playing.values_list("event_id", flat=True))
    members = Membership.objects.filter(
        somebody(""),
        league__organiser=host,
        status=Membership.Status.MEMBER,
        league__status=League.Status.RUNNING,
    )
    for one in members:
        season = one.league.played.filter(finished_at=None).first()
        if season and not season.places.filter(player=one.player_id).exists():
            found += Event.objects.filter(division__season=season).values_list("pk", flat=True)
    return found


def gap(now: datetime) -> timedelta:
    """How long a game among bots rests between two moves."""
    people = Player.objects.exclude(pk__in=bots_of_demo())
    last = people.aggregate(last=Max("seen_at"))["last"]
    return max(LEAST_GAP, (now - last) / SHARE) if last else LEAST_GAP


def play(code: str, mine: set[int], most: int, now: datetime) -> int:
    """The bots of a game act, until a person has to or they have done enough. Returns how many actions."""
    found, played = table(code), 0
    while played < most and found.game.status == Game.Status.RUNNING:
        seat = next((seat for seat in found.to_act if found.place(seat).player_id in mine), None)
        if seat is None:
            break
        action = bots.choice(found, seat, POLICY)
        try:
            found = log.append(found=found, seat=seat, action=action, by="bot", now=now, present=True)
        except (Conflict, IntegrityError):  # somebody was faster: the next sweep comes again
            break
        played += 1
    return played
