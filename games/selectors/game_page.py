"""Everything the game page shows, loaded at once."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from datetime import datetime

from accounts.models import Player
from games.models import Game, Invitation, Message, Note, Pause
from games.permissions import Permission, PermissionContext, find_bot_consent_refusal, list_permissions

from .clocks import find_pause_proposal
from .deadlines import RoundEnd, round_end_of
from .game_views import GameView, action_views, actions_of, view_for
from .lists import MAX_CHAT_MESSAGES, count_unreserved_seats, load_recent_messages
from .loaded_games import LoadedGame, load_game_for
from .read_models import LogLineData

MAX_LOG_LINES_PER_MATCH = 80  # log lines read for the story of a match


@dataclass(frozen=True)
class GamePage:
    """The game page: view, log of the current match, chat, note, pause proposal and invitations."""

    game_view: GameView
    fingerprint: str
    match_log: list[LogLineData] = field(default_factory=list)
    messages: list[Message] = field(default_factory=list)
    note: Note | None = None
    pause_proposal: Pause | None = None
    unsent_invitations: list[Invitation] = field(default_factory=list)
    open_invitations: list[Invitation] = field(default_factory=list)  # the host's own, open ones
    permissions: frozenset[Permission] = frozenset()
    is_host: bool = False
    asks_about_bots: bool = False  # whether the viewer must agree to play with a bot before they sit down
    has_invited_opponent: bool = False  # the host has invited an opponent
    rematch: Game | None = None
    is_system_game: bool = False  # without a creator: a tournament's game
    round_end: RoundEnd | None = None


def load_game_page(viewer: Player | None, code: str, now: datetime) -> GamePage:
    """The game page for a viewer. Raises NoSuchGame."""
    loaded_game = load_game_for(viewer, code)
    game, is_seated = loaded_game.game, loaded_game.seat_of(viewer) is not None
    messages = load_recent_messages(game) if is_seated else []
    pause_proposal = find_pause_proposal(game) if loaded_game.state else None
    open_invitations = list_open_invitations(game)
    free_seat_count = count_unreserved_seats(game, loaded_game.seats, open_invitations, viewer)
    context = (
        PermissionContext(loaded_game, viewer, now, free_seat_count, pause_proposal=pause_proposal)
        if viewer
        else None
    )
    rematch = find_rematch_for(game, viewer) if is_seated and game.is_over else None
    return GamePage(
        game_view=view_for(loaded_game, viewer),
        fingerprint=state_fingerprint(
            loaded_game,
            pause_proposal if is_seated else None,
            [message.pk for message in messages if not message.hidden],
            rematch,
        ),
        match_log=load_current_match_log(game) if loaded_game.state else [],
        messages=messages,
        note=Note.objects.filter(game=game, player=viewer).first() if viewer else None,
        pause_proposal=pause_proposal,
        unsent_invitations=list_unsent_invitations(loaded_game, viewer),
        open_invitations=open_invitations_by(loaded_game, viewer, open_invitations),
        permissions=frozenset(list_permissions(context)),
        is_host=loaded_game.is_host(viewer),
        asks_about_bots=context is not None
        and find_bot_consent_refusal(context, accepts_bots=False) is not None,
        has_invited_opponent=game.mode == Game.Mode.PAIRS and has_invited_opponent(loaded_game, viewer),
        rematch=rematch,
        is_system_game=game.creator_id is None,
        round_end=round_end_of(game),
    )


def list_unsent_invitations(loaded_game: LoadedGame, viewer: Player | None) -> list[Invitation]:
    """A host's invitations whose mail was not sent, the latest per address; for everybody else none."""
    if not loaded_game.game.is_open or not loaded_game.is_host(viewer):
        return []
    mailed_invitations = (
        Invitation.objects.filter(game=loaded_game.game, inviter=viewer)
        .exclude(email="")
        .select_related("delivery")
        .order_by("pk")
    )
    return [
        invitation
        for invitation in {invitation.email: invitation for invitation in mailed_invitations}.values()
        if invitation.delivery and invitation.delivery.status_reason
    ]


def list_open_invitations(game: Game) -> list[Invitation]:
    """The open invitations to an open game."""
    if not game.is_open:
        return []
    invitations = Invitation.objects.open().filter(game=game).select_related("player")
    return list(invitations.order_by("pk"))


def open_invitations_by(
    loaded_game: LoadedGame, viewer: Player | None, open_invitations: list[Invitation]
) -> list[Invitation]:
    """The host's own open invitations; they contain addresses, so nobody else gets them."""
    if viewer is None or not loaded_game.is_host(viewer):
        return []
    return [invitation for invitation in open_invitations if invitation.inviter_id == viewer.pk]


def has_invited_opponent(loaded_game: LoadedGame, viewer: Player | None) -> bool:
    """True if a host has invited an opponent who has not declined."""
    if not loaded_game.game.is_open or not loaded_game.is_host(viewer):
        return False
    invitations = loaded_game.game.invitations.open_or_accepted()
    return invitations.filter(inviter=viewer, as_opponent=True).exists()


def find_rematch_for(game: Game, viewer: Player | None) -> Game | None:
    """The rematch of a game, unless cancelled, if the viewer has or may take a seat there."""
    rematch = Game.objects.filter(rematch_of=game).exclude(status=Game.Status.CANCELLED).first()
    if rematch is None or viewer is None:
        return None
    has_seat = rematch.seats.filter(player=viewer).exists()
    return rematch if has_seat or rematch.is_open else None


def load_current_match_log(game: Game) -> list[LogLineData]:
    """The log of the current match; its first action also shows how the previous match ended."""
    lines = action_views(actions_of(game).filter(seq__gt=game.seq - MAX_LOG_LINES_PER_MATCH))
    match_starts = [
        n for n, line in enumerate(lines) if any(event["event"] == "match began" for event in line["events"])
    ]
    return lines[match_starts[-1] :] if match_starts else lines


def state_fingerprint_for(viewer: Player | None, code: str) -> str:
    """A fingerprint that changes whenever a game has something new for a viewer. Raises NoSuchGame."""
    loaded_game = load_game_for(viewer, code)
    game = loaded_game.game
    if not loaded_game.seat_of(viewer):
        return state_fingerprint(loaded_game, None, [])
    message_rows = (
        Message.objects.filter(game=game).order_by("-pk").values_list("pk", "hidden")[:MAX_CHAT_MESSAGES]
    )
    visible_message_ids = [pk for pk, hidden in reversed(message_rows) if not hidden]
    return state_fingerprint(
        loaded_game,
        find_pause_proposal(game) if loaded_game.state else None,
        visible_message_ids,
        find_rematch_for(game, viewer) if game.is_over else None,
    )


def state_fingerprint(
    loaded_game: LoadedGame,
    pause_proposal: Pause | None,
    visible_message_ids: list[int],
    rematch: Game | None = None,
) -> str:
    """A short hash of everything that makes the game page change."""
    game = loaded_game.game
    players = [
        (
            seat.player.name if seat.player else seat.bot_policy,
            *([seat.partner_join_order] if seat.partner_join_order else []),
        )
        for seat in loaded_game.seats
    ]
    parts: list[object] = [
        game.seq,
        game.status,
        players,
        game.deadline,
        game.paused_until,
        visible_message_ids,
    ]
    parts += [game.round_ends_at, game.round_info] if game.round_ends_at else []
    parts += [pause_proposal.pk, pause_proposal.agreed_sides_mask] if pause_proposal else []
    if rematch:
        rematch_players = rematch.seats.order_by("join_order").values_list("player_id", flat=True)
        parts += [rematch.code, rematch.status, list(rematch_players)]
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:24]
