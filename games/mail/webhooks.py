"""Webhooks go out: never in a transaction, signed, tried again until they arrive or are given up."""

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

from games import kinds, links, rule_words
from games.clock import zone_named
from games.engine.state import sides_of
from games.models import Delivery, Game, Seat, Webhook
from games.moments import say_until
from games.selectors import instant, name_at
from games.selectors.clocks import round_end_view
from games.selectors.mail import company
from games.selectors.turns import TimeLeft, lasts, time_left
from games.services import webhooks
from games.services.handing_over import mark_handed_over

from . import calls

log = logging.getLogger(__name__)
BATCH = 20  # called at once, by as many threads
AGENT = "OTTO-online-webhooks/1"

TROUBLES = {
    calls.UNKNOWN: noop("There is no such host."),
    calls.PRIVATE: noop("The address is of a private network; we do not call it."),
    calls.UNREACHABLE: noop("The host takes no connection."),
    calls.CERTIFICATE: noop("The certificate of the host cannot be trusted."),
    calls.TIMEOUT: noop("The host took too long."),
    calls.BROKEN: noop("The connection broke off."),
}


def send_due(*, now: datetime, limit: int = BATCH) -> int:
    """Make one call to each of the webhooks for which something is due. Returns how many calls were claimed.

    Threads do the waiting for strangers' servers and nothing else; the database is this thread's alone.
    """
    claimed = webhooks.claim(now=now, limit=limit)
    ready = [(delivery, made) for delivery in claimed if (made := prepared(delivery, now)) is not None]
    if not ready:
        return len(claimed)
    for delivery, _made in ready:
        mark_handed_over(delivery=delivery, now=now)
    with ThreadPoolExecutor(max_workers=len(ready)) as pool:
        waiting = [(delivery, pool.submit(calls.post, *made)) for delivery, made in ready]
        for delivery, answer in waiting:
            settle(delivery, outcome_of(delivery, answer), now)
    return len(claimed)


def outcome_of(delivery: Delivery, answer: Future[calls.Answer]) -> calls.Answer:
    """What a thread brought back; a mistake of ours counts as a call that failed, for this one alone."""
    try:
        return answer.result()
    except Exception:
        log.exception("webhook delivery %s failed in an unknown way", delivery.pk)
        return calls.Answer(trouble=calls.BROKEN, maybe_arrived=True)


def prepared(delivery: Delivery, now: datetime) -> tuple[str, bytes, dict[str, str]] | None:
    """Address, body and headers of a call; None if there is nothing to be called."""
    player, webhook = delivery.player, delivery.webhook
    assert webhook is not None
    with translation.override(player.language), timezone.override(zone_named(player.time_zone)):
        if delivery.tries > len(webhooks.DELAYS) + 1:  # each time its worker died
            webhooks.mark_failed(delivery=delivery, why=_("It was interrupted too often."), now=now)
            return None
        try:
            if why := needless(delivery, webhook):
                webhooks.mark_dropped(delivery=delivery, why=why, now=now)
                return None
            return request(delivery, webhook, now)
        except Exception:  # one broken row must not keep the others waiting
            log.exception("webhook delivery %s cannot be composed", delivery.pk)
            webhooks.mark_failed(delivery=delivery, why=_("Our mistake; it has been noted."), now=now)
            return None


def settle(delivery: Delivery, answer: calls.Answer, now: datetime) -> None:
    """Note what came of a call."""
    if answer.arrived:
        webhooks.mark_sent(delivery=delivery, now=now)
        return
    with translation.override(delivery.player.language):
        if answer.trouble:
            why = _(TROUBLES[answer.trouble])
        elif 300 <= answer.status < 400:
            why = _("The host answered %(status)d, a redirect; we follow none.") % {"status": answer.status}
        else:
            why = _("The host answered %(status)d.") % {"status": answer.status}
        webhooks.mark_failed(
            delivery=delivery,
            why=why,
            now=now,
            gone=answer.status == 410,
            maybe_taken=answer.maybe_arrived,
        )


def place_of(delivery: Delivery) -> Seat | None:
    """Where the player sits in the game that a delivery is about."""
    if delivery.game is None:
        return None
    return next((one for one in delivery.game.places.all() if one.player_id == delivery.player_id), None)


def needless(delivery: Delivery, webhook: Webhook) -> str:
    """Why nobody needs to hear this any more; empty if somebody does."""
    if not webhook.active:
        return _("The webhook is switched off.")
    game, place = delivery.game, place_of(delivery)
    on_turn = place and place.number and lasts(place, delivery.data.get("seq", 0))
    if delivery.kind in ("turn", "reminder") and not on_turn:
        return _("The turn has passed.")
    if game and delivery.kind == "invited" and game.status != Game.Status.OPEN:
        return _("The game does not wait for players any more.")
    return ""


# ----------------------------------------------------------------------------------------------- what is said


def request(delivery: Delivery, webhook: Webhook, now: datetime) -> tuple[str, bytes, dict[str, str]]:
    """What is sent, and where."""
    body = json.dumps(SHAPES[webhook.preset](facts(delivery, now)), ensure_ascii=False).encode()
    stamp = str(int(now.timestamp()))
    headers = {
        "Content-Type": "application/json",
        "User-Agent": AGENT,
        "Otto-Delivery": str(delivery.pk),
        "Otto-Timestamp": stamp,
        "Otto-Signature": f"v1={signature(webhook.secret, stamp, body)}",
    }
    return webhook.url, body, headers


def signature(secret: str, stamp: str, body: bytes) -> str:
    """HMAC-SHA256 over time and body, so that neither can be changed nor an old call sent again."""
    return hmac.new(secret.encode(), f"{stamp}.".encode() + body, hashlib.sha256).hexdigest()


def facts(delivery: Delivery, now: datetime) -> dict[str, Any]:
    """What a call says: nothing that only those at the table may know."""
    game, place = delivery.game, place_of(delivery)
    left = time_left(place, now) if place and place.number else None
    if kind := kinds.ELSEWHERE.get(delivery.kind):
        text, url = kind.said(delivery, now)
    else:
        text = sentence(delivery, place, left)
        url = links.page(f"/games/{game.code}/" if game else "/")
    return {
        "id": delivery.pk,
        "kind": delivery.kind,
        "game": game.code if game else None,
        "seat": place.number if place else None,
        "seq": delivery.data.get("seq"),
        "deadline": instant(left.until if left else None),
        "round_end": round_end_view(game) if game else None,
        "url": url,
        "text": text,
        "at": instant(delivery.made_at),
    }


def sentence(delivery: Delivery, place: Seat | None, left: TimeLeft | None) -> str:
    """What happened, in one sentence or two; language and zone are the player's."""
    game, data, player = delivery.game, delivery.data, delivery.player
    if delivery.kind == "vacation":
        return (
            _("Your time was up in a game: %(span)s of your vacation was taken.") % rule_words.vacation_hour()
        )
    if game is None:
        return _("This is a test from OTTO online: what your games have to tell will come here.")
    who = {"who": company(game.places.all(), player)}
    match delivery.kind:
        case "turn":
            said = _("It is your turn (%(who)s).") % who
        case "reminder":
            said = _("It is still your turn (%(who)s).") % who
        case "started":
            said = _("Your game has begun (%(who)s).") % who
        case "timeout":
            said = timeout(game, place, data) % who
        case "blind":
            said = _("The score is level: a blind match opens (%(who)s).") % who
        case "over":
            said = outcome(game, place) % who
        case "cancelled":
            said = _("The game was cancelled (%(who)s).") % who
        case "invited":
            said = _("%(name)s asks you to a game.") % {"name": data.get("by", "")}
        case _:
            said = _("There is something new in your game (%(who)s).") % who
    if left and left.until and delivery.kind in ("turn", "reminder"):
        said += " " + say_until(left.until, left.round_end)
    return said


def timeout(game: Game, place: Seat | None, data: dict[str, Any]) -> str:
    """Somebody's time was up; `who` is still to be filled in."""
    what, seat = data.get("what"), data.get("seat")
    if place and seat == place.number:
        if what == "vacation":
            # `who` is filled in later.
            return _("Your time was up: %(span)s of your vacation was taken (%(who)s).") % (
                rule_words.vacation_hour() | {"who": "%(who)s"}
            )
        if what == "resigned":
            return _("Your time was up: your side has resigned (%(who)s).")
        return _("Your time was up: the server played for you (%(who)s).")
    name = next((name_at(one) for one in game.places.all() if one.number == seat), "").replace("%", "%%")
    if what == "vacation":
        return _("Time was up for %(name)s: %(span)s of vacation was taken.") % (
            rule_words.vacation_hour() | {"name": name}
        )
    if what == "resigned":
        return _("Time was up for %(name)s: that side has resigned.") % {"name": name}
    return _("Time was up for %(name)s: the server played.") % {"name": name}


def outcome(game: Game, place: Seat | None) -> str:
    """Who won; `who` is still to be filled in."""
    winner = (game.result or {}).get("winner")
    if game.mode == "solo" and not winner:
        return _("Your game is over (%(who)s): you lost.")
    if not winner or not place or not place.number:
        return _("Your game is over (%(who)s).")
    if sides_of(game.mode, game.seats)[place.number] == winner:
        return _("Your game is over (%(who)s): you won.")
    return _("Your game is over (%(who)s): you lost.")


def as_discord(told: dict[str, Any]) -> dict[str, Any]:
    # Whatever a name looks like, nobody is called by it.
    return {"content": f"{told['text']} {told['url']}", "allowed_mentions": {"parse": []}}


def as_slack(told: dict[str, Any]) -> dict[str, Any]:
    text = told["text"].replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return {"text": f"{text} {told['url']}"}


SHAPES: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    Webhook.Preset.JSON: dict,
    Webhook.Preset.DISCORD: as_discord,
    Webhook.Preset.SLACK: as_slack,
}
