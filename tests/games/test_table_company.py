"""Tables tell the truth about company: rematches, bots, guests, solo, pages without script."""

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
from games.engine import narration, text
from games.engine.state import sides_of
from games.models import Game, Invitation, Message, Pause, Player
from games.services import invitations, lobby, pauses, social, system_games, turns
from games.services.errors import Conflict

from .cast import NOW, Api, browser, game_of, player

pytestmark = pytest.mark.django_db


def page_of(client: Client, code: str) -> str:
    answer = client.get(f"/games/{code}/")
    assert answer.status_code == 200
    return answer.content.decode()


def finished(*names: str, bots: tuple[str, ...] = (), **terms: Any) -> Game:
    """A game that all but the last side have resigned."""
    game = game_of(*names, bots=bots, **terms)
    for place in game.places.order_by("number"):
        assert place.number
        system_games.resign_seat(code=game.code, seat_no=place.number, now=NOW)
    game.refresh_from_db()
    assert game.status == Game.Status.OVER
    return game


# --------------------------------------------------------------------------------------------------- rematch


def test_whoever_asks_for_a_rematch_sits_in_it_and_the_others_are_invited() -> None:
    old = finished("ada", "bob")
    ada, bob = browser("ada"), browser("bob")
    answer = ada.post(f"/games/{old.code}/rematch/", seed_form(ada, old.code))
    again = Game.objects.get(rematch_of=old)
    assert answer["Location"] == f"/games/{again.code}/"
    assert [place.player.name for place in again.places.all() if place.player] == ["ada"]
    assert Invitation.objects.get(game=again).player == player("bob")
    ada.post(f"/games/{old.code}/rematch/")
    assert again.places.count() == 1, "twice is the same as once"
    seen = seed_form(bob, old.code)
    assert bob.post(f"/games/{old.code}/rematch/", seen)["Location"] == f"/games/{again.code}/"
    again.refresh_from_db()
    assert (again.status, again.places.count()) == (Game.Status.RUNNING, 2)
    for name in ("ada", "bob"):  # an old page is still open
        assert browser(name).post(f"/games/{old.code}/rematch/")["Location"] == f"/games/{again.code}/"
    assert Game.objects.filter(rematch_of=old).count() == 1


def test_against_bots_a_rematch_begins_at_once_on_the_page_that_showed_its_commitment() -> None:
    old, ada = finished("ada", bots=("greedy", "random")), browser("ada")
    ada.post(f"/games/{old.code}/rematch/", seed_form(ada, old.code) | {"client_seed": "mine"})
    again = Game.objects.get(rematch_of=old)
    assert again.status == Game.Status.RUNNING
    assert sorted(again.places.values_list("bot", flat=True)) == ["", "greedy", "random"]
    assert again.places.get(player=player("ada")).client_seed == "mine"


def test_a_program_that_asks_for_a_rematch_against_bots_starts_it_with_a_seed() -> None:
    old, ada = finished("ada", bots=("greedy", "random")), Api("ada")
    answer = ada.post(f"games/{old.code}/rematch/")
    assert answer.status_code == 201
    assert answer.json()["status"] == "open"
    assert sorted(seat["bot"] for seat in answer.json()["seats"]) == ["greedy", "random"]
    code = answer.json()["id"]
    assert ada.post(f"games/{old.code}/rematch/").json()["id"] == code, "twice is the same as once"
    started = ada.post(f"games/{code}/join/", {"client_seed": "mine"}).json()
    assert started["status"] == "running"
    assert "mine" in Game.objects.get(code=code).places.values_list("client_seed", flat=True)


def test_programs_that_ask_for_one_rematch_both_bring_their_seeds() -> None:
    old, ada, bob = finished("ada", "bob"), Api("ada"), Api("bob")
    first, second = (api.post(f"games/{old.code}/rematch/").json() for api in (ada, bob))
    assert (first["id"], first["status"], first["seats"]) == (second["id"], "open", [])
    assert second["status"] == "open"
    shown = {"commitment": second["fairness"]["commitment"], "client_seed": "bob's"}
    for wrong in ({"commitment": old.commitment}, {"commitment": ""}):
        refused = bob.post(f"games/{old.code}/rematch/", shown | wrong)
        assert (refused.status_code, refused.json()["code"]) == (409, "no-offer")
    assert bob.post(f"games/{old.code}/rematch/", shown).json()["status"] == "open"
    assert ada.post(f"games/{first['id']}/join/", {"client_seed": "ada's"}).json()["status"] == "running"
    again = Game.objects.get(rematch_of=old)
    assert list(again.places.order_by("joined").values_list("client_seed", flat=True)) == ["bob's", "ada's"]


@pytest.mark.parametrize("names", [("ada", "bob"), ("bob", "ada")])
@pytest.mark.parametrize("asked_by", ["page", "program"])
@pytest.mark.parametrize("order", ["as-joined", "shuffled"])
def test_a_rematch_of_pairs_has_the_same_pairs(order: str, asked_by: str, names: tuple[str, str]) -> None:
    old = finished("ada", "bob", bots=("greedy", "random"), mode="pairs", order=order)
    bob = browser("bob")
    if asked_by == "page":
        bob.post(f"/games/{old.code}/rematch/", seed_form(bob, old.code))
    again = invitations.request_rematch(player=player("bob"), code=old.code, now=timezone.now())
    sit_down(again, *(["ada"] if asked_by == "page" else names))
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
    again = invitations.request_rematch(player=player("ada"), code=old.code, now=timezone.now())
    sit_down(again, "ada")
    invitations.decline_invitation(player=player("bob"), code=again.code, now=timezone.now())
    asked = Api("bob").post(f"games/{old.code}/rematch/")
    assert (asked.status_code, asked.json()["status"]) == (201, "open")
    assert Invitation.objects.filter(game=again, player=player("bob"), answered="").count() == 1
    assert Api("bob").post(f"games/{again.code}/join/").json()["status"] == "running"


def test_who_declined_the_rematch_may_still_come_from_the_page() -> None:
    old, bob = finished("ada", "bob"), browser("bob")
    again = invitations.request_rematch(player=player("ada"), code=old.code, now=timezone.now())
    sit_down(again, "ada")
    invitations.decline_invitation(player=player("bob"), code=again.code, now=timezone.now())
    bob.post(f"/games/{old.code}/rematch/", seed_form(bob, old.code))
    again.refresh_from_db()
    assert again.status == Game.Status.RUNNING


def test_who_declined_the_rematch_finds_no_seat_once_all_are_kept_for_others() -> None:
    old = finished("ada", "bob")
    again = invitations.request_rematch(player=player("ada"), code=old.code, now=timezone.now())
    invitations.decline_invitation(player=player("bob"), code=again.code, now=timezone.now())
    lobby.add_bot(player=player("ada"), code=again.code, policy="greedy", now=timezone.now())
    asked = Api("bob").post(f"games/{old.code}/rematch/")
    assert (asked.status_code, asked.json()["code"]) == (409, "full")
    assert not Invitation.objects.filter(game=again, answered="").exists()


def test_a_rematch_that_began_without_somebody_says_so() -> None:
    old = finished("ada", "bob")
    again = invitations.request_rematch(player=player("ada"), code=old.code, now=NOW)
    lobby.join_game(player=player("ada"), code=again.code, now=NOW)
    invitations.decline_invitation(player=player("bob"), code=again.code, now=NOW)
    lobby.add_bot(player=player("ada"), code=again.code, policy="greedy", now=NOW)
    with pytest.raises(Conflict):
        invitations.request_rematch(player=player("bob"), code=old.code, now=NOW)
    assert "To the rematch" not in page_of(browser("bob"), old.code)
    assert "To the rematch" in page_of(browser("ada"), old.code)


def test_a_rematch_that_waited_too_long_is_followed_by_another() -> None:
    old = finished("ada", "bob")
    first = invitations.request_rematch(player=player("ada"), code=old.code, now=NOW)
    again = invitations.request_rematch(player=player("bob"), code=old.code, now=first.expires_at)
    assert again.pk != first.pk
    assert again.creator == player("bob")
    first.refresh_from_db()
    assert first.status == Game.Status.CANCELLED


def sit_down(game: Game, *names: str) -> None:
    for name in names:
        lobby.join_game(player=player(name), code=game.code, now=timezone.now())


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


def test_a_seed_for_another_commitment_starts_nothing_and_may_come_again() -> None:
    old, ada, bob = finished("ada", "bob"), browser("ada"), browser("bob")
    early = seed_form(bob, old.code)
    ada.post(f"/games/{old.code}/rematch/", seed_form(ada, old.code))
    answer = bob.post(f"/games/{old.code}/rematch/", early | {"client_seed": "bob's"}, follow=True)
    again = Game.objects.get(rematch_of=old)
    assert "sealed with another number" in answer.content.decode()
    assert again.commitment in answer.content.decode()
    assert (again.status, again.places.count()) == (Game.Status.OPEN, 1)
    bob.post(f"/games/{old.code}/rematch/", seed_form(bob, old.code) | {"client_seed": "bob's"})
    again.refresh_from_db()
    assert again.status == Game.Status.RUNNING
    assert again.places.get(player=player("bob")).client_seed == "bob's"


def test_an_older_page_without_a_script_leads_to_the_table_that_shows_the_commitment() -> None:
    old, ada, bob = finished("ada", "bob"), browser("ada"), browser("bob")
    early = seed_form(bob, old.code)
    ada.post(f"/games/{old.code}/rematch/", seed_form(ada, old.code))
    answer = bob.post(f"/games/{old.code}/rematch/", early, follow=True)
    again = Game.objects.get(rematch_of=old)
    assert (again.status, again.places.count()) == (Game.Status.OPEN, 1)
    assert again.commitment in answer.content.decode()
    assert f'action="/games/{again.code}/join/"' in answer.content.decode()


def test_who_asks_for_a_rematch_by_a_program_brings_a_seed_once() -> None:
    old = finished("ada", "bob")
    code = Api("ada").post(f"games/{old.code}/rematch/").json()["id"]
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
    game = lobby.create_game(player=player("ada"), now=NOW)
    lobby.join_game(player=player("ada"), code=game.code, now=NOW)
    assert (
        social.post_chat_message(player=player("ada"), code=game.code, text="hello", now=NOW).text == "hello"
    )


def test_who_is_left_with_bots_reads_what_was_said_and_lets_the_clocks_run_again() -> None:
    game = game_of("ada", "bob", bots=("greedy",))
    social.post_chat_message(player=player("bob"), code=game.code, text="good luck", now=NOW)
    pauses.propose_pause(player=player("bob"), code=game.code, until=NOW + timedelta(days=9), now=NOW)
    pauses.agree_to_pause(player=player("ada"), code=game.code, now=NOW)
    game.places.filter(player=player("bob")).update(player=None)
    text = page_of(browser("ada"), game.code)
    assert "good luck" in text
    assert f"/games/{game.code}/say/" not in text
    assert pauses.propose_pause(player=player("ada"), code=game.code, until=NOW, now=NOW) is None
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
    system_games.resign_seat(
        code=game.code, seat_no=game.places.get(player=guest).number or 0, now=timezone.now()
    )
    [line] = client.get("/games/").context["finished"]
    assert (line["with"], line["ending"]) == ("greedy bot", "lost")
    assert "<small>you</small>" in page_of(client, game.code)


def lost_solo() -> Game:
    game = game_of("ada", mode="solo")
    turns.play_action(player=player("ada"), code=game.code, text="resign", seq=None, key="", now=NOW)
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
    said = narration._narrate_game_over({"winner": None, "totals": {"1": 24, "2": 24}}, text.GameTranslator())
    assert said == "The game is over: nobody won."


def test_a_page_promises_to_notice_moves_only_if_its_script_runs() -> None:
    game = game_of("ada", "bob")
    waiting = {1, 2} - set(selectors.load_view_for(None, game.code).view["to_act"])
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
            return invitations.request_rematch(player=who, code=old.code, now=timezone.now()).code
        finally:
            connection.close()

    with ThreadPoolExecutor() as pool:
        codes = set(pool.map(ask, people))
    assert len(codes) == 1
    again = Game.objects.get(code=codes.pop())
    assert (again.status, again.places.count()) == (Game.Status.OPEN, 0)
    sit_down(again, "ada", "bob")
    again.refresh_from_db()
    assert again.status == Game.Status.RUNNING
    assert set(again.places.values_list("player__name", flat=True)) == {"ada", "bob"}


def test_who_has_not_taken_a_seat_over_for_good_is_not_asked_about_an_8() -> None:
    game = game_of("ada", "bob")
    seat = game.places.get(player=player("bob")).number or 0
    system_games.replace_player(code=game.code, seat_no=seat, player=player("cleo"), now=NOW)
    assert f"/games/{game.code}/eight/" not in page_of(browser("cleo"), game.code)
    assert f"/games/{game.code}/eight/" in page_of(browser("ada"), game.code)
