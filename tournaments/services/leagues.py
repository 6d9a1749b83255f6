"""Leagues: who plays, one season after another, up and down between them."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from games.engine import fairness
from games.models import Player
from games.services import contacts, names
from games.services.contacts import Contact
from games.services.errors import Conflict, Denied, Invalid, NotFound
from games.services.lobby import check_client_seed
from tournaments.models import (
    Decision,
    League,
    LeagueSecret,
    Membership,
    Place,
    Proposal,
)
from tournaments.models.limits import MAX_ROUNDS, MAX_TEXT_LENGTH, MAX_TITLE_LENGTH, MIN_DIVISION_SIZE
from tournaments.pairing import league as pairing
from tournaments.selectors.conflicts import meets_entrant
from tournaments.selectors.events import may_run
from tournaments.selectors.removals import is_removed

from . import caps, events, replacements, substitutes
from . import terms as game_terms
from .conflicts import refuse_own_table
from .event_seeds import publish_league_seed
from .field_limits import check_field_limits
from .lapsing import check_not_pestered, lapse
from .notices import tell_league

SHAPE = ("format", "rounds", "size", "moves", "groups", "laps", "at_once", "newcomers", "pause", "seasons")

UNPLAYABLE_TERMS = (
    "unplayable-terms"  # the trouble of a league whose next season cannot be played as laid down
)


def rules(league: League) -> pairing.Rules:
    """How a league is built. Raises ValueError on one that cannot be played."""
    return pairing.Rules(league.size, league.moves, league.newcomers, league.groups)  # type: ignore[arg-type]


@transaction.atomic
def create(
    *, organiser: Player, name: str, size: int, now: datetime, text: str = "", **fields: Any
) -> League:
    """A league before its first season. Further fields are those of SHAPE, and the terms of its games.

    Raises Denied, Invalid, or Conflict if the organiser has too many of them.
    """
    chosen = {key: fields.pop(key) for key in SHAPE if key in fields}
    if organiser.guest:
        raise Denied(_("Sign up to organise something."))
    caps.check_leagues(organiser)
    seed = secrets.token_bytes(fairness.SEED_BYTES)
    league = League(
        organiser=organiser,
        name=name.strip()[:MAX_TITLE_LENGTH],
        text=text[:MAX_TEXT_LENGTH],
        created_at=now,
        size=size,
        commitment=fairness.commitment(seed),
        **chosen,
        **game_terms.checked(**fields),
    )
    check(league)
    names.check_mailed_title(league.name)
    caps.check_league_size(league)
    league.save(force_insert=True)
    LeagueSecret.objects.create(league=league, seed=seed)
    return league


def check(league: League, names_to_check: Iterable[str] = SHAPE) -> None:
    """Raise Invalid on a league that cannot be played; fields are held to their limits by name."""
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
    if league.rounds is not None and not 1 <= league.rounds <= MAX_ROUNDS:
        raise Invalid(_("A season has 1 to %(most)d rounds.") % {"most": MAX_ROUNDS})
    least = (league.size, MIN_DIVISION_SIZE), (league.laps, 1), (league.pause, 0), (league.seasons or 1, 1)
    if any(value < bound for value, bound in least) or league.seasons == 0:
        raise Invalid(_("A division has three places or more, and a league a season or more."))
    caps.check_laps(league.laps)
    check_field_limits(league, names_to_check)


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
    mode, name_before = league.mode, league.name
    played = {name: changes.pop(name) for name in game_terms.CHOICES & changes.keys()}
    # A season that runs has terms of its own: those of the league are for the next one.
    terms = game_terms.changed(league, played, keeps_obligation=False) if played else {}
    for name, value in (changes | terms).items():
        setattr(league, name, value)
    league.name, league.text = league.name.strip()[:MAX_TITLE_LENGTH], league.text[:MAX_TEXT_LENGTH]
    check(league, changes)
    if league.name != name_before:
        names.check_mailed_title(league.name)
    if caps.SHAPE & {*changes, *played}:
        caps.check_league_size(league)
    last = league.played.order_by("-number").first()
    coming = last.number + bool(last.finished_at) if last else 1
    if league.seasons is not None and league.seasons < coming:
        raise Conflict(_("So many seasons have been played already."))
    if league.mode != mode and (last or league.memberships.exclude(status=Membership.Status.OUT).exists()):
        raise Conflict(_("Somebody has joined: alone or in pairs stays as it is."))
    if league.status == League.Status.RUNNING and last and last.finished_at:
        league.due_at = last.finished_at + timedelta(seconds=league.pause)
    elif league.trouble == UNPLAYABLE_TERMS:  # the first season waits for this
        league.due_at = now
    league.save()
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
    """The first season begins; the sweep does it. Raises NotFound, Denied, Invalid or Conflict."""
    league = locked(code, by)
    if league.status != League.Status.OPEN:
        raise Conflict(_("The league has begun already."))
    game_terms.check_terms(league)
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
        end(league, now)
    return league


def end(league: League, now: datetime) -> None:
    """The league is over, and its seed is published, unless a game of it is played on."""
    lapse(Proposal.objects.filter(league=league), now)
    league.status, league.due_at = League.Status.CLOSED, None
    league.save(update_fields=["status", "due_at"])
    publish_league_seed(league)


# -------------------------------------------------------------------------------------------------- who plays


@transaction.atomic
def choose(
    *,
    player: Player,
    code: str,
    now: datetime,
    status: str = Membership.Status.MEMBER,
    client_seed: str | None = None,
) -> Membership:
    """Play from the next season on, or not, or be there as a substitute. Raises NotFound, Denied, Conflict.

    Who plays stays in, season after season, until they say otherwise. In pairs one joins with a partner, who
    agrees first (`ask_partner`) and may leave for both; substitutes are single players. Without a
    `client_seed` the one that was brought before stays.
    """
    check_client_seed(client_seed or "")
    if status not in Membership.Status.values:
        raise Invalid(_("status is one of %(words)s") % {"words": ", ".join(Membership.Status.values)})
    check_people(player)
    league = locked(code)
    check_alive(league)
    if status != Membership.Status.OUT:
        check_not_removed(league, player)
    withdraw_requests(league, [player], now)
    plays = status == Membership.Status.MEMBER
    mine = league.memberships.filter(player=player).first()
    if mine and client_seed is not None:
        mine.client_seed = client_seed
        mine.save(update_fields=["client_seed"])
    pairs = plays and league.mode == League.Mode.PAIRS
    if mine and mine.status == status and (mine.partner_id or not pairs):
        return mine
    if pairs:
        raise Invalid(_("In pairs one enters with a partner, and otherwise alone."))
    if mine:
        part_from_partner(league, mine, now)
    if plays:
        caps.check_players(player)
    found = put(league, player.pk, status, None, now, client_seed)
    wake_waiting(league, now)
    return found


@transaction.atomic
def ask_partner(
    *, player: Player, partner: Player, code: str, now: datetime, client_seed: str | None = None
) -> Proposal:
    """Ask somebody to play as a pair from the next season on: nothing counts until they agree.

    Whom one had asked before is asked no more. Raises NotFound, Denied, Invalid or Conflict.
    """
    check_client_seed(client_seed or "")
    check_people(player, partner)
    league = locked(code)
    check_alive(league)
    if league.mode != League.Mode.PAIRS:
        raise Invalid(_("In pairs one enters with a partner, and otherwise alone."))
    check_not_removed(league, player, partner)
    check_pair(league, player, partner)
    requests = league.proposals.filter(by=player, kind=Proposal.Kind.LEAGUE_PARTNER)
    asked = requests.filter(status=Proposal.Status.OPEN)
    if same := asked.filter(player=partner).first():
        asked.update(client_seed=client_seed or "")
        return same
    check_not_pestered(requests, partner)
    contacts.count_contacts(kind=Contact.PARTNER, sender=player, recipients=[partner], now=now)
    withdraw_requests(league, [player], now)
    made = league.proposals.create(
        kind=Proposal.Kind.LEAGUE_PARTNER, by=player, player=partner, client_seed=client_seed or "", at=now
    )
    tell_league(league, "league-partner", f"proposal:{made.pk}", [partner.pk], now, proposal=made.pk)
    return made


def join_together(
    league: League,
    player: Player,
    partner: Player,
    now: datetime,
    client_seeds: tuple[str | None, str | None] = (None, None),
) -> None:
    """Two play as a pair from the next season on, and both have agreed; the caller holds the league.

    Of whoever brings no client seed, the one that was brought before stays. Raises Denied or Conflict.
    """
    check_people(player, partner)
    check_alive(league)
    check_not_removed(league, player, partner)
    check_pair(league, player, partner)
    caps.check_players(player, partner)
    put(league, player.pk, Membership.Status.MEMBER, partner, now, client_seeds[0])
    put(league, partner.pk, Membership.Status.MEMBER, player, now, client_seeds[1])
    withdraw_requests(league, [player, partner], now)
    wake_waiting(league, now)


def check_people(*people: Player) -> None:
    """Raise Denied unless all have accounts."""
    if any(one.guest or not one.is_active for one in people):
        raise Denied(_("Sign up to take part."))


def check_alive(league: League) -> None:
    """Raise Conflict if a league has ended."""
    if league.status == League.Status.CLOSED:
        raise Conflict(_("The league is closed already."))


def check_not_removed(league: League, *people: Player) -> None:
    """Raise Denied if an organiser has removed one of them from the league."""
    if any(is_removed(one, league) for one in people):
        raise Denied(_("The organiser has removed you from this league, or your partner."), code="removed")


def part_from_partner(league: League, mine: Membership, now: datetime) -> None:
    """Whoever joined together with somebody who leaves is out as well, and told."""
    if mine.partner_id:
        put(league, mine.partner_id, Membership.Status.OUT, None, now)
        reason = f"parted:{mine.pk}:{now.timestamp():.0f}"
        tell_league(league, "league-parted", reason, [mine.partner_id], now)


def withdraw_requests(league: League, people: Sequence[Player], now: datetime) -> None:
    """Whoever plays, or does not want to, asks nobody to be their partner any more."""
    asked = league.proposals.filter(
        by__in=people, kind=Proposal.Kind.LEAGUE_PARTNER, status=Proposal.Status.OPEN
    )
    asked.update(status=Proposal.Status.WITHDRAWN, answered_at=now)


def wake_waiting(league: League, now: datetime) -> None:
    """Let the sweep look at a league that may have waited for people."""
    if league.status == League.Status.RUNNING and league.due_at is None:
        League.objects.filter(pk=league.pk).update(due_at=now)


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
    *,
    by: Player,
    code: str,
    out: Player,
    now: datetime,
    player: Player | None = None,
    why: str = "",
    public_note: str = "",
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
    member = replacements.replaceable(event, place.entrant.pk, 1 if place.player_id == out.pk else 2)
    refuse_own_table(meets_entrant(by, event, member.entrant))
    ready = (player if named else None) if player else substitutes.waiting_longest(event, member)
    if ready is None:
        raise Conflict(_("There is no substitute."))
    # Who stands by has agreed beforehand to play on for whoever drops out.
    replacements.check_newcomer(event, member, ready)
    return substitutes.put_in_place(event, member, ready, by=by, now=now, why=why, public_note=public_note)
