"""Leagues: who plays, one season after another, up and down between them."""

from __future__ import annotations

import secrets
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from games.engine import fairness
from games.models import Player
from games.services.errors import Conflict, Denied, Invalid, NotFound
from tournaments.models import (
    Decision,
    League,
    LeagueSecret,
    Membership,
    Place,
)
from tournaments.pairing import league as pairing
from tournaments.selectors.events import may_run

from . import decisions, events
from . import terms as game_terms

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
        text=text[:5000],
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
    league = League.objects.filter(code=code).first()
    if league is None:
        raise NotFound(_("There is no such league."))
    if not may_run(by, league):
        raise Denied(_("Only who organises this league can do that."))
    # The event is locked before anything of the league, as by a sweep that ends it.
    place = Place.objects.filter(season__league=league, season__finished_at=None, player=out).first()
    if place is None or place.entrant is None:
        raise NotFound(_("They do not play in this season."))
    event = events.organised(by=by, code=place.entrant.event.code)
    waiting = league.memberships.filter(status=Membership.Status.SUBSTITUTE).order_by("at", "pk")
    ready = (waiting.filter(player=player) if player else waiting).select_related("player").first()
    if ready is None:
        raise Conflict(_("There is no substitute."))
    return decisions.replace(
        by=by, code=event.code, entrant=place.entrant.pk, player=ready.player, now=now, why=why
    )
