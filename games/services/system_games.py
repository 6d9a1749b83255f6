"""Games run by the system for tournaments: start them, replace players, resign for players who are gone."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import Player
from common.service_errors import Conflict
from games.engine import ActionSource, fairness
from games.game_notice_kinds import GameNoticeKind
from games.models import DerivedSeed, Game, Seat, SeatHandover, TournamentSeed
from games.refusals import Refusal
from games.selectors import LoadedGame, load_game
from games.selectors.deadlines import RoundEnd
from games.selectors.handovers import has_held_seat
from notifications.models import FeedEntry
from notifications.services import notices
from notifications.topics import make_topic

from . import action_log, clocks, lobby

MAX_RESIGN_ATTEMPTS = 5  # when the game moves on concurrently


@dataclass(frozen=True)
class SeedOrigin:
    """The game of a tournament that a seed is derived for; the tournament seed itself is not stored here."""

    tournament_code: str
    commitment: str
    match: str
    game_number: int
    attempt: int

    def derive_seed(self, tournament_seed: bytes) -> bytes:
        """Derive the server seed of the game."""
        return fairness.derive_game_seed(tournament_seed, self.match, self.game_number, self.attempt)


@transaction.atomic
def start_tournament_game(
    *,
    players: Sequence[Player | None],
    client_seeds: Sequence[str],
    origin: SeedOrigin,
    tournament_seed: bytes,
    now: datetime,
    round_end: RoundEnd | None = None,
    **game_settings: Any,
) -> Game:
    """Create a tournament game with players seated in this order, and start it. Raises Invalid.

    A game between people and bots is not rated.
    """
    kinds = {player.is_bot for player in players if player}
    game_settings |= {
        "rated": game_settings.get("rated", False) and len(kinds) < 2,
        "bots_allowed": True in kinds,
    }
    seed = origin.derive_seed(tournament_seed)
    game = lobby.create_game(
        player=None,
        now=now,
        seat_count=len(players),
        seat_order=Game.SeatOrder.AS_JOINED,
        seed=seed,
        **game_settings,
    )
    for name, value in build_round_end_columns(round_end).items():  # saved with the first deal
        setattr(game, name, value)
    seed_row, _created = TournamentSeed.objects.get_or_create(
        tournament_code=origin.tournament_code, defaults={"commitment": origin.commitment}
    )
    DerivedSeed.objects.create(
        game=game,
        tournament_seed=seed_row,
        match=origin.match,
        game_number=origin.game_number,
        attempt=origin.attempt,
    )
    loaded_game = LoadedGame(game, [], None)
    for player, client_seed in zip(players, client_seeds, strict=True):
        loaded_game = lobby.add_seat(loaded_game, player=player, client_seed=client_seed)
    return lobby.start_game_if_full(loaded_game, now).game


def publish_tournament_seed(*, tournament_code: str, seed: str, now: datetime) -> None:
    """Publish the seed of a finished tournament; the records of its games then show it."""
    TournamentSeed.objects.filter(tournament_code=tournament_code).update(seed=seed)


def resign_seat(*, code: str, seat_no: int, now: datetime) -> bool:
    """Resign for a seat. Returns False if its side has resigned already or the game is over.

    Raises Conflict if the game keeps moving on.
    """
    for _attempt in range(MAX_RESIGN_ATTEMPTS):
        loaded_game = load_game(code)
        state = loaded_game.state
        if state is None or state.is_over or state.setup.sides[seat_no] in state.resigned_sides:
            return False
        try:
            action_log.commit_action(
                loaded_game=loaded_game, seat_no=seat_no, action="resign", by=ActionSource.CLOCK, now=now
            )
        except action_log.StaleWrite:
            continue
        return True
    raise Conflict(_("somebody moved first: the game has moved on"), code="stale")


@transaction.atomic
def replace_player(*, code: str, seat_no: int, player: Player, now: datetime, send_mail: bool = True) -> None:
    """Somebody else takes over a seat with all that it holds; no time is won or lost. Raises Conflict.

    They see its hand once they have bound themselves to it (`seats.take_seat`). Unless `send_mail`, only
    their feed tells them of it.
    """
    game = lock_running_game(code)
    if has_held_seat(player, game):
        raise Conflict(_("this player has already had a seat in this game"), code="already-joined")
    clocks.recompute_deadline(
        code=code, now=now, charge_until=now, clock_incidents=clocks.load_unprocessed_incidents()
    )
    seat = Seat.objects.get(game=game, seat_no=seat_no)
    SeatHandover.objects.create(
        game=game,
        seat_no=seat_no,
        predecessor_id=seat.player_id,
        hand_was_hidden=seat.hand_hidden,
        successor=player,
        after_seq=game.seq,
        handed_over_at=now,
    )
    assign_seat(seat, player, now, hand_hidden=True, send_mail=send_mail)


@transaction.atomic
def undo_replacement(
    *, code: str, seat_no: int, player: Player, now: datetime, send_mail: bool = True
) -> None:
    """Undo a change of players, if the successor has not looked at the hand. Raises Conflict.

    Unless `send_mail`, only their feed tells the first player of it.
    """
    game = lock_running_game(code)
    seat = Seat.objects.select_for_update().get(game=game, seat_no=seat_no)
    last_handover = game.handovers.filter(seat_no=seat_no).last()
    if last_handover is None or last_handover.predecessor_id != player.pk or not seat.hand_hidden:
        raise Refusal.HAND_SHOWN.build_error()
    clocks.recompute_deadline(
        code=code, now=now, charge_until=now, clock_incidents=clocks.load_unprocessed_incidents()
    )
    last_handover.delete()
    assign_seat(seat, player, now, hand_hidden=last_handover.hand_was_hidden, send_mail=send_mail)


def lock_running_game(code: str) -> Game:
    """Return a running game with its row locked. Raises Conflict."""
    game = Game.objects.select_for_update().get(code=code)
    if not game.is_playing:
        raise Refusal.OVER.build_error()
    return game


def assign_seat(seat: Seat, player: Player, now: datetime, *, hand_hidden: bool, send_mail: bool) -> None:
    """Write down who sits at a place, and tell them; the caller holds the game and has settled its clocks.

    Who sat there before, and was told of this very turn, is told again. Reminders come in any case.
    """
    game, code, seat_no = seat.game, seat.game.code, seat.seat_no or 0
    Seat.objects.filter(pk=seat.pk).update(
        player=player,
        muted=False,
        eight_policy=Seat.EightPolicy.ASK,
        draws_automatically=False,
        plays_only_action=False,
        hand_hidden=hand_hidden,
    )
    clocks.increment_seat_changes([code])
    clocks.recompute_deadline(code=code, now=now)
    loaded_game = load_game(code)
    seat_clock = clocks.seat_clock_of(loaded_game.game, seat_no)
    is_on_turn = seat_no in loaded_game.to_act and seat_clock.is_on_turn
    turn = seat_clock.turn_seq if is_on_turn else loaded_game.game.seq
    FeedEntry.objects.filter(
        player=player, topic=game.topic, kind=GameNoticeKind.TURN, notify_at__isnull=False
    ).update(notify_at=None)
    entry = FeedEntry(
        player=player,
        topic=game.topic,
        kind=GameNoticeKind.TURN if is_on_turn else GameNoticeKind.STARTED,
        dedup_key=f"{code}:{turn}:taken-over:{loaded_game.game.seat_changes}",
        data=action_log.build_turn_data(loaded_game.game, turn),
        at=now,
        notify_at=now if is_on_turn or send_mail else None,
        notice_stage=FeedEntry.NoticeStage.PENDING if send_mail else FeedEntry.NoticeStage.KNOWN,
    )
    notices.write_feed_entries([entry])


def release_game(*, code: str, now: datetime) -> bool:
    """Release a game from its tournament: it may be played on, unrated and without a round end."""
    playing_game = Game.objects.in_play().filter(code=code)
    updated_count = playing_game.update(rated=False, **build_round_end_columns(None))
    notices.recheck_reminders([make_topic(Game.TOPIC_FAMILY, code)], now)
    return bool(updated_count)


def reclaim_game(*, code: str, now: datetime) -> bool:
    """Make a released game count and be rated again."""
    return bool(Game.objects.filter(code=code, obligation="strict").update(rated=True))


# ------------------------------------------------------------------------------------------ ends of rounds


def set_round_end(*, codes: Collection[str], round_end: RoundEnd | None, now: datetime) -> None:
    """Set when the round of these games ends; None removes it."""
    Game.objects.filter(code__in=codes).update(**build_round_end_columns(round_end))
    notices.recheck_reminders([make_topic(Game.TOPIC_FAMILY, code) for code in codes], now)


def build_round_end_columns(round_end: RoundEnd | None) -> dict[str, Any]:
    """Return the game columns that hold the end of the round."""
    if round_end is None:
        return {"round_ends_at": None, "round_info": None}
    round_details = {
        "tournament": round_end.tournament_name,
        "number": round_end.round_no,
        "page": round_end.page_path,
    }
    return {"round_ends_at": round_end.ends_at, "round_info": round_details}
