"""What is new in a game for a viewer since a cursor: actions, chat messages and the view."""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Count, F, Max, Min, OuterRef, Subquery, Sum
from django.db.models.functions import JSONObject

from accounts.models import Player
from common.read_models import build_json
from common.service_errors import UnknownCursor
from games.models import Game, Message, Pause, Seat
from games.models.games import UNFINISHED_STATUSES
from notifications.selectors.feed import FEED_MARK_COLUMNS, with_feed_marks

from .game_views import action_views, actions_of, cached_json_for
from .lists import build_message_data
from .read_models import LogLineData

MAX_ITEMS_READ = 100  # actions, and messages, in one read
CURSOR_PATTERN = re.compile(r"(\d{1,9})(?:\.(\d{1,18}))?")


@dataclass(frozen=True)
class GameCursor:
    """How far a viewer has read a game: the seq, and at the table the id of the last chat message."""

    seq: int
    message_id: int | None = None  # None: from now on, for those who see no chat

    def __str__(self) -> str:
        return str(self.seq) if self.message_id is None else f"{self.seq}.{self.message_id}"


@dataclass(frozen=True)
class GameChanges:
    """What is new in a game for a viewer."""

    view_json: bytes
    is_finished: bool
    status: str
    cursor: GameCursor
    actions: list[LogLineData] = field(default_factory=list)
    messages: list[Message] = field(default_factory=list)
    has_more: bool = False


def parse_game_cursor(text: str) -> GameCursor | None:
    """The cursor in a text like `12.345`, or None if it is none."""
    match = CURSOR_PATTERN.fullmatch(text)
    return GameCursor(int(match[1]), int(match[2]) if match[2] else None) if match else None


def check_cursor_of_game(code: str, cursor: GameCursor) -> None:
    """Raise UnknownCursor if a cursor has an action that the game has not, or another game's message."""
    seq = Game.objects.filter(code=code).values_list("seq", flat=True).first()
    messages = Message.objects.filter(pk=cursor.message_id or 0).exclude(game__code=code)
    if seq is not None and (cursor.seq > seq or (cursor.message_id and messages.exists())):
        raise UnknownCursor


def read_game_changes(viewer: Player | None, code: str, cursor: GameCursor | None) -> GameChanges:
    """What is new for a viewer since a cursor; without one only the view, from now on. Raises NoSuchGame.

    The view is read first and actions up to its seq, so that both agree.
    """
    view_json = cached_json_for(viewer, code)
    view = json.loads(view_json)
    seq, status, is_seated = view["seq"], view["status"], view["joined"] is not None
    is_finished = status not in UNFINISHED_STATUSES
    game = Game(pk=Game.objects.values_list("pk", flat=True).get(code=code)) if cursor or is_seated else None
    actions: list[Any] = []
    if cursor and game and cursor.seq < seq:
        unread_actions = actions_of(game).filter(seq__gt=cursor.seq, seq__lte=seq)
        actions = list(unread_actions[:MAX_ITEMS_READ])
    messages: list[Message] = []
    message_id = None
    if game and is_seated:
        if cursor and cursor.message_id is not None:
            unread_messages = Message.objects.filter(game=game, pk__gt=cursor.message_id)
            messages = list(unread_messages.select_related("player").order_by("pk")[:MAX_ITEMS_READ])
            message_id = messages[-1].pk if messages else cursor.message_id
        else:
            message_id = Message.objects.filter(game=game).aggregate(last=Max("pk"))["last"] or 0
    has_more_actions = len(actions) == MAX_ITEMS_READ and actions[-1].seq < seq
    return GameChanges(
        view_json=view_json,
        is_finished=is_finished,
        status=status,
        cursor=GameCursor(actions[-1].seq if has_more_actions else seq, message_id),
        actions=action_views(actions),
        messages=messages,
        has_more=has_more_actions or len(messages) == MAX_ITEMS_READ,
    )


def find_game_marks(codes: Collection[str]) -> dict[str, str]:
    """A mark of each game by code, which changes with whatever is stored of it."""
    messages = Message.objects.filter(game=OuterRef("pk")).order_by("-pk")
    pauses = Pause.objects.filter(game=OuterRef("pk")).order_by("-pk")
    rematches = Game.objects.filter(rematch_of=OuterRef("pk")).annotate(seats_taken=Count("seats"))
    rematch_mark = JSONObject(game=F("pk"), status=F("status"), seats=F("seats_taken"))
    rows = (
        Game.objects.filter(code__in=codes)
        .annotate(
            seats_taken=Count("seats"),
            last_message=Subquery(messages.values("pk")[:1]),
            last_pause=Subquery(pauses.values("pk")[:1]),
            agreed_sides=Subquery(pauses.values("agreed_sides_mask")[:1]),
            rematch_mark=Subquery(rematches.annotate(mark=rematch_mark).values("mark")[:1]),
        )
        .values_list(*GAME_MARK_COLUMNS)
    )
    return {code: repr(columns) for code, *columns in rows}


# Only the poll compares these marks: what a stream then sends is what its viewer may see.
GAME_MARK_COLUMNS = (
    *("code", "seq", "status", "seat_changes", "deadline", "paused_until", "moved_at", "round_ends_at"),
    *("private", "seats_taken", "last_message", "last_pause", "agreed_sides", "rematch_mark"),
)


def find_lobby_mark(limit: int = 200) -> str:
    """A mark of the public open games, which changes when one is added, taken, filled or left."""
    open_games = Game.objects.open().filter(private=False)
    rows = open_games.annotate(seats_taken=Count("seats")).order_by("-pk").values_list("pk", "seats_taken")
    return repr(list(rows[:limit]))


def find_own_mark(player: Player) -> str:
    """A mark of a player's feed and unfinished games, which changes with every entry, move and seat.

    Players read its hash, so nothing goes into it that others at the table keep to themselves: not
    `seat_changes`, which counts standing orders, but who sits in these games.
    """
    games = Seat.objects.filter(player=OuterRef("pk"), game__status__in=UNFINISHED_STATUSES)
    totals = (
        games.order_by()
        .values("player")
        .annotate(
            mark=JSONObject(
                games=Count("pk"),
                actions=Sum("game__seq"),
                players=Sum("game__seats__player"),
                moved_at=Max("game__moved_at"),
                deadlines=Min("game__deadline"),
            )
        )
    )
    marked_players = with_feed_marks(Player.objects.filter(pk=player.pk))
    return repr(marked_players.values_list(*FEED_MARK_COLUMNS, Subquery(totals.values("mark"))).first())


def build_message_view(message: Message) -> dict[str, Any]:
    """A chat message as the API has it."""
    view: dict[str, Any] = build_json(build_message_data(message))
    return view
