"""What a viewer may do with a tournament or league as it stands, before any argument is checked."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.db.models import Max

from games.models import Player
from tournaments.models import Entrant, League, LeagueMember, Proposal, Tournament
from tournaments.pairing import swiss

from .proposals import list_open_proposals
from .ratings import get_rating
from .removals import is_removed
from .seeds import can_change_client_seed, find_entrant_player
from .timeout_evidence import was_replaced_in_tournament
from .tournament_state import build_spec
from .tournaments import can_organise_league, can_organise_tournament
from .undecided import UNDECIDED

BEFORE_START_STATUSES = (Tournament.Status.DRAFT, Tournament.Status.PUBLISHED)
OVER_STATUSES = (Tournament.Status.FINISHED, Tournament.Status.CANCELLED)
APPEAL_PERIOD_AFTER_END = timedelta(days=14)  # how long after its end a tournament can be appealed


def permissions_of(tournament: Tournament, viewer: Player | None, now: datetime) -> dict[str, Any]:
    """Return the viewer's role in a tournament and the actions open to them, by their API names."""
    if viewer is None:
        no_entry: dict[str, Any] = dict.fromkeys(("entrant", "status", "confirmed", "client_seed"))
        return {"organiser": False, **no_entry, "proposals": [], "may": []}
    is_organiser = can_organise_tournament(viewer, tournament)
    entrant_player = find_entrant_player(tournament, viewer)
    entrant = entrant_player.entrant if entrant_player else None
    partner_proposals = [
        proposal
        for proposal in list_open_proposals(viewer, tournament)
        if proposal.kind == Proposal.Kind.PARTNER
    ]
    actions = list_player_actions(tournament, viewer, entrant, now)
    if entrant is None and tournament.started_at and was_replaced_in_tournament(tournament, viewer):
        actions += [] if appeal_block_reason(tournament, now) else ["appeal"]
    if can_change_client_seed(tournament, entrant_player):
        actions.append("client-seed")
    return {
        "organiser": is_organiser,
        "entrant": entrant.pk if entrant else None,
        "status": entrant.status if entrant else None,
        "confirmed": entrant.confirmed_at is not None if entrant else None,
        "client_seed": entrant_player.effective_client_seed if entrant_player else None,
        "proposals": [proposal.pk for proposal in partner_proposals],
        "may": [
            *actions,
            *(
                ["leave"]
                if entrant is None and any(proposal.by_id == viewer.pk for proposal in partner_proposals)
                else ()
            ),
            *(list_organiser_actions(tournament) if is_organiser else ()),
        ],
    }


def list_player_actions(
    tournament: Tournament, player: Player, entrant: Entrant | None, now: datetime
) -> list[str]:
    """List the actions open to an entrant, or to somebody who could enter."""
    can_enter = entrant is None or was_dropped_unconfirmed(entrant, tournament)
    if can_enter and not entry_block_reason(tournament, player, now):
        return ["enter"]
    if entrant is None:
        return []
    is_playing = tournament.status == Tournament.Status.RUNNING and entrant.left is None
    needs_confirmation = tournament.confirmation and entrant.confirmed_at is None
    is_open_by_action = {
        "leave": tournament.status in BEFORE_START_STATUSES or entrant.status == Entrant.Status.WAITING,
        "confirm": tournament.status in BEFORE_START_STATUSES and needs_confirmation,
        "withdraw": is_playing and entrant.status == Entrant.Status.ENTERED,
        "sit-out": tournament.format == Tournament.Format.SWISS
        and (tournament.status in BEFORE_START_STATUSES or is_playing),
        "appeal": tournament.started_at is not None and not appeal_block_reason(tournament, now),
    }
    return [action for action, is_open in is_open_by_action.items() if is_open]


def was_dropped_unconfirmed(entrant: Entrant, tournament: Tournament) -> bool:
    """Tell whether a tournament started without an entrant because nobody had confirmed."""
    return (
        tournament.confirmation
        and entrant.status == Entrant.Status.WITHDRAWN
        and entrant.left == 0
        and entrant.confirmed_at is None
    )


def appeal_block_reason(tournament: Tournament, now: datetime) -> str:
    """Return a code why an appeal could change nothing any more, or ""."""
    if tournament.status == Tournament.Status.CANCELLED:
        return "over"
    if is_season_over(tournament):
        return "season"
    return (
        "late" if tournament.finished_at and now >= tournament.finished_at + APPEAL_PERIOD_AFTER_END else ""
    )


def is_season_over(tournament: Tournament) -> bool:
    """Tell whether a tournament belongs to a league season that is over."""
    return tournament.division is not None and tournament.division.season.finished_at is not None


def entry_block_reason(
    tournament: Tournament, viewer: Player | None, now: datetime, *, accepts_late_entry: bool | None = None
) -> str:
    """Return a code why a player cannot enter, "" if they can.

    `accepts_late_entry`, if already known: the tournament is running and takes new entrants.
    """
    if accepts_late_entry is None:
        accepts_late_entry = (
            tournament.status == Tournament.Status.RUNNING and find_first_round(tournament) > 0
        )
    if (
        tournament.status != Tournament.Status.PUBLISHED and not accepts_late_entry
    ) or tournament.division_id:
        return "over"
    if tournament.opens_at and now < tournament.opens_at:
        return "early"
    if tournament.closes_at and now >= tournament.closes_at:
        return "late"
    return ineligible_reason(tournament, viewer)


def ineligible_reason(tournament: Tournament, player: Player | None) -> str:
    """Return a code why a tournament is not open to a player at any time, or '' if it is."""
    if player is None or player.guest or not player.is_active:
        return "stranger"
    if is_removed(player, tournament):
        return "removed"
    if tournament.by_invitation and not tournament.invites.filter(player=player).exists():
        return "invitation"
    if tournament.least_rating is not None or tournament.most_rating is not None:
        rating = get_rating(player, tournament.mode)
        min_rating = rating if tournament.least_rating is None else tournament.least_rating
        max_rating = rating if tournament.most_rating is None else tournament.most_rating
        return "" if min_rating <= rating <= max_rating else "rating"
    return ""


def find_first_round(tournament: Tournament) -> int:
    """Return the first round of somebody who enters now, 0 if nobody can."""
    if tournament.status in BEFORE_START_STATUSES:
        return 1
    if tournament.status != Tournament.Status.RUNNING or not tournament.late:
        return 0
    last_round = tournament.tables.aggregate(last=Max("round"))["last"] or 0
    entrants = tournament.entrants.exclude(status=Entrant.Status.WAITING)
    return (
        last_round + 1 if last_round < swiss.count_rounds(build_spec(tournament, entrants, bytes(32))) else 0
    )


def list_organiser_actions(tournament: Tournament) -> list[str]:
    """List the actions open to organisers."""
    is_before_start, is_running = (
        tournament.status in BEFORE_START_STATUSES,
        tournament.status == Tournament.Status.RUNNING,
    )
    is_open_by_action = {
        "change": tournament.status not in OVER_STATUSES,
        "delete": tournament.status == Tournament.Status.DRAFT,
        "publish": tournament.status == Tournament.Status.DRAFT,
        "start": tournament.status == Tournament.Status.PUBLISHED,
        "cancel": tournament.status not in OVER_STATUSES,
        "seed": is_before_start,
        "invite": tournament.status not in OVER_STATUSES,
        "add-helper": tournament.status != Tournament.Status.CANCELLED,
        "preview": is_running or tournament.status == Tournament.Status.PUBLISHED,
        "proceed": is_running and tournament.held not in ("", UNDECIDED),
        "extend": is_running,
        "correct": tournament.status in (Tournament.Status.RUNNING, Tournament.Status.FINISHED)
        and not is_season_over(tournament),
        "disqualify": is_running,
        "replace": tournament.status in (Tournament.Status.PUBLISHED, Tournament.Status.RUNNING),
        "remove": tournament.status == Tournament.Status.PUBLISHED and tournament.division_id is None,
    }
    return [action for action, is_open in is_open_by_action.items() if is_open]


# -------------------------------------------------------------------------------------------------- leagues


def league_permissions_of(league: League, viewer: Player | None) -> dict[str, Any]:
    """Return the viewer's role in a league and the actions open to them."""
    if viewer is None:
        return {"organiser": False, "status": None, "client_seed": None, "may": []}
    is_organiser = can_organise_league(viewer, league)
    league_member = league.memberships.filter(player=viewer).first()
    status = league_member.status if league_member else LeagueMember.Status.OUT
    is_active = league.status != League.Status.CLOSED and not viewer.guest
    can_join = is_active and (status != LeagueMember.Status.OUT or not is_removed(viewer, league))
    is_open_by_action = {
        "join": can_join and status != LeagueMember.Status.MEMBER,
        "leave": is_active and status != LeagueMember.Status.OUT,
        "substitute": can_join and status != LeagueMember.Status.SUBSTITUTE,
        "client-seed": is_active and status != LeagueMember.Status.OUT,
        "change": is_organiser and is_active,
        "start": is_organiser and league.status == League.Status.OPEN,
        "close": is_organiser and is_active,
        "replace": is_organiser and league.status == League.Status.RUNNING,
        "remove": is_organiser and is_active,
        "add-helper": is_organiser and is_active,
    }
    return {
        "organiser": is_organiser,
        "status": league_member.status if league_member else None,
        "client_seed": league_member.client_seed if league_member else None,
        "may": [action for action, is_open in is_open_by_action.items() if is_open],
    }
