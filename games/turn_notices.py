"""Notices that it is a player's turn: at once or in a daily mail, then reminders while the turn waits."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta

from django.utils import translation
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from accounts.models import Player
from common.site_urls import build_absolute_url
from games import clock, engine
from games.clock import SeatClock
from games.deadline_format import format_deadline_sentence
from games.game_notice import SeatNotice, find_seat, find_subject
from games.game_notice_kinds import GameNoticeKind
from games.mail import headlines
from games.mail.compose import list_waiting_games
from games.mail.game_context import GameContext
from games.models import Game, Incident, Seat
from games.selectors.clocks import build_calendar, build_quiet_calendar, seat_clock_of, turn_allowance_of
from games.selectors.deadlines import first_deadline
from games.selectors.notices import GameSubject, list_unmuted_seats_on_turn
from games.selectors.turns import is_current_turn, time_left_for
from notifications.channels.email.message import build_player_email
from notifications.models import Delivery, FeedEntry
from notifications.notice_kinds import (
    NothingToSend,
    NoticeKind,
    NoticePlan,
    PreferenceGroup,
    PushUrgency,
)
from notifications.outgoing_email import OutgoingEmail
from notifications.services.notices import RECHECK_AFTER

NoticeStage = FeedEntry.NoticeStage


class SingleTurnNotice(SeatNotice):
    """A notice about one turn, obsolete when that turn has passed."""

    group = PreferenceGroup.TURNS

    def find_seat_drop_reason(self, delivery: Delivery, seat: Seat) -> str:
        return "" if is_current_turn(seat, delivery.data["seq"]) else _("The turn is over.")

    def fits_game(self, delivery: Delivery, game_context: GameContext) -> bool:
        return game_context.turn == delivery.data["seq"]

    def find_call_drop_reason(self, delivery: Delivery, now: datetime) -> str:
        seat = find_seat(delivery)
        is_on_turn = seat and seat.seat_no and is_current_turn(seat, delivery.data.get("seq", 0))
        return "" if is_on_turn else _("The turn is over.")

    def summarise(self, delivery: Delivery, now: datetime) -> tuple[str, str]:
        text, url = super().summarise(delivery, now)
        seat = find_seat(delivery)
        remaining = time_left_for(seat, now) if seat and seat.seat_no else None
        if remaining and remaining.deadline:
            text += " " + format_deadline_sentence(remaining.deadline, remaining.round_end)
        return text, url


class ReminderNotice(SingleTurnNotice):
    """A reminder of a turn that still waits."""

    value, label = GameNoticeKind.REMINDER, lazy("reminder of your turn")
    sentence = lazy("It is still your turn %(who)s.")
    push_urgency = PushUrgency.HIGH
    build_headlines = staticmethod(headlines.build_reminder_headlines)


class DigestNotice(NoticeKind):
    """The daily list of waiting turns, instead of a mail for each."""

    value, label, group = GameNoticeKind.DIGEST, lazy("daily mail"), PreferenceGroup.TURNS
    has_webhook_calls = False

    def find_drop_reason(self, delivery: Delivery, now: datetime) -> str:
        return "" if list_unmuted_seats_on_turn(delivery.player) else _("No game is waiting for you.")

    def compose_mail(self, delivery: Delivery, now: datetime) -> OutgoingEmail:
        games = list_waiting_games(delivery.player, now)
        if not games:
            raise NothingToSend
        game_count = len(games)
        headline = translation.ngettext(
            "%(n)d game is waiting for you", "%(n)d games are waiting for you", game_count
        ) % {"n": game_count}
        context_data = {
            "headline": headline,
            "lead": [],
            "games": games,
            "preview": capfirst(", ".join(game["other_names"] for game in games)),
        }
        return build_player_email(
            player=delivery.player, template="list", subject=f"OTTO: {headline}", context_data=context_data
        )

    def summarise(self, delivery: Delivery, now: datetime) -> tuple[str, str]:
        return str(self.label), build_absolute_url("/next/")


REMINDER, DIGEST = ReminderNotice(), DigestNotice()


class TurnNotice(SingleTurnNotice):
    """It is the player's turn."""

    value, label = GameNoticeKind.TURN, lazy("your turn")
    sentence = lazy("It is your turn %(who)s.")
    build_headlines = staticmethod(headlines.build_turn_headlines)

    def plan(self, entry: FeedEntry, now: datetime) -> NoticePlan:
        """Plan the entry of a turn: one notice, then reminders while the turn waits.

        Steps:
        1. Drop the entry if the seat is no longer at that turn.
        2. At the first stages, create the turn notice and schedule the first reminder.
        3. Later, send the reminder, or postpone it if clocks have been stopped since.
        4. If clocks are stopped without a known end, check again after RECHECK_AFTER.
        """
        subject, seat = find_subject(entry), find_seat(entry)
        if subject is None or seat is None or seat.seat_no is None:
            return NoticePlan(None, None, entry.notice_stage)
        seat_clock = find_waiting_clock(subject.game, seat.seat_no, entry.data["seq"])
        if seat_clock is None:
            return NoticePlan(None, None, entry.notice_stage)
        times = compute_reminder_times(subject, entry.player, seat_clock)
        later_times = [at for at in times if at > now]
        notice: NoticeKind | None = None
        dedup_suffix = ""
        is_reminder_next = entry.notice_stage in FeedEntry.REMINDER_STAGES
        if is_reminder_next:
            is_first_reminder = entry.notice_stage == NoticeStage.FIRST_REMINDER
            # Clocks may have been stopped since: the reminder is postponed accordingly.
            pending_times = times[:1] if is_first_reminder else times[-1:]
            if pending_times and pending_times[0] > now:
                return NoticePlan(None, pending_times[0], entry.notice_stage)
            if pending_times:
                notice, dedup_suffix = REMINDER, f":reminder:{1 if is_first_reminder else 2}"
            notify_at = later_times[0] if later_times and is_first_reminder else None
            notice_stage = NoticeStage.LAST_REMINDER
        else:
            notice = self if entry.notice_stage == NoticeStage.PENDING else None
            is_reminder_past = len(later_times) < len(times)
            notify_at = later_times[0] if later_times else None
            notice_stage = NoticeStage.LAST_REMINDER if is_reminder_past else NoticeStage.FIRST_REMINDER
        if not times and is_clock_stopped(subject.game, entry.player, subject.incidents):
            stage_after = entry.notice_stage if is_reminder_next else NoticeStage.FIRST_REMINDER
            return NoticePlan(notice, now + RECHECK_AFTER, stage_after, dedup_suffix)
        return NoticePlan(notice, notify_at, notice_stage, dedup_suffix)

    def build_mail(self, entry: FeedEntry, dedup_suffix: str, now: datetime) -> Delivery | None:
        """Build the mail as the player prefers: at once, in the daily mail, or none until they come back."""
        player = entry.player
        if self.is_single_mail(player) and has_unseen_mail(player):
            return None
        mail = super().build_mail(entry, dedup_suffix, now)
        if mail and player.mail_frequency == Player.MailFrequency.DIGEST:
            day, mail.next_attempt_at = compute_next_digest(player, now)
            mail.kind, mail.dedup_key = DIGEST.value, f"digest:{day.isoformat()}"
            mail.topic, mail.data = "", {}
        return mail

    def is_single_mail(self, player: Player) -> bool:
        return player.mail_frequency == Player.MailFrequency.UNTIL_SEEN


def find_waiting_clock(game: Game, seat_no: int, turn: int) -> SeatClock | None:
    """Return the clock of a seat that is still at that turn, or None."""
    if game.status != Game.Status.RUNNING:
        return None
    seat_clock = seat_clock_of(game, seat_no)
    return seat_clock if seat_clock.is_on_turn and seat_clock.turn_seq == turn else None


def compute_reminder_times(subject: GameSubject, player: Player, seat_clock: SeatClock) -> list[datetime]:
    """Return a turn's reminder times, moved out of quiet hours unless the deadline would pass first."""
    game = subject.game
    match_kind = engine.load_state(game.secrets.state).match_kind
    calendar = build_calendar(game, player, subject.incidents, seat_clock)
    allowance = turn_allowance_of(game, match_kind)
    times = clock.reminder_times(
        seat_clock,
        allowance=allowance,
        calendar=calendar,
        used_percent=player.remind_at_used_percent,
        left_percent=player.remind_at_left_percent,
        round_ends_at=game.round_ends_at,
    )
    if allowance < clock.LIVE_ALLOWANCE_SECONDS:
        return times
    deadline = first_deadline(game, clock.deadline_of(seat_clock, calendar))
    quiet_hours = build_quiet_calendar(player)
    times_outside_quiet_hours = {at: clock.skip_quiet_hours(at, quiet_hours) for at in times}
    return sorted(
        {
            at if deadline and times_outside_quiet_hours[at] >= deadline else times_outside_quiet_hours[at]
            for at in times
        }
    )


def is_clock_stopped(game: Game, player: Player, incidents: Sequence[Incident]) -> bool:
    """Return whether reminders have no time because the clock is stopped without a known end."""
    wants_reminders = player.remind_at_used_percent is not None or player.remind_at_left_percent is not None
    return wants_reminders and build_calendar(game, player, incidents).open_ended_from is not None


def has_unseen_mail(player: Player) -> bool:
    """Return whether a mail was sent since the player was last seen."""
    return player.last_turn_mail_at is not None and (
        player.last_seen_at is None or player.last_seen_at < player.last_turn_mail_at
    )


def compute_next_digest(player: Player, now: datetime) -> tuple[date, datetime]:
    """Return the day and the time of a player's next digest."""
    zone = clock.load_zone(player.time_zone)
    day = now.astimezone(zone).date()
    while (at := clock.local_to_utc(day, time(player.digest_hour), zone)) <= now:
        day += timedelta(days=1)
    return day, at
