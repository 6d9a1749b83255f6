"""Calls of operations of the API: described once, used by `Client` and by `AsyncClient`.

A method of a resource only says what is sent and how the answer is read: it returns a `Call`, or a
`Cursor` for a list. The decorator names the operation in the OpenAPI document, from which method and path
come (`operation_table.py`). A client sends the call; so `otto.games.view(…)` is a game with a `Client`,
and awaitable with an `AsyncClient`.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import wraps
from typing import (
    TYPE_CHECKING,
    Any,
    Concatenate,
    Generic,
    Literal,
    ParamSpec,
    Self,
    TypedDict,
    TypeVar,
    overload,
)
from urllib.parse import parse_qsl, quote, urlsplit

import httpx

from .operation_table import OPERATIONS

if TYPE_CHECKING:
    from .client import AsyncClient, Client

P = ParamSpec("P")
T = TypeVar("T")
C = TypeVar("C")

BODY_METHODS = ("POST", "PUT", "PATCH")


class StreamedEvent(TypedDict):
    """An event of a stream; `id` is where to resume after it."""

    event: str
    id: str | None
    data: dict[str, Any]


def fresh_seed() -> str:
    """Return a random client seed, generated here so that the server cannot choose it."""
    return secrets.token_hex(16)


def read_json(answer: httpx.Response) -> Any:
    """Return the JSON of a response, or None if it is empty."""
    return answer.json() if answer.content else None


def read_results(answer: httpx.Response) -> Any:
    """Return the rows of a list that comes whole."""
    return answer.json()["results"]


@dataclass(frozen=True)
class Call(Generic[T]):
    """One call: the values of the path in order, the fields of body or query, and how the answer is read."""

    path_values: tuple[str | int, ...] = ()
    fields: Mapping[str, Any] = field(default_factory=dict)
    read_answer: Callable[[httpx.Response], T] = read_json
    key: str | None = None  # the Idempotency-Key, where the operation takes one; without it a random one
    accept: str | None = None
    is_cached: bool = False  # an unchanged answer is not sent again


@dataclass(frozen=True)
class Request:
    """An HTTP request; `is_repeatable` if doing it twice has no further effect."""

    method: str
    path: str
    json: Any
    params: Mapping[str, Any]
    headers: Mapping[str, str]
    is_repeatable: bool


def build_request(operation_id: str, call: Call[Any]) -> Request:
    """Build the request of a call."""
    method, path, takes_key = OPERATIONS[operation_id]
    for value in call.path_values:
        start, end = path.index("{"), path.index("}")
        path = path[:start] + quote(str(value), safe="") + path[end + 1 :]
    headers = {"Accept": call.accept} if call.accept else {}
    if takes_key:
        headers["Idempotency-Key"] = call.key or secrets.token_hex(16)
    has_body = method in BODY_METHODS
    params = {} if has_body else {name: value for name, value in call.fields.items() if value is not None}
    return Request(
        method=method,
        path=path,
        json=dict(call.fields) if has_body else None,
        params={name: format_query_value(value) for name, value in params.items()},
        headers=headers,
        is_repeatable=method != "POST" or takes_key,  # a PATCH is idempotent here
    )


def format_query_value(value: Any) -> Any:
    """Convert booleans and times to the form that the API uses in queries."""
    if isinstance(value, datetime):
        return value.isoformat()
    return str(value).lower() if isinstance(value, bool) else value


class Cursor(Generic[T]):
    """A position in a list: the next call and the reading of its response. This one is for paginated ones."""

    def __init__(self, *path_values: str | int, **fields: Any) -> None:
        """Begin at the first page."""
        self.path_values, self.fields = path_values, fields

    def build_call(self) -> Call[Any]:
        """Return the call of the next page."""
        return Call(self.path_values, self.fields)

    def read_page(self, page: Any) -> tuple[list[T], float | None]:
        """Return the rows of a page, and the seconds until the next call; None after the last page."""
        following = page["next"]
        if following is None:
            return page["results"], None
        if isinstance(following, int):  # the number of a row
            self.fields = {**self.fields, "after": following}
        else:
            self.fields = dict(parse_qsl(urlsplit(following).query))
        return page["results"], 0.0


class FeedCursor(Cursor[T]):
    """The feed from an entry on, polled every so many seconds until `quiet` seconds brought nothing."""

    def __init__(self, after: int | Literal["latest"], every: float, quiet: float | None) -> None:
        """Begin after an entry."""
        super().__init__(after=after)
        self.every, self.quiet = every, quiet
        self.last_news_at = time.monotonic()

    def read_page(self, page: Any) -> tuple[list[T], float | None]:
        """Return the entries, and when to ask again."""
        self.fields = {"after": page["after"]}
        if page["results"]:
            self.last_news_at = time.monotonic()
            return page["results"], 0.0
        is_over = self.quiet is not None and time.monotonic() - self.last_news_at >= self.quiet
        return [], None if is_over else self.every


class Resource(Generic[C]):
    """A group of operations of a client."""

    def __init__(self, client: C) -> None:
        """Use this client."""
        self.client = client


class BoundOperation(Generic[P, T]):
    """An operation of the document as a method of a resource; `operation_id` is its name there."""

    build_plain: Callable[..., Any]

    def __init__(self, operation_id: str, text: str = "", build: Callable[..., Any] | None = None) -> None:
        """Name the operation, with a text and without a function of its own, or with its function."""
        if operation_id not in OPERATIONS:
            raise ValueError(f"the OpenAPI document has no operation {operation_id}")
        self.operation_id = operation_id
        self.build = build or self.build_plain
        self.__doc__ = text or self.build.__doc__

    def bind(self, resource: Any, send: Callable[[str, Any], Any]) -> Callable[..., Any]:
        """Return the method: it builds the call and has it sent."""

        @wraps(self.build)
        def call_operation(*values: Any, **fields: Any) -> Any:
            return send(self.operation_id, self.build(resource, *values, **fields))

        call_operation.__doc__ = self.__doc__
        return call_operation


class Operation(BoundOperation[P, T]):
    """An operation with one answer.

    Adding one takes a line: `mute = Operation[..., Muted]("games_mute", "…")`. Without a function of its own
    it takes the values of its path, and the fields of its body or query by name.
    """

    @staticmethod
    def build_plain(resource: Any, *path_values: str | int, **fields: Any) -> Call[Any]:
        """Build the call of an operation without a function of its own."""
        return Call(path_values, fields)

    @overload
    def __get__(self, resource: None, owner: object) -> Self: ...
    @overload
    def __get__(self, resource: Resource[Client], owner: object) -> Callable[P, T]: ...
    @overload
    def __get__(self, resource: Resource[AsyncClient], owner: object) -> Callable[P, Awaitable[T]]: ...
    def __get__(self, resource: Any, owner: object) -> Any:
        return self if resource is None else self.bind(resource, resource.client.call)


class ListOperation(BoundOperation[P, T]):
    """An operation that answers a list in pages: an iterator over its rows."""

    @staticmethod
    def build_plain(resource: Any, *path_values: str | int, **fields: Any) -> Cursor[Any]:
        """Build the cursor of an operation without a function of its own."""
        return Cursor(*path_values, **fields)

    @overload
    def __get__(self, resource: None, owner: object) -> Self: ...
    @overload
    def __get__(self, resource: Resource[Client], owner: object) -> Callable[P, Iterator[T]]: ...
    @overload
    def __get__(self, resource: Resource[AsyncClient], owner: object) -> Callable[P, AsyncIterator[T]]: ...
    def __get__(self, resource: Any, owner: object) -> Any:
        return self if resource is None else self.bind(resource, resource.client.iterate)


class StreamOperation(BoundOperation[P, T]):
    """An operation that answers a stream: an iterator over its events, resumed when the connection breaks."""

    @overload
    def __get__(self, resource: None, owner: object) -> Self: ...
    @overload
    def __get__(self, resource: Resource[Client], owner: object) -> Callable[P, Iterator[T]]: ...
    @overload
    def __get__(self, resource: Resource[AsyncClient], owner: object) -> Callable[P, AsyncIterator[T]]: ...
    def __get__(self, resource: Any, owner: object) -> Any:
        return self if resource is None else self.bind(resource, resource.client.follow)


class RecordsOperation(Operation[P, T]):
    """An operation that answers with records, one in a line: an iterator over them.

    It goes on with the next response where there is one, and after the last whole record when the connection
    breaks.
    """

    @overload  # type: ignore[override]
    def __get__(self, resource: None, owner: object) -> Self: ...
    @overload
    def __get__(self, resource: Resource[Client], owner: object) -> Callable[P, Iterator[T]]: ...
    @overload
    def __get__(self, resource: Resource[AsyncClient], owner: object) -> Callable[P, AsyncIterator[T]]: ...
    def __get__(self, resource: Any, owner: object) -> Any:
        return self if resource is None else self.bind(resource, resource.client.read_records)


def operation(
    operation_id: str,
) -> Callable[[Callable[Concatenate[Any, P], Call[T]]], Operation[P, T]]:
    """Make a method of a function that builds the call."""
    return lambda build: Operation(operation_id, build=build)


def list_operation(
    operation_id: str,
) -> Callable[[Callable[Concatenate[Any, P], Cursor[T]]], ListOperation[P, T]]:
    """Make a method of a function that builds the cursor of a list."""
    return lambda build: ListOperation(operation_id, build=build)


@dataclass
class Subscription(Generic[T]):
    """A stream from an event on; `read_event` makes a value of an event, or None for one that is left out."""

    path_values: tuple[str, ...]
    last_id: str | None
    read_event: Callable[[StreamedEvent], T | None]


def stream_operation(
    operation_id: str,
) -> Callable[[Callable[Concatenate[Any, P], Subscription[T]]], StreamOperation[P, T]]:
    """Make a method of a function that builds the subscription of a stream."""
    return lambda build: StreamOperation(operation_id, build=build)


def records_operation(
    operation_id: str,
) -> Callable[[Callable[Concatenate[Any, P], Call[T]]], RecordsOperation[P, T]]:
    """Make a method of a function that builds the call of a list of records."""
    return lambda build: RecordsOperation(operation_id, build=build)
