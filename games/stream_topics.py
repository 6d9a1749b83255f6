"""The topics of live streams that games have: a game, the lobby, and what concerns the viewer."""

from __future__ import annotations

import hashlib
from collections.abc import Collection

from django.utils.http import quote_etag

from accounts.models import Player
from games.models import Game
from games.selectors import NoSuchGame, state_fingerprint_for
from games.selectors.game_stream import find_game_marks, find_lobby_mark, find_own_mark
from notifications.selectors.feed import find_feed_marks
from notifications.stream_wake_ups import LOBBY_KEY, player_key
from notifications.streams.topics import StreamTopic, TopicNotVisible
from notifications.topics import make_topic

PLAYER_FAMILY, LOBBY_FAMILY, OWN_FAMILY = "player", "lobby", "me"


def find_game_version(viewer: Player | None, code: str) -> str:
    """The version of a game page, as the page has it. Raises TopicNotVisible."""
    try:
        return quote_etag(state_fingerprint_for(viewer, code))
    except NoSuchGame:
        raise TopicNotVisible(code) from None


def find_own_version(viewer: Player | None, code: str) -> str:
    """The version of what concerns the viewer: their feed and their games. Raises TopicNotVisible."""
    if viewer is None or code:
        raise TopicNotVisible(code)
    return shorten_mark(find_own_mark(viewer))


def find_lobby_version(viewer: Player | None, code: str) -> str:
    """The version of the lobby. Raises TopicNotVisible."""
    if code:
        raise TopicNotVisible(code)
    return shorten_mark(find_lobby_mark())


def find_own_key(viewer: Player | None, code: str) -> str:
    """The key of the viewer's feed. Raises TopicNotVisible."""
    if viewer is None:
        raise TopicNotVisible(code)
    return player_key(viewer.pk)


def find_player_marks(codes: Collection[str]) -> dict[str, str]:
    """The marks of players' feeds, by the codes of their keys."""
    return {str(player_id): mark for player_id, mark in find_feed_marks([*map(int, codes)]).items()}


def refuse_to_pages(viewer: Player | None, code: str) -> str:
    """Raise TopicNotVisible: pages name their viewer's feed `me`."""
    raise TopicNotVisible(code)


def shorten_mark(mark: str) -> str:
    """An opaque text for a mark."""
    return hashlib.sha256(mark.encode()).hexdigest()[:24]


STREAM_TOPICS = (
    StreamTopic(
        Game.TOPIC_FAMILY,
        find_marks=find_game_marks,
        find_version=find_game_version,
        find_key=lambda viewer, code: make_topic(Game.TOPIC_FAMILY, code),
    ),
    StreamTopic(
        LOBBY_FAMILY,
        find_marks=lambda codes: dict.fromkeys(codes, find_lobby_mark()),
        find_version=find_lobby_version,
        find_key=lambda viewer, code: LOBBY_KEY,
    ),
    StreamTopic(
        OWN_FAMILY,
        find_marks=lambda codes: {},
        find_version=find_own_version,
        find_key=find_own_key,
    ),
    StreamTopic(
        PLAYER_FAMILY,
        find_marks=find_player_marks,
        find_version=refuse_to_pages,
        find_key=refuse_to_pages,
    ),
)
