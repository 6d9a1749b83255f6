"""Steps of a running tournament. Each runs in the caller's transaction, which locks the tournament.

A step returns its name, or "" if there was nothing to do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from games import clock
from games.models import FeedEntry, Game
from games.selectors import load_games
from games.services import system_games
from tournaments.models import Entrant, Pairing, PairingSeat, Round, Tournament, TournamentSecret
from tournaments.pairing import (
    PairingNote,
    PlannedPairing,
    PlannedRound,
    TournamentFinished,
    WaitingForResults,
    list_stale_result_notes,
    make_note,
)
from tournaments.selectors import game_results
from tournaments.selectors.rank_changes import RankChange, find_rank_changes, had_final_ranks
from tournaments.selectors.tournament_state import (
    TournamentState,
    build_pairing_result,
    list_players_of_entrant,
    list_seated_entrant_ids,
)
from tournaments.selectors.undecided import UNDECIDED, undecided_tables

from . import game_settings
from .client_seeds import assign_missing_entry_numbers, fix_client_seeds
from .entries import drop_entrants
from .league_of_tournament import mark_league_due
from .notices import (
    build_feed_entries,
    is_live,
    list_player_ids,
    notify_corrected_end,
    notify_held_start,
    notify_organisers,
    notify_partners,
    notify_players,
    players_by_entrant,
    write_feed_entries,
)
from .proposal_outcomes import lapse_tournament_proposals
from .round_ends import build_round_end
from .seed_publication import SEED_PUBLISH_RETRY, publish_tournament_seed
from .substitutes import list_seats_of_entrant, substitute_for_leaver
from .void_pairings import find_void_pairings, make_pairings_void, restore_pairings

MAX_RESIGNATIONS_PER_STEP = 20  # more games are resigned in several transactions
FIRST_END_KEY = "end"  # deduplication key of an end without corrections
STALE_AT_END_REASON = "stale-at-end"  # hold reason: finishing would void pairings
MAX_ADJUDICATIONS_PER_STEP = 50  # games locked together; moves in them wait


def hold_for_organiser(
    tournament: Tournament, hold_reason: str, warnings: Sequence[PairingNote], now: datetime
) -> str:
    """Put the tournament on hold and notify the organisers. Returns "held"."""
    tournament.held, tournament.warnings = hold_reason, [warning.as_dict() for warning in warnings]
    tournament.save(update_fields=["held", "warnings"])
    dedup_suffix = f"held:{tournament.published.count() + 1}:{hold_reason}"
    if tournament.status == Tournament.Status.PUBLISHED:  # another start date is another notice
        dedup_suffix += f":{tournament.starts_at:%Y-%m-%dT%H:%M}" if tournament.starts_at else ""
        notify_held_start(tournament, dedup_suffix, now, why=hold_reason, warnings=tournament.warnings)
    else:
        notify_organisers(
            tournament, "event-held", dedup_suffix, now, why=hold_reason, warnings=tournament.warnings
        )
    return "held"


# ----------------------------------------------------------------------------------------- results and games


def withdraw_deleted_players(tournament: Tournament, now: datetime) -> str:
    """Withdraw entrants whose player deleted the account, unless a substitute takes over."""
    deleted_players = tournament.members.filter(
        player=None, entrant__status=Entrant.Status.ENTERED, entrant__left=None
    )
    withdrawn_entrants = {
        entrant_player.entrant
        for entrant_player in deleted_players.select_related("entrant")
        if not substitute_for_leaver(tournament, entrant_player, now)
    }
    if withdrawn_entrants:
        notify_partners(tournament, withdrawn_entrants, now)
        drop_entrants(tournament, withdrawn_entrants, Entrant.Status.WITHDRAWN, now)
    return "dropped" if withdrawn_entrants else ""


def record_results(tournament: Tournament, now: datetime) -> str:
    """Store the results of all games that are over."""
    finished_pairings = tournament.tables.filter(settled_at=None, game__status=Game.Status.OVER)
    pairings = list(finished_pairings.select_related("game").prefetch_related("sittings"))
    if not pairings:
        return ""
    endings = game_results.load_game_endings([pairing.game for pairing in pairings if pairing.game])
    for pairing in pairings:
        assert pairing.game
        pairing.result = game_results.build_game_result(
            pairing.game, endings[pairing.game.pk], list_seated_entrant_ids(pairing)
        )
        pairing.settled_at = now
    save_results(tournament, pairings, now)
    return "settled"


def save_results(tournament: Tournament, pairings: Sequence[Pairing], now: datetime) -> None:
    """Save the results of pairings and notify the players."""
    Pairing.objects.bulk_update(pairings, ["result", "settled_at"])
    playing = players_by_entrant(tournament)
    entries = []
    for pairing in pairings:
        player_ids = [
            player_id for entrant_id in list_seated_entrant_ids(pairing) for player_id in playing[entrant_id]
        ]
        data = {"match": pairing.match, **(pairing.result or {})}
        entries += build_feed_entries(
            tournament, "event-result", f"result:{pairing.pk}", player_ids, now, pairing.game, **data
        )
    write_feed_entries(entries, ignore_quiet_hours=is_live(tournament))


def open_next_game(tournament: Tournament, now: datetime) -> str:
    """Open the game of the next pairing without one; both are written in one transaction, so never twice."""
    pairings_without_game = tournament.tables.filter(game=None, settled_at=None).select_related("published")
    pairing = pairings_without_game.order_by("pk").first()
    if pairing is None:
        return ""
    assign_missing_entry_numbers(tournament)
    pairing_seats = pairing.sittings.order_by("number").prefetch_related("entrant__members__player")
    teams = [
        sorted(pairing_seat.entrant.members.all(), key=lambda entrant_player: entrant_player.number)
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
            game_number=pairing.rematch,
            attempt=pairing.attempt,
        ),
        tournament_seed=bytes(TournamentSecret.objects.get(event=tournament).seed),
        now=now,
        round_end=build_round_end(tournament, pairing.published),
        **game_settings.build_game_options(tournament, is_rematch=pairing.rematch > 1),
    )
    pairing.game = game
    pairing.save(update_fields=["game"])
    player_ids = [player.pk for player in players if player]
    data = {"match": pairing.match, "round": pairing.round, "published": pairing.published_id}
    entries = build_feed_entries(
        tournament, "event-pairing", f"pairing:{pairing.pk}", player_ids, now, game, **data
    )
    write_feed_entries(
        entries, ignore_quiet_hours=is_live(tournament) or game.allowance < clock.LIVE_ALLOWANCE_SECONDS
    )  # a rematch may be live
    return "opened"


def resign_games_of_leavers(tournament: Tournament, now: datetime) -> str:
    """Resign the running games of entrants who withdrew or were disqualified, some per step."""
    pairings = tournament.tables.filter(settled_at=None, game__status__in=system_games.PLAYING_STATUSES)
    resigned_count = 0
    for pairing in pairings.filter(sittings__entrant__left__isnull=False).distinct().select_related("game"):
        assert pairing.game
        for place_index, pairing_seat in enumerate(
            pairing.sittings.order_by("number").select_related("entrant")
        ):
            if pairing_seat.entrant.left is not None:
                seat_no = list_seats_of_entrant(tournament, place_index)[0]
                resigned_count += system_games.resign_seat(code=pairing.game.code, seat_no=seat_no, now=now)
        if resigned_count >= MAX_RESIGNATIONS_PER_STEP:
            break
    return "resigned" if resigned_count else ""


def adjudicate_overdue_games(tournament: Tournament, now: datetime) -> str:
    """Decide games whose round has ended by the points on the board.

    1. Lock the games, so that nobody moves meanwhile.
    2. A game that is over counts by its result, another by its current points.
    3. Release the unfinished games: they may go on unrated, with their log unchanged.
    """
    overdue_pairings = tournament.tables.filter(
        settled_at=None, published__ends_at__lte=now, game__isnull=False
    )
    pairings = list(overdue_pairings.prefetch_related("sittings").order_by("pk")[:MAX_ADJUDICATIONS_PER_STEP])
    if not pairings:
        return ""
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
        if game.status == Game.Status.OVER:
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
    return "adjudicated"


def raise_unreadable_game(game: Game) -> None:
    """Raise ValueError: a game that cannot be read stops its tournament."""
    raise ValueError(f"game {game.code} cannot be read")


# --------------------------------------------------------------------------------------------- the next round


def precompute_next_round(tournament_id: int, now: datetime) -> None:
    """Plan and cache the next Swiss round before the tournament is locked, for `pair_next_round`.

    Planning may take seconds, and withdrawals and decisions must not wait for it. If one of them changes the
    round, `pair_next_round` plans it again.
    """
    due_tournaments = Tournament.objects.filter(
        pk=tournament_id, due_at__lte=now, status=Tournament.Status.RUNNING, held=""
    )
    tournament = due_tournaments.filter(format=Tournament.Format.SWISS).first()
    if tournament is not None and not tournament.tables.filter(settled_at=None).exists():
        TournamentState(tournament).plan_next_round()


def ask_for_results(tournament: Tournament, now: datetime) -> str:
    """Wait for the organiser where a table came back whose game cannot decide it."""
    if tournament.held:
        return ""
    pairings = list(undecided_tables(tournament).prefetch_related("sittings").order_by("pk"))
    stale_ids = (
        {pairing.pk for pairing in TournamentState(tournament).list_stale_pairings()} if pairings else set()
    )
    warnings = [
        make_note(UNDECIDED, match=pairing.match, entrants=tuple(list_seated_entrant_ids(pairing)))
        for pairing in pairings
        if pairing.pk not in stale_ids
    ]
    return hold_for_organiser(tournament, UNDECIDED, warnings, now) if warnings else ""


def pair_next_round(tournament: Tournament, now: datetime) -> str:
    """Pair the next round, finish the tournament, or wait for results or the organiser.

    1. Do nothing while the tournament is on hold.
    2. Plan the next round; finish the tournament if there is none.
    3. Leave out pairings that exist already.
    4. Hold for the organiser if approval is required, or if there are warnings.
    5. Publish the round.
    """
    if tournament.held:
        return ""
    state = TournamentState(tournament)
    next_step = state.plan_next_round()
    if isinstance(next_step, WaitingForResults):
        return ""
    if isinstance(next_step, TournamentFinished):
        return finish_tournament(state, now)
    # A bye may be planned again when a pairing of its round is restored.
    known_pairings = {
        (pairing.match, pairing.rematch, frozenset(list_seated_entrant_ids(pairing)))
        for pairing in state.pairings
    }
    new_pairings = tuple(
        planned_pairing
        for planned_pairing in next_step.pairings
        if (planned_pairing.match, planned_pairing.game_number, frozenset(planned_pairing.seats))
        not in known_pairings
    )
    if not new_pairings:
        return ""
    next_step = replace(next_step, pairings=new_pairings)
    round_number = tournament.published.count() + 1
    if tournament.accepted != round_number and (tournament.review or (tournament.ask and next_step.warnings)):
        return hold_for_organiser(
            tournament, "review" if tournament.review else next_step.warnings[0].code, next_step.warnings, now
        )
    publish_round(state, next_step, round_number, now)
    return "paired"


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
        event=tournament,
        number=round_number,
        made_at=now,
        ends_at=ends_at,
        warnings=[warning.as_dict() for warning in planned_round.warnings],
    )
    void_pairings = find_void_pairings(tournament, planned_round.pairings)
    restore_pairings(tournament, list(void_pairings.values()), round, now)
    new_pairings = [
        planned_pairing
        for planned_pairing in planned_round.pairings
        if (
            planned_pairing.match,
            planned_pairing.game_number,
            frozenset(int(entrant_id) for entrant_id in planned_pairing.seats),
        )
        not in void_pairings
    ]
    attempt_counts: dict[tuple[str, int], int] = {}
    for match, game_number in tournament.tables.values_list("match", "rematch"):
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
            PairingSeat(table=pairing, entrant_id=entrant_id, number=seat_no)
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
                "event-bye",
                f"pairing:{pairing.pk}",
                player_ids,
                now,
                match=pairing.match,
                round=pairing.round,
            )


def build_pairing(round: Round, planned_pairing: PlannedPairing, attempt: int, now: datetime) -> Pairing:
    """Build a pairing for a planned one, unsaved. A bye is settled at once."""
    is_bye = len(planned_pairing.seats) == 1
    return Pairing(
        event=round.event,
        published=round,
        match=planned_pairing.match,
        round=planned_pairing.round,
        rematch=planned_pairing.game_number,
        attempt=attempt,
        reasons=[note.as_dict() for note in planned_pairing.reasons],
        result={"by": "bye"} if is_bye else None,
        settled_at=now if is_bye else None,
    )


def finish_tournament(state: TournamentState, now: datetime) -> str:
    """Finish the tournament: store ranks, publish the seed unless a game still runs, notify the players.

    1. Hold for the organiser if a correction would void pairings at the end.
    2. Make stale pairings void and store the ranks.
    3. Publish the seed, or schedule a retry.
    4. Notify players: all at the first end, those with changed ranks after a correction.
    """
    tournament = state.tournament
    stale_pairings = state.list_stale_pairings()
    warnings = list_stale_result_notes(
        state.spec, [build_pairing_result(pairing) for pairing in stale_pairings]
    )
    if warnings and tournament.ask and tournament.accepted != tournament.published.count() + 1:
        return hold_for_organiser(tournament, STALE_AT_END_REASON, warnings, now)
    make_pairings_void(tournament, stale_pairings, now)
    was_finished, rank_changes = had_final_ranks(state), find_rank_changes(state)
    for standing in state.build_standings():
        state.entrants[int(standing.entrant)].rank = standing.rank
    Entrant.objects.bulk_update(state.entrants.values(), ["rank"])
    tournament.status, tournament.finished_at, tournament.trouble = Tournament.Status.FINISHED, now, ""
    publish_tournament_seed(tournament, now)
    tournament.due_at = None if tournament.seed else now + SEED_PUBLISH_RETRY
    tournament.save(update_fields=["status", "finished_at", "due_at", "trouble"])
    lapse_tournament_proposals(tournament, now)
    end_key = build_end_key(tournament)
    if was_finished:
        notify_corrected_end(
            tournament, build_rank_change_entries(tournament, end_key, rank_changes, now), now
        )
    elif end_key != FIRST_END_KEY:  # it went on after a correction
        notify_corrected_end(
            tournament,
            build_feed_entries(tournament, "event-end", end_key, list_player_ids(tournament), now),
            now,
        )
    else:
        notify_players(tournament, "event-end", end_key, list_player_ids(tournament), now)
    mark_league_due(tournament, now)
    return "finished"


def build_rank_change_entries(
    tournament: Tournament, dedup_suffix: str, rank_changes: Sequence[RankChange], now: datetime
) -> list[FeedEntry]:
    """Build the feed entries for players whose rank changed when the tournament ended again."""
    playing = players_by_entrant(tournament)
    entries = []
    for rank_change in rank_changes:
        entries += build_feed_entries(
            tournament,
            "event-end",
            dedup_suffix,
            playing.get(rank_change.entrant, ()),
            now,
            before=rank_change.before,
            after=rank_change.after,
        )
    return entries


def build_end_key(tournament: Tournament) -> str:
    """Return the deduplication key of this end: another one after each correction."""
    correction_count = tournament.decisions.filter(what__in=("correct", "undo-correct")).count()
    return f"end:{correction_count}" if correction_count else FIRST_END_KEY
