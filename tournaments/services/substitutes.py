"""Somebody else plays for an entrant: chosen by the organiser, or the substitute who waits longest."""

from __future__ import annotations

from datetime import datetime

from games.models import Player
from games.services import house
from tournaments.models import Decision, Event, Member, Membership, Place
from tournaments.selectors.course import seats_of

from .client_seeds import hand_over_membership
from .notices import tell
from .of_league import hold_league
from .record import logged


def sides(event: Event, place: int) -> tuple[int, ...]:
    """The seats of the entrant in a place of a table, from 0: one seat, or the two of a pair."""
    return (place + 1, place + 3) if event.mode == Event.Mode.PAIRS else (place + 1,)


# ---------------------------------------------------------------------------------------------- taking over


def take_over(event: Event, member: Member, now: datetime) -> Decision | None:
    """A substitute of the league plays on for somebody who leaves; None if there is none.

    The caller holds the event. Both are told, and nobody has decided it.
    """
    if event.division_id is None:
        return None
    hold_league(event)
    player = waiting_longest(event)
    if player is None:
        return None
    before = {"member": member.pk, "player": member.player_id, "was": Membership.Status.SUBSTITUTE}
    left, number = member.player_id, event.decisions.count()
    seqs = swap(event, member, player, now)
    seat = member.entrant_id
    tell(event, "event-replaced", f"replaced:{number}", [player.pk], now, entrant=seat, games=list(seqs))
    tell(event, "event-out", f"replaced-by:{number}", [left], now, why="replaced")
    return logged(event, None, "replace", now, before=before, after={"player": player.pk, "seqs": seqs})


def waiting_longest(event: Event) -> Player | None:
    """The substitute who has waited longest, and has no place in this season."""
    season = Place.objects.filter(season__divisions=event.division_id)
    ready = Membership.objects.filter(
        league__played__divisions=event.division_id,
        status=Membership.Status.SUBSTITUTE,
        player__is_active=True,
    )
    for seat in ("player", "partner"):
        ready = ready.exclude(player__in=season.filter(**{f"{seat}__isnull": False}).values(seat))
    found = ready.order_by("at", "pk").select_related("player").first()
    return found.player if found else None


def swap(
    event: Event, member: Member, player: Player, now: datetime, before: str = Membership.Status.OUT
) -> dict[str, int]:
    """Change who plays for an entrant; gives the games that run, and how far they are.

    In a league the place goes with it, and `before` says what becomes of whoever held it.
    """
    if event.division:
        pass_on(event.division.season.league_id, member, player, before, now)
        seat = "player" if member.number == 1 else "partner"
        Place.objects.filter(entrant=member.entrant_id).update(**{seat: player})
    hand_over_membership(event, member, player)
    seqs: dict[str, int] = {}
    tables = event.tables.filter(
        settled_at=None, game__status__in=house.PLAYING, sittings__entrant=member.entrant_id
    )
    for table in tables.select_related("game").prefetch_related("sittings"):
        assert table.game
        place = seats_of(table).index(member.entrant_id)
        seat_number = sides(event, place)[member.number - 1]
        house.change_player(code=table.game.code, seat=seat_number, player=player, now=now)
        seqs[table.game.code] = table.game.seq
    return seqs


# --------------------------------------------------------------------------------------- the seasons to come


def membership(event: Event, player: Player) -> str:
    """What a player is in the league of an event; out, if nothing."""
    found = Membership.objects.filter(league__played__divisions=event.division_id, player=player).first()
    return found.status if event.division_id and found else Membership.Status.OUT


def pass_on(league: int, member: Member, player: Player, before: str, now: datetime) -> None:
    """Who takes a place over has it in the next season, too, with the same partner if that one stays."""
    known = Membership.objects.filter(league=league)
    partner = Member.objects.filter(entrant=member.entrant_id).exclude(pk=member.pk).first()
    if partner is None:
        known.filter(player=member.player_id).update(status=before)
        keep(league, player, None, now)
        return
    beside = known.filter(player=partner.player_id, status=Membership.Status.MEMBER).first()
    together = beside is not None and beside.partner_id in (None, member.player_id)
    # Who has found another partner for the next season keeps them.
    known.filter(player=member.player_id, partner=partner.player_id).update(status=before, partner=None)
    known.filter(player=member.player_id, partner=None).update(status=before)
    if together and beside:
        keep(league, player, beside.player_id, now)
        known.filter(pk=beside.pk).update(partner=player)


def keep(league: int, player: Player, partner: int | None, now: datetime) -> None:
    """A player stays in."""
    fields = {"status": Membership.Status.MEMBER, "partner_id": partner}
    Membership.objects.update_or_create(
        league_id=league, player=player, defaults=fields, create_defaults=fields | {"at": now}
    )
