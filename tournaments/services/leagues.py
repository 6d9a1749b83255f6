"""Leagues: who plays, one season after another, up and down between them."""

from __future__ import annotations

import logging
import secrets
from collections import Counter
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from games.engine import fairness
from games.models import Event as Line
from games.models import Player
from games.services.errors import Conflict, Denied, Invalid, NotFound
from tournaments.models import (
    Decision,
    Division,
    Event,
    League,
    LeagueSecret,
    Membership,
    Place,
    Season,
)
from tournaments.pairing import league as pairing
from tournaments.selectors.course import Course
from tournaments.selectors.events import may_run
from tournaments.selectors.ratings import ratings_of

from . import decisions, entries, events
from . import terms as game_terms

logger = logging.getLogger(__name__)
AHEAD = timedelta(minutes=10)
SMALLEST = 3  # of a division: with two, one might be left alone below


def rules(league: League) -> pairing.Rules:
    """How a league is built. Raises ValueError on one that cannot be played."""
    return pairing.Rules(league.size, league.moves, league.newcomers, league.groups)  # type: ignore[arg-type]


@transaction.atomic
def create(
    *,
    organiser: Player,
    name: str,
    size: int,
    now: datetime,
    text: str = "",
    moves: int = 2,
    groups: int = 1,
    laps: int = 1,
    at_once: bool = False,
    newcomers: str = League.Newcomers.BOTTOM,
    pause: int = 0,
    seasons: int | None = None,
    **terms: Any,
) -> League:
    """A league before its first season, for single players. Raises Denied or Invalid."""
    if organiser.guest:
        raise Denied(_("Sign up to organise something."))
    if not name.strip():
        raise Invalid(_("A league needs a name."))
    seed = secrets.token_bytes(fairness.SEED_BYTES)
    league = League(
        organiser=organiser,
        name=name.strip()[:80],
        text=text,
        created_at=now,
        size=size,
        moves=moves,
        groups=groups,
        laps=laps,
        at_once=at_once,
        newcomers=newcomers,
        pause=pause,
        seasons=seasons,
        commitment=fairness.commitment(seed),
        **game_terms.checked(**terms),
    )
    if league.mode != League.Mode.SINGLES:
        raise Invalid(_("In a league everybody plays alone."))
    if newcomers not in League.Newcomers.values:
        raise Invalid(_("newcomers is one of %(words)s") % {"words": ", ".join(League.Newcomers.values)})
    try:
        rules(league)
    except ValueError:
        raise Invalid(_("At most half of a division goes up, half of it down.")) from None
    if size < SMALLEST or laps < 1 or pause < 0 or (seasons is not None and seasons < 1):
        raise Invalid(_("A division has three places or more, and a league a season or more."))
    league.save(force_insert=True)
    LeagueSecret.objects.create(league=league, seed=seed)
    return league


def locked(code: str, by: Player | None = None) -> League:
    """A league with its row locked, if `by` is given for who runs it. Raises NotFound or Denied."""
    league = League.objects.select_for_update().filter(code=code).first()
    if league is None:
        raise NotFound(_("There is no such league."))
    if by is not None and not may_run(by, league):
        raise Denied(_("Only who organises this league can do that."))
    return league


@transaction.atomic
def start(*, by: Player, code: str, now: datetime) -> League:
    """The first season begins; the sweep does it. Raises NotFound, Denied or Conflict."""
    league = locked(code, by)
    if league.status != League.Status.OPEN:
        raise Conflict(_("The league has begun already."))
    league.status, league.due_at = League.Status.RUNNING, now
    league.save(update_fields=["status", "due_at"])
    return league


@transaction.atomic
def close(*, by: Player, code: str, now: datetime) -> League:
    """No season follows after the present one. Raises NotFound, Denied or Conflict."""
    league = locked(code, by)
    if league.status == League.Status.CLOSED:
        raise Conflict(_("The league is closed already."))
    current = league.played.filter(finished_at=None).first()
    if current:
        league.seasons = current.number
        league.save(update_fields=["seasons"])
    else:
        end(league)
    return league


def end(league: League) -> None:
    """The league is over, and its seed is published."""
    league.status, league.due_at = League.Status.CLOSED, None
    league.seed = bytes(LeagueSecret.objects.get(league=league).seed).hex()
    league.save(update_fields=["status", "due_at", "seed"])


# -------------------------------------------------------------------------------------------------- who plays


@transaction.atomic
def choose(*, player: Player, code: str, now: datetime, status: str = Membership.Status.MEMBER) -> Membership:
    """Play from the next season on, or not, or be there as a substitute. Raises NotFound, Denied, Conflict.

    Who plays stays in, season after season, until they say otherwise.
    """
    if status not in Membership.Status.values:
        raise Invalid(_("status is one of %(words)s") % {"words": ", ".join(Membership.Status.values)})
    if player.guest or not player.is_active:
        raise Denied(_("Sign up to take part."))
    league = locked(code)
    if league.status == League.Status.CLOSED:
        raise Conflict(_("The league is closed already."))
    found, new = league.memberships.get_or_create(player=player, defaults={"status": status, "at": now})
    if not new and found.status != status:
        found.status, found.at = status, now
        found.save(update_fields=["status", "at"])
    if league.status == League.Status.RUNNING and league.due_at is None:
        League.objects.filter(pk=league.pk).update(due_at=now)  # it may have waited for people
    return found


@transaction.atomic
def substitute(
    *, by: Player, code: str, out: Player, now: datetime, player: Player | None = None, why: str = ""
) -> Decision:
    """A substitute takes over a place in the middle of a season: who is named, or who waits longest.

    Raises NotFound, Denied or Conflict.
    """
    league = locked(code, by)
    place = Place.objects.filter(season__league=league, season__finished_at=None, player=out).first()
    if place is None or place.entrant is None:
        raise NotFound(_("They do not play in this season."))
    waiting = league.memberships.filter(status=Membership.Status.SUBSTITUTE).order_by("at", "pk")
    ready = (waiting.filter(player=player) if player else waiting).select_related("player").first()
    if ready is None:
        raise Conflict(_("There is no substitute."))
    event = place.entrant.event
    made = decisions.replace(
        by=by, code=event.code, entrant=place.entrant.pk, player=ready.player, now=now, why=why
    )
    place.player = ready.player
    place.save(update_fields=["player"])
    Membership.objects.filter(pk=ready.pk).update(status=Membership.Status.MEMBER)
    league.memberships.filter(player=out).update(status=Membership.Status.OUT)
    return made


# ---------------------------------------------------------------------------------------- season after season


def sweep(*, now: datetime, limit: int = 1000) -> Counter[str]:
    """Begin and end seasons. Returns what was done, by its name."""
    done: Counter[str] = Counter()
    due = League.objects.filter(due_at__lte=now).order_by("due_at").values_list("pk", flat=True)
    for pk in list(due[:limit]):
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
    return end_season(league, last, now)


def league_key(league: League, number: int) -> bytes:
    """What the lots of a season come from."""
    seed = LeagueSecret.objects.values_list("seed", flat=True).get(league=league)
    return fairness.game_key(bytes(seed), [league.code, str(number)])


def begin_season(league: League, last: Season | None, now: datetime) -> str:
    """Who goes up, down, in and out; the events of all divisions are made, and start by themselves."""
    number = last.number + 1 if last else 1
    members = {one.player_id: one for one in league.memberships.filter(status=Membership.Status.MEMBER)}
    order: list[list[int]] = []
    if last:
        for division in last.divisions.order_by("number"):
            places = division.places.filter(player__isnull=False).order_by("rank")
            order.append([place.player_id for place in places if place.player_id])
    before = {player for division in order for player in division}
    ratings = ratings_of({*members, *before}, league.mode)
    season = pairing.next_season(
        rules(league),
        order,
        newcomers=[pairing.Newcomer(one, ratings.get(one)) for one in sorted(set(members) - before)],
        leavers=before - set(members),
        ratings=ratings,
        key=league_key(league, number),
    )
    if sum(map(len, season.divisions)) < 2:
        League.objects.filter(pk=league.pk).update(due_at=None, trouble="too-few")
        return ""
    stored = Season.objects.create(league=league, number=number, started_at=now)
    for place, players in enumerate(season.divisions, 1):
        make_division(league, stored, place, [int(one) for one in players], season, now)
    tell(league, "league-season", f"season:{number}", list(members), now, season=number)
    League.objects.filter(pk=league.pk).update(due_at=None, trouble="")
    return "season-began"


def make_division(
    league: League, season: Season, number: int, players: list[int], plan: pairing.Season, now: datetime
) -> None:
    """A division with its places, and an event for each of its groups."""
    division = Division.objects.create(season=season, number=number)
    people = Player.objects.in_bulk(players)
    entrant_of: dict[int, int] = {}
    for group, inside in enumerate(pairing.groups(players, rules(league)), 1):
        event = events.store(
            Event(
                organiser_id=league.organiser_id,
                name=f"{league.name} {season.number}.{number}" + (f".{group}" if league.groups > 1 else ""),
                format=Event.Format.ROUND_ROBIN,
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
            )
        )
        for seed, player in enumerate(inside, 1):
            entrant_of[int(player)] = entries.add(event, [people[int(player)]], now, seed=seed).pk
    Place.objects.bulk_create(
        [
            Place(
                season=season,
                division=division,
                player_id=player,
                entrant_id=entrant_of[player],
                number=number,
                why=plan.notes[player].as_dict(),
            )
            for number, player in enumerate(players, 1)
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
    players = season.places.values_list("player_id", flat=True)
    tell(league, "league-season-end", f"season-end:{season.number}", list(players), now, season=season.number)
    if league.seasons is not None and season.number >= league.seasons:
        end(league)
    else:
        League.objects.filter(pk=league.pk).update(due_at=now + timedelta(seconds=league.pause), trouble="")
    return "season-ended"


def tell(
    league: League, kind: str, reason: str, players: list[int | None], now: datetime, **data: Any
) -> None:
    """A line in everybody's feed, once."""
    told = {"league": league.code, "name": league.name, **data}
    Line.objects.bulk_create(
        [
            Line(player_id=player, kind=kind, reason=f"{league.code}:{reason}", data=told, at=now)
            for player in players
            if player
        ],
        ignore_conflicts=True,
    )
