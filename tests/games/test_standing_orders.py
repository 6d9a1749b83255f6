"""Standing orders of a seat: the player sets them, the sweep carries them out, certain events end them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from common.service_errors import Denied
from games import engine
from games.models import Action, Game, GameSecrets, Seat
from games.selectors import load_game
from games.services import bots, clocks, pauses, standing_orders, sweep, system_games, vacation
from notifications.channels.email import mail_sender
from notifications.models import Delivery, FeedEntry
from notifications.services import notices
from tests.factories.cast import NOW, player
from tests.factories.order_games import SOON_AFTER, get_orders, give_orders, start_game_with_order
from tests.factories.timing import (
    CALM,
    DAY,
    HOUR,
    check_all_games_are_sound,
    get_name_to_act,
    get_seat_clock,
    get_seat_no,
    get_state,
    list_feed_entries,
    list_log_lines,
    list_waiting_names,
    mute_game,
    play_first_legal,
    play_until_turn_of,
    reload_player,
    set_vacation_balance,
    start_game_asked_by_an_8,
    start_quick_game,
    start_seeded_game,
    sweep_games,
    take_turn,
    write_log_row_by_row,
)

pytestmark = pytest.mark.django_db


def store_events(game: Game, events: list[dict[str, Any]]) -> None:
    """Append a copy of the last action with these events, because the log is append-only."""
    last = Action.objects.filter(game=game).latest("seq")
    Action.objects.bulk_create(
        [
            Action(
                game=game,
                seq=last.seq + 1000,
                seat=last.seat,
                action="TT",
                by="player",
                at=NOW,
                events=events,
            )
        ]
    )


def change_state(game: Game, **fields: Any) -> None:
    draft = get_state(game).mutable_copy()
    for name, value in fields.items():
        setattr(draft, name, value)
    GameSecrets.objects.filter(game=game).update(state=engine.dump_state(draft.freeze()))


# --------------------------------------------------------------------------------------------------- acting


@pytest.mark.parametrize("line_by_line", [False, True])
def test_the_order_draws_at_once_as_if_the_player_did(
    line_by_line: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if line_by_line:
        write_log_row_by_row(monkeypatch)
    game, name = start_game_with_order()
    play_first_legal(game)
    assert get_name_to_act(game) == name
    assert game.next_sweep_at == NOW
    bank = get_seat_clock(game, name).bank
    assert sweep_games(SOON_AFTER) == {"order_played": 1}
    game.refresh_from_db()
    assert list_log_lines(game)[-1] == (get_seat_no(game, name), "draw", "player")
    assert get_state(game).phase == "place"
    assert get_name_to_act(game) == name
    assert get_seat_clock(game, name).bank == bank
    assert game.next_sweep_at == game.deadline
    assert get_orders(game, name) == (True, False)
    (changed_entry, played_entry) = list_feed_entries(name, "orders")
    assert changed_entry.data == {
        "game": game.code,
        "seq": 0,
        "event": "changed",
        "draw": True,
        "only": False,
    }
    assert played_entry.data == {"game": game.code, "seq": game.seq, "event": "played", "actions": ["draw"]}
    assert played_entry.notify_at is None
    (other,) = list_waiting_names(game)
    assert not list_feed_entries(other, "orders")
    assert not sweep_games(SOON_AFTER)
    check_all_games_are_sound(game)


def test_the_notice_of_the_turn_comes_after_the_draw_and_only_once() -> None:
    game, name = start_game_with_order()
    play_first_legal(game)
    entry = list_feed_entries(name, "turn")[-1]
    assert entry.notify_at == get_seat_clock(game, name).runs_from
    assert entry.notify_at > SOON_AFTER  # after the order has acted
    sweep_games(SOON_AFTER)
    entry.refresh_from_db()
    assert entry.notify_at == get_seat_clock(game, name).runs_from
    assert entry.data["ordered_actions"] == ["draw"]
    assert [waiting.pk for waiting in list_feed_entries(name, "turn") if waiting.notify_at] == [entry.pk]
    notices.fan_out_notices(now=NOW + HOUR)
    mail = Delivery.objects.get(player__name=name, kind="turn")
    assert mail.data["seq"] == get_seat_clock(game, name).turn_seq


def test_a_muted_game_stays_silent() -> None:
    game, name = start_game_with_order()
    mute_game(game, name)
    play_first_legal(game)
    sweep_games(SOON_AFTER)
    turn_entries = list_feed_entries(name, "turn")
    assert turn_entries
    assert not [entry for entry in turn_entries if entry.notify_at]


def test_the_only_placement_is_played_and_with_both_orders_the_whole_turn() -> None:
    """The table tile and the drawn tile are zero tiles with one free cell, so that one placement is legal."""
    game, name = start_game_with_order(draw=True, only=True)
    play_first_legal(game)
    free_one_cell(game)
    seq = game.seq
    assert sweep.sweep_batch(now=SOON_AFTER) == {"order_played": 1}
    game.refresh_from_db()
    assert [line[1] for line in list_log_lines(game, seq)] == ["draw", "I-e5-0"]
    (_changed, played_entry) = list_feed_entries(name, "orders")
    assert played_entry.data["actions"] == ["draw", "I-e5-0"]
    notices.fan_out_notices(now=NOW + HOUR)
    assert not Delivery.objects.filter(player__name=name, kind="turn", data__seq=seq).exists()


def free_one_cell(game: Game) -> None:
    """Fill every cell but e5, the table and the tower with zero tiles, which close nothing."""
    state = get_state(game)
    board = state.setup.board
    zero = board.code_of_tile["I", 0]
    centre = state.cells[12]
    cells, vertices, demands = board.rebuild_position([*[zero] * 12, centre, *[zero] * 11, 0])
    change_state(
        game,
        cells=cells,
        vertices=vertices,
        demands=demands,
        filled_mask=(1 << 24) - 1,
        marked_figures=(),
        unmarked_figures=(),
        table_tiles=("", "I", "I"),
        tower="IIII",
        removed_tiles="D" * 4,
    )


def test_without_the_order_the_only_placement_waits_for_the_player() -> None:
    game, name = start_game_with_order(draw=True, only=False)
    play_first_legal(game)
    free_one_cell(game)
    sweep_games(SOON_AFTER)
    assert get_state(game).phase == "place"
    assert get_name_to_act(game) == name


def test_an_order_given_during_the_turn_acts_in_it_whatever_has_happened() -> None:
    game = start_quick_game("ada", "bob")
    name = get_name_to_act(game)
    seat = get_seat_no(game, name)
    lay_ends_of_an_8(game)
    give_orders(game, name, draw=True)
    assert game.next_sweep_at == NOW
    assert sweep_games(SOON_AFTER) == {"order_played": 1}
    assert list_log_lines(game) == [(seat, "draw", "player")]
    assert get_orders(game, name) == (True, False)


def test_it_does_not_count_as_coming_back_after_missed_turns() -> None:
    game, name = start_game_with_order()
    game.seat_clocks[str(get_seat_no(game, name))]["missed"] = 1
    Game.objects.filter(pk=game.pk).update(seat_clocks=game.seat_clocks)
    play_first_legal(game)
    sweep_games(SOON_AFTER)
    assert get_seat_clock(game, name).missed_turns == 1


def test_orders_act_during_a_vacation_and_an_agreed_pause() -> None:
    """Clocks rest then, but an order needs no time, and players may act in a pause."""
    game = start_quick_game("ada", "bob", vacation=True)
    (name,) = list_waiting_names(game)
    set_vacation_balance(name, 10 * DAY)
    vacation.plan_vacation(player=reload_player(name), start=NOW, end=NOW + 3 * DAY, now=NOW)
    pauses.propose_pause(player=reload_player("ada"), code=game.code, until=NOW + 5 * DAY, now=NOW)
    pauses.agree_to_pause(player=reload_player("bob"), code=game.code, now=NOW)
    give_orders(game, name, draw=True)
    play_first_legal(game, "draw")
    play_first_legal(game)
    assert sweep_games(SOON_AFTER) == {"order_played": 1}
    assert get_state(game).phase == "place"


def test_a_blind_match_has_its_own_automatic_placement() -> None:
    game, _name = start_game_with_order(draw=True, only=True)
    play_first_legal(game)
    free_one_cell(game)
    change_state(
        game, match_kind="blind", hands=((), (), ()), table_tiles=("", "", ""), phase="place", drawn_tile="I"
    )
    sweep_games(SOON_AFTER)
    assert list_log_lines(game)[-1][1:] == ("I-e5-0", "clock")


def test_an_order_acts_after_a_bot_and_the_bot_plays_on_after_it() -> None:
    game = start_seeded_game(CALM, "ada", bots=("random",))
    give_orders(game, "ada", draw=True)
    bots.play_bot_turns(code=game.code, now=NOW)
    game.refresh_from_db()
    seq = game.seq
    assert sweep_games(SOON_AFTER) == {"order_played": 1}
    assert list_log_lines(game, seq) == [(get_seat_no(game, "ada"), "draw", "player")]
    play_first_legal(game, name="ada")
    assert game.bot_to_act
    assert bots.play_bot_turns(code=game.code, now=SOON_AFTER)
    check_all_games_are_sound(game)


# --------------------------------------------------------------------------------------------------- ending


@pytest.mark.parametrize("reason", ["card-played", "eight-possible"])
def test_orders_end_with_a_reason_before_they_act(reason: str) -> None:
    game, name = start_game_with_order(draw=True, only=True)
    play_first_legal(game)
    if reason == "card-played":
        seat_no = get_seat_no(game, name)
        store_events(
            game, [{"event": "played", "seat": 3 - seat_no, "card": "MI", "action": f"MI-{seat_no}"}]
        )
    else:
        lay_ends_of_an_8(game)
    seq = game.seq
    assert sweep_games(SOON_AFTER) == {"orders_ended": 1}
    game.refresh_from_db()
    assert game.seq == seq
    assert get_orders(game, name) == (False, False)
    ended_entry = list_feed_entries(name, "orders")[-1]
    assert ended_entry.data == {"game": game.code, "seq": seq, "event": "ended", "reason": reason}
    turn_entry = list_feed_entries(name, "turn")[-1]
    assert turn_entry.notify_at == get_seat_clock(game, name).runs_from
    assert turn_entry.data["order_end"] == reason
    assert game.next_sweep_at == game.deadline
    assert not sweep_games(SOON_AFTER)
    (other,) = list_waiting_names(game)
    assert not list_feed_entries(other, "orders")


def lay_ends_of_an_8(game: Game) -> None:
    """Lay H tiles around one free cell, where a D would make an 8."""
    state = get_state(game)
    board = state.setup.board
    end = board.code_of_tile["H", 0]
    cells = [0] * 25
    cells[12], cells[8], cells[18], cells[14] = state.cells[12], end, end, end
    cells, vertices, demands = board.rebuild_position(cells)
    change_state(
        game,
        cells=cells,
        vertices=vertices,
        demands=demands,
        filled_mask=sum(1 << x for x, code in enumerate(cells) if code),
        marked_figures=(),
        unmarked_figures=(),
    )


def test_the_mail_of_the_turn_gives_the_reason_or_what_they_played() -> None:
    game, name = start_game_with_order()
    play_first_legal(game)
    sweep_games(SOON_AFTER)
    notices.fan_out_notices(now=NOW + HOUR)
    mail = mail_sender.compose_mail(Delivery.objects.get(player__name=name, kind="turn"), now=NOW + HOUR)
    assert "Your standing order played: draw" in str(mail.body)
    Delivery.objects.filter(player__name=name).update(
        data={"seq": mail_seq(game, name), "order_end": "card-played"}
    )
    mail = mail_sender.compose_mail(Delivery.objects.get(player__name=name, kind="turn"), now=NOW + HOUR)
    assert "Your standing orders have ended: somebody played a card that affects you." in " ".join(
        str(mail.body).split()
    )


def mail_seq(game: Game, name: str) -> int:
    return get_seat_clock(game, name).turn_seq


def test_a_card_before_the_order_or_before_the_own_last_turn_ends_nothing() -> None:
    game, name = start_game_with_order()
    seat_no = get_seat_no(game, name)
    last = Action.objects.filter(game=game).latest("seq")
    event = {"event": "played", "seat": 3 - seat_no, "card": "ME", "action": "ME"}
    loaded_game = load_game(game.code)
    seat = loaded_game.seat_by_no(seat_no)
    store_events(game, [event])
    assert event in standing_orders.list_recent_events(game, seat)
    seat.orders_seq = last.seq + 1000
    assert standing_orders.list_recent_events(game, seat) == []
    seat.orders_seq = 0
    Action.objects.bulk_create(
        [Action(game=game, seq=last.seq + 1001, seat=seat_no, action="draw", by="player", at=NOW, events=[])]
    )
    assert standing_orders.list_recent_events(game, seat) == []
    Action.objects.bulk_create(
        [
            Action(
                game=game,
                seq=last.seq + 1002,
                seat=seat_no,
                action="pass",
                by="player",
                at=NOW,
                events=[event],
            )
        ]
    )
    assert standing_orders.list_recent_events(game, seat) == [event]


def test_turning_an_order_off_before_the_sweep_leaves_the_turn_to_the_player() -> None:
    game, name = start_game_with_order()
    play_first_legal(game)
    give_orders(game, name, draw=False)
    assert game.next_sweep_at == game.deadline
    assert not sweep_games(SOON_AFTER)
    assert list_feed_entries(name, "turn")[-1].notify_at == get_seat_clock(game, name).runs_from
    assert get_state(game).phase == "start"


def test_orders_end_when_the_seat_changes_hands() -> None:
    game, name = start_game_with_order(draw=True, only=True)
    system_games.replace_player(
        code=game.code,
        seat_no=get_seat_no(game, name),
        player=player("cleo"),
        now=NOW,
    )
    assert get_orders(game, "cleo") == (False, False)
    assert not list_feed_entries("cleo", "orders")
    with pytest.raises(Denied, match="Take the seat first"):
        give_orders(game, "cleo", draw=True)


def test_a_turn_missed_by_a_killed_sweep_is_played_once_by_the_next() -> None:
    """The batch is rolled back as a whole: no action, log row or notice remains."""
    game, name = start_game_with_order()
    play_first_legal(game)
    before = list(FeedEntry.objects.order_by("pk").values())

    class WorkerKilled(BaseException):
        pass

    def kill(pending_writes: object) -> set[int]:
        raise WorkerKilled

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sweep.action_log, "commit_pending_writes", kill)
        with pytest.raises(WorkerKilled):
            sweep_games(SOON_AFTER)
    assert list(FeedEntry.objects.order_by("pk").values()) == before
    assert sweep_games(SOON_AFTER) == {"order_played": 1}
    assert len(list_feed_entries(name, "orders")) == 2
    check_all_games_are_sound(game)


def test_an_answer_to_an_8_keeps_its_delay_with_standing_orders() -> None:
    """A forced pass must look like a free one, so that no order speeds up the answer."""
    game = start_game_asked_by_an_8(vacation=False)
    loaded_game = load_game(game.code)
    assert loaded_game.state
    times = {}
    for orders in (False, True):
        Seat.objects.filter(game=game).update(draws_automatically=orders, plays_only_action=orders)
        loaded_game = load_game(game.code)
        assert loaded_game.state
        times[orders] = [
            clocks.compute_automatic_answer_time(
                loaded_game, loaded_game.state, seat_no, loaded_game.clock_of(seat_no), NOW
            )
            for seat_no in (1, 2, 3)
        ]
    assert times[False] == times[True]


def test_orders_act_in_turn_after_turn() -> None:
    game, name = start_game_with_order()
    play_first_legal(game)
    now = SOON_AFTER
    for _round in range(3):
        if get_name_to_act(game) != name:
            take_turn(game, now)
        now += timedelta(minutes=1)
        assert sweep_games(now) == {"order_played": 1}
        game.refresh_from_db()
        play_first_legal(game, now=now, name=name)
        play_until_turn_of(game, name, now)
    check_all_games_are_sound(game)
