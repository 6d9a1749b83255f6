"""Tables that a corrected result makes meaningless, and that another correction brings back.

A match has one deal for each game of the same entrants: whoever corrects a result to and fro gets the first
table again, never a new attempt with another seed. A game that ended for somebody while its table was void
decides nothing: then an organiser writes the result.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db.models import Q

from games.models import Action, FeedEntry, Game, Seat
from games.selectors.handovers import has_held_seat
from games.services import system_games
from tournaments.models import EntrantPlayer, Pairing, Replacement, Round, Tournament
from tournaments.pairing import PlannedPairing
from tournaments.selectors.tournament_state import list_seated_entrant_ids

from . import ratings
from .notices import (
    build_feed_entries,
    count_table_change,
    is_live,
    keep_mails,
    players_by_entrant,
    write_feed_entries,
)
from .round_ends import build_round_end
from .substitutes import list_seats_of_entrant

PairingKey = tuple[str, int, frozenset[int]]  # match, game number, entrant ids


def make_pairings_void(tournament: Tournament, pairings: Sequence[Pairing], now: datetime) -> None:
    """These tables mean nothing any more; their games go on for nothing if somebody likes.

    Those who sit there are told so, and that a table may come back as it stands.
    """
    playing, number, entries = players_by_entrant(tournament), tournament.published.count(), []
    for pairing in pairings:
        data = {"match": pairing.match, "why": "void"}
        if len(list_seated_entrant_ids(pairing)) > 1:
            players, reason = players_of(pairing, playing), f"void:{pairing.pk}:{number}"
            entries += build_feed_entries(
                tournament, "event-table", reason, players, now, pairing.game, **data
            )
        if pairing.game and pairing.settled_at is None:
            system_games.release_game(code=pairing.game.code, now=now)
        pairing.void, pairing.settled_at = True, pairing.settled_at or now
    Pairing.objects.bulk_update(pairings, ["void", "settled_at"])
    mailed_ids = count_table_change(tournament, [entry.player_id for entry in entries], now)
    write_feed_entries(keep_mails(entries, mailed_ids), ignore_quiet_hours=is_live(tournament))


def players_of(pairing: Pairing, playing: Mapping[int, Sequence[int | None]]) -> list[int | None]:
    """Who plays for the entrants at a table."""
    return [player for entrant in list_seated_entrant_ids(pairing) for player in playing.get(entrant, ())]


def get_pairing_key(pairing: Pairing) -> PairingKey:
    """Return the key by which two pairings are the same: match, game number and entrants."""
    return pairing.match, pairing.rematch, frozenset(list_seated_entrant_ids(pairing))


def find_void_pairings(
    tournament: Tournament, planned_pairings: Iterable[PlannedPairing]
) -> dict[PairingKey, Pairing]:
    """The void tables at which these pairings were begun before."""
    wanted_keys = {
        (
            planned_pairing.match,
            planned_pairing.game_number,
            frozenset(int(entrant_id) for entrant_id in planned_pairing.seats),
        )
        for planned_pairing in planned_pairings
    }
    void_pairings = tournament.tables.filter(
        void=True, match__in={match for match, _game, _seats in wanted_keys}
    )
    candidates = (
        void_pairings.select_related("game")
        .prefetch_related("sittings__entrant__members__player")
        .order_by("pk")
    )
    return {
        get_pairing_key(pairing): pairing for pairing in candidates if get_pairing_key(pairing) in wanted_keys
    }


def can_resume(tournament: Tournament, pairing: Pairing) -> bool:
    """Whether the game of a void table without a result can decide it.

    It cannot if it ended since, or somebody has resigned or run out of time there: for nothing, as all were
    told. Nor if those who play by now cannot sit there: nobody takes over where they sat before.
    """
    game, since = pairing.game, pairing.settled_at
    if game is None or since is None:
        return True
    if game.status not in system_games.PLAYING_STATUSES:
        return game.finished_at is not None and game.finished_at < since
    if Action.objects.filter(game=game, action="resign", at__gte=since).exists():
        return False
    new_players = (entrant_player.player for _seat, entrant_player in list_changed_seats(tournament, pairing))
    return not any(player and has_held_seat(player, game) for player in new_players)


def list_changed_seats(tournament: Tournament, pairing: Pairing) -> list[tuple[int, EntrantPlayer]]:
    """List the seats whose entrant is played by somebody else since the pairing became void."""
    player_by_seat = dict(Seat.objects.filter(game=pairing.game).values_list("number", "player_id"))
    changed_seats = []
    for place_index, pairing_seat in enumerate(
        sorted(pairing.sittings.all(), key=lambda pairing_seat: pairing_seat.number)
    ):
        seat_numbers = list_seats_of_entrant(tournament, place_index)
        for entrant_player in pairing_seat.entrant.members.all():
            seat_no = seat_numbers[entrant_player.number - 1]
            if (
                entrant_player.player_id is not None
                and player_by_seat.get(seat_no) != entrant_player.player_id
            ):
                changed_seats.append((seat_no, entrant_player))
    return changed_seats


def restore_pairings(
    tournament: Tournament, pairings: Sequence[Pairing], round: Round, now: datetime
) -> None:
    """Void tables count again, as part of a new round: with their result, or the game as it stands.

    Who plays for an entrant by now takes over its seat. Moves that were made meanwhile count: otherwise one
    move in a void game would buy a new deal. A table whose game cannot decide it stays settled, without a
    result and not rated, until an organiser writes one.
    """
    playing = players_by_entrant(tournament)
    player_ids = {
        pairing.pk: players_of(pairing, playing)
        for pairing in pairings
        if len(list_seated_entrant_ids(pairing)) > 1
    }
    mailed_ids = count_table_change(
        tournament,
        [player_id for pairing_player_ids in player_ids.values() for player_id in pairing_player_ids],
        now,
    )
    ids = [pairing.game_id for pairing in pairings if pairing.game_id]
    locked = Game.objects.select_for_update().filter(pk__in=ids).order_by("pk")  # nobody resigns meanwhile
    games = {game.pk: game for game in locked}
    for pairing in pairings:
        pairing.void, pairing.published = False, round
        pairing.game = games[pairing.game_id] if pairing.game_id else None
        if pairing.result is not None or not can_resume(tournament, pairing):
            continue
        pairing.settled_at = None
        if pairing.game and tournament.rated:
            system_games.reclaim_game(code=pairing.game.code, now=now)
            ratings.rewind_rating_cursor(ended_at=pairing.game.finished_at)
        if pairing.game and pairing.game.status in system_games.PLAYING_STATUSES:
            hand_over_seats(tournament, pairing, now, mailed_ids)
            system_games.set_round_end(
                codes=[pairing.game.code], round_end=build_round_end(tournament, round), now=now
            )
    Pairing.objects.bulk_update(pairings, ["void", "published", "settled_at"])
    entries = [
        entry
        for pairing in pairings
        for entry in build_return_entries(tournament, pairing, player_ids.get(pairing.pk, ()), now)
    ]
    write_feed_entries(keep_mails(entries, mailed_ids), ignore_quiet_hours=is_live(tournament))


def build_return_entries(
    tournament: Tournament, pairing: Pairing, players: Sequence[int | None], now: datetime
) -> list[FeedEntry]:
    """What those at a table are told that counts again: of the game, of its result, or who decides it."""
    number = pairing.published.number
    data: dict[str, Any] = {"match": pairing.match}
    if pairing.result is not None:
        kind, reason, data = "event-result", f"back:{pairing.pk}:{number}", data | pairing.result
    elif pairing.settled_at is not None:
        kind, reason, data = "event-table", f"undecided:{pairing.pk}:{number}", data | {"why": "undecided"}
    elif pairing.game:
        kind, reason = "event-pairing", f"pairing:{pairing.pk}:{number}"
        data |= {"round": pairing.round, "published": pairing.published_id}
    else:  # it begins only now, and is told then
        return []
    return build_feed_entries(tournament, kind, reason, players, now, pairing.game, **data)


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
            entrant=entrant_player.entrant_id, number=entrant_player.number, last_table__gte=pairing.pk
        )
        for replacement in Replacement.objects.filter(replacement_filter):
            if pairing.pk not in replacement.open_tables:
                replacement.open_tables = sorted([*replacement.open_tables, pairing.pk])
                replacement.save(update_fields=["open_tables"])
