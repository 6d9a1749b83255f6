"""Tables with rematches, bots, guests or one player, with and without scripts."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from accounts.models import Player
from common.service_errors import Conflict
from games import selectors
from games.bot_names import choose_given_name
from games.engine import narration, text
from games.engine.state import sides_of
from games.models import Game, Invitation, Message, Pause
from games.services import invitations, lobby, pauses, social, system_games, turns
from tests.factories.cast import NOW, Api, open_browser, player, start_cast_game
from tests.factories.events import publish_tournament
from tests.factories.leagues import join_league
from tests.markup import normalise_html

pytestmark = pytest.mark.django_db


def read_game_page(client: Client, code: str) -> str:
    answer = client.get(f"/games/{code}/")
    assert answer.status_code == 200
    return normalise_html(answer.content.decode())


def finish_game(*names: str, bots: tuple[str, ...] = (), **terms: Any) -> Game:
    """Start a game and resign all sides but the last."""
    game = start_cast_game(*names, bots=bots, **terms)
    for place in game.seats.order_by("seat_no"):
        assert place.seat_no
        system_games.resign_seat(code=game.code, seat_no=place.seat_no, now=NOW)
    game.refresh_from_db()
    assert game.status == Game.Status.OVER
    return game


# --------------------------------------------------------------------------------------------------- rematch


def test_whoever_asks_for_a_rematch_sits_in_it_and_the_others_are_invited() -> None:
    old = finish_game("ada", "bob")
    ada, bob = open_browser("ada"), open_browser("bob")
    answer = ada.post(f"/games/{old.code}/rematch/", read_seed_form(ada, old.code))
    rematch = Game.objects.get(rematch_of=old)
    assert answer["Location"] == f"/games/{rematch.code}/"
    assert [place.player.name for place in rematch.seats.all() if place.player] == ["ada"]
    assert Invitation.objects.get(game=rematch).player == player("bob")
    ada.post(f"/games/{old.code}/rematch/")
    assert rematch.seats.count() == 1, "twice is the same as once"
    form = read_seed_form(bob, old.code)
    assert bob.post(f"/games/{old.code}/rematch/", form)["Location"] == f"/games/{rematch.code}/"
    rematch.refresh_from_db()
    assert (rematch.status, rematch.seats.count()) == (Game.Status.RUNNING, 2)
    for name in ("ada", "bob"):  # from a page that was opened earlier
        assert open_browser(name).post(f"/games/{old.code}/rematch/")["Location"] == f"/games/{rematch.code}/"
    assert Game.objects.filter(rematch_of=old).count() == 1


def test_against_bots_a_rematch_begins_at_once_on_the_page_that_showed_its_commitment() -> None:
    old, ada = finish_game("ada", bots=("greedy", "random")), open_browser("ada")
    ada.post(f"/games/{old.code}/rematch/", read_seed_form(ada, old.code) | {"client_seed": "mine"})
    rematch = Game.objects.get(rematch_of=old)
    assert rematch.status == Game.Status.RUNNING
    assert sorted(rematch.seats.values_list("bot_policy", flat=True)) == ["", "greedy", "random"]
    assert rematch.seats.get(player=player("ada")).client_seed == "mine"


def test_a_program_that_asks_for_a_rematch_against_bots_starts_it_with_a_seed() -> None:
    old, ada = finish_game("ada", bots=("greedy", "random")), Api("ada")
    answer = ada.post(f"games/{old.code}/rematch/")
    assert answer.status_code == 201
    assert answer.json()["status"] == "open"
    assert sorted(seat["bot"] for seat in answer.json()["seats"]) == ["greedy", "random"]
    code = answer.json()["id"]
    assert ada.post(f"games/{old.code}/rematch/").json()["id"] == code, "twice is the same as once"
    started = ada.post(f"games/{code}/join/", {"client_seed": "mine"}).json()
    assert started["status"] == "running"
    assert "mine" in Game.objects.get(code=code).seats.values_list("client_seed", flat=True)


def test_programs_that_ask_for_one_rematch_both_bring_their_seeds() -> None:
    old, ada, bob = finish_game("ada", "bob"), Api("ada"), Api("bob")
    first, second = (api.post(f"games/{old.code}/rematch/").json() for api in (ada, bob))
    assert (first["id"], first["status"], first["seats"]) == (second["id"], "open", [])
    assert second["status"] == "open"
    form = {"commitment": second["fairness"]["commitment"], "client_seed": "bob's"}
    for wrong in ({"commitment": old.commitment}, {"commitment": ""}):
        refused = bob.post(f"games/{old.code}/rematch/", form | wrong)
        assert (refused.status_code, refused.json()["code"]) == (409, "no-offer")
    assert bob.post(f"games/{old.code}/rematch/", form).json()["status"] == "open"
    assert ada.post(f"games/{first['id']}/join/", {"client_seed": "ada's"}).json()["status"] == "running"
    rematch = Game.objects.get(rematch_of=old)
    assert list(rematch.seats.order_by("join_order").values_list("client_seed", flat=True)) == [
        "bob's",
        "ada's",
    ]


@pytest.mark.parametrize("names", [("ada", "bob"), ("bob", "ada")])
@pytest.mark.parametrize("asked_by", ["page", "program"])
@pytest.mark.parametrize("order", ["as-joined", "shuffled"])
def test_a_rematch_of_pairs_has_the_same_pairs(order: str, asked_by: str, names: tuple[str, str]) -> None:
    old = finish_game("ada", "bob", bots=("greedy", "random"), mode="pairs", seat_order=order)
    bob = open_browser("bob")
    if asked_by == "page":
        bob.post(f"/games/{old.code}/rematch/", read_seed_form(bob, old.code))
    rematch = invitations.request_rematch(player=player("bob"), code=old.code, now=timezone.now())
    seat_players(rematch, *(["ada"] if asked_by == "page" else names))
    rematch.refresh_from_db()
    assert rematch.status == Game.Status.RUNNING

    def list_pairs(game: Game) -> set[frozenset[str]]:
        names: dict[int, set[str]] = {1: set(), 2: set()}
        for place in game.seats.select_related("player"):
            side = sides_of("pairs", 4)[place.seat_no or 0]
            names[side].add(place.player.name if place.player else place.bot_policy)
        return {frozenset(side) for side in names.values()}

    assert list_pairs(rematch) == list_pairs(old)


def test_who_declined_the_rematch_may_still_come() -> None:
    old = finish_game("ada", "bob")
    rematch = invitations.request_rematch(player=player("ada"), code=old.code, now=timezone.now())
    seat_players(rematch, "ada")
    invitations.decline_invitation(player=player("bob"), code=rematch.code, now=timezone.now())
    response = Api("bob").post(f"games/{old.code}/rematch/")
    assert (response.status_code, response.json()["status"]) == (201, "open")
    assert Invitation.objects.filter(game=rematch, player=player("bob"), status="").count() == 1
    assert Api("bob").post(f"games/{rematch.code}/join/").json()["status"] == "running"


def test_who_declined_the_rematch_may_still_come_from_the_page() -> None:
    old, bob = finish_game("ada", "bob"), open_browser("bob")
    rematch = invitations.request_rematch(player=player("ada"), code=old.code, now=timezone.now())
    seat_players(rematch, "ada")
    invitations.decline_invitation(player=player("bob"), code=rematch.code, now=timezone.now())
    bob.post(f"/games/{old.code}/rematch/", read_seed_form(bob, old.code))
    rematch.refresh_from_db()
    assert rematch.status == Game.Status.RUNNING


def test_who_declined_the_rematch_finds_no_seat_once_all_are_kept_for_others() -> None:
    old = finish_game("ada", "bob")
    rematch = invitations.request_rematch(player=player("ada"), code=old.code, now=timezone.now())
    invitations.decline_invitation(player=player("bob"), code=rematch.code, now=timezone.now())
    lobby.add_bot(player=player("ada"), code=rematch.code, policy="greedy", now=timezone.now())
    response = Api("bob").post(f"games/{old.code}/rematch/")
    assert (response.status_code, response.json()["code"]) == (409, "full")
    assert not Invitation.objects.filter(game=rematch, status="").exists()


def test_a_rematch_that_began_without_somebody_says_so() -> None:
    old = finish_game("ada", "bob")
    rematch = invitations.request_rematch(player=player("ada"), code=old.code, now=NOW)
    lobby.join_game(player=player("ada"), code=rematch.code, now=NOW)
    invitations.decline_invitation(player=player("bob"), code=rematch.code, now=NOW)
    lobby.add_bot(player=player("ada"), code=rematch.code, policy="greedy", now=NOW)
    with pytest.raises(Conflict):
        invitations.request_rematch(player=player("bob"), code=old.code, now=NOW)
    assert "Open the rematch" not in read_game_page(open_browser("bob"), old.code)
    assert "Open the rematch" in read_game_page(open_browser("ada"), old.code)


def test_a_rematch_that_waited_too_long_is_followed_by_another() -> None:
    old = finish_game("ada", "bob")
    first = invitations.request_rematch(player=player("ada"), code=old.code, now=NOW)
    rematch = invitations.request_rematch(player=player("bob"), code=old.code, now=first.expires_at)
    assert rematch.pk != first.pk
    assert rematch.creator == player("bob")
    first.refresh_from_db()
    assert first.status == Game.Status.CANCELLED


def seat_players(game: Game, *names: str) -> None:
    for name in names:
        lobby.join_game(player=player(name), code=game.code, now=timezone.now())


def read_seed_form(client: Client, code: str) -> dict[str, str]:
    form = re.search(
        rf'<form[^>]*action="/games/{code}/rematch/".*?</form>', read_game_page(client, code), re.DOTALL
    )
    assert form
    fields = dict(re.findall(r'name="(offer|commitment)" value="([^"]+)"', form[0]))
    assert len(fields) == 1
    return fields


def test_the_seeds_of_a_rematch_come_after_its_commitment() -> None:
    old, ada, bob = finish_game("ada", "bob"), open_browser("ada"), open_browser("bob")
    early = read_seed_form(bob, old.code)
    offer = read_seed_form(ada, old.code)
    assert "offer" in early
    ada.post(f"/games/{old.code}/rematch/", offer | {"client_seed": "ada's"})
    rematch = Game.objects.get(rematch_of=old)
    assert offer["offer"].endswith(rematch.commitment)
    assert rematch.seats.get().client_seed == "ada's"
    form = read_seed_form(bob, old.code)
    assert form == {"commitment": rematch.commitment}
    bob.post(f"/games/{old.code}/rematch/", form | {"client_seed": "bob's"})
    assert set(rematch.seats.values_list("client_seed", flat=True)) == {"ada's", "bob's"}


def test_a_seed_for_another_commitment_starts_nothing_and_leads_to_the_table_that_shows_the_right_one() -> (
    None
):
    old, ada, bob = finish_game("ada", "bob"), open_browser("ada"), open_browser("bob")
    early = read_seed_form(bob, old.code)
    ada.post(f"/games/{old.code}/rematch/", read_seed_form(ada, old.code))
    answer = bob.post(f"/games/{old.code}/rematch/", early | {"client_seed": "bob's"}, follow=True)
    rematch = Game.objects.get(rematch_of=old)
    assert answer.redirect_chain == [(f"/games/{rematch.code}/", 302)]
    assert "notice error" not in answer.content.decode()
    assert rematch.commitment in answer.content.decode()
    assert f'action="/games/{rematch.code}/join/"' in answer.content.decode()
    assert (rematch.status, rematch.seats.count()) == (Game.Status.OPEN, 1)
    bob.post(f"/games/{old.code}/rematch/", read_seed_form(bob, old.code) | {"client_seed": "bob's"})
    rematch.refresh_from_db()
    assert rematch.status == Game.Status.RUNNING
    assert rematch.seats.get(player=player("bob")).client_seed == "bob's"


def test_an_older_page_without_a_script_leads_to_the_table_that_shows_the_commitment() -> None:
    old, ada, bob = finish_game("ada", "bob"), open_browser("ada"), open_browser("bob")
    early = read_seed_form(bob, old.code)
    ada.post(f"/games/{old.code}/rematch/", read_seed_form(ada, old.code))
    answer = bob.post(f"/games/{old.code}/rematch/", early, follow=True)
    rematch = Game.objects.get(rematch_of=old)
    assert (rematch.status, rematch.seats.count()) == (Game.Status.OPEN, 1)
    assert rematch.commitment in answer.content.decode()
    assert f'action="/games/{rematch.code}/join/"' in answer.content.decode()


def test_who_asks_for_a_rematch_by_a_program_brings_a_seed_once() -> None:
    old = finish_game("ada", "bob")
    code = Api("ada").post(f"games/{old.code}/rematch/").json()["id"]
    assert Api("ada").post(f"games/{code}/join/", {"client_seed": "mine"}).status_code == 200
    assert Api("ada").post(f"games/{code}/join/", {"client_seed": "other"}).json()["code"] == "already-joined"
    assert Game.objects.get(code=code).seats.get().client_seed == "mine"


# ------------------------------------------------------------------------------------------------------- bots


def test_with_bots_alone_nobody_is_offered_to_talk_or_to_pause() -> None:
    game = start_cast_game("ada", bots=("greedy",))
    text = read_game_page(open_browser("ada"), game.code)
    assert f"/games/{game.code}/say/" not in text
    assert f"/games/{game.code}/pause/" not in text
    bot_game = start_cast_game("ada", "bob", bots=("greedy",))
    text = read_game_page(open_browser("ada"), bot_game.code)
    assert f"/games/{bot_game.code}/say/" in text
    assert f"/games/{bot_game.code}/pause/" in text


def test_programs_get_the_reason() -> None:
    game, api = start_cast_game("ada", bots=("greedy",)), Api("ada")
    post_response = api.post(f"games/{game.code}/chat/", {"text": "hello"})
    assert (post_response.status_code, post_response.json()["code"]) == (409, "only-bots")
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
    game = start_cast_game("ada", "bob", bots=("greedy",))
    social.post_chat_message(player=player("bob"), code=game.code, text="good luck", now=NOW)
    pauses.propose_pause(player=player("bob"), code=game.code, until=NOW + timedelta(days=9), now=NOW)
    pauses.agree_to_pause(player=player("ada"), code=game.code, now=NOW)
    game.seats.filter(player=player("bob")).update(player=None)
    text = read_game_page(open_browser("ada"), game.code)
    assert "good luck" in text
    assert f"/games/{game.code}/say/" not in text
    assert pauses.propose_pause(player=player("ada"), code=game.code, until=NOW, now=NOW) is None
    game.refresh_from_db()
    assert game.paused_until == NOW


# ----------------------------------------------------------------------------------- guests, solo, no scripts


def test_a_guest_is_not_their_own_opponent() -> None:
    client = Client()
    page = client.get("/").content.decode()
    offer = re.search(r'name="offer" value="([^"]+)"', page)
    assert offer
    client.post("/play-now/", {"offer": offer[1]})
    guest = Player.objects.get(is_guest=True)
    answer = client.get("/games/")
    [line] = [*answer.context["turns"], *answer.context["running_games"]]
    assert guest.name not in line["other_names"]
    bot_text = f"{choose_given_name(line['code'], 2)} (greedy bot)"
    assert line["other_names"] == bot_text
    assert line["has_seat"]
    game = Game.objects.get()
    system_games.resign_seat(
        code=game.code, seat_no=game.seats.get(player=guest).seat_no or 0, now=timezone.now()
    )
    [line] = client.get("/games/").context["finished_games"]
    assert (line["other_names"], line["ending"]) == (bot_text, "lost")
    assert "<small>you</small>" in read_game_page(client, game.code)


def lose_solo_game() -> Game:
    game = start_cast_game("ada", mode="solo")
    turns.play_action(player=player("ada"), code=game.code, text="resign", seq=None, key="", now=NOW)
    game.refresh_from_db()
    return game


def test_a_solo_match_that_is_lost_is_called_lost() -> None:
    game = lose_solo_game()
    for client in (open_browser("ada"), Client()):
        text = read_game_page(client, game.code)
        assert "<h1>The solo match is lost</h1>" in text
        assert "obody won" not in text
        assert "The game is over." in text
        assert text.count("solo match is lost") == 1


def test_a_draw_is_still_nobodys() -> None:
    sentence = narration._narrate_game_over(
        {"winner": None, "totals": {"1": 24, "2": 24}}, text.GameTranslator()
    )
    assert sentence == "The game is over: nobody won."


@pytest.mark.parametrize("page", ["game", "games", "lobby", "tournament", "league"])
def test_a_page_promises_to_notice_changes_only_if_its_script_runs(page: str) -> None:
    game = start_cast_game("ada", "bob")
    waiting = {1, 2} - set(selectors.load_view_for(None, game.code).view["to_act"])
    name = game.seats.get(seat_no=waiting.pop()).player
    addresses = {"game": f"/games/{game.code}/", "games": "/games/", "lobby": "/lobby/?players=2"}
    if page == "tournament":
        addresses[page] = (
            f"/tournaments/{publish_tournament(organiser=player('host'), format='swiss', now=NOW).code}/"
        )
    elif page == "league":
        addresses[page] = f"/leagues/{join_league(organiser=player('host'), now=NOW).code}/"
    address = addresses[page]
    for client in (open_browser(name.name if name else ""), Client())[: 1 if page == "games" else 2]:
        answer = client.get(address)
        assert answer.status_code == 200
        text = normalise_html(answer.content.decode())
        promise = re.search(r"<(\w+)([^>]*)>This page updates itself\.</\1>", text)
        assert promise
        assert "hidden" in promise[2].split()
        assert re.search(rf'<a [^>]*data-script="without" href="{re.escape(address)}">Reload</a>', text)


@pytest.mark.django_db(transaction=True)
def test_both_who_ask_for_a_rematch_at_once_sit_in_one_game() -> None:
    old = finish_game("ada", "bob")
    people = [player("ada"), player("bob")]

    def request_rematch(who: Player) -> str:
        try:
            return invitations.request_rematch(player=who, code=old.code, now=timezone.now()).code
        finally:
            connection.close()

    with ThreadPoolExecutor() as pool:
        codes = set(pool.map(request_rematch, people))
    assert len(codes) == 1
    rematch = Game.objects.get(code=codes.pop())
    assert (rematch.status, rematch.seats.count()) == (Game.Status.OPEN, 0)
    seat_players(rematch, "ada", "bob")
    rematch.refresh_from_db()
    assert rematch.status == Game.Status.RUNNING
    assert set(rematch.seats.values_list("player__name", flat=True)) == {"ada", "bob"}


def test_who_has_not_taken_a_seat_over_for_good_is_not_asked_about_an_8() -> None:
    game = start_cast_game("ada", "bob")
    seat = game.seats.get(player=player("bob")).seat_no or 0
    system_games.replace_player(code=game.code, seat_no=seat, player=player("cleo"), now=NOW)
    assert f"/games/{game.code}/eight/" not in read_game_page(open_browser("cleo"), game.code)
    assert f"/games/{game.code}/eight/" in read_game_page(open_browser("ada"), game.code)
