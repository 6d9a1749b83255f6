"""The notice kinds of games, one class each."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from accounts.selectors.contacts import have_met
from common.duration_format import format_duration
from common.site_urls import build_absolute_url
from games import rule_text
from games.clock import TimeoutOutcome
from games.engine.state import sides_of
from games.game_notice import (
    GameNotice,
    SeatNotice,
    build_game_url,
    find_seat,
    find_subject,
    get_game_code,
)
from games.game_notice_kinds import GameNoticeKind
from games.mail import compose, headlines
from games.mail.game_context import format_local_time
from games.mail.invitation_mails import MailedInvitationNotice
from games.models import Game, Seat
from games.selectors import NoSuchGame, seat_name
from games.selectors.notices import find_open_invitation, find_seat_of
from games.selectors.waiting_turns import describe_other_players
from games.services.replies import ReplyResult
from games.turn_notices import DIGEST, REMINDER, TurnNotice
from notifications.channels.email.message import build_note_email, build_player_email
from notifications.models import Delivery, FeedEntry
from notifications.notice_kinds import FeedOnlyNotice, NothingToSend, NoticeKind, NoticePlan, PreferenceGroup
from notifications.outgoing_email import OutgoingEmail


class RunningGameNotice(SeatNotice):
    """A notice that is obsolete once the game does not run."""

    def find_seat_drop_reason(self, delivery: Delivery, seat: Seat) -> str:
        return "" if seat.game.is_running else _("The game has gone on.")


class StartedNotice(RunningGameNotice):
    """The game has begun; who is to act gets the notice of their turn instead."""

    value, label = GameNoticeKind.STARTED, lazy("a game began")
    sentence = lazy("Your game has begun (%(who)s).")
    build_headlines = staticmethod(headlines.build_game_started_headlines)

    def plan(self, entry: FeedEntry, now: datetime) -> NoticePlan:
        """Plan a notice at once, unless the player is to act."""
        subject, seat = find_subject(entry), find_seat(entry)
        if subject and seat and seat.seat_no and subject.game.is_turn_of(seat.seat_no):
            return NoticePlan(None, None, entry.notice_stage)
        return super().plan(entry, now)


class BlindMatchNotice(RunningGameNotice):
    """A blind match opens."""

    value, label = GameNoticeKind.BLIND, lazy("a blind match opened")
    sentence = lazy("The score is level: a blind match opens (%(who)s).")
    build_headlines = staticmethod(headlines.build_blind_match_headlines)


class TimeoutNotice(SeatNotice):
    """Time was up for the reader or for somebody else."""

    value, label = GameNoticeKind.TIMEOUT, lazy("time was up")
    build_headlines = staticmethod(headlines.build_timeout_headlines)

    def describe(self, delivery: Delivery, game: Game, seat: Seat | None, who: str) -> str:
        outcome, seat_no = delivery.data.get("outcome"), delivery.data.get("seat")
        details = rule_text.build_vacation_step_details() | {"who": who}
        if seat and seat_no == seat.seat_no:
            if outcome == TimeoutOutcome.VACATION:
                return _("Your time was up: %(span)s of your vacation was taken (%(who)s).") % details
            if outcome == TimeoutOutcome.RESIGNED:
                return _("Your time was up: your side has resigned (%(who)s).") % details
            return _("Your time was up: the server played for you (%(who)s).") % details
        names = (seat_name(other_seat) for other_seat in game.seats.all() if other_seat.seat_no == seat_no)
        details |= {"name": next(names, "")}
        if outcome == TimeoutOutcome.VACATION:
            return _("Time was up for %(name)s: %(span)s of vacation was taken.") % details
        if outcome == TimeoutOutcome.RESIGNED:
            return _("Time was up for %(name)s: that side has resigned.") % details
        return _("Time was up for %(name)s: the server played.") % details


class GameOverNotice(SeatNotice):
    """The game is over."""

    value, label = GameNoticeKind.OVER, lazy("a game ended")
    build_headlines = staticmethod(headlines.build_game_over_headlines)

    def describe(self, delivery: Delivery, game: Game, seat: Seat | None, who: str) -> str:
        winner = (game.result or {}).get("winner")
        if game.mode == Game.Mode.SOLO and not winner:
            sentence = _("Your game is over (%(who)s): you lost.")
        elif not winner or not seat or not seat.seat_no:
            sentence = _("Your game is over (%(who)s).")
        elif sides_of(game.mode, game.seat_count)[seat.seat_no] == winner:
            sentence = _("Your game is over (%(who)s): you won.")
        else:
            sentence = _("Your game is over (%(who)s): you lost.")
        return sentence % {"who": who}


class PauseProposedNotice(SeatNotice):
    """Somebody proposes to stop the clocks, or to let them run again."""

    value, label = GameNoticeKind.PAUSE, lazy("A pause is proposed")
    build_headlines = staticmethod(headlines.build_pause_proposed_headlines)


class PauseAgreedNotice(SeatNotice):
    """All have agreed to a pause, or to end it."""

    value, label = GameNoticeKind.PAUSED, lazy("All have agreed to a pause")
    build_headlines = staticmethod(headlines.build_pause_agreed_headlines)


class PauseDeclinedNotice(SeatNotice):
    """Somebody does not agree to a pause."""

    value, label = GameNoticeKind.PAUSE_DECLINED, lazy("No pause")
    build_headlines = staticmethod(headlines.build_pause_declined_headlines)


class CancelledNotice(SeatNotice):
    """An open game was cancelled before it began."""

    value, label = GameNoticeKind.CANCELLED, lazy("a game was cancelled")
    sentence = lazy("The game was cancelled (%(who)s).")

    def compose_mail(self, delivery: Delivery, now: datetime) -> OutgoingEmail:
        code = get_game_code(delivery)
        seat = find_seat_of(delivery.player, code)
        other_players = describe_other_players(seat.game.seats.all(), delivery.player) if seat else ""
        subject = _("Cancelled: OTTO %(who)s") % {"who": other_players}
        lead = [_("The game was given up before it began."), _("Another one is quickly made.")]
        button = (_("See who wants to play"), build_absolute_url("/lobby/"))
        return build_note_email(delivery.player, subject, _("The game was cancelled"), lead, button, code)


class InvitedNotice(GameNotice):
    """Somebody keeps a seat for the reader."""

    value, label = GameNoticeKind.INVITED, lazy("an invitation")
    name_key = "by"

    def find_drop_reason(self, delivery: Delivery, now: datetime) -> str:
        is_open = find_open_invitation(delivery.player, get_game_code(delivery), now)
        return "" if is_open else _("The invitation was answered, or is over.")

    def find_call_drop_reason(self, delivery: Delivery, now: datetime) -> str:
        subject = find_subject(delivery)
        if subject and subject.game.status != Game.Status.OPEN:
            return _("The game does not wait for players any more.")
        return ""

    def compose_mail(self, delivery: Delivery, now: datetime) -> OutgoingEmail:
        invitation = find_open_invitation(delivery.player, get_game_code(delivery), now)
        if invitation is None:
            raise NothingToSend
        placeholders = {"who": invitation.inviter.display_name}
        lead = [
            _("%(who)s asks you to be their partner.") % placeholders
            if invitation.as_partner
            else _("%(who)s keeps a seat for you in a game of OTTO.") % placeholders,
            _("The seat is kept until %(when)s.") % {"when": format_local_time(invitation.game.expires_at)},
            _("If you do not want to play, do nothing."),
        ]
        button = (_("See the game"), build_game_url(invitation.game.code))
        subject = _("%(who)s asks you to a game of OTTO") % placeholders
        if not have_met(delivery.player, invitation.inviter):
            subject = _("You are invited to a game of OTTO")
            lead += compose.build_stranger_opt_out()
        return build_note_email(delivery.player, subject, subject, lead, button, invitation.game.code)

    def summarise(self, delivery: Delivery, now: datetime) -> tuple[str, str]:
        name = str(delivery.data.get("by", ""))
        if delivery.data.get("by_bot"):
            name = _("%(name)s (bot)") % {"name": name}
        text = _("%(name)s asks you to a game.") % {"name": name}
        return text, build_game_url(get_game_code(delivery))


class VacationNotice(NoticeKind):
    """An hour of vacation was taken at a deadline."""

    value, label = GameNoticeKind.VACATION, lazy("vacation was taken")

    def compose_mail(self, delivery: Delivery, now: datetime) -> OutgoingEmail:
        headline = (
            _("Your time was up: %(span)s of your vacation was taken")
            % rule_text.build_vacation_step_details()
        )
        lead = [
            _("You have %(left)s of vacation left. When it is used up, the clocks of your games run on.")
            % {"left": format_duration(timedelta(seconds=delivery.data["left"]))}
        ]
        context_data = {
            "headline": headline,
            "lead": lead,
            "games": compose.list_waiting_games(delivery.player, now),
            "next": build_absolute_url("/next/"),
            "preview": lead[0],
        }
        return build_player_email(
            player=delivery.player, template="list", subject=f"OTTO: {headline}", context_data=context_data
        )

    def summarise(self, delivery: Delivery, now: datetime) -> tuple[str, str]:
        text = (
            _("Your time was up in a game: %(span)s of your vacation was taken.")
            % rule_text.build_vacation_step_details()
        )
        return text, build_absolute_url("/")


class ReplyNotice(SeatNotice):
    """The answer to a mail in which the reader played."""

    value, label = GameNoticeKind.REPLY, lazy("the answer to your mail")
    group, has_webhook_calls = PreferenceGroup.REQUESTED, False

    def find_drop_reason(self, delivery: Delivery, now: datetime) -> str:
        return ""

    def compose_mail(self, delivery: Delivery, now: datetime) -> OutgoingEmail:
        try:
            return compose.build_reply_answer(
                player=delivery.player,
                code=get_game_code(delivery),
                outcome=ReplyResult(delivery.data["outcome"]),
                text=delivery.data["text"],
                now=now,
                in_reply_to=delivery.data["in_reply_to"],
            )
        except NoSuchGame:
            raise NothingToSend from None


NOTICE_KINDS: tuple[NoticeKind, ...] = (
    TurnNotice(),
    StartedNotice(),
    TimeoutNotice(),
    BlindMatchNotice(),
    GameOverNotice(),
    CancelledNotice(),
    InvitedNotice(),
    VacationNotice(),
    PauseProposedNotice(),
    PauseAgreedNotice(),
    PauseDeclinedNotice(),
    REMINDER,
    DIGEST,
    ReplyNotice(),
    MailedInvitationNotice(),
    FeedOnlyNotice(GameNoticeKind.MOVED, lazy("a move")),
    FeedOnlyNotice(GameNoticeKind.SHOOT_OUT),
    FeedOnlyNotice(GameNoticeKind.DECLINED, name_key="name"),
    FeedOnlyNotice(GameNoticeKind.CHAT, name_key="name"),
    FeedOnlyNotice(GameNoticeKind.ORDERS, lazy("a standing order")),
)
