"""Games: find, create, join, read, play, chat."""

from __future__ import annotations

from typing import Any, TypedDict, TypeVar, Unpack

import httpx

from .operations import (
    Call,
    Cursor,
    Operation,
    Resource,
    StreamedEvent,
    Subscription,
    fresh_seed,
    list_operation,
    operation,
    stream_operation,
)
from .types import (
    ChatMessage,
    EightPolicy,
    Game,
    GameNote,
    GameSummary,
    Invitation,
    LogLine,
    Muted,
    NewGame,
    PatchedStandingOrders,
    Pause,
    Record,
    StandingOrders,
)

C = TypeVar("C")


class Legal(TypedDict):
    """Legal actions with the seq to which they belong, which comes in a header."""

    seq: int
    actions: list[str]


def read_legal(answer: httpx.Response) -> Legal:
    """Return the actions with the seq of the header."""
    return {"seq": int(answer.headers["Otto-Seq"]), "actions": answer.json()}


def read_text(answer: httpx.Response) -> str:
    """Return the body as text."""
    return answer.text


def read_bytes(answer: httpx.Response) -> bytes:
    """Return the body as it is."""
    return answer.content


class Games(Resource[C]):
    """`client.games`. A game is named by its `id`."""

    # ---------------------------------------------------------------------- find and make

    @list_operation("games_list")
    def find(self, **filters: Any) -> Cursor[GameSummary]:
        """Iterate over the games that you may see, newest first.

        Filters: status, mode, edition, seats, clock, rated, own. `status="open"` is the lobby.
        """
        return Cursor(**filters)

    @operation("games_create")
    def create(self, *, key: str | None = None, **terms: Unpack[NewGame]) -> Call[Game]:
        """Create a game: mode, seats, edition, cards, obligation, target, clock, order, private, rated.

        You join it like everybody else. The request carries an Idempotency-Key, so retries create no second
        game.
        """
        return Call(fields=terms, key=key)

    @operation("games_join")
    def join(
        self, game: str, *, client_seed: str | None = None, invitation: str = "", accept_bots: bool = False
    ) -> Call[Game]:
        """Take a seat. Without a `client_seed` a random one is generated.

        Where `bots_allowed`, a person must agree to play with a bot: `accept_bots`.
        """
        seed = fresh_seed() if client_seed is None else client_seed
        return Call((game,), {"client_seed": seed, "invitation": invitation, "accept_bots": accept_bots})

    @operation("games_leave")
    def leave(self, game: str) -> Call[Game]:
        """Leave before the start."""
        return Call((game,))

    @operation("games_cancel")
    def cancel(self, game: str) -> Call[Game]:
        """Cancel an open game of yours."""
        return Call((game,))

    @operation("games_invite")
    def invite(
        self, game: str, *, name: str = "", email: str = "", partner: bool = False
    ) -> Call[Invitation]:
        """Reserve a seat for a player, by name or by email."""
        return Call((game,), {"name": name, "email": email, "partner": partner})

    @operation("games_decline")
    def decline(self, game: str) -> Call[None]:
        """Decline an invitation."""
        return Call((game,))

    @operation("games_bots")
    def add_bot(self, game: str, policy: str = "greedy", *, partner: bool = False) -> Call[Game]:
        """Fill a seat of your game with a bot; in pairs possibly as your partner."""
        return Call((game,), {"policy": policy, "partner": partner})

    @operation("games_partner")
    def choose_partner(self, game: str, *, joined: int | None = None, name: str = "") -> Call[Game]:
        """Choose your partner before the start; with neither argument, the seat order decides."""
        return Call((game,), {"joined": joined, "name": name})

    @operation("games_rematch")
    def rematch(self, game: str, *, commitment: str = "", client_seed: str | None = None) -> Call[Game]:
        """Create a game for the same players, with a seat reserved for you, which you then join.

        With the `commitment` of a rematch that you have seen, you join it at once; without a `client_seed` a
        random one is generated.
        """
        seed = fresh_seed() if commitment and client_seed is None else client_seed
        return Call((game,), {"commitment": commitment, "client_seed": seed or ""})

    # ---------------------------------------------------------------------- look and play

    @operation("games_view")
    def view(self, game: str) -> Call[Game]:
        """Return the game as you may see it; an unchanged game is read from the cache."""
        return Call((game,), is_cached=True)

    @operation("games_legal")
    def legal(self, game: str) -> Call[Legal]:
        """Return your legal actions, and the seq to which they belong."""
        return Call((game,), read_answer=read_legal)

    @operation("games_play")
    def play(self, game: str, action: str, seq: int, *, key: str | None = None) -> Call[Game]:
        """Play an action; `seq` is that of the game as you saw it. Raises Conflict or Illegal.

        The request carries an Idempotency-Key, so retries play it only once.
        """
        return Call((game,), {"action": action, "seq": seq}, key=key)

    @operation("games_take")
    def take_seat(self, game: str) -> Call[Game]:
        """Show the hand of a seat that you took over; from then on you keep it to the end of the game."""
        return Call((game,))

    @operation("games_resign")
    def resign(self, game: str, *, key: str | None = None) -> Call[Game]:
        """Resign."""
        return Call((game,), key=key)

    @stream_operation("games_stream")
    def stream(self, game: str, after: str | None = None) -> Subscription[StreamedEvent]:
        """Iterate over a game as it is played: `game`, `action`, `message` and at last `end`.

        `after` is the `id` of an event: what came since then comes first. Raises Problem, and Unreachable
        after `max_attempts` failures in a row.
        """
        return Subscription((game,), after, lambda event: event)

    @operation("games_record")
    def record(self, game: str) -> Call[Record]:
        """Return the game as an otto-record/1; with its seed and result once it is over."""
        return Call((game,))

    @list_operation("games_log")
    def log(self, game: str, *, after: int = 0) -> Cursor[LogLine]:
        """Iterate over the log, in order."""
        return Cursor(game, after=after)

    @operation("games_board_txt")
    def board_text(self, game: str) -> Call[str]:
        """Return the board as text for a fixed-width font."""
        return Call((game,), read_answer=read_text, accept="text/plain, */*;q=0.1")

    @operation("games_board_svg")
    def board_svg(self, game: str) -> Call[str]:
        """Return the board as SVG."""
        return Call((game,), read_answer=read_text, accept="image/svg+xml, */*;q=0.1")

    @operation("games_board_png")
    def board_png(self, game: str, width: int = 600) -> Call[bytes]:
        """Return the board as PNG, in the offered width that is equal or next larger."""
        return Call((game,), {"width": width}, read_bytes, accept="image/png, */*;q=0.1")

    # ---------------------------------------------------------------------- settings of yours, pauses

    choose_eight_policy = Operation[..., EightPolicy](
        "games_eight", "Decide in advance how you answer an 8: `eight_policy=…`."
    )
    mute = Operation[..., Muted]("games_mute", "Mute the notices of a game: `muted=True`.")
    pause = Operation[[str], Pause]("games_pause_view", "Return the pause of a game, and what is proposed.")
    propose_pause = Operation[..., Pause]("games_pause_propose", "Propose a pause: `until=…`.")
    agree_to_pause = Operation[[str], Pause]("games_pause_agree", "Agree to the proposed pause.")
    decline_pause = Operation[[str], Pause]("games_pause_decline", "Decline the proposed pause.")

    @operation("games_orders")
    def set_orders(self, game: str, **orders: Unpack[PatchedStandingOrders]) -> Call[StandingOrders]:
        """Change your standing orders; those not given stay."""
        return Call((game,), orders)

    # ---------------------------------------------------------------------- notes and chat

    @operation("games_notes")
    def notes(self, game: str) -> Call[GameNote]:
        """Return your own notes."""
        return Call((game,))

    @operation("games_notes_write")
    def write_notes(self, game: str, text: str) -> Call[GameNote]:
        """Replace your notes."""
        return Call((game,), {"text": text})

    @operation("games_chat")
    def chat(self, game: str, *, before: int | None = None) -> Call[list[ChatMessage]]:
        """Return the last hundred chat messages, oldest first, or those before the message of an id."""
        return Call((game,), {"before": before})

    @operation("games_chat_say")
    def say(self, game: str, text: str) -> Call[ChatMessage]:
        """Send a chat message."""
        return Call((game,), {"text": text})

    @operation("games_chat_report")
    def report(self, game: str, message: int, reason: str = "") -> Call[None]:
        """Report a message to the operator."""
        return Call((game, message), {"reason": reason})
