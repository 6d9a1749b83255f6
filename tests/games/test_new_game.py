"""The form of a new game: what is chosen, what is refused and where, and that nothing half-made stays."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games import signed_links
from games.models import FeedEntry, Game, Invitation, Player, Seat
from games.services import invitations, lobby

from .cast import player
from .guesting import offer_on

pytestmark = pytest.mark.django_db
FILLED = {
    "seats": "2",
    "clock": "2d",
    "cards": "on",
    "chat": "on",
    "edition": "arcastudio-2.2",
    "target": "24",
}


@pytest.fixture
def ada() -> Client:
    client = Client()
    client.force_login(player("ada"))
    return client


def made(client: Client, **form: str) -> Game:
    before = Game.objects.count()
    if "client_seed" in form:
        form = {"offer": offer_on(client.get("/games/new/"))} | form
    answer = client.post("/games/new/", FILLED | form)
    assert answer.status_code == 302, errors(answer)
    assert Game.objects.count() - before in (0, 1)
    game = Game.objects.get(code=answer["Location"].split("/")[2])
    assert answer["Location"] == f"/games/{game.code}/"
    return game


def errors(answer: Any) -> dict[str, list[str]]:
    return dict(answer.context["form"].errors)


def refused(client: Client, **form: str) -> Any:
    answer = client.post("/games/new/", FILLED | form)
    assert answer.status_code == 422
    assert not Game.objects.exists()
    assert not Seat.objects.exists()
    assert not Invitation.objects.exists()
    assert not FeedEntry.objects.exists()
    return answer


def test_against_a_bot_it_begins_at_once(ada: Client) -> None:
    game = made(ada, preset="bot", bot="planner", seats="3")
    assert (game.mode, game.seats, game.status) == ("singles", 3, Game.Status.RUNNING)
    assert list(game.places.order_by("joined").values_list("bot", flat=True)) == ["", "planner", "planner"]
    assert not game.private


@pytest.mark.parametrize("form", [{"preset": "bot", "bot": "greedy"}, {"preset": "open"}])
def test_a_form_sent_twice_makes_one_game(ada: Client, form: dict[str, str]) -> None:
    page = ada.get("/games/new/")
    key = page.context["form"]["key"].value()
    assert f'name="key" value="{key}"' in page.text
    first = made(ada, key=key, **form)
    assert made(ada, key=key, **form) == first
    assert Game.objects.get() == first
    assert first.places.count() == (2 if form["preset"] == "bot" else 1)
    other = Client()
    other.force_login(player("bob"))
    other.post("/games/new/", FILLED | form | {"key": key})
    assert Game.objects.count() == 2, "a key is the player's own"


def test_a_form_that_is_sent_again_with_other_choices_makes_another_game(ada: Client) -> None:
    key = ada.get("/games/new/").context["form"]["key"].value()
    first = made(ada, key=key, preset="bot", bot="greedy")
    other = made(ada, key=key, preset="bot", bot="greedy", target="8")
    assert (first.target, other.target) == (24, 8)
    assert made(ada, key=key, preset="bot", bot="greedy", client_seed="drawn anew") == first


@pytest.mark.parametrize(
    ("preset", "left"),
    [
        ("bot", {"who": "x" * 300, "rated": "on"}),
        ("open", {"who": "nobody", "bot": "hal"}),
        ("solo", {"who": "nobody", "bot": "hal", "seats": "9", "clock": "x", "target": "0", "rated": "on"}),
    ],
)
def test_what_is_left_over_from_another_choice_is_in_nobodys_way(
    ada: Client, preset: str, left: dict[str, str]
) -> None:
    game = made(ada, preset=preset, **left)
    assert not game.rated
    assert not game.invitations.exists()


def test_talking_at_the_table_is_offered_only_where_there_are_people_to_talk_to(ada: Client) -> None:
    offered = re.search(r'<div class="([^"]+)"><[^>]*>(?:(?!<div).)*name="chat"', ada.get("/games/new/").text)
    assert offered
    assert offered[1].split() == ["not-solo", "not-bot"]
    for form in ({"preset": "bot"}, {"bot": "greedy"}, {"preset": "solo"}):
        assert not made(ada, chat="on", **form).chat, form
    assert made(ada, chat="on", preset="open").chat


def test_a_bot_that_was_not_named_is_the_usual_one(ada: Client) -> None:
    game = made(ada, preset="bot", bot="")
    assert game.places.filter(bot="greedy").count() == 1


def test_open_to_everybody_waits_in_the_lobby(ada: Client) -> None:
    game = made(ada, preset="open", bot="greedy", seats="pairs")
    assert (game.mode, game.seats, game.status) == ("pairs", 4, Game.Status.OPEN)
    assert game.code in Client().get("/lobby/").content.decode()


def test_solo_needs_nobody(ada: Client) -> None:
    game = made(ada, preset="solo", seats="4", bot="greedy", who="bob", rated="on")
    assert (game.mode, game.seats, game.status, game.rated) == ("solo", 1, Game.Status.RUNNING, False)


@pytest.mark.parametrize("who", ["BOB", "zoe@example.org"])
def test_a_friend_is_invited_at_once_to_a_private_game(ada: Client, who: str) -> None:
    player("bob")
    game = made(ada, preset="friend", who=f" {who} ", bot="greedy")
    assert game.private
    assert game.status == Game.Status.OPEN
    invitation = Invitation.objects.get(game=game)
    assert (invitation.player or invitation.email) == (player("bob") if who == "BOB" else who)
    assert f"{who} is invited." in ada.get(f"/games/{game.code}/").content.decode()


@pytest.mark.parametrize(
    ("who", "told"),
    [
        ("", "Say whom you would like to play with."),
        ("nobody", "Nobody here is called nobody"),
        ("not@an@address", "This is not an email address"),
        ("ada", "They have joined already"),
    ],
)
def test_a_refused_invitation_is_told_beside_its_field_and_leaves_no_game(
    ada: Client, who: str, told: str
) -> None:
    answer = refused(ada, preset="friend", who=who, seats="3")
    assert errors(answer) == {"who": [told]}
    text = answer.content.decode()
    assert re.search(r'id="id_who"[^>]*aria-invalid="true"', text) or re.search(
        r'aria-invalid="true"[^>]*id="id_who"', text
    )
    assert '<option value="3" selected>' in text
    assert f'value="{who}"' in text or not who


@pytest.mark.parametrize(
    ("form", "field"),
    [
        ({"target": "0"}, "target"),
        ({"target": "100"}, "target"),
        ({"target": "many"}, "target"),
        ({"clock": "3w"}, "clock"),
        ({"seats": "5"}, "seats"),
        ({"edition": "mine"}, "edition"),
        ({"obligation": "none"}, "obligation"),
        ({"timeouts": "never"}, "timeouts"),
        ({"bot": "clock"}, "bot"),
        ({"preset": "war"}, "preset"),
        ({"client_seed": "a|b"}, "client_seed"),
        ({"client_seed": "x" * 65}, "client_seed"),
        ({"client_seed": "\x00"}, "client_seed"),
        ({"mode": "chess"}, "__all__"),
    ],
)
def test_what_cannot_be_is_told_beside_its_field(ada: Client, form: dict[str, str], field: str) -> None:
    answer = refused(ada, **form)
    assert list(errors(answer)) == [field]
    assert 'class="errorlist' in answer.content.decode()


def test_what_is_wrong_under_more_choices_is_not_folded_away(ada: Client) -> None:
    assert '<details class="more">' in ada.get("/games/new/").content.decode()
    assert '<details class="more" open>' in refused(ada, target="0").content.decode()
    assert '<details class="more" open>' in refused(ada, preset="friend", weekends="on").content.decode()


def test_everything_that_was_chosen_holds(ada: Client) -> None:
    game = made(
        ada, preset="open", seats="4", clock="7d", edition="bannan-nl", obligation="lenient", target="12",
        timeouts="forfeit", weekends="on", nights="on", shuffled="on", private="on",
        client_seed=" my own ",
    )  # fmt: skip
    assert (game.seats, game.clock, game.cards, game.edition) == (4, "7d", True, "bannan-nl")
    assert (game.obligation, game.target, game.timeouts) == ("lenient", 12, "forfeit")
    assert game.weekends
    assert game.nights
    assert game.private
    assert not game.rated
    assert game.chat
    assert game.order == "shuffled"
    assert game.places.get().client_seed == " my own "


def test_a_game_with_the_duty_to_close_figures_can_be_rated(ada: Client) -> None:
    game = made(ada, preset="open", rated="on", obligation="strict")
    assert (game.rated, game.obligation) == (True, "strict")


def test_what_is_not_ticked_is_not_there(ada: Client) -> None:
    ada.post("/games/new/", {"preset": "open"})
    game = Game.objects.get()
    assert not game.cards
    assert not game.chat
    assert (game.seats, game.clock, game.target, game.edition) == (2, "2d", 24, "arcastudio-2.2")


@pytest.mark.parametrize(
    ("form", "mode", "status"),
    [
        ({"mode": "singles", "seats": "2", "bot": "random"}, "singles", "running"),
        ({"mode": "singles", "seats": "3", "bot": ""}, "singles", "open"),
        ({"mode": "pairs", "seats": "2"}, "pairs", "open"),
        ({"mode": "solo", "seats": "2"}, "solo", "running"),
        ({"who": "bob"}, "singles", "open"),
    ],
)
def test_a_form_that_names_no_preset_is_understood(
    ada: Client, form: dict[str, str], mode: str, status: str
) -> None:
    player("bob")
    assert ada.post("/games/new/", form).status_code == 302
    game = Game.objects.get()
    assert (game.mode, game.status) == (mode, status)


def test_too_many_open_games_are_told_above_the_form(ada: Client) -> None:
    for _ in range(lobby.MAX_OPEN_GAMES_PER_PLAYER):
        lobby.create_game(player=player("ada"), now=timezone.now())
    answer = ada.post("/games/new/", FILLED | {"preset": "open"})
    assert answer.status_code == 422
    assert errors(answer) == {"__all__": ["You have too many open games already"]}
    assert Game.objects.count() == lobby.MAX_OPEN_GAMES_PER_PLAYER


@pytest.mark.parametrize(
    ("query", "chosen"), [("", "bot"), ("?preset=friend", "friend"), ("?preset=x", "bot")]
)
def test_an_address_can_choose_the_preset(ada: Client, query: str, chosen: str) -> None:
    text = ada.get(f"/games/new/{query}").content.decode()
    (checked,) = (
        radio for radio in re.findall("<input[^>]+>", text) if 'type="radio"' in radio and " checked" in radio
    )
    assert f'value="{chosen}"' in checked


def test_the_form_speaks_the_readers_language_and_asks_for_a_seed(ada: Client) -> None:
    text = ada.get("/games/new/").content.decode()
    assert re.search(r"<form [^>]*data-seed", text)
    assert "Greedy bot: takes what it can" in text
    assert "style=" not in text
    assert re.findall("<script[^>]*>", text) == ['<script type="module" src="/static/otto.js">']


def test_nobody_makes_a_game_without_signing_in() -> None:
    answer = Client().get("/games/new/")
    assert answer["Location"].startswith("/accounts/login/")


# ---------------------------------------------------------------------------------------------- an invitation


def test_an_invitation_tells_the_terms_in_words() -> None:
    game = lobby.create_game(
        player=player("ada"), now=timezone.now(), mode="pairs", cards=False, obligation="lenient",
        nights=True, target=12, clock_name="12h", private=True,
    )  # fmt: skip
    lobby.join_game(player=player("ada"), code=game.code, now=timezone.now())
    found = invitations.invite_to_game(
        player=player("ada"), code=game.code, now=timezone.now(), email="zoe@example.org", partner=True
    )
    text = Client().get(f"/invitations/{signed_links.make_invitation_token(found.pk)}/").content.decode()
    for told in (
        "ada keeps a seat for you", "as partners", "Pairs, two against two", "Without cards", "To 12 points",
        "12 hours for each turn, 3 days in reserve", "Clocks rest at night", "Arcastudio 2.2 rulebook",
        "Head in the clouds: nobody has to close a figure", 'href="/players/ada/"',
    ):  # fmt: skip
        assert told in text
    assert "zoe@example.org" not in text
    assert "12h" not in text
    assert Player.objects.count() == 1
