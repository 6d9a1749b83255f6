"""Choice of partners in pairs: in an invitation, in the waiting room, and over the API."""

from __future__ import annotations

import json
import re
from itertools import permutations
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from common.service_errors import Denied, Invalid, NotFound
from games import selectors
from games.bot_names import choose_given_name
from games.engine import record
from games.engine.state import sides_of
from games.models import Game, Invitation
from games.services import invitations, lobby, partner_choice, turns
from tests.factories.cast import Api, open_browser, player
from tests.markup import normalise_html

pytestmark = pytest.mark.django_db
STEPS = ("bot", "bot", "bob")  # seats taken until the game is full


def read_game_page(client: Client, code: str) -> str:
    answer = client.get(f"/games/{code}/")
    assert answer.status_code == 200
    return normalise_html(answer.content.decode())


def create_open_pairs(**terms: Any) -> str:
    """Create an open game of pairs with ada, its host, on a seat."""
    for name in ("bob", "cleo", "dirk"):
        player(name)
    game = lobby.create_game(player=player("ada"), now=timezone.now(), mode="pairs", **terms)
    lobby.join_game(player=player("ada"), code=game.code, now=timezone.now())
    return game.code


def get_side(code: str, who: str) -> int:
    """Return the side of a player or bot in a game of pairs."""
    place = Game.objects.get(code=code).seats.get(player__name=who)
    assert place.seat_no
    return sides_of("pairs", 4)[place.seat_no]


def are_partners(code: str, name: str, other: str) -> bool:
    return get_side(code, name) == get_side(code, other)


def seat_players(code: str, *names: str) -> None:
    for name in names:
        lobby.join_game(player=player(name), code=code, now=timezone.now())


def get_new_pairs(**form: str) -> Game:
    player("bob")
    sent = {"preset": "friend", "who": "bob", "seats": "pairs", "time_control": "3d", "cards": "True"} | form
    answer = open_browser("ada").post("/games/new/", sent)
    assert answer.status_code == 302, answer.context["form"].errors
    return Game.objects.get()


@pytest.mark.parametrize(
    ("form", "partner"), [({}, True), ({"side": "partner"}, True), ({"side": "opponent"}, False)]
)
def test_the_page_of_a_new_game_asks_whether_the_friend_is_a_partner(
    form: dict[str, str], partner: bool
) -> None:
    game = get_new_pairs(**form)
    assert Invitation.objects.get().as_partner is partner
    ada = open_browser("ada")
    for _bot in range(2):
        assert ada.post(f"/games/{game.code}/bot/", {"policy": "greedy"}).status_code == 302
    seat_players(game.code, "bob")
    assert are_partners(game.code, "ada", "bob") is partner


def test_a_game_that_is_not_of_pairs_has_no_partners() -> None:
    get_new_pairs(seats="4", side="partner")
    assert not Invitation.objects.get().as_partner


def test_the_page_of_a_new_game_offers_both() -> None:
    text = open_browser("ada").get("/games/new/").content.decode()
    assert 'name="side"' in text
    assert "as your partner" in text


def test_in_the_waiting_room_the_first_who_is_invited_is_the_partner_by_default() -> None:
    code, ada = create_open_pairs(), open_browser("ada")
    text = read_game_page(ada, code)
    first, second = text.index('value="partner"'), text.index('value="opponent"')
    assert first < second, "what a form sends that nobody changes"
    ada.post(f"/games/{code}/invite/", {"who": "bob", "as": "partner"})
    assert Invitation.objects.get().as_partner
    text = read_game_page(ada, code)
    assert "bob (your partner)" in text
    assert '<option value="partner">' not in text, "there is one"
    ada.post(f"/games/{code}/invite/", {"who": "cleo", "as": "opponent"})
    assert not Invitation.objects.get(player=player("cleo")).as_partner


@pytest.mark.parametrize("order", ["as-joined", "shuffled"])
@pytest.mark.parametrize("partner", ["bob", "cleo", "dirk"])
def test_the_host_sets_who_sits_with_whom_until_the_game_begins(partner: str, order: str) -> None:
    code, ada = create_open_pairs(seat_order=order), open_browser("ada")
    seat_players(code, "bob")
    invitations.invite_to_game(player=player("ada"), code=code, name="cleo", now=timezone.now())
    dirk = invitations.invite_to_game(
        player=player("ada"), code=code, name="dirk", partner=True, now=timezone.now()
    )
    cleo = Invitation.objects.get(player=player("cleo"))
    value = {"bob": "seat-2", "cleo": f"invitation-{cleo.pk}", "dirk": f"invitation-{dirk.pk}"}[partner]
    assert f'value="{value}"' in read_game_page(ada, code)
    assert ada.post(f"/games/{code}/partner/", {"opposite": value}).status_code == 302
    chosen = re.findall(r'<option value="([^"]+)" selected>', read_game_page(ada, code))
    assert value in chosen
    seat_players(code, "cleo", "dirk")
    assert Game.objects.get(code=code).status == Game.Status.RUNNING
    for name in ("bob", "cleo", "dirk"):
        assert are_partners(code, "ada", name) is (name == partner), name


def test_whoever_changes_their_mind_has_one_partner() -> None:
    code = create_open_pairs()
    seat_players(code, "bob", "cleo")
    for joined in (2, 3, 2):
        partner_choice.choose_partner(player=player("ada"), code=code, joined=joined, now=timezone.now())
    seat_players(code, "dirk")
    assert are_partners(code, "ada", "bob")


def test_nobody_chosen_means_the_order_of_the_seats() -> None:
    code = create_open_pairs()
    seat_players(code, "bob")
    partner_choice.choose_partner(player=player("ada"), code=code, name="bob", now=timezone.now())
    partner_choice.choose_partner(player=player("ada"), code=code, now=timezone.now())
    seat_players(code, "cleo", "dirk")
    assert are_partners(code, "ada", "cleo")


def test_a_friend_who_came_by_themselves_is_the_partner_against_bots() -> None:
    code, ada = create_open_pairs(), open_browser("ada")
    seat_players(code, "bob")
    for _bot in range(2):
        ada.post(f"/games/{code}/bot/", {"policy": "greedy"})
    assert Game.objects.get(code=code).status == Game.Status.RUNNING
    assert are_partners(code, "ada", "bob")


@pytest.mark.parametrize("route", ["page", "program"])
@pytest.mark.parametrize("invited", [False, True])
@pytest.mark.parametrize("order", sorted(set(permutations(STEPS))))
def test_two_people_play_together_against_two_bots_in_whatever_order_they_sit_down(
    order: tuple[str, ...], invited: bool, route: str
) -> None:
    code, ada = create_open_pairs(), Api("ada")
    if invited:
        assert ada.post(f"games/{code}/invite/", {"name": "bob"}).status_code == 201
    for step in order:
        if step == "bob":
            seat_players(code, "bob")
        elif route == "page":
            open_browser("ada").post(f"/games/{code}/bot/", {"policy": "greedy"})
        else:
            assert ada.post(f"games/{code}/bots/", {"policy": "greedy"}).status_code == 201
    assert Game.objects.get(code=code).status == Game.Status.RUNNING
    assert are_partners(code, "ada", "bob")
    check_seating(code)


def check_seating(code: str) -> None:
    """Resign for ada; check that the record verifies and contains the joining order."""
    places = Game.objects.get(code=code).seats.order_by("join_order")
    assert ("ada", 1) in places.values_list("player__name", "seat_no"), "the host came first"
    turns.play_action(player=player("ada"), code=code, text="resign", seq=None, key="", now=timezone.now())
    saved = Api(None).get(f"games/{code}/record/").json()
    assert saved["seating"] == {
        "order": "as-joined",
        "joined": list(places.values_list("seat_no", flat=True)),
    }
    assert record.verify_record(saved).is_ok
    text = Client().post("/fairness/", {"record": json.dumps(saved)}).content.decode()
    in_order = saved["seating"]["joined"] == [1, 2, 3, 4]
    assert ("Everybody sits in order of joining" in text) is in_order
    assert ("Partners sit opposite each other" in text) is not in_order


@pytest.mark.parametrize("shuffled", [False, True])
def test_neither_a_lot_nor_a_choice_is_undone_because_there_are_two_bots(shuffled: bool) -> None:
    code = create_open_pairs(seat_order="shuffled" if shuffled else "as-joined")
    if not shuffled:
        open_browser("ada").post(f"/games/{code}/bot/", {"policy": "greedy"})
        partner_choice.choose_partner(player=player("ada"), code=code, joined=2, now=timezone.now())
    seat_players(code, "bob")
    while Game.objects.get(code=code).status == Game.Status.OPEN:
        open_browser("ada").post(f"/games/{code}/bot/", {"policy": "greedy"})
    chosen = Game.objects.get(code=code).seats.exclude(partner_join_order=None)
    assert list(chosen.values_list("join_order", "partner_join_order")) == ([] if shuffled else [(1, 2)])
    assert shuffled or not are_partners(code, "ada", "bob")


def test_a_bot_that_was_chosen_stays_the_partner() -> None:
    code, ada = create_open_pairs(), open_browser("ada")
    ada.post(f"/games/{code}/bot/", {"policy": "greedy"})
    ada.post(f"/games/{code}/partner/", {"opposite": "seat-2"})
    seat_players(code, "bob")
    ada.post(f"/games/{code}/bot/", {"policy": "random"})
    assert not are_partners(code, "ada", "bob")


@pytest.mark.parametrize("order", ["as-joined", "shuffled"])
def test_a_friend_who_was_invited_to_play_against_the_host_does_so_with_bots(order: str) -> None:
    game, ada = get_new_pairs(side="opponent", order=order), open_browser("ada")
    seat_players(game.code, "bob")
    assert "the player you invited as an opponent joins the other pair" in read_game_page(ada, game.code)
    for _bot in range(2):
        ada.post(f"/games/{game.code}/bot/", {"policy": "greedy"})
    assert Game.objects.get(code=game.code).status == Game.Status.RUNNING
    assert not are_partners(game.code, "ada", "bob")


@pytest.mark.parametrize("route", ["page", "program"])
@pytest.mark.parametrize("order", sorted(set(permutations(STEPS))))
@pytest.mark.parametrize("invited_after", [0, 1])
def test_whatever_the_order_who_plays_against_the_host_is_on_the_other_side(
    order: tuple[str, ...], invited_after: int, route: str
) -> None:
    code, ada = create_open_pairs(), open_browser("ada")
    if order[0] == "bob" and invited_after:
        invited_after = 0
    for n, step in enumerate(order):
        if n == invited_after:
            ada.post(f"/games/{code}/invite/", {"who": "bob", "as": "opponent"})
        if step == "bob":
            seat_players(code, "bob")
        elif route == "page":
            ada.post(f"/games/{code}/bot/", {"policy": "greedy"})
        else:
            Api("ada").post(f"games/{code}/bots/", {"policy": "greedy"})
    assert Game.objects.get(code=code).status == Game.Status.RUNNING
    assert not are_partners(code, "ada", "bob")


@pytest.mark.parametrize("names", list(permutations(("bob", "cleo", "dirk"))))
def test_among_people_too_who_plays_against_the_host_is_on_the_other_side(names: tuple[str, ...]) -> None:
    code = create_open_pairs()
    open_browser("ada").post(f"/games/{code}/invite/", {"who": "bob", "as": "opponent"})
    seat_players(code, *names)
    assert not are_partners(code, "ada", "bob")
    if names[1] != "bob":  # partners follow from seat order where possible
        assert are_partners(code, "ada", names[1])


def test_a_host_who_changes_their_mind_plays_with_whom_they_asked_to_play_against_them() -> None:
    code, ada = create_open_pairs(), open_browser("ada")
    ada.post(f"/games/{code}/invite/", {"who": "bob", "as": "opponent"})
    assert "bob (against you)" in read_game_page(ada, code)
    seat_players(code, "bob")
    ada.post(f"/games/{code}/bot/", {"policy": "greedy"})
    bot_name = choose_given_name(code, 3)
    assert f"ada and {bot_name} (greedy bot) play together." in read_game_page(ada, code)
    partner_choice.choose_partner(player=player("ada"), code=code, name="bob", now=timezone.now())
    assert not Invitation.objects.filter(as_opponent=True).exists()
    ada.post(f"/games/{code}/bot/", {"policy": "greedy"})
    assert are_partners(code, "ada", "bob")


def test_everybody_in_the_waiting_room_reads_who_plays_together_and_only_the_host_sets_it() -> None:
    code = create_open_pairs()
    seat_players(code, "bob")
    bob = open_browser("bob")
    before = selectors.state_fingerprint_for(player("bob"), code)
    partner_choice.choose_partner(player=player("ada"), code=code, joined=2, now=timezone.now())
    assert selectors.state_fingerprint_for(player("bob"), code) != before, "an open page notices"
    text = read_game_page(bob, code)
    assert "ada and bob play together." in text
    assert f"/games/{code}/partner/" not in text
    assert f"/games/{code}/invite/" not in text
    assert f"/games/{code}/bot/" not in text
    for who, error_class in (("bob", Denied), ("cleo", Denied)):
        with pytest.raises(error_class):
            partner_choice.choose_partner(player=player(who), code=code, joined=1, now=timezone.now())


@pytest.mark.parametrize(
    ("choice", "error_class"),
    [
        ({"joined": 1}, NotFound),  # the player's own seat
        ({"joined": 4}, NotFound),  # an unknown seat
        ({"invitation": 10**9}, NotFound),
        ({"name": "dirk"}, Invalid),
        ({"joined": 2, "name": "bob"}, Invalid),
    ],
)
def test_what_cannot_be_chosen_changes_nothing(choice: dict[str, Any], error_class: type[Exception]) -> None:
    code = create_open_pairs()
    seat_players(code, "bob", "cleo")
    partner_choice.choose_partner(player=player("ada"), code=code, joined=2, now=timezone.now())
    with pytest.raises(error_class):
        partner_choice.choose_partner(player=player("ada"), code=code, now=timezone.now(), **choice)
    seat_players(code, "dirk")
    assert are_partners(code, "ada", "bob")


def test_a_new_host_neither_chooses_nor_sees_whom_the_old_one_asked_by_mail() -> None:
    code = create_open_pairs()
    seat_players(code, "bob", "cleo")
    invitation = invitations.invite_to_game(
        player=player("ada"), code=code, email="eve@example.org", now=timezone.now()
    )
    lobby.leave_game(player=player("ada"), code=code, now=timezone.now())
    text = read_game_page(open_browser("bob"), code)
    assert f"/games/{code}/partner/" in text
    assert "eve@example.org" not in text
    with pytest.raises(NotFound):
        partner_choice.choose_partner(
            player=player("bob"), code=code, invitation=invitation.pk, now=timezone.now()
        )
    assert "eve@example.org" not in read_game_page(open_browser("cleo"), code)


def test_programs_choose_partners_too() -> None:
    code, api = create_open_pairs(), Api("ada")
    seat_players(code, "bob")
    path = f"games/{code}/partner/"
    answer = api.post(path, {"name": "bob"})
    assert answer.status_code == 200
    assert {seat["joined"]: seat["partner"] for seat in answer.json()["seats"]} == {1: 2, 2: None}
    assert Api("bob").post(path, {"joined": 1}).json()["code"] == "not-host"
    assert api.post(path, {"joined": 9}).status_code == 400
    assert api.post(path, {"joined": 4}).status_code == 404
    assert api.post(path, {"name": "dirk"}).json()["code"] == "no-such-player"
    answer = api.post(f"games/{code}/bots/", {"partner": True})
    assert (answer.status_code, answer.json()["code"]) == (409, "partner-taken")
    assert api.post(path).status_code == 200
    answer = api.post(f"games/{code}/bots/", {"policy": "random", "partner": True})
    assert answer.status_code == 201
    seat_players(code, "cleo")
    game = Game.objects.get(code=code)
    assert game.status == Game.Status.RUNNING
    bot = game.seats.get(bot_policy="random")
    assert sides_of("pairs", 4)[bot.seat_no or 0] == get_side(code, "ada")
    assert api.post(path, {"joined": 2}).json()["code"] == "not-open"


def test_partners_are_for_pairs() -> None:
    game = lobby.create_game(player=player("ada"), now=timezone.now(), seat_count=3)
    lobby.join_game(player=player("ada"), code=game.code, now=timezone.now())
    lobby.join_game(player=player("bob"), code=game.code, now=timezone.now())
    assert Api("ada").post(f"games/{game.code}/partner/", {"joined": 2}).status_code == 422
    assert Api("ada").post(f"games/{game.code}/bots/", {"partner": True}).status_code == 422
    assert 'name="opposite"' not in read_game_page(open_browser("ada"), game.code)


def test_a_waiting_room_offers_only_what_can_be_done() -> None:
    code, ada = create_open_pairs(), open_browser("ada")
    for name in ("bob", "cleo"):
        invitations.invite_to_game(player=player("ada"), code=code, name=name, now=timezone.now())
    text = read_game_page(ada, code)
    assert f"/games/{code}/bot/" in text
    assert f"/games/{code}/invite/" in text
    invitations.invite_to_game(player=player("ada"), code=code, name="dirk", now=timezone.now())
    text = read_game_page(ada, code)
    assert "The last seats are for the players you invited." in text
    assert f"/games/{code}/bot/" not in text
    assert f"/games/{code}/invite/" not in text
    rated = lobby.create_game(player=player("ada"), now=timezone.now(), seat_count=3, rated=True)
    lobby.join_game(player=player("ada"), code=rated.code, now=timezone.now())
    text = read_game_page(ada, rated.code)
    assert f"/games/{rated.code}/bot/" not in text
    assert f"/games/{rated.code}/invite/" in text
