"""Pauses that all sides of a game agree on. Players can still move during a pause."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import Player
from accounts.services import contact_limits
from common.refusals import check_allowed
from common.service_errors import Invalid
from games import clock, permissions
from games.contact_kinds import GameContactKind
from games.game_notice_kinds import GameNoticeKind
from games.models import Game, Pause
from games.permissions import PermissionContext
from games.refusals import Refusal
from games.selectors import LoadedGame, format_instant
from games.selectors.clocks import find_pause_proposal
from notifications.services import notices

from . import clocks, turns


def build_pause_length_error() -> Invalid:
    """Build the error of a pause that is too long."""
    return Invalid(
        _("a pause lasts at most %(days)s days") % {"days": clock.MAX_PAUSE_LENGTH.days}, field="until"
    )


@transaction.atomic
def propose_pause(*, player: Player, code: str, until: datetime, now: datetime) -> Pause | None:
    """Propose to stop the clocks until a time; a past time proposes to end the pause.

    Returns the proposal, or None if it takes effect at once because nobody else has to agree. Raises
    NotFound, Denied, Invalid, Conflict or LimitReached.
    """
    loaded_game, side = lock_game_and_side(player, code)
    until = max(until, now)
    if until - now > clock.MAX_PAUSE_LENGTH:
        raise build_pause_length_error()
    if (
        until > now
        and compute_paused_time(loaded_game.game, now) + (until - now) > clock.MAX_PAUSE_LENGTH_PER_GAME
    ):
        limit_params = {"days": clock.MAX_PAUSE_LENGTH_PER_GAME.days}
        raise Invalid(
            _("all pauses of a game together last at most %(days)s days") % limit_params, field="until"
        )
    context = PermissionContext(
        loaded_game, player, now, pause_proposal=find_pause_proposal(loaded_game.game)
    )
    check_allowed(permissions.find_propose_pause_refusal(context, ends_pause=until == now))
    players = [seat.player for seat in loaded_game.seats if seat.player]
    contact_limits.count_contacts(
        kind=GameContactKind.PAUSE_PROPOSAL, sender=player, recipients=players, now=now
    )
    pause = Pause.objects.create(
        game=loaded_game.game, proposer=player, until=until, agreed_sides_mask=1 << side, proposed_at=now
    )
    if begin_pause_if_agreed(loaded_game, pause, now):
        return None
    data = {"until": format_instant(until), "stops_clocks": until > now, "by": player.name}
    notify_seats(loaded_game, player, GameNoticeKind.PAUSE, f"pause:{pause.pk}", data, now)
    return pause


@transaction.atomic
def agree_to_pause(*, player: Player, code: str, now: datetime) -> bool:
    """Agree to the open proposal; return whether it takes effect. Raises NotFound, Denied or Conflict."""
    loaded_game, side = lock_game_and_side(player, code)
    pause = get_open_proposal(loaded_game.game)
    if pause.proposed_at < pause.until <= now:  # it would be over already
        pause.ended_at = now
        pause.save(update_fields=["ended_at"])
        return False
    pause.agreed_sides_mask |= 1 << side
    pause.save(update_fields=["agreed_sides_mask"])
    return begin_pause_if_agreed(loaded_game, pause, now)


@transaction.atomic
def decline_pause(*, player: Player, code: str, now: datetime) -> None:
    """Decline the open proposal, or withdraw one's own. Raises NotFound, Denied or Conflict."""
    loaded_game, _side = lock_game_and_side(player, code)
    pause = get_open_proposal(loaded_game.game)
    pause.ended_at = now
    pause.save(update_fields=["ended_at"])
    if pause.proposer_id != player.pk:
        notify_seats(
            loaded_game,
            player,
            GameNoticeKind.PAUSE_DECLINED,
            f"pause:{pause.pk}:declined",
            {"by": player.name},
            now,
        )


def compute_paused_time(game: Game, now: datetime) -> timedelta:
    """Return how long a game has been paused in total; a pause ends where the next one begins."""
    agreed_pauses = Pause.objects.filter(game=game, started_at__isnull=False).order_by("started_at", "pk")
    pause_times = [
        (start, until) for start, until in agreed_pauses.values_list("started_at", "until") if start
    ]
    end_times = [*(start for start, _until in pause_times[1:]), now]
    lengths = (min(until, end) - start for (start, until), end in zip(pause_times, end_times, strict=False))
    return sum((max(length, timedelta()) for length in lengths), timedelta())


def lock_game_and_side(player: Player, code: str) -> tuple[LoadedGame, int]:
    """Return a running game, locked, and the player's side. Raises NotFound, Denied or Conflict."""
    Game.objects.select_for_update().filter(code=code).first()
    loaded_game, seat = turns.load_game_and_seat(player, code)
    check_allowed(permissions.find_pause_vote_refusal(PermissionContext(loaded_game, player)))
    assert loaded_game.state is not None
    assert seat.seat_no is not None
    return loaded_game, loaded_game.state.setup.sides[seat.seat_no]


def get_open_proposal(game: Game) -> Pause:
    """Return the open proposal. Raises Conflict if there is none."""
    pause = find_pause_proposal(game)
    if pause is None:
        raise Refusal.NO_PAUSE_PROPOSED.build_error()
    return pause


def begin_pause_if_agreed(loaded_game: LoadedGame, pause: Pause, now: datetime) -> bool:
    """Begin the pause if every side with a player has agreed; return whether it began.

    Steps:
    1. Charge the clocks up to now.
    2. Store the pause in the game.
    3. Recompute the deadline.
    4. Notify the players.
    """
    state = loaded_game.state
    assert state is not None
    sides = {
        state.setup.sides[seat.seat_no]
        for seat in loaded_game.seats
        if seat.seat_no and seat.player_id and state.setup.sides[seat.seat_no] not in state.resigned_sides
    }
    if any(not pause.agreed_sides_mask >> side & 1 for side in sides):
        return False
    pause.started_at = now
    pause.save(update_fields=["started_at"])
    clocks.recompute_deadline(
        code=loaded_game.game.code,
        now=now,
        charge_until=now,
        clock_incidents=clocks.load_unprocessed_incidents(),
    )
    Game.objects.filter(pk=loaded_game.game.pk).update(paused_from=now, paused_until=max(pause.until, now))
    clocks.recompute_deadline(code=loaded_game.game.code, now=now)
    data = {"until": format_instant(pause.until), "stops_clocks": pause.until > now}
    notify_seats(loaded_game, None, GameNoticeKind.PAUSED, f"paused:{pause.pk}", data, now)
    return True


def notify_seats(
    loaded_game: LoadedGame,
    except_player: Player | None,
    kind: GameNoticeKind,
    dedup_suffix: str,
    data: Mapping[str, object],
    now: datetime,
) -> None:
    """Add a feed entry with a notice for each player of the game, except one."""
    game = loaded_game.game
    notices.notify(
        {
            seat.player_id: None
            if seat.muted
            else clock.notice_due_at(now, game.allowance, clocks.build_quiet_calendar(seat.player))
            for seat in loaded_game.seats
            if seat.player_id and (except_player is None or seat.player_id != except_player.pk)
        },
        topic=game.topic,
        kind=kind,
        dedup_key=f"{game.code}:{dedup_suffix}",
        data={"game": game.code, **data},
        now=now,
    )
