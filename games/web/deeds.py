"""What a player does at a table besides moves: a seat taken over, pauses, an 8 in advance, no notices."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

from django.contrib import messages
from django.http import HttpRequest
from django.utils.translation import gettext as _

from games import clock
from games.models import Player
from games.services import notices, pauses, seating, seats
from games.services.errors import Invalid

from .asking import whole

Deed = Callable[[HttpRequest, Player, str, datetime], None]


def propose(request: HttpRequest, player: Player, code: str, now: datetime) -> None:
    """Propose a pause of so many days; none at all means: let the clocks run again."""
    text = request.POST.get("days", "")
    if not text.isdecimal() or len(text) > 3 or int(text) > clock.LONGEST_PAUSE.days:
        raise Invalid(_("a pause lasts at most %(days)s days") % {"days": clock.LONGEST_PAUSE.days})
    waits = pauses.propose(player=player, code=code, until=now + timedelta(days=int(text)), now=now)
    messages.success(request, _("Proposed: it holds when all agree.") if waits else _("The clocks are set."))


def agree(request: HttpRequest, player: Player, code: str, now: datetime) -> None:
    if pauses.agree(player=player, code=code, now=now):
        messages.success(request, _("Agreed. The clocks are set."))
    else:
        messages.success(request, _("Agreed. Others still have to."))


def decline(request: HttpRequest, player: Player, code: str, now: datetime) -> None:
    pauses.decline(player=player, code=code, now=now)
    messages.success(request, _("Declined."))


def eight(request: HttpRequest, player: Player, code: str, now: datetime) -> None:
    seats.decide_eight(player=player, code=code, answer=request.POST.get("eight", ""), now=now)
    messages.success(request, _("Saved."))


def take_seat(request: HttpRequest, player: Player, code: str, now: datetime) -> None:
    seats.take_seat(player=player, code=code, now=now)
    messages.success(request, _("The seat is yours: play it to the end."))


def mute(request: HttpRequest, player: Player, code: str, now: datetime) -> None:
    on = request.POST.get("muted") == "1"
    notices.mute(player=player, code=code, muted=on, now=now)
    messages.success(
        request, _("No more notices about this game.") if on else _("You get notices about this game again.")
    )


def choose_partner(request: HttpRequest, player: Player, code: str, now: datetime) -> None:
    """Say who sits opposite: `seat-` with a joining number, `invitation-` with an id, or nobody."""
    kind, _dash, number = request.POST.get("opposite", "").partition("-")
    chosen = whole(number)
    if kind not in ("", "seat", "invitation") or (kind and chosen is None):
        raise Invalid(_("choose one partner"))
    seating.choose_partner(
        player=player,
        code=code,
        now=now,
        joined=chosen if kind == "seat" else None,
        invitation=chosen if kind == "invitation" else None,
    )
    messages.success(request, _("Saved."))


DEEDS: dict[str, Deed] = {
    "partner": choose_partner,
    "pause": propose,
    "pause-agree": agree,
    "pause-decline": decline,
    "eight": eight,
    "take-seat": take_seat,
    "mute": mute,
}
