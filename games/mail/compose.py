"""Builds mails about games: the board with its headlines, answers to replies, lists of waiting turns."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from accounts.models import Player
from accounts.player_locale import activate_locale_of
from common.duration_format import format_duration
from common.site_urls import build_absolute_url
from games import signed_links
from games.deadline_format import format_round_end
from games.selectors.waiting_turns import describe_other_players, list_waiting_turns
from games.services.replies import ReplyResult
from notifications.channels.email.message import build_player_email
from notifications.channels.email.quoting import join_own_sentences
from notifications.outgoing_email import OutgoingEmail

from . import headlines
from .game_context import (
    GameContext,
    build_game_context,
    build_reply_address,
    build_turn_link,
    format_local_time,
)


def build_reply_answer(
    *, player: Player, code: str, outcome: ReplyResult, text: str, now: datetime, in_reply_to: str
) -> OutgoingEmail:
    """Build the answer to a reply. Raises NoSuchGame."""
    with activate_locale_of(player):
        game_context = build_game_context(player, code, now)
        purpose = (
            signed_links.RESIGN_PURPOSE if outcome == ReplyResult.CONFIRM else signed_links.REPLY_PURPOSE
        )
        return build_game_email(
            player,
            game_context,
            headlines.build_answer_headlines(outcome, game_context, text),
            reply_to=build_reply_address(player, game_context, purpose),
            in_reply_to=in_reply_to,
            asks_confirmation=outcome == ReplyResult.CONFIRM,
        )


def build_game_email(
    player: Player,
    game_context: GameContext,
    mail_headlines: headlines.MailHeadlines,
    *,
    reply_to: str,
    in_reply_to: str = "",
    asks_confirmation: bool = False,
    extra_link: tuple[str, str] | None = None,
) -> OutgoingEmail:
    """Build a mail with the board in it; `extra_link` is one more link as (label, URL)."""
    lead = [sentence for sentence in mail_headlines.lead if sentence]
    context_line = mail_headlines.context_line
    context_data = game_context.context_data | {
        "headline": mail_headlines.headline,
        "lead": [context_line, *lead] if context_line else lead,
        "preview": join_own_sentences([*lead, *game_context.context_data["time"][-1:]]),
        "can_reply": bool(reply_to) and not asks_confirmation,
        "asks_confirmation": asks_confirmation,
        "extra_link": extra_link,
    }
    mail = build_player_email(
        player=player,
        template="game",
        subject=mail_headlines.subject,
        context_data=context_data,
        pictures=game_context.pictures,
        code=game_context.code,
        reply_to=reply_to,
        in_reply_to=in_reply_to,
    )
    mail.data_when_sent = {"shown_turns": {game_context.code: game_context.turn}}
    return mail


def list_waiting_games(player: Player, now: datetime) -> list[dict[str, Any]]:
    """The player's waiting turns as template rows, most urgent first; muted games are left out."""
    rows = []
    for turn in list_waiting_turns(player):
        seat_no = turn.seat.seat_no
        if turn.seat.muted or seat_no is None:
            continue
        code = turn.game.code
        rows.append(
            {
                "other_names": describe_other_players(turn.game.seats.all(), player),
                "deadline": format_local_time(turn.deadline) if turn.deadline else "",
                "left": format_duration(turn.deadline - now) if turn.deadline else "",
                "round_end": format_round_end(turn.round_end, format_local_time(turn.round_end.ends_at))
                if turn.round_end
                else "",
                "turn_url": build_turn_link(player, code, seat_no, turn.turn_seq),
                "game_url": build_absolute_url(f"/games/{code}/"),
            }
        )
    return rows


def build_stranger_opt_out() -> list[str]:
    """The lines that tell a player how to refuse invitations from strangers."""
    return [
        _("You have not played with them yet. To stop invitations from people you do not know:"),
        build_absolute_url("/me/notices/"),
    ]
