"""Pauses that all sides of a game agree on. Players can still move during a pause."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext as _

from games import clock
from games.models import FeedEntry, Game, Pause, Player
from games.selectors import LoadedGame, format_instant
from games.selectors.clocks import find_pause_proposal

from . import clocks, contact_limits, turns
from .contact_limits import ContactKind
from .errors import Conflict, Denied, Invalid


@transaction.atomic
def propose_pause(*, player: Player, code: str, until: datetime, now: datetime) -> Pause | None:
    """Propose to stop the clocks until a time; a past time proposes to end the pause.

    Returns the proposal, or None if it takes effect at once because nobody else has to agree. Raises
    NotFound, Denied, Invalid, Conflict or LimitReached.
    """
    loaded_game, side = lock_game_and_side(player, code)
    until = max(until, now)
    if until - now > clock.MAX_PAUSE_LENGTH:
        raise Invalid(_("a pause lasts at most %(days)s days") % {"days": clock.MAX_PAUSE_LENGTH.days})
    if (
        until > now
        and compute_paused_time(loaded_game.game, now) + (until - now) > clock.MAX_PAUSE_LENGTH_PER_GAME
    ):
        limit_params = {"days": clock.MAX_PAUSE_LENGTH_PER_GAME.days}
        raise Invalid(_("all pauses of a game together last at most %(days)s days") % limit_params)
    if until == now and not (loaded_game.game.paused_until and loaded_game.game.paused_until > now):
        raise Conflict(_("the game is not paused"), code="not-paused")
    if until > now and not has_several_players(loaded_game):
        raise Conflict(_("only bots play with you: nobody is there to agree with"), code="only-bots")
    if find_pause_proposal(loaded_game.game) is not None:
        raise Conflict(_("a pause is proposed already: agree to it or decline it"), code="pause-proposed")
    players = [seat.player for seat in loaded_game.seats if seat.player]
    contact_limits.count_contacts(kind=ContactKind.PAUSE_PROPOSAL, sender=player, recipients=players, now=now)
    pause = Pause.objects.create(game=loaded_game.game, by=player, until=until, agreed=1 << side, at=now)
    if begin_pause_if_agreed(loaded_game, pause, now):
        return None
    data = {"until": format_instant(until), "rests": until > now, "by": player.name}
    add_feed_entries(loaded_game, player, "pause", f"pause:{pause.pk}", data, now)
    return pause


@transaction.atomic
def agree_to_pause(*, player: Player, code: str, now: datetime) -> bool:
    """Agree to the open proposal; return whether it takes effect. Raises NotFound, Denied or Conflict."""
    loaded_game, side = lock_game_and_side(player, code)
    pause = get_open_proposal(loaded_game.game)
    if pause.at < pause.until <= now:  # it would be over already
        pause.ended_at = now
        pause.save(update_fields=["ended_at"])
        return False
    pause.agreed |= 1 << side
    pause.save(update_fields=["agreed"])
    return begin_pause_if_agreed(loaded_game, pause, now)


@transaction.atomic
def decline_pause(*, player: Player, code: str, now: datetime) -> None:
    """Decline the open proposal, or withdraw one's own. Raises NotFound, Denied or Conflict."""
    loaded_game, _side = lock_game_and_side(player, code)
    pause = get_open_proposal(loaded_game.game)
    pause.ended_at = now
    pause.save(update_fields=["ended_at"])
    if pause.by_id != player.pk:
        add_feed_entries(
            loaded_game, player, "pause-declined", f"pause:{pause.pk}:declined", {"by": player.name}, now
        )


def compute_paused_time(game: Game, now: datetime) -> timedelta:
    """Return how long a game has been paused in total; a pause ends where the next one begins."""
    agreed_pauses = Pause.objects.filter(game=game, began_at__isnull=False).order_by("began_at", "pk")
    pause_times = [(start, until) for start, until in agreed_pauses.values_list("began_at", "until") if start]
    end_times = [*(start for start, _until in pause_times[1:]), now]
    lengths = (min(until, end) - start for (start, until), end in zip(pause_times, end_times, strict=False))
    return sum((max(length, timedelta()) for length in lengths), timedelta())


def lock_game_and_side(player: Player, code: str) -> tuple[LoadedGame, int]:
    """Return a running game, locked, and the player's side. Raises NotFound, Denied or Conflict."""
    Game.objects.select_for_update().filter(code=code).first()
    loaded_game, seat = turns.load_game_and_seat(player, code)
    if (
        loaded_game.game.status not in (Game.Status.RUNNING, Game.Status.TIEBREAK)
        or loaded_game.state is None
    ):
        raise Conflict(_("the game is not running"), code="not-running")
    assert seat.number is not None
    side = loaded_game.state.setup.sides[seat.number]
    if side in loaded_game.state.resigned_sides:  # a side that resigned has no vote
        raise Denied(_("you do not sit at this game"), code="not-seated")
    return loaded_game, side


def has_several_players(loaded_game: LoadedGame) -> bool:
    """Return whether more than one player is still in the game."""
    assert loaded_game.state is not None
    sides, sides_out = loaded_game.state.setup.sides, loaded_game.state.resigned_sides
    player_sides = [sides[seat.number] for seat in loaded_game.seats if seat.number and seat.player_id]
    return len([side for side in player_sides if side not in sides_out]) > 1


def get_open_proposal(game: Game) -> Pause:
    """Return the open proposal. Raises Conflict if there is none."""
    pause = find_pause_proposal(game)
    if pause is None:
        raise Conflict(_("no pause is proposed"), code="no-pause-proposed")
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
        state.setup.sides[seat.number]
        for seat in loaded_game.seats
        if seat.number and seat.player_id and state.setup.sides[seat.number] not in state.resigned_sides
    }
    if any(not pause.agreed >> side & 1 for side in sides):
        return False
    pause.began_at = now
    pause.save(update_fields=["began_at"])
    clocks.recompute_deadline(
        code=loaded_game.game.code,
        now=now,
        charge_until=now,
        clock_incidents=clocks.load_unprocessed_incidents(),
    )
    Game.objects.filter(pk=loaded_game.game.pk).update(paused_from=now, paused_until=max(pause.until, now))
    clocks.recompute_deadline(code=loaded_game.game.code, now=now)
    data = {"until": format_instant(pause.until), "rests": pause.until > now}
    add_feed_entries(loaded_game, None, "paused", f"paused:{pause.pk}", data, now)
    return True


def add_feed_entries(
    loaded_game: LoadedGame,
    except_player: Player | None,
    kind: str,
    dedup_suffix: str,
    data: Mapping[str, object],
    now: datetime,
) -> None:
    """Add a feed entry with a notice for each player of the game, except one."""
    game = loaded_game.game
    FeedEntry.objects.bulk_create(
        [
            FeedEntry(
                player_id=seat.player_id,
                game=game,
                kind=kind,
                reason=f"{game.code}:{dedup_suffix}",
                data={"game": game.code, **data},
                at=now,
                due_at=None
                if seat.muted
                else clock.notice_due_at(now, game.allowance, clocks.build_quiet_calendar(seat.player)),
            )
            for seat in loaded_game.seats
            if seat.player_id and (except_player is None or seat.player_id != except_player.pk)
        ],
        ignore_conflicts=True,
    )
