"""Composes the mail of each kind of delivery: subject, text, HTML page and inline pictures."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone, translation
from django.utils.translation import gettext as _

from games import rule_text, signed_links
from games.clock import load_zone
from games.datetime_format import format_round_end
from games.duration_format import format_duration
from games.models import Delivery, Player
from games.selectors.contacts import have_met
from games.selectors.deliveries import describe_other_players, list_waiting_turns
from games.selectors.outbox import find_open_invitation, find_seat_of

from . import headlines
from .game_context import (
    GameContext,
    build_game_context,
    build_reply_address,
    build_turn_link,
    format_local_time,
)
from .message import GameEmail, add_delivery_headers, build_player_email
from .quoting import join_own_sentences


class NothingToSend(Exception):
    """The delivery has become obsolete: there is nothing to send."""


def compose_mail(delivery: Delivery, *, now: datetime) -> GameEmail:
    """Compose the mail of a delivery in the player's language and time zone.

    Raises NoSuchGame, NothingToSend.
    """
    player = delivery.player
    with translation.override(player.language), timezone.override(load_zone(player.time_zone)):
        return add_delivery_headers(
            COMPOSERS_BY_KIND.get(delivery.kind, compose_game_notice)(delivery, now), delivery
        )


def build_reply_answer(
    *, player: Player, code: str, outcome: str, text: str, now: datetime, in_reply_to: str
) -> GameEmail:
    """Build the answer to a reply; outcome is played, refused, confirm or late. Raises NoSuchGame."""
    with translation.override(player.language), timezone.override(load_zone(player.time_zone)):
        game_context = build_game_context(player, code, now)
        purpose = signed_links.RESIGN_PURPOSE if outcome == "confirm" else signed_links.REPLY_PURPOSE
        return build_game_email(
            player,
            game_context,
            headlines.build_answer_headlines(outcome, game_context, text),
            reply_to=build_reply_address(player, game_context, purpose),
            in_reply_to=in_reply_to,
            asks_confirmation=outcome == "confirm",
        )


# -------------------------------------------------------------------------------------- one composer per kind


def compose_game_notice(delivery: Delivery, now: datetime) -> GameEmail:
    """Compose a mail about a game: a turn, a timeout, the result and so on. Raises NoSuchGame."""
    assert delivery.game
    game_context = build_game_context(delivery.player, delivery.game.code, now)
    mail_headlines = headlines.build_headlines(delivery.kind, game_context, delivery.data)
    return build_game_email(
        delivery.player,
        game_context,
        mail_headlines,
        reply_to=build_reply_address(delivery.player, game_context),
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
) -> GameEmail:
    """Build a mail with the board in it; `extra_link` is one more link as (label, URL)."""
    lead = [sentence for sentence in mail_headlines.lead if sentence]
    context_data = game_context.context_data | {
        "headline": mail_headlines.headline,
        "lead": lead,
        "preview": join_own_sentences([*lead, *game_context.context_data["time"][-1:]]),
        "by_reply": bool(reply_to) and not asks_confirmation,
        "confirm": asks_confirmation,
        "also": extra_link,
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
    mail.shown_turns = {game_context.code: game_context.turn}
    return mail


def compose_reply_answer(delivery: Delivery, now: datetime) -> GameEmail:
    """Compose the answer to a reply from the outcome stored when the reply was processed."""
    assert delivery.game
    return build_reply_answer(
        player=delivery.player,
        code=delivery.game.code,
        outcome=delivery.data["outcome"],
        text=delivery.data["text"],
        now=now,
        in_reply_to=delivery.data["in_reply_to"],
    )


def compose_digest(delivery: Delivery, now: datetime) -> GameEmail:
    """Compose the daily list of waiting turns. Raises NothingToSend if there are none."""
    player = delivery.player
    games = list_waiting_games(player, now)
    if not games:
        raise NothingToSend
    game_count = len(games)
    headline = translation.ngettext("%(n)d game waits for you", "%(n)d games wait for you", game_count) % {
        "n": game_count
    }
    context_data = {
        "headline": headline,
        "lead": [],
        "games": games,
        "next": signed_links.build_absolute_url("/next/"),
    }
    context_data["preview"] = ", ".join(game["company"] for game in games)
    return build_player_email(
        player=player, template="list", subject=f"OTTO: {headline}", context_data=context_data
    )


def compose_vacation_notice(delivery: Delivery, now: datetime) -> GameEmail:
    """Compose the notice that an hour of vacation was used at a deadline."""
    headline = (
        _("Your time was up: %(span)s of your vacation was taken") % rule_text.build_vacation_step_details()
    )
    seconds_left = delivery.data["left"]
    lead = [
        _("You have %(left)s of vacation left. When it is used up, the clocks of your games run on.")
        % {"left": format_duration(timedelta(seconds=seconds_left))}
    ]
    context_data = {"headline": headline, "lead": lead, "games": list_waiting_games(delivery.player, now)}
    context_data |= {"next": signed_links.build_absolute_url("/next/"), "preview": lead[0]}
    return build_player_email(
        player=delivery.player, template="list", subject=f"OTTO: {headline}", context_data=context_data
    )


def list_waiting_games(player: Player, now: datetime) -> list[dict[str, Any]]:
    """The player's waiting turns as template rows, most urgent first; muted games are left out."""
    rows = []
    for turn in list_waiting_turns(player):
        seat_no = turn.seat.number
        if turn.seat.muted or seat_no is None:
            continue
        code = turn.game.code
        rows.append(
            {
                "company": describe_other_players(turn.game.places.all(), player),
                "until": format_local_time(turn.deadline) if turn.deadline else "",
                "left": format_duration(turn.deadline - now) if turn.deadline else "",
                "round_end": format_round_end(turn.round_end, format_local_time(turn.round_end.ends_at))
                if turn.round_end
                else "",
                "play": build_turn_link(player, code, seat_no, turn.turn_seq),
                "show": signed_links.build_absolute_url(f"/games/{code}/"),
            }
        )
    return rows


def compose_test_mail(delivery: Delivery, now: datetime) -> GameEmail:
    """Compose the test mail that a player can send to themselves."""
    lead = [_("This is a test from OTTO online."), _("Since you read it, our mails reach you.")]
    return build_note_email(delivery.player, _("OTTO online: a test"), _("It works"), lead)


def compose_cancelled_notice(delivery: Delivery, now: datetime) -> GameEmail:
    """Compose the notice that an open game was cancelled before it began."""
    assert delivery.game
    seat = find_seat_of(delivery.player, delivery.game.code)
    other_players = describe_other_players(seat.game.places.all(), delivery.player) if seat else ""
    subject = _("Cancelled: OTTO %(who)s") % {"who": other_players}
    lead = [_("The game was given up before it began."), _("Another one is quickly made.")]
    button = (_("See who wants to play"), signed_links.build_absolute_url("/lobby/"))
    return build_note_email(
        delivery.player, subject, _("The game was cancelled"), lead, button, delivery.game.code
    )


def compose_invitation_notice(delivery: Delivery, now: datetime) -> GameEmail:
    """Compose an invitation to a game. Raises NothingToSend if the seat is no longer kept."""
    assert delivery.game
    invitation = find_open_invitation(delivery.player, delivery.game, now)
    if invitation is None:
        raise NothingToSend
    placeholders = {"who": invitation.by.name}
    lead = [
        _("%(who)s asks you to be their partner.") % placeholders
        if invitation.partner
        else _("%(who)s keeps a seat for you in a game of OTTO.") % placeholders,
        _("The seat is kept until %(when)s.") % {"when": format_local_time(invitation.game.expires_at)},
        _("If you do not want to play, do nothing."),
    ]
    button = (_("See the game"), signed_links.build_absolute_url(f"/games/{invitation.game.code}/"))
    subject = _("%(who)s asks you to a game of OTTO") % placeholders
    if not have_met(delivery.player, invitation.by):
        subject = _("You are invited to a game of OTTO")
        lead += build_stranger_opt_out()
    return build_note_email(delivery.player, subject, subject, lead, button, invitation.game.code)


def build_stranger_opt_out() -> list[str]:
    """The lines that tell a player how to refuse invitations from strangers."""
    return [
        _("You have not played with them yet. If you do not want to be asked by people you have not met:"),
        signed_links.build_absolute_url("/me/notices/"),
    ]


def build_note_email(
    player: Player,
    subject: str,
    headline: str,
    lead: list[str],
    button: tuple[str, str] | None = None,
    code: str = "",
) -> GameEmail:
    """Build a short mail: some sentences and at most one button."""
    context_data = {"headline": headline, "lead": lead, "button": button, "preview": join_own_sentences(lead)}
    return build_player_email(
        player=player, template="note", subject=subject, context_data=context_data, code=code
    )


COMPOSERS_BY_KIND: dict[str, Callable[[Delivery, datetime], GameEmail]] = {
    "reply": compose_reply_answer,
    "digest": compose_digest,
    "vacation": compose_vacation_notice,
    "test": compose_test_mail,
    "cancelled": compose_cancelled_notice,
    "invited": compose_invitation_notice,
}
