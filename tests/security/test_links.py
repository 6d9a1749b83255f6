"""Links of mails: guessed, reused, used by others, used for other purposes, or changed by one character.

tests/games/test_links.py, test_turn_links.py and test_small_links.py cover turns, replies and unsubscribing;
this file covers invitations, leagues, tournaments and feeds.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.core import signing
from django.test import Client

from games import signed_links
from games.models import Invitation, Seat
from games.services import invitations, lobby
from notifications.unsubscribe_links import make_unsubscribe_token
from tests.factories.cast import player
from tests.factories.linking import make_turn_link
from tournaments import links as event_links
from tournaments.leagues.services import join_requests
from tournaments.models import Entrant, LeagueMember

from .route_walker import find_changed_rows, roll_back_afterwards
from .world import World, dump_rows

pytestmark = pytest.mark.django_db


def make_tokens(world: World) -> dict[str, str]:
    """Return a valid token of each kind, keyed by the start of its address."""
    key, bob = player("ada").mail_token, player("bob").mail_token
    fields = {"email": "zoe@example.net", "name": "zoe", "language": "en", "now": world.now}
    join_request = join_requests.create_join_request(code=world.league.code, **fields)
    return {
        "/invitations/": world.parts["invitation"],
        "/turn/": make_turn_link(world.game).split("/")[2],
        "/mute/": signed_links.make_mute_token(key, world.game.code),
        "/unsubscribe/": make_unsubscribe_token(key),
        "/tournaments/confirm/": event_links.make_link_token(
            event_links.CONFIRM_PURPOSE, bob, world.tournament.code
        ),
        "/proposals/answer/": event_links.make_link_token(
            event_links.ANSWER_PROPOSAL_PURPOSE, bob, str(world.parts["proposal"])
        ),
        "/leagues/leave/": event_links.make_link_token(
            event_links.LEAVE_LEAGUE_PURPOSE, bob, world.league.code
        ),
        "/leagues/join/": join_requests.sign_join_token(join_request),
    }


def test_a_token_opens_the_door_that_it_was_made_for_and_no_other(world: World) -> None:
    tokens = make_tokens(world)
    for made_for, token in tokens.items():
        for path in tokens:
            answer = Client().get(f"{path}{token}/")
            assert (answer.status_code == 404) == (path != made_for), (path, made_for)


def test_a_letter_more_less_or_other_opens_nothing(world: World) -> None:
    before = dump_rows()
    for path, token in make_tokens(world).items():
        last = "b" if token[-1] != "b" else "c"
        first = "9" if token[0] != "9" else "8"
        for other in (token[:-1], f"{token}a", token[:-1] + last, first + token[1:], token.upper() + "x"):
            with roll_back_afterwards() as written:
                assert Client().get(f"{path}{other}/").status_code == 404, (path, other)
                assert Client().post(f"{path}{other}/", {"sure": "1"}).status_code == 404
                assert find_changed_rows(before, written).keys() <= {"tournaments_joinrequest"}


def test_what_another_secret_key_has_signed_opens_nothing(world: World, settings: object) -> None:
    tokens = make_tokens(world)
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another" * 10, []  # type: ignore[attr-defined]
    for path, token in tokens.items():
        assert Client().get(f"{path}{token}/").status_code == 404


def test_the_number_in_a_token_cannot_be_changed(world: World) -> None:
    """The signature is not valid for the id of the next invitation or join request."""
    for path in ("/invitations/", "/leagues/join/"):
        number, _, signature = make_tokens(world)[path].partition(":")
        for other in (int(number) - 1, int(number) + 1, 10**20, -1):
            assert Client().get(f"{path}{other}:{signature}/").status_code == 404
    assert signing.Signer(salt=signed_links.INVITATION_PURPOSE).sign("1") != signing.Signer(
        salt=join_requests.JOIN_LINK_SALT
    ).sign("1")


READS_BY_PATH: dict[str, Callable[[Client, str], object]] = {
    "GET": lambda client, path: client.get(path),
    "HEAD": lambda client, path: client.head(path),
}


@pytest.mark.parametrize("method", READS_BY_PATH)
def test_to_look_changes_nothing(method: str, world: World) -> None:
    """Mail scanners open every link."""
    paths = [f"{path}{token}/" for path, token in make_tokens(world).items()]
    before = dump_rows()
    for path in paths:
        with roll_back_afterwards() as written:
            READS_BY_PATH[method](Client(), path)
            assert find_changed_rows(before, written) == {}


def test_an_invitation_is_used_once(world: World) -> None:
    path = f"/invitations/{world.parts['invitation']}/"
    assert world.browser("eve").post(path).status_code == 302
    assert Seat.objects.filter(game=world.waiting, player=player("eve")).exists()
    assert world.browser("fay").post(path).status_code == 410
    assert not Seat.objects.filter(game=world.waiting, player=player("fay")).exists()


def test_an_invitation_by_name_is_for_that_name(world: World) -> None:
    game = lobby.create_game(player=player("ada"), now=world.now, seat_count=2, private=True)
    invitation = invitations.invite_to_game(player=player("ada"), code=game.code, name="fay", now=world.now)
    token = signed_links.make_invitation_token(invitation.pk)
    world.browser("eve").post(f"/invitations/{token}/")
    assert not Seat.objects.filter(game=game, player=player("eve")).exists()
    assert Invitation.objects.get(pk=invitation.pk).status == ""


def test_an_invitation_of_one_game_opens_no_other(world: World) -> None:
    other = lobby.create_game(player=player("ada"), now=world.now, seat_count=2, private=True)
    answer = Client().post(
        f"/api/v1/games/{other.code}/join/",
        {"invitation": world.parts["invitation"]},
        content_type="application/json",
        headers=world.program("eve"),
    )
    assert answer.status_code == 404
    assert not other.seats.exists()


def test_a_link_to_confirm_or_to_leave_acts_for_its_own_player_alone(world: World) -> None:
    """Another signed-in player changes nothing: eve takes part in neither, cleo in both."""
    tokens = make_tokens(world)
    for name in ("eve", "cleo"):
        with roll_back_afterwards():
            client = world.browser(name)
            client.post(f"/leagues/leave/{tokens['/leagues/leave/']}/")
            assert LeagueMember.objects.get(league=world.league, player=player("bob")).status == "out"
            other_members = LeagueMember.objects.filter(league=world.league).exclude(player=player("bob"))
            assert set(other_members.values_list("status", flat=True)) == {"member"}
            client.post(f"/tournaments/confirm/{tokens['/tournaments/confirm/']}/")
            confirmed = Entrant.objects.filter(tournament=world.tournament, confirmed_at__isnull=False)
            assert not confirmed.exclude(entrant_players__player=player("bob")).exists()


def test_keys_of_feeds_are_long_and_random(world: World) -> None:
    keys = [player_row.feed_token for player_row in (player("ada"), player("bob"))] + [
        player("ada").mail_token
    ]
    assert len(set(keys)) == len(keys)
    assert all(len(key) == 24 and int(key, 16) for key in keys), "96 bits"
    assert Client().get(f"/feeds/{player('ada').mail_token}/turns.atom").status_code == 404
