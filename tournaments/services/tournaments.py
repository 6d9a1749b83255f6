"""Tournaments up to their start: create, edit, publish, start, cancel, invite."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from games.engine import fairness
from games.models import Player
from games.services import names, system_games
from games.services.errors import Conflict, Denied, Invalid, NotFound
from tournaments.models import Decision, Invite, Tournament, TournamentSecret
from tournaments.models.limits import (
    MAX_PLACES_PER_TOURNAMENT,
    MAX_REASON_LENGTH,
    MAX_TEXT_LENGTH,
    MAX_TITLE_LENGTH,
)
from tournaments.selectors.conflicts_of_interest import has_open_pairing
from tournaments.selectors.tournament_state import build_spec
from tournaments.selectors.tournaments import can_organise_tournament
from tournaments.selectors.undecided import undecided_tables

from . import game_settings, quotas
from .confirmations import compute_next_sweep_at
from .conflicts_of_interest import refuse_own_pairing
from .field_limits import check_field_limits
from .invites import invite_and_notify, notify_invited_players
from .league_of_tournament import mark_league_due
from .notices import list_player_ids, notify_players
from .proposal_outcomes import lapse_tournament_proposals
from .round_ends import update_round_ends
from .seed_publication import SEED_PUBLISH_RETRY, publish_tournament_seed
from .tournament_dates import check_draft_dates, check_future_dates
from .waitlist import count_taken_places, move_up_waitlist

FORMAT_FIELDS = ("rounds", "laps", "at_once", "advance", "third_place")
ENTRY_FIELDS = (
    *("opens_at", "closes_at", "starts_at", "when_full", "capacity", "confirmation", "by_invitation"),
    *("late", "least_rating", "most_rating", "seeding", "ask", "review"),
)
EDITABLE_WHILE_RUNNING = {"name", "text", "round_length", "chat", "ask", "review", "late", "closes_at"}
TOO_MANY_GAMES = "too-many-games"  # hold reason: the start would begin more games than allowed
# Bounds that time zone arithmetic cannot push out of the range of datetime.
EARLIEST_TIME, LATEST_TIME = datetime(2000, 1, 1, tzinfo=UTC), datetime(2999, 12, 31, tzinfo=UTC)


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

    `fields` are those of `FORMAT_FIELDS` and `ENTRY_FIELDS`, and the game settings. Raises Invalid, Denied,
    or Conflict if the organiser has too many drafts.
    """
    chosen_fields = {key: fields.pop(key) for key in (*FORMAT_FIELDS, *ENTRY_FIELDS) if key in fields}
    if organiser and organiser.guest:
        raise Denied(_("Sign up to organise something."))
    if organiser:
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
    TournamentSecret.objects.create(event=tournament, seed=seed)
    return tournament


def check_tournament(
    tournament: Tournament, names_to_check: Iterable[str] = (*FORMAT_FIELDS, *ENTRY_FIELDS)
) -> None:
    """Raise Invalid if the tournament cannot be played, or a named field is beyond its limits."""
    if not tournament.name:
        raise Invalid(_("An event needs a name."))
    if tournament.format not in Tournament.Format.values:
        raise Invalid(_("format is one of %(words)s") % {"words": ", ".join(Tournament.Format.values)})
    if tournament.format == Tournament.Format.DOUBLE and tournament.table != 2:
        raise Invalid(_("Double elimination is played at tables of two."))
    if tournament.seeding not in Tournament.Seeding.values:
        raise Invalid(_("seeding is one of %(words)s") % {"words": ", ".join(Tournament.Seeding.values)})
    if tournament.capacity is not None and not 2 <= tournament.capacity <= MAX_PLACES_PER_TOURNAMENT:
        raise Invalid(_("An event has 2 to %(most)d places.") % {"most": MAX_PLACES_PER_TOURNAMENT})
    if tournament.when_full and tournament.capacity is None:
        raise Invalid(_("What starts when it is full needs a number of places."))
    if tournament.late and tournament.format != Tournament.Format.SWISS:
        raise Invalid(_("People may come in later in Swiss rounds only."))
    ordered_times = [(tournament.opens_at, tournament.closes_at), (tournament.opens_at, tournament.starts_at)]
    if not tournament.late:
        ordered_times.append((tournament.closes_at, tournament.starts_at))
    if any(earlier and later and earlier > later for earlier, later in ordered_times):
        raise Invalid(_("Entries open, then they close, then it starts."))
    least_rating, most_rating = tournament.least_rating, tournament.most_rating
    if least_rating is not None and most_rating is not None and least_rating > most_rating:
        raise Invalid(_("The least rating is above the highest."))
    field_names = set(names_to_check)
    if "laps" in field_names:
        quotas.check_cycles(tournament.laps)
    check_field_limits(tournament, field_names)
    try:
        build_spec(tournament, (), bytes(32))
    except ValueError:
        raise Invalid(_("Rounds, laps or those who go on do not fit this format and its tables.")) from None


@transaction.atomic
def edit_tournament(*, by: Player, code: str, now: datetime, **changes: Any) -> Tournament:
    """Change settings of a tournament, by the same names as in `create_tournament`.

    Before the start nearly everything can change. Once somebody has entered, what is played stays; once it
    runs, only `EDITABLE_WHILE_RUNNING`. Raises NotFound, Denied, Invalid or Conflict.
    """
    if unknown_fields := changes.keys() - {
        "name",
        "text",
        "format",
        *FORMAT_FIELDS,
        *ENTRY_FIELDS,
        *game_settings.GAME_SETTINGS_CHOICES,
    }:
        raise TypeError(f"not of an event: {', '.join(sorted(unknown_fields))}")
    tournament = get_organised_tournament(by=by, code=code)
    if tournament.status in (Tournament.Status.FINISHED, Tournament.Status.CANCELLED):
        raise Conflict(_("The event is over."))
    old_settings = settings_dict(tournament)
    game_choices = {name: changes.pop(name) for name in game_settings.GAME_SETTINGS_CHOICES & changes.keys()}
    keeps_obligation = tournament.status != Tournament.Status.DRAFT
    terms = (
        game_settings.merge_game_settings(tournament, game_choices, keeps_obligation=keeps_obligation)
        if game_choices
        else {}
    )
    for name, value in (changes | terms).items():
        setattr(tournament, name, value)
    tournament.name, tournament.text = (
        tournament.name.strip()[:MAX_TITLE_LENGTH],
        tournament.text[:MAX_TEXT_LENGTH],
    )
    check_tournament(tournament, changes)
    if tournament.name != old_settings["name"]:
        names.check_mailed_title(tournament.name)
    new_settings = settings_dict(tournament)
    changed_fields = {name for name in new_settings if new_settings[name] != old_settings[name]}
    if not changed_fields:
        return tournament
    if tournament.status == Tournament.Status.RUNNING and changed_fields - EDITABLE_WHILE_RUNNING:
        raise Conflict(_("The event has started already."))
    if (
        changed_fields & {"format", *game_settings.GAME_SETTINGS_FIELDS} - EDITABLE_WHILE_RUNNING
        and tournament.entrants.exists()
    ):
        raise Conflict(_("Somebody has entered: what is played stays as it is."))
    check_future_dates(tournament, now, changed_fields)
    if changed_fields & quotas.SIZE_FIELDS:
        quotas.check_tournament_size(tournament, entrant_count=count_taken_places(tournament))
    tournament.save(update_fields=changed_fields)
    if "name" in changed_fields:
        update_round_ends(tournament, now)
    if tournament.status != Tournament.Status.DRAFT:
        apply_edit_effects(
            tournament,
            {name: old_settings[name] for name in changed_fields},
            {name: new_settings[name] for name in changed_fields},
            by,
            now,
        )
    return tournament


def settings_dict(tournament: Tournament) -> dict[str, Any]:
    """Return all settings that an organiser chooses."""
    return {
        name: getattr(tournament, name)
        for name in (
            "name",
            "text",
            "format",
            *FORMAT_FIELDS,
            *ENTRY_FIELDS,
            *game_settings.GAME_SETTINGS_FIELDS,
        )
    }


def apply_edit_effects(
    tournament: Tournament,
    old_values: dict[str, Any],
    new_values: dict[str, Any],
    by: Player | None,
    now: datetime,
) -> None:
    """Apply what follows from an edit after publication: log it, fill free places, reschedule the sweep."""
    Decision.objects.create(
        event=tournament,
        by=by,
        at=now,
        what="edit",
        before=to_json_values(old_values),
        after=to_json_values(new_values),
    )
    if tournament.status == Tournament.Status.RUNNING:
        return reschedule_tournament(tournament, now) if new_values.keys() & {"ask", "review"} else None
    move_up_waitlist(tournament, now)
    if "starts_at" in new_values or (
        tournament.held == TOO_MANY_GAMES and new_values.keys() & quotas.SIZE_FIELDS
    ):
        tournament.due_at, tournament.held = compute_next_sweep_at(tournament, now), ""
    is_full = (
        tournament.when_full and tournament.capacity and count_taken_places(tournament) >= tournament.capacity
    )
    if is_full or tournament.confirmation:
        tournament.due_at = now
    tournament.save(update_fields=["due_at", "held"])
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
        if tournament.status != Tournament.Status.DRAFT:
            raise Conflict(_("Only what is in preparation can be deleted."))
        tournament.delete()


def get_organised_tournament(*, by: Player | None, code: str, lock: bool = True) -> Tournament:
    """Return a tournament for its organiser, locked unless `lock` is False. Raises NotFound or Denied."""
    queryset = Tournament.objects.select_for_update() if lock else Tournament.objects.all()
    tournament = queryset.filter(code=code).first()
    if tournament is None or (
        tournament.status == Tournament.Status.DRAFT and not can_organise_tournament(by, tournament)
    ):
        raise NotFound(_("There is no such event."))
    if not can_organise_tournament(by, tournament):
        raise Denied(_("Only who organises this event can do that."))
    return tournament


def check_before_start(tournament: Tournament) -> None:
    """Raise Conflict unless the tournament has not started yet."""
    if tournament.status not in (Tournament.Status.DRAFT, Tournament.Status.PUBLISHED):
        raise Conflict(_("The event has started already, or is over."))


def reschedule_tournament(tournament: Tournament, now: datetime) -> None:
    """Make the tournament due now; if it runs, clear its hold and approval."""
    tournament.due_at = now
    if tournament.status == Tournament.Status.RUNNING:
        tournament.held, tournament.warnings, tournament.accepted = "", [], 0
    tournament.save(update_fields=["due_at", "held", "warnings", "accepted"])


@transaction.atomic
def publish_tournament(*, by: Player, code: str, now: datetime) -> Tournament:
    """Let people enter, and tell those who are invited. Raises NotFound, Denied, Invalid or Conflict."""
    tournament = get_organised_tournament(by=by, code=code)
    if tournament.status != Tournament.Status.DRAFT:
        raise Conflict(_("The event is published already."))
    check_draft_dates(tournament, now)
    game_settings.check_terms(tournament)
    if tournament.organiser:
        quotas.check_active_tournament_quota(tournament.organiser)
    tournament.status = Tournament.Status.PUBLISHED
    tournament.due_at = compute_next_sweep_at(tournament, now)
    tournament.save(update_fields=["status", "due_at"])
    notify_invited_players(tournament, by=by, now=now)
    return tournament


@transaction.atomic
def start_tournament(*, by: Player, code: str, now: datetime) -> Tournament:
    """Make the tournament start now with those who have entered; the sweep starts it.

    Raises NotFound, Denied or Conflict.
    """
    tournament = get_organised_tournament(by=by, code=code)
    if tournament.status != Tournament.Status.PUBLISHED:
        raise Conflict(_("Only an event that is open for entries can start."))
    tournament.starts_at = tournament.due_at = now
    tournament.opens_at = min(tournament.opens_at, now) if tournament.opens_at else None
    if tournament.closes_at and not tournament.late:
        tournament.closes_at = min(tournament.closes_at, now)
    tournament.held = ""
    tournament.save(update_fields=["starts_at", "opens_at", "closes_at", "due_at", "held"])
    return tournament


@transaction.atomic
def cancel_tournament(
    *, by: Player, code: str, now: datetime, why: str = "", public_note: str = ""
) -> Tournament:
    """Cancel a tournament. Its running games go on unrated. Raises NotFound, Denied or Conflict."""
    tournament = get_organised_tournament(by=by, code=code)
    if tournament.status in (Tournament.Status.FINISHED, Tournament.Status.CANCELLED):
        raise Conflict(_("The event is over."))
    refuse_own_pairing(has_open_pairing(by, tournament))
    public_note = public_note[:MAX_REASON_LENGTH]
    Decision.objects.create(
        event=tournament,
        by=by,
        at=now,
        what="cancel",
        why=why[:MAX_REASON_LENGTH],
        public_note=public_note,
        before={"status": tournament.status},
    )
    for pairing in tournament.tables.filter(settled_at=None, game__isnull=False).select_related("game"):
        assert pairing.game
        system_games.release_game(code=pairing.game.code, now=now)
    tournament.tables.filter(settled_at=None).update(settled_at=now, void=True)
    undecided_tables(tournament).update(void=True)
    tournament.status = Tournament.Status.CANCELLED
    publish_tournament_seed(tournament, now)
    tournament.finished_at, tournament.held = now, ""
    tournament.due_at = None if tournament.seed else now + SEED_PUBLISH_RETRY
    tournament.save(update_fields=["status", "finished_at", "due_at", "held"])
    lapse_tournament_proposals(tournament, now)
    notify_players(
        tournament, "event-cancelled", "cancelled", list_player_ids(tournament), now, text=public_note
    )
    mark_league_due(tournament, now)
    return tournament


@transaction.atomic
def invite_player(*, by: Player, code: str, player: Player, now: datetime) -> Invite:
    """Somebody may enter an event by invitation, also who was removed from it; twice is the same as once.

    They are told at once, or when a draft is published. Raises NotFound, Denied, Conflict or LimitReached.
    """
    tournament = get_organised_tournament(by=by, code=code)
    tournament.removals.filter(player=player, lifted_at=None).update(lifted_at=now)
    return invite_and_notify(tournament, by=by, player=player, now=now)


@transaction.atomic
def withdraw_invite(*, by: Player, code: str, player: Player, now: datetime) -> Tournament:
    """Withdraw the invitation of a player who has not entered. Raises NotFound, Denied or Conflict."""
    tournament = get_organised_tournament(by=by, code=code)
    if tournament.members.filter(player=player).exists():
        raise Conflict(_("They take part already."), code="already-joined")
    tournament.invites.filter(player=player).delete()
    return tournament
