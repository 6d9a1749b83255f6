"""Bot accounts join only games that allow bots, and nobody plays against a bot without having agreed."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from accounts.models import Player
from accounts.services import players
from common.service_errors import Conflict, Denied, Invalid, ServiceError
from games import signed_links
from games.game_text import seat_display_name
from games.models import Game, Invitation
from games.notices import InvitedNotice
from games.selectors import load_view_for
from games.services import challenges, invitations, limits, lobby
from notifications.models import Delivery
from tests.factories.bots import declare_bot
from tests.factories.cast import Api, open_browser, player

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def bot() -> Player:
    return declare_bot("robo")


def create_game(name: str = "ada", **settings: Any) -> Game:
    return lobby.create_game(player=player(name), now=timezone.now(), **{"seat_count": 2} | settings)


def find_join_code(name: str, game: Game, **arguments: Any) -> str | None:
    """Join a game; return the error code of a refusal, or None."""
    try:
        lobby.join_game(player=player(name), code=game.code, now=timezone.now(), **arguments)
    except ServiceError as error:
        return error.code
    return None


# -------------------------------------------------------------------------------------- games that allow bots


def test_a_bot_joins_only_a_game_that_allows_bots() -> None:
    assert find_join_code("robo", create_game()) == "bots-not-allowed"
    assert find_join_code("robo", create_game(bots_allowed=True)) is None


def test_a_bot_is_invited_only_to_a_game_that_allows_bots() -> None:
    with pytest.raises(Conflict) as conflict:
        invitations.invite_to_game(
            player=player("ada"), code=create_game().code, now=timezone.now(), name="robo"
        )
    assert conflict.value.code == "bots-not-allowed"
    game = create_game(bots_allowed=True)
    invitations.invite_to_game(player=player("ada"), code=game.code, now=timezone.now(), name="robo")
    assert find_join_code("robo", game) is None


def test_an_account_that_was_invited_as_a_person_does_not_join_as_a_bot() -> None:
    game = create_game()
    player("later")
    invitations.invite_to_game(player=player("ada"), code=game.code, now=timezone.now(), name="later")
    declare_bot("later")
    assert find_join_code("later", game) == "bots-not-allowed"


def test_an_account_that_was_declared_since_it_was_read_is_a_bot_here_too() -> None:
    person = player("later")
    declare_bot("later")
    assert not person.is_bot
    with pytest.raises(Conflict) as conflict:
        lobby.join_game(player=person, code=create_game().code, now=timezone.now())
    assert conflict.value.code == "bots-not-allowed"


def test_games_allow_no_bots_unless_somebody_says_so_and_a_bots_own_game_always_does() -> None:
    assert not create_game().bots_allowed
    assert create_game("robo", bots_allowed=False).bots_allowed


def test_the_api_says_what_may_join_and_repeats_a_bots_game() -> None:
    api = Api("robo")
    created = [api.post("games/", {"seats": 2}, Idempotency_Key="again").json() for _ in range(2)]
    assert created[0]["id"] == created[1]["id"]
    assert created[0]["bots_allowed"] is True
    other = create_game()
    assert "join" not in api.get(f"games/{other.code}/").json()["permissions"]
    assert "join" in Api("bob").get(f"games/{other.code}/").json()["permissions"]


def test_the_kept_view_of_a_started_game_knows_a_bot_from_a_person() -> None:
    game = create_game(seat_count=3)
    lobby.join_game(player=player("ada"), code=game.code, now=timezone.now())
    person, robo = Api("bob"), Api("robo")
    for _ in range(2):  # the second response comes from the cache
        assert "join" in person.get(f"games/{game.code}/").json()["permissions"]
        assert "join" not in robo.get(f"games/{game.code}/").json()["permissions"]


# ------------------------------------------------------------------------------------------ consent of people


def test_a_person_agrees_before_they_sit_where_a_bot_plays_or_may_come() -> None:
    game = create_game("robo", seat_count=3)
    assert find_join_code("robo", game) is None
    assert find_join_code("bob", game) == "bots-unconfirmed"
    assert find_join_code("bob", game, accepts_bots=True) is None
    own = create_game("ada", bots_allowed=True)
    assert find_join_code("ada", own) is None, "whoever made the game has said so"


def test_the_api_asks_with_a_code_and_takes_the_answer() -> None:
    game, api = create_game("ada", bots_allowed=True), Api("bob")
    refused = api.post(f"games/{game.code}/join/")
    assert (refused.status_code, refused.json()["code"]) == (409, "bots-unconfirmed")
    assert api.post(f"games/{game.code}/join/", {"accept_bots": True}).status_code == 200


def test_an_invitation_of_a_bot_says_so_and_asks() -> None:
    game = create_game("robo")
    player("bob")
    invitations.invite_to_game(player=player("robo"), code=game.code, now=timezone.now(), name="bob")
    api, browser = Api("bob"), open_browser("bob")
    (invitation,) = api.get("me/invitations/").json()
    assert (invitation["by_bot"], invitation["bots_allowed"]) == (True, True)
    page = browser.get("/games/").content.decode()
    assert "robo (bot)" in page
    assert 'name="accept_bots"' in page
    browser.post(f"/games/{game.code}/join/")
    assert not game.seats.exists()
    browser.post(f"/games/{game.code}/join/", {"accept_bots": "1"})
    assert game.seats.get().player == player("bob")


def test_the_page_of_an_invitation_link_asks() -> None:
    game = create_game("ada", bots_allowed=True)
    invitation = invitations.invite_to_game(
        player=player("ada"), code=game.code, now=timezone.now(), email="b@example.org"
    )
    address, browser = (
        f"/invitations/{signed_links.make_invitation_token(invitation.pk)}/",
        open_browser("bob"),
    )
    assert 'name="accept_bots"' in browser.get(address).content.decode()
    assert browser.post(address).status_code == 200
    assert Invitation.objects.get().status == Invitation.Status.OPEN
    assert browser.post(address, {"accept_bots": "1"}).status_code == 302


def test_the_lobby_says_that_bots_may_join_and_asks_people_only() -> None:
    game = create_game("ada", bots_allowed=True)
    page = open_browser("bob").get("/lobby/").content.decode()
    assert "bots may join" in page.lower()
    assert 'name="accept_bots"' in page
    assert 'name="accept_bots"' in open_browser("bob").get(f"/games/{game.code}/").content.decode()
    assert 'name="accept_bots"' not in open_browser("robo").get("/lobby/").content.decode()
    create_game("cleo")
    Game.objects.filter(pk=game.pk).update(private=True)
    assert 'name="accept_bots"' not in open_browser("bob").get("/lobby/").content.decode()


def test_the_form_of_a_new_game_offers_it() -> None:
    form = {"preset": "open", "seats": "2", "bots_allowed": "on"}
    page = open_browser("ada").get("/games/new/").content.decode()
    assert 'name="bots_allowed"' in page
    assert open_browser("ada").post("/games/new/", form).status_code == 302
    assert Game.objects.get().bots_allowed
    both = open_browser("ada").post("/games/new/", form | {"rated": "on"})
    assert both.status_code == 422


# ----------------------------------------------------------------------------------------------------- badges


def test_a_seat_says_that_a_bot_sits_there_and_who_runs_it() -> None:
    game = create_game("robo")
    lobby.join_game(player=player("robo"), code=game.code, now=timezone.now())
    lobby.add_bot(player=player("robo"), code=game.code, policy="random", now=timezone.now())
    first, second = load_view_for(None, game.code).view["seats"]
    assert (first["is_bot"], first["owner"], first["bot"]) == (True, "dirk", None)
    assert (second["is_bot"], second["owner"], second["bot"]) == (True, None, "random")
    assert seat_display_name(first) == "robo (bot)"
    (row,) = Api(None).get("games/").json()["results"]
    assert [seat["is_bot"] for seat in row["seats"]] == [True, True]
    for address in (f"/games/{game.code}/", "/lobby/"):
        page = open_browser().get(address).content.decode()
        assert "run by dirk" in page, address


def test_the_mail_of_an_invitation_says_that_a_bot_invites() -> None:
    player("bob")
    game = create_game("robo")
    invitations.invite_to_game(player=player("robo"), code=game.code, now=timezone.now(), name="bob")
    data = {"game": game.code, "by": "robo", "by_bot": True}
    delivery = Delivery(player=player("bob"), topic=game.topic, data=data)
    composed = InvitedNotice().compose_mail(delivery, timezone.now())
    assert "robo (bot)" in composed.body
    assert InvitedNotice().summarise(delivery, timezone.now())[0] == "robo (bot) invites you to play OTTO."


# ----------------------------------------------------------------------------------------------------- limits


def test_a_rated_game_is_for_people_or_for_bots() -> None:
    with pytest.raises(Invalid):
        create_game("ada", rated=True, bots_allowed=True)
    people = create_game("ada", rated=True)
    assert find_join_code("robo", people) == "bots-not-allowed"
    bots = create_game("robo", rated=True)
    assert find_join_code("bob", bots, accepts_bots=True) == "bots-only"
    declare_bot("sibling")
    declare_bot("rival", owner="cleo")
    assert find_join_code("robo", bots) is None
    assert find_join_code("sibling", bots) == "same-owner"
    assert find_join_code("rival", bots) is None


def test_the_bots_of_an_owner_have_so_many_games_among_bots(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "MAX_BOT_GAMES_PER_OWNER", 2)
    declare_bot("sibling")
    declare_bot("rival", owner="cleo")
    first = create_game("robo")
    lobby.join_game(player=player("robo"), code=first.code, now=timezone.now())
    create_game("sibling")
    for name in ("robo", "sibling"):
        with pytest.raises(Conflict) as conflict:
            create_game(name)
        assert (conflict.value.code, conflict.value.extra) == ("too-many-bot-games", {"limit": 2})
    other = create_game("rival")
    assert find_join_code("robo", other) == "too-many-bot-games"
    assert find_join_code("rival", first) is None, "the other owner's bots are counted for themselves"
    with_people = create_game("ada", bots_allowed=True)
    assert find_join_code("robo", with_people) is None, "games with people are not limited by this"


def test_a_bot_whose_owner_has_left_or_is_blocked_starts_nothing_new() -> None:
    game = create_game("ada", bots_allowed=True)
    players.block_player(player=player("dirk"), now=timezone.now())
    with pytest.raises(Conflict):
        create_game("robo")
    players.unblock_player(player=player("dirk"), now=timezone.now())
    players.delete_account(player=player("dirk"), confirmation="dirk", now=timezone.now())
    assert find_join_code("robo", game) == "bot-without-owner"


def test_a_bot_writes_to_no_address() -> None:
    game = create_game("robo")
    with pytest.raises(Denied) as denied:
        invitations.invite_to_game(
            player=player("robo"), code=game.code, now=timezone.now(), email="b@example.org"
        )
    assert denied.value.code == "bot-sends-no-mail"


# -------------------------------------------------------------------------------------------------- the lobby


def test_the_list_of_bots_has_those_that_take_challenges() -> None:
    declare_bot("shy", takes_challenges=False)
    (row,) = Api(None).get("bots/").json()
    assert (row["name"], row["owner"], row["rating"], row["is_online"]) == ("robo", "dirk", None, False)
    page = open_browser("ada").get("/bots/").content.decode()
    assert "/bots/robo/challenge/" in page
    assert "run by dirk" in page
    assert "shy" not in page
    assert "example.org" not in page + str(row)


def test_the_list_of_bots_costs_the_same_however_many(django_assert_max_num_queries: Any) -> None:
    for n in range(5):
        declare_bot(f"many {n}")
    with django_assert_max_num_queries(4):
        assert len(Api(None).get("bots/").json()) == 6
    assert [row["name"] for row in Api(None).get("bots/?after=many 3").json()] == ["many 4", "robo"]


def test_a_challenge_makes_a_game_for_the_two() -> None:
    api = Api("ada")
    created = api.post("bots/robo/challenge/", {"cards": False}, Idempotency_Key="once")
    repeated = api.post("bots/robo/challenge/", {"cards": False}, Idempotency_Key="once")
    assert (created.status_code, created.json()["id"]) == (201, repeated.json()["id"])
    game = Game.objects.get()
    assert (game.private, game.bots_allowed, game.rated, game.cards) == (True, True, False, False)
    assert api.post(f"games/{game.code}/join/", {"client_seed": "mine"}).status_code == 200
    assert Api("robo").post(f"games/{game.code}/join/").json()["status"] == "running"


def test_a_challenge_is_refused_with_a_reason() -> None:
    declare_bot("shy", takes_challenges=False)
    declare_bot("plain", plays_cards=False, max_games=1)
    api = Api("ada")

    def challenge(name: str, **body: Any) -> tuple[int, str]:
        response = api.post(f"bots/{name}/challenge/", body)
        return response.status_code, response.json().get("code", "")

    assert challenge("bob") == (404, "not-found")
    assert challenge("shy") == (409, "no-challenges")
    assert challenge("plain") == (409, "bot-without-cards")
    assert challenge("plain", cards=False)[0] == 201
    assert challenge("plain", cards=False) == (409, "bot-busy")
    assert challenge("robo", rated=True)[0] == 422
    assert Game.objects.count() == 1


def test_a_bot_challenges_another_to_a_rated_game() -> None:
    declare_bot("rival", owner="cleo")
    game = challenges.challenge_bot(player=player("rival"), name="robo", now=timezone.now(), rated=True)
    assert game.rated
    assert find_join_code("rival", game) is None
    assert find_join_code("robo", game) is None


def test_the_button_leads_to_the_game_where_one_takes_the_seat() -> None:
    browser = open_browser("ada")
    answer = browser.post("/bots/robo/challenge/", {"key": "k", "cards": "1"})
    game = Game.objects.get()
    assert (answer.status_code, answer["Location"]) == (302, f"/games/{game.code}/")
    page = browser.get(answer["Location"]).content.decode()
    assert f"/games/{game.code}/join/" in page
    assert 'name="accept_bots"' not in page, "a challenge is an answer already"
    refused = browser.post("/bots/nobody/challenge/", {"key": "k"}, follow=True)
    assert refused.redirect_chain[-1][0] == "/bots/"


def test_a_rematch_with_a_bot_allows_it_again() -> None:
    game = challenges.challenge_bot(player=player("ada"), name="robo", now=timezone.now())
    for name in ("ada", "robo"):
        assert find_join_code(name, game) is None
    Game.objects.filter(pk=game.pk).update(status="over", finished_at=timezone.now())
    rematch = invitations.request_rematch(player=player("ada"), code=game.code, now=timezone.now())
    assert rematch.bots_allowed
    for name in ("ada", "robo"):
        assert find_join_code(name, rematch) is None
