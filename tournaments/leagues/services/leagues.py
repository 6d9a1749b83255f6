"""Leagues: settings, start and end, and who plays from the next season on."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from accounts.models import Player
from accounts.services import names
from common.refusals import check_allowed
from common.service_errors import Conflict, Invalid, NotFound
from games.engine import fairness
from games.services.lobby import check_client_seed
from games.services.option_checks import check_options
from tournaments import permissions
from tournaments.leagues import permissions as league_permissions
from tournaments.leagues.selectors.season_entries import find_season_entry
from tournaments.models import (
    Decision,
    DivisionPlacement,
    League,
    LeagueMember,
    LeagueSecret,
    Proposal,
)
from tournaments.models.limits import MAX_TEXT_LENGTH, MAX_TITLE_LENGTH
from tournaments.notice_kinds import TournamentNoticeKind
from tournaments.options import GAME_SETTINGS_OPTIONS, LEAGUE_OPTIONS
from tournaments.pairing import league as league_pairing
from tournaments.refusals import Refusal, refuse_own_pairing
from tournaments.selectors import get_league_for
from tournaments.selectors.conflicts_of_interest import has_interest_in_entrant
from tournaments.selectors.tournaments import can_organise_league
from tournaments.services import entries, game_settings, quotas, replacements, substitutes, tournaments
from tournaments.services.notices import notify_players
from tournaments.services.page_wake_ups import wake_league_pages
from tournaments.services.partner_proposals import propose_partnership
from tournaments.services.proposal_outcomes import lapse_proposals
from tournaments.services.seed_publication import publish_league_seed

ALL_OPTIONS = LEAGUE_OPTIONS | GAME_SETTINGS_OPTIONS
UNPLAYABLE_SETTINGS = "unplayable-settings"  # the last error of a league whose next season cannot be played


def build_league_spec(league: League) -> league_pairing.LeagueSpec:
    """Build the pairing rules of a league. Raises ValueError on impossible ones."""
    return league_pairing.LeagueSpec(
        league.division_size,
        league.promotion_count,
        league.newcomer_policy,  # type: ignore[arg-type]
        league.groups_per_division,
    )


@transaction.atomic
def create_league(
    *, organiser: Player, name: str, division_size: int, now: datetime, text: str = "", **fields: Any
) -> League:
    """Create a league before its first season. `fields` are the options of a league and of its games.

    Raises Denied, Invalid, or Conflict if the organiser has too many leagues.
    """
    chosen_fields = {key: fields.pop(key) for key in LEAGUE_OPTIONS if key in fields}
    check_allowed(permissions.find_organising_refusal(organiser))
    quotas.check_league_quota(organiser)
    seed = secrets.token_bytes(fairness.SEED_LENGTH_BYTES)
    league = League(
        organiser=organiser,
        name=name.strip()[:MAX_TITLE_LENGTH],
        text=text[:MAX_TEXT_LENGTH],
        created_at=now,
        division_size=division_size,
        commitment=fairness.compute_commitment(seed),
        **chosen_fields,
        **game_settings.validate_game_settings(**fields),
    )
    check_league(league)
    names.check_mailed_title(league.name)
    quotas.check_league_size(league)
    league.save(force_insert=True)
    LeagueSecret.objects.create(league=league, seed=seed)
    return league


def check_league(league: League, names_to_check: Iterable[str] = LEAGUE_OPTIONS) -> None:
    """Raise Invalid if the league cannot be played, or a named option is beyond its limits."""
    if not league.name:
        raise Invalid(_("Enter a name for the league."), field="name")
    check_options(LEAGUE_OPTIONS, vars(league), ("format", "newcomer_policy"))
    try:
        build_league_spec(league)
    except ValueError:
        message = _("Promote and relegate at most half of a division.")
        raise Invalid(message, field=LEAGUE_OPTIONS["promotion_count"].key) from None
    quotas.check_cycles(league.cycles)
    check_options(LEAGUE_OPTIONS, vars(league), names_to_check)


@transaction.atomic
def edit_league(*, by: Player, code: str, now: datetime, **changes: Any) -> League:
    """Change settings of a league, by the same names as in `create_league`, from the next season on.

    Raises NotFound, Denied, Invalid or Conflict.
    """
    if unknown_fields := changes.keys() - ALL_OPTIONS.keys():
        raise TypeError(f"not of a league: {', '.join(sorted(unknown_fields))}")
    league = lock_league(code, by)
    check_allowed(league_permissions.find_closed_refusal(league))
    old_mode, old_name = league.mode, league.name
    game_choices = {name: changes.pop(name) for name in GAME_SETTINGS_OPTIONS.keys() & changes.keys()}
    # A running season has settings of its own: those of the league are for the next one.
    merged_settings = (
        game_settings.merge_game_settings(league, game_choices, keeps_obligation=False)
        if game_choices
        else {}
    )
    for name, value in (changes | merged_settings).items():
        setattr(league, name, value)
    league.name, league.text = league.name.strip()[:MAX_TITLE_LENGTH], league.text[:MAX_TEXT_LENGTH]
    check_league(league, changes)
    if league.name != old_name:
        names.check_mailed_title(league.name)
    if quotas.SIZE_FIELDS & {*changes, *game_choices}:
        quotas.check_league_size(league)
    last_season = league.seasons.order_by("-number").first()
    next_season_no = last_season.number + bool(last_season.finished_at) if last_season else 1
    if league.season_limit is not None and league.season_limit < next_season_no:
        raise Conflict(_("That many seasons have already been played. Choose a higher number."))
    if league.mode != old_mode and (
        last_season or league.league_members.exclude(status=LeagueMember.Status.OUT).exists()
    ):
        raise Conflict(_("Players have joined, so you cannot switch between singles and pairs."))
    if league.is_running and last_season and last_season.finished_at:
        league.next_sweep_at = last_season.finished_at + timedelta(seconds=league.season_pause)
    elif league.last_error == UNPLAYABLE_SETTINGS:  # the first season waits for this
        league.next_sweep_at = now
    league.save()
    return league


def lock_league(code: str, by: Player | None = None) -> League:
    """Lock and return a league; with `by`, only for its organisers. Raises NotFound or Denied."""
    league = League.objects.select_for_update().filter(code=code).first()
    if league is None:
        raise NotFound(_("There is no such league."))
    if by is not None and not can_organise_league(by, league):
        raise Refusal.NOT_LEAGUE_ORGANISER.build_error()
    wake_league_pages(league)
    return league


@transaction.atomic
def start_league(*, by: Player, code: str, now: datetime) -> League:
    """The first season begins; the sweep does it. Raises NotFound, Denied, Invalid or Conflict."""
    league = lock_league(code, by)
    check_allowed(league_permissions.find_start_refusal(league))
    game_settings.check_stored_settings(league)
    league.status, league.next_sweep_at = League.Status.RUNNING, now
    league.save(update_fields=["status", "next_sweep_at"])
    return league


@transaction.atomic
def close_league(*, by: Player, code: str, now: datetime) -> League:
    """End the league after the current season, or now if none runs. Raises NotFound, Denied or Conflict."""
    league = lock_league(code, by)
    check_allowed(league_permissions.find_closed_refusal(league))
    current_season = league.seasons.filter(finished_at=None).first()
    if current_season:
        league.season_limit = current_season.number
        league.save(update_fields=["season_limit"])
    else:
        end_league(league, now)
    return league


def end_league(league: League, now: datetime) -> None:
    """Close a league, and publish its seed unless one of its games still runs."""
    lapse_proposals(Proposal.objects.filter(league=league), now)
    league.status, league.next_sweep_at = League.Status.CLOSED, None
    league.save(update_fields=["status", "next_sweep_at"])
    publish_league_seed(league)


# ---------------------------------------------------------------------------------------------------- members


@transaction.atomic
def set_member_status(
    *,
    player: Player,
    code: str,
    now: datetime,
    status: str = LeagueMember.Status.MEMBER,
    client_seed: str | None = None,
) -> LeagueMember:
    """Set what a player is from the next season on: member, substitute or out.

    Members stay season after season. In pairs a player joins with a partner who accepts (`ask_partner`), and
    either may leave for both; substitutes are single players. Without a `client_seed` the earlier one stays.
    Raises NotFound, Denied, Invalid or Conflict.
    """
    check_client_seed(client_seed or "")
    if status not in LeagueMember.Status.values:
        words = ", ".join(LeagueMember.Status.values)
        raise Invalid(_("status must be one of %(words)s") % {"words": words}, field="status")
    league = lock_league(code)
    is_leaving = status == LeagueMember.Status.OUT
    check_allowed(
        league_permissions.find_membership_refusal(league, player)
        if is_leaving
        else league_permissions.find_joining_refusal(league, player)
    )
    withdraw_partner_proposals(league, [player], now)
    wants_to_play = status == LeagueMember.Status.MEMBER
    league_member = league.league_members.filter(player=player).first()
    if league_member and client_seed is not None:
        league_member.client_seed = client_seed
        league_member.save(update_fields=["client_seed"])
    needs_partner = wants_to_play and league.mode == League.Mode.PAIRS
    if league_member and league_member.status == status and (league_member.partner_id or not needs_partner):
        return league_member
    if needs_partner:
        raise Refusal.WRONG_PARTY_SIZE.build_error()
    if league_member:
        split_pair(league, league_member, now)
    if wants_to_play:
        quotas.check_running_game_quota(player)
    updated_member = save_league_member(league, player.pk, status, None, now, client_seed)
    mark_waiting_league_due(league, now)
    return updated_member


@transaction.atomic
def drop_out_of_season(*, player: Player, code: str, now: datetime) -> LeagueMember:
    """Withdraw from the running season and leave the league.

    A substitute takes over the place and the games; without one, the sweep resigns the games. The tournament
    is locked before the league, as everywhere. Raises NotFound, Denied or Conflict.
    """
    season_entry = find_season_entry(get_league_for(player, code), player)
    check_allowed(league_permissions.find_season_withdrawal_refusal(season_entry))
    assert season_entry
    entries.withdraw_from_tournament(player=player, code=season_entry.tournament.code, now=now)
    return set_member_status(player=player, code=code, now=now, status=LeagueMember.Status.OUT)


@transaction.atomic
def set_league_client_seed(*, player: Player, code: str, client_seed: str, now: datetime) -> LeagueMember:
    """Replace the client seed for the coming seasons. Raises NotFound, Denied, Invalid or Conflict."""
    check_client_seed(client_seed)
    league = lock_league(code)
    league_member = league.league_members.filter(player=player).first()
    status = league_member.status if league_member else None
    check_allowed(league_permissions.find_client_seed_refusal(league, status))
    assert league_member
    league_member.client_seed = client_seed
    league_member.save(update_fields=["client_seed"])
    return league_member


@transaction.atomic
def ask_partner(
    *, player: Player, partner: Player, code: str, now: datetime, client_seed: str | None = None
) -> Proposal:
    """Ask a player to join as a pair from the next season on; it takes effect when they accept.

    An earlier open proposal to another partner is withdrawn. Raises NotFound, Denied, Invalid or Conflict.
    """
    check_client_seed(client_seed or "")
    league = lock_league(code)
    check_allowed(league_permissions.find_joining_refusal(league, player, partner))
    if league.mode != League.Mode.PAIRS:
        raise Refusal.WRONG_PARTY_SIZE.build_error()
    check_pair_available(league, player, partner)
    return propose_partnership(league, player=player, partner=partner, client_seed=client_seed or "", now=now)


def join_as_pair(
    league: League,
    player: Player,
    partner: Player,
    now: datetime,
    client_seeds: tuple[str | None, str | None] = (None, None),
) -> None:
    """Make two players who both agreed a pair from the next season on. The caller locks the league.

    A client seed of None keeps the earlier one. Raises Denied or Conflict.
    """
    check_allowed(league_permissions.find_joining_refusal(league, player, partner))
    check_pair_available(league, player, partner)
    quotas.check_running_game_quota(player, partner)
    save_league_member(league, player.pk, LeagueMember.Status.MEMBER, partner, now, client_seeds[0])
    save_league_member(league, partner.pk, LeagueMember.Status.MEMBER, player, now, client_seeds[1])
    withdraw_partner_proposals(league, [player, partner], now)
    mark_waiting_league_due(league, now)


def split_pair(league: League, league_member: LeagueMember, now: datetime) -> None:
    """Take the partner of a leaving member out of the league as well, and notify them."""
    if league_member.partner_id:
        save_league_member(league, league_member.partner_id, LeagueMember.Status.OUT, None, now)
        dedup_suffix = f"parted:{league_member.pk}:{now.timestamp():.0f}"
        notify_players(
            league, TournamentNoticeKind.LEAGUE_PARTNER_LEFT, dedup_suffix, [league_member.partner_id], now
        )


def withdraw_partner_proposals(league: League, players: Sequence[Player], now: datetime) -> None:
    """Withdraw the players' open partner proposals."""
    proposals = league.proposals.filter(
        proposer__in=players, kind=Proposal.Kind.LEAGUE_PARTNER, status=Proposal.Status.OPEN
    )
    proposals.update(status=Proposal.Status.WITHDRAWN, answered_at=now)


def mark_waiting_league_due(league: League, now: datetime) -> None:
    """Make a running league due that waits for enough players."""
    if league.is_running and league.next_sweep_at is None:
        League.objects.filter(pk=league.pk).update(next_sweep_at=now)


def check_pair_available(league: League, player: Player, partner: Player) -> None:
    """Raise Conflict unless both players are free to form a pair."""
    paired_members = league.league_members.filter(status=LeagueMember.Status.MEMBER, partner__isnull=False)
    if player == partner or paired_members.filter(player__in=(player, partner)).exists():
        raise Refusal.ALREADY_JOINED.build_error()


def save_league_member(
    league: League,
    player_id: int,
    status: str,
    partner: Player | None,
    now: datetime,
    client_seed: str | None = None,
) -> LeagueMember:
    """Store a player's status in the league, from now on; substitutes queue by this time."""
    fields: dict[str, Any] = {"status": status, "partner": partner, "status_changed_at": now}
    if client_seed is not None:
        fields["client_seed"] = client_seed
    return league.league_members.update_or_create(player_id=player_id, defaults=fields)[0]


@transaction.atomic
def replace_with_substitute(
    *,
    by: Player,
    code: str,
    leaver: Player,
    now: datetime,
    player: Player | None = None,
    reason: str = "",
    public_note: str = "",
) -> Decision:
    """Replace a player during a season by the named substitute, or by the one who waits longest.

    Raises NotFound, Denied or Conflict.
    """
    league = League.objects.filter(code=code).first()
    if league is None:
        raise NotFound(_("There is no such league."))
    if not can_organise_league(by, league):
        raise Refusal.NOT_LEAGUE_ORGANISER.build_error()
    check_allowed(league_permissions.find_replacement_refusal(league))
    # The tournament is locked before anything of the league, as in the sweep that ends it.
    placements = DivisionPlacement.objects.filter(season__league=league, season__finished_at=None)
    placement = placements.filter(Q(player=leaver) | Q(partner=leaver)).first()
    if placement is None or placement.entrant is None:
        raise Refusal.NO_SEASON.build_error()
    tournament = tournaments.get_organised_tournament(by=by, code=placement.entrant.tournament.code)
    waiting_substitutes = league.league_members.filter(status=LeagueMember.Status.SUBSTITUTE)
    is_named_substitute = player and waiting_substitutes.filter(player=player).exists()
    entrant_player = replacements.get_replaceable_entrant_player(
        tournament, placement.entrant.pk, 1 if placement.player_id == leaver.pk else 2
    )
    refuse_own_pairing(has_interest_in_entrant(by, tournament, entrant_player.entrant))
    new_player = (
        (player if is_named_substitute else None)
        if player
        else substitutes.find_longest_waiting_substitute(tournament, entrant_player)
    )
    if new_player is None:
        raise Conflict(_("No substitutes available."))
    # Substitutes have agreed in advance to replace any leaver.
    replacements.check_new_player(tournament, entrant_player, new_player)
    return substitutes.replace_player(
        tournament, entrant_player, new_player, by=by, now=now, reason=reason, public_note=public_note
    )
