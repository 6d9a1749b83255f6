"""Standing orders on the game page: what they do, a form to give or end them, and the player's own log."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.http import HttpRequest
from django.urls import path
from django.utils.translation import gettext as _

from accounts.models import Player
from common.duration_format import format_duration
from games.engine import text
from games.engine.standing_orders import OrderEnd
from games.game_text import build_translator, describe_order_end
from games.models import Game, Seat
from games.permissions import Permission
from games.selectors.orders import OrderLogEvent, OrderLogLine, list_order_log
from games.services import clocks, standing_orders

from .game_commands import build_command_view


def set_standing_orders(request: HttpRequest, player: Player, code: str, now: datetime) -> None:
    """Save the player's standing orders: a box that is not checked ends an order."""
    seat = standing_orders.set_standing_orders(
        player=player,
        code=code,
        now=now,
        draw=request.POST.get("draw") == "1",
        only=request.POST.get("only") == "1",
    )
    has_orders = seat.draws_automatically or seat.plays_only_action
    messages.success(
        request,
        _("Standing orders saved.") if has_orders else _("You have no standing orders."),
    )


def standing_orders_context(view: Mapping[str, Any], viewer: Player | None) -> dict[str, Any] | None:
    """Return the section of standing orders for players who may give them; None for all others."""
    if viewer is None or "you" not in view or Permission.SET_ORDERS not in view["permissions"]:
        return None
    translator = build_translator(view)
    return {
        "draw": view["you"]["orders"]["draw"],
        "only": view["you"]["orders"]["only"],
        "has_cards": view["options"]["cards"] and view["mode"] != Game.Mode.SOLO,
        "eights": Seat.EightPolicy.choices,
        "answer_within": format_duration(clocks.compute_max_answer_delay(view["clock"]["allowance_seconds"])),
        "log": [
            (describe_log_line(line, translator), line.at) for line in list_order_log(viewer, view["id"])
        ],
    }


def describe_log_line(line: OrderLogLine, translator: text.GameTranslator) -> str:
    """Return a line of the player's own log as a sentence."""
    match line.event:
        case OrderLogEvent.PLAYED:
            actions = ", ".join(text.describe_action(action, translator) for action in line.actions)
            return _("Your standing order played: %(actions)s.") % {"actions": actions}
        case OrderLogEvent.ENDED:
            return describe_order_end(OrderEnd(line.reason))
    if line.draw and line.only:
        return _("You set both orders.")
    if line.draw:
        return _("You set the order to draw.")
    return _("You set the order to play forced moves.") if line.only else _("You ended your orders.")


urlpatterns = [
    path("games/<slug:code>/orders/", build_command_view(set_standing_orders), name="game-orders"),
]
