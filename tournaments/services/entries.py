"""Entries: enter, leave, confirm, withdraw, sit out, and seeds set by the organiser."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import datetime

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from accounts.models import Player
from accounts.services.players import lock_player
from common.refusals import check_allowed
from common.service_errors import Conflict, Invalid, ServiceError
from games.services.lobby import check_client_seed
from tournaments import permissions
from tournaments.models import Decision, Entrant, EntrantPlayer, Proposal, Tournament
from tournaments.models.limits import MAX_ROUNDS
from tournaments.ratings.selectors import get_rating
from tournaments.refusals import Refusal
from tournaments.selectors.quotas import count_places

from . import quotas
from .client_seeds import find_next_entry_number
from .decision_log import log_decision
from .notices import notify_partners
from .partner_proposals import propose_partnership
from .proposal_outcomes import lapse_entrant_proposals
from .substitutes import substitute_for_leaver
from .tournaments import get_organised_tournament, lock_visible_tournament, reschedule_tournament
from .waitlist import count_taken_places, move_up_waitlist


@transaction.atomic
def enter_tournament(*, player: Player, code: str, now: datetime, client_seed: str = "") -> Entrant:
    """Enter alone, or join the waitlist if the tournament is full. Pairs enter through `ask_partner`.

    A Swiss tournament may allow late entry: the player then plays from the next unpublished round on.
    Raises NotFound, Denied, Invalid or Conflict.
    """
    check_client_seed(client_seed)
    tournament = lock_visible_tournament(code)
    check_entry(tournament, [player], now)
    return enter_players(tournament, [player], now, [client_seed])


@transaction.atomic
def ask_partner(
    *, player: Player, partner: Player, code: str, now: datetime, client_seed: str = ""
) -> Proposal:
    """Ask a player to enter as a pair; no place is taken until they accept.

    An earlier open proposal to another partner is withdrawn. Raises NotFound, Denied, Invalid, Conflict or
    LimitReached.
    """
    check_client_seed(client_seed)
    tournament = lock_visible_tournament(code)
    check_entry(tournament, [player, partner], now)
    return propose_partnership(tournament, player=player, partner=partner, client_seed=client_seed, now=now)


def check_entry(tournament: Tournament, players: Sequence[Player], now: datetime) -> None:
    """Raise Denied, Invalid or Conflict unless these players can enter together now."""
    check_allowed(permissions.find_entry_period_refusal(tournament, now))
    if len(players) != (2 if tournament.mode == Tournament.Mode.PAIRS else 1):
        raise Refusal.WRONG_PARTY_SIZE.build_error()
    for player in sorted(players, key=lambda player: player.pk):
        lock_player(player)  # so that they are not declared a bot at the same moment
        check_eligible(tournament, player)
    entrant_players = tournament.entrant_players.filter(player__in=players).select_related("entrant")
    already_entered = any(
        not permissions.was_dropped_unconfirmed(entrant_player.entrant, tournament)
        for entrant_player in entrant_players
    )
    if already_entered or len({player.pk for player in players}) < len(players):
        raise Refusal.ALREADY_JOINED.build_error()
    quotas.check_running_game_quota(*players)


def enter_players(
    tournament: Tournament, players: Sequence[Player], now: datetime, client_seeds: Sequence[str] = ()
) -> Entrant:
    """Create the entrant of players who all agreed, and withdraw their other proposals.

    The caller locks the tournament.
    """
    # A player who was dropped unconfirmed enters again. Their first entrant stays stored, because the
    # lots of the start were drawn over it too.
    for entrant_player in tournament.entrant_players.filter(player__in=players).select_related("entrant"):
        if permissions.was_dropped_unconfirmed(entrant_player.entrant, tournament):
            entrant_player.delete()
    entrant = create_entrant(
        tournament,
        players,
        now,
        first_round=permissions.find_first_round(tournament),
        client_seeds=client_seeds,
    )
    # Players who have entered have no open partner proposals.
    open_proposals = Proposal.objects.filter(
        tournament=tournament, kind=Proposal.Kind.PARTNER, status=Proposal.Status.OPEN
    )
    open_proposals.filter(proposer__in=players).update(status=Proposal.Status.WITHDRAWN, answered_at=now)
    if tournament.is_running:
        Entrant.objects.filter(pk=entrant.pk).update(confirmed_at=now)
        reschedule_tournament(tournament, now)
    is_full = (
        tournament.when_full and tournament.capacity and count_taken_places(tournament) >= tournament.capacity
    )
    if is_full or (tournament.confirmation and tournament.is_published):
        Tournament.objects.filter(pk=tournament.pk).update(next_sweep_at=now)
    return entrant


def check_eligible(tournament: Tournament, player: Player) -> None:
    """Raise Denied unless the player is eligible for the tournament."""
    refusal = permissions.find_eligibility_refusal(tournament, player)
    rating = get_rating(player, tournament.mode) if refusal == Refusal.OTHER_RATING else 0
    check_allowed(refusal, rating=rating)


def create_entrant(
    tournament: Tournament,
    players: Sequence[Player],
    now: datetime,
    seed: int | None = None,
    first_round: int = 1,
    client_seeds: Sequence[str] = (),
) -> Entrant:
    """Store an entrant with its players and their client seeds, on the waitlist if the tournament is full.

    The caller locks the tournament.
    """
    # League entrants already have their places; their number is checked at the start.
    is_full = tournament.division_id is None and count_taken_places(tournament) >= count_places(tournament)
    status = Entrant.Status.WAITING if is_full else Entrant.Status.ENTERED
    entrant = Entrant.objects.create(
        tournament=tournament, status=status, entered_at=now, seed=seed, first_round=first_round
    )
    entry_number, padded_seeds = find_next_entry_number(tournament), [*client_seeds, *[""] * len(players)]
    EntrantPlayer.objects.bulk_create(
        [
            EntrantPlayer(
                tournament=tournament,
                entrant=entrant,
                player=player,
                position=position,
                client_seed=padded_seeds[position - 1],
                entry_number=entry_number + position - 1,
            )
            for position, player in enumerate(players, 1)
        ]
    )
    return entrant


def get_own_entrant(tournament: Tournament, player: Player) -> Entrant:
    """Return the entrant that the player plays for. Raises Denied."""
    entrant = Entrant.objects.filter(tournament=tournament, entrant_players__player=player).first()
    if entrant is None:
        raise Refusal.NOT_ENTERED.build_error()
    return entrant


@transaction.atomic
def leave_tournament(*, player: Player, code: str, now: datetime) -> None:
    """Leave before the start, or leave the waitlist; the entrant who waits longest moves up.

    Withdraws the player's open partner proposal instead, if there is one. Raises NotFound, Denied or
    Conflict.
    """
    tournament = lock_visible_tournament(code)
    open_proposals = Proposal.objects.filter(
        tournament=tournament, proposer=player, kind=Proposal.Kind.PARTNER, status=Proposal.Status.OPEN
    )
    if open_proposals.update(status=Proposal.Status.WITHDRAWN, answered_at=now):
        return  # a player with an open partner proposal has not entered yet
    entrant = get_own_entrant(tournament, player)
    check_allowed(permissions.find_leave_refusal(tournament, entrant))
    notify_partners(tournament, [entrant], now, leaver=player)
    entrant.delete()
    move_up_waitlist(tournament, now)


@transaction.atomic
def confirm_entry(*, player: Player, code: str, now: datetime) -> Entrant:
    """Confirm the player's entry. Confirming again changes nothing. Raises NotFound, Denied or Conflict."""
    tournament = lock_visible_tournament(code)
    entrant = get_own_entrant(tournament, player)
    refusal = permissions.find_confirmation_refusal(tournament, entrant)
    if refusal == Refusal.ALREADY_CONFIRMED:
        return entrant
    check_allowed(refusal)
    entrant.confirmed_at = now
    entrant.save(update_fields=["confirmed_at"])
    if tournament.when_full and tournament.is_published:  # perhaps the last confirmation
        Tournament.objects.filter(pk=tournament.pk).update(next_sweep_at=now)
    return entrant


@transaction.atomic
def withdraw_from_tournament(*, player: Player, code: str, now: datetime) -> Entrant:
    """Withdraw from a running tournament. In a league a substitute takes over the seat, if there is one.

    Otherwise the sweep resigns the running games. Raises NotFound, Denied or Conflict.
    """
    tournament = lock_visible_tournament(code)
    entrant = get_own_entrant(tournament, player)
    check_allowed(permissions.find_withdrawal_refusal(tournament, entrant))
    if not substitute_for_leaver(tournament, entrant.entrant_players.get(player=player), now):
        notify_partners(tournament, [entrant], now, leaver=player)
        drop_entrants(tournament, [entrant], Entrant.Status.WITHDRAWN, now)
    return entrant


def leave_all_tournaments(*, player: Player, now: datetime) -> None:
    """Leave all tournaments of a player whose account is deleted, and withdraw their proposals.

    Places before the start go to the waitlist, league games to substitutes; the sweep resigns the others.
    """
    open_proposals = Proposal.objects.filter(proposer=player, status=Proposal.Status.OPEN)
    open_proposals.update(status=Proposal.Status.WITHDRAWN, answered_at=now)
    upcoming_tournaments = Tournament.objects.published().filter(
        entrant_players__player=player, division=None
    )
    for code in upcoming_tournaments.values_list("code", flat=True):
        with suppress(ServiceError):  # it has just started
            leave_tournament(player=player, code=code, now=now)
    league_entrants = Entrant.objects.filter(
        entrant_players__player=player,
        left_after_round=None,
        status=Entrant.Status.ENTERED,
        tournament__status=Tournament.Status.RUNNING,
        tournament__division__isnull=False,
    )
    for code in league_entrants.values_list("tournament__code", flat=True):
        with suppress(ServiceError):  # it has just ended
            withdraw_from_tournament(player=player, code=code, now=now)


def drop_entrants(tournament: Tournament, entrants: Iterable[Entrant], status: str, now: datetime) -> None:
    """Mark entrants as out after the last paired round; the sweep resigns their games.

    The caller locks the tournament.
    """
    last_round = tournament.pairings.aggregate(last=Max("bracket_round"))["last"] or 0
    entrants = list(entrants)
    for entrant in entrants:
        entrant.status, entrant.left_after_round = status, last_round
        entrant.save(update_fields=["status", "left_after_round"])
    lapse_entrant_proposals([entrant.pk for entrant in entrants], now)
    move_up_waitlist(tournament, now)
    reschedule_tournament(tournament, now)


@transaction.atomic
def sit_out_round(*, player: Player, code: str, round: int, now: datetime) -> Entrant:
    """Mark the player absent in a coming round of a Swiss tournament. Raises NotFound, Denied or Conflict."""
    tournament = lock_visible_tournament(code)
    entrant = get_own_entrant(tournament, player)
    check_allowed(permissions.find_sit_out_refusal(tournament, entrant))
    last_round = tournament.pairings.aggregate(last=Max("bracket_round"))["last"] or 0
    if not last_round < round <= MAX_ROUNDS:
        raise Conflict(_("This round has already started."))
    entrant.absent_rounds = sorted({*entrant.absent_rounds, round})
    entrant.save(update_fields=["absent_rounds"])
    if tournament.is_running:
        reschedule_tournament(tournament, now)
    return entrant


@transaction.atomic
def set_seeds(*, by: Player, code: str, order: Sequence[int], now: datetime) -> None:
    """Set the organiser's order of entrants, strongest first; the others are drawn behind them.

    Raises NotFound, Denied, Invalid or Conflict.
    """
    tournament = get_organised_tournament(by=by, code=code)
    check_allowed(permissions.find_started_refusal(tournament))
    entrants_by_id = {entrant.pk: entrant for entrant in tournament.entrants.all()}
    if len(set(order)) != len(order) or not set(order) <= set(entrants_by_id):
        raise Invalid(_("List entrants of this tournament, each once."), field="order")
    previous_order = list(
        tournament.entrants.filter(seed__isnull=False).order_by("seed").values_list("pk", flat=True)
    )
    if previous_order == list(order):
        return
    tournament.entrants.update(seed=None)
    for seed_no, entrant_id in enumerate(order, 1):
        entrants_by_id[entrant_id].seed = seed_no
    Entrant.objects.bulk_update([entrants_by_id[entrant_id] for entrant_id in order], ["seed"])
    log_decision(
        tournament,
        by,
        Decision.Action.SEEDS,
        now,
        before={"order": previous_order},
        after={"order": list(order)},
    )
