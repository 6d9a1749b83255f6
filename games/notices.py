"""The notice kinds of games, one class each."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from accounts.selectors.contacts import have_met, is_refused_address
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
from games.mail import compose, headlines, invitation_mails
from games.mail.game_context import format_local_time
from games.models import Game, Seat
from games.permissions import find_invitation_refusal
from games.selectors import NoSuchGame, seat_name
from games.selectors.notices import find_open_invitation, find_seat_of
from games.selectors.waiting_turns import describe_other_players
from games.services import invitations
from games.services.replies import ReplyResult
from games.turn_notices import DIGEST, REMINDER, TurnNotice
from notifications.channels.email.message import build_note_email, build_player_email
from notifications.models import Delivery, FeedEntry
from notifications.notice_kinds import FeedOnlyNotice, NothingToSend, NoticeKind, NoticePlan, PreferenceGroup
from notifications.outgoing_email import OutgoingEmail


class RunningGameNotice(SeatNotice):
    """A notice that is obsolete once the game does not run."""

    def find_seat_drop_reason(self, delivery: Delivery, seat: Seat) -> str:
        return "" if seat.game.is_running else _("The game has moved on.")


class StartedNotice(RunningGameNotice):
    """The game has begun; who is to act gets the notice of their turn instead."""

    value, label = GameNoticeKind.STARTED, lazy("start of a game")
    sentence = lazy("Your game %(who)s has begun.")
    build_headlines = staticmethod(headlines.build_game_started_headlines)

    def plan(self, entry: FeedEntry, now: datetime) -> NoticePlan:
        """Plan a notice at once, unless the player is to act."""
        subject, seat = find_subject(entry), find_seat(entry)
        if subject and seat and seat.seat_no and subject.game.is_turn_of(seat.seat_no):
            return NoticePlan(None, None, entry.notice_stage)
        return super().plan(entry, now)


class BlindMatchNotice(RunningGameNotice):
    """A blind match opens."""

    value, label = GameNoticeKind.BLIND, lazy("blind match")
    sentence = lazy("The score is level: a blind match decides your game %(who)s.")
    build_headlines = staticmethod(headlines.build_blind_match_headlines)


class TimeoutNotice(SeatNotice):
    """Time was up for the reader or for somebody else."""

    value, label = GameNoticeKind.TIMEOUT, lazy("time ran out")
    build_headlines = staticmethod(headlines.build_timeout_headlines)

    def describe(self, delivery: Delivery, game: Game, seat: Seat | None, who: str) -> str:
        outcome, seat_no = delivery.data.get("outcome"), delivery.data.get("seat")
        details = rule_text.build_vacation_step_details() | {"who": who}
        if seat and seat_no == seat.seat_no:
            if outcome == TimeoutOutcome.VACATION:
                return (
                    _("Your time ran out in the game %(who)s, so we used %(span)s of your vacation.")
                    % details
                )
            if outcome == TimeoutOutcome.RESIGNED:
                return _("Your time ran out in the game %(who)s. Your side has resigned.") % details
            return _("Your time ran out in the game %(who)s. We played for you.") % details
        names = (seat_name(other_seat) for other_seat in game.seats.all() if other_seat.seat_no == seat_no)
        details |= {"name": next(names, "")}
        if outcome == TimeoutOutcome.VACATION:
            return _("Time ran out for %(name)s, so we used %(span)s of their vacation.") % details
        if outcome == TimeoutOutcome.RESIGNED:
            return _("Time ran out for %(name)s. Their side has resigned.") % details
        return _("Time ran out for %(name)s. We played for them.") % details


class GameOverNotice(SeatNotice):
    """The game is over."""

    value, label = GameNoticeKind.OVER, lazy("end of a game")
    build_headlines = staticmethod(headlines.build_game_over_headlines)

    def describe(self, delivery: Delivery, game: Game, seat: Seat | None, who: str) -> str:
        winner = (game.result or {}).get("winner")
        if game.mode == Game.Mode.SOLO and not winner:
            sentence = _("Your game %(who)s is over: you lost.")
        elif not winner or not seat or not seat.seat_no:
            sentence = _("Your game %(who)s is over.")
        elif sides_of(game.mode, game.seat_count)[seat.seat_no] == winner:
            sentence = _("Your game %(who)s is over: you won.")
        else:
            sentence = _("Your game %(who)s is over: you lost.")
        return sentence % {"who": who}


class PauseProposedNotice(SeatNotice):
    """Somebody proposes to stop the clocks, or to let them run again."""

    value, label = GameNoticeKind.PAUSE, lazy("proposed pause")
    build_headlines = staticmethod(headlines.build_pause_proposed_headlines)

    def describe(self, delivery: Delivery, game: Game, seat: Seat | None, who: str) -> str:
        details = {"name": delivery.data.get("by", ""), "who": who}
        if delivery.data.get("stops_clocks"):
            return _("%(name)s proposes a pause in your game %(who)s.") % details
        return _("%(name)s proposes to end the pause in your game %(who)s.") % details


class PauseAgreedNotice(SeatNotice):
    """All have agreed to a pause, or to end it."""

    value, label = GameNoticeKind.PAUSED, lazy("agreed pause")
    build_headlines = staticmethod(headlines.build_pause_agreed_headlines)

    def describe(self, delivery: Delivery, game: Game, seat: Seat | None, who: str) -> str:
        if delivery.data.get("stops_clocks"):
            return _("Everybody agreed to a pause in your game %(who)s.") % {"who": who}
        return _("The clocks are running again in your game %(who)s.") % {"who": who}


class PauseDeclinedNotice(SeatNotice):
    """Somebody does not agree to a pause."""

    value, label = GameNoticeKind.PAUSE_DECLINED, lazy("declined pause proposal")
    build_headlines = staticmethod(headlines.build_pause_declined_headlines)

    def describe(self, delivery: Delivery, game: Game, seat: Seat | None, who: str) -> str:
        details = {"name": delivery.data.get("by", ""), "who": who}
        return _("%(name)s declined the pause proposal in your game %(who)s.") % details


class CancelledNotice(SeatNotice):
    """An open game was cancelled before it began."""

    value, label = GameNoticeKind.CANCELLED, lazy("cancelled game")
    sentence = lazy("Your game %(who)s was cancelled.")

    def compose_mail(self, delivery: Delivery, now: datetime) -> OutgoingEmail:
        code = get_game_code(delivery)
        seat = find_seat_of(delivery.player, code)
        other_players = describe_other_players(seat.game.seats.all(), delivery.player) if seat else ""
        subject = _("Your game %(who)s was cancelled") % {"who": other_players}
        lead = [_("It had not begun yet."), _("Start a new game, or join an open one.")]
        button = (_("See open games"), build_absolute_url("/lobby/"))
        return build_note_email(delivery.player, subject, _("The game was cancelled"), lead, button, code)


class InvitedNotice(GameNotice):
    """Somebody keeps a seat for the reader."""

    value, label = GameNoticeKind.INVITED, lazy("invitation")
    name_key = "by"

    def find_drop_reason(self, delivery: Delivery, now: datetime) -> str:
        is_open = find_open_invitation(delivery.player, get_game_code(delivery), now)
        return "" if is_open else _("The invitation is answered or has expired.")

    def find_call_drop_reason(self, delivery: Delivery, now: datetime) -> str:
        subject = find_subject(delivery)
        if subject and not subject.game.is_open:
            return _("The game is no longer waiting for players.")
        return ""

    def compose_mail(self, delivery: Delivery, now: datetime) -> OutgoingEmail:
        invitation = find_open_invitation(delivery.player, get_game_code(delivery), now)
        if invitation is None:
            raise NothingToSend
        placeholders = {"who": invitation.inviter.display_name}
        lead = [
            _("%(who)s invites you to be their partner.") % placeholders
            if invitation.as_partner
            else _("%(who)s has saved you a seat in a game of OTTO.") % placeholders,
            _("We are holding your seat until %(when)s.")
            % {"when": format_local_time(invitation.game.expires_at)},
            _("If you do not want to play, ignore this mail."),
        ]
        button = (_("See the game"), build_game_url(invitation.game.code))
        subject = _("%(who)s invites you to play OTTO") % placeholders
        if not have_met(delivery.player, invitation.inviter):
            subject = _("You are invited to play OTTO")
            lead += compose.build_stranger_opt_out()
        return build_note_email(delivery.player, subject, subject, lead, button, invitation.game.code)

    def summarise(self, delivery: Delivery, now: datetime) -> tuple[str, str]:
        name = str(delivery.data.get("by", ""))
        if delivery.data.get("by_bot"):
            name = _("%(name)s (bot)") % {"name": name}
        text = _("%(name)s invites you to play OTTO.") % {"name": name}
        return text, build_game_url(get_game_code(delivery))


class MailedInvitationNotice(NoticeKind):
    """An invitation to an address, in the inviter's language; the delivery's player is the inviter."""

    value, label = GameNoticeKind.MAILED_INVITATION, lazy("invitation")
    group, has_webhook_calls, goes_to_player = PreferenceGroup.REQUESTED, False, False

    def find_drop_reason(self, delivery: Delivery, now: datetime) -> str:
        invitation = invitation_mails.find_invitation(delivery)
        if invitation is None or find_invitation_refusal(invitation, now):
            return _("The invitation is answered or has expired.")
        return (
            _("The owner of this address has stopped our mails.")
            if is_refused_address(invitation.email)
            else ""
        )

    def handle_unsent(self, delivery: Delivery) -> None:
        """Give the invitation up: the seat is free, and the host sees the reason."""
        invitations.mark_invitation_lost(delivery=delivery)

    def compose_mail(self, delivery: Delivery, now: datetime) -> OutgoingEmail:
        invitation = invitation_mails.find_invitation(delivery)
        if invitation is None:
            raise NothingToSend
        with timezone.override(UTC):
            return invitation_mails.compose_invitation(invitation)

    def summarise(self, delivery: Delivery, now: datetime) -> tuple[str, str]:
        return str(self.label), build_absolute_url("/")


class VacationNotice(NoticeKind):
    """An hour of vacation was taken at a deadline."""

    value, label = GameNoticeKind.VACATION, lazy("vacation used")

    def compose_mail(self, delivery: Delivery, now: datetime) -> OutgoingEmail:
        headline = _("%(span)s of your vacation used") % rule_text.build_vacation_step_details()
        time_left = timedelta(seconds=delivery.data["left"])
        lead = [
            _("Your time ran out in a game."),
            _("You have %(left)s of vacation left. Once it is used up, timeouts count.")
            % {"left": format_duration(time_left)}
            if time_left
            else _("You have no vacation left. From now on, timeouts count."),
        ]
        context_data = {
            "headline": headline,
            "lead": lead,
            "games": compose.list_waiting_games(delivery.player, now),
            "preview": " ".join(lead),
        }
        return build_player_email(
            player=delivery.player, template="list", subject=f"OTTO: {headline}", context_data=context_data
        )

    def summarise(self, delivery: Delivery, now: datetime) -> tuple[str, str]:
        text = (
            _("Your time ran out in a game, so we used %(span)s of your vacation.")
            % rule_text.build_vacation_step_details()
        )
        return text, build_absolute_url("/")


class ReplyNotice(SeatNotice):
    """The answer to a mail in which the reader played."""

    value, label = GameNoticeKind.REPLY, lazy("answer to your mail")
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
    FeedOnlyNotice(GameNoticeKind.MOVED, lazy("move")),
    FeedOnlyNotice(GameNoticeKind.SHOOT_OUT),
    FeedOnlyNotice(GameNoticeKind.DECLINED, name_key="name"),
    FeedOnlyNotice(GameNoticeKind.CHAT, name_key="name"),
    FeedOnlyNotice(GameNoticeKind.ORDERS, lazy("standing order")),
)
