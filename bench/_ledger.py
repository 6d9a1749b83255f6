"""The audit after bench/load.py: compares notices sent with notices due, and audits all games."""

from __future__ import annotations

import contextlib
import io
import re
import sys
import time
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from _clients import LoadLog

if TYPE_CHECKING:
    from docker.cluster import Cluster

ERROR_LOG_LINE = re.compile(r'"level": ?"(error|critical)"|^Traceback|\[(ERROR|CRITICAL)')
TurnKey = tuple[str, int, int]  # game code, seat, seq at the start of the turn


@dataclass
class NoticeReport:
    """Notices due and notices received, and all faults."""

    due_count: int = 0
    sent_count: int = 0
    faults: list[str] = field(default_factory=list)
    delays: list[float] = field(default_factory=list)  # seconds from due to received

    def count_notice(self, has_arrived: bool, description: str) -> None:
        """Count a due notice, and record a fault if it did not arrive."""
        self.due_count += 1
        self.sent_count += has_arrived
        if not has_arrived:
            self.faults.append(description)


def wait_for_empty_outbox(addresses: set[str], timeout: float) -> bool:
    """Wait until no mail is pending for these players. Returns whether that happened."""
    from notifications.models import Delivery, FeedEntry

    entries = FeedEntry.objects.filter(player__email__in=addresses)
    deliveries = Delivery.objects.filter(player__email__in=addresses)
    ends_at = time.monotonic() + timeout
    while time.monotonic() < ends_at:
        is_waiting = entries.filter(notify_at__lte=datetime.now(UTC)).exists()
        is_waiting = is_waiting or entries.filter(kind="over", notify_at__isnull=False).exists()
        if not is_waiting and not deliveries.filter(next_attempt_at__isnull=False).exists():
            return True
        time.sleep(0.3)
    return False


def audit_notices(log: LoadLog, addresses: set[str], all_addresses: set[str]) -> NoticeReport:
    """Compare the notices that the game logs make due with those that the mail server received.

    `addresses` are those of players by mail, `all_addresses` of everybody. Due to players by mail are: each
    turn that another's action gave them and that they played, and the end of a game that they did not end
    themselves. Other notices (starts, reminders) may be dropped as obsolete, but every mail marked as sent
    must have arrived exactly once.
    """
    report = NoticeReport()
    audit_turn_notices(log, addresses, report)
    audit_end_notices(log, addresses, report)
    audit_mails(log, all_addresses, report)
    return report


def audit_turn_notices(log: LoadLog, addresses: set[str], report: NoticeReport) -> None:
    """Check that every turn brought a link."""
    from games.models import Seat
    from notifications.models import FeedEntry

    seats = Seat.objects.filter(player__email__in=addresses).select_related("game", "player")
    for seat_row in seats:
        assert seat_row.seat_no
        entries = FeedEntry.objects.filter(player=seat_row.player, topic=seat_row.game.topic).order_by("id")
        turn_starts: list[tuple[int, datetime]] = []  # turns given by others' actions
        previous_kind = ""
        for kind, data, entry_time in entries.values_list("kind", "data", "at"):
            if kind == "turn" and previous_kind != "turn" and data.get("seat") != seat_row.seat_no:
                turn_starts.append((data["seq"], entry_time))
            previous_kind = kind
        code, seat_no = seat_row.game.code, seat_row.seat_no
        played_seqs = sorted(seq for game, seat, seq in log.played_actions if (game, seat) == (code, seat_no))
        next_turn_seqs = [*(seq for seq, _ in turn_starts[1:]), sys.maxsize]
        for (seq, started_at), next_seq in zip(turn_starts, next_turn_seqs, strict=True):
            last_seq = next((number for number in played_seqs if seq <= number < next_seq), None)
            if last_seq is None:
                continue  # a forced answer, or the game ended
            link_times = [log.link_times.get((code, seat_no, turn)) for turn in range(seq, last_seq + 1)]
            first_link_time = min((number for number in link_times if number), default=None)
            report.count_notice(first_link_time is not None, f"turn {seq} of seat {seat_no} in {code}")
            if first_link_time is not None:
                report.delays.append(first_link_time - started_at.timestamp() - seat_row.game.allowance / 20)


def audit_end_notices(log: LoadLog, addresses: set[str], report: NoticeReport) -> None:
    """Check that every end of a game brought one mail."""
    from games.models import Action, Game, Seat
    from notifications.models import Delivery

    games = {game.pk: game for game in Game.objects.filter(status="over")}
    message_ids_by_seat: dict[tuple[str, int], list[str]] = defaultdict(list)
    for delivery in Delivery.objects.filter(kind="over", status="sent"):
        message_ids_by_seat[delivery.topic, delivery.player_id].append(delivery.message_id)
    for seat_row in Seat.objects.filter(game__in=games, player__email__in=addresses):
        game = games[seat_row.game_id]
        last_action = Action.objects.filter(game=game).order_by("seq").last()
        assert last_action
        if (
            last_action.seat == seat_row.seat_no
            and (game.code, last_action.seat, last_action.seq - 1) in log.played_actions
        ):
            continue  # they ended it themselves
        message_ids = message_ids_by_seat[game.topic, seat_row.player_id or 0]
        report.count_notice(
            len(message_ids) == 1 and log.mail_counts[message_ids[0]] == 1,
            f"the end of {game.code} to seat {seat_row.seat_no}",
        )


def audit_mails(log: LoadLog, addresses: set[str], report: NoticeReport) -> None:
    """Check that the mails sent to these players and those received are the same."""
    from notifications.models import Delivery

    deliveries = Delivery.objects.filter(player__email__in=addresses, webhook=None, push_device=None)
    for delivery in deliveries.exclude(status__in=("sent", "dropped")):
        report.faults.append(
            f"mail {delivery.pk} ({delivery.kind}) is {delivery.status}: {delivery.status_reason}"
        )
    sent_ids = set(deliveries.filter(status="sent").values_list("message_id", flat=True))
    report.faults += [
        f"sent and not received: {message_id}" for message_id in sent_ids - set(log.mail_counts)
    ]
    report.faults += [
        f"received and not noted as sent: {message_id}" for message_id in set(log.mail_counts) - sent_ids
    ]
    report.faults += [
        f"received {count} times: {message_id}" for message_id, count in log.mail_counts.items() if count > 1
    ]


class GamesAudit(NamedTuple):
    """The numbers of audited games and of those that differ, and the output of the command."""

    audited_count: int
    differing_count: int
    output: str


def audit_games() -> GamesAudit:
    """Run `manage.py audit_games`."""
    from django.core.management import call_command

    output = io.StringIO()
    with contextlib.suppress(SystemExit):  # raised when a game differs
        call_command("audit_games", stdout=output)
    summary_match = re.search(r"(\d+) games audited, (\d+) differ", output.getvalue())
    return (
        GamesAudit(int(summary_match[1]), int(summary_match[2]), output.getvalue())
        if summary_match
        else GamesAudit(0, 1, output.getvalue())
    )


def measure_logs(cluster: Cluster) -> dict[str, int]:
    """Return how long the logs of the site's processes are."""
    return {name: len(cluster.read_log(name)) for name in cluster.services}


def list_error_log_lines(cluster: Cluster, since: dict[str, int]) -> list[str]:
    """List the error lines that the site's processes have logged since then."""
    return [
        f"{name}: {line[:300]}"
        for name, size in since.items()
        for line in cluster.read_log(name)[size:].splitlines()
        if ERROR_LOG_LINE.search(line)
    ]
