"""In tournaments and leagues, the server can choose nothing once people have entered.

Expected values are computed from the protocol's text alone, without arithmetic of the project.
"""

from __future__ import annotations

import random
import re

import pytest

from common.service_errors import Conflict, Denied, Invalid
from games.models import Game, TournamentSeed
from tests.factories.cast import open_browser
from tests.factories.events import (
    DAY,
    HOUR,
    NOW,
    QUICK,
    create_started_tournament,
    decide,
    enter_pair,
    get_host,
    get_player,
    list_running_pairings,
    name_at,
    play,
    play_round,
    play_to_end,
    published,
    replace,
)
from tests.factories.leagues import league_of, play_season, season
from tests.factories.level_results import level
from tests.helpers.seed_proofs import compute_hmac, compute_sha256, get_secret
from tests.helpers.tournament_programs import Program
from tournaments.leagues.services import leagues
from tournaments.models import LeagueSecret, Pairing, Tournament
from tournaments.services import client_seeds, entries, proposals, simulation, sweep, tournaments

pytestmark = pytest.mark.django_db
TILES = "A" * 4 + "B" * 4 + "C" * 4 + "D" * 4 + "E" * 4 + "F" * 2 + "G" * 2 + "H" * 4 + "I" * 4 + "J" * 4


# --------------------------------------------------------------- the protocol, implemented independently


def list_tower(key: bytes, number: int) -> list[str]:
    """Return the tower of a match from the front: HMAC blocks as 32-bit numbers, shuffled from the end."""
    numbers: list[int] = []
    for block in range(60):
        raw = compute_hmac(key, f"tower/{number}|{block}")
        numbers += [int.from_bytes(raw[at : at + 4], "big") for at in range(0, 32, 4)]
    tiles, drawn = list(TILES), iter(numbers)
    for i in range(len(tiles) - 1, 0, -1):
        x = next(drawn)
        while x >= 2**32 - 2**32 % (i + 1):
            x = next(drawn)
        j = x % (i + 1)
        tiles[i], tiles[j] = tiles[j], tiles[i]
    return tiles


def list_dealt_tiles(game: Game) -> list[str]:
    """Return the table tiles of the first match, clockwise from the oldest seat."""
    first = next(
        tournament_data
        for tournament_data in game.initial_events
        if tournament_data["event"] == "match began"
    )
    seats = sorted(int(seat) for seat in first["table"])
    oldest = game.seniority[0]
    order = [seat for seat in seats if seat >= oldest] + [seat for seat in seats if seat < oldest]
    return [first["table"][str(seat)] for seat in order]


def check_game(table: Pairing, seed: bytes, match: str, game_number: int, attempt: int) -> None:
    """Check that seed, client seeds and tiles of a game follow from the protocol."""
    game = Game.objects.select_related("secrets").get(pk=table.game_id)
    assert (table.match, table.game_number, table.attempt) == (match, game_number, attempt)
    server_seed = compute_hmac(seed, f"otto-game-v1|{match}|{game_number}|{attempt}")
    assert bytes(game.secrets.server_seed) == server_seed
    assert game.commitment == compute_sha256(server_seed)
    seeds = [place.client_seed for place in game.seats.order_by("seat_no")]
    members = {
        entrant_player.player_id: entrant_player for entrant_player in table.tournament.entrant_players.all()
    }
    expected = []
    for place in game.seats.order_by("seat_no"):
        member = members[place.player_id]
        expected.append(member.client_seed or str(member.entry_number))
    assert seeds == expected
    key = compute_hmac(server_seed, "otto-v1|" + "|".join(seeds))
    assert list_dealt_tiles(game) == list_tower(key, 1)[: game.seat_count]


# ------------------------------------------------------------------------------------------ commitment


def test_the_commitment_is_there_before_anybody_enters_and_never_changes() -> None:
    organiser, ada = Program("host"), Program("ada")
    draft = organiser.do("tournaments/", {"name": "The cup", "format": "swiss", "round_count": 1, **QUICK})
    code, at = draft["id"], f"tournaments/{draft['id']}/"
    commitment = draft["event_commitment"]
    assert re.fullmatch("[0-9a-f]{64}", commitment)
    assert draft["event_seed"] is None
    organiser.do(f"{at}publish/")
    assert ada.ask(at)["event_commitment"] == commitment
    page = open_browser("ada").get(f"/tournaments/{code}/").content.decode()
    assert commitment in page  # next to the form that sends the client seed
    assert re.search(r'<form[^>]*/enter/"[^>]*data-seed', page)
    assert 'name="client_seed"' in page
    ada.do(f"{at}enter/", {"client_seed": "mine"})
    Program("bob").do(f"{at}enter/")
    organiser.do(f"{at}start/")
    while sweep.sweep_tournaments(now=NOW + 400 * DAY):
        pass
    tournament = Tournament.objects.get(code=code)
    while tournament.status == "running":
        simulate_round(tournament)
        assert ada.ask(at)["event_commitment"] == commitment
        tournament.refresh_from_db()
    data = ada.ask(at)
    assert data["event_commitment"] == commitment == compute_sha256(bytes.fromhex(data["event_seed"]))
    assert ada.ask(f"{at}fairness/")["event_seed"] == data["event_seed"]
    assert data["event_seed"] in open_browser().get(f"/tournaments/{code}/fairness/").content.decode()


def simulate_round(tournament: Tournament) -> None:
    for table in list_running_pairings(tournament):
        play(table, NOW + 400 * DAY)
    while sweep.sweep_tournaments(now=NOW + 400 * DAY):
        pass


# ---------------------------------------------------------------------------------------- client seeds


def test_who_brings_no_seed_has_the_number_of_their_entry() -> None:
    tournament = tournaments.create_tournament(
        organiser=get_host(), name="x", format="knockout", now=NOW, mode="pairs", **QUICK
    )
    tournaments.publish_tournament(by=get_host(), code=tournament.code, now=NOW)
    enter_pair(tournament, "a", "b")
    request = entries.ask_partner(
        player=get_player("c"), partner=get_player("d"), code=tournament.code, now=NOW, client_seed="of c"
    )
    proposals.accept_proposal(player=get_player("d"), proposal_id=request.pk, now=NOW)
    seeds = {
        entrant_player.player.name: entrant_player.effective_client_seed
        for entrant_player in tournament.entrant_players.all()
        if entrant_player.player
    }
    assert seeds == {"a": "1", "b": "2", "c": "of c", "d": "4"}
    client_seeds.set_client_seed(player=get_player("b"), code=tournament.code, client_seed="of b", now=NOW)
    listed = Program("a").ask(f"tournaments/{tournament.code}/entrants/")["results"]
    assert [row["client_seeds"] for row in listed] == [["1", "of b"], ["of c", "4"]]
    tournaments.start_tournament(by=get_host(), code=tournament.code, now=NOW)
    sweep.sweep_tournaments(now=NOW)
    (table,) = list_running_pairings(tournament)
    check_game(table, get_secret(tournament), "R1.1", 1, 1)
    assert table.game
    by_name = {seat.player.name: seat.client_seed for seat in table.game.seats.all() if seat.player}
    assert by_name == {"a": "1", "b": "of b", "c": "of c", "d": "4"}


def test_a_seed_is_changed_until_the_start_by_its_player_alone() -> None:
    tournament = published("swiss", 2)
    organiser, first, eve = Program("host"), Program("p1"), Program("eve")
    at = f"tournaments/{tournament.code}/client-seed/"
    assert first.do(at, {"client_seed": "one"}, "PUT")["you"]["client_seed"] == "one"
    assert first.do(at, {"client_seed": ""}, "PUT")["you"]["client_seed"] == "1"
    page = open_browser("p1")
    page.post(f"/tournaments/{tournament.code}/client-seed/", {"client_seed": "by form"})
    assert "by form" in page.get(f"/tournaments/{tournament.code}/").content.decode()
    for wrong in ("a|b", "x" * 65):
        assert first.refused(at, {"client_seed": wrong}, "PUT")[0] in (400, 422)
    assert eve.refused(at, {"client_seed": "x"}, "PUT")[0] == 403
    assert organiser.refused(at, {"client_seed": "x"}, "PUT")[0] == 403
    tournaments.start_tournament(by=get_host(), code=tournament.code, now=NOW)
    sweep.sweep_tournaments(now=NOW)
    assert first.refused(at, {"client_seed": "late"}, "PUT") == (409, "seed-fixed")
    page.post(f"/tournaments/{tournament.code}/client-seed/", {"client_seed": "late"})
    (table,) = list_running_pairings(tournament)
    assert table.game
    assert {place.client_seed for place in table.game.seats.all()} == {"by form", "2"}


def test_who_comes_later_changes_it_until_they_are_first_paired() -> None:
    tournament = create_started_tournament("swiss", 4, round_count=3, late_entry=True)
    entries.enter_tournament(player=get_player("late"), code=tournament.code, now=NOW, client_seed="first")
    entries.enter_tournament(player=get_player("later"), code=tournament.code, now=NOW)
    client_seeds.set_client_seed(player=get_player("late"), code=tournament.code, client_seed="then", now=NOW)
    with pytest.raises(Conflict):
        client_seeds.set_client_seed(player=get_player("p1"), code=tournament.code, client_seed="x", now=NOW)
    play_round(tournament, NOW + DAY)
    with pytest.raises(Conflict):
        client_seeds.set_client_seed(
            player=get_player("late"), code=tournament.code, client_seed="x", now=NOW
        )
    seeds = {
        entrant_player.player.name: entrant_player.effective_client_seed
        for entrant_player in tournament.entrant_players.all()
        if entrant_player.player
    }
    assert (seeds["late"], seeds["later"]) == ("then", "6")
    for table in list_running_pairings(tournament):
        check_game(table, get_secret(tournament), table.match, 1, 1)


def test_who_plays_on_for_somebody_brings_their_own_for_games_to_come() -> None:
    tournament = create_started_tournament("swiss", 4, round_count=2)
    client_before = next(
        place.client_seed
        for table in list_running_pairings(tournament)
        for place in table.game.seats.all()  # type: ignore[union-attr]
        if place.player and place.player.name == "p2"
    )
    replace(tournament, "p2", "new")
    seat = next(
        place
        for table in list_running_pairings(tournament)
        for place in table.game.seats.all()  # type: ignore[union-attr]
        if place.player and place.player.name == "new"
    )
    assert seat.client_seed == client_before  # the running game keeps its seed
    client_seeds.set_client_seed(
        player=get_player("new"), code=tournament.code, client_seed="my own", now=NOW
    )
    with pytest.raises(Denied):
        client_seeds.set_client_seed(player=get_player("p2"), code=tournament.code, client_seed="x", now=NOW)
    play_round(tournament, NOW + DAY)
    own_seeds = [
        place.client_seed
        for table in list_running_pairings(tournament)
        for place in table.game.seats.all()  # type: ignore[union-attr]
        if place.player and place.player.name == "new"
    ]
    assert own_seeds == ["my own"]


def test_a_seed_that_cannot_be_one_lets_nobody_in() -> None:
    tournament = published("swiss", 1)
    for wrong in ("a|b", "x" * 65, "a\0b", "\ud800"):
        with pytest.raises(Invalid):
            entries.enter_tournament(
                player=get_player("p9"), code=tournament.code, now=NOW, client_seed=wrong
            )
    assert tournament.entrants.count() == 1


# --------------------------------------------------------------------------- rematches and corrected results


def test_a_rematch_is_the_next_game_of_the_same_match() -> None:
    tournament = create_started_tournament("knockout", 2)
    (first,) = list_running_pairings(tournament)
    check_game(first, get_secret(tournament), "R1.1", 1, 1)
    level(first)
    sweep.sweep_tournaments(now=NOW)
    second = tournament.pairings.get(game_number=2)
    check_game(second, get_secret(tournament), "R1.1", 2, 1)


def test_a_match_that_others_play_after_a_correction_is_another_attempt() -> None:
    tournament = create_started_tournament("knockout", 4)
    first, second = list_running_pairings(tournament)
    winner, loser = (name_at(first, place) for place in (0, 1))
    decide(first, winner, loser)
    decide(second, *[name_at(second, place) for place in (0, 1)])
    sweep.sweep_tournaments(now=NOW)
    check_game(tournament.pairings.get(match="R2.1"), get_secret(tournament), "R2.1", 1, 1)
    decide(first, loser, winner)
    sweep.sweep_tournaments(now=NOW)
    final = tournament.pairings.get(match="R2.1", is_void=False)
    check_game(final, get_secret(tournament), "R2.1", 1, 2)
    data = Program("p1").ask(f"tournaments/{tournament.code}/pairings/{final.pk}/")
    assert (data["match"], data["game_number"], data["attempt"]) == ("R2.1", 1, 2)
    assert data["game"]


def test_nothing_is_played_in_an_event_whose_seed_everybody_knows() -> None:
    tournament = create_started_tournament("knockout", 4)
    play_to_end(tournament)
    assert tournament.seed
    semi = tournament.pairings.get(match="R1.1")
    order = [name_at(semi, place) for place in (0, 1)]
    assert semi.result
    if semi.result["ranks"] == [1, 2]:
        order.reverse()
    games = Game.objects.count()
    with pytest.raises(Conflict) as raised:
        decide(semi, *order)  # another entrant would be in the final
    assert raised.value.code == "seed-public"
    semi.refresh_from_db()
    assert semi.result["by"] == "game"
    final = tournament.pairings.get(match="R2.1")
    names = [name_at(final, place) for place in (0, 1)]
    if final.result and final.result["ranks"] == [1, 2]:
        names.reverse()
    decide(final, *names)  # needs no new game
    with pytest.raises(Conflict) as raised:
        decide(semi, *order)  # nor while the tournament is briefly open again
    assert raised.value.code == "seed-public"
    sweep.sweep_tournaments(now=NOW + 400 * DAY)
    tournament.refresh_from_db()
    assert tournament.status == "finished"
    assert Game.objects.count() == games


def test_the_seed_waits_for_games_that_are_played_on() -> None:
    tournament = create_started_tournament("swiss", 2, round_count=1)
    (table,) = list_running_pairings(tournament)
    decide(table, *[name_at(table, place) for place in (0, 1)])
    sweep.sweep_tournaments(now=NOW)
    tournament.refresh_from_db()
    assert (tournament.status, tournament.seed) == ("finished", "")
    assert TournamentSeed.objects.get(tournament_code=tournament.code).seed == ""
    assert Program("p1").ask(f"tournaments/{tournament.code}/")["event_seed"] is None
    play(table)
    sweep.sweep_tournaments(now=NOW + HOUR)
    tournament.refresh_from_db()
    assert compute_sha256(bytes.fromhex(tournament.seed)) == tournament.commitment
    assert TournamentSeed.objects.get(tournament_code=tournament.code).seed == tournament.seed


# --------------------------------------------------------------------------------------------- leagues


def test_the_seeds_of_all_seasons_are_fixed_before_anybody_joins() -> None:
    league = league_of(0)
    before = Program("p1").ask(f"leagues/{league.code}/")
    assert before["next_season"]["number"] == 1
    promised = {
        (tournament["division"], tournament["group"]): tournament["event_commitment"]
        for tournament in before["next_season"]["tournaments"]
    }
    page = open_browser("p1").get(f"/leagues/{league.code}/").content.decode()
    assert before["next_season"]["commitment"] in page
    assert promised[1, 1] in page
    Program("p1").do(f"leagues/{league.code}/join/", {"client_seed": "brought"})
    for number in (2, 3, 4):
        leagues.set_member_status(player=get_player(f"p{number}"), code=league.code, now=NOW)
    leagues.set_member_status(
        player=get_player("sub"), code=league.code, now=NOW, status="substitute", client_seed="subs"
    )
    leagues.start_league(by=get_host(), code=league.code, now=NOW)
    sweep.sweep_tournaments(now=NOW)
    sweep.sweep_tournaments(now=NOW)
    league_seed = bytes(LeagueSecret.objects.get(league=league).seed)
    assert compute_sha256(league_seed) == before["commitment"]
    season_seed = compute_hmac(league_seed, "otto-season-v1|1")
    assert compute_sha256(season_seed) == before["next_season"]["commitment"]
    event = Tournament.objects.get(division__season=season(league))
    event_seed = compute_hmac(season_seed, "otto-event-v1|1|1")
    assert get_secret(event) == event_seed
    assert event.commitment == compute_sha256(event_seed) == promised[1, 1]
    for table in list_running_pairings(event):
        check_game(table, event_seed, table.match, 1, 1)
    seeds = {
        entrant_player.player.name: entrant_player.effective_client_seed
        for entrant_player in event.entrant_players.all()
        if entrant_player.player
    }
    assert seeds["p1"] == "brought"
    assert {seeds[f"p{number}"] for number in (2, 3, 4)} <= {"1", "2", "3", "4"}
    leagues.replace_with_substitute(by=get_host(), code=league.code, leaver=get_player("p2"), now=NOW)
    assert event.entrant_players.get(player=get_player("sub")).effective_client_seed == "subs"
    assert Program("p1").ask(f"leagues/{league.code}/")["next_season"]["number"] == 2


def test_a_seasons_number_is_published_when_all_its_games_are_over() -> None:
    league = league_of(4, season_limit=1)
    leagues.start_league(by=get_host(), code=league.code, now=NOW)
    for _look in range(2):
        sweep.sweep_tournaments(now=NOW)
    at = f"leagues/{league.code}/seasons/1/"
    ada = Program("ada")
    commitment = ada.ask(at)["commitment"]
    play_season(league)
    assert ada.ask(at)["seed"] is None  # a game decided by the organiser may still be played on
    for game in Game.objects.filter(status="running"):
        simulation.play_game(game.code, policy="random", rng=random.Random(1), now=NOW)
    sweep.sweep_tournaments(now=NOW + HOUR)
    data = ada.ask(at)
    assert data["commitment"] == commitment == compute_sha256(bytes.fromhex(data["seed"]))
    assert data["seed"] in open_browser().get(f"/leagues/{league.code}/seasons/1/").content.decode()
    league.refresh_from_db()
    assert compute_hmac(bytes.fromhex(league.seed), "otto-season-v1|1").hex() == data["seed"]


def test_a_seed_for_a_league_counts_from_the_next_season_on() -> None:
    league = league_of(4)
    at = f"leagues/{league.code}/client-seed/"
    first = Program("p1")
    assert first.do(at, {"client_seed": "one"}, "PUT")["you"]["client_seed"] == "one"
    leagues.start_league(by=get_host(), code=league.code, now=NOW)
    for _look in range(2):
        sweep.sweep_tournaments(now=NOW)
    tournament = Tournament.objects.get(division__season=season(league))
    assert tournament.entrant_players.get(player=get_player("p1")).client_seed == "one"
    open_browser("p1").post(f"/leagues/{league.code}/client-seed/", {"client_seed": "two"})
    assert tournament.entrant_players.get(player=get_player("p1")).client_seed == "one"
    assert first.ask(f"leagues/{league.code}/")["you"]["client_seed"] == "two"
    assert Program("eve").refused(at, {"client_seed": "x"}, "PUT")[0] == 403
