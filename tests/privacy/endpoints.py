"""Every endpoint of the site, found by walking its routes, so that new ones are compared, too."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import product
from typing import Any, NamedTuple

from django.conf import settings
from django.urls import get_resolver

from accounts.mail_refusals import make_refusal_token
from accounts.models import Player
from games import signed_links
from games.rule_pictures import list_picture_names
from games.selectors.clocks import seat_clock_of
from notifications.unsubscribe_links import make_unsubscribe_token
from tournaments import links as tournament_links

from .game_fixtures import GameFixture

PART = re.compile(r"<(?:\w+:)?(\w+)>|\(\?P<(\w+)>(?:[^()]|\([^()]*\))*\)")
Value = Callable[[GameFixture, Player | None], Any]

# Endpoints that are not compared in both worlds, each with its reason.
LEFT_OUT = {
    "accounts/2fa/totp/activate/": "draws a new secret for each look, from no game",
    "readyz": "tells how far the clocks of this machine and of the database are apart; knows of no game",
    "api/v1/schema/": "is a file, the same for everybody",
}
# Queries that are sent in addition to the bare address.
MORE = {
    "api/v1/games/<slug:code>/log/": ("", "?after=2&limit=3"),
    "api/v1/games/<slug:code>/board.png": ("?width=100",),
    "api/v1/games/": ("", "?own=true", "?status=running"),
    "api/v1/events/": ("", "?after=1&limit=2", "?after=latest"),
    "api/v1/me/games/records/": ("", "?limit=1&mode=singles", "?finished=true"),
    "api/v1/events/stream/": ("", "?after=0"),
    "api/v1/games/<slug:code>/stream/": ("", "?after=0.0"),
    "live/": ("?topic=me&topic=lobby",),
    "games/<slug:code>/": ("", "?card=QL", "?cell=c2", "?tile=A&cell=c2"),
    "games/<slug:code>/replay/": ("", "?at=3"),
    "turn/<str:token>/": ("", "?resign", "?cell=c2"),
    "tournaments/": ("", "?show=running"),
}
# The endpoints that show most of a game: requested in every game by its players, the first by every viewer.
TELLING = (
    "api/v1/games/<slug:code>/",
    "games/<slug:code>/",
    "api/v1/games/<slug:code>/actions/legal/",
    "turn/<str:token>/",
)
# Endpoints without game data: players of the game skip them, and only an operator can read the last one.
AROUND = ("accounts/", "oauth/", "lesson/", "api/operations/", "api/types/", "admin/")


class Endpoint(NamedTuple):
    """An endpoint: its route, an address of it, and a number for the rotation of requests."""

    route: str
    path: str
    place: int


@cache
def list_routes(urlconf: str) -> list[str]:
    """List all routes in the order in which Django tries them."""

    def walk_patterns(patterns: Sequence[Any], before: str) -> Iterator[str]:
        for pattern in patterns:
            if hasattr(pattern, "url_patterns"):
                yield from walk_patterns(pattern.url_patterns, before + str(pattern.pattern))
            else:
                yield before + str(pattern.pattern)

    return list(dict.fromkeys(walk_patterns(get_resolver(urlconf).url_patterns, "")))


def list_endpoints(fixture: GameFixture, viewer: Player | None) -> list[Endpoint]:
    """List every endpoint with this viewer's addresses. Raises UnknownRoute for an unknown part."""
    endpoints = []
    for place, route in enumerate(list_routes(settings.ROOT_URLCONF)):
        if route not in LEFT_OUT:
            addresses = product(fill_route(route, fixture, viewer), MORE.get(route, ("",)))
            endpoints += [
                Endpoint(route, path + query, place + n) for n, (path, query) in enumerate(addresses)
            ]
    return endpoints


def is_asked(endpoint: Endpoint, who: int, number: int, share: int) -> bool:
    """True if a viewer requests an endpoint in this game: once in a number of successive games.

    Endpoints of a game are requested by every viewer, others by a quarter of the viewers.
    """
    some = 1 if "games/<slug:code>" in endpoint.route else 4
    number, share = count_share(endpoint, number, share)
    return (endpoint.place + who) % some == 0 and ((endpoint.place + who) // some + number) % share == 0


def count_share(endpoint: Endpoint, number: int, share: int) -> tuple[int, int]:
    """Return the index of a game among those that have the endpoint, and the share among these."""
    if "leagues/" in endpoint.route:  # a third of all games, see game_fixtures.KINDS
        return number // 3, share // 3
    if "tournaments/" in endpoint.route:
        return number // 3 * 2 + number % 3 - 1, share * 2 // 3
    return number, share


class UnknownRoute(LookupError):
    """A part of a route has no sample value: add it to VALUES, or the route to LEFT_OUT."""


def fill_route(route: str, fixture: GameFixture, viewer: Player | None) -> list[str]:
    """Return the addresses of a route; none if the fixture has no such object."""
    parts, last = parse_route(route)
    choices: list[list[str]] = []
    for literal, value in parts:
        value_given = value(fixture, viewer)
        if value_given is None:
            return []
        choices += [
            [literal],
            [str(item) for item in (value_given if isinstance(value_given, tuple) else (value_given,))],
        ]
    return ["/" + "".join(chosen) for chosen in product(*choices, [last])]


@cache
def parse_route(route: str) -> tuple[list[tuple[str, Value]], str]:
    """Split a route into parameters, each with the literal before it, and the literal at its end."""
    plain = route.replace("^", "").replace("$", "")
    parts: list[tuple[str, Value]] = []
    before = 0
    for part in PART.finditer(plain):
        literal, name = plain[before : part.start()], part[1] or part[2]
        folder = literal.strip("/").rpartition("/")[2]
        value = VALUES.get(f"{folder}/{name}", VALUES.get(name))
        if value is None:
            raise UnknownRoute(f"{folder}/{name} of {route}")
        parts.append((literal, value))
        before = part.end()
    return parts, plain[before:]


def make_turn_token(fixture: GameFixture, viewer: Player | None) -> str:
    """Return the token of the viewer's last mail about a turn; for others, an invalid one."""
    seat = fixture.seats.get(viewer.name) if viewer else None
    if viewer is None or seat is None:
        return "cut"
    turn = seat_clock_of(fixture.game, seat).turn_seq
    return signed_links.make_turn_token(
        purpose=signed_links.TURN_PURPOSE,
        game_code=fixture.game.code,
        seat_no=seat,
        turn_seq=turn,
        player_id=viewer.pk,
    )


def make_keyed_value(make: Callable[[str, str], str], of: str = "game") -> Value:
    """Return a function that builds a token with the viewer's key for the game, tournament or league."""

    def build_value(fixture: GameFixture, viewer: Player | None) -> str | None:
        subject = getattr(fixture, of)
        return make(viewer.mail_token if viewer else "nobody", subject.code) if subject else None

    return build_value


def make_tournament_token(purpose: str) -> Callable[[str, str], str]:
    return lambda key, code: tournament_links.make_link_token(purpose, key, code)


def find_webhook_id(fixture: GameFixture, viewer: Player | None) -> int:
    hook = next(iter(viewer.webhooks.all()), None) if viewer else None
    return hook.pk if hook else 1


# Values of route parameters, by the preceding word and name, or by name alone.
VALUES: dict[str, Value] = {
    "games/code": lambda fixture, viewer: fixture.game.code,
    "editions/code": lambda fixture, viewer: fixture.game.edition,
    "tournaments/code": lambda fixture, viewer: fixture.tournament and fixture.tournament.code,
    "leagues/code": lambda fixture, viewer: fixture.league and fixture.league.code,
    "pairings/pairing": lambda fixture, viewer: fixture.table and fixture.table.pk,
    "tables/pk": lambda fixture, viewer: fixture.table and fixture.table.pk,
    "lesson/name": lambda fixture, viewer: "cards",
    "pictures/name": lambda fixture, viewer: list_picture_names()[0],
    "bots/name": lambda fixture, viewer: next(iter(fixture.seats)),
    "players/name": lambda fixture, viewer: next(iter(fixture.seats)),
    "invites/name": lambda fixture, viewer: "eve",
    "co-organisers/name": lambda fixture, viewer: "eve",
    "removals/name": lambda fixture, viewer: "eve",
    "operations/name": lambda fixture, viewer: "games_play",
    "types/name": lambda fixture, viewer: "Game",
    "mailbox/name": lambda fixture, viewer: "nothing",
    "data/name": lambda fixture, viewer: "SHA256SUMS",
    "feeds/key": lambda fixture, viewer: viewer.feed_token if viewer else "nobody",
    "turn/token": make_turn_token,
    "mute/token": make_keyed_value(signed_links.make_mute_token),
    "unsubscribe/token": make_keyed_value(lambda key, code: make_unsubscribe_token(key)),
    "no-mail/token": lambda fixture, viewer: make_refusal_token("d" * 64),
    "invitations/token": lambda fixture, viewer: signed_links.make_invitation_token(1),
    "confirm/token": make_keyed_value(make_tournament_token(tournament_links.CONFIRM_PURPOSE), "tournament"),
    "leave/token": make_keyed_value(make_tournament_token(tournament_links.LEAVE_LEAGUE_PURPOSE), "league"),
    "answer/token": lambda fixture, viewer: tournament_links.make_link_token(
        tournament_links.ANSWER_PROPOSAL_PURPOSE, viewer.mail_token if viewer else "nobody", "1"
    ),
    "join/token": lambda fixture, viewer: "cut",
    "number": lambda fixture, viewer: 1,
    "webhook_id": find_webhook_id,
    "device_id": lambda fixture, viewer: 1,
    "token_id": lambda fixture, viewer: 1,
    "app_id": lambda fixture, viewer: 1,
    "appeal": lambda fixture, viewer: 1,
    "proposal": lambda fixture, viewer: 1,
    "decision": lambda fixture, viewer: 1,
    "message_id": lambda fixture, viewer: fixture.message.pk,
    # Parameters of accounts and of Django's admin.
    "key": lambda fixture, viewer: "old",
    "uidb36": lambda fixture, viewer: "1",
    "content_type_id": lambda fixture, viewer: 1,
    "message/object_id": lambda fixture, viewer: fixture.message.pk,
    "report/object_id": lambda fixture, viewer: fixture.report.pk,
    "object_id": lambda fixture, viewer: viewer.pk if viewer else 1,
    "app_label": lambda fixture, viewer: "games",
    "url": lambda fixture, viewer: "nothing",
}
