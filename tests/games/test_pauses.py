"""Pauses that all sides of a game agree on."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.test import Client

from games.models import FeedEntry, Game, Pause
from games.services import bots as bot_service
from games.services import incidents, pauses
from games.services.errors import Conflict, Denied, Invalid, NotFound, ServiceError

from .cast import NOW, player
from .timing import (
    BEGUN,
    DAY,
    HOUR,
    MINUTE,
    SECOND,
    act,
    deadline,
    feed_of,
    lines,
    mute,
    person,
    quick,
    swept,
    take_turn,
    turn_of,
    watch,
    well,
)

pytestmark = pytest.mark.django_db


def propose(game: Game, name: str, until: datetime, now: datetime = NOW) -> Pause | None:
    made = pauses.propose_pause(player=person(name), code=game.code, until=until, now=now)
    game.refresh_from_db()
    return made


def agree(game: Game, name: str, now: datetime = NOW) -> bool:
    holds = pauses.agree_to_pause(player=person(name), code=game.code, now=now)
    game.refresh_from_db()
    return holds


def decline(game: Game, name: str, now: datetime = NOW) -> None:
    pauses.decline_pause(player=person(name), code=game.code, now=now)
    game.refresh_from_db()


def paused(game: Game, now: datetime, until: datetime) -> None:
    propose(game, "ada", until, now)
    agree(game, "bob", now)


def refusal(*facts: object) -> str:
    """The code with which a proposal or an answer is refused."""
    deed, *rest = facts
    with pytest.raises(ServiceError) as refused:
        deed(*rest)  # type: ignore[operator]
    return refused.value.code


# -------------------------------------------------------------------------------------------- until all agree


def test_a_pause_begins_when_the_last_side_agrees_and_not_before() -> None:
    game = quick("ada", "bob", "cleo")
    until = deadline(game)
    assert propose(game, "ada", NOW + 3 * DAY)
    assert deadline(game) == until
    assert not agree(game, "bob", NOW + HOUR)
    assert deadline(game) == until
    assert game.paused_until is None
    assert agree(game, "cleo", NOW + 2 * HOUR)
    assert (game.paused_from, game.paused_until) == (NOW + 2 * HOUR, NOW + 3 * DAY)
    assert deadline(game) == until + 3 * DAY - 2 * HOUR
    assert game.due_at == game.deadline
    well(game)


def test_the_deadline_moves_by_exactly_the_pause_for_every_clock_that_runs() -> None:
    game = quick("ada", "bob")
    turn_of(game, "ada")
    paused(game, BEGUN + 26 * HOUR, BEGUN + 26 * HOUR + 5 * DAY)
    shown = watch(game, "ada")
    assert (shown.allowance_left, shown.bank) == (timedelta(), HOUR)
    assert deadline(game) == BEGUN + 27 * HOUR + 5 * DAY
    assert not swept(deadline(game) - SECOND)
    assert swept(deadline(game)) == {"autoplay": 1}


def test_a_turn_that_comes_in_a_pause_starts_with_its_end() -> None:
    game = quick("ada", "bob")
    paused(game, NOW, NOW + 2 * DAY)
    take_turn(game, NOW + DAY)
    assert deadline(game) == NOW + 2 * DAY + 27 * HOUR
    act(game, now=NOW + 2 * DAY - HOUR)
    assert {by for _, _, by in lines(game)} == {"player"}
    well(game)


def test_a_pause_may_be_made_longer_or_ended_early_by_agreement() -> None:
    game = quick("ada", "bob")
    until = deadline(game)
    paused(game, NOW + HOUR, NOW + HOUR + 2 * DAY)
    paused(game, NOW + HOUR + DAY, NOW + HOUR + 4 * DAY)
    assert deadline(game) == until + 4 * DAY
    propose(game, "bob", NOW, NOW + HOUR + 3 * DAY)  # a time that has passed: let them run again
    assert deadline(game) == until + 4 * DAY
    agree(game, "ada", NOW + HOUR + 3 * DAY)
    assert deadline(game) == until + 3 * DAY
    assert game.paused_until == NOW + HOUR + 3 * DAY


def test_a_pause_after_a_pause_forgets_nothing() -> None:
    game = quick("ada", "bob", allowance=20 * 86_400)
    until = deadline(game)
    for n in range(1, 4):
        start = NOW + 4 * n * DAY
        paused(game, start, start + DAY)
        assert deadline(game) == until + n * DAY


def test_a_proposal_that_was_answered_too_late_pauses_nothing() -> None:
    game = quick("ada", "bob")
    until = deadline(game)
    propose(game, "ada", NOW + HOUR)
    assert not agree(game, "bob", NOW + 2 * HOUR)
    assert deadline(game) == until
    assert propose(game, "bob", NOW + DAY)  # the old one is out of the way


def test_a_pause_goes_through_an_incident_without_loss() -> None:
    game = quick("ada", "bob")
    until = deadline(game)
    incidents.start_incident(now=NOW + HOUR)
    paused(game, NOW + 2 * HOUR, NOW + DAY)
    incidents.end_incident(now=NOW + 5 * HOUR)
    assert deadline(game) == until + DAY - HOUR  # from the incident's start to the pause's end


# ------------------------------------------------------------------------------------------------ who decides


def test_in_pairs_one_of_each_side_is_enough() -> None:
    game = quick("ada", "bob", "cleo", "dirk", mode="pairs")
    until = deadline(game)
    assert propose(game, "ada", NOW + DAY)
    assert not agree(game, "cleo")  # her partner
    assert agree(game, "dirk")
    assert deadline(game) == until + DAY - MINUTE


def test_bots_agree_to_everything() -> None:
    game = quick("ada", "bob", bots=("greedy", "random"))
    assert propose(game, "ada", NOW + DAY) is not None
    assert agree(game, "bob")
    assert game.paused_until == NOW + DAY
    while game.bot_turn:
        bot_service.play_bot_turns(code=game.code, now=NOW + HOUR)
        game.refresh_from_db()
    assert deadline(game) >= NOW + DAY + 27 * HOUR


def test_with_bots_alone_there_is_nobody_to_agree_with() -> None:
    game = quick("ada", bots=("greedy", "random"))
    assert refusal(propose, game, "ada", NOW + DAY) == "only-bots"
    left = quick("ada", "bob", bots=("greedy",))
    act(left, "resign", name="bob")
    assert refusal(propose, left, "ada", NOW + DAY) == "only-bots"
    assert not Pause.objects.exists()


def test_who_has_resigned_neither_has_to_agree_nor_may_decide() -> None:
    game = quick("ada", "bob", "cleo")
    act(game, "resign", name="cleo")
    assert refusal(propose, game, "cleo", NOW + DAY) == "not-seated"
    propose(game, "ada", NOW + DAY)
    assert refusal(agree, game, "cleo") == "not-seated"
    assert refusal(decline, game, "cleo") == "not-seated"
    assert agree(game, "bob")


def test_a_proposal_ends_by_one_who_declines_or_by_its_own_maker() -> None:
    game = quick("ada", "bob")
    until = deadline(game)
    propose(game, "ada", NOW + DAY)
    decline(game, "bob")
    assert [line.data["by"] for line in feed_of("ada", "pause-declined")] == ["bob"]
    propose(game, "ada", NOW + 2 * DAY)
    decline(game, "ada")
    assert not feed_of("bob", "pause-declined")
    assert refusal(agree, game, "bob") == "no-pause-proposed"
    assert deadline(game) == until
    assert Pause.objects.filter(began_at=None, ended_at=NOW).count() == 2
    assert propose(game, "bob", NOW + DAY)


def test_one_proposal_at_a_time() -> None:
    game = quick("ada", "bob")
    propose(game, "ada", NOW + DAY)
    for name in ("ada", "bob"):
        assert refusal(propose, game, name, NOW + 2 * DAY) == "pause-proposed"


def test_what_cannot_be_is_refused() -> None:
    game = quick("ada", "bob")
    assert refusal(agree, game, "bob") == "no-pause-proposed"
    assert refusal(decline, game, "bob") == "no-pause-proposed"
    assert refusal(propose, game, "ada", NOW) == "not-paused"
    assert refusal(propose, game, "ada", NOW - DAY) == "not-paused"
    with pytest.raises(Invalid):
        propose(game, "ada", NOW + 60 * DAY + SECOND)
    with pytest.raises(Denied):
        propose(game, "cleo", NOW + DAY)
    with pytest.raises(NotFound):
        pauses.propose_pause(player=player("ada"), code="nonsense", until=NOW + DAY, now=NOW)
    assert propose(game, "ada", NOW + 60 * DAY)
    act(game, "resign", name="bob")
    with pytest.raises(Conflict) as refused:
        agree(game, "bob")
    assert refused.value.code == "not-running"


def test_a_private_game_of_others_is_not_even_there() -> None:
    game = quick("ada", "bob")
    Game.objects.filter(pk=game.pk).update(private=True)
    with pytest.raises(NotFound):
        propose(game, "cleo", NOW + DAY)


# ------------------------------------------------------------------------------------------------ who is told


def test_the_others_hear_of_a_proposal_and_all_of_the_pause() -> None:
    game = quick("ada", "bob", "cleo")
    FeedEntry.objects.all().delete()
    propose(game, "ada", NOW + 3 * DAY)
    assert not feed_of("ada")
    for name in ("bob", "cleo"):
        (line,) = feed_of(name)
        assert (line.kind, line.due_at) == ("pause", BEGUN)
        assert (line.data["game"], line.data["by"]) == (game.code, "ada")
        assert line.data["until"] == "2026-03-04T12:00:00Z"
    agree(game, "bob")
    assert len(feed_of("cleo")) == 1
    agree(game, "cleo")
    assert [line.kind for name in ("ada", "bob", "cleo") for line in feed_of(name, "paused")] == [
        "paused"
    ] * 3


def test_who_muted_the_game_reads_of_a_pause_in_the_feed_alone() -> None:
    game = quick("ada", "bob")
    mute(game, "bob")
    propose(game, "ada", NOW + 3 * DAY)
    (line,) = feed_of("bob", "pause")
    assert line.due_at is None


# ------------------------------------------------------------------------------------------------ on the page


def test_a_pause_is_proposed_agreed_and_declined_on_the_games_page() -> None:
    game = quick("ada", "bob")
    browsers = {name: Client() for name in ("ada", "bob")}
    for name, browser in browsers.items():
        browser.force_login(person(name))

    def post_command(name: str, command: str, **form: str) -> str:
        answer = browsers[name].post(f"/games/{game.code}/{command}/", form, follow=True)
        assert answer.status_code == 200
        return answer.content.decode()

    for days in ("61", "-1", "", "nonsense", "9" * 4000):
        assert "at most 60 days" in post_command("ada", "pause", days=days)
    assert not Pause.objects.exists()
    assert "it holds when all agree" in post_command("ada", "pause", days="3")
    page = browsers["bob"].get(f"/games/{game.code}/").content.decode()
    assert "ada proposes to let the clocks rest" in page
    post_command("bob", "pause-decline")
    assert Pause.objects.get().ended_at
    post_command("bob", "pause", days="5")
    assert "The clocks rest by agreement until" in post_command("ada", "pause-agree")
    made = Pause.objects.latest("pk")
    game.refresh_from_db()
    assert (game.paused_from, game.paused_until) == (made.began_at, made.at + 5 * DAY)
    post_command("ada", "pause", days="0")
    assert "The clocks rest" not in post_command("bob", "pause-agree")
