"""Leagues: who plays, one season after another, up and down between them."""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from games.engine import fairness
from games.models import Player
from games.services.errors import Conflict, Denied, Invalid, NotFound
from games.services.lobby import check_client_seed
from tournaments.models import (
    Decision,
    League,
    LeagueSecret,
    Membership,
    Place,
)
from tournaments.pairing import league as pairing
from tournaments.selectors.events import may_run

from . import decisions, events, substitutes
from . import terms as game_terms
from .notices import tell_league

SMALLEST = 3  # of a division: with two, one might be left alone below
MOST_ROUNDS = 100
SHAPE = ("format", "rounds", "size", "moves", "groups", "laps", "at_once", "newcomers", "pause", "seasons")


def rules(league: League) -> pairing.Rules:
    """How a league is built. Raises ValueError on one that cannot be played."""
    return pairing.Rules(league.size, league.moves, league.newcomers, league.groups)  # type: ignore[arg-type]


@transaction.atomic
def create(
    *, organiser: Player, name: str, size: int, now: datetime, text: str = "", **fields: Any
) -> League:
    """A league before its first season. Further fields are those of SHAPE, and the terms of its games.

    Raises Denied or Invalid.
    """
    chosen = {key: fields.pop(key) for key in SHAPE if key in fields}
    if organiser.guest:
        raise Denied(_("Sign up to organise something."))
    seed = secrets.token_bytes(fairness.SEED_BYTES)
    league = League(
        organiser=organiser,
        name=name.strip()[:80],
        text=text[:5000],
        created_at=now,
        size=size,
        commitment=fairness.commitment(seed),
        **chosen,
        **game_terms.checked(**fields),
    )
    check(league)
    league.save(force_insert=True)
    LeagueSecret.objects.create(league=league, seed=seed)
    return league


def check(league: League) -> None:
    """Raise Invalid on a league that cannot be played."""
    if not league.name:
        raise Invalid(_("A league needs a name."))
    if league.format not in League.Format.values:
        raise Invalid(_("format is one of %(words)s") % {"words": ", ".join(League.Format.values)})
    if league.newcomers not in League.Newcomers.values:
        raise Invalid(_("newcomers is one of %(words)s") % {"words": ", ".join(League.Newcomers.values)})
    try:
        rules(league)
    except ValueError:
        raise Invalid(_("At most half of a division goes up, half of it down.")) from None
    if league.rounds is not None and not 1 <= league.rounds <= MOST_ROUNDS:
        raise Invalid(_("A season has 1 to %(most)d rounds.") % {"most": MOST_ROUNDS})
    least = (league.size, SMALLEST), (league.laps, 1), (league.pause, 0), (league.seasons or 1, 1)
    if any(value < bound for value, bound in least) or league.seasons == 0:
        raise Invalid(_("A division has three places or more, and a league a season or more."))


@transaction.atomic
def edit(*, by: Player, code: str, now: datetime, **changes: Any) -> League:
    """Lay something down anew, by the same words as `create`; it counts from the next season on.

    Raises NotFound, Denied, Invalid or Conflict.
    """
    if unknown := changes.keys() - {"name", "text", *SHAPE, *game_terms.CHOICES}:
        raise TypeError(f"not of a league: {', '.join(sorted(unknown))}")
    league = locked(code, by)
    if league.status == League.Status.CLOSED:
        raise Conflict(_("The league is closed already."))
    mode = league.mode
    played = {name: changes.pop(name) for name in game_terms.CHOICES & changes.keys()}
    for name, value in (changes | (game_terms.changed(league, played) if played else {})).items():
        setattr(league, name, value)
    league.name, league.text = league.name.strip()[:80], league.text[:5000]
    check(league)
    last = league.played.order_by("-number").first()
    coming = last.number + bool(last.finished_at) if last else 1
    if league.seasons is not None and league.seasons < coming:
        raise Conflict(_("So many seasons have been played already."))
    if league.mode != mode and (last or league.memberships.exclude(status=Membership.Status.OUT).exists()):
        raise Conflict(_("Somebody has joined: alone or in pairs stays as it is."))
    if league.status == League.Status.RUNNING and last and last.finished_at:
        league.due_at = last.finished_at + timedelta(seconds=league.pause)
    league.save()
    return league


@transaction.atomic
def add_helper(*, by: Player, code: str, player: Player, now: datetime) -> League:
    """Somebody organises it, too, with all that its divisions play. Raises NotFound or Denied."""
    league = locked(code, by)
    league.helpers.add(player)
    return league


@transaction.atomic
def remove_helper(*, by: Player, code: str, player: Player, now: datetime) -> League:
    """Somebody organises it no more; one may go by oneself. Raises NotFound or Denied."""
    league = locked(code, by)
    league.helpers.remove(player)
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
def choose(
    *,
    player: Player,
    code: str,
    now: datetime,
    status: str = Membership.Status.MEMBER,
    partner: Player | None = None,
    client_seed: str | None = None,
) -> Membership:
    """Play from the next season on, or not, or be there as a substitute. Raises NotFound, Denied, Conflict.

    Who plays stays in, season after season, until they say otherwise. In pairs one joins with a partner, who
    is told and may leave for both; substitutes are single players. Without a `client_seed` the one that was
    brought before stays.
    """
    check_client_seed(client_seed or "")
    if status not in Membership.Status.values:
        raise Invalid(_("status is one of %(words)s") % {"words": ", ".join(Membership.Status.values)})
    for one in (player, partner):
        if one and (one.guest or not one.is_active):
            raise Denied(_("Sign up to take part."))
    league = locked(code)
    if league.status == League.Status.CLOSED:
        raise Conflict(_("The league is closed already."))
    plays = status == Membership.Status.MEMBER
    mine = league.memberships.filter(player=player).first()
    if mine and client_seed is not None:
        mine.client_seed = client_seed
        mine.save(update_fields=["client_seed"])
    pairs = plays and league.mode == League.Mode.PAIRS
    same = mine and mine.status == status and (partner is None or partner.pk == mine.partner_id)
    if mine and same and (mine.partner_id or not pairs):
        return mine
    if pairs != (partner is not None):
        raise Invalid(_("In pairs one enters with a partner, and otherwise alone."))
    if partner:
        check_pair(league, player, partner)
    elif mine and mine.partner_id:
        put(league, mine.partner_id, Membership.Status.OUT, None, now)
        tell_league(
            league, "league-parted", f"parted:{mine.pk}:{now.timestamp():.0f}", [mine.partner_id], now
        )
    found = put(league, player.pk, status, partner, now, client_seed)
    if partner:
        put(league, partner.pk, status, player, now)
        tell_league(league, "league-partner", f"partner:{player.pk}:{now.timestamp():.0f}", [partner.pk], now)
    if league.status == League.Status.RUNNING and league.due_at is None:
        League.objects.filter(pk=league.pk).update(due_at=now)  # it may have waited for people
    return found


def check_pair(league: League, player: Player, partner: Player) -> None:
    """Raise Conflict unless both are free for each other."""
    taken = league.memberships.filter(status=Membership.Status.MEMBER, partner__isnull=False)
    if player == partner or taken.filter(player__in=(player, partner)).exists():
        raise Conflict(_("You take part already, or your partner does."), code="already-joined")


def put(
    league: League,
    player: int,
    status: str,
    partner: Player | None,
    now: datetime,
    client_seed: str | None = None,
) -> Membership:
    """What somebody is in a league from now on; who waits as a substitute waits from here."""
    fields: dict[str, Any] = {"status": status, "partner": partner, "at": now}
    if client_seed is not None:
        fields["client_seed"] = client_seed
    return league.memberships.update_or_create(player_id=player, defaults=fields)[0]


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
    places = Place.objects.filter(season__league=league, season__finished_at=None)
    place = places.filter(Q(player=out) | Q(partner=out)).first()
    if place is None or place.entrant is None:
        raise NotFound(_("They do not play in this season."))
    event = events.organised(by=by, code=place.entrant.event.code)
    waiting = league.memberships.filter(status=Membership.Status.SUBSTITUTE)
    named = player and waiting.filter(player=player).exists()
    ready = (player if named else None) if player else substitutes.waiting_longest(event)
    if ready is None:
        raise Conflict(_("There is no substitute."))
    return decisions.replace(
        by=by,
        code=event.code,
        entrant=place.entrant.pk,
        number=1 if place.player_id == out.pk else 2,
        player=ready,
        now=now,
        why=why,
    )
