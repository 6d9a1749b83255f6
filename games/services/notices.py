"""Who is told what, and how: events become deliveries, and reminders follow for as long as a turn waits."""

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

from games import clock, engine, kinds
from games.clock import Watch
from games.models import Delivery, Event, Game, Incident, Player, Seat, Webhook
from games.selectors.deadlines import first_deadline

from . import clocks, webhooks
from .budget import Budget
from .errors import NotFound

log = logging.getLogger(__name__)
BATCH = 200
TOLD = (
    *("turn", "started", "timeout", "blind", "over", "cancelled", "invited", "vacation"),
    *("pause", "paused", "pause-declined"),
)
TURNS = ("turn", "reminder", "digest")  # what tells a player that they are to act
LOOK_AGAIN = timedelta(hours=1)  # at a clock that rests without a known end, and at an event that broke
TESTS_APART = timedelta(minutes=1)
CALL_WITHIN = timedelta(minutes=10)  # programs are called at once for events that are no older


def kinds_of_calls() -> list[str]:
    """Every kind of notice that a webhook may be called with, those of other apps last."""
    return [*TOLD, "reminder", "test", *kinds.ELSEWHERE]


@dataclass(frozen=True)
class Around:
    """What one batch of events needs to know, read at once."""

    now: datetime
    places: dict[tuple[int, int], Seat]  # by game and player
    hooks: dict[int, list[Webhook]]  # by player
    incidents: Sequence[Incident]

    def place(self, event: Event) -> Seat | None:
        """Where the player of an event sits."""
        return self.places.get((event.game_id or 0, event.player_id))


# ------------------------------------------------------------------------------------------------ the outbox


def spread_all(*, now: datetime, budget: Budget) -> int:
    """Make deliveries of all events that are due, batch after batch. Returns how many events."""
    done = 0
    while count := spread(now=now):
        done += count
        if not budget.allows_more():
            break
    return done


@transaction.atomic
def spread(*, now: datetime, limit: int = BATCH) -> int:
    """Make deliveries of events that are due, and set the time of their next reminder. Returns how many.

    Any number may run at once: each takes events that no other one holds. Whoever dies leaves all as it was.
    """
    # On SQLite the transaction holds the only write lock there is.
    due = (
        Event.objects.filter(due_at__lte=now)
        .select_for_update(skip_locked=True, of=("self",))
        .select_related("player", "game__secret")
        .defer("answer", "game__opening", "game__secret__server_seed")
        .order_by("due_at", "pk")
    )
    events = list(due[:limit])
    if not events:
        return 0
    around = read_around(events, now)
    made: list[Delivery] = []
    for event in events:
        try:
            deliveries, event.due_at, event.stage = settle(event, around)
            made += deliveries
        except Exception:
            # One broken game must not keep everybody else's notices.
            log.exception("event %s could not be told", event.pk)
            event.due_at = now + LOOK_AGAIN
    Delivery.objects.bulk_create(made, ignore_conflicts=True)
    Event.objects.bulk_update(events, ["due_at", "stage"])
    return len(events)


def spread_calls(*, now: datetime, budget: Budget) -> None:
    """Make the calls of programs for events whose mails wait a moment or for the morning.

    The events stay as they are; when their mails are due, these calls have been made already.
    """
    last = 0
    # What is older waits for its mail: else what never makes a call would be looked at again and again.
    recent = uncalled_events().filter(at__gte=now - CALL_WITHIN)
    while events := list(recent.filter(pk__gt=last)[:BATCH]):
        around = read_around(events, now)
        calls = [
            delivery
            for event in events
            for delivery in settle_alone(event, around)
            if delivery.webhook and delivery.webhook.preset == Webhook.Preset.JSON
        ]
        Delivery.objects.bulk_create(calls, ignore_conflicts=True)
        last = events[-1].pk
        if not budget.allows_more():
            break


def uncalled_events() -> QuerySet[Event]:
    """Events to be told of which a program of their player has not been called yet, oldest first."""
    reason = Concat(Value("w"), Cast(OuterRef("hook"), CharField()), Value(":"), OuterRef("reason"))
    return (
        Event.objects.filter(
            due_at__isnull=False,
            stage=0,
            player__webhooks__active=True,
            player__webhooks__preset=Webhook.Preset.JSON,
        )
        .annotate(hook=F("player__webhooks"))
        .exclude(Exists(Delivery.objects.filter(player=OuterRef("player"), reason=reason)))
        .select_related("player", "game__secret")
        .defer("answer", "game__opening", "game__secret__server_seed")
        .order_by("pk")
    )


def settle_alone(event: Event, around: Around) -> list[Delivery]:
    """What an event makes now; one that cannot be told makes nothing and keeps no other one waiting."""
    try:
        return settle(event, around)[0]
    except Exception:
        log.exception("event %s could not be told", event.pk)
        return []


def read_around(events: Iterable[Event], now: datetime) -> Around:
    """Seats, webhooks and incidents for a batch."""
    players = {event.player_id for event in events}
    seats = Seat.objects.filter(game__in={event.game_id for event in events}, player__in=players)
    hooks: dict[int, list[Webhook]] = defaultdict(list)
    for hook in Webhook.objects.filter(player__in=players, active=True).order_by("pk"):
        hooks[hook.player_id].append(hook)
    places = {(seat.game_id, seat.player_id): seat for seat in seats if seat.player_id}
    return Around(now, places, hooks, clocks.incidents())


def settle(event: Event, around: Around) -> tuple[list[Delivery], datetime | None, int]:
    """What an event makes now, when to look at it again, and at what stage it will be then."""
    place = around.place(event)
    if event.kind == "turn":
        return settle_turn(event, place, around)
    fresh = event.stage == 0 and (event.kind in TOLD or event.kind in kinds.ELSEWHERE)
    if event.kind == "started" and event.game and place and place.number and to_act(event.game, place.number):
        fresh = False  # somebody was quick: their turn has a notice of its own
    made = deliveries(event, event.kind, event.reason, place, around) if fresh else []
    return made, None, event.stage


def settle_turn(
    event: Event, place: Seat | None, around: Around
) -> tuple[list[Delivery], datetime | None, int]:
    """The same for a turn: it is told once, then its player is reminded while it waits."""
    game, now = event.game, around.now
    if game is None or place is None or place.number is None:
        return [], None, event.stage
    watch = waiting(game, place.number, event.data["seq"])
    if watch is None:
        return [], None, event.stage
    times = reminder_times(game, event.player, watch, around)
    later = [at for at in times if at > now]
    made: list[Delivery] = []
    if event.stage < 2:
        if event.stage == 0:
            made = deliveries(event, "turn", event.reason, place, around)
        stage = 3 if len(later) < len(times) else 2
        due = later[0] if later else None
    else:
        # Clocks may have rested since this time was set: the reminder then comes as much later.
        pending = times[:1] if event.stage == 2 else times[-1:]
        if pending and pending[0] > now:
            return [], pending[0], event.stage
        if pending:
            reason = f"{event.reason}:reminder:{event.stage - 1}"
            made = deliveries(event, "reminder", reason, place, around)
        due = later[0] if later and event.stage == 2 else None
        stage = 3
    if not times and clock_rests(game, event.player, around):
        return made, now + LOOK_AGAIN, max(event.stage, 2)
    return made, due, stage


def waiting(game: Game, seat: int, turn: int) -> Watch | None:
    """The watch of a seat that is still at that very turn, else None."""
    if game.status != Game.Status.RUNNING:
        return None
    watch = clocks.watch_of(game, seat)
    return watch if watch.on and watch.turn == turn else None


def to_act(game: Game, seat: int) -> bool:
    """Whether a seat is to act."""
    return game.status == Game.Status.RUNNING and bool(game.to_act >> seat & 1)


def reminder_times(game: Game, player: Player, watch: Watch, around: Around) -> list[datetime]:
    """When a player is to be reminded of a turn: after quiet hours, unless the game would be lost by then."""
    kind = engine.load(game.secret.state).kind
    rests = clocks.calendar(game, player, around.incidents, watch)
    length = clocks.allowance(game, kind)
    times = clock.reminders(
        watch,
        allowance=length,
        calendar=rests,
        used=player.remind_used,
        left=player.remind_left,
        round_ends=game.round_ends_at,
    )
    if length < clock.LIVE:
        return times
    end = first_deadline(game, clock.deadline(watch, rests))
    quiet = clocks.quiet(player)
    loud = {at: clock.loud(at, quiet) for at in times}
    return sorted({at if end and loud[at] >= end else loud[at] for at in times})


def clock_rests(game: Game, player: Player, around: Around) -> bool:
    """Whether no reminder has a time because nobody knows yet when the clock will run again."""
    wanted = player.remind_used is not None or player.remind_left is not None
    return wanted and clocks.calendar(game, player, around.incidents).endless is not None


# -------------------------------------------------------------------------------------------- one notice


def deliveries(event: Event, kind: str, reason: str, place: Seat | None, around: Around) -> list[Delivery]:
    """A mail, as the player wants it, and a call of each of their webhooks."""
    player, now = event.player, around.now
    if (place and place.muted) or not player.is_active:
        return []
    made = [
        Delivery(
            player=player,
            game_id=event.game_id,
            webhook=hook,
            kind=kind,
            reason=f"w{hook.pk}:{reason}",
            data=event.data,
            made_at=now,
            due_at=now,
            address=webhooks.host_of(hook),
        )
        for hook in around.hooks.get(player.pk, ())
    ]
    mail = by_mail(player, kind, together(event, reason), now)
    if mail:
        mail.game_id = mail.game_id if mail.kind == "digest" else event.game_id
        mail.data = {} if mail.kind == "digest" else event.data
        made.append(mail)
    return made


def together(event: Event, reason: str) -> str:
    """What a mail is made for once: several lines of another app may make one."""
    found = kinds.ELSEWHERE.get(event.kind)
    return found.together(event) if found else reason


def by_mail(player: Player, kind: str, reason: str, now: datetime) -> Delivery | None:
    """The mail that tells a player of something, None if they want none."""
    choice, due = player.mails, now
    if not kinds.wanted(player, kind):
        return None
    if kind == "turn" and choice == Player.Mails.ONCE and told_already(player):
        return None
    if kind == "turn" and choice == Player.Mails.DIGEST:
        day, due = next_digest(player, now)
        kind, reason = "digest", f"digest:{day.isoformat()}"
    mail = Delivery(player=player, kind=kind, reason=reason, made_at=now, due_at=due, address=player.email)
    if player.dead_at:
        mail.status, mail.due_at, mail.why = Delivery.Status.DROPPED, None, dead_words(player)
    return mail


def told_already(player: Player) -> bool:
    """Whether a player who wants one mail until they come back has had it."""
    return player.mailed_at is not None and (player.seen_at is None or player.seen_at < player.mailed_at)


def next_digest(player: Player, now: datetime) -> tuple[date, datetime]:
    """The day and the time of a player's next daily mail."""
    zone = clock.zone_named(player.time_zone)
    day = now.astimezone(zone).date()
    while (at := clock.instant(day, time(player.digest_hour), zone)) <= now:
        day += timedelta(days=1)
    return day, at


def dead_words(player: Player) -> str:
    """Why a mail is not sent to an address that takes none, in the player's language."""
    with translation.override(player.language):
        return (_("Your address takes no mail: %(why)s") % {"why": player.dead_why})[:300]


# ------------------------------------------------------------------------------------------ what players want


def test(*, player: Player, now: datetime) -> Delivery:
    """A mail to try an address with, one a minute at most: asking again gives the same one."""
    minute = int(now.timestamp() // TESTS_APART.total_seconds())
    delivery, _made = Delivery.objects.get_or_create(
        player=player,
        reason=f"test:{minute}",
        defaults={"kind": "test", "made_at": now, "due_at": now, "address": player.email},
    )
    return delivery


def dead(*, player: Player, why: str, now: datetime) -> None:
    """An address takes no mail: none is sent any more, and its player sees why. Games go on."""
    Player.objects.filter(pk=player.pk, dead_at=None).update(
        dead_at=now, dead_why=" ".join(why.split())[:200]
    )


def revive(*, player: Player, now: datetime) -> None:
    """The player says that their address takes mail again."""
    Player.objects.filter(pk=player.pk).update(dead_at=None, dead_why="")


def unsubscribe(*, key: str, now: datetime) -> Player:
    """No more mails to the player with this key. Raises NotFound."""
    return choose(key, Player.Mails.NONE)


def resubscribe(*, key: str, now: datetime) -> Player:
    """Mails again, one for each turn. Raises NotFound."""
    return choose(key, Player.Mails.EACH)


def choose(key: str, mails: str) -> Player:
    """Write down how a player wants their mails. Raises NotFound."""
    player = Player.objects.filter(mail_key=key, is_active=True).first() if key else None
    if player is None:
        raise NotFound(_("There is no such player."))
    Player.objects.filter(pk=player.pk).update(mails=mails)
    player.mails = mails
    return player


def mute(*, code: str, muted: bool, now: datetime, player: Player | None = None, key: str = "") -> Seat:
    """A player, or whoever has this key, hears no more of a game, or again. Raises NotFound."""
    seats = Seat.objects.filter(game__code=code).select_related("game", "player")
    if player is not None:
        seat = seats.filter(player=player).first()
    else:
        seat = seats.filter(player__mail_key=key, player__is_active=True).first() if key else None
    if seat is None:
        raise NotFound(_("There is no such game."))
    if not Seat.objects.filter(pk=seat.pk, player=seat.player_id).update(muted=muted):
        raise NotFound(_("There is no such game."))  # somebody else has taken the seat over meanwhile
    seat.muted = muted
    return seat
