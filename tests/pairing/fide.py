"""An oracle for tournaments with tables of 2: pairings and tie-breaks computed by gacrux."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gacrux.gacruxexeptions import GacruxNoLegalPairing
from gacrux.pairingdutch import pairing_dutch
from gacrux.tiebreak import tiebreak
from gacrux.trf2json import trf2json

from tournaments.pairing import PairingResult, TournamentSpec, build_standings

RESULTS = {1.0: "1", 0.5: "=", 0.0: "0"}


def format_report(whole: TournamentSpec, results: Sequence[PairingResult], *, begins: str) -> str:
    """Return a tournament report file; entrant ids are its player numbers, and first seats play White."""
    rounds = max((result.round for result in results), default=0)
    points = {line.entrant: line["points"] for line in build_standings(whole, results)}
    games: dict[tuple[Any, int], str] = {}
    for result in results:
        if len(result.seats) == 1:
            games[result.seats[0], result.round] = "0000 - U"
            continue
        assert result.ranks is not None
        (a, b), (first, second) = result.seats, result.ranks
        score = 0.5 * (1 + (first < second) - (first > second))
        games[a, result.round] = f"{b:>4} w {RESULTS[score]}"
        games[b, result.round] = f"{a:>4} b {RESULTS[1 - score]}"
    lines = ["012 Oracle", f"042 {begins}", "092 Individual: Swiss-System", f"142 {whole.round_count}"]
    for entrant in whole.entrants:
        columns = "".join(
            f"  {games.get((entrant.id, number), '0000 - Z')}" for number in range(1, rounds + 1)
        )
        name = f"Player {entrant.id}"
        line = f"001 {entrant.id:>4}      {name:<33} {'':4} {'':3} {'':11} {'':10} "
        lines.append(f"{line}{points[entrant.id]:>4.1f} {entrant.id:>4}{columns}")
    return "\n".join(lines) + "\n"


def parse_report(
    whole: TournamentSpec, results: Sequence[PairingResult], *, begins: str = "2026/03/01"
) -> Any:
    """Load the tournament into gacrux. Raises AssertionError on a file that gacrux cannot parse."""
    file = trf2json()
    file.parse_file(format_report(whole, results, begins=begins), False)
    assert file.get_status() == 0, file.chessjson["status"]
    return file.get_tournament(1)


def compute_dutch_pairs(
    whole: TournamentSpec, results: Sequence[PairingResult], *, without: Any
) -> list[tuple[int, int]] | None:
    """Return the pairs of the next round by the Dutch system without one entrant; None if there are none."""
    tournament = parse_report(whole, results)
    for competitor in tournament["competitors"]:
        competitor["present"] = competitor["cid"] != without
    number = max((result.round for result in results), default=0) + 1
    params = {"experimental": [], "verbose": 0, "top_color": "w"}
    try:
        brackets = pairing_dutch(tournament, number, params).compute_pairing(False)
    except GacruxNoLegalPairing:
        return None
    return [(pair["w"], pair["b"]) for bracket in brackets for pair in bracket["pairs"]]


def compute_tie_breaks(
    whole: TournamentSpec, results: Sequence[PairingResult], *names: str, begins: str
) -> dict[int, list[float]]:
    """Return tie-break values by entrant under the FIDE rules valid at this start date."""
    tournament = parse_report(whole, results, begins=begins)
    params: dict[str, Any] = {"tiebreak": list(names), "swiss": True, "unrated": None, "check": False}
    tiebreaks = tiebreak(tournament, -1, params).compute_tiebreaks(tournament, params)
    return {
        competitor["cid"]: [float(value) for value in competitor["tiebreakScore"]]
        for competitor in tiebreaks["competitors"]
    }
