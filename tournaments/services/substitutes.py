"""Replacement of a player in a running tournament, also by a league's substitute."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Any

from django.db.models import Max

from accounts.models import Player
from games.models import Game
from games.models.games import PLAYING_STATUSES
from games.selectors.handovers import has_held_seat
from games.services import system_games
from tournaments.models import (
    Decision,
    DivisionPlacement,
    Entrant,
    EntrantPlayer,
    LeagueMember,
    PairingSeat,
    Removal,
    Replacement,
    Tournament,
)
from tournaments.models.limits import MAX_REASON_LENGTH
from tournaments.notice_kinds import NoticeReason, TournamentNoticeKind
from tournaments.selectors.tournament_state import list_seated_entrant_ids

from .client_seeds import get_client_seed_fields, hand_over_entrant_player
from .decision_log import log_decision
from .league_of_tournament import lock_league_of_tournament
from .notices import count_table_change_mails, list_player_ids, notify_table_change
from .proposal_outcomes import lapse_entrant_proposals
from .waitlist import take_off_waitlist


def list_seats_of_entrant(tournament: Tournament, place_index: int) -> tuple[int, ...]:
    """Return the seat numbers of the entrant with this index at a pairing: one, or the two of a pair."""
    return (
        (place_index + 1, place_index + 3) if tournament.mode == Tournament.Mode.PAIRS else (place_index + 1,)
    )


# ---------------------------------------------------------------------------------------------- taking over


def substitute_for_leaver(
    tournament: Tournament, entrant_player: EntrantPlayer, now: datetime
) -> Decision | None:
    """Replace a leaver by a substitute of the league; returns None if there is none.

    The caller locks the tournament. The decision has no author: substitutes agreed in advance.
    """
    if tournament.division_id is None:
        return None
    lock_league_of_tournament(tournament)
    player = find_longest_waiting_substitute(tournament, entrant_player)
    return replace_player(tournament, entrant_player, player, by=None, now=now) if player else None


def replace_player(
    tournament: Tournament,
    entrant_player: EntrantPlayer,
    player: Player,
    *,
    by: Player | None,
    now: datetime,
    reason: str = "",
    public_note: str = "",
    client_seed: str = "",
) -> Decision:
    """Replace a player of an entrant by one who agreed. The caller locks the tournament and the league.

    1. Take the new player off the waitlist, and remember what an undo needs.
    2. Swap the players in the entrant, the league and the running games.
    3. Notify both players and the opponents.
    4. Log the decision and store the replacement.

    Raises Conflict.
    """
    before = {
        "entrant_player": entrant_player.pk,
        "player": entrant_player.player_id,
        "was": get_league_status(tournament, player),
    }
    before |= get_client_seed_fields(entrant_player) | take_off_waitlist(tournament, player, now)
    predecessor_id, entrant_id = entrant_player.player_id, entrant_player.entrant_id
    round_by_open_pairing = dict(
        tournament.pairings.filter(
            settled_at=None, is_void=False, pairing_seats__entrant=entrant_id
        ).values_list("pk", "bracket_round")
    )
    last_round = tournament.pairings.aggregate(last=Max("bracket_round"))["last"] or 0
    mailed_ids = count_table_change_mails(
        tournament, [player.pk, predecessor_id, *opponents_of(tournament, entrant_player)], now
    )
    seq_by_game = swap_players(
        tournament, entrant_player, player, now, client_seed=client_seed, send_mail=player.pk in mailed_ids
    )
    decision_count = tournament.decisions.count()
    new: dict[str, Any] = {"entrant": entrant_id, "games": list(seq_by_game)}
    notify_table_change(
        tournament,
        TournamentNoticeKind.REPLACED,
        f"replaced:{decision_count}",
        [player.pk],
        now,
        mailed_ids=mailed_ids,
        **new,
    )
    text_data: dict[str, Any] = {"text": public_note[:MAX_REASON_LENGTH]} if by else {}
    out = [predecessor_id]
    notify_table_change(
        tournament,
        TournamentNoticeKind.OUT,
        f"replaced-by:{decision_count}",
        out,
        now,
        mailed_ids=mailed_ids,
        reason=NoticeReason.REPLACED,
        **text_data,
    )
    notify_opponents(
        tournament, entrant_player, predecessor_id, f"newcomer:{decision_count}", now, mailed_ids
    )
    after = {"player": player.pk, "seqs": seq_by_game}
    decision = log_decision(
        tournament,
        by,
        Decision.Action.REPLACE,
        now,
        reason=reason,
        public_note=public_note,
        before=before,
        after=after,
    )
    Replacement.objects.create(
        entrant_id=entrant_id,
        position=entrant_player.position,
        predecessor_id=predecessor_id,
        since_round=min(round_by_open_pairing.values(), default=last_round + 1),
        last_pairing_id=decision.last_pairing_id,
        open_pairing_ids=sorted(round_by_open_pairing),
        decision=decision,
        created_at=now,
    )
    Entrant.objects.filter(pk=entrant_id).update(was_replaced=True)
    lapse_entrant_proposals([entrant_id], now)
    return decision


def opponents_of(tournament: Tournament, entrant_player: EntrantPlayer) -> set[int | None]:
    """Those at a table with an entrant that is not over, and the other player of the entrant."""
    pairings = tournament.pairings.filter(
        settled_at=None, is_void=False, pairing_seats__entrant=entrant_player.entrant_id
    )
    entrant_ids = PairingSeat.objects.filter(pairing__in=pairings).values_list("entrant_id", flat=True)
    return set(list_player_ids(tournament, {*entrant_ids, entrant_player.entrant_id})) - {
        entrant_player.player_id
    }


def notify_opponents(
    tournament: Tournament,
    entrant_player: EntrantPlayer,
    predecessor_id: int | None,
    dedup_suffix: str,
    now: datetime,
    mailed_ids: Collection[int],
) -> None:
    """They hear who plays for an entrant now; `mailed_ids` are those who may get a mail of it."""
    data: dict[str, Any] = {
        "entrant": entrant_player.entrant_id,
        "player": entrant_player.player_id,
        "predecessor": predecessor_id,
    }
    recipient_ids = opponents_of(tournament, entrant_player)
    notify_table_change(
        tournament,
        TournamentNoticeKind.NEWCOMER,
        dedup_suffix,
        recipient_ids,
        now,
        mailed_ids=mailed_ids,
        **data,
    )


def list_running_games(tournament: Tournament, entrant_player: EntrantPlayer) -> list[Game]:
    """The games that a member plays, or may play again: a void one comes back as it stands.

    A player who has sat at one of them cannot take it over, neither now nor when it comes back.
    """
    pairings = tournament.pairings.filter(
        result__isnull=True,
        game__status__in=PLAYING_STATUSES,
        pairing_seats__entrant=entrant_player.entrant_id,
    )
    return [pairing.game for pairing in pairings.select_related("game") if pairing.game]


def find_longest_waiting_substitute(tournament: Tournament, entrant_player: EntrantPlayer) -> Player | None:
    """Return the substitute who waits longest, without a placement this season or a seat in these games."""
    season_placements = DivisionPlacement.objects.filter(season__divisions=tournament.division_id)
    substitutes = LeagueMember.objects.filter(
        league__seasons__divisions=tournament.division_id,
        status=LeagueMember.Status.SUBSTITUTE,
        player__is_active=True,
    )
    for field in ("player", "partner"):
        substitutes = substitutes.exclude(
            player__in=season_placements.filter(**{f"{field}__isnull": False}).values(field)
        )
    games = list_running_games(tournament, entrant_player)
    for substitute in substitutes.order_by("status_changed_at", "pk").select_related("player"):
        if not any(has_held_seat(substitute.player, game) for game in games):
            return substitute.player
    return None


def swap_players(
    tournament: Tournament,
    entrant_player: EntrantPlayer,
    player: Player,
    now: datetime,
    former_status: str = LeagueMember.Status.OUT,
    *,
    undo: bool = False,
    client_seed: str = "",
    send_mail: bool = True,
) -> dict[str, int]:
    """Change who plays for an entrant; gives the games that run, and how far they are.

    In a league the place goes with it, and `former_status` says what becomes of the former player. `undo`
    undoes such a change. Unless `send_mail`, only their feed tells the player of the games. Raises Conflict.
    """
    if tournament.division:
        pass_on_league_place(tournament.division.season.league_id, entrant_player, player, former_status, now)
        placement_field = "player" if entrant_player.position == 1 else "partner"
        DivisionPlacement.objects.filter(entrant=entrant_player.entrant_id).update(
            **{placement_field: player}
        )
    hand_over_entrant_player(tournament, entrant_player, player, client_seed)
    seq_by_game: dict[str, int] = {}
    pairings = tournament.pairings.filter(
        settled_at=None,
        game__status__in=PLAYING_STATUSES,
        pairing_seats__entrant=entrant_player.entrant_id,
    )
    for pairing in pairings.select_related("game").prefetch_related("pairing_seats"):
        assert pairing.game
        place_index = list_seated_entrant_ids(pairing).index(entrant_player.entrant_id)
        seat_no = list_seats_of_entrant(tournament, place_index)[entrant_player.position - 1]
        change_seat = system_games.undo_replacement if undo else system_games.replace_player
        change_seat(code=pairing.game.code, seat_no=seat_no, player=player, now=now, send_mail=send_mail)
        seq_by_game[pairing.game.code] = pairing.game.seq
    return seq_by_game


# --------------------------------------------------------------------------------------- the seasons to come


def get_league_status(tournament: Tournament, player: Player) -> str:
    """Return the player's status in the league of the tournament; OUT if they have none."""
    league_member = LeagueMember.objects.filter(
        league__seasons__divisions=tournament.division_id, player=player
    ).first()
    return league_member.status if tournament.division_id and league_member else LeagueMember.Status.OUT


def pass_on_league_place(
    league_id: int, entrant_player: EntrantPlayer, player: Player, former_status: str, now: datetime
) -> None:
    """Give the place in the next season to the new player, with the same partner if that one stays."""
    league_members = LeagueMember.objects.filter(league=league_id)
    partner = (
        EntrantPlayer.objects.filter(entrant=entrant_player.entrant_id).exclude(pk=entrant_player.pk).first()
    )
    if partner is None:
        league_members.filter(player=entrant_player.player_id).update(status=former_status)
        keep_in_league(league_id, player, None, now)
        return
    partner_member = league_members.filter(
        player=partner.player_id, status=LeagueMember.Status.MEMBER
    ).first()
    stays_together = partner_member is not None and partner_member.partner_id in (
        None,
        entrant_player.player_id,
    )
    if is_removed_from_league(
        league_id, player
    ):  # the pair of this season stays, since the removed player cannot rejoin it
        league_members.filter(player=entrant_player.player_id, partner=None).update(status=former_status)
        keep_in_league(league_id, player, None, now)
        return
    # A member with another partner for the next season keeps that partner.
    league_members.filter(player=entrant_player.player_id, partner=partner.player_id).update(
        status=former_status, partner=None
    )
    league_members.filter(player=entrant_player.player_id, partner=None).update(status=former_status)
    if stays_together and partner_member:
        keep_in_league(league_id, player, partner_member.player_id, now)
        league_members.filter(pk=partner_member.pk).update(partner=player)


def keep_in_league(league_id: int, player: Player, partner_id: int | None, now: datetime) -> None:
    """Make a player a member from the next season on; a removed player stays out."""
    status = (
        LeagueMember.Status.OUT if is_removed_from_league(league_id, player) else LeagueMember.Status.MEMBER
    )
    fields = {"status": status, "partner_id": partner_id}
    LeagueMember.objects.update_or_create(
        league_id=league_id,
        player=player,
        defaults=fields,
        create_defaults=fields | {"status_changed_at": now},
    )


def is_removed_from_league(league_id: int, player: Player) -> bool:
    """Return whether an organiser removed the player from the league and did not readmit them."""
    return Removal.objects.filter(league=league_id, player=player, lifted_at=None).exists()
