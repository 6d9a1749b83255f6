"""Your own turns, invitations, profile and tokens."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Unpack, cast

from .records import RecordQuery, iter_records
from .types import Invitation, PatchedProfile, Profile, Record, Token, TokenWithSecret, Turn

if TYPE_CHECKING:
    from .client import Client


class Me:
    """`client.me`."""

    def __init__(self, client: Client) -> None:
        """Use this client."""
        self.client = client

    def turns(self) -> list[Turn]:
        """Return the games in which you are to act, most urgent first."""
        return cast(list[Turn], self.client.get("me/turns/"))

    def game_records(self, **query: Unpack[RecordQuery]) -> Iterator[Record]:
        """Iterate over the records of your games, in order of creation; running ones have no seed."""
        return iter_records(self.client, "me/games/records/", query)

    def invitations(self) -> list[Invitation]:
        """Return your open invitations."""
        return cast(list[Invitation], self.client.get("me/invitations/"))

    def profile(self) -> Profile:
        """Return your profile; `email` is None without the scope email."""
        return cast(Profile, self.client.get("me/"))

    def change(self, **fields: Unpack[PatchedProfile]) -> Profile:
        """Change language, time zone or notice settings; fields not given stay. Needs the scope account."""
        return cast(Profile, self.client.change("me/", fields))

    def tokens(self) -> list[Token]:
        """Return your active personal tokens. Needs the scope account."""
        return cast(list[Token], self.client.get("me/tokens/"))

    def token(self, token_id: int) -> Token:
        """Return one of your personal tokens, also if it has ended. Needs the scope account."""
        return cast(Token, self.client.get(f"me/tokens/{token_id}/"))

    def make_token(
        self, name: str, scopes: Sequence[str], expires_in_days: int | None = None
    ) -> TokenWithSecret:
        """Create a token; `token` is returned only now, and it ends with yours. Needs the scope account."""
        body = {"name": name, "scopes": list(scopes), "expires_in_days": expires_in_days}
        return cast(TokenWithSecret, self.client.post_once("me/tokens/", body))

    def revoke_token(self, token_id: int) -> None:
        """Revoke a token and all that it created, at once and for good. Needs the scope account."""
        self.client.request("DELETE", f"me/tokens/{token_id}/")

    def bot(self) -> dict[str, Any]:
        """Return your account as a bot: owner and settings. Raises NotFound if it is a person's."""
        return cast(dict[str, Any], self.client.get("me/bot/"))

    def declare_bot(self, owner_code: str, confirmation: str) -> dict[str, Any]:
        """Declare your account a bot; `confirmation` is its name. Needs the scope account."""
        body = {"owner_code": owner_code, "confirmation": confirmation}
        return cast(dict[str, Any], self.client.post("me/bot/", body))

    def change_bot(self, **settings: Any) -> dict[str, Any]:
        """Change takes_challenges, about, plays_cards or max_games. Needs the scope account."""
        return cast(dict[str, Any], self.client.change("me/bot/", settings))

    def withdraw_bot(self) -> None:
        """Make your account a person's again, before the bot has played. Needs the scope account."""
        self.client.request("DELETE", "me/bot/")

    def bots(self) -> list[dict[str, Any]]:
        """Return the bots that you run."""
        return cast(list[dict[str, Any]], self.client.get("me/bots/"))

    def make_owner_code(self) -> str:
        """Return a code by which an account can name you as its owner, for a day. Needs the scope account."""
        return cast(str, self.client.post("me/bots/code/")["owner_code"])
