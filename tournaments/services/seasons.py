"""Season after season: who goes up, down, in and out, and what the divisions play."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Max

from games import clock
from games.engine import fairness
from games.models import Player
from games.services.budget import Budget
from games.services.errors import Invalid
from tournaments.models import (
    Appeal,
    Division,
    Event,
    League,
    LeagueSecret,
    Membership,
    Place,
    Season,
    Table,
)
from tournaments.pairing import Id
from tournaments.pairing import league as pairing
from tournaments.pairing.model import sort_key
from tournaments.selectors import seeds
from tournaments.selectors.course import Course
from tournaments.selectors.ratings import ratings_of

from . import entries, events, leagues
from . import terms as game_terms
from .notices import tell_league, tell_of_held_league

logger = logging.getLogger(__name__)
AHEAD = timedelta(minutes=10)  # how far a league is pushed that could not be handled
# Who has lost by the clock has so long to appeal before the season is over, and an organiser to answer.
TO_APPEAL, TO_APPEAL_LIVE, TO_ANSWER = timedelta(days=1), timedelta(hours=1), timedelta(days=7)


def sweep(*, now: datetime, limit: int = 1000, budget: Budget | None = None) -> Counter[str]:
    """Begin and end seasons, what waits longest first. Returns what was done, by its name."""
    done: Counter[str] = Counter()
    budget = budget or Budget.unlimited()
    due = League.objects.filter(due_at__lte=now).order_by("due_at", "pk").values_list("pk", flat=True)
    for pk in list(due[:limit]):
        if not budget.allows_more():
            break
        done += attend(pk, now)
    return done


def attend(pk: int, now: datetime) -> Counter[str]:
    """All that is due in one league; a broken one is pushed ahead."""
    done: Counter[str] = Counter()
    try:
        while what := step(pk, now):
            done[what] += 1
    except Exception as error:
        logger.exception("league %s could not be settled", pk)
        League.objects.filter(pk=pk).update(due_at=now + AHEAD, trouble=repr(error)[:200])
        done["trouble"] += 1
    return done


@transaction.atomic
def step(pk: int, now: datetime) -> str:
    """End the season if all of it is played, or begin the next one; "" if there is nothing to do."""
    mine = League.objects.select_for_update(skip_locked=True, of=("self",))
    league = mine.filter(pk=pk, due_at__lte=now, status=League.Status.RUNNING).first()
    if league is None:
        return ""
    last = league.played.order_by("-number").first()
    if last is None or last.finished_at:
        return begin_season(league, last, now)
    over = (Event.Status.FINISHED, Event.Status.CANCELLED)
    if Event.objects.filter(division__season=last).exclude(status__in=over).exists():
        League.objects.filter(pk=pk).update(due_at=None, trouble="")
        return ""
    if until := may_be_appealed(league, last, now):
        League.objects.filter(pk=pk).update(due_at=until, trouble="")
        return ""
    return end_season(league, last, now)


def may_be_appealed(league: League, season: Season, now: datetime) -> datetime | None:
    """Until when a season waits that is played: for an appeal against the clock, or for an answer."""
    time = TO_APPEAL if league.allowance >= clock.LIVE else TO_APPEAL_LIVE
    of_season = Table.objects.filter(event__division__season=season, void=False)
    by_clock = of_season.filter(result__by="game", result__timeouts__0__isnull=False)
    lost = by_clock.aggregate(last=Max("settled_at"))["last"]
    open_ones = Appeal.objects.filter(table__in=of_season, answered_at=None)
    asked = open_ones.aggregate(last=Max("at"))["last"]
    ends = [*([lost + time] if lost else []), *([asked + TO_ANSWER] if asked else [])]
    return max((end for end in ends if end > now), default=None)


def league_key(league: League, number: int) -> bytes:
    """What the lots of a season come from."""
    seed = LeagueSecret.objects.values_list("seed", flat=True).get(league=league)
    return fairness.game_key(bytes(seed), [league.code, str(number)])


def called(*players: int) -> Id:
    """What a player or a pair is called among those of a league; another pair is another one."""
    return players[0] if len(players) == 1 else "+".join(map(str, sorted(players)))


def staying(league: League) -> dict[Id, tuple[int, ...]]:
    """Who plays the next season; in pairs who has a partner."""
    found = league.memberships.filter(status=Membership.Status.MEMBER)
    if league.mode == League.Mode.SINGLES:
        return {one.player_id: (one.player_id,) for one in found}
    teams = {tuple(sorted((one.player_id, one.partner_id))) for one in found if one.partner_id}
    return {called(*team): team for team in teams}


def played_for(place: Place) -> tuple[int, ...]:
    """Who had a place; nobody, if one of them is gone."""
    pair = place.season.league.mode == League.Mode.PAIRS
    players = (place.player_id, place.partner_id) if pair else (place.player_id,)
    return tuple(one for one in players if one) if None not in players else ()


def strengths(teams: Mapping[Id, Iterable[int]], mode: str) -> dict[Id, float]:
    """The ratings of players, or of pairs: in between those of the two."""
    known = ratings_of({one for team in teams.values() for one in team}, mode)
    rated = {id: [known[one] for one in team if one in known] for id, team in teams.items()}
    return {id: sum(values) / len(values) for id, values in rated.items() if values}


def begin_season(league: League, last: Season | None, now: datetime) -> str:
    """Who goes up, down, in and out; the events of all divisions are made, and start by themselves."""
    number = last.number + 1 if last else 1
    members = staying(league)
    order: list[list[Id]] = []
    before: dict[Id, tuple[int, ...]] = {}
    for division in last.divisions.order_by("number") if last else ():
        places = division.places.select_related("season__league").order_by("rank")
        teams = [team for place in places if (team := played_for(place))]
        before |= {called(*team): team for team in teams}
        order.append([called(*team) for team in teams])
    ratings = strengths(before | members, league.mode)
    fresh = sorted(set(members) - set(before), key=sort_key)
    season = pairing.next_season(
        leagues.rules(league),
        order,
        newcomers=[pairing.Newcomer(one, ratings.get(one)) for one in fresh],
        leavers=set(before) - set(members),
        ratings=ratings,
        key=league_key(league, number),
    )
    if sum(map(len, season.divisions)) < 2:
        League.objects.filter(pk=league.pk).update(due_at=None, trouble="too-few")
        return ""
    try:
        game_terms.check_terms(league)
    except Invalid:  # it waits until its organiser has changed them
        League.objects.filter(pk=league.pk).update(due_at=None, trouble=leagues.UNPLAYABLE_TERMS)
        tell_of_held_league(league, f"held:{number}:{leagues.UNPLAYABLE_TERMS}", now)
        return ""
    stored = Season.objects.create(league=league, number=number, started_at=now)
    season_seed = seeds.season_seed_of(league, number)
    for place, inside in enumerate(season.divisions, 1):
        teams_here = {one: members[one] for one in inside}
        make_division(league, stored, place, teams_here, season, season_seed, now)
    players = [one for team in members.values() for one in team]
    tell_league(league, "league-season", f"season:{number}", players, now, season=number)
    League.objects.filter(pk=league.pk).update(due_at=None, trouble="")
    return "season-began"


def make_division(
    league: League,
    season: Season,
    number: int,
    teams: Mapping[Id, tuple[int, ...]],
    plan: pairing.Season,
    season_seed: bytes,
    now: datetime,
) -> None:
    """A division with its places, and an event for each of its groups."""
    division = Division.objects.create(season=season, number=number)
    people = Player.objects.in_bulk([one for team in teams.values() for one in team])
    client_seeds = dict(league.memberships.filter(player__in=people).values_list("player", "client_seed"))
    entrant_of: dict[Id, int] = {}
    for group, inside in enumerate(pairing.groups(list(teams), leagues.rules(league)), 1):
        event = events.store(
            Event(
                organiser_id=league.organiser_id,
                name=f"{league.name} {season.number}.{number}" + (f".{group}" if league.groups > 1 else ""),
                format=league.format,
                rounds=league.rounds,
                status=Event.Status.PUBLISHED,
                created_at=now,
                starts_at=now,
                due_at=now,
                ask=False,
                laps=league.laps if league.table == 2 else 1,
                at_once=league.at_once,
                division=division,
                group=group,
                **game_terms.copied(league),
            ),
            seed=fairness.derive_event_seed(season_seed, number, group),
        )
        for seed, id in enumerate(inside, 1):
            brought = [client_seeds.get(one, "") for one in teams[id]]
            entrant = entries.add(
                event, [people[one] for one in teams[id]], now, seed=seed, client_seeds=brought
            )
            entrant_of[id] = entrant.pk
    Place.objects.bulk_create(
        [
            Place(
                season=season,
                division=division,
                player_id=team[0],
                partner_id=team[1] if len(team) > 1 else None,
                entrant_id=entrant_of[id],
                number=number,
                why=plan.notes[id].as_dict(),
            )
            for number, (id, team) in enumerate(teams.items(), 1)
        ]
    )


def end_season(league: League, season: Season, now: datetime) -> str:
    """The final order of every division; then the pause, or the end of the league."""
    key = league_key(league, season.number)
    for division in season.divisions.order_by("number"):
        lines = [Course(event).standings() for event in division.events.order_by("group")]
        rank = {id: place for place, id in enumerate(pairing.final_order(lines, key=key), 1)}
        places = list(division.places.all())
        for place in places:
            place.rank = rank.get(place.entrant_id or 0, len(places))
        Place.objects.bulk_update(places, ["rank"])
    season.finished_at = now
    season.save(update_fields=["finished_at"])
    players = {one for pair in season.places.values_list("player_id", "partner_id") for one in pair}
    reason = f"season-end:{season.number}"
    tell_league(league, "league-season-end", reason, players, now, season=season.number)
    if league.seasons is not None and season.number >= league.seasons:
        leagues.end(league, now)
    else:
        League.objects.filter(pk=league.pk).update(due_at=now + timedelta(seconds=league.pause), trouble="")
    return "season-ended"
