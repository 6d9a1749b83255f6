"""What is checked before a mail is sent: whether it is still needed, and which chat messages are new."""

from __future__ import annotations

from datetime import datetime

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from games import notice_kinds
from games.models import Delivery, Game, Invitation, Message, Player, Seat

from .lists import list_seats_on_turn
from .turns import is_current_turn

ALWAYS_SENT_KINDS = ("test", "reply")  # the player has just requested these
MAX_CHAT_MESSAGES_PER_MAIL = 10  # chat messages in a mail


def find_seat_of(player: Player, code: str) -> Seat | None:
    """A player's seat in a game, or None."""
    seats = Seat.objects.filter(game__code=code, player=player).select_related("game", "player")
    return seats.prefetch_related("game__places__player").first()


def drop_reason_of(delivery: Delivery, now: datetime) -> str:
    """Why a mail is no longer to be sent, in the active language; empty if it is."""
    player, game, kind = delivery.player, delivery.game, delivery.kind
    if not player.is_active:
        return _("The account is closed.")
    if kind in ALWAYS_SENT_KINDS:
        return ""
    if not notice_kinds.wants_mail_of_kind(player, kind):
        return (
            _("You want no mails.")
            if player.mails == Player.MailFrequency.NONE
            else _("You want no such mails.")
        )
    if player.dead_at:
        return _("Your address takes no mail: %(why)s") % {"why": player.dead_why}
    if kind == "digest":
        return "" if list_unmuted_seats_on_turn(player) else _("No game waits for you.")
    if kind in notice_kinds.NOTICE_KINDS:
        return notice_kinds.NOTICE_KINDS[kind].obsolete_reason(delivery, now)
    if game is None:
        return ""
    seat = find_seat_of(player, game.code)
    if kind == "invited":
        return (
            "" if find_open_invitation(player, game, now) else _("The invitation was answered, or is over.")
        )
    if seat is None:
        return _("You are not in this game any more.")
    if seat.muted:
        return _("You muted this game.")
    if kind in ("turn", "reminder") and not is_current_turn(seat, delivery.data["seq"]):
        return _("The turn has passed.")
    if kind in ("started", "blind") and game.status != Game.Status.RUNNING:
        return _("The game has gone on.")
    return next((reason for check in notice_kinds.SUPERSEDED_CHECKS if (reason := check(delivery))), "")


def list_unmuted_seats_on_turn(player: Player) -> list[Seat]:
    """The seats at which a player is to act, without muted games."""
    return [seat for seat in list_seats_on_turn(player) if not seat.muted]


def turn_mails(player: Player | None, *, muted: bool) -> str:
    """How mails tell a player of their turns in a game that they muted or not: empty if none does."""
    if (
        player is None
        or player.guest
        or muted
        or player.dead_at
        or not notice_kinds.wants_mail_of_kind(player, "turn")
    ):
        return ""
    return player.mails


def find_open_invitation(player: Player, game: Game, now: datetime) -> Invitation | None:
    """A player's open invitation to a game, or None."""
    open_invitations = Invitation.objects.filter(
        game=game, player=player, answered="", game__status=Game.Status.OPEN, game__expires_at__gt=now
    )
    return open_invitations.select_related("by", "game").first()


def list_messages_since_last_mail(player: Player, game: Game) -> list[Message]:
    """Other players' chat messages in a game since the last mail about it."""
    messages: QuerySet[Message] = game.messages.filter(hidden=False).exclude(player=player)
    sent_mails = Delivery.objects.filter(
        player=player, game=game, webhook=None, sent_at__isnull=False, status=Delivery.Status.SENT
    )
    last_mail_at = sent_mails.order_by("-sent_at").values_list("sent_at", flat=True).first()
    if last_mail_at:
        messages = messages.filter(at__gt=last_mail_at)
    return list(messages.select_related("player").order_by("-pk")[:MAX_CHAT_MESSAGES_PER_MAIL])[::-1]
