"""Game commands of a player besides moves: taking a seat over, pauses, the eight policy, muting, partners."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

from django.contrib import messages
from django.http import HttpRequest
from django.utils.translation import gettext as _

from games import clock
from games.models import Player
from games.services import notices, partner_choice, pauses, seat_settings
from games.services.errors import Invalid

from .request_utils import parse_int

GameCommand = Callable[[HttpRequest, Player, str, datetime], None]


def propose_pause(request: HttpRequest, player: Player, code: str, now: datetime) -> None:
    """Propose a pause of `days` days; 0 days ends the current pause. Raises Invalid."""
    text = request.POST.get("days", "")
    if not text.isdecimal() or len(text) > 3 or int(text) > clock.MAX_PAUSE_LENGTH.days:
        raise Invalid(_("a pause lasts at most %(days)s days") % {"days": clock.MAX_PAUSE_LENGTH.days})
    is_waiting_for_others = pauses.propose_pause(
        player=player, code=code, until=now + timedelta(days=int(text)), now=now
    )
    messages.success(
        request,
        _("Proposed: it holds when all agree.") if is_waiting_for_others else _("The clocks are set."),
    )


def agree_to_pause(request: HttpRequest, player: Player, code: str, now: datetime) -> None:
    """Agree to the proposed pause."""
    if pauses.agree_to_pause(player=player, code=code, now=now):
        messages.success(request, _("Agreed. The clocks are set."))
    else:
        messages.success(request, _("Agreed. Others still have to."))


def decline_pause(request: HttpRequest, player: Player, code: str, now: datetime) -> None:
    """Decline the proposed pause."""
    pauses.decline_pause(player=player, code=code, now=now)
    messages.success(request, _("Declined."))


def set_eight_policy(request: HttpRequest, player: Player, code: str, now: datetime) -> None:
    """Save how the seat answers an 8."""
    seat_settings.set_eight_policy(player=player, code=code, policy=request.POST.get("eight", ""), now=now)
    messages.success(request, _("Saved."))


def take_seat(request: HttpRequest, player: Player, code: str, now: datetime) -> None:
    """Take a seat over for good."""
    seat_settings.take_seat(player=player, code=code, now=now)
    messages.success(request, _("The seat is yours: play it to the end."))


def set_game_muted(request: HttpRequest, player: Player, code: str, now: datetime) -> None:
    """Switch notices about this game off or on."""
    muted = request.POST.get("muted") == "1"
    notices.set_game_muted(player=player, code=code, muted=muted, now=now)
    messages.success(
        request,
        _("No more notices about this game.") if muted else _("You get notices about this game again."),
    )


def choose_partner(request: HttpRequest, player: Player, code: str, now: datetime) -> None:
    """Choose the partner: `seat-` with a join order, `invitation-` with an id, or empty. Raises Invalid."""
    kind, _dash, id_text = request.POST.get("opposite", "").partition("-")
    chosen_id = parse_int(id_text)
    if kind not in ("", "seat", "invitation") or (kind and chosen_id is None):
        raise Invalid(_("choose one partner"))
    partner_choice.choose_partner(
        player=player,
        code=code,
        now=now,
        joined=chosen_id if kind == "seat" else None,
        invitation=chosen_id if kind == "invitation" else None,
    )
    messages.success(request, _("Saved."))


GAME_COMMANDS: dict[str, GameCommand] = {
    "partner": choose_partner,
    "pause": propose_pause,
    "pause-agree": agree_to_pause,
    "pause-decline": decline_pause,
    "eight": set_eight_policy,
    "take-seat": take_seat,
    "mute": set_game_muted,
}
