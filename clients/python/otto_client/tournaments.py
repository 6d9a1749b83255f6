"""Tournaments: read, take part, organise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Unpack, cast
from urllib.parse import quote

from .games import fresh_seed
from .records import RecordQuery, iter_records
from .types import (
    Appeal,
    Bracket,
    Decision,
    Entrant,
    FairnessProof,
    Pairing,
    PairingDetail,
    PatchedNewTournament,
    Proposal,
    Record,
    Round,
    RoundPreview,
    Standings,
    Timeout,
    Tournament,
    TournamentInvite,
    TournamentSummary,
)

if TYPE_CHECKING:
    from .client import Client


class Tournaments:
    """`client.tournaments`. A tournament is named by its `id`, a pairing or an entrant by its number.

    Reading needs the scope read, taking part play, and organising organise.
    """

    def __init__(self, client: Client) -> None:
        """Use this client."""
        self.client = client

    def _do(self, tournament: str, action: str, **body: Any) -> Any:
        return self.client.post_once(f"tournaments/{tournament}/{action}/", body)

    # ---------------------------------------------------------------------- look

    def find(self, **filters: Any) -> Iterator[TournamentSummary]:
        """Iterate over tournaments, newest first.

        Filters: status, format, mode, table_size, mine. `status="published"` are those open for entries.
        """
        return self.client.pages("tournaments/", **filters)

    def view(self, tournament: str) -> Tournament:
        """Return a tournament with your permissions (`you`)."""
        return cast(Tournament, self.client.get(f"tournaments/{tournament}/"))

    def entrants(self, tournament: str) -> Iterator[Entrant]:
        """Iterate over entrants in order of entry, including the waitlist."""
        return self.client.pages(f"tournaments/{tournament}/entrants/")

    def rounds(self, tournament: str) -> list[Round]:
        """Return the published rounds in order."""
        return cast(list[Round], self.client.get(f"tournaments/{tournament}/rounds/")["results"])

    def pairings(
        self, tournament: str, *, round: int | None = None, entrant: int | None = None
    ) -> Iterator[Pairing]:
        """Iterate over pairings with their reasons; of one round, or of one entrant."""
        return self.client.pages(f"tournaments/{tournament}/pairings/", round=round, entrant=entrant)

    def pairing(self, tournament: str, pairing: int) -> PairingDetail:
        """Return one pairing, with its reasons as text."""
        return cast(PairingDetail, self.client.get(f"tournaments/{tournament}/pairings/{pairing}/"))

    def game_records(self, tournament: str, **query: Unpack[RecordQuery]) -> Iterator[Record]:
        """Iterate over the records of the games that you may see, in order of creation."""
        return iter_records(self.client, f"tournaments/{tournament}/games/records/", query)

    def standings(self, tournament: str) -> Standings:
        """Return the standings with their tie-break values."""
        return cast(Standings, self.client.get(f"tournaments/{tournament}/standings/"))

    def bracket(self, tournament: str) -> Bracket:
        """Return all matches, including those to come."""
        return cast(Bracket, self.client.get(f"tournaments/{tournament}/bracket/"))

    def decisions(self, tournament: str) -> Iterator[Decision]:
        """Iterate over the organisers' decisions, newest first."""
        return self.client.pages(f"tournaments/{tournament}/decisions/")

    def fairness(self, tournament: str) -> FairnessProof:
        """Return the data from which the pairings follow; with the seed once the tournament is over."""
        return cast(FairnessProof, self.client.get(f"tournaments/{tournament}/fairness/"))

    # ---------------------------------------------------------------------- take part

    def enter(
        self, tournament: str, *, partner: str | None = None, client_seed: str | None = None
    ) -> Tournament:
        """Enter, or join the waitlist if it is full. In pairs your partner must accept first.

        Without a `client_seed` a random one is generated; it is part of the shuffle of your games.
        """
        seed = fresh_seed() if client_seed is None else client_seed
        return cast(Tournament, self._do(tournament, "enter", partner=partner, client_seed=seed))

    def set_client_seed(self, tournament: str, client_seed: str | None = None) -> Tournament:
        """Replace your client seed, before the start or before you are first paired."""
        body = {"client_seed": fresh_seed() if client_seed is None else client_seed}
        path = f"tournaments/{tournament}/client-seed/"
        return cast(Tournament, self.client.request("PUT", path, json=body).json())

    def leave(self, tournament: str) -> Tournament:
        """Leave before the start."""
        return cast(Tournament, self._do(tournament, "leave"))

    def confirm(self, tournament: str) -> Tournament:
        """Confirm your entry."""
        return cast(Tournament, self._do(tournament, "confirm"))

    def withdraw(self, tournament: str) -> Tournament:
        """Withdraw from a running tournament, for good."""
        return cast(Tournament, self._do(tournament, "withdraw"))

    def sit_out(self, tournament: str, round: int) -> Tournament:
        """Sit out a coming round of a Swiss tournament."""
        return cast(Tournament, self._do(tournament, "sit-out", round=round))

    def evidence(self, tournament: str, pairing: int) -> list[Timeout]:
        """Return every timeout at a pairing of yours, with the notices sent about that turn."""
        response = self.client.get(f"tournaments/{tournament}/pairings/{pairing}/evidence/")
        return cast(list[Timeout], response["results"])

    def appeal(self, tournament: str, pairing: int, text: str) -> Appeal:
        """Appeal to the organiser about a pairing of yours."""
        return cast(Appeal, self._do(tournament, f"pairings/{pairing}/appeal", text=text))

    def appeals(self, tournament: str) -> Iterator[Appeal]:
        """Iterate over your appeals, newest first; over all if you organise the tournament."""
        return self.client.pages(f"tournaments/{tournament}/appeals/")

    # ---------------------------------------------------------------------- organise

    def create(self, name: str, format: str, **terms: Any) -> Tournament:
        """Create a draft; the API documentation lists all settings. Publish it next."""
        body = {"name": name, "format": format, **terms}
        return cast(Tournament, self.client.post_once("tournaments/", body))

    def change(self, tournament: str, **terms: Unpack[PatchedNewTournament]) -> Tournament:
        """Change settings; those not given stay."""
        return cast(Tournament, self.client.change(f"tournaments/{tournament}/", terms))

    def delete(self, tournament: str) -> None:
        """Delete a draft."""
        self.client.request("DELETE", f"tournaments/{tournament}/")

    def publish(self, tournament: str) -> Tournament:
        """Open a draft for entries."""
        return cast(Tournament, self._do(tournament, "publish"))

    def start(self, tournament: str) -> Tournament:
        """Start with those who have entered, within a minute."""
        return cast(Tournament, self._do(tournament, "start"))

    def cancel(self, tournament: str, reason: str = "", public_note: str = "") -> Tournament:
        """Cancel a tournament, for good.

        Here and below `reason` is for organisers only, `public_note` for everybody.
        """
        return cast(Tournament, self._do(tournament, "cancel", reason=reason, public_note=public_note))

    def seed(self, tournament: str, order: Sequence[int]) -> Tournament:
        """Set your own order of entrants, strongest first."""
        path = f"tournaments/{tournament}/seeds/"
        return cast(Tournament, self.client.request("PUT", path, json={"order": list(order)}).json())

    def invite(self, tournament: str, name: str) -> TournamentInvite:
        """Invite a player."""
        return cast(TournamentInvite, self._do(tournament, "invites", name=name))

    def invites(self, tournament: str) -> Iterator[TournamentInvite]:
        """Iterate over the invitations."""
        return self.client.pages(f"tournaments/{tournament}/invites/")

    def uninvite(self, tournament: str, name: str) -> None:
        """Withdraw an invitation."""
        self.client.request("DELETE", f"tournaments/{tournament}/invites/{quote(name, safe='')}/")

    def ask_co_organiser(self, tournament: str, name: str) -> Proposal:
        """Ask a player to co-organise the tournament; they get rights only when they accept."""
        return cast(Proposal, self._do(tournament, "co-organisers", name=name))

    def remove_co_organiser(self, tournament: str, name: str) -> None:
        """Remove a co-organiser, or withdraw the proposal."""
        self.client.request("DELETE", f"tournaments/{tournament}/co-organisers/{quote(name, safe='')}/")

    def preview(self, tournament: str) -> RoundPreview:
        """Return the planned next round with its warnings."""
        return cast(RoundPreview, self.client.get(f"tournaments/{tournament}/preview/"))

    def proceed(self, tournament: str) -> Decision:
        """Approve the round that is on hold."""
        return cast(Decision, self._do(tournament, "proceed"))

    def extend(
        self, tournament: str, round: int, until: str, reason: str = "", public_note: str = ""
    ) -> Decision:
        """Change the end of a round; `until` is a time in the API's format."""
        body = {"round": round, "until": until, "reason": reason, "public_note": public_note}
        return cast(Decision, self._do(tournament, "extend", **body))

    def correct(
        self, tournament: str, pairing: int, ranks: Sequence[int], *, reason: str = "", **more: Any
    ) -> Decision:
        """Replace the result of a pairing, in the order of its seats.

        `more` are points, eights, forfeits, public_note, confirmed. `confirmed` allows the final ranks of a
        finished tournament to change.
        """
        body = {"pairing": pairing, "ranks": list(ranks), "reason": reason, **more}
        return cast(Decision, self._do(tournament, "correct", **body))

    def disqualify(self, tournament: str, entrant: int, reason: str = "", public_note: str = "") -> Decision:
        """Disqualify an entrant."""
        body = {"entrant": entrant, "reason": reason, "public_note": public_note}
        return cast(Decision, self._do(tournament, "disqualify", **body))

    def remove(self, tournament: str, entrant: int, reason: str = "", public_note: str = "") -> Decision:
        """Remove an entrant before the start, or from the waitlist."""
        body = {"entrant": entrant, "reason": reason, "public_note": public_note}
        return cast(Decision, self._do(tournament, "remove", **body))

    def replace(
        self,
        tournament: str,
        entrant: int,
        player: str | None = None,
        *,
        number: int = 1,
        reason: str = "",
        public_note: str = "",
    ) -> Proposal:
        """Ask a player to replace one of an entrant; without a `player`, the one who waits longest.

        `number` is 2 for the second player of a pair.
        """
        body = {"entrant": entrant, "player": player, "number": number, "reason": reason}
        body["public_note"] = public_note
        return cast(Proposal, self._do(tournament, "replace", **body))

    def undo(
        self,
        tournament: str,
        decision: int,
        reason: str = "",
        public_note: str = "",
        *,
        confirmed: bool = False,
    ) -> Decision:
        """Undo a decision from which nothing has followed; `confirmed` as in `correct`."""
        body = {"reason": reason, "public_note": public_note, "confirmed": confirmed}
        return cast(Decision, self._do(tournament, f"decisions/{decision}/undo", **body))

    def answer(self, tournament: str, appeal: int, text: str) -> Appeal:
        """Answer an appeal."""
        return cast(Appeal, self._do(tournament, f"appeals/{appeal}/answer", text=text))
