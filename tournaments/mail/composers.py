"""Composes the mails and registers their notice kinds with the outbox of games."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from games import notice_kinds, signed_links
from games.mail import compose, headlines
from games.mail.game_context import GameContext, build_game_context, build_reply_address, build_turn_link
from games.mail.message import GameEmail, build_player_email
from games.mail.quoting import format_on_one_line, join_own_sentences
from games.models import Delivery, FeedEntry, Player
from games.selectors import NoSuchGame
from games.selectors.clocks import seat_clock_of
from games.selectors.deliveries import describe_other_players
from games.selectors.outbox import find_seat_of
from games.selectors.turns import is_current_turn

from . import announcements, deduplication, result_mails, stranger_mails
from .announcements import MailDraft

NoticeBuilder = Callable[[Delivery, datetime], MailDraft]
MAX_LISTED_GAMES = 20  # per mail
MAX_WEBHOOK_TEXT_LENGTH = 1500  # characters
REQUIRES_ACTION, INFORMATION_ONLY = True, False
NOTICE_BUILDERS: dict[str, tuple[NoticeBuilder, Any, bool]] = {
    "event-invited": (announcements.build_invitation, lazy("an invitation to a tournament"), REQUIRES_ACTION),
    "event-partner": (announcements.build_partner_request, lazy("asked to play as a pair"), REQUIRES_ACTION),
    "event-replacement": (
        announcements.build_replacement_request,
        lazy("asked to play on for somebody"),
        REQUIRES_ACTION,
    ),
    "event-co-organiser": (
        announcements.build_co_organiser_request,
        lazy("asked to organise something"),
        REQUIRES_ACTION,
    ),
    "event-answered": (
        announcements.build_proposal_answer,
        lazy("the answer to a proposal"),
        REQUIRES_ACTION,
    ),
    "event-newcomer": (
        announcements.build_newcomer_notice,
        lazy("somebody else plays on at your table"),
        INFORMATION_ONLY,
    ),
    "event-place": (announcements.build_place_notice, lazy("a place in a tournament"), REQUIRES_ACTION),
    "event-confirm": (announcements.build_confirmation_request, lazy("please confirm"), REQUIRES_ACTION),
    "event-start": (announcements.build_start_notice, lazy("a tournament began"), INFORMATION_ONLY),
    "event-pairing": (result_mails.build_pairing_notice, lazy("a game of a tournament"), REQUIRES_ACTION),
    "event-round-end": (result_mails.build_round_end_notice, lazy("another end of a round"), REQUIRES_ACTION),
    "event-bye": (result_mails.build_bye_notice, lazy("a round without a game"), INFORMATION_ONLY),
    "event-result": (result_mails.build_table_result_notice, lazy("a result"), INFORMATION_ONLY),
    "event-table": (result_mails.build_table_change_notice, lazy("whether a table counts"), INFORMATION_ONLY),
    "event-end": (result_mails.build_tournament_end_notice, lazy("a tournament ended"), INFORMATION_ONLY),
    "event-cancelled": (
        announcements.build_cancellation,
        lazy("a tournament was cancelled"),
        REQUIRES_ACTION,
    ),
    "event-out": (announcements.build_exclusion_notice, lazy("out of a tournament"), REQUIRES_ACTION),
    "event-replaced": (announcements.build_takeover_notice, lazy("a seat taken over"), REQUIRES_ACTION),
    "event-held": (announcements.build_hold_notice, lazy("a tournament waits for you"), REQUIRES_ACTION),
    "event-appeal": (announcements.build_appeal_notice, lazy("an appeal"), REQUIRES_ACTION),
    "league-partner": (
        result_mails.build_league_partner_request,
        lazy("asked to play as a pair"),
        REQUIRES_ACTION,
    ),
    "league-co-organiser": (
        result_mails.build_league_co_organiser_request,
        lazy("asked to organise something"),
        REQUIRES_ACTION,
    ),
    "league-answered": (
        result_mails.build_league_proposal_answer,
        lazy("the answer to a proposal"),
        REQUIRES_ACTION,
    ),
    "league-parted": (result_mails.build_partner_left_notice, lazy("a partner has left"), REQUIRES_ACTION),
    "league-out": (result_mails.build_league_removal_notice, lazy("out of a league"), REQUIRES_ACTION),
    "league-held": (result_mails.build_league_held_notice, lazy("a league waits for you"), REQUIRES_ACTION),
    "league-season": (result_mails.build_season_start_notice, lazy("a season began"), INFORMATION_ONLY),
    "league-season-end": (result_mails.build_season_end_notice, lazy("a season ended"), REQUIRES_ACTION),
}


def register_notice_kinds() -> None:
    """Register all notice kinds; calling it again changes nothing."""
    for kind, (_builder, label, requires_action) in NOTICE_BUILDERS.items():
        group_key = build_group_key if kind == "event-pairing" else notice_kinds.group_alone
        unneeded = (
            result_mails.find_league_held_obsolete_reason
            if kind == "league-held"
            else deduplication.find_obsolete_reason
        )
        notice_kinds.NOTICE_KINDS[kind] = notice_kinds.NoticeKind(
            label, requires_action, unneeded, summarise_for_webhook, group_key
        )
        compose.COMPOSERS_BY_KIND[kind] = compose_mail
    if deduplication.find_game_mail_superseded_reason not in notice_kinds.SUPERSEDED_CHECKS:
        notice_kinds.SUPERSEDED_CHECKS.append(deduplication.find_game_mail_superseded_reason)


def build_group_key(entry: FeedEntry) -> str:
    """Return the key that groups all games of a round into one mail."""
    return deduplication.build_mail_dedup_key(entry)


def summarise_for_webhook(delivery: Delivery, now: datetime) -> tuple[str, str]:
    """Return the text and the link of a webhook call."""
    try:
        draft = NOTICE_BUILDERS[delivery.kind][0](delivery, now)
    except compose.NothingToSend:  # no longer relevant
        return str(delivery.data.get("name", "")), signed_links.build_absolute_url("/")
    return " ".join([f"{draft.subject}.", *map(format_on_one_line, draft.lead)])[
        :MAX_WEBHOOK_TEXT_LENGTH
    ], draft.button[1]


def compose_mail(delivery: Delivery, now: datetime) -> GameEmail:
    """Compose the mail of a delivery. Raises NothingToSend."""
    draft = stranger_mails.replace_stranger_subject(
        NOTICE_BUILDERS[delivery.kind][0](delivery, now), delivery
    )
    player = delivery.player
    if len(draft.game_codes) == 1:
        try:
            return compose_game_mail(player, draft, build_game_context(player, draft.game_codes[0], now))
        except NoSuchGame:
            return compose_note_mail(player, draft)
    return compose_game_list_mail(player, draft) if draft.game_codes else compose_note_mail(player, draft)


def compose_game_mail(player: Player, draft: MailDraft, game_context: GameContext) -> GameEmail:
    """Compose a mail about one game, with its board, to be played by link or reply."""
    mail_headlines = headlines.MailHeadlines(
        draft.subject,
        draft.headline,
        [draft.context_line, *draft.lead, headlines.say_who_is_to_act(game_context)],
    )
    return compose.build_game_email(
        player,
        game_context,
        mail_headlines,
        reply_to=build_reply_address(player, game_context),
        extra_link=draft.extra_link or draft.button,
    )


def compose_note_mail(player: Player, draft: MailDraft) -> GameEmail:
    """Compose a mail with a few sentences and a button."""
    context_data = {
        "headline": draft.headline,
        "lead": [line for line in (draft.context_line, *draft.lead) if line],
        "button": draft.button,
        "also": draft.extra_link,
        "preview": join_own_sentences([draft.context_line, *draft.lead]),
    }
    return build_player_email(
        player=player, template="note", subject=draft.subject, context_data=context_data, code=draft.code
    )


def compose_game_list_mail(player: Player, draft: MailDraft) -> GameEmail:
    """Compose a mail about several games, those with the reader's turn first."""
    reasons = draft.game_reasons or ("",) * len(draft.game_codes)
    rows = [
        build_game_row(player, code, reason)
        for code, reason in list(zip(draft.game_codes, reasons, strict=True))[:MAX_LISTED_GAMES]
    ]
    rows.sort(key=lambda game_row: not game_row["mine"])
    context_data = {
        "headline": draft.headline,
        "lead": [line for line in (draft.context_line, *draft.lead) if line],
        "button": draft.button,
        "rows": rows,
        "more": len(draft.game_codes) - len(rows),
        "preview": ", ".join(game_row["who"] for game_row in rows),
    }
    mail = build_player_email(
        player=player, template="tables", subject=draft.subject, context_data=context_data, code=draft.code
    )
    mail.shown_turns = {game_row["code"]: game_row["turn"] for game_row in rows}
    return mail


def build_game_row(player: Player, code: str, reason: str) -> dict[str, Any]:
    """Return the template data of one game. Raises NothingToSend if the reader has no seat there."""
    seat = find_seat_of(player, code)
    if seat is None or seat.number is None:
        raise compose.NothingToSend
    turn = seat_clock_of(seat.game, seat.number).turn_seq
    is_own_turn = is_current_turn(seat, turn)
    return {
        "code": code,
        "turn": turn if is_own_turn else None,
        "who": describe_other_players(seat.game.places.all(), player),
        "why": reason,
        "mine": is_own_turn,
        "url": build_turn_link(player, code, seat.number, turn)
        if is_own_turn
        else signed_links.build_absolute_url(f"/games/{code}/"),
        "label": _("Play this turn") if is_own_turn else _("Show the game"),
    }
