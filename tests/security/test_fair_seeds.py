"""The server cannot choose a seed after it has seen a client seed: single games at every entry point.

test_fair_events.py covers tournaments and leagues.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import IntegrityError
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

import games
from accounts.models import Player
from accounts.services import retention
from games import lesson, seed_offers, signed_links
from games.engine import fairness
from games.models import Game, Invitation, Seat, SpentCommitment
from games.services import invitations, lobby, system_games
from tests.factories.cast import Api, open_browser, player
from tests.factories.open_games import create_open_game

pytestmark = pytest.mark.django_db
MINE = "a seed of mine"
TERMS = {"seats": "2", "time_control": "2d", "cards": "True", "chat": "on", "edition": "arcastudio-2.2"}
TERMS |= {"target": "24"}


def get_text(answer: Any) -> str:
    assert answer.status_code < 300, answer.content
    return str(answer.content.decode())


def read_offer(page: str) -> str:
    """Return the seed offer that the form of a page sends."""
    match = re.search(r'name="offer" value="([^"]+)"', page)
    assert match, page
    return match[1]


def get_game(answer: HttpResponse) -> Game:
    match = re.fullmatch(r"/games/(\w{12})/", answer.get("Location", ""))
    assert match, (answer.status_code, answer.get("Location"), answer.content[:500])
    return Game.objects.get(code=match[1])


# ----------------------------------------------------------------------------------------- every entry point


def start_from_first_page(client: Client, at: str = "/") -> tuple[str, Game]:
    page = get_text(client.get(at))
    return page, get_game(client.post("/play-now/", {"offer": read_offer(page), "client_seed": MINE}))


def start_as_nobody() -> tuple[str, Game]:
    return start_from_first_page(Client())


def start_as_guest() -> tuple[str, Game]:
    client = Client()
    start_from_first_page(client)
    return start_from_first_page(client)


def start_after_lesson() -> tuple[str, Game]:
    """The last step of the lesson offers a game."""
    steps = lesson.LESSONS["first"].steps
    client, last, done = Client(), len(steps), list[str]()
    for _action in range(5):
        page = get_text(client.get(f"/lesson/{last}/", {"played": ",".join(done)} if done else {}))
        if 'action="/play-now/"' in page:
            form = {"offer": read_offer(page), "client_seed": MINE}
            return page, get_game(client.post("/play-now/", form))
        done.append(lesson.list_lesson_actions(steps[-1], done)[0])
    raise AssertionError("the lesson does not end")


def start_by_form(**chosen: str) -> tuple[str, Game]:
    client = open_browser("ada")
    page = get_text(client.get("/games/new/"))
    form = TERMS | {"offer": read_offer(page), "client_seed": MINE, "key": "k"} | chosen
    return page, get_game(client.post("/games/new/", form))


def start_with_friend() -> tuple[str, Game]:
    player("bob")
    return start_by_form(preset="friend", who="bob")


def create_game_of_bob(**terms: Any) -> Game:
    return create_open_game("bob", client_seed="bob's", **terms)


def join_from_page(client: Client, game: Game, page: str) -> tuple[str, Game]:
    assert client.post(f"/games/{game.code}/join/", {"client_seed": MINE}).status_code == 302
    return page, game


def join_from_lobby() -> tuple[str, Game]:
    game, client = create_game_of_bob(), open_browser("ada")
    return join_from_page(client, game, get_text(client.get("/lobby/")))


def join_from_game_page() -> tuple[str, Game]:
    game, client = create_game_of_bob(), open_browser("ada")
    return join_from_page(client, game, get_text(client.get(f"/games/{game.code}/")))


def join_by_invitation() -> tuple[str, Game]:
    game, client = create_game_of_bob(private=True), open_browser("ada")
    invitations.invite_to_game(player=player("bob"), code=game.code, name="ada", now=timezone.now())
    return join_from_page(client, game, get_text(client.get("/games/")))


def join_by_mail() -> tuple[str, Game]:
    game, client = create_game_of_bob(private=True), open_browser("ada")
    invitations.invite_to_game(
        player=player("bob"), code=game.code, email="a@example.org", now=timezone.now()
    )
    at = f"/invitations/{signed_links.make_invitation_token(Invitation.objects.get().pk)}/"
    page = get_text(client.get(at))
    assert client.post(at, {"client_seed": MINE}).status_code == 302
    return page, game


def finish_game() -> Game:
    game = lobby.create_game(player=player("bob"), now=timezone.now())
    for name in ("bob", "ada"):
        lobby.join_game(player=player(name), code=game.code, now=timezone.now())
    system_games.resign_seat(code=game.code, seat_no=1, now=timezone.now())
    return game


def start_rematch() -> tuple[str, Game]:
    old, client = finish_game(), open_browser("ada")
    page = get_text(client.get(f"/games/{old.code}/"))
    form = re.search(rf'<form[^>]*action="/games/{old.code}/rematch/"[^>]*>', page)
    assert form
    assert "data-seed" in form[0]
    too_early = client.post(f"/games/{old.code}/rematch/", {"client_seed": "too early"})
    assert too_early["Location"] == f"/games/{old.code}/"
    assert not Game.objects.filter(rematch_of=old).exists()
    sent = {"offer": read_offer(page), "client_seed": MINE}
    return page, get_game(client.post(f"/games/{old.code}/rematch/", sent))


def start_requested_rematch() -> tuple[str, Game]:
    """The page of the second player shows the commitment of the existing game."""
    old, client = finish_game(), open_browser("ada")
    game = invitations.request_rematch(player=player("bob"), code=old.code, now=timezone.now())
    page = get_text(client.get(f"/games/{old.code}/"))
    form = {"commitment": game.commitment, "client_seed": MINE}
    return page, get_game(client.post(f"/games/{old.code}/rematch/", form))


def start_by_api() -> tuple[str, Game]:
    ada = Api("ada")
    assert ada.post("games/", {"seats": 2, "client_seed": "too early"}).status_code == 400
    answer = ada.post("games/", {"seats": 2})
    game = Game.objects.get(code=answer.json()["id"])
    assert not game.seats.exists()
    assert ada.post(f"games/{game.code}/join/", {"client_seed": MINE}).status_code == 200
    return get_text(answer), game


def join_by_api_from_list(path: str) -> tuple[str, Game]:
    game, ada = create_game_of_bob(private=path != "games/?status=open"), Api("ada")
    if game.private:
        invitations.invite_to_game(player=player("bob"), code=game.code, name="ada", now=timezone.now())
    answer = ada.get(path)
    assert ada.post(f"games/{game.code}/join/", {"client_seed": MINE}).status_code == 200
    return get_text(answer), game


def start_rematch_by_api() -> tuple[str, Game]:
    old, ada = finish_game(), Api("ada")
    too_early = ada.post(f"games/{old.code}/rematch/", {"client_seed": "too early"})
    assert (too_early.status_code, too_early.json()["code"]) == (409, "no-offer")
    assert not Game.objects.filter(rematch_of=old).exists()
    answer = ada.post(f"games/{old.code}/rematch/")
    game = Game.objects.get(code=answer.json()["id"])
    assert not game.seats.exists()
    assert ada.post(f"games/{game.code}/join/", {"client_seed": MINE}).status_code == 200
    return get_text(answer), game


def start_bot_rematch_by_api() -> tuple[str, Game]:
    """Nothing is dealt before the player can set a client seed, although only bots have to join."""
    old, ada = lobby.create_game(player=player("ada"), now=timezone.now()), Api("ada")
    lobby.join_game(player=player("ada"), code=old.code, now=timezone.now())
    lobby.add_bot(player=player("ada"), code=old.code, policy="greedy", now=timezone.now())
    system_games.resign_seat(code=old.code, seat_no=1, now=timezone.now())
    answer = ada.post(f"games/{old.code}/rematch/")
    game = Game.objects.get(code=answer.json()["id"])
    assert game.status == Game.Status.OPEN
    assert not game.seats.filter(player__isnull=False).exists()
    assert ada.post(f"games/{game.code}/join/", {"client_seed": MINE}).json()["status"] == "running"
    text = read_fairness_text(game)
    assert "published before anyone joined" in text
    assert BLIND in text
    return get_text(answer), game


def start_requested_rematch_by_api() -> tuple[str, Game]:
    old, ada = finish_game(), Api("ada")
    Api("bob").post(f"games/{old.code}/rematch/")
    answer = ada.post(f"games/{old.code}/rematch/")
    game = Game.objects.get(code=answer.json()["id"])
    assert not game.seats.exists()
    sent = {"commitment": answer.json()["fairness"]["commitment"], "client_seed": MINE}
    assert ada.post(f"games/{old.code}/rematch/", sent).status_code == 201
    return get_text(answer), game


ROUTES: dict[str, Callable[[], tuple[str, Game]]] = {
    "play now, nobody": start_as_nobody,
    "play now, a guest": start_as_guest,
    "play now, signed in": lambda: start_from_first_page(open_browser("ada")),
    "play now, after the lesson": start_after_lesson,
    "new game, a bot": lambda: start_by_form(preset="bot", bot="greedy"),
    "new game, three bots": lambda: start_by_form(preset="bot", bot="greedy", seats="4"),
    "new game, a friend": start_with_friend,
    "new game, open": lambda: start_by_form(preset="open"),
    "new game, solo": lambda: start_by_form(preset="solo"),
    "lobby": join_from_lobby,
    "table": join_from_game_page,
    "invited by name": join_by_invitation,
    "invited by mail": join_by_mail,
    "rematch": start_rematch,
    "rematch, asked for": start_requested_rematch,
    "API, made": start_by_api,
    "API, lobby": lambda: join_by_api_from_list("games/?status=open"),
    "API, invited": lambda: join_by_api_from_list("me/invitations/"),
    "API, rematch": start_rematch_by_api,
    "API, rematch with bots": start_bot_rematch_by_api,
    "API, rematch, asked for": start_requested_rematch_by_api,
}


@pytest.mark.parametrize("route", ROUTES)
def test_the_commitment_is_shown_before_the_seed_is_sent(route: str) -> None:
    shown_before, game = ROUTES[route]()
    assert game.commitment in shown_before
    assert game.committed_first
    assert Seat.objects.get(game=game, client_seed=MINE).bot_policy == ""
    seed = bytes(game.secrets.server_seed)
    assert fairness.compute_commitment(seed) == game.commitment
    assert seed.hex() not in shown_before


def test_every_place_that_makes_games_is_among_the_doors() -> None:
    """Every function that creates a game is listed here with the time at which its commitment is shown."""
    makers = {"lobby.create_game", "lobby.create_game_once", "lobby.make_game_once"}
    makers |= {"system_games.start_tournament_game", "bot_games.start_bot_game"}
    root = Path(games.__file__).parents[1]
    calls = set()
    for path in [*root.glob("games/**/*.py"), *root.glob("tournaments/**/*.py")]:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in makers:
                calls.add((path.relative_to(root).as_posix(), ast.unparse(node.func)))
    assert calls == {
        ("games/api/games.py", "lobby.create_game_once"),
        ("games/services/bot_games.py", "lobby.create_game"),
        ("games/services/challenges.py", "lobby.create_game"),
        ("games/services/challenges.py", "lobby.make_game_once"),
        ("games/services/invitations.py", "lobby.create_game"),
        ("games/services/system_games.py", "lobby.create_game"),
        ("games/web/create_game.py", "lobby.create_game"),
        ("games/web/create_game.py", "lobby.make_game_once"),
        ("games/web/play_now.py", "bot_games.start_bot_game"),
        ("tournaments/services/rounds.py", "system_games.start_tournament_game"),
    }


# -------------------------------------------------------------------------------------------- refused offers


def expect_refusals(client: Client, **form: str) -> tuple[HttpResponse, HttpResponse]:
    """Check that both forms for a new game refuse, and that nothing is created."""
    before = Game.objects.count(), Player.objects.count()
    now = client.post("/play-now/", form, follow=True)
    new = client.post("/games/new/", TERMS | {"preset": "bot", "bot": "greedy"} | form)
    assert (Game.objects.count(), Player.objects.count()) == before
    assert now.redirect_chain[-1][0] == "/"  # which shows a new commitment
    assert read_offer(now.content.decode())
    assert new.status_code == 422
    assert read_offer(new.content.decode()) != form.get("offer")
    return now, new


def test_a_seed_that_comes_before_a_commitment_is_refused() -> None:
    now, new = expect_refusals(open_browser("ada"), client_seed=MINE)
    for page in (now, new):
        assert "arrived before ours was sealed" in page.content.decode()


def test_an_offer_is_for_whoever_saw_it_for_a_time_and_as_it_is() -> None:
    ada, at = player("ada"), timezone.now()
    other_offer = seed_offers.make_offer(viewer_id=player("bob").pk, now=at)
    nobodys = seed_offers.make_offer(viewer_id=None, now=at)
    old = seed_offers.make_offer(viewer_id=ada.pk, now=at - seed_offers.OFFER_LIFETIME - timedelta(minutes=1))
    ahead = seed_offers.make_offer(viewer_id=ada.pk, now=at + timedelta(hours=1))
    good = seed_offers.make_offer(viewer_id=ada.pk, now=at).token
    issued, nonce, commitment = good.split(".")
    changed = [
        f"{int(issued) + 1}.{nonce}.{commitment}",
        f"{issued}.{nonce[:-1]}.{commitment}",
        f"{issued}.{nonce}.{fairness.compute_commitment(bytes(32))}",  # the commitment of a known seed
        f"{issued}.{nonce}.{commitment.upper()}",
        *("", ".", "..", "x", "٣.x.y", "9" * 500, f"{issued}.{nonce}", "1.é.é"),
    ]
    bad = [other_offer.token, nobodys.token, old.token, ahead.token, *changed]
    for token in bad:
        with pytest.raises(seed_offers.InvalidOffer):
            seed_offers.recover_offered_seed(token=token, viewer_id=ada.pk, now=at)
    for token in (other_offer.token, old.token, changed[2]):
        for page in expect_refusals(open_browser("ada"), offer=token, client_seed=MINE):
            assert "open too long" in page.content.decode()
    assert (
        fairness.compute_commitment(seed_offers.recover_offered_seed(token=good, viewer_id=ada.pk, now=at))
        == commitment
    )


def test_an_offer_outlives_a_new_key_of_the_site(settings: Any) -> None:
    at = timezone.now()
    offer = seed_offers.make_offer(viewer_id=None, now=at)
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another key, as long as one has to be in production, or longer"
    assert (
        fairness.compute_commitment(
            seed_offers.recover_offered_seed(token=offer.token, viewer_id=None, now=at)
        )
        == offer.commitment
    )
    settings.SECRET_KEY_FALLBACKS = []
    with pytest.raises(seed_offers.InvalidOffer):
        seed_offers.recover_offered_seed(token=offer.token, viewer_id=None, now=at)


def test_a_commitment_is_for_one_game() -> None:
    page, game = start_by_form(preset="bot", bot="greedy")
    ada, offer = open_browser("ada"), read_offer(page)
    form = TERMS | {"preset": "open", "offer": offer, "client_seed": MINE, "key": "k"}
    answer = ada.post("/games/new/", form)  # after going back, with other options
    assert answer.status_code == 422
    assert "You have already created a game from this page." in answer.content.decode()
    assert Game.objects.count() == 1
    second_response = ada.post("/games/new/", form | {"offer": read_offer(answer.content.decode())})
    assert get_game(second_response).commitment != game.commitment
    with pytest.raises(IntegrityError):
        SpentCommitment.objects.create(
            commitment=game.commitment, game=get_game(second_response), spent_at=timezone.now()
        )


def test_a_form_that_is_sent_twice_makes_one_game() -> None:
    page, game = start_by_form(preset="bot", bot="greedy")
    form = TERMS | {"preset": "bot", "bot": "greedy", "offer": read_offer(page), "key": "k"}
    assert get_game(open_browser("ada").post("/games/new/", form | {"client_seed": "another"})) == game
    assert Game.objects.count() == 1


def test_a_button_that_is_pressed_twice_leads_to_the_game_it_made() -> None:
    client = open_browser("ada")
    page, game = start_from_first_page(client)
    form = {"offer": read_offer(page), "client_seed": "another"}
    assert get_game(client.post("/play-now/", form)) == game
    assert Game.objects.count() == 1


def test_without_a_script_no_seed_comes_and_a_number_stands_for_it() -> None:
    client = Client()
    page = get_text(client.get("/"))
    game = get_game(client.post("/play-now/", {"offer": read_offer(page)}))
    assert game.commitment in page
    assert [place.client_seed for place in game.seats.order_by("join_order")] == ["1", "2"]


def test_seeds_are_taken_exactly_as_they_are_or_not_at_all() -> None:
    game = create_game_of_bob()
    client = open_browser("ada")
    for bad in ("a|b", "x" * 65, "a\0b"):
        client.post(f"/games/{game.code}/join/", {"client_seed": bad})
        assert not game.seats.filter(player=player("ada")).exists()
    client.post(f"/games/{game.code}/join/", {"client_seed": "  Straße ∞ "})
    assert game.seats.get(player=player("ada")).client_seed == "  Straße ∞ "


def test_spent_commitments_are_forgotten_once_no_offer_is_so_old() -> None:
    start_by_form(preset="bot", bot="greedy")
    now = timezone.now()
    assert retention.delete_expired_rows(now=now + seed_offers.OFFER_LIFETIME)["commitments"] == 0
    assert retention.delete_expired_rows(now=now + 3 * seed_offers.OFFER_LIFETIME)["commitments"] == 1
    assert not SpentCommitment.objects.exists()


# --------------------------------------------------------------------------------------- texts of the page


def read_fairness_text(game: Game, name: str = "ada") -> str:
    page = get_text(open_browser(name).get(f"/games/{game.code}/fairness/"))
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


BLIND = "so we could not favour anybody"
FORESEEN = "Nobody at this table brought a text,"


def test_the_page_of_a_game_promises_what_holds_for_it() -> None:
    _page, own = start_by_form(preset="bot", bot="greedy")
    text = read_fairness_text(own)
    assert "ada brought a text of their own" in text
    assert BLIND in text
    assert "Bots bring no text" in text
    none = get_game(
        open_browser("ada").post(
            "/play-now/",
            {"offer": seed_offers.make_offer(viewer_id=player("ada").pk, now=timezone.now()).token},
        )
    )
    text = read_fairness_text(none)
    assert FORESEEN in text
    assert BLIND not in text
    assert "Before anybody took a seat" in text
    Game.objects.filter(pk=own.pk).update(committed_first=False)  # as an earlier release stored it
    text = read_fairness_text(own)
    assert "this is an older game" in text
    assert BLIND not in text
    assert "published before anyone joined" not in text


def test_one_who_brings_none_is_named_beside_one_who_does() -> None:
    game = create_game_of_bob()
    lobby.join_game(player=player("ada"), code=game.code, now=timezone.now())
    text = read_fairness_text(game)
    assert "bob brought a text of their own" in text
    assert "For ada we took the number in order of joining." in text
