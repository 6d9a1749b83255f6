"""Nobody plays, or is rated, because somebody else said so."""

from __future__ import annotations

from datetime import datetime

import pytest
from django.test import Client

from games import engine
from games.models import Action, FeedEntry, Game, Seat
from games.selectors import load_game
from games.services import seat_settings, turns
from games.services.errors import Conflict, Denied, NotFound
from tests.tournaments.play import (
    DAY,
    NOW,
    decide,
    enter_pair,
    entrant,
    host,
    playing,
    published,
    replace,
    someone,
    started,
)
from tests.tournaments.programs import Program
from tournaments import links
from tournaments.models import Proposal, Rating, RatingChange, Tournament
from tournaments.selectors import get_rating
from tournaments.services import (
    decisions,
    entries,
    leagues,
    proposals,
    ratings,
    replacements,
    sweep,
    tournaments,
)

pytestmark = pytest.mark.django_db


def propose(event: Tournament, old: str, new: str) -> Proposal:
    return replacements.propose_replacement(
        by=host(), code=event.code, entrant=entrant(event, old).pk, player=someone(new), now=NOW
    )


def ask(event: Tournament, one: str, other: str, now: datetime = NOW) -> Proposal:
    return entries.ask_partner(player=someone(one), partner=someone(other), code=event.code, now=now)


def rated() -> dict[str, int]:
    """Everybody's rating as it is shown, of those who have played a rated game."""
    ratings.rate_finished_games(now=NOW)
    found = Rating.objects.filter(games__gt=0).select_related("player")
    return {one.player.name: get_rating(one.player, one.mode) for one in found if one.player}


def act(name: str, game: Game) -> None:
    """Somebody plays an action of their own."""
    found = load_game(game.code)
    place = found.seat_of(someone(name))
    assert found.state
    assert place
    assert place.number
    action = engine.legal_actions(found.state, place.number)[0]
    turns.play_action(player=someone(name), code=game.code, text=action, seq=found.state.seq, key="", now=NOW)


def on_turn(game: Game) -> str:
    found = load_game(game.code)
    player = found.seat_by_no(found.to_act[0]).player
    assert player
    return player.name


def resign(name: str, game: Game) -> None:
    turns.play_action(player=someone(name), code=game.code, text="resign", seq=None, key="", now=NOW)


# ----------------------------------------------------------------------------------------------- replacements


def test_nothing_changes_until_the_newcomer_agrees() -> None:
    event = started("knockout", 2)
    game = playing(event)[0].game
    asked = propose(event, "p1", "new")
    assert propose(event, "p1", "new").pk == asked.pk
    assert {seat.player.name for seat in Seat.objects.filter(game=game) if seat.player} == {"p1", "p2"}
    assert not event.decisions.exists()
    assert FeedEntry.objects.get(kind="event-replacement").player == someone("new")
    with pytest.raises(Conflict):
        propose(event, "p1", "newer")
    for stranger in ("p2", "newer"):
        with pytest.raises(NotFound):
            proposals.accept_proposal(player=someone(stranger), proposal_id=asked.pk, now=NOW)
    with pytest.raises(Denied):  # not even whoever proposed it
        proposals.accept_proposal(player=host(), proposal_id=asked.pk, now=NOW)
    for _twice in range(2):
        proposals.accept_proposal(player=someone("new"), proposal_id=asked.pk, now=NOW)
    assert event.decisions.count() == 1
    assert {seat.player.name for seat in Seat.objects.filter(game=game) if seat.player} == {"new", "p2"}
    assert FeedEntry.objects.get(kind="event-answered").player == host()


def test_a_proposal_is_declined_or_withdrawn_and_then_never_agreed_to() -> None:
    event = started("knockout", 2)
    declined = propose(event, "p1", "new")
    proposals.decline_proposal(player=someone("new"), proposal_id=declined.pk, now=NOW)
    withdrawn = propose(event, "p1", "newer")
    with pytest.raises(Denied):
        proposals.withdraw_proposal(player=someone("newer"), proposal_id=withdrawn.pk, now=NOW)
    proposals.withdraw_proposal(player=host(), proposal_id=withdrawn.pk, now=NOW)
    for name, proposal in (("new", declined), ("newer", withdrawn)):
        with pytest.raises(Conflict):
            proposals.accept_proposal(player=someone(name), proposal_id=proposal.pk, now=NOW)
    assert event.members.filter(player__name__in=("p1", "p2")).count() == 2
    assert [line.data["answer"] for line in FeedEntry.objects.filter(kind="event-answered")] == ["declined"]


def test_a_proposal_lapses_with_the_round_the_event_and_the_seat() -> None:
    event = started("swiss", 2, rounds=2)
    asked = propose(event, "p1", "new")
    decide(playing(event)[0], "p1", "p2")
    sweep.sweep_tournaments(now=NOW)  # the second round comes
    with pytest.raises(Conflict) as refused:
        proposals.accept_proposal(player=someone("new"), proposal_id=asked.pk, now=NOW)
    assert refused.value.code == "lapsed"
    told = FeedEntry.objects.filter(kind="event-answered", data__answer="lapsed")
    assert {line.player.name for line in told} == {"host", "new"}
    for end in (
        lambda: decisions.disqualify_entrant(
            by=host(), code=event.code, entrant=entrant(event, "p1").pk, now=NOW
        ),
        lambda: tournaments.cancel_tournament(by=host(), code=event.code, now=NOW),
    ):
        asked = propose(event, "p1" if not event.entrants.exclude(left=None).exists() else "p2", "new")
        end()
        asked.refresh_from_db()
        assert asked.status == "lapsed"


def test_a_newcomer_answers_by_page_by_program_and_by_mail(client: Client) -> None:
    event = started("round-robin", 4, at_once=True)
    page, program, mail = (propose(event, f"p{n}", f"new{n}") for n in (1, 2, 3))
    client.force_login(someone("new1"))
    html = client.get(f"/proposals/{page.pk}/").content.decode()
    assert "host asks you to play on for p1 in The cup." in html
    assert "The cup" in client.get("/proposals/").content.decode()
    client.post(f"/proposals/{page.pk}/", {"answer": "accept"})
    assert client.get(f"/proposals/{mail.pk}/").status_code == 404
    (told,) = Program("new2").every("proposals/")
    assert (told["by"], told["replaces"], told["may"]) == ("host", "p2", ["accept", "decline"])
    assert Program("new2").do(f"proposals/{program.pk}/accept/")["status"] == "accepted"
    nobody, link = (
        Client(),
        links.build_answer_proposal_url(someone("new3").mail_key, mail.pk).split("localhost:8000")[-1],
    )
    link = "/proposals/" + link.split("/proposals/")[-1]
    assert nobody.get(link).status_code == 200
    mail.refresh_from_db()
    assert mail.status == "open"  # to look changes nothing
    nobody.post(link, {"answer": "decline"})
    nobody.post(link, {"answer": "accept"})
    names = set(event.members.values_list("player__name", flat=True))
    assert names == {"new1", "new2", "p3", "p4"}


# --------------------------------------------------------------------------------------------------- partners


def test_who_is_named_as_a_partner_holds_no_place_and_is_not_paired() -> None:
    event = published("swiss", 1, mode="pairs", capacity=2, when_full=True)
    asked = ask(event, "x", "victim")
    assert ask(event, "x", "victim").pk == asked.pk
    sweep.sweep_tournaments(now=NOW)
    event.refresh_from_db()
    assert event.status == "published"
    assert not event.members.filter(player__name__in=("x", "victim")).exists()
    enter_pair(event, "c", "d")  # whom nobody keeps out
    sweep.sweep_tournaments(now=NOW)
    event.refresh_from_db()
    assert event.status == "running"
    asked.refresh_from_db()
    assert asked.status == "lapsed"
    told = FeedEntry.objects.filter(kind="event-answered", data__proposal=asked.pk)
    assert {line.player.name for line in told} == {"x", "victim"}


def test_to_be_named_keeps_nobody_from_playing_with_somebody_else() -> None:
    event = published("swiss", 0, mode="pairs")
    first, second = ask(event, "x", "victim"), ask(event, "y", "victim")
    proposals.accept_proposal(player=someone("victim"), proposal_id=second.pk, now=NOW)
    with pytest.raises(Conflict):
        proposals.accept_proposal(player=someone("victim"), proposal_id=first.pk, now=NOW)
    assert event.entrants.count() == 1
    entries.leave_tournament(
        player=someone("x"), code=event.code, now=NOW
    )  # whoever asked thinks better of it
    first.refresh_from_db()
    assert first.status == "withdrawn"


def test_nobody_is_asked_again_and_again() -> None:
    event = published("swiss", 0, mode="pairs")
    for day in range(5):  # what a day allows is less than that
        asked = ask(event, "x", "victim", NOW + 2 * day * DAY)
        proposals.decline_proposal(player=someone("victim"), proposal_id=asked.pk, now=NOW + 2 * day * DAY)
    with pytest.raises(Conflict) as refused:
        ask(event, "x", "victim", NOW + 10 * DAY)
    assert refused.value.code == "asked-too-often"
    assert FeedEntry.objects.filter(kind="event-partner", player=someone("victim")).count() == 5


def test_a_partner_in_a_league_agrees_first() -> None:
    league = leagues.create_league(organiser=host(), name="L", size=3, moves=1, now=NOW, mode="pairs")
    for name in ("x", "victim"):
        someone(name)
    Program("x").do(f"leagues/{league.code}/join/", {"partner": "victim"})
    assert not league.memberships.exists()
    asked = league.proposals.get()
    assert FeedEntry.objects.get(kind="league-partner").player == someone("victim")
    proposals.accept_proposal(player=someone("victim"), proposal_id=asked.pk, now=NOW)
    assert set(league.memberships.values_list("player__name", "partner__name", "status")) == {
        ("x", "victim", "member"),
        ("victim", "x", "member"),
    }
    assert Program("y").refused(f"leagues/{league.code}/substitute/", {"partner": "x"})[0] == 422


def test_over_the_api_a_pair_enters_when_the_second_agrees() -> None:
    event = published("swiss", 0, mode="pairs")
    ada, bob = Program("ada"), Program("bob")
    told = ada.do(f"tournaments/{event.code}/enter/", {"partner": "bob"})["you"]
    assert (told["entrant"], told["status"], "leave" in told["may"]) == (None, None, True)
    (asked,) = bob.every("proposals/")
    assert told["proposals"] == [asked["id"]]
    bob.do(f"proposals/{asked['id']}/accept/")
    assert ada.ask(f"tournaments/{event.code}/")["you"]["status"] == "entered"


# ---------------------------------------------------------------------------------------------------- ratings


def test_who_is_put_in_and_thrown_out_loses_nothing() -> None:
    """Agreed or not: without a move of their own a game is not theirs."""
    event = started("knockout", 2)
    game = playing(event)[0].game
    assert game
    for _ in range(4):
        act(on_turn(game), game)
    replace(event, "p1", "victim")
    decisions.disqualify_entrant(by=host(), code=event.code, entrant=entrant(event, "victim").pk, now=NOW)
    sweep.sweep_tournaments(now=NOW)
    game.refresh_from_db()
    assert game.status == "over"
    assert rated() == {}
    assert not RatingChange.objects.filter(game=game).exists()


def test_who_never_moved_in_a_pair_loses_nothing_by_their_partner() -> None:
    event = started("knockout", 2, mode="pairs")
    game = playing(event)[0].game
    assert game
    act(on_turn(game), game)
    resign("a1", game)
    game.refresh_from_db()
    assert game.status == "over"
    assert rated() == {}


def test_who_has_moved_is_rated_as_before() -> None:
    event = started("knockout", 2)
    game = playing(event)[0].game
    assert game
    while {"p1", "p2"} - movers(game):
        act(on_turn(game), game)
    resign("p1", game)
    after = rated()
    assert after["p1"] < 1500 < after["p2"]
    assert ratings.rebuild_ratings(now=NOW) == (1, 0)


def movers(game: Game) -> set[str]:
    moves = Action.objects.filter(game=game, by="player").exclude(action="resign")
    found = moves.values_list("seat", flat=True)
    return set(Seat.objects.filter(game=game, number__in=set(found)).values_list("player__name", flat=True))


def test_a_newcomer_is_rated_once_they_move_and_the_predecessor_is_not() -> None:
    event = started("knockout", 2)
    game = playing(event)[0].game
    assert game
    while {"p1", "p2"} - movers(game):
        act(on_turn(game), game)
    replace(event, "p1", "new")
    seat_settings.take_seat(player=someone("new"), code=game.code, now=NOW)
    while on_turn(game) != "new":
        act("p2", game)
    act("new", game)
    game.refresh_from_db()
    if game.status != "over":
        resign("p2", game)
    assert set(rated()) == {"new", "p2"}


def test_a_third_who_never_moved_is_left_out_and_the_others_are_rated() -> None:
    event = started("swiss", 3, table=3, rounds=1)
    game = playing(event)[0].game
    assert game
    idle = next(name for name in ("p1", "p2", "p3") if name != on_turn(game))
    resign(idle, game)
    others = {"p1", "p2", "p3"} - {idle}
    while others - movers(game):
        act(on_turn(game), game)
    resign(min(others), game)
    assert movers(game) == others
    assert set(rated()) == others
    assert ratings.rebuild_ratings(now=NOW + DAY) == (1, 0)
