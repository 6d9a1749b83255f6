"""Composes the mail of a draft: a short note, one game with its board, or a list of games."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from accounts.models import Player
from common.site_urls import build_absolute_url
from games.mail import headlines
from games.mail.compose import build_game_email
from games.mail.game_context import GameContext, build_game_context, build_reply_address, build_turn_link
from games.selectors import NoSuchGame
from games.selectors.clocks import seat_clock_of
from games.selectors.notices import find_seat_of
from games.selectors.turns import is_current_turn
from games.selectors.waiting_turns import describe_other_players
from notifications.channels.email.message import build_player_email
from notifications.channels.email.quoting import join_own_sentences
from notifications.notice_kinds import NothingToSend
from notifications.outgoing_email import OutgoingEmail

from .announcements import MailDraft

MAX_LISTED_GAMES = 20  # per mail


def compose_draft(player: Player, draft: MailDraft, now: datetime) -> OutgoingEmail:
    """Compose the mail of a draft: with the board if it is about one game. Raises NothingToSend."""
    if len(draft.game_codes) == 1:
        try:
            return compose_game_mail(player, draft, build_game_context(player, draft.game_codes[0], now))
        except NoSuchGame:
            return compose_note_mail(player, draft)
    return compose_game_list_mail(player, draft) if draft.game_codes else compose_note_mail(player, draft)


def compose_game_mail(player: Player, draft: MailDraft, game_context: GameContext) -> OutgoingEmail:
    """Compose a mail about one game, with its board, to be played by link or reply."""
    mail_headlines = headlines.MailHeadlines(
        draft.subject,
        draft.headline,
        [*draft.lead, headlines.say_who_is_to_act(game_context)],
        draft.context_line,
    )
    return build_game_email(
        player,
        game_context,
        mail_headlines,
        reply_to=build_reply_address(player, game_context),
        extra_link=draft.extra_link or draft.button,
    )


def compose_note_mail(player: Player, draft: MailDraft) -> OutgoingEmail:
    """Compose a mail with a few sentences and a button."""
    context_data = {
        "headline": draft.headline,
        "lead": [line for line in (draft.context_line, *draft.lead) if line],
        "button": draft.button,
        "extra_link": draft.extra_link,
        "preview": join_own_sentences(draft.lead),
    }
    return build_player_email(
        player=player, template="note", subject=draft.subject, context_data=context_data, code=draft.code
    )


def compose_game_list_mail(player: Player, draft: MailDraft) -> OutgoingEmail:
    """Compose a mail about several games, those with the reader's turn first."""
    reasons = draft.game_reasons or ("",) * len(draft.game_codes)
    rows = [
        build_game_row(player, code, reason)
        for code, reason in list(zip(draft.game_codes, reasons, strict=True))[:MAX_LISTED_GAMES]
    ]
    rows.sort(key=lambda game_row: not game_row["is_own_turn"])
    context_data = {
        "headline": draft.headline,
        "lead": [line for line in (draft.context_line, *draft.lead) if line],
        "button": draft.button,
        "rows": rows,
        "more_game_count": len(draft.game_codes) - len(rows),
        "preview": capfirst(", ".join(game_row["other_names"] for game_row in rows)),
    }
    mail = build_player_email(
        player=player,
        template="tournament_games",
        subject=draft.subject,
        context_data=context_data,
        code=draft.code,
    )
    mail.data_when_sent = {"shown_turns": {game_row["code"]: game_row["turn"] for game_row in rows}}
    return mail


def build_game_row(player: Player, code: str, reason: str) -> dict[str, Any]:
    """Return the template data of one game. Raises NothingToSend if the reader has no seat there."""
    seat = find_seat_of(player, code)
    if seat is None or seat.seat_no is None:
        raise NothingToSend
    turn = seat_clock_of(seat.game, seat.seat_no).turn_seq
    is_own_turn = is_current_turn(seat, turn)
    return {
        "code": code,
        "turn": turn if is_own_turn else None,
        "other_names": describe_other_players(seat.game.seats.all(), player),
        "reason": reason,
        "is_own_turn": is_own_turn,
        "url": build_turn_link(player, code, seat.seat_no, turn)
        if is_own_turn
        else build_absolute_url(f"/games/{code}/"),
        "label": _("Play this turn") if is_own_turn else _("Open the game"),
    }
