"""The games' part of a player's data export."""

from __future__ import annotations

from typing import Any

from django.db.models import Q

from accounts.models import Player
from accounts.services.export import export_rows
from common.instants import format_instant
from games.models import Action, Game, Invitation, Message, Note, Pause, Report, Seat, SeatHandover


def export_game_data(player: Player) -> dict[str, Any]:
    """Return what is stored about a player in games, and nothing about others."""
    return {
        "games": export_games(player),
        "created_games": export_rows(
            Game.objects.filter(creator=player).order_by("pk"), "code", "status", "created_at"
        ),
        "notes": export_rows(
            Note.objects.filter(player=player).order_by("pk"), "game__code", "text", at="updated_at"
        ),
        "seats_handed_over": export_rows(
            SeatHandover.objects.filter(Q(predecessor=player) | Q(successor=player)).order_by("pk"),
            *("game__code", "seat_no", "after_seq", "handed_over_at"),
        ),
        "messages": export_rows(
            Message.objects.filter(player=player).order_by("pk"),
            *("game__code", "text", "hidden"),
            at="created_at",
        ),
        "reports": export_rows(
            Report.objects.filter(player=player).order_by("pk"),
            *("message__game__code", "reason", "created_at", "resolved"),
        ),
        "invitations_sent": export_rows(
            Invitation.objects.filter(inviter=player).order_by("pk"),
            *("game__code", "created_at", "as_partner", "status"),
        ),
        "invitations_received": export_rows(
            Invitation.objects.filter(Q(player=player) | Q(email=player.email)).order_by("pk"),
            *("game__code", "created_at", "as_partner", "status"),
        ),
        "pauses_proposed": export_rows(
            Pause.objects.filter(proposer=player).order_by("pk"),
            *("game__code", "until", "proposed_at", "started_at", "ended_at"),
        ),
    }


def export_games(player: Player) -> list[dict[str, Any]]:
    """Return a player's seats, each with its actions."""
    seats = list(Seat.objects.filter(player=player).select_related("game").order_by("game_id"))
    actions_by_game: dict[int, list[dict[str, Any]]] = {seat.game_id: [] for seat in seats}
    seat_no_by_game = {seat.game_id: seat.seat_no for seat in seats}
    logged_actions = (
        Action.objects.filter(game__seats__player=player).defer("events").order_by("game_id", "seq")
    )
    for logged_action in logged_actions.iterator():
        if logged_action.seat == seat_no_by_game[logged_action.game_id]:
            actions_by_game[logged_action.game_id].append(
                {
                    "seq": logged_action.seq,
                    "action": logged_action.action,
                    "by": logged_action.by,
                    "at": format_instant(logged_action.at),
                }
            )
    return [
        {
            "game": seat.game.code,
            "status": seat.game.status,
            "mode": seat.game.mode,
            "edition": seat.game.edition,
            "seat": seat.seat_no,
            "client_seed": seat.client_seed,
            "muted": seat.muted,
            "eight_policy": seat.eight_policy,
            "orders": {"draw": seat.draws_automatically, "only": seat.plays_only_action},
            "started_at": format_instant(seat.game.started_at),
            "finished_at": format_instant(seat.game.finished_at),
            "actions": actions_by_game[seat.game_id],
        }
        for seat in seats
    ]
