"""A seat that changes hands carries over nothing that its predecessor was doing."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from django.db import transaction
from django.test import Client

from accounts.models import Player
from accounts.services import guests
from common.service_errors import Conflict, Denied
from games import engine
from games.models import Game, Seat
from games.selectors import LoadedGame, load_game
from games.selectors.handovers import list_seats_with_moves
from games.services import action_log, action_log_sql, clocks, system_games, turns
from games.services import sweep as games_sweep
from notifications.models import Delivery, FeedEntry
from tests.factories.cast import start_cast_game
from tests.factories.events import (
    DAY,
    NOW,
    add_organiser,
    create_started_tournament,
    entrant,
    get_host,
    get_player,
    list_running_pairings,
    name_at,
    published,
    replace,
)
from tests.factories.evidence import DAILY, MINUTE, first_table, mailed, time_out
from tests.factories.leagues import create_started_league
from tests.factories.timing import reload_player, start_game_asked_by_an_8
from tests.helpers.tournament_programs import Program
from tournaments.leagues.services import leagues
from tournaments.models import Pairing, Proposal, Tournament
from tournaments.selectors import timeout_evidence
from tournaments.services import (
    appeals,
    client_seeds,
    decision_undo,
    entries,
    proposals,
    replacements,
    sweep,
    tournaments,
)

pytestmark = pytest.mark.django_db


def hand_over_by_replacement() -> tuple[Game, str]:
    tournament = create_started_tournament("knockout", 2)
    game = list_running_pairings(tournament)[0].game
    assert game
    leaves = get_name_to_act(game)
    replace(tournament, leaves, "new")
    return game, leaves


def load_then_change(change: Callable[[Game, str], None], tournament: Tournament) -> tuple[LoadedGame, Game]:
    """Load a game for the player to move, then hand over that player's seat."""
    game = list_running_pairings(tournament)[0].game
    assert game
    loaded_game = load_game(game.code)
    change(game, get_name_to_act(game))
    return loaded_game, game


def get_name_to_act(game: Game) -> str:
    loaded_game = load_game(game.code)
    player = loaded_game.seat_by_no(loaded_game.to_act[0]).player
    assert player
    return player.name


def prepare_move(loaded_game: LoadedGame) -> action_log.PendingWrite:
    """Prepare the write of an action on the loaded game."""
    assert loaded_game.state
    seat = loaded_game.to_act[0]
    action = engine.legal_actions(loaded_game.state, seat)[0]
    return action_log.prepare_action(
        loaded_game=loaded_game, seat_no=seat, action=action, by="player", now=NOW, player_acted=True
    )


def write_alone(pending_write: action_log.PendingWrite) -> bool:
    return action_log_sql.write_in_one_statement(pending_write)


def write_in_turn(pending_write: action_log.PendingWrite) -> bool:
    with transaction.atomic():
        return action_log_sql.write_with_orm(pending_write)


def write_with_others(pending_write: action_log.PendingWrite) -> bool:
    return bool(action_log.commit_pending_writes([pending_write]))


WRITERS: Sequence[Callable[[action_log.PendingWrite], bool]] = (write_alone, write_in_turn, write_with_others)


def replace_player(game: Game, name: str) -> None:
    replace(Tournament.objects.get(pairings__game=game), name, "new")


def replace_and_put_back(game: Game, name: str) -> None:
    """Replace and restore the player between load and write: the player is unchanged, the turn is new."""
    tournament = Tournament.objects.get(pairings__game=game)
    decision = replace(tournament, name, "new")
    decision_undo.undo_decision(by=get_host(), code=tournament.code, decision=decision.pk, now=NOW)


def withdraw_player(game: Game, name: str) -> None:
    entries.withdraw_from_tournament(
        player=get_player(name), code=Tournament.objects.get(pairings__game=game).code, now=NOW
    )


def substitute_player(game: Game, name: str) -> None:
    tournament = Tournament.objects.select_related("division__season__league").get(pairings__game=game)
    assert tournament.division
    code = tournament.division.season.league.code
    leagues.replace_with_substitute(by=get_host(), code=code, leaver=get_player(name), now=NOW)


def delete_player(game: Game, name: str) -> None:
    Player.objects.filter(name=name).update(is_active=False)
    Tournament.objects.get(pairings__game=game).entrant_players.filter(player__name=name).update(player=None)
    Tournament.objects.update(next_sweep_at=NOW)
    sweep.sweep_tournaments(now=NOW)


IN_A_CUP = (replace_player, replace_and_put_back)
IN_A_LEAGUE = (withdraw_player, substitute_player, delete_player)


@pytest.mark.parametrize("write", WRITERS, ids=lambda function: function.__name__)
@pytest.mark.parametrize("change", [*IN_A_CUP, *IN_A_LEAGUE], ids=lambda function: function.__name__)
def test_a_move_that_was_read_before_a_handover_is_not_written_after_it(
    change: Callable[[Game, str], None], write: Callable[[action_log.PendingWrite], bool]
) -> None:
    if change in IN_A_CUP:
        tournament = create_started_tournament("knockout", 2)
    else:
        league = create_started_league(3, all_rounds_at_once=True)
        leagues.set_member_status(player=get_player("spare"), code=league.code, now=NOW, status="substitute")
        tournament = Tournament.objects.get()
    loaded_game, game = load_then_change(change, tournament)
    clocks_then = loaded_game.game.seat_clocks
    pending_write = prepare_move(loaded_game)
    game.refresh_from_db()
    assert game.seat_clocks == clocks_then  # no time has passed: the clocks do not reveal the handover
    assert not write(pending_write)
    game.refresh_from_db()
    assert game.seq == 0
    assert game.actions.count() == 0


def test_a_deadline_that_was_read_before_a_handover_is_not_written_after_it() -> None:
    loaded_game, game = load_then_change(replace_player, create_started_tournament("knockout", 2))
    assert not clocks.try_recompute_deadline(loaded_game, NOW)
    assert clocks.try_recompute_deadline(load_game(game.code), NOW)


def test_the_predecessor_is_notified_that_the_seat_is_no_longer_theirs() -> None:
    game, leaves = hand_over_by_replacement()
    with pytest.raises(Denied) as refused:
        turns.play_action(player=get_player(leaves), code=game.code, text="draw", seq=0, key="", now=NOW)
    assert refused.value.code == "not-seated"


def test_games_that_a_guest_brings_into_an_account_count_as_handed_over() -> None:
    game = start_cast_game("ada", "bob")
    guest = Player.objects.get(name="ada")
    Player.objects.filter(pk=guest.pk).update(is_guest=True, claimed_by=get_player("owner"))
    loaded_game = load_game(game.code)
    guests.merge_claimed_guests(player=get_player("owner"), now=NOW)
    assert not action_log_sql.write_in_one_statement(prepare_move(loaded_game))


# ---------------------------------------------------------------------------------- notices of a handover


@pytest.mark.parametrize(
    "change", [replace_player, replace_and_put_back, withdraw_player, substitute_player, delete_player]
)
def test_opponents_at_running_tables_hear_who_plays_on_however_it_came(
    change: Callable[[Game, str], None],
) -> None:
    if change in IN_A_CUP:
        tournament = create_started_tournament("knockout", 2)
    else:
        league = create_started_league(3, all_rounds_at_once=True)
        leagues.set_member_status(player=get_player("spare"), code=league.code, now=NOW, status="substitute")
        tournament = Tournament.objects.get()
    game = list_running_pairings(tournament)[0].game
    assert game
    leaves = get_name_to_act(game)
    own_entrant = entrant(tournament, leaves)
    opponents = set(
        tournament.entrant_players.filter(entrant__pairing_seats__pairing__pairing_seats__entrant=own_entrant)
        .exclude(entrant=own_entrant)
        .values_list("player__name", flat=True)
    )
    change(game, leaves)
    feed_entries = FeedEntry.objects.filter(kind="tournament-newcomer", notify_at__isnull=False).order_by(
        "pk"
    )
    notices = [(line.player.name, line.data["player"]) for line in feed_entries]
    plays = tournament.entrant_players.get(entrant=own_entrant).player_id
    assert opponents
    assert {name for name, player in notices if player == plays} == opponents


# ----------------------------------------------------------------------------------- attribution of moves


def test_a_pass_by_the_server_is_no_move_of_the_newcomer() -> None:
    """A forced pass to an 8 is played in the newcomer's name, but nobody is rated for it."""
    game = start_game_asked_by_an_8()
    seat = next(seat for seat in Seat.objects.filter(game=game) if seat.player and seat.player.name == "ada")
    assert seat.seat_no
    system_games.replace_player(code=game.code, seat_no=seat.seat_no, player=reload_player("dirk"), now=NOW)
    before = game.actions.count()
    for minute in range(0, 70, 5):
        games_sweep.sweep_games(now=NOW + minute * MINUTE)
    line = game.actions.filter(seat=seat.seat_no, seq__gt=before).get()
    assert (line.action, line.by) == ("pass", "player")
    moved = list_seats_with_moves([game])
    assert (game.pk, seat.seat_no) not in moved  # nor do moves of the predecessor count
    other_seats = set(Seat.objects.filter(game=game).exclude(pk=seat.pk).values_list("seat_no", flat=True))
    assert {number for _game, number in moved} == other_seats


# -------------------------------------------------------------------------------------- undone replacements


def test_to_take_a_replacement_back_restores_what_the_player_had_brought() -> None:
    tournament = published("swiss", 2, round_count=2)
    client_seeds.set_client_seed(player=get_player("p1"), code=tournament.code, client_seed="mine", now=NOW)
    tournaments.start_tournament(by=get_host(), code=tournament.code, now=NOW)
    sweep.sweep_tournaments(now=NOW)
    member = tournament.entrant_players.get(player=get_player("p1"))
    brought = (member.client_seed, member.entry_number, member.client_seed_fixed)
    assert brought[0] == "mine"
    proposal = replacements.propose_replacement(
        by=get_host(),
        code=tournament.code,
        entrant=entrant(tournament, "p1").pk,
        player=get_player("new"),
        now=NOW,
    )
    proposals.accept_proposal(
        player=get_player("new"), proposal_id=proposal.pk, now=NOW, client_seed="theirs"
    )
    member.refresh_from_db()
    assert member.client_seed == "theirs"
    decision_undo.undo_decision(
        by=get_host(), code=tournament.code, decision=tournament.decisions.get().pk, now=NOW
    )
    member.refresh_from_db()
    assert (member.client_seed, member.entry_number, member.client_seed_fixed) == brought
    with pytest.raises(Conflict) as refused:  # the client seed is already in use
        client_seeds.set_client_seed(
            player=get_player("p1"), code=tournament.code, client_seed="other", now=NOW
        )
    assert refused.value.code == "seed-fixed"


# -------------------------------------------------------------------------------------- conflicts of interest


def start_cup_of_three() -> Tournament:
    """Start a round robin of three with all games at once; p1 and ref organise it, too."""
    tournament = create_started_tournament("round-robin", 3, all_rounds_at_once=True)
    for name in ("p1", "ref"):
        add_organiser(tournament, name)
    return tournament


def propose_replacement(tournament: Tournament, by: str, old: str, new: str) -> Proposal:
    return replacements.propose_replacement(
        by=get_player(by),
        code=tournament.code,
        entrant=entrant(tournament, old).pk,
        player=get_player(new),
        now=NOW,
    )


def test_who_sits_at_the_table_withdraws_no_proposal_of_another_organiser() -> None:
    tournament = start_cup_of_three()
    proposal = propose_replacement(tournament, "ref", "p2", "new")
    path = f"proposals/{proposal.pk}/withdraw/"
    assert Program("p1").refused(path) == (403, "own-table")
    proposal.refresh_from_db()
    assert proposal.status == "open"
    Program("host").do(path)
    proposal.refresh_from_db()
    assert proposal.status == "withdrawn"


def test_a_proposal_of_somebody_who_sits_at_the_table_by_now_is_not_agreed_to() -> None:
    """Ref asks before playing anywhere, and then takes a seat at a pairing of that entrant."""
    tournament = start_cup_of_three()
    proposal = propose_replacement(tournament, "ref", "p2", "new")
    replace(tournament, "p3", "ref")
    assert Program("new").refused(f"proposals/{proposal.pk}/accept/") == (403, "own-table")
    proposal.refresh_from_db()
    assert proposal.status == "open"
    assert not tournament.entrant_players.filter(player=get_player("new")).exists()
    assert tournament.decisions.filter(action="replace").count() == 1


# ------------------------------------------------------------------------- private data of players who left


def test_who_left_a_table_sees_what_happened_to_them_there_and_appeals_it() -> None:
    tournament = create_started_tournament("round-robin", 3, all_rounds_at_once=True, **DAILY)
    table, game, late = first_table(tournament)
    mailed(late, NOW + MINUTE)
    end = time_out(game)
    replace(tournament, late.name, "new", end)
    program = Program(late.name)
    at = f"tournaments/{tournament.code}/pairings/{table.pk}/"
    table_page = f"/tournaments/{tournament.code}/tables/{table.pk}/"
    (line,) = program.ask(f"{at}evidence/")["results"]
    assert (line["player"], line["outcome"]) == (late.name, "autoplay")
    assert [notice["address"] for notice in line["notices"]]
    rival = next(name for name in list_names_at(table) if name != "new")
    other = next(
        pairing
        for pairing in tournament.pairings.filter(game__isnull=False)
        if late.name not in list_names_ever_at(pairing)
    )
    assert (
        program.refused(f"tournaments/{tournament.code}/pairings/{other.pk}/appeal/", {"text": "x"})[0] == 403
    )
    assert (
        program.send("GET", f"tournaments/{tournament.code}/pairings/{other.pk}/evidence/").status_code == 403
    )
    assert "appeal" in program.ask(f"tournaments/{tournament.code}/")["you"]["permissions"]
    appeal = program.do(f"{at}appeal/", {"text": "The mail came back."})
    assert program.refused(f"{at}appeal/", {"text": "Again."})[0] == 409
    assert [
        appeal_row["id"] for appeal_row in program.list_all(f"tournaments/{tournament.code}/appeals/")
    ] == [appeal["id"]]
    appeals.answer_appeal(
        by=get_host(), code=tournament.code, appeal_id=appeal["id"], text="I have seen it.", now=end
    )
    client = Client()
    client.force_login(late)
    page = client.get(table_page).content.decode()
    assert "I have seen it." in page
    assert "Our notifications before the timeout" in page
    assert client.get(f"{table_page}evidence/").status_code == 200
    assert FeedEntry.objects.filter(kind="tournament-appeal", player=late, data__answered=True).exists()
    appeals.file_appeal(
        player=get_player(rival), code=tournament.code, pairing_id=table.pk, text="Mine.", now=end
    )
    assert "Mine." not in client.get(table_page).content.decode()  # shows only the viewer's own


def test_who_left_sees_nothing_of_what_came_after_them() -> None:
    tournament = create_started_tournament("round-robin", 3, all_rounds_at_once=True, **DAILY)
    table, game, late = first_table(tournament)
    replace(tournament, late.name, "new")
    time_out(game)
    assert timeout_evidence.list_timeout_evidence(table, late) == []
    (line,) = timeout_evidence.list_timeout_evidence(table, get_player("new"))
    assert line.player == "new"


def test_who_never_looked_at_the_hand_has_nothing_to_appeal() -> None:
    tournament = create_started_tournament("round-robin", 3, all_rounds_at_once=True)
    table, _game, late = first_table(tournament)
    replace(tournament, late.name, "brief")
    replace(tournament, "brief", "new")
    with pytest.raises(Denied):
        appeals.file_appeal(
            player=get_player("brief"), code=tournament.code, pairing_id=table.pk, text="x", now=NOW
        )
    with pytest.raises(Denied):
        timeout_evidence.list_timeout_evidence(table, get_player("brief"))
    appeals.file_appeal(player=late, code=tournament.code, pairing_id=table.pk, text="x", now=NOW)


def test_what_was_sent_to_somebody_who_left_is_kept_as_long_as_they_can_appeal() -> None:
    tournament = create_started_tournament("round-robin", 3, all_rounds_at_once=True, **DAILY)
    _table, _game, late = first_table(tournament)
    mail = mailed(late, NOW + MINUTE)
    replace(tournament, late.name, "new")
    kept_mails = Delivery.objects.filter(appeals.build_evidence_condition(now=NOW + DAY), pk=mail.pk)
    assert kept_mails.exists()
    Tournament.objects.filter(pk=tournament.pk).update(finished_at=NOW, status="finished")
    assert not Delivery.objects.filter(
        appeals.build_evidence_condition(now=NOW + appeals.APPEAL_PERIOD_AFTER_END + DAY), pk=mail.pk
    ).exists()


def list_names_at(table: Pairing) -> list[str]:
    return [name_at(table, place) for place in range(table.pairing_seats.count())]


def list_names_ever_at(table: Pairing) -> list[str]:
    """Return the current and former players of a pairing's game."""
    assert table.game
    handovers = table.game.handovers.values_list("predecessor__name", flat=True)
    return [*table.game.seats.values_list("player__name", flat=True), *handovers]
