"""Whole events and leagues, played by bots on an invented clock, through the same services as ever."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Q

from games import engine
from games.engine import bots, fairness
from games.models import Player
from games.models.games import ALPHABET
from games.names import skeletons_of
from games.selectors import table as games_table
from games.services import house, log
from games.services.guests import DOMAIN
from tournaments.models import Event, EventSecret, League, LeagueSecret, Membership, Season, Table
from tournaments.pairing import swiss
from tournaments.pairing.tables import sizes
from tournaments.selectors import Course

from . import entries, events, leagues, proposals, seasons, sweep

ROUND = timedelta(days=7)  # of invented time, between two looks


class Watch:
    """Who is told how far it is; this one says nothing."""

    def __init__(self) -> None:
        self.games = 0

    def begin(self, what: str, games: int) -> None:
        """An event begins, or a season, of about so many games."""

    def played(self) -> None:
        """A game is over."""
        self.games += 1


class Stuck(RuntimeError):
    """An event that does not go on."""


def cast(count: int, *, rng: random.Random, now: datetime) -> list[Player]:
    """So many players, the first the oldest, whom no mail reaches and no password lets in."""
    token = f"{rng.getrandbits(32):08x}"
    look, _small = skeletons_of("Bot")
    either = Q(name_skeleton__startswith=look) | Q(name_folded_skeleton__startswith=look)
    alike = Player.objects.filter(either)
    taken = {look for looks in alike.values_list("name_skeleton", "name_folded_skeleton") for look in looks}
    free = (number for number in itertools.count(1) if taken.isdisjoint(skeletons_of(f"Bot {number}")))
    people = [
        Player(
            email=f"{token}.{number}@{DOMAIN}",
            name=f"Bot {next(free)}",
            mails=Player.Mails.NONE,
            joined_at=now - timedelta(days=1000) + timedelta(seconds=number),
        )
        for number in range(1, count + 1)
    ]
    for one in people:
        one.set_unusable_password()
    return Player.objects.bulk_create(people)


def play_out(code: str, *, policy: str, rng: random.Random, now: datetime, most: int | None = None) -> None:
    """Play a game to its end, or some actions, in one go: all judged, clocked and logged as ever."""
    found = games_table(code)
    made: log.Step | None = None
    last = None if most is None else found.game.seq + most
    while found.state and not found.state.over and found.game.seq != last:
        state = found.state
        seat = state.to_act[0]
        action = bots.choose(policy, engine.view(state, seat), engine.legal_actions(state, seat), rng)
        made = log.step(
            found=found,
            seat=seat,
            action=action,
            by="player",
            now=now,
            so_far=made,
            present=True,
            stopped=(),
        )
        found = made.after
    if made:
        log.append_all([made])


def play_tables(
    *, policy: str, rng: random.Random, now: datetime, no_show: float = 0, **which: Any
) -> Iterator[str]:
    """Play all games that run in some events; now and then somebody does not turn up. Gives their codes."""
    running = Table.objects.filter(settled_at=None, game__status__in=house.PLAYING, **which)
    for code, seats in list(running.order_by("pk").values_list("game__code", "game__seats")):
        if rng.random() < no_show:
            house.resign(code=code, seat=rng.randint(1, seats), now=now)
        play_out(code, policy=policy, rng=rng, now=now)
        yield code


# ------------------------------------------------------------------------------------------ a whole event


def new_code(rng: random.Random) -> str:
    """A code that comes again with the same dice."""
    return "".join(rng.choice(ALPHABET) for _ in range(12))


def make_event(*, entrants: int, rng: random.Random, now: datetime, again: bool, **fields: Any) -> Event:
    """An event with its entrants, ready to start; `again`: the same dice give the same event."""
    people = cast(entrants * a_place(fields.get("mode")), rng=rng, now=now)
    host = people[0]
    event = events.create(organiser=host, name="A simulation", now=now, **fields)
    if again:
        same_lots(event, rng)
    events.publish(by=host, code=event.code, now=now)
    for one, partner in places(people, event.mode):
        enter(event, one, partner, now)
    events.start(by=host, code=event.code, now=now)
    return Event.objects.get(pk=event.pk)


def enter(event: Event, player: Player, partner: Player | None, now: datetime) -> None:
    """Enter somebody, in pairs with a partner, who agrees at once."""
    if partner is None:
        entries.enter(player=player, code=event.code, now=now)
        return
    asked = entries.ask_partner(player=player, partner=partner, code=event.code, now=now)
    proposals.accept(player=partner, proposal=asked.pk, now=now)


def a_place(mode: str | None) -> int:
    """How many people play for an entrant."""
    return 2 if mode == Event.Mode.PAIRS else 1


def places(people: Sequence[Player], mode: str) -> list[tuple[Player, Player | None]]:
    """People alone, or each with the next one as a partner."""
    if a_place(mode) == 1:
        return [(one, None) for one in people]
    return list(zip(people[::2], people[1::2], strict=True))


def same_lots(event: Event, rng: random.Random) -> None:
    """All lots of an event, and the seeds of its games, from these dice."""
    seed = rng.randbytes(fairness.SEED_BYTES)
    event.code, event.commitment = new_code(rng), fairness.commitment(seed)
    event.save(update_fields=["code", "commitment"])
    EventSecret.objects.filter(event=event).update(seed=seed)


def games_ahead(event: Event) -> int:
    """How many games an event has, about: a level one may add one, and who leaves takes some away."""
    course = Course(event)
    if event.format == Event.Format.SWISS:
        people = len(course.entrants)
        tables = people // 2 if event.table == 2 else sum(one > 1 for one in sizes(people, event.table))
        return swiss.rounds(course.plan) * tables
    return sum(len(one.sources) > 1 and one.state != "bye" for one in course.bracket().matches)


def run_event(
    event: Event,
    *,
    policy: str,
    rng: random.Random,
    now: datetime,
    watch: Watch,
    no_show: float = 0,
) -> datetime:
    """Play an event to its end; gives the time by then. Raises Stuck if it waits for somebody."""
    while True:
        sweep.attend(event.pk, now)
        event.refresh_from_db()
        if event.status != Event.Status.RUNNING:
            return now
        played = 0
        for _code in play_tables(policy=policy, rng=rng, now=now, no_show=no_show, event=event):
            watch.played()
            played += 1
        if not played:
            raise Stuck(event.held or event.trouble or "no game runs")
        now += ROUND
        sweep.wake(now, pk=event.pk)


# --------------------------------------------------------------------------------------------- a whole league


def make_league(*, members: int, rng: random.Random, now: datetime, again: bool, **fields: Any) -> League:
    """A league with its members, ready to start; `again`: the same dice give the same league."""
    people = cast(members * a_place(fields.get("mode")), rng=rng, now=now)
    pause = int(ROUND.total_seconds())
    league = leagues.create(organiser=people[0], name="A simulation", now=now, pause=pause, **fields)
    if again:
        seed = rng.randbytes(fairness.SEED_BYTES)
        league.code, league.commitment = new_code(rng), fairness.commitment(seed)
        league.save(update_fields=["code", "commitment"])
        LeagueSecret.objects.filter(league=league).update(seed=seed)
    join(league, people, now)
    leagues.start(by=people[0], code=league.code, now=now)
    return league


def join(league: League, people: Sequence[Player], now: datetime) -> None:
    """These play from the next season on."""
    for one, partner in places(people, league.mode):
        if partner is None:
            leagues.choose(player=one, code=league.code, now=now)
        else:
            asked = leagues.ask_partner(player=one, partner=partner, code=league.code, now=now)
            proposals.accept(player=partner, proposal=asked.pk, now=now)


def run_season(
    league: League,
    *,
    policy: str,
    rng: random.Random,
    now: datetime,
    again: bool,
    watch: Watch,
) -> tuple[Season, datetime]:
    """Begin a season and play it to its end. Raises Stuck if it does not come to one."""
    league.refresh_from_db()
    now = max(now, league.due_at or now)
    seasons.attend(league.pk, now)
    season = league.played.filter(finished_at=None).order_by("-number").first()
    if season is None:
        raise Stuck("no season begins")
    mine = list(Event.objects.filter(division__season=season).order_by("pk"))
    watch.begin(f"season {season.number}", sum(map(games_ahead, mine)))
    for event in mine:
        if again:
            same_lots(event, rng)
        now = max(now, run_event(event, policy=policy, rng=rng, now=now, watch=watch))
    while seasons.attend(league.pk, now).total() == 0 and waits(league, now):
        now = league.due_at or now
    season.refresh_from_db()
    if season.finished_at is None:
        raise Stuck("the season does not end")
    return season, now


def waits(league: League, now: datetime) -> bool:
    """Whether a season that is played may still be appealed."""
    league.refresh_from_db()
    return league.due_at is not None and league.due_at > now


def people_change(league: League, *, rng: random.Random, now: datetime, share: float) -> None:
    """Between two seasons some leave, and as many come."""
    staying = league.memberships.filter(status=Membership.Status.MEMBER).order_by("pk")
    known = {one.player_id: one for one in staying.select_related("player")}
    gone: set[int] = set()
    for one in known.values():
        if one.player_id not in gone and rng.random() < share:  # the second of a pair goes with the first
            leagues.choose(player=one.player, code=league.code, now=now, status=Membership.Status.OUT)
            gone |= {one.player_id, one.partner_id or one.player_id}
    join(league, cast(len(gone), rng=rng, now=now), now)
