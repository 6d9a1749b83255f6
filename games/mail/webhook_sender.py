"""Sends due webhook calls: signed, never in a transaction, retried until they succeed or are given up."""

from __future__ import annotations

import hashlib
import hmac
import json
import logging
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import datetime
from typing import Any

from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as noop

from games import notice_kinds, rule_text, signed_links
from games.clock import load_zone
from games.datetime_format import format_deadline_sentence
from games.engine.state import sides_of
from games.models import Delivery, Game, Seat, Webhook
from games.selectors import format_instant, seat_name
from games.selectors.clocks import round_end_view
from games.selectors.deliveries import describe_other_players
from games.selectors.turns import TimeLeft, is_current_turn, time_left_for
from games.services import webhooks
from games.services.delivery_handoff import mark_handed_over

from . import webhook_http

log = logging.getLogger(__name__)
MAX_PARALLEL_CALLS = 20  # as many threads
USER_AGENT = "OTTO-online-webhooks/1"

FAILURE_TEXTS = {
    webhook_http.UNKNOWN_HOST: noop("There is no such host."),
    webhook_http.PRIVATE_ADDRESS: noop("The address is of a private network; we do not call it."),
    webhook_http.UNREACHABLE: noop("The host takes no connection."),
    webhook_http.BAD_CERTIFICATE: noop("The certificate of the host cannot be trusted."),
    webhook_http.TIMED_OUT: noop("The host took too long."),
    webhook_http.BROKEN_CONNECTION: noop("The connection broke off."),
}


def send_due_webhooks(*, now: datetime, limit: int = MAX_PARALLEL_CALLS) -> int:
    """Call each webhook that has a delivery due, once. Returns how many deliveries were claimed.

    1. Claim the due deliveries, one per webhook.
    2. Compose the requests; obsolete or broken deliveries are finished here.
    3. Note that the calls are being handed over.
    4. Make the calls in parallel threads, which do not touch the database.
    5. Record each result; failed calls are scheduled for a retry.
    """
    claimed_deliveries = webhooks.claim_due_calls(now=now, limit=limit)
    prepared_calls = [
        (delivery, call_args)
        for delivery in claimed_deliveries
        if (call_args := prepare_call(delivery, now)) is not None
    ]
    if not prepared_calls:
        return len(claimed_deliveries)
    for delivery, _call_args in prepared_calls:
        mark_handed_over(delivery=delivery, now=now)
    with ThreadPoolExecutor(max_workers=len(prepared_calls)) as pool:
        pending_calls = [
            (delivery, pool.submit(webhook_http.post_webhook, *call_args))
            for delivery, call_args in prepared_calls
        ]
        for delivery, future in pending_calls:
            record_result(delivery, collect_result(delivery, future), now)
    return len(claimed_deliveries)


def collect_result(delivery: Delivery, future: Future[webhook_http.CallResult]) -> webhook_http.CallResult:
    """The result of a call's thread; an unexpected error counts as a broken connection."""
    try:
        return future.result()
    except Exception:
        log.exception("webhook delivery %s raised an unexpected error", delivery.pk)
        return webhook_http.CallResult(failure=webhook_http.BROKEN_CONNECTION, maybe_delivered=True)


def prepare_call(delivery: Delivery, now: datetime) -> tuple[str, bytes, dict[str, str]] | None:
    """URL, body and headers of a call; None if the delivery was dropped or has failed."""
    player, webhook = delivery.player, delivery.webhook
    assert webhook is not None
    with translation.override(player.language), timezone.override(load_zone(player.time_zone)):
        if delivery.tries > len(webhooks.WEBHOOK_RETRY_DELAYS) + 1:  # each time the worker died
            webhooks.mark_call_failed(delivery=delivery, reason=_("It was interrupted too often."), now=now)
            return None
        try:
            if reason := find_drop_reason(delivery, webhook):
                webhooks.mark_call_dropped(delivery=delivery, reason=reason, now=now)
                return None
            return build_request(delivery, webhook, now)
        except Exception:  # one broken delivery must not block the others
            log.exception("webhook delivery %s cannot be composed", delivery.pk)
            webhooks.mark_call_failed(delivery=delivery, reason=_("Our mistake; it has been noted."), now=now)
            return None


def record_result(delivery: Delivery, result: webhook_http.CallResult, now: datetime) -> None:
    """Record the result of a call on its delivery."""
    if result.is_success:
        webhooks.mark_call_sent(delivery=delivery, now=now)
        return
    with translation.override(delivery.player.language):
        if result.failure:
            reason = _(FAILURE_TEXTS[result.failure])
        elif 300 <= result.status < 400:
            reason = _("The host answered %(status)d, a redirect; we follow none.") % {
                "status": result.status
            }
        else:
            reason = _("The host answered %(status)d.") % {"status": result.status}
        webhooks.mark_call_failed(
            delivery=delivery,
            reason=reason,
            now=now,
            is_gone=result.status == 410,
            maybe_accepted=result.maybe_delivered,
        )


def find_seat(delivery: Delivery) -> Seat | None:
    """The player's seat in the game of a delivery; None if there is none."""
    if delivery.game is None:
        return None
    return next((seat for seat in delivery.game.places.all() if seat.player_id == delivery.player_id), None)


def find_drop_reason(delivery: Delivery, webhook: Webhook) -> str:
    """Why the delivery is obsolete; empty if it is not."""
    if not webhook.active:
        return _("The webhook is switched off.")
    game, seat = delivery.game, find_seat(delivery)
    on_turn = seat and seat.number and is_current_turn(seat, delivery.data.get("seq", 0))
    if delivery.kind in ("turn", "reminder") and not on_turn:
        return _("The turn has passed.")
    if game and delivery.kind == "invited" and game.status != Game.Status.OPEN:
        return _("The game does not wait for players any more.")
    return ""


# --------------------------------------------------------------------------------------------------- payload


def build_request(delivery: Delivery, webhook: Webhook, now: datetime) -> tuple[str, bytes, dict[str, str]]:
    """Build URL, body and headers of a call."""
    body = json.dumps(
        FORMATTERS_BY_PRESET[webhook.preset](build_payload(delivery, now)), ensure_ascii=False
    ).encode()
    timestamp = str(int(now.timestamp()))
    headers = {
        "Content-Type": "application/json",
        "User-Agent": USER_AGENT,
        "Otto-Delivery": str(delivery.pk),
        "Otto-Timestamp": timestamp,
        "Otto-Signature": f"v1={sign_body(webhook.secret, timestamp, body)}",
    }
    return webhook.url, body, headers


def sign_body(secret: str, timestamp: str, body: bytes) -> str:
    """HMAC-SHA256 over timestamp and body, which prevents tampering and replay."""
    return hmac.new(secret.encode(), f"{timestamp}.".encode() + body, hashlib.sha256).hexdigest()


def build_payload(delivery: Delivery, now: datetime) -> dict[str, Any]:
    """Build the JSON payload: public data only, nothing that only the players may see."""
    game, seat = delivery.game, find_seat(delivery)
    remaining = time_left_for(seat, now) if seat and seat.number else None
    if notice_kind := notice_kinds.NOTICE_KINDS.get(delivery.kind):
        text, url = notice_kind.summarise(delivery, now)
    else:
        text = build_sentence(delivery, seat, remaining)
        url = signed_links.build_absolute_url(f"/games/{game.code}/" if game else "/")
    return {
        "id": delivery.pk,
        "kind": delivery.kind,
        "game": game.code if game else None,
        "seat": seat.number if seat else None,
        "seq": delivery.data.get("seq"),
        "deadline": format_instant(remaining.deadline if remaining else None),
        "round_end": round_end_view(game) if game else None,
        "url": url,
        "text": text,
        "at": format_instant(delivery.made_at),
    }


def build_sentence(delivery: Delivery, seat: Seat | None, remaining: TimeLeft | None) -> str:
    """Describe the notice in one or two sentences, in the active language and zone."""
    game, data, player = delivery.game, delivery.data, delivery.player
    if delivery.kind == "vacation":
        return (
            _("Your time was up in a game: %(span)s of your vacation was taken.")
            % rule_text.build_vacation_step_details()
        )
    if game is None:
        return _("This is a test from OTTO online: what your games have to tell will come here.")
    placeholders = {"who": describe_other_players(game.places.all(), player)}
    match delivery.kind:
        case "turn":
            sentence = _("It is your turn (%(who)s).") % placeholders
        case "reminder":
            sentence = _("It is still your turn (%(who)s).") % placeholders
        case "started":
            sentence = _("Your game has begun (%(who)s).") % placeholders
        case "timeout":
            sentence = say_timeout(game, seat, data) % placeholders
        case "blind":
            sentence = _("The score is level: a blind match opens (%(who)s).") % placeholders
        case "over":
            sentence = say_outcome(game, seat) % placeholders
        case "cancelled":
            sentence = _("The game was cancelled (%(who)s).") % placeholders
        case "invited":
            sentence = _("%(name)s asks you to a game.") % {"name": data.get("by", "")}
        case _:
            sentence = _("There is something new in your game (%(who)s).") % placeholders
    if remaining and remaining.deadline and delivery.kind in ("turn", "reminder"):
        sentence += " " + format_deadline_sentence(remaining.deadline, remaining.round_end)
    return sentence


def say_timeout(game: Game, seat: Seat | None, data: dict[str, Any]) -> str:
    """Describe a timeout; the placeholder `who` is filled in by the caller."""
    timeout_action, seat_no = data.get("what"), data.get("seat")
    if seat and seat_no == seat.number:
        if timeout_action == "vacation":
            # The caller fills in `who`.
            return _("Your time was up: %(span)s of your vacation was taken (%(who)s).") % (
                rule_text.build_vacation_step_details() | {"who": "%(who)s"}
            )
        if timeout_action == "resigned":
            return _("Your time was up: your side has resigned (%(who)s).")
        return _("Your time was up: the server played for you (%(who)s).")
    name = next(
        (seat_name(other_seat) for other_seat in game.places.all() if other_seat.number == seat_no), ""
    ).replace("%", "%%")
    if timeout_action == "vacation":
        return _("Time was up for %(name)s: %(span)s of vacation was taken.") % (
            rule_text.build_vacation_step_details() | {"name": name}
        )
    if timeout_action == "resigned":
        return _("Time was up for %(name)s: that side has resigned.") % {"name": name}
    return _("Time was up for %(name)s: the server played.") % {"name": name}


def say_outcome(game: Game, seat: Seat | None) -> str:
    """Describe the result; the placeholder `who` is filled in by the caller."""
    winner = (game.result or {}).get("winner")
    if game.mode == "solo" and not winner:
        return _("Your game is over (%(who)s): you lost.")
    if not winner or not seat or not seat.number:
        return _("Your game is over (%(who)s).")
    if sides_of(game.mode, game.seats)[seat.number] == winner:
        return _("Your game is over (%(who)s): you won.")
    return _("Your game is over (%(who)s): you lost.")


def format_for_discord(payload: dict[str, Any]) -> dict[str, Any]:
    """The payload as a Discord message; names in it mention nobody."""
    # A player name that looks like a mention must not notify anybody.
    return {"content": f"{payload['text']} {payload['url']}", "allowed_mentions": {"parse": []}}


def format_for_slack(payload: dict[str, Any]) -> dict[str, Any]:
    """The payload as a Slack message."""
    text = payload["text"].replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return {"text": f"{text} {payload['url']}"}


FORMATTERS_BY_PRESET: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    Webhook.Preset.JSON: dict,
    Webhook.Preset.DISCORD: format_for_discord,
    Webhook.Preset.SLACK: format_for_slack,
}
