"""Tournaments up to their start: create, edit, publish, start, cancel, invite."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import Player
from accounts.services import names
from common.refusals import check_allowed
from common.service_errors import Conflict, Invalid, NotFound
from games.engine import fairness
from games.options import read_options
from games.services import system_games
from games.services.option_checks import check_options
from tournaments import permissions
from tournaments.models import Decision, Invite, Tournament, TournamentSecret
from tournaments.models.limits import MAX_REASON_LENGTH, MAX_TEXT_LENGTH, MAX_TITLE_LENGTH
from tournaments.notice_kinds import TournamentNoticeKind
from tournaments.options import GAME_SETTINGS_OPTIONS, TOURNAMENT_OPTIONS
from tournaments.refusals import Refusal, refuse_own_pairing
from tournaments.selectors.conflicts_of_interest import has_open_pairing
from tournaments.selectors.tournament_state import build_spec
from tournaments.selectors.tournaments import can_organise_tournament, list_fixed_options
from tournaments.selectors.undecided_pairings import list_undecided_pairings

from . import game_settings, quotas
from .confirmations import compute_next_sweep_at
from .invites import invite_and_notify, notify_invited_players
from .league_of_tournament import mark_league_due
from .notices import list_player_ids, notify_players
from .option_conflicts import iter_option_conflicts
from .page_wake_ups import wake_tournament_pages
from .proposal_outcomes import lapse_tournament_proposals
from .round_ends import update_round_ends
from .seed_publication import SEED_PUBLISH_RETRY, publish_tournament_seed
from .tournament_dates import check_draft_dates, check_future_dates
from .waitlist import count_taken_places, move_up_waitlist

ALL_OPTIONS = TOURNAMENT_OPTIONS | GAME_SETTINGS_OPTIONS


@transaction.atomic
def create_tournament(
    *,
    organiser: Player | None,
    name: str,
    format: str,
    now: datetime,
    text: str = "",
    **fields: Any,
) -> Tournament:
    """Create a draft. Its seed is drawn and its commitment stored before anybody can enter.

    `fields` are the options of a tournament and of its games. Raises Invalid, Denied, or Conflict if the
    organiser has too many drafts.
    """
    chosen_fields = {key: fields.pop(key) for key in TOURNAMENT_OPTIONS if key in fields}
    if organiser:
        check_allowed(permissions.find_organising_refusal(organiser))
        quotas.check_draft_quota(organiser)
    tournament = Tournament(
        organiser=organiser,
        name=name.strip()[:MAX_TITLE_LENGTH],
        text=text[:MAX_TEXT_LENGTH],
        format=format,
        created_at=now,
        **chosen_fields,
        **game_settings.validate_game_settings(**fields),
    )
    check_tournament(tournament)
    check_future_dates(tournament, now, chosen_fields)
    names.check_mailed_title(tournament.name)
    quotas.check_tournament_size(tournament)
    return save_new_tournament(tournament)


def save_new_tournament(tournament: Tournament, seed: bytes | None = None) -> Tournament:
    """Save a new tournament with its seed: a given one, derived from a league's season, or a random one."""
    seed = seed or secrets.token_bytes(fairness.SEED_LENGTH_BYTES)
    tournament.commitment = fairness.compute_commitment(seed)
    tournament.save(force_insert=True)
    TournamentSecret.objects.create(tournament=tournament, seed=seed)
    return tournament


def check_tournament(tournament: Tournament, names_to_check: Iterable[str] = TOURNAMENT_OPTIONS) -> None:
    """Raise Invalid if the tournament cannot be played, or a named option is beyond its limits."""
    if not tournament.name:
        raise Invalid(_("A tournament needs a name."), field="name")
    check_options(TOURNAMENT_OPTIONS, vars(tournament), ("format", "seeding"))
    for option_name, message in iter_option_conflicts(vars(tournament)):
        raise Invalid(message, field=ALL_OPTIONS[option_name].key)
    field_names = set(names_to_check)
    if "cycles" in field_names:
        quotas.check_cycles(tournament.cycles)
    check_options(TOURNAMENT_OPTIONS, vars(tournament), field_names)
    try:
        build_spec(tournament, (), bytes(32))
    except ValueError:
        raise Invalid(
            _(
                "The rounds, the games against each opponent or the places that advance "
                "do not fit this format."
            ),
            field="format",
        ) from None


@transaction.atomic
def edit_tournament(*, by: Player, code: str, now: datetime, **changes: Any) -> Tournament:
    """Change settings of a tournament, by the same names as in `create_tournament`.

    Before the start nearly everything can change. Once somebody has entered, what is played stays; once it
    runs, only what is not fixed (`list_fixed_options`). Raises NotFound, Denied, Invalid or Conflict.
    """
    if unknown_fields := changes.keys() - ALL_OPTIONS.keys():
        raise TypeError(f"not of a tournament: {', '.join(sorted(unknown_fields))}")
    tournament = get_organised_tournament(by=by, code=code)
    check_allowed(permissions.find_over_refusal(tournament))
    old_settings = read_options(tournament, ALL_OPTIONS)
    game_choices = {name: changes.pop(name) for name in GAME_SETTINGS_OPTIONS.keys() & changes.keys()}
    keeps_obligation = not tournament.is_draft
    merged_settings = (
        game_settings.merge_game_settings(tournament, game_choices, keeps_obligation=keeps_obligation)
        if game_choices
        else {}
    )
    for name, value in (changes | merged_settings).items():
        setattr(tournament, name, value)
    tournament.name, tournament.text = (
        tournament.name.strip()[:MAX_TITLE_LENGTH],
        tournament.text[:MAX_TEXT_LENGTH],
    )
    check_tournament(tournament, changes)
    if tournament.name != old_settings["name"]:
        names.check_mailed_title(tournament.name)
    new_settings = read_options(tournament, ALL_OPTIONS)
    changed_fields = {name for name in new_settings if new_settings[name] != old_settings[name]}
    if not changed_fields:
        return tournament
    if changed_fields & list_fixed_options(tournament):
        raise Conflict(
            _("The tournament has already started.")
            if tournament.is_running
            else _("Players have entered, so you can no longer change the format or the game settings.")
        )
    check_future_dates(tournament, now, changed_fields)
    if changed_fields & quotas.SIZE_FIELDS:
        quotas.check_tournament_size(tournament, entrant_count=count_taken_places(tournament))
    tournament.save(update_fields=changed_fields)
    if "name" in changed_fields:
        update_round_ends(tournament, now)
    if not tournament.is_draft:
        apply_edit_effects(
            tournament,
            {name: old_settings[name] for name in changed_fields},
            {name: new_settings[name] for name in changed_fields},
            by,
            now,
        )
    return tournament


def apply_edit_effects(
    tournament: Tournament,
    old_values: dict[str, Any],
    new_values: dict[str, Any],
    by: Player | None,
    now: datetime,
) -> None:
    """Apply what follows from an edit after publication: log it, fill free places, reschedule the sweep."""
    Decision.objects.create(
        tournament=tournament,
        created_by=by,
        created_at=now,
        action=Decision.Action.EDIT,
        before=to_json_values(old_values),
        after=to_json_values(new_values),
    )
    if tournament.is_running:
        return (
            reschedule_tournament(tournament, now)
            if new_values.keys() & {"hold_on_warnings", "manual_approval"}
            else None
        )
    move_up_waitlist(tournament, now)
    if "starts_at" in new_values or (
        tournament.hold_reason == Tournament.HoldReason.TOO_MANY_GAMES
        and new_values.keys() & quotas.SIZE_FIELDS
    ):
        tournament.next_sweep_at, tournament.hold_reason = compute_next_sweep_at(tournament, now), ""
    is_full = (
        tournament.when_full and tournament.capacity and count_taken_places(tournament) >= tournament.capacity
    )
    if is_full or tournament.confirmation:
        tournament.next_sweep_at = now
    tournament.save(update_fields=["next_sweep_at", "hold_reason"])
    return None


def to_json_values(values: dict[str, Any]) -> dict[str, Any]:
    """Convert values to those that the JSON of a decision can hold."""
    return {
        name: value.isoformat() if isinstance(value, datetime) else value for name, value in values.items()
    }


@transaction.atomic
def delete_draft(*, by: Player, code: str, now: datetime) -> None:
    """Delete a draft; deleting a missing one succeeds. Raises Denied or Conflict."""
    with suppress(NotFound):
        tournament = get_organised_tournament(by=by, code=code)
        check_allowed(permissions.find_deletion_refusal(tournament))
        tournament.delete()


def get_organised_tournament(*, by: Player | None, code: str, lock: bool = True) -> Tournament:
    """Return a tournament for its organiser, locked unless `lock` is False. Raises NotFound or Denied."""
    queryset = Tournament.objects.select_for_update() if lock else Tournament.objects.all()
    tournament = queryset.filter(code=code).first()
    if tournament is None or (tournament.is_private and not can_organise_tournament(by, tournament)):
        raise NotFound(_("Tournament not found."))
    if not can_organise_tournament(by, tournament):
        raise Refusal.NOT_ORGANISER.build_error()
    if lock:
        wake_tournament_pages(tournament)
    return tournament


def lock_visible_tournament(code: str) -> Tournament:
    """Lock and return a public tournament. Raises NotFound."""
    tournament = Tournament.objects.public().select_for_update().filter(code=code).first()
    if tournament is None:
        raise NotFound(_("Tournament not found."))
    wake_tournament_pages(tournament)
    return tournament


def reschedule_tournament(tournament: Tournament, now: datetime) -> None:
    """Make the tournament due now; if it runs, clear its hold and approval."""
    tournament.next_sweep_at = now
    if tournament.is_running:
        tournament.hold_reason, tournament.warnings, tournament.approved_round = "", [], 0
    tournament.save(update_fields=["next_sweep_at", "hold_reason", "warnings", "approved_round"])


@transaction.atomic
def publish_tournament(*, by: Player, code: str, now: datetime) -> Tournament:
    """Let people enter, and tell those who are invited. Raises NotFound, Denied, Invalid or Conflict."""
    tournament = get_organised_tournament(by=by, code=code)
    check_allowed(permissions.find_publication_refusal(tournament))
    check_draft_dates(tournament, now)
    game_settings.check_stored_settings(tournament)
    if tournament.organiser:
        quotas.check_active_tournament_quota(tournament.organiser)
    tournament.status = Tournament.Status.PUBLISHED
    tournament.next_sweep_at = compute_next_sweep_at(tournament, now)
    tournament.save(update_fields=["status", "next_sweep_at"])
    notify_invited_players(tournament, by=by, now=now)
    return tournament


@transaction.atomic
def start_tournament(*, by: Player, code: str, now: datetime) -> Tournament:
    """Make the tournament start now with those who have entered; the sweep starts it.

    Raises NotFound, Denied, Invalid or Conflict.
    """
    tournament = get_organised_tournament(by=by, code=code)
    check_allowed(permissions.find_start_refusal(tournament))
    game_settings.check_stored_settings(tournament)
    tournament.starts_at = tournament.next_sweep_at = now
    tournament.opens_at = min(tournament.opens_at, now) if tournament.opens_at else None
    if tournament.closes_at and not tournament.late_entry:
        tournament.closes_at = min(tournament.closes_at, now)
    tournament.hold_reason = ""
    tournament.save(update_fields=["starts_at", "opens_at", "closes_at", "next_sweep_at", "hold_reason"])
    return tournament


@transaction.atomic
def cancel_tournament(
    *, by: Player, code: str, now: datetime, reason: str = "", public_note: str = ""
) -> Tournament:
    """Cancel a tournament; a draft stays private. Its running games go on unrated.

    Raises NotFound, Denied or Conflict.
    """
    tournament = get_organised_tournament(by=by, code=code)
    check_allowed(permissions.find_over_refusal(tournament))
    refuse_own_pairing(has_open_pairing(by, tournament))
    public_note = public_note[:MAX_REASON_LENGTH]
    Decision.objects.create(
        tournament=tournament,
        created_by=by,
        created_at=now,
        action=Decision.Action.CANCEL,
        reason=reason[:MAX_REASON_LENGTH],
        public_note=public_note,
        before={"status": tournament.status},
    )
    for pairing in tournament.pairings.filter(settled_at=None, game__isnull=False).select_related("game"):
        assert pairing.game
        system_games.release_game(code=pairing.game.code, now=now)
    tournament.pairings.filter(settled_at=None).update(settled_at=now, is_void=True)
    list_undecided_pairings(tournament).update(is_void=True)
    tournament.cancelled_as_draft = tournament.is_draft
    tournament.status = Tournament.Status.CANCELLED
    publish_tournament_seed(tournament, now)
    tournament.finished_at, tournament.hold_reason = now, ""
    tournament.next_sweep_at = None if tournament.seed else now + SEED_PUBLISH_RETRY
    tournament.save(
        update_fields=["status", "cancelled_as_draft", "finished_at", "next_sweep_at", "hold_reason"]
    )
    lapse_tournament_proposals(tournament, now)
    notify_players(
        tournament,
        TournamentNoticeKind.CANCELLED,
        "cancelled",
        list_player_ids(tournament),
        now,
        text=public_note,
    )
    mark_league_due(tournament, now)
    return tournament


@transaction.atomic
def invite_player(*, by: Player, code: str, player: Player, now: datetime) -> Invite:
    """Invite a player to a tournament, also one who was removed from it; twice is the same as once.

    They are told at once, or when a draft is published. Raises NotFound, Denied, Conflict or LimitReached.
    """
    tournament = get_organised_tournament(by=by, code=code)
    check_allowed(permissions.find_invitation_refusal(tournament, now))
    tournament.removals.filter(player=player, lifted_at=None).update(lifted_at=now)
    return invite_and_notify(tournament, by=by, player=player, now=now)


@transaction.atomic
def withdraw_invite(*, by: Player, code: str, player: Player, now: datetime) -> Tournament:
    """Withdraw the invitation of a player who has not entered. Raises NotFound, Denied or Conflict."""
    tournament = get_organised_tournament(by=by, code=code)
    if tournament.entrant_players.filter(player=player).exists():
        raise Conflict(_("This player already takes part."), code="already-joined")
    tournament.invites.filter(player=player).delete()
    return tournament
