"""The server cannot choose after it has seen a client's seed: not in a single game, at any door.

Here are single games; what tournaments and leagues promise is in test_fair_events.py.
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
from games import lesson, seed_offers, signed_links
from games.engine import fairness
from games.models import Game, Invitation, Player, Seat, SpentCommitment
from games.services import invitations, lobby, retention, system_games
from tests.games.cast import Api, browser, player

pytestmark = pytest.mark.django_db
MINE = "a seed of mine"
TERMS = {"seats": "2", "clock": "2d", "cards": "on", "chat": "on", "edition": "arcastudio-2.2"}
TERMS |= {"target": "24"}


def text_of(answer: Any) -> str:
    assert answer.status_code < 300, answer.content
    return str(answer.content.decode())


def offer_on(page: str) -> str:
    """The offer that the form of a page sends."""
    found = re.search(r'name="offer" value="([^"]+)"', page)
    assert found, page
    return found[1]


def game_behind(answer: HttpResponse) -> Game:
    found = re.fullmatch(r"/games/(\w{12})/", answer.get("Location", ""))
    assert found, (answer.status_code, answer.get("Location"), answer.content[:500])
    return Game.objects.get(code=found[1])


# ------------------------------------------------------------------------------------------------ every door


def first_page(client: Client, at: str = "/") -> tuple[str, Game]:
    page = text_of(client.get(at))
    return page, game_behind(client.post("/play-now/", {"offer": offer_on(page), "client_seed": MINE}))


def by_nobody() -> tuple[str, Game]:
    return first_page(Client())


def by_a_guest() -> tuple[str, Game]:
    client = Client()
    first_page(client)
    return first_page(client)


def after_the_lesson() -> tuple[str, Game]:
    """The last step offers a game once it is done."""
    client, last, done = Client(), len(lesson.LESSON_STEPS), list[str]()
    for _action in range(5):
        page = text_of(client.get(f"/lesson/{last}/", {"played": ",".join(done)} if done else {}))
        if 'action="/play-now/"' in page:
            form = {"offer": offer_on(page), "client_seed": MINE}
            return page, game_behind(client.post("/play-now/", form))
        done.append(lesson.list_lesson_actions(lesson.LESSON_STEPS[last - 1], done)[0])
    raise AssertionError("the lesson does not end")


def by_the_form(**chosen: str) -> tuple[str, Game]:
    client = browser("ada")
    page = text_of(client.get("/games/new/"))
    form = TERMS | {"offer": offer_on(page), "client_seed": MINE, "key": "k"} | chosen
    return page, game_behind(client.post("/games/new/", form))


def with_a_friend() -> tuple[str, Game]:
    player("bob")
    return by_the_form(preset="friend", who="bob")


def open_game(**terms: Any) -> Game:
    """A game of bob's, who sits there."""
    game = lobby.create_game(player=player("bob"), now=timezone.now(), **terms)
    lobby.join_game(player=player("bob"), code=game.code, now=timezone.now(), client_seed="bob's")
    return game


def joined(client: Client, game: Game, page: str) -> tuple[str, Game]:
    assert client.post(f"/games/{game.code}/join/", {"client_seed": MINE}).status_code == 302
    return page, game


def from_the_lobby() -> tuple[str, Game]:
    game, client = open_game(), browser("ada")
    return joined(client, game, text_of(client.get("/lobby/")))


def from_the_table() -> tuple[str, Game]:
    game, client = open_game(), browser("ada")
    return joined(client, game, text_of(client.get(f"/games/{game.code}/")))


def by_invitation() -> tuple[str, Game]:
    game, client = open_game(private=True), browser("ada")
    invitations.invite_to_game(player=player("bob"), code=game.code, name="ada", now=timezone.now())
    return joined(client, game, text_of(client.get("/games/")))


def by_mail() -> tuple[str, Game]:
    game, client = open_game(private=True), browser("ada")
    invitations.invite_to_game(
        player=player("bob"), code=game.code, email="a@example.org", now=timezone.now()
    )
    at = f"/invitations/{signed_links.make_invitation_token(Invitation.objects.get().pk)}/"
    page = text_of(client.get(at))
    assert client.post(at, {"client_seed": MINE}).status_code == 302
    return page, game


def finished_game() -> Game:
    game = lobby.create_game(player=player("bob"), now=timezone.now())
    for name in ("bob", "ada"):
        lobby.join_game(player=player(name), code=game.code, now=timezone.now())
    system_games.resign_seat(code=game.code, seat_no=1, now=timezone.now())
    return game


def by_a_rematch() -> tuple[str, Game]:
    old, client = finished_game(), browser("ada")
    page = text_of(client.get(f"/games/{old.code}/"))
    form = re.search(rf'<form[^>]*action="/games/{old.code}/rematch/"[^>]*>', page)
    assert form
    assert "data-seed" in form[0]
    too_early = client.post(f"/games/{old.code}/rematch/", {"client_seed": "too early"})
    assert too_early["Location"] == f"/games/{old.code}/"
    assert not Game.objects.filter(rematch_of=old).exists()
    sent = {"offer": offer_on(page), "client_seed": MINE}
    return page, game_behind(client.post(f"/games/{old.code}/rematch/", sent))


def by_a_rematch_that_was_asked_for() -> tuple[str, Game]:
    """The page of whoever comes second shows the commitment of the game that there is."""
    old, client = finished_game(), browser("ada")
    game = invitations.request_rematch(player=player("bob"), code=old.code, now=timezone.now())
    page = text_of(client.get(f"/games/{old.code}/"))
    form = {"commitment": game.commitment, "client_seed": MINE}
    return page, game_behind(client.post(f"/games/{old.code}/rematch/", form))


def by_a_program() -> tuple[str, Game]:
    ada = Api("ada")
    assert ada.post("games/", {"seats": 2, "client_seed": "too early"}).status_code == 400
    answer = ada.post("games/", {"seats": 2})
    game = Game.objects.get(code=answer.json()["id"])
    assert not game.places.exists()
    assert ada.post(f"games/{game.code}/join/", {"client_seed": MINE}).status_code == 200
    return text_of(answer), game


def by_a_program_from_a_list(path: str) -> tuple[str, Game]:
    game, ada = open_game(private=path != "games/?status=open"), Api("ada")
    if game.private:
        invitations.invite_to_game(player=player("bob"), code=game.code, name="ada", now=timezone.now())
    answer = ada.get(path)
    assert ada.post(f"games/{game.code}/join/", {"client_seed": MINE}).status_code == 200
    return text_of(answer), game


def by_a_rematch_of_a_program() -> tuple[str, Game]:
    old, ada = finished_game(), Api("ada")
    too_early = ada.post(f"games/{old.code}/rematch/", {"client_seed": "too early"})
    assert (too_early.status_code, too_early.json()["code"]) == (409, "no-offer")
    assert not Game.objects.filter(rematch_of=old).exists()
    answer = ada.post(f"games/{old.code}/rematch/")
    game = Game.objects.get(code=answer.json()["id"])
    assert not game.places.exists()
    assert ada.post(f"games/{game.code}/join/", {"client_seed": MINE}).status_code == 200
    return text_of(answer), game


def by_a_rematch_of_a_program_against_bots() -> tuple[str, Game]:
    """Nothing is dealt before the player could bring a seed, though bots are all that the game waits for."""
    old, ada = lobby.create_game(player=player("ada"), now=timezone.now()), Api("ada")
    lobby.join_game(player=player("ada"), code=old.code, now=timezone.now())
    lobby.add_bot(player=player("ada"), code=old.code, policy="greedy", now=timezone.now())
    system_games.resign_seat(code=old.code, seat_no=1, now=timezone.now())
    answer = ada.post(f"games/{old.code}/rematch/")
    game = Game.objects.get(code=answer.json()["id"])
    assert game.status == Game.Status.OPEN
    assert not game.places.filter(player__isnull=False).exists()
    assert ada.post(f"games/{game.code}/join/", {"client_seed": MINE}).json()["status"] == "running"
    text = fairness_text(game)
    assert "published before anyone joined" in text
    assert BLIND in text
    return text_of(answer), game


def by_a_rematch_that_another_program_asked_for() -> tuple[str, Game]:
    old, ada = finished_game(), Api("ada")
    Api("bob").post(f"games/{old.code}/rematch/")
    answer = ada.post(f"games/{old.code}/rematch/")
    game = Game.objects.get(code=answer.json()["id"])
    assert not game.places.exists()
    sent = {"commitment": answer.json()["fairness"]["commitment"], "client_seed": MINE}
    assert ada.post(f"games/{old.code}/rematch/", sent).status_code == 201
    return text_of(answer), game


DOORS: dict[str, Callable[[], tuple[str, Game]]] = {
    "play now, nobody": by_nobody,
    "play now, a guest": by_a_guest,
    "play now, signed in": lambda: first_page(browser("ada")),
    "play now, after the lesson": after_the_lesson,
    "new game, a bot": lambda: by_the_form(preset="bot", bot="greedy"),
    "new game, three bots": lambda: by_the_form(preset="bot", bot="greedy", seats="4"),
    "new game, a friend": with_a_friend,
    "new game, open": lambda: by_the_form(preset="open"),
    "new game, solo": lambda: by_the_form(preset="solo"),
    "lobby": from_the_lobby,
    "table": from_the_table,
    "invited by name": by_invitation,
    "invited by mail": by_mail,
    "rematch": by_a_rematch,
    "rematch, asked for": by_a_rematch_that_was_asked_for,
    "API, made": by_a_program,
    "API, lobby": lambda: by_a_program_from_a_list("games/?status=open"),
    "API, invited": lambda: by_a_program_from_a_list("me/invitations/"),
    "API, rematch": by_a_rematch_of_a_program,
    "API, rematch with bots": by_a_rematch_of_a_program_against_bots,
    "API, rematch, asked for": by_a_rematch_that_another_program_asked_for,
}


@pytest.mark.parametrize("door", DOORS)
def test_the_commitment_is_shown_before_the_seed_is_sent(door: str) -> None:
    shown_before, game = DOORS[door]()
    assert game.commitment in shown_before
    assert game.committed_first
    assert Seat.objects.get(game=game, client_seed=MINE).bot == ""
    seed = bytes(game.secret.server_seed)
    assert fairness.compute_commitment(seed) == game.commitment
    assert seed.hex() not in shown_before


def test_every_place_that_makes_games_is_among_the_doors() -> None:
    """Whoever adds another one has to think of when its commitment is shown."""
    makers = {"lobby.create_game", "lobby.create_game_once", "lobby.make_game_once"}
    makers |= {"system_games.start_tournament_game", "guests.start_bot_game"}
    root = Path(games.__file__).parents[1]
    found = set()
    for path in [*root.glob("games/**/*.py"), *root.glob("tournaments/**/*.py")]:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in makers:
                found.add((path.relative_to(root).as_posix(), ast.unparse(node.func)))
    assert found == {
        ("games/api/games.py", "lobby.create_game_once"),
        ("games/services/guests.py", "lobby.create_game"),
        ("games/services/invitations.py", "lobby.create_game"),
        ("games/services/system_games.py", "lobby.create_game"),
        ("games/web/create_game.py", "lobby.create_game"),
        ("games/web/create_game.py", "lobby.make_game_once"),
        ("games/web/guests.py", "guests.start_bot_game"),
        ("tournaments/services/rounds.py", "system_games.start_tournament_game"),
    }


# -------------------------------------------------------------------------------------- what is not accepted


def refused(client: Client, **form: str) -> tuple[HttpResponse, HttpResponse]:
    """Both forms that make a game refuse; nothing was made."""
    before = Game.objects.count(), Player.objects.count()
    now = client.post("/play-now/", form, follow=True)
    new = client.post("/games/new/", TERMS | {"preset": "bot", "bot": "greedy"} | form)
    assert (Game.objects.count(), Player.objects.count()) == before
    assert now.redirect_chain[-1][0] == "/"  # where a new commitment is
    assert offer_on(now.content.decode())
    assert new.status_code == 422
    assert offer_on(new.content.decode()) != form.get("offer")
    return now, new


def test_a_seed_that_comes_before_a_commitment_is_refused() -> None:
    now, new = refused(browser("ada"), client_seed=MINE)
    for page in (now, new):
        assert "arrived before ours was sealed" in page.content.decode()


def test_an_offer_is_for_whoever_saw_it_for_a_time_and_as_it_is() -> None:
    ada, at = player("ada"), timezone.now()
    theirs = seed_offers.make_offer(viewer_id=player("bob").pk, now=at)
    nobodys = seed_offers.make_offer(viewer_id=None, now=at)
    old = seed_offers.make_offer(viewer_id=ada.pk, now=at - seed_offers.OFFER_LIFETIME - timedelta(minutes=1))
    ahead = seed_offers.make_offer(viewer_id=ada.pk, now=at + timedelta(hours=1))
    good = seed_offers.make_offer(viewer_id=ada.pk, now=at).token
    issued, nonce, commitment = good.split(".")
    changed = [
        f"{int(issued) + 1}.{nonce}.{commitment}",
        f"{issued}.{nonce[:-1]}.{commitment}",
        f"{issued}.{nonce}.{fairness.compute_commitment(bytes(32))}",  # a seed that everybody knows
        f"{issued}.{nonce}.{commitment.upper()}",
        *("", ".", "..", "x", "٣.x.y", "9" * 500, f"{issued}.{nonce}", "1.é.é"),
    ]
    bad = [theirs.token, nobodys.token, old.token, ahead.token, *changed]
    for token in bad:
        with pytest.raises(seed_offers.InvalidOffer):
            seed_offers.recover_offered_seed(token=token, viewer_id=ada.pk, now=at)
    for token in (theirs.token, old.token, changed[2]):
        for page in refused(browser("ada"), offer=token, client_seed=MINE):
            assert "open for too long" in page.content.decode()
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
    page, game = by_the_form(preset="bot", bot="greedy")
    ada, offer = browser("ada"), offer_on(page)
    form = TERMS | {"preset": "open", "offer": offer, "client_seed": MINE, "key": "k"}
    answer = ada.post("/games/new/", form)  # the step back, with other choices
    assert answer.status_code == 422
    assert "A game was already made from this page." in answer.content.decode()
    assert Game.objects.count() == 1
    again = ada.post("/games/new/", form | {"offer": offer_on(answer.content.decode())})
    assert game_behind(again).commitment != game.commitment
    with pytest.raises(IntegrityError):
        SpentCommitment.objects.create(commitment=game.commitment, game=game_behind(again), at=timezone.now())


def test_a_form_that_is_sent_twice_makes_one_game() -> None:
    page, game = by_the_form(preset="bot", bot="greedy")
    form = TERMS | {"preset": "bot", "bot": "greedy", "offer": offer_on(page), "key": "k"}
    assert game_behind(browser("ada").post("/games/new/", form | {"client_seed": "another"})) == game
    assert Game.objects.count() == 1


def test_a_button_that_is_pressed_twice_leads_to_the_game_it_made() -> None:
    client = browser("ada")
    page, game = first_page(client)
    form = {"offer": offer_on(page), "client_seed": "another"}
    assert game_behind(client.post("/play-now/", form)) == game
    assert Game.objects.count() == 1


def test_without_a_script_no_seed_comes_and_a_number_stands_for_it() -> None:
    client = Client()
    page = text_of(client.get("/"))
    game = game_behind(client.post("/play-now/", {"offer": offer_on(page)}))
    assert game.commitment in page
    assert [place.client_seed for place in game.places.order_by("joined")] == ["1", "2"]


def test_seeds_are_taken_exactly_as_they_are_or_not_at_all() -> None:
    game = open_game()
    client = browser("ada")
    for bad in ("a|b", "x" * 65, "a\0b"):
        client.post(f"/games/{game.code}/join/", {"client_seed": bad})
        assert not game.places.filter(player=player("ada")).exists()
    client.post(f"/games/{game.code}/join/", {"client_seed": "  Straße ∞ "})
    assert game.places.get(player=player("ada")).client_seed == "  Straße ∞ "


def test_spent_commitments_are_forgotten_once_no_offer_is_so_old() -> None:
    by_the_form(preset="bot", bot="greedy")
    now = timezone.now()
    assert retention.delete_expired_rows(now=now + seed_offers.OFFER_LIFETIME)["commitments"] == 0
    assert retention.delete_expired_rows(now=now + 3 * seed_offers.OFFER_LIFETIME)["commitments"] == 1
    assert not SpentCommitment.objects.exists()


# -------------------------------------------------------------------------------------- what the page says


def fairness_text(game: Game, name: str = "ada") -> str:
    page = text_of(browser(name).get(f"/games/{game.code}/fairness/"))
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


BLIND = "could not draw one that is good for somebody"
FORESEEN = "Nobody at this table brought a text of their own."


def test_the_page_of_a_game_promises_what_holds_for_it() -> None:
    _page, own = by_the_form(preset="bot", bot="greedy")
    text = fairness_text(own)
    assert "came from ada" in text
    assert BLIND in text
    assert "Bots bring no text" in text
    none = game_behind(
        browser("ada").post(
            "/play-now/",
            {"offer": seed_offers.make_offer(viewer_id=player("ada").pk, now=timezone.now()).token},
        )
    )
    text = fairness_text(none)
    assert FORESEEN in text
    assert BLIND not in text
    assert "Before anybody took a seat" in text
    Game.objects.filter(pk=own.pk).update(committed_first=False)  # as a release before this one left it
    text = fairness_text(own)
    assert "this is an older game" in text
    assert BLIND not in text
    assert "published before anyone joined" not in text


def test_one_who_brings_none_is_named_beside_one_who_does() -> None:
    game = open_game()
    lobby.join_game(player=player("ada"), code=game.code, now=timezone.now())
    text = fairness_text(game)
    assert "came from bob" in text
    assert "For ada the number of joining stands." in text
