"""Somebody else plays for an entrant: chosen by the organiser, or the substitute who waits longest."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Any

from django.db.models import Max

from games.models import Game, Player
from games.selectors.handovers import has_sat
from games.services import house
from tournaments.models import (
    Decision,
    Entrant,
    Event,
    Member,
    Membership,
    Place,
    Removal,
    Replacement,
    Sitting,
)
from tournaments.models.limits import MAX_REASON_LENGTH
from tournaments.selectors.course import seats_of

from .client_seeds import hand_over_membership, seed_facts
from .lapsing import lapse_of_entrants
from .notices import count_table_change, members, tell_of_table_change
from .of_league import hold_league
from .record import logged
from .waiting import take_off_list


def sides(event: Event, place: int) -> tuple[int, ...]:
    """The seats of the entrant in a place of a table, from 0: one seat, or the two of a pair."""
    return (place + 1, place + 3) if event.mode == Event.Mode.PAIRS else (place + 1,)


# ---------------------------------------------------------------------------------------------- taking over


def take_over(event: Event, member: Member, now: datetime) -> Decision | None:
    """A substitute of the league plays on for somebody who leaves; None if there is none.

    The caller holds the event. Who stands by has agreed to it by that, and nobody has decided it.
    """
    if event.division_id is None:
        return None
    hold_league(event)
    player = waiting_longest(event, member)
    return put_in_place(event, member, player, by=None, now=now) if player else None


def put_in_place(
    event: Event,
    member: Member,
    player: Player,
    *,
    by: Player | None,
    now: datetime,
    why: str = "",
    public_note: str = "",
    client_seed: str = "",
) -> Decision:
    """Let somebody play on for a member, who has agreed to it; the caller holds the event and the league.

    Both are told, and so are those at their tables. Raises Conflict.
    """
    before = {"member": member.pk, "player": member.player_id, "was": membership(event, player)}
    before |= seed_facts(member) | take_off_list(event, player, now)
    predecessor, entrant = member.player_id, member.entrant_id
    open_tables = dict(
        event.tables.filter(settled_at=None, void=False, sittings__entrant=entrant).values_list("pk", "round")
    )
    begun = event.tables.aggregate(last=Max("round"))["last"] or 0
    mailed = count_table_change(event, [player.pk, predecessor, *opponents_of(event, member)], now)
    seqs = swap(event, member, player, now, client_seed=client_seed, mailed=player.pk in mailed)
    number = event.decisions.count()
    new: dict[str, Any] = {"entrant": entrant, "games": list(seqs)}
    tell_of_table_change(
        event, "event-replaced", f"replaced:{number}", [player.pk], now, mailed=mailed, **new
    )
    said: dict[str, Any] = {"text": public_note[:MAX_REASON_LENGTH]} if by else {}
    out = [predecessor]
    tell_of_table_change(
        event, "event-out", f"replaced-by:{number}", out, now, mailed=mailed, why="replaced", **said
    )
    tell_opponents(event, member, predecessor, f"newcomer:{number}", now, mailed)
    after = {"player": player.pk, "seqs": seqs}
    decision = logged(event, by, "replace", now, why=why, public_note=public_note, before=before, after=after)
    Replacement.objects.create(
        entrant_id=entrant,
        number=member.number,
        predecessor_id=predecessor,
        since_round=min(open_tables.values(), default=begun + 1),
        last_table=decision.last_table,
        open_tables=sorted(open_tables),
        decision=decision,
        at=now,
    )
    Entrant.objects.filter(pk=entrant).update(was_replaced=True)
    lapse_of_entrants([entrant], now)
    return decision


def opponents_of(event: Event, member: Member) -> set[int | None]:
    """Those at a table with an entrant that is not over, and the other player of the entrant."""
    tables = event.tables.filter(settled_at=None, void=False, sittings__entrant=member.entrant_id)
    there = Sitting.objects.filter(table__in=tables).values_list("entrant_id", flat=True)
    return set(members(event, {*there, member.entrant_id})) - {member.player_id}


def tell_opponents(
    event: Event,
    member: Member,
    predecessor: int | None,
    reason: str,
    now: datetime,
    mailed: Collection[int],
) -> None:
    """They hear who plays for an entrant now; `mailed` are those who may get a mail of it."""
    facts: dict[str, Any] = {
        "entrant": member.entrant_id,
        "player": member.player_id,
        "predecessor": predecessor,
    }
    people = opponents_of(event, member)
    tell_of_table_change(event, "event-newcomer", reason, people, now, mailed=mailed, **facts)


def running_games(event: Event, member: Member) -> list[Game]:
    """The games that a member plays, or may play again: a void one comes back as it stands.

    Whoever has sat at one of them cannot take it over, neither now nor when it comes back.
    """
    tables = event.tables.filter(
        result__isnull=True, game__status__in=house.PLAYING, sittings__entrant=member.entrant_id
    )
    return [table.game for table in tables.select_related("game") if table.game]


def waiting_longest(event: Event, member: Member) -> Player | None:
    """The substitute who has waited longest, has no place in this season and has sat at none of the games."""
    season = Place.objects.filter(season__divisions=event.division_id)
    ready = Membership.objects.filter(
        league__played__divisions=event.division_id,
        status=Membership.Status.SUBSTITUTE,
        player__is_active=True,
    )
    for seat in ("player", "partner"):
        ready = ready.exclude(player__in=season.filter(**{f"{seat}__isnull": False}).values(seat))
    games = running_games(event, member)
    for one in ready.order_by("at", "pk").select_related("player"):
        if not any(has_sat(one.player, game) for game in games):
            return one.player
    return None


def swap(
    event: Event,
    member: Member,
    player: Player,
    now: datetime,
    before: str = Membership.Status.OUT,
    *,
    back: bool = False,
    client_seed: str = "",
    mailed: bool = True,
) -> dict[str, int]:
    """Change who plays for an entrant; gives the games that run, and how far they are.

    In a league the place goes with it, and `before` says what becomes of whoever held it. `back` undoes such
    a change. Unless `mailed`, only their feed tells the player of the games. Raises Conflict.
    """
    if event.division:
        pass_on(event.division.season.league_id, member, player, before, now)
        seat = "player" if member.number == 1 else "partner"
        Place.objects.filter(entrant=member.entrant_id).update(**{seat: player})
    hand_over_membership(event, member, player, client_seed)
    seqs: dict[str, int] = {}
    tables = event.tables.filter(
        settled_at=None, game__status__in=house.PLAYING, sittings__entrant=member.entrant_id
    )
    for table in tables.select_related("game").prefetch_related("sittings"):
        assert table.game
        place = seats_of(table).index(member.entrant_id)
        seat_number = sides(event, place)[member.number - 1]
        change = house.change_back if back else house.change_player
        change(code=table.game.code, seat=seat_number, player=player, now=now, mailed=mailed)
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
    if is_barred(league, player):  # those who play now stay together, as nobody comes back beside them
        known.filter(player=member.player_id, partner=None).update(status=before)
        keep(league, player, None, now)
        return
    # Who has found another partner for the next season keeps them.
    known.filter(player=member.player_id, partner=partner.player_id).update(status=before, partner=None)
    known.filter(player=member.player_id, partner=None).update(status=before)
    if together and beside:
        keep(league, player, beside.player_id, now)
        known.filter(pk=beside.pk).update(partner=player)


def keep(league: int, player: Player, partner: int | None, now: datetime) -> None:
    """A player stays in; whoever was removed stays out."""
    status = Membership.Status.OUT if is_barred(league, player) else Membership.Status.MEMBER
    fields = {"status": status, "partner_id": partner}
    Membership.objects.update_or_create(
        league_id=league, player=player, defaults=fields, create_defaults=fields | {"at": now}
    )


def is_barred(league: int, player: Player) -> bool:
    """Whether an organiser has removed somebody from a league, and not let them in again."""
    return Removal.objects.filter(league=league, player=player, lifted_at=None).exists()
