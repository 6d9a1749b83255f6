"""What a mail must know before it goes: whether anybody needs it still, and what is new to its reader."""

from __future__ import annotations

from datetime import datetime

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from games import kinds
from games.models import Delivery, Game, Invitation, Message, Player, Seat

from .lists import my_turns
from .turns import lasts

WANTED_ANYWAY = ("test", "reply")  # the player asked for these a moment ago
CHAT = 10  # lines of chat in a mail


def place_at(player: Player, code: str) -> Seat | None:
    """Where a player sits in a game."""
    found = Seat.objects.filter(game__code=code, player=player).select_related("game", "player")
    return found.prefetch_related("game__places__player").first()


def unneeded(delivery: Delivery, now: datetime) -> str:
    """Why a mail is not to be sent any more, in the active language; empty if it is."""
    player, game, kind = delivery.player, delivery.game, delivery.kind
    if not player.is_active:
        return _("The account is closed.")
    if kind in WANTED_ANYWAY:
        return ""
    if not kinds.wanted(player, kind):
        return _("You want no mails.") if player.mails == Player.Mails.NONE else _("You want no such mails.")
    if player.dead_at:
        return _("Your address takes no mail: %(why)s") % {"why": player.dead_why}
    if kind == "digest":
        return "" if unmuted_turns(player) else _("No game waits for you.")
    if kind in kinds.ELSEWHERE:
        return kinds.ELSEWHERE[kind].unneeded(delivery, now)
    if game is None:
        return ""
    place = place_at(player, game.code)
    if kind == "invited":
        return "" if invitation_to(player, game, now) else _("The invitation was answered, or is over.")
    if place is None:
        return _("You are not in this game any more.")
    if place.muted:
        return _("You muted this game.")
    if kind in ("turn", "reminder") and not lasts(place, delivery.data["seq"]):
        return _("The turn has passed.")
    if kind in ("started", "blind") and game.status != Game.Status.RUNNING:
        return _("The game has gone on.")
    return next((why for said in kinds.ALSO_SAID if (why := said(delivery))), "")


def unmuted_turns(player: Player) -> list[Seat]:
    """The seats at which a player is to act and wants to hear of it."""
    return [place for place in my_turns(player) if not place.muted]


def turn_mails(player: Player | None, *, muted: bool) -> str:
    """How mails tell a player of their turns in a game that they muted or not: empty if none does."""
    if player is None or player.guest or muted or player.dead_at or not kinds.wanted(player, "turn"):
        return ""
    return player.mails


def invitation_to(player: Player, game: Game, now: datetime) -> Invitation | None:
    """A player's open invitation to a game."""
    open_ones = Invitation.objects.filter(
        game=game, player=player, answered="", game__status=Game.Status.OPEN, game__expires_at__gt=now
    )
    return open_ones.select_related("by", "game").first()


def unread_chat(player: Player, game: Game) -> list[Message]:
    """What others said at a table since the last mail about it."""
    said: QuerySet[Message] = game.messages.filter(hidden=False).exclude(player=player)
    mails = Delivery.objects.filter(
        player=player, game=game, webhook=None, sent_at__isnull=False, status=Delivery.Status.SENT
    )
    last = mails.order_by("-sent_at").values_list("sent_at", flat=True).first()
    if last:
        said = said.filter(at__gt=last)
    return list(said.select_related("player").order_by("-pk")[:CHAT])[::-1]
