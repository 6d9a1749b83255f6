"""Nobody plays or is rated without having agreed."""

from __future__ import annotations

from datetime import datetime

import pytest
from django.test import Client

from common.service_errors import Conflict, Denied, NotFound
from games import engine
from games.models import Action, Game, Seat
from games.selectors import load_game
from games.services import seat_settings, turns
from notifications.models import FeedEntry
from tests.factories.events import (
    DAY,
    NOW,
    create_started_tournament,
    decide,
    enter_pair,
    entrant,
    get_host,
    get_player,
    list_running_pairings,
    published,
    replace,
)
from tests.helpers.tournament_programs import Program
from tournaments import links
from tournaments.leagues.services import leagues
from tournaments.models import Proposal, Rating, RatingChange, Tournament
from tournaments.ratings import services as ratings
from tournaments.ratings.selectors import get_rating
from tournaments.services import decisions, entries, proposals, replacements, sweep, tournaments

pytestmark = pytest.mark.django_db


def propose_replacement(tournament: Tournament, old: str, new: str) -> Proposal:
    return replacements.propose_replacement(
        by=get_host(),
        code=tournament.code,
        entrant=entrant(tournament, old).pk,
        player=get_player(new),
        now=NOW,
    )


def ask_partner(tournament: Tournament, name: str, other: str, now: datetime = NOW) -> Proposal:
    return entries.ask_partner(
        player=get_player(name), partner=get_player(other), code=tournament.code, now=now
    )


def list_ratings() -> dict[str, int]:
    """Return the displayed rating of every player with a rated game."""
    ratings.rate_finished_games(now=NOW)
    rating_rows = Rating.objects.filter(game_count__gt=0).select_related("player")
    return {
        rating.player.name: get_rating(rating.player, rating.mode) for rating in rating_rows if rating.player
    }


def play_own_action(name: str, game: Game) -> None:
    """Play an action by the player."""
    loaded_game = load_game(game.code)
    place = loaded_game.seat_of(get_player(name))
    assert loaded_game.state
    assert place
    assert place.seat_no
    action = engine.legal_actions(loaded_game.state, place.seat_no)[0]
    turns.play_action(
        player=get_player(name), code=game.code, text=action, seq=loaded_game.state.seq, key="", now=NOW
    )


def get_name_on_turn(game: Game) -> str:
    loaded_game = load_game(game.code)
    player = loaded_game.seat_by_no(loaded_game.to_act[0]).player
    assert player
    return player.name


def resign_game(name: str, game: Game) -> None:
    turns.play_action(player=get_player(name), code=game.code, text="resign", seq=None, key="", now=NOW)


# ----------------------------------------------------------------------------------------------- replacements


def test_nothing_changes_until_the_newcomer_agrees() -> None:
    tournament = create_started_tournament("knockout", 2)
    game = list_running_pairings(tournament)[0].game
    proposal = propose_replacement(tournament, "p1", "new")
    assert propose_replacement(tournament, "p1", "new").pk == proposal.pk
    assert {seat.player.name for seat in Seat.objects.filter(game=game) if seat.player} == {"p1", "p2"}
    assert not tournament.decisions.exists()
    assert FeedEntry.objects.get(kind="tournament-replacement").player == get_player("new")
    with pytest.raises(Conflict):
        propose_replacement(tournament, "p1", "newer")
    for stranger in ("p2", "newer"):
        with pytest.raises(NotFound):
            proposals.accept_proposal(player=get_player(stranger), proposal_id=proposal.pk, now=NOW)
    with pytest.raises(Denied):  # the proposer cannot accept either
        proposals.accept_proposal(player=get_host(), proposal_id=proposal.pk, now=NOW)
    for _twice in range(2):
        proposals.accept_proposal(player=get_player("new"), proposal_id=proposal.pk, now=NOW)
    assert tournament.decisions.count() == 1
    assert {seat.player.name for seat in Seat.objects.filter(game=game) if seat.player} == {"new", "p2"}
    assert FeedEntry.objects.get(kind="tournament-answered").player == get_host()


def test_a_proposal_is_declined_or_withdrawn_and_then_never_agreed_to() -> None:
    tournament = create_started_tournament("knockout", 2)
    declined = propose_replacement(tournament, "p1", "new")
    proposals.decline_proposal(player=get_player("new"), proposal_id=declined.pk, now=NOW)
    withdrawn = propose_replacement(tournament, "p1", "newer")
    with pytest.raises(Denied):
        proposals.withdraw_proposal(player=get_player("newer"), proposal_id=withdrawn.pk, now=NOW)
    proposals.withdraw_proposal(player=get_host(), proposal_id=withdrawn.pk, now=NOW)
    for name, proposal in (("new", declined), ("newer", withdrawn)):
        with pytest.raises(Conflict):
            proposals.accept_proposal(player=get_player(name), proposal_id=proposal.pk, now=NOW)
    assert tournament.entrant_players.filter(player__name__in=("p1", "p2")).count() == 2
    assert [line.data["answer"] for line in FeedEntry.objects.filter(kind="tournament-answered")] == [
        "declined"
    ]


def test_a_proposal_lapses_with_the_round_the_event_and_the_seat() -> None:
    tournament = create_started_tournament("swiss", 2, round_count=2)
    proposal = propose_replacement(tournament, "p1", "new")
    decide(list_running_pairings(tournament)[0], "p1", "p2")
    sweep.sweep_tournaments(now=NOW)  # starts the second round
    with pytest.raises(Conflict) as refused:
        proposals.accept_proposal(player=get_player("new"), proposal_id=proposal.pk, now=NOW)
    assert refused.value.code == "lapsed"
    feed_entries = FeedEntry.objects.filter(kind="tournament-answered", data__answer="lapsed")
    assert {line.player.name for line in feed_entries} == {"host", "new"}
    for end in (
        lambda: decisions.disqualify_entrant(
            by=get_host(), code=tournament.code, entrant=entrant(tournament, "p1").pk, now=NOW
        ),
        lambda: tournaments.cancel_tournament(by=get_host(), code=tournament.code, now=NOW),
    ):
        proposal = propose_replacement(
            tournament,
            "p1" if not tournament.entrants.exclude(left_after_round=None).exists() else "p2",
            "new",
        )
        end()
        proposal.refresh_from_db()
        assert proposal.status == "lapsed"


def test_a_newcomer_answers_by_page_by_program_and_by_mail(client: Client) -> None:
    tournament = create_started_tournament("round-robin", 4, all_rounds_at_once=True)
    page, program, mail = (propose_replacement(tournament, f"p{n}", f"new{n}") for n in (1, 2, 3))
    client.force_login(get_player("new1"))
    html = client.get(f"/proposals/{page.pk}/").content.decode()
    assert "host asks you to replace p1 in The cup." in html
    assert "The cup" in client.get("/proposals/").content.decode()
    client.post(f"/proposals/{page.pk}/accept/")
    assert client.get(f"/proposals/{mail.pk}/").status_code == 404
    (proposal_data,) = Program("new2").list_all("proposals/")
    assert (proposal_data["proposer"], proposal_data["replaces"], proposal_data["permissions"]) == (
        "host",
        "p2",
        ["accept", "decline"],
    )
    assert Program("new2").do(f"proposals/{program.pk}/accept/")["status"] == "accepted"
    anonymous, link = (
        Client(),
        links.build_answer_proposal_url(get_player("new3").mail_token, mail.pk).split("localhost:8000")[-1],
    )
    link = "/proposals/" + link.split("/proposals/")[-1]
    assert anonymous.get(link).status_code == 200
    mail.refresh_from_db()
    assert mail.status == "open"  # a GET changes nothing
    anonymous.post(link, {"answer": "decline"})
    anonymous.post(link, {"answer": "accept"})
    names = set(tournament.entrant_players.values_list("player__name", flat=True))
    assert names == {"new1", "new2", "p3", "p4"}


# --------------------------------------------------------------------------------------------------- partners


def test_who_is_named_as_a_partner_holds_no_place_and_is_not_paired() -> None:
    tournament = published("swiss", 1, mode="pairs", capacity=2, when_full=True)
    request = ask_partner(tournament, "x", "victim")
    assert ask_partner(tournament, "x", "victim").pk == request.pk
    sweep.sweep_tournaments(now=NOW)
    tournament.refresh_from_db()
    assert tournament.status == "published"
    assert not tournament.entrant_players.filter(player__name__in=("x", "victim")).exists()
    enter_pair(tournament, "c", "d")  # a pair without open proposals
    sweep.sweep_tournaments(now=NOW)
    tournament.refresh_from_db()
    assert tournament.status == "running"
    request.refresh_from_db()
    assert request.status == "lapsed"
    feed_entries = FeedEntry.objects.filter(kind="tournament-answered", data__proposal=request.pk)
    assert {line.player.name for line in feed_entries} == {"x", "victim"}


def test_to_be_named_keeps_nobody_from_playing_with_somebody_else() -> None:
    tournament = published("swiss", 0, mode="pairs")
    first, second = ask_partner(tournament, "x", "victim"), ask_partner(tournament, "y", "victim")
    proposals.accept_proposal(player=get_player("victim"), proposal_id=second.pk, now=NOW)
    with pytest.raises(Conflict):
        proposals.accept_proposal(player=get_player("victim"), proposal_id=first.pk, now=NOW)
    assert tournament.entrants.count() == 1
    entries.leave_tournament(player=get_player("x"), code=tournament.code, now=NOW)  # withdraws the request
    first.refresh_from_db()
    assert first.status == "withdrawn"


def test_nobody_is_asked_again_and_again() -> None:
    tournament = published("swiss", 0, mode="pairs")
    for day in range(5):  # stays below the daily limit
        request = ask_partner(tournament, "x", "victim", NOW + 2 * day * DAY)
        proposals.decline_proposal(
            player=get_player("victim"), proposal_id=request.pk, now=NOW + 2 * day * DAY
        )
    with pytest.raises(Conflict) as refused:
        ask_partner(tournament, "x", "victim", NOW + 10 * DAY)
    assert refused.value.code == "too-many-proposals"
    assert FeedEntry.objects.filter(kind="tournament-partner", player=get_player("victim")).count() == 5


def test_a_partner_in_a_league_agrees_first() -> None:
    league = leagues.create_league(
        organiser=get_host(), name="L", division_size=3, promotion_count=1, now=NOW, mode="pairs"
    )
    for name in ("x", "victim"):
        get_player(name)
    Program("x").do(f"leagues/{league.code}/join/", {"partner": "victim"})
    assert not league.league_members.exists()
    request = league.proposals.get()
    assert FeedEntry.objects.get(kind="league-partner").player == get_player("victim")
    proposals.accept_proposal(player=get_player("victim"), proposal_id=request.pk, now=NOW)
    assert set(league.league_members.values_list("player__name", "partner__name", "status")) == {
        ("x", "victim", "member"),
        ("victim", "x", "member"),
    }
    assert Program("y").refused(f"leagues/{league.code}/substitute/", {"partner": "x"})[0] == 422


def test_over_the_api_a_pair_enters_when_the_second_agrees() -> None:
    tournament = published("swiss", 0, mode="pairs")
    ada, bob = Program("ada"), Program("bob")
    own_data = ada.do(f"tournaments/{tournament.code}/enter/", {"partner": "bob"})["you"]
    assert (own_data["entrant"], own_data["status"], "leave" in own_data["permissions"]) == (None, None, True)
    (proposal_data,) = bob.list_all("proposals/")
    assert own_data["proposals"] == [proposal_data["id"]]
    bob.do(f"proposals/{proposal_data['id']}/accept/")
    assert ada.ask(f"tournaments/{tournament.code}/")["you"]["status"] == "entered"


# ---------------------------------------------------------------------------------------------------- ratings


def test_who_is_put_in_and_thrown_out_loses_nothing() -> None:
    """With or without consent: a game counts for a player only after a move of their own."""
    tournament = create_started_tournament("knockout", 2)
    game = list_running_pairings(tournament)[0].game
    assert game
    for _ in range(4):
        play_own_action(get_name_on_turn(game), game)
    replace(tournament, "p1", "victim")
    decisions.disqualify_entrant(
        by=get_host(), code=tournament.code, entrant=entrant(tournament, "victim").pk, now=NOW
    )
    sweep.sweep_tournaments(now=NOW)
    game.refresh_from_db()
    assert game.status == "over"
    assert list_ratings() == {}
    assert not RatingChange.objects.filter(game=game).exists()


def test_who_never_moved_in_a_pair_loses_nothing_by_their_partner() -> None:
    tournament = create_started_tournament("knockout", 2, mode="pairs")
    game = list_running_pairings(tournament)[0].game
    assert game
    play_own_action(get_name_on_turn(game), game)
    resign_game("a1", game)
    game.refresh_from_db()
    assert game.status == "over"
    assert list_ratings() == {}


def test_who_has_moved_is_rated_as_before() -> None:
    tournament = create_started_tournament("knockout", 2)
    game = list_running_pairings(tournament)[0].game
    assert game
    while {"p1", "p2"} - list_movers(game):
        play_own_action(get_name_on_turn(game), game)
    resign_game("p1", game)
    after = list_ratings()
    assert after["p1"] < 1500 < after["p2"]
    assert ratings.rebuild_ratings(now=NOW) == (1, 0)


def list_movers(game: Game) -> set[str]:
    moves = Action.objects.filter(game=game, by="player").exclude(action="resign")
    seat_numbers = moves.values_list("seat", flat=True)
    return set(
        Seat.objects.filter(game=game, seat_no__in=set(seat_numbers)).values_list("player__name", flat=True)
    )


def test_a_newcomer_is_rated_once_they_move_and_the_predecessor_is_not() -> None:
    tournament = create_started_tournament("knockout", 2)
    game = list_running_pairings(tournament)[0].game
    assert game
    while {"p1", "p2"} - list_movers(game):
        play_own_action(get_name_on_turn(game), game)
    replace(tournament, "p1", "new")
    seat_settings.take_seat(player=get_player("new"), code=game.code, now=NOW)
    while get_name_on_turn(game) != "new":
        play_own_action("p2", game)
    play_own_action("new", game)
    game.refresh_from_db()
    if game.status != "over":
        resign_game("p2", game)
    assert set(list_ratings()) == {"new", "p2"}


def test_a_third_who_never_moved_is_left_out_and_the_others_are_rated() -> None:
    tournament = create_started_tournament("swiss", 3, table_size=3, round_count=1)
    game = list_running_pairings(tournament)[0].game
    assert game
    idle = next(name for name in ("p1", "p2", "p3") if name != get_name_on_turn(game))
    resign_game(idle, game)
    other_names = {"p1", "p2", "p3"} - {idle}
    while other_names - list_movers(game):
        play_own_action(get_name_on_turn(game), game)
    resign_game(min(other_names), game)
    assert list_movers(game) == other_names
    assert set(list_ratings()) == other_names
    assert ratings.rebuild_ratings(now=NOW + DAY) == (1, 0)
