"""Notices: feed entries become mails and webhook calls, followed by reminders while a turn waits."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from django.db import transaction
from django.db.models import CharField, Exists, F, OuterRef, QuerySet, Value
from django.db.models.functions import Cast, Concat
from django.utils import translation
from django.utils.translation import gettext as _

from games import clock, engine, notice_kinds
from games.clock import SeatClock
from games.models import Delivery, FeedEntry, Game, Incident, Player, Seat, Webhook
from games.selectors.deadlines import first_deadline

from . import clocks, webhooks
from .budget import Budget
from .errors import NotFound

logger = logging.getLogger(__name__)
FAN_OUT_BATCH_SIZE = 200
NOTIFIED_KINDS = (
    *("turn", "started", "timeout", "blind", "over", "cancelled", "invited", "vacation"),
    *("pause", "paused", "pause-declined"),
)
TURN_NOTICE_KINDS = ("turn", "reminder", "digest")  # notices that it is the player's turn
RECHECK_AFTER = timedelta(hours=1)  # for stopped clocks without a known end, and failed entries
TEST_MAIL_INTERVAL = timedelta(minutes=1)
MAX_WEBHOOK_ENTRY_AGE = timedelta(minutes=10)  # older entries wait for their mail


def kinds_of_calls() -> list[str]:
    """Every kind of notice that a webhook may be called with, those of other apps last."""
    return [*NOTIFIED_KINDS, "reminder", "test", *notice_kinds.NOTICE_KINDS]


@dataclass(frozen=True)
class FanOutContext:
    """Data that a batch of feed entries needs, read once."""

    now: datetime
    seats_by_game_and_player: dict[tuple[int, int], Seat]  # by game and player
    webhooks_by_player: dict[int, list[Webhook]]  # by player
    incidents: Sequence[Incident]

    def seat_of(self, entry: FeedEntry) -> Seat | None:
        """Return the seat of an entry's player."""
        return self.seats_by_game_and_player.get((entry.game_id or 0, entry.player_id))


# ------------------------------------------------------------------------------------------------ fan-out


def fan_out_all_notices(*, now: datetime, budget: Budget) -> int:
    """Fan out all due feed entries in batches within the budget. Returns how many."""
    entry_count = 0
    while batch_count := fan_out_notices(now=now):
        entry_count += batch_count
        if not budget.allows_more():
            break
    return entry_count


@transaction.atomic
def fan_out_notices(*, now: datetime, limit: int = FAN_OUT_BATCH_SIZE) -> int:
    """Create deliveries for due feed entries and set their next reminder times. Returns how many entries.

    Steps:
    1. Lock a batch of due entries, skipping those locked by other workers.
    2. Read the seats, webhooks and incidents that they need.
    3. Plan each entry; a failing one is logged and rescheduled.
    4. Create the deliveries, ignoring those that exist, and save the entries.

    Safe to run concurrently; a crash rolls the transaction back.
    """
    # On SQLite the transaction holds the only write lock.
    due_entries = (
        FeedEntry.objects.filter(due_at__lte=now)
        .select_for_update(skip_locked=True, of=("self",))
        .select_related("player", "game__secret")
        .defer("answer", "game__opening", "game__secret__server_seed")
        .order_by("due_at", "pk")
    )
    entries = list(due_entries[:limit])
    if not entries:
        return 0
    context = load_fan_out_context(entries, now)
    new_deliveries: list[Delivery] = []
    for entry in entries:
        try:
            entry_deliveries, entry.due_at, entry.stage = plan_notice(entry, context)
            new_deliveries += entry_deliveries
        except Exception:
            # One broken game must not stop other notices.
            logger.exception("event %s could not be told", entry.pk)
            entry.due_at = now + RECHECK_AFTER
    Delivery.objects.bulk_create(new_deliveries, ignore_conflicts=True)
    FeedEntry.objects.bulk_update(entries, ["due_at", "stage"])
    return len(entries)


def fan_out_webhook_calls(*, now: datetime, budget: Budget) -> None:
    """Create webhook calls for entries whose mails are delayed by a moment or by quiet hours.

    The entries stay unchanged; when their mails are due, the existing calls are skipped.
    """
    last_id = 0
    # Older entries wait for their mail: those without a call would be read again in every run.
    recent_entries = find_uncalled_entries().filter(at__gte=now - MAX_WEBHOOK_ENTRY_AGE)
    while entries := list(recent_entries.filter(pk__gt=last_id)[:FAN_OUT_BATCH_SIZE]):
        context = load_fan_out_context(entries, now)
        webhook_calls = [
            delivery
            for entry in entries
            for delivery in plan_deliveries_safely(entry, context)
            if delivery.webhook and delivery.webhook.preset == Webhook.Preset.JSON
        ]
        Delivery.objects.bulk_create(webhook_calls, ignore_conflicts=True)
        last_id = entries[-1].pk
        if not budget.allows_more():
            break


def find_uncalled_entries() -> QuerySet[FeedEntry]:
    """Return entries waiting for their notice, of players with a JSON webhook not called yet."""
    dedup_key = Concat(Value("w"), Cast(OuterRef("webhook_id"), CharField()), Value(":"), OuterRef("reason"))
    return (
        FeedEntry.objects.filter(
            due_at__isnull=False,
            stage=0,
            player__webhooks__active=True,
            player__webhooks__preset=Webhook.Preset.JSON,
        )
        .annotate(webhook_id=F("player__webhooks"))
        .exclude(Exists(Delivery.objects.filter(player=OuterRef("player"), reason=dedup_key)))
        .select_related("player", "game__secret")
        .defer("answer", "game__opening", "game__secret__server_seed")
        .order_by("pk")
    )


def plan_deliveries_safely(entry: FeedEntry, context: FanOutContext) -> list[Delivery]:
    """Plan an entry and return its deliveries; a failing entry is logged and gives none."""
    try:
        return plan_notice(entry, context)[0]
    except Exception:
        logger.exception("event %s could not be told", entry.pk)
        return []


def load_fan_out_context(entries: Iterable[FeedEntry], now: datetime) -> FanOutContext:
    """Read seats, webhooks and incidents for a batch of entries."""
    player_ids = {entry.player_id for entry in entries}
    seats = Seat.objects.filter(game__in={entry.game_id for entry in entries}, player__in=player_ids)
    webhooks_by_player: dict[int, list[Webhook]] = defaultdict(list)
    for webhook in Webhook.objects.filter(player__in=player_ids, active=True).order_by("pk"):
        webhooks_by_player[webhook.player_id].append(webhook)
    seats_by_game_and_player = {(seat.game_id, seat.player_id): seat for seat in seats if seat.player_id}
    return FanOutContext(
        now, seats_by_game_and_player, webhooks_by_player, clocks.load_unprocessed_incidents()
    )


def plan_notice(entry: FeedEntry, context: FanOutContext) -> tuple[list[Delivery], datetime | None, int]:
    """Plan an entry: return its deliveries, when to look at it again, and its next notice stage."""
    seat = context.seat_of(entry)
    if entry.kind == "turn":
        return plan_turn_notice(entry, seat, context)
    is_new = entry.stage == 0 and (entry.kind in NOTIFIED_KINDS or entry.kind in notice_kinds.NOTICE_KINDS)
    if (
        entry.kind == "started"
        and entry.game
        and seat
        and seat.number
        and is_seat_to_act(entry.game, seat.number)
    ):
        is_new = False  # their turn has a notice of its own
    new_deliveries = build_deliveries(entry, entry.kind, entry.reason, seat, context) if is_new else []
    return new_deliveries, None, entry.stage


def plan_turn_notice(
    entry: FeedEntry, seat: Seat | None, context: FanOutContext
) -> tuple[list[Delivery], datetime | None, int]:
    """Plan the entry of a turn: one notice, then reminders while the turn waits.

    Steps:
    1. Drop the entry if the seat is no longer at that turn.
    2. At the first stages, create the turn notice and schedule the first reminder.
    3. Later, send the reminder, or postpone it if clocks have been stopped since.
    4. If clocks are stopped without a known end, check again after RECHECK_AFTER.
    """
    game, now = entry.game, context.now
    if game is None or seat is None or seat.number is None:
        return [], None, entry.stage
    seat_clock = find_waiting_clock(game, seat.number, entry.data["seq"])
    if seat_clock is None:
        return [], None, entry.stage
    times = compute_reminder_times(game, entry.player, seat_clock, context)
    later_times = [at for at in times if at > now]
    new_deliveries: list[Delivery] = []
    if entry.stage < 2:
        if entry.stage == 0:
            new_deliveries = build_deliveries(entry, "turn", entry.reason, seat, context)
        notice_stage = 3 if len(later_times) < len(times) else 2
        notify_at = later_times[0] if later_times else None
    else:
        # Clocks may have been stopped since: the reminder is postponed accordingly.
        pending_times = times[:1] if entry.stage == 2 else times[-1:]
        if pending_times and pending_times[0] > now:
            return [], pending_times[0], entry.stage
        if pending_times:
            dedup_key = f"{entry.reason}:reminder:{entry.stage - 1}"
            new_deliveries = build_deliveries(entry, "reminder", dedup_key, seat, context)
        notify_at = later_times[0] if later_times and entry.stage == 2 else None
        notice_stage = 3
    if not times and is_clock_stopped(game, entry.player, context):
        return new_deliveries, now + RECHECK_AFTER, max(entry.stage, 2)
    return new_deliveries, notify_at, notice_stage


def find_waiting_clock(game: Game, seat_no: int, turn: int) -> SeatClock | None:
    """Return the clock of a seat that is still at that turn, or None."""
    if game.status != Game.Status.RUNNING:
        return None
    seat_clock = clocks.seat_clock_of(game, seat_no)
    return seat_clock if seat_clock.is_on_turn and seat_clock.turn_seq == turn else None


def is_seat_to_act(game: Game, seat_no: int) -> bool:
    """Return whether a seat is to act."""
    return game.status == Game.Status.RUNNING and bool(game.to_act >> seat_no & 1)


def compute_reminder_times(
    game: Game, player: Player, seat_clock: SeatClock, context: FanOutContext
) -> list[datetime]:
    """Return a turn's reminder times, moved out of quiet hours unless the deadline would pass first."""
    match_kind = engine.load_state(game.secret.state).match_kind
    calendar = clocks.build_calendar(game, player, context.incidents, seat_clock)
    allowance = clocks.turn_allowance_of(game, match_kind)
    times = clock.reminder_times(
        seat_clock,
        allowance=allowance,
        calendar=calendar,
        used_percent=player.remind_used,
        left_percent=player.remind_left,
        round_ends_at=game.round_ends_at,
    )
    if allowance < clock.LIVE_ALLOWANCE_SECONDS:
        return times
    deadline = first_deadline(game, clock.deadline_of(seat_clock, calendar))
    quiet_hours = clocks.build_quiet_calendar(player)
    loud_times = {at: clock.next_loud_time(at, quiet_hours) for at in times}
    return sorted({at if deadline and loud_times[at] >= deadline else loud_times[at] for at in times})


def is_clock_stopped(game: Game, player: Player, context: FanOutContext) -> bool:
    """Return whether reminders have no time because the clock is stopped without a known end."""
    wants_reminders = player.remind_used is not None or player.remind_left is not None
    return (
        wants_reminders and clocks.build_calendar(game, player, context.incidents).open_ended_from is not None
    )


# ------------------------------------------------------------------------------------ deliveries of one entry


def build_deliveries(
    entry: FeedEntry, kind: str, dedup_key: str, seat: Seat | None, context: FanOutContext
) -> list[Delivery]:
    """Build the mail, as the player prefers, and a call for each of their webhooks."""
    player, now = entry.player, context.now
    if (seat and seat.muted) or not player.is_active:
        return []
    new_deliveries = [
        Delivery(
            player=player,
            game_id=entry.game_id,
            webhook=webhook,
            kind=kind,
            reason=f"w{webhook.pk}:{dedup_key}",
            data=entry.data,
            made_at=now,
            due_at=now,
            address=webhooks.webhook_host_of(webhook),
        )
        for webhook in context.webhooks_by_player.get(player.pk, ())
    ]
    mail = build_mail(player, kind, build_mail_dedup_key(entry, dedup_key), now)
    if mail:
        mail.game_id = mail.game_id if mail.kind == "digest" else entry.game_id
        mail.data = {} if mail.kind == "digest" else entry.data
        new_deliveries.append(mail)
    return new_deliveries


def build_mail_dedup_key(entry: FeedEntry, dedup_key: str) -> str:
    """Return the dedup key of a mail; several entries of another app may share one."""
    notice_kind = notice_kinds.NOTICE_KINDS.get(entry.kind)
    return notice_kind.group_key(entry) if notice_kind else dedup_key


def build_mail(player: Player, kind: str, dedup_key: str, now: datetime) -> Delivery | None:
    """Build the mail for a notice, or return None if the player wants none."""
    frequency, send_at = player.mails, now
    if not notice_kinds.wants_mail_of_kind(player, kind):
        return None
    if kind == "turn" and frequency == Player.MailFrequency.UNTIL_SEEN and has_unseen_mail(player):
        return None
    if kind == "turn" and frequency == Player.MailFrequency.DIGEST:
        day, send_at = compute_next_digest(player, now)
        kind, dedup_key = "digest", f"digest:{day.isoformat()}"
    mail = Delivery(
        player=player, kind=kind, reason=dedup_key, made_at=now, due_at=send_at, address=player.email
    )
    if player.dead_at:
        mail.status, mail.due_at, mail.why = Delivery.Status.DROPPED, None, describe_bounce(player)
    return mail


def has_unseen_mail(player: Player) -> bool:
    """Return whether a mail was sent since the player was last seen."""
    return player.mailed_at is not None and (player.seen_at is None or player.seen_at < player.mailed_at)


def compute_next_digest(player: Player, now: datetime) -> tuple[date, datetime]:
    """Return the day and the time of a player's next digest."""
    zone = clock.load_zone(player.time_zone)
    day = now.astimezone(zone).date()
    while (at := clock.local_to_utc(day, time(player.digest_hour), zone)) <= now:
        day += timedelta(days=1)
    return day, at


def describe_bounce(player: Player) -> str:
    """Describe, in the player's language, why no mail is sent to their bounced address."""
    with translation.override(player.language):
        return (_("Your address takes no mail: %(why)s") % {"why": player.dead_why})[:300]


# ------------------------------------------------------------------------------------------ mail preferences


def create_test_mail(*, player: Player, now: datetime) -> Delivery:
    """Create a test mail, at most one a minute: repeated requests return the same one."""
    minute = int(now.timestamp() // TEST_MAIL_INTERVAL.total_seconds())
    delivery, _created = Delivery.objects.get_or_create(
        player=player,
        reason=f"test:{minute}",
        defaults={"kind": "test", "made_at": now, "due_at": now, "address": player.email},
    )
    return delivery


def mark_email_bounced(*, player: Player, reason: str, now: datetime) -> None:
    """Mark a player's address as bounced: no mail is sent, and the player sees the reason. Games go on."""
    Player.objects.filter(pk=player.pk, dead_at=None).update(
        dead_at=now, dead_why=" ".join(reason.split())[:200]
    )


def clear_email_bounce(*, player: Player, now: datetime) -> None:
    """Clear the bounce mark when the player says that their address works again."""
    Player.objects.filter(pk=player.pk).update(dead_at=None, dead_why="")


def unsubscribe_from_mails(*, mail_token: str, now: datetime) -> Player:
    """Turn off mails of the player with this mail token. Raises NotFound."""
    return set_mail_frequency(mail_token, Player.MailFrequency.NONE)


def resubscribe_to_mails(*, mail_token: str, now: datetime) -> Player:
    """Turn on mails again, one for each turn. Raises NotFound."""
    return set_mail_frequency(mail_token, Player.MailFrequency.EACH_TURN)


def set_mail_frequency(mail_token: str, frequency: str) -> Player:
    """Set the mail frequency of the player with this mail token. Raises NotFound."""
    player = Player.objects.filter(mail_key=mail_token, is_active=True).first() if mail_token else None
    if player is None:
        raise NotFound(_("There is no such player."))
    Player.objects.filter(pk=player.pk).update(mails=frequency)
    player.mails = frequency
    return player


def set_game_muted(
    *, code: str, muted: bool, now: datetime, player: Player | None = None, mail_token: str = ""
) -> Seat:
    """Mute or unmute a game for a player, given directly or by mail token. Raises NotFound."""
    seats = Seat.objects.filter(game__code=code).select_related("game", "player")
    if player is not None:
        seat = seats.filter(player=player).first()
    else:
        seat = (
            seats.filter(player__mail_key=mail_token, player__is_active=True).first() if mail_token else None
        )
    if seat is None:
        raise NotFound(_("There is no such game."))
    if not Seat.objects.filter(pk=seat.pk, player=seat.player_id).update(muted=muted):
        raise NotFound(_("There is no such game."))  # the seat was handed over meanwhile
    seat.muted = muted
    return seat
