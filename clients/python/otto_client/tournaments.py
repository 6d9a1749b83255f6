"""Tournaments: find, enter, look at; make, run, decide."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import quote

from .event_views import (
    Appeal,
    Bracket,
    Decision,
    Entrant,
    Invite,
    Preview,
    Proposal,
    Round,
    Standings,
    Table,
    Tournament,
    TournamentView,
)
from .games import fresh_seed

if TYPE_CHECKING:
    from .client import Client


class Tournaments:
    """`client.tournaments`. A tournament is named by its `id`, a table or an entrant by its number.

    Looking needs the scope read, taking part play, and what an organiser does organise.
    """

    def __init__(self, client: Client) -> None:
        self.client = client

    def _do(self, tournament: str, what: str, **body: Any) -> Any:
        return self.client.post_once(f"tournaments/{tournament}/{what}/", body)

    # ---------------------------------------------------------------------- look

    def find(self, **filters: Any) -> Iterator[Tournament]:
        """Tournaments, newest first, page by page as you go on.

        Filters: status, format, mode, table, mine. `status="published"` are those that you can enter.
        """
        return self.client.pages("tournaments/", **filters)

    def view(self, tournament: str) -> TournamentView:
        """A tournament, and what you may do (`you`)."""
        return cast(TournamentView, self.client.get(f"tournaments/{tournament}/"))

    def entrants(self, tournament: str) -> Iterator[Entrant]:
        """Players or pairs in the order in which they entered, the waiting list too."""
        return self.client.pages(f"tournaments/{tournament}/entrants/")

    def rounds(self, tournament: str) -> list[Round]:
        """What was published together, in order."""
        return cast(list[Round], self.client.get(f"tournaments/{tournament}/rounds/")["results"])

    def tables(
        self, tournament: str, *, round: int | None = None, entrant: int | None = None
    ) -> Iterator[Table]:
        """Who plays whom, with the reasons; of one round, or of one entrant."""
        return self.client.pages(f"tournaments/{tournament}/tables/", round=round, entrant=entrant)

    def table(self, tournament: str, table: int) -> Table:
        """One table, its reasons in words too."""
        return cast(Table, self.client.get(f"tournaments/{tournament}/tables/{table}/"))

    def standings(self, tournament: str) -> Standings:
        """Who is ahead, and by what."""
        return cast(Standings, self.client.get(f"tournaments/{tournament}/standings/"))

    def bracket(self, tournament: str) -> Bracket:
        """Every match, also those to come."""
        return cast(Bracket, self.client.get(f"tournaments/{tournament}/bracket/"))

    def decisions(self, tournament: str) -> Iterator[Decision]:
        """What the organisers decided, newest first."""
        return self.client.pages(f"tournaments/{tournament}/decisions/")

    def fairness(self, tournament: str) -> dict[str, Any]:
        """All that the pairings follow from; with the seed once it is over."""
        return cast(dict[str, Any], self.client.get(f"tournaments/{tournament}/fairness/"))

    # ---------------------------------------------------------------------- take part

    def enter(
        self, tournament: str, *, partner: str | None = None, client_seed: str | None = None
    ) -> TournamentView:
        """Take part; if it is full, you wait in the list. In pairs your partner agrees first.

        Without a `client_seed` a random one is made here: your games are shuffled with it.
        """
        seed = fresh_seed() if client_seed is None else client_seed
        return cast(TournamentView, self._do(tournament, "enter", partner=partner, client_seed=seed))

    def set_client_seed(self, tournament: str, client_seed: str | None = None) -> TournamentView:
        """Bring another client seed, before the start or before you are first paired."""
        body = {"client_seed": fresh_seed() if client_seed is None else client_seed}
        path = f"tournaments/{tournament}/client-seed/"
        return cast(TournamentView, self.client.request("PUT", path, json=body).json())

    def leave(self, tournament: str) -> TournamentView:
        """Leave before the start."""
        return cast(TournamentView, self._do(tournament, "leave"))

    def confirm(self, tournament: str) -> TournamentView:
        """Say that you will be there."""
        return cast(TournamentView, self._do(tournament, "confirm"))

    def withdraw(self, tournament: str) -> TournamentView:
        """Leave in the middle, for good."""
        return cast(TournamentView, self._do(tournament, "withdraw"))

    def sit_out(self, tournament: str, round: int) -> TournamentView:
        """Say beforehand that you are away in a round of Swiss."""
        return cast(TournamentView, self._do(tournament, "sit-out", round=round))

    def evidence(self, tournament: str, table: int) -> list[dict[str, Any]]:
        """Each time that somebody's time was up at a table of yours, and what was sent of that turn."""
        found = self.client.get(f"tournaments/{tournament}/tables/{table}/evidence/")
        return cast(list[dict[str, Any]], found["results"])

    def appeal(self, tournament: str, table: int, text: str) -> Appeal:
        """Ask the organiser to look at a table of yours."""
        return cast(Appeal, self._do(tournament, f"tables/{table}/appeal", text=text))

    def appeals(self, tournament: str) -> Iterator[Appeal]:
        """Your appeals, newest first; all of them if you organise the tournament."""
        return self.client.pages(f"tournaments/{tournament}/appeals/")

    # ---------------------------------------------------------------------- organise

    def create(self, name: str, format: str, **terms: Any) -> TournamentView:
        """A tournament in preparation; the page of the operation lists all terms. Publish it next."""
        body = {"name": name, "format": format, **terms}
        return cast(TournamentView, self.client.post_once("tournaments/", body))

    def change(self, tournament: str, **terms: Any) -> TournamentView:
        """Lay something down anew; what you do not name stays."""
        return cast(TournamentView, self.client.change(f"tournaments/{tournament}/", terms))

    def delete(self, tournament: str) -> None:
        """Throw a draft away."""
        self.client.request("DELETE", f"tournaments/{tournament}/")

    def publish(self, tournament: str) -> TournamentView:
        """Let people enter."""
        return cast(TournamentView, self._do(tournament, "publish"))

    def start(self, tournament: str) -> TournamentView:
        """Start with whoever has entered; it happens within a minute."""
        return cast(TournamentView, self._do(tournament, "start"))

    def cancel(self, tournament: str, why: str = "", public_note: str = "") -> TournamentView:
        """Give it up, for good. Here as below, only organisers read `why`, and everybody `public_note`."""
        return cast(TournamentView, self._do(tournament, "cancel", why=why, public_note=public_note))

    def seed(self, tournament: str, order: Sequence[int]) -> TournamentView:
        """Your own order of entrants, the strongest first."""
        path = f"tournaments/{tournament}/seeds/"
        return cast(TournamentView, self.client.request("PUT", path, json={"order": list(order)}).json())

    def invite(self, tournament: str, name: str) -> Invite:
        """Somebody may enter a tournament by invitation."""
        return cast(Invite, self._do(tournament, "invites", name=name))

    def invites(self, tournament: str) -> Iterator[Invite]:
        """Who may."""
        return self.client.pages(f"tournaments/{tournament}/invites/")

    def uninvite(self, tournament: str, name: str) -> None:
        """Take an invitation back."""
        self.client.request("DELETE", f"tournaments/{tournament}/invites/{quote(name, safe='')}/")

    def ask_co_organiser(self, tournament: str, name: str) -> Proposal:
        """Ask somebody to organise it with you; they can do nothing there until they agree."""
        return cast(Proposal, self._do(tournament, "helpers", name=name))

    def remove_helper(self, tournament: str, name: str) -> None:
        """Somebody organises it no more, or is not asked to any more."""
        self.client.request("DELETE", f"tournaments/{tournament}/helpers/{quote(name, safe='')}/")

    def preview(self, tournament: str) -> Preview:
        """What the next round would be, with its warnings."""
        return cast(Preview, self.client.get(f"tournaments/{tournament}/preview/"))

    def proceed(self, tournament: str) -> Decision:
        """The round that waits for you may come."""
        return cast(Decision, self._do(tournament, "proceed"))

    def extend(
        self, tournament: str, round: int, until: str, why: str = "", public_note: str = ""
    ) -> Decision:
        """A round ends later; `until` is a time as the API writes it."""
        body = {"round": round, "until": until, "why": why, "public_note": public_note}
        return cast(Decision, self._do(tournament, "extend", **body))

    def correct(
        self, tournament: str, table: int, ranks: Sequence[int], *, why: str = "", **more: Any
    ) -> Decision:
        """Write another result of a table, by its seats.

        `more` are points, eights, forfeits, public_note, confirmed. With `confirmed`, the places of a
        tournament that was over may change by it.
        """
        body = {"table": table, "ranks": list(ranks), "why": why, **more}
        return cast(Decision, self._do(tournament, "correct", **body))

    def disqualify(self, tournament: str, entrant: int, why: str = "", public_note: str = "") -> Decision:
        """An entrant is out."""
        body = {"entrant": entrant, "why": why, "public_note": public_note}
        return cast(Decision, self._do(tournament, "disqualify", **body))

    def remove(self, tournament: str, entrant: int, why: str = "", public_note: str = "") -> Decision:
        """Take an entrant off the list before the start, or off the waiting list."""
        body = {"entrant": entrant, "why": why, "public_note": public_note}
        return cast(Decision, self._do(tournament, "remove", **body))

    def replace(
        self,
        tournament: str,
        entrant: int,
        player: str | None = None,
        *,
        number: int = 1,
        why: str = "",
        public_note: str = "",
    ) -> Proposal:
        """Ask somebody to play on for an entrant; without a `player`, who has waited longest for a place.

        `number` is 2 for the second of a pair.
        """
        body = {"entrant": entrant, "player": player, "number": number, "why": why}
        body["public_note"] = public_note
        return cast(Proposal, self._do(tournament, "replace", **body))

    def undo(
        self,
        tournament: str,
        decision: int,
        why: str = "",
        public_note: str = "",
        *,
        confirmed: bool = False,
    ) -> Decision:
        """Take a decision back, if nothing has followed from it; `confirmed` as in `correct`."""
        body = {"why": why, "public_note": public_note, "confirmed": confirmed}
        return cast(Decision, self._do(tournament, f"decisions/{decision}/undo", **body))

    def answer(self, tournament: str, appeal: int, text: str) -> Appeal:
        """Answer an appeal."""
        return cast(Appeal, self._do(tournament, f"appeals/{appeal}/answer", text=text))
