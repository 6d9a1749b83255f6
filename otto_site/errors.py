"""The one table from exceptions to HTTP status and error code, returned as problem+json (RFC 9457)."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation, ValidationError
from django.db import DataError, IntegrityError
from django.http import Http404, HttpResponse, JsonResponse
from django.http.multipartparser import MultiPartParserError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy
from django.utils.translation import ngettext
from rest_framework import exceptions as drf
from rest_framework.views import set_rollback

from games.engine import IllegalAction, NotYourTurn, UnreadableAction
from games.engine.text import GameTranslator
from games.selectors import NoSuchGame
from games.services import errors as service_errors
from tournaments.selectors import NoSuchLeague, NoSuchTournament

from .outages import RETRY_AFTER_SECONDS, is_database_outage

log = logging.getLogger(__name__)

# The first matching class decides. With code None the exception has its own code.
ERROR_TABLE: tuple[tuple[type[Exception], int, str | None], ...] = (
    (service_errors.LimitReached, 429, None),
    (service_errors.Conflict, 409, None),
    (service_errors.NotFound, 404, None),
    (service_errors.Denied, 403, None),
    (service_errors.Invalid, 422, None),
    (NoSuchGame, 404, "not-found"),
    (NoSuchTournament, 404, "not-found"),
    (NotYourTurn, 409, "not-your-turn"),
    (IllegalAction, 422, "illegal"),
    (UnreadableAction, 422, "illegal"),
    (drf.ValidationError, 400, "invalid"),
    (ValidationError, 400, "invalid"),
    (drf.ParseError, 400, "malformed"),
    (drf.NotAuthenticated, 401, "not-authenticated"),
    (drf.AuthenticationFailed, 401, None),
    (drf.PermissionDenied, 403, None),
    (PermissionDenied, 403, "forbidden"),
    (drf.NotFound, 404, "not-found"),
    (Http404, 404, "not-found"),
    (drf.MethodNotAllowed, 405, "method-not-allowed"),
    (drf.NotAcceptable, 406, "not-acceptable"),
    (drf.UnsupportedMediaType, 415, "unsupported-media-type"),
    (drf.Throttled, 429, "throttled"),
    (RequestDataTooBig, 413, "too-large"),
    (MultiPartParserError, 400, "malformed"),
    (SuspiciousOperation, 400, "malformed"),
    # Not caught by a field and not storable: NUL, a lone surrogate, a number out of range.
    (DataError, 400, "invalid"),
    (UnicodeEncodeError, 400, "invalid"),
    # A race that no service handles; the client reads the state again and retries.
    (IntegrityError, 409, "conflict"),
)

# Every code, for the page that lists them; a test compares it with the codes that views return.
ERROR_CODES: dict[str, Any] = {
    "account-closed": lazy("The account that the token belongs to is closed."),
    "already-asked": lazy("Somebody else has been asked to take this seat already; withdraw that first."),
    "already-invited": lazy("They have an invitation to this game already."),
    "already-joined": lazy("You have a seat in this game already, or take part in this tournament."),
    "already-reported": lazy("You have reported this message already."),
    "answered": lazy("The proposal has an answer already, or was withdrawn."),
    "asked-too-often": lazy("You have asked this player as often as one may."),
    "bad-address": lazy("An app cannot return to this address."),
    "bad-expiry": lazy("A token cannot last that long, or that short."),
    "bad-offer": lazy("The commitment was not offered to you, or too long ago; take the one of a new page."),
    "bad-token": lazy("The Authorization header cannot be read."),
    "bad-webhook": lazy("We do not call this address, or do not know this preset."),
    "cancelled": lazy("The game was cancelled."),
    "conflict": lazy("Right in itself, but not as things stand."),
    "csrf": lazy("A browser's request came without its CSRF token; programs send a token of their own."),
    "date-in-the-past": lazy("A start, or the end of entries, has passed; choose a time to come."),
    "earlier-end": lazy("The end of a round can be put off, and never be moved forward."),
    "expired": lazy("The game waited too long for players."),
    "forbidden": lazy("You may not do this."),
    "full": lazy("No seat is left in this game."),
    "hand-hidden": lazy(
        "You play here in place of somebody else; take the seat first, then you see its hand."
    ),
    "hand-shown": lazy("Whoever sits there now has seen the hand, so the change of players stands."),
    "idempotency-key-reused": lazy("This Idempotency-Key came before, with another request."),
    "illegal": lazy("The rules forbid this; `rule` names the rule, `instead` what would be legal."),
    "in-person": lazy("No token may do this. Sign in with your browser."),
    "incident-open": lazy("All clocks rest already."),
    "internal": lazy("Our mistake; it has been noted."),
    "invalid": lazy("Some fields are missing or wrong; `errors` says which."),
    "lapsed": lazy("The proposal has lapsed, because things have changed since it was made."),
    "malformed": lazy("The request cannot be read."),
    "method-not-allowed": lazy("This address does not know this method."),
    "missing-scope": lazy("The token lacks a scope; `scope` names it."),
    "name": lazy("Nobody can be called that, or somebody else is."),
    "no-chat": lazy("This game has no chat."),
    "no-incident": lazy("No incident is open."),
    "no-offer": lazy("A client seed came before a commitment was shown; it comes after it."),
    "no-pause-proposed": lazy("No pause is proposed in this game."),
    "no-scopes": lazy("A token needs at least one scope."),
    "no-strangers": lazy("This player only wants to be asked by people they have played with."),
    "nobody-waits": lazy("Nobody on the waiting list can play in this seat."),
    "no-such-player": lazy("Nobody here has this name."),
    "not-acceptable": lazy("None of the formats that you accept can be given."),
    "not-authenticated": lazy("This needs a token or a login."),
    "not-confirmed": lazy("The confirmation does not fit."),
    "not-for-apps": lazy("Apps may not do this."),
    "not-found": lazy("There is no such thing, or you may not see it."),
    "not-host": lazy("Only the player who made the game can do this."),
    "not-on-vacation": lazy("You are not on vacation, and have planned none."),
    "not-open": lazy("The game has started or was cancelled."),
    "not-over": lazy("The game is not over yet."),
    "not-paused": lazy("The clocks of this game do not rest by agreement."),
    "not-running": lazy("The game is not running."),
    "not-seated": lazy("You have no seat in this game."),
    "not-started": lazy("The game has not started."),
    "not-your-turn": lazy("Your seat has nothing to decide now."),
    "not-yours": lazy("This is for somebody else."),
    "on-vacation": lazy("You are on vacation, or have planned one; end it first."),
    "only-bots": lazy("Only bots play with you here: there is nobody to talk to or to agree with."),
    "over": lazy("The game is over."),
    "own-message": lazy("This message is your own."),
    "own-table": lazy("You sit at this table yourself, so another organiser must decide."),
    "partner-taken": lazy("You have asked somebody to be your partner already."),
    "pause-proposed": lazy("A pause is proposed already; agree to it or decline it."),
    "places-change": lazy(
        "The tournament is over, and this would change its final places, as `places` says, or reopen it if "
        "`reopens` is true; send `confirmed` to do it all the same."
    ),
    "rated": lazy("This cannot be in a rated game."),
    "removed": lazy("An organiser has removed this player, and has not let them in again."),
    "round-too-short": lazy("A round must last as long as one turn may take; `limit` says how many seconds."),
    "seed-fixed": lazy("Your client seed counts by now, and cannot be changed any more."),
    "seed-public": lazy(
        "The tournament is over and its seed is public: no game can follow from a correction."
    ),
    "spent-offer": lazy("A game was made with this commitment already; take the one of a new page."),
    "stale": lazy("The game has moved on since the `seq` that you saw; read it again."),
    "taken": lazy("This email address belongs to another account already."),
    "throttled": lazy("Too many requests; wait for as many seconds as Retry-After says."),
    "token-expired": lazy("The token has expired."),
    "token-revoked": lazy("The token has been revoked."),
    "too-large": lazy("The request is too large."),
    "too-little-vacation": lazy("You have not saved up so much vacation."),
    "too-many": lazy("You have as many of these as one may have."),
    "too-many-events": lazy("You organise as many tournaments or leagues as one may; `limit` says how many."),
    "too-many-games": lazy("You have as many games going as one may have; `limit` says how many."),
    "too-many-games-at-once": lazy("More games would begin together than `limit` allows in one tournament."),
    "too-many-invited": lazy("A draft has `limit` invited players at most; publish it to invite more."),
    "too-many-keys": lazy("You have used many Idempotency-Keys today; wait as long as Retry-After says."),
    "too-many-laps": lazy("Two meet too often; `limit` says how often they may."),
    "too-many-mails": lazy("You have made us write to others a lot; wait as long as Retry-After says."),
    "too-many-messages": lazy("Many messages in a short time; wait a little."),
    "too-many-open": lazy("You have many open games; wait for one of them to start."),
    "too-old": lazy("The link is too old."),
    "unavailable": lazy(
        "The database does not answer; wait as long as Retry-After says, then repeat the request with the"
        " same Idempotency-Key."
    ),
    "unknown-scope": lazy("There is no such scope."),
    "unknown-token": lazy("There is no such token."),
    "unsupported-media-type": lazy("The body must be JSON."),
    "used": lazy("This invitation was used already."),
    "webhook-exists": lazy("You have a webhook at this address already."),
    "webhook-off": lazy("This webhook is switched off."),
}
ERROR_CODES_PATH = "/api/errors/"
# Details are translated; codes and rule names are not.
ENGINE_WORDS = GameTranslator(gettext=_, ngettext=ngettext)
REST_FRAMEWORK_CODES = {
    "authentication_failed": "not-authenticated",
    "permission_denied": "forbidden",
}  # of REST framework


def problem_response(
    status: int, code: str, detail: str, *, headers: Mapping[str, str] | None = None, **extra: Any
) -> HttpResponse:
    """Return a problem+json response, whatever formats the view supports."""
    body = {
        "type": f"{ERROR_CODES_PATH}#{code}",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        "code": code,
        **extra,
    }
    return JsonResponse(
        replace_surrogates(body),
        status=status,
        content_type="application/problem+json",
        headers=dict(headers or {}),
    )


def replace_surrogates(value: Any) -> Any:
    """Replace lone surrogates, which no client could decode, in all strings of a value."""
    if isinstance(value, Mapping):
        return {replace_surrogates(key): replace_surrogates(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [replace_surrogates(item) for item in value]
    if isinstance(value, bool | int | float | None):
        return value
    return str(value).encode("utf-8", "replace").decode()


def handle_api_error(error: Exception, context: dict[str, Any]) -> HttpResponse | None:
    """REST framework's EXCEPTION_HANDLER. An exception missing from the table is a bug and becomes a 500."""
    if is_database_outage(error):
        set_rollback()
        log.error("database outage", exc_info=error)
        return outage_response()
    row = next((row for row in ERROR_TABLE if isinstance(error, row[0])), None)
    if row is None:
        return None
    _kind, status, code = row
    set_rollback()
    extra: dict[str, Any] = {}
    headers: dict[str, str] = {}
    detail = str(getattr(error, "detail", "") or error)
    if code is None:
        own_code = error.code if isinstance(error, service_errors.ServiceError) else error.get_codes()  # type: ignore[attr-defined]
        code = REST_FRAMEWORK_CODES.get(own_code, own_code) if isinstance(own_code, str) else "forbidden"
    match error:
        case service_errors.ServiceError():
            extra = error.extra
            if isinstance(error, service_errors.LimitReached):
                headers["Retry-After"] = str(error.retry_after)
        case IllegalAction():
            extra = {"rule": error.rule, "instead": error.alternatives}
            detail = ENGINE_WORDS.format_sentence(error.sentence, error.details)
        case UnreadableAction() | NotYourTurn():
            extra = {"rule": error.rule}
            detail = ENGINE_WORDS.format_sentence(error.sentence, error.details)
        case drf.ValidationError():
            extra = {"errors": errors_by_field(error.detail)}
            detail = first_message(extra["errors"])
        case ValidationError():
            extra = {"errors": errors_by_field(getattr(error, "message_dict", None) or error.messages)}
            detail = first_message(extra["errors"])
        case drf.Throttled():
            if error.wait is not None:
                headers["Retry-After"] = str(int(error.wait))
                extra = {"retry_after": int(error.wait)}
        case IntegrityError():
            log.warning("conflict: integrity error", exc_info=error)
            detail = _("Somebody else was faster. Look again, then repeat.")
        case DataError() | UnicodeEncodeError():
            log.warning("bad input: cannot be stored", exc_info=error)
            detail = _("The request holds a character or a number that cannot be stored.")
        case Http404():
            detail = _("There is nothing at this address.")
        case NoSuchGame():
            detail = _("There is no such game.")
        case NoSuchLeague():
            detail = _("There is no such league.")
        case NoSuchTournament():
            detail = _("There is no such thing, or you may not see it.")
        case RequestDataTooBig():
            detail = _("The request is too large.")
        case SuspiciousOperation() | MultiPartParserError():
            detail = _("The request cannot be read.")
    if scope := getattr(error, "scope", None):
        extra = {**extra, "scope": scope}
    if header := getattr(error, "auth_header", None):
        headers["WWW-Authenticate"] = header
    return problem_response(status, code, detail, headers=headers, **extra)


def outage_response() -> HttpResponse:
    """Return 503 with Retry-After: the database does not answer."""
    return problem_response(
        503,
        "unavailable",
        _("The database does not answer at the moment; try again in a few seconds."),
        headers={"Retry-After": str(RETRY_AFTER_SECONDS)},
        retry_after=RETRY_AFTER_SECONDS,
    )


def errors_by_field(detail: Any) -> dict[str, Any]:
    """Return messages by field name; those without a field are under `request`."""
    if not isinstance(detail, Mapping):
        return {"request": detail}
    return {
        "request" if name in {"non_field_errors", "__all__"} else str(name): messages
        for name, messages in detail.items()
    }


def first_message(errors: Mapping[str, Any]) -> str:
    """Return the first message with the path of its field."""
    name, message = next(iter(errors.items()), ("request", _("This is not valid.")))
    path = [] if name == "request" else [name]
    while isinstance(message, Mapping | list) and message:
        if isinstance(message, Mapping):
            key, message = next(iter(message.items()))
            path.append(str(key))
        else:
            message = next((item for item in message if item), message[0])
    return f"{'.'.join(path)}: {message}" if path else str(message)
