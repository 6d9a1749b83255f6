"""The start of a tournament, in the caller's transaction, which locks it."""

from __future__ import annotations

from datetime import datetime

from tournaments.models import Entrant, Tournament
from tournaments.notice_kinds import TournamentNoticeKind
from tournaments.selectors.lineup import LineUp, build_line_up
from tournaments.selectors.quotas import exceeds_games_at_once

from .client_seeds import fix_client_seeds
from .holds import hold_for_organiser
from .notices import list_player_ids, notify_moved_up, notify_partners, notify_players
from .proposal_outcomes import lapse_tournament_proposals
from .sweep_steps import StepName


def start_due_tournament(tournament: Tournament, now: datetime) -> StepName | None:
    """Start a tournament that is due or full. Returns the step name, or None if it is neither.

    1. Build the line-up; hold if there are too few entrants or too many games.
    2. Save the line-up and set the tournament running.
    3. Let obsolete proposals lapse and fix the client seeds.
    4. Notify the players.
    """
    is_due = tournament.starts_at is not None and tournament.starts_at <= now
    if tournament.hold_reason or not (is_due or tournament.when_full):
        return None
    line_up = build_line_up(tournament)
    if not is_due and not line_up.is_full:
        return None
    if len(line_up.playing) < 2:  # nothing changes until the organiser decides
        return hold_for_organiser(tournament, Tournament.HoldReason.TOO_FEW, (), now)
    if exceeds_games_at_once(tournament, len(line_up.playing)):
        return hold_for_organiser(tournament, Tournament.HoldReason.TOO_MANY_GAMES, (), now)
    save_line_up(line_up, now)
    tournament.status, tournament.started_at = Tournament.Status.RUNNING, now
    tournament.save(update_fields=["status", "started_at"])
    lapse_tournament_proposals(tournament, now)
    fix_client_seeds(tournament, [entrant.pk for entrant in line_up.playing])
    notify_players(tournament, TournamentNoticeKind.START, "start", list_player_ids(tournament), now)
    return StepName.STARTED


def save_line_up(line_up: LineUp, now: datetime) -> None:
    """Save the entrants of the line-up, and notify those for whom something changed."""
    tournament = line_up.tournament
    notify_partners(tournament, line_up.without_account, now)
    tournament.entrants.filter(pk__in=[entrant.pk for entrant in line_up.without_account]).delete()
    Entrant.objects.bulk_update(line_up.unconfirmed, ["status", "left_after_round"])
    changed_entrants = {
        entrant.pk: entrant for entrant in (*line_up.from_waitlist, *line_up.seeded_by_rating)
    }
    Entrant.objects.bulk_update(changed_entrants.values(), ["status", "first_round", "seed"])
    if line_up.from_waitlist:
        notify_moved_up(tournament, [entrant.pk for entrant in line_up.from_waitlist], now)
