"""Void pairings: a corrected result makes a pairing void, and another correction restores it.

The same entrants get one deal for each game of a match: a result corrected to and fro restores the first
pairing, and never starts an attempt with another seed. A game that ended, or in which a side resigned, while
its pairing was void decides nothing: an organiser then writes the result.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Q

from games.models import Action, Game, Seat
from games.selectors.handovers import has_held_seat
from games.services import system_games
from notifications.models import FeedEntry
from tournaments.models import EntrantPlayer, Pairing, Replacement, Round, Tournament
from tournaments.notice_kinds import NoticeReason, TournamentNoticeKind
from tournaments.pairing import PlannedPairing
from tournaments.ratings import services as ratings
from tournaments.selectors.tournament_state import list_seated_entrant_ids

from .notices import (
    build_feed_entries,
    count_table_change_mails,
    is_live,
    keep_mails,
    load_player_ids_by_entrant,
    write_feed_entries,
)
from .round_ends import build_round_end
from .substitutes import list_seats_of_entrant


@dataclass(frozen=True)
class PairingKey:
    """The key by which two pairings count as the same."""

    match: str
    game_number: int
    entrant_ids: frozenset[int]


def make_pairings_void(tournament: Tournament, pairings: Sequence[Pairing], now: datetime) -> None:
    """Make pairings void and notify their players. Running games are released: they may go on unrated."""
    player_ids_by_entrant, entries = load_player_ids_by_entrant(tournament), []
    round_count = tournament.rounds.count()
    for pairing in pairings:
        data = {"match": pairing.match, "reason": NoticeReason.VOID}
        if len(list_seated_entrant_ids(pairing)) > 1:
            player_ids = list_player_ids_of(pairing, player_ids_by_entrant)
            dedup_suffix = f"void:{pairing.pk}:{round_count}"
            entries += build_feed_entries(
                tournament,
                TournamentNoticeKind.TABLE_CHANGE,
                dedup_suffix,
                player_ids,
                now,
                pairing.game,
                **data,
            )
        if pairing.game and pairing.settled_at is None:
            system_games.release_game(code=pairing.game.code, now=now)
        pairing.is_void, pairing.settled_at = True, pairing.settled_at or now
    Pairing.objects.bulk_update(pairings, ["is_void", "settled_at"])
    mailed_ids = count_table_change_mails(tournament, [entry.player_id for entry in entries], now)
    write_feed_entries(keep_mails(entries, mailed_ids), ignore_quiet_hours=is_live(tournament))


def list_player_ids_of(
    pairing: Pairing, player_ids_by_entrant: Mapping[int, Sequence[int | None]]
) -> list[int | None]:
    """List the ids of the players of a pairing."""
    return [
        player_id
        for entrant_id in list_seated_entrant_ids(pairing)
        for player_id in player_ids_by_entrant.get(entrant_id, ())
    ]


def get_pairing_key(pairing: Pairing) -> PairingKey:
    """Return the key of a published pairing."""
    return PairingKey(pairing.match, pairing.game_number, frozenset(list_seated_entrant_ids(pairing)))


def get_planned_key(planned_pairing: PlannedPairing) -> PairingKey:
    """Return the key of a planned pairing."""
    entrant_ids = frozenset(int(entrant_id) for entrant_id in planned_pairing.seats)
    return PairingKey(planned_pairing.match, planned_pairing.game_number, entrant_ids)


def find_void_pairings(
    tournament: Tournament, planned_pairings: Iterable[PlannedPairing]
) -> dict[PairingKey, Pairing]:
    """Find the void pairings with the match, game number and entrants of planned ones, by that key."""
    wanted_keys = {get_planned_key(planned_pairing) for planned_pairing in planned_pairings}
    void_pairings = tournament.pairings.filter(is_void=True, match__in={key.match for key in wanted_keys})
    candidates = (
        void_pairings.select_related("game")
        .prefetch_related("pairing_seats__entrant__entrant_players__player")
        .order_by("pk")
    )
    return {
        get_pairing_key(pairing): pairing for pairing in candidates if get_pairing_key(pairing) in wanted_keys
    }


def can_resume(tournament: Tournament, pairing: Pairing) -> bool:
    """Tell whether the game of a void pairing without a result can still decide it.

    It cannot if it ended while the pairing was void, or a side resigned or ran out of time then: players
    were notified that it did not count. Nor if a new player of an entrant has held a seat in that game.
    """
    game, since = pairing.game, pairing.settled_at
    if game is None or since is None:
        return True
    if not game.is_playing:
        return game.finished_at is not None and game.finished_at < since
    if Action.objects.filter(game=game, action="resign", at__gte=since).exists():
        return False
    new_players = (entrant_player.player for _seat, entrant_player in list_changed_seats(tournament, pairing))
    return not any(player and has_held_seat(player, game) for player in new_players)


def list_changed_seats(tournament: Tournament, pairing: Pairing) -> list[tuple[int, EntrantPlayer]]:
    """List the seats whose entrant is played by somebody else since the pairing became void."""
    player_by_seat = dict(Seat.objects.filter(game=pairing.game).values_list("seat_no", "player_id"))
    changed_seats = []
    for place_index, pairing_seat in enumerate(
        sorted(pairing.pairing_seats.all(), key=lambda pairing_seat: pairing_seat.seat_no)
    ):
        seat_numbers = list_seats_of_entrant(tournament, place_index)
        for entrant_player in pairing_seat.entrant.entrant_players.all():
            seat_no = seat_numbers[entrant_player.position - 1]
            if (
                entrant_player.player_id is not None
                and player_by_seat.get(seat_no) != entrant_player.player_id
            ):
                changed_seats.append((seat_no, entrant_player))
    return changed_seats


def restore_pairings(
    tournament: Tournament, pairings: Sequence[Pairing], round: Round, now: datetime
) -> None:
    """Restore void pairings in a new round, with their result or their game as it stands.

    1. Count the mails to the players, and lock the games so that nobody resigns meanwhile.
    2. Reopen a pairing without a result if its game can decide it; moves made while it was void count, as
       otherwise one move in a void game would buy a new deal. Current players take over their seats.
    3. Leave other pairings without a result settled and unrated, until an organiser writes a result.
    4. Notify the players.
    """
    player_ids_by_entrant = load_player_ids_by_entrant(tournament)
    player_ids = {
        pairing.pk: list_player_ids_of(pairing, player_ids_by_entrant)
        for pairing in pairings
        if len(list_seated_entrant_ids(pairing)) > 1
    }
    mailed_ids = count_table_change_mails(
        tournament,
        [player_id for pairing_player_ids in player_ids.values() for player_id in pairing_player_ids],
        now,
    )
    game_ids = [pairing.game_id for pairing in pairings if pairing.game_id]
    locked_games = Game.objects.select_for_update().filter(pk__in=game_ids).order_by("pk")
    games = {game.pk: game for game in locked_games}
    for pairing in pairings:
        pairing.is_void, pairing.round = False, round
        pairing.game = games[pairing.game_id] if pairing.game_id else None
        if pairing.result is not None or not can_resume(tournament, pairing):
            continue
        pairing.settled_at = None
        if pairing.game and tournament.rated:
            system_games.reclaim_game(code=pairing.game.code, now=now)
            ratings.rewind_rating_cursor(ended_at=pairing.game.finished_at)
        if pairing.game and pairing.game.is_playing:
            hand_over_seats(tournament, pairing, now, mailed_ids)
            system_games.set_round_end(
                codes=[pairing.game.code], round_end=build_round_end(tournament, round), now=now
            )
    Pairing.objects.bulk_update(pairings, ["is_void", "round", "settled_at"])
    entries = [
        entry
        for pairing in pairings
        for entry in build_restoration_entries(tournament, pairing, player_ids.get(pairing.pk, ()), now)
    ]
    write_feed_entries(keep_mails(entries, mailed_ids), ignore_quiet_hours=is_live(tournament))


def build_restoration_entries(
    tournament: Tournament, pairing: Pairing, player_ids: Sequence[int | None], now: datetime
) -> list[FeedEntry]:
    """Build the feed entries about a restored pairing: its result, its game, or that an organiser decides."""
    number = pairing.round.number
    data: dict[str, Any] = {"match": pairing.match}
    if pairing.result is not None:
        kind, dedup_suffix, data = (
            TournamentNoticeKind.RESULT,
            f"back:{pairing.pk}:{number}",
            data | pairing.result,
        )
    elif pairing.settled_at is not None:
        kind, dedup_suffix = TournamentNoticeKind.TABLE_CHANGE, f"undecided:{pairing.pk}:{number}"
        data |= {"reason": NoticeReason.UNDECIDED}
    elif pairing.game:
        kind, dedup_suffix = TournamentNoticeKind.PAIRING, f"pairing:{pairing.pk}:{number}"
        data |= {"bracket_round": pairing.bracket_round, "round_id": pairing.round_id}
    else:  # its game opens in a later step, which notifies the players
        return []
    return build_feed_entries(tournament, kind, dedup_suffix, player_ids, now, pairing.game, **data)


def hand_over_seats(
    tournament: Tournament, pairing: Pairing, now: datetime, mailed_ids: Collection[int]
) -> None:
    """Seat the current players at a restored pairing; the results of their predecessors stay."""
    assert pairing.game
    for seat_no, entrant_player in list_changed_seats(tournament, pairing):
        assert entrant_player.player
        send_mail = entrant_player.player_id in mailed_ids
        system_games.replace_player(
            code=pairing.game.code,
            seat_no=seat_no,
            player=entrant_player.player,
            now=now,
            send_mail=send_mail,
        )
        replacement_filter = Q(
            entrant=entrant_player.entrant_id,
            position=entrant_player.position,
            last_pairing_id__gte=pairing.pk,
        )
        for replacement in Replacement.objects.filter(replacement_filter):
            if pairing.pk not in replacement.open_pairing_ids:
                replacement.open_pairing_ids = sorted([*replacement.open_pairing_ids, pairing.pk])
                replacement.save(update_fields=["open_pairing_ids"])
