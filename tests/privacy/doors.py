"""Every door of the site, found by walking its addresses; whoever adds one adds it to the proof."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import product
from typing import Any, NamedTuple

from django.conf import settings
from django.urls import get_resolver

from games import signed_links
from games.models import Player
from games.selectors.clocks import seat_clock_of
from tournaments import links as event_links
from tournaments.web.organiser_views import ORGANISER_ACTIONS

from .grounds import Ground

PART = re.compile(r"<(?:\w+:)?(\w+)>|\(\?P<(\w+)>(?:[^()]|\([^()]*\))*\)")
Value = Callable[[Ground, Player | None], Any]

# Doors that are not asked in both worlds, each with its reason.
LEFT_OUT = {
    "accounts/2fa/totp/activate/": "draws a new secret for each look, from no game",
    "readyz": "tells how far the clocks of this machine and of the database are apart; knows of no game",
    "api/v1/schema/": "is a file, the same for everybody",
}
# What else is asked of a door than its bare address.
MORE = {
    "api/v1/games/<slug:code>/log/": ("", "?after=2&limit=3"),
    "api/v1/games/<slug:code>/board.png": ("?width=100",),
    "api/v1/games/": ("", "?mine=true", "?status=running"),
    "api/v1/events/": ("", "?after=1&limit=2"),
    "games/<slug:code>/": ("", "?card=QL", "?cell=c2", "?tile=A&cell=c2"),
    "games/<slug:code>/replay/": ("", "?at=3"),
    "turn/<str:token>/": ("", "?resign", "?cell=c2"),
    "tournaments/": ("", "?show=running"),
}
# The doors that tell most of a game: asked of every game by all at the table, the first by everybody.
TELLING = (
    "api/v1/games/<slug:code>/",
    "games/<slug:code>/",
    "api/v1/games/<slug:code>/actions/legal/",
    "turn/<str:token>/",
)
# Doors that know nothing of games: those at a table pass them by, and only an operator gets past the last.
AROUND = ("accounts/", "oauth/", "lesson/", "api/operations/", "admin/")


class Door(NamedTuple):
    """A way in: which of our routes it is, its address here, and a number by which it takes its turn."""

    route: str
    path: str
    place: int


@cache
def routes(urlconf: str) -> list[str]:
    """All routes of a site, in the order in which they are tried."""

    def walk(patterns: Sequence[Any], before: str) -> Iterator[str]:
        for one in patterns:
            if hasattr(one, "url_patterns"):
                yield from walk(one.url_patterns, before + str(one.pattern))
            else:
                yield before + str(one.pattern)

    return list(dict.fromkeys(walk(get_resolver(urlconf).url_patterns, "")))


def doors(ground: Ground, viewer: Player | None) -> list[Door]:
    """Every door here, with this viewer's own addresses. Raises Unknown if one has a part nobody knows."""
    found = []
    for place, route in enumerate(routes(settings.ROOT_URLCONF)):
        if route not in LEFT_OUT:
            addresses = product(filled(route, ground, viewer), MORE.get(route, ("",)))
            found += [Door(route, path + query, place + n) for n, (path, query) in enumerate(addresses)]
    return found


def asked(door: Door, who: int, number: int, share: int) -> bool:
    """Whether somebody asks at a door in the game of that number: in so many games in a row once.

    Doors of a game are asked by everybody; each of the others by every fourth of those who look.
    """
    some = 1 if "games/<slug:code>" in door.route else 4
    number, share = counted(door, number, share)
    return (door.place + who) % some == 0 and ((door.place + who) // some + number) % share == 0


def counted(door: Door, number: int, share: int) -> tuple[int, int]:
    """The number of a game among those that have such a door, and once in how many of these it is asked."""
    if "leagues/" in door.route:  # what one game in three has, and two in three: see grounds.KINDS
        return number // 3, share // 3
    if "tournaments/" in door.route:
        return number // 3 * 2 + number % 3 - 1, share * 2 // 3
    return number, share


class Unknown(LookupError):
    """Nobody has said what stands in this part of an address: say it in VALUES, or leave the door out."""


def filled(route: str, ground: Ground, viewer: Player | None) -> list[str]:
    """The addresses of a route; none if there is no such thing here."""
    parts, last = parsed(route)
    choices: list[list[str]] = []
    for literal, value in parts:
        given = value(ground, viewer)
        if given is None:
            return []
        choices += [[literal], [str(one) for one in (given if isinstance(given, tuple) else (given,))]]
    return ["/" + "".join(chosen) for chosen in product(*choices, [last])]


@cache
def parsed(route: str) -> tuple[list[tuple[str, Value]], str]:
    """The parts of a route, each after what stands before it, and what comes last."""
    plain = route.replace("^", "").replace("$", "")
    parts: list[tuple[str, Value]] = []
    before = 0
    for part in PART.finditer(plain):
        literal, name = plain[before : part.start()], part[1] or part[2]
        folder = literal.strip("/").rpartition("/")[2]
        value = VALUES.get(f"{folder}/{name}", VALUES.get(name))
        if value is None:
            raise Unknown(f"{folder}/{name} of {route}")
        parts.append((literal, value))
        before = part.end()
    return parts, plain[before:]


def turn_token(ground: Ground, viewer: Player | None) -> str:
    """The link in a viewer's last mail about their turn; for others, one that was cut."""
    seat = ground.seats.get(viewer.name) if viewer else None
    if viewer is None or seat is None:
        return "cut"
    turn = seat_clock_of(ground.game, seat).turn_seq
    return signed_links.make_turn_token(
        purpose=signed_links.TURN_PURPOSE,
        game_code=ground.game.code,
        seat_no=seat,
        turn_seq=turn,
        player_id=viewer.pk,
    )


def keyed(make: Callable[[str, str], str], of: str = "game") -> Value:
    """A token made with the viewer's own key, for the game or for what it belongs to."""

    def value(ground: Ground, viewer: Player | None) -> str | None:
        thing = getattr(ground, of)
        return make(viewer.mail_key if viewer else "nobody", thing.code) if thing else None

    return value


def event_token(purpose: str) -> Callable[[str, str], str]:
    return lambda key, code: event_links.make_link_token(purpose, key, code)


def hook_of(ground: Ground, viewer: Player | None) -> int:
    hook = viewer.webhooks.first() if viewer else None
    return hook.pk if hook else 1


# What stands in the parts of addresses: by the word before, or anywhere.
VALUES: dict[str, Value] = {
    "games/code": lambda ground, viewer: ground.game.code,
    "tournaments/code": lambda ground, viewer: ground.event and ground.event.code,
    "leagues/code": lambda ground, viewer: ground.league and ground.league.code,
    "tables/table": lambda ground, viewer: ground.table and ground.table.pk,
    "tables/pk": lambda ground, viewer: ground.table and ground.table.pk,
    "players/name": lambda ground, viewer: next(iter(ground.seats)),
    "invites/name": lambda ground, viewer: "eve",
    "helpers/name": lambda ground, viewer: "eve",
    "removals/name": lambda ground, viewer: "eve",
    "operations/name": lambda ground, viewer: "games_play",
    "mailbox/name": lambda ground, viewer: "nothing",
    "feeds/key": lambda ground, viewer: viewer.key if viewer else "nobody",
    "turn/token": turn_token,
    "mute/token": keyed(signed_links.make_mute_token),
    "unsubscribe/token": keyed(lambda key, code: signed_links.make_unsubscribe_token(key)),
    "no-mail/token": lambda ground, viewer: signed_links.make_refusal_token("d" * 64),
    "invitations/token": lambda ground, viewer: signed_links.make_invitation_token(1),
    "confirm/token": keyed(event_token(event_links.CONFIRM_PURPOSE), "event"),
    "leave/token": keyed(event_token(event_links.LEAVE_LEAGUE_PURPOSE), "league"),
    "answer/token": lambda ground, viewer: event_links.make_link_token(
        event_links.ANSWER_PROPOSAL_PURPOSE, viewer.mail_key if viewer else "nobody", "1"
    ),
    "join/token": lambda ground, viewer: "cut",
    "organise/deed": lambda ground, viewer: tuple(ORGANISER_ACTIONS),
    "deed": lambda ground, viewer: "play",
    "number": lambda ground, viewer: 1,
    "webhook_id": hook_of,
    "token_id": lambda ground, viewer: 1,
    "app_id": lambda ground, viewer: 1,
    "appeal": lambda ground, viewer: 1,
    "proposal": lambda ground, viewer: 1,
    "decision": lambda ground, viewer: 1,
    "message_id": lambda ground, viewer: ground.message.pk,
    # Of accounts and of Django's own admin.
    "key": lambda ground, viewer: "old",
    "uidb36": lambda ground, viewer: "1",
    "content_type_id": lambda ground, viewer: 1,
    "message/object_id": lambda ground, viewer: ground.message.pk,
    "report/object_id": lambda ground, viewer: ground.report.pk,
    "object_id": lambda ground, viewer: viewer.pk if viewer else 1,
    "app_label": lambda ground, viewer: "games",
    "url": lambda ground, viewer: "nothing",
}
