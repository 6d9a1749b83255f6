"""After the last game of bench/load.py: what was told beside what was due, and the audit."""

from __future__ import annotations

import contextlib
import io
import re
import sys
import time
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from _clients import Notes

if TYPE_CHECKING:
    from docker.cluster import Cluster

LOUD = re.compile(r'"level": ?"(error|critical)"|^Traceback|\[(ERROR|CRITICAL)')
Turn = tuple[str, int, int]  # code, seat, the seq at which it came


@dataclass
class Told:
    """Notices that were due, those of them that came, and everything that is wrong with the rest."""

    due: int = 0
    sent: int = 0
    wrong: list[str] = field(default_factory=list)
    late: list[float] = field(default_factory=list)  # seconds from due to received, of turns

    def mind(self, came: bool, what: str) -> None:
        self.due += 1
        self.sent += came
        if not came:
            self.wrong.append(what)


def drain(patience: float) -> bool:
    """Wait until the outbox is empty; whether it ever was."""
    from games.models import Delivery, Event

    until = time.monotonic() + patience
    while time.monotonic() < until:
        waiting = Event.objects.filter(due_at__lte=datetime.now(UTC)).exists()
        waiting = waiting or Event.objects.filter(kind="over", due_at__isnull=False).exists()
        if not waiting and not Delivery.objects.filter(due_at__isnull=False).exists():
            return True
        time.sleep(0.3)
    return False


def settle(notes: Notes, addresses: set[str]) -> Told:
    """Compare what the log of every game makes due with what the mail server got.

    Due is to whoever plays by mail: each turn that another's action gave them and that they played, and the
    end of a game that was not their own action. What else was made (a start, a reminder) may
    be dropped when it is not true any more, but whatever was sent must have come, and once.
    """
    told = Told()
    turns_told(notes, addresses, told)
    ends_told(notes, addresses, told)
    letters_told(notes, told)
    return told


def turns_told(notes: Notes, addresses: set[str], told: Told) -> None:
    from games.models import Event, Seat

    seats = Seat.objects.filter(player__email__in=addresses).select_related("game", "player")
    for place in seats:
        assert place.number
        events = Event.objects.filter(player=place.player, game=place.game).order_by("id")
        came: list[tuple[int, datetime]] = []  # turns that others' actions gave
        before = ""
        for kind, data, told_at in events.values_list("kind", "data", "at"):
            if kind == "turn" and before != "turn" and data.get("seat") != place.number:
                came.append((data["seq"], told_at))
            before = kind
        code, number = place.game.code, place.number
        played = sorted(seq for game, seat, seq in notes.played if (game, seat) == (code, number))
        following = [*(seq for seq, _ in came[1:]), sys.maxsize]
        for (seq, at), until in zip(came, following, strict=True):
            ended = next((one for one in played if seq <= one < until), None)
            if ended is None:
                continue  # an answer that needed nobody, or the game ended
            arrived = [notes.came.get((code, number, turn)) for turn in range(seq, ended + 1)]
            first = min((one for one in arrived if one), default=None)
            told.mind(first is not None, f"turn {seq} of seat {number} in {code}")
            if first is not None:
                told.late.append(first - at.timestamp() - place.game.allowance / 20)


def ends_told(notes: Notes, addresses: set[str], told: Told) -> None:
    from games.models import Action, Delivery, Game, Seat

    games = {game.pk: game for game in Game.objects.filter(status="over")}
    sent: dict[tuple[int | None, int], list[str]] = defaultdict(list)
    for row in Delivery.objects.filter(kind="over", status="sent"):
        sent[row.game_id, row.player_id].append(row.message_id)
    for place in Seat.objects.filter(game__in=games, player__email__in=addresses):
        game = games[place.game_id]
        last = Action.objects.filter(game=game).order_by("seq").last()
        assert last
        if last.seat == place.number and (game.code, last.seat, last.seq - 1) in notes.played:
            continue  # they saw it themselves
        found = sent[place.game_id, place.player_id or 0]
        told.mind(
            len(found) == 1 and notes.mails[found[0]] == 1, f"the end of {game.code} to seat {place.number}"
        )


def letters_told(notes: Notes, told: Told) -> None:
    from games.models import Delivery

    rows = Delivery.objects.filter(webhook=None)
    for row in rows.exclude(status__in=("sent", "dropped")):
        told.wrong.append(f"mail {row.pk} ({row.kind}) is {row.status}: {row.why}")
    known = set(rows.filter(status="sent").values_list("message_id", flat=True))
    told.wrong += [f"sent and not received: {one}" for one in known - set(notes.mails)]
    told.wrong += [f"received and not noted as sent: {one}" for one in set(notes.mails) - known]
    told.wrong += [f"received {count} times: {one}" for one, count in notes.mails.items() if count > 1]


def audit() -> tuple[int, int, str]:
    """Games audited, games that differ, and what `manage.py audit_games` said."""
    from django.core.management import call_command

    said = io.StringIO()
    with contextlib.suppress(SystemExit):  # it ends so when a game differs
        call_command("audit_games", stdout=said)
    found = re.search(r"(\d+) games audited, (\d+) differ", said.getvalue())
    return (int(found[1]), int(found[2]), said.getvalue()) if found else (0, 1, said.getvalue())


def complaints(cluster: Cluster) -> list[str]:
    """Lines of error that the processes of the site wrote."""
    return [
        f"{name}: {line[:300]}"
        for name in cluster.services
        for line in cluster.log(name).splitlines()
        if LOUD.search(line)
    ]
