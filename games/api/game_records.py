"""REST views that stream the records of many games, one in a line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponseBase, StreamingHttpResponse
from django.utils import translation
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.exceptions import NotAcceptable
from rest_framework.request import Request

from accounts.api.auth import HasScope
from accounts.api.base import ViewerAPIView
from accounts.api.operations import operation
from accounts.services import players
from common.api.serializers import validate_query
from common.rate_limits import charge_request
from common.read_model_serializers import build_serializer
from games import engine
from games.engine.read_models import RecordData
from games.models import Game
from games.selectors.game_records import (
    RECORD_CHUNK_SIZE,
    RecordFilter,
    iter_record_chunks,
    list_own_recorded_games,
    list_public_recorded_games,
)
from notifications.streams.formats import NDJSON_MEDIA_TYPE

from .option_fields import UtcDateTimeField
from .streams import StreamNegotiation

MAX_RECORDS = 1000  # in one response
ACCEPTED_MEDIA_TYPES = {NDJSON_MEDIA_TYPE, "application/ndjson", "application/json", "application/*", "*/*"}


class GameRecordsQuerySerializer(serializers.Serializer):
    """Query parameters of a list of records."""

    since = UtcDateTimeField(
        required=False, help_text="Only games whose end, or last move if they run, is at this time or later."
    )
    until = UtcDateTimeField(
        required=False, help_text="Only games whose end, or last move if they run, is before this time."
    )
    mode = serializers.ChoiceField(list(engine.MODES), required=False, help_text="Only games of this mode.")
    finished = serializers.BooleanField(
        required=False,
        default=False,
        help_text="Only finished games. The default is false.",
    )
    after = serializers.RegexField(
        r"^[0-9a-z]{1,12}$",
        required=False,
        help_text="The `game` of the last record that you have: you get the records after it.",
    )
    limit = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=MAX_RECORDS,
        default=MAX_RECORDS,
        help_text=f"The most records to return, from 1 to {MAX_RECORDS}. The default is {MAX_RECORDS}.",
    )


def describe_records(name: str, **options: Any) -> Any:
    """Declare a view method as an operation that streams records."""
    return operation(
        name,
        scope="read",
        query=GameRecordsQuerySerializer,
        media_type=NDJSON_MEDIA_TYPE,
        media_type_schemas={NDJSON_MEDIA_TYPE: build_serializer(RecordData)},
        response_headers=["Link"],
        **options,
    )


class RecordsAPIView(ViewerAPIView):
    """Base of views that stream records; problems are JSON."""

    content_negotiation_class = StreamNegotiation
    permission_classes = [HasScope("read", anonymous=True)]

    def stream_records(self, request: Request, games: QuerySet[Game]) -> HttpResponseBase:
        """Stream the records of those of these games that the query asks for, oldest game first.

        A header `Link` with `rel="next"` has the address of those beyond the limit. Raises ValidationError,
        NotAcceptable, Throttled.
        """
        check_accept_header(request)
        query = validate_query(GameRecordsQuerySerializer, request)
        games = RecordFilter(
            query.get("since"), query.get("until"), query.get("mode"), query["finished"]
        ).select_games(games.filter(pk__gt=find_cursor_id(games, query.get("after"))))
        limit = query["limit"]
        rows = list(games.values_list("pk", "code")[: limit + 1])
        if cost := min(len(rows), limit) // RECORD_CHUNK_SIZE:
            charge_request(request, cost=cost)
        chunks = write_records(games, [pk for pk, _code in rows[:limit]], translation.get_language())
        response = StreamingHttpResponse(chunks, content_type=NDJSON_MEDIA_TYPE)
        response["Cache-Control"] = "private, no-store"
        response["X-Accel-Buffering"] = "no"  # a proxy that waits for the end would hold it all
        if len(rows) > limit:
            parameters = request.query_params.copy()
            parameters["after"] = rows[limit - 1][1]
            address = request.build_absolute_uri(f"{request.path}?{parameters.urlencode()}")
            response["Link"] = f'<{address}>; rel="next"'
        return response


def check_accept_header(request: Request) -> None:
    """Raise NotAcceptable unless the client takes JSON lines."""
    accepted_media_types = {
        part.partition(";")[0].strip().lower() for part in request.headers.get("Accept", "*/*").split(",")
    }
    if not accepted_media_types & ACCEPTED_MEDIA_TYPES:
        raise NotAcceptable


def find_cursor_id(games: QuerySet[Game], code: str | None) -> int:
    """The id of the game that a list goes on after; 0 without one. Raises ValidationError."""
    if code is None:
        return 0
    game_id = games.filter(code=code).values_list("pk", flat=True).first()
    if game_id is None:
        raise serializers.ValidationError({"after": [_("No game in this list has this id.")]})
    return game_id


def write_records(games: QuerySet[Game], ids: list[int], language: str) -> Iterator[bytes]:
    """Yield the lines of each chunk of records, in a language: a chunk may be read in another thread."""
    chunks = iter_record_chunks(games, ids)
    while True:
        with translation.override(language):
            records = next(chunks, None)
            if records is None:
                return
            lines = "".join(f"{json.dumps(record)}\n" for record in records)
        yield lines.encode()


class OwnGameRecordsView(RecordsAPIView):
    """The records of the player's own games."""

    permission_classes = [HasScope("read")]

    @describe_records("me.games.records")
    def get(self, request: Request) -> HttpResponseBase:
        """Download records of your games.

        Returns the records of your games as `otto-record/1`, one per line, in the order of creation. Running
        games have neither seed nor result. A response has at most 1,000 records; `Link` with `rel="next"` has
        the address of the next ones. After a broken connection, continue with `after`: the `game` of the last
        complete line.
        """
        return self.stream_records(request, list_own_recorded_games(self.player))


class PlayerGameRecordsView(RecordsAPIView):
    """The records of a player's public games."""

    @describe_records("players.games.records", public=True)
    def get(self, request: Request, name: str) -> HttpResponseBase:
        """Download records of a player's games.

        Returns the records of a player's public games, one per line, in the order of creation. It has no
        private games, not even yours. Read it like the records of your own games.
        """
        return self.stream_records(request, list_public_recorded_games(players.get_public_player(name=name)))
