"""Tournament games that a player loses on time."""

from __future__ import annotations

from datetime import datetime, timedelta

from accounts.models import Player
from games.models import Game, Seat
from games.selectors import load_game
from games.services import sweep as games_sweep
from notifications.models import Delivery
from notifications.services import delivery_reports, notices, outbox
from tests.factories.events import HOUR, list_running_pairings
from tournaments.models import Pairing, Tournament

DAILY = {"time_control": "custom", "allowance": 86400, "bank": 0, "vacation": False}
MINUTE = timedelta(minutes=1)


def first_table(tournament: Tournament) -> tuple[Pairing, Game, Player]:
    """Return the first running pairing, its game, and the player to act."""
    table = list_running_pairings(tournament)[0]
    assert table.game
    number = load_game(table.game.code).to_act[0]
    late = Seat.objects.select_related("player").get(game=table.game, seat_no=number).player
    assert late
    return table, table.game, late


def time_out(game: Game) -> datetime:
    """Let the deadline pass; return its time."""
    game.refresh_from_db()
    assert game.deadline
    now = game.deadline
    assert games_sweep.sweep_games(now=now)
    return now


def mailed(player: Player, now: datetime, kind: str = "tournament-pairing") -> Delivery:
    """Record a mail to a player as sent and delivered."""
    notices.fan_out_notices(now=now)
    mail = Delivery.objects.get(player=player, kind=kind)
    assert mail.next_attempt_at
    claimed = outbox.claim_mail(pk=mail.pk, seen_due_at=mail.next_attempt_at, now=now)
    assert claimed
    outbox.mark_mail_sent(delivery=claimed, address=player.email, message_id="<1@x>", now=now)
    delivery_reports.record_delivered(delivery=claimed, at=now + MINUTE, now=now + HOUR)
    return claimed
