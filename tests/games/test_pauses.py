"""Pauses that all sides of a game agree on."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.test import Client

from common.service_errors import Conflict, Denied, Invalid, NotFound, ServiceError
from games.models import Game, Pause
from games.services import bots as bot_service
from games.services import incidents, pauses
from notifications.models import FeedEntry
from tests.factories.cast import NOW, player
from tests.factories.timing import (
    BEGUN,
    DAY,
    HOUR,
    MINUTE,
    SECOND,
    check_all_games_are_sound,
    get_deadline,
    get_seat_clock,
    list_feed_entries,
    list_log_lines,
    mute_game,
    play_first_legal,
    play_until_turn_of,
    reload_player,
    start_quick_game,
    sweep_games,
    take_turn,
)

pytestmark = pytest.mark.django_db


def propose_pause(game: Game, name: str, until: datetime, now: datetime = NOW) -> Pause | None:
    pause = pauses.propose_pause(player=reload_player(name), code=game.code, until=until, now=now)
    game.refresh_from_db()
    return pause


def agree_to_pause(game: Game, name: str, now: datetime = NOW) -> bool:
    holds = pauses.agree_to_pause(player=reload_player(name), code=game.code, now=now)
    game.refresh_from_db()
    return holds


def decline_pause(game: Game, name: str, now: datetime = NOW) -> None:
    pauses.decline_pause(player=reload_player(name), code=game.code, now=now)
    game.refresh_from_db()


def pause_game(game: Game, now: datetime, until: datetime) -> None:
    propose_pause(game, "ada", until, now)
    agree_to_pause(game, "bob", now)


def get_refusal_code(*command_and_args: object) -> str:
    """Run a pause command; return the error code of its refusal."""
    command, *rest = command_and_args
    with pytest.raises(ServiceError) as refused:
        command(*rest)  # type: ignore[operator]
    return refused.value.code


# ------------------------------------------------------------------------------------- agreement of all sides


def test_a_pause_begins_when_the_last_side_agrees_and_not_before() -> None:
    game = start_quick_game("ada", "bob", "cleo")
    until = get_deadline(game)
    assert propose_pause(game, "ada", NOW + 3 * DAY)
    assert get_deadline(game) == until
    assert not agree_to_pause(game, "bob", NOW + HOUR)
    assert get_deadline(game) == until
    assert game.paused_until is None
    assert agree_to_pause(game, "cleo", NOW + 2 * HOUR)
    assert (game.paused_from, game.paused_until) == (NOW + 2 * HOUR, NOW + 3 * DAY)
    assert get_deadline(game) == until + 3 * DAY - 2 * HOUR
    assert game.next_sweep_at == game.deadline
    check_all_games_are_sound(game)


def test_the_deadline_moves_by_exactly_the_pause_for_every_clock_that_runs() -> None:
    game = start_quick_game("ada", "bob")
    play_until_turn_of(game, "ada")
    pause_game(game, BEGUN + 26 * HOUR, BEGUN + 26 * HOUR + 5 * DAY)
    seat_clock = get_seat_clock(game, "ada")
    assert (seat_clock.allowance_left, seat_clock.bank) == (timedelta(), HOUR)
    assert get_deadline(game) == BEGUN + 27 * HOUR + 5 * DAY
    assert not sweep_games(get_deadline(game) - SECOND)
    assert sweep_games(get_deadline(game)) == {"autoplay": 1}


def test_a_turn_that_comes_in_a_pause_starts_with_its_end() -> None:
    game = start_quick_game("ada", "bob")
    pause_game(game, NOW, NOW + 2 * DAY)
    take_turn(game, NOW + DAY)
    assert get_deadline(game) == NOW + 2 * DAY + 27 * HOUR
    play_first_legal(game, now=NOW + 2 * DAY - HOUR)
    assert {by for _, _, by in list_log_lines(game)} == {"player"}
    check_all_games_are_sound(game)


def test_a_pause_may_be_made_longer_or_ended_early_by_agreement() -> None:
    game = start_quick_game("ada", "bob")
    until = get_deadline(game)
    pause_game(game, NOW + HOUR, NOW + HOUR + 2 * DAY)
    pause_game(game, NOW + HOUR + DAY, NOW + HOUR + 4 * DAY)
    assert get_deadline(game) == until + 4 * DAY
    propose_pause(game, "bob", NOW, NOW + HOUR + 3 * DAY)  # a past end means that the clocks run again
    assert get_deadline(game) == until + 4 * DAY
    agree_to_pause(game, "ada", NOW + HOUR + 3 * DAY)
    assert get_deadline(game) == until + 3 * DAY
    assert game.paused_until == NOW + HOUR + 3 * DAY


def test_a_pause_after_a_pause_forgets_nothing() -> None:
    game = start_quick_game("ada", "bob", allowance=20 * 86_400)
    until = get_deadline(game)
    for n in range(1, 4):
        start = NOW + 4 * n * DAY
        pause_game(game, start, start + DAY)
        assert get_deadline(game) == until + n * DAY


def test_a_proposal_that_was_answered_too_late_pauses_nothing() -> None:
    game = start_quick_game("ada", "bob")
    until = get_deadline(game)
    propose_pause(game, "ada", NOW + HOUR)
    assert not agree_to_pause(game, "bob", NOW + 2 * HOUR)
    assert get_deadline(game) == until
    assert propose_pause(game, "bob", NOW + DAY)  # the old pause no longer blocks a new one


def test_a_pause_goes_through_an_incident_without_loss() -> None:
    game = start_quick_game("ada", "bob")
    until = get_deadline(game)
    incidents.start_incident(now=NOW + HOUR)
    pause_game(game, NOW + 2 * HOUR, NOW + DAY)
    incidents.end_incident(now=NOW + 5 * HOUR)
    assert get_deadline(game) == until + DAY - HOUR  # from the start of the incident to the end of the pause


# --------------------------------------------------------------------------------------------- who must agree


def test_in_pairs_one_of_each_side_is_enough() -> None:
    game = start_quick_game("ada", "bob", "cleo", "dirk", mode="pairs")
    until = get_deadline(game)
    assert propose_pause(game, "ada", NOW + DAY)
    assert not agree_to_pause(game, "cleo")  # cleo is ada's partner
    assert agree_to_pause(game, "dirk")
    assert get_deadline(game) == until + DAY - MINUTE


def test_bots_agree_to_everything() -> None:
    game = start_quick_game("ada", "bob", bots=("greedy", "random"))
    assert propose_pause(game, "ada", NOW + DAY) is not None
    assert agree_to_pause(game, "bob")
    assert game.paused_until == NOW + DAY
    while game.bot_to_act:
        bot_service.play_bot_turns(code=game.code, now=NOW + HOUR)
        game.refresh_from_db()
    assert get_deadline(game) >= NOW + DAY + 27 * HOUR


def test_with_bots_alone_there_is_nobody_to_agree_with() -> None:
    game = start_quick_game("ada", bots=("greedy", "random"))
    assert get_refusal_code(propose_pause, game, "ada", NOW + DAY) == "only-bots"
    left = start_quick_game("ada", "bob", bots=("greedy",))
    play_first_legal(left, "resign", name="bob")
    assert get_refusal_code(propose_pause, left, "ada", NOW + DAY) == "only-bots"
    assert not Pause.objects.exists()


def test_who_has_resigned_neither_has_to_agree_nor_may_decide() -> None:
    game = start_quick_game("ada", "bob", "cleo")
    play_first_legal(game, "resign", name="cleo")
    assert get_refusal_code(propose_pause, game, "cleo", NOW + DAY) == "not-seated"
    propose_pause(game, "ada", NOW + DAY)
    assert get_refusal_code(agree_to_pause, game, "cleo") == "not-seated"
    assert get_refusal_code(decline_pause, game, "cleo") == "not-seated"
    assert agree_to_pause(game, "bob")


def test_a_proposal_ends_by_one_who_declines_or_by_its_own_maker() -> None:
    game = start_quick_game("ada", "bob")
    until = get_deadline(game)
    propose_pause(game, "ada", NOW + DAY)
    decline_pause(game, "bob")
    assert [line.data["by"] for line in list_feed_entries("ada", "pause-declined")] == ["bob"]
    propose_pause(game, "ada", NOW + 2 * DAY)
    decline_pause(game, "ada")
    assert not list_feed_entries("bob", "pause-declined")
    assert get_refusal_code(agree_to_pause, game, "bob") == "no-pause-proposed"
    assert get_deadline(game) == until
    assert Pause.objects.filter(started_at=None, ended_at=NOW).count() == 2
    assert propose_pause(game, "bob", NOW + DAY)


def test_one_proposal_at_a_time() -> None:
    game = start_quick_game("ada", "bob")
    propose_pause(game, "ada", NOW + DAY)
    for name in ("ada", "bob"):
        assert get_refusal_code(propose_pause, game, name, NOW + 2 * DAY) == "pause-proposed"


def test_what_cannot_be_is_refused() -> None:
    game = start_quick_game("ada", "bob")
    assert get_refusal_code(agree_to_pause, game, "bob") == "no-pause-proposed"
    assert get_refusal_code(decline_pause, game, "bob") == "no-pause-proposed"
    assert get_refusal_code(propose_pause, game, "ada", NOW) == "not-paused"
    assert get_refusal_code(propose_pause, game, "ada", NOW - DAY) == "not-paused"
    with pytest.raises(Invalid):
        propose_pause(game, "ada", NOW + 60 * DAY + SECOND)
    with pytest.raises(Denied):
        propose_pause(game, "cleo", NOW + DAY)
    with pytest.raises(NotFound):
        pauses.propose_pause(player=player("ada"), code="nonsense", until=NOW + DAY, now=NOW)
    assert propose_pause(game, "ada", NOW + 60 * DAY)
    play_first_legal(game, "resign", name="bob")
    with pytest.raises(Conflict) as refused:
        agree_to_pause(game, "bob")
    assert refused.value.code == "not-running"


def test_a_private_game_of_others_is_not_even_there() -> None:
    game = start_quick_game("ada", "bob")
    Game.objects.filter(pk=game.pk).update(private=True)
    with pytest.raises(NotFound):
        propose_pause(game, "cleo", NOW + DAY)


# ---------------------------------------------------------------------------------------------------- notices


def test_the_others_hear_of_a_proposal_and_all_of_the_pause() -> None:
    game = start_quick_game("ada", "bob", "cleo")
    FeedEntry.objects.all().delete()
    propose_pause(game, "ada", NOW + 3 * DAY)
    assert not list_feed_entries("ada")
    for name in ("bob", "cleo"):
        (line,) = list_feed_entries(name)
        assert (line.kind, line.notify_at) == ("pause", BEGUN)
        assert (line.data["game"], line.data["by"]) == (game.code, "ada")
        assert line.data["until"] == "2026-03-04T12:00:00Z"
    agree_to_pause(game, "bob")
    assert len(list_feed_entries("cleo")) == 1
    agree_to_pause(game, "cleo")
    assert [line.kind for name in ("ada", "bob", "cleo") for line in list_feed_entries(name, "paused")] == [
        "paused"
    ] * 3


def test_who_muted_the_game_reads_of_a_pause_in_the_feed_alone() -> None:
    game = start_quick_game("ada", "bob")
    mute_game(game, "bob")
    propose_pause(game, "ada", NOW + 3 * DAY)
    (line,) = list_feed_entries("bob", "pause")
    assert line.notify_at is None


# --------------------------------------------------------------------------------------------------- the page


def test_a_pause_is_proposed_agreed_and_declined_on_the_games_page() -> None:
    game = start_quick_game("ada", "bob")
    browsers = {name: Client() for name in ("ada", "bob")}
    for name, browser in browsers.items():
        browser.force_login(reload_player(name))

    def post_command(name: str, command: str, **form: str) -> str:
        answer = browsers[name].post(f"/games/{game.code}/{command}/", form, follow=True)
        assert answer.status_code == 200
        return answer.content.decode()

    for days in ("61", "-1", "", "nonsense", "9" * 4000):
        assert "at most 60 days" in post_command("ada", "pause", days=days)
    assert not Pause.objects.exists()
    assert "It starts when all sides agree" in post_command("ada", "pause", days="3")
    page = browsers["bob"].get(f"/games/{game.code}/").content.decode()
    assert "ada proposes to stop the clocks" in page
    post_command("bob", "pause-decline")
    assert Pause.objects.get().ended_at
    post_command("bob", "pause", days="5")
    assert "Paused by agreement until" in post_command("ada", "pause-agree")
    pause = Pause.objects.latest("pk")
    game.refresh_from_db()
    assert (game.paused_from, game.paused_until) == (pause.started_at, pause.proposed_at + 5 * DAY)
    post_command("ada", "pause", days="0")
    assert "Paused by agreement" not in post_command("bob", "pause-agree")
