"""A seat that changes hands takes nothing along of what its predecessor was just doing."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from django.db import transaction
from django.test import Client

from games import engine
from games.models import Delivery, FeedEntry, Game, Player, Seat
from games.selectors import LoadedGame, load_game
from games.selectors.handovers import list_seats_with_moves
from games.services import action_log, action_log_sql, clocks, guests, system_games, turns
from games.services import sweep as games_sweep
from games.services.errors import Conflict, Denied
from tests.games.cast import game_of
from tests.games.timing import asked_by_an_8, person
from tests.tournaments.play import (
    DAY,
    NOW,
    add_organiser,
    entrant,
    host,
    name_at,
    playing,
    published,
    replace,
    someone,
    started,
)
from tests.tournaments.programs import Program
from tests.tournaments.test_evidence import DAILY, MINUTE, first_table, mailed, time_out
from tests.tournaments.test_leagues import begun
from tournaments.models import Pairing, Proposal, Tournament
from tournaments.selectors import timeout_evidence
from tournaments.services import (
    appeals,
    client_seeds,
    decision_undo,
    entries,
    leagues,
    proposals,
    replacements,
    sweep,
    tournaments,
)

pytestmark = pytest.mark.django_db


def by_replacement() -> tuple[Game, str]:
    event = started("knockout", 2)
    game = playing(event)[0].game
    assert game
    leaves = mover(game)
    replace(event, leaves, "new")
    return game, leaves


def read_then(change: Callable[[Game, str], None], event: Tournament) -> tuple[LoadedGame, Game]:
    """A game as whoever is to move has read it, and then a handover of their seat."""
    game = playing(event)[0].game
    assert game
    seen = load_game(game.code)
    change(game, mover(game))
    return seen, game


def mover(game: Game) -> str:
    found = load_game(game.code)
    player = found.seat_by_no(found.to_act[0]).player
    assert player
    return player.name


def move_of(seen: LoadedGame) -> action_log.PendingWrite:
    """What whoever read the game would write."""
    assert seen.state
    seat = seen.to_act[0]
    action = engine.legal_actions(seen.state, seat)[0]
    return action_log.prepare_action(
        loaded_game=seen, seat_no=seat, action=action, by="player", now=NOW, player_acted=True
    )


def write_alone(made: action_log.PendingWrite) -> bool:
    return action_log_sql.write_in_one_statement(made)


def write_in_turn(made: action_log.PendingWrite) -> bool:
    with transaction.atomic():
        return action_log_sql.write_with_orm(made)


def write_with_others(made: action_log.PendingWrite) -> bool:
    return bool(action_log.commit_pending_writes([made]))


WRITERS: Sequence[Callable[[action_log.PendingWrite], bool]] = (write_alone, write_in_turn, write_with_others)


def replaced(game: Game, name: str) -> None:
    replace(Tournament.objects.get(tables__game=game), name, "new")


def put_back(game: Game, name: str) -> None:
    """Replaced and put back between the look and the move: the same player sits there, with another turn."""
    event = Tournament.objects.get(tables__game=game)
    decision = replace(event, name, "new")
    decision_undo.undo_decision(by=host(), code=event.code, decision=decision.pk, now=NOW)


def withdrawn(game: Game, name: str) -> None:
    entries.withdraw_from_tournament(
        player=someone(name), code=Tournament.objects.get(tables__game=game).code, now=NOW
    )


def substituted(game: Game, name: str) -> None:
    event = Tournament.objects.select_related("division__season__league").get(tables__game=game)
    assert event.division
    code = event.division.season.league.code
    leagues.replace_with_substitute(by=host(), code=code, leaver=someone(name), now=NOW)


def deleted(game: Game, name: str) -> None:
    Player.objects.filter(name=name).update(is_active=False)
    Tournament.objects.get(tables__game=game).members.filter(player__name=name).update(player=None)
    Tournament.objects.update(due_at=NOW)
    sweep.sweep_tournaments(now=NOW)


IN_A_CUP = (replaced, put_back)
IN_A_LEAGUE = (withdrawn, substituted, deleted)


@pytest.mark.parametrize("write", WRITERS, ids=lambda one: one.__name__)
@pytest.mark.parametrize("change", [*IN_A_CUP, *IN_A_LEAGUE], ids=lambda one: one.__name__)
def test_a_move_that_was_read_before_a_handover_is_not_written_after_it(
    change: Callable[[Game, str], None], write: Callable[[action_log.PendingWrite], bool]
) -> None:
    if change in IN_A_CUP:
        event = started("knockout", 2)
    else:
        league = begun(3, at_once=True)
        leagues.set_member_status(player=someone("spare"), code=league.code, now=NOW, status="substitute")
        event = Tournament.objects.get()
    seen, game = read_then(change, event)
    clocks_then = seen.game.clocks
    made = move_of(seen)
    game.refresh_from_db()
    assert game.clocks == clocks_then  # no time has passed: the clocks alone would not tell
    assert not write(made)
    game.refresh_from_db()
    assert game.seq == 0
    assert game.actions.count() == 0


def test_a_deadline_that_was_read_before_a_handover_is_not_written_after_it() -> None:
    seen, game = read_then(replaced, started("knockout", 2))
    assert not clocks.try_recompute_deadline(seen, NOW)
    assert clocks.try_recompute_deadline(load_game(game.code), NOW)


def test_the_predecessor_is_told_that_the_seat_is_no_longer_theirs() -> None:
    game, leaves = by_replacement()
    with pytest.raises(Denied) as refused:
        turns.play_action(player=someone(leaves), code=game.code, text="draw", seq=0, key="", now=NOW)
    assert refused.value.code == "not-seated"


def test_games_that_a_guest_brings_into_an_account_count_as_handed_over() -> None:
    game = game_of("ada", "bob")
    guest = Player.objects.get(name="ada")
    Player.objects.filter(pk=guest.pk).update(guest=True, keeper=someone("owner"))
    seen = load_game(game.code)
    guests.merge_claimed_guests(player=someone("owner"), now=NOW)
    assert not action_log_sql.write_in_one_statement(move_of(seen))


# -------------------------------------------------------------------------------- who hears of a handover


@pytest.mark.parametrize("change", [replaced, put_back, withdrawn, substituted, deleted])
def test_opponents_at_running_tables_hear_who_plays_on_however_it_came(
    change: Callable[[Game, str], None],
) -> None:
    if change in IN_A_CUP:
        event = started("knockout", 2)
    else:
        league = begun(3, at_once=True)
        leagues.set_member_status(player=someone("spare"), code=league.code, now=NOW, status="substitute")
        event = Tournament.objects.get()
    game = playing(event)[0].game
    assert game
    leaves = mover(game)
    mine = entrant(event, leaves)
    opponents = set(
        event.members.filter(entrant__sittings__table__sittings__entrant=mine)
        .exclude(entrant=mine)
        .values_list("player__name", flat=True)
    )
    change(game, leaves)
    told = FeedEntry.objects.filter(kind="event-newcomer", due_at__isnull=False).order_by("pk")
    heard = [(line.player.name, line.data["player"]) for line in told]
    plays = event.members.get(entrant=mine).player_id
    assert opponents
    assert {name for name, player in heard if player == plays} == opponents


# ------------------------------------------------------------------------------------- what is whose move


def test_a_pass_by_the_server_is_no_move_of_the_newcomer() -> None:
    """Who can only pass to an 8 is passed for in their own name; nobody is rated for that."""
    game = asked_by_an_8()
    seat = next(one for one in Seat.objects.filter(game=game) if one.player and one.player.name == "ada")
    assert seat.number
    system_games.replace_player(code=game.code, seat_no=seat.number, player=person("dirk"), now=NOW)
    before = game.actions.count()
    for minute in range(0, 70, 5):
        games_sweep.sweep_games(now=NOW + minute * MINUTE)
    line = game.actions.filter(seat=seat.number, seq__gt=before).get()
    assert (line.action, line.by) == ("pass", "player")
    moved = list_seats_with_moves([game])
    assert (game.pk, seat.number) not in moved  # nor the moves of their predecessor
    others = set(Seat.objects.filter(game=game).exclude(pk=seat.pk).values_list("number", flat=True))
    assert {number for _game, number in moved} == others


# ------------------------------------------------------------------------- a replacement that is taken back


def test_to_take_a_replacement_back_restores_what_the_player_had_brought() -> None:
    event = published("swiss", 2, rounds=2)
    client_seeds.set_client_seed(player=someone("p1"), code=event.code, client_seed="mine", now=NOW)
    tournaments.start_tournament(by=host(), code=event.code, now=NOW)
    sweep.sweep_tournaments(now=NOW)
    member = event.members.get(player=someone("p1"))
    brought = (member.client_seed, member.entry_number, member.seed_fixed)
    assert brought[0] == "mine"
    asked = replacements.propose_replacement(
        by=host(), code=event.code, entrant=entrant(event, "p1").pk, player=someone("new"), now=NOW
    )
    proposals.accept_proposal(player=someone("new"), proposal_id=asked.pk, now=NOW, client_seed="theirs")
    member.refresh_from_db()
    assert member.client_seed == "theirs"
    decision_undo.undo_decision(by=host(), code=event.code, decision=event.decisions.get().pk, now=NOW)
    member.refresh_from_db()
    assert (member.client_seed, member.entry_number, member.seed_fixed) == brought
    with pytest.raises(Conflict) as refused:  # it counts by now
        client_seeds.set_client_seed(player=someone("p1"), code=event.code, client_seed="other", now=NOW)
    assert refused.value.code == "seed-fixed"


# --------------------------------------------------------------------------- nobody decides in their own case


def cup_of_three() -> Tournament:
    """All play each other at once; p1 and ref organise it, too."""
    event = started("round-robin", 3, at_once=True)
    for name in ("p1", "ref"):
        add_organiser(event, name)
    return event


def ask(event: Tournament, by: str, old: str, new: str) -> Proposal:
    return replacements.propose_replacement(
        by=someone(by), code=event.code, entrant=entrant(event, old).pk, player=someone(new), now=NOW
    )


def test_who_sits_at_the_table_withdraws_no_proposal_of_another_organiser() -> None:
    event = cup_of_three()
    asked = ask(event, "ref", "p2", "new")
    path = f"proposals/{asked.pk}/withdraw/"
    assert Program("p1").refused(path) == (403, "own-table")
    asked.refresh_from_db()
    assert asked.status == "open"
    Program("host").do(path)
    asked.refresh_from_db()
    assert asked.status == "withdrawn"


def test_a_proposal_of_somebody_who_sits_at_the_table_by_now_is_not_agreed_to() -> None:
    """Ref asks while they play nowhere; then they take a seat themselves, at a table of the same entrant."""
    event = cup_of_three()
    asked = ask(event, "ref", "p2", "new")
    replace(event, "p3", "ref")
    assert Program("new").refused(f"proposals/{asked.pk}/accept/") == (403, "own-table")
    asked.refresh_from_db()
    assert asked.status == "open"
    assert not event.members.filter(player=someone("new")).exists()
    assert event.decisions.filter(what="replace").count() == 1


# --------------------------------------------------------------------------------- what stays with who left


def test_who_left_a_table_sees_what_happened_to_them_there_and_appeals_it() -> None:
    event = started("round-robin", 3, at_once=True, **DAILY)
    table, game, late = first_table(event)
    mailed(late, NOW + MINUTE)
    end = time_out(game)
    replace(event, late.name, "new", end)
    program = Program(late.name)
    at = f"tournaments/{event.code}/tables/{table.pk}/"
    (line,) = program.ask(f"{at}evidence/")["results"]
    assert (line["player"], line["what"]) == (late.name, "autoplay")
    assert [one["address"] for one in line["notices"]]
    rival = next(name for name in names_at(table) if name != "new")
    other = next(one for one in event.tables.filter(game__isnull=False) if late.name not in then_at(one))
    assert program.refused(f"tournaments/{event.code}/tables/{other.pk}/appeal/", {"text": "x"})[0] == 403
    assert program.send("GET", f"tournaments/{event.code}/tables/{other.pk}/evidence/").status_code == 403
    assert "appeal" in program.ask(f"tournaments/{event.code}/")["you"]["may"]
    made = program.do(f"{at}appeal/", {"text": "The mail came back."})
    assert program.refused(f"{at}appeal/", {"text": "Again."})[0] == 409
    assert [one["id"] for one in program.every(f"tournaments/{event.code}/appeals/")] == [made["id"]]
    appeals.answer_appeal(by=host(), code=event.code, appeal_id=made["id"], text="I have seen it.", now=end)
    client = Client()
    client.force_login(late)
    page = client.get(f"/{at}").content.decode()
    assert "I have seen it." in page
    assert "What was sent to whom" in page
    assert client.get(f"/{at}evidence/").status_code == 200
    assert FeedEntry.objects.filter(kind="event-appeal", player=late, data__answered=True).exists()
    appeals.file_appeal(player=someone(rival), code=event.code, pairing_id=table.pk, text="Mine.", now=end)
    assert "Mine." not in client.get(f"/{at}").content.decode()  # their own alone


def test_who_left_sees_nothing_of_what_came_after_them() -> None:
    event = started("round-robin", 3, at_once=True, **DAILY)
    table, game, late = first_table(event)
    replace(event, late.name, "new")
    time_out(game)
    assert timeout_evidence.list_timeout_evidence(table, late) == []
    (line,) = timeout_evidence.list_timeout_evidence(table, someone("new"))
    assert line["player"] == "new"


def test_who_never_looked_at_the_hand_has_nothing_to_appeal() -> None:
    event = started("round-robin", 3, at_once=True)
    table, _game, late = first_table(event)
    replace(event, late.name, "brief")
    replace(event, "brief", "new")
    with pytest.raises(Denied):
        appeals.file_appeal(player=someone("brief"), code=event.code, pairing_id=table.pk, text="x", now=NOW)
    with pytest.raises(Denied):
        timeout_evidence.list_timeout_evidence(table, someone("brief"))
    appeals.file_appeal(player=late, code=event.code, pairing_id=table.pk, text="x", now=NOW)


def test_what_was_sent_to_somebody_who_left_is_kept_as_long_as_they_can_appeal() -> None:
    event = started("round-robin", 3, at_once=True, **DAILY)
    _table, _game, late = first_table(event)
    mail = mailed(late, NOW + MINUTE)
    replace(event, late.name, "new")
    kept = Delivery.objects.filter(appeals.build_evidence_condition(now=NOW + DAY), pk=mail.pk)
    assert kept.exists()
    Tournament.objects.filter(pk=event.pk).update(finished_at=NOW, status="finished")
    assert not Delivery.objects.filter(
        appeals.build_evidence_condition(now=NOW + appeals.APPEAL_PERIOD_AFTER_END + DAY), pk=mail.pk
    ).exists()


def names_at(table: Pairing) -> list[str]:
    return [name_at(table, place) for place in range(table.sittings.count())]


def then_at(table: Pairing) -> list[str]:
    """Who sits at a table's game, or sat there before."""
    assert table.game
    handed = table.game.handovers.values_list("predecessor__name", flat=True)
    return [*table.game.places.values_list("player__name", flat=True), *handed]
