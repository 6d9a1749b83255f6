"""The form of a new game: its choices, its refusals, and no partial game after an error."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import Player
from games import clock, signed_links
from games.models import Game, Invitation, Seat
from games.services import invitations, lobby
from notifications.models import FeedEntry
from tests.factories.cast import player
from tests.factories.guesting import read_offer
from tests.markup import normalise_html

pytestmark = pytest.mark.django_db
FILLED = {
    "seats": "2",
    "time_control": "2d",
    "cards": "True",
    "chat": "on",
    "edition": "arcastudio-2.2",
    "target": "24",
}


@pytest.fixture
def ada_client() -> Client:
    client = Client()
    client.force_login(player("ada"))
    return client


def create_game(client: Client, **form: str) -> Game:
    before = Game.objects.count()
    if "client_seed" in form:
        form = {"offer": read_offer(client.get("/games/new/"))} | form
    answer = client.post("/games/new/", FILLED | form)
    assert answer.status_code == 302, get_form_errors(answer)
    assert Game.objects.count() - before in (0, 1)
    game = Game.objects.get(code=answer["Location"].split("/")[2])
    assert answer["Location"] == f"/games/{game.code}/"
    return game


def get_form_errors(answer: Any) -> dict[str, list[str]]:
    return dict(answer.context["form"].errors)


def expect_refusal(client: Client, **form: str) -> Any:
    answer = client.post("/games/new/", FILLED | form)
    assert answer.status_code == 422
    assert not Game.objects.exists()
    assert not Seat.objects.exists()
    assert not Invitation.objects.exists()
    assert not FeedEntry.objects.exists()
    return answer


def test_against_a_bot_it_begins_at_once(ada_client: Client) -> None:
    game = create_game(ada_client, preset="bot", bot="planner", seats="3")
    assert (game.mode, game.seat_count, game.status) == ("singles", 3, Game.Status.RUNNING)
    assert list(game.seats.order_by("join_order").values_list("bot_policy", flat=True)) == [
        "",
        "planner",
        "planner",
    ]
    assert not game.private


@pytest.mark.parametrize("form", [{"preset": "bot", "bot": "greedy"}, {"preset": "open"}])
def test_a_form_sent_twice_makes_one_game(ada_client: Client, form: dict[str, str]) -> None:
    page = ada_client.get("/games/new/")
    key = page.context["form"]["key"].value()
    assert f'name="key" value="{key}"' in page.text
    first = create_game(ada_client, key=key, **form)
    assert create_game(ada_client, key=key, **form) == first
    assert Game.objects.get() == first
    assert first.seats.count() == (2 if form["preset"] == "bot" else 1)
    other = Client()
    other.force_login(player("bob"))
    other.post("/games/new/", FILLED | form | {"key": key})
    assert Game.objects.count() == 2, "a key is the player's own"


def test_a_form_that_is_sent_again_with_other_choices_makes_another_game(ada_client: Client) -> None:
    key = ada_client.get("/games/new/").context["form"]["key"].value()
    first = create_game(ada_client, key=key, preset="bot", bot="greedy")
    other = create_game(ada_client, key=key, preset="bot", bot="greedy", target="8")
    assert (first.target, other.target) == (24, 8)
    assert create_game(ada_client, key=key, preset="bot", bot="greedy", client_seed="drawn anew") == first


@pytest.mark.parametrize(
    ("preset", "left"),
    [
        ("bot", {"who": "x" * 300, "rated": "on"}),
        ("open", {"who": "nobody", "bot": "hal"}),
        (
            "solo",
            {"who": "nobody", "bot": "hal", "seats": "9", "time_control": "x", "target": "0", "rated": "on"},
        ),
    ],
)
def test_what_is_left_over_from_another_choice_is_in_nobodys_way(
    ada_client: Client, preset: str, left: dict[str, str]
) -> None:
    game = create_game(ada_client, preset=preset, **left)
    assert not game.rated
    assert not game.invitations.exists()


def test_talking_at_the_table_is_offered_only_where_there_are_people_to_talk_to(ada_client: Client) -> None:
    page = normalise_html(ada_client.get("/games/new/").text)
    offered = re.search(r'<div class="([^"]+)"><[^>]*>(?:(?!<div).)*name="chat"', page)
    assert offered
    assert offered[1].split() == ["not-solo", "not-bot"]
    for form in ({"preset": "bot"}, {"bot": "greedy"}, {"preset": "solo"}):
        assert not create_game(ada_client, chat="on", **form).chat, form
    assert create_game(ada_client, chat="on", preset="open").chat


def test_a_bot_that_was_not_named_is_the_usual_one(ada_client: Client) -> None:
    game = create_game(ada_client, preset="bot", bot="")
    assert game.seats.filter(bot_policy="greedy").count() == 1


def test_open_to_everybody_waits_in_the_lobby(ada_client: Client) -> None:
    game = create_game(ada_client, preset="open", bot="greedy", seats="pairs")
    assert (game.mode, game.seat_count, game.status) == ("pairs", 4, Game.Status.OPEN)
    assert game.code in Client().get("/lobby/").content.decode()


def test_solo_needs_nobody(ada_client: Client) -> None:
    game = create_game(ada_client, preset="solo", seats="4", bot="greedy", who="bob", rated="on")
    assert (game.mode, game.seat_count, game.status, game.rated) == ("solo", 1, Game.Status.RUNNING, False)


@pytest.mark.parametrize("who", ["BOB", "zoe@example.org"])
def test_a_friend_is_invited_at_once_to_a_private_game(ada_client: Client, who: str) -> None:
    player("bob")
    game = create_game(ada_client, preset="friend", who=f" {who} ", bot="greedy")
    assert game.private
    assert game.status == Game.Status.OPEN
    invitation = Invitation.objects.get(game=game)
    assert (invitation.player or invitation.email) == (player("bob") if who == "BOB" else who)
    assert f"You have invited {who}." in ada_client.get(f"/games/{game.code}/").content.decode()


@pytest.mark.parametrize(
    ("who", "sentence"),
    [
        ("", "Enter the name of the friend you want to play with."),
        ("nobody", "No player is called nobody"),
        ("not@an@address", "This is not an email address"),
        ("ada", "This player has already joined"),
    ],
)
def test_a_refused_invitation_is_shown_beside_its_field_and_leaves_no_game(
    ada_client: Client, who: str, sentence: str
) -> None:
    answer = expect_refusal(ada_client, preset="friend", who=who, seats="3")
    assert get_form_errors(answer) == {"who": [sentence]}
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
        ({"time_control": "3w"}, "time_control"),
        ({"seats": "5"}, "seats"),
        ({"edition": "mine"}, "edition"),
        ({"obligation": "none"}, "obligation"),
        ({"timeout_policy": "never"}, "timeout_policy"),
        ({"bot": "clock"}, "bot"),
        ({"preset": "war"}, "preset"),
        ({"client_seed": "a|b"}, "client_seed"),
        ({"client_seed": "x" * 65}, "client_seed"),
        ({"client_seed": "\x00"}, "client_seed"),
        ({"mode": "chess"}, "__all__"),
    ],
)
def test_what_cannot_be_is_shown_beside_its_field(
    ada_client: Client, form: dict[str, str], field: str
) -> None:
    answer = expect_refusal(ada_client, **form)
    assert list(get_form_errors(answer)) == [field]
    assert 'class="errorlist' in answer.content.decode()


def test_what_is_wrong_under_more_choices_is_not_folded_away(ada_client: Client) -> None:
    assert '<details class="more">' in ada_client.get("/games/new/").content.decode()
    assert '<details class="more" open>' in expect_refusal(ada_client, target="0").content.decode()
    assert (
        '<details class="more" open>'
        in expect_refusal(ada_client, preset="friend", weekends="on").content.decode()
    )


def test_everything_that_was_chosen_holds(ada_client: Client) -> None:
    game = create_game(
        ada_client, preset="open", seats="4", time_control="7d", edition="bannan-nl", obligation="lenient",
        target="12", timeout_policy="forfeit", weekends="on", nights="on", shuffled="on", private="on",
        client_seed=" my own ",
    )  # fmt: skip
    assert (game.seat_count, game.time_control, game.cards, game.edition) == (4, "7d", True, "bannan-nl")
    assert (game.obligation, game.target, game.timeout_policy) == ("lenient", 12, "forfeit")
    assert game.weekends
    assert game.nights
    assert game.private
    assert not game.rated
    assert game.chat
    assert game.seat_order == "shuffled"
    assert game.seats.get().client_seed == " my own "


def test_a_game_with_the_duty_to_close_figures_can_be_rated(ada_client: Client) -> None:
    game = create_game(ada_client, preset="open", rated="on", obligation="strict")
    assert (game.rated, game.obligation) == (True, "strict")


def test_what_is_not_ticked_is_not_there(ada_client: Client) -> None:
    ada_client.post("/games/new/", {"preset": "open"})
    game = Game.objects.get()
    assert game.cards, "a choice of three: as the rulebook says"
    assert not game.chat
    assert (game.seat_count, game.time_control, game.target, game.edition) == (2, "2d", 24, "arcastudio-2.2")


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
    ada_client: Client, form: dict[str, str], mode: str, status: str
) -> None:
    player("bob")
    assert ada_client.post("/games/new/", form).status_code == 302
    game = Game.objects.get()
    assert (game.mode, game.status) == (mode, status)


def test_too_many_open_games_are_shown_above_the_form(ada_client: Client) -> None:
    for _ in range(lobby.MAX_OPEN_GAMES_PER_PLAYER):
        lobby.create_game(player=player("ada"), now=timezone.now())
    answer = ada_client.post("/games/new/", FILLED | {"preset": "open"})
    assert answer.status_code == 422
    assert get_form_errors(answer) == {"__all__": ["You already have too many open games"]}
    assert Game.objects.count() == lobby.MAX_OPEN_GAMES_PER_PLAYER


@pytest.mark.parametrize(
    ("query", "chosen"), [("", "bot"), ("?preset=friend", "friend"), ("?preset=x", "bot")]
)
def test_an_address_can_choose_the_preset(ada_client: Client, query: str, chosen: str) -> None:
    text = ada_client.get(f"/games/new/{query}").content.decode()
    (checked,) = (
        radio for radio in re.findall("<input[^>]+>", text) if 'type="radio"' in radio and " checked" in radio
    )
    assert f'value="{chosen}"' in checked


def test_the_form_speaks_the_readers_language_and_asks_for_a_seed(ada_client: Client) -> None:
    text = ada_client.get("/games/new/").content.decode()
    assert re.search(r"<form [^>]*data-seed", text)
    assert "Greedy bot: closes what it can" in text
    assert "style=" not in text
    assert re.findall("<script[^>]*>", text) == ['<script type="module" src="/static/otto.js">']


@pytest.mark.parametrize("address", ["/games/new/", "/tournaments/new/"])
def test_live_presets_are_named_and_the_usual_length_of_a_game_stands_beside_them(
    ada_client: Client, address: str
) -> None:
    page = normalise_html(ada_client.get(address).content.decode()).replace("\xa0", " ")
    labels = dict(re.findall(r'<option value="(\w+)"[^>]*>([^<]* in reserve)</option>', page))
    assert labels["fast"] == "live: 1 minute, and 10 minutes in reserve"
    assert {name for name, label in labels.items() if label.startswith("live: ")} == {"fast", "live"}
    assert len(labels) == len(clock.TIME_CONTROL_PRESETS)
    assert "a game of about 3 matches takes some 36 minutes." in page


def test_nobody_makes_a_game_without_signing_in() -> None:
    answer = Client().get("/games/new/")
    assert answer["Location"].startswith("/accounts/login/")


# ---------------------------------------------------------------------------------------------- an invitation


def test_an_invitation_tells_the_terms_in_words() -> None:
    game = lobby.create_game(
        player=player("ada"), now=timezone.now(), mode="pairs", cards=False, obligation="lenient",
        nights=True, target=12, time_control="12h", private=True,
    )  # fmt: skip
    lobby.join_game(player=player("ada"), code=game.code, now=timezone.now())
    invitation = invitations.invite_to_game(
        player=player("ada"), code=game.code, now=timezone.now(), email="zoe@example.org", partner=True
    )
    text = Client().get(f"/invitations/{signed_links.make_invitation_token(invitation.pk)}/").content.decode()
    for sentence in (
        "ada has saved you a seat", "as partners", "Pairs, two against two", "Without cards", "To 12 points",
        "12 hours per turn, 3 days in reserve", "Clocks stop at night", "Arcastudio 2.2 rulebook",
        "Head in the clouds: you need not close figures", 'href="/players/ada/"',
    ):  # fmt: skip
        assert sentence in text
    assert "zoe@example.org" not in text
    assert "12h" not in text
    assert Player.objects.count() == 1
