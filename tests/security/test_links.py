"""Links of mails: guessed, used again, by another, for something else, changed in one letter.

tests/games/test_links.py, test_turn_links.py and test_small_links.py do the same for turns, replies and
unsubscribing; here are invitations, leagues, tournaments and feeds.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.core import signing
from django.test import Client

from games import signed_links
from games.models import Invitation, Seat
from games.services import invitations, lobby
from tests.games.cast import player
from tests.games.linking import link
from tournaments import links as event_links
from tournaments.models import Entrant, LeagueMember
from tournaments.services import join_requests

from .walking import changed, taken_back
from .world import World, everything

pytestmark = pytest.mark.django_db


def made_here(world: World) -> dict[str, str]:
    """A good token of each kind, by how its address begins."""
    key, bob = player("ada").mail_key, player("bob").mail_key
    asked = {"email": "zoe@example.net", "name": "zoe", "language": "en", "now": world.now}
    knock = join_requests.create_join_request(code=world.league.code, **asked)
    return {
        "/invitations/": world.parts["invitation"],
        "/turn/": link(world.game).split("/")[2],
        "/mute/": signed_links.make_mute_token(key, world.game.code),
        "/unsubscribe/": signed_links.make_unsubscribe_token(key),
        "/tournaments/confirm/": event_links.make_link_token(
            event_links.CONFIRM_PURPOSE, bob, world.event.code
        ),
        "/proposals/answer/": event_links.make_link_token(
            event_links.ANSWER_PROPOSAL_PURPOSE, bob, str(world.parts["proposal"])
        ),
        "/leagues/leave/": event_links.make_link_token(
            event_links.LEAVE_LEAGUE_PURPOSE, bob, world.league.code
        ),
        "/leagues/join/": join_requests.sign_join_token(knock),
    }


def test_a_token_opens_the_door_that_it_was_made_for_and_no_other(world: World) -> None:
    tokens = made_here(world)
    for made_for, token in tokens.items():
        for door in tokens:
            answer = Client().get(f"{door}{token}/")
            assert (answer.status_code == 404) == (door != made_for), (door, made_for)


def test_a_letter_more_less_or_other_opens_nothing(world: World) -> None:
    before = everything()
    for door, token in made_here(world).items():
        last = "b" if token[-1] != "b" else "c"
        first = "9" if token[0] != "9" else "8"
        for other in (token[:-1], f"{token}a", token[:-1] + last, first + token[1:], token.upper() + "x"):
            with taken_back() as written:
                assert Client().get(f"{door}{other}/").status_code == 404, (door, other)
                assert Client().post(f"{door}{other}/", {"sure": "1"}).status_code == 404
                assert changed(before, written).keys() <= {"tournaments_joinrequest"}


def test_what_another_secret_key_has_signed_opens_nothing(world: World, settings: object) -> None:
    tokens = made_here(world)
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another" * 10, []  # type: ignore[attr-defined]
    for door, token in tokens.items():
        assert Client().get(f"{door}{token}/").status_code == 404


def test_the_number_in_a_token_cannot_be_changed(world: World) -> None:
    """The next invitation and the next knock are not opened by the signature of this one."""
    for door in ("/invitations/", "/leagues/join/"):
        number, _, signature = made_here(world)[door].partition(":")
        for other in (int(number) - 1, int(number) + 1, 10**20, -1):
            assert Client().get(f"{door}{other}:{signature}/").status_code == 404
    assert signing.Signer(salt=signed_links.INVITATION_PURPOSE).sign("1") != signing.Signer(
        salt=join_requests.JOIN_LINK_SALT
    ).sign("1")


LOOKS: dict[str, Callable[[Client, str], object]] = {
    "GET": lambda client, path: client.get(path),
    "HEAD": lambda client, path: client.head(path),
}


@pytest.mark.parametrize("method", LOOKS)
def test_to_look_changes_nothing(method: str, world: World) -> None:
    """Programs that read mail open every link."""
    paths = [f"{door}{token}/" for door, token in made_here(world).items()]
    before = everything()
    for path in paths:
        with taken_back() as written:
            LOOKS[method](Client(), path)
            assert changed(before, written) == {}


def test_an_invitation_is_used_once(world: World) -> None:
    path = f"/invitations/{world.parts['invitation']}/"
    assert world.browser("eve").post(path).status_code == 302
    assert Seat.objects.filter(game=world.waiting, player=player("eve")).exists()
    assert world.browser("fay").post(path).status_code == 410
    assert not Seat.objects.filter(game=world.waiting, player=player("fay")).exists()


def test_an_invitation_by_name_is_for_that_name(world: World) -> None:
    game = lobby.create_game(player=player("ada"), now=world.now, seats=2, private=True)
    kept = invitations.invite_to_game(player=player("ada"), code=game.code, name="fay", now=world.now)
    token = signed_links.make_invitation_token(kept.pk)
    world.browser("eve").post(f"/invitations/{token}/")
    assert not Seat.objects.filter(game=game, player=player("eve")).exists()
    assert Invitation.objects.get(pk=kept.pk).answered == ""


def test_an_invitation_of_one_game_opens_no_other(world: World) -> None:
    other = lobby.create_game(player=player("ada"), now=world.now, seats=2, private=True)
    answer = Client().post(
        f"/api/v1/games/{other.code}/join/",
        {"invitation": world.parts["invitation"]},
        content_type="application/json",
        headers=world.program("eve"),
    )
    assert answer.status_code == 404
    assert not other.places.exists()


def test_a_link_to_confirm_or_to_leave_acts_for_its_own_player_alone(world: World) -> None:
    """Whoever is signed in: eve, who has no part in either, and cleo, who has."""
    tokens = made_here(world)
    for name in ("eve", "cleo"):
        with taken_back():
            client = world.browser(name)
            client.post(f"/leagues/leave/{tokens['/leagues/leave/']}/")
            assert LeagueMember.objects.get(league=world.league, player=player("bob")).status == "out"
            others = LeagueMember.objects.filter(league=world.league).exclude(player=player("bob"))
            assert set(others.values_list("status", flat=True)) == {"member"}
            client.post(f"/tournaments/confirm/{tokens['/tournaments/confirm/']}/")
            confirmed = Entrant.objects.filter(event=world.event, confirmed_at__isnull=False)
            assert not confirmed.exclude(members__player=player("bob")).exists()


def test_keys_of_feeds_are_long_and_random(world: World) -> None:
    keys = [one.key for one in (player("ada"), player("bob"))] + [player("ada").mail_key]
    assert len(set(keys)) == len(keys)
    assert all(len(key) == 24 and int(key, 16) for key in keys), "96 bits"
    assert Client().get(f"/feeds/{player('ada').mail_key}/turns.atom").status_code == 404
