"""Leagues: join and leave, seasons and divisions; make and run them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import quote

from .event_views import Decision, League, LeagueView, Proposal, Season
from .games import fresh_seed

if TYPE_CHECKING:
    from .client import Client


class Leagues:
    """`client.leagues`. A league is named by its `id`; what its groups play are tournaments."""

    def __init__(self, client: Client) -> None:
        self.client = client

    def _do(self, league: str, what: str, **body: Any) -> Any:
        return self.client.post_once(f"leagues/{league}/{what}/", body)

    def find(self, **filters: Any) -> Iterator[League]:
        """Leagues, newest first, page by page as you go on. Filters: status, mode, table, mine."""
        return self.client.pages("leagues/", **filters)

    def view(self, league: str) -> LeagueView:
        """A league, its calendar, and what you may do (`you`)."""
        return cast(LeagueView, self.client.get(f"leagues/{league}/"))

    def members(self, league: str) -> Iterator[dict[str, Any]]:
        """Who plays or stands by."""
        return self.client.pages(f"leagues/{league}/members/")

    def seasons(self, league: str) -> Iterator[Season]:
        """Its seasons, newest first."""
        return self.client.pages(f"leagues/{league}/seasons/")

    def season(self, league: str, number: int, *, division: int | None = None) -> Season:
        """A season with its divisions, or one of them: who stands where, and why they are there."""
        return cast(Season, self.client.get(f"leagues/{league}/seasons/{number}/", division=division))

    # ---------------------------------------------------------------------- take part

    def join(self, league: str, *, partner: str | None = None, client_seed: str | None = None) -> LeagueView:
        """Play season after season from the next one on. In pairs your partner is asked, and agrees first.

        Without a `client_seed` a random one is made here.
        """
        seed = fresh_seed() if client_seed is None else client_seed
        return cast(LeagueView, self._do(league, "join", partner=partner, client_seed=seed))

    def set_client_seed(self, league: str, client_seed: str | None = None) -> LeagueView:
        """Bring another client seed for the seasons to come; without one a random one is made here."""
        body = {"client_seed": fresh_seed() if client_seed is None else client_seed}
        path = f"leagues/{league}/client-seed/"
        return cast(LeagueView, self.client.request("PUT", path, json=body).json())

    def leave(self, league: str) -> LeagueView:
        """Play no more from the next season on."""
        return cast(LeagueView, self._do(league, "leave"))

    def stand_by(self, league: str, *, client_seed: str | None = None) -> LeagueView:
        """Be there for whoever drops out in the middle of a season.

        Without a `client_seed` a random one is made here.
        """
        seed = fresh_seed() if client_seed is None else client_seed
        return cast(LeagueView, self._do(league, "substitute", client_seed=seed))

    # ---------------------------------------------------------------------- organise

    def create(self, name: str, size: int, **terms: Any) -> LeagueView:
        """A league before its first season; `size` is that of a division."""
        return cast(LeagueView, self.client.post_once("leagues/", {"name": name, "size": size, **terms}))

    def change(self, league: str, **terms: Any) -> LeagueView:
        """Lay something down anew; what you do not name stays."""
        return cast(LeagueView, self.client.change(f"leagues/{league}/", terms))

    def start(self, league: str) -> LeagueView:
        """The first season begins, within a minute."""
        return cast(LeagueView, self._do(league, "start"))

    def close(self, league: str) -> LeagueView:
        """No season follows after the present one."""
        return cast(LeagueView, self._do(league, "close"))

    def replace(
        self, league: str, out: str, player: str | None = None, why: str = "", public_note: str = ""
    ) -> Decision:
        """A substitute takes over a place: who is named, or who has waited longest."""
        body = {"out": out, "player": player, "why": why, "public_note": public_note}
        return cast(Decision, self._do(league, "replace", **body))

    def remove(self, league: str, name: str, why: str = "", public_note: str = "") -> LeagueView:
        """Take somebody out from the next season on."""
        body = {"name": name, "why": why, "public_note": public_note}
        return cast(LeagueView, self._do(league, "removals", **body))

    def readmit(self, league: str, name: str) -> None:
        """Let somebody join again who was removed."""
        self.client.request("DELETE", f"leagues/{league}/removals/{quote(name, safe='')}/")

    def ask_co_organiser(self, league: str, name: str) -> Proposal:
        """Ask somebody to organise it with you; they can do nothing there until they agree."""
        return cast(Proposal, self._do(league, "helpers", name=name))

    def remove_helper(self, league: str, name: str) -> None:
        """Somebody organises it no more, or is not asked to any more."""
        self.client.request("DELETE", f"leagues/{league}/helpers/{quote(name, safe='')}/")
