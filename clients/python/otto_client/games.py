"""Games: find, create, join, read, play, chat."""

from __future__ import annotations

import json
import secrets
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypedDict, Unpack, cast

import httpx

from .types import ChatMessage, Game, GameNote, GameSummary, Invitation, LogLine, NewGame, Orders, Record

if TYPE_CHECKING:
    from .client import Client

MAX_CACHED_VIEWS = 256  # cached views, revalidated by ETag


def fresh_seed() -> str:
    """Return a random client seed, generated here so that the server cannot choose it."""
    return secrets.token_hex(16)


class Legal(TypedDict):
    """Legal actions with the seq to which they belong, which comes in a header."""

    seq: int
    actions: list[str]


class Games:
    """`client.games`. A game is named by its `id`."""

    def __init__(self, client: Client) -> None:
        """Use this client, with an empty cache of views."""
        self.client = client
        self.cached_views: OrderedDict[str, tuple[str, str]] = OrderedDict()  # id: ETag, body

    # ---------------------------------------------------------------------- find and make

    def find(self, **filters: Any) -> Iterator[GameSummary]:
        """Iterate over the games that you may see, newest first.

        Filters: status, mode, edition, seats, clock, rated, mine. `status="open"` is the lobby.
        """
        return self.client.pages("games/", **filters)

    def create(self, *, key: str | None = None, **terms: Unpack[NewGame]) -> Game:
        """Create a game: mode, seats, edition, cards, obligation, target, clock, order, private, rated.

        You join it like everybody else. The request carries an Idempotency-Key, so retries create no second
        game.
        """
        return self._act("games/", terms, key)

    def join(
        self, game: str, *, client_seed: str | None = None, invitation: str = "", accept_bots: bool = False
    ) -> Game:
        """Take a seat. Without a `client_seed` a random one is generated.

        Where `bots_allowed`, a person must agree to play with a bot: `accept_bots`.
        """
        seed = fresh_seed() if client_seed is None else client_seed
        body = {"client_seed": seed, "invitation": invitation, "accept_bots": accept_bots}
        return cast(Game, self.client.post_once(f"games/{game}/join/", body))

    def leave(self, game: str) -> Game:
        """Leave before the start."""
        return cast(Game, self.client.post(f"games/{game}/leave/"))

    def cancel(self, game: str) -> Game:
        """Cancel an open game of yours."""
        return cast(Game, self.client.post(f"games/{game}/cancel/"))

    def invite(self, game: str, *, name: str = "", email: str = "", partner: bool = False) -> Invitation:
        """Reserve a seat for a player, by name or by email."""
        body = {"name": name, "email": email, "partner": partner}
        return cast(Invitation, self.client.post_once(f"games/{game}/invite/", body))

    def decline(self, game: str) -> None:
        """Decline an invitation."""
        self.client.post(f"games/{game}/decline/")

    def add_bot(self, game: str, policy: str = "greedy", *, partner: bool = False) -> Game:
        """Fill a seat of your game with a bot; in pairs possibly as your partner."""
        body = {"policy": policy, "partner": partner}
        return cast(Game, self.client.post_once(f"games/{game}/bots/", body))

    def choose_partner(self, game: str, *, joined: int | None = None, name: str = "") -> Game:
        """Choose your partner before the start; with neither argument, the seat order decides."""
        return cast(Game, self.client.post(f"games/{game}/partner/", {"joined": joined, "name": name}))

    def rematch(self, game: str, *, commitment: str = "", client_seed: str | None = None) -> Game:
        """Create a game for the same players, with a seat reserved for you, which you then join.

        With the `commitment` of a rematch that you have seen, you join it at once; without a `client_seed` a
        random one is generated.
        """
        seed = fresh_seed() if commitment and client_seed is None else client_seed
        body = {"commitment": commitment, "client_seed": seed or ""}
        return cast(Game, self.client.post_once(f"games/{game}/rematch/", body))

    # ---------------------------------------------------------------------- look and play

    def view(self, game: str) -> Game:
        """Return the game as you may see it; an unchanged game is read from the cache."""
        etag, body = self.cached_views.pop(game, ("", ""))
        headers = {"If-None-Match": etag} if etag else {}
        answer = self.client.request("GET", f"games/{game}/", headers=headers)
        if answer.status_code != 304:
            etag, body = answer.headers.get("ETag", ""), answer.text
        self.cached_views[game] = etag, body
        if len(self.cached_views) > MAX_CACHED_VIEWS:
            self.cached_views.popitem(last=False)
        return cast(Game, json.loads(body))

    def legal(self, game: str) -> Legal:
        """Return your legal actions, and the seq to which they belong.

        They are also in `you["legal"]` of every view, and of what `play` returns.
        """
        answer = self.client.request("GET", f"games/{game}/actions/legal/")
        return {"seq": int(answer.headers["Otto-Seq"]), "actions": answer.json()}

    def play(self, game: str, action: str, seq: int, *, key: str | None = None) -> Game:
        """Play an action; `seq` is that of the game as you saw it. Raises Conflict or Illegal.

        The request carries an Idempotency-Key, so retries play it only once.
        """
        return self._act(f"games/{game}/actions/", {"action": action, "seq": seq}, key)

    def take_seat(self, game: str) -> Game:
        """Show the hand of a seat that you took over; from then on you keep it to the end of the game."""
        return cast(Game, self.client.post(f"games/{game}/take-seat/", {}))

    def resign(self, game: str, *, key: str | None = None) -> Game:
        """Resign."""
        return self._act(f"games/{game}/resign/", {}, key)

    def _act(self, path: str, body: Mapping[str, Any], key: str | None) -> Game:
        headers = {"Idempotency-Key": key or secrets.token_hex(16)}
        answer = self.client.request("POST", path, json=body, headers=headers, repeatable=True)
        return cast(Game, answer.json())

    # ---------------------------------------------------------------------- standing orders

    def orders(self, game: str) -> Orders | None:
        """Return your standing orders; None if the game has not started or you do not play in it."""
        game_view = self.view(game)
        return game_view["you"]["orders"] if "you" in game_view else None

    def give_orders(self, game: str, *, draw: bool | None = None, only: bool | None = None) -> Orders:
        """Give or end standing orders; what is None stays. Only you can see them.

        `draw`: the server draws for you at the start of your turns. `only`: it plays the only legal
        placement, or the only way to play a kidnapped card.
        """
        changes = {"draw": draw, "only": only}
        body = {name: value for name, value in changes.items() if value is not None}
        return cast(Orders, self.client.change(f"games/{game}/orders/", body))

    def end_orders(self, game: str) -> Orders:
        """End all your standing orders in a game."""
        return self.give_orders(game, draw=False, only=False)

    # ---------------------------------------------------------------------- records and pictures

    def record(self, game: str) -> Record:
        """Return the game as an otto-record/1; with its seed and result once it is over."""
        return cast(Record, self.client.get(f"games/{game}/record/"))

    def log(self, game: str, *, after: int = 0) -> Iterator[LogLine]:
        """Iterate over the log, in order."""
        following: int | None = after
        while following is not None:
            page = self.client.get(f"games/{game}/log/", after=following)
            yield from page["results"]
            following = page["next"]

    def board_text(self, game: str) -> str:
        """Return the board as text for a fixed-width font."""
        return self._fetch_picture(game, "board.txt", "text/plain").text

    def board_svg(self, game: str) -> str:
        """Return the board as SVG."""
        return self._fetch_picture(game, "board.svg", "image/svg+xml").text

    def board_png(self, game: str, width: int = 600) -> bytes:
        """Return the board as PNG, in the offered width that is equal or next larger."""
        return self._fetch_picture(game, "board.png", "image/png", width=width).content

    def _fetch_picture(self, game: str, name: str, media: str, **params: Any) -> httpx.Response:
        headers = {"Accept": f"{media}, */*;q=0.1"}
        return self.client.request("GET", f"games/{game}/{name}", params=params, headers=headers)

    # ---------------------------------------------------------------------- notes and chat

    def notes(self, game: str) -> GameNote:
        """Return your own notes."""
        return cast(GameNote, self.client.get(f"games/{game}/notes/"))

    def write_notes(self, game: str, text: str) -> GameNote:
        """Replace your notes."""
        return cast(GameNote, self.client.request("PUT", f"games/{game}/notes/", json={"text": text}).json())

    def chat(self, game: str) -> list[ChatMessage]:
        """Return the last chat messages, oldest first."""
        return cast(list[ChatMessage], self.client.get(f"games/{game}/chat/"))

    def say(self, game: str, text: str) -> ChatMessage:
        """Send a chat message."""
        return cast(ChatMessage, self.client.post_once(f"games/{game}/chat/", {"text": text}))

    def report(self, game: str, message: int, reason: str = "") -> None:
        """Report a message to the operator."""
        self.client.post_once(f"games/{game}/chat/{message}/report/", {"reason": reason})
