"""Lists for a player: games, turns, invitations, notes, chat."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, cast

from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet

from accounts.models import Player
from accounts.models.players import FORMER_PLAYER_NAME
from common.instants import format_instant
from common.service_errors import UnknownCursor
from games.engine import build_view, load_state
from games.engine.choices import Phase
from games.engine.state import sides_of
from games.models import Game, GameSecrets, Invitation, Message, Note, Seat, SpentCommitment

from .clocks import RoundEndData, find_round_end_data
from .deadlines import (
    DEADLINE_HELP_TEXT,
    DEADLINE_KIND_HELP_TEXT,
    DeadlineKind,
    deadline_kind_of,
    deadline_of,
)
from .game_ends import with_last_actions
from .game_views import common_game_fields, end_reason_of, seat_occupant_view
from .loaded_games import NotAtTable, load_game_for
from .read_models import GameSummaryData, ListedGameData, SeatSummaryData

# One query for many games.
SEATS_WITH_PLAYERS = Prefetch("seats", Seat.objects.select_related("player__bot_owner"))
OPEN_INVITATIONS = Prefetch("invitations", Invitation.objects.open(), to_attr="open_invitations")
MAX_CHAT_MESSAGES = 100  # chat messages shown
DEFERRED_LIST_FIELDS = [
    "initial_events",
    "seat_clocks",
    "head_hash",
    "seniority",
]  # fields that no list shows
ListCursor = tuple[datetime, int]  # of a list ordered by time: time and primary key


def list_visible_games(viewer: Player | None) -> QuerySet[Game]:
    """The games a viewer may list: public ones and their own."""
    queryset = Game.objects.prefetch_related(SEATS_WITH_PLAYERS).order_by("-id")
    if viewer is None:
        return queryset.filter(private=False)
    own_seats = Seat.objects.filter(game=OuterRef("pk"), player=viewer)
    return queryset.filter(Q(private=False) | Q(creator=viewer) | Exists(own_seats))


def list_seats_on_turn(player: Player) -> list[Seat]:
    """The seats at which a player is to act, most urgent first."""
    seats = (
        Seat.objects.filter(player=player, game__status=Game.Status.RUNNING, seat_no__isnull=False)
        .select_related("game")
        .order_by("game_id")
    )
    seats_on_turn = [seat for seat in seats if seat.seat_no and seat.game.is_turn_of(seat.seat_no)]
    return sorted(seats_on_turn, key=urgency_key)


@dataclass(frozen=True)
class TurnData:
    """A turn that waits for you."""

    game: Annotated[str, "The `id` of the game."]
    seat: Annotated[int, "Your seat."]
    seq: Annotated[int, "The `seq` of the game. Send it with your action."]
    phase: Annotated[Phase, "What kind of action is expected: `start`, `stolen`, `place` or `react`."]
    deadline: Annotated[datetime | None, DEADLINE_HELP_TEXT]
    deadline_kind: Annotated[DeadlineKind | None, DEADLINE_KIND_HELP_TEXT]
    round_end: Annotated[RoundEndData | None, "In a tournament: when points decide the game. Null otherwise."]


def build_turn_data(seat: Seat) -> TurnData:
    """The turn of a seat as its player sees it in a list."""
    game = seat.game
    return TurnData(
        game=game.code,
        seat=seat.seat_no or 0,
        seq=game.seq,
        phase=cast(Phase, game.phase),
        deadline=deadline_of(game),
        deadline_kind=deadline_kind_of(game),
        round_end=find_round_end_data(game),
    )


def urgency_key(seat: Seat) -> tuple[bool, datetime, int]:
    """Sort key for turns: by first deadline, those without one last."""
    deadline = deadline_of(seat.game)
    return deadline is None, deadline or seat.game.created_at, seat.game_id


def list_game_summaries(games: Sequence[Game]) -> list[GameSummaryData]:
    """The views of games in a list; one query for the scores of those that are being played."""
    scores = load_scores([game for game in games if game.is_playing])
    return [game_summary(game, scores.get(game.pk)) for game in games]


def game_summary(game: Game, score: GameScore | None = None) -> GameSummaryData:
    """The view of a game in a list, with its score if it is being played."""
    totals = game.result["totals"] if game.result else score.totals if score else {}
    return {
        **listed_game_fields(game),
        "totals": {str(side): total for side, total in totals.items()},
        "reason": end_reason_of(game, game.result),
        "started_at": format_instant(game.started_at),
        "finished_at": format_instant(game.finished_at),
        "seats": list_seat_summaries(game),
    }


def list_seat_summaries(game: Game) -> list[SeatSummaryData]:
    """The seats of a game in a list."""
    seats = sorted(game.seats.all(), key=lambda seat: (seat.seat_no or 9, seat.join_order))
    sides = sides_of(game.mode, game.seat_count)
    return [
        {
            "seat": seat.seat_no,
            "side": sides[seat.seat_no] if seat.seat_no else None,
            **seat_occupant_view(seat),
        }
        for seat in seats
    ]


def listed_game_fields(game: Game) -> ListedGameData:
    """The fields of a game in lists, but for its seats."""
    return {
        **common_game_fields(game),
        "seq": game.seq,
        "to_act": game.seats_to_act(),
        "winner": (game.result or {}).get("winner"),
        "commitment": game.commitment,
    }


def find_game_code_of_offer(player: Player, offer: str) -> str | None:
    """The code of the player's own game that was created with an offered commitment, or None."""
    commitment = offer.rpartition(".")[2]
    spent_commitments = SpentCommitment.objects.filter(commitment=commitment, game__seats__player=player)
    return spent_commitments.values_list("game__code", flat=True).first()


def list_unfinished_games(player: Player) -> list[Game]:
    """A player's games that wait for players or are being played, newest first."""
    joined_game_ids = Seat.objects.filter(player=player).values("game_id")
    own_open_game_ids = Game.objects.open().filter(creator=player).values("pk")
    queryset = Game.objects.unfinished().filter(pk__in=joined_game_ids.union(own_open_game_ids))
    return list(queryset.defer(*DEFERRED_LIST_FIELDS).order_by("-pk"))


def list_finished_games(player: Player, limit: int, *, public_only: bool = False) -> list[Game]:
    """A player's latest finished games."""
    queryset = Game.objects.completed().filter(seats__player=player)
    if public_only:
        queryset = queryset.filter(private=False)
    games = with_last_actions(queryset.defer(*DEFERRED_LIST_FIELDS))
    return list(games.order_by("-finished_at", "-pk")[:limit])


def list_open_games(now: datetime, settings_filter: Q, cursor: ListCursor | None = None) -> QuerySet[Game]:
    """Public open games that match a filter, newest first."""
    queryset = Game.objects.open().filter(settings_filter, private=False, expires_at__gt=now)
    return order_by_time_after(queryset.defer(*DEFERRED_LIST_FIELDS), "created_at", cursor)


def list_games_to_watch(settings_filter: Q, cursor: ListCursor | None = None) -> QuerySet[Game]:
    """Public running games of several players that match a filter, latest move first."""
    queryset = Game.objects.running().filter(settings_filter, private=False).exclude(mode=Game.Mode.SOLO)
    return order_by_time_after(queryset.defer(*DEFERRED_LIST_FIELDS), "moved_at", cursor)


def order_by_time_after(queryset: QuerySet[Game], field: str, cursor: ListCursor | None) -> QuerySet[Game]:
    """Order games by a time, latest first, and start after a cursor.

    The cursor has a primary key, because a sweep gives many games the same time.
    """
    if cursor:
        at, pk = cursor
        queryset = queryset.filter(**{f"{field}__lte": at}).exclude(**{field: at, "pk__gte": pk})
    return queryset.order_by(f"-{field}", "-pk")


@dataclass(frozen=True)
class GameScore:
    """The public score of a game."""

    match: int
    totals: dict[int, int]  # by side, of finished matches
    points: dict[int, int]  # by side, in the current match


def load_scores(games: Iterable[Game]) -> dict[int, GameScore]:
    """The scores of running games by id. A game whose state cannot be loaded is left out."""
    scores = {}
    states = GameSecrets.objects.filter(game__in=[game.pk for game in games]).exclude(state="")
    for pk, state_json in states.values_list("game_id", "state"):
        try:
            state = load_state(state_json)
        except (ValueError, KeyError):
            continue
        public_view = build_view(state)
        totals, points = (
            {int(side): n for side, n in public_view[name].items()} for name in ("totals", "points")
        )
        scores[pk] = GameScore(state.match_no, totals, points)
    return scores


def count_unreserved_seats(
    game: Game, seats: Sequence[Seat], open_invitations: Sequence[Invitation], player: Player | None
) -> int:
    """Count the seats open to a player; the host's and those of other invited players are reserved."""
    own_invitations = [
        invitation for invitation in open_invitations if player and invitation.player_id == player.pk
    ]
    host_is_seated = game.creator_id is None or any(seat.player_id == game.creator_id for seat in seats)
    reserved_for_host = 0 if host_is_seated or (player and player.pk == game.creator_id) else 1
    return game.seat_count - len(seats) - reserved_for_host - (len(open_invitations) - len(own_invitations))


def list_open_invitations_of(player: Player, now: datetime) -> QuerySet[Invitation]:
    """A player's open invitations to open games."""
    return (
        Invitation.objects.open()
        .filter(player=player, game__status=Game.Status.OPEN, game__expires_at__gt=now)
        .select_related("game", "inviter", "player")
    )


@dataclass(frozen=True)
class InvitationData:
    """An invitation to a game."""

    game: Annotated[str, "The `id` of the game."]
    commitment: Annotated[str, "The SHA-256 of the game's server seed, in hexadecimal."]
    by: Annotated[str, "The name of the player who invites."]
    by_bot: Annotated[bool, "Whether a bot invites."]
    bots_allowed: Annotated[bool, "Whether bots may play. If so, join with `accept_bots`."]
    name: Annotated[str | None, "The name of the invited player; null if an email address was invited."]
    partner: Annotated[bool, "In pairs: whether the invited player becomes the inviting player's partner."]
    created_at: Annotated[datetime, "When the invitation was sent."]


def build_invitation_data(invitation: Invitation) -> InvitationData:
    """An invitation as its two sides see it; an email address is shown to nobody."""
    return InvitationData(
        game=invitation.game.code,
        commitment=invitation.game.commitment,
        by=invitation.inviter.name,
        by_bot=invitation.inviter.is_bot,
        bots_allowed=invitation.game.bots_allowed,
        name=invitation.player.name if invitation.player else None,
        partner=invitation.as_partner,
        created_at=invitation.created_at,
    )


@dataclass(frozen=True)
class GameNoteData:
    """Your note on a game."""

    text: Annotated[str, "The text of your note; empty if there is none."] = field(
        metadata={"allow_blank": True}
    )
    updated_at: Annotated[datetime | None, "When you last changed it; null if there is none."]


def build_note_data(note: Note | None) -> GameNoteData:
    """A note as its author sees it; empty if there is none."""
    return GameNoteData(note.text, note.updated_at) if note else GameNoteData("", None)


def load_note_for(player: Player, code: str) -> Note | None:
    """A player's own note on a game. Raises NoSuchGame."""
    return Note.objects.filter(game=load_game_for(player, code).game, player=player).first()


def load_chat_for(player: Player, code: str, before: int | None = None) -> list[Message]:
    """The latest chat messages of a game, oldest first, for its players. Raises NoSuchGame or UnknownCursor.

    With `before` those before the message of that id.
    """
    loaded_game = load_game_for(player, code)
    if not loaded_game.seat_of(player):
        raise NotAtTable(code)
    if before and Message.objects.filter(pk=before).exclude(game=loaded_game.game).exists():
        raise UnknownCursor(field="before")
    return load_recent_messages(loaded_game.game, before)


def load_recent_messages(game: Game, before: int | None = None) -> list[Message]:
    """The latest chat messages of a game, or those before the message of an id, oldest first."""
    messages = Message.objects.filter(game=game).select_related("player").order_by("-pk")
    if before is not None:
        messages = messages.filter(pk__lt=before)
    return list(messages[:MAX_CHAT_MESSAGES])[::-1]


@dataclass(frozen=True)
class ChatMessageData:
    """A chat message."""

    id: Annotated[int, "Its number in addresses of the API."]
    name: Annotated[str, "The name of the player who wrote it."]
    is_bot: Annotated[bool, "Whether a bot wrote it."]
    text: Annotated[str, "The message as plain text; empty if an operator has hidden it."] = field(
        metadata={"allow_blank": True}
    )
    at: Annotated[datetime, "When it was sent."]


def build_message_data(message: Message) -> ChatMessageData:
    """A chat message as the table sees it; a hidden one has no text."""
    return ChatMessageData(
        id=message.pk,
        name=message.player.name if message.player else str(FORMER_PLAYER_NAME),
        is_bot=message.player is not None and message.player.is_bot,
        text="" if message.hidden else message.text,
        at=message.created_at,
    )
