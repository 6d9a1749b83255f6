"""Tournaments: read, take part, organise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar, Unpack

from .operations import (
    Call,
    Cursor,
    Resource,
    fresh_seed,
    list_operation,
    operation,
    read_results,
    records_operation,
)
from .records import RecordQuery
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

C = TypeVar("C")


class Tournaments(Resource[C]):
    """`client.tournaments`. A tournament is named by its `id`, a pairing or an entrant by its number.

    Reading needs the scope read, taking part play, and organising organise.
    """

    # ---------------------------------------------------------------------- look

    @list_operation("tournaments_list")
    def find(self, **filters: Any) -> Cursor[TournamentSummary]:
        """Iterate over tournaments, newest first.

        Filters: status, format, mode, table_size, own. `status="published"` are those open for entries.
        """
        return Cursor(**filters)

    @operation("tournaments_view")
    def view(self, tournament: str) -> Call[Tournament]:
        """Return a tournament with your permissions (`you`)."""
        return Call((tournament,))

    @list_operation("tournaments_entrants")
    def entrants(self, tournament: str) -> Cursor[Entrant]:
        """Iterate over entrants in order of entry, including the waitlist."""
        return Cursor(tournament)

    @operation("tournaments_rounds")
    def rounds(self, tournament: str) -> Call[list[Round]]:
        """Return the published rounds in order."""
        return Call((tournament,), read_answer=read_results)

    @list_operation("tournaments_pairings")
    def pairings(
        self, tournament: str, *, round: int | None = None, entrant: int | None = None
    ) -> Cursor[Pairing]:
        """Iterate over pairings with their reasons; of one round, or of one entrant."""
        return Cursor(tournament, bracket_round=round, entrant=entrant)

    @operation("tournaments_pairing")
    def pairing(self, tournament: str, pairing: int) -> Call[PairingDetail]:
        """Return one pairing, with its reasons as text."""
        return Call((tournament, pairing))

    @operation("tournaments_standings")
    def standings(self, tournament: str) -> Call[Standings]:
        """Return the standings with their tie-break values."""
        return Call((tournament,))

    @operation("tournaments_bracket")
    def bracket(self, tournament: str) -> Call[Bracket]:
        """Return all matches, including those to come."""
        return Call((tournament,))

    @list_operation("tournaments_decisions")
    def decisions(self, tournament: str) -> Cursor[Decision]:
        """Iterate over the organisers' decisions, newest first."""
        return Cursor(tournament)

    @operation("tournaments_fairness")
    def fairness(self, tournament: str) -> Call[FairnessProof]:
        """Return the data from which the pairings follow; with the seed once the tournament is over."""
        return Call((tournament,))

    # ---------------------------------------------------------------------- take part

    @operation("tournaments_enter")
    def enter(
        self, tournament: str, *, partner: str | None = None, client_seed: str | None = None
    ) -> Call[Tournament]:
        """Enter, or join the waitlist if it is full. In pairs your partner must accept first.

        Without a `client_seed` a random one is generated; it is part of the shuffle of your games.
        """
        seed = fresh_seed() if client_seed is None else client_seed
        return Call((tournament,), {"partner": partner, "client_seed": seed})

    @operation("tournaments_clientseed")
    def set_client_seed(self, tournament: str, client_seed: str | None = None) -> Call[Tournament]:
        """Replace your client seed, before the start or before you are first paired."""
        body = {"client_seed": fresh_seed() if client_seed is None else client_seed}
        return Call((tournament,), body)

    @operation("tournaments_leave")
    def leave(self, tournament: str) -> Call[Tournament]:
        """Leave before the start."""
        return Call((tournament,))

    @operation("tournaments_confirm")
    def confirm(self, tournament: str) -> Call[Tournament]:
        """Confirm your entry."""
        return Call((tournament,))

    @operation("tournaments_withdraw")
    def withdraw(self, tournament: str) -> Call[Tournament]:
        """Withdraw from a running tournament, for good."""
        return Call((tournament,))

    @operation("tournaments_sitout")
    def sit_out(self, tournament: str, round: int) -> Call[Tournament]:
        """Sit out a coming round of a Swiss tournament."""
        return Call((tournament,), {"round": round})

    @operation("tournaments_evidence")
    def evidence(self, tournament: str, pairing: int) -> Call[list[Timeout]]:
        """Return every timeout at a pairing of yours, with the notices sent about that turn."""
        return Call((tournament, pairing), read_answer=read_results)

    @operation("tournaments_appeal")
    def appeal(self, tournament: str, pairing: int, text: str) -> Call[Appeal]:
        """Appeal to the organiser about a pairing of yours."""
        return Call((tournament, pairing), {"text": text})

    @list_operation("tournaments_appeals")
    def appeals(self, tournament: str) -> Cursor[Appeal]:
        """Iterate over your appeals, newest first; over all if you organise the tournament."""
        return Cursor(tournament)

    # ---------------------------------------------------------------------- organise

    @operation("tournaments_create")
    def create(self, name: str, format: str, **terms: Any) -> Call[Tournament]:
        """Create a draft; the API documentation lists all settings. Publish it next."""
        body = {"name": name, "format": format, **terms}
        return Call(fields=body)

    @operation("tournaments_change")
    def change(self, tournament: str, **terms: Unpack[PatchedNewTournament]) -> Call[Tournament]:
        """Change settings; those not given stay."""
        return Call((tournament,), terms)

    @operation("tournaments_delete")
    def delete(self, tournament: str) -> Call[None]:
        """Delete a draft."""
        return Call((tournament,))

    @operation("tournaments_publish")
    def publish(self, tournament: str) -> Call[Tournament]:
        """Open a draft for entries."""
        return Call((tournament,))

    @operation("tournaments_start")
    def start(self, tournament: str) -> Call[Tournament]:
        """Start with those who have entered, within a minute."""
        return Call((tournament,))

    @operation("tournaments_cancel")
    def cancel(self, tournament: str, reason: str = "", public_note: str = "") -> Call[Tournament]:
        """Cancel a tournament, for good.

        Here and below `reason` is for organisers only, `public_note` for everybody.
        """
        return Call((tournament,), {"reason": reason, "public_note": public_note})

    @operation("tournaments_seeds")
    def seed(self, tournament: str, order: Sequence[int]) -> Call[Tournament]:
        """Set your own order of entrants, strongest first."""
        return Call((tournament,), {"order": list(order)})

    @operation("tournaments_invite")
    def invite(self, tournament: str, name: str) -> Call[TournamentInvite]:
        """Invite a player."""
        return Call((tournament,), {"name": name})

    @list_operation("tournaments_invites")
    def invites(self, tournament: str) -> Cursor[TournamentInvite]:
        """Iterate over the invitations."""
        return Cursor(tournament)

    @operation("tournaments_uninvite")
    def uninvite(self, tournament: str, name: str) -> Call[None]:
        """Withdraw an invitation."""
        return Call((tournament, name))

    @operation("tournaments_help")
    def ask_co_organiser(self, tournament: str, name: str) -> Call[Proposal]:
        """Ask a player to co-organise the tournament; they get rights only when they accept."""
        return Call((tournament,), {"name": name})

    @operation("tournaments_unhelp")
    def remove_co_organiser(self, tournament: str, name: str) -> Call[None]:
        """Remove a co-organiser, or withdraw the proposal."""
        return Call((tournament, name))

    @operation("tournaments_preview")
    def preview(self, tournament: str) -> Call[RoundPreview]:
        """Return the planned next round with its warnings."""
        return Call((tournament,))

    @operation("tournaments_proceed")
    def proceed(self, tournament: str) -> Call[Decision]:
        """Approve the round that is on hold."""
        return Call((tournament,))

    @operation("tournaments_extend")
    def extend(
        self, tournament: str, round: int, until: str, reason: str = "", public_note: str = ""
    ) -> Call[Decision]:
        """Change the end of a round; `until` is a time in the API's format."""
        body = {"round": round, "until": until, "reason": reason, "public_note": public_note}
        return Call((tournament,), body)

    @operation("tournaments_correct")
    def correct(
        self, tournament: str, pairing: int, ranks: Sequence[int], *, reason: str = "", **more: Any
    ) -> Call[Decision]:
        """Replace the result of a pairing, in the order of its seats.

        `more` are points, eights, forfeits, public_note, confirmed. `confirmed` allows the final ranks of a
        finished tournament to change.
        """
        body = {"pairing": pairing, "ranks": list(ranks), "reason": reason, **more}
        return Call((tournament,), body)

    @operation("tournaments_disqualify")
    def disqualify(
        self, tournament: str, entrant: int, reason: str = "", public_note: str = ""
    ) -> Call[Decision]:
        """Disqualify an entrant."""
        body = {"entrant": entrant, "reason": reason, "public_note": public_note}
        return Call((tournament,), body)

    @operation("tournaments_remove")
    def remove(
        self, tournament: str, entrant: int, reason: str = "", public_note: str = ""
    ) -> Call[Decision]:
        """Remove an entrant before the start, or from the waitlist."""
        body = {"entrant": entrant, "reason": reason, "public_note": public_note}
        return Call((tournament,), body)

    @operation("tournaments_replace")
    def replace(
        self,
        tournament: str,
        entrant: int,
        player: str | None = None,
        *,
        number: int = 1,
        reason: str = "",
        public_note: str = "",
    ) -> Call[Proposal]:
        """Ask a player to replace one of an entrant; without a `player`, the one who waits longest.

        `number` is 2 for the second player of a pair.
        """
        body = {"entrant": entrant, "player": player, "number": number, "reason": reason}
        body["public_note"] = public_note
        return Call((tournament,), body)

    @operation("tournaments_undo")
    def undo(
        self,
        tournament: str,
        decision: int,
        reason: str = "",
        public_note: str = "",
        *,
        confirmed: bool = False,
    ) -> Call[Decision]:
        """Undo a decision from which nothing has followed; `confirmed` as in `correct`."""
        body = {"reason": reason, "public_note": public_note, "confirmed": confirmed}
        return Call((tournament, decision), body)

    @operation("tournaments_answer")
    def answer(self, tournament: str, appeal: int, text: str) -> Call[Appeal]:
        """Answer an appeal."""
        return Call((tournament, appeal), {"text": text})

    @records_operation("tournaments_games_records")
    def game_records(self, tournament: str, **query: Unpack[RecordQuery]) -> Call[Record]:
        """Iterate over the records of the games that you may see, in order of creation."""
        return Call((tournament,), query)
