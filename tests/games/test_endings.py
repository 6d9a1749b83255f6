"""The final board of a match stays until the viewer goes on; the end of a game says who won and why."""

from __future__ import annotations

import random
import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games import engine
from games.models import Action, Game, GameSecrets
from games.selectors import load_game, load_view_for
from games.services import system_games, turns
from tests.factories.cast import NOW, open_browser, player, start_cast_game
from tests.factories.linking import make_turn_link
from tests.factories.order_games import give_orders
from tests.factories.other_worlds import build_other_world
from tests.factories.played_games import (
    BLIND_SEED,
    EIGHT_SEED,
    SHOOT_OUT_SEED,
    SILLY_SEED,
    is_in_match,
    is_over,
    play_greedily,
    play_greedy_action,
)
from tests.factories.positions import build_zero_board
from tests.factories.solo_positions import GAP, NO_MARKER, build_solo_position
from tests.factories.stored_positions import put_position, store_position
from tests.factories.timing import (
    get_name_to_act,
    let_time_run_out,
    start_quick_game,
    start_seeded_game,
    sweep_games,
)
from tests.markup import normalise_html

pytestmark = pytest.mark.django_db
SUMMARY = "Match 1 is over: the board is full"
MAX_PAGE_QUERIES = 12  # the limit of every page
ONCE_ONLY = re.compile(r'((?:name="(?:csrfmiddlewaretoken|key|offer)" value|data-countdown)=")[^"]+')


def play_match(seed: int = SILLY_SEED, match: int = 2) -> Game:
    """Start a game of ada and bob and play until this match begins."""
    return play_greedily(start_seeded_game(seed, "ada", "bob"), is_in_match(match), NOW)


def play_game(seed: int = SILLY_SEED, **terms: object) -> Game:
    """Play a whole game of ada and bob."""
    return play_greedily(start_seeded_game(seed, "ada", "bob", **terms), is_over, NOW)


def read_page(client: Client, game: Game, query: str = "", at: str = "") -> str:
    """Return a game page without the values that differ in every response."""
    answer = client.get(at or f"/games/{game.code}/{query}")
    assert answer.status_code == 200
    return ONCE_ONLY.sub(r"\1", normalise_html(answer.content.decode()))


def read_heading(page: str) -> str:
    heading = re.search("<h1>(.*?)</h1>", page)
    assert heading
    return heading[1]


def read_text(page: str) -> str:
    """Return the text of a page without tags, with single spaces."""
    return " ".join(re.sub("<[^>]+>", " ", page).split())


# ------------------------------------------------------------------------------------- the end of a match


def test_the_last_board_stays_with_its_summary_until_the_player_goes_on() -> None:
    game, ada = play_match(), open_browser("ada")
    page = read_page(ada, game)
    assert read_heading(page) == SUMMARY
    assert "The board at the end of the match" in page
    text = read_text(page)
    assert "silly match: tile A on the table gives 16 points" in text
    assert "bob leads and starts match 2." in text
    assert 'id="choose"' not in page
    assert 'href="?seen=1"' in page
    page = read_page(ada, game, "?seen=1")
    assert read_heading(page) == "Match 2"
    assert read_heading(read_page(ada, game)) == "Match 2", "it is remembered"
    assert read_heading(read_page(open_browser("bob"), game)) == SUMMARY, "for ada alone"


def test_own_cards_are_shown_beside_the_summary_and_once_in_the_own_turn() -> None:
    game = play_greedily(start_seeded_game(SILLY_SEED, "ada", "bob", cards=True), is_in_match(2), NOW)
    for name in ("ada", "bob"):
        hand = load_view_for(player(name), game.code).view["you"]["hand"]
        page = read_page(open_browser(name), game)
        assert "How match 1 ended" not in page
        cards = re.findall(r'<li class="card[^"]*">.*?<abbr [^>]*>(\w+)</abbr>', page)
        assert sorted(cards) == sorted(hand)
        page = read_page(open_browser(name), game, "?seen=1")
        assert page.count(f">{hand[0]}</abbr>") == hand.count(hand[0]) if name != get_name_to_act(game) else 1
    assert "Your cards" not in read_page(open_browser(), game)


def test_without_a_script_a_link_reloads_the_page_in_every_state_that_can_change() -> None:
    game, over = play_match(), play_game()
    link = '<a class="reload" data-script="without" href="/games/{}/">Reload</a>'
    for name in ("ada", "bob", ""):
        for query in ("", "?seen=1"):  # the summary; then a turn of one's own, of others, or watched
            page = read_page(open_browser(name), game, query)
            assert page.count(link.format(game.code)) == 1, (name, query)
    for name in ("ada", "bob"):  # they still talk, and meet again
        assert read_page(open_browser(name), over).count(link.format(over.code)) == 1


def test_whoever_is_to_act_is_one_click_away_from_the_turn() -> None:
    game, bob = play_match(), open_browser("bob")
    assert get_name_to_act(game) == "bob"
    page = read_page(bob, game)
    assert ">Continue: your turn</a>" in page
    page = read_page(bob, game, "?seen=1")
    assert 'action="/games/' + game.code + '/play/"' in page
    assert "Draw a tile" in page or "Place a tile" in page
    assert read_heading(read_page(open_browser("bob"), game, "?card=TT")) == "Match 2", "while choosing"


def test_whoever_has_played_has_gone_on_but_not_if_the_clock_played() -> None:
    game = start_seeded_game(SILLY_SEED, "ada", "bob", vacation=False)
    play_greedily(game, is_in_match(2), NOW)
    while get_name_to_act(game) == "bob":
        play_greedy_action(game, NOW)
    assert read_heading(read_page(open_browser("bob"), game)) == "Match 2"
    assert read_heading(read_page(open_browser("ada"), game)) == SUMMARY
    let_time_run_out(game)
    assert Action.objects.filter(game=game, by="clock").exists()
    assert read_heading(read_page(open_browser("ada"), game)) == SUMMARY


def test_an_order_that_draws_has_not_gone_on_for_its_player() -> None:
    game = play_match()
    assert get_name_to_act(game) == "bob"
    give_orders(game, "bob", draw=True)
    sweep_games(NOW)
    assert Action.objects.filter(game=game).latest("seq").action == "draw"
    bob = open_browser("bob")
    assert read_heading(read_page(bob, game)) == SUMMARY
    assert read_heading(read_page(Client(), game, at=make_turn_link(game))) == SUMMARY
    play_greedy_action(game, NOW)
    assert read_heading(read_page(bob, game)) == "Match 2"


def test_who_watches_sees_it_until_the_next_match_goes_on_and_can_come_back() -> None:
    game = play_match()
    assert read_heading(read_page(open_browser(), game)) == SUMMARY
    play_greedy_action(game, NOW)
    assert read_heading(read_page(open_browser(), game)) == "Match 2"
    assert read_heading(read_page(open_browser(), game, "?match=1")) == SUMMARY
    for query in ("?match=7", "?match=x", "?seen=x", "?match=" + "9" * 40, "?seen=" + "9" * 40):
        assert read_heading(read_page(open_browser(), game, query)) == "Match 2"


def test_a_link_that_was_seen_before_does_not_hide_the_next_ending() -> None:
    game = play_match(EIGHT_SEED, match=3)
    page = read_page(open_browser("ada"), game, "?seen=1")
    assert 'href="?seen=2"' in page
    assert read_heading(page) != "Match 3"


def test_an_8_names_its_maker_and_every_answer_and_glows() -> None:
    game = play_match(EIGHT_SEED)
    page = read_page(open_browser("bob"), game)
    assert read_heading(page) == "An 8 by ada ends match 1"
    assert "ada made an 8 on " in page
    assert "bob protected the points with the 8." in page
    assert "marked points kept" in page
    assert 'href="#otto-eight"' in page


@pytest.mark.parametrize(("match", "queries"), [(2, 2), (3, 1), (4, 1)])
def test_a_summary_costs_one_query_and_for_the_first_match_two_however_long_the_game(
    match: int, queries: int
) -> None:
    game, ada = play_match(EIGHT_SEED, match), open_browser("ada")
    counts = []
    for query in ("?match=0", f"?match={match - 1}", f"?seen={match - 1}"):  # the first visit writes a row
        with CaptureQueriesContext(connection) as captured:
            read_page(ada, game, query)
        counts.append(len(captured))
    assert counts[1] - counts[2] == queries
    assert counts[1] <= MAX_PAGE_QUERIES


def test_the_link_of_a_mail_shows_the_ending_first_and_the_turn_after_one_click() -> None:
    game = play_match()
    link, browser = make_turn_link(game), open_browser()
    page = browser.get(link).content.decode()
    assert SUMMARY in page
    assert 'href="?seen=1"' in page
    answer = browser.get(f"{link}?seen=1")
    assert SUMMARY not in answer.text
    assert 'name="seq"' in answer.text
    assert not answer.cookies


def test_a_match_that_ends_by_a_turn_link_is_summed_up_at_once() -> None:
    game = start_seeded_game(SILLY_SEED, "ada", "bob")
    play_greedily(game, lambda game: load_game(game.code).state.filled_mask.bit_count() == 24, NOW)  # type: ignore[union-attr]
    browser = open_browser()
    for _ in range(3):
        link = make_turn_link(game)
        page = browser.get(link).content.decode()
        seq, key = (re.search(f'name="{name}" value="([^"]+)"', page)[1] for name in ("seq", "key"))  # type: ignore[index]
        view = load_game(game.code)
        action = engine.legal_actions(view.state, view.to_act[0])[0]  # type: ignore[arg-type]
        answer = browser.post(link, {"action": action, "seq": seq, "key": key}, follow=True)
        if "Match 1: summary" in answer.text:
            break
        game.refresh_from_db()
    assert SUMMARY in answer.text


# -------------------------------------------------------------------------------------- the end of a game


def test_the_end_of_a_game_says_who_won_to_each_viewer() -> None:
    game = play_game()
    headings = {name: read_heading(read_page(open_browser(name), game)) for name in ("ada", "bob", None)}
    assert headings == {"ada": "You lost 9 : 24", "bob": "You won 24 : 9", None: "bob won 24 : 9"}
    text = read_text(read_page(open_browser("ada"), game))
    assert "The target of 24 is reached, and the highest total wins." in text
    for offer in ("Rematch", "Replay", "Next waiting game"):
        assert offer in text


def test_a_game_of_one_match_is_over_with_a_summary_of_it() -> None:
    game = play_game(target=3)
    page = read_page(open_browser("ada"), game)
    assert SUMMARY in page
    assert "silly match: tile A on the table gives 16 points" in read_text(page)


def test_a_blind_match_and_a_shoot_out_are_explained() -> None:
    text = read_text(read_page(open_browser("ada"), play_game(BLIND_SEED)))
    assert "You won 31 : 30" in text
    assert "Level at the target, so a blind match decided" in text
    text = read_text(read_page(open_browser("bob"), play_game(SHOOT_OUT_SEED)))
    assert "You lost" in text
    assert "level again after a blind match (27 : 27), so a shoot-out decided" in text
    assert "Shoot-out, round 3: ada E, bob H." in text


def test_a_blind_match_that_follows_is_explained_at_the_end_of_the_match() -> None:
    game = start_seeded_game(BLIND_SEED, "ada", "bob")
    play_greedily(game, lambda game: game.status == Game.Status.TIEBREAK, NOW)
    text = read_text(read_page(open_browser("bob"), game))
    assert "so a blind match follows: no cards, no table tiles. ada starts as the oldest player." in text
    assert "Cards in hand are thrown away." in text


def test_a_resignation_and_a_timeout_give_different_reasons() -> None:
    resigned = start_cast_game("ada", "bob")
    turns.play_action(player=player("bob"), code=resigned.code, text="resign", seq=None, key="", now=NOW)
    page = read_page(open_browser("ada"), resigned)
    assert read_heading(page) == "You won"
    assert "bob resigned; the score was 0 : 0." in page
    late = start_quick_game("ada", "bob", timeout_policy="forfeit")
    name = get_name_to_act(late)
    let_time_run_out(late)
    assert f"Time ran out for {name}; the score was 0 : 0." in read_page(open_browser(), late)
    withdrawn = start_cast_game("ada", "bob")
    system_games.resign_seat(code=withdrawn.code, seat_no=2, now=NOW)
    assert "bob resigned; the score was 0 : 0." in read_page(open_browser(), withdrawn)


def test_three_players_have_ranks_and_pairs_win_together() -> None:
    three = play_greedily(start_seeded_game(1, "ada", "bob", "cleo", target=6), is_over, NOW)
    headings = sorted(read_heading(read_page(open_browser(name), three)) for name in ("ada", "bob", "cleo"))
    assert [heading.split(" with ")[0] for heading in headings][-1] == "You won"
    assert headings[0].startswith("You came second with ")
    pairs = play_greedily(
        start_seeded_game(1, "ada", "bob", "cleo", "dirk", mode="pairs", target=6), is_over, NOW
    )
    assert pairs.result
    sides = {"ada": 1, "bob": 2, "cleo": 1, "dirk": 2}
    for name, side in sides.items():
        outcome = "Your side won" if side == pairs.result["winner"] else "Your side lost"
        assert read_heading(read_page(open_browser(name), pairs)).startswith(outcome)


def test_a_rematch_says_who_waits_and_is_joined_with_one_click() -> None:
    game = play_game(target=3)
    ada, bob = open_browser("ada"), open_browser("bob")
    offer = re.search('name="offer" value="([^"]+)"', ada.get(f"/games/{game.code}/").text)
    assert offer
    ada.post(f"/games/{game.code}/rematch/", {"offer": offer[1]})
    page = read_page(bob, game)
    assert "ada waits for you in the rematch." in page
    assert "Join the rematch" in page
    assert "Open the rematch" in read_page(ada, game)
    commitment = re.search('name="commitment" value="([^"]+)"', page)
    assert commitment
    for _ in range(2):
        bob.post(f"/games/{game.code}/rematch/", {"commitment": commitment[1]})
    rematch = Game.objects.get(rematch_of=game)
    assert (rematch.status, rematch.seats.count()) == (Game.Status.RUNNING, 2)


# ---------------------------------------------------------------------------------------------------- solo


def test_a_solo_match_says_its_goal_and_the_level_within_reach() -> None:
    game = start_cast_game("ada", mode="solo")
    text = read_text(read_page(open_browser("ada"), game))
    assert "Place all 11 markers and make an 8 before the board is full." in text
    assert "Markers placed: 0 of 11. No 8 yet." in text
    assert "Still within reach: 60 points, a master." in text
    assert "The highest possible score is 60." in text


def test_a_solo_match_shows_the_points_so_far() -> None:
    game = start_cast_game("ada", mode="solo")
    put_position(game, {"b3": "A"}, turn=1, drawn="B", marked={("frame+a5", 2): 1})
    text = open_browser("ada").get(f"/games/{game.code}/").text
    assert re.search(r'<b data-score="1">2</b>\s*<small>this match</small>', text)


def test_a_solo_match_that_is_won_names_its_level() -> None:
    game = start_cast_game("ada", mode="solo")
    setup = load_game(game.code).state.setup  # type: ignore[union-attr]
    cells = build_zero_board("c4", "a1", "e1", **GAP)
    store_position(game, build_solo_position(cells, left=NO_MARKER, drawn="D", setup=setup))
    turns.play_action(player=player("ada"), code=game.code, text="D-c4-0", seq=0, key="", now=NOW)
    page = read_page(open_browser("ada"), game)
    assert read_heading(page) == "Solved with 36 points: good"
    text = read_text(page)
    assert "24 for the markers, 8 for the 8, 4 for the free cells." in text
    assert "1 point more would be great." in text


def test_a_solo_match_that_is_lost_says_what_was_missing() -> None:
    game = start_cast_game("ada", mode="solo")
    turns.play_action(player=player("ada"), code=game.code, text="resign", seq=None, key="", now=NOW)
    page = read_page(open_browser("ada"), game)
    assert read_heading(page) == "The solo match is lost"
    assert "0 of 11 markers were placed, and no 8 was made." in page


def test_a_solo_match_with_a_full_board_is_called_lost_once() -> None:
    game = start_cast_game("ada", mode="solo")
    setup = load_game(game.code).state.setup  # type: ignore[union-attr]
    cells = build_zero_board("a1")
    store_position(game, build_solo_position(cells, drawn="I", setup=setup))
    turns.play_action(player=player("ada"), code=game.code, text="I-a1-0", seq=0, key="", now=NOW)
    text = read_text(read_page(open_browser("ada"), game))
    assert text.count("solo match is lost") == 1
    assert "The solo match ended with a full board." in text


def test_a_solo_match_is_played_again_with_the_same_settings() -> None:
    game, ada = start_cast_game("ada", mode="solo", edition="pergioco-72"), open_browser("ada")
    turns.play_action(player=player("ada"), code=game.code, text="resign", seq=None, key="", now=NOW)
    page = ada.get(f"/games/{game.code}/").text
    assert "Play again" in page
    offer = re.search('name="offer" value="([^"]+)"', page)
    assert offer
    ada.post(f"/games/{game.code}/rematch/", {"offer": offer[1]})
    rematch = Game.objects.get(rematch_of=game)
    assert (rematch.status, rematch.mode, rematch.edition) == (Game.Status.RUNNING, "solo", "pergioco-72")
    assert "Play again" not in read_page(ada, game)


# -------------------------------------------------------------------------------------- hidden information


@pytest.mark.parametrize("name", ["ada", "bob", None])
def test_a_summary_shows_nothing_that_is_hidden_from_its_viewer(name: str | None) -> None:
    game = play_match(EIGHT_SEED)
    loaded_game = load_game(game.code)
    assert loaded_game.state
    seat_no = {"ada": 1, "bob": 2}.get(name or "")
    pages = [read_page(open_browser(name), game)]
    other_state = build_other_world(loaded_game.state, seat_no, random.Random(1), same_key=True)
    assert other_state != loaded_game.state
    GameSecrets.objects.filter(game=game).update(state=engine.dump_state(other_state))
    pages.append(read_page(open_browser(name), game))
    assert "An 8 by ada ends match 1" in pages[0]
    assert pages[0] == pages[1]
