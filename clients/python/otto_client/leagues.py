"""Leagues: read, join and leave, organise."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Unpack, cast
from urllib.parse import quote

from .games import fresh_seed
from .records import RecordQuery, iter_records
from .types import (
    Decision,
    League,
    LeagueMember,
    LeagueSummary,
    PatchedNewLeague,
    Proposal,
    Record,
    Season,
    SeasonDetail,
)

if TYPE_CHECKING:
    from .client import Client


class Leagues:
    """`client.leagues`. A league is named by its `id`; its groups play tournaments."""

    def __init__(self, client: Client) -> None:
        """Use this client."""
        self.client = client

    def _do(self, league: str, action: str, **body: Any) -> Any:
        return self.client.post_once(f"leagues/{league}/{action}/", body)

    def find(self, **filters: Any) -> Iterator[LeagueSummary]:
        """Iterate over leagues, newest first. Filters: status, mode, table_size, mine."""
        return self.client.pages("leagues/", **filters)

    def view(self, league: str) -> League:
        """Return a league with its calendar and your permissions (`you`)."""
        return cast(League, self.client.get(f"leagues/{league}/"))

    def members(self, league: str) -> Iterator[LeagueMember]:
        """Iterate over members and substitutes."""
        return self.client.pages(f"leagues/{league}/members/")

    def game_records(self, league: str, **query: Unpack[RecordQuery]) -> Iterator[Record]:
        """Iterate over the records of the games of all seasons that you may see, in order of creation."""
        return iter_records(self.client, f"leagues/{league}/games/records/", query)

    def seasons(self, league: str) -> Iterator[Season]:
        """Iterate over the seasons, newest first."""
        return self.client.pages(f"leagues/{league}/seasons/")

    def season(self, league: str, number: int, *, division: int | None = None) -> SeasonDetail:
        """Return a season with its divisions, or one of them: standings, and the reason of each placement."""
        return cast(SeasonDetail, self.client.get(f"leagues/{league}/seasons/{number}/", division=division))

    # ---------------------------------------------------------------------- take part

    def join(self, league: str, *, partner: str | None = None, client_seed: str | None = None) -> League:
        """Join from the next season on. In pairs your partner must accept first.

        Without a `client_seed` a random one is generated.
        """
        seed = fresh_seed() if client_seed is None else client_seed
        return cast(League, self._do(league, "join", partner=partner, client_seed=seed))

    def set_client_seed(self, league: str, client_seed: str | None = None) -> League:
        """Replace your client seed for the coming seasons; without one a random one is generated."""
        body = {"client_seed": fresh_seed() if client_seed is None else client_seed}
        path = f"leagues/{league}/client-seed/"
        return cast(League, self.client.request("PUT", path, json=body).json())

    def leave(self, league: str) -> League:
        """Leave from the next season on."""
        return cast(League, self._do(league, "leave"))

    def stand_by(self, league: str, *, client_seed: str | None = None) -> League:
        """Become a substitute for players who drop out during a season.

        Without a `client_seed` a random one is generated.
        """
        seed = fresh_seed() if client_seed is None else client_seed
        return cast(League, self._do(league, "substitute", client_seed=seed))

    # ---------------------------------------------------------------------- organise

    def create(self, name: str, division_size: int, **terms: Any) -> League:
        """Create a league."""
        body = {"name": name, "division_size": division_size, **terms}
        return cast(League, self.client.post_once("leagues/", body))

    def change(self, league: str, **terms: Unpack[PatchedNewLeague]) -> League:
        """Change settings; those not given stay."""
        return cast(League, self.client.change(f"leagues/{league}/", terms))

    def start(self, league: str) -> League:
        """Start the first season, within a minute."""
        return cast(League, self._do(league, "start"))

    def close(self, league: str) -> League:
        """End the league after the current season."""
        return cast(League, self._do(league, "close"))

    def replace(
        self, league: str, out: str, player: str | None = None, reason: str = "", public_note: str = ""
    ) -> Decision:
        """Replace a player by the named substitute, or by the one who waits longest."""
        body = {"out": out, "player": player, "reason": reason, "public_note": public_note}
        return cast(Decision, self._do(league, "replace", **body))

    def remove(self, league: str, name: str, reason: str = "", public_note: str = "") -> League:
        """Remove a member from the next season on."""
        body = {"name": name, "reason": reason, "public_note": public_note}
        return cast(League, self._do(league, "removals", **body))

    def readmit(self, league: str, name: str) -> None:
        """Let a removed player join again."""
        self.client.request("DELETE", f"leagues/{league}/removals/{quote(name, safe='')}/")

    def ask_co_organiser(self, league: str, name: str) -> Proposal:
        """Ask a player to co-organise the league; they get rights only when they accept."""
        return cast(Proposal, self._do(league, "co-organisers", name=name))

    def remove_co_organiser(self, league: str, name: str) -> None:
        """Remove a co-organiser, or withdraw the proposal."""
        self.client.request("DELETE", f"leagues/{league}/co-organisers/{quote(name, safe='')}/")
