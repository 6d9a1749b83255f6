"""Evidence of timeouts: when the turn began and ended, which notices were sent, and whether they arrived.

The address of a mail is shown in full to its reader only.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext as _

from accounts.models import Player
from common.service_errors import Denied
from games.models import Action, Game, Seat, SeatHandover
from games.selectors.turns import TURN_ENDING_EVENTS
from notifications.models import Delivery, FeedEntry
from tournaments.models import EntrantPlayer, Pairing, Replacement, Tournament
from tournaments.notice_kinds import TournamentNoticeKind

from .tournament_state import list_seated_entrant_ids
from .tournaments import can_organise_tournament

MOVE_ENTRY_KINDS = (
    "turn",
    "moved",
    "started",
    "over",
    "timeout",
)  # feed entries that follow a game move by move


@dataclass(frozen=True)
class SentNoticeData:
    """A notification sent about a turn, and its delivery."""

    kind: Annotated[str, "What it is about."]
    created_at: Annotated[datetime, "When it was due."]
    channel: Annotated[Delivery.Channel, "How it was sent."]
    address: Annotated[str, "Where it was sent to; in full only for its reader."]
    status: Annotated[str, "The status of its delivery."]
    status_reason: Annotated[str | None, "Why it was not sent, for its reader only; otherwise empty."]
    sent_at: Annotated[datetime | None, "When it was sent; null if it was not."]
    submitted_at: Annotated[datetime | None, "When the other side may have taken it."]
    delivered_at: Annotated[datetime | None, "When the other side reported that it arrived."]
    bounced: Annotated[bool, "Whether the other side refused it."]
    opened_at: Annotated[datetime | None, "When its link was first followed."]


@dataclass(frozen=True)
class TimeoutData:
    """A timeout, with the notifications sent before."""

    seat: Annotated[int, "The seat in the game."]
    entrant: Annotated[int, "The `id` of the entrant that sits there."]
    player: Annotated[str | None, "The name of the player there then; null if the account was deleted."]
    turn: Annotated[int, "The `seq` of the game when the turn began."]
    began_at: Annotated[datetime | None, "When the turn began."]
    deadline: Annotated[datetime | None, "The deadline that we announced for the turn."]
    notices: Annotated[
        list[SentNoticeData], "The notifications that we sent about this turn, with their status."
    ]
    outcome: Annotated[str, "The outcome of the timeout."]
    seq: Annotated[int, "The `seq` of the game afterwards."]
    at: Annotated[datetime, "When the time ran out."]


@dataclass(frozen=True)
class TimeoutEvidenceData:
    """The timeouts of a pairing."""

    results: Annotated[list[TimeoutData], "The timeouts, oldest first."]


@dataclass
class GameFeed:
    """The feed entries of a game that concern turns."""

    turn_entries: dict[int, dict[int, FeedEntry]]  # by player and sequence number: they were to act
    other_seqs: dict[int, list[int]]  # by player: sequence numbers at which they were not
    timeout_entries: list[FeedEntry]


@dataclass(frozen=True)
class TimedOutTurn:
    """A turn that timed out."""

    seq: int  # of the game when the player's turn began
    began_at: datetime | None
    deadline: datetime | None  # as it was announced


def list_timeout_evidence(
    pairing: Pairing, viewer: Player | None, *, is_organiser: bool = False, own_addresses: bool = True
) -> list[TimeoutData]:
    """List every timeout at a pairing, oldest first, for its players and the organisers. Raises Denied.

    1. Check the viewer: who has left the pairing sees only their own timeouts. 2. Load feed entries, seats,
    turn starts and deliveries. 3. For each timeout find the player, the turn and the deliveries about it.
    `is_organiser`, if already known of the viewer. Their own addresses are shown in full, unless
    `own_addresses` is False.
    """
    sees_all = viewer is not None and (
        is_organiser
        or plays_at_pairing(pairing, viewer)
        or can_organise_tournament(viewer, pairing.tournament)
    )
    if viewer is None or not (sees_all or has_left_pairing(pairing, viewer)):
        raise Denied(_("Only players at this table and organisers can see that."))
    game = pairing.game
    if game is None:
        return []
    feed = load_game_feed(game)
    if not feed.timeout_entries:
        return []
    seats_by_no = {seat.seat_no: seat for seat in Seat.objects.filter(game=game).select_related("player")}
    turn_starts = [(0, game.started_at), *list_turn_starts(game)]
    deliveries_by_player = load_deliveries(pairing, game, feed)
    entrant_ids, evidence = list_seated_entrant_ids(pairing), []
    for entry in feed.timeout_entries:
        last_seq, seat_no = entry.data["seq"], entry.data["seat"]
        first_seq = last_seq - len(entry.data["actions"]) + 1
        player_id = find_player_in_seat(seats_by_no, seat_no, feed, first_seq - 1)
        if not sees_all and player_id != viewer.pk:
            continue
        turn = find_timed_out_turn(feed, player_id, first_seq, turn_starts)
        evidence.append(
            TimeoutData(
                seat=seat_no,
                entrant=entrant_ids[(seat_no - 1) % len(entrant_ids)],
                player=viewer.name if player_id == viewer.pk else find_player_name(seats_by_no, player_id),
                turn=turn.seq,
                began_at=turn.began_at,
                deadline=turn.deadline,
                notices=[
                    build_notice(delivery, is_own=own_addresses and player_id == viewer.pk)
                    for delivery in deliveries_by_player.get(player_id or 0, ())
                    if is_about_turn(delivery, game, turn, last_seq, entry.at)
                ],
                outcome=entry.data["outcome"],
                seq=last_seq,
                at=entry.at,
            )
        )
    return evidence


def plays_at_pairing(pairing: Pairing, player: Player) -> bool:
    """Tell whether a player plays for an entrant at a pairing."""
    return EntrantPlayer.objects.filter(entrant__pairing_seats__pairing=pairing, player=player).exists()


def has_left_pairing(pairing: Pairing, player: Player) -> bool:
    """Tell whether a player played at a pairing for an entrant that somebody else plays for now.

    They were replaced there, or later. Who handed a seat on without having seen its hand never played.
    """
    if pairing.game_id is None or player.is_guest or plays_at_pairing(pairing, player):
        return False
    seats = Seat.objects.filter(game=OuterRef("pk"), player=player, hand_hidden=False)
    handovers = SeatHandover.objects.filter(game=OuterRef("pk"), predecessor=player, hand_was_hidden=False)
    return Game.objects.filter(Exists(seats) | Exists(handovers), pk=pairing.game_id).exists()


def was_replaced_in_tournament(tournament: Tournament, player: Player) -> bool:
    """Tell whether a player was replaced in a tournament."""
    return Replacement.objects.filter(entrant__tournament=tournament, predecessor=player).exists()


# ------------------------------------------------------------------------------------------------- the game


def load_game_feed(game: Game) -> GameFeed:
    """Load the feed entries of a game in one query."""
    feed = GameFeed(defaultdict(dict), defaultdict(list), [])
    seen_reasons = set()
    for entry in FeedEntry.objects.filter(topic=game.topic, kind__in=MOVE_ENTRY_KINDS).order_by("pk"):
        seq = entry.data.get("seq", 0)
        if entry.kind == "timeout":
            if entry.dedup_key not in seen_reasons:
                feed.timeout_entries.append(entry)
            seen_reasons.add(entry.dedup_key)
        elif entry.kind == "turn":
            feed.turn_entries[entry.player_id][seq] = entry
        else:
            feed.other_seqs[entry.player_id].append(seq)
    feed.timeout_entries.sort(key=lambda entry: int(entry.data["seq"]))
    return feed


def list_turn_starts(game: Game) -> list[tuple[int, datetime]]:
    """List where turns began in the log: sequence number and time."""
    actions = Action.objects.filter(game=game).order_by("seq").values_list("seq", "at", "events")
    return [
        (seq, at)
        for seq, at, game_events in actions
        if any(game_event["event"] in TURN_ENDING_EVENTS for game_event in game_events)
    ]


def find_player_in_seat(
    seats_by_no: dict[int | None, Seat], seat_no: int, feed: GameFeed, seq: int
) -> int | None:
    """Find who had a seat at a point of the log: its player now, or one who was to act and has left since."""
    current_player_id = seats_by_no[seat_no].player_id if seat_no in seats_by_no else None
    if current_player_id in feed.turn_entries and seq in feed.turn_entries[current_player_id]:
        return current_player_id
    seated_player_ids = {seat.player_id for seat in seats_by_no.values()}
    former_player_ids = [
        player_id
        for player_id, turns in feed.turn_entries.items()
        if seq in turns and player_id not in seated_player_ids
    ]
    return former_player_ids[0] if former_player_ids else current_player_id


def find_timed_out_turn(
    feed: GameFeed, player_id: int | None, first_seq: int, turn_starts: list[tuple[int, datetime | None]]
) -> TimedOutTurn:
    """Find the turn that timed out before an action of the clock."""
    start_seq, since = [turn_start for turn_start in turn_starts if turn_start[0] < first_seq][-1]
    entries_by_seq = {
        seq: entry for seq, entry in feed.turn_entries.get(player_id or 0, {}).items() if seq < first_seq
    }
    last_other_seq = max(
        # Who is on turn as a game starts has two entries: that it started, and the turn.
        (
            seq
            for seq in feed.other_seqs.get(player_id or 0, ())
            if seq < first_seq and seq not in entries_by_seq
        ),
        default=-1,
    )
    own_seqs = sorted(seq for seq in entries_by_seq if seq > last_other_seq and seq >= start_seq)
    if not own_seqs:
        return TimedOutTurn(start_seq, since, None)
    stored_deadline = entries_by_seq[own_seqs[-1]].data.get("deadline")
    return TimedOutTurn(
        own_seqs[0],
        entries_by_seq[own_seqs[0]].at,
        datetime.fromisoformat(stored_deadline) if stored_deadline else None,
    )


def find_player_name(seats_by_no: dict[int | None, Seat], player_id: int | None) -> str | None:
    """Find a player's name, None if they have left."""
    return next(
        (seat.player.name for seat in seats_by_no.values() if seat.player and seat.player_id == player_id),
        None,
    )


# ---------------------------------------------------------------------------------------- deliveries


def load_deliveries(pairing: Pairing, game: Game, feed: GameFeed) -> dict[int, list[Delivery]]:
    """Load mails and webhook calls about a game, and digests of its time, by player."""
    until = max(entry.at for entry in feed.timeout_entries)
    is_player = Q(player__in=list(feed.turn_entries))
    is_daily = Q(
        kind__in=("digest", TournamentNoticeKind.REPLACED),
        created_at__gte=game.started_at,
        created_at__lte=until,
    )
    is_pairing_mail = Q(
        kind=TournamentNoticeKind.PAIRING, dedup_key=f"{pairing.tournament.code}:published:{pairing.round_id}"
    )
    deliveries_by_player: dict[int, list[Delivery]] = defaultdict(list)
    for delivery in Delivery.objects.filter(
        Q(topic=game.topic) | (is_player & (is_daily | is_pairing_mail))
    ).order_by("created_at", "pk"):
        deliveries_by_player[delivery.player_id].append(delivery)
    return deliveries_by_player


def is_about_turn(delivery: Delivery, game: Game, turn: TimedOutTurn, last_seq: int, until: datetime) -> bool:
    """Tell whether a delivery was about a turn, or about what the clock did then."""
    if delivery.kind == "digest":
        return turn.began_at is not None and turn.began_at <= delivery.created_at <= until
    if delivery.kind == TournamentNoticeKind.PAIRING:
        # The mail about a new game announces its first turn, or the reader's own turn if it had come by then.
        return turn.seq == 0 or delivery.data.get("shown_turns", {}).get(game.code) == turn.seq
    if delivery.kind == TournamentNoticeKind.REPLACED:
        return game.code in delivery.data.get("games", ())
    reason = (
        delivery.dedup_key
        if delivery.channel == Delivery.Channel.MAIL
        else delivery.dedup_key.partition(":")[2]  # after the webhook or the device
    )
    turn_key = f"{game.code}:{turn.seq}"
    if reason in (turn_key, f"{game.code}:{last_seq}:timeout"):
        return True
    return reason.startswith((f"{turn_key}:reminder", f"{turn_key}:taken-over"))


def build_notice(delivery: Delivery, *, is_own: bool) -> SentNoticeData:
    """Build the read model of a delivery."""
    return SentNoticeData(
        kind=delivery.kind,
        created_at=delivery.created_at,
        channel=delivery.channel,
        address=delivery.address if is_own else mask_address(delivery.address),
        status=delivery.status,
        status_reason=(delivery.status_reason or None) if is_own else None,
        sent_at=delivery.sent_at,
        submitted_at=delivery.submitted_at,
        delivered_at=delivery.delivered_at,
        bounced=delivery.status == Delivery.Status.BOUNCED,
        opened_at=delivery.opened_at,
    )


def mask_address(address: str) -> str:
    """Mask an address so that only who knows it can recognise it."""
    local, separator, _domain = address.partition("@")
    return f"{local[:1]}…@…" if separator else "…" if address else ""
