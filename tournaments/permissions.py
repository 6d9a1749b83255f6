"""Permissions in a tournament: who may do what as it stands, before any argument is checked.

One function for each action; it returns None or the refusal. Services raise it (`refusals.check_allowed`),
the API lists the actions without one, and pages show their buttons. Those of leagues are in
leagues.permissions, those of proposals in proposal_permissions.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial

from django.db.models import Max

from accounts.models import Player
from tournaments.actions import OrganiserAction, PlayerAction
from tournaments.models import Decision, Entrant, EntrantPlayer, Proposal, Season, Tournament
from tournaments.models.decisions import UNDO_ACTIONS
from tournaments.pairing import swiss
from tournaments.ratings.selectors import get_rating
from tournaments.read_models.tournaments import TournamentViewer
from tournaments.refusals import Refusal
from tournaments.selectors.proposals import list_open_proposals
from tournaments.selectors.removals import is_removed
from tournaments.selectors.seeds import find_entrant_player
from tournaments.selectors.timeout_evidence import was_replaced_in_tournament
from tournaments.selectors.tournament_state import build_spec
from tournaments.selectors.tournaments import can_organise_tournament

APPEAL_PERIOD_AFTER_END = timedelta(days=14)  # how long after its end a tournament can be appealed


def permissions_of(tournament: Tournament, viewer: Player | None, now: datetime) -> TournamentViewer:
    """Return the viewer's role in a tournament and the actions open to them, by their API names."""
    if viewer is None:
        return TournamentViewer()
    is_organiser = can_organise_tournament(viewer, tournament)
    entrant_player = find_entrant_player(tournament, viewer)
    entrant = entrant_player.entrant if entrant_player else None
    partner_proposals = [
        proposal
        for proposal in list_open_proposals(viewer, tournament)
        if proposal.kind == Proposal.Kind.PARTNER
    ]
    actions = list_player_actions(tournament, viewer, entrant_player, now)
    if entrant is None and any(proposal.proposer_id == viewer.pk for proposal in partner_proposals):
        actions.append(PlayerAction.LEAVE)
    return TournamentViewer(
        organiser=is_organiser,
        entrant=entrant.pk if entrant else None,
        status=Entrant.Status(entrant.status) if entrant else None,
        confirmed=entrant.confirmed_at is not None if entrant else None,
        proposals=[proposal.pk for proposal in partner_proposals],
        client_seed=entrant_player.effective_client_seed if entrant_player else None,
        permissions=[*actions, *(list_organiser_actions(tournament, now) if is_organiser else ())],
    )


# -------------------------------------------------------------------------------------------------- players


def list_player_actions(
    tournament: Tournament, player: Player, entrant_player: EntrantPlayer | None, now: datetime
) -> list[PlayerAction]:
    """List the actions open to a player who takes part, took part or could enter."""
    if entrant_player is None:
        actions = [] if find_entry_refusal(tournament, player, now) else [PlayerAction.ENTER]
        took_part = tournament.started_at is not None and was_replaced_in_tournament(tournament, player)
    elif was_dropped_unconfirmed(entrant_player.entrant, tournament) and not find_entry_refusal(
        tournament, player, now
    ):
        return (
            [PlayerAction.ENTER]
            if find_client_seed_refusal(tournament, entrant_player)
            else [PlayerAction.ENTER, PlayerAction.CLIENT_SEED]
        )
    else:
        actions = list_entrant_actions(tournament, entrant_player)
        took_part = tournament.started_at is not None
    return (
        [*actions, PlayerAction.APPEAL] if took_part and not find_appeal_refusal(tournament, now) else actions
    )


def list_entrant_actions(tournament: Tournament, entrant_player: EntrantPlayer) -> list[PlayerAction]:
    """List the actions open to a player of an entrant, without appeals; it makes no query."""
    entrant = entrant_player.entrant
    is_open_by_action = {
        PlayerAction.LEAVE: not find_leave_refusal(tournament, entrant),
        PlayerAction.CONFIRM: not find_confirmation_refusal(tournament, entrant),
        PlayerAction.WITHDRAW: not find_withdrawal_refusal(tournament, entrant),
        PlayerAction.SIT_OUT: not find_sit_out_refusal(tournament, entrant),
        PlayerAction.CLIENT_SEED: not find_client_seed_refusal(tournament, entrant_player),
    }
    return [action for action, is_open in is_open_by_action.items() if is_open]


def find_entry_refusal(
    tournament: Tournament, player: Player | None, now: datetime, *, accepts_late_entry: bool | None = None
) -> Refusal | None:
    """Find out why a player may not enter; see `find_entry_period_refusal` for `accepts_late_entry`."""
    return find_entry_period_refusal(
        tournament, now, accepts_late_entry=accepts_late_entry
    ) or find_eligibility_refusal(tournament, player)


def find_entry_period_refusal(
    tournament: Tournament, now: datetime, *, accepts_late_entry: bool | None = None
) -> Refusal | None:
    """Find out why nobody may enter now.

    `accepts_late_entry`, if already known: the tournament is running and takes new entrants.
    """
    if accepts_late_entry is None:
        accepts_late_entry = tournament.is_running and find_first_round(tournament) > 0
    if not (tournament.is_published or accepts_late_entry) or tournament.division_id:
        return Refusal.ENTRY_OVER
    if tournament.opens_at and now < tournament.opens_at:
        return Refusal.ENTRY_TOO_EARLY
    return Refusal.ENTRY_TOO_LATE if has_entry_closed(tournament, now) else None


def has_entry_closed(tournament: Tournament, now: datetime) -> bool:
    """Tell whether the date on which entries close has passed."""
    return tournament.closes_at is not None and now >= tournament.closes_at


def find_eligibility_refusal(tournament: Tournament, player: Player | None) -> Refusal | None:
    """Find out why a tournament is not open to a player at any time."""
    if player is None or player.is_guest or not player.is_active:
        return Refusal.NO_ACCOUNT
    if refusal := find_bot_refusal(tournament, player):
        return refusal
    if is_removed(player, tournament):
        return Refusal.REMOVED
    if tournament.by_invitation and not tournament.invites.filter(player=player).exists():
        return Refusal.NOT_INVITED
    if tournament.min_rating is not None or tournament.max_rating is not None:
        rating = get_rating(player, tournament.mode)
        min_rating = rating if tournament.min_rating is None else tournament.min_rating
        max_rating = rating if tournament.max_rating is None else tournament.max_rating
        return None if min_rating <= rating <= max_rating else Refusal.OTHER_RATING
    return None


def find_bot_refusal(tournament: Tournament, player: Player) -> Refusal | None:
    """Find out why a bot may not take part, nor replace anybody; people always may."""
    if not player.is_bot:
        return None
    if not tournament.bots_allowed:
        return Refusal.BOTS_NOT_ALLOWED
    return None if player.bot_owner_id else Refusal.BOT_WITHOUT_OWNER


def find_first_round(tournament: Tournament) -> int:
    """Return the first round of somebody who enters now, 0 if nobody can."""
    if tournament.is_before_start:
        return 1
    if not tournament.takes_late_entries:
        return 0
    last_round = tournament.pairings.aggregate(last=Max("bracket_round"))["last"] or 0
    entrants = tournament.entrants.exclude(status=Entrant.Status.WAITING)
    return (
        last_round + 1 if last_round < swiss.count_rounds(build_spec(tournament, entrants, bytes(32))) else 0
    )


def was_dropped_unconfirmed(entrant: Entrant, tournament: Tournament) -> bool:
    """Tell whether a tournament started without an entrant because nobody had confirmed."""
    return (
        tournament.confirmation
        and entrant.is_withdrawn
        and entrant.left_after_round == 0
        and entrant.confirmed_at is None
    )


def find_leave_refusal(tournament: Tournament, entrant: Entrant) -> Refusal | None:
    """Find out why an entrant may not leave: only before the start, or while it waits for a place."""
    can_leave = tournament.is_before_start or (entrant.is_waiting and not tournament.is_over)
    return None if can_leave else Refusal.TOURNAMENT_STARTED


def find_confirmation_refusal(tournament: Tournament, entrant: Entrant) -> Refusal | None:
    """Find out why an entry cannot be confirmed. On the waitlist it can: places go to confirmed entrants."""
    if refusal := find_started_refusal(tournament):
        return refusal
    if not tournament.confirmation:
        return Refusal.NO_CONFIRMATION
    return Refusal.ALREADY_CONFIRMED if entrant.confirmed_at else None


def find_withdrawal_refusal(tournament: Tournament, entrant: Entrant) -> Refusal | None:
    """Find out why an entrant may not withdraw while the tournament runs."""
    if not tournament.is_running:
        return Refusal.TOURNAMENT_NOT_RUNNING
    if entrant.is_waiting:
        return Refusal.ON_WAITLIST
    return None if entrant.is_active else Refusal.HAS_LEFT


def find_sit_out_refusal(tournament: Tournament, entrant: Entrant) -> Refusal | None:
    """Find out why an entrant may not sit out a round to come."""
    if tournament.format != Tournament.Format.SWISS or tournament.is_over:
        return Refusal.NOT_SWISS
    if entrant.is_waiting:
        return Refusal.ON_WAITLIST
    return Refusal.HAS_LEFT if entrant.left_after_round is not None else None


def find_client_seed_refusal(tournament: Tournament, entrant_player: EntrantPlayer | None) -> Refusal | None:
    """Find out why a player may not change their client seed."""
    if entrant_player is None:
        return Refusal.NOT_ENTERED
    is_fixed = entrant_player.client_seed_fixed or tournament.is_over
    return Refusal.CLIENT_SEED_FIXED if is_fixed else None


def find_appeal_refusal(tournament: Tournament, now: datetime) -> Refusal | None:
    """Find out why an appeal could change nothing any more."""
    if is_season_over(tournament):
        return Refusal.SEASON_OVER
    if tournament.is_cancelled:
        return Refusal.TOURNAMENT_OVER
    ended_at = tournament.finished_at
    return Refusal.APPEAL_TOO_LATE if ended_at and now >= ended_at + APPEAL_PERIOD_AFTER_END else None


def find_pairing_appeal_refusal(
    tournament: Tournament, now: datetime, *, has_played: bool, has_appealed: bool
) -> Refusal | None:
    """Find out why a player may not appeal about a pairing: only those who played there may, once."""
    if refusal := find_appeal_refusal(tournament, now):
        return refusal
    if not has_played:
        return Refusal.NOT_AT_TABLE
    return Refusal.ALREADY_APPEALED if has_appealed else None


def is_season_over(tournament: Tournament) -> bool:
    """Tell whether a tournament belongs to a league season that is over."""
    seasons = Season.objects.filter(divisions=tournament.division_id, finished_at__isnull=False)
    return tournament.division_id is not None and seasons.exists()


# ----------------------------------------------------------------------------------------------- organisers


def find_organising_refusal(player: Player) -> Refusal | None:
    """Find out why a player may organise nothing."""
    return Refusal.CANNOT_ORGANISE if player.is_guest or not player.is_active else None


def find_over_refusal(tournament: Tournament) -> Refusal | None:
    """Find out why nothing may change: neither settings (see `list_fixed_options`), nor who is invited."""
    return Refusal.TOURNAMENT_OVER if tournament.is_over else None


def find_invitation_refusal(tournament: Tournament, now: datetime) -> Refusal | None:
    """Find out why nobody may be invited: nobody could enter any more. Dates of a draft can still move."""
    if refusal := find_over_refusal(tournament):
        return refusal
    if tournament.is_running and not tournament.takes_late_entries:
        return Refusal.TOURNAMENT_STARTED
    is_too_late = not tournament.is_draft and has_entry_closed(tournament, now)
    return Refusal.INVITATION_TOO_LATE if is_too_late else None


def find_deletion_refusal(tournament: Tournament) -> Refusal | None:
    """Find out why a tournament may not be deleted."""
    return None if tournament.is_draft else Refusal.NOT_DRAFT


def find_publication_refusal(tournament: Tournament) -> Refusal | None:
    """Find out why a tournament may not be published."""
    return None if tournament.is_draft else Refusal.ALREADY_PUBLISHED


def find_start_refusal(tournament: Tournament) -> Refusal | None:
    """Find out why a tournament may not start."""
    return None if tournament.is_published else Refusal.NOT_PUBLISHED


def find_started_refusal(tournament: Tournament) -> Refusal | None:
    """Find out why nothing may change that the start decides, such as seeds."""
    return None if tournament.is_before_start else Refusal.TOURNAMENT_STARTED


def find_not_running_refusal(tournament: Tournament) -> Refusal | None:
    """Find out why nothing may be decided about rounds."""
    return None if tournament.is_running else Refusal.TOURNAMENT_NOT_RUNNING


def find_co_organiser_refusal(tournament: Tournament) -> Refusal | None:
    """Find out why nobody may become a co-organiser."""
    return Refusal.TOURNAMENT_OVER if tournament.is_cancelled else None


def find_preview_refusal(tournament: Tournament) -> Refusal | None:
    """Find out why the next round may not be previewed."""
    return None if tournament.is_published or tournament.is_running else Refusal.TOURNAMENT_NOT_RUNNING


def find_approval_refusal(tournament: Tournament) -> Refusal | None:
    """Find out why a round may not be approved."""
    if not tournament.is_running:
        return Refusal.TOURNAMENT_NOT_RUNNING
    if tournament.hold_reason == Tournament.HoldReason.UNDECIDED_TABLE:
        return Refusal.UNDECIDED_TABLE
    return None if tournament.hold_reason else Refusal.NOT_ON_HOLD


def find_correction_refusal(tournament: Tournament) -> Refusal | None:
    """Find out why no result may be corrected."""
    if not tournament.is_running and not tournament.is_finished:
        return Refusal.TOURNAMENT_NOT_RUNNING
    return Refusal.SEASON_OVER if is_season_over(tournament) else None


def find_disqualification_refusal(tournament: Tournament, entrant: Entrant | None = None) -> Refusal | None:
    """Find out why an entrant, or any, may not be disqualified."""
    if not tournament.is_running:
        return Refusal.TOURNAMENT_NOT_RUNNING
    return None if entrant is None or entrant.is_active else Refusal.ENTRANT_HAS_LEFT


def find_replacement_refusal(tournament: Tournament, entrant: Entrant | None = None) -> Refusal | None:
    """Find out why a player of an entrant, or of any, may not be replaced."""
    is_possible = tournament.is_published or tournament.is_running
    return None if is_possible and (entrant is None or entrant.is_active) else Refusal.NOT_REPLACEABLE


def find_removal_refusal(tournament: Tournament, entrant: Entrant | None = None) -> Refusal | None:
    """Find out why an entrant, or any that has a place, may not be removed."""
    if tournament.division_id:
        return Refusal.LEAGUE_DECIDES
    if tournament.is_over:
        return Refusal.TOURNAMENT_OVER
    if tournament.is_draft:
        return Refusal.NO_SUCH_ENTRANT
    is_waiting = entrant is not None and entrant.is_waiting
    return None if is_waiting or tournament.is_published else Refusal.TOURNAMENT_STARTED


def find_undo_refusal(decision: Decision, newest_pairing_id: int) -> Refusal | None:
    """Find out why a decision may not be undone: it cannot be, was already, or pairings followed from it."""
    can_undo = (
        decision.action in UNDO_ACTIONS
        and not hasattr(decision, "undone_by")
        and newest_pairing_id <= decision.last_pairing_id
    )
    return None if can_undo else Refusal.NOT_UNDOABLE


# By their API names.
ORGANISER_PERMISSIONS: dict[OrganiserAction, Callable[[Tournament], Refusal | None]] = {
    OrganiserAction.CHANGE: find_over_refusal,
    OrganiserAction.DELETE: find_deletion_refusal,
    OrganiserAction.PUBLISH: find_publication_refusal,
    OrganiserAction.START: find_start_refusal,
    OrganiserAction.CANCEL: find_over_refusal,
    OrganiserAction.SEED: find_started_refusal,
    OrganiserAction.ADD_CO_ORGANISER: find_co_organiser_refusal,
    OrganiserAction.PREVIEW: find_preview_refusal,
    OrganiserAction.PROCEED: find_approval_refusal,
    OrganiserAction.EXTEND: find_not_running_refusal,
    OrganiserAction.CORRECT: find_correction_refusal,
    OrganiserAction.DISQUALIFY: find_disqualification_refusal,
    OrganiserAction.REPLACE: find_replacement_refusal,
    OrganiserAction.REMOVE: find_removal_refusal,
}
ENTRANT_PERMISSIONS: dict[OrganiserAction, Callable[[Tournament, Entrant], Refusal | None]] = {
    OrganiserAction.REPLACE: find_replacement_refusal,
    OrganiserAction.DISQUALIFY: find_disqualification_refusal,
    OrganiserAction.REMOVE: find_removal_refusal,
}


def list_organiser_actions(tournament: Tournament, now: datetime) -> list[OrganiserAction]:
    """List the actions open to organisers."""
    find_invite_refusal = partial(find_invitation_refusal, now=now)
    find_refusals = ORGANISER_PERMISSIONS | {OrganiserAction.INVITE: find_invite_refusal}
    return [action for action, find_refusal in find_refusals.items() if not find_refusal(tournament)]


def list_actions_on_entrant(tournament: Tournament, entrant: Entrant) -> list[OrganiserAction]:
    """List the actions of organisers that are possible with an entrant."""
    return [
        action
        for action, find_refusal in ENTRANT_PERMISSIONS.items()
        if not find_refusal(tournament, entrant)
    ]
