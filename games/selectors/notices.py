"""The data of notices about games: the game and the reader's seat, open invitations, new chat messages."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet

from accounts.models import Player
from games.game_notice_kinds import GameNoticeKind
from games.models import DerivedSeed, Game, Incident, Invitation, Message, Seat
from notifications.models import IS_MAIL, Delivery
from notifications.notice_kinds import get_notice_kind
from notifications.topics import find_topic_code

from .clocks import load_unprocessed_incidents
from .lists import SEATS_WITH_PLAYERS, list_seats_on_turn

MAX_CHAT_MESSAGES_PER_MAIL = 10  # chat messages in a mail


@dataclass(frozen=True)
class GameSubject:
    """The game of a feed entry or webhook call, with its seats, their players and current incidents."""

    game: Game
    incidents: Sequence[Incident]

    def find_seat(self, player_id: int) -> Seat | None:
        """Return the seat of a player, or None."""
        return next((seat for seat in self.game.seats.all() if seat.player_id == player_id), None)


def load_game_subjects(topics: Collection[str]) -> dict[str, GameSubject]:
    """Load the games of these topics by topic, in as many queries for many as for one."""
    codes = [code for topic in topics if (code := find_topic_code(topic, Game.TOPIC_FAMILY))]
    games = (
        Game.objects.filter(code__in=codes)
        .select_related("secrets", "derived_seed")
        .prefetch_related(SEATS_WITH_PLAYERS)
    )
    incidents = load_unprocessed_incidents()
    return {
        game.topic: GameSubject(game, incidents)
        for game in games.defer("initial_events", "secrets__server_seed")
    }


def find_derived_seed(game: Game) -> DerivedSeed | None:
    """Tournament and match of a game; None for a game of its own."""
    derived_seed: DerivedSeed | None = getattr(game, "derived_seed", None)
    return derived_seed


def find_seat_of(player: Player, code: str) -> Seat | None:
    """A player's seat in a game, or None."""
    seats = Seat.objects.filter(game__code=code, player=player).select_related("game", "player")
    return seats.prefetch_related("game__seats__player").first()


def list_unmuted_seats_on_turn(player: Player) -> list[Seat]:
    """The seats at which a player is to act, without muted games."""
    return [seat for seat in list_seats_on_turn(player) if not seat.muted]


def turn_mails(player: Player | None, *, muted: bool) -> str:
    """Return the frequency of turn mails for a player in a game, muted or not: empty if there are none."""
    if (
        player is None
        or player.is_guest
        or muted
        or player.email_bounced_at
        or not get_notice_kind(GameNoticeKind.TURN).is_wanted_by_mail(player)
    ):
        return ""
    return player.mail_frequency


def find_open_invitation(player: Player, code: str, now: datetime) -> Invitation | None:
    """A player's open invitation to a game, or None."""
    open_invitations = Invitation.objects.open().filter(
        game__code=code,
        player=player,
        game__status=Game.Status.OPEN,
        game__expires_at__gt=now,
    )
    return open_invitations.select_related("inviter", "game").first()


def list_messages_since_last_mail(player: Player, game: Game) -> list[Message]:
    """Other players' chat messages in a game since the last mail about it."""
    messages: QuerySet[Message] = game.messages.filter(hidden=False).exclude(player=player)
    sent_mails = Delivery.objects.filter(
        IS_MAIL,
        player=player,
        topic=game.topic,
        sent_at__isnull=False,
        status=Delivery.Status.SENT,
    )
    last_mail_at = sent_mails.order_by("-sent_at").values_list("sent_at", flat=True).first()
    if last_mail_at:
        messages = messages.filter(created_at__gt=last_mail_at)
    return list(messages.select_related("player").order_by("-pk")[:MAX_CHAT_MESSAGES_PER_MAIL])[::-1]
