"""Games: find, make, join, look at, play, talk."""

from __future__ import annotations

import json
import secrets
from collections import OrderedDict
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, cast

import httpx

from .views import GameSummary, GameView, Invitation, Legal, LogLine, Message, Note

if TYPE_CHECKING:
    from .client import Client

KEPT = 256  # views that are kept, so that a game that has not changed is not sent again


def fresh_seed() -> str:
    """Our own part of a game's randomness, made on our side so that the server cannot choose it."""
    return secrets.token_hex(16)


class Games:
    """`client.games`. A game is named by its `id`."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.kept: OrderedDict[str, tuple[str, str]] = OrderedDict()  # id: ETag, body

    # ---------------------------------------------------------------------- find and make

    def find(self, **filters: Any) -> Iterator[GameSummary]:
        """Games that you may see, newest first, page by page as you go on.

        Filters: status, mode, edition, seats, clock, rated, mine. `status="open"` is the lobby.
        """
        return self.client.pages("games/", **filters)

    def create(self, *, key: str | None = None, **terms: Any) -> GameView:
        """A new game: mode, seats, edition, cards, obligation, target, clock, order, private, rated.

        It is yours to join like everybody else, and made once however often the network makes us ask.
        """
        return self._act("games/", terms, key)

    def join(self, game: str, *, client_seed: str | None = None, invitation: str = "") -> GameView:
        """Take a seat. Without a `client_seed` a random one is made here."""
        seed = fresh_seed() if client_seed is None else client_seed
        body = {"client_seed": seed, "invitation": invitation}
        return cast(GameView, self.client.post(f"games/{game}/join/", body))

    def leave(self, game: str) -> GameView:
        """Leave before the start."""
        return cast(GameView, self.client.post(f"games/{game}/leave/"))

    def cancel(self, game: str) -> GameView:
        """Give an open game of yours up."""
        return cast(GameView, self.client.post(f"games/{game}/cancel/"))

    def invite(self, game: str, *, name: str = "", email: str = "", partner: bool = False) -> Invitation:
        """Keep a seat for somebody, by name or by email."""
        body = {"name": name, "email": email, "partner": partner}
        return cast(Invitation, self.client.post(f"games/{game}/invite/", body))

    def decline(self, game: str) -> None:
        """Say no to an invitation."""
        self.client.post(f"games/{game}/decline/")

    def add_bot(self, game: str, policy: str = "greedy", *, partner: bool = False) -> GameView:
        """Fill a seat of your game with a bot, in pairs perhaps as your partner."""
        body = {"policy": policy, "partner": partner}
        return cast(GameView, self.client.post(f"games/{game}/bots/", body))

    def choose_partner(self, game: str, *, joined: int | None = None, name: str = "") -> GameView:
        """In pairs, before the start: say who sits opposite you; with neither, the order of seats decides."""
        return cast(GameView, self.client.post(f"games/{game}/partner/", {"joined": joined, "name": name}))

    def rematch(self, game: str, *, commitment: str = "", client_seed: str | None = None) -> GameView:
        """A new game for the same people, in which a seat is kept for you: join it.

        With the `commitment` of a rematch that you have seen, you sit down; without a `client_seed` a random
        one is made here.
        """
        seed = fresh_seed() if commitment and client_seed is None else client_seed
        body = {"commitment": commitment, "client_seed": seed or ""}
        return cast(GameView, self.client.post(f"games/{game}/rematch/", body))

    # ---------------------------------------------------------------------- look and play

    def view(self, game: str) -> GameView:
        """The game as you may see it; one that has not changed since you looked is not sent again."""
        etag, body = self.kept.pop(game, ("", ""))
        headers = {"If-None-Match": etag} if etag else {}
        answer = self.client.request("GET", f"games/{game}/", headers=headers)
        if answer.status_code != 304:
            etag, body = answer.headers.get("ETag", ""), answer.text
        self.kept[game] = etag, body
        if len(self.kept) > KEPT:
            self.kept.popitem(last=False)
        return cast(GameView, json.loads(body))

    def legal(self, game: str) -> Legal:
        """Your legal actions now, and the seq that they belong to."""
        answer = self.client.request("GET", f"games/{game}/actions/legal/")
        return {"seq": int(answer.headers["Otto-Seq"]), "actions": answer.json()}

    def play(self, game: str, action: str, seq: int, *, key: str | None = None) -> GameView:
        """Play; `seq` is that of the game as you saw it. Raises Conflict or Illegal.

        The request carries an Idempotency-Key, so it is played once however often the network makes us ask.
        """
        return self._act(f"games/{game}/actions/", {"action": action, "seq": seq}, key)

    def take_seat(self, game: str) -> GameView:
        """See the hand of a seat that you took over; from then on it is yours to the end of the game."""
        return cast(GameView, self.client.post(f"games/{game}/take-seat/", {}))

    def resign(self, game: str, *, key: str | None = None) -> GameView:
        """Give the game up."""
        return self._act(f"games/{game}/resign/", {}, key)

    def _act(self, path: str, body: dict[str, Any], key: str | None) -> GameView:
        headers = {"Idempotency-Key": key or secrets.token_hex(16)}
        answer = self.client.request("POST", path, json=body, headers=headers, repeatable=True)
        return cast(GameView, answer.json())

    def record(self, game: str) -> dict[str, Any]:
        """The game as an otto-record/1; with its seed and its result once it is over."""
        return cast(dict[str, Any], self.client.get(f"games/{game}/record/"))

    def log(self, game: str, *, after: int = 0) -> Iterator[LogLine]:
        """The lines of the log, in order, page by page as you go on."""
        following: int | None = after
        while following is not None:
            page = self.client.get(f"games/{game}/log/", after=following)
            yield from page["results"]
            following = page["next"]

    def board_text(self, game: str) -> str:
        """The board for a fixed-width font."""
        return self._drawn(game, "board.txt", "text/plain").text

    def board_svg(self, game: str) -> str:
        """The board as a picture."""
        return self._drawn(game, "board.svg", "image/svg+xml").text

    def board_png(self, game: str, width: int = 600) -> bytes:
        """The same, in pixels; of the widths that are offered, the next that is no less."""
        return self._drawn(game, "board.png", "image/png", width=width).content

    def _drawn(self, game: str, name: str, media: str, **params: Any) -> httpx.Response:
        headers = {"Accept": f"{media}, */*;q=0.1"}
        return self.client.request("GET", f"games/{game}/{name}", params=params, headers=headers)

    # ---------------------------------------------------------------------- notes and chat

    def notes(self, game: str) -> Note:
        """Your own notes."""
        return cast(Note, self.client.get(f"games/{game}/notes/"))

    def write_notes(self, game: str, text: str) -> Note:
        """Write them anew."""
        return cast(Note, self.client.request("PUT", f"games/{game}/notes/", json={"text": text}).json())

    def chat(self, game: str) -> list[Message]:
        """The last lines of the chat, oldest first."""
        return cast(list[Message], self.client.get(f"games/{game}/chat/"))

    def say(self, game: str, text: str) -> Message:
        """Say something."""
        return cast(Message, self.client.post(f"games/{game}/chat/", {"text": text}))

    def report(self, game: str, message: int, why: str = "") -> None:
        """Tell the operator that a message is out of place."""
        self.client.post(f"games/{game}/chat/{message}/report/", {"why": why})
