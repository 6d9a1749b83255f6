"""You: your turns, invitations, profile and tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from .views import Invitation, Profile, Token, Turn

if TYPE_CHECKING:
    from .client import Client


class Me:
    """`client.me`."""

    def __init__(self, client: Client) -> None:
        self.client = client

    def turns(self) -> list[Turn]:
        """Where you are to act, most urgent first."""
        return cast(list[Turn], self.client.get("me/turns/"))

    def invitations(self) -> list[Invitation]:
        """Games that you are asked to."""
        return cast(list[Invitation], self.client.get("me/invitations/"))

    def profile(self) -> Profile:
        """Who you are to this site; `email` is None without the scope email."""
        return cast(Profile, self.client.get("me/"))

    def change(self, **fields: str) -> Profile:
        """Change language, time_zone or mails; what you do not name stays. Needs the scope account."""
        return cast(Profile, self.client.change("me/", fields))

    def tokens(self) -> list[Token]:
        """Your personal tokens that still work. Needs the scope account."""
        return cast(list[Token], self.client.get("me/tokens/"))

    def make_token(self, name: str, scopes: Sequence[str], expires_in_days: int | None = None) -> Token:
        """A new token; its `token` is shown this once, and it ends with yours. Needs the scope account."""
        body = {"name": name, "scopes": list(scopes), "expires_in_days": expires_in_days}
        return cast(Token, self.client.post("me/tokens/", body))

    def revoke_token(self, token_id: int) -> None:
        """End a token and all that it made, at once and for good. Needs the scope account."""
        self.client.request("DELETE", f"me/tokens/{token_id}/")
