"""Leagues: read, join and leave, organise."""

from __future__ import annotations

from typing import Any, TypeVar, Unpack

from .operations import (
    Call,
    Cursor,
    ListOperation,
    Resource,
    fresh_seed,
    list_operation,
    operation,
    records_operation,
)
from .records import RecordQuery
from .types import (
    Decision,
    League,
    LeagueMember,
    LeagueSummary,
    PatchedNewLeague,
    Proposal,
    Record,
    Removal,
    Season,
    SeasonDetail,
)

C = TypeVar("C")


class Leagues(Resource[C]):
    """`client.leagues`. A league is named by its `id`; its groups play tournaments."""

    @list_operation("leagues_list")
    def find(self, **filters: Any) -> Cursor[LeagueSummary]:
        """Iterate over leagues, newest first. Filters: status, mode, table_size, own."""
        return Cursor(**filters)

    @operation("leagues_view")
    def view(self, league: str) -> Call[League]:
        """Return a league with its calendar and your permissions (`you`)."""
        return Call((league,))

    @list_operation("leagues_members")
    def members(self, league: str) -> Cursor[LeagueMember]:
        """Iterate over members and substitutes."""
        return Cursor(league)

    @list_operation("leagues_seasons")
    def seasons(self, league: str) -> Cursor[Season]:
        """Iterate over the seasons, newest first."""
        return Cursor(league)

    @operation("leagues_season")
    def season(self, league: str, number: int, *, division: int | None = None) -> Call[SeasonDetail]:
        """Return a season with its divisions, or one of them: standings, and the reason of each placement."""
        return Call((league, number), {"division": division})

    # ---------------------------------------------------------------------- take part

    @operation("leagues_join")
    def join(
        self, league: str, *, partner: str | None = None, client_seed: str | None = None
    ) -> Call[League]:
        """Join from the next season on. In pairs your partner must accept first.

        Without a `client_seed` a random one is generated.
        """
        seed = fresh_seed() if client_seed is None else client_seed
        return Call((league,), {"partner": partner, "client_seed": seed})

    @operation("leagues_clientseed")
    def set_client_seed(self, league: str, client_seed: str | None = None) -> Call[League]:
        """Replace your client seed for the coming seasons; without one a random one is generated."""
        body = {"client_seed": fresh_seed() if client_seed is None else client_seed}
        return Call((league,), body)

    @operation("leagues_leave")
    def leave(self, league: str) -> Call[League]:
        """Leave from the next season on."""
        return Call((league,))

    @operation("leagues_substitute")
    def stand_by(self, league: str, *, client_seed: str | None = None) -> Call[League]:
        """Become a substitute for players who drop out during a season.

        Without a `client_seed` a random one is generated.
        """
        seed = fresh_seed() if client_seed is None else client_seed
        return Call((league,), {"client_seed": seed})

    # ---------------------------------------------------------------------- organise

    @operation("leagues_create")
    def create(self, name: str, division_size: int, **terms: Any) -> Call[League]:
        """Create a league."""
        body = {"name": name, "division_size": division_size, **terms}
        return Call(fields=body)

    @operation("leagues_change")
    def change(self, league: str, **terms: Unpack[PatchedNewLeague]) -> Call[League]:
        """Change settings; those not given stay."""
        return Call((league,), terms)

    @operation("leagues_start")
    def start(self, league: str) -> Call[League]:
        """Start the first season, within a minute."""
        return Call((league,))

    @operation("leagues_close")
    def close(self, league: str) -> Call[League]:
        """End the league after the current season."""
        return Call((league,))

    @operation("leagues_replace")
    def replace(
        self, league: str, out: str, player: str | None = None, reason: str = "", public_note: str = ""
    ) -> Call[Decision]:
        """Replace a player by the named substitute, or by the one who waits longest."""
        body = {"out": out, "player": player, "reason": reason, "public_note": public_note}
        return Call((league,), body)

    @operation("leagues_remove")
    def remove(self, league: str, name: str, reason: str = "", public_note: str = "") -> Call[League]:
        """Remove a member from the next season on."""
        body = {"name": name, "reason": reason, "public_note": public_note}
        return Call((league,), body)

    removals = ListOperation[[str], Removal]("leagues_removals", "Iterate over the members who were removed.")

    @operation("leagues_readmit")
    def readmit(self, league: str, name: str) -> Call[None]:
        """Let a removed player join again."""
        return Call((league, name))

    @operation("leagues_help")
    def ask_co_organiser(self, league: str, name: str) -> Call[Proposal]:
        """Ask a player to co-organise the league; they get rights only when they accept."""
        return Call((league,), {"name": name})

    @operation("leagues_unhelp")
    def remove_co_organiser(self, league: str, name: str) -> Call[None]:
        """Remove a co-organiser, or withdraw the proposal."""
        return Call((league, name))

    @records_operation("leagues_games_records")
    def game_records(self, league: str, **query: Unpack[RecordQuery]) -> Call[Record]:
        """Iterate over the records of the games of all seasons that you may see, in order of creation."""
        return Call((league,), query)
