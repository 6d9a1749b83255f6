"""New visitors: a guest who signs up, languages, and the client seed of the browser."""

from __future__ import annotations

import re
from urllib.parse import parse_qs

import pytest
from playwright.sync_api import Page, Route, expect

from accounts.models import Player
from games.models import Action, Game
from games.models import Seat as Place
from games.services import bots, lobby
from tests.factories.cast import player
from tests.helpers.browser_accounts import PASSWORD, read_mail_text, submit_form
from tests.helpers.polling import wait_for
from tests.smtp import Sink
from tournaments.leagues.services import leagues
from tournaments.services import tournaments

from .conftest import NewPage, sign_in
from .table import TURN, Seat, get_now

PLAY_NOW = "Play a bot now"
HEX = re.compile("[0-9a-f]{32}")
# By language: the button, two headings of the game page, and the heading of the lesson.
SPEAKS = {
    "it": ("Gioca subito con un bot", "Tocca a te", "Attorno al tavolo", "Metti una tessera"),
    "nl": ("Nu tegen een bot spelen", "Jouw beurt", "Rond de tafel", "Leg een tegel"),
}
NAMES = {"online", "Lobby", "English", "Italiano", "Nederlands", "Bot", "Pico", "Bella"}


def play_now(page: Page, name: str = PLAY_NOW) -> Game:
    """Press the button; let the bot act if it is first."""
    before = {*Game.objects.values_list("pk", flat=True)}
    with page.expect_navigation(url="**/games/*/"):
        page.get_by_role("button", name=name).click()
    game = Game.objects.exclude(pk__in=before).get()
    bots.play_bot_turns(code=game.code, now=get_now())
    page.reload()
    return game


def test_a_guest_plays_signs_up_and_keeps_the_game(page: Page, sink: Sink) -> None:
    page.goto("/")
    game = play_now(page)
    guest = Seat(page, game, Player.objects.get(is_guest=True))
    expect(page.get_by_text("You play as a guest. Sign up to keep this game.")).to_be_visible()
    action = guest.legal[0]
    guest.decide(action)
    assert Action.objects.get(game=game, action=action)
    page.get_by_role("main").get_by_role("link", name="Sign up").click()
    page.get_by_label("Email").fill("elsa@example.org")
    page.get_by_label("Name that others see").fill("Elsa Vermeer")
    page.get_by_label("Password").first.fill(PASSWORD)
    submit_form(page)
    page.wait_for_url("**/accounts/confirm-email/")
    [mail] = sink.wait(1)
    link = re.search(r"http://\S+/accounts/confirm-email/\S+", read_mail_text(mail))
    assert link
    page.goto(link[0])
    submit_form(page)
    page.wait_for_url(f"**/games/{game.code}/")
    [elsa] = Player.objects.all()
    assert (elsa.name, elsa.is_guest) == ("Elsa Vermeer", False)
    expect(page.get_by_text("You play as a guest.")).to_have_count(0)
    bots.play_bot_turns(code=game.code, now=get_now())
    page.goto("/games/")
    page.get_by_role("main").locator(f"a[href='/games/{game.code}/']").first.click()
    expect(page.get_by_role("heading", name=TURN)).to_be_visible()
    elsas = Seat(page, game, elsa)
    elsas.decide(elsas.legal[0])
    assert Action.objects.filter(game=game, seat=1).count() == 2


# ------------------------------------------------------------------------------------------------- languages


@pytest.mark.parametrize("language", SPEAKS)
def test_the_way_in_speaks_the_language_of_the_browser(new_page: NewPage, language: str) -> None:
    play, turn, neighbours_heading, tile = SPEAKS[language]
    page = new_page(locale={"it": "it-IT", "nl": "nl-NL"}[language])
    page.goto("/")
    play_now(page, play)
    assert page.locator("html").get_attribute("lang") == language
    for heading in (turn, neighbours_heading):
        expect(page.get_by_role("heading", name=heading)).to_be_visible()
    page.goto("/lesson/")
    assert page.locator("html").get_attribute("lang") == language
    expect(page.get_by_role("heading", name=tile)).to_be_visible()
    assert Player.objects.get().language == language


def read_lines(page: Page) -> set[str]:
    """Return the lines of text on a page that contain words, without pictures."""
    page.locator("svg").evaluate_all("all => all.forEach(one => one.remove())")
    lines = {line.strip() for line in page.locator("body").inner_text().splitlines()}
    labels = page.locator("[aria-label]").evaluate_all("all => all.map(one => one.ariaLabel)")
    return {line for line in lines | {*labels} if re.search("[a-z]{3}", line)} - NAMES


@pytest.mark.parametrize("language", SPEAKS)
def test_the_switch_in_the_foot_changes_every_word(page: Page, language: str) -> None:
    """A page in English and in another language have no line in common."""
    page.goto("/")
    english = {"/": read_lines(page)}
    page.goto("/lesson/1/")
    english["/lesson/1/"] = read_lines(page)
    page.goto("/")
    game = play_now(page)
    page.get_by_text("Your notes", exact=True).click()
    table = f"/games/{game.code}/"
    english[table] = read_lines(page)
    page.get_by_role("button", name={"it": "Italiano", "nl": "Nederlands"}[language]).click()
    expect(page.locator("html")).to_have_attribute("lang", language)
    assert page.url.endswith(table)
    owner = Player.objects.get().name
    for path, before in english.items():
        page.goto(path)
        assert page.locator("html").get_attribute("lang") == language
        same = {line for line in read_lines(page) & before if line != owner}
        assert not same, path


# ----------------------------------------------------------------------------------------------- client seeds


def list_own_seeds() -> list[str]:
    return [*Place.objects.filter(bot_policy="").order_by("pk").values_list("client_seed", flat=True)]


def test_the_browser_makes_a_seed_for_every_game(page: Page) -> None:
    page.clock.install()
    page.goto("/")
    sent: list[str] = []

    def answer_nothing(route: Route) -> None:
        sent.extend(parse_qs(route.request.post_data or "")["client_seed"])
        route.fulfill(status=204)

    # The first request gets no new page, so that the second press comes from a page with a used seed.
    page.route("**/play-now/", answer_nothing, times=1)
    page.get_by_role("button", name=PLAY_NOW).click()
    wait_for(lambda: page.evaluate("true") and sent, "nothing was sent", 20)
    page.clock.fast_forward(5000)  # an immediate second click would be ignored
    play_now(page)
    page.goto("/")
    play_now(page)
    seeds = [*sent, *list_own_seeds()]
    assert len({*seeds}) == 3
    assert all(HEX.fullmatch(seed) for seed in seeds)


def test_who_makes_or_joins_a_game_brings_a_seed_or_writes_one(page: Page) -> None:
    sign_in(page, player("ada"))
    page.goto("/games/new/")
    page.get_by_text("More options").click()
    page.get_by_label("Your part of the shuffle").fill("a walk in the rain")
    page.get_by_role("button", name="Create game").click()
    page.wait_for_url(re.compile(r"/games/\w{12}/"))
    page.goto("/games/new/")
    page.get_by_role("button", name="Create game").click()
    page.wait_for_url(re.compile(r"/games/\w{12}/"))
    written, drawn_seed = list_own_seeds()
    assert written == "a walk in the rain"
    assert HEX.fullmatch(drawn_seed)
    game = lobby.create_game(player=player("bob"), now=get_now(), seat_count=2)
    page.goto(f"/games/{game.code}/")
    page.get_by_role("button", name="Take a seat").click()
    expect(page.get_by_role("button", name="Leave")).to_be_visible()
    assert HEX.fullmatch(list_own_seeds()[2])
    assert len({*list_own_seeds()}) == 3


def test_who_enters_a_tournament_or_a_league_brings_a_seed_and_may_write_another(page: Page) -> None:
    tournament = tournaments.create_tournament(
        organiser=player("bob"), name="The cup", format="swiss", now=get_now()
    )
    tournaments.publish_tournament(by=player("bob"), code=tournament.code, now=get_now())
    league = leagues.create_league(
        organiser=player("bob"), name="The league", division_size=4, promotion_count=1, now=get_now()
    )
    sign_in(page, player("ada"))
    page.goto(f"/tournaments/{tournament.code}/")
    page.get_by_text("Fair shuffle").click()
    expect(page.get_by_text(tournament.commitment)).to_be_visible()
    page.get_by_role("main").get_by_role("button", name="Enter").click()
    expect(page.get_by_text("You have entered", exact=True)).to_be_visible()
    drawn = tournament.entrant_players.get().client_seed
    assert HEX.fullmatch(drawn)
    page.get_by_text("Your part of the shuffle").click()
    expect(page.get_by_text(drawn)).to_be_visible()
    page.get_by_label("New text").fill("a walk in the rain")
    page.get_by_role("button", name="Change text").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    assert tournament.entrant_players.get().client_seed == "a walk in the rain"
    page.goto(f"/leagues/{league.code}/")
    page.get_by_role("button", name="Join league").click()
    expect(page.get_by_role("heading", name="You are a member")).to_be_visible()
    assert HEX.fullmatch(league.league_members.get().client_seed)


def test_who_comes_back_to_the_first_page_plays_another_game(page: Page) -> None:
    page.goto("/")
    first = play_now(page)
    page.go_back()
    expect(page.locator("[data-offer]")).not_to_have_text(first.commitment)
    assert play_now(page).commitment != first.commitment


def test_without_scripts_a_text_can_be_written_for_a_tournament(new_page: NewPage) -> None:
    tournament = tournaments.create_tournament(
        organiser=player("bob"), name="The cup", format="swiss", now=get_now()
    )
    tournaments.publish_tournament(by=player("bob"), code=tournament.code, now=get_now())
    page = new_page(java_script_enabled=False)
    sign_in(page, player("ada"))
    page.goto(f"/tournaments/{tournament.code}/")
    page.get_by_text("Fair shuffle").click()
    page.get_by_label("Your part of the shuffle").fill("by hand")
    page.get_by_role("main").get_by_role("button", name="Enter").click()
    expect(page.get_by_text("You have entered", exact=True)).to_be_visible()
    assert tournament.entrant_players.get().client_seed == "by hand"


def test_without_scripts_it_is_the_joining_number(new_page: NewPage) -> None:
    page = new_page(java_script_enabled=False)
    page.goto("/")
    play_now(page)
    assert list_own_seeds() == ["1"]
