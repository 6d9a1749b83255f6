"""Steps of a running tournament. Each runs in the caller's transaction, which locks the tournament.

A step returns its name, or None if there was nothing to do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from games import clock
from games.models import Game
from games.models.games import PLAYING_STATUSES
from games.selectors import load_games
from games.services import system_games
from tournaments.models import (
    Entrant,
    Pairing,
    PairingSeat,
    ResultSource,
    Round,
    Tournament,
    TournamentSecret,
)
from tournaments.notice_kinds import TournamentNoticeKind
from tournaments.pairing import (
    PlannedPairing,
    PlannedRound,
    TournamentFinished,
    WaitingForResults,
)
from tournaments.selectors import game_results
from tournaments.selectors.rank_changes import had_final_ranks
from tournaments.selectors.tournament_state import (
    TournamentState,
    list_players_of_entrant,
    list_seated_entrant_ids,
)

from . import game_settings
from .client_seeds import assign_missing_entry_numbers, fix_client_seeds
from .entries import drop_entrants
from .holds import hold_for_organiser
from .notices import (
    build_feed_entries,
    is_live,
    load_player_ids_by_entrant,
    notify_partners,
    notify_players,
    write_feed_entries,
)
from .proposal_outcomes import lapse_tournament_proposals
from .round_ends import build_round_end
from .substitutes import list_seats_of_entrant, substitute_for_leaver
from .sweep_steps import StepName
from .tournament_end import finish_tournament
from .void_pairings import (
    find_void_pairings,
    get_pairing_key,
    get_planned_key,
    make_pairings_void,
    restore_pairings,
)

MAX_RESIGNATIONS_PER_STEP = 20  # more games are resigned in several transactions
MAX_ADJUDICATIONS_PER_STEP = 50  # games locked together; moves in them wait


# ----------------------------------------------------------------------------------------- results and games


def withdraw_deleted_players(tournament: Tournament, now: datetime) -> StepName | None:
    """Withdraw entrants whose player deleted the account, unless a substitute takes over."""
    deleted_players = tournament.entrant_players.filter(
        player=None, entrant__status=Entrant.Status.ENTERED, entrant__left_after_round=None
    )
    withdrawn_entrants = {
        entrant_player.entrant
        for entrant_player in deleted_players.select_related("entrant")
        if not substitute_for_leaver(tournament, entrant_player, now)
    }
    if withdrawn_entrants:
        notify_partners(tournament, withdrawn_entrants, now)
        drop_entrants(tournament, withdrawn_entrants, Entrant.Status.WITHDRAWN, now)
    return StepName.ENTRANTS_WITHDRAWN if withdrawn_entrants else None


def record_results(tournament: Tournament, now: datetime) -> StepName | None:
    """Store the results of all games that are over."""
    finished_pairings = tournament.pairings.filter(settled_at=None, game__status=Game.Status.OVER)
    pairings = list(finished_pairings.select_related("game").prefetch_related("pairing_seats"))
    if not pairings:
        return None
    endings = game_results.load_game_endings([pairing.game for pairing in pairings if pairing.game])
    for pairing in pairings:
        assert pairing.game
        pairing.result = game_results.build_game_result(
            pairing.game, endings[pairing.game.pk], list_seated_entrant_ids(pairing)
        )
        pairing.settled_at = now
    save_results(tournament, pairings, now)
    return StepName.RESULTS_RECORDED


def save_results(tournament: Tournament, pairings: Sequence[Pairing], now: datetime) -> None:
    """Save the results of pairings and notify the players."""
    Pairing.objects.bulk_update(pairings, ["result", "settled_at"])
    player_ids_by_entrant = load_player_ids_by_entrant(tournament)
    entries = []
    for pairing in pairings:
        player_ids = [
            player_id
            for entrant_id in list_seated_entrant_ids(pairing)
            for player_id in player_ids_by_entrant[entrant_id]
        ]
        data = {"match": pairing.match, **(pairing.result or {})}
        entries += build_feed_entries(
            tournament,
            TournamentNoticeKind.RESULT,
            f"result:{pairing.pk}",
            player_ids,
            now,
            pairing.game,
            **data,
        )
    write_feed_entries(entries, ignore_quiet_hours=is_live(tournament))


def open_next_game(tournament: Tournament, now: datetime) -> StepName | None:
    """Open the game of the next pairing without one; both are written in one transaction, so never twice."""
    pairings_without_game = tournament.pairings.filter(game=None, settled_at=None).select_related("round")
    pairing = pairings_without_game.order_by("pk").first()
    if pairing is None:
        return None
    assign_missing_entry_numbers(tournament)
    pairing_seats = pairing.pairing_seats.order_by("seat_no").prefetch_related(
        "entrant__entrant_players__player"
    )
    teams = [
        sorted(pairing_seat.entrant.entrant_players.all(), key=lambda entrant_player: entrant_player.position)
        for pairing_seat in pairing_seats
    ]
    players = [team[position].player for position in range(len(teams[0])) for team in teams]
    client_seeds = [
        team[position].effective_client_seed for position in range(len(teams[0])) for team in teams
    ]
    game = system_games.start_tournament_game(
        players=players,
        client_seeds=client_seeds,
        origin=system_games.SeedOrigin(
            tournament_code=tournament.code,
            commitment=tournament.commitment,
            match=pairing.match,
            game_number=pairing.game_number,
            attempt=pairing.attempt,
        ),
        tournament_seed=bytes(TournamentSecret.objects.get(tournament=tournament).seed),
        now=now,
        round_end=build_round_end(tournament, pairing.round),
        **game_settings.build_game_options(tournament, is_rematch=pairing.game_number > 1),
    )
    pairing.game = game
    pairing.save(update_fields=["game"])
    player_ids = [player.pk for player in players if player]
    data = {"match": pairing.match, "bracket_round": pairing.bracket_round, "round_id": pairing.round_id}
    entries = build_feed_entries(
        tournament, TournamentNoticeKind.PAIRING, f"pairing:{pairing.pk}", player_ids, now, game, **data
    )
    write_feed_entries(
        entries, ignore_quiet_hours=is_live(tournament) or game.allowance < clock.LIVE_ALLOWANCE_SECONDS
    )  # a rematch may be live
    return StepName.GAME_OPENED


def resign_games_of_leavers(tournament: Tournament, now: datetime) -> StepName | None:
    """Resign the running games of entrants who withdrew or were disqualified, some per step."""
    pairings = tournament.pairings.filter(settled_at=None, game__status__in=PLAYING_STATUSES)
    resigned_count = 0
    for pairing in (
        pairings.filter(pairing_seats__entrant__left_after_round__isnull=False)
        .distinct()
        .select_related("game")
    ):
        assert pairing.game
        for place_index, pairing_seat in enumerate(
            pairing.pairing_seats.order_by("seat_no").select_related("entrant")
        ):
            if pairing_seat.entrant.left_after_round is not None:
                seat_no = list_seats_of_entrant(tournament, place_index)[0]
                resigned_count += system_games.resign_seat(code=pairing.game.code, seat_no=seat_no, now=now)
        if resigned_count >= MAX_RESIGNATIONS_PER_STEP:
            break
    return StepName.GAMES_RESIGNED if resigned_count else None


def adjudicate_overdue_games(tournament: Tournament, now: datetime) -> StepName | None:
    """Decide games whose round has ended by the points on the board.

    1. Lock the games, so that nobody moves meanwhile.
    2. A game that is over counts by its result, another by its current points.
    3. Release the unfinished games: they may go on unrated, with their log unchanged.
    """
    overdue_pairings = tournament.pairings.filter(
        settled_at=None, round__ends_at__lte=now, game__isnull=False
    )
    pairings = list(
        overdue_pairings.prefetch_related("pairing_seats").order_by("pk")[:MAX_ADJUDICATIONS_PER_STEP]
    )
    if not pairings:
        return None
    game_ids = [pairing.game_id for pairing in pairings if pairing.game_id]
    locked_games = (
        Game.objects.select_for_update().filter(pk__in=game_ids).order_by("pk")
    )  # no moves meanwhile
    games = {game.pk: game for game in locked_games}
    endings = game_results.load_game_endings(list(games.values()))
    states = {
        loaded_game.game.pk: loaded_game.state for loaded_game in load_games(game_ids, raise_unreadable_game)
    }
    for pairing in pairings:
        game = games[pairing.game_id or 0]
        state = states[game.pk]
        assert state is not None
        if game.is_over:
            pairing.result = game_results.build_game_result(
                game, endings[game.pk], list_seated_entrant_ids(pairing)
            )
        else:
            pairing.result = game_results.build_adjudicated_result(
                state, endings[game.pk], list_seated_entrant_ids(pairing)
            )
            system_games.release_game(code=game.code, now=now)
        pairing.settled_at = now
    save_results(tournament, pairings, now)
    return StepName.GAMES_ADJUDICATED


def raise_unreadable_game(game: Game) -> None:
    """Raise ValueError: a game that cannot be read stops its tournament."""
    raise ValueError(f"game {game.code} cannot be read")


# --------------------------------------------------------------------------------------------- the next round


def precompute_next_round(tournament_id: int, now: datetime) -> None:
    """Plan and cache the next Swiss round before the tournament is locked, for `pair_next_round`.

    Planning may take seconds, and withdrawals and decisions must not wait for it. If one of them changes the
    round, `pair_next_round` plans it again.
    """
    due_tournaments = Tournament.objects.running().filter(
        pk=tournament_id, next_sweep_at__lte=now, hold_reason=""
    )
    tournament = due_tournaments.filter(format=Tournament.Format.SWISS).first()
    if tournament is not None and not tournament.pairings.filter(settled_at=None).exists():
        TournamentState(tournament).plan_next_round()


def pair_next_round(tournament: Tournament, now: datetime) -> StepName | None:
    """Pair the next round, finish the tournament, or wait for results or the organiser.

    1. Do nothing while the tournament is on hold.
    2. Plan the next round; finish the tournament if there is none.
    3. Leave out pairings that exist already.
    4. Hold for the organiser if approval is required, or if there are warnings.
    5. Publish the round.
    """
    if tournament.hold_reason:
        return None
    state = TournamentState(tournament)
    next_step = state.plan_next_round()
    if isinstance(next_step, WaitingForResults):
        return None
    if isinstance(next_step, TournamentFinished):
        return finish_tournament(state, now)
    # A bye may be planned again when a pairing of its round is restored.
    known_keys = {get_pairing_key(pairing) for pairing in state.pairings}
    new_pairings = tuple(
        planned_pairing
        for planned_pairing in next_step.pairings
        if get_planned_key(planned_pairing) not in known_keys
    )
    if not new_pairings:
        return None
    next_step = replace(next_step, pairings=new_pairings)
    round_number = tournament.rounds.count() + 1
    if tournament.approved_round != round_number and (
        tournament.manual_approval or (tournament.hold_on_warnings and next_step.warnings)
    ):
        return hold_for_organiser(
            tournament,
            Tournament.HoldReason.REVIEW
            if tournament.manual_approval
            else Tournament.HoldReason(next_step.warnings[0].code),
            next_step.warnings,
            now,
        )
    publish_round(state, next_step, round_number, now)
    return StepName.ROUND_PAIRED


def publish_round(
    state: TournamentState, planned_round: PlannedRound, round_number: int, now: datetime
) -> None:
    """Store a round with its pairings and reasons, and make pairings void that no longer fit.

    A void pairing of the same entrants is restored instead of a new attempt.
    """
    tournament = state.tournament
    make_pairings_void(tournament, state.list_stale_pairings(), now)
    if had_final_ranks(state):  # reopened by a correction: no final ranks while it is played
        tournament.entrants.update(rank=None)
    ends_at = now + timedelta(seconds=tournament.round_length) if tournament.round_length else None
    round = Round.objects.create(
        tournament=tournament,
        number=round_number,
        published_at=now,
        ends_at=ends_at,
        warnings=[warning.as_dict() for warning in planned_round.warnings],
    )
    void_pairings = find_void_pairings(tournament, planned_round.pairings)
    restore_pairings(tournament, list(void_pairings.values()), round, now)
    new_pairings = [
        planned_pairing
        for planned_pairing in planned_round.pairings
        if get_planned_key(planned_pairing) not in void_pairings
    ]
    attempt_counts: dict[tuple[str, int], int] = {}
    for match, game_number in tournament.pairings.values_list("match", "game_number"):
        attempt_counts[match, game_number] = attempt_counts.get((match, game_number), 0) + 1
    pairings = Pairing.objects.bulk_create(
        [
            build_pairing(
                round,
                planned_pairing,
                attempt_counts.get((planned_pairing.match, planned_pairing.game_number), 0) + 1,
                now,
            )
            for planned_pairing in new_pairings
        ]
    )
    PairingSeat.objects.bulk_create(
        [
            PairingSeat(pairing=pairing, entrant_id=entrant_id, seat_no=seat_no)
            for pairing, planned_pairing in zip(pairings, new_pairings, strict=True)
            for seat_no, entrant_id in enumerate(planned_pairing.seats, 1)
        ]
    )
    lapse_tournament_proposals(tournament, now)
    fix_client_seeds(
        tournament,
        [
            int(entrant_id)
            for planned_pairing in planned_round.pairings
            for entrant_id in planned_pairing.seats
        ],
    )
    for pairing, planned_pairing in zip(pairings, new_pairings, strict=True):
        if len(planned_pairing.seats) == 1:  # a few at most
            player_ids = [
                player.pk for player in list_players_of_entrant(state.entrants[int(planned_pairing.seats[0])])
            ]
            notify_players(
                tournament,
                TournamentNoticeKind.BYE,
                f"pairing:{pairing.pk}",
                player_ids,
                now,
                match=pairing.match,
                bracket_round=pairing.bracket_round,
            )


def build_pairing(round: Round, planned_pairing: PlannedPairing, attempt: int, now: datetime) -> Pairing:
    """Build a pairing for a planned one, unsaved. A bye is settled at once."""
    is_bye = len(planned_pairing.seats) == 1
    return Pairing(
        tournament=round.tournament,
        round=round,
        match=planned_pairing.match,
        bracket_round=planned_pairing.round,
        game_number=planned_pairing.game_number,
        attempt=attempt,
        reasons=[note.as_dict() for note in planned_pairing.reasons],
        result={"by": ResultSource.BYE} if is_bye else None,
        settled_at=now if is_bye else None,
    )
