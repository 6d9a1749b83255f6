"""Tables tell the truth about company: partners, rematches, bots, guests, solo, pages without script."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from games import selectors
from games.engine import story
from games.engine import text as told
from games.engine.state import sides_of
from games.models import Game, Invitation, Message, Pause, Player
from games.services import house, invitations, lobby, pauses, seating, social, turns
from games.services.errors import Conflict, Denied, Invalid, NotFound

from .cast import NOW, Api, browser, game_of, player

pytestmark = pytest.mark.django_db


def page_of(client: Client, code: str) -> str:
    answer = client.get(f"/games/{code}/")
    assert answer.status_code == 200
    return answer.content.decode()


def pairs(**terms: Any) -> str:
    """An open game of pairs in which ada, its host, has a seat."""
    for name in ("bob", "cleo", "dirk"):
        player(name)
    game = lobby.create(player=player("ada"), now=timezone.now(), mode="pairs", **terms)
    lobby.join(player=player("ada"), code=game.code, now=timezone.now())
    return game.code


def side_of(code: str, who: str) -> int:
    """The side on which a player or a bot of a game of pairs sits."""
    place = Game.objects.get(code=code).places.get(player__name=who)
    assert place.number
    return sides_of("pairs", 4)[place.number]


def are_partners(code: str, one: str, other: str) -> bool:
    return side_of(code, one) == side_of(code, other)


def sit(code: str, *names: str) -> None:
    for name in names:
        lobby.join(player=player(name), code=code, now=timezone.now())


def finished(*names: str, bots: tuple[str, ...] = (), **terms: Any) -> Game:
    """A game that all but the last side have resigned."""
    game = game_of(*names, bots=bots, **terms)
    for place in game.places.order_by("number"):
        assert place.number
        house.resign(code=game.code, seat=place.number, now=NOW)
    game.refresh_from_db()
    assert game.status == Game.Status.OVER
    return game


# -------------------------------------------------------------------------------------------------- partners


def new_pairs(**form: str) -> Game:
    player("bob")
    sent = {"preset": "friend", "who": "bob", "seats": "pairs", "clock": "3d", "cards": "on"} | form
    answer = browser("ada").post("/games/new/", sent)
    assert answer.status_code == 302, answer.context["form"].errors
    return Game.objects.get()


@pytest.mark.parametrize(
    ("form", "partner"), [({}, True), ({"side": "partner"}, True), ({"side": "opponent"}, False)]
)
def test_the_page_of_a_new_game_asks_whether_the_friend_is_a_partner(
    form: dict[str, str], partner: bool
) -> None:
    game = new_pairs(**form)
    assert Invitation.objects.get().partner is partner
    ada = browser("ada")
    for _bot in range(2):
        assert ada.post(f"/games/{game.code}/bot/", {"policy": "greedy"}).status_code == 302
    sit(game.code, "bob")
    assert are_partners(game.code, "ada", "bob") is partner


def test_a_game_that_is_not_of_pairs_has_no_partners() -> None:
    new_pairs(seats="4", side="partner")
    assert not Invitation.objects.get().partner


def test_the_page_of_a_new_game_offers_both() -> None:
    text = browser("ada").get("/games/new/").content.decode()
    assert 'name="side"' in text
    assert "as your partner" in text


def test_in_the_waiting_room_the_first_who_is_invited_is_the_partner_by_default() -> None:
    code, ada = pairs(), browser("ada")
    text = page_of(ada, code)
    first, second = text.index('value="partner"'), text.index('value="opponent"')
    assert first < second, "what a form sends that nobody changes"
    ada.post(f"/games/{code}/invite/", {"who": "bob", "as": "partner"})
    assert Invitation.objects.get().partner
    text = page_of(ada, code)
    assert "bob (your partner)" in text
    assert '<option value="partner">' not in text, "there is one"
    ada.post(f"/games/{code}/invite/", {"who": "cleo", "as": "opponent"})
    assert not Invitation.objects.get(player=player("cleo")).partner


@pytest.mark.parametrize("order", ["as-joined", "shuffled"])
@pytest.mark.parametrize("partner", ["bob", "cleo", "dirk"])
def test_the_host_sets_who_sits_with_whom_until_the_game_begins(partner: str, order: str) -> None:
    code, ada = pairs(order=order), browser("ada")
    sit(code, "bob")
    invitations.invite(player=player("ada"), code=code, name="cleo", now=timezone.now())
    dirk = invitations.invite(player=player("ada"), code=code, name="dirk", partner=True, now=timezone.now())
    cleo = Invitation.objects.get(player=player("cleo"))
    value = {"bob": "seat-2", "cleo": f"invitation-{cleo.pk}", "dirk": f"invitation-{dirk.pk}"}[partner]
    assert f'value="{value}"' in page_of(ada, code)
    assert ada.post(f"/games/{code}/partner/", {"partner": value}).status_code == 302
    chosen = re.findall(r'<option value="([^"]+)" selected>', page_of(ada, code))
    assert value in chosen
    sit(code, "cleo", "dirk")
    assert Game.objects.get(code=code).status == Game.Status.RUNNING
    for name in ("bob", "cleo", "dirk"):
        assert are_partners(code, "ada", name) is (name == partner), name


def test_whoever_changes_their_mind_has_one_partner() -> None:
    code = pairs()
    sit(code, "bob", "cleo")
    for joined in (2, 3, 2):
        seating.choose_partner(player=player("ada"), code=code, joined=joined, now=timezone.now())
    sit(code, "dirk")
    assert are_partners(code, "ada", "bob")


def test_nobody_chosen_means_the_order_of_the_seats() -> None:
    code = pairs()
    sit(code, "bob")
    seating.choose_partner(player=player("ada"), code=code, name="bob", now=timezone.now())
    seating.choose_partner(player=player("ada"), code=code, now=timezone.now())
    sit(code, "cleo", "dirk")
    assert are_partners(code, "ada", "cleo")


def test_a_friend_who_came_by_themselves_is_the_partner_against_bots() -> None:
    code, ada = pairs(), browser("ada")
    sit(code, "bob")
    for _bot in range(2):
        ada.post(f"/games/{code}/bot/", {"policy": "greedy"})
    assert Game.objects.get(code=code).status == Game.Status.RUNNING
    assert are_partners(code, "ada", "bob")


def test_a_bot_that_was_chosen_stays_the_partner() -> None:
    code, ada = pairs(), browser("ada")
    ada.post(f"/games/{code}/bot/", {"policy": "greedy"})
    ada.post(f"/games/{code}/partner/", {"partner": "seat-2"})
    sit(code, "bob")
    ada.post(f"/games/{code}/bot/", {"policy": "random"})
    assert not are_partners(code, "ada", "bob")


def test_everybody_in_the_waiting_room_reads_who_plays_together_and_only_the_host_sets_it() -> None:
    code = pairs()
    sit(code, "bob")
    bob = browser("bob")
    before = selectors.pulse(player("bob"), code)
    seating.choose_partner(player=player("ada"), code=code, joined=2, now=timezone.now())
    assert selectors.pulse(player("bob"), code) != before, "an open page notices"
    text = page_of(bob, code)
    assert "ada and bob play together." in text
    assert f"/games/{code}/partner/" not in text
    assert f"/games/{code}/invite/" not in text
    assert f"/games/{code}/bot/" not in text
    for who, refusal in (("bob", Denied), ("cleo", Denied)):
        with pytest.raises(refusal):
            seating.choose_partner(player=player(who), code=code, joined=1, now=timezone.now())


@pytest.mark.parametrize(
    ("choice", "refusal"),
    [
        ({"joined": 1}, NotFound),  # oneself
        ({"joined": 4}, NotFound),  # nobody
        ({"invitation": 10**9}, NotFound),
        ({"name": "dirk"}, Invalid),
        ({"joined": 2, "name": "bob"}, Invalid),
    ],
)
def test_what_cannot_be_chosen_changes_nothing(choice: dict[str, Any], refusal: type[Exception]) -> None:
    code = pairs()
    sit(code, "bob", "cleo")
    seating.choose_partner(player=player("ada"), code=code, joined=2, now=timezone.now())
    with pytest.raises(refusal):
        seating.choose_partner(player=player("ada"), code=code, now=timezone.now(), **choice)
    sit(code, "dirk")
    assert are_partners(code, "ada", "bob")


def test_a_new_host_neither_chooses_nor_sees_whom_the_old_one_asked_by_mail() -> None:
    code = pairs()
    sit(code, "bob", "cleo")
    asked = invitations.invite(player=player("ada"), code=code, email="eve@example.org", now=timezone.now())
    lobby.leave(player=player("ada"), code=code, now=timezone.now())
    text = page_of(browser("bob"), code)
    assert f"/games/{code}/partner/" in text
    assert "eve@example.org" not in text
    with pytest.raises(NotFound):
        seating.choose_partner(player=player("bob"), code=code, invitation=asked.pk, now=timezone.now())
    assert "eve@example.org" not in page_of(browser("cleo"), code)


def test_programs_choose_partners_too() -> None:
    code, api = pairs(), Api("ada")
    sit(code, "bob")
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
    sit(code, "cleo")
    game = Game.objects.get(code=code)
    assert game.status == Game.Status.RUNNING
    bot = game.places.get(bot="random")
    assert sides_of("pairs", 4)[bot.number or 0] == side_of(code, "ada")
    assert api.post(path, {"joined": 2}).json()["code"] == "not-open"


def test_partners_are_for_pairs() -> None:
    game = lobby.create(player=player("ada"), now=timezone.now(), seats=3)
    lobby.join(player=player("ada"), code=game.code, now=timezone.now())
    lobby.join(player=player("bob"), code=game.code, now=timezone.now())
    assert Api("ada").post(f"games/{game.code}/partner/", {"joined": 2}).status_code == 422
    assert Api("ada").post(f"games/{game.code}/bots/", {"partner": True}).status_code == 422
    assert 'name="partner"' not in page_of(browser("ada"), game.code)


# --------------------------------------------------------------------------------------------------- rematch


def test_whoever_asks_for_a_rematch_sits_in_it_and_the_others_are_invited() -> None:
    old = finished("ada", "bob")
    answer = browser("ada").post(f"/games/{old.code}/rematch/")
    again = Game.objects.get(rematch_of=old)
    assert answer["Location"] == f"/games/{again.code}/"
    assert [place.player.name for place in again.places.all() if place.player] == ["ada"]
    assert Invitation.objects.get(game=again).player == player("bob")
    browser("ada").post(f"/games/{old.code}/rematch/")
    assert again.places.count() == 1, "twice is the same as once"
    assert browser("bob").post(f"/games/{old.code}/rematch/")["Location"] == f"/games/{again.code}/"
    again.refresh_from_db()
    assert (again.status, again.places.count()) == (Game.Status.RUNNING, 2)
    for name in ("ada", "bob"):  # an old page is still open
        assert browser(name).post(f"/games/{old.code}/rematch/")["Location"] == f"/games/{again.code}/"
    assert Game.objects.filter(rematch_of=old).count() == 1


def test_against_bots_a_rematch_begins_at_once() -> None:
    old = finished("ada", bots=("greedy", "random"))
    answer = Api("ada").post(f"games/{old.code}/rematch/")
    assert answer.status_code == 201
    assert answer.json()["status"] == "running"
    assert sorted(seat["bot"] or "" for seat in answer.json()["seats"]) == ["", "greedy", "random"]


@pytest.mark.parametrize("order", ["as-joined", "shuffled"])
def test_a_rematch_of_pairs_has_the_same_pairs(order: str) -> None:
    old = finished("ada", "bob", bots=("greedy", "random"), mode="pairs", order=order)
    again = invitations.rematch(player=player("bob"), code=old.code, now=timezone.now())
    invitations.rematch(player=player("ada"), code=old.code, now=timezone.now())
    again.refresh_from_db()
    assert again.status == Game.Status.RUNNING

    def pairs_of(game: Game) -> set[frozenset[str]]:
        names: dict[int, set[str]] = {1: set(), 2: set()}
        for place in game.places.select_related("player"):
            side = sides_of("pairs", 4)[place.number or 0]
            names[side].add(place.player.name if place.player else place.bot)
        return {frozenset(side) for side in names.values()}

    assert pairs_of(again) == pairs_of(old)


def test_who_declined_the_rematch_may_still_come() -> None:
    old = finished("ada", "bob")
    again = invitations.rematch(player=player("ada"), code=old.code, now=NOW)
    invitations.decline(player=player("bob"), code=again.code, now=NOW)
    invitations.rematch(player=player("bob"), code=old.code, now=NOW)
    again.refresh_from_db()
    assert again.status == Game.Status.RUNNING


def test_a_rematch_that_began_without_somebody_says_so() -> None:
    old = finished("ada", "bob")
    again = invitations.rematch(player=player("ada"), code=old.code, now=NOW)
    invitations.decline(player=player("bob"), code=again.code, now=NOW)
    lobby.add_bot(player=player("ada"), code=again.code, policy="greedy", now=NOW)
    with pytest.raises(Conflict):
        invitations.rematch(player=player("bob"), code=old.code, now=NOW)
    assert "To the rematch" not in page_of(browser("bob"), old.code)
    assert "To the rematch" in page_of(browser("ada"), old.code)


def test_a_rematch_that_waited_too_long_is_followed_by_another() -> None:
    old = finished("ada", "bob")
    first = invitations.rematch(player=player("ada"), code=old.code, now=NOW)
    again = invitations.rematch(player=player("bob"), code=old.code, now=first.expires_at)
    assert again.pk != first.pk
    assert again.places.get().player == player("bob")
    first.refresh_from_db()
    assert first.status == Game.Status.CANCELLED


def seed_form(client: Client, code: str) -> dict[str, str]:
    form = re.search(
        rf'<form[^>]*action="/games/{code}/rematch/".*?</form>', page_of(client, code), re.DOTALL
    )
    assert form
    fields = dict(re.findall(r'name="(offer|commitment)" value="([^"]+)"', form[0]))
    assert len(fields) == 1
    return fields


def test_the_seeds_of_a_rematch_come_after_its_commitment() -> None:
    old, ada, bob = finished("ada", "bob"), browser("ada"), browser("bob")
    early = seed_form(bob, old.code)
    offer = seed_form(ada, old.code)
    assert "offer" in early
    ada.post(f"/games/{old.code}/rematch/", offer | {"client_seed": "ada's"})
    again = Game.objects.get(rematch_of=old)
    assert offer["offer"].endswith(again.commitment)
    assert again.places.get().client_seed == "ada's"
    seen = seed_form(bob, old.code)
    assert seen == {"commitment": again.commitment}
    bob.post(f"/games/{old.code}/rematch/", seen | {"client_seed": "bob's"})
    assert set(again.places.values_list("client_seed", flat=True)) == {"ada's", "bob's"}


def test_a_seed_for_another_commitment_is_not_used() -> None:
    old, ada, bob = finished("ada", "bob"), browser("ada"), browser("bob")
    early = seed_form(bob, old.code)
    ada.post(f"/games/{old.code}/rematch/", seed_form(ada, old.code))
    bob.post(f"/games/{old.code}/rematch/", early | {"client_seed": "bob's"})
    again = Game.objects.get(rematch_of=old)
    assert again.status == Game.Status.RUNNING
    assert set(again.places.values_list("client_seed", flat=True)) == {"1", "2"}


def test_who_was_seated_by_a_rematch_brings_a_seed_once() -> None:
    old = finished("ada", "bob")
    code = Api("ada").post(f"games/{old.code}/rematch/").json()["id"]
    assert Api("ada").post(f"games/{code}/join/").json()["code"] == "already-joined"
    assert Api("ada").post(f"games/{code}/join/", {"client_seed": "mine"}).status_code == 200
    assert Api("ada").post(f"games/{code}/join/", {"client_seed": "other"}).json()["code"] == "already-joined"
    assert Game.objects.get(code=code).places.get().client_seed == "mine"


# ---------------------------------------------------------------------------------------- bots are no company


def test_with_bots_alone_nobody_is_offered_to_talk_or_to_pause() -> None:
    game = game_of("ada", bots=("greedy",))
    text = page_of(browser("ada"), game.code)
    assert f"/games/{game.code}/say/" not in text
    assert f"/games/{game.code}/pause/" not in text
    together = game_of("ada", "bob", bots=("greedy",))
    text = page_of(browser("ada"), together.code)
    assert f"/games/{together.code}/say/" in text
    assert f"/games/{together.code}/pause/" in text


def test_programs_are_told_why() -> None:
    game, api = game_of("ada", bots=("greedy",)), Api("ada")
    said = api.post(f"games/{game.code}/chat/", {"text": "hello"})
    assert (said.status_code, said.json()["code"]) == (409, "only-bots")
    until = (timezone.now() + timedelta(days=2)).isoformat()
    paused = api.post(f"games/{game.code}/pause/", {"until": until})
    assert (paused.status_code, paused.json()["code"]) == (409, "only-bots")
    assert not Message.objects.exists()
    assert not Pause.objects.exists()


def test_while_a_game_waits_somebody_may_come_who_reads_it() -> None:
    game = lobby.create(player=player("ada"), now=NOW)
    lobby.join(player=player("ada"), code=game.code, now=NOW)
    assert social.say(player=player("ada"), code=game.code, text="hello", now=NOW).text == "hello"


def test_who_is_left_with_bots_reads_what_was_said_and_lets_the_clocks_run_again() -> None:
    game = game_of("ada", "bob", bots=("greedy",))
    social.say(player=player("bob"), code=game.code, text="good luck", now=NOW)
    pauses.propose(player=player("bob"), code=game.code, until=NOW + timedelta(days=9), now=NOW)
    pauses.agree(player=player("ada"), code=game.code, now=NOW)
    game.places.filter(player=player("bob")).update(player=None)
    text = page_of(browser("ada"), game.code)
    assert "good luck" in text
    assert f"/games/{game.code}/say/" not in text
    assert pauses.propose(player=player("ada"), code=game.code, until=NOW, now=NOW) is None
    game.refresh_from_db()
    assert game.paused_until == NOW


# ------------------------------------------------------------------------------------ guests, solo, no script


def test_a_guest_is_not_their_own_opponent() -> None:
    client = Client()
    page = client.get("/").content.decode()
    offer = re.search(r'name="offer" value="([^"]+)"', page)
    assert offer
    client.post("/play-now/", {"offer": offer[1]})
    guest = Player.objects.get(guest=True)
    answer = client.get("/games/")
    [line] = [*answer.context["turns"], *answer.context["running"]]
    assert guest.name not in line["with"]
    assert line["with"] == "greedy bot"
    assert line["sits"]
    game = Game.objects.get()
    house.resign(code=game.code, seat=game.places.get(player=guest).number or 0, now=timezone.now())
    [line] = client.get("/games/").context["finished"]
    assert (line["with"], line["ending"]) == ("greedy bot", "lost")
    assert "<small>you</small>" in page_of(client, game.code)


def lost_solo() -> Game:
    game = game_of("ada", mode="solo")
    turns.play(player=player("ada"), code=game.code, text="resign", seq=None, key="", now=NOW)
    game.refresh_from_db()
    return game


def test_a_solo_match_that_is_lost_is_called_lost() -> None:
    game = lost_solo()
    for client in (browser("ada"), Client()):
        text = page_of(client, game.code)
        assert "<h1>The solo match is lost</h1>" in text
        assert "obody won" not in text
        assert "The game is over: the solo match is lost." in text


def test_a_draw_is_still_nobodys() -> None:
    said = story._game_over({"winner": None, "totals": {"1": 24, "2": 24}}, told.Words())
    assert said == "The game is over: nobody won."


def test_a_page_promises_to_notice_moves_only_if_its_script_runs() -> None:
    game = game_of("ada", "bob")
    waiting = {1, 2} - set(selectors.game_for(None, game.code).view["to_act"])
    name = game.places.get(number=waiting.pop()).player
    for client in (browser(name.name if name else ""), Client()):
        text = page_of(client, game.code)
        promise = re.search(r"<(\w+)([^>]*)>This page notices moves by itself\.</\1>", text)
        assert promise
        assert "hidden" in promise[2].split()
        assert f'<a data-script="without" href="/games/{game.code}/">Reload</a>' in text


@pytest.mark.django_db(transaction=True)
def test_both_who_ask_for_a_rematch_at_once_sit_in_one_game() -> None:
    old = finished("ada", "bob")
    people = [player("ada"), player("bob")]

    def ask(who: Player) -> str:
        try:
            return invitations.rematch(player=who, code=old.code, now=timezone.now()).code
        finally:
            connection.close()

    with ThreadPoolExecutor() as pool:
        codes = set(pool.map(ask, people))
    assert len(codes) == 1
    again = Game.objects.get(code=codes.pop())
    assert again.status == Game.Status.RUNNING
    assert set(again.places.values_list("player__name", flat=True)) == {"ada", "bob"}


def test_a_waiting_room_offers_only_what_can_be_done() -> None:
    code, ada = pairs(), browser("ada")
    for name in ("bob", "cleo"):
        invitations.invite(player=player("ada"), code=code, name=name, now=timezone.now())
    text = page_of(ada, code)
    assert f"/games/{code}/bot/" in text
    assert f"/games/{code}/invite/" in text
    invitations.invite(player=player("ada"), code=code, name="dirk", now=timezone.now())
    text = page_of(ada, code)
    assert "The last seats are kept for those you have invited." in text
    assert f"/games/{code}/bot/" not in text
    assert f"/games/{code}/invite/" not in text
    rated = lobby.create(player=player("ada"), now=timezone.now(), seats=3, rated=True)
    lobby.join(player=player("ada"), code=rated.code, now=timezone.now())
    text = page_of(ada, rated.code)
    assert f"/games/{rated.code}/bot/" not in text
    assert f"/games/{rated.code}/invite/" in text


def test_who_has_not_taken_a_seat_over_for_good_is_not_asked_about_an_8() -> None:
    game = game_of("ada", "bob")
    seat = game.places.get(player=player("bob")).number or 0
    house.change_player(code=game.code, seat=seat, player=player("cleo"), now=NOW)
    assert f"/games/{game.code}/eight/" not in page_of(browser("cleo"), game.code)
    assert f"/games/{game.code}/eight/" in page_of(browser("ada"), game.code)
